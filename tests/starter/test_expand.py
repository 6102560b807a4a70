"""Inflection, articles and alignment against cases worked by hand."""

from __future__ import annotations

import pytest
from starter.expand import adverbial_rules, modifier_rules, plain_rules
from starter.inflected import inflected_rules
from starter.lists import parse_entry
from starter.rules import align

from sbmt.errors import FormatError
from sbmt.text.words.inflection import TAGS

Pairs = set[tuple[str, str, str]]


def expand(text: str, pos: str, tags: tuple[str, ...] = ()) -> Pairs:
    """The rules of one entry as (label, source, target)."""
    rules = inflected_rules(parse_entry("list", 1, text), pos, tags or TAGS[pos])
    return {(rule.lhs, " ".join(rule.source), " ".join(rule.target)) for rule in rules}


def test_a_verb_agrees_in_every_form() -> None:
    assert expand("commence = begin", "VERB") == {
        ("VB", "commence", "begin"),
        ("VBP", "commence", "begin"),
        ("VBZ", "commences", "begins"),
        ("VBD", "commenced", "began"),
        ("VBN", "commenced", "begun"),
        ("VBG", "commencing", "beginning"),
    }


def test_the_first_word_of_a_verb_phrase_inflects_unless_another_is_marked() -> None:
    rules = expand("carry out = do", "VERB") | expand("undergo = never be* without", "VERB")
    assert ("VBD", "carried out", "did") in rules
    assert ("VBZ", "undergoes", "never is without") in rules
    assert {("VBD", "occupied", "took up"), ("VBN", "occupied", "taken up")} <= expand("occupy = take up", "VERB")


def test_a_pronoun_stands_before_the_particle_of_the_verb_that_it_is_the_object_of() -> None:
    rules = expand("establish = set up", "VERB")
    assert {("VBD", "established it", "set it up"), ("VBG", "establishing them", "setting them up")} <= rules
    assert ("VBZ", "reopens it", "opens it again") in expand("reopen = open again", "VERB")
    assert ("VBD", "submitted it", "sent it in") in expand("submit = send in", "VERB")
    assert not any("it" in source.split() for _, source, _ in expand("inhabit = live in", "VERB"))
    assert not any("it" in source.split() for _, source, _ in expand("follow = look after, get over", "VERB"))
    assert not any("it" in source.split() for _, source, _ in expand("determine = find out", "VERB"))


def test_both_persons_of_be_are_offered_for_another_verb() -> None:
    assert {target for tag, _, target in expand("consist of = be made of", "VERB") if tag == "VBD"} == {
        "was made of",
        "were made of",
    }


def test_persons_of_be_are_paired_when_both_sides_have_it() -> None:
    rules = expand("be situated in = be in", "VERB")
    past = {pair for pair in rules if pair[0] == "VBD"}
    assert past == {("VBD", "was situated in", "was in"), ("VBD", "were situated in", "were in")}
    assert ("VBZ", "is situated in", "is in") in rules


@pytest.mark.parametrize(
    ("entry", "contracted"),
    [
        ("is located in = is in", ("'s located in", "'s in")),
        ("is able to = can", ("'s able to", "can")),
        ("are literate = can read", ("'re literate", "can read")),
        ("is literate = can read", None),  # the town's literate people
        ("it is imperative = it is vital", ("it 's imperative", "it 's vital")),
        ("they are idle = they do nothing", ("they 're idle", "they do nothing")),
        ("this is vital = this matters", None),  # nobody writes "this's"
        ("is = was", None),
    ],
)
def test_contractions_of_be_that_are_no_possessives(entry: str, contracted: tuple[str, str] | None) -> None:
    sides = [(" ".join(rule.source), " ".join(rule.target)) for rule in plain_rules(parse_entry("list", 1, entry), "X")]
    assert sides[1:] == ([contracted] if contracted else [])


def test_get_has_no_past_participle_as_a_target() -> None:
    assert "VBN" not in {tag for tag, _, _ in expand("obtain = get", "VERB")}


def test_forms_that_the_dictionary_has_wrong() -> None:
    rules = expand("resign = quit", "VERB") | expand("rouse = wake up", "VERB") | expand("forbid = ban", "VERB")
    assert ("VBN", "relayed", "passed on") in expand("relay = pass on", "VERB")
    assert {("VBN", "resigned", "quit"), ("VBN", "roused", "woken up"), ("VBN", "forbidden", "banned")} <= rules
    assert ("VBN", "forbid", "banned") not in rules
    assert not any(source == "foregoing" for _, source, _ in expand("forgo = give up", "VERB"))


def test_an_adjective_that_becomes_a_noun_needs_another_after_it() -> None:
    rules = modifier_rules(parse_entry("list", 1, "occupational = job"))
    assert {(rule.lhs, " ".join(rule.source), " ".join(rule.target)) for rule in rules} == {
        ("NP", "occupational [NN,1]", "job [NN,1]"),
        ("NP", "occupational [NNS,1]", "job [NNS,1]"),
        ("NP", "an occupational [NN,1]", "a job [NN,1]"),
    }


def test_an_adverb_becomes_a_phrase_only_where_a_phrase_can_stand() -> None:
    rules = adverbial_rules(parse_entry("list", 1, "accidentally ~ by accident"))
    sides = {(" ".join(rule.source), " ".join(rule.target)) for rule in rules}
    assert ("accidentally .", "by accident .") in sides
    assert ("accidentally in", "by accident in") in sides
    assert ("was accidentally [VBN,1]", "was [VBN,1] by accident") in sides
    assert not any(source == "accidentally" or source.startswith("accidentally [") for source, _ in sides)


def test_spelling_variants_all_reach_the_first_form_of_the_target() -> None:
    rules = expand("signal = show", "VERB")
    assert {("VBD", "signaled", "showed"), ("VBD", "signalled", "showed")} <= rules


def test_only_the_tags_asked_for_are_expanded() -> None:
    assert expand("chair = lead", "VERB", ("VBD", "VBN")) == {("VBD", "chaired", "led"), ("VBN", "chaired", "led")}


def test_nouns_keep_their_number_and_mass_nouns_have_no_plural() -> None:
    assert expand("offspring = child", "NOUN") >= {("NN", "offspring", "child"), ("NNS", "offspring", "children")}
    assert ("NNS", "rates of speed", "speeds") in expand("rate* of speed = speed", "NOUN")
    assert {tag for tag, _, _ in expand("appliance = equipment", "NOUN")} == {"NN"}


def test_adjectives_compare_only_where_both_sides_do() -> None:
    assert ("JJR", "feebler", "weaker") in expand("feeble = weak", "ADJ")
    assert {tag for tag, _, _ in expand("feeble = not strong", "ADJ")} == {"JJ"}


def test_an_article_changes_with_the_word_after_it() -> None:
    assert ("X", "an abode", "a home") in expand("abode = home", "NOUN")
    assert all(label != "X" for label, _, _ in expand("residence = home", "NOUN"))


def test_equal_words_align_in_order_and_the_rest_with_the_rest() -> None:
    assert align(("a", "large", "number", "of", "cats"), ("many", "cats")) == ((0, 0), (1, 0), (2, 0), (3, 0), (4, 1))
    assert align(("[NNP,1]", "'s", "population"), ("the", "population", "of", "[NNP,1]")) == (
        (0, 3),
        (1, 0),
        (1, 2),
        (2, 1),
    )


def test_safety_and_rank_become_features() -> None:
    first, second = plain_rules(parse_entry("list", 1, "[IN] prior to ~ before, ahead of"), "X")
    assert (first.lhs, dict(first.features)) == ("IN", {"StarterMostly": 1.0})
    assert dict(second.features) == {"StarterMostly": 1.0, "StarterRank": 1.0}


def test_a_word_that_does_not_inflect_is_named_with_its_line() -> None:
    with pytest.raises(FormatError, match="list, line 1: the dictionary cannot inflect 'xyzzify' as VERB"):
        expand("xyzzify = get", "VERB")


def test_more_and_a_head_without_a_comparative_become_the_comparative_of_the_target() -> None:
    rules = expand("harmful ~ bad", "ADJ") | expand("large = big", "ADJ") | expand("genuine = real", "ADJ")
    assert {("JJR", "more harmful", "worse"), ("JJS", "most harmful", "worst")} <= rules
    degrees = {source for _, source, _ in rules if " " in source}
    assert degrees == {"more harmful", "most harmful"}  # "more large cities" are more of them; nobody says "realer"
    assert ("JJR", "more considerable", "more") not in expand("considerable = much", "ADJ")


def test_no_article_before_what_cannot_come_after_one() -> None:
    rules = expand("appliance = equipment", "NOUN") | expand("incarcerate = put in prison", "VERB")
    rules |= expand("increasingly = more and more", "ADV") | expand("establish = set up", "VERB")
    rules |= expand("abandon = leave", "VERB", ("VBN",))  # "an abandoned dog" is not "a left dog"
    assert all(label != "X" for label, _, _ in rules)
    rules = expand("acclaimed = praised", "ADJ")
    assert ("X", "an acclaimed", "a praised") in rules
