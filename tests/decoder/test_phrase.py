"""Phrase-based decoding against enumeration of all segmentations and orders."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sbmt.baselines.pbmt_r import Dissimilar
from sbmt.decoder.hypothesis import Constraint
from sbmt.decoder.penalties import OovPenalty
from sbmt.decoder.phrase import PhraseDecoder
from sbmt.decoder.settings import PhraseSettings
from sbmt.lm.model import LanguageModel
from sbmt.model import Model
from sbmt.ppdb.grammar import Grammar
from sbmt.ppdb.rule import Rule
from tests.decoder.brute_force import write_arpa

RULES = [
    Rule("X", ("a",), ("b",), {"f": 0.5}, ((0, 0),)),
    Rule("X", ("a",), ("c", "d"), {"f": 0.2}),
    Rule("X", ("b",), ("a",), {"f": 0.1}),
    Rule("X", ("b", "a"), ("e",), {"f": 0.7}),
    Rule("X", ("c",), ("f",), {"f": 0.3}, ((0, 0),)),
    Rule("X", ("b", "x"), ("f", "b"), {"f": 0.3}),
]
WEIGHTS = {"f": -1.0, "lm_0": 0.6, "Distortion": 0.4, "OOVPenalty": -1.0}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> LanguageModel:
    return LanguageModel(write_arpa(tmp_path_factory.mktemp("lm") / "m.arpa", 21), "lm_0")


def decoder_of(model: LanguageModel, limit: int, stack: int = 10**6) -> PhraseDecoder:
    settings_ = PhraseSettings(distortion_limit=limit, stack_size=stack)
    return PhraseDecoder([Grammar.from_rules(RULES, "pt", 5)], [model], WEIGHTS, settings_, [OovPenalty()])


def enumerate_all(words: Sequence[str], limit: int) -> Iterator[tuple[tuple[str, ...], float]]:
    """Outputs and scores without the language model; a jump over the limit, or one that could not be undone, is out."""
    n = len(words)

    def expand(
        covered: frozenset[int], end: int, output: tuple[str, ...], score: float
    ) -> Iterator[tuple[tuple[str, ...], float]]:
        if len(covered) == n:
            yield output, score
            return
        gap = min(set(range(n)) - covered)
        for i in range(n):
            for j in range(i + 1, n + 1):
                span = set(range(i, j))
                fits = limit < 0 or (abs(i - end) <= limit and (i == gap or j - gap <= limit))
                if covered & span or not fits:
                    continue
                source = tuple(words[i:j])
                options = [(rule.target, -rule.features["f"]) for rule in RULES if rule.source == source]
                if j == i + 1 and not options:
                    options = [(source, -1.0)]
                for target, value in options:
                    yield from expand(covered | span, j, output + target, score + value - 0.4 * abs(i - end))

    yield from expand(frozenset(), 0, (), 0.0)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(words=st.lists(st.sampled_from("abcx"), min_size=1, max_size=4), limit=st.sampled_from([-1, 0, 1, 2, 3]))
@example(words=list("acxb"), limit=3)  # gaps of several words that no phrase covers alone
@example(words=list("xcab"), limit=-1)
def test_large_stacks_find_what_enumeration_finds(model: LanguageModel, words: list[str], limit: int) -> None:
    expected: dict[tuple[str, ...], float] = {}
    for output, score in enumerate_all(words, limit):
        total = score + 0.6 * model.score(output)
        expected[output] = max(total, expected.get(output, total))
    hypotheses = decoder_of(model, limit).translate(words, nbest=10_000)
    assert {h.words: h.score for h in hypotheses} == pytest.approx(expected, abs=1e-5)
    for hypothesis in hypotheses:
        assert hypothesis.score == pytest.approx(sum(WEIGHTS[n] * v for n, v in hypothesis.features.items()), abs=1e-5)


def test_small_stacks_are_no_better(model: LanguageModel) -> None:
    words = list("abcab")
    full = decoder_of(model, 3).translate(words)[0].score
    assert decoder_of(model, 3, stack=2).translate(words)[0].score <= full + 1e-9


@pytest.mark.parametrize("words", ["abcab", "xbxba", "abxaxb", "bbxaaab"])
@pytest.mark.parametrize("limit", [0, 2, 3, -1])
def test_a_stack_of_one_is_enough_where_phrases_alone_count(words: str, limit: int) -> None:
    """What is left is then estimated exactly, so what ranks first in a stack is part of the best."""
    weights = {"f": -1.0, "OOVPenalty": -1.0}
    stack = PhraseSettings(distortion_limit=limit, stack_size=1)
    decoder = PhraseDecoder([Grammar.from_rules(RULES, "pt", 5)], [], weights, stack, [OovPenalty()])
    best = max(score for _, score in enumerate_all(words, 0))  # other orders have the same scores
    assert decoder.translate(list(words))[0].score == pytest.approx(best)


def test_a_stack_counts_what_differs(model: LanguageModel) -> None:
    """Two grammars write "b" for "a": that is one hypothesis, and leaves room for "c" in a stack of two."""
    rules = [Rule("X", ("a",), ("b",), {"f": 1.0}), Rule("X", ("a",), ("c",), {"f": 5.0})]
    grammars = [Grammar.from_rules(rules, "pt", 5), Grammar.from_rules(rules[:1], "qt", 5)]
    decoder = PhraseDecoder(grammars, [model], {"f": -1.0, "lm_0": 1e-3}, PhraseSettings(stack_size=2))
    assert [hypothesis.text for hypothesis in decoder.decode(["a"], nbest=5).nbest(5)] == ["b", "c"]


def test_the_phrases_tried_are_those_that_the_model_likes_too(tmp_path: Path) -> None:
    """By their own costs "p" is better by 1; the model has it ln 100 = 4.6 behind."""
    (tmp_path / "m.arpa").write_text(
        "\\data\\\nngram 1=5\nngram 2=1\n\n\\1-grams:\n-9\t<unk>\n-99\t<s>\n-1\t</s>\n-3\tp\n-1\tq\n\n"
        "\\2-grams:\n-1\tp q\n\n\\end\\\n"
    )
    rules = [Rule("X", ("a",), ("p",), {"f": 0.0}), Rule("X", ("a",), ("q",), {"f": 1.0})]
    decoder = PhraseDecoder(
        [Grammar.from_rules(rules, "pt", 5)],
        [LanguageModel(tmp_path / "m.arpa", "lm_0")],
        {"f": -1.0, "lm_0": 1.0},
        PhraseSettings(options_per_span=1),
    )
    assert [hypothesis.text for hypothesis in decoder.translate(["a"], nbest=5)] == ["q"]


def test_derivation_is_in_output_order(model: LanguageModel) -> None:
    decoder = decoder_of(model, 6)
    decoder.weights = {"Distortion": -1.0}  # jump as far as possible
    hypothesis = decoder.translate(["a", "x", "c"])[0]
    spans = [step.span for step in hypothesis.derivation]
    assert hypothesis.features["Distortion"] == -sum(
        abs(i - before) for (i, _), before in zip(spans, [0, *(j for _, j in spans)], strict=False)
    )
    assert [hypothesis.words[i:j] for i, j in (s.target_span for s in hypothesis.derivation)] == [
        step.rule.target for step in hypothesis.derivation
    ]


def test_constraints_hold(model: LanguageModel) -> None:
    hypotheses = decoder_of(model, 3).translate(["b", "a", "c"], nbest=50, constraints=[Constraint(1, 2, ("Z", "Z"))])
    assert len(hypotheses) > 1
    assert all("Z Z" in hypothesis.text and "e" not in hypothesis.words for hypothesis in hypotheses)


def test_rules_with_gaps_are_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "rules").write_text("[X] ||| a [X,1] ||| b [X,1] ||| f=1\n[X] ||| a ||| b ||| f=1\n")
    (tmp_path / "phrases").write_text("[X] ||| a ||| c ||| f=1\n")
    text = "format: 1\ndecoder: {kind: phrase}\ngrammars: [{path: rules}, {path: phrases}]\nweights: {f: 1}\n"
    (tmp_path / "model.yaml").write_text(text)
    Model.load(tmp_path).translator()
    assert caplog.messages == [f"{tmp_path}/rules has rules with gaps, which phrase-based decoding never applies"]


def test_empty_sentence(model: LanguageModel) -> None:
    assert decoder_of(model, 3).translate([])[0].words == ()


def test_one_word_again_and_again_has_one_output() -> None:
    """In however many orders it may be put: a list that asks for more must still end."""
    decoder = PhraseDecoder([Grammar.from_rules(RULES, "pt", 5)], [], {"Distortion": 0.3})
    assert [hypothesis.words for hypothesis in decoder.translate(["z"] * 40, 10)] == [("z",) * 40]


def test_a_text_is_no_list_of_words(model: LanguageModel) -> None:
    with pytest.raises(TypeError, match="a sentence is a list of words, not the text 'a b'"):
        Dissimilar(decoder_of(model, 2), 3).translate("a b")
