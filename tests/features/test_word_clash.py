"""Words that cannot stand where a rule writes them, case by case."""

from __future__ import annotations

import pytest

from sbmt.features.sentence.application import KEPT, Application
from tests.features.clashes import clash


@pytest.mark.parametrize(
    ("text", "target", "clashes"),
    [("will [ reopen ] the house", "open again", True), ("will [ reopen ] fresh funds", "open again", True),
     ("will [ reopen ] soon", "open again", False), ("will [ reopen ] in may", "open again", False),
     ("will [ reopen ] often", "open again", False), ("will [ reopen ] the house", "open", False),
     ("will [ open again ] the house", "start again", False)],  # as the source has it
)  # fmt: skip
def test_again_follows_the_object(text: str, target: str, clashes: bool) -> None:
    for label in ("VB", "VBP", "VBZ", "VBD", "VBG"):
        assert clash(text, label, target) is clashes


@pytest.mark.parametrize(
    ("text", "target", "clashes"),
    [("will also be [ keenly ] felt", "very", True), ("a [ keenly ] worrying result", "very", False),
     ("[ strikingly ] , it", "very", True), ("very [ keenly ] loud", "very", True),
     ("is [ keenly ] loud", "very", False), ("is [ keenly ] niche", "very", False),  # which the grammar lacks
     ("will be [ keenly ] felt", "strongly", False), ("works more [ efficiently ]", "well", True),
     ("works more [ efficiently ]", "quickly", False), ("works very [ efficiently ]", "well", False)],
)  # fmt: skip
def test_very_and_well_and_what_has_a_degree(text: str, target: str, clashes: bool) -> None:
    assert clash(text, "RB", target) is clashes


@pytest.mark.parametrize(
    ("text", "label", "target", "clashes"),
    [("they were not [ equipped with ] maps", "VBN", "with", True),
     ("they were not [ equipped with ] maps", "X", "having", True),
     ("men [ equipped with ] maps", "X", "having", False),
     ("they must be [ accompanied by ] a man", "X", "with", True),
     ("a man , [ accompanied by ] a dog", "X", "with", False),
     ("they were [ loaded with ] maps", "X", "full of", False),
     ("he is [ together with ] her", "X", "with", False),
     ("it [ was published in ] 1810 by john", "X", "came out in", True),
     ("it [ was published in ] 1810 .", "X", "came out in", False),
     ("it [ was published in ] 1810 by half", "X", "came out in", False),
     ("it [ was published in ] the old town , by john", "X", "came out in", False),  # too far away
     ("it [ was published in ] 1810 by john", "X", "was printed in", False),
     ("it [ turned up in ] 1810 by luck", "X", "came out in", False),
     ("by [ following the ] rules", "X", "after the", True), ("they are [ following the ] war", "X", "after the", True),
     ("blindly [ following the ] rules", "X", "after the", True),
     ("he left [ following the ] war", "X", "after the", False),
     ("by [ following the ] rules", "X", "keeping the", False)],
)  # fmt: skip
def test_passives_whose_agent_or_participle_is_lost(text: str, label: str, target: str, clashes: bool) -> None:
    assert clash(text, label, target) is clashes


@pytest.mark.parametrize(
    ("text", "label", "target", "clashes"),
    [("in 2011 , [ however , the ] plan", "X", "but the", True),
     ("in 2011 . [ however , the ] plan", "X", "but the", False),
     ("one , two , [ etc. ] , so", "X", "and so on", False),
     ("unlikely [ to be able to ] go", "X", "to", False),
     ("surprising , [ therefore , that ] he", "S", "so that", True),
     ("in 2011 , [ moreover , the ] plan", "S", "also , the", False),
     ("were newly [ derived from ] it", "X", "from", True), ("were mainly [ derived from ] it", "X", "from", False),
     ("specially [ equipped with ] arms", "VBN", "with", True), ("planes [ equipped with ] arms", "VBN", "with", False),
     ("can be [ derived from ] it", "VBN", "from", True), ("to be [ derived from ] it", "VBN", "from", False)],
)  # fmt: skip
def test_what_may_not_lose_a_comma_or_a_participle(text: str, label: str, target: str, clashes: bool) -> None:
    assert clash(text, label, target) is clashes


@pytest.mark.parametrize(
    ("text", "label", "target", "clashes"),
    [("so [ unbearable ] did it", "JJ", "too painful", True), ("a [ scant ] sum", "JJ", "too small", True),
     ("a [ harrowing ] house", "JJ", "very upsetting", False), ("is [ harrowing ]", "JJ", "very upsetting", False),
     ("almost [ exponentially ] .", "RB", "very quickly", True),
     ("it grew [ exponentially ] .", "RB", "very quickly", False),
     ("quite [ rarely ] so", "RB", "seldom", False)],
)  # fmt: skip
def test_no_second_word_of_degree(text: str, label: str, target: str, clashes: bool) -> None:
    assert clash(text, label, target) is clashes


@pytest.mark.parametrize(
    ("text", "label", "target", "clashes"),
    [("an [ exclusively ] male club", "RB", "only", True), ("[ an exclusively ] male club", "X", "an only", True),
     ("is [ exclusively ] male", "RB", "only", False), ("[ a mere ] ten", "X", "only", False)],
)  # fmt: skip
def test_no_only_after_an_article(text: str, label: str, target: str, clashes: bool) -> None:
    assert clash(text, label, target) is clashes


@pytest.mark.parametrize(
    ("text", "clashes"),
    [("the hikers [ managed to ] leave", True), ("the dogs [ managed to ] leave", True),
     ("the man [ managed to ] leave", False), ("the bus [ managed to ] leave", False),
     ("they [ managed to ] leave", True), ("and 27s [ managed to ] leave", False)],
)  # fmt: skip
def test_one_verb_form_of_be_for_one_subject(text: str, clashes: bool) -> None:
    """Plurals that the grammar does not know end as plurals do."""
    assert clash(text, "VBD", "was able to") is clashes
    assert not clash(text, "VBD", "were able to")
    assert clash(text, "VBN", "been able to")  # without a form of "have"


@pytest.mark.parametrize(
    ("text", "target", "clashes"),
    [("they [ submit ] it in may", "send in", True), ("they [ submit ] tools", "send in", False),
     ("they [ abandon ] them", "give up", True), ("they [ inhabit ] it", "live in", False),
     ("they [ determine ] it is poor", "find out", False), ("they [ hand in ] it", "give in", False),
     ("they [ scrutinize ] it", "look at", False), ("they [ discard ] it", "get rid of", False)],
)  # fmt: skip
def test_a_pronoun_parts_a_verb_and_its_particle(text: str, target: str, clashes: bool) -> None:
    assert clash(text, "VB", target) is clashes


@pytest.mark.parametrize(
    ("text", "clashes"),
    [("should the house [ fail to ] pass", True), ("may [ fail to ] pass", True), ("dogs [ fail to ] pass", False),
     ("if it may be so , dogs [ fail to ] pass", False), ("what [ do ] they pass", False)],
)  # fmt: skip
def test_no_do_not_for_a_base_form(text: str, clashes: bool) -> None:
    assert clash(text, "X", "do not") is clashes


@pytest.mark.parametrize(
    ("text", "is_plural"),
    [("the tools of the house [ managed to ] pass", True), ("the type of the tools [ managed to ] pass", False),
     ("children of the poor house [ managed to ] pass", True), ("tools for a house in it [ managed to ] pass", True),
     ("the dogs often [ managed to ] pass", True), ("dogs , who [ managed to ] pass", True),
     ("the type of dogs that [ managed to ] pass", True), ("a number of dogs [ managed to ] pass", True),
     ("in the house the dogs [ managed to ] pass", True), ("in the type of the dogs [ managed to ] pass", True)],
)  # fmt: skip
def test_the_verb_goes_with_the_noun_that_prepositions_follow(text: str, is_plural: bool) -> None:
    assert clash(text, "VBD", "was able to") is is_plural


@pytest.mark.parametrize(
    ("text", "target", "clashes"),
    [("should dogs [ exceed ] it", "are over", True), ("should [ dogs exceed ] it", "dogs are over", True),
     ("should [ dogs exceed ] it", "dogs be over", False), ("[ dogs exceed ] it", "dogs are over", False),
     ("should [ dogs exceed ] it", "dogs", False)],
)  # fmt: skip
def test_be_after_words_that_both_sides_begin_with(text: str, target: str, clashes: bool) -> None:
    assert clash(text, "X", target) is clashes


@pytest.mark.parametrize(
    ("text", "target", "clashes"),
    [("it does not [ pertain to ] us", "be about", True), ("they did not really [ constitute ] one", "be", True),
     ("it may not [ pertain to ] us", "be about", False), ("it does not [ pertain to ] us", "relate to", False)],
)  # fmt: skip
def test_no_be_after_do(text: str, target: str, clashes: bool) -> None:
    for label in ("VB", "X"):
        assert clash(text, label, target) is clashes


@pytest.mark.parametrize(
    ("text", "label", "target", "clashes"),
    [("all dogs [ resemble ] it", "VB", "be like", True), ("all dogs [ resemble ] it", "VBP", "are like", False),
     ("dogs often [ resemble ] it", "VB", "be like", True), ("it may [ resemble ] it", "VB", "be like", False),
     ("it may [ resemble ] it", "VBP", "are like", True), ("to always [ resemble ] it", "VBP", "am like", True),
     ("helps them [ resemble ] it", "VB", "be like", False), ("helps them [ resemble ] it", "VBP", "are like", True),
     ("can it [ resemble ] it", "VBP", "are like", True), ("what does it [ resemble ] .", "VBP", "are like", True),
     ("what does it [ resemble ] .", "VB", "be like", True),
     ("dogs grow and [ resemble ] it", "VBP", "are like", False),
     ("to grow and [ resemble ] it", "VB", "be like", False), ("[ resemble ] it", "VB", "be like", False),
     ("it ca n't [ resemble ] it", "VB", "be like", False), ("it ca n't [ resemble ] it", "VBP", "are like", True),
     ("they wo n't [ resemble ] it", "VBP", "are like", True), ("they 'll [ resemble ] it", "VBP", "are like", True),
     ("it will no longer [ resemble ] it", "VB", "be like", False),
     ("it will no longer [ resemble ] it", "VBP", "are like", True),
     ("they would in no way [ resemble ] it", "VBP", "are like", True),
     ("they copy rather than [ resemble ] them", "VBP", "are like", True),
     ("to help [ resemble ] them", "VBP", "are like", True), ("you 'd better [ resemble ] it", "VBP", "are like", True),
     ("i insist that it [ resemble ] it", "VBP", "are like", True), ("it [ resemble ] it", "VB", "be like", True),
     ("all they do will [ resemble ] it", "VB", "be like", False), ("i [ resemble ] it", "VBP", "am like", False),
     ("they can go , but all [ resemble ] it", "VBP", "are like", False),
     ("he [ resemble ] it", "VBP", "am like", True), ("the pages in the book [ resemble ] it", "VB", "be like", True),
     ("they [ are thought of ] so", "VBP", "are seen", False), ("all [ resemble ] it", "VB", "look like", False)],
)  # fmt: skip
def test_be_as_a_base_form_and_as_a_present_tense(text: str, label: str, target: str, clashes: bool) -> None:
    assert clash(text, label, target) is clashes


@pytest.mark.parametrize(
    ("text", "target", "clashes"),
    [("keep this [ correspondence ]", "letters", True), ("keep the [ correspondence ]", "letters", False),
     ("a large [ workforce ]", "workers", True), ("the large [ workforce ]", "workers", False),
     ("this [ workforce ]", "workers", True), ("the [ workforce ] 's pay", "workers", True),
     ("for a year [ correspondence ] stopped", "letters", True),  # a false alarm, which does no harm
     ("every town in [ correspondence ]", "letters", False), ("the [ garrison ] was small", "soldiers", True),
     ("the [ garrison ] also has food", "soldiers", True), ("the [ garrison ] had food", "soldiers", False),
     ("the [ garrison ] was small", "force of soldiers", False), ("the [ mob ] is here", "people", True),
     ("the use of the [ garrison ] was small", "soldiers", False),
     ("the use of [ garrison ] is new", "soldiers", False), ("the [ garrison ] permits us to", "soldiers", False),
     ("the [ garrison ] weighs ten", "soldiers", True), ("the [ garrison ] , which is small ,", "soldiers", True),
     ("the [ garrison ] that has food", "soldiers", True), ("the [ garrison ] , which had food ,", "soldiers", False),
     ("the [ garrison ] of the old fort was small", "soldiers", True),
     ("the [ garrison ] of the fort had food", "soldiers", False),
     ("the [ committee ] is here", "group", False), ("this [ class ] is here", "class", False)],
)  # fmt: skip
def test_many_for_one(text: str, target: str, clashes: bool) -> None:
    assert clash(text, "NN", target) is clashes


@pytest.mark.parametrize(
    ("text", "label", "target", "clashes"),
    [("the law [ requires ] the firm to pay", "VBZ", "needs", True),
     ("they [ required ] children to sing", "VBD", "needed", True),
     ("a law [ requiring ] shops to close", "VBG", "needing", True),
     ("it may [ require ] dogs to be fed", "VB", "need", True),
     ("the law [ requires ] the firm to pay", "VBZ", "tells", False), ("it [ requires ] help", "VBZ", "needs", False),
     ("it [ requires ] less time to dry", "VBZ", "needs", False), ("they [ required ] to go", "VBD", "needed", False),
     ("it [ requires ] access to the house", "VBZ", "needs", False),
     ("it [ requires ] help , not to", "VBZ", "needs", False), ("it [ demands ] dogs to go", "VBZ", "needs", False),
     ("it [ requires ] a long walk up the steep hill to see", "VBZ", "needs", False)],  # too far away
)  # fmt: skip
def test_what_is_ordered_is_not_needed(text: str, label: str, target: str, clashes: bool) -> None:
    assert clash(text, label, target) is clashes


@pytest.mark.parametrize(
    ("text", "target", "clashes"),
    [("the [ downward ] travel", "down", True), ("it went [ downward ]", "down", False),
     ("the [ slightly ] poor house", "a little", True), ("is [ slightly ] poor", "a little", False),
     ("a [ keenly ] felt love", "very strongly", False), ("a [ keenly ] felt love", "very hard", True),
     ("the [ slightly ] poor house", "somewhat", False)],
)  # fmt: skip
def test_adverbs_that_follow_no_article(text: str, target: str, clashes: bool) -> None:
    assert clash(text, "RB", target) is clashes


def test_a_name_in_s_is_no_plural() -> None:
    name = Application(-1, KEPT, "constraint", "NNP", (0, 1), ("jones",), 0)
    assert not clash("jones [ managed to ] leave", "VBD", "was able to", name)
    assert clash("jones [ managed to ] leave", "VBD", "was able to")


@pytest.mark.parametrize(
    ("text", "label", "target", "clashes"),
    [("the [ additional funds ] came", "X", "more funds", True),
     ("[ additional funds ] came", "X", "more funds", False),
     ("this [ further ] love", "NP", "more 0", True), ("fresh [ additional funds ]", "X", "more funds", True),
     ("the many [ additional funds ]", "X", "more funds", True),
     ("the [ many additional ] dogs", "X", "many more", True),
     ("which [ no further ] dogs", "X", "no more", False),
     ("[ many additional ] dogs", "X", "many more", False), ("a few [ additional dogs ]", "X", "more dogs", False),
     ("the [ extra funds ] came", "X", "more funds", False)],
)  # fmt: skip
def test_no_more_after_the(text: str, label: str, target: str, clashes: bool) -> None:
    assert clash(text, label, target) is clashes


@pytest.mark.parametrize(
    ("text", "label", "clashes"),
    [("grow [ a variety of ] produce .", "X", True), ("is [ numerous ] house", "JJ", True),
     ("[ a variety of ] house dogs", "X", False), ("[ a variety of ] dogs", "X", False),
     ("[ a variety of ] people", "X", False),
     ("[ a variety of ] house rods", "X", False), ("[ a variety of ] house and fresh funds", "X", False)],
)  # fmt: skip
def test_many_precedes_plurals(text: str, label: str, clashes: bool) -> None:
    assert clash(text, label, "many") is clashes


@pytest.mark.parametrize(
    ("text", "label", "clashes"),
    [("it [ diminished ] .", "VBD", True), ("it [ diminished ] steadily .", "VBD", True),
     ("it [ diminished ] after it", "VBD", True), ("it [ diminished ] demand", "VBD", False),
     ("it [ diminished ] further", "VBD", True), ("it has [ diminished ] .", "VBN", True),
     ("dogs [ diminished ] .", "VBN", True), ("it was [ diminished ] .", "VBN", False),
     ("dogs [ diminished ] by it", "VBN", False), ("[ diminished ] demand", "JJ", False),
     ("dogs [ diminished ] steadily .", "JJ", True)],
)  # fmt: skip
def test_what_is_reduced_follows(text: str, label: str, clashes: bool) -> None:
    assert clash(text, label, "reduced") is clashes


@pytest.mark.parametrize(
    ("text", "clashes"),
    [("the [ elderly ] .", True), ("the [ elderly ] in it", True), ("the [ elderly ] love it", True),
     ("the [ elderly ] dogs", False), ("the [ elderly ] house", False), ("[ elderly ] dogs", False)],
)  # fmt: skip
def test_older_after_the_precedes_a_noun(text: str, clashes: bool) -> None:
    assert clash(text, "JJ", "older") is clashes
    assert not clash(text, "JJ", "lively")


@pytest.mark.parametrize(
    ("text", "clashes"),
    [("wear [ appropriate ] shoes", True), ("[ appropriate ] shoes", True), ("an [ appropriate ] house", True),
     ("the [ appropriate ] house", False), ("your [ appropriate ] house", False), ("it is [ appropriate ] .", False),
     ("it is [ appropriate ] for you", False)],
)  # fmt: skip
def test_right_before_a_noun_follows_the(text: str, clashes: bool) -> None:
    assert clash(text, "JJ", "right") is clashes
    assert not clash(text, "JJ", "proper")


@pytest.mark.parametrize(
    ("text", "target", "clashes"),
    [("the [ ulm 's population ] grew", "the population of ulm", True),
     ("poor [ ulm 's population ] grew", "the population of ulm", True),
     ("eastern [ ulm 's population ] grew", "the population of ulm", True),
     ("the old [ ulm 's population ] grew", "the population of ulm", True),
     ("they knew [ ulm 's population ] ,", "the population of ulm", False),
     ("in [ ulm 's population ] ,", "the population of ulm", False),
     ("[ ulm 's population ] grew", "the population of ulm", False),
     ("the [ ulm 's population ] grew", "people of ulm", False),
     ("poor [ the majority of ] them", "the most of", False)],  # as the source has it
)  # fmt: skip
def test_no_second_article(text: str, target: str, clashes: bool) -> None:
    assert clash(text, "NP", target) is clashes


@pytest.mark.parametrize(
    ("text", "target", "clashes"),
    [("there was [ a multitude of ] tools", "many", True), ("was there [ a multitude of ] tools ?", "many", True),
     ("there has been [ a multitude of ] tools", "many", True), ("there were [ a multitude of ] tools", "many", False),
     ("[ a number of ] tools was sold", "several", True), ("[ a number of ] tools were sold", "several", False),
     ("[ the majority of ] tools is old", "most", True), ("[ the majority of ] it is old", "most", False),
     ("there was [ a lack of ] tools", "few", False), ("[ a lack of ] tools is here", "a few", True),
     ("[ a lack of ] tools are here", "a few", False), ("[ a number of ] tools is", "enough", True),
     ("there was [ a total of ] 40 tools", "40", True),
     ("it was [ a number of ] tools", "several", False), ("there was [ many ] tools", "several", False)],
)  # fmt: skip
def test_many_do_not_take_a_verb_for_one(text: str, target: str, clashes: bool) -> None:
    assert clash(text, "X", target) is clashes


@pytest.mark.parametrize(
    ("text", "label", "target", "clashes"),
    [("the [ dwelling in ] a valley", "X", "living in", True), ("a poor [ dwelling in ] it", "X", "living in", True),
     ("dogs poor [ dwelling in ] it", "X", "living in", False), ("a [ dwelling ] at the end", "VBG", "living", True),
     ("[ dwelling in ] a valley", "X", "living in", False), ("dogs [ dwelling in ] it", "X", "living in", False),
     ("the [ dwelling of ] dogs", "X", "living of", False), ("the [ dwelling in ] it", "X", "home in", False)],
)  # fmt: skip
def test_ing_forms_after_an_article_are_nouns(text: str, label: str, target: str, clashes: bool) -> None:
    assert clash(text, label, target) is clashes


@pytest.mark.parametrize(
    ("text", "target", "clashes"),
    [("on [ expiry ] of it", "end", True), ("prior to [ commencement ] of it", "start", True),
     ("after [ cessation of hostilities ] .", "end of the fighting", True), ("of it , [ expiry ] of it", "end", True),
     ("[ expiry ] of it is near .", "end", True), ("[ expiry ] of it", "end", False),
     ("on the [ expiry ] of it", "end", False), ("on sudden [ expiry ] of it", "end", False),
     ("on [ illumination ] of it", "light", False)],
)  # fmt: skip
def test_nouns_that_need_an_article(text: str, target: str, clashes: bool) -> None:
    assert clash(text, "NN", target) is clashes


@pytest.mark.parametrize(
    ("text", "target", "clashes"),
    [("it [ endangers ] dogs", "puts in danger", True), ("it [ endangers ] the dogs", "puts in danger", True),
     ("it [ endangers ] and hurts", "puts in danger", False), ("it [ endangers ] dogs", "is a danger to", False)],
)  # fmt: skip
def test_in_danger_follows_the_object(text: str, target: str, clashes: bool) -> None:
    assert clash(text, "VBZ", target) is clashes


@pytest.mark.parametrize(
    ("text", "target", "clashes"),
    [("[ the tenant shall ] pay and shall leave", "the tenant must", True),
     ("[ the tenant shall ] pay", "the tenant must", False),
     ("[ shall henceforth ] pay and shall leave", "shall from now on", False)],
)  # fmt: skip
def test_shall_stays_alike_in_a_sentence(text: str, target: str, clashes: bool) -> None:
    assert clash(text, "X", target) is clashes
