"""Rules that change a phrase in a context: the phrase, gaps, and at most one word on either side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from sbmt.arrays import Ints, ranges
from sbmt.ppdb.columns import ROOT
from sbmt.ppdb.grammar import Grammar
from sbmt.ppdb.rule import Rule


@dataclass(frozen=True, slots=True)
class Frame:
    """A rule that changes a phrase and keeps the other words of its source side.

    `replacement`: the words written for the phrase, () if it is dropped.
    """

    rule_id: int
    rule: Rule
    replacement: tuple[str, ...]


def frames(grammar: Grammar, phrase: Sequence[str]) -> Iterator[Frame]:
    """Yield the rules whose source side has the words of a phrase in order and, besides, gaps or words or both.

    The words: the side may begin with one just before the phrase, and have one after it. Gaps may be anywhere else.

    The rules are found in the trie, many nodes at a time. That costs a look-up for each word that a source side can
    begin with, less than a microsecond each; the rest depends on the number of matches.
    """
    words = [grammar.terminal(word) for word in phrase]
    for node in _end_nodes(grammar, words).tolist() if min(words) >= 0 else ():
        side = grammar.source(node)
        for rule_id in grammar.rules(node) if side != tuple(words) else ():
            replacement = _replacement(side, grammar.target(rule_id), words)
            if replacement is not None:
                yield Frame(rule_id, grammar.rule(rule_id), tuple(map(grammar.word, replacement)))


def _replacement(side: Sequence[int], target: Sequence[int], phrase: list[int]) -> list[int] | None:
    """Return the words of a target side without those around the phrase; None if one of these is not kept.

    Of several equal words in the target, the first is the one kept before the phrase, the last the one kept after it.
    """
    source, rest = ([symbol for symbol in symbols if symbol >= 0] for symbols in (side, target))
    start = 0 if source[: len(phrase)] == phrase else 1
    for word in source[:start]:
        if word not in rest:
            return None
        rest.remove(word)
    for word in source[start + len(phrase) :]:
        if word not in rest:
            return None
        del rest[len(rest) - 1 - rest[::-1].index(word)]
    return rest


def _end_nodes(grammar: Grammar, phrase: Sequence[int]) -> Ints:
    """Return the nodes in which such source sides end, including those of the phrase alone."""
    root = np.array([ROOT])
    nodes = np.concatenate([_after_gaps(grammar, root), _after_word(grammar, root)])
    for word in phrase:
        children = grammar.children(nodes, word)
        nodes = _after_gaps(grammar, children[children >= 0])
    nodes = np.concatenate([nodes, _after_gaps(grammar, _after_word(grammar, nodes))])
    return np.unique(nodes[grammar.has_rules(nodes)])  # a word may be both beside the phrase and its first or last


def _after_gaps(grammar: Grammar, nodes: Ints) -> Ints:
    """Return the nodes and all that any number of gaps lead to from them."""
    reached = [nodes]
    while len(nodes):
        nodes = ranges(*grammar.gap_ranges(nodes))
        reached.append(nodes)
    return np.concatenate(reached)


def _after_word(grammar: Grammar, nodes: Ints) -> Ints:
    """Return the nodes that any word leads to."""
    first, gaps = grammar.gap_ranges(nodes)
    children = grammar.columns.node_children
    return ranges(first + gaps, children[nodes + 1] - first - gaps)
