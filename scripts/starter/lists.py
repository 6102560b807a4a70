"""The starter grammar's hand-written word lists: what a line means and what is wrong with it.

`head = simpler, second best` (safe in nearly every context) or `head ~ simpler` (right in most contexts). One entry a
line, "#" starts a comment. In verbs.txt the first word inflects, in nouns.txt the last; a word marked `*` inflects
instead. The file gives the part of speech; in lists that do not inflect a line may give its label itself,
`[IN] prior to = before`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from sbmt.errors import FormatError
from sbmt.text.comments import read_entries

WORD = re.compile(r"[^\W_](?:[\w'./-]*[\w.])?\*?|'\w+|n't|[%,;$&-]")
SEPARATOR = re.compile(r"(?<=\S),")  # a comma with a space before it is a word
LABEL = re.compile(r"\[([A-Z$]+)\]\s+")
ENTRY = re.compile(r"(?P<head>[^=~]+?)\s+(?P<sign>[=~])\s+(?P<targets>[^=~]+)")


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words, and the position of the one that inflects (None: the list's default)."""

    words: tuple[str, ...]
    marked: int | None = None

    def __str__(self) -> str:
        """The words with single spaces, without the mark."""
        return " ".join(self.words)


@dataclass(frozen=True, slots=True)
class Entry:
    """A complex head and its simpler equivalents, best first; `line` counts from 1."""

    path: str
    line: int
    head: Phrase
    targets: tuple[Phrase, ...]
    safe: bool
    label: str = ""


def read_list(path: Path) -> list[Entry]:
    """Read one list and check it: raises FormatError naming the line for bad syntax, doubled heads and cycles."""
    entries = [parse_entry(str(path), number, text) for number, text in read_entries(path)]
    _refuse_doubles(entries)
    _refuse_cycles(entries)
    return entries


def parse_entry(path: str, number: int, text: str) -> Entry:
    """Parse one line that holds an entry; raises FormatError."""
    label = LABEL.match(text)
    match = ENTRY.fullmatch(text[label.end() :] if label else text)
    if not match:
        raise FormatError(path, number, f"is not an entry: {text!r}", "write: head = simpler, simpler2")
    head = _phrase(path, number, match["head"])
    targets = tuple(_phrase(path, number, target) for target in SEPARATOR.split(match["targets"]))
    surfaces = [str(target) for target in targets]
    if str(head) in surfaces:
        raise FormatError(path, number, f"{str(head)!r} is its own simpler equivalent", "remove that target")
    if len(set(surfaces)) < len(surfaces):
        raise FormatError(path, number, "names a target twice", "keep the first")
    return Entry(path, number, head, targets, match["sign"] == "=", label[1] if label else "")


def _phrase(path: str, number: int, text: str) -> Phrase:
    words = text.split()
    bad = next((word for word in words if not WORD.fullmatch(word) or word != word.lower()), None)
    if not words or bad:
        raise FormatError(path, number, f"{bad or text!r} is not a lower-case word", "write words separated by spaces")
    marks = [i for i, word in enumerate(words) if word.endswith("*")]
    if len(marks) > 1:
        raise FormatError(path, number, f"marks two words of {text.strip()!r} as inflecting", "mark one")
    return Phrase(tuple(word.removesuffix("*") for word in words), marks[0] if marks else None)


def _refuse_doubles(entries: Iterable[Entry]) -> None:
    seen: dict[tuple[str, str], int] = {}
    for entry in entries:
        first = seen.setdefault((entry.label, str(entry.head)), entry.line)
        if first != entry.line:
            raise FormatError(entry.path, entry.line, f"{str(entry.head)!r} is a head already on line {first}", "merge")


def _refuse_cycles(entries: Iterable[Entry]) -> None:
    """A chain of replacements must end: no head may be reached again from its own targets."""
    targets = {str(entry.head): [str(target) for target in entry.targets] for entry in entries}
    for entry in entries:
        head = str(entry.head)
        reached, agenda = set[str](), list(targets[head])
        while agenda:
            word = agenda.pop()
            if word not in reached:
                reached.add(word)
                agenda.extend(targets.get(word, ()))
        if head in reached:
            raise FormatError(entry.path, entry.line, f"{head!r} leads back to itself", "remove one of the two entries")
