"""What a program may give to language models by mistake."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sbmt.errors import SbmtError
from sbmt.lm.arpa import write_arpa
from sbmt.lm.counts import count_text
from sbmt.lm.kneser_ney import estimate
from sbmt.lm.mixture import mix, mixture_weights
from sbmt.lm.model import LanguageModel
from sbmt.lm.perplexity import perplexity

HALF = "\ud800"  # of a surrogate pair
COUNTS = count_text(["a b c", "a b"], 3)
MODEL = estimate(COUNTS)


@pytest.fixture(scope="module")
def arpa(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("lm") / "m.arpa"
    write_arpa(MODEL, path)
    return path


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: count_text("the cat", 2), "a text is a list of lines, not the text 'the cat': split it"),
        (lambda: count_text([["the", "cat"]], 2), r"the text for the language model, line 1: \['the', 'cat'\] is not"),  # type: ignore[list-item]
        (lambda: count_text(["a"], 1.5), "order: 1.5 is not a whole number"),  # type: ignore[arg-type]
        (lambda: estimate(COUNTS, prune=1), "prune: 1 is no Sequence"),  # type: ignore[arg-type]
        (lambda: estimate(COUNTS, prune=(0, 0.5)), "prune: 0.5 is not a whole number"),  # type: ignore[arg-type]
    ],
)
def test_other_kinds_are_named(call: Callable[[], object], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        call()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: count_text(["a"], 0), "order=0: at least 1"),
        (lambda: count_text(["a", HALF], 2, "corpus"), "corpus, line 2: holds half of a surrogate pair"),
        (lambda: estimate(COUNTS, vocabulary_limit=-1), "vocabulary_limit=-1: at least 0"),
        (lambda: mixture_weights([], COUNTS), "there is no model to mix"),
        (lambda: mix([], []), "there is no model to mix"),
        *(
            (lambda weights=weights: mix([MODEL, MODEL], weights), "2 models are mixed by as many weights, which sum")
            for weights in ([1.0], [0.5, 0.6], [2.0, -1.0], [math.nan, 1.0])
        ),
    ],
)
def test_values_that_cannot_be_are_named(call: Callable[[], object], message: str) -> None:
    with pytest.raises(SbmtError, match=message):
        call()


def test_a_text_is_no_list_of_words_or_lines(arpa: Path) -> None:
    model = LanguageModel(arpa)
    for call in (model.score, model.word_scores):
        with pytest.raises(TypeError, match="a sentence is a list of words, not the text 'a b'"):
            call("a b")
    with pytest.raises(TypeError, match="a text is a list of lines, not the text 'a b'"):
        perplexity(arpa, "a b")
    assert model.score(np.array(["a", "b"])) == model.score(["a", "b"])  # type: ignore[arg-type]


@pytest.mark.parametrize("order", [None, 2])
def test_half_of_a_surrogate_pair_is_an_unknown_word(arpa: Path, order: int | None) -> None:
    """No file holds such a word; what follows it is scored as after any other unknown word."""
    model = LanguageModel(arpa, order=order)
    halved, unknown = (["a", word, "b"] for word in (f"x{HALF}", "unheard"))
    assert model.score(halved) == pytest.approx(model.score(unknown))
    assert model.word_scores(halved) == pytest.approx(model.word_scores(unknown))
    assert model.score_texts(["b", " ".join(halved)]) == pytest.approx([model.score(["b"]), model.score(unknown)])
    assert model.ends_no_ngram(HALF)
    with pytest.raises(SbmtError, match="the text to evaluate, line 1: holds half of a surrogate pair"):
        perplexity(arpa, [HALF])


@pytest.mark.parametrize("order", [None, 1])
def test_texts_are_scored_as_their_words_are(arpa: Path, order: int | None) -> None:
    model = LanguageModel(arpa, order=order)
    words = [["a", "b", "c"], [], ["unheard", "a"]]
    expected = [sum(model.word_scores(sentence)) for sentence in words]
    assert model.score_texts(["a b c", "", "unheard a"]) == pytest.approx(expected)
    assert [model.score(sentence) for sentence in words] == pytest.approx(expected)


@pytest.mark.parametrize("words", [["", "a b"], ["\ta"], ["b", "a "], [" a", "b"], ["a\n", "\u00a0b"]])
def test_a_word_with_white_space_is_one_word(arpa: Path, words: list[str]) -> None:
    """An unknown one, as no file can hold it."""
    model = LanguageModel(arpa)
    assert model.score(words) == pytest.approx(sum(model.word_scores(words)))
    unknown = [word if word.isalpha() else "unheard" for word in words]
    assert model.score(words) == pytest.approx(model.score(unknown))


@pytest.mark.parametrize("order", [1.5, "2", True])
def test_an_order_is_a_whole_number(arpa: Path, order: Any) -> None:
    with pytest.raises(TypeError, match=r"order: .* is not a whole number"):
        LanguageModel(arpa, order=order)
