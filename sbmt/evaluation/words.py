"""Closed classes of English words that the analyses tell apart."""

from __future__ import annotations

from sbmt.text import casing

PRONOUNS = frozenset(
    """i me my mine myself you your yours yourself he him his himself she her hers herself it its itself we us our ours
    ourselves they them their theirs themselves""".split()
)
NEGATIONS = frozenset("no not n't never none nobody nothing nowhere neither nor without cannot".split())
# Words that replace others in simplifications ("numerous", "many") are content here, though never names.
_REPLACING = frozenset("few however many much never now once several still thus".split())
_FURTHER = frozenset("'d 'll 'm 're 's 've n't also another doing except having just ought same unless whereas".split())
# Words that carry structure, not content.
FUNCTION_WORDS = (casing.FUNCTION_WORDS - _REPLACING) | PRONOUNS | _FURTHER
