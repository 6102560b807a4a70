"""Warnings of probable mistakes in input files.

They are: tables or JSON instead of text, text without spaces between words, lines out of order, one reference given
twice, and outputs that begin with an introduction by a language model.
"""

from __future__ import annotations

import json
import logging
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations, islice
from math import ceil

from sbmt.text.words.content import is_content

_log = logging.getLogger(__name__)

_SAMPLE = 250  # lines examined per file: the first for its format, evenly spaced ones for a match with their sources
_MIN_CONTENT_WORDS = 5  # of a source: one with fewer may lose them all
_MIN_LINES = 20  # compared with their sources before a warning
_MIN_EQUAL_LINES = 5  # not blank, before two references count as equal
_MIN_OVERLAP = 0.15  # shared content words / the fewer of a line's and its source's; below, they are unlike
_MAX_UNLIKE = 1 / 3  # share of lines; published outputs and references have under .15, shuffled ones over .5
_MIN_SAME_OPENING = 0.9  # share of the outputs that are not blank
_OPENING_WORDS, _MAX_OPENING = 3, 8  # words; the maximum if it ends with a colon
# Letters of Thai, Lao, Burmese, Khmer, Japanese and Chinese, which are written without spaces between words.
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
_MAX_UNSPACED = 6  # such letters a word, on average over a line; words of these languages have two to five
_WORD = re.compile(r"\w+")

Named = Sequence[tuple[str, Collection[str]]]  # the lines of files, with their names


def remark_on_mistakes(sources: Collection[str], systems: Named, references: Named) -> None:
    """Warn of outputs and references that are a table, JSON, unspaced or of other sentences, and of equal references.

    Also of references with a tab in a line, and of outputs that begin alike although the sources do not. All have as
    many lines as there are sources; without sources, checks that need them are skipped.
    """
    step = max(ceil(len(sources) / _SAMPLE), 1)
    sampled_sources = {i: _content_words(line) for i, line in enumerate(sources) if i % step == 0}
    sources_by_line = {i: words for i, words in sampled_sources.items() if len(words) >= _MIN_CONTENT_WORDS}
    for files, remark_on_kind in ((systems, _remark_on_opening), (references, _remark_on_tab)):
        for name, lines in files:
            if problem := _format_problem(list(islice(lines, _SAMPLE))):
                _log.warning("%s: %s", name, problem)
            else:
                _remark_on_unlike_lines(sources_by_line, lines, name)
                remark_on_kind(sources, lines, name)
    for (name_a, lines), (name_b, other_lines) in combinations(references, 2):
        if list(lines) == list(other_lines) and sum(map(bool, map(str.strip, lines))) >= _MIN_EQUAL_LINES:
            _log.warning("%s and %s hold the same lines: name each reference once", name_a, name_b)


def by_number(references: Collection[Collection[str]]) -> Named:
    """Return the references by file, given those of each sentence; none if their numbers differ."""
    if len(set(map(len, references))) != 1:
        return []
    return [(f"reference {number}", lines) for number, lines in enumerate(zip(*references, strict=True), 1)]


def _format_problem(lines: Sequence[str]) -> str:
    """Return what most lines are if not sentences, and what to do about it; "" if they are."""
    if 2 * sum("\t" in line for line in lines) > len(lines):
        return "most lines have a tab, and all columns of such a table count as text: give one of them (cut -f 1)"
    if 2 * sum(map(_is_object, lines)) > len(lines):
        return "most lines are JSON objects, which count as text: give what they hold, one per line (jq -r .KEY)"
    if 2 * sum(map(_is_unspaced, lines)) > len(lines):
        return "most lines have no spaces between words, and count as long words: put them between words or characters"
    return ""


def _is_unspaced(line: str) -> bool:
    return len(_UNSPACED.findall(line)) > _MAX_UNSPACED * len(line.split())


def _is_object(line: str) -> bool:
    if not line.lstrip().startswith("{"):
        return False
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def _remark_on_unlike_lines(sources: Mapping[int, frozenset[str]], lines: Iterable[str], name: str) -> None:
    """Warn if many lines share hardly any content word with their sources, which are given by line number."""
    pairs = [(sources[i], words) for i, line in enumerate(lines) if i in sources and (words := _content_words(line))]
    unlike = sum(len(a & b) < _MIN_OVERLAP * min(len(a), len(b)) for a, b in pairs)
    if len(pairs) >= _MIN_LINES and unlike > _MAX_UNLIKE * len(pairs):
        message = (
            "%s: %d of %d lines have hardly a word of their sources: they seem to be shifted, in another order, or of "
            "another text; line 1 belongs to the first source"
        )
        _log.warning(message, name, unlike, len(pairs))


def _remark_on_opening(sources: Collection[str], lines: Iterable[str], name: str) -> None:
    """Warn if nearly all outputs begin with the same words although the sources do not."""
    if not len(sources):  # may be an array
        return
    openings = Counter(_opening(line) for line in lines if line.strip())
    n_outputs = openings.total()
    del openings[""]
    (opening, count), *_ = openings.most_common(1) or [("", 0)]
    if count < max(_MIN_LINES, _MIN_SAME_OPENING * n_outputs):
        return
    if 2 * sum(_opening(source) == opening for source in sources) < count:
        message = "%s: %d of %d outputs begin with %r, and their sources do not: take away what is no part of them"
        _log.warning(message, name, count, n_outputs, opening)


def _opening(line: str) -> str:
    """Return the words of a line up to an early colon, else the first three; "" if there are fewer."""
    words = line.split(maxsplit=_MAX_OPENING)[:_MAX_OPENING]
    ends = (number for number, word in enumerate(words, 1) if word.rstrip("*_").endswith(":"))
    return " ".join(words[: next(ends, _OPENING_WORDS if len(words) >= _OPENING_WORDS else 0)])


def _remark_on_tab(sources: Iterable[str], lines: Iterable[str], name: str) -> None:
    """Warn of a reference with a tab, which may be several in columns, unless its source has one too."""
    pairs = enumerate(zip(sources, lines, strict=False), 1)
    first = next((number for number, (source, line) in pairs if "\t" in line and "\t" not in source), None)
    if first is not None:
        message = (
            "%s, line %d: has a tab, and counts as one reference: where some sentences have more than others, give "
            "each reference a file, with blank lines where there is none"
        )
        _log.warning(message, name, first)


def _content_words(line: str) -> frozenset[str]:
    return frozenset(word for word in _WORD.findall(line.lower()) if is_content(word))
