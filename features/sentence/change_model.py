"""How likely a simplifier is to change a word, given its sentence: a logistic model on the word and its neighbours.

Rule features see a rule alone, but whether *principal* should go depends on where it stands. The model is fitted on
simplification pairs with any number of references: the target of source word w_i is the fraction of references
that no longer hold it, and the maximised objective is the L2-penalised log-likelihood of these fractions,

    sum_i  k_i ln p_i + (1 - k_i) ln (1 - p_i)  -  l2/2 |theta|^2,    p_i = 1 / (1 + exp(-theta . phi(w, i))).

phi is made of named indicators (`w=utilize`, `next=the`, `suffix=ize`) and a few numbers (Zipf frequency, scores of
named word lists), so a fitted model is a table one can read. In a log-linear decoder the log-odds ln(p/(1-p)) of the
words a rule changes are one feature among the others (`ChangeLogOdds`, in `change_odds.py`); tuning decides what they
are worth.
"""

from __future__ import annotations

import difflib
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sbmt.arrays import Floats
from sbmt.config import ConfigError, build
from sbmt.errors import FormatError
from sbmt.io import open_output, read_lines
from sbmt.lm.symbols import BEGIN, END
from sbmt.text.words.frequency import zipf

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Lexicons = Mapping[str, Mapping[str, float]]  # name of a word list -> word -> score


def changed_fractions(source: Sequence[str], references: Sequence[Sequence[str]]) -> Floats:
    """For each source word, the fraction of references that do not keep it, float64 [len(source)].

    A word is kept when the longest-matching-block alignment pairs it, or when the reference has at least as many
    copies of it as the source: moving a word is not changing it.
    """
    counts = Counter(source)
    changed = np.zeros(len(source))
    for reference in references:
        present = Counter(reference)
        gone = np.array([present[word] < counts[word] for word in source])
        for block in difflib.SequenceMatcher(None, source, reference, autojunk=False).get_matching_blocks():
            gone[block.a : block.a + block.size] = False
        changed += gone
    return changed / max(len(references), 1)


def context_features(words: Sequence[str], lexicons: Lexicons) -> Iterator[dict[str, float]]:
    """phi(w, i) of every word of a sentence, in order."""
    padded = [BEGIN, BEGIN, *words, END, END]
    frequencies = [zipf(word) for word in padded]
    depth = 0
    for i, word in enumerate(words, 2):
        depth += {"-lrb-": 1, "(": 1, "-rrb-": -1, ")": -1}.get(word, 0)
        phi = {
            "bias": 1.0,
            "zipf": frequencies[i] / 4,
            "rare": max(0.0, 4 - frequencies[i]),
            "digit": float(any(c.isdigit() for c in word)),
            "repeated": float(words.count(word) > 1),
            "bracketed": float(depth > 0),
        }
        for name, scores in lexicons.items():
            score = scores.get(word)
            phi[f"{name} absent" if score is None else name] = 1.0 if score is None else score
            phi[f"{name}={'absent' if score is None else int(2 * score)}"] = 1.0
        phi.update(dict.fromkeys(_indicators(padded, frequencies, i), 1.0))
        yield phi


def _indicators(padded: Sequence[str], frequencies: Sequence[float], i: int) -> tuple[str, ...]:
    """The indicators that are 1 for the word at `i`; `padded` is a sentence with two marks on either side."""
    word, before, after, rank = padded[i], padded[i - 1], padded[i + 1], frequencies[i]
    length = len(padded) - 4
    return (
        f"w={word}",
        f"previous={before}",
        f"next={after}",
        f"second previous={padded[i - 2]}",
        f"second next={padded[i + 2]}",
        f"previous+w={before} {word}",
        f"w+next={word} {after}",
        f"previous+w+next={before} {word} {after}",
        f"zipf={int(2 * rank)}",
        f"zipf+previous={int(rank)} {before}",
        f"zipf+next={int(rank)} {after}",
        f"previous zipf={int(frequencies[i - 1])}",
        f"next zipf={int(frequencies[i + 1])}",
        f"length={min(len(word), 12)}",
        f"prefix={word[:3]}",
        f"suffix={word[-2:]}",
        f"suffix={word[-3:]}",
        f"suffix={word[-4:]}",
        f"suffix+previous={word[-2:]} {before[-2:]}",
        f"suffix+next={word[-2:]} {after[-2:]}",
        f"sentence length={length // 8}",
        f"place={5 * (i - 2) // length}",
    )


@dataclass(frozen=True, slots=True)
class ChangeModel:
    """theta by feature name, with the word lists that its features look up."""

    weights: Mapping[str, float]
    lexicons: Lexicons

    @classmethod
    def fit(
        cls,
        sources: Sequence[Sequence[str]],
        references: Sequence[Sequence[Sequence[str]]],
        lexicons: Lexicons | None = None,
        l2: float = 3.0,
        least: int = 2,
    ) -> ChangeModel:
        """Fit on sentences (words) and their references; indicators seen fewer than `least` times are left out."""
        lists = lexicons or {}
        rows = [phi for words in sources for phi in context_features(words, lists)]
        seen = Counter(name for phi in rows for name in phi)
        names = sorted(name for name, count in seen.items() if count >= least)
        targets = [changed_fractions(words, refs) for words, refs in zip(sources, references, strict=True)]
        theta = _maximise(_matrix(rows, names), np.concatenate(targets), l2)
        kept = {name: round(value, 5) for name, value in zip(names, theta.tolist(), strict=True) if abs(value) > 1e-4}
        return cls(kept, lists)

    def log_odds(self, words: Sequence[str]) -> Floats:
        """ln(p/(1-p)) that each word is changed, float64 [len(words)]."""
        weight = self.weights.get
        return np.array(
            [
                sum(value * weight(name, 0.0) for name, value in phi.items())
                for phi in context_features(words, self.lexicons)
            ]
        )

    def save(self, path: str | Path) -> None:
        """Write as JSON (gzip or xz by the name's ending)."""
        with open_output(path) as stream:
            json.dump({"weights": dict(self.weights), "lexicons": self.lexicons}, stream, ensure_ascii=False)

    @classmethod
    def load(cls, path: str | Path) -> ChangeModel:
        """Read what `save` wrote; raises FormatError for anything else."""
        try:
            model: ChangeModel = build(cls, json.loads("".join(read_lines(path))))
        except (ValueError, RecursionError, ConfigError) as error:
            raise FormatError(
                str(path), None, f"is not a change model: {error}", "ChangeModel.save writes one"
            ) from None
        return model


def _matrix(rows: Sequence[Mapping[str, float]], names: Sequence[str]) -> csr_matrix:
    from scipy.sparse import csr_matrix

    column = {name: j for j, name in enumerate(names)}
    entries = [[(column[name], value) for name, value in phi.items() if name in column] for phi in rows]
    start = np.cumsum([0] + [len(row) for row in entries])
    index = np.array([j for row in entries for j, _ in row])
    value = np.array([v for row in entries for _, v in row])
    return csr_matrix((value, index, start), shape=(len(rows), len(names)))


def _maximise(phi: csr_matrix, changed: Floats, l2: float) -> Floats:
    """theta maximising the penalised log-likelihood of the fractions `changed`, by L-BFGS."""
    from scipy.optimize import minimize

    def loss(theta: Floats) -> tuple[float, Floats]:
        score = phi @ theta
        value = np.logaddexp(0, score).sum() - changed @ score + l2 / 2 * theta @ theta
        p = 1 / (1 + np.exp(-score))
        return float(value), phi.T @ (p - changed) + l2 * theta

    minimum = minimize(loss, np.zeros(phi.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 500})
    return np.asarray(minimum.x, dtype=np.float64)
