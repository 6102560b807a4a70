"""Listed pairs as sentence pairs of the text that rules are learnt from, so that they get the features of rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from sbmt.ppdb.learn.corpus import LISTED, ParallelText
from sbmt.ppdb.learn.links import Link
from sbmt.ppdb.learn.pair_lists import Pair
from sbmt.ppdb.rule import Side


def with_pairs(text: ParallelText, pairs: Sequence[Pair]) -> ParallelText:
    """Append each distinct pair to the text as a sentence pair of origin LISTED, to be scored but not learnt from."""
    ids = {word: k for k, word in enumerate(text.words)}
    sentences: dict[Side, int] = {}
    tokens: list[int] = []
    starts: list[int] = []
    distinct = dict.fromkeys((pair.source, pair.target) for pair in pairs)
    for side in (side for pair in distinct for side in pair):
        if side not in sentences:
            sentences[side] = len(text.starts) - 1 + len(sentences)
            tokens += (ids.setdefault(word, len(ids)) for word in side)
            starts.append(len(text.tokens) + len(tokens))
    n = len(distinct)
    numbers = np.array([[sentences[side] for side in pair] for pair in distinct], np.int32).reshape(-1, 2)
    return replace(
        text,
        words=list(ids),
        tokens=np.concatenate([text.tokens, np.array(tokens, np.int32)]),
        starts=np.concatenate([text.starts, np.array(starts, np.int64)]),
        source=np.concatenate([text.source, numbers[:, 0]]),
        target=np.concatenate([text.target, numbers[:, 1]]),
        segment=np.concatenate([text.segment, np.zeros(n, np.int32)]),
        origin=np.concatenate([text.origin, np.full(n, LISTED, np.int32)]),
        mirrored=np.concatenate([text.mirrored, np.zeros(n, bool)]),
        analyses=text.analyses + [""] * len(sentences) if text.analyses else [],
    )


def pair_links(source: Sequence[int], target: Sequence[int]) -> list[Link]:
    """Return the links of a listed pair: equal words in order, or two single words to each other."""
    if len(source) == len(target) == 1:
        return [(0, 0)]
    links, start = [], 0
    for i, word in enumerate(source):
        j = next((j for j in range(start, len(target)) if target[j] == word), None)
        if j is not None:
            links.append((i, j))
            start = j + 1
    return links
