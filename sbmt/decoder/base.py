"""The base class of decoders: parsing sentences into forests, and searching forests for hypotheses."""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from copy import copy
from typing import ClassVar, Self

from sbmt.arguments import check_least
from sbmt.decoder.feature_checks import check_feature
from sbmt.decoder.features import FeatureFunction, StatefulFeature
from sbmt.decoder.forest import Forest
from sbmt.decoder.garbage_collection import collector_paused
from sbmt.decoder.hypothesis import Constraint, Hypothesis, check_words
from sbmt.decoder.memory import Memory
from sbmt.decoder.parsing.parser import Parser
from sbmt.decoder.result import Result
from sbmt.decoder.search.joiner import Joiner
from sbmt.decoder.settings import Settings, checked_weights
from sbmt.errors import ModelError
from sbmt.ppdb.grammar import Grammar
from sbmt.ppdb.packed import blaming_damage

_log = logging.getLogger(__name__)


class ForestDecoder(ABC):
    """Decodes with grammars, or phrase tables.

    `language_models` are `sbmt.lm.model.LanguageModel` or any other stateful feature; `feature_functions` are
    stateless (`sbmt.decoder.features`).

    `most_remembered` limits the language-model steps and joins, some 350 bytes each, kept from earlier sentences.
    Different sentences share few of them, but searching the same forests again, as tuning does, reuses them all. So
    `parse` forgets everything once the limit is reached, and `search` only once it is exceeded by a fifth.

    Threads may share a decoder: one of them parses or searches at a time.
    """

    most_remembered = 50_000
    search_features: ClassVar[tuple[str, ...]] = ()  # names of the features that the search itself computes

    def __init__(
        self,
        grammars: Sequence[Grammar],
        language_models: Sequence[StatefulFeature],
        weights: Mapping[str, float],
        parse_settings: Settings,
        feature_functions: Sequence[FeatureFunction],
    ) -> None:
        """Set up decoding; of `parse_settings` only those that concern parsing are used.

        Raises ModelError if two language models or feature functions share a name, or one shares it with the other kind
        or with a feature of rules: they would share a weight.
        """
        self.grammars, self.language_models = list(grammars), list(language_models)
        self.parse_settings = parse_settings
        names = [model.name for model in self.language_models]
        if twice := [name for name in names if names.count(name) > 1]:
            raise ModelError(f"two language models are called {twice[0]}: give each its name=, lm_0, lm_1 and so on")
        self.feature_functions = list(feature_functions)
        for function in self.feature_functions:
            check_feature(function)
        self.weights = weights
        self._checked: set[str] = set()  # names of the weights checked so far
        self._memory = Memory(self.language_models)
        with blaming_damage(self.grammars):
            self._parser = Parser(self.grammars, parse_settings, self.feature_functions)
        self._own_names = frozenset((*names, *self.search_features))
        self._refuse_own_names("rules have", self._parser.feature_names)
        announced = [name for function in self.feature_functions for name in getattr(function, "names", ())]
        others = self._own_names.union(self._parser.feature_names)
        if twice := [name for name in announced if name in others or announced.count(name) > 1]:
            raise ModelError(f"two features are called {twice[0]}: give the one of your own another name")

    @property
    def weights(self) -> dict[str, float]:
        """The weight of each feature by name; a feature without an entry has weight 0.

        May be replaced between searches, as a whole: changes inside the dictionary are not checked. Setting it raises
        ConfigError for a weight that is not a number from -1e9 to 1e9.
        """
        return self._weights

    @weights.setter
    def weights(self, weights: Mapping[str, float]) -> None:
        self._weights = checked_weights(weights)

    def with_feature(self, function: FeatureFunction, name: str, weight: float) -> Self:
        """Return this decoder with one more feature, of this name and weight; everything loaded is shared."""
        check_feature(function)
        decoder = copy(self)
        decoder._parser = self._parser.with_feature(function)
        decoder.feature_functions = [*self.feature_functions, function]
        decoder.weights = {**self.weights, name: weight}
        return decoder

    def parse(self, words: Sequence[str], constraints: Sequence[Constraint] = ()) -> Forest:
        """Return everything about a sentence that depends on neither weights nor language models; picklable.

        Raises TypeError for a text instead of words, and ModelError if a feature function uses the name of a feature
        that the decoder itself computes, as do all methods that begin with parsing.
        """
        check_words(words)
        with self._memory.in_use(), collector_paused(), blaming_damage(self.grammars):
            self._forget_beyond(self.most_remembered)
            forest = self._parser.parse(words, constraints)
        self._refuse_own_names("a feature function gives", forest.feature_names)
        return forest

    @abstractmethod
    def search(self, forest: Forest, *, nbest: int | None = None, narrow: bool = False) -> Result:
        """Search a forest with the current weights and the language models, for `nbest` outputs or all there are.

        With `narrow` it may be less thorough. Raises SbmtError for fewer than 1 output.
        """

    def decode(self, words: Sequence[str], nbest: int | None = None, constraints: Sequence[Constraint] = ()) -> Result:
        """Parse and search; `nbest` as in `search`."""
        return self.search(self.parse(words, constraints), nbest=nbest)

    def translate(
        self, words: Sequence[str], nbest: int = 1, constraints: Sequence[Constraint] = ()
    ) -> list[Hypothesis]:
        """Return the n best outputs of a sentence, or the sentence itself, with a warning, if no derivation covers it.

        Raises SbmtError for fewer than 1 output.
        """
        check_least(1, nbest=nbest)
        result = self.decode(words, nbest, constraints)
        if words and not result.complete:
            _log.warning("%s: %s", self.failure(), " ".join(words))
        return result.nbest(nbest)

    def feature_names(self, forest: Forest) -> tuple[str, ...]:
        """Return the names of all features that outputs may have: of rules, of stateful features, of the search."""
        return (*forest.feature_names, *(model.name for model in self.language_models), *self.search_features)

    def forget(self) -> None:
        """Drop what is remembered from earlier sentences; only speed and memory depend on it."""
        with self._memory.in_use():
            self._memory.forget()

    @abstractmethod
    def failure(self) -> str:
        """Return the warning for a sentence without a derivation."""

    def _refuse_own_names(self, who: str, names: Sequence[str]) -> None:
        """Raise ModelError if a feature has the name of one that the decoder itself computes."""
        if not self._own_names.isdisjoint(names):
            clash = min(self._own_names.intersection(names))
            raise ModelError(f"{who} a feature {clash}, which is also the decoder's own: rename it")

    def _begin_search(self, forest: Forest, nbest: int | None) -> dict[str, float]:
        """Check `nbest`, warn of idle weights, and return the weights of a search."""
        if nbest is not None:
            check_least(1, nbest=nbest)
        self._warn_of_idle_weights(forest)
        return dict(self.weights)

    def _remembering_joiner(self) -> Joiner:
        """Return the joiner of earlier searches, or a fresh one if it remembers too much."""
        self._forget_beyond(1.2 * self.most_remembered)
        return self._memory.joiner

    def _forget_beyond(self, limit: float) -> None:
        if self._memory.joiner.size >= limit:
            self._memory.forget()

    def _warn_of_idle_weights(self, forest: Forest) -> None:
        """Warn, once for each name, of weights for features that neither this sentence nor the decoder has."""
        if self._checked == self.weights.keys():
            return
        self._checked = set(self.weights)
        announced = (name for function in self.feature_functions for name in getattr(function, "names", ()))
        feature_names = {*self.feature_names(forest), *announced}
        idle = sorted(name for name in self._checked - feature_names if self.weights[name])
        if idle:
            _log.warning("weights for features that nothing here has: %s", ", ".join(idle))
