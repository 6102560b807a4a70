"""Lists of words that tell which parts of speech can stand where, for several of the checks of a place.

Input has no tags; these words are common, and say much about the words next to them. A list that only one module needs
is defined there.
"""

from __future__ import annotations

from sbmt.text.words.english import FORMS_OF_BE, MODALS, TWO_TO_TEN

# Words that no preposition follows: articles and possessives.
DETERMINERS = frozenset("a an the its their our my your his".split())
# Words that no verb follows: determiners and prepositions.
BEFORE_NOUNS = DETERMINERS | frozenset(
    "whose every no such of for with by from in into at on about against between during over per through under upon "
    "via without".split()
)
# Pronouns that are subjects; "it" and "you" may be objects as well.
SUBJECTS = frozenset("he i it she they we you".split())
# Words that a verb follows, and no noun or adjective: modal verbs and subjects.
BEFORE_VERBS = MODALS | SUBJECTS - {"it"} | {"cannot", "who"}
# Forms of "have", those that the tokens cut off included; "'s" may be one of "be", and "'d" is no less often "would".
FORMS_OF_HAVE = frozenset("had has have having 'd 's 've".split())
CLEAR_FORMS_OF_HAVE = FORMS_OF_HAVE - {"'s"}
# Auxiliaries that a participle follows, and no past tense.
BEFORE_PARTICIPLES = frozenset((*FORMS_OF_BE, "'re")) | FORMS_OF_HAVE
# For a label the words that it never follows.
NEVER_AFTER = {
    **dict.fromkeys(("VB", "VBP"), BEFORE_NOUNS),
    "VBZ": BEFORE_NOUNS.union("'s these those many several few other similar early good better best".split()),
    "VBD": BEFORE_NOUNS | BEFORE_PARTICIPLES | {"to"},
    "VBN": SUBJECTS - {"it", "you"} | {"which", "who"},
    **dict.fromkeys(("NN", "NNS", "JJ"), BEFORE_VERBS),
    "IN": DETERMINERS,
}
# Words after which "it" is a subject; nothing before it is one, too.
BEFORE_SUBJECTS = frozenset(
    ", ; : and as because but if since so that then though although unless until when where whether which while".split()
) | {""}
# Words that begin an object, which a participle has only after a form of "be" or "have".
BEGIN_OBJECTS = DETERMINERS.union(
    TWO_TO_TEN,
    "this that these those it him them us me more much some many several all no both each $ £ € dozens hundreds "
    "thousands millions anyone anything everybody everyone everything nothing someone something".split(),
)
# Past tenses of verbs that have no passive; "by" after them tells how far or how, and not who did it.
PASTS_WITHOUT_OBJECT = frozenset("became came dropped fell grew happened lived rose stayed stood went won".split())
# What may follow a complete phrase: prepositions, conjunctions, auxiliaries, adverbs of time.
AFTER_PHRASES = MODALS | frozenset(
    "in on at by for with from to into onto through throughout after before during since until while when where "
    "as like than near over under above below against about among between behind within without across along "
    "around toward towards upon via per and or but nor if because so who which not is are was were be been has "
    "have had do does did again also earlier first here last later next now once only then there today twice "
    "yesterday".split()
)
# Prepositions that may take the place of a participle and themselves.
PREPOSITIONS = frozenset("from with in of for to by against about".split())
# Past tenses that need an object and differ from their participles, and what follows a participle that has none.
NEED_OBJECTS = frozenset("chose did drew gave got knew saw showed threw took wore wrote".split())
WHEN_OR_WHERE = frozenset("earlier here later online there today yesterday".split())
AFTER_PARTICIPLES = WHEN_OR_WHERE | frozenset(
    ". , above as at before after below beside between by during for from in inside on prior since subsequent through "
    "to under until with within without".split()
)
# Verb forms that only one thing or person has.
FOR_ONE = frozenset("does has is was".split())
# Indefinite articles, and what acts like one: no noun without a plural follows.
INDEFINITE = frozenset("a an another".split())
