"""Features against sums done by hand."""

from __future__ import annotations

import math
import resource
from pathlib import Path

import numpy as np
import pytest

from sbmt.ppdb.formats import RuleParser
from sbmt.ppdb.learn.corpus import read_corpus
from sbmt.ppdb.learn.count import bucket_of, spill
from sbmt.ppdb.learn.learner import Learner
from sbmt.ppdb.learn.pair_lists import Pair
from sbmt.ppdb.learn.score import WordTranslation, link_keys
from sbmt.ppdb.learn.settings import LearnSettings, Pruning
from sbmt.ppdb.rule import Rule

# a-x twice, a-y once, b-x once; n1 = 2, n2 = 1, so D = 2 / (2 + 2 * 1) = 0.5; 3 different pairs.
WORDS = [("a", "x"), ("a", "x"), ("a", "y"), ("b", "x")]


def learn(folder: Path, *pairs: Pair, labels: str = "", **pruning: int) -> dict[tuple[str, str], Rule]:
    files = {"source": [f for f, _ in WORDS], "target": [e for _, e in WORDS], "links": ["0-0"] * len(WORDS)}
    for name, lines in files.items():
        (folder / name).write_text("".join(f"{line}\n" for line in lines))
    if labels:
        (folder / "labels").write_text(labels)
    text = read_corpus(
        [(str(folder / "source"), str(folder / "target"))], labels=[str(folder / "labels")] if labels else []
    )
    with Learner(text, LearnSettings(pruning=Pruning(**pruning)), [str(folder / "links")], pairs) as learner:
        rules = list(map(RuleParser().parse, learner.lines()))
    return {(" ".join(rule.source), " ".join(rule.target)): rule for rule in rules}


def test_smoothed_probabilities(tmp_path: Path) -> None:
    rules = learn(tmp_path)
    x, y = rules["a", "x"].features, rules["a", "y"].features
    # (2 - 0.5 + 0.5 * 2 partners of a * 2/3 of the pairs are with x) / 3, and so on; they sum to 1.
    assert x["p(e|f)"] == pytest.approx(-math.log((1.5 + 2 / 3) / 3), abs=1e-5)
    assert y["p(e|f)"] == pytest.approx(-math.log((0.5 + 1 / 3) / 3), abs=1e-5)
    assert math.exp(-x["p(e|f)"]) + math.exp(-y["p(e|f)"]) == pytest.approx(1, abs=1e-4)
    assert y["p(f|e)"] == pytest.approx(-math.log((0.5 + 0.5 * 1 * 2 / 3) / 1), abs=1e-5)
    assert x["p(e|LHS)"] == pytest.approx(-math.log(3 / 4), abs=1e-5)
    assert x["p(LHS|f)"] == 0
    assert x["LogCount"] == pytest.approx(math.log(2), abs=1e-5)
    assert x["RarityPenalty"] == pytest.approx(math.exp(-1), abs=1e-5)
    assert x["Lex(e|f)"] == pytest.approx(-math.log(2 / 3), abs=1e-5)
    assert x["Lex(f|e)"] == pytest.approx(-math.log(2 / 3), abs=1e-5)


def test_words_with_several_links_have_the_mean_of_them() -> None:
    """Koehn, Och & Marcu (2003): a product over words, for each the mean over its links; without any, of NULL (-1)."""
    keys = link_keys(np.array([[-1, 2], [0, 0], [0, 1], [1, 0]]))
    words = WordTranslation(keys, np.array([0.05, 0.4, 0.6, 0.3]), np.array([1.0, 0.5, 0.1, 0.2]))
    e_given_f, f_given_e = words.lexical_costs({0: 0, 1: 1}, {0: 0, 1: 1, 2: 2}, [(0, 0), (0, 1), (1, 0)])
    assert e_given_f == pytest.approx(-math.log((0.4 + 0.3) / 2 * 0.6 * 0.05))
    assert f_given_e == pytest.approx(-math.log((0.5 + 0.1) / 2 * 0.2))


def test_without_labels_conditioning_on_them_changes_nothing(tmp_path: Path) -> None:
    for rule in learn(tmp_path).values():
        assert rule.lhs == "X"
        assert rule.features["p(e|f,LHS)"] == rule.features["p(e|f)"]
        assert rule.features["p(f|e,LHS)"] == rule.features["p(f|e)"]


def test_labels_split_the_counts(tmp_path: Path) -> None:
    rules = learn(tmp_path, labels="NN\nNN\nVB\nVB\n")
    assert rules["a", "x"].lhs == "NN"
    assert rules["b", "x"].lhs == "VB"
    assert rules["a", "y"].features["p(LHS|f)"] == pytest.approx(math.log(3), abs=1e-5)
    assert rules["a", "x"].features["p(f|LHS)"] == 0
    assert rules["b", "x"].features["p(LHS|e)"] == pytest.approx(math.log(3), abs=1e-5)


def test_pruning(tmp_path: Path) -> None:
    assert set(learn(tmp_path, min_count=2)) == {("a", "x")}
    assert set(learn(tmp_path, top=1)) == {("a", "x"), ("b", "x")}


def test_listed_pairs_get_what_smoothing_leaves(tmp_path: Path) -> None:
    listed = [Pair(("b",), ("y",)), Pair(("new",), ("x",)), Pair(("a",), ("x",)), Pair(("a", "new"), ("a",))]
    rules = learn(tmp_path, *listed, min_count=2)
    assert set(rules) == {("a", "x"), ("b", "y"), ("new", "x"), ("a new", "a")}
    assert all(rule.features["Listed"] == 1 for rule in rules.values())
    assert rules["a", "x"].features["p(e|f)"] == pytest.approx(-math.log((1.5 + 2 / 3) / 3), abs=1e-5)
    # b was seen once, with one partner: 0.5 of its mass is free, a third of it for y. "new" was never seen: p = 2/3.
    assert rules["b", "y"].features["p(e|f)"] == pytest.approx(-math.log(0.5 * 1 / 3), abs=1e-5)
    assert rules["new", "x"].features["p(e|f)"] == pytest.approx(-math.log(2 / 3), abs=1e-5)
    assert rules["b", "y"].alignment == ((0, 0),)
    assert rules["a new", "a"].alignment == ((0, 0),)


def test_listed_pairs_do_not_change_what_is_learnt(tmp_path: Path) -> None:
    alone, together = learn(tmp_path), learn(tmp_path, Pair(("b",), ("y",)))
    for sides, rule in alone.items():
        assert dict(together[sides].features) == {**rule.features, "Listed": 0}


def test_buckets_of_more_parts_than_files_may_be_open(tmp_path: Path) -> None:
    dtype = np.dtype([("f", np.uint64), ("n", np.int64)])
    for part in range(200):
        records = np.zeros(3, dtype)
        records["f"], records["n"] = np.array([1 << 63, 0, 1 << 63], np.uint64), range(3 * part, 3 * part + 3)
        spill(records, "f", tmp_path / f"rules-{part:03d}")
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(128, limits[0]), limits[1]))
    try:
        buckets = [bucket_of(tmp_path, "rules", bucket, dtype)["n"].tolist() for bucket in (0, 1, 32)]  # of 64
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
    assert buckets == [[*range(1, 600, 3)], [], [n for n in range(600) if n % 3 != 1]]
