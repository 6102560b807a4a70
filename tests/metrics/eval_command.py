"""Texts and helpers of the tests of sbmt-eval."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from sbmt.cli.evaluate import main
from tests import commands

SOURCE = ["the feline was seated upon the mat .", "he consumed a banana , slowly ."]
REFERENCES = [
    ["the cat sat on the mat .", "he slowly ate a banana ."],
    ["the cat was on the mat .", "he ate a banana slowly ."],
]
SYSTEMS = {"A": ["the cat was seated on the mat .", "he ate a banana ."], "B": SOURCE}
METRICS = ["sari:easse", "sari:xu2016", "bleu", "fkbleu:xu2016", "fk:xu2016"]
FILES = ("--source", "S", "--references", "R.0", "R.1", "--systems", "A", "B")


def write(name: str, content: list[str]) -> None:
    Path(name).write_text("".join(line + "\n" for line in content), encoding="utf-8")


run, fail = partial(commands.run, main), partial(commands.fail, main)
