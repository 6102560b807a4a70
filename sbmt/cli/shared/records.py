"""Outputs in JSON lines: sbmt-decode's, or any objects with the output's text under a key."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from reprlib import repr as shortened
from typing import Any

from sbmt.errors import HALVED, FormatError, quoted

JSON_LINES = ".jsonl"
OUTPUT_KEY = "output"  # of sbmt-decode's objects
_NAMES = (JSON_LINES, ".json")
_NESTED = "is nested too deeply"


@dataclass(frozen=True, slots=True)
class Record:
    """One output; without a source (None) or changes if the object has none in sbmt-decode's form."""

    source: str | None
    output: str
    changes: list[dict[str, Any]]


def are_records(path: str, lines: Sequence[str]) -> bool:
    """Whether lines are JSON, judged by the file's name or the first line.

    Raises FormatError for an array, and for an object that is nested too deeply.
    """
    first = "".join(lines[:1]).strip()
    if first == "[" or first.startswith("[" if path.endswith(_NAMES) else '[{"'):
        raise FormatError(path, 1, "is a JSON array, where one object per line is due", "jq -c '.[]' takes one apart")
    return path.endswith(_NAMES) or _read_object(path, 1, first) is not None


def read_records(path: str, lines: Sequence[str], key: str) -> list[Record]:
    """Read one object per line, with its output under `key`; raises FormatError naming the line for anything else."""
    return [_read_record(path, number, line, key) for number, line in enumerate(lines, 1)]


def _read_object(path: str, number: int, line: str) -> dict[str, Any] | None:
    """Return the object of a line, or None if it is none."""
    try:
        fields = json.loads(line) if line.lstrip().startswith("{") else None
    except ValueError:
        return None
    except RecursionError:
        raise FormatError(path, number, _NESTED) from None
    return fields


def _read_record(path: str, number: int, line: str, key: str) -> Record:
    fields = _read_object(path, number, line)
    if fields is None:
        raise FormatError(path, number, "is no JSON object", f"each line is one, with the output under {key!r}")
    if key not in fields:
        keys = f"but {quoted(', '.join(fields))}" if fields else "nor another"
        raise FormatError(path, number, f"has no key {key!r}, {keys}", "--output-key names that of the output")
    source, output, changes = fields.get("source"), fields[key], fields.get("changes")
    for name, value in (("source", "" if source is None else source), (key, output)):
        if not isinstance(value, str):
            raise FormatError(path, number, f"{name!r} is {'null' if value is None else shortened(value)}, not a text")
    if not isinstance(changes, list) or not all(isinstance(change, dict) for change in changes):
        changes = []  # written by another program
    try:
        json.dumps([source, output, changes], ensure_ascii=False).encode()
    except UnicodeError:
        raise FormatError(path, number, HALVED) from None
    except RecursionError:
        raise FormatError(path, number, _NESTED) from None
    return Record(source, output, changes)
