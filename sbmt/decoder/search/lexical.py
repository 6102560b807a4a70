"""Applications without gaps, all at once.

The language model values of their words alone, and the grouping into nodes, are the same for all weights: both are
computed once per forest (`LexicalGroups`; with several language models, whose values are already weighted, once per
forest and weights). A search then computes the scores of all nodes in a few numpy operations, and creates edges only
when they are needed: most nodes are part of no output.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Sequence
from itertools import count

import numpy as np

from sbmt.arrays import Floats, begins_run
from sbmt.decoder.forest import Lexical
from sbmt.decoder.hypergraph import Edge


class LexicalGroups:
    """The applications without gaps of a forest (at least one), grouped by the node that they make.

    A *group* is the applications of one item that lead to the same state. Columns by application, in the order of
    groups: `rule`, `application` and the unweighted `value` of its words. Columns by group: `begin`, its first place in
    those columns, `item` and `state`; `bounds` are those first places and the end. By item that has groups:
    `first_of_item`, its first, and `count_of_item`, how many.
    """

    def __init__(self, lexical: Lexical, joins: Sequence[tuple[float, int]]) -> None:
        """Group the applications; `joins` are value and state of each."""
        values, states = zip(*joins, strict=True)
        # Earlier searches have influenced the numbers of states: the order of groups must not depend on them.
        first: dict[int, int] = {}
        state_number = np.fromiter(map(first.setdefault, states, count()), np.int64, len(states))
        key = (lexical.item.astype(np.int64) << 32) + state_number
        order = key.argsort(kind="stable")
        self.rule, self.application = lexical.rule[order], lexical.application[order]
        self.value = np.array(values)[order]
        self.begin = begins_run(key[order]).nonzero()[0]
        member = order[self.begin]
        self.item, self.state = lexical.item[member], np.array(states)[member]
        self.first_of_item = begins_run(self.item).nonzero()[0]
        self.count_of_item = np.diff(self.first_of_item, append=len(self.item))
        self.bounds = [*self.begin.tolist(), len(order)]
        self.applications: list[int] = self.application.tolist()


class LexicalNodes:
    """The nodes of the groups within a beam: those of an item are consecutive, best first.

    `score` and `state` are columns.
    """

    def __init__(self, groups: LexicalGroups, scores: Floats, beam: float) -> None:
        """Prune: `scores` by application, in the order of groups; nodes more than `beam` below their item's best go."""
        best = np.fmax.reduceat(scores, groups.begin)  # fmax ignores NaN
        floor = (np.fmax.reduceat(best, groups.first_of_item) - beam).repeat(groups.count_of_item)
        kept = ((best >= floor) & (best > -math.inf)).nonzero()[0]
        order = kept[np.lexsort((-best[kept], groups.item[kept]))]
        self.score, self.state, self._item = best[order], groups.state[order], groups.item[order]
        self._groups, self._floor = groups, floor
        self._scores: list[float] = scores.tolist()
        self._order: list[int] = order.tolist()

    def by_item(self) -> Iterator[tuple[int, int, int]]:
        """Yield (item, first node, end of its nodes)."""
        begin = begins_run(self._item).nonzero()[0]
        ends = [*begin[1:].tolist(), len(self._item)]
        yield from zip(self._item[begin].tolist(), begin.tolist(), ends, strict=False)  # without nodes there is one end

    def edges(self, node: int) -> list[Edge]:
        """Return the edges of a node, best first."""
        group = self._order[node]
        begin, end = self._groups.bounds[group : group + 2]
        scores, applications = self._scores, self._groups.applications
        if end == begin + 1:
            return [(scores[begin], applications[begin], ())]
        floor = max(self._floor[group], -sys.float_info.max)
        places = [place for place in range(begin, end) if scores[place] >= floor]
        places.sort(key=scores.__getitem__, reverse=True)
        return [(scores[place], applications[place], ()) for place in places]
