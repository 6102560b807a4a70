"""What every decoder with rules shares: sentences become forests, and forests, once searched, hypotheses."""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from copy import copy
from typing import ClassVar, Self

from sbmt.arguments import check_least
from sbmt.decoder.feature_checks import check_feature
from sbmt.decoder.features import FeatureFunction, StatefulFeature
from sbmt.decoder.forest import Forest
from sbmt.decoder.garbage_collection import collector_paused
from sbmt.decoder.hypothesis import Constraint, Hypothesis, check_words
from sbmt.decoder.parsing.parser import Parser
from sbmt.decoder.result import Result
from sbmt.decoder.search.joiner import Joiner, make_joiner
from sbmt.decoder.settings import Settings, checked_weights
from sbmt.errors import ModelError
from sbmt.features.sentence.application import StatelessFeature
from sbmt.ppdb.grammar import Grammar
from sbmt.ppdb.packed import blaming_damage

_MOST_NAMED = 5  # labels in a warning
_log = logging.getLogger(__name__)


class ForestDecoder(ABC):
    """Decodes with grammars, or phrase tables.

    `language_models` are `sbmt.lm.model.LanguageModel` or any other stateful feature; `feature_functions` are
    stateless (`sbmt.decoder.features`).

    `most_remembered`: how many language-model steps and joins, some 350 bytes each, may be kept from earlier sentences.
    Different sentences share few of them, but searching the same forests again, as tuning does, reuses them all. So
    `parse` forgets everything once the limit is reached, and `search` only once it is exceeded by a fifth.
    """

    most_remembered = 50_000
    search_features: ClassVar[tuple[str, ...]] = ()  # names of those that search itself computes

    def __init__(
        self,
        grammars: Sequence[Grammar],
        language_models: Sequence[StatefulFeature],
        weights: Mapping[str, float],
        parsing: Settings,
        feature_functions: Sequence[FeatureFunction],
    ) -> None:
        """Of the settings in `parsing`, those that concern parsing are used.

        Raises ModelError for two language models of one name, or one of the name of a rule's feature: they would share
        its weight.
        """
        self.grammars, self.language_models, self.parsing = list(grammars), list(language_models), parsing
        names = [model.name for model in self.language_models]
        if twice := [name for name in names if names.count(name) > 1]:
            raise ModelError(f"two language models are called {twice[0]}: give each its name=, lm_0, lm_1 and so on")
        self.feature_functions = list(feature_functions)
        for function in self.feature_functions:
            check_feature(function)
        self.weights = weights
        self._checked: set[str] = set()
        self._joiner = make_joiner(self.language_models)
        with blaming_damage(self.grammars):
            self._parser = Parser(self.grammars, parsing, self.feature_functions)
        own = {*names, *self.search_features}
        if shared := [name for name in self._parser.feature_names if name in own]:
            raise ModelError(f"rules have a feature {shared[0]}, which is also the decoder's own: rename theirs")

    @property
    def weights(self) -> dict[str, float]:
        """What each feature counts, by name; a feature that is not named counts nothing.

        They may be replaced between searches, all at once: what is changed inside is not checked. Raises ConfigError
        for one that is no number from -1e9 to 1e9.
        """
        return self._weights

    @weights.setter
    def weights(self, weights: Mapping[str, float]) -> None:
        self._weights = checked_weights(weights)

    def with_feature(self, function: StatelessFeature, name: str, weight: float) -> Self:
        """This decoder with one more feature, of this name and weight; what is loaded is shared."""
        check_feature(function)
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
        self._make_way(self.most_remembered)
        with collector_paused(), blaming_damage(self.grammars):
            return self._parser.parse(words, constraints)

    @abstractmethod
    def search(self, forest: Forest, *, nbest: int | None = None, narrow: bool = False) -> Result:
        """Search a forest with the present weights and the language models, for `nbest` outputs or all there are.

        `narrow` lets it be less thorough. Raises SbmtError for fewer than 1 output.
        """

    def decode(self, words: Sequence[str], nbest: int | None = None, constraints: Sequence[Constraint] = ()) -> Result:
        """Parse and search; `nbest` as in `search`."""
        return self.search(self.parse(words, constraints), nbest=nbest)

    def translate(
        self, words: Sequence[str], nbest: int = 1, constraints: Sequence[Constraint] = ()
    ) -> list[Hypothesis]:
        """The n best outputs of a sentence; it comes back as it is, with a warning, if no derivation covers it.

        Raises SbmtError for fewer than 1.
        """
        check_least(1, nbest=nbest)
        result = self.decode(words, nbest, constraints)
        if words and not result.complete:
            _log.warning("%s: %s", self.failure(), " ".join(words))
        return result.nbest(nbest)

    def feature_names(self, forest: Forest) -> tuple[str, ...]:
        """Names of all features that outputs of a forest may have: of rules, of stateful features, of the search."""
        return (*forest.feature_names, *(model.name for model in self.language_models), *self.search_features)

    def warn_of_unfilled(self, constrained: Collection[str] = ()) -> None:
        """Warn of labels of gaps that nothing fills, but for those, `constrained`, that constraints may have."""
        with blaming_damage(self.grammars):
            unfilled = [label for label in self._parser.unfilled() if label not in constrained]
        if unfilled:
            shown = in_brackets(unfilled)
            _log.warning("no rule makes %s (%d in all); rules with such gaps never apply", shown, len(unfilled))

    def forget(self) -> None:
        """Drop what is remembered from earlier sentences; only speed and memory depend on it."""
        self._joiner = make_joiner(self.language_models)

    @abstractmethod
    def failure(self) -> str:
        """What to say of a sentence without a derivation."""

    def _remembering_joiner(self) -> Joiner:
        """The joiner of earlier searches, unless it remembers too much."""
        self._make_way(1.2 * self.most_remembered)
        return self._joiner

    def _make_way(self, most: float) -> None:
        if self._joiner.size >= most:
            self.forget()

    def _name_idle_weights(self, forest: Forest) -> None:
        """Warn, once for each name, of weights for features that neither this sentence nor the decoder has."""
        if self._checked == self.weights.keys():
            return
        self._checked = set(self.weights)
        announced = (name for function in self.feature_functions for name in getattr(function, "names", ()))
        known = {*self.feature_names(forest), *announced}
        idle = sorted(name for name in self._checked - known if self.weights[name])
        if idle:
            _log.warning("weights for features that nothing here has: %s", ", ".join(idle))


def in_brackets(labels: Sequence[str]) -> str:
    """Some of the labels as rules have them, for a warning."""
    return ", ".join(f"[{label}]" for label in labels[:_MOST_NAMED]) + (", ..." if labels[_MOST_NAMED:] else "")
