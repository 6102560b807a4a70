"""The decoder: grammars, language models and weights in one object that turns a sentence into hypotheses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sbmt.decoder.base import ForestDecoder
from sbmt.decoder.collector import without_collector
from sbmt.decoder.features import FeatureFunction, StatefulFeature
from sbmt.decoder.forest import NO_ITEM, Forest
from sbmt.decoder.hypergraph import Hypergraph
from sbmt.decoder.hypothesis import check_words
from sbmt.decoder.parsing.parser import escape
from sbmt.decoder.result import Result
from sbmt.decoder.search.forced import ForcedTarget, writing
from sbmt.decoder.search.joiner import make_joiner
from sbmt.decoder.search.search import search
from sbmt.decoder.settings import Settings
from sbmt.ppdb.grammar import Grammar

_WIDER = (1, 10, 100)  # times the pop limit, one after the other until a hypothesis reaches the goal


class Decoder(ForestDecoder):
    """Decodes with synchronous grammars."""

    def __init__(
        self,
        grammars: Sequence[Grammar],
        language_models: Sequence[StatefulFeature],
        weights: Mapping[str, float],
        settings: Settings | None = None,
        feature_functions: Sequence[FeatureFunction] = (),
    ) -> None:
        self.settings = settings or Settings()
        super().__init__(grammars, language_models, weights, self.settings, feature_functions)

    def search(
        self,
        forest: Forest,
        target: Sequence[str] | None = None,
        *,
        nbest: int | None = None,
        narrow: bool = False,
    ) -> Result:
        """Search a forest with the present weights and the language models.

        `target`, if given, is the only output allowed. `nbest` says how many outputs will be asked for: finding a few
        takes a fraction of the time of a search up to the pop limit and hardly ever misses one. `narrow` is faster
        still but may miss one or two outputs in a hundred. Raises TypeError for a target that is a text instead of
        words.
        """
        if target is not None:
            check_words(target, "a target")
        weights = dict(self.weights)
        self._name_idle_weights(forest)
        if target is None:
            joiner = self._remembering_joiner()
        else:
            target = [escape(word) for word in target]
            joiner = make_joiner([*self.language_models, ForcedTarget(target)])
        joiner.weigh({**weights, ForcedTarget.name: 1.0})
        result = Result(forest, Hypergraph(), weights, self.grammars, self.language_models)
        with without_collector():
            swing = joiner.swing / 2 if narrow else joiner.swing
            for pop_limit in self._pop_limits(forest, forced=target is not None):
                for graph in search(forest, weights, joiner, pop_limit, nbest, swing):
                    if target is not None:
                        graph.goals = writing(target, graph.goals, graph, forest)
                    result = Result(forest, graph, weights, self.grammars, self.language_models)
                    if nbest is None or result.has(nbest):
                        break
                if result.complete:
                    break
        return result

    def _pop_limits(self, forest: Forest, forced: bool) -> list[int]:
        """The pop limits to try one after the other until something reaches the goal."""
        if not forest.sentence or forest.goal == NO_ITEM:
            return []
        if forced or not self.settings.pop_limit:
            return [0]  # all: few partial outputs are part of a target
        return [wider * self.settings.pop_limit for wider in _WIDER]

    def _failure(self) -> str:
        return f"no derivation reaches [{self.settings.goal}]"
