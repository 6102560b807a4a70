"""Symmetrising alignments of two directions: grow-diag-final-and (Koehn, Och & Marcu 2003; Moses).

Start from the intersection; add neighbours (also diagonal ones) from the union that cover an uncovered word on either
side, until nothing changes; finally add links of either direction whose two words are both uncovered.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from sbmt.arrays import Int64s
from sbmt.parallel import ordered_map
from sbmt.ppdb.learn.corpus import ParallelText
from sbmt.ppdb.learn.links import Link, Links

Positions = NDArray[np.int16]  # of the best partner of each word, -1 for none
_NEIGHBOURS = ((-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1))


def grow_diag_final_and(forward: set[Link], backward: set[Link]) -> set[Link]:
    """Symmetrise two alignments; the result does not depend on the order of the sets."""
    links, union = forward & backward, forward | backward
    if len(links) == len(union):
        return links
    sources, targets = {i for i, _ in links}, {j for _, j in links}

    def add(link: Link) -> None:
        links.add(link)
        sources.add(link[0])
        targets.add(link[1])

    grown = True
    while grown:
        grown, points, k = False, sorted(links), 0
        while k < len(points):
            i, j = points[k]
            k += 1
            for di, dj in _NEIGHBOURS:
                near = (i + di, j + dj)
                if near in union and near not in links and (near[0] not in sources or near[1] not in targets):
                    add(near)
                    insort(points, near)  # points further on are visited in this pass, as in Moses
                    k += near < (i, j)
                    grown = True
    for side in (forward, backward):
        for link in sorted(side):
            if link[0] not in sources and link[1] not in targets:
                add(link)
    return links


def symmetrise(text: ParallelText, target_best: Positions, source_best: Positions, jobs: int) -> Links:
    """Symmetrise the two arrays of `align_text`: the best partner of each target and of each source word."""
    forward = _split(target_best, text.lengths[text.target])
    backward = _split(source_best, text.lengths[text.source])
    pairs = zip(forward, backward, strict=True)
    return Links.collect(ordered_map(_symmetrise_pair, pairs, _no_state, jobs, chunk=2000))


def _split(flat: Positions, lengths: Int64s) -> Iterator[Positions]:
    """Yield consecutive pieces of these lengths."""
    end = 0
    for length in lengths:
        end += length
        yield flat[end - length : end]


def _no_state() -> None:
    """Return the state of a worker process, which needs none."""


def _symmetrise_pair(_: None, best: tuple[Positions, Positions]) -> list[Link]:
    forward = {(i, j) for j, i in enumerate(best[0].tolist()) if i >= 0}
    backward = {(i, j) for i, j in enumerate(best[1].tolist()) if j >= 0}
    return sorted(grow_diag_final_and(forward, backward))
