"""The decoder: grammars, language models and weights in one object that turns a sentence into hypotheses."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from copy import copy

from sbmt.decoder.collector import without_collector
from sbmt.decoder.features import FeatureFunction, StatefulFeature, StatelessFeature
from sbmt.decoder.forest import NO_ITEM, Forest
from sbmt.decoder.hypergraph import Hypergraph
from sbmt.decoder.hypothesis import Constraint, Hypothesis, check_words
from sbmt.decoder.parsing.parser import Parser, escape
from sbmt.decoder.result import Result
from sbmt.decoder.search.forced import ForcedTarget
from sbmt.decoder.search.joiner import make_joiner
from sbmt.decoder.search.search import search
from sbmt.decoder.settings import Settings
from sbmt.ppdb.grammar import Grammar

_MAX_REMEMBERED = 50_000  # steps and joins of language model states, some 350 bytes each; more is hardly faster
_WIDER = (1, 10, 100)  # times the pop limit, where so few hypotheses leave none that reaches the goal
_log = logging.getLogger(__name__)


class Decoder:
    """Decodes with synchronous grammars. `weights` may be replaced between searches.

    `language_models` are `sbmt.lm.model.LanguageModel` or any other stateful feature; `feature_functions` are
    stateless (`sbmt.decoder.features`).
    """

    def __init__(
        self,
        grammars: Sequence[Grammar],
        language_models: Sequence[StatefulFeature],
        weights: Mapping[str, float],
        settings: Settings | None = None,
        feature_functions: Sequence[FeatureFunction] = (),
    ) -> None:
        self.settings = settings or Settings()
        self.grammars, self.language_models = list(grammars), list(language_models)
        self.feature_functions = list(feature_functions)
        self.weights = dict(weights)
        self.default_label = self.settings.default_label
        self._checked: set[str] = set()
        self._joiner = make_joiner(self.language_models)
        self._parser = Parser(self.grammars, self.settings, self.feature_functions)

    def with_feature(self, function: StatelessFeature, name: str, weight: float) -> Decoder:
        """The same decoder with one feature more, of this name and weight; what is loaded is shared."""
        made = copy(self)
        made._parser = self._parser.with_feature(function)
        made.feature_functions = [*self.feature_functions, function]
        made.weights = {**self.weights, name: weight}
        return made

    def parse(self, words: Sequence[str], constraints: Sequence[Constraint] = ()) -> Forest:
        """Everything about a sentence that depends on neither weights nor language models; picklable.

        Raises TypeError for a text instead of words, as do all that begin with parsing.
        """
        check_words(words)
        with without_collector():
            return self._parser.parse(words, constraints)

    def search(
        self,
        forest: Forest,
        target: Sequence[str] | None = None,
        *,
        nbest: int | None = None,
        narrow: bool = False,
    ) -> Result:
        """Search a forest with the present weights and the language models; `target`, if given, must be the output.

        `nbest` says how many outputs will be asked for: few are found in a fraction of the time of all that the pop
        limit allows, but little beside them. `narrow` saves more, for an output or two in a hundred. Raises TypeError
        for a target that is a text instead of words.
        """
        if target is not None:
            check_words(target, "a target")
        weights = dict(self.weights)
        self._name_idle_weights(forest)
        features = self.language_models
        if target is not None:
            features = [*features, ForcedTarget([escape(word) for word in target])]
            joiner = make_joiner(features)
        else:
            joiner = self._joiner = self._joiner if self._joiner.size < _MAX_REMEMBERED else make_joiner(features)
        joiner.weigh(weights)
        result = Result(forest, Hypergraph(), weights, self.grammars, self.language_models)
        with without_collector():
            swing = joiner.swing / 2 if narrow else joiner.swing
            for pop_limit in self._pop_limits(forest, forced=target is not None):
                for graph in search(forest, weights, joiner, pop_limit, nbest, swing):
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
            return [0]  # few partial outputs are part of a target
        return [wider * self.settings.pop_limit for wider in _WIDER]

    def _name_idle_weights(self, forest: Forest) -> None:
        """Warn, once a name, of weights for features that neither this sentence nor the decoder has."""
        if self._checked == self.weights.keys():
            return
        self._checked = set(self.weights)
        announced = (name for function in self.feature_functions for name in getattr(function, "names", ()))
        known = {*forest.feature_names, *announced, *(model.name for model in self.language_models)}
        idle = sorted(name for name in self._checked - known if self.weights[name])
        if idle:
            _log.warning("weights for features that nothing here has: %s", ", ".join(idle))

    def unfilled_labels(self) -> list[str]:
        """Labels of gaps that nothing but a constraint could fill: their rules never apply."""
        return self._parser.unfilled()

    def forget(self) -> None:
        """Drop what is remembered from earlier sentences; only speed and memory depend on it."""
        self._joiner = make_joiner(self.language_models)

    def decode(self, words: Sequence[str], constraints: Sequence[Constraint] = (), nbest: int | None = None) -> Result:
        """Parse and search; `nbest` as in `search`."""
        return self.search(self.parse(words, constraints), nbest=nbest)

    def translate(
        self, words: Sequence[str], nbest: int = 1, constraints: Sequence[Constraint] = ()
    ) -> list[Hypothesis]:
        """The n best outputs of a sentence; it comes back as it is, with a warning, if no derivation covers it."""
        result = self.decode(words, constraints, nbest)
        if words and not result.complete:
            _log.warning("no derivation reaches [%s]: %s", self.settings.goal, " ".join(words))
        return result.nbest(nbest)
