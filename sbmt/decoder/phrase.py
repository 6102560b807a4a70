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
        parse_settings = Settings(pass_only_unknown=self.settings.pass_only_unknown)
        super().__init__(grammars, language_models, weights, parse_settings, feature_functions)

    def search(self, forest: Forest, *, nbest: int | None = None, narrow: bool = False) -> PhraseResult:
        """Search with the current weights and the language models; `nbest` and `narrow` change nothing.

        Raises SbmtError for fewer than 1 output.
        """
        weights = self._begin_search(forest, nbest)
        with self._memory.in_use(), collector_paused():
            joiner = self._remembering_joiner()
            joiner.weigh(weights)
            graph = StackSearch(forest, weights, joiner, self.settings).run() if forest.sentence else Hypergraph()
        names = self.feature_names(forest)
        return PhraseResult(forest, graph, weights, self.grammars, self.language_models, names)

    def failure(self) -> str:
        """Return the warning for a sentence without a derivation."""
        return "no translation within the distortion limit"


def warn_of_gaps(grammars: Iterable[Grammar], files: Iterable[str | Path]) -> None:
    """Warn of the files of grammars that have rules with gaps, which no PhraseDecoder applies."""
    for grammar, file in zip(grammars, files, strict=True):
        if grammar.most_gaps:
            _log.warning("%s has rules with gaps, which phrase-based decoding never applies", file)


class PhraseResult(Result):
    """The outputs of one sentence, best first; the distortion is the last feature."""

    def _matrix(self, derivations: Sequence[Derivation], outputs: Sequence[str]) -> Floats:
        """Return feature values, float64 [len(derivations), len(feature_names)]."""
        distortions = [0.0 - self._jumped_words(derivation) for derivation in derivations]
        return np.column_stack([super()._matrix(derivations, outputs), distortions])

    def _jumped_words(self, derivation: Derivation) -> int:
        """Return how many source words the derivation jumps over."""
        applications = self._forest.applications
        total = position = 0
        for application in reversed(derivation.applications):
            start, end = applications[application].span
            total += abs(start - position)
            position = end
        return total

    def _steps(self, applications: Sequence[int]) -> list[Step]:
        """Return the phrases in the order of the output."""
        phrase_steps, position = [], 0
        for step in super()._steps(applications[::-1]):
            i, j = step.target_span
            alignment = tuple((source, target + position) for source, target in step.alignment)
            phrase_steps.append(replace(step, target_span=(i + position, j + position), alignment=alignment))
            position += j - i
        return phrase_steps
