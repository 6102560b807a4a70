"""What a program may give to a decoder by mistake: words, constraints, weights and feature functions."""

from __future__ import annotations

import math
import pickle
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from sbmt.config import ConfigError
from sbmt.decoder.base import ForestDecoder
from sbmt.decoder.decoder import Decoder
from sbmt.decoder.hypothesis import Constraint, Hypothesis
from sbmt.decoder.phrase import PhraseDecoder
from sbmt.errors import ModelError, SbmtError
from sbmt.features.sentence.application import Application, Value
from sbmt.lm.model import LanguageModel
from sbmt.ppdb.glue import glue_rules
from sbmt.ppdb.grammar import Grammar
from sbmt.ppdb.rule import Rule
from tests.decoder.brute_force import write_arpa

RULES = [Rule("X", ("a",), ("b",), {"f": 0.5}), Rule("X", ("a",), ("c",), {"f": 0.7})]
KINDS = pytest.mark.parametrize("kind", [Decoder, PhraseDecoder])


def decoder_of(
    kind: type[Decoder | PhraseDecoder], weights: Any = None, functions: Sequence[Any] = ()
) -> ForestDecoder:
    glue = Grammar.from_rules(list(glue_rules(["X"], "GOAL")), "glue", -1)
    grammars = [Grammar.from_rules(RULES, "pt", 5), *([glue] if kind is Decoder else [])]
    return kind(grammars, [], {"f": -1.0} if weights is None else weights, feature_functions=functions)


@KINDS
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (np.array(["a", "b"]), "a sentence is a list of words, not of the kind ndarray: make it a list"),
        ((word for word in "ab"), "not of the kind generator"),
        ({"a"}, "not of the kind set"),
        (None, "not of the kind NoneType"),
        (["a", 1], "a sentence is a list of words, and 1 is none"),
    ],
)
def test_what_is_no_list_of_words(kind: type[Decoder | PhraseDecoder], words: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        decoder_of(kind).translate(words)


@KINDS
@pytest.mark.parametrize(
    ("word", "problem"), [("a\0b", r"'a\\x00b' has a NUL character, which ends words"), ("", "one of them is empty")]
)
def test_what_is_no_word(kind: type[Decoder | PhraseDecoder], word: str, problem: str) -> None:
    with pytest.raises(SbmtError, match=f"a sentence is a list of words, and {problem}"):
        decoder_of(kind).translate(["a", word])


@KINDS
def test_constraints_and_numbers_of_other_kinds(kind: type[Decoder | PhraseDecoder]) -> None:
    decoder = decoder_of(kind)
    with pytest.raises(TypeError, match=r"constraints: \(0, 1\) is no Constraint"):
        decoder.translate(["a"], constraints=[(0, 1)])  # type: ignore[list-item]
    with pytest.raises(TypeError, match="the target of a constraint is a list of words, and 1 is none"):
        Constraint(0, 1, (1,))  # type: ignore[arg-type]
    for nbest in (1.5, "3"):
        with pytest.raises(TypeError, match=r"nbest: .* is not a whole number"):
            decoder.translate(["a"], nbest=nbest)  # type: ignore[arg-type]


@KINDS
@pytest.mark.parametrize("weight", [math.nan, math.inf, -math.inf, None, "1", True, pytest.param(10**400, id="large")])
def test_weights_are_finite_numbers(kind: type[Decoder | PhraseDecoder], weight: Any) -> None:
    decoder = decoder_of(kind)
    message = f"weights.f: expected a finite number, found {repr(weight)[:9]}"  # of long ones no more is shown
    with pytest.raises(ConfigError, match=message):
        decoder_of(kind, {"f": weight})
    with pytest.raises(ConfigError, match=message):
        decoder.weights = {"f": weight}
    assert decoder.weights == {"f": -1.0}


@KINDS
@pytest.mark.parametrize("weight", [1e307, -1.0000001e9, 10**300])
def test_weights_that_scores_overflow_with_are_refused(kind: type[Decoder | PhraseDecoder], weight: float) -> None:
    """As they are in `model.yaml`, and by Joshua's configurations."""
    message = r"weights\.f: -?[0-9.]+e\+\d+ is beyond 1e\+09: scores would overflow"
    with pytest.raises(ConfigError, match=message):
        decoder_of(kind, {"f": weight})
    decoder = decoder_of(kind, {"f": -1e9})
    with pytest.raises(ConfigError, match=message):
        decoder.weights = {"f": weight}
    assert decoder.weights == {"f": -1e9}


def test_weights_have_names_and_may_be_numpys() -> None:
    with pytest.raises(TypeError, match=r"weights: \[1\.0\] is no Mapping"):
        decoder_of(Decoder, [1.0])
    weights = {"f": np.float32(0.5), "g": np.int64(2)}
    decoder = decoder_of(Decoder, weights)
    weights["f"] = np.float32(math.nan)
    assert [(name, type(weight)) for name, weight in decoder.weights.items()] == [("f", float), ("g", float)]
    assert decoder.translate(["a"])[0].text == "c"


def test_language_models_have_names_of_their_own(tmp_path: Path) -> None:
    model = LanguageModel(write_arpa(tmp_path / "m.arpa", 0))
    with pytest.raises(ModelError, match="two language models are called lm_0: give each its name="):
        Decoder([Grammar.from_rules(RULES, "pt", 5)], [model, model], {})
    for kind, name, models in ((Decoder, "lm_0", [model]), (PhraseDecoder, "Distortion", [])):
        grammar = Grammar.from_rules([Rule("X", ("a",), ("b",), {name: 1.0})], "pt", 5)
        with pytest.raises(ModelError, match=f"rules have a feature {name}, which is also the decoder's own: rename"):
            kind([grammar], models, {})


class Named:
    """A feature function whose feature has a given name."""

    def __init__(self, name: str) -> None:
        self._name = name

    def values(self, sentence: Sequence[str], applications: Sequence[Application]) -> list[Value]:
        return [(0, self._name, 1.0)]


def test_feature_functions_have_names_of_their_own(tmp_path: Path) -> None:
    """Otherwise two features would share a weight, and one of their values be lost."""
    model = LanguageModel(write_arpa(tmp_path / "m.arpa", 0))
    for kind, name in ((Decoder, "lm_0"), (PhraseDecoder, "Distortion")):
        decoder = kind([Grammar.from_rules(RULES, "pt", 5)], [model], {}, feature_functions=[Named(name)])
        with pytest.raises(ModelError, match=f"feature function gives a feature {name}, which is also the decoder's"):
            decoder.parse(["a"])


@KINDS
@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([(0, "v", math.nan)], r"types:SimpleNamespace gives v the value nan"),
        ([(0, "u", 1.0), (1, "v", -math.inf)], r"gives v the value -inf"),
        ([(-1, "v", 1.0)], r"types:SimpleNamespace: there is no application -1 of \d+$"),
        ([(0, "v", 1.0), (99, "v", 1.0)], r"there is no application 99 of \d+$"),
    ],
)
def test_values_of_a_feature_given_directly_are_checked(
    kind: type[Decoder | PhraseDecoder], values: list[Value], message: str
) -> None:
    feature = SimpleNamespace(values=lambda sentence, applications: values)
    with pytest.raises(ModelError, match=message):
        decoder_of(kind, functions=[feature]).translate(["a"])


@pytest.mark.parametrize("column", [[1.0], 1.0, None, [math.nan] * 9])
def test_columns_of_a_rule_feature_given_directly_are_checked(column: Any) -> None:
    feature = SimpleNamespace(rule_values=lambda rules, owners: ("v", column))
    with pytest.raises(ModelError, match=r"types:SimpleNamespace gives v no column of \d+ finite values"):
        decoder_of(Decoder, functions=[feature]).translate(["a"])


@pytest.mark.parametrize("function", [SimpleNamespace, SimpleNamespace(), SimpleNamespace(values=1), {}, "Feature"])
def test_what_is_no_feature_function_is_told_at_once(function: Any) -> None:
    message = r"feature_functions: .* is no object with values or rule_values"
    with pytest.raises(TypeError, match=message):
        decoder_of(Decoder, functions=[function])
    with pytest.raises(TypeError, match=message):
        decoder_of(Decoder).with_feature(function, "f", 1.0)


def test_hypotheses_are_equal_where_all_that_they_tell_is() -> None:
    decoder = decoder_of(Decoder)
    first, second = (decoder.translate(["a", "x"], nbest=3) for _ in range(2))
    assert first == second == pickle.loads(pickle.dumps(first))
    assert len({*first, *second}) == len(first) == 3
    assert Hypothesis(first[0].words, first[0].score) != first[0]  # it has no features and no derivation
    assert first[0] != "b x"
