"""How a result is printed in lines: text, a diff, a line of JSON, or an n-best list."""

from __future__ import annotations

import json
import re
from difflib import SequenceMatcher
from itertools import accumulate

from sbmt.simplifier.result import Result
from sbmt.text.order import shared_ends

Span = tuple[int, int]
Difference = tuple[Span, Span]  # of source and output
_MARKS = r"""[.,;:!?"'’”)\]]"""  # that end words
_PIECE = re.compile(rf"\s+|(?P<marks>{_MARKS}++)(?=\s|$)|[^\s.]*\w(?={_MARKS}+(?:\s|$))|\S+")
_MARK = re.compile(r"\.+|.")
_DELETED, _INSERTED, _PLAIN = "\x1b[31;9m", "\x1b[32m", "\x1b[0m"


def as_text(result: Result, number: int, colour: bool) -> str:
    """The simplified line alone."""
    return result.output


def as_diff(result: Result, number: int, colour: bool) -> str:
    """Changes in place: struck out red and green in a terminal, else [-old-]{+new+} as wdiff has it.

    Between colours is a space, for terminals that strike nothing out.
    """
    deleted, inserted = ((_DELETED, _PLAIN), (_INSERTED, _PLAIN)) if colour else (("[-", "-]"), ("{+", "+}"))
    pieces = []
    end = 0
    for difference in differences(result):
        (i, j), (a, b) = trimmed(result, difference)
        both = ((result.source[i:j], deleted), (result.output[a:b], inserted))
        shown = (" " if colour else "").join(f"{marks[0]}{text}{marks[1]}" for text, marks in both if text)
        pieces += [result.source[end:i], shown]
        end = j
    return "".join([*pieces, result.source[end:]])


def as_json(result: Result, number: int, colour: bool) -> str:
    """One JSON object."""
    return json.dumps(result.to_dict(), ensure_ascii=False)


def with_place(shown: str, file: str, line: int) -> str:
    """A JSON object, as `as_json` writes it, that also says which file it is from and which line of that."""
    return f'{shown.removesuffix("}")}, "file": {json.dumps(file, ensure_ascii=False)}, "line": {line}}}'


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


def _pieces(text: str) -> list[str]:
    """Return words, white space and the marks after words, each mark alone: "word)." is three pieces, "e.g." one."""
    pieces: list[str] = []
    for match in _PIECE.finditer(text):
        pieces += _MARK.findall(match[0]) if match["marks"] else [match[0]]
    return pieces


def differences(result: Result) -> list[Difference]:
    """Spans of source and output that differ, in order: the outermost changes, unless words moved beside them too."""
    spans: list[Difference] = []
    unchanged, end = [], 0
    for change in result.changes:  # sorted by source: an outer change comes before those in it
        if not spans or change.source_span[0] >= end:
            spans.append((change.source_span, change.output_span))
            unchanged += [result.source[end : change.source_span[0]], change.output]
            end = change.source_span[1]
    if "".join([*unchanged, result.source[end:]]) == result.output:
        return spans
    old, new = _pieces(result.source), _pieces(result.output)
    starts, places = (list(accumulate(map(len, pieces), initial=0)) for pieces in (old, new))
    codes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [((starts[i], starts[j]), (places[a], places[b])) for kind, i, j, a, b in codes if kind != "equal"]


def trimmed(result: Result, difference: Difference) -> Difference:
    """A difference without the words that its two sides begin or end with; where they are the same, as it is."""
    (i, j), (a, b) = difference
    old, new = _pieces(result.source[i:j]), _pieces(result.output[a:b])
    if old == new:
        return difference
    begin, end = shared_ends(old, new)
    left, right = (sum(map(len, pieces)) for pieces in (old[:begin], old[len(old) - end :]))
    return (i + left, j - right), (a + left, b - right)
