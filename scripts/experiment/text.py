"""Texts as the models see them: the Penn tokens that the simplifier makes of raw text, so that both sides agree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path

from experiment.split import Split
from sbmt.io import read_lines, write_lines
from sbmt.parallel import ordered_map
from sbmt.text.pipeline import Pipeline, TextOptions
from sbmt.text.protection.protect import ProtectOptions

REFERENCES = 8
FILES = {
    "wikipedia": "lm-enwiki2015/enwiki2015-sample.txt.xz",
    "crowd": "indian-parallel-en/multiref.en.tsv.xz",
    "elementary": "onestopenglish/Texts-SeparatedByReadingLevel/Ele-Txt",
}


def penn_pipeline(lowercase: bool) -> Pipeline:
    """The simplifier's pipeline, without what protects words."""
    return Pipeline(TextOptions(lowercase=lowercase, protect=ProtectOptions.none()))


def penn_lines(lines: Iterable[str], lowercase: bool = False) -> Iterator[str]:
    """Each line as tokens between spaces."""
    pipeline = penn_pipeline(lowercase)
    for line in lines:
        yield " ".join(word for sentence in pipeline.sentences(line) for word in sentence.words)


def write_tuning_set(split: Split, path: Path) -> None:
    """`source`, `reference.0` ... and `decoded`, the sources to decode (for filtering grammars), in cased tokens."""
    write_lines(path / "source", penn_lines(split.tune.sources))
    for number in range(REFERENCES):
        write_lines(path / f"reference.{number}", penn_lines(refs[number] for refs in split.tune.references))
    write_lines(path / "decoded", penn_lines(split.decoded.sources))


def raw_text(data: Path, name: str) -> Iterator[str]:
    """The lines of a text that language models are estimated from: a file, its last column, or a folder of files."""
    path = data / FILES[name]
    for file in sorted(path.glob("*.txt")) if path.is_dir() else [path]:
        for line in read_lines(file):
            yield line.rpartition("\t")[2]


def write_text(data: Path, names: Sequence[str], lines: int | None, jobs: int, path: Path) -> None:
    """Sentences of the texts in lower case, one a line; `lines` limits how much of each text is taken."""
    taken = (line for name in names for line in islice(raw_text(data, name), lines))
    sentences = ordered_map(_sentences, taken, partial(penn_pipeline, True), jobs, chunk=256)
    write_lines(path, (sentence for found in sentences for sentence in found))


def _sentences(pipeline: Pipeline, line: str) -> list[str]:
    return [" ".join(sentence.words) for sentence in pipeline.sentences(line)]
