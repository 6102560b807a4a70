"""The k best outputs of a sentence: sidetracks from best paths (Eppstein 1998), along chains of glue.

Glue rules, and phrases laid one after the other, make long chains: each edge appends a little to the output of the node
*before* it. A derivation is then a path, and all but the best differ from one that is better by a single *sidetrack*:
at some node they take the option of some rank, and from there on the best way to the beginning of the sentence. So
every output costs a few heap operations whatever its length, and is cut from its parent's strings. What an edge
appends, and what a chain begins with, are derivations of nodes of any kind (`lazy.NodeLists`).

Outputs are unique. When an output is found again, by other segments, only those of its sidetracks are followed that lie
between the place where it left its parent and the place where it meets the path of an earlier one: beyond that both
would lead to the same outputs.
"""

from __future__ import annotations

import math
from bisect import insort
from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import count

from sbmt.decoder.forest import Forest
from sbmt.decoder.hypergraph import NO_APPLICATION, SEPARATOR, Edge, Hypergraph
from sbmt.decoder.kbest.best import best_derivation
from sbmt.decoder.kbest.lazy import Derivation, NodeLists

_NONE, _ROOT = -1, -2  # no node; the node above all goal nodes
# Plain tuples, here and below: named ones, of which there are very many, take seven times as long to make.
# Cost, tie breaker, parent, its link, number of the sidetrack there, rank of the option.
_Candidate = tuple[float, int, "_Path", "_Link", int, int]
# A way to end a chain at a node: its cost beyond the best one's, the node before (or _NONE), the text it adds, and its
# applications in two parts: those before and those after the applications of the node before.
_Option = tuple[float, int, str, tuple[int, ...], tuple[int, ...]]
# A derivation: like its parent up to a sidetrack, from there on the best path from a link (None: the chain ends there).
# Cost, text, applications (in two parts, as in an option), link, and the depth in links that its own sidetracks must
# exceed.
_Path = tuple[float, str, tuple[int, ...], tuple[int, ...], "_Link | None", int]


class _Link:
    """A node of a chain, with the best path to it: `text` and applications, `depth` in links.

    `options` are those found so far, best first. More come from the last `n_unused` of the `edges` and from `heap`:
    further derivations of what an edge appends. `unique` are the (node before, text) of the options. `sidetracks` are
    (cost of the second-best option, depth, node) of the links on the best path, cheapest first; nodes stand for links
    so that there are no cycles.
    """

    __slots__ = ("closing", "depth", "edges", "heap", "n_unused", "opening", "options", "sidetracks", "text", "unique")

    depth: int
    text: str
    opening: tuple[int, ...]
    closing: tuple[int, ...]
    sidetracks: list[tuple[float, int, int]]

    def __init__(self, edges: list[_ChainEdge]) -> None:
        self.edges, self.n_unused = edges, len(edges)
        self.options: list[_Option] = []
        self.heap: list[tuple[float, int, int]] = []
        self.unique: set[tuple[int, str]] = set()

    def set_best_path(self, node: int, before: _Link | None) -> None:
        """Set the best path, given the link before the best option. Two options, or the only one, must be known."""
        _, _, self.text, self.opening, self.closing = self.options[0]
        if before is None:
            self.depth, self.sidetracks = 0, []
        else:
            self.depth, self.text = before.depth + 1, before.text + self.text
            self.opening, self.closing = self.opening + before.opening, before.closing + self.closing
            self.sidetracks = before.sidetracks
        if len(self.options) > 1:
            self.sidetracks = self.sidetracks.copy()
            insort(self.sidetracks, (self.options[1][0], self.depth, node))


# Score, application that comes before those of the node before, that node (or _NONE), and what is appended: a node that
# may have several derivations, or _NONE and words with the applications they come from.
_ChainEdge = tuple[float, tuple[int, ...], int, int, str, tuple[int, ...]]


class KBest:
    """Derivations of the goal, best first."""

    def __init__(self, graph: Hypergraph, forest: Forest, unique: bool) -> None:
        self._graph, self._forest, self._unique = graph, forest, unique
        self._lists = NodeLists(graph, forest, unique)
        self._links: dict[int, _Link] = {}
        self._appended: dict[int, str | None] = {}  # by application: the words it appends to its first gap
        self._derivations: list[Derivation] = []
        self._paths: dict[str, _Path] = {}  # by output: its first path
        self._passed: dict[str, set[int]] = {}  # by output found again: links on its paths
        self._heap: list[_Candidate] = []
        self._count = count()
        self._started = False

    def take(self, k: int) -> list[Derivation]:
        """Return the k best derivations, or all if there are fewer."""
        if k == 1 and not self._started and self._graph.goals:
            return [best_derivation(self._graph, self._forest, self._graph.goals[0])]
        if not self._started and self._graph.goals:
            self._started = True
            self._start()
        while len(self._derivations) < k and self._heap:
            self._follow(*heappop(self._heap))
        return self._derivations[:k]

    def _start(self) -> None:
        score = self._graph.score
        goals: list[_ChainEdge] = [(score[node], (), node, _NONE, "", ()) for node in self._graph.goals]
        root = self._links[_ROOT] = self._make_link(_ROOT, goals)
        self._keep((-goals[0][0], root.text, root.opening, root.closing, root, -1))

    def _follow(self, cost: float, order: int, parent: _Path, parent_link: _Link, number: int, rank: int) -> None:
        """Take a candidate, and queue the next ones.

        These are the next option at its place, the parent's next sidetrack if this was the first option there, and the
        first sidetrack of its own.
        """
        _, parent_text, parent_opening, parent_closing, _, _ = parent
        at = self._links[parent_link.sidetracks[number][2]]
        options = at.options
        extra_cost, before, text, opening, closing = options[rank]
        if rank + 1 < len(options) or self._has(at, rank + 1):
            next_cost = cost - extra_cost + options[rank + 1][0]
            heappush(self._heap, (next_cost, next(self._count), parent, parent_link, number, rank + 1))
        if rank == 1:
            self._sidetrack(parent, number + 1)
        text += parent_text[len(at.text) :]
        opening = parent_opening[: len(parent_opening) - len(at.opening)] + opening
        closing += parent_closing[len(at.closing) :]
        link = None
        if before != _NONE:
            link = self._links.get(before) or self._link(before)
            text, opening, closing = link.text + text, opening + link.opening, link.closing + closing
        self._keep((cost, text, opening, closing, link, -1))

    def _keep(self, path: _Path) -> None:
        """Record a finished path, and queue its first sidetrack.

        If its output is not new, it serves only for the sidetracks that lead to other outputs.
        """
        cost, text, opening, closing, link, _ = path
        first = self._paths.setdefault(text, path) if self._unique else path
        if first is path:
            self._derivations.append(Derivation(0.0 - cost, text, opening + closing))
        else:
            path = (cost, text, opening, closing, link, self._meeting(text, link, first[4]))
        self._sidetrack(path, 0)

    def _meeting(self, text: str, start: _Link | None, first: _Link | None) -> int:
        """Return the depth of the first link back from `start` that an earlier path of this output passed, or -1."""
        passed = self._passed.get(text)
        if passed is None:
            passed = self._passed[text] = {id(link) for link in self._best_path(first)}
        for link in self._best_path(start):
            if id(link) in passed:
                return link.depth
            passed.add(id(link))
        return -1

    def _best_path(self, link: _Link | None) -> Iterator[_Link]:
        while link is not None:
            yield link
            link = self._links.get(link.options[0][1])

    def _sidetrack(self, path: _Path, number: int) -> None:
        """Queue a sidetrack of a path, or the next one that is deep enough."""
        path_cost, _, _, _, link, floor = path
        if link is not None:
            sidetracks = link.sidetracks
            for index in range(number, len(sidetracks)):
                cost, depth, _ = sidetracks[index]
                if depth > floor:
                    heappush(self._heap, (path_cost + cost, next(self._count), path, link, index, 1))
                    return

    def _link(self, node: int) -> _Link:
        """Return the link of a node; makes those on the best path before it first.

        Without recursion, as the path is as long as the sentence.
        """
        links = self._links
        if node not in links:
            missing = []
            before = node
            while before != _NONE and before not in links:
                edges = self._edges(before)
                missing.append((before, edges))
                _, _, before, _, _, _ = edges[0]
            for missing_node, edges in reversed(missing):
                links[missing_node] = self._make_link(missing_node, edges)
        return links[node]

    def _make_link(self, node: int, edges: list[_ChainEdge]) -> _Link:
        """Return a new link of a node with these edges."""
        link = _Link(edges)
        self._has(link, 1)
        before = link.options[0][1]
        link.set_best_path(node, self._link(before) if before != _NONE else None)
        return link

    def _edges(self, node: int) -> list[_ChainEdge]:
        """Return the edges into a node, best first, if all of them append; otherwise the node begins the chain."""
        edges: list[_ChainEdge] = []
        only, appended = self._lists.only, self._appended
        for score, application, tails in self._graph.into(node):
            if application not in appended:
                appended[application] = self._words_after(application, len(tails))
            words = appended[application]
            if words is None or not tails:
                return [self._beginning(node)]
            used = (application,) if application != NO_APPLICATION else ()
            if len(tails) < 2:
                edges.append((score, used, tails[0], _NONE, words, ()))
            elif (derivation := only[tails[1]]) is not None:
                edges.append((score, used, tails[0], _NONE, derivation[1], derivation[2]))
            else:
                edges.append((score, used, tails[0], tails[1], "", ()))
        if len(edges) > 1:
            edges.sort(key=_score, reverse=True)
        return edges

    def _beginning(self, node: int) -> _ChainEdge:
        derivation = self._lists.only[node]
        if derivation is not None:
            return self._graph.score[node], (), _NONE, _NONE, derivation[1], derivation[2]
        return self._graph.score[node], (), _NONE, node, "", ()

    def _words_after(self, application: int, arity: int) -> str | None:
        """Return the words that an application appends to its first tail.

        None if its target does not begin with that tail or has more than one thing after it. An edge without an
        application appends none.
        """
        target = self._forest.target(application) if application != NO_APPLICATION else ()
        words = [symbol for symbol in target if isinstance(symbol, str)]
        gaps = target[: len(target) - len(words)]
        if gaps not in ((), tuple(range(arity))) or len(gaps) + bool(words) > 2:
            return None
        return "".join(word + SEPARATOR for word in words)

    def _has(self, link: _Link, rank: int) -> bool:
        """Find options up to this rank; returns whether there are as many."""
        heap, edges, options = link.heap, link.edges, link.options
        while len(options) <= rank and (link.n_unused or heap):
            number, index = len(edges) - link.n_unused, 0
            cost = edges[0][0] - edges[number][0] if link.n_unused else math.inf
            if heap and heap[0][0] <= cost:
                cost, number, index = heappop(heap)
            else:
                link.n_unused -= 1
            _, opening, before, appended, text, closing = edges[number]
            if appended != _NONE:
                derivations = self._lists.best(appended, index + 2)
                score, text, closing = derivations[index]
                if index + 1 < len(derivations):
                    heappush(heap, (cost + score - derivations[index + 1].score, number, index + 1))
            if self._unique:
                if (before, text) in link.unique:
                    continue
                link.unique.add((before, text))
            options.append((cost, before, text, opening, closing))
        return rank < len(options)


def _score(edge: Edge | _ChainEdge) -> float:
    return edge[0]
