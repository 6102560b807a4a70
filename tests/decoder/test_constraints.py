"""Constraints, forced decoding, feature functions and input that a decoder must survive."""

from __future__ import annotations

import logging
import math
import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sbmt.decoder.decoder import Decoder
from sbmt.decoder.hypothesis import Constraint
from sbmt.decoder.penalties import OovPenalty, PhrasePenalty, WordPenalty
from sbmt.decoder.phrase import PhraseDecoder
from sbmt.decoder.settings import Settings
from sbmt.errors import SbmtError
from sbmt.features.sentence.application import Application, Value
from sbmt.lm.model import LanguageModel
from sbmt.ppdb.grammar import Grammar
from sbmt.ppdb.rule import Rule
from tests.decoder.brute_force import GLUE, best_outputs, write_arpa

RULES = [
    Rule("X", ("a",), ("b",), {"f": -1.0}),
    Rule("X", ("a", "b"), ("c", "d"), {"f": -3.0}),
    Rule("X", ("b",), ("e",), {"f": -1.0}),
    Rule("X", ("[X,1]", "b"), ("f", "[X,1]"), {"f": -5.0}),
]
WEIGHTS = {"f": -1.0, "OOVPenalty": -1.0, "lm_0": 0.5}


def decoder_of(rules: Sequence[Rule], models: Sequence[LanguageModel] = (), **options: object) -> Decoder:
    grammars = [Grammar.from_rules(rules, "pt", 10), Grammar.from_rules(GLUE, "glue", -1)]
    return Decoder(grammars, models, WEIGHTS, Settings(**options), [OovPenalty()])  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> LanguageModel:
    return LanguageModel(write_arpa(tmp_path_factory.mktemp("lm") / "m.arpa", 11), "lm_0")


def test_constraint_keeps_words_and_blocks_rules() -> None:
    free = decoder_of(RULES).translate(["a", "b"], nbest=20)
    assert free[0].text == "f b"
    kept = decoder_of(RULES).translate(["a", "b"], nbest=20, constraints=[Constraint(1, 2)])
    assert {h.text for h in kept} == {"b b", "a b"}


def test_constraint_gives_output_inside_a_rule_with_a_gap() -> None:
    hypotheses = decoder_of(RULES).translate(["a", "x", "b"], nbest=20, constraints=[Constraint(0, 2, ("Q", "R"))])
    assert hypotheses[0].text == "f Q R"
    assert all("Q R" in hypothesis.text for hypothesis in hypotheses)
    assert [step.target_span for step in hypotheses[0].derivation if step.rule.target == ("Q", "R")] == [(1, 3)]


def test_a_language_model_scores_a_word_with_a_space_as_one(model: LanguageModel) -> None:
    hypotheses = decoder_of(RULES, [model]).translate(["a", "b"], nbest=20, constraints=[Constraint(1, 2, ("c d",))])
    assert {hypothesis.words for hypothesis in hypotheses} == {("b", "c d"), ("a", "c d")}
    for hypothesis in hypotheses:
        assert hypothesis.features["lm_0"] == pytest.approx(sum(model.word_scores(hypothesis.words)))


@pytest.mark.parametrize("word", [" a", "\ta", "a ", "\u00a0a"])
def test_a_language_model_scores_a_first_word_with_white_space_as_one(model: LanguageModel, word: str) -> None:
    (only,) = decoder_of(RULES, [model]).translate(["q"], constraints=[Constraint(0, 1, (word,))])
    assert only.words == (word,)
    assert only.features["lm_0"] == pytest.approx(sum(model.word_scores([word])))
    assert only.score == pytest.approx(WEIGHTS["lm_0"] * only.features["lm_0"])


def test_a_constraint_fills_gaps_of_its_label_and_of_any_word() -> None:
    rules = [*RULES, Rule("X", ("[NNP,1]", "b"), ("g", "[NNP,1]"), {"f": -1.0})]
    hypotheses = decoder_of(rules).decode(["Ann", "b"], constraints=[Constraint(0, 1, label="NNP")]).nbest(20)
    assert {hypothesis.text for hypothesis in hypotheses} == {"f Ann", "g Ann", "Ann b", "Ann e"}


@pytest.mark.parametrize(
    ("constraints", "message"),
    [
        ([Constraint(0, 3)], "does not lie in the sentence of 2 words"),
        ([Constraint(1, 1)], "does not lie in the sentence"),
        ([Constraint(0, 2), Constraint(1, 2)], "overlaps the one before it"),
    ],
)
def test_impossible_constraints_are_explained(constraints: list[Constraint], message: str) -> None:
    with pytest.raises(SbmtError, match=message):
        decoder_of(RULES).decode(["a", "b"], constraints=constraints)


def test_what_a_constraint_gives_is_aligned_with_nothing() -> None:
    """Not even what it keeps: none says which word is which; a word passed through is aligned with itself."""
    best = decoder_of([]).translate(["a", "b", "c"], constraints=[Constraint(0, 1, ("Q", "R")), Constraint(1, 2)])[0]
    assert best.text == "Q R b c"
    assert [point for step in best.derivation for point in step.alignment] == [(2, 3)]


@settings(max_examples=25, deadline=None, derandomize=True)
@given(st.lists(st.sampled_from("ab"), min_size=1, max_size=4), st.integers(0, 100))
def test_forced_decoding_finds_the_best_derivation_of_a_target(
    model: LanguageModel, words: list[str], pick: int
) -> None:
    decoder = decoder_of(RULES, [model], pop_limit=1)  # which holds for free outputs only
    rules = [*((rule, 10) for rule in RULES), *((rule, -1) for rule in GLUE)]
    possible = best_outputs(words, rules, WEIGHTS, model)
    target = sorted(possible)[pick % len(possible)]
    forced = decoder.search(decoder.parse(words), target)
    assert [hypothesis.words for hypothesis in forced.nbest(5)] == [target]
    assert forced.nbest(1)[0].score == pytest.approx(possible[target], abs=1e-5)
    impossible = decoder.search(decoder.parse(words), [*target, "zzz"])
    assert not impossible.complete


@pytest.mark.parametrize("written", [(), ("<s>",), ("</s>",)])
def test_forced_decoding_compares_all_of_it_where_the_goal_writes_no_marks(written: tuple[str, ...]) -> None:
    target = (*written, "[X,1]") if written == ("<s>",) else ("[X,1]", *written)
    glue = Rule("GOAL", ("<s>", "[X,1]", "</s>"), target)
    decoder = Decoder([Grammar.from_rules([glue, Rule("X", ("a",), ("b", "c"))], "pt", 9)], [], {})
    forest = decoder.parse(["a"])
    for output in (["a"], ["b", "c"]):
        assert [hypothesis.words for hypothesis in decoder.search(forest, output).nbest(5)] == [tuple(output)]
    for output in (["a", "zzz"], ["zzz", "a"], ["b"], ["b", "c", "a"], ["c"]):
        assert not decoder.search(forest, output).complete


class StartsWith:
    """Counts applications at the start of the sentence: a feature that needs the place, not the rule alone."""

    def values(self, sentence: Sequence[str], applications: Sequence[Application]) -> Iterable[Value]:
        for number, application in enumerate(applications):
            if application.span == (0, 1) and application.owner == "pt":
                yield number, f"First_{sentence[0]}", 2.0


def test_stateless_features_see_the_place() -> None:
    decoder = decoder_of([Rule("X", ("a",), ("b",)), Rule("X", ("a",), ("c",))])
    decoder = Decoder(decoder.grammars, [], {"First_a": 1.0}, Settings(), [StartsWith(), WordPenalty()])
    hypothesis = decoder.translate(["a", "a"])[0]
    assert hypothesis.features["First_a"] == 2.0
    assert hypothesis.score == pytest.approx(2.0)
    assert hypothesis.features["WordPenalty"] == pytest.approx(-4 * 0.4342945)
    assert sum(step.score for step in hypothesis.derivation) == pytest.approx(2.0)


class NoRepeats:
    """Counts "q", and forbids a word right after itself."""

    name = "q"

    def states(self) -> NoRepeats:
        self._ends: list[tuple[str, ...]] = []
        return self

    def combine(self, target: Sequence[str | int], tails: Sequence[int]) -> tuple[float, int]:
        words = [
            word for symbol in target for word in ([symbol] if isinstance(symbol, str) else self._ends[tails[symbol]])
        ]
        value = float(sum(symbol == "q" for symbol in target))
        self._ends.append((*words[:1], *words[-1:]))
        inner = [self._ends[tails[symbol]] if isinstance(symbol, int) else (symbol, symbol) for symbol in target]
        parts = [ends for ends in inner if ends]
        clash = any(left[-1] == right[0] for left, right in pairwise(parts))
        return -math.inf if clash else value, len(self._ends) - 1

    def score(self, words: Sequence[str]) -> float:
        return float(list(words).count("q"))


@pytest.mark.parametrize("pop_limit", [0, 100])
@pytest.mark.parametrize("weight", [1.0, 0.0, -1.0])
def test_what_a_feature_forbids_is_forbidden_whatever_its_weight(weight: float, pop_limit: int) -> None:
    rules = [Rule("X", ("a",), ("q",), {"f": -2.0}), Rule("X", ("a",), ("r",), {"f": -0.5})]
    decoder = decoder_of(rules, [NoRepeats()], pop_limit=pop_limit)  # type: ignore[list-item]
    decoder.weights = {**WEIGHTS, "q": weight}
    worth = {"a": -1.0, "q": 2.0, "r": 0.5}
    expected = {(x, y): worth[x] + worth[y] + weight * (x, y).count("q") for x in worth for y in worth if x != y}
    scores = {hypothesis.words: hypothesis.score for hypothesis in decoder.decode(["a", "a"]).nbest(20)}
    assert scores == pytest.approx(expected)
    assert decoder.translate(["a", "a"])[0].score == pytest.approx(max(expected.values()))


def test_what_a_feature_forbids_is_forbidden_in_stacks() -> None:
    """Where nothing else is possible there is no output."""
    grammar = Grammar.from_rules(
        [Rule("X", ("a",), ("q",)), Rule("X", ("a",), ("r",)), Rule("X", ("b",), ("q",))], "pt", 5
    )
    decoder = PhraseDecoder([grammar], [NoRepeats()], {"q": 1.0})
    assert {hypothesis.words for hypothesis in decoder.decode(["a", "a"]).nbest(20)} == {("q", "r"), ("r", "q")}
    assert not decoder.decode(["b", "b"]).complete


def test_phrase_penalty_counts_rules_of_its_owner() -> None:
    decoder = decoder_of(RULES)
    decoder = Decoder(decoder.grammars, [], {"PhrasePenalty_pt": 1.0}, Settings(), [PhrasePenalty("pt")])
    assert decoder.translate(["a", "b"])[0].features["PhrasePenalty_pt"] == 2.0


def test_phrase_penalty_of_words_passed_through_does_not_count_constraints() -> None:
    decoder = Decoder(decoder_of([]).grammars, [], {"PhrasePenalty_oov": 1.0}, Settings(), [PhrasePenalty("oov")])
    [best] = decoder.translate(["a", "b", "c"], constraints=[Constraint(0, 1), Constraint(2, 3, ("d",))])
    assert [step.owner for step in best.derivation if step.owner != "glue"] == ["constraint", "oov", "constraint"]
    assert best.features["PhrasePenalty_oov"] == best.score == 1.0


def test_unreachable_goal_returns_the_sentence(caplog: pytest.LogCaptureFixture) -> None:
    decoder = Decoder([Grammar.from_rules(RULES, "pt", 10)], [], WEIGHTS)
    with caplog.at_level(logging.WARNING):
        result = decoder.decode(["a", "b"])
    assert not result.complete
    assert [(h.words, h.score, h.features, h.derivation) for h in result.nbest(3)] == [(("a", "b"), 0.0, {}, [])]
    assert result.nbest_features(3)[0] == ["a b"]
    assert [hypothesis.words for hypothesis in decoder.translate(["a", "b"])] == [("a", "b")]
    assert "no derivation reaches [GOAL]: a b" in caplog.text


def test_the_target_of_a_constraint_is_no_text() -> None:
    with pytest.raises(TypeError, match="the target of a constraint is a list of words, not the text 'a b'"):
        Constraint(0, 1, "a b")  # type: ignore[arg-type]


@pytest.mark.parametrize("length", [4, 6])
def test_few_pops_that_leave_nothing_are_more(length: int) -> None:
    """Over every span there is a better item that leads nowhere; a pop limit of 2 leaves nothing else."""
    rules = [Rule("X", ("[X,1]", "[X,2]"), ("[X,1]", "[X,2]"), {"f": 1.0})]
    rules += [Rule("S", ("[X,1]", "[X,2]"), ("[X,1]", word, "[X,2]"), {"f": -1.0}) for word in "uvwxyz"]
    glue = [Rule("GOAL", ("<s>", "[X,1]", "</s>"), ("<s>", "[X,1]", "</s>"))]
    grammars = [Grammar.from_rules(rules, "pt", 20), Grammar.from_rules(glue, "glue", -1)]
    decoder = Decoder(grammars, [], {"f": -1.0}, Settings(pop_limit=2))
    result = decoder.decode(["a"] * length)
    assert result.complete
    assert result.nbest(1)[0].score == pytest.approx(1.0 - length)


def test_cyclic_unary_rules_end() -> None:
    cycle = [Rule(lhs, (f"[{gap},1]",), (f"[{gap},1]",), {"f": 1.0}) for lhs, gap in ("XY", "YX", "YZ", "ZY")]
    rules = [Rule("Z", ("a",), ("b",)), *cycle]
    hypotheses = decoder_of(rules, pop_limit=0).translate(["a"], nbest=10)
    assert [hypothesis.text for hypothesis in hypotheses] == ["a", "b"]
    assert [step.rule.lhs for step in hypotheses[1].derivation if step.owner == "pt"] == ["X", "Y", "Z"]


def test_a_rule_from_a_label_to_itself_is_left_out() -> None:
    rules = [Rule("X", ("[X,1]",), ("again", "[X,1]")), Rule("X", ("a",), ("b",))]
    assert {hypothesis.text for hypothesis in decoder_of(rules, pop_limit=0).translate(["a"], nbest=10)} == {"a", "b"}


def test_label_that_nothing_produces_and_label_that_nothing_uses() -> None:
    rules = [*RULES, Rule("X", ("a", "[NP,1]"), ("z", "[NP,1]")), Rule("VP", ("a",), ("z",))]
    assert "z" not in " ".join(h.text for h in decoder_of(rules).translate(["a", "b"], nbest=50))


@pytest.mark.parametrize("words", [["<s>"], ["</s>", "a"], ["[X,1]"], ["[X]", "|||"], ["%s", "a b"], ["😀"]])
def test_odd_tokens_pass_through(model: LanguageModel, words: list[str]) -> None:
    hypothesis = decoder_of([], [model]).translate(words)[0]
    assert hypothesis.words == tuple(words)
    assert len(hypothesis.derivation) == 2 * len(words) + 2


@pytest.mark.parametrize("words", [["a", "<s>", "b"], ["x", "</s>"], ["<s>"]])
def test_words_spelt_like_marks_are_words(model: LanguageModel, words: list[str]) -> None:
    decoder = decoder_of([], [model])
    (hypothesis,) = decoder.translate(words)
    assert hypothesis.score == pytest.approx(
        sum(WEIGHTS.get(name, 0.0) * value for name, value in hypothesis.features.items())
    )
    assert sorted(point for step in hypothesis.derivation for point in step.alignment) == [
        (n, n) for n in range(len(words))
    ]
    assert decoder.search(decoder.parse(words), words).nbest(1)[0].words == tuple(words)
    marking = decoder_of([], mark_oovs=True)
    marked = tuple(word + "_OOV" for word in words)
    assert marking.translate(words)[0].words == marked
    assert marking.search(marking.parse(words), marked).nbest(1)[0].words == marked


def test_empty_sentence() -> None:
    result = decoder_of(RULES).decode([])
    assert [(h.words, h.score) for h in result.nbest(5)] == [((), 0.0)]


def test_long_sentence_is_cut_only_when_told(caplog: pytest.LogCaptureFixture) -> None:
    assert len(decoder_of(RULES).translate(["x"] * 1500)[0].words) == 1500
    with caplog.at_level(logging.WARNING):
        assert len(decoder_of(RULES, max_words=3).translate("v w x y z".split())[0].words) == 3
    assert re.search(r"a sentence of 5 words is cut to 3 \(max_words; .*\): v w x y z", caplog.text)
    constraints = [Constraint(0, 1), Constraint(2, 4, ("Q",)), Constraint(4, 5)]
    assert decoder_of(RULES, max_words=3).translate(["a"] * 5, 1, constraints)[0].words == ("a", "b", "Q")


@pytest.mark.parametrize("many", [-1, 10**9])
def test_unknown_words_only(many: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """`many` lets dots stand in arrays, or not."""
    monkeypatch.setattr("sbmt.decoder.parsing.grammar_view._MANY_LABELS", many)
    hypotheses = decoder_of(RULES, pass_only_unknown=True).translate(["a", "x"], nbest=10)
    assert {hypothesis.text for hypothesis in hypotheses} == {"b x"}
    assert decoder_of(RULES, mark_oovs=True).translate(["x"])[0].text == "x_OOV"


def test_span_limits_count_the_words_that_a_constraint_keeps() -> None:
    rules = [Rule("X", ("a", "[X,1]"), ("A", "[X,1]"), {"f": 1.0})]
    for limit, expected in ((4, "A b c d"), (3, "a b c d")):
        grammars = [Grammar.from_rules(rules, "pt", limit), Grammar.from_rules(GLUE, "glue", -1)]
        decoder = Decoder(grammars, [], {"f": 1.0})
        (best,) = decoder.translate("a b c d".split(), constraints=[Constraint(1, 4)])
        assert best.text == expected
