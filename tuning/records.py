"""What a run writes down: what it was started on, and what each iteration did."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import numpy as np
import scipy

from sbmt.errors import SbmtError
from sbmt.files import digest
from sbmt.io import open_bytes
from sbmt.model import Model
from sbmt.paths import STDIO, seen_from
from sbmt.version import __version__


@dataclass(frozen=True, slots=True)
class Record:
    """One iteration: the weights it decoded with, what was fitted, the next ones, and gains, see `Objective`.

    decoded: the real 1-best on the tuned part; held_out: on the held-out part (null without one); pool: the fitted
    weights' choice from the pool. seconds: decoding, fitting.
    """

    iteration: int
    weights: Mapping[str, float]
    fitted: Mapping[str, float]
    next: Mapping[str, float]
    decoded: float
    held_out: float | None
    pool: float
    new_candidates: int
    seconds: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Inputs:
    """What a run was started on; resuming checks that it is still the same.

    sha256: by the name of each file. folds: which fold's bundle parses each sentence, if the run is cross-fitted. own:
    hashes of files in the run's folder, by their names there.
    """

    source: str
    references: tuple[str, ...]
    sha256: Mapping[str, str]
    versions: Mapping[str, str]
    folds: tuple[int, ...] = ()
    own: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def read(
        cls,
        source: str | Path,
        references: Sequence[str | Path],
        models: Sequence[Model],
        folds: Sequence[int] = (),
    ) -> Inputs:
        """Hash the files.

        Raises SbmtError for one that cannot be read, and for a pipe, which could not be read again when the run is
        resumed; TypeError for a single file where a list of references is due.
        """
        if isinstance(references, str | Path):
            raise TypeError(f"references: a list of files is due, not {str(references)!r} by itself")
        texts = [Path(source), *map(Path, references)]
        for text in texts:
            if str(text) == STDIO or (text.exists() and not text.is_file()):
                raise SbmtError(f"{text}: is no file, so it cannot be read again when the run is resumed")
        files = [*texts, *(path for model in models for path in model.files())]
        return cls(
            source=str(texts[0].absolute()),
            references=tuple(str(path.absolute()) for path in texts[1:]),
            sha256={str(path.absolute()): _sha256(path) for path in files},
            versions=versions(),
            folds=tuple(folds),
        )

    def seen_from(self, folder: Path) -> Inputs:
        """The same with names that hold in a run's folder, also where it moves together with what lies beside it."""
        return self._renamed(partial(seen_from, folder, within=folder.absolute().parent))

    def seen_in(self, folder: Path) -> Inputs:
        """The inverse: names that hold here."""
        return self._renamed(lambda name: os.path.normpath(os.path.join(os.path.realpath(folder), name)))

    def _renamed(self, named: Callable[[str], str]) -> Inputs:
        hashes = {named(name): hashed for name, hashed in self.sha256.items()}
        return replace(self, source=named(self.source), references=tuple(map(named, self.references)), sha256=hashes)

    def changed(self, folder: Path) -> str | None:
        """The first file that is no longer what it was; raises SbmtError for one that cannot be read."""
        hashes = {**self.sha256, **{str(folder / name): hashed for name, hashed in self.own.items()}}
        return next((name for name, hashed in hashes.items() if _sha256(Path(name)) != hashed), None)


def versions() -> dict[str, str]:
    """Versions of all on which the last digits of weights depend."""
    return {
        "sbmt": __version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "scipy": scipy.__version__,
    }


def _sha256(path: Path) -> str:
    """Of what a file holds, unpacked where it is compressed."""
    with open_bytes(path) as stream:
        return digest(stream)
