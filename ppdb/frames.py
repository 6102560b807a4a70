"""How a grammar changes a phrase in a context: rules with the phrase, gaps, and at most a word on either side."""

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
    """A rule that changes a phrase and leaves the other words of its source side.

    `replacement` is what it writes for the phrase, () if it drops it.
    """

    rule_id: int
    rule: Rule
    replacement: tuple[str, ...]


def frames(grammar: Grammar, phrase: Sequence[str]) -> Iterator[Frame]:
    """Rules whose source side has the words of a phrase in their order and, beside that, gaps or a word or both.

    The word is the one just before the phrase, with which the side begins, or any after it, or one of each. Gaps are
    anywhere else.

    They are found in the trie, many nodes at a time: that costs a look-up for each word that a source side can begin
    with, less than a microsecond each, and then only what there is to find.
    """
    words = [grammar.terminal(word) for word in phrase]
    for node in _ends(grammar, words).tolist() if min(words) >= 0 else ():
        side = grammar.source(node)
        for rule_id in grammar.rules(node) if side != tuple(words) else ():
            replacement = _replacement(side, grammar.target(rule_id), words)
            if replacement is not None:
                yield Frame(rule_id, grammar.rule(rule_id), tuple(map(grammar.word, replacement)))


def _replacement(side: Sequence[int], target: Sequence[int], phrase: list[int]) -> list[int] | None:
    """The words of a target side but for those around the phrase; None if one of these is not left as it is."""
    source, left = ([symbol for symbol in symbols if symbol >= 0] for symbols in (side, target))
    start = 0 if source[: len(phrase)] == phrase else 1
    for around in (source[:start], source[start + len(phrase) :]):
        for word in around:
            if word not in left:
                return None
            left.remove(word)
        left.reverse()  # what follows the phrase is looked for from the end
    return left


def _ends(grammar: Grammar, phrase: Sequence[int]) -> Ints:
    """The nodes in which such source sides end, those of the phrase by itself among them."""
    root = np.array([ROOT])
    nodes = np.concatenate([_past_gaps(grammar, root), _past_word(grammar, root)])
    for word in phrase:
        found = grammar.children(nodes, word)
        nodes = _past_gaps(grammar, found[found >= 0])
    nodes = np.concatenate([nodes, _past_gaps(grammar, _past_word(grammar, nodes))])
    return np.unique(nodes[grammar.has_rules(nodes)])  # a word may be both beside the phrase and its first or last


def _past_gaps(grammar: Grammar, nodes: Ints) -> Ints:
    """The nodes and all that gaps lead on to from them, any number one after the other."""
    found = [nodes]
    while len(nodes):
        nodes = ranges(*grammar.gap_ranges(nodes))
        found.append(nodes)
    return np.concatenate(found)


def _past_word(grammar: Grammar, nodes: Ints) -> Ints:
    """The nodes that a word leads on to, whichever it is."""
    first, gaps = grammar.gap_ranges(nodes)
    children = grammar.columns.node_children
    return ranges(first + gaps, children[nodes + 1] - first - gaps)
