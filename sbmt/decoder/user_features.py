"""User-defined features of a model, which `feature_functions` of model.yaml names as MODULE:NAME."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence, Set
from contextlib import contextmanager
from reprlib import repr as shortened
from typing import Any

import numpy as np

from sbmt.arrays import Floats
from sbmt.decoder.features import FeatureFunction, RuleFeature, RuleTable, StatefulFeature, StateTable
from sbmt.errors import ModelError
from sbmt.features.sentence.application import Application, Value
from sbmt.lm.symbols import BEGIN, END, Symbol
from sbmt.user_code import load, place_in, printing_to_stderr

_MOST_COMPARED = 20  # outputs for which `score` and `combine` are compared
_TOLERANCE = 1e-4  # absolute and relative: values may be sums in single precision


def user_features(
    specifications: Sequence[str], taken: Set[str]
) -> tuple[list[FeatureFunction], list[StatefulFeature]]:
    """Return the stateless and the stateful features of these names, each a class or function that creates one.

    `taken` are the names of features that they cannot have. Raises SbmtError for a name that does not exist. The
    features raise ModelError where they fail, as they would in every sentence (`feature_checks` does for values that
    are not finite). What they print goes to standard error.
    """
    functions: list[FeatureFunction] = []
    stateful: list[StatefulFeature] = []
    for specification in specifications:
        feature = _make(specification)
        if hasattr(feature, "states"):
            stateful.append(_Stateful(feature, specification, taken))
        elif isinstance(feature, RuleFeature):
            functions.append(_OfRules(feature, specification, taken))
        elif hasattr(feature, "values"):
            functions.append(_Stateless(feature, specification, taken))
        else:
            raise ModelError(f"{specification} makes no feature: it has none of values, rule_values and states")
    return functions, stateful


def _make(specification: str) -> Any:
    make = load(specification, "no feature of that name, of a module here or on PYTHONPATH")
    if not callable(make):
        raise ModelError(f"{specification} is no class or function that makes a feature")
    with _blaming(specification):
        return make()


def _free(name: Any, taken: Set[str], specification: str) -> str:
    """Return the name of a feature as text; raises ModelError if another has it, for the two would be added up."""
    if str(name) in taken:
        raise ModelError(f"{specification}: the decoder has a feature {name} already: give yours another name")
    return str(name)


@contextmanager
def _blaming(specification: str) -> Iterator[None]:
    """Turn any exception raised inside into a ModelError that names the feature and the place."""
    try:
        with printing_to_stderr:  # standard output belongs to the command
            yield
    except Exception as error:  # a user's module may raise anything
        place = place_in(specification.partition(":")[0], error)
        raise ModelError(f"{specification} fails: {error!r}{place}") from error


class _Stateless:
    """A `StatelessFeature` whose exceptions become ModelErrors that name it."""

    def __init__(self, feature: Any, specification: str, taken: Set[str]) -> None:
        self._feature, self.specification, self._taken = feature, specification, taken
        names = getattr(feature, "names", ())
        if isinstance(names, str) or not isinstance(names, Iterable):
            raise ModelError(f"{specification}: names is {names!r}, not a list of names")
        self.names = tuple(_free(name, taken, specification) for name in names)

    def values(self, sentence: Sequence[str], applications: Sequence[Application]) -> list[Value]:
        with _blaming(self.specification):
            yielded = list(self._feature.values(sentence, applications))
        return [self._checked(value) for value in yielded]

    def _checked(self, yielded: Any) -> Value:
        try:
            number, name, value = yielded
            return int(number), _free(name, self._taken, self.specification), float(value)
        except (TypeError, ValueError):
            due = "(number of the application, name, value)"
            raise ModelError(f"{self.specification}: values yields {shortened(yielded)} instead of {due}") from None


class _OfRules:
    """A `RuleFeature` whose exceptions become ModelErrors that name it."""

    def __init__(self, feature: Any, specification: str, taken: Set[str]) -> None:
        self._feature, self.specification, self._taken = feature, specification, taken

    def rule_values(self, rules: RuleTable, owners: Sequence[str]) -> tuple[str, Floats]:
        with _blaming(self.specification):
            name, column = self._feature.rule_values(rules, owners)
            values = np.array(column, np.float64)
        return _free(name, self._taken, self.specification), values


class _Stateful:
    """A checked `StatefulFeature`. Of its first outputs `score` must be what `combine` adds up to."""

    def __init__(self, feature: Any, specification: str, taken: Set[str]) -> None:
        self._feature, self._specification = feature, specification
        with _blaming(specification):
            self.name, self._score = str(feature.name), feature.score
            if hasattr(feature, "swing"):
                self.swing = float(feature.swing)
        _free(self.name, taken, specification)
        self._n_compared = 0

    def states(self) -> StateTable:
        with _blaming(self._specification):
            return _Table(self._feature.states(), self._specification, may_forbid=not hasattr(self, "swing"))

    def score(self, words: Sequence[str]) -> float:
        with _blaming(self._specification):
            value = float(self._score(words))
        if not math.isfinite(value):
            raise ModelError(f"{self._specification}: score gives {value} for {' '.join(words)!r}")
        if self._n_compared < _MOST_COMPARED:
            self._n_compared += 1
            self._compare(words, value)
        return value

    def _compare(self, words: Sequence[str], value: float) -> None:
        """Raise ModelError if joining the pieces of an output arrives at another value.

        Search would see that value, and tuning `score`. -inf is no error: other pieces may be allowed.
        """
        table = self.states()
        total, state = _joined(table, (BEGIN, *words))
        total += table.combine((0, END), (state,))[0]
        if total > -math.inf and not math.isclose(total, value, rel_tol=_TOLERANCE, abs_tol=_TOLERANCE):
            problem = f"score gives {value:g} for {' '.join(words)!r}, and combine adds up to {total:g}"
            raise ModelError(f"{self._specification}: {problem}: they must agree (docs/decoder.md)")


def _joined(table: StateTable, words: Sequence[str]) -> tuple[float, int]:
    """Return value and state of words that are joined half by half: a mistake shows in pieces of many words."""
    if len(words) == 1:
        return table.combine(words, ())
    middle = len(words) // 2
    (left, before), (right, after) = _joined(table, words[:middle]), _joined(table, words[middle:])
    joint, state = table.combine((0, 1), (before, after))
    return left + right + joint, state


class _Table:
    """A checked `StateTable`."""

    def __init__(self, table: StateTable, specification: str, may_forbid: bool) -> None:
        self._table, self._specification, self._may_forbid = table, specification, may_forbid

    def combine(self, target: Sequence[Symbol], tails: Sequence[int]) -> tuple[float, int]:
        with _blaming(self._specification):
            value, state = self._table.combine(target, tails)
            value = float(value)
            hash(state)
        if not value < math.inf or (value == -math.inf and not self._may_forbid):  # nor is NaN
            raise ModelError(f"{self._specification} gives the value {value} for {' '.join(map(str, target))}")
        return value, state
