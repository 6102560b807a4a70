"""A tuning run as a folder, which can be killed at any moment and continued to the same weights, bit for bit.

    settings.yaml     the resolved settings          inputs.json       versions, hashes of the data, where it lies
    start/model.yaml  the bundle tuning started from iterations/NN.json  one record an iteration
    fold-N/model.yaml the bundle of fold N, if any
    pool-NN.pickle    the merged n-best lists        forests/          parse forests (may be deleted)
    curve.png         the learning curve             model.yaml        the best weights so far: `-m RUN` works

A record is written after the pool it belongs to, and both appear whole or not at all, so the last record is
always a state to go on from.
"""

from __future__ import annotations

import hashlib
import json
import pickle
import platform
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from sbmt.config import plain, read_config
from sbmt.errors import SbmtError
from sbmt.io import atomic_path, open_bytes, open_output
from sbmt.model import FILE_NAME, Model
from sbmt.tuning.pool import Pool
from sbmt.tuning.settings import TuneSettings
from sbmt.version import __version__


@dataclass(frozen=True, slots=True)
class Record:
    """One iteration: the weights it decoded with, what was fitted, the next ones, and gains (0-1, more is better).

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

    folds: which fold's bundle parses each sentence, if the run is cross-fitted.
    """

    source: str
    references: tuple[str, ...]
    sha256: Mapping[str, str]
    versions: Mapping[str, str]
    folds: tuple[int, ...] = ()

    @classmethod
    def read(
        cls, source: Path, references: Sequence[Path], models: Sequence[Model], folds: Sequence[int] = ()
    ) -> Inputs:
        """Hash the files; raises SbmtError for one that cannot be read."""
        files = [source, *references, *(path for model in models for path in _files(model))]
        hashes = {str(path.absolute()): _sha256(path) for path in files}
        import numpy
        import scipy

        versions = {
            "sbmt": __version__,
            "python": platform.python_version(),
            "numpy": numpy.__version__,
            "scipy": scipy.__version__,
        }
        columns = tuple(str(path.absolute()) for path in references)
        return cls(str(source.absolute()), columns, hashes, versions, tuple(folds))


def _files(model: Model) -> list[Path]:
    """What a bundle consists of, but for what is built in the user's cache."""
    config = model.config
    named = [grammar.path for grammar in config.grammars] + [lm.path for lm in config.language_models]
    named += [config.change_model] if config.change_model else []
    return [model.folder / FILE_NAME, *(model.file(path) for path in named if not path.startswith("cache:"))]


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with open_bytes(path) as stream:
        while piece := stream.read(1 << 20):
            digest.update(piece)
    return digest.hexdigest()


@contextmanager
def _sound(path: Path) -> Iterator[Path]:
    """Turn whatever reading a damaged file raises into one clear line."""
    try:
        yield path
    except Exception as error:  # unpickling can raise anything
        raise SbmtError(f"{path}: is damaged or of another version, so the run cannot be resumed: {error}") from error


class RunFolder:
    """Reads and writes the files of a run."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)

    @property
    def start(self) -> Path:
        return self.path / "start"

    def fold(self, number: int) -> Path:
        """The folder of a fold's bundle."""
        return self.path / f"fold-{number}"

    @property
    def forests(self) -> Path:
        return self.path / "forests"

    def create(self, settings: TuneSettings, inputs: Inputs, model: Model, fold_models: Sequence[Model] = ()) -> None:
        """Begin a run; raises SbmtError when the folder holds something already."""
        if self.path.exists() and any(self.path.iterdir()):
            raise SbmtError(f"{self.path}: is not empty (continue a run with --resume, or name another folder)")
        self._write_json("inputs.json", asdict(inputs))
        model.save(self.start)
        for number, fold_model in enumerate(fold_models):
            fold_model.save(self.fold(number))
        with open_output(self.path / "settings.yaml") as stream:
            import yaml

            yaml.safe_dump(plain(settings), stream, sort_keys=False)

    def settings(self) -> TuneSettings:
        """The settings the run was started with; raises SbmtError where there is no run."""
        if not (self.path / "settings.yaml").is_file() or not (self.path / "inputs.json").is_file():
            raise SbmtError(f"{self.path}: holds no tuning run to resume")
        return read_config(self.path / "settings.yaml", TuneSettings)

    def inputs(self) -> Inputs:
        """What the run was started on; raises SbmtError when a file has changed or is gone."""
        with _sound(self.path / "inputs.json") as path:
            inputs = Inputs(**json.loads(path.read_text(encoding="utf-8")))
        for name, digest in inputs.sha256.items():
            if _sha256(Path(name)) != digest:
                raise SbmtError(f"{name}: has changed since the run in {self.path} began; start a new run")
        return inputs

    def records(self) -> list[Record]:
        """The iterations done so far, in order; raises SbmtError where one is damaged or missing."""
        records = []
        for path in (self.path / "iterations").glob("*.json"):
            with _sound(path):
                records.append(Record(**json.loads(path.read_text(encoding="utf-8"))))
        records.sort(key=lambda record: record.iteration)
        if [record.iteration for record in records] != list(range(1, len(records) + 1)):
            raise SbmtError(f"{self.path / 'iterations'}: a record is missing, so the run cannot be resumed")
        return records

    def pool(self, iteration: int) -> Pool:
        """The pool as it was after an iteration; raises SbmtError where it is damaged."""
        path = self.path / f"pool-{iteration:02}.pickle"
        with path.open("rb") as stream, _sound(path):
            loaded: Pool = pickle.load(stream)
        return loaded

    def sweep(self) -> None:
        """Remove the half-written files that a killed process has left behind."""
        for suffix in ("pickle", "json", "yaml", "png"):
            for path in list(self.path.rglob(f".*.{suffix}.*")):
                path.unlink()

    def write(self, record: Record, pool: Pool) -> None:
        """Store an iteration."""
        with atomic_path(self.path / f"pool-{record.iteration:02}.pickle") as temporary, temporary.open("wb") as stream:
            pickle.dump(pool, stream, protocol=pickle.HIGHEST_PROTOCOL)
        self._write_json(f"iterations/{record.iteration:02}.json", asdict(record))
        (self.path / f"pool-{record.iteration - 1:02}.pickle").unlink(missing_ok=True)

    def _write_json(self, name: str, content: Mapping[str, Any]) -> None:
        with open_output(self.path / name) as stream:
            json.dump(content, stream, indent=1)
