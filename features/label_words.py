"""Lists of words that tell which parts of speech can stand where: for `label_clash`, `word_clash`, `label_context`.

Input has no tags; these words are common, and say much about the words next to them.
"""

from __future__ import annotations

from sbmt.text.english import FORMS_OF_BE, MODALS, NEVER_BEFORE_NOUNS, TWO_TO_TEN

_ARTICLES_AND_POSSESSIVES = "a an the its their our my your his"
_NUMBERS = " ".join(TWO_TO_TEN)

# Words that no preposition follows: articles and possessives.
DETERMINERS = frozenset(_ARTICLES_AND_POSSESSIVES.split())
# Words that no verb follows: determiners and prepositions.
BEFORE_NOUNS = frozenset(
    f"{_ARTICLES_AND_POSSESSIVES} whose every no such of for with by from in into at on about against between during "
    "over per through under upon via without".split()
)
# Words after which a participle before a noun belongs to it.
BEFORE_ATTRIBUTES = BEFORE_NOUNS | frozenset("some many several these those other".split())
# Words that, after a determiner, a noun follows ("your last permit").
AFTER_DETERMINERS = frozenset("first following last next own same second third".split())
# Words after which "each" is no determiner ("they each permit it").
BEFORE_EACH = frozenset("i they them us we which who you".split())
# Words that a verb follows, and no noun or adjective: modal verbs and pronouns that are subjects.
BEFORE_VERBS = MODALS | frozenset("cannot i you he she we they who".split())
# Verbs and adjectives after which "to" begins no phrase of a noun.
BEFORE_INFINITIVES = frozenset(
    "able unable began begin begins begun continue continued continues decide decided decides expected fail failed "
    "fails hope hoped hopes intend intended intends tend tended tends tried tries try trying unwilling want wanted "
    "wants willing".split()
)
# Forms of "have", those that the tokens cut off included; "'s" may be one of "be", and "'d" is no less often "would".
FORMS_OF_HAVE = frozenset("had has have having 'd 's 've".split())
# Auxiliaries that a participle follows, and no past tense.
BEFORE_PARTICIPLES = frozenset((*FORMS_OF_BE, "'re")) | FORMS_OF_HAVE
# For a label the words that it never follows.
NEVER_AFTER = {
    **dict.fromkeys(("VB", "VBP"), BEFORE_NOUNS),
    "VBZ": BEFORE_NOUNS.union("'s these those many several few other similar early good better best".split()),
    "VBD": BEFORE_NOUNS | BEFORE_PARTICIPLES | {"to"},
    "VBN": frozenset("i he she we they who which".split()),
    **dict.fromkeys(("NN", "NNS", "JJ"), BEFORE_VERBS),
    "IN": DETERMINERS,
}
# Words after which "it" is a subject; nothing before it is one, too.
BEFORE_SUBJECTS = frozenset(
    ", ; : and as because but if since so that then though although unless until when where whether which while".split()
) | {""}
# Verbs whose past is their base form, and words after which that form is no past.
UNCHANGED_PASTS = frozenset("bet burst cast cost cut hit hurt let put quit set shed shut split spread thrust".split())
BEFORE_BASE_FORMS = BEFORE_VERBS - {"he", "she"} | frozenset(
    "to do does did not n't help helps helped helping and or".split()
)
# Words after which a verb has its base form, also with an object between ("let them go"); "ca", "wo" and "sha" are what
# "n't" is cut off from.
TAKE_BASE_FORMS = MODALS | frozenset(
    "better ca cannot 'd help helped helping helps let lets letting 'll made make makes making need sha than to "
    "wo".split()
)
BEFORE_CLAUSE_VERBS = BEFORE_BASE_FORMS | {"he", "she", "it", "that", "which"}
# Finite verbs, which no base form precedes unless it is the verb of a clause ("those they employ are").
FINITE = MODALS | frozenset("is are was were has".split())
# Words that begin an object, which a participle has only after a form of "be" or "have".
BEGIN_OBJECTS = frozenset(
    f"{_ARTICLES_AND_POSSESSIVES} this that these those it him them us me more much some many several all no "
    f"both each $ {_NUMBERS} dozens hundreds thousands millions".split()
)
# Those of them that begin nothing but objects, while "this" may begin another phrase ("the plan this year").
BEGIN_ONLY_OBJECTS = frozenset("a an the his her their its it them".split())
# What may stand between a participle and its form of "be" or "have", beside adverbs in -ly.
BETWEEN = frozenset(
    "not n't again all almost also always already both each even ever far first hence hereby however indeed instead "
    "itself just later likewise meanwhile never nevertheless nonetheless now often once otherwise perhaps since so "
    "sometimes soon still themselves then thereby therefore thus well yet".split()
)
# Nouns that are verbs of the same sense ("catalogue the cars" may become "list the cars" as a noun does).
VERBS_TOO = frozenset(
    "attack change copy cover damage decrease display drop fight help increase judge limit list name promise question "
    "rank record rise shelter start support test trade use work".split()
)
# Participles that have no passive, and so follow a form of "have" only.
NO_PASSIVE = frozenset("been become come died fallen gone happened lived stayed".split())
# Participles that are no past tenses.
ONLY_PARTICIPLES = frozenset(
    "begun broken chosen done drawn driven drunk eaten given grown hidden known seen shown taken thrown torn worn "
    "written".split()
)
# Past tenses of such verbs; "by" after them tells how far or how, and not who did it.
PASTS_WITHOUT_OBJECT = frozenset("became came dropped fell grew happened lived rose stayed stood went won".split())
# What may follow a complete phrase: prepositions, conjunctions, auxiliaries, adverbs of time.
AFTER_PHRASES = MODALS | frozenset(
    "in on at by for with from to into onto through throughout after before during since until while when where "
    "as like than near over under above below against about among between behind within without across along "
    "around toward towards upon via per and or but nor if because so who which not is are was were be been has "
    "have had do does did again also earlier first here last later next now once only then there today twice "
    "yesterday".split()
)
# What begins phrases that are no adjectives before a noun (not "full of people streets").
BEGIN_PREDICATES = frozenset("across between by for from full in like not of on out to up without".split())
# Adjectives that precede no noun.
PREDICATIVE = frozenset("afraid alike alive alone asleep awake aware".split())
# What follows a noun, but not an adjective before its noun.
AFTER_NOUNS = frozenset(". in on at by for with from to of who which that is was has had will can".split())
# Words of degree, which adverbs of one word follow.
DEGREES = frozenset("as how less more most so too very".split())
# Those after which no "too" or "very" goes, beside them.
DEGREES_TOO = DEGREES | frozenset("almost extremely just nearly quite rather".split())
# Adverbs after which a participle may go: "mainly derived from" is "mainly from", "newly derived from" is nothing.
BEFORE_PREPOSITIONS = frozenset("mainly mostly largely partly only directly exactly early chiefly primarily".split())
# Prepositions that may take the place of a participle and themselves.
PREPOSITIONS = frozenset("from with in of for to by against about".split())
# Past tenses that need an object and differ from their participles, and what follows a participle that has none.
NEED_OBJECTS = frozenset("chose did drew gave got knew saw showed threw took wore wrote".split())
WHEN_OR_WHERE = frozenset("earlier here later online there today yesterday".split())
AFTER_PARTICIPLES = WHEN_OR_WHERE | frozenset(
    ". , as at before after between by during for from in on prior since subsequent through to under until with within "
    "without".split()
)
# Words that begin a clause which is the object of a verb ("showed later that it was wrong").
BEGIN_CLAUSES = frozenset("how if than that what when where whether which who why".split())
# What a question begins with, or a clause that has its auxiliary before its subject ("nor has the council").
BEGIN_QUESTIONS = frozenset("how neither nor only so then what when where which who whom whose why".split())
# Words that no subject holds.
ENDS_SUBJECT = MODALS | frozenset(
    "and because but how if or since than that to what when where which while who whom whose why".split()
)
# Last words of participle phrases that cannot stand before a noun (not "brought in goods").
NEVER_BEFORE_OBJECTS = NEVER_BEFORE_NOUNS | PREPOSITIONS | frozenset("at on again cut kept left put".split())
# Indefinite articles, and what acts like one: no noun without a plural follows.
INDEFINITE = frozenset("a an another".split())
# Words after which "most" is no number.
BEFORE_SUPERLATIVES = frozenset("the its their his her our my your 's single".split())
# Words after which no "more" goes before a noun ("the more money"), and the words of number that may stand between.
NEVER_BEFORE_MORE = DETERMINERS - {"a", "an"} | frozenset(
    "this that these those all both such each every which whose following same 's".split()
)
NUMBER_WORDS = frozenset("few following many only other remaining several".split())
# Words after which "more" is no number before a noun.
BEFORE_COMPARATIVES = frozenset("a an the even much far still slightly no its their his her".split())
# What begins a measure ("by about half").
MEASURES = frozenset(f"about almost half more nearly over one {_NUMBERS}".split())
# What begins an amount ("less time").
QUANTITIES = frozenset(f"about fewer less little many more much several some time {_NUMBERS}".split())
# Verb forms of one thing or person.
SINGULAR = frozenset("was is has".split())
# Words that one thing follows, or what cannot be counted.
BEFORE_ONE = frozenset("a an another each every less little much one this".split())
# Plurals that do not end in -s.
PLURALS = frozenset("children clothes men people police women".split())
# What is many, and so no subject of these.
MANY = frozenset("they we you these those both many several".split())
