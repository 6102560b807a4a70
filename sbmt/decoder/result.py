"""The result of a search: hypotheses, and their features as a matrix for tuning."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import chain, compress

import numpy as np

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

    `feature_names` are the columns of the feature matrix: features of rules, stateful ones, those of the search itself.
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
        """Return the k best outputs (or all, if there are fewer), or derivations if not `unique`.

        A sentence without a complete derivation comes back unchanged, with score 0 and no features. `features` of the
        hypotheses leave out zeros. Raises SbmtError if k is less than 1, as `nbest_features` does.
        """
        check_least(1, k=k)
        if not self.complete:
            return [Hypothesis(self._forest.sentence, 0.0)]
        derivations, outputs = _with_outputs(self._derivations(k, unique), unique)
        matrix, names = self._matrix(derivations, outputs), self.feature_names
        return [
            Hypothesis(
                partial(self._words, output),
                derivation.score,
                partial(_named, names, row),
                partial(self._steps, derivation.applications),
            )
            for output, derivation, row in zip(outputs, derivations, matrix, strict=True)
        ]

    def nbest_features(self, k: int) -> tuple[list[str], Floats, tuple[str, ...]]:
        """Return the k best distinct outputs as text, their features float64 [n, len(names)], and the names."""
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
        derivations = self._derivations(k, unique=True)
        return len(derivations) == k and derivations[0].score - derivations[-1].score <= self._graph.radius

    def _derivations(self, k: int, unique: bool) -> list[Derivation]:
        if unique not in self._kbest:
            self._kbest[unique] = KBest(self._graph, self._forest, unique)
        with collector_paused():
            return self._kbest[unique].take(k)

    def _steps(self, applications: Sequence[int]) -> list[Step]:
        return steps(applications, self._forest, self._weights, self._grammars)

    def _words(self, output: str) -> tuple[str, ...]:
        """Return the words of an output, with the original spelling of those that look like sentence marks."""
        shown, words = self._forest.shown, words_of(output)
        return tuple([shown.get(word, word) for word in words]) if shown else words

    def _matrix(self, derivations: Sequence[Derivation], outputs: Sequence[str]) -> Floats:
        """Return feature values, float64 [len(derivations), len(feature_names)]."""
        forest = self._forest
        applications = [derivation.applications for derivation in derivations]
        starts = np.cumsum([0, *map(len, applications)])
        numbers = np.fromiter(chain.from_iterable(applications), np.int64, starts[-1])
        matrix = _sums(forest.rule_of(numbers), starts, forest.rule_entries, len(forest.rules.rule_id), forest)
        if len(forest.application_entries[0]):
            matrix += _sums(numbers, starts, forest.application_entries, forest.n_applications, forest)
        columns = [_values(feature, outputs) for feature in self._stateful]
        return np.column_stack([matrix, *columns]) if columns else matrix


def _with_outputs(derivations: Sequence[Derivation], unique: bool) -> tuple[Sequence[Derivation], Sequence[str]]:
    """Return derivations and their outputs as language models see them, without sentence marks.

    If `unique`, only the first of derivations whose outputs differ in nothing but sentence marks is kept.
    """
    outputs = [without_marks(derivation.text) for derivation in derivations]
    if not unique or len(set(outputs)) == len(outputs):
        return derivations, outputs
    first = dict(zip(reversed(outputs), reversed(derivations), strict=True))
    distinct = list(dict.fromkeys(outputs))
    return [first[output] for output in distinct], distinct


def _spaced(outputs: Sequence[str]) -> list[str]:
    """Return the words of each output between single spaces."""
    return [output[:-1].replace(SEPARATOR, " ") for output in outputs]


def _values(feature: StatefulFeature, outputs: Sequence[str]) -> list[float]:
    """Return the value of a stateful feature for each output."""
    score_texts = getattr(feature, "score_texts", None)
    joined = "".join(outputs)
    if score_texts is None or joined.split() != [joined]:  # white space in a word
        return [feature.score(words_of(output)) for output in outputs]
    scores: list[float] = score_texts(_spaced(outputs))
    return scores


def _sums(used: Ints, starts: Ints, entries: Entries, n: int, forest: Forest) -> Floats:
    """Return the feature values summed over derivation d, used[starts[d] : starts[d + 1]]: [derivations, features]."""
    row, feature, value = entries
    width = len(forest.feature_names)
    if len(starts) == 2:  # one derivation: every rule's values need not be computed
        counts = np.bincount(used, minlength=n).take(row)
        kept = counts.nonzero()[0]
        sums = np.bincount(feature.take(kept), value.take(kept) * counts.take(kept), width)
        return sums.astype(np.float64)[np.newaxis]  # of integers, if nothing is kept
    from scipy.sparse import csr_matrix  # here, for it takes long to load and single outputs do without

    values = np.bincount(row * width + feature, value, n * width).reshape(n, width)
    counts = csr_matrix((np.ones(len(used)), used, starts), (len(starts) - 1, n))
    sums_by_derivation: Floats = counts @ values
    return sums_by_derivation


def _named(names: Sequence[str], row: Floats) -> dict[str, float]:
    """Return the non-zero values by name."""
    values = row.tolist()
    return dict(compress(zip(names, values, strict=True), values))
