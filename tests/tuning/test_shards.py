"""Parsing the sentences of a tuning set."""

from __future__ import annotations

from pathlib import Path

from sbmt.text.pipeline import LONGEST
from sbmt.tuning.folder import RunFolder
from tests.tuning.runs import Data, records, tune


def test_the_numbers_of_a_line_that_is_cut_in_pieces_stay(bundle: Path, tuning_set: Data, tmp_path: Path) -> None:
    """Whether they lie before or after the cut; the words where a piece has its number may be changed."""
    with (bundle / "grammar").open("a") as stream:
        stream.write("[X] ||| 1999 ||| then ||| p(e|f)=0.1 Shorter=0 ||| 0-0\n")
    few = ["1999", "individuals", *["it"] * (LONGEST - 20), ","]
    long = [*few, "commenced", *["it"] * 20, "in", "1999", "."]
    source, references = tuning_set
    for path, line in ((source, long), *((path, ["then", *long[1:]]) for path in references)):
        lines = path.read_text().splitlines()
        path.write_text("\n".join([*lines, " ".join(line)]) + "\n")
    tune(bundle, tuning_set, tmp_path / "run", held_out=0, iterations=2)
    texts = RunFolder(tmp_path / "run").pool(len(records(tmp_path / "run"))).sentences[-1].texts
    assert {text.split().count("1999") for text in texts} == {2}
    assert {word for text in texts for word in text.split()} >= {"people", "began"}
