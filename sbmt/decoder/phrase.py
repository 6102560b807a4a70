"""Phrase-based decoding: the same forests, features and lists, searched in stacks (`sbmt.decoder.stacks`).

Phrases, features, language model states, n-best extraction and derivations are those of the chart decoder: a phrase
table is a grammar without gaps. The feature `Distortion` is minus the number of source words jumped over, forwards or
backwards.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from sbmt.arguments import check_least
from sbmt.arrays import Floats
from sbmt.decoder.base import ForestDecoder
from sbmt.decoder.features import FeatureFunction, StatefulFeature
from sbmt.decoder.forest import Forest
from sbmt.decoder.garbage_collection import collector_paused
from sbmt.decoder.hypergraph import Hypergraph
from sbmt.decoder.hypothesis import Step
from sbmt.decoder.kbest.lazy import Derivation
from sbmt.decoder.result import Result
from sbmt.decoder.settings import PhraseSettings, Settings
from sbmt.decoder.stacks import DISTORTION, StackSearch
from sbmt.ppdb.grammar import Grammar

_log = logging.getLogger(__name__)


class PhraseDecoder(ForestDecoder):
    """Decodes with phrase tables."""

    search_features = (DISTORTION,)

    def __init__(
        self,
        grammars: Sequence[Grammar],
        language_models: Sequence[StatefulFeature],
        weights: Mapping[str, float],
        settings: PhraseSettings | None = None,
        feature_functions: Sequence[FeatureFunction] = (),
    ) -> None:
        self.settings = settings or PhraseSettings()
        parsing = Settings(pass_only_unknown=self.settings.pass_only_unknown)
        super().__init__(grammars, language_models, weights, parsing, feature_functions)

    def search(self, forest: Forest, *, nbest: int | None = None, narrow: bool = False) -> PhraseResult:
        """Search with the present weights and the language models; stacks are as large whatever is asked for.

        Raises SbmtError for fewer than 1 output.
        """
        if nbest is not None:
            check_least(1, nbest=nbest)
        weights = dict(self.weights)
        self._name_idle_weights(forest)
        joiner = self._remembering_joiner()
        joiner.weigh(weights)
        with collector_paused():
            graph = StackSearch(forest, weights, joiner, self.settings).run() if forest.sentence else Hypergraph()
        names = self.feature_names(forest)
        return PhraseResult(forest, graph, weights, self.grammars, self.language_models, names)

    def failure(self) -> str:
        """What to say of a sentence without a derivation."""
        return "no translation within the distortion limit"


def warn_of_gaps(grammars: Iterable[Grammar], files: Iterable[str | Path]) -> None:
    """Name the files of grammars that have rules which no PhraseDecoder applies."""
    for grammar, file in zip(grammars, files, strict=True):
        if grammar.most_gaps:
            _log.warning("%s has rules with gaps, which phrase-based decoding never applies", file)


class PhraseResult(Result):
    """The outputs of one sentence, best first; the distortion is the last feature."""

    def _matrix(self, derivations: Sequence[Derivation], outputs: Sequence[str]) -> Floats:
        """Feature values, float64 [len(derivations), len(feature_names)]."""
        jumps = [0.0 - self._jumps(derivation) for derivation in derivations]
        return np.column_stack([super()._matrix(derivations, outputs), jumps])

    def _jumps(self, derivation: Derivation) -> int:
        """Source words that the derivation jumps over."""
        applications = self._forest.applications
        total = position = 0
        for application in reversed(derivation.applications):
            start, end = applications[application].span
            total += abs(start - position)
            position = end
        return total

    def _steps(self, applications: Sequence[int]) -> list[Step]:
        """The phrases in the order of the output."""
        found, position = [], 0
        for step in super()._steps(applications[::-1]):
            i, j = step.target_span
            alignment = tuple((source, target + position) for source, target in step.alignment)
            found.append(replace(step, target_span=(i + position, j + position), alignment=alignment))
            position += j - i
        return found
