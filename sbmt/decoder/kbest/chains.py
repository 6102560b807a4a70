"""The k best outputs of a sentence: sidetracks from best paths (Eppstein 1998), along chains of glue.

Glue rules, and phrases laid one after the other, make long chains: each edge appends a little to the output of the node
*before* it. A derivation is then a path, and all but the best differ from one that is better by a single *sidetrack*:
at some node they take the option of some rank, and from there on the best way to the beginning of the sentence. So
every output costs a few heap operations whatever its length, and is cut from its parent's strings. What an edge
appends, and what a chain begins with, are derivations of nodes of any kind (`lazy.NodeLists`).

Outputs are unique. Where an output is found again, by other segments, only those of its sidetracks are followed that
lie between the place where it left its parent and the place where it meets the path of one found before: beyond that
both would lead to the same outputs.
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

_NONE, _ROOT = -1, -2  # no node; what is above all goal nodes
# Plain tuples, here and below: named ones, of which there are very many, take seven times as long to make.
_Candidate = tuple[float, int, "_Path", int, int]  # cost, tie breaker, parent, number of its sidetrack, rank of option
# A way to end a chain at a node: how much it costs more than the best, the node before (or _NONE), text that it adds,
# applications it uses that come before those of the node before, and those that come after them.
_Option = tuple[float, int, str, tuple[int, ...], tuple[int, ...]]
# A derivation: up to a sidetrack as its parent, from there on the best path to a link (None: nothing left). Cost, text,
# applications (in two parts, as those of an option), link, and the depth in links that its own sidetracks must exceed.
_Path = tuple[float, str, tuple[int, ...], tuple[int, ...], "_Link | None", int]


class _Link:
    """A node of a chain, with the best path to it: `text` and applications, `depth` in links.

    `options` are those known so far, best first. More come from the `edges` that were not looked at, `left` being how
    many, and from `heap`: other derivations of what an edge appends. `sidetracks` are (cost of the second-best option,
    depth, node) of the links on the best path, cheapest first; nodes stand for links so that there are no cycles.
    """

    __slots__ = ("closing", "depth", "edges", "heap", "left", "opening", "options", "seen", "sidetracks", "text")

    depth: int
    text: str
    opening: tuple[int, ...]
    closing: tuple[int, ...]
    sidetracks: list[tuple[float, int, int]]

    def __init__(self, edges: list[_ChainEdge]) -> None:
        self.edges, self.left = edges, len(edges)
        self.options: list[_Option] = []
        self.heap: list[tuple[float, int, int]] = []
        self.seen: set[tuple[int, str]] = set()

    def settle(self, node: int, before: _Link | None) -> None:
        """Fill in the path, once the best two options of `node` are known (or the one), and the best's `before`."""
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


# Score, applications before those of the node before, that node (or _NONE), node whose derivations are appended, if
# there may be several (or _NONE); otherwise what is appended: words, and the applications they come from.
_ChainEdge = tuple[float, tuple[int, ...], int, int, str, tuple[int, ...]]


class KBest:
    """Derivations of the goal, best first."""

    def __init__(self, graph: Hypergraph, forest: Forest, unique: bool) -> None:
        self._graph, self._forest, self._unique = graph, forest, unique
        self._lists = NodeLists(graph, forest, unique)
        self._links: dict[int, _Link] = {}
        self._appended: dict[int, str | None] = {}  # by application: words it appends to its first gap
        self._found: list[Derivation] = []
        self._paths: dict[str, _Path] = {}  # by output: the first
        self._passed: dict[str, set[int]] = {}  # by output that was found again: links on the way to the beginning
        self._heap: list[_Candidate] = []
        self._count = count()
        self._started = False

    def take(self, k: int) -> list[Derivation]:
        """The k best derivations, or all there are."""
        if k == 1 and not self._started and self._graph.goals:
            return [best_derivation(self._graph, self._forest, self._graph.goals[0])]
        if not self._started and self._graph.goals:
            self._started = True
            self._start()
        while len(self._found) < k and self._heap:
            self._follow(*heappop(self._heap))
        return self._found[:k]

    def _start(self) -> None:
        score = self._graph.score
        goals: list[_ChainEdge] = [(score[node], (), node, _NONE, "", ()) for node in self._graph.goals]
        root = self._links[_ROOT] = self._settled(_ROOT, goals)
        self._keep((-goals[0][0], root.text, root.opening, root.closing, root, -1))

    def _follow(self, cost: float, order: int, parent: _Path, number: int, rank: int) -> None:
        """Take a candidate, and queue those that it makes possible: the next option at its place, if it was the first
        there then the parent's next sidetrack, and the first sidetrack of its own.
        """
        _, whole, before_all, after_all, parted, _ = parent
        assert parted is not None
        at = self._links[parted.sidetracks[number][2]]
        options = at.options
        gain, before, text, opening, closing = options[rank]
        if rank + 1 < len(options) or self._has(at, rank + 1):
            further = cost - gain + options[rank + 1][0]
            heappush(self._heap, (further, next(self._count), parent, number, rank + 1))
        if rank == 1:
            self._sidetrack(parent, number + 1)
        text += whole[len(at.text) :]
        opening = before_all[: len(before_all) - len(at.opening)] + opening
        closing += after_all[len(at.closing) :]
        link = None
        if before != _NONE:
            link = self._links.get(before) or self._link(before)
            text, opening, closing = link.text + text, opening + link.opening, link.closing + closing
        self._keep((cost, text, opening, closing, link, -1))

    def _keep(self, path: _Path) -> None:
        """Record a finished path, and queue its first sidetrack.

        It is a new output or, if its output is known, there only for the sidetracks that lead to others.
        """
        cost, text, opening, closing, link, _ = path
        known = self._paths.setdefault(text, path) if self._unique else path
        if known is path:
            self._found.append(Derivation(0.0 - cost, text, opening + closing))
        else:
            path = (cost, text, opening, closing, link, self._meeting(text, link, known[4]))
        self._sidetrack(path, 0)

    def _meeting(self, text: str, start: _Link | None, known: _Link | None) -> int:
        """Depth of the first link on the way to the beginning that a path of the same output has passed, or -1."""
        passed = self._passed.get(text)
        if passed is None:
            passed = self._passed[text] = {id(link) for link in self._best_path(known)}
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
        so_far, _, _, _, link, floor = path
        if link is not None:
            sidetracks = link.sidetracks
            for index in range(number, len(sidetracks)):
                cost, depth, _ = sidetracks[index]
                if depth > floor:
                    heappush(self._heap, (so_far + cost, next(self._count), path, index, 1))
                    return

    def _link(self, node: int) -> _Link:
        """The link of a node, after those of the best path before it (no recursion: it is as long as the sentence)."""
        found = self._links.get(node)
        if found is None:
            missing = []
            while node != _NONE and node not in self._links:
                edges = self._edges(node)
                missing.append((node, edges))
                _, _, node, _, _, _ = edges[0]
            for node, edges in reversed(missing):
                found = self._links[node] = self._settled(node, edges)
        assert found is not None
        return found

    def _settled(self, node: int, edges: list[_ChainEdge]) -> _Link:
        """The link of a node with these edges; that of the node before its best option is there, or can be made."""
        link = _Link(edges)
        self._has(link, 1)
        before = link.options[0][1]
        link.settle(node, self._link(before) if before != _NONE else None)
        return link

    def _edges(self, node: int) -> list[_ChainEdge]:
        """The edges into a node, best first, if all of them append; otherwise the node begins the chain."""
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
            elif (alone := only[tails[1]]) is not None:
                edges.append((score, used, tails[0], _NONE, alone[1], alone[2]))
            else:
                edges.append((score, used, tails[0], tails[1], "", ()))
        if len(edges) > 1:
            edges.sort(key=_score, reverse=True)
        return edges

    def _beginning(self, node: int) -> _ChainEdge:
        alone = self._lists.only[node]
        if alone is not None:
            return self._graph.score[node], (), _NONE, _NONE, alone[1], alone[2]
        return self._graph.score[node], (), _NONE, node, "", ()

    def _words_after(self, application: int, arity: int) -> str | None:
        """The words that an application puts after its first tail; None if it does not begin with that or does more.

        An edge without an application adds none.
        """
        target = self._forest.target(application) if application != NO_APPLICATION else ()
        words = [symbol for symbol in target if isinstance(symbol, str)]
        gaps = target[: len(target) - len(words)]
        if gaps not in ((), tuple(range(arity))) or len(gaps) + bool(words) > 2:
            return None
        return "".join(word + SEPARATOR for word in words)

    def _has(self, link: _Link, rank: int) -> bool:
        """Whether there is an option of this rank; makes it known."""
        heap, edges, options = link.heap, link.edges, link.options
        while len(options) <= rank and (link.left or heap):
            number, index = len(edges) - link.left, 0
            cost = edges[0][0] - edges[number][0] if link.left else math.inf
            if heap and heap[0][0] <= cost:
                cost, number, index = heappop(heap)
            else:
                link.left -= 1
            _, opening, before, appended, text, closing = edges[number]
            if appended != _NONE:
                derivation = self._lists.get(appended, index)
                following = self._lists.get(appended, index + 1)
                assert derivation is not None
                _, text, closing = derivation
                if following is not None:
                    heappush(heap, (cost + derivation.score - following.score, number, index + 1))
            if self._unique:
                if (before, text) in link.seen:
                    continue
                link.seen.add((before, text))
            options.append((cost, before, text, opening, closing))
        return rank < len(options)


def _score(edge: Edge | _ChainEdge) -> float:
    return edge[0]
