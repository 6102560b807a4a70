"""From rules to columns (`sbmt.ppdb.columns`), in memory."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from sbmt.errors import ModelError
from sbmt.ppdb.columns import ROOT, Columns, Ints, SparseFeatures, StringTable
from sbmt.ppdb.rule import NONTERMINAL, Rule


class _Index(dict[str, int]):
    """Numbers strings in the order of first use."""

    def __missing__(self, text: str) -> int:
        self[text] = len(self)
        return self[text]


class _Ragged:
    """Lists of numbers, one a rule, end to end."""

    def __init__(self, typecode: str) -> None:
        self.data, self.length = array(typecode), array("q")

    def append(self, numbers: Sequence[float]) -> None:
        self.data.extend(numbers)  # type: ignore[arg-type]
        self.length.append(len(numbers))


def columns_from_rules(rules: Iterable[Rule]) -> Columns:
    """All rules as columns; raises ModelError for a rule whose two sides differ in their gaps."""
    words, labels, names, entailments = _Index(), _Index(), _Index(), _Index()
    trie: list[dict[int, int]] = [{}]
    node, lhs, entailment = array("q"), array("q"), array("q")
    target, alignment, index, value = _Ragged("q"), _Ragged("q"), _Ragged("q"), _Ragged("d")
    for rule in rules:
        source_symbols, target_symbols = _symbols(rule, words, labels)
        node.append(_insert(trie, source_symbols))
        lhs.append(labels[rule.lhs])
        entailment.append(entailments[rule.entailment])
        target.append(target_symbols)
        alignment.append([position for point in rule.alignment for position in point])
        index.append([names[name] for name in rule.features])
        value.append(list(rule.features.values()))

    word_rank, label_rank = _ranks(words), _ranks(labels)
    number, node_symbol, node_children = _breadth_first(trie, word_rank, label_rank)
    rule_node = number[np.array(node)]
    order = np.argsort(rule_node, kind="stable")
    target_symbol, target_start = _gather(target, order)
    written, alignment_start = _gather(alignment, order)
    values, feature_start = _gather(value, order)
    indices, _ = _gather(index, order)
    word_start, word_bytes = StringTable.build(words)
    label_start, label_bytes = StringTable.build(labels)
    return Columns(
        word_start, word_bytes, label_start, label_bytes,
        node_symbol, node_children,
        node_rules=np.searchsorted(rule_node[order], np.arange(len(trie) + 1)).astype(np.int64),
        rule_lhs=label_rank[np.array(lhs)[order]].astype(np.int32),
        target_start=target_start,
        target_symbol=_rank_words(target_symbol, word_rank),
        alignment_start=alignment_start // 2,
        alignment=written.astype(np.uint8).reshape(-1, 2),
        rule_entailment=np.array(entailment)[order].astype(np.uint8),
        entailments=tuple(entailments),
        features=SparseFeatures(tuple(names), feature_start, indices.astype(np.uint16), values),
    )  # fmt: skip


def _symbols(rule: Rule, words: _Index, labels: _Index) -> tuple[list[int], list[int]]:
    """Both sides as numbers of first use; gaps are -1 - label on the source side, -k on the target side."""
    source: list[int] = []
    gaps: dict[str, int] = {}
    for symbol in rule.source:
        found = NONTERMINAL.fullmatch(symbol)
        if found is None:
            source.append(words[symbol])
        else:
            source.append(-1 - labels[found["label"]])
            gaps[found["index"]] = -1 - len(gaps)
    target: list[int] = []
    for symbol in rule.target:
        found = NONTERMINAL.fullmatch(symbol)
        target.append(words[symbol] if found is None else gaps.get(found["index"], 0))
    if sorted(s for s in target if s < 0) != sorted(gaps.values()) or len(gaps) != sum(s < 0 for s in source):
        sides = f"{' '.join(rule.source)} ||| {' '.join(rule.target)}"
        raise ModelError(f"rule [{rule.lhs}] ||| {sides}: each gap must stand once on both sides")
    return source, target


def _insert(trie: list[dict[int, int]], symbols: Sequence[int]) -> int:
    """Walk from the root, making nodes as needed; returns the last."""
    node = ROOT
    for symbol in symbols:
        children = trie[node]
        node = children.setdefault(symbol, len(trie))
        if node == len(trie):
            trie.append({})
    return node


def _breadth_first(trie: list[dict[int, int]], word_rank: Ints, label_rank: Ints) -> tuple[Ints, Ints, Ints]:
    """Renumber the nodes; returns (new number of each old node, node_symbol, node_children)."""
    queue, symbols, first = [ROOT], [0], [1]
    for old in queue:  # grows while it is read
        ranked = sorted(
            (int(word_rank[symbol]) if symbol >= 0 else -1 - int(label_rank[-1 - symbol]), child)
            for symbol, child in trie[old].items()
        )
        symbols.extend(symbol for symbol, _ in ranked)
        queue.extend(child for _, child in ranked)
        first.append(len(queue))
    number = np.empty(len(trie), np.int64)
    number[queue] = np.arange(len(trie))
    return number, np.array(symbols, np.int32), np.array(first, np.int64)


def _gather(lists: _Ragged, order: Ints) -> tuple[npt.NDArray[Any], npt.NDArray[np.int64]]:
    """Reorder the lists; returns their contents end to end and the start of each."""
    data, length = np.array(lists.data), np.array(lists.length, np.int64)
    begin = np.cumsum(length) - length
    start = np.zeros(len(order) + 1, np.int64)
    np.cumsum(length[order], out=start[1:])
    return data[np.arange(start[-1]) + np.repeat(begin[order] - start[:-1], length[order])], start


def _ranks(index: _Index) -> npt.NDArray[np.int64]:
    """Position of each string, numbered by first use, in byte order."""
    ordered = sorted(index, key=str.encode)
    ranks = np.empty(len(index), np.int64)
    ranks[[index[text] for text in ordered]] = np.arange(len(index))
    return ranks


def _rank_words(symbols: npt.NDArray[Any], word_rank: Ints) -> npt.NDArray[np.int32]:
    """Renumber the words among target symbols; gaps (negative) stay."""
    ranked = symbols.astype(np.int32)
    is_word = symbols >= 0
    ranked[is_word] = word_rank[symbols[is_word]]
    return ranked
