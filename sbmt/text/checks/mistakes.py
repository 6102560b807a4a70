"""Warnings of files that were probably given by mistake: tables, JSON, lines out of order, one reference twice, outputs
that begin with what a language model says before them.
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

_SAMPLE = 250  # lines that tell the form of a file, and, at even distances, whether they go with their sources
_FEW_WORDS = 5  # a source of fewer content words may lose them all
_FEWEST = 20  # lines that tell whether sentences go with their sources
_FEWEST_SAME = 5  # lines that tell whether two references are one
_ALIKE = 0.15  # of the content words of a line or its source, whichever has fewer: what has less in common is unlike
_UNLIKE = 1 / 3  # of the lines; published outputs and references have under .15, over .5 when they are shuffled
_SAME_START = 0.9  # of the outputs that are not blank
_OPENING, _LONGEST_OPENING = 3, 8  # words; the latter of one that ends with a colon
_WORD = re.compile(r"\w+")

Named = Sequence[tuple[str, Collection[str]]]  # the lines of files, with their names


def remark_on_mistakes(sources: Collection[str], systems: Named, references: Named) -> None:
    """Warn of outputs and references that are a table, JSON or of other sentences, and of equal references.

    So of references with a tab in a line, and of outputs that begin alike, where the sources do not. All have as many
    lines as there are sources; without sources, nothing is said of what these tell.
    """
    step = max(ceil(len(sources) / _SAMPLE), 1)
    written = {i: _content(line) for i, line in enumerate(sources) if i % step == 0}
    told = {i: words for i, words in written.items() if len(words) >= _FEW_WORDS}
    for files, remark_on_own in ((systems, _remark_on_opening), (references, _remark_on_tab)):
        for name, lines in files:
            if form := _form(list(islice(lines, _SAMPLE))):
                _log.warning("%s: %s", name, form)
            else:
                _remark_on_others(told, lines, name)
                remark_on_own(sources, lines, name)
    for (one, lines), (other, others) in combinations(references, 2):
        if list(lines) == list(others) and sum(map(bool, map(str.strip, lines))) >= _FEWEST_SAME:
            _log.warning("%s and %s hold the same lines: name each reference once", one, other)


def by_number(references: Collection[Collection[str]]) -> Named:
    """References, those of each sentence, by file; none where the sentences have not equally many."""
    if len(set(map(len, references))) != 1:
        return []
    return [(f"reference {number}", lines) for number, lines in enumerate(zip(*references, strict=True), 1)]


def _form(lines: Sequence[str]) -> str:
    """What most lines are, if no sentences, and what to do about it."""
    if 2 * sum("\t" in line for line in lines) > len(lines):
        return "most lines have a tab, and all columns of such a table count as text: give one of them (cut -f 1)"
    if 2 * sum(map(_is_object, lines)) > len(lines):
        return "most lines are JSON objects, which count as text: give what they hold, one a line (jq -r .KEY)"
    return ""


def _is_object(line: str) -> bool:
    if not line.lstrip().startswith("{"):
        return False
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def _remark_on_others(sources: Mapping[int, frozenset[str]], lines: Iterable[str], name: str) -> None:
    """Warn of many lines that have hardly a content word in common with their sources, which are by line."""
    pairs = [(sources[i], words) for i, line in enumerate(lines) if i in sources and (words := _content(line))]
    unlike = sum(len(one & other) < _ALIKE * min(len(one), len(other)) for one, other in pairs)
    if len(pairs) >= _FEWEST and unlike > _UNLIKE * len(pairs):
        message = (
            "%s: %d of %d lines have hardly a word of their sources: they seem to be shifted, in another order, or of "
            "another text; line 1 belongs to the first source"
        )
        _log.warning(message, name, unlike, len(pairs))


def _remark_on_opening(sources: Collection[str], lines: Iterable[str], name: str) -> None:
    """Warn of outputs that nearly all begin with the same words, as the sources do not."""
    if not len(sources):  # which may be an array
        return
    openings = Counter(_opening(line) for line in lines if line.strip())
    written = openings.total()
    del openings[""]
    (opening, count), *_ = openings.most_common(1) or [("", 0)]
    if count < max(_FEWEST, _SAME_START * written):
        return
    if 2 * sum(_opening(source) == opening for source in sources) < count:
        message = "%s: %d of %d outputs begin with %r, and their sources do not: take away what is no part of them"
        _log.warning(message, name, count, written, opening)


def _opening(line: str) -> str:
    """The words of a line up to the first colon, if that comes soon, or three; none where there are fewer."""
    words = line.split(maxsplit=_LONGEST_OPENING)[:_LONGEST_OPENING]
    ends = (number for number, word in enumerate(words, 1) if word.rstrip("*_").endswith(":"))
    return " ".join(words[: next(ends, _OPENING if len(words) >= _OPENING else 0)])


def _remark_on_tab(sources: Iterable[str], lines: Iterable[str], name: str) -> None:
    """Warn of a reference with a tab, which may be several in columns, unless its source has one, too."""
    pairs = enumerate(zip(sources, lines, strict=False), 1)
    first = next((number for number, (source, line) in pairs if "\t" in line and "\t" not in source), None)
    if first is not None:
        message = (
            "%s, line %d: has a tab, and counts as one reference: where some sentences have more than others, give "
            "each reference a file, with blank lines where there is none"
        )
        _log.warning(message, name, first)


def _content(line: str) -> frozenset[str]:
    return frozenset(word for word in _WORD.findall(line.lower()) if is_content(word))
