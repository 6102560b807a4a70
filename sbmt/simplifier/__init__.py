"""Simplification of raw text, with the changes and the rules behind them."""

from sbmt.simplifier.core import Simplifier
from sbmt.simplifier.options import Options
from sbmt.simplifier.result import Alternative, Candidate, Change, Result

__all__ = ["Alternative", "Candidate", "Change", "Options", "Result", "Simplifier"]
