"""What a search found: hypotheses, and their features as a matrix for tuning."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import chain, compress

import numpy as np
from scipy.sparse import csr_matrix

from sbmt.arguments import check_least
from sbmt.arrays import Floats, Ints
from sbmt.decoder.derivation import steps
from sbmt.decoder.features import StatefulFeature
from sbmt.decoder.forest import Forest
from sbmt.decoder.garbage_collection import collector_paused
from sbmt.decoder.hypergraph import SEPARATOR, Hypergraph, without_marks, words_of
from sbmt.decoder.hypothesis import Hypothesis, Step
from sbmt.decoder.kbest.chains import KBest
from sbmt.decoder.kbest.lazy import Derivation
from sbmt.ppdb.columns import Entries
from sbmt.ppdb.grammar import Grammar


class Result:
    """The outputs of one sentence, best first. `complete` is False when no derivation reaches the goal.

    `feature_names` are the columns of the feature matrix: of rules, of stateful features, of the search itself.
    """

    def __init__(
        self,
        forest: Forest,
        graph: Hypergraph,
        weights: dict[str, float],
        grammars: Sequence[Grammar],
        stateful: Sequence[StatefulFeature],
        feature_names: tuple[str, ...],
    ) -> None:
        self._forest, self._graph, self._weights = forest, graph, weights
        self._grammars, self._stateful, self.feature_names = grammars, stateful, feature_names
        self._kbest: dict[bool, KBest] = {}
        self.complete = bool(graph.goals)

    def nbest(self, k: int = 1, unique: bool = True) -> list[Hypothesis]:
        """The k best outputs (fewer if there are not as many), or derivations if not `unique`.

        A sentence without a complete derivation comes back as it is, with score 0 and no features. `features` of the
        hypotheses leave out zeros. Raises SbmtError for fewer than 1, as `nbest_features` does.
        """
        check_least(1, k=k)
        if not self.complete:
            return [Hypothesis(self._forest.sentence, 0.0)]
        derivations, outputs = _with_outputs(self._derivations(k, unique), unique)
        matrix, names = self._matrix(derivations, outputs), self.feature_names
        return [
            Hypothesis(
                partial(self._words, output),
                found.score,
                partial(_named, names, row),
                partial(self._steps, found.applications),
            )
            for output, found, row in zip(outputs, derivations, matrix, strict=True)
        ]

    def nbest_features(self, k: int) -> tuple[list[str], Floats, tuple[str, ...]]:
        """The k best distinct outputs as text, their features float64 [n, len(names)], and the names."""
        check_least(1, k=k)
        if not self.complete:
            return [" ".join(self._forest.sentence)], np.zeros((1, len(self.feature_names))), self.feature_names
        derivations, outputs = _with_outputs(self._derivations(k, unique=True), unique=True)
        texts = [" ".join(self._words(output)) for output in outputs] if self._forest.shown else _spaced(outputs)
        return texts, self._matrix(derivations, outputs), self.feature_names

    def has(self, k: int) -> bool:
        """Whether the k best outputs, all different, are known."""
        if k < 2:
            return True
        found = self._derivations(k, unique=True)
        return len(found) == k and found[0].score - found[-1].score <= self._graph.radius

    def _derivations(self, k: int, unique: bool) -> list[Derivation]:
        if unique not in self._kbest:
            self._kbest[unique] = KBest(self._graph, self._forest, unique)
        with collector_paused():
            return self._kbest[unique].take(k)

    def _steps(self, applications: Sequence[int]) -> list[Step]:
        return steps(applications, self._forest, self._weights, self._grammars)

    def _words(self, output: str) -> tuple[str, ...]:
        """The words of an output, those that look like sentence marks spelt as they are."""
        shown, words = self._forest.shown, words_of(output)
        return tuple([shown.get(word, word) for word in words]) if shown else words

    def _matrix(self, derivations: Sequence[Derivation], outputs: Sequence[str]) -> Floats:
        """Feature values, float64 [len(derivations), len(feature_names)]."""
        forest = self._forest
        applications = [derivation.applications for derivation in derivations]
        starts = np.cumsum([0, *map(len, applications)])
        used = np.fromiter(chain.from_iterable(applications), np.int64, starts[-1])
        matrix = _sums(forest.rule_of(used), starts, forest.rule_entries, len(forest.rules.rule_id), forest)
        if len(forest.application_entries[0]):
            matrix += _sums(used, starts, forest.application_entries, forest.n_applications, forest)
        columns = [_values(feature, outputs) for feature in self._stateful]
        return np.column_stack([matrix, *columns]) if columns else matrix


def _with_outputs(derivations: Sequence[Derivation], unique: bool) -> tuple[Sequence[Derivation], Sequence[str]]:
    """Derivations and their outputs as language models see them, without their sentence marks.

    If they are to be unique, the first of those that rules made differ in sentence marks alone.
    """
    outputs = [without_marks(derivation.text) for derivation in derivations]
    if not unique or len(set(outputs)) == len(outputs):
        return derivations, outputs
    first = dict(zip(reversed(outputs), reversed(derivations), strict=True))
    kept = list(dict.fromkeys(outputs))
    return [first[output] for output in kept], kept


def _spaced(outputs: Sequence[str]) -> list[str]:
    """The words of each output between single spaces."""
    return [output[:-1].replace(SEPARATOR, " ") for output in outputs]


def _values(feature: StatefulFeature, outputs: Sequence[str]) -> list[float]:
    """The values of a stateful feature, by output."""
    score_texts = getattr(feature, "score_texts", None)
    joined = "".join(outputs)
    if score_texts is None or joined.split() != [joined]:  # white space in a word
        return [feature.score(words_of(output)) for output in outputs]
    return score_texts(_spaced(outputs))  # type: ignore[no-any-return]


def _sums(used: Ints, starts: Ints, entries: Entries, n: int, forest: Forest) -> Floats:
    """Feature values added up over what derivation d uses, used[starts[d] : starts[d + 1]]: [derivations, features]."""
    row, feature, value = entries
    width = len(forest.feature_names)
    if len(starts) == 2:  # one derivation: no need to work out every rule's values
        return np.bincount(feature, value * np.bincount(used, minlength=n)[row], width).astype(np.float64)[np.newaxis]
    values = np.bincount(row * width + feature, value, n * width).reshape(n, width)
    counts = csr_matrix((np.ones(len(used)), used, starts), (len(starts) - 1, n))
    return counts @ values  # type: ignore[no-any-return]


def _named(names: Sequence[str], row: Floats) -> dict[str, float]:
    """The values that are not 0, by name."""
    values = row.tolist()
    return dict(compress(zip(names, values, strict=True), values))
