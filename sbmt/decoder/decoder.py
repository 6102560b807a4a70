"""The chart decoder: turns sentences into hypotheses with synchronous grammars, language models and weights."""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping, Sequence

from sbmt.decoder.base import ForestDecoder
from sbmt.decoder.features import FeatureFunction, StatefulFeature
from sbmt.decoder.forest import NO_ITEM, Forest
from sbmt.decoder.garbage_collection import collector_paused
from sbmt.decoder.hypergraph import Hypergraph
from sbmt.decoder.hypothesis import check_words
from sbmt.decoder.parsing.parser import escape
from sbmt.decoder.result import Result
from sbmt.decoder.search.forced import ForcedTarget, goals_of_target
from sbmt.decoder.search.joiner import make_joiner
from sbmt.decoder.search.search import search
from sbmt.decoder.settings import Settings
from sbmt.ppdb.grammar import Grammar
from sbmt.ppdb.packed import blaming_damage

_MAX_NAMED = 5  # labels in a warning
_POP_LIMIT_FACTORS = (1, 10, 100)  # tried one after the other until a hypothesis reaches the goal
_log = logging.getLogger(__name__)


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
        """Search a forest with the current weights and the language models.

        `target`, if given, is the only output allowed. `nbest` says how many outputs will be asked for: finding a few
        takes a fraction of the time of a search up to the pop limit and hardly ever misses one. `narrow` is faster
        still but may miss one or two outputs in a hundred. Raises SbmtError for fewer than 1 output, and TypeError
        for a target that is a text instead of words.
        """
        forced = None if target is None else _escaped(target, forest)
        weights = self._begin_search(forest, nbest)
        names = self.feature_names(forest)
        result = Result(forest, Hypergraph(), weights, self.grammars, self.language_models, names)
        with self._memory.in_use(), collector_paused():
            if forced is None:
                joiner = self._remembering_joiner()
            else:
                joiner = make_joiner([*self.language_models, ForcedTarget(forced)])
            joiner.weigh({**weights, ForcedTarget.name: 1.0})
            swing = joiner.swing / 2 if narrow else joiner.swing
            for pop_limit in self._pop_limits(forest, forced is not None):
                for graph in search(
                    forest, weights, joiner, pop_limit, nbest, swing, longest_last=self.settings.longest_last
                ):
                    if forced is not None:
                        graph.goals = goals_of_target(forced, graph.goals, graph, forest)
                    result = Result(forest, graph, weights, self.grammars, self.language_models, names)
                    if nbest is None or result.has(nbest):
                        break
                if result.complete:
                    break
        if target is not None and not result.complete:
            _log.warning("no derivation writes the target, so the sentence stands for it: %s", " ".join(target))
        return result

    def warn_of_idle_rules(self, constrained: Collection[str] = ()) -> None:
        """Warn of rules that never apply, or only where the sentence begins, and of a goal that no rule makes.

        Rules never apply if nothing makes the label of a gap; `constrained` are labels that constraints may have.
        """
        goal = self.settings.goal
        with blaming_damage(self.grammars):
            unfilled = [label for label in self._parser.unfilled() if label not in constrained]
            goal_labels, misplaced_owners = self._parser.instead_of_goal(), self._parser.misplaced()
        if unfilled:
            shown = _in_brackets(unfilled)
            _log.warning("no rule makes %s (%d in all); rules with such gaps never apply", shown, len(unfilled))
        if goal_labels is not None:
            cure = "add glue rules that make it (docs/decoder.md)"
            if goal_labels:
                setting = "the goal (goal-symbol; decoder.settings.goal of a model)"
                cure = f"set {setting} to one of {_in_brackets(goal_labels)}, or {cure}"
            _log.warning("no rule makes the goal [%s], so every sentence will stay as it is: %s", goal, cure)
        for owner in misplaced_owners:
            _log.warning(
                "rules of the grammar %s apply only where the sentence begins, as its span limit is -1, yet none makes "
                "the goal [%s]: give it a number of words (in a Joshua configuration 0 is any)",
                owner,
                goal,
            )

    def _pop_limits(self, forest: Forest, forced: bool) -> list[int]:
        """Return the pop limits to try one after the other until something reaches the goal."""
        if not forest.sentence or forest.goal == NO_ITEM:
            return []
        if forced or not self.settings.pop_limit:
            return [0]  # no limit: few partial outputs are part of a target
        return [factor * self.settings.pop_limit for factor in _POP_LIMIT_FACTORS]

    def failure(self) -> str:
        """Return the warning for a sentence without a derivation."""
        return f"no derivation reaches [{self.settings.goal}]"


def _escaped(target: Sequence[str], forest: Forest) -> list[str]:
    """Return a target as the forest spells it, where words that look like sentence marks are escaped."""
    check_words(target, "a target")
    spelling = {shown: word for word, shown in forest.shown.items()}  # also of those marked as unknown (_OOV)
    return [spelling.get(word) or escape(word) for word in target]


def _in_brackets(labels: Sequence[str]) -> str:
    """Return the first labels as rules write them, for a warning."""
    return ", ".join(f"[{label}]" for label in labels[:_MAX_NAMED]) + (", ..." if labels[_MAX_NAMED:] else "")
