"""Simplification metrics, each under a named convention, built on sufficient statistics."""

from sbmt.metrics.base import AnyMetric, Metric, Score
from sbmt.metrics.custom import batched
from sbmt.metrics.evaluate import evaluate, evaluate_runs, evaluate_table
from sbmt.metrics.registry import METRICS, get_metric
from sbmt.metrics.result import Resampling, Result

__all__ = [
    "METRICS",
    "AnyMetric",
    "Metric",
    "Resampling",
    "Result",
    "Score",
    "batched",
    "evaluate",
    "evaluate_runs",
    "evaluate_table",
    "get_metric",
]
