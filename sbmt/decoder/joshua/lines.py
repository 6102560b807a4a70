"""Joshua's lines: segments of input with their names and targets, and n-best lists as it writes them."""

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
_LATTICE = "((("  # what one begins with in Python's notation, as Joshua reads it
_MARKUP = re.compile(r"<\w+\s[^<>]*\btranslation=")  # Moses' XML input
CODES = "isfceta"  # of an output format, after a %


class Segment(NamedTuple):
    """An input line: its name, the text to decode, the output that is wanted, if one is."""

    name: str
    source: str
    target: list[str] | None

    @property
    def words(self) -> list[str]:
        """The words of the source."""
        return split_words(self.source)

    @property
    def mistaken(self) -> str:
        """What its words rather are, in a message; empty if they are words."""
        kind = "a lattice" if self.source.startswith(_LATTICE) else "markup" if _MARKUP.search(self.source) else ""
        return f"looks like {kind}, which is not supported: decoded as words" if kind else ""


def read_segment(line: str, number: int) -> Segment:
    """An input line without its marks; its name is its number unless it brings its own."""
    name = str(number)
    segment = _SEGMENT.fullmatch(line)
    if segment is not None:
        name, line = segment["id"], segment["text"].strip(WHITE)
    source, *rest = _BAR.split(line)
    target = split_words(rest[0]) if rest and rest[0].strip() else None
    return Segment(name, source, target)


def format_line(template: str, name: str, source: list[str], hypothesis: Hypothesis) -> str:
    """One n-best line; the codes %i %s %f %c %e %t %a stand for what they do in Joshua, and are looked at only once."""
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
    """What looks like a code in an output format and is none."""
    return [f"%{letter}" for letter in re.findall("%([A-Za-z])", template) if letter not in CODES]


def _tree(hypothesis: Hypothesis) -> str:
    """The derivation as Joshua 5 prints it: `(ROOT ([GOAL] ([GOAL] <s>) ([X] word)))`; of phrases, one by one."""
    built: list[str] = []
    for step in reversed(hypothesis.derivation):
        gaps = [symbol for symbol in step.rule.source if is_gap(symbol)]
        below = {gap: built.pop() for gap in gaps} if step.owner not in (PASS_THROUGH_OWNER, CONSTRAINT_OWNER) else {}
        inside = " ".join(below.get(symbol, symbol) for symbol in step.rule.target)
        built.append(f"([{step.rule.lhs}] {inside})")
    return f"(ROOT {' '.join(reversed(built))})"
