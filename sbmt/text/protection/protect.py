"""Protected spans of sentences: names, numbers, dates, addresses, paths, quoted titles, code, and user patterns."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, fields
from typing import NamedTuple

from sbmt.config import check_fields
from sbmt.text.casing import has_capital, is_shouted
from sbmt.text.penn import CLOSING_MARKS
from sbmt.text.protection.code import CODE
from sbmt.text.protection.elements import html_spans
from sbmt.text.protection.patterns import Pattern
from sbmt.text.protection.starts import starts
from sbmt.text.tokens import Token, is_url
from sbmt.text.words.english import SENTENCE_ENDS
from sbmt.text.words.language import ENGLISH, Language

_NUMBER, _NAME = "CD", "NNP"  # labels of numbers and names in gaps of rules
PROTECTED_LABELS = frozenset((_NUMBER, _NAME))


class Protected(NamedTuple):
    """Tokens `[i, j)` that must be copied, or replaced by `target`, the words that a glossary wants for them.

    `label`: their Penn tag for gaps of rules, or "". `as_listed`: `target` takes no capitals from the text.
    `acronym`: it is a term that a glossary has with these capitals.
    """

    i: int
    j: int
    label: str = ""
    target: tuple[str, ...] | None = None
    as_listed: bool = False
    acronym: bool = False


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
_MAX_TITLE = 15


@dataclass(frozen=True, slots=True)
class ProtectOptions:
    """The kinds of text that are protected."""

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
        """Return options that protect nothing."""
        return cls(**{field.name: False for field in fields(cls)})


def kept_characters(line: str, options: ProtectOptions, patterns: Sequence[Pattern]) -> Iterator[tuple[int, int]]:
    """Yield spans of characters of code, paths and user patterns, inside which no sentence ends."""
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
    language: Language = ENGLISH,
) -> list[Protected]:
    """Return the protected token spans of a sentence, in order, with overlapping spans merged.

    `kept` are spans of characters (`kept_characters`), which may begin before the text and end after it; `known` are
    names from the same line (`inner_capitals`), which count at the start of the sentence too.
    """
    spans: list[Protected] = []
    if options.names:
        spans += _names(tokens, known, language)
    if options.numbers:
        spans += _numbers(tokens, language)
    if options.urls:
        spans += (Protected(i, i + 1) for i, token in enumerate(tokens) if is_url(token.text))
    if options.titles:
        spans += _titles(tokens, language)
    dates = (match.span() for match in _DATE.finditer(text)) if options.dates else ()
    spans += _token_spans(tokens, [*dates, *kept])
    return _merged(spans)


def _numbers(tokens: Sequence[Token], language: Language) -> Iterator[Protected]:
    """Yield numbers; cardinals have a label, for gaps of rules, others none (*28-day*, *5p*, *2nd*)."""
    for i, token in enumerate(tokens):
        if token.word in language.numerals or _CARDINAL.fullmatch(token.text):
            yield Protected(i, i + 1, _NUMBER)
        elif any(character.isdigit() for character in token.text):
            yield Protected(i, i + 1)


def inner_capitals(tokens: Sequence[Token], language: Language = ENGLISH) -> set[str]:
    """Return the words that are capitalised inside the sentence, and so are names."""
    if is_shouted(tokens):
        return set()
    at_start = set(starts(tokens))
    return {token.text for i, token in enumerate(tokens) if _is_capital(token, language) and i not in at_start}


def _is_capital(token: Token, language: Language) -> bool:
    return has_capital(token.text) and token.word not in language.always_capital


def _names(tokens: Sequence[Token], known: Set[str], language: Language) -> Iterator[Protected]:
    """Yield runs of words capitalised inside the sentence, with small words between them ("University of Ulm").

    At the start of a sentence or quotation a capital is no evidence: there a word that is not a function word counts as
    a name if a name follows it directly, or if it is a name elsewhere. Sentences all in capitals have no names.
    """
    if is_shouted(tokens):
        return
    is_name = [_is_capital(token, language) for token in tokens]
    for i in reversed(starts(tokens)):
        token = tokens[i]
        if is_name[i] and not has_capital(token.text[1:]):
            followed = i + 1 < len(tokens) and is_name[i + 1] and tokens[i + 1].word not in language.function_words
            is_name[i] = (followed or token.text in known) and token.word not in language.function_words
    i = 0
    while i < len(tokens):
        if not is_name[i]:
            i += 1
            continue
        end = i + 1
        while end < len(tokens):
            after = end
            while after < len(tokens) and after - end < 2 and tokens[after].text in _INSIDE_NAMES:
                after += 1
            if after == len(tokens) or not is_name[after]:
                break
            end = after + 1
        yield Protected(i, end, _NAME)
        i = end


def parted(spans: Iterable[Protected], terms: Sequence[Protected], tokens: Sequence[Token]) -> Iterator[Protected]:
    """Yield protected spans in order; names are parted at the acronyms in them that only small words join to the rest.

    "CEO of Acme Ltd" is then two names, but "NHS England" stays one.
    """
    acronyms = [term for term in terms if term.acronym]
    for span in spans:
        begin = span.i
        if span.label == _NAME:
            low = bisect_left(acronyms, span.i, key=lambda term: term.i)
            high = bisect_right(acronyms, span.j, key=lambda term: term.j)
            for term in acronyms[low:high]:
                before, after = tokens[max(begin, term.i - 1) : term.i], tokens[term.j : min(term.j + 1, span.j)]
                if all(token.text in _INSIDE_NAMES for token in (*before, *after)):
                    yield from _without_small_words(begin, term.i, tokens)
                    begin = term.j
        if begin == span.i:
            yield span
        else:
            yield from _without_small_words(begin, span.j, tokens)


def _without_small_words(i: int, j: int, tokens: Sequence[Token]) -> Iterator[Protected]:
    """Yield the name in the tokens [i, j) without the small words at its ends, if any is left."""
    while i < j and tokens[i].text in _INSIDE_NAMES:
        i += 1
    while i < j and tokens[j - 1].text in _INSIDE_NAMES:
        j -= 1
    if i < j:
        yield Protected(i, j, _NAME)


def _titles(tokens: Sequence[Token], language: Language) -> Iterator[Protected]:
    """Yield quoted spans in which all words but function words are capitalised."""
    i = 0
    while i < len(tokens):
        closing = CLOSING_MARKS.get(tokens[i].word)
        if closing is None:
            i += 1
            continue
        end = next((k for k in range(i + 1, min(len(tokens), i + _MAX_TITLE + 2)) if tokens[k].word == closing), 0)
        inside = [token for token in tokens[i + 1 : end] if token.text[0].isalpha()]
        if inside and all(has_capital(token.text) or token.word in language.function_words for token in inside):
            if has_capital(inside[0].text) and not (len(inside) == 1 and tokens[end - 1].word in {",", *SENTENCE_ENDS}):
                yield Protected(i + 1, end, _NAME)
            i = end
        i += 1


def _token_spans(tokens: Sequence[Token], spans: Iterable[tuple[int, int]]) -> Iterator[Protected]:
    """Convert spans of characters to spans of the tokens they overlap."""
    for start, end in spans:
        i = bisect_right(tokens, start, key=lambda token: token.end)
        j = bisect_left(tokens, end, key=lambda token: token.start)
        if start < end and i < j:
            yield Protected(i, j)


def _merged(spans: list[Protected]) -> list[Protected]:
    """Merge overlapping spans, which get the label of the widest."""
    merged: list[Protected] = []
    for span in sorted(spans, key=lambda span: (span.i, -span.j)):
        if merged and span.i < merged[-1].j:
            previous = merged[-1]
            label = max((previous, span), key=lambda part: part.j - part.i).label
            merged[-1] = Protected(previous.i, max(span.j, previous.j), label)
        else:
            merged.append(span)
    return merged
