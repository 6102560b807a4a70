"""The folder of a tuning run, which can be killed at any moment and resumed to the same weights, bit for bit.

    settings.yaml     the resolved settings          inputs.json       versions; paths and hashes of the data
    start/model.yaml  the bundle tuning started from iterations/NN.json  one record per iteration
    fold-N/model.yaml the bundle of fold N, if any
    pool-NN.pickle    the merged n-best lists        forests/          parse forests (may be deleted)
    curve.png         the learning curve             model.yaml        the best weights so far: `-m RUN` works

A record is written after the pool it belongs to. The old pool is removed only after the new pool and its record are on
disk, so the last record can always be resumed. settings.yaml is the last file written when a run is created: a folder
with .sbmt-tune.lock but without settings.yaml is incomplete. The process working on a run holds that lock.
"""

from __future__ import annotations

import io
import json
import logging
import pickle
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from sbmt.config import plain, read_config
from sbmt.errors import NoRoomError, SbmtError, system_cause
from sbmt.files import HALF_WRITTEN, atomic_path, digest, sha256, sync_path, try_lock
from sbmt.io import open_output
from sbmt.model import FILE_NAME, Model
from sbmt.paths import is_there
from sbmt.tuning.inputs import Inputs, versions
from sbmt.tuning.pool import Pool
from sbmt.tuning.settings import TuneSettings

_log = logging.getLogger(__name__)

_LOCK = ".sbmt-tune.lock"
_HOW_TO_START = "by --source and --references, in Python by start_run"


@dataclass(frozen=True, slots=True)
class Record:
    """One iteration: the weights it decoded with, the fitted and the next weights, and gains (see `Objective`).

    decoded: gain of the 1-best on the tuned part; held_out: on the held-out part (None without one); pool: of the
    candidates that the fitted weights choose from the pool. seconds: decoding, fitting.
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


@contextmanager
def _explain_unreadable(path: Path) -> Iterator[Path]:
    """Turn any exception raised while reading a file into an SbmtError that names it."""
    try:
        yield path
    except OSError as error:
        raise SbmtError(f"{path}: cannot be read, so the run cannot be resumed: {system_cause(error)}") from None
    except Exception as error:  # unpickling can raise anything
        problem = "is damaged or of another version, so the run cannot be resumed"
        raise SbmtError(f"{path}: {problem} ({error}): start a new run") from error


class RunFolder:
    """Reads and writes the files of a run."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._is_new = False

    @property
    def start(self) -> Path:
        """The folder of the bundle that tuning started from."""
        return self.path / "start"

    def fold(self, number: int) -> Path:
        """The folder of a fold's bundle."""
        return self.path / f"fold-{number}"

    @property
    def forests(self) -> Path:
        """The folder of the parse forests."""
        return self.path / "forests"

    def create(self, settings: TuneSettings, inputs: Inputs, model: Model, fold_models: Sequence[Model]) -> None:
        """Write the files a run begins with, replacing those of an interrupted attempt; removes them if that fails.

        Raises SbmtError if the folder is in use (see `check_free`) or cannot be written.
        """
        import yaml

        self.check_free()
        self._clear()
        resolved = yaml.safe_dump(plain(settings), sort_keys=False)
        try:
            parent = self.path.absolute().parent
            model.save(self.start, within=parent)
            for number, fold_model in enumerate(fold_models):
                fold_model.save(self.fold(number), within=parent)
            hashes = {str(path.relative_to(self.path)): sha256(path) for path in self.path.glob(f"*/{FILE_NAME}")}
            hashes["settings.yaml"] = digest(io.BytesIO(resolved.encode()))
            self._write_json("inputs.json", asdict(replace(inputs.seen_from(self.path), own=hashes)))
            for path in self.path.rglob("*"):
                sync_path(path)
            with open_output(self.path / "settings.yaml") as stream:
                stream.write(resolved)
        except NoRoomError as error:  # there is no run to resume yet
            self.discard()
            raise SbmtError(str(error)) from None
        except OSError as error:
            self.discard()
            raise SbmtError(f"{self.path}: cannot be written: {system_cause(error)}") from None

    def check_free(self) -> None:
        """Raise SbmtError if the folder already holds anything but an incomplete run."""
        if self.path.exists() and any(self.path.iterdir()) and not self._is_incomplete:
            resume = "continue the run in it with --resume, in Python by resume_run, or name"
            cure = resume if self.begun else "it holds no run to resume: name"
            raise SbmtError(f"{self.path}: is not empty ({cure} another folder)")

    @property
    def begun(self) -> bool:
        """Whether there is a run to resume."""
        return (self.path / "settings.yaml").is_file() and (self.path / "inputs.json").is_file()

    @property
    def _is_incomplete(self) -> bool:
        return (self.path / _LOCK).exists() and not any(
            (self.path / name).exists() for name in ("settings.yaml", FILE_NAME, "iterations")
        )

    def discard(self) -> None:
        """Remove a run without iterations, and its folder unless it existed before or holds other files."""
        self._clear()
        (self.path / _LOCK).unlink(missing_ok=True)
        if self._is_new and not any(self.path.iterdir()):
            self.path.rmdir()

    def _clear(self) -> None:
        self.shrink()
        for path in [self.start, *self.path.glob("fold-*")]:
            shutil.rmtree(path, ignore_errors=True)
        for name in ("inputs.json", "settings.yaml"):
            (self.path / name).unlink(missing_ok=True)
        self.sweep()

    def shrink(self) -> None:
        """Remove what is only needed to continue the run: the parse forests (which can be rebuilt) and the pool."""
        shutil.rmtree(self.forests, ignore_errors=True)
        for path in self.path.glob("pool-*.pickle"):
            path.unlink()

    @contextmanager
    def held(self) -> Iterator[None]:
        """Create the folder, and lock it against other processes where the system supports that.

        Raises SbmtError if another process holds the lock, or the folder cannot be created.
        """
        self._is_new = self._is_new or not self.path.exists()
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            lock = (self.path / _LOCK).open("a")
        except OSError as error:
            raise SbmtError(f"{self.path}: cannot be written: {system_cause(error)}") from None
        with lock:
            if not try_lock(lock):
                raise SbmtError(f"{self.path}: another process is working on this run; wait until it ends, or stop it")
            yield

    def settings(self) -> TuneSettings:
        """Return the settings the run was started with; raises SbmtError if there is no run."""
        if self._is_incomplete:
            problem = "was interrupted while the run was being made"
            raise SbmtError(f"{self.path}: {problem}: start it again {_HOW_TO_START}")
        if not self.begun:
            raise SbmtError(f"{self.path}: holds no tuning run to resume: start one {_HOW_TO_START}")
        return read_config(self.path / "settings.yaml", TuneSettings)

    def recorded_inputs(self) -> Inputs:
        """Return the inputs as they were when the run was started; raises SbmtError if that record is damaged."""
        with _explain_unreadable(self.path / "inputs.json") as path:
            return Inputs(**json.loads(path.read_text(encoding="utf-8"))).seen_in(self.path)

    def inputs(self, source: str | Path | None = None, references: Sequence[str | Path] | None = None) -> Inputs:
        """Return the inputs of the run after checking that they are unchanged; the texts may be in other files now.

        Warns of different versions. Raises SbmtError if the record is damaged, or if the data, a file of the models,
        the run's settings, a bundle copied into it or a user-defined module has changed or is missing.
        """
        inputs = self.recorded_inputs().with_texts(source, references)
        missing = next((name for name in inputs.sha256 if not is_there(name)), None)
        if missing:
            cure = "if the run was moved, move what lay beside it along"
            if missing in (inputs.source, *inputs.references):
                cure += ", or give --source and --references again, in Python source and references of resume_run"
            raise SbmtError(f"{missing}: is not there, so the run in {self.path} cannot be resumed ({cure})")
        changed = inputs.changed(self.path)
        if changed:
            raise SbmtError(f"{changed}: has changed since the run in {self.path} began; start a new run")
        self._warn_of_versions(inputs.versions)
        return inputs

    def _warn_of_versions(self, recorded: Mapping[str, str]) -> None:
        """Warn of versions that differ from those recorded when the run began."""
        models = [Model.load(path.parent) for path in self.path.glob(f"*/{FILE_NAME}")]
        current = versions(models).items()
        changed = [f"{name} {recorded.get(name)}" for name, value in current if value != recorded.get(name)]
        if changed:
            message = "%s: the run began with %s: its weights may come out otherwise now"
            _log.warning(message, self.path / "inputs.json", ", ".join(changed))

    def records(self) -> list[Record]:
        """Return the iterations done so far, in order; raises SbmtError if one is damaged, missing or unreadable."""
        records = []
        for path in (self.path / "iterations").glob("*.json"):
            with _explain_unreadable(path):
                records.append(Record(**json.loads(path.read_text(encoding="utf-8"))))
        records.sort(key=lambda record: record.iteration)
        if [record.iteration for record in records] != list(range(1, len(records) + 1)):
            problem = "a record is missing, so the run cannot be resumed: start a new run"
            raise SbmtError(f"{self.path / 'iterations'}: {problem}")
        return records

    def pool(self, iteration: int) -> Pool:
        """Return the pool as it was after an iteration; raises SbmtError if it is damaged or unreadable."""
        path = self.path / f"pool-{iteration:02}.pickle"
        with _explain_unreadable(path), path.open("rb") as stream:
            loaded = pickle.load(stream)
            if not isinstance(loaded, Pool):
                raise TypeError(f"it holds no {Pool.__name__}")
        return loaded

    def sweep(self) -> None:
        """Remove partially written files left behind by a killed process."""
        for path in list(self.path.rglob(f".*{HALF_WRITTEN}")):
            path.unlink()

    def write(self, record: Record, pool: Pool) -> None:
        """Store the record of an iteration and the pool after it."""
        new_pool = self.path / f"pool-{record.iteration:02}.pickle"
        with atomic_path(new_pool) as temporary, temporary.open("wb") as stream:
            pickle.dump(pool, stream, protocol=pickle.HIGHEST_PROTOCOL)
        sync_path(self.path)
        self._write_json(f"iterations/{record.iteration:02}.json", asdict(record))
        sync_path(self.path / "iterations")
        for path in self.path.glob("pool-*.pickle"):  # one, or more if a process was killed before this line
            if path != new_pool:
                path.unlink()

    def _write_json(self, name: str, content: Mapping[str, Any]) -> None:
        with open_output(self.path / name) as stream:
            json.dump(content, stream, indent=1)
