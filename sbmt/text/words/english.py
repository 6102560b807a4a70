"""Closed classes of English words, in lower case and as Penn tokens have them ("n't"), and of marks.

A class that only one module needs is defined there.
"""

from __future__ import annotations

# Articles, pronouns, prepositions, conjunctions, auxiliaries, common adverbs of place and time. Such a word is never a
# name, wherever it has a capital.
FUNCTION_WORDS = frozenset(
    """
    a about above across after against all along although am among an and any are around as at be because been before
    behind being below beneath beside between beyond both but by can could did do does down during each either every few
    for from had has have he her here hers him his how however i if in inside into is it its itself many may me might
    more most much must my near neither never no nor not now of off on once one only onto or other our out outside over
    own per several shall she should since so some still such than that the their them then there these they this those
    though through throughout thus to too toward towards under until unto up upon us very was we were what when where
    whether which while who whom whose why will with within without would yet you your
    """.split()
)
PRONOUNS = frozenset(
    """
    i me my mine myself you your yours yourself he him his himself she her hers herself it its itself we us our ours
    ourselves they them theirs their themselves
    """.split()
)
NEGATIONS = frozenset("no not n't never none nobody nothing nowhere neither nor without cannot".split())
# In order: lists are made of them.
FORMS_OF_BE = tuple("is are was were be been being am".split())
MODALS = frozenset("will would can could shall should must may might".split())
FORMS_OF_DO = ("do", "does", "did")  # as auxiliaries
# Numbers in words, without "one", which is a pronoun too.
TWO_TO_TEN = frozenset("two three four five six seven eight nine ten".split())
NUMERALS = TWO_TO_TEN | frozenset(
    "eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty "
    "seventy eighty ninety hundred thousand million billion trillion".split()
)
# Adverbs that belong to a verb ("set up").
PARTICLES = frozenset("apart aside away back down off out together up".split())
# Ends of participles that cannot precede a noun (not: "a given help").
NEVER_BEFORE_NOUNS = PARTICLES | frozenset("done given seen shown taken".split())
# Nouns that have no plural and never follow "a".
MASS_NOUNS = frozenset(
    "advice clothing equipment evidence furniture health information luck luggage machinery money music news research "
    "software traffic weather".split()
)
# Nouns that cannot follow "a", though some have a plural ("proofs"); "a good knowledge of", "a help" and "a firmness"
# are correct.
NEVER_AFTER_A = MASS_NOUNS | frozenset("extra pay proof respect violence".split())
ARTICLES = frozenset(("a", "an", "the"))
SENTENCE_ENDS = frozenset(".!?")  # the marks at the ends of sentences


def is_plural_form(word: str) -> bool:
    """Whether a word ends as plurals do."""
    return word.isalpha() and word.endswith("s") and not word.endswith(("ss", "us", "is"))
