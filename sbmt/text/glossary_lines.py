"""Glossaries as files: TERM = WORDS and TERM != WORDS, one a line, read and written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, product, starmap
from pathlib import Path

from sbmt.errors import FormatError
from sbmt.text.comments import read_entries, without_comment
from sbmt.text.glossary import Glossary, Pair, Words, has_inner_capital, holds
from sbmt.text.order import shared_ends
from sbmt.text.tokens import Token, phrase_tokens

_ENTRY = re.compile(r"(?:(?P<source>.+?)\s+)?(?P<sign>!?=)\s+(?P<target>.+)")
_GAP = re.compile(r"(?<!\S)\[[^\s\[\]]+,[1-9]\](?!\S)")  # as rules are shown
_SIGNS = frozenset(["=", "!="])  # between the sides; alone on a side one is a word
_FORMS = "|"  # between the forms of a term
_FIELDS = "|||"  # between the fields of a rule as it is shown
_QUOTED = re.compile(r"""“[^“”]+”|"[^"]+"|‘[^‘’]+’|'[^']+'|«[^«»]+»|„[^“”]+[“”]""")
_EXPRESSION = re.compile(r"/.+/i?|.*[^\W\d_]{2}\*(?!\S).*")  # as --protect has them, and word*
_OTHER_SIGNS = re.compile(r"(.+?)\s*(=+>|[-–—]+>|!?=|[→⇒,;:\t]|\s[-–—])\s*([^\s=].*)")
_SAME = {"an": "a"}  # which of them is written depends on the next word
_SYMBOLS = frozenset("+#*~<>=/\\^_&@-–—")  # what is written next to its neighbours as the file has it: C++, ~5


def read_glossary(path: str | Path, encoding: str = "utf-8") -> Glossary:
    """Read "TERM = WORDS" (always write WORDS for it) and "TERM != WORDS" (never do), one a line.

    Bars separate forms, as many on both sides, or one on the right: "buy|buys = get|gets". "!= WORDS" is never to write
    them. "#" starts a comment at the start of a line and after white space. Raises FormatError naming the line for
    anything else, for a term that is to become two things, and for refusing nothing.
    """
    return _read(read_entries(path, encoding), str(path))


def parse_glossary(lines: Iterable[str]) -> Glossary:
    """The glossary of such lines themselves; errors call it "glossary"."""
    return _read(((number, entry) for number, entry in enumerate(map(without_comment, lines), 1) if entry), "glossary")


def _read(entries: Iterable[tuple[int, str]], name: str) -> Glossary:
    """Read entries after the numbers of their lines."""
    wanted: dict[Words, Words] = {}
    acronyms: set[Words] = set()
    refused: list[Pair] = []
    for number, text in entries:
        try:
            sources, sign, targets = _entry(text)
            if sign == "!=":
                refused += _all_refusals(sources, targets)
                continue
            for source, target in zip(sources, targets, strict=True):
                term, words = _wanted(source, target)
                if wanted.setdefault(term, words) != words:
                    before = "stay" if wanted[term] == term else f"become {' '.join(wanted[term])}"
                    raise _EntryError(f"{source} was to {before} before", "keep one line, whatever the capitals")
                if any(has_inner_capital(token.text) for token in _tokens(source)):
                    acronyms.add(tuple(token.text for token in _tokens(source)))
        except _EntryError as error:
            raise FormatError(name, number, *error.args) from None
    return Glossary(wanted, tuple(refused), frozenset(acronyms))


def refusing_line(source: str, target: str) -> str:
    """The line that refuses what a rule does, by its two sides as rules are shown; "" where no line can.

    Without what both sides begin or end with: rules for the rest alone would write the same.
    """
    own, new = _differing(source, target)
    return _line(" ".join(own), "!=", " ".join(new)) if own and new else ""


def keeping_line(source: str, target: str, text: str) -> str:
    """The line that keeps what a rule replaced, by its two sides as rules are shown and by the words of the text.

    Without what both sides begin or end with, so that it holds beside other words too. "" where no line can.
    """
    for words in (" ".join(_differing(source, target)[0]), source):
        if words and tuple(words.split()) == _lowered(words):  # a gap is no token
            return _line(words, "=", words)
    return _line(text, "=", text)


def _differing(source: str, target: str) -> list[list[str]]:
    """The two sides of a rule without what both begin or end with; "a" and "an" count as the same."""
    sides = source.split(), target.split()
    begin, end = shared_ends(*([_SAME.get(word, word) for word in side] for side in sides))
    return [side[begin : len(side) - end] for side in sides]


def _line(source: str, sign: str, target: str) -> str:
    """A line, if it would be read as it is meant."""
    line = f"{source} {sign} {target}"
    try:
        return line if _entry(without_comment(line)) == ([source], sign, [target]) else ""
    except _EntryError:
        return ""


class _EntryError(Exception):
    """What is wrong with a line, and the cure."""


def _entry(text: str) -> tuple[list[str], str, list[str]]:
    """The forms of the two sides of a line and the sign between them; where they are wanted, as many on both."""
    sides_alone = "of a rule write the two sides alone: SOURCE != TARGET" if _FIELDS in text else ""
    match = _ENTRY.fullmatch(text)
    if match is None or (match["source"] is None and match["sign"] == "="):
        raise _EntryError(f"neither TERM = WORDS nor TERM != WORDS: {text}", sides_alone or _with_sign(text))
    targets = _forms(match["target"])
    sources = [""] if match["source"] is None else _forms(match["source"])
    if not all(targets) or (match["source"] and not all(sources)):
        raise _EntryError(f"a form without words: {text}", sides_alone or "take out the bar beside it")
    if _has_sign(match["source"] or "") or _has_sign(match["target"]):
        raise _EntryError(f"more than one sign: {text}", "write TERM = WORDS or TERM != WORDS, on a line each")
    if gap := _GAP.search(text):
        raise _EntryError(f"a gap of a rule is no word: {text}", f"leave {gap[0]} out, or write words for it")
    for form in chain(sources, targets if match["sign"] == "!=" else ()):
        _check_marks(form)
    if match["sign"] == "=":
        if len(targets) not in (1, len(sources)):
            problem = f"{len(sources)} forms have {len(targets)} equivalents: {text}"
            raise _EntryError(problem, "give as many on the right, or one")
        targets *= len(sources) // len(targets)
    elif all(term and holds(words, term) for term, words in _all_refusals(sources, targets)):
        cure = f"to leave it alone write {sources[0]} = {sources[0]}"
        raise _EntryError(f"refuses nothing, for the term is among the words: {text}", cure)
    return sources, match["sign"], targets


def _with_sign(text: str) -> str:
    """How to write a line that has another sign between its sides; "" if it has none, or would still be wrong."""
    other = _OTHER_SIGNS.fullmatch(text)
    if other is None or "=" in other[3]:
        return ""
    line = f"{other[1]} {'!=' if '!' in other[2] else '='} {other[3]}"
    with suppress(_EntryError):
        _entry(line)
        return f"write {line}"
    return ""


def _check_marks(form: str) -> None:
    """Raise _EntryError for marks around a term, which would keep it from being found."""
    if _QUOTED.fullmatch(form):
        cure = f"write {form[1:-1].strip()}, which holds between quotation marks, too"
        raise _EntryError(f"quotation marks around a term would be part of it: {form}", cure)
    if _EXPRESSION.fullmatch(form):
        cure = "list the forms, with bars between them; the file of --protect may have expressions"
        raise _EntryError(f"an expression is no term: {form}", cure)


def _has_sign(side: str) -> bool:
    """Whether a sign stands among words; alone it is the word that is meant."""
    return side not in _SIGNS and not _SIGNS.isdisjoint(side.split())


def _forms(side: str) -> list[str]:
    return [form.strip() for form in side.split(_FORMS)]


def _wanted(source: str, target: str) -> tuple[Words, Words]:
    """A term, and what is to be written for it."""
    term = _lowered(source)
    return term, term if source == target else _written(target)


def _all_refusals(sources: Sequence[str], targets: Sequence[str]) -> Iterator[Pair]:
    """What each form on the left is not to become."""
    return chain.from_iterable(starmap(_refusals, product(sources, targets)))


def _refusals(source: str, target: str) -> Iterable[Pair]:
    """The two sides of what is refused: as tokens of a rule that is shown, and as words of a text."""
    shown = tuple(source.lower().split()), tuple(target.lower().split())
    return dict.fromkeys((shown, (_lowered(source), _lowered(target))))


def _tokens(form: str) -> list[Token]:
    return phrase_tokens(form, lowercase=False)


def _lowered(form: str) -> Words:
    return tuple(token.word.lower() for token in _tokens(form))


def _written(form: str) -> Words:
    """The words to write: tokens, but for symbols and letters, which are one word with what they touch (*cannot*)."""
    words: list[str] = []
    begin, before = 0, Token(-1, -1, "", "")
    for token in _tokens(form):
        letters = token.text.isalpha() and before.text.isalpha()
        if token.start == before.end and (letters or not _SYMBOLS.isdisjoint((token.text, before.text))):
            words[-1] = form[begin : token.end]
        else:
            begin = token.start
            words.append(token.word)
        before = token
    return tuple(words)
