"""Lists of paraphrase pairs, in the usual forms; scores, if there are any, are not used.

word <tab> word                       a directed pair (or phrases instead of words)
[NP] <tab> phrase <tab> phrase ...    the same after a label, which is ignored, as are further columns
4.0 <tab> [NP] <tab> phrase <tab> ... the same after a score, which is ignored, too
word other other ...                  a word and its synonyms, directed from the first
word.n :: other focus_on other ...    the same as a set of senses; "_" joins the words of a phrase

Labels are ignored because the counts of a pair come from the text, which does not have the list's labels: rules of
lists are [X].

Words are taken as they stand, like those of tokenised text, and pairs that cannot be rules are passed over. Where a
grammar is due, `sbmt.ppdb.formats` reads pairs as rules: it tokenises them, and stops at a malformed line.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from sbmt.errors import FormatError, counted
from sbmt.io import read_lines
from sbmt.ppdb.feature_text import finite
from sbmt.ppdb.learn.corpus import LONGEST
from sbmt.ppdb.rule import SEPARATOR, Side
from sbmt.ppdb.symbols import is_writable
from sbmt.text.whitespace import split_words

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Pair:
    """`source` may be replaced by `target`."""

    source: Side
    target: Side


def read_pair_list(path: str) -> Iterator[Pair]:
    """Yield the pairs of a list, in order, without those of equal sides; logs comments and unusable pairs.

    Raises FormatError for a grammar, and for a possible score without a label, which would be taken for a phrase.
    """
    skipped: Counter[str] = Counter()
    for number, line in enumerate(read_lines(path), 1):
        if not line.strip():
            continue
        if "\t" not in line and line.lstrip().startswith("#"):
            skipped["a # in front (comments; with a tab they are pairs)"] += 1
            continue
        if SEPARATOR in line:
            raise FormatError(path, number, "has |||, as rules have", "put a tab into a pair; sbmt-rules reads rules")
        for pair in _pairs_of(line, path, number):
            cause = _why_unusable(pair)
            if cause:
                skipped[cause] += 1
            elif pair.source != pair.target:
                yield pair
    for cause, count in skipped.items():
        _log.warning("%s: passed over %s with %s", path, counted(count, "pair"), cause)


def _why_unusable(pair: Pair) -> str:
    """Return why a pair cannot be a rule, "" if it can."""
    sides = pair.source, pair.target
    if not all(side and all(side) for side in sides):  # "_" without words around it makes empty ones
        return "an empty side"
    if max(map(len, sides)) > LONGEST:
        return f"a side of more than {LONGEST} words"
    if not all(is_writable(word) for side in sides for word in side):
        return "a word that is markup in a grammar, such as [X,1]"
    return ""


def _pairs_of(line: str, path: str, number: int) -> Iterator[Pair]:
    if "\t" in line:
        fields = line.split("\t")
        label = next((k for k in (0, 1) if len(fields) >= k + 3 and _is_label(fields[k])), None)
        if label is None and len(fields) > 2 and _is_number(fields[0]):
            cure = "write [X] after a score, or before a phrase"
            raise FormatError(path, number, "begins with a number and has no [LABEL]", cure)
        first = 0 if label is None else label + 1
        yield Pair(tuple(split_words(fields[first])), tuple(split_words(fields[first + 1])))
    elif " :: " in line:
        head, _, synonyms = line.partition(" :: ")
        source = tuple(head.rsplit(".", 1)[0].split("_"))
        yield from (Pair(source, tuple(synonym.split("_"))) for synonym in split_words(synonyms))
    else:
        source_word, *target_words = split_words(line)
        yield from (Pair((source_word,), (word,)) for word in target_words)


def _is_label(field: str) -> bool:
    return field.startswith("[") and field.endswith("]")


def _is_number(field: str) -> bool:
    try:
        finite(field)
    except ValueError:
        return False
    return True
