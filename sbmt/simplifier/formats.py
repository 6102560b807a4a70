"""How a result is printed in lines: text, a diff, a line of JSON, or an n-best list."""

from __future__ import annotations

import json
import re
from difflib import SequenceMatcher
from itertools import accumulate

from sbmt.simplifier.result import Result

Span = tuple[int, int]
_PIECE = re.compile(r"\s+|\S+")
_DELETED, _INSERTED, _PLAIN = "\x1b[31;9m", "\x1b[32m", "\x1b[0m"


def as_text(result: Result, number: int, colour: bool) -> str:
    """The simplified line alone."""
    return result.output


def as_diff(result: Result, number: int, colour: bool) -> str:
    """Changes in place: struck out red and green in a terminal, else [-old-]{+new+} as wdiff has it."""
    deleted, inserted = ((_DELETED, _PLAIN), (_INSERTED, _PLAIN)) if colour else (("[-", "-]"), ("{+", "+}"))
    pieces = []
    end = 0
    for (i, j), (a, b) in differences(result):
        pieces.append(result.source[end:i])
        for text, marks in ((result.source[i:j], deleted), (result.output[a:b], inserted)):
            pieces.append(f"{marks[0]}{text}{marks[1]}" if text else "")
        end = j
    return "".join([*pieces, result.source[end:]])


def as_json(result: Result, number: int, colour: bool) -> str:
    """One JSON object."""
    return json.dumps(result.to_dict(), ensure_ascii=False)


def as_nbest(result: Result, number: int, colour: bool) -> str:
    """Moses' and Joshua's list: `line number ||| output ||| name=value ... ||| score`, the line number from 0.

    "|||" in the text is written with entities, as in tokens.
    """
    lines = []
    for candidate in result.nbest:
        features = " ".join(f"{name}={value:.3f}" for name, value in sorted(candidate.features.items()))
        lines.append(f"{number} ||| {_field(candidate.output)} ||| {features} ||| {candidate.score:.3f}")
    return "\n".join(lines or [f"{number} ||| {_field(result.output)} |||  ||| {result.score:.3f}"])


def _field(text: str) -> str:
    return text.strip().replace("|||", "&#124;&#124;&#124;")


def differences(result: Result) -> list[tuple[Span, Span]]:
    """Spans of source and output that differ, in order: the outermost changes, unless words moved beside them too."""
    spans: list[tuple[Span, Span]] = []
    unchanged, end = [], 0
    for change in result.changes:  # sorted by source: an outer change comes before those in it
        if not spans or change.source_span[0] >= end:
            spans.append((change.source_span, change.output_span))
            unchanged += [result.source[end : change.source_span[0]], change.output]
            end = change.source_span[1]
    if "".join([*unchanged, result.source[end:]]) == result.output:
        return spans
    old, new = (_PIECE.findall(text) for text in (result.source, result.output))
    starts, places = (list(accumulate(map(len, pieces), initial=0)) for pieces in (old, new))
    codes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [((starts[i], starts[j]), (places[a], places[b])) for kind, i, j, a, b in codes if kind != "equal"]
