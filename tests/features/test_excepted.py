"""Which rules change what an exception keeps, case by case."""

from __future__ import annotations

from pathlib import Path

import pytest

from sbmt.features.sentence.application import KEPT, PASSED, Application
from sbmt.features.sentence.excepted import Excepted
from sbmt.lm.symbols import Symbol
from sbmt.ppdb.starter.exceptions import read_exceptions

EXCEPTIONS = """
# what the tests below are about
linear|natural [transformation|transformations]
[initial] condition|conditions
[a number of] his|her
of [a total of]
[treaty] of NNP
NNP [accord]
[in this connection]
on|upon [average] CD
START [briefly] ,   # at the beginning only
[nationally] END
"""
LABELS = {"ten": "CD", "house": "NN"}


def excepted(folder: Path, text: str, target: tuple[Symbol, ...], *more: Application) -> bool:
    """Of a rule that replaces what stands between brackets; words joined by "_" are in a gap."""
    words, gaps, opened = list[str](), list[tuple[int, int]](), -1
    for word in text.split():
        if word == "[":
            opened = len(words)
        elif word == "]":
            span = opened, len(words)
        else:
            parts = [part for part in word.split("_") if part]
            if "_" in word:
                gaps.append((len(words), len(words) + len(parts)))
            words += parts
    applications = [Application(0, 1, "pt", "X", span, target, len(gaps), tuple(gaps))]
    for i, word in enumerate(words):
        if word in LABELS:
            applications.append(Application(0, 2, "pt", LABELS[word], (i, i + 1), (word,), 0))
    path = folder / "exceptions.txt"
    path.write_text(EXCEPTIONS)
    values = list(Excepted(read_exceptions(path)).values(words, [*applications, *more]))
    assert values in ([], [(0, "Excepted", 1.0)])
    return bool(values)


@pytest.mark.parametrize(
    ("text", "target", "expected"),
    [("a natural [ transformation ] of it", ("change",), True), ("two linear [ transformations ]", ("changes",), True),
     ("a sudden [ transformation ] of it", ("change",), False), ("a natural [ change ] of it", ("turn",), False),
     ("a [ natural ] transformation", ("normal",), False),  # the word beside it
     ("a natural [ transformation ] of it", ("transformation",), False),  # a copy
     ("the [ natural transformation ] of it", ("natural", "change"), True),  # its first word stays
     ("the [ natural transformation ] of it", ("usual", "change"), False),
     ("the [ initial ] condition", ("first",), True), ("[ an initial ] condition", ("a", "first"), True),
     ("[ the initial ] condition", ("the", "first"), True),
     ("the [ initial _condition ]", ("first", 0), True), ("the [ initial _cost ]", ("first", 0), False),
     ("the [ initial condition ]", ("start",), False),  # a rule for both
     ("the [ _house initial ] condition", (0, "first"), True),
     ("the [ initial _condition ]", (0, "at", "first"), True),
     ("the [ _old_house initial ] condition", (0, "first"), True),
     ("the [ _initial _condition ]", (0, 1), False), ("the [ _initial _condition ]", (0, "and", 1), False),  # glue
     ("[ a number of ] his books", ("some",), True), ("[ a number of his ] books", ("some", "of", "his"), False),
     ("[ a number of ] his books", (), False),
     # what writes its gap alone
     ("a sum of [ a total of _ten ]", (0,), True), ("that is [ a total of _ten ]", (0,), False),
     ("[ a number of ] books", ("some",), False), ("in this [ connection ] he", ("link",), True),
     ("on [ average ] ten", ("usually",), True), ("on [ average ] ten", ("average", "now"), True),
     ("on [ average ] he", ("usually",), False),
     ("[ average ] ten", ("usually",), False),
     ("[ briefly ] , it", ("for", "a", "time"), True), ("it rained [ briefly ] , as", ("for", "a", "time"), False),
     ("taxed [ nationally ]", ("everywhere",), True), ("taxed [ nationally ] .", ("everywhere",), False)],
)  # fmt: skip
def test_words_that_stay_beside_others(tmp_path: Path, text: str, target: tuple[Symbol, ...], expected: bool) -> None:
    assert excepted(tmp_path, text, target) is expected


def test_a_mark_at_the_end_is_not_the_rules_own(tmp_path: Path) -> None:
    assert excepted(tmp_path, "a natural [ transformation . ]", ("change", "."))


def test_names_are_known_by_the_label_of_what_is_kept(tmp_path: Path) -> None:
    name = Application(-1, KEPT, "constraint", "NNP", (3, 5), ("bad", "ems"), 0)
    assert excepted(tmp_path, "the [ treaty ] of bad ems was", ("agreement",), name)
    assert not excepted(tmp_path, "the [ treaty ] of bad ems was", ("agreement",))
    name = Application(-1, KEPT, "constraint", "NNP", (1, 3), ("bad", "ems"), 0)
    assert excepted(tmp_path, "the bad ems [ accord ]", ("agreement",), name)


def test_the_label_of_a_rule_around_a_gap_is_not_that_of_the_word(tmp_path: Path) -> None:
    unary = Application(0, 1, "pt", "CD", (2, 3), (0,), 1, ((2, 3),))
    assert not excepted(tmp_path, "on [ average ] he", ("usually",), unary)


def test_what_a_constraint_writes_is_no_rules_doing(tmp_path: Path) -> None:
    (tmp_path / "exceptions.txt").write_text("natural [transformation]\n")
    application = Application(-1, KEPT, "constraint", "X", (2, 3), ("change",), 0)
    feature = Excepted(read_exceptions(tmp_path / "exceptions.txt"))
    assert not list(feature.values("a natural transformation".split(), [application]))


def test_a_word_that_is_passed_through_changes_nothing() -> None:
    application = Application(-1, PASSED, "oov", "X", (0, 1), ("x",), 0)
    assert not list(Excepted([]).values(["word"], [application]))
