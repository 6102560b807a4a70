"""Applications without gaps, taken all at once.

What a language model makes of their words alone, and which of them make the same node, is the same for all weights:
that is worked out once for a forest (`LexicalGroups`; with several language models, whose values are weighted already,
once for a forest and weights). A search then finds the scores of all nodes in a few steps of numpy, and makes the edges
of those that somebody asks for: most nodes are part of no output.
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
    """The applications without gaps of a forest, of which there are some, by the node that they make.

    A *group* are the applications of one item that end in the same state. Columns by application, in the order of
    groups: `rule`, `application` and the unweighted `value` of its words. Columns by group: `begin`, its first place in
    those columns, `item` and `state`; `bounds` are those first places and the end. By item that has groups:
    `first_of_item`, its first, and `count_of_item`, how many.
    """

    def __init__(self, lexical: Lexical, joins: Sequence[tuple[float, int]]) -> None:
        """`joins` are value and state of each application."""
        values, states = zip(*joins, strict=True)
        # Whatever was searched before has numbered the states: the order of groups must not depend on that.
        first: dict[int, int] = {}
        alike = np.fromiter(map(first.setdefault, states, count()), np.int64, len(states))
        key = (lexical.item.astype(np.int64) << 32) + alike
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
    """The nodes that are left of the groups within a beam: those of an item follow one another, best first.

    `score` and `state` are columns.
    """

    def __init__(self, groups: LexicalGroups, scores: Floats, beam: float) -> None:
        """`scores` by application, in the order of groups; `beam`: how much below the best of its item one may be."""
        best = np.fmax.reduceat(scores, groups.begin)  # what is not a number is passed over
        floor = (np.fmax.reduceat(best, groups.first_of_item) - beam).repeat(groups.count_of_item)
        kept = ((best >= floor) & (best > -math.inf)).nonzero()[0]
        order = kept[np.lexsort((-best[kept], groups.item[kept]))]
        self.score, self.state, self._item = best[order], groups.state[order], groups.item[order]
        self._groups, self._floor = groups, floor
        self._scores: list[float] = scores.tolist()
        self._order: list[int] = order.tolist()

    def by_item(self) -> Iterator[tuple[int, int, int]]:
        """(item, its first node, the first that is not its own)."""
        begin = begins_run(self._item).nonzero()[0]
        ends = [*begin[1:].tolist(), len(self._item)]
        yield from zip(self._item[begin].tolist(), begin.tolist(), ends, strict=False)  # without nodes there is one end

    def edges(self, node: int) -> list[Edge]:
        """The edges of a node, best first."""
        group = self._order[node]
        begin, end = self._groups.bounds[group : group + 2]
        scores, applications = self._scores, self._groups.applications
        if end == begin + 1:
            return [(scores[begin], applications[begin], ())]
        floor = max(self._floor[group], -sys.float_info.max)
        places = [place for place in range(begin, end) if scores[place] >= floor]
        places.sort(key=scores.__getitem__, reverse=True)
        return [(scores[place], applications[place], ()) for place in places]
