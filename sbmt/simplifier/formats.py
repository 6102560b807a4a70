"""Output formats of results: text, a diff, a line of JSON, and an n-best list."""

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
    """Return the simplified line."""
    return result.output


def as_diff(result: Result, number: int, colour: bool) -> str:
    """Return the line with changes in place: red struck out and green in a terminal, else wdiff's [-old-]{+new+}.

    Coloured words are separated by a space, for terminals without strike-through.
    """
    deleted, inserted = ((_DELETED, _PLAIN), (_INSERTED, _PLAIN)) if colour else (("[-", "-]"), ("{+", "+}"))
    pieces = []
    end = 0
    for difference in differences(result):
        (i, j), (a, b) = trimmed(result, difference)
        marked_sides = ((result.source[i:j], deleted), (result.output[a:b], inserted))
        shown = (" " if colour else "").join(f"{marks[0]}{text}{marks[1]}" for text, marks in marked_sides if text)
        pieces += [result.source[end:i], shown]
        end = j
    return "".join([*pieces, result.source[end:]])


def as_json(result: Result, number: int, colour: bool) -> str:
    """Return the result as one JSON object."""
    return json.dumps(result.to_dict(), ensure_ascii=False)


def with_place(shown: str, file: str, line: int) -> str:
    """Add the name of the file and the number of the line to a JSON object that `as_json` wrote."""
    return f'{shown.removesuffix("}")}, "file": {json.dumps(file, ensure_ascii=False)}, "line": {line}}}'


def as_nbest(result: Result, number: int, colour: bool) -> str:
    """Return the n-best list of Moses and Joshua: `line number ||| output ||| name=value ... ||| score`.

    Lines are numbered from 0. "|||" in the text is written with entities, as in tokens.
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
    """Return the spans of source and output that differ, in order.

    These are the outermost changes or, if words moved outside them too, the result of a comparison by words.
    """
    spans: list[Difference] = []
    rebuilt, end = [], 0
    for change in result.changes:  # sorted by source: an outer change comes before those in it
        if not spans or change.source_span[0] >= end:
            spans.append((change.source_span, change.output_span))
            rebuilt += [result.source[end : change.source_span[0]], change.output]
            end = change.source_span[1]
    if "".join([*rebuilt, result.source[end:]]) == result.output:
        return spans
    old, new = _pieces(result.source), _pieces(result.output)
    starts, places = (list(accumulate(map(len, pieces), initial=0)) for pieces in (old, new))
    codes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [((starts[i], starts[j]), (places[a], places[b])) for kind, i, j, a, b in codes if kind != "equal"]


def trimmed(result: Result, difference: Difference) -> Difference:
    """Return a difference without the words that both sides begin or end with; unchanged if the sides are equal."""
    (i, j), (a, b) = difference
    old, new = _pieces(result.source[i:j]), _pieces(result.output[a:b])
    if old == new:
        return difference
    begin, end = shared_ends(old, new)
    prefix_length, suffix_length = (sum(map(len, pieces)) for pieces in (old[:begin], old[len(old) - end :]))
    return (i + prefix_length, j - suffix_length), (a + prefix_length, b - suffix_length)
