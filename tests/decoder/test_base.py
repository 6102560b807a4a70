"""What both decoders promise, which a program may rely on whichever it was given."""

from __future__ import annotations

import logging
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

import pytest

from sbmt.decoder.base import ForestDecoder
from sbmt.decoder.decoder import Decoder
from sbmt.decoder.penalties import PhrasePenalty
from sbmt.decoder.phrase import PhraseDecoder
from sbmt.decoder.search.forced import ForcedTarget
from sbmt.errors import SbmtError
from sbmt.features.sentence.application import Application, Value
from sbmt.lm.model import LanguageModel
from sbmt.ppdb.glue import glue_rules
from sbmt.ppdb.grammar import Grammar
from sbmt.ppdb.rule import Rule
from tests.decoder.brute_force import write_arpa

RULES = [
    Rule("X", ("a",), ("b",), {"f": 0.5}),
    Rule("X", ("a",), ("c",), {"f": 0.7}),
    Rule("X", ("a", "[Z,1]"), ("d", "[Z,1]")),
]
WEIGHTS = {"f": -1.0, "lm_0": 0.5}
KINDS = pytest.mark.parametrize("kind", [Decoder, PhraseDecoder])


class Sevens:
    """The feature `Seven`, 7 for every application that writes "c"."""

    names = ("Seven",)

    def values(self, sentence: Sequence[str], applications: Sequence[Application]) -> Iterator[Value]:
        for number, application in enumerate(applications):
            if application.target == ("c",):
                yield number, "Seven", 7.0


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> LanguageModel:
    return LanguageModel(write_arpa(tmp_path_factory.mktemp("lm") / "m.arpa", 5))


def decoder_of(kind: type[Decoder | PhraseDecoder], models: Iterable[LanguageModel | ForcedTarget]) -> ForestDecoder:
    rules = Grammar.from_rules(RULES, "pt", 5)
    glue = Grammar.from_rules(list(glue_rules(["X"], "GOAL")), "glue", -1)
    return kind([rules] if kind is PhraseDecoder else [rules, glue], list(models), WEIGHTS)


def outputs(decoder: ForestDecoder, words: str) -> list[tuple[str, float]]:
    return [(hypothesis.text, hypothesis.score) for hypothesis in decoder.translate(list(words), nbest=9)]


@KINDS
def test_weights_of_nothing_are_named_once(
    kind: type[Decoder | PhraseDecoder], model: LanguageModel, caplog: pytest.LogCaptureFixture
) -> None:
    decoder = decoder_of(kind, [model]).with_feature(Sevens(), "Seven", 1.0)
    decoder.weights = {**decoder.weights, "typo": 2.0, "slip": 1.0, "nothing": 0.0}
    decoder.weights |= dict.fromkeys(decoder.search_features, 1.0)
    with caplog.at_level(logging.WARNING):
        decoder.translate(["x"])
        decoder.translate(["a"])
    warnings = [record.getMessage() for record in caplog.records]
    assert warnings == ["weights for features that nothing here has: slip, typo"]


@KINDS
def test_a_feature_more_leaves_the_decoder_as_it_was(kind: type[Decoder | PhraseDecoder], model: LanguageModel) -> None:
    decoder, function = decoder_of(kind, [model]), Sevens()
    before = dict(outputs(decoder, "a"))
    extended = decoder.with_feature(function, "Seven", 0.25)
    assert type(extended) is kind
    assert extended.feature_functions == [function]
    assert dict(outputs(extended, "a")) == pytest.approx({**before, "c": before["c"] + 0.25 * 7.0})
    assert dict(outputs(decoder, "a")) == before
    assert (decoder.feature_functions, decoder.weights) == ([], WEIGHTS)


@KINDS
def test_a_feature_of_rules_more(kind: type[Decoder | PhraseDecoder]) -> None:
    extended = decoder_of(kind, []).with_feature(PhrasePenalty("pt"), "PhrasePenalty_pt", 100.0)
    [best] = extended.translate(["a", "a"])
    assert (best.text, best.score) == ("b b", -0.5 - 0.5 + 2 * 100.0)
    assert best.features == {"f": 1.0, "PhrasePenalty_pt": 2.0}


@KINDS
def test_no_output_cannot_be_asked_for(kind: type[Decoder | PhraseDecoder]) -> None:
    decoder = decoder_of(kind, [])
    forest = decoder.parse(["a"])
    for call in (lambda: decoder.translate(["a"], nbest=-3), lambda: decoder.search(forest, nbest=-3)):
        with pytest.raises(SbmtError, match="nbest=-3: at least 1"):
            call()
    result = decoder.search(forest)
    for ask in (result.nbest, result.nbest_features):
        with pytest.raises(SbmtError, match="k=0: at least 1"):
            ask(0)


def test_labels_that_nothing_makes_are_told(caplog: pytest.LogCaptureFixture) -> None:
    grammars = [Grammar.from_rules(RULES, "pt", 20), Grammar.from_rules(glue_rules(["X"], "GOAL"), "glue", -1)]
    decoder = Decoder(grammars, [], WEIGHTS)
    decoder.warn_of_idle_rules(["Z"])
    decoder.warn_of_idle_rules(["X"])
    assert caplog.messages == ["no rule makes [Z] (1 in all); rules with such gaps never apply"]


@KINDS
@pytest.mark.parametrize("remembered", [0, 50_000])
def test_what_is_remembered_or_forgotten_changes_nothing(
    kind: type[Decoder | PhraseDecoder], model: LanguageModel, monkeypatch: pytest.MonkeyPatch, remembered: int
) -> None:
    monkeypatch.setattr("sbmt.decoder.base.ForestDecoder.most_remembered", remembered)
    decoder, texts = decoder_of(kind, [model]), ("aba", "xa", "aba")
    remembering = [outputs(decoder, text) for text in texts]
    for text, expected in zip(texts, remembering, strict=True):
        decoder.forget()
        assert outputs(decoder, text) == expected


class _Counting(LanguageModel):
    """A language model that counts what it is asked."""

    asked = 0

    @property
    def step(self) -> Callable[[object, str], tuple[float, Hashable]]:
        step = super().step

        def counted(context: object, word: str) -> tuple[float, Hashable]:
            self.asked += 1
            return step(context, word)

        return counted


@KINDS
def test_the_next_sentence_forgets_and_searching_again_does_not(
    kind: type[Decoder | PhraseDecoder], model: LanguageModel
) -> None:
    model = _Counting(model.path)
    decoder = decoder_of(kind, [model])
    forest = decoder.parse(["a"])
    decoder.search(forest)
    once = model.asked
    decoder.most_remembered = decoder._memory.joiner.size  # as many as it has now
    decoder.search(forest)
    assert model.asked == once > 0
    decoder.decode(["a"])
    assert model.asked == 2 * once


@KINDS
def test_new_weights_count_from_the_next_search(kind: type[Decoder | PhraseDecoder], model: LanguageModel) -> None:
    decoder = decoder_of(kind, [model])
    forest = decoder.parse(["a"])
    for weight in (1.0, 2.0):
        decoder.weights = {"f": weight}
        (best, *_) = decoder.search(forest, nbest=9, narrow=True).nbest(9)
        assert (best.text, best.score) == ("c", pytest.approx(0.7 * weight))
        assert [(h.text, h.score) for h in decoder.decode(["a"], nbest=9).nbest(9)] == outputs(decoder, "a")


@pytest.mark.parametrize("target", [["q"], ["b", "x", "q"]])  # forbids a word at once, and "b x" at its end
@pytest.mark.parametrize(
    ("kind", "problem"),
    [(Decoder, "no derivation reaches [GOAL]"), (PhraseDecoder, "no translation within the distortion limit")],
)
def test_a_sentence_without_a_derivation_comes_back(
    kind: type[Decoder | PhraseDecoder], problem: str, target: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    (hypothesis,) = decoder_of(kind, [ForcedTarget(target)]).translate(["a", "x"], nbest=3)
    assert (hypothesis.words, hypothesis.score, hypothesis.features) == (("a", "x"), 0.0, {})
    assert [text for text in caplog.messages if text.endswith(": a x")] == [f"{problem}: a x"]


@KINDS
def test_a_text_is_no_list_of_words(kind: type[Decoder | PhraseDecoder]) -> None:
    decoder = decoder_of(kind, [])
    for call in (decoder.translate, decoder.parse, decoder.decode):
        with pytest.raises(TypeError, match="a sentence is a list of words, not the text 'a b'"):
            call("a b")
