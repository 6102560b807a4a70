"""Cross-fitting: parsing each tuning sentence with a model that was not learnt from it.

Rules learnt from the tuning references themselves would look far better in tuning than they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sbmt.errors import FormatError, SbmtError
from sbmt.io import read_lines
from sbmt.model import Model

_MAX_DIGITS = 9  # of a fold number; longer ones are refused before they are converted


@dataclass(frozen=True, slots=True)
class Folds:
    """Models of all folds: sentence i is parsed with `models[fold[i]]`, which was learnt from the other folds."""

    models: tuple[Model, ...]
    fold: tuple[int, ...]

    def __post_init__(self) -> None:
        """Raises SbmtError for a fold without a model."""
        if invalid := [number for number in self.fold if not 0 <= number < len(self.models)]:
            raise SbmtError(f"there is no model of fold {invalid[0]}: the {len(self.models)} there are count from 0")

    @classmethod
    def read(cls, path: str | Path, models: Sequence[Model]) -> Folds:
        """Read fold numbers (from 0, one per line); raises FormatError for a fold without a model or sentences."""
        numbers = []
        for line, text in enumerate(read_lines(path), 1):
            digits = text.strip()
            if not digits.isdecimal() or len(digits) > _MAX_DIGITS or int(digits) >= len(models):
                raise FormatError(str(path), line, f"{text!r} is not a fold from 0 to {len(models) - 1}")
            numbers.append(int(digits))
        if unused := sorted(set(range(len(models))) - set(numbers)):
            problem = f"no sentence is of fold {unused[0]}, for which there is a model (folds count from 0)"
            raise FormatError(str(path), None, problem)
        return cls(tuple(models), tuple(numbers))
