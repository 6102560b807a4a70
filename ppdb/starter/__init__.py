"""The starter grammar: word lists written by this project, expanded to paraphrase rules."""

from __future__ import annotations

from pathlib import Path

LISTS = Path(__file__).parent
GRAMMAR = LISTS / "starter.ppdb.gz"
EXCEPTIONS = LISTS / "exceptions.txt"  # what the feature Excepted reads
