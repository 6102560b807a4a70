"""The request for a study."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np


@dataclass(frozen=True, slots=True)
class Request:
    """The data folder, randomness, metrics, and options of single studies."""

    folder: str
    rng: np.random.Generator
    metrics: tuple[str, ...] = ()  # in addition to the paper's; own-ratings: instead of the default ones
    pairs: str | None = None  # a file of words that mean the same; ASSETann only
    spans: str | None = None  # a folder of OneStopQA's annotated articles; ATS-EVAL only
    systems: Mapping[str, list[str]] = field(default_factory=dict)  # outputs for ASSET's test set; ASSETann only
    ratings: str | None = None  # the user's table; own-ratings only, which needs no folder
    aspects: tuple[str, ...] = ()  # to use instead of all; own-ratings only
