"""Cross-fitting: rules learnt from the tuning references themselves would look far better in tuning than they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sbmt.errors import FormatError
from sbmt.io import read_lines
from sbmt.model import Model


@dataclass(frozen=True, slots=True)
class Folds:
    """Sentence i is parsed with `models[fold[i]]`, which has learnt from the other folds only."""

    models: tuple[Model, ...]
    fold: tuple[int, ...]

    @classmethod
    def read(cls, path: str | Path, models: Sequence[Model]) -> Folds:
        """Fold numbers (from 0, one a line) from a file; raises FormatError for one without model or sentences."""
        numbers = []
        for line, text in enumerate(read_lines(path), 1):
            if not text.strip().isdecimal() or int(text) >= len(models):
                raise FormatError(str(path), line, f"{text!r} is not a fold from 0 to {len(models) - 1}")
            numbers.append(int(text))
        if unused := sorted(set(range(len(models))) - set(numbers)):
            problem = f"no sentence is of fold {unused[0]}, for which there is a model (folds count from 0)"
            raise FormatError(str(path), None, problem)
        return cls(tuple(models), tuple(numbers))
