"""An independent decoder for tests: it enumerates every derivation, and knows neither charts nor states."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from sbmt.lm.model import LanguageModel
from sbmt.ppdb.rule import NONTERMINAL, Rule

GLUE = [
    Rule("GOAL", ("<s>",), ("<s>",)),
    Rule("GOAL", ("[GOAL,1]", "[X,2]"), ("[GOAL,1]", "[X,2]"), {"glue": 1.0}),
    Rule("GOAL", ("[GOAL,1]", "</s>"), ("[GOAL,1]", "</s>")),
]
Output = tuple[tuple[str, ...], float]  # words, sum of weighted rule features


def derivations(
    words: Sequence[str], rules: Sequence[tuple[Rule, int]], weights: Mapping[str, float], goal: str = "GOAL"
) -> list[Output]:
    """Outputs and rule scores of all derivations of `<s> words </s>`; `rules` are (rule, span limit).

    Unary rules must not be cyclic.
    """
    tokens = ("<s>", *words, "</s>")
    passed = [(Rule("X", (word,), (word,), {"OOVPenalty": 1.0}), 0) for word in set(words)]

    @cache
    def build(label: str, i: int, j: int) -> list[Output]:
        return [
            (_fill(rule, below), _value(rule, weights) + sum(score for _, score in below))
            for rule, limit in [*rules, *passed]
            if rule.lhs == label and (limit == 0 or (i == 0 if limit < 0 else j - i <= limit))
            for below in match(rule.source, i, j)
        ]

    def match(source: Sequence[str], i: int, j: int) -> Iterator[list[Output]]:
        if not source:
            if i == j:
                yield []
            return
        gap = NONTERMINAL.fullmatch(source[0])
        if gap is None:
            if i < j and tokens[i] == source[0]:
                yield from match(source[1:], i + 1, j)
            return
        for k in range(i + 1, j - len(source) + 2):
            for rest in match(source[1:], k, j):
                yield from ([first, *rest] for first in build(gap["label"], i, k))

    return build(goal, 0, len(tokens))


def best_outputs(
    words: Sequence[str],
    rules: Sequence[tuple[Rule, int]],
    weights: Mapping[str, float],
    model: LanguageModel | None = None,
) -> dict[tuple[str, ...], float]:
    """The best model score of every output."""
    best: dict[tuple[str, ...], float] = {}
    for output, score in derivations(words, rules, weights):
        text = output[1:-1]
        total = score + (weights.get(model.name, 0.0) * model.score(text) if model else 0.0)
        best[text] = max(total, best.get(text, total))
    return best


def _fill(rule: Rule, below: Sequence[Output]) -> tuple[str, ...]:
    gaps = [symbol for symbol in rule.source if NONTERMINAL.fullmatch(symbol)]
    filled = {gap: words for gap, (words, _) in zip(gaps, below, strict=True)}
    return tuple(word for symbol in rule.target for word in filled.get(symbol, (symbol,)))


def _value(rule: Rule, weights: Mapping[str, float]) -> float:
    return sum(weights.get(name, 0.0) * value for name, value in rule.features.items())


def write_arpa(path: Path, seed: int, vocabulary: str = "abcdef", order: int = 3, weightless: float = 0.0) -> Path:
    """A random language model: some n-grams of each order, every suffix and prefix of an n-gram among them.

    `weightless`: the share of n-grams without a back-off weight, though an n-gram that ends in one may have its own.
    """
    chance = random.Random(seed)
    grams: list[set[tuple[str, ...]]] = [{("<unk>",), ("<s>",), ("</s>",), *((word,) for word in vocabulary)}]
    for _ in range(1, order):
        first = [gram for gram in grams[-1] if gram[-1] != "</s>" and "<unk>" not in gram]
        longer = {(*gram, word) for gram in first for word in [*vocabulary, "</s>"]}
        kept = {gram for gram in longer if gram[1:] in grams[-1] and gram[:-1] in grams[-1]}
        grams.append({gram for gram in sorted(kept) if chance.random() < 0.4})
    lines = ["\\data\\", *(f"ngram {n}={len(kept)}" for n, kept in enumerate(grams, 1))]
    for n, kept in enumerate(grams, 1):
        lines += ["", f"\\{n}-grams:"]
        for gram in sorted(kept):
            backoff = f"\t{-chance.random():.4f}" if n < order and gram[-1] != "</s>" else ""
            lines.append(f"{-3 * chance.random():.4f}\t{' '.join(gram)}{backoff}")
            if weightless and chance.random() < weightless:
                lines[-1] = lines[-1].removesuffix(backoff)
    path.write_text("\n".join([*lines, "", "\\end\\", ""]))
    return path
