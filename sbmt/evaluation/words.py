"""Closed classes of English words that the analyses tell apart."""

from __future__ import annotations

# Words that carry structure, not content.
FUNCTION_WORDS = frozenset(
    """a an the this that these those each every either neither some any no all both half such what which who whom whose
    i me my mine myself you your yours yourself he him his himself she her hers herself it its itself we us our ours
    ourselves they them their theirs themselves one and or but nor so yet if because while although though unless until
    whereas whether than as of in on at by for with from to into onto upon about above across after against along among
    around before behind below beneath beside between beyond during except inside near off out outside over past since
    through throughout toward towards under up via within without be am is are was were been being have has had having
    do does did doing will would shall should can could may might must ought not n't 's 'll 're 've 'd 'm there here
    when where why how then also too very just only more most other another own same""".split()
)
PRONOUNS = frozenset(
    """i me my mine myself you your yours yourself he him his himself she her hers herself it its itself we us our ours
    ourselves they them their theirs themselves""".split()
)
NEGATIONS = frozenset("no not n't never none nobody nothing nowhere neither nor without cannot".split())
