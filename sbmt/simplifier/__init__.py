"""Raw text in, results out."""

from sbmt.simplifier.core import Options, Simplifier
from sbmt.simplifier.result import Alternative, Candidate, Change, Result

__all__ = ["Alternative", "Candidate", "Change", "Options", "Result", "Simplifier"]
