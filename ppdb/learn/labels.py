"""Labels of spans from given tags or parses (Zollmann & Venugopal 2006); without any, every span is [X].

A span that is a constituent has its label (the topmost, if several cover the same words); else A+B or A+B+C for
adjacent constituents, A/B for an A that lacks a B on its right, A\\B for an A that lacks a B on its left; else X. With
tags alone, one word has its tag, and two or three words A+B, A+B+C.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping, Sequence

from sbmt.errors import SbmtError, counted
from sbmt.ppdb.rule import DEFAULT_LABEL
from sbmt.text.whitespace import WHITE, split_words

_TREE_TOKEN = re.compile(rf"\(|\)|[^{WHITE}()]+")
Constituents = Mapping[tuple[int, int], str]  # [i, j) -> label


def label_code(label: str) -> int:
    """Return a 32-bit number for the label, the same in every process."""
    return zlib.crc32(label.encode())


def constituents(analysis: str, n_words: int) -> Constituents:
    """Parse a line of tags ("DT NN VBZ") or a bracketed tree ("(S (NP (DT the) ..."); returns labels by span.

    A blank line has none. Raises SbmtError if the line does not match a sentence of `n_words` words.
    """
    fields = split_words(analysis)
    if not fields:
        return {}
    spans = _parse_tree(analysis) if _looks_like_tree(fields, n_words) else _parse_tags(fields)
    covered = max((j for _, j in spans), default=0)
    if covered != n_words:
        problem = f"the tags or tree cover {counted(covered, 'word')}, the sentence has {n_words}"
        raise SbmtError(f"{problem} (give one tag per word, or a bracketed tree)")
    return spans


def _escape_brackets(label: str) -> str:
    return label.replace("[", "-LSB-").replace("]", "-RSB-")


def _looks_like_tree(fields: Sequence[str], n_words: int) -> bool:
    """Whether a line begins like a tree and is not one tag per word, since the tag of a bracket may be that bracket."""
    return fields[0].startswith("(") and not (
        len(fields) == n_words and all(field in ("(", ")") or {"(", ")"}.isdisjoint(field) for field in fields)
    )


def _parse_tags(fields: Sequence[str]) -> dict[tuple[int, int], str]:
    return {(i, i + 1): _escape_brackets(tag) for i, tag in enumerate(fields)}


def _parse_tree(line: str) -> dict[tuple[int, int], str]:
    spans: dict[tuple[int, int], str] = {}
    opened: list[tuple[str, int]] = []
    position, expect_label = 0, False
    for token in _TREE_TOKEN.findall(line):
        if token == "(":
            if expect_label:  # the unnamed root of "( (S ..."
                opened.append(("", position))
            expect_label = True
        elif token == ")":
            if expect_label:
                raise SbmtError("the tree has a bracket without a label or a part, ()")
            if not opened:
                raise SbmtError("the tree closes a bracket too many")
            label, start = opened.pop()
            if label:
                spans[start, position] = label
        elif expect_label:
            opened.append((_escape_brackets(token), position))
            expect_label = False
        else:
            position += 1
    still_open = len(opened) + expect_label
    if still_open:
        raise SbmtError(f"the tree leaves {counted(still_open, 'bracket')} open")
    return spans


def span_label(spans: Constituents, i: int, j: int, n_words: int) -> str:
    """Return the label of words [i, j) of a sentence of `n_words` words."""
    if (i, j) in spans:
        return spans[i, j]
    middle = range(i + 1, j)
    for k in middle:
        if (i, k) in spans and (k, j) in spans:
            return f"{spans[i, k]}+{spans[k, j]}"
    for k in range(j + 1, n_words + 1):
        if (i, k) in spans and (j, k) in spans:
            return f"{spans[i, k]}/{spans[j, k]}"
    for k in range(i - 1, -1, -1):
        if (k, j) in spans and (k, i) in spans:
            return f"{spans[k, j]}\\{spans[k, i]}"
    for k in middle:
        for last in range(k + 1, j):
            if (i, k) in spans and (k, last) in spans and (last, j) in spans:
                return f"{spans[i, k]}+{spans[k, last]}+{spans[last, j]}"
    return DEFAULT_LABEL
