"""What is never to be changed: names, numbers, dates, addresses, paths, quoted titles, code, what the user lists."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, fields
from typing import NamedTuple

from sbmt.config import check_fields
from sbmt.text.casing import ALWAYS_CAPITAL, has_capital, is_shouted
from sbmt.text.penn import CLOSING_MARKS
from sbmt.text.protection.code import CODE
from sbmt.text.protection.elements import html_spans
from sbmt.text.protection.starts import starts
from sbmt.text.tokens import Token, is_url
from sbmt.text.words.english import FUNCTION_WORDS, NUMERALS, SENTENCE_ENDS

_NUMBER, _NAME = "CD", "NNP"  # what numbers and names count as in gaps of rules
PROTECTED_LABELS = frozenset((_NUMBER, _NAME))


class Protected(NamedTuple):
    """Tokens `[i, j)` that must come out as they are, or as `target`, the words that a glossary wants for them.

    `label`: the Penn tag they count as in gaps of rules, or "". `as_listed`: `target` takes no capitals from the text.
    """

    i: int
    j: int
    label: str = ""
    target: tuple[str, ...] | None = None
    as_listed: bool = False


_MONTHS = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_APART = r"(?:\s*,)?\s+"
_DAY = r"\d{1,2}(?:\s?(?:st|nd|rd|th))?"
_DATE = re.compile(
    rf"""\b(?:
      {_DAY}\s+(?:of\s+)?{_MONTHS}(?:{_APART}\d{{3,4}})?          # 4 July 1776
    | {_MONTHS}\s+{_DAY}(?:{_APART}\d{{4}})?(?!\w)                # July 4th , 1776
    | {_MONTHS}{_APART}\d{{4}}\b                                  # July 1776
    | (?:mon|tues|wednes|thurs|fri|satur|sun)days?\b
    | \d{{1,4}}\s+(?:b\.?c\.?e?|a\.?d|c\.?e)\b
    | \d{{1,2}}(?::\d\d)?\s*[ap]\.?m\b
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_FILE_PATH = re.compile(
    r"""(?<!\S)(?:
      \S*?\\(?=\w)                              # C:\dir\file, and "Files\dir" after the space of "Program Files"
    | [(\["'“‘]*(?:~|\.{1,2}|[a-z]:)?/(?=\w)    # /dir/file
    )\S*\w""",
    re.VERBOSE | re.IGNORECASE,
)
_DOMAIN = re.compile(r"(?<![\w.])\.(?:[a-z][\w-]*|[A-Z]{2,})(?:\.\w+)*")  # .gov.uk, .docx, .NET
_CARDINAL = re.compile(r"\d(?:[\d.,]*\d)?")
_INSIDE_NAMES = frozenset("of the and for de la von van der du den di da del al bin ibn &".split())
_LONGEST_TITLE = 15


@dataclass(frozen=True, slots=True)
class ProtectOptions:
    """What is kept as it is, each with its switch."""

    names: bool = True
    numbers: bool = True
    dates: bool = True
    urls: bool = True
    titles: bool = True
    code: bool = True

    def __post_init__(self) -> None:
        """Raises ConfigError, as `check_fields` does."""
        check_fields(self)

    @classmethod
    def none(cls) -> ProtectOptions:
        """Keep nothing."""
        return cls(**{field.name: False for field in fields(cls)})


def kept_characters(
    line: str, options: ProtectOptions, patterns: Sequence[re.Pattern[str]]
) -> Iterator[tuple[int, int]]:
    """Characters `[start, end)` of code, paths and what the user lists, in which no sentence of a line ends."""
    switched = ((_FILE_PATH, options.urls), (_DOMAIN, options.urls), (CODE, options.code))
    for expression in (*(expression for expression, on in switched if on), *patterns):
        yield from (match.span() for match in expression.finditer(line))
    if options.code:
        yield from html_spans(line)


def protected_spans(
    text: str,
    tokens: Sequence[Token],
    options: ProtectOptions,
    kept: Iterable[tuple[int, int]] = (),
    known: Set[str] = frozenset(),
) -> list[Protected]:
    """What of a sentence must come out as it is, in order, overlapping spans joined.

    `kept` are characters of the text (`kept_characters`), which may begin before it and end after it; `known` are names
    from around the sentence (`inner_capitals`), which count at its start too.
    """
    found: list[Protected] = []
    if options.names:
        found += _names(tokens, known)
    if options.numbers:
        found += (Protected(i, i + 1, _number_label(token)) for i, token in enumerate(tokens) if _is_number(token))
    if options.urls:
        found += (Protected(i, i + 1) for i, token in enumerate(tokens) if is_url(token.text))
    if options.titles:
        found += _titles(tokens)
    dates = (match.span() for match in _DATE.finditer(text)) if options.dates else ()
    found += _touched(tokens, [*dates, *kept])
    return _joined(found)


def _is_number(token: Token) -> bool:
    return token.word in NUMERALS or any(character.isdigit() for character in token.text)


def _number_label(token: Token) -> str:
    """Rules write words around cardinals; *28-day*, *5p* and *2nd* are none."""
    return _NUMBER if token.word in NUMERALS or _CARDINAL.fullmatch(token.text) else ""


def inner_capitals(tokens: Sequence[Token]) -> set[str]:
    """Words that have a capital inside the sentence, and so are names."""
    if is_shouted(tokens):
        return set()
    at_start = set(starts(tokens))
    return {token.text for i, token in enumerate(tokens) if _is_capital(token) and i not in at_start}


def _is_capital(token: Token) -> bool:
    return has_capital(token.text) and token.word not in ALWAYS_CAPITAL


def _names(tokens: Sequence[Token], known: Set[str]) -> Iterator[Protected]:
    """Runs of words capitalised inside the sentence, with the small words between them ("University of Ulm").

    A capital says nothing at the start of a sentence or quotation, nor where everything is in capitals; there a word
    that is no function word counts as a name when a name follows it directly, or when it is a name elsewhere.
    """
    if is_shouted(tokens):
        return
    name = [_is_capital(token) for token in tokens]
    for i in reversed(starts(tokens)):
        token = tokens[i]
        if name[i] and not has_capital(token.text[1:]):
            followed = i + 1 < len(tokens) and name[i + 1] and tokens[i + 1].word not in FUNCTION_WORDS
            name[i] = (followed or token.text in known) and token.word not in FUNCTION_WORDS
    i = 0
    while i < len(tokens):
        if not name[i]:
            i += 1
            continue
        end = i + 1
        while end < len(tokens):
            after = end
            while after < len(tokens) and after - end < 2 and tokens[after].text in _INSIDE_NAMES:
                after += 1
            if after == len(tokens) or not name[after]:
                break
            end = after + 1
        yield Protected(i, end, _NAME)
        i = end


def _titles(tokens: Sequence[Token]) -> Iterator[Protected]:
    """Quoted spans in which every long word is capitalised."""
    i = 0
    while i < len(tokens):
        closing = CLOSING_MARKS.get(tokens[i].word)
        if closing is None:
            i += 1
            continue
        end = next((k for k in range(i + 1, min(len(tokens), i + _LONGEST_TITLE + 2)) if tokens[k].word == closing), 0)
        inside = [token for token in tokens[i + 1 : end] if token.text[0].isalpha()]
        if inside and all(has_capital(token.text) or token.word in FUNCTION_WORDS for token in inside):
            if has_capital(inside[0].text) and not (len(inside) == 1 and tokens[end - 1].word in {",", *SENTENCE_ENDS}):
                yield Protected(i + 1, end, _NAME)
            i = end
        i += 1


def _touched(tokens: Sequence[Token], spans: Iterable[tuple[int, int]]) -> Iterator[Protected]:
    """Spans of characters as spans of the tokens they touch."""
    for start, end in spans:
        i = bisect_right(tokens, start, key=lambda token: token.end)
        j = bisect_left(tokens, end, key=lambda token: token.start)
        if start < end and i < j:
            yield Protected(i, j)


def _joined(spans: list[Protected]) -> list[Protected]:
    """Overlapping spans as one; it keeps the label of the widest."""
    joined: list[Protected] = []
    for span in sorted(spans, key=lambda span: (span.i, -span.j)):
        if joined and span.i < joined[-1].j:
            last = joined[-1]
            label = max((last, span), key=lambda part: part.j - part.i).label
            joined[-1] = Protected(last.i, max(span.j, last.j), label)
        else:
            joined.append(span)
    return joined
