"""Vectorised extraction against the definitions, on random alignments."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from itertools import count
from pathlib import Path
from threading import Event, Thread

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sbmt.ppdb.formats import RuleParser
from sbmt.ppdb.learn.corpus import read_corpus
from sbmt.ppdb.learn.learner import Learner
from sbmt.ppdb.learn.settings import LearnSettings, Limits, Pruning
from tests.learn.naive import initial_phrases, phrase_pairs, rules


def learn(
    folder: Path, pairs: list[tuple[str, str, str]], max_phrase: int = 5, max_gaps: int = 0, folds: int = 0
) -> Learner:
    names = [str(folder / name) for name in ("source", "target", "links")]
    for name, column in zip(names, zip(*pairs, strict=True), strict=True):
        Path(name).write_text("".join(f"{line}\n" for line in column), encoding="utf-8")
    return Learner(
        read_corpus([(names[0], names[1])]),
        LearnSettings(Limits(max_phrase, max_gaps), Pruning(top=0), folds),
        [names[2]],
    )


def test_working_files_go_while_a_worker_still_writes(tmp_path: Path) -> None:
    """As a worker does whose parent was interrupted."""
    learner, ended = learn(tmp_path, [("a b", "c d", "0-0 1-1")]), Event()

    def write() -> None:
        with suppress(OSError):
            for number in count():
                (learner.folder / f"part-{number}").write_bytes(b"x")
        ended.set()

    Thread(target=write, daemon=True).start()
    while not (learner.folder / "part-9").exists():
        pass
    learner.close()
    assert ended.wait(10)
    assert not list(learner.folder.parent.glob(f"{learner.folder.name}*"))


def counts(learner: Learner) -> Counter:
    rule_counts = Counter()
    for rule in map(RuleParser().parse, learner.lines()):
        rule_counts[rule.source, rule.target] = round(2.718281828 ** rule.features["LogCount"])
    return rule_counts


@st.composite
def aligned_pair(draw: st.DrawFn) -> tuple[str, str, str]:
    words = st.lists(st.sampled_from("abcde"), min_size=1, max_size=9)
    f, e = draw(words), draw(words)
    points = st.tuples(st.integers(0, len(f) - 1), st.integers(0, len(e) - 1))
    links = draw(st.lists(points, max_size=9, unique=True))
    monotone = [(k, k) for k in range(min(len(f), len(e)))] if draw(st.booleans()) else []
    return (
        " ".join(f),
        " ".join(e),
        " ".join(f"{i}-{j}" for i, j in dict.fromkeys(monotone + links[:3] if monotone else links)),
    )


@settings(deadline=None, max_examples=15, derandomize=True)
@given(st.lists(aligned_pair(), min_size=1, max_size=4), st.integers(1, 5), st.integers(0, 2))
@example([("a b c d", "v w x y z", "0-2 0-3 1-3 1-4 2-1 3-0")], 5, 2)  # two gaps, of several words on either side
def test_rules_are_those_of_the_definitions(
    tmp_path_factory: pytest.TempPathFactory, pairs: list[tuple[str, str, str]], max_phrase: int, max_gaps: int
) -> None:
    expected = Counter()
    for f, e, line in pairs:
        links = [tuple(map(int, point.split("-"))) for point in line.split()]
        expected += rules(f.split(), e.split(), links, max_phrase, max_gaps)
    expected = Counter({sides: count for sides, count in expected.items() if sides[0] != sides[1]})
    with learn(tmp_path_factory.mktemp("x"), pairs, max_phrase, max_gaps) as learner:
        assert counts(learner) == expected


def test_phrases_end_with_their_sentence(tmp_path: Path) -> None:
    """Words without links join the phrases beside them, but not those of the sentence before or after."""
    with learn(tmp_path, [("a", "u x", "0-1"), ("b", "y z w", "0-1"), ("c", "v u", "0-0")]) as learner:
        pairs = sorted(f"{' '.join(f)} > {' '.join(e)}" for f, e in counts(learner))
    assert pairs == ["a > u x", "a > x", "b > y z", "b > y z w", "b > z", "b > z w", "c > v", "c > v u"]


def test_the_oracle_finds_the_phrases_of_a_case_worked_by_hand() -> None:
    # a b c d / v w x: a-v, b-x, d-w, c unlinked: the links of b and d cross.
    links = [(0, 0), (1, 2), (3, 1)]
    assert sorted(phrase_pairs(4, 3, links, 4)) == [
        ((0, 1), (0, 1)),  # a / v
        ((0, 4), (0, 3)),
        ((1, 2), (2, 3)),  # b / x
        ((1, 3), (2, 3)),  # b c / x
        ((1, 4), (1, 3)),  # b c d / w x
        ((2, 4), (1, 2)),  # c d / w
        ((3, 4), (1, 2)),  # d / w
    ]
    assert ((1, 3), (2, 3)) not in initial_phrases(4, 3, links, 4)


def test_hierarchical_rules_of_a_case_worked_by_hand(tmp_path: Path) -> None:
    # "he gave up smoking" / "he stopped smoking": gave-stopped, up-stopped.
    pairs = [("he gave up smoking", "he stopped smoking", "0-0 1-1 2-1 3-2")]
    with learn(tmp_path, pairs, max_gaps=2) as learner:
        pairs = {f"{' '.join(f)} > {' '.join(e)}" for f, e in counts(learner)}
    assert pairs == {
        "gave up > stopped",
        "he gave up > he stopped",
        "gave up smoking > stopped smoking",
        "he gave up smoking > he stopped smoking",
        "[X,1] gave up > [X,1] stopped",
        "gave up [X,1] > stopped [X,1]",
        "he gave up [X,1] > he stopped [X,1]",
        "[X,1] gave up smoking > [X,1] stopped smoking",
        "[X,1] gave up [X,2] > [X,1] stopped [X,2]",
    }


def test_alignment_of_a_rule_counts_its_symbols(tmp_path: Path) -> None:
    with learn(tmp_path, [("he gave up smoking", "he stopped smoking", "0-0 1-1 2-1 3-2")], max_gaps=2) as learner:
        rules_ = {(rule.source, rule.target): rule for rule in map(RuleParser().parse, learner.lines())}
    assert rules_[("[X,1]", "gave", "up", "[X,2]"), ("[X,1]", "stopped", "[X,2]")].alignment == (
        (0, 0),
        (1, 1),
        (2, 1),
        (3, 2),
    )


def test_words_that_look_like_syntax_are_left_out(tmp_path: Path) -> None:
    pairs = [("||| a", "||| b", "0-0 1-1"), ("[X,1] c", "[X,1] d", "0-0 1-1"), ("e f", "g f", "0-0 1-1")]
    with learn(tmp_path, pairs) as learner:
        assert {source for source, _ in counts(learner)} == {("a",), ("c",), ("e",), ("e", "f")}


def test_equal_sources_are_in_one_fold(tmp_path: Path) -> None:
    """Of four lines the last two have the source of the first: without their fold nothing of it is learnt."""
    pairs = [("a b", "a x", "0-0 1-1"), ("c d", "c y", "0-0 1-1"), *[("a b", "a z", "0-0 1-1")] * 2]
    with learn(tmp_path, pairs, folds=2) as learner:
        assert learner.fold_map() == [0, 1, 0, 0]
        sources = [{RuleParser().parse(line).source for line in learner.lines(without_fold=fold)} for fold in (0, 1)]
    assert sources == [{("d",), ("c", "d")}, {("b",), ("a", "b")}]


def test_fold_grammars_are_those_of_the_other_segments(tmp_path: Path) -> None:
    pairs = [
        ("a b c", "a x c", "0-0 1-1 2-2"),
        ("a b", "y b", "0-0 1-1"),
        ("b c", "x c", "0-0 1-1"),
        ("c a b", "c y x", "0-0 1-1 2-2"),
        ("b", "z", "0-0"),
    ]
    with learn(tmp_path, pairs, max_gaps=1, folds=2) as learner:
        assert learner.fold_map() == [0, 1, 0, 1, 0]
        grammars = [list(learner.lines(without_fold=fold)) for fold in (0, 1)]
        assert len(list(learner.folder.glob("words*.keys.npy"))) == 1  # each in the place of the last
    for fold in (0, 1):
        rest = [pair for k, pair in enumerate(pairs) if k % 2 != fold]
        with learn(tmp_path, rest, max_gaps=1) as alone:
            for mine, theirs in zip(
                map(RuleParser().parse, grammars[fold]), map(RuleParser().parse, alone.lines()), strict=True
            ):
                assert (mine.source, mine.target) == (theirs.source, theirs.target)
                assert mine.features == pytest.approx(theirs.features)
