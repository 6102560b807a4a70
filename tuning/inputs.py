"""The inputs of a tuning run: texts, models, code and versions, which must be unchanged when it is resumed."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from importlib.metadata import version
from itertools import chain, zip_longest
from pathlib import Path
from reprlib import repr as shortened

import numpy as np
import scipy

from sbmt.compressed import open_bytes
from sbmt.errors import SbmtError
from sbmt.files import digest
from sbmt.model import Model
from sbmt.paths import STDIO, is_same, seen_from
from sbmt.user_code import module_file
from sbmt.version import __version__


@dataclass(frozen=True, slots=True)
class Inputs:
    """The inputs of a run; resuming checks that they are unchanged.

    models: the files of each bundle, the start model's first, then the folds'. sha256: hash of each file by its path.
    folds: which fold's bundle parses each sentence, if the run is cross-fitted. own: hashes of files in the run's
    folder, by their relative paths. code: hashes of the files of user-defined modules, by `MODULE:NAME`.
    """

    source: str
    references: tuple[str, ...]
    models: tuple[tuple[str, ...], ...]
    sha256: Mapping[str, str]
    versions: Mapping[str, str]
    folds: tuple[int, ...] = ()
    own: Mapping[str, str] = field(default_factory=dict)
    code: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def read(
        cls,
        source: str | Path,
        references: Sequence[str | Path],
        models: Sequence[Model],
        folds: Sequence[int] = (),
        functions: Sequence[str] = (),
    ) -> Inputs:
        """Hash all files, including the modules of `functions` (`MODULE:NAME`) and of the models' feature functions.

        Raises SbmtError for a file that cannot be read, and as `_text_files` does.
        """
        bundles = tuple(tuple(str(path.absolute()) for path in model.files()) for model in models)
        source, *reference_paths = [*_text_files("source", [source]), *_text_files("references", references)]
        user_code = [*functions, *chain.from_iterable(model.config.feature_functions for model in models)]
        return cls(
            source=source,
            references=tuple(reference_paths),
            models=bundles,
            sha256={name: _sha256(Path(name)) for name in dict.fromkeys(chain([source], reference_paths, *bundles))},
            versions=versions(models),
            folds=tuple(folds),
            code={name: _sha256(path) for name in user_code if (path := module_file(name))},
        )

    def seen_from(self, folder: Path) -> Inputs:
        """Return the inputs with paths relative to a run's folder, which hold if its siblings move along with it."""
        return self._renamed(partial(seen_from, folder, within=folder.absolute().parent))

    def seen_in(self, folder: Path) -> Inputs:
        """Return the inputs with absolute paths: the inverse of `seen_from`."""
        return self._renamed(lambda name: os.path.normpath(os.path.join(os.path.realpath(folder), name)))

    def _renamed(self, rename: Callable[[str], str]) -> Inputs:
        return replace(
            self,
            source=rename(self.source),
            references=tuple(map(rename, self.references)),
            models=tuple(tuple(map(rename, names)) for names in self.models),
            sha256={rename(name): file_hash for name, file_hash in self.sha256.items()},
        )

    def with_texts(self, source: str | Path | None, references: Sequence[str | Path] | None) -> Inputs:
        """Return the inputs with the texts in other files, if any are given.

        Raises SbmtError for a file with a different text, and as `_text_files` does.
        """
        new_paths: dict[str, str] = {}
        sources = None if source is None else [source]
        for what, files, recorded in (("source", sources, (self.source,)), ("references", references, self.references)):
            if files is None:
                continue
            paths = _text_files(what, files)
            if difference := self.first_difference(paths, recorded):
                path, recorded_path = difference
                raise SbmtError(
                    f"{what}: {path} is another text than the run's, {recorded_path}: start another run for it"
                )
            new_paths |= dict(zip(recorded, paths, strict=True))
        return self._renamed(lambda name: new_paths.get(name, name))

    def changed(self, folder: Path) -> str | None:
        """Return the first file whose content has changed, or None; raises SbmtError for one that cannot be read."""
        hashes = {**self.sha256, **{str(folder / name): file_hash for name, file_hash in self.own.items()}}
        hashes |= {str(path): file_hash for name, file_hash in self.code.items() if (path := module_file(name))}
        return next((name for name, file_hash in hashes.items() if _sha256(Path(name)) != file_hash), None)

    def first_difference(self, paths: Sequence[str | Path], recorded: Sequence[str]) -> tuple[str, str] | None:
        """Return the first pair of a path and a recorded path with different content, or None.

        If one list is longer, "no file" stands for the missing path. Raises SbmtError for a file that cannot be read.
        """
        for path, recorded_path in zip_longest(map(str, paths), recorded):
            if path is None or recorded_path is None:
                return path or "no file", recorded_path or "no file"
            if not is_same(path, recorded_path) and _sha256(Path(path)) != self.sha256[recorded_path]:
                return path, recorded_path
        return None


def versions(models: Iterable[Model]) -> dict[str, str]:
    """Return the versions that the last digits of weights depend on; for locally built language models, hashes."""
    local_models = {
        entry.path: model.file(entry.path)
        for model in models
        for entry in model.config.language_models
        if entry.path.startswith("cache:")
    }
    return {
        "sbmt": __version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "scipy": scipy.__version__,
        "kenlm": version("kenlm"),
        **{name: _sha256(path) for name, path in local_models.items()},
    }


def _text_files(what: str, files: Sequence[str | Path]) -> list[str]:
    """Return the absolute paths of text files.

    Raises TypeError for anything but a list of files, SbmtError for a pipe, which could not be read again when the run
    is resumed.
    """
    if isinstance(files, str | Path):
        raise TypeError(f"{what}: a list of files is due, not {str(files)!r} by itself")
    for file in files:
        if not isinstance(file, str | Path):
            raise TypeError(f"{what}: a file is due, not {shortened(file)}: write the sentences to one, one per line")
        if str(file) == STDIO or (Path(file).exists() and not Path(file).is_file()):
            raise SbmtError(f"{file}: is no file, so it cannot be read again when the run is resumed")
    return [str(Path(file).absolute()) for file in files]


def _sha256(path: Path) -> str:
    """Return the hash of a file's content, decompressed if it is compressed."""
    with open_bytes(path) as stream:
        return digest(stream)
