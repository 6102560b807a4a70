"""Texts for models, tokenised like the simplifier's input so that both agree (Penn tokens)."""

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
    """Return the simplifier's pipeline without protection of words."""
    return Pipeline(TextOptions(lowercase=lowercase, protect=ProtectOptions.none()))


def penn_lines(lines: Iterable[str], lowercase: bool = False) -> Iterator[str]:
    """Yield each line as tokens separated by spaces."""
    pipeline = penn_pipeline(lowercase)
    for line in lines:
        yield " ".join(word for sentence in pipeline.sentences(line) for word in sentence.words)


def write_tuning_set(split: Split, path: Path) -> None:
    """Write `source`, `reference.0` ... and `decoded` (sources to decode, for filtering grammars) in cased tokens."""
    write_lines(path / "source", penn_lines(split.tune.sources))
    for number in range(REFERENCES):
        write_lines(path / f"reference.{number}", penn_lines(refs[number] for refs in split.tune.references))
    write_lines(path / "decoded", penn_lines(split.decoded.sources))


def raw_text(data: Path, name: str) -> Iterator[str]:
    """Yield the lines (of a table: its last column) of a text for language models, a file or a folder of files."""
    path = data / FILES[name]
    for file in sorted(path.glob("*.txt")) if path.is_dir() else [path]:
        for line in read_lines(file):
            yield line.rpartition("\t")[2]


def write_text(data: Path, names: Sequence[str], lines: int | None, jobs: int, path: Path) -> None:
    """Write the sentences of the texts in lower case, one per line; `lines`: number of lines of each text to use."""
    raw_lines = (line for name in names for line in islice(raw_text(data, name), lines))
    line_sentences = ordered_map(_sentences, raw_lines, partial(penn_pipeline, True), jobs, chunk=256)
    write_lines(path, (sentence for sentences in line_sentences for sentence in sentences))


def _sentences(pipeline: Pipeline, line: str) -> list[str]:
    return [" ".join(sentence.words) for sentence in pipeline.sentences(line)]
