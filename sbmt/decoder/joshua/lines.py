"""Joshua's line formats: input segments with their names and targets, and n-best lists."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from sbmt.decoder.hypothesis import Hypothesis
from sbmt.features.sentence.application import CONSTRAINT_OWNER, PASS_THROUGH_OWNER
from sbmt.ppdb.rule import is_gap
from sbmt.text.whitespace import WHITE, split_words

_SEGMENT = re.compile(r'\s*<seg\s+id="?(?P<id>[^"> ]+)"?[^>]*>(?P<text>.*)</seg>\s*')
_BAR = re.compile(r"(?:^|\s)\|{3}(?!\S)")  # an empty source or target may have lost the blank beside it
_LATTICE = "((("  # the beginning of a lattice in Python's notation, as Joshua reads it
_MARKUP = re.compile(r"<\w+\s[^<>]*\btranslation=")  # Moses' XML input
CODES = "isfceta"  # of an output format, after a %


class Segment(NamedTuple):
    """An input line: its name, the text to decode, and the required output, if any."""

    name: str
    source: str
    target: list[str] | None

    @property
    def words(self) -> list[str]:
        """The words of the source."""
        return split_words(self.source)

    @property
    def mistaken(self) -> str:
        """A warning if the segment looks like something else than words, otherwise empty."""
        kind = "a lattice" if self.source.startswith(_LATTICE) else "markup" if _MARKUP.search(self.source) else ""
        return f"looks like {kind}, which is not supported: decoded as words" if kind else ""


def read_segment(line: str, number: int) -> Segment:
    """Read an input line; the segment is named by its number unless the line names it."""
    name = str(number)
    segment = _SEGMENT.fullmatch(line)
    if segment is not None:
        name, line = segment["id"], segment["text"].strip(WHITE)
    source, *rest = _BAR.split(line)
    target = split_words(rest[0]) if rest and rest[0].strip() else None
    return Segment(name, source, target)


def format_line(template: str, name: str, source: list[str], hypothesis: Hypothesis) -> str:
    """Return one n-best line: the template with its codes (%i %s %f %c %e %t %a) replaced, once, as by Joshua."""
    codes: dict[str, Callable[[], str]] = {
        "i": lambda: name,
        "s": lambda: hypothesis.text,
        "f": lambda: " ".join(f"{key}={value:.3f}" for key, value in sorted(hypothesis.features.items())),
        "c": lambda: f"{hypothesis.score:.3f}",
        "e": lambda: " ".join(source),
        "t": lambda: _tree(hypothesis),
        "a": lambda: " ".join(f"{i}-{j}" for step in hypothesis.derivation for i, j in step.alignment),
    }
    return re.sub(f"%([{CODES}])", lambda code: codes[code[1]](), template)


def unknown_codes(template: str) -> list[str]:
    """Return what looks like a code in an output format but is none."""
    return [f"%{letter}" for letter in re.findall("%([A-Za-z])", template) if letter not in CODES]


def _tree(hypothesis: Hypothesis) -> str:
    """Return the derivation as Joshua 5 prints it: `(ROOT ([GOAL] ([GOAL] <s>) ([X] word)))`, or phrase by phrase."""
    built: list[str] = []
    for step in reversed(hypothesis.derivation):
        gaps = [symbol for symbol in step.rule.source if is_gap(symbol)]
        below = {gap: built.pop() for gap in gaps} if step.owner not in (PASS_THROUGH_OWNER, CONSTRAINT_OWNER) else {}
        inside = " ".join(below.get(symbol, symbol) for symbol in step.rule.target)
        built.append(f"([{step.rule.lhs}] {inside})")
    return f"(ROOT {' '.join(reversed(built))})"
