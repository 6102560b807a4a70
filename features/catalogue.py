"""The catalogue of all features that a rule alone determines."""

from __future__ import annotations

from sbmt.features.base import FeatureInfo
from sbmt.features.language import describe
from sbmt.features.shape import Shape
from sbmt.features.simplicity import Simplicity


def catalogue() -> list[FeatureInfo]:
    """All of them, family by family; NAME is that of any language model."""
    return [*Shape.info, *Simplicity.info, *describe("NAME", "the model given as --lm NAME=FILE")]
