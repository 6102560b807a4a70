"""Cross-fitting: rules learnt from the tuning references themselves would look far better in tuning than they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sbmt.errors import FormatError, SbmtError
from sbmt.io import read_lines
from sbmt.model import Model

_DIGITS = 9  # of the number of a fold: what is longer need not be counted


@dataclass(frozen=True, slots=True)
class Folds:
    """Sentence i is parsed with `models[fold[i]]`, which has learnt from the other folds only."""

    models: tuple[Model, ...]
    fold: tuple[int, ...]

    def __post_init__(self) -> None:
        """Raises SbmtError for a fold without a model."""
        if wrong := [number for number in self.fold if not 0 <= number < len(self.models)]:
            raise SbmtError(f"there is no model of fold {wrong[0]}: the {len(self.models)} there are count from 0")

    @classmethod
    def read(cls, path: str | Path, models: Sequence[Model]) -> Folds:
        """Fold numbers (from 0, one a line) from a file; raises FormatError for one without model or sentences."""
        numbers = []
        for line, text in enumerate(read_lines(path), 1):
            digits = text.strip()
            if not digits.isdecimal() or len(digits) > _DIGITS or int(digits) >= len(models):
                raise FormatError(str(path), line, f"{text!r} is not a fold from 0 to {len(models) - 1}")
            numbers.append(int(digits))
        if unused := sorted(set(range(len(models))) - set(numbers)):
            problem = f"no sentence is of fold {unused[0]}, for which there is a model (folds count from 0)"
            raise FormatError(str(path), None, problem)
        return cls(tuple(models), tuple(numbers))
