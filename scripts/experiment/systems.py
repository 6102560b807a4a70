"""Outputs for TurkCorpus test: released ones as they are published, and our own, of one or more runs."""

from __future__ import annotations

import tarfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from experiment.text import penn_lines
from sbmt.data.testsets import TestSet
from sbmt.errors import FormatError
from sbmt.io import read_lines

Lines = list[str]


@dataclass(frozen=True, slots=True)
class System:
    """A row of the tables.

    cased: detokenised outputs, for EASSE's convention. tokens: tokenised, lower-cased outputs, for the paper's
    convention. easse: the same as distributed with EASSE, for its former convention. Each has one element per run
    (seed); figures and files of a single run show the first. reference: the number of the TurkCorpus reference that the
    system is, if any.
    """

    name: str
    group: str  # references, released, ours
    cased: tuple[Lines, ...] = ()
    tokens: tuple[Lines, ...] = ()
    easse: tuple[Lines, ...] = ()
    reference: int | None = None


def own_system(name: str, runs: Sequence[Lines]) -> System:
    """Return a system of our outputs, as raw text and in the tokens of the paper's test set."""
    return System(name, "ours", tuple(runs), tuple(list(penn_lines(run, lowercase=True)) for run in runs))


def references_as_systems(data: Path, cased: TestSet, tokens: TestSet) -> list[System]:
    """Return the source, its sentence in the Simple Wikipedia (published in tokens only), and the first Turker."""
    simple = list(read_lines(data / "turkcorpus/data/turkcorpus/test.8turkers.tok.simp"))
    return [
        System("source", "references", (cased.sources,), (tokens.sources,)),
        System("Simple Wikipedia", "references", (simple,), (simple,)),
        System(
            "Turker 1",
            "references",
            ([references[0] for references in cased.references],),
            ([references[0] for references in tokens.references],),
            reference=0,
        ),
    ]


def released_systems(data: Path, sentences: int) -> list[System]:
    """Return all systems with outputs under `data`: the paper's, those distributed with EASSE, and MUSS.

    All tokenised outputs are lower-cased here, since some of EASSE's `tok.low` files are not.
    """
    paper = data / "turkcorpus" / "data" / "systemoutputs"
    tokenised = {
        "PBMT-R": paper / "moses.test.output.1rerank",
        "SBMT-FKBLEU": paper / "glbleu30it.test.output.1best",
        "SBMT-SARI": paper / "sari30it.test.output.1best",
    }
    easse = data / "easse" / "system_outputs" / "turkcorpus" / "test"
    detokenised = {path.name: path for path in sorted(easse.iterdir()) if path.is_file()}
    easse_tokenised = {name: easse / "tok.low" / f"{name}.tok.low" for name in detokenised}
    easse_tokenised = {name: path for name, path in easse_tokenised.items() if path.exists()}
    tokenised = tokenised | {name: path for name, path in easse_tokenised.items() if name not in tokenised}
    systems = [
        System(
            name,
            "released",
            _runs(detokenised.get(name), sentences),
            _lowered(tokenised.get(name), sentences),
            _runs(easse_tokenised.get(name), sentences),
        )
        for name in dict.fromkeys([*tokenised, *detokenised])
    ]
    muss = data / "muss-outputs" / "muss-outputs.tar.xz"
    return [*systems, *_muss("MUSS", muss, "turkcorpus", sentences), *_muss("MUSS for ASSET", muss, "asset", sentences)]


def _runs(path: Path | None, sentences: int) -> tuple[Lines, ...]:
    return (_checked(str(path), list(read_lines(path)), sentences),) if path else ()


def _lowered(path: Path | None, sentences: int) -> tuple[Lines, ...]:
    return tuple([line.lower() for line in run] for run in _runs(path, sentences))


def _muss(name: str, archive: Path, test_set: str, sentences: int) -> list[System]:
    """Return five runs of MUSS (Martin et al. 2020; BART on WikiLarge), whose lengths etc. were set for a test set.

    Both test sets have the same sources. Empty if the archive is missing.
    """
    if not archive.exists():
        return []
    runs = []
    with tarfile.open(archive) as files:
        for member in sorted(files.getmembers(), key=lambda member: member.name):
            is_output = f"/{test_set}/test/muss_bart_access_wikilarge/" in member.name and member.name.endswith(".pred")
            if is_output and (stream := files.extractfile(member)):  # None for a folder
                runs.append(_checked(member.name, stream.read().decode().removesuffix("\n").split("\n"), sentences))
    return [System(name, "released", tuple(runs))]


def _checked(name: str, lines: Lines, sentences: int) -> Lines:
    if len(lines) != sentences:
        raise FormatError(name, None, f"has {len(lines)} lines, but the test set {sentences}")
    return lines
