"""Groups of segments with a source in common, which must be in the same fold."""

from __future__ import annotations

import numpy as np

from sbmt.arrays import Int32s, Int64s


def groups(n_segments: int, segments: Int64s, keys: Int64s) -> Int32s:
    """Return the group [n_segments] of each segment, numbered in the order of their first segments.

    segments[i] has a source with key keys[i]; a segment may have several, or none. Groups are the connected components
    of segments that share keys; without any shared key, group i is segment i.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    distinct, key = np.unique(keys, return_inverse=True)
    size = n_segments + len(distinct)
    edges = coo_array((np.ones(len(keys), bool), (segments, n_segments + key)), shape=(size, size))
    _, component = connected_components(edges, directed=False)
    _, first, group = np.unique(component[:n_segments], return_index=True, return_inverse=True)
    rank = np.empty(len(first), np.int32)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[group]
