"""RuleQuality: predicted rating of a paraphrase by people, 1 (unrelated) to 5 (the same), after Pavlick et al. (2015).

A ridge regression on features of a pair: its strings and word frequencies, the cosine of word vectors if they are
available, and, for listed pairs, the probabilities learnt from parallel text. There are three sets of weights, one for
each combination of these, learnt by `sbmt-learn judgements` (docs/learning.md has correlations).
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rapidfuzz.distance import Postfix, Prefix

from sbmt.arrays import Floats
from sbmt.compressed import open_bytes
from sbmt.errors import FormatError
from sbmt.ppdb.learn.quality.vectors import Vectors
from sbmt.ppdb.rule import Rule, terminals
from sbmt.text.words.english import NEGATIONS
from sbmt.text.words.frequency import zipf

WEIGHTS = Path(__file__).with_name("weights.json")
_FUNCTION_WORD_ZIPF = 6.0  # words at least as frequent count as function words
_STEM_LETTERS = 5
LEARNT = ("p(e|f)", "p(f|e)", "Lex(e|f)", "Lex(f|e)", "LogCount", "RarityPenalty", "p(e|LHS)", "p(f|LHS)")
LOW, HIGH = 1.0, 5.0
_KEYS = ("mean", "deviation", "weights")  # of a regression, in a file of weights

Words = Sequence[str]


def pair_features(source: Words, target: Words) -> dict[str, float]:
    """Return features of two strings of words: similarity, lengths, frequencies, and what only one of them has."""
    f, e = set(source), set(target)
    left, right = " ".join(source), " ".join(target)
    zipf_f, zipf_e = [zipf(word) for word in source], [zipf(word) for word in target]
    only_f, only_e = f - e, e - f
    stems_f, stems_e = ({word[:_STEM_LETTERS] for word in side} for side in (f, e))
    content = {word for word in only_f | only_e if zipf(word) < _FUNCTION_WORD_ZIPF}
    numbers = [{word for word in side if any(letter.isdigit() for letter in word)} for side in (f, e)]
    return {
        "similar": _dice(left, right),
        "beginning": Prefix.similarity(left, right) / max(len(left), len(right)),
        "ending": Postfix.similarity(left, right) / max(len(left), len(right)),
        "words": float(len(source)),
        "more words": float(len(target) - len(source)),
        "changed length": float(abs(len(target) - len(source))),
        "letters": float(np.log(len(right) / len(left))),
        "shared words": len(f & e) / len(f | e),
        "shared stems": len(stems_f & stems_e) / len(stems_f | stems_e),
        "only deleted": float(not only_e and bool(only_f)),
        "only added": float(not only_f and bool(only_e)),
        "only function words differ": float(not content),
        "content words differ": float(len(content)),
        "negated": float(bool(f & NEGATIONS) != bool(e & NEGATIONS)),
        "numbers differ": float(numbers[0] != numbers[1]),
        "numbers": float(bool(numbers[0] or numbers[1])),
        "one word each": float(len(source) == len(target) == 1),
        "rarest": min(zipf_f),
        "rarest of target": min(zipf_e),
        "frequency": sum(zipf_f) / len(zipf_f),
        "frequency of target": sum(zipf_e) / len(zipf_e),
        "more frequent": min(zipf_e) - min(zipf_f),
        "frequency differs": abs(min(zipf_e) - min(zipf_f)),
        "plural": float(_differ_by_plural(left, right)),
    }


def _dice(left: str, right: str) -> float:
    """Return Dice's coefficient of the pairs of neighbouring letters, word borders included."""
    f, e = ({f" {side} "[k : k + 2] for k in range(len(side) + 1)} for side in (left, right))
    return 2 * len(f & e) / (len(f) + len(e))


def _differ_by_plural(left: str, right: str) -> bool:
    short, long = sorted((left, right), key=len)
    return long in (short + "s", short + "es", short[:-1] + "ies")


def evidence_of(rule: Rule, vectors: Vectors | None) -> dict[str, float]:
    """Return the evidence for the quality of a rule, as numbers by name; `vectors` adds that of word vectors.

    It is empty for a rule without words on one of its sides, or with equal words on both.
    """
    source, target = terminals(rule.source), terminals(rule.target)
    if not source or not target or source == target:
        return {}
    features = pair_features(source, target)
    if vectors is not None:
        cosine = vectors.cosine(source, target)
        features |= {"cosine": cosine or 0.0, "no vector": float(cosine is None)}
    # The model was fitted on listed pairs; for rules extracted from the text its counts are no independent evidence.
    learnt = LEARNT if rule.features.get("Listed") else ()
    return features | {name: rule.features[name] for name in learnt if name in rule.features}


@dataclass(frozen=True, slots=True)
class Ridge:
    """score = w . phi(z): z the standardised features (within 4 deviations), phi all products of up to two of them."""

    names: tuple[str, ...]
    mean: Floats  # [n]
    deviation: Floats  # [n]
    weights: Floats  # [1 + n + n (n + 1) / 2]

    @classmethod
    def fit(cls, names: Sequence[str], values: Floats, scores: Floats, penalty: float = 100.0) -> Ridge:
        """Fit least squares with an L2 `penalty` on every weight but the constant; `values` [m, n]."""
        mean, deviation = values.mean(axis=0), values.std(axis=0) + 1e-9
        phi = _products((values - mean) / deviation)
        penalties = np.full(phi.shape[1], penalty)
        penalties[0] = 0
        weights = np.linalg.solve(phi.T @ phi + np.diag(penalties), phi.T @ scores)
        return cls(tuple(names), mean, deviation, np.asarray(weights, np.float64))

    def predict(self, values: Floats) -> Floats:
        """Return scores from 1 to 5 [m] for `values` [m, n]."""
        scores = _products((values - self.mean) / self.deviation) @ self.weights
        return np.asarray(np.clip(scores, LOW, HIGH))


def _products(z: Floats) -> Floats:
    z = np.hstack([np.ones((len(z), 1)), np.clip(z, -4, 4)])
    i, j = np.triu_indices(z.shape[1])
    return np.asarray(z[:, i] * z[:, j])


class QualityModel:
    """Several ridge regressions on more and more evidence; a rule is judged by the last one it has evidence for."""

    def __init__(self, ridges: Sequence[Ridge]) -> None:
        """Take the regressions from the least to the most evidence."""
        self.ridges = list(ridges)

    def judge(self, evidence: Sequence[Mapping[str, float]]) -> Floats:
        """Return a score from 1 to 5 for each rule, nan if there is no evidence."""
        scores = np.full(len(evidence), np.nan)
        for ridge in self.ridges:
            rows = [k for k, features in enumerate(evidence) if all(name in features for name in ridge.names)]
            if rows:
                values = np.array([[evidence[k][name] for name in ridge.names] for k in rows])
                scores[rows] = ridge.predict(values)
        return scores

    def to_json(self) -> str:
        """Return the weights as JSON, to five significant digits; further digits are noise."""
        return json.dumps(
            [
                {"names": ridge.names}
                | {key: [float(f"{value:.5g}") for value in getattr(ridge, key)] for key in _KEYS}
                for ridge in self.ridges
            ]
        )

    @classmethod
    def load(cls, path: str | Path) -> QualityModel:
        """Read what `to_json` wrote.

        Raises FormatError for a file that holds no weights, SbmtError for one that cannot be read.
        """
        try:
            with open_bytes(path) as stream:
                parts = json.loads(stream.read().decode())
            if not isinstance(parts, list) or not parts:
                raise ValueError("it is no list with a regression in it")
            return cls([_parse_ridge(part) for part in parts])
        except (ValueError, OverflowError, RecursionError) as error:
            raise FormatError(
                str(path), None, f"holds no weights of rule quality ({error})", "make them with sbmt-learn judgements"
            ) from None


def _parse_ridge(part: object) -> Ridge:
    """Parse one regression of a file of weights; raises ValueError or OverflowError for anything else."""
    if not isinstance(part, dict) or part.keys() != {"names", *_KEYS}:
        raise ValueError(f"a regression has names, {', '.join(_KEYS)} and nothing else")
    names = part["names"]
    if not isinstance(names, list) or not names or not all(isinstance(name, str) for name in names):
        raise ValueError("names is no list of names")
    n = len(names)
    lengths = n, n, (n + 1) * (n + 2) // 2
    mean, deviation, weights = (_to_array(key, part[key], length) for key, length in zip(_KEYS, lengths, strict=True))
    if (deviation <= 0).any():
        raise ValueError("a deviation is not more than 0")
    return Ridge(tuple(names), mean, deviation, weights)


def _to_array(key: str, values: object, length: int) -> Floats:
    if not isinstance(values, list) or len(values) != length:
        raise ValueError(f"{key} is no list of {length} numbers")
    if not all(type(value) in (int, float) and math.isfinite(value) for value in values):
        raise ValueError(f"{key} holds what is not a finite number")
    return np.array(values, np.float64)
