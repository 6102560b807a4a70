"""Parts of speech that cannot stand where they do, case by case."""

from __future__ import annotations

import pytest

from sbmt.features.sentence.application import KEPT, PASSED, Application
from sbmt.features.sentence.label_clash import LabelClash
from tests.features.clashes import clash


@pytest.mark.parametrize(
    ("before", "label", "target", "clashes"),
    [("a", "VB", "allow", True), ("to", "VB", "allow", False), ("they", "NN", "licence", True),
     ("was", "VBD", "let", True), ("was", "VBN", "let", False), ("he", "VBD", "let", False),
     ("the", "NN", "licence", False), ("a", "VB", "permit", False), ("a", "X", "allow", False),
     ("his", "VBZ", "allows", True), ("these", "VBZ", "allows", True), ("these", "VB", "allow", False),
     ("of", "VBD", "let", True), ("to", "VBD", "let", True)],
)  # fmt: skip
def test_labels_that_clash_with_the_word_before(before: str, label: str, target: str, clashes: bool) -> None:
    sentence = [before, "permit", "it"]
    other = Application(-1, PASSED, "pt", "X", (0, 1), (before,), 0)
    applications = [other, Application(0, 1, "pt", label, (1, 2), (target,), 0), other]
    assert list(LabelClash().values(sentence, applications)) == ([(1, "LabelClash", 1.0)] if clashes else [])


@pytest.mark.parametrize(
    ("text", "clashes"),
    [("the track [ provided ] more", True), ("newman [ provided ] 250,000", True),
     ("cave often [ provided ] the", True), ("he [ provided ] help", True), ("it was [ provided ] the", False),
     ("they have generously [ provided ] some", False), ("the help [ provided ] by", False),
     ("the help [ provided ]", False), ("the firm [ provided ] hundreds", True), ("the firm [ provided ] water", True),
     ("the help [ provided ] also", False), ("the help [ provided ] weekly", False), ("he [ provided ] nothing", True),
     ("he [ provided ] £ 5", True), ("the firm [ provided ] up to 400", True),
     ("the firm [ provided ] in excess of £ 5", True), ("the help [ provided ] nearly 10 years ago", False),
     ("the help [ provided ] up to now", False), ("he [ provided ] over £ 5", True),
     ("the help [ provided ] over 5 days", False), ("the help was [ provided ] at least 10 times", False)]
)  # fmt: skip
def test_participles_that_clash_with_an_object(text: str, clashes: bool) -> None:
    """A past tense may have the object; what is there as a participle would be "given", not "gave"."""
    assert clash(text, "VBN", "given") is clashes


@pytest.mark.parametrize("adverb", ["nevertheless", "hereby", "generously", ""])
def test_no_past_tense_follows_a_form_of_be_and_an_adverb(adverb: str) -> None:
    assert clash(f"it was {adverb} [ provided ] .", "VBD", "gave")
    assert not clash(f"it {adverb} [ provided ] the", "VBD", "gave")


def test_no_past_tense_follows_what_the_subject_is() -> None:
    assert clash("it was usually poor [ provided ] the house is poor", "VBD", "gave")
    assert not clash("the poor [ provided ] the house", "VBD", "gave")


def test_what_follows_a_preposition_is_no_object_of_the_participle() -> None:
    assert not clash("the help [ provided by ] the firm", "VBN", "given by")


@pytest.mark.parametrize(
    ("text", "clashes"),
    [("the dogs [ provided funds ] .", True), ("they had [ provided the funds ] .", False),
     ("the funds [ provided out ] .", False), ("the funds were [ provided dogs ] .", False),
     ("[ provided dogs ] .", False), ("the house [ provided dogs ] .", True)],
)  # fmt: skip
def test_a_rule_may_have_the_object_in_itself(text: str, clashes: bool) -> None:
    assert clash(text, "VBN", "given money") is clashes
    assert not clash(text, "VBN", "offered money")  # which is a past tense, too


@pytest.mark.parametrize(
    ("before", "clashes"), [("was", True), ("was then", True), ("had", False), ("she 's", False), ("rates", True)]
)
def test_participles_that_have_no_passive(before: str, clashes: bool) -> None:
    assert clash(f"{before} [ increased to ]", "VBN", "gone up to") is clashes


@pytest.mark.parametrize(
    ("text", "label", "target", "clashes"),
    [("xavier [ funds ] a firm", "NNS", "money", True), ("xavier spends [ funds ] on a firm", "NNS", "money", False),
     ("it [ attributes ] the result", "NNS", "features", True),
     ("the failure to [ defeat ] evil", "NN", "loss", True), ("led to the [ defeat ] of", "NN", "loss", False),
     ("led to [ funds ] for all", "NNS", "money", False),  # no base form
     ("to [ produce ] it", "NN", "increase", False),  # which is a verb, too
     ("a televised [ attempt ] by him", "VB", "try", True), ("those televised [ attempt ] it", "VBP", "try", False),
     ("buying organic [ produce ]", "VB", "make", True), ("the poor [ produce ] food", "VBP", "make", False),
     ("young [ produce ] noise", "VBP", "make", False),  # may be a noun
     ("she expressed [ funds ]", "VBZ", "pays", True), ("she then [ funds ] it", "VBZ", "pays", False),
     ("the fairest [ result in ] years", "VB", "cause", True), ("to be on [ call ] at night", "VB", "ask", True),
     ("the [ novel ] repressor", "NN", "book", False),  # may be a name
     ("the [ novel ] repressors", "NN", "book", True), ("the [ novel ] was new", "NN", "book", False),
     ("the [ novel ] house", "NN", "book", True), ("the [ novel ] is long", "NN", "book", False),
     ("the [ travel ] house", "NN", "trip", False),  # which is no adjective
     ("this house [ shows ] it", "NNS", "fairs", True), ("this house 's [ shows ]", "NNS", "fairs", False),
     ("met a [ minor ] in the town", "JJ", "small", True), ("a [ minor ] house", "JJ", "small", False),
     ("the [ minor ] of the two", "JJ", "small", False), ("a [ loud ] in the town", "JJ", "big", False),
     ("his [ loud ] was found", "JJ", "big", True), ("the [ loud ] also has it", "JJ", "big", True),
     ("the [ loud ] have it", "JJ", "big", False), ("what is [ loud ] is found", "JJ", "big", False),
     ("[ an unhealthy ] was found", "X", "a bad", True), ("[ an unhealthy ] dogs was", "X", "a bad", False),
     ("[ a minor ] was found", "X", "a child", False),
     ("stood at the [ till ] ,", "IN", "until", True), ("stood there [ till ] dawn", "IN", "until", False)],
)  # fmt: skip
def test_nouns_that_are_verbs_where_they_stand_and_verbs_that_are_nouns(
    text: str, label: str, target: str, clashes: bool
) -> None:
    assert clash(text, label, target) is clashes


@pytest.mark.parametrize(
    ("text", "label", "clashes"),
    [("keep your young [ permit ] .", "VB", True), ("keep a novel poor [ permit ] handy", "VBP", True),
     ("the keeping [ permit ] is here", "VB", True), ("the young [ permit ] .", "VBP", True),
     ("the young [ permit ] it", "VBP", False), ("young [ permit ] it", "VBP", False),
     ("your dogs [ permit ] it", "VBP", False), ("your young children [ permit ] it", "VBP", False),
     ("your young house [ permits ] it", "VBZ", False), ("your young [ permits ] it", "VBZ", False),
     ("your young [ allow ] it", "VBP", True), ("the young [ allow ] .", "VBP", False)],  # which is no noun
)  # fmt: skip
def test_verbs_after_words_that_may_be_adjectives(text: str, label: str, clashes: bool) -> None:
    assert clash(text, label, "let") is clashes


def test_a_verb_that_is_a_noun_too_may_stand_for_either() -> None:
    assert not clash("a young [ permit ] .", "VB", "change")


@pytest.mark.parametrize(
    ("text", "label", "target", "clashes"),
    [("password [ reuse ] can be harmful", "VB", "use again", True),
     ("we must [ reuse ] can and box", "VB", "use again", False),
     ("what systems [ share ] is a name", "VBP", "have", False), ("what they [ share ] is", "VBP", "have", False),
     ("those that [ share ] are", "VBP", "have", False), ("a crowd [ set fire to ] a house", "VBP", "burn", True),
     ("it was [ shut down ]", "VB", "close", True), ("they will [ shut down ]", "VB", "close", False),
     ("they quickly [ shut down ]", "VBP", "close", False), ("he [ shut down ] the house", "VBP", "close", True),
     ("helped [ set up ] a house", "VB", "start", False), ("a crowd [ burn down ] a house", "VBP", "destroy", False)],
)  # fmt: skip
def test_base_forms_that_are_nouns_or_past_tenses(text: str, label: str, target: str, clashes: bool) -> None:
    assert clash(text, label, target) is clashes


@pytest.mark.parametrize(
    ("text", "label", "target", "clashes"),
    [("helped [ unaccompanied ] children", "JJ", "alone", True),
     ("they were [ unaccompanied ] .", "JJ", "alone", False),
     ("an [ adequate ] house", "JJ", "enough", True), ("[ adequate ] funds", "JJ", "enough", False),
     ("[ imported ] goods", "VBN", "brought in", True), ("the [ imported ] goods", "VBN", "brought in", True),
     ("caused by [ reduced ] demand", "VBN", "cut", True), ("goods were [ imported ]", "VBN", "brought in", False),
     ("a flag on it [ placed ] there", "VBN", "put", False)],
)  # fmt: skip
def test_what_precedes_no_noun(text: str, label: str, target: str, clashes: bool) -> None:
    assert clash(text, label, target) is clashes


@pytest.mark.parametrize(
    ("text", "label", "target", "clashes"),
    [("you 've just [ spotted ] it", "VBD", "saw", True), ("you just [ spotted ] it", "VBD", "saw", False),
     ("it was finally [ seized ]", "VBD", "took", True),
     ("benefits [ received ] by soldiers", "VBD", "got", True), ("prices [ climbed ] by a lot", "VBD", "rose", False),
     ("he [ commenced ] by saying", "VBD", "began", False), ("he [ sold ] by 1990", "VBD", "gave", False),
     ("interest in keeping [ established ] customs", "VBD", "set up", True),
     ("the painting [ displayed ] a dog", "VBD", "showed", False),
     ("[ established ] customs differ", "VBD", "set up", True),
     ("[ established ] customs differ", "VBN", "set up", True),
     ("[ kept ] customs differ", "VBN", "set aside", True), ("[ joined ] in 1990", "VBD", "took part", False),
     ("in using [ donated ] cells", "VBD", "gave", True),
     ("systems [ conducted ] since 1940", "VBD", "did", True), ("systems [ conducted ] it", "VBD", "did", False),
     ("those he [ conducted ] since 1940", "VBD", "did", False), ("systems [ conducted ] since", "VBD", "led", False),
     ("closed and [ removed ] , in 1940", "VBD", "took away", True),
     ("the systems [ removed ] in 1940", "VBD", "took away", True),
     ("the systems [ removed ] in excess of 1940 cells", "VBD", "took away", False),
     ("the house [ joined ] in", "VBD", "took part", False),
     ("the house [ conducted and ] led it", "VBD", "did and", False), ("systems [ gave to ] it", "VBD", "gave", False),
     ("it can cause [ decreased ] weight", "VBD", "dropped", True), ("on [ disputed ] plans", "VBD", "argued", True),
     ("those they love [ donated ] it", "VBD", "gave", False), ("they further [ donated ] cells", "VBD", "gave", False),
     ("all sharing [ occurred ] in 1990", "VBD", "happened", False),
     ("all spending [ exceeded ] a sum", "VBD", "was more than", False),
     ("its first [ mechanised ] unit", "VBD", "used machines for", True),
     ("[ granted ] a choice , he left", "VBN", "given", False), ("[ established ] in 1990 ,", "VBN", "set up", False)],
)  # fmt: skip
def test_past_tenses_where_participles_stand(text: str, label: str, target: str, clashes: bool) -> None:
    assert clash(text, label, target) is clashes


@pytest.mark.parametrize(
    ("text", "target", "clashes"),
    [("a [ salary ] for him", "pay", True), ("an entry-level [ salary ] is", "pay", True),
     ("the [ salary ] is", "pay", False), ("a man of [ salary ]", "pay", False),
     ("a [ threat ] to it", "danger", False)],
)  # fmt: skip
def test_no_article_before_uncountable_nouns(text: str, target: str, clashes: bool) -> None:
    assert clash(text, "NN", target) is clashes


@pytest.mark.parametrize(
    ("text", "label", "target", "clashes"),
    [("and [ increasing ] his weight", "JJ", "growing", True), ("an [ increasing ] weight", "JJ", "growing", False),
     ("[ emerging ] from the house", "JJ", "new", True),
     ("when [ skyrocketing ] demand fell", "VBG", "rising quickly", True),
     ("when [ worrying ] demand fell", "VBG", "getting worse", True),
     ("when demand was [ skyrocketing ] .", "VBG", "rising quickly", False),
     ("[ creating ] systems", "VBG", "setting up", False),  # which has an object
     ("the [ circulating ] demand", "VBG", "going around", True),
     ("the [ growing ] demand", "VBG", "fast rising", False),
     ("[ transatlantic ] travel", "JJ", "across the atlantic", True), ("[ immense ] demand", "JJ", "very big", False),
     ("it is [ transatlantic ] in kind", "JJ", "across the atlantic", False),
     ("so [ obviously ] loud", "RB", "of course", True), ("so [ obviously ] loud", "RB", "clearly", False)],
)  # fmt: skip
def test_adjectives_that_are_verbs_and_phrases_before_nouns(text: str, label: str, target: str, clashes: bool) -> None:
    assert clash(text, label, target) is clashes


@pytest.mark.parametrize(
    ("text", "label", "target", "clashes"),
    [("two [ stained ] systems", "VBN", "marked", False), ("the [ stained ] systems", "VBN", "marked", True),
     ("several [ stained ] systems", "VBN", "marked", True), ("loud and [ kept ] dogs", "VBN", "left", True),
     ("loud and [ kept ] dogs", "VBD", "left", True), ("fresh [ stained ] dogs", "VBD", "marked", True),
     ("dogs and [ kept ] systems", "VBD", "left", False), ("the poor [ kept ] dogs", "VBD", "left", False),
     ("the poor [ kept ] dogs", "VBN", "left", True), ("the [ stained ] often", "VBN", "marked", False),
     ("the dogs [ stained by ] systems", "VBN", "marked by", False), ("of [ stained ] dogs", "VBN", "marked", True),
     ("[ stained ] dogs are here", "VBN", "marked", True), ("[ stained ] dogs", "VBD", "marked", True),
     ("a [ stained ] , darkish system", "VBN", "marked off", True),
     ("a [ stained ] , darkish system", "VBN", "marked", False),
     ("the system , [ stained ] , is loud", "VBN", "marked off", False),
     ("a [ staining ] system", "VBG", "marking off", True),
     ("by [ staining ] the system", "VBG", "marking off", False)],
)  # fmt: skip
def test_participles_before_their_nouns_are_kept(text: str, label: str, target: str, clashes: bool) -> None:
    """They are adjectives there, and often terms; a past tense may have the noun as its object."""
    assert clash(text, label, target) is clashes


@pytest.mark.parametrize(
    ("text", "clashes"),
    [("it harms what that the dogs [ passed on ] .", True), ("systems which the dogs [ passed on ] , often", True),
     ("the systems [ passed on ] .", False), ("systems that the dogs [ passed on ] to it", False),
     ("a system and the dogs [ passed on ] .", False)],
)  # fmt: skip
def test_a_relative_clause_ends_in_no_participle(text: str, clashes: bool) -> None:
    assert clash(text, "VBN", "given") is clashes


@pytest.mark.parametrize(
    ("text", "target", "clashes"),
    [("a [ leisure ] pass", "free time", True), ("a [ leisure ] pass", "rest", False),
     ("a [ leisure ] shows", "free time", False),  # may be a verb
     ("the [ leisure ] often", "free time", False), ("a [ leisure pass ] house", "free time pass", False)],
)  # fmt: skip
def test_no_phrase_precedes_a_noun(text: str, target: str, clashes: bool) -> None:
    assert clash(text, "NN", target) is clashes


@pytest.mark.parametrize(
    ("text", "label", "target", "clashes"),
    [("it may [ lapse ]", "NN", "mistake", True), ("it might [ lapses ]", "NNS", "mistakes", True),
     ("it may not [ lapse ]", "NN", "mistake", True), ("it can never legally [ lapse ]", "NN", "mistake", True),
     ("we do not [ distrust ] you", "NN", "suspicion", True), ("they did also [ deliberate ]", "JJ", "planned", True),
     ("do [ residents ] know", "NNS", "people", False), ("it is not [ deliberate ]", "JJ", "planned", False),
     ("did the [ residents ] know", "NNS", "people", False), ("they want to [ delegate ]", "NN", "agent", True),
     ("they want to [ delegate ]", "VB", "give", False), ("access to [ deliberate ] harm", "JJ", "planned", False),
     ("do not [ misuse ] the tools", "NN", "wrong use", True), ("[ catalogue ] the tools", "NN", "list", False)],
)  # fmt: skip
def test_no_noun_and_no_adjective_for_a_base_form(text: str, label: str, target: str, clashes: bool) -> None:
    assert clash(text, label, target) is clashes


@pytest.mark.parametrize(
    ("text", "clashes"),
    [("a house it [ regarded as ] its own", True), ("things that it [ regarded as ] its own", True),
     ("had it [ regarded as ] its own", False),
     ("it [ regarded as ] its own a house", True),
     ("and it often [ regarded as ] its own houses", True), ("they clearly [ regarded as ] theirs houses", True),
     ("kept it often [ regarded as ] his", False), ("those often [ regarded as ] his", False),
     ("a house , which the owner [ regarded as ] his", True),
     ("the man whom his wife [ regarded as ] rich", True),
     ("a book in which the owner [ regarded as ] rich is named", False),
     ("the owner [ regarded as ] rich", False)],
)  # fmt: skip
def test_the_verb_of_a_relative_clause_is_no_participle(text: str, clashes: bool) -> None:
    assert clash(text, "VBN", "seen as") is clashes


def test_the_plural_of_a_noun_is_no_verb_before_a_modal() -> None:
    assert clash("parking [ permits ] must be shown", "VBZ", "allows")
    assert not clash("what he [ permits ] must be good", "VBZ", "allows")
    assert not clash("the house [ permits ] dogs", "VBZ", "allows")


def test_what_those_got_from_elsewhere_is_a_participle() -> None:
    assert clash("those [ obtained ] without it", "VBD", "got")
    assert not clash("those [ obtained ] it", "VBD", "got")


def test_an_adjective_changes_with_more_if_both_have_a_form_together() -> None:
    together = Application(0, 3, "pt", "JJR", (1, 3), ("worse",), 0)
    assert clash("no more [ harmful ] than", "JJ", "bad", together)
    assert not clash("no more [ harmful ] than", "JJ", "damaging", together)
    assert not clash("no more [ harmful ] than", "JJ", "wicked", together)
    assert not clash("no more [ harmful ] than", "JJ", "bad")
    assert not clash("no very [ harmful ] thing", "JJ", "bad")


@pytest.mark.parametrize(
    ("text", "label", "clashes"),
    [("smoke [ more ] cigarettes", "JJR", False), ("a [ more harmful ] travel", "JJR", False),
     ("it is [ more harmful ] than", "JJR", False),
     ("smoke [ more harmful ] cigarettes", "JJR", True), ("more and [ more harmful ]", "JJR", True),
     ("the [ most harmful ] cigarettes", "JJS", False), ("[ most harmful ] cigarettes", "JJS", True),
     ("a [ most harmful ] travel", "JJS", True), ("smoke [ feebler ] cigarettes", "JJR", False)],
)  # fmt: skip
def test_more_and_most_may_tell_a_number(text: str, label: str, clashes: bool) -> None:
    assert clash(text, label, "worse") is clashes


def test_a_rule_that_deletes_has_nothing_to_clash_but_its_place() -> None:
    for label in ("NN", "JJ", "JJR", "RB", "VBD", "VBN", "VBG", "X", "S"):
        assert not clash("the loud [ produce ] cigarettes", label, "")
    assert clash("the [ produce ] cigarettes", "VB", "")


@pytest.mark.parametrize(
    ("sentence", "label", "target", "word", "clashes"),
    [
        ("the family/NN provided help", "VBD", ("gave",), "provided", False),  # no adverb after "the"
        ("the kindly provided help", "VBD", ("gave",), "provided", True),
        ("an early/JJ/RB permit", "VB", ("allow",), "permit", True),
        ("it grew early/RB permit", "VB", ("allow",), "permit", False),
        ("they continued to be", "X", ("was", "still"), "continued to be", True),
        ("investors/NNS continued to be", "X", ("was", "still"), "continued to be", True),
        ("he continued to be", "X", ("was", "still"), "continued to be", False),
        ("they said it was big", "X", ("was", "large"), "was big", False),
    ],
)
def test_what_the_word_before_can_be(
    sentence: str, label: str, target: tuple[str, ...], word: str, clashes: bool
) -> None:
    """`word/LABEL`: the grammar has a rule of that label for the word."""
    words, applications = [], []
    for i, marked in enumerate(sentence.split()):
        plain, *labels = marked.split("/")
        words.append(plain)
        applications += [Application(0, 9, "pt", known, (i, i + 1), (plain,), 0) for known in labels]
    start = words.index(word.split()[0])
    applications.insert(0, Application(0, 1, "pt", label, (start, start + len(word.split())), target, 0))
    assert list(LabelClash().values(words, applications)) == ([(0, "LabelClash", 1.0)] if clashes else [])


@pytest.mark.parametrize(
    ("text", "label", "clashes"),
    [("a visitor 's [ permit ] costs", "VB", True), ("let 's [ permit ] it", "VB", False),
     ("the visitors ' [ permits ] cost", "VBZ", True), ("the ` visitors ' [ permit ] it", "VBP", False),
     ("the ` old ' [ permit ] it", "VBP", False), ("the old ' [ permit ] it", "VBP", False),
     ("each [ permit ] costs", "VB", True),
     ("they each [ permit ] it", "VBP", False), ("the tools each [ permit ] it", "VBP", False),
     ("your last [ permit ] ran out", "VB", True), ("what they last [ permit ] is", "VBP", True),
     ("they last [ permit ] it", "VBP", False)],
)  # fmt: skip
def test_a_noun_follows_a_possessive_and_words_of_order(text: str, label: str, clashes: bool) -> None:
    assert clash(text, label, "allow") is clashes


@pytest.mark.parametrize(
    ("text", "clashes"),
    [("[ permit ] number : 3", True), ("[ permit ] : 3", True), ("[ permit ] required", True),
     ("[ permit ] required by law", True), ("[ permit ] used tools", False), ("[ permit ] it", False),
     ("which [ permit ] do i need ?", True), ("what [ permit ] is due ?", True), ("which [ permit ] it", False),
     ("passes which [ permit ] do", False), ("[ utilize ] tools : they help", False),
     ("[ permit use ] : it helps", False)],
)  # fmt: skip
def test_headings_and_questions_begin_with_nouns(text: str, clashes: bool) -> None:
    assert clash(text, "VB", "allow") is clashes


@pytest.mark.parametrize(
    ("text", "clashes"),
    [("ten [ permits ] cost", True), ("the four [ permits ] cost", True), ("section four [ permits ] it", False),
     ("it [ permits ] it", False), ("one [ permits ] it", False), ("ten [ require ] it", False)],
)  # fmt: skip
def test_a_noun_follows_a_number(text: str, clashes: bool) -> None:
    assert clash(text, "VBZ", "allows") is clashes


@pytest.mark.parametrize(
    ("text", "clashes"),
    [("surveys [ showed ] today .", True), ("surveys [ showed ] since 1940", True),
     ("surveys [ showed ] later that it was", False), ("surveys [ showed ] today how it works", False),
     ("surveys [ showed ] there the funds", False)],
)  # fmt: skip
def test_a_clause_or_an_object_may_follow_an_adverb_of_time(text: str, clashes: bool) -> None:
    surveys = Application(0, 2, "pt", "NNS", (0, 1), ("surveys",), 0)
    assert clash(text, "VBD", "chose", surveys) is clashes


@pytest.mark.parametrize(
    ("text", "label", "target", "clashes"),
    [("then [ convincing ] ann that", "JJ", "believable", True), ("a [ convincing ] ann won", "JJ", "strong", False),
     ("by [ little-known ] ann smith", "JJ", "not famous", True), ("by [ little-known ] ann", "JJ", "new", False)],
)  # fmt: skip
def test_names_are_nouns(text: str, label: str, target: str, clashes: bool) -> None:
    place = text.split().index("ann") - 2  # without the brackets
    name = Application(-1, KEPT, "constraint", "NNP", (place, place + 1), ("ann",), 0)
    assert clash(text, label, target, name) is clashes
    assert not clash(text, label, target)


@pytest.mark.parametrize(
    ("text", "clashes"),
    [("the old house [ permit ] with", True), ("a dwelling [ permit ] weighs", True), ("a house [ permit ] .", True),
     ("the house [ permit ] it", False), ("the dogs of ann [ permit ] .", False), ("the dogs [ permit ] .", False),
     ("let the house [ permit ] .", False), ("did the old house [ permit ] .", False)]
)  # fmt: skip
def test_a_noun_after_another_and_before_no_object_is_no_verb(text: str, clashes: bool) -> None:
    assert clash(text, "VBP", "allow") is clashes


@pytest.mark.parametrize(
    ("text", "clashes"),
    [("this has [ angered ] residents", True), ("they had never [ angered ] anyone", True),
     ("it was [ angered ] by", False), ("residents [ angered ] by", False), ("it has been [ angered ] by", False)]
)  # fmt: skip
def test_what_is_made_so_stands_after_no_form_of_have(text: str, clashes: bool) -> None:
    assert clash(text, "VBN", "made angry") is clashes


def test_an_adjective_between_subject_and_object_is_a_verb() -> None:
    """In "has outraged fans" and "the firm outraged fans", *outraged* is not *very angry*."""
    for text, clashes in (
        ("it has outraged fans", True),
        ("but he outraged fans", True),
        ("the firm outraged fans", True),
        ("of the outraged fans", False),
        ("it is outraged .", False),
    ):
        words = text.split()
        nouns = [
            Application(0, 3, "pt", "NN", (i, i + 1), ("x",), 0)
            for i, word in enumerate(words)
            if word in ("firm", "fans")
        ]
        place = words.index("outraged")
        adjective = Application(0, 1, "pt", "JJ", (place, place + 1), ("very", "angry"), 0)
        past = Application(0, 2, "pt", "VBD", (place, place + 1), ("angered",), 0)
        values = list(LabelClash().values(words, [adjective, past, *nouns]))
        assert ((0, "LabelClash", 1.0) in values) is clashes, text
