"""Simplification metrics, each under a named convention, built on sufficient statistics."""

from sbmt.metrics.base import Metric, Score
from sbmt.metrics.registry import get_metric

__all__ = ["Metric", "Score", "get_metric"]
