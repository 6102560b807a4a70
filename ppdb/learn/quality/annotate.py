"""Adding RuleQuality to the rules of a grammar, in parallel and in order."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from itertools import islice

from sbmt.parallel import ordered_map
from sbmt.ppdb.feature_text import ReadFeatures
from sbmt.ppdb.learn.quality.judge import QualityModel, evidence_of
from sbmt.ppdb.learn.quality.vectors import Vectors
from sbmt.ppdb.rule import Rule

RULE_QUALITY = "RuleQuality"
_CHUNK = 1000  # rules judged at once


def annotated(rules: Iterable[Rule], weights: str, vectors: str | None = None, jobs: int = 1) -> Iterator[Rule]:
    """Yield rules with RuleQuality, from 1 to 5, if they have words on both sides, and not the same words.

    `weights` and `vectors` are files. Other features stay exactly as they were read, digits and `NA` included. Raises
    FormatError for a file that is not of weights, ModelError for one that is not of vectors.
    """
    source = iter(rules)
    chunks = iter(lambda: list(islice(source, _CHUNK)), [])
    for judged in ordered_map(_judge_chunk, chunks, partial(_load_models, weights, vectors), jobs, chunk=1):
        yield from judged


def _load_models(weights: str, vectors: str | None) -> tuple[QualityModel, Vectors | None]:
    return QualityModel.load(weights), Vectors.open(vectors) if vectors else None


def _judge_chunk(state: tuple[QualityModel, Vectors | None], rules: list[Rule]) -> list[Rule]:
    model, vectors = state
    scores = model.judge([evidence_of(rule, vectors) for rule in rules])
    return [
        rule if math.isnan(score) else dataclasses.replace(rule, features=_add_quality(rule.features, score))
        for rule, score in zip(rules, scores.tolist(), strict=True)
    ]


def _add_quality(features: Mapping[str, float], score: float) -> ReadFeatures:
    return ReadFeatures.of(features).extended({RULE_QUALITY: round(score, 3)})
