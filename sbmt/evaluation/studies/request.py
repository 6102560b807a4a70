"""What a study is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np


@dataclass(frozen=True, slots=True)
class Request:
    """Where the data are, randomness, metrics; what else some studies can use."""

    folder: str
    rng: np.random.Generator
    metrics: tuple[str, ...] = ()  # beside those that papers have figures of; own-ratings: these alone, if any
    pairs: str | None = None  # a file of words that mean the same; ASSETann only
    spans: str | None = None  # a folder of OneStopQA's annotated articles; ATS-EVAL only
    systems: Mapping[str, list[str]] = field(default_factory=dict)  # outputs for ASSET's test set; ASSETann only
    ratings: str | None = None  # a table of the user's own; own-ratings only, which needs no folder
    aspects: tuple[str, ...] = ()  # of those to use; own-ratings only
