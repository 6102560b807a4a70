"""Learning RuleQuality from rated pairs, and cross-validation of its predictions."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import pearsonr, spearmanr

from sbmt.arrays import Floats, Int64s
from sbmt.errors import FormatError
from sbmt.io import read_lines
from sbmt.ppdb.learn.quality.judge import HIGH, LEARNT, LOW, QualityModel, Ridge, evidence_of
from sbmt.ppdb.learn.quality.vectors import Vectors
from sbmt.ppdb.rule import Rule, Sides
from sbmt.text.whitespace import split_words

Learnt = Mapping[Sides, Mapping[str, float]]  # features of rules by their two sides
_N_FOLDS = 10
_MIN_PAIRS = 100  # rated pairs
_TOLERANCE = 1e-9  # smaller differences between scores are rounding errors


@dataclass(frozen=True, slots=True)
class Correlation:
    """The correlation of predictions from `n_features` features with the ratings of `pairs` held-out pairs."""

    evidence: str
    n_features: int
    pairs: int
    pearson: float
    spearman: float


def read_judgements(path: str) -> Iterator[tuple[Rule, float]]:
    """Yield rated pairs, lower-cased, from lines of score <tab> [LABEL] <tab> phrase <tab> phrase (<tab> anything).

    Raises FormatError for any other line, and for a score that is not from 1 to 5.
    """
    for number, line in enumerate(read_lines(path), 1):
        fields = line.split("\t")
        try:
            score, label, source, target = float(fields[0]), *fields[1:4]
        except ValueError:
            raise FormatError(path, number, "is not score, [LABEL], phrase, phrase with tabs between them") from None
        if not LOW <= score <= HIGH:
            raise FormatError(path, number, f"the score {score:g} is not from {LOW:g} to {HIGH:g}")
        yield Rule(label.strip("[]"), tuple(split_words(source.lower())), tuple(split_words(target.lower()))), score


def learnt_features(rated: Iterable[tuple[Rule, float]], rules: Iterable[Rule]) -> Learnt:
    """Return the features that a grammar learnt from parallel text has for the rated pairs, ignoring labels."""
    rated_sides = {rule.sides for rule, _ in rated}
    return {
        rule.sides: {name: rule.features[name] for name in LEARNT if name in rule.features}
        for rule in rules
        if rule.sides in rated_sides
    }


def learn_quality(
    rated: Sequence[tuple[Rule, float]], vectors: Vectors | None, learnt: Learnt, name: str = "the ratings"
) -> tuple[QualityModel, list[Correlation]]:
    """Learn a model from pairs with scores from 1 to 5; also returns its cross-validated correlations.

    `learnt`: see `learnt_features`; it may have fewer pairs, or none. Pairs with the same first side (in alphabetical
    order) are in one fold. `name`: of the file of pairs, for errors. Raises FormatError for fewer than 100 pairs with
    two different sides, or with all of the evidence that some have, and if nothing can be learnt from them: no part can
    be held out, all ratings are equal, or all predictions are.
    """
    judged = []
    for rule, score in rated:
        features = evidence_of(rule, vectors)
        if features:
            judged.append((features | dict(learnt.get(rule.sides, {})), score, _fold(rule)))
    _check_number(name, judged, "two different sides", "rate more")
    ridges, correlations = [], []
    for label, names in _evidence_sets([features for features, _, _ in judged]):
        rows = [row for row in judged if all(feature in row[0] for feature in names)]
        _check_number(name, rows, f"the evidence {label!r}", "make the grammar with these pairs as --pairs, or omit it")
        values = np.array([[features[feature] for feature in names] for features, _, _ in rows])
        scores, folds = np.array([row[1] for row in rows]), np.array([row[2] for row in rows])
        _check_spread(name, scores, folds)
        ridges.append(Ridge.fit(names, values, scores))
        predicted = _cross_validated(names, values, scores, folds)
        if np.ptp(predicted) < _TOLERANCE:
            problem = f"the same is predicted for all {len(rows)} rated pairs, so nothing can be learnt from them"
            raise FormatError(name, None, problem, "rate other pairs, good and bad ones")
        r, rho = float(pearsonr(predicted, scores)[0]), float(spearmanr(predicted, scores)[0])
        correlations.append(Correlation(label, len(names), len(rows), r, rho))
    return QualityModel(ridges), correlations


def _check_number(name: str, rows: Sequence[object], what: str, cure: str) -> None:
    if len(rows) < _MIN_PAIRS:
        problem = f"{len(rows)} rated pairs with {what} are too few to learn from: {_MIN_PAIRS} are needed"
        raise FormatError(name, None, problem, cure)


def _check_spread(name: str, scores: Floats, folds: Int64s) -> None:
    if len(np.unique(folds)) < 2:
        problem = f"no part of the {len(scores)} rated pairs can be held out, as pairs with the same word stay together"
        raise FormatError(name, None, problem, "rate pairs of other words, too")
    if np.ptp(scores) < _TOLERANCE:
        problem = f"all {len(scores)} ratings are {scores[0]:g}, so nothing can be learnt from them"
        raise FormatError(name, None, problem, "rate other pairs, good and bad ones")


def _evidence_sets(evidence: Sequence[Mapping[str, float]]) -> Iterator[tuple[str, list[str]]]:
    """Yield growing sets of evidence: description, and names of the features."""
    names = list(dict.fromkeys(name for features in evidence for name in features))
    vectors = [name for name in names if name in ("cosine", "no vector")]
    learnt = [name for name in LEARNT if name in names]
    strings = [name for name in names if name not in vectors and name not in learnt]
    yield "strings", strings
    if vectors:
        yield "strings, vectors", strings + vectors
    if vectors and learnt:
        yield "strings, vectors, parallel text", strings + vectors + learnt


def _fold(rule: Rule) -> int:
    return zlib.crc32(" ".join(min(rule.source, rule.target)).encode()) % _N_FOLDS


def _cross_validated(names: Sequence[str], values: Floats, scores: Floats, folds: Int64s) -> Floats:
    predicted = np.zeros(len(scores))
    for fold in range(_N_FOLDS):
        held_out = folds == fold
        if held_out.any():
            predicted[held_out] = Ridge.fit(names, values[~held_out], scores[~held_out]).predict(values[held_out])
    return predicted
