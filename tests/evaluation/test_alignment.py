"""Word alignment and word labels, against cases aligned by hand and against properties."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sbmt.errors import SbmtError
from sbmt.evaluation import alignment
from sbmt.evaluation.alignment import align, is_inflection, moved
from sbmt.evaluation.operations import operations
from sbmt.evaluation.transformations import Agreement, Transformed, agreement, kinds, shares, transform

WORDS = st.lists(st.sampled_from("the of big large dog dogs cat moved moving , .".split()), max_size=9)


def linked(source: str, output: str, pairs: set[tuple[str, str]] | None = None) -> list[tuple[str, str]]:
    here, there = source.split(), output.split()
    return [(here[i], there[j]) for i, j in align(here, there, pairs or set())]


def labels(source: str, output: str) -> tuple[str, str]:
    """The first letters of the labels: copy, move, replace, delete, add."""
    transformed = transform(source.split(), output.split())
    return "".join(label[0] for label in transformed.source), "".join(label[0] for label in transformed.output)


@pytest.mark.parametrize(
    ("source", "output", "here", "there"),
    [
        ("he used many tools .", "he used many tools .", "ccccc", "ccccc"),
        ("He used tools .", "he used tools .", "cccc", "cccc"),
        ("he used many old tools .", "he used tools .", "ccddcc", "cccc"),
        ("he used tools .", "he often used tools .", "cccc", "caccc"),
        ("he utilized tools .", "he used tools .", "crcc", "crcc"),  # a slot between linked neighbours
        ("he utilized tools .", "he made use of tools .", "crcc", "crrrcc"),
        ("he utilized tools .", "he made good use of tools .", "crcc", "crrrrcc"),
        ("he utilized tools .", "he made very good use of tools .", "cdcc", "caaaaacc"),  # too many for one slot
        ("he saw dogs now .", "he saw the now .", "ccdcc", "ccacc"),  # a function word stands for no other word
        ("the dogs in mills slept", "the dogs guarding them slept", "ccrrc", "ccrrc"),  # two stand for two
        ("he ran down to Rome .", "he ran by Rome .", "ccddcc", "ccacc"),
        ("it was in the vicinity of Rome .", "it was near Rome .", "ccrrrrcc", "ccrcc"),
        ("the boats were moved at dawn", "at dawn the boats moved", "ccdcmm", "mmccc"),
        ("yesterday the dog barked", "the dog barked yesterday", "mccc", "cccm"),
        ("the dogs barked loudly in town", "a dog barked in town", "rrcdcc", "rrccc"),
        ("", "new words", "", "aa"),
        ("old words", "", "dd", ""),
    ],
)
def test_labels_by_hand(source: str, output: str, here: str, there: str) -> None:
    assert labels(source, output) == (here, there)


@pytest.mark.parametrize("function", [align, transform, operations])
@pytest.mark.parametrize("arguments", [("a b", ["a"]), (["a"], "a b")])
def test_a_text_is_not_taken_for_words(function: Callable[..., object], arguments: tuple[object, object]) -> None:
    with pytest.raises(TypeError, match=r"words are aligned, not the text 'a b': sbmt\.text\.lines\.line_words"):
        function(*arguments)


def test_alike_words_are_linked_wherever_they_stand() -> None:
    assert ("moved", "moving") in linked("they moved on", "on they kept moving")
    assert ("colour", "color") in linked("its colour was red", "red was its color")
    assert ("war", "warm") not in linked("war mountain river", "river mountain warm")  # three letters are too few
    source, output = "the physician came late that day", "that day late came our old doctor"
    assert ("physician", "doctor") not in linked(source, output)
    assert ("physician", "doctor") in linked(source, output, {("doctor", "physician")})


def test_function_words_need_a_neighbour() -> None:
    links = linked("the king of France slept", "France slept and of all men dreamt")
    assert ("of", "of") not in links
    assert ("of", "of") in linked("the king of France slept", "of France the king")
    assert not linked("cats saw yourself barking", "yourselves ate nine loud mills")


def test_a_neighbour_is_at_most_three_words_away() -> None:
    """From "of", "lizards" is two words away, "cats" and "whales" are three: 1/2 + 1/3 + 1/3 is enough, 1/2 + 1/3 not.

    The five words at one end are linked in their order, so that these are not; no slot has "of" in it.
    """
    source, output = "one two three four five cats lizards big of", "whales lizards cats of one two three four five"
    assert ("of", "of") in linked(f"{source} old grey whales", output)
    assert ("of", "of") not in linked(f"{source} old grey fat whales", output)


def test_a_neighbour_is_near_on_both_sides() -> None:
    """The six words around "of" are linked, but stand four to six words from the other "of"."""
    links = linked("red green blue of cats lizards whales", "cats lizards whales 1 2 3 of 4 5 6 red green blue")
    assert len(links) == 6
    assert ("of", "of") not in links


def test_words_far_on_the_left_support_no_link() -> None:
    """The second "whale" stands four to nine words behind all six words around it; the first is three before "red"."""
    output = "whale 1 2 red green blue cats lizards dogs 3 4 5 whale".split()
    assert (3, 0) in align("red green blue whale cats lizards dogs".split(), output)


def test_of_equal_candidates_the_one_at_the_likest_place_is_linked() -> None:
    """Word 4 of 5 may be word 4 or 6 of 14, whose places are nearer; no linked word is near either."""
    links = align("red green blue white whale".split(), "1 2 3 4 whale 5 whale 6 7 8 red green blue white".split())
    assert links == [(0, 10), (1, 11), (2, 12), (3, 13), (4, 6)]


@pytest.mark.parametrize(
    ("links", "expected"),
    [
        ([(0, 0), (1, 1), (2, 1), (3, 2)], set()),  # 2 went into 1's word
        ([(0, 2), (0, 3), (1, 0), (2, 1)], {(0, 2)}),
        ([(0, 1), (1, 2), (2, 0), (3, 0)], {(2, 0)}),
    ],
)
def test_of_a_slot_only_the_first_link_can_move(links: list[tuple[int, int]], expected: set[tuple[int, int]]) -> None:
    assert moved(links) == expected


def test_inflections() -> None:
    for one, other in (("study", "studies"), ("moved", "moving"), ("quick", "quickly"), ("nation", "nations")):
        assert is_inflection(one, other)
        assert is_inflection(other, one)
    for one, other in (("station", "static"), ("organ", "organisation"), ("be", "been")):  # no ending, or too short
        assert not is_inflection(one, other)


@given(WORDS, WORDS)
def test_alignment_properties(source: list[str], output: list[str]) -> None:
    links = align(source, output)
    assert links == sorted(set(links))
    assert all(0 <= i < len(source) and 0 <= j < len(output) for i, j in links)
    assert align(source, source) == [(i, i) for i in range(len(source))]
    transformed = transform(source, output)
    assert len(transformed.source) == len(source)
    assert len(transformed.output) == len(output)
    assert (not kinds(transformed)) == (source == output)


@given(st.permutations(range(6)), st.integers(0, 6))
def test_moved_leaves_a_longest_increasing_sequence(order: list[int], size: int) -> None:
    links = [(i, order[i]) for i in range(size)]
    kept = [j for i, j in links if (i, j) not in moved(links)]
    assert kept == sorted(kept)
    longest = max(
        k
        for k in range(size + 1)
        for chosen in combinations([j for _, j in links], k)
        if list(chosen) == sorted(chosen)
    )
    assert len(kept) == longest


def test_agreement_is_with_the_best_reference() -> None:
    source = "he utilized many tools".split()
    system = transform(source, "he used many tools".split())  # c r c c
    same = transform(source, "he employed many tools".split())  # c r c c
    other = transform(source, "he utilized tools".split())  # c c d c
    by_label = agreement([system, system], [[other, same], [other]])
    assert by_label["replace"] == Agreement(right=1, given=2, expected=1)
    assert by_label["copy"] == Agreement(right=5, given=6, expected=6)
    assert by_label["delete"] == Agreement(right=0, given=0, expected=1)
    assert (by_label["replace"].precision, by_label["replace"].recall, by_label["replace"].f1) == (0.5, 1.0, 2 / 3)
    assert (by_label["move"].precision, by_label["move"].recall, by_label["move"].f1) == (None, None, None)
    assert (by_label["delete"].precision, by_label["delete"].recall, by_label["delete"].f1) == (None, 0, 0)
    assert by_label["all labels"] == Agreement(right=6, given=8, expected=8)
    assert shares([system, other]) == {"copy": 6 / 8, "move": 0, "replace": 1 / 8, "delete": 1 / 8, "add": 0}


@pytest.mark.parametrize(
    ("references", "message"),
    [
        ([[]], "sentence 1 has no reference to agree with"),
        ([], "a system has 1 sentence, the references are of 0"),
        ([[transform(["a", "b"], ["a"])]], "sentence 1: a reference has 2 source words, the system's 1"),
    ],
)
def test_references_that_do_not_fit(references: list[list[Transformed]], message: str) -> None:
    with pytest.raises(SbmtError, match=message):
        agreement([transform(["a"], ["b"])], references)


@pytest.mark.parametrize("texts", [("a  b", "a"), ("a", "a  b")])
def test_no_word_is_empty(texts: tuple[str, str]) -> None:
    with pytest.raises(SbmtError, match=r"one of these is empty: str\.split\(\) without an argument makes none"):
        operations(*(text.split(" ") for text in texts))


def test_extremely_long_words_are_not_compared_by_their_letters() -> None:
    """Comparing all words with all takes minutes, unlimited; identical words are linked as ever."""
    long, like = "ab" * 1_000_000, "x" + "ab" * 1_000_000
    words = [f"word{number}" for number in range(10)]
    assert align([long, *words, "the"], [long, "the", *words[::-1]])[0] == (0, 0)
    assert (0, 0) not in align([long, *words, "the"], ["the", like, *words[::-1]])


ALIKE = st.lists(st.text("aeiost", min_size=3, max_size=7), max_size=12)


@given(ALIKE, ALIKE, st.frozensets(st.tuples(st.just("toast"), st.just("seat"))))
def test_many_words_are_linked_as_if_every_pair_were_tried(
    source: list[str], output: list[str], pairs: frozenset[tuple[str, str]]
) -> None:
    source, output = [*source, "toast", "seats"], [*output, "seat"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(alignment, "_MAX_PAIRS", 10_000)
        tried = align(source, output, pairs)
        patch.setattr(alignment, "_MAX_PAIRS", -1)
        patch.setattr(alignment, "_ROWS", 3)
        assert align(source, output, pairs) == tried
