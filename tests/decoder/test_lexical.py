"""Applications without gaps, taken in arrays, against a plain loop over them."""

from __future__ import annotations

import math
from collections import defaultdict

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sbmt.decoder.forest import Lexical
from sbmt.decoder.search.lexical import LexicalGroups, LexicalNodes

# Item, state, value and score of the rule: few, so that many meet in a node; some scores forbid or are no numbers.
rows = st.tuples(
    st.integers(0, 3),
    st.integers(0, 2),
    st.integers(-3, 0),
    st.sampled_from([math.nan, -math.inf, -2.0, -1.0, 0.0, 1.0]),
)


def nodes_of(
    applications: list[tuple[int, int, int, float]], order: list[int], weight: float, beam: float
) -> list[tuple[int, float, int, list[tuple[float, int, tuple[int, ...]]]]]:
    """Item, score, state and edges of each node, `order` being the numbers of the states."""
    items, states, values, scores = (np.array(column) for column in zip(*applications, strict=True))
    numbers = np.arange(len(applications))
    groups = LexicalGroups(
        Lexical(numbers[::-1], numbers, items),
        [(float(value), order[state]) for value, state in zip(values, states, strict=True)],
    )
    rule_scores = scores[::-1]  # the rules are numbered backwards
    lexical = LexicalNodes(groups, rule_scores[groups.rule] + weight * groups.value, beam)
    name = {number: state for state, number in enumerate(order)}
    return [
        (item, lexical.score[node], name[lexical.state[node]], lexical.edges(node))
        for item, first, last in lexical.by_item()
        for node in range(first, last)
    ]


@settings(max_examples=300, deadline=None, derandomize=True)
@given(
    applications=st.lists(rows, min_size=1, max_size=20),
    weight=st.sampled_from([0.0, 0.5, 1.0]),
    beam=st.sampled_from([0.0, 1.0, 2.5, math.inf]),
    order=st.permutations(range(3)),
)
def test_nodes_are_those_of_a_plain_loop(
    applications: list[tuple[int, int, int, float]], weight: float, beam: float, order: list[int]
) -> None:
    edges = defaultdict(list)
    for application, (item, state, value, score) in enumerate(applications):
        edges[item, state].append((score + weight * value, application, ()))
    best = dict.fromkeys((item for item, _ in edges), -math.inf)
    for (item, _), own in edges.items():
        best[item] = max([best[item], *(score for score, _, _ in own if not math.isnan(score))])
    expected = {}
    for (item, state), own in edges.items():
        near = [edge for edge in own if edge[0] >= best[item] - beam and edge[0] > -math.inf]
        if near:
            expected[item, state] = sorted(near, key=lambda edge: -edge[0])
    nodes = nodes_of(applications, order, weight, beam)
    assert {(item, state): own for item, _, state, own in nodes} == expected
    assert all(score == own[0][0] for _, score, _, own in nodes)
    assert [(item, -score) for item, score, _, _ in nodes] == sorted((item, -score) for item, score, _, _ in nodes)
    assert nodes == nodes_of(applications, [0, 1, 2], weight, beam)  # however the states are numbered
