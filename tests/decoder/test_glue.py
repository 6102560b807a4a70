"""Grammars that are put together in other ways than from left to right, one label over the other: nothing is missed."""

from __future__ import annotations

import logging
import random
from collections.abc import Sequence
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sbmt.decoder.decoder import Decoder
from sbmt.decoder.settings import Settings
from sbmt.lm.model import LanguageModel
from sbmt.ppdb.grammar import Grammar
from sbmt.ppdb.rule import Rule
from tests.decoder.brute_force import GLUE, best_outputs, write_arpa

WEIGHTS = {"f": 1.0, "glue": -0.1, "lm_0": 0.3}
BEGIN, END = Rule("GOAL", ("<s>",), ("<s>",)), Rule("GOAL", ("</s>",), ("</s>",))
GOALS = [Rule("GOAL", (word,), (word.upper(),), {"f": -0.5}) for word in "abc"]
GLUES = {
    "before": [
        END,
        Rule("GOAL", ("[X,1]", "[GOAL,2]"), ("[X,1]", "[GOAL,2]")),
        Rule("GOAL", ("<s>", "[GOAL,1]"), ("<s>", "[GOAL,1]")),
    ],
    "both sides": [BEGIN, END, *GOALS, Rule("GOAL", ("[GOAL,1]", "[GOAL,2]"), ("[GOAL,1]", "[GOAL,2]"))],
    "around": [
        Rule("GOAL", ("<s>", "[X,1]", "</s>"), ("<s>", "[X,1]", "</s>")),
        Rule("X", ("[X,1]", "[X,2]"), ("[X,1]", "[X,2]")),
    ],
    "after": GLUE,
    "after, in two ways": [*GLUE, Rule("GOAL", ("[GOAL,1]", "[X,2]"), ("[GOAL,1]", "[X,2]", "e"), {"f": 0.5})],
    "after, of two labels": [*GLUE, Rule("GOAL", ("[GOAL,1]", "[NN,2]"), ("[GOAL,1]", "[NN,2]"), {"f": -0.3})],
    "after, or words at the beginning": [*GLUE, Rule("GOAL", ("<s>", "a"), ("<s>", "d"), {"f": -0.5})],
    "after, two at once": [*GLUE, Rule("GOAL", ("[GOAL,1]", "[X,2]", "[X,3]"), ("[GOAL,1]", "[X,3]", "[X,2]"))],
    "after, and words after that": [
        *GLUE,
        Rule("GOAL", ("[GOAL,1]", "a", "[X,2]"), ("[GOAL,1]", "[X,2]", "f"), {"f": 0.5}),
        Rule("GOAL", ("[GOAL,1]", "c"), ("[GOAL,1]", "d"), {"f": -0.5}),
    ],
    "after, under another label": [
        BEGIN,
        Rule("S", ("[GOAL,1]", "[X,2]"), ("[GOAL,1]", "[X,2]")),
        Rule("S", ("[GOAL,1]", "</s>"), ("[GOAL,1]", "</s>")),
        Rule("GOAL", ("[S,1]",), ("[S,1]",)),
    ],
}
SHAPES = [
    ("X", ("a",), ("d",)),
    ("NN", ("b",), ("e",)),
    ("NN", ("b", "[X,1]"), ("e", "[X,1]")),
    ("NN", ("[X,1]", "c"), ("[X,1]", "d")),
    ("NN", ("[NN,1]", "a"), ("f", "[NN,1]")),
    ("X", ("[NN,1]",), ("[NN,1]",)),
]  # fmt: skip


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> LanguageModel:
    return LanguageModel(write_arpa(tmp_path_factory.mktemp("lm") / "m.arpa", 4), "lm_0", order=2)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(
    glue=st.sampled_from(sorted(GLUES)),
    seed=st.integers(0, 10_000),
    words=st.lists(st.sampled_from("abc"), min_size=1, max_size=4),
    pop_limit=st.sampled_from([0, 100]),
    wanted=st.sampled_from([None, 1, 2, 7, 300]),
    scored=st.booleans(),
)
def test_outputs_are_those_of_enumeration(
    model: LanguageModel, glue: str, seed: int, words: list[str], pop_limit: int, wanted: int | None, scored: bool
) -> None:
    """With a language model (`scored`) or without: then one node has all that there is over a span."""
    chance = random.Random(seed)
    rules = [Rule(lhs, source, target, {"f": chance.uniform(-9, 1)}) for lhs, source, target in SHAPES]
    rules = chance.sample(rules, chance.randint(2, len(rules)))
    assert_enumerated(rules, glue, words, model if scored else None, pop_limit, wanted)


@pytest.mark.parametrize("wanted", [7, 300])
@pytest.mark.parametrize("glue", GLUES)
def test_lists_reach_outputs_that_are_far_worse(model: LanguageModel, glue: str, wanted: int) -> None:
    """By a thousand times what the language model could make up for: a narrow search finds the best alone."""
    chance = random.Random(7)
    for words in chance.sample(list(product("abc", repeat=4)), 27):
        rules = [Rule(lhs, source, target, {"f": -(10 ** chance.uniform(0, 4))}) for lhs, source, target in SHAPES]
        assert_enumerated(rules, glue, words, model, 100, wanted)


def assert_enumerated(
    rules: list[Rule], glue: str, words: Sequence[str], model: LanguageModel | None, pop_limit: int, wanted: int | None
) -> None:
    all_rules = [*((rule, 4) for rule in rules), *((rule, 9) for rule in GLUES[glue])]
    expected = best_outputs(words, all_rules, WEIGHTS, model)
    grammars = [Grammar.from_rules(rules, "pt", 4), Grammar.from_rules(GLUES[glue], "glue", 9)]
    decoder = Decoder(grammars, [model] if model else [], WEIGHTS, Settings(pop_limit=pop_limit))
    hypotheses = decoder.decode(words, nbest=wanted).nbest(wanted or 999)
    if not expected:
        hypotheses = []  # it was the sentence itself
    assert all(expected[hypothesis.words] == pytest.approx(hypothesis.score, abs=1e-5) for hypothesis in hypotheses)
    assert [h.score for h in hypotheses] == pytest.approx(sorted(expected.values(), reverse=True)[:wanted], abs=1e-5)


ARPA = """\\data\\
ngram 1=6
ngram 2=4

\\1-grams:
-2.3\t<unk>
-3.0\t<s>\t-0.8
-2.5\t</s>
-1.0\ta\t-0.1
-0.3\tc\t-0.9
-1.5\td\t-0.2

\\2-grams:
-2.8\ta a
-0.9\t<s> c
-2.7\tc a
-0.4\td a

\\end\\
"""


@pytest.mark.parametrize("pop_limit", [0, 10**6])
def test_every_tree_is_found(tmp_path: Path, pop_limit: int) -> None:
    """Four words have five binary trees, and one of the words two outputs. Nodes are bettered while they wait."""
    (tmp_path / "m.arpa").write_text(ARPA)
    rules = [Rule("X", ("c",), ("d",))]
    grammars = [Grammar.from_rules(rules, "pt", 2), Grammar.from_rules(GLUES["around"], "glue", 50)]
    models = [LanguageModel(tmp_path / "m.arpa")]
    result = Decoder(grammars, models, {"lm_0": 0.8}, Settings(pop_limit=pop_limit)).decode(list("daca"))
    assert len(result.nbest(1000, unique=False)) == 10
    assert sorted(hypothesis.text for hypothesis in result.nbest(1000)) == ["d a c a", "d a d a"]


@pytest.mark.parametrize("first", ["X", "Y"])
def test_a_cycle_of_unary_rules_is_cut_where_words_pass_through(first: str, caplog: pytest.LogCaptureFixture) -> None:
    """What glue asks for gets all: [X] may come from [Y], whichever the grammar has first."""
    words = [Rule("X", ("a",), ("z",)), Rule("Y", ("a",), ("b",), {"f": 5.0})]
    cycle = [Rule("X", ("[Y,1]",), ("[Y,1]",)), Rule("Y", ("[X,1]",), ("[X,1]",))]
    rules = [*words, *cycle] if first == "X" else [*reversed(words), *reversed(cycle)]
    grammars = [Grammar.from_rules(rules, "pt", 10), Grammar.from_rules(GLUE, "glue", -1)]
    with caplog.at_level(logging.WARNING):
        decoder = Decoder(grammars, [], {"f": 1.0})
    assert "unary rules form a cycle, which is cut where one leads back, as [Y] -> [X,1] (pt) may" in caplog.text
    best, *others = decoder.translate(["a"], 9)
    assert (best.text, best.score) == ("b", 5.0)
    assert sorted(hypothesis.text for hypothesis in others) == ["a", "z"]


def test_unary_rules_may_be_many() -> None:
    chain = [Rule(f"L{n}", (f"[L{n + 1},1]",), (f"[L{n + 1},1]",)) for n in range(3000)]
    rules = [Rule("L3000", ("a",), ("b",), {"f": 1.0}), *chain, Rule("X", ("[L0,1]",), ("[L0,1]",))]
    decoder = Decoder([Grammar.from_rules(rules, "pt", 10), Grammar.from_rules(GLUE, "glue", -1)], [], WEIGHTS)
    (hypothesis,) = decoder.translate(["a"])
    assert hypothesis.text == "b"
    assert len(hypothesis.derivation) == 3005


def test_outputs_that_leave_out_one_of_many_like_words_are_found_once() -> None:
    """2^60 derivations of 61 outputs: whichever of the dots goes, the output is the same."""
    rules = [Rule("X", (".",), (), {"f": -0.3})]
    decoder = Decoder([Grammar.from_rules(rules, "pt", 10), Grammar.from_rules(GLUE, "glue", -1)], [], WEIGHTS)
    hypotheses = decoder.translate(["a", *["."] * 60], 100)
    assert [len(hypothesis.words) for hypothesis in hypotheses] == list(range(61, 0, -1))
    assert [h.score for h in hypotheses] == pytest.approx([-0.1 * 61 - 0.3 * gone for gone in range(61)])
