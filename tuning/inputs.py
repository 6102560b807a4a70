"""What a tuning run was started on: texts, models, code and versions, which must be the same when it is resumed."""

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
    """What a run was started on; resuming checks that it is still the same.

    models: the files of each bundle, that of the start first, then those of the folds. sha256: by the name of each
    file. folds: which fold's bundle parses each sentence, if the run is cross-fitted. own: hashes of files in the run's
    folder, by their names there. code: hashes of the files of the user's own modules, by `MODULE:NAME`.
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
        """Hash the files, also those of the modules of `functions` (`MODULE:NAME`) and of the models' own features.

        Raises SbmtError for one that cannot be read, and what `_text_files` does.
        """
        bundles = tuple(tuple(str(path.absolute()) for path in model.files()) for model in models)
        source, *others = [*_text_files("source", [source]), *_text_files("references", references)]
        named = [*functions, *chain.from_iterable(model.config.feature_functions for model in models)]
        return cls(
            source=source,
            references=tuple(others),
            models=bundles,
            sha256={name: _sha256(Path(name)) for name in dict.fromkeys(chain([source], others, *bundles))},
            versions=versions(models),
            folds=tuple(folds),
            code={name: _sha256(path) for name in named if (path := module_file(name))},
        )

    def seen_from(self, folder: Path) -> Inputs:
        """The same with names that hold in a run's folder, also where it moves together with what lies beside it."""
        return self._renamed(partial(seen_from, folder, within=folder.absolute().parent))

    def seen_in(self, folder: Path) -> Inputs:
        """The inverse: names that hold here."""
        return self._renamed(lambda name: os.path.normpath(os.path.join(os.path.realpath(folder), name)))

    def _renamed(self, named: Callable[[str], str]) -> Inputs:
        hashes = {named(name): hashed for name, hashed in self.sha256.items()}
        return replace(
            self,
            source=named(self.source),
            references=tuple(map(named, self.references)),
            models=tuple(tuple(map(named, names)) for names in self.models),
            sha256=hashes,
        )

    def with_texts(self, source: str | Path | None, references: Sequence[str | Path] | None) -> Inputs:
        """The same with the texts in other files, where these are given.

        Raises SbmtError for a file that holds another text, and what `_text_files` does.
        """
        names: dict[str, str] = {}
        sources = None if source is None else [source]
        for what, files, own in (("source", sources, (self.source,)), ("references", references, self.references)):
            if files is None:
                continue
            paths = _text_files(what, files)
            if other := self.other(paths, own):
                raise SbmtError(
                    f"{what}: {other[0]} is another text than the run's, {other[1]}: start another run for it"
                )
            names |= dict(zip(own, paths, strict=True))
        return self._renamed(lambda name: names.get(name, name))

    def changed(self, folder: Path) -> str | None:
        """The first file that is no longer what it was; raises SbmtError for one that cannot be read."""
        hashes = {**self.sha256, **{str(folder / name): hashed for name, hashed in self.own.items()}}
        hashes |= {str(path): hashed for name, hashed in self.code.items() if (path := module_file(name))}
        return next((name for name, hashed in hashes.items() if _sha256(Path(name)) != hashed), None)

    def other(self, given: Sequence[str | Path], own: Sequence[str]) -> tuple[str, str] | None:
        """The first of the given files that neither is the run's `own` in its place nor holds the same, and that.

        Where there are more of the one than of the other, "no file" stands for what is missing. Raises SbmtError for a
        file that cannot be read.
        """
        for path, name in zip_longest(map(str, given), own):
            if path is None or name is None:
                return path or "no file", name or "no file"
            if not is_same(path, name) and _sha256(Path(path)) != self.sha256[name]:
                return path, name
        return None


def versions(models: Iterable[Model]) -> dict[str, str]:
    """Versions of all on which the last digits of weights depend; of language models made here, hashes."""
    built = {
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
        **{name: _sha256(path) for name, path in built.items()},
    }


def _text_files(what: str, files: Sequence[str | Path]) -> list[str]:
    """The absolute names of files of text.

    Raises TypeError for what is no list of files, SbmtError for a pipe, which could not be read again when the run is
    resumed.
    """
    if isinstance(files, str | Path):
        raise TypeError(f"{what}: a list of files is due, not {str(files)!r} by itself")
    for file in files:
        if not isinstance(file, str | Path):
            raise TypeError(f"{what}: a file is due, not {shortened(file)}: write the sentences to one, a line each")
        if str(file) == STDIO or (Path(file).exists() and not Path(file).is_file()):
            raise SbmtError(f"{file}: is no file, so it cannot be read again when the run is resumed")
    return [str(Path(file).absolute()) for file in files]


def _sha256(path: Path) -> str:
    """Of what a file holds, unpacked where it is compressed."""
    with open_bytes(path) as stream:
        return digest(stream)
