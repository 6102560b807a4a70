"""Reading glossary files of lines TERM = WORDS and TERM != WORDS, and making such lines from rules."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, product, starmap
from pathlib import Path

from sbmt.arguments import refuse_text
from sbmt.errors import FormatError
from sbmt.text.comments import read_entries, without_comment
from sbmt.text.glossary import Glossary, Pair, Words, has_inner_capital, holds
from sbmt.text.order import shared_ends
from sbmt.text.tokens import Token, phrase_tokens

_ENTRY = re.compile(r"(?:(?P<source>.+?)\s+)?(?P<sign>!?=)\s+(?P<target>.+)")
_GAP = re.compile(r"(?<!\S)\[[^\s\[\]]+,[1-9]\](?!\S)")  # as rules are shown
_SIGNS = frozenset(["=", "!="])  # between the sides; a side may be such a sign alone
_FORMS = "|"  # separates the forms of a term
_FIELDS = "|||"  # separates the fields of a rule
_QUOTED = re.compile(r"""“[^“”]+”|"[^"]+"|‘[^‘’]+’|'[^']+'|«[^«»]+»|„[^“”]+[“”]""")
_EXPRESSION = re.compile(r"/.+/i?|.*[^\W\d_]{2}\*(?!\S).*")  # /.../ as in --protect files, and word*
_OTHER_SEPARATORS = re.compile(r"(.+?)\s*(=+>|[-–—]+>|!?=|[→⇒,;:\t]|\s[-–—])\s*([^\s=].*)")
_SAME_ARTICLE = {"an": "a"}  # the choice depends on the next word
_SYMBOLS = frozenset("+#*~<>=/\\^_&@-–—")  # written without spaces as in the file: C++, ~5


def read_glossary(path: str | Path, encoding: str = "utf-8") -> Glossary:
    """Read lines "TERM = WORDS" (always write WORDS for TERM) and "TERM != WORDS" (never do).

    Bars separate forms, as many on both sides, or one on the right: "buy|buys = get|gets". "!= WORDS" refuses WORDS for
    any source. "#" starts a comment at the start of a line or after white space. Raises FormatError naming the line for
    anything else, for a term with two different replacements, and for a line that refuses nothing.
    """
    return _parse_entries(read_entries(path, encoding), str(path))


def parse_glossary(lines: Iterable[str]) -> Glossary:
    """Parse lines of a glossary; error messages call it "glossary". Raises TypeError for a text."""
    refuse_text(lines, "a glossary is a list of lines", "split it at its line ends")
    numbered_entries = enumerate(map(without_comment, lines), 1)
    return _parse_entries(((number, entry) for number, entry in numbered_entries if entry), "glossary")


def _parse_entries(entries: Iterable[tuple[int, str]], name: str) -> Glossary:
    """Parse numbered entries; raises FormatError with `name` and the line number."""
    wanted: dict[Words, Words] = {}
    acronyms: set[Words] = set()
    refused: list[Pair] = []
    for number, text in entries:
        try:
            sources, sign, targets = _parse_entry(text)
            if sign == "!=":
                refused += _all_refusals(sources, targets)
                continue
            for source, target in zip(sources, targets, strict=True):
                term, words = _term_and_words(source, target)
                if wanted.setdefault(term, words) != words:
                    previous = "stay" if wanted[term] == term else f"become {' '.join(wanted[term])}"
                    raise _EntryError(f"{source} was to {previous} before", "keep one line, whatever the capitals")
                if any(has_inner_capital(token.text) for token in _tokens(source)):
                    acronyms.add(tuple(token.text for token in _tokens(source)))
        except _EntryError as error:
            raise FormatError(name, number, *error.args) from None
    return Glossary(wanted, tuple(refused), frozenset(acronyms))


def refusing_line(source: str, target: str) -> str:
    """Return the glossary line that refuses a rule, given as the text of its two sides; "" if there is none.

    What both sides begin or end with is left out, so that rules for the rest alone are refused too.
    """
    old_words, new_words = _differing(source, target)
    return _valid_line(" ".join(old_words), "!=", " ".join(new_words)) if old_words and new_words else ""


def keeping_line(source: str, target: str, text: str) -> str:
    """Return the glossary line that keeps what a rule replaced, given the text of its two sides and of the source.

    What both sides begin or end with is left out, so that the line applies beside other words too. Returns "" if there
    is no such line.
    """
    for words in (" ".join(_differing(source, target)[0]), source):
        if words and tuple(words.split()) == _lowered(words):  # a gap is no token
            return _valid_line(words, "=", words)
    return _valid_line(text, "=", text)


def _differing(source: str, target: str) -> list[list[str]]:
    """Return the two sides of a rule without common beginnings and ends; "a" and "an" count as equal."""
    sides = source.split(), target.split()
    begin, end = shared_ends(*([_SAME_ARTICLE.get(word, word) for word in side] for side in sides))
    return [side[begin : len(side) - end] for side in sides]


def _valid_line(source: str, sign: str, target: str) -> str:
    """Return a glossary line if it parses to the same three parts, else ""."""
    line = f"{source} {sign} {target}"
    try:
        return line if _parse_entry(without_comment(line)) == ([source], sign, [target]) else ""
    except _EntryError:
        return ""


class _EntryError(Exception):
    """The problem of a line, and the cure."""


def _parse_entry(text: str) -> tuple[list[str], str, list[str]]:
    """Return the forms of the two sides of a line and the sign between them; for "=", as many on both sides."""
    sides_alone = "of a rule write the two sides alone: SOURCE != TARGET" if _FIELDS in text else ""
    match = _ENTRY.fullmatch(text)
    if match is None or (match["source"] is None and match["sign"] == "="):
        raise _EntryError(f"neither TERM = WORDS nor TERM != WORDS: {text}", sides_alone or _suggested_line(text))
    targets = _split_forms(match["target"])
    sources = [""] if match["source"] is None else _split_forms(match["source"])
    if not all(targets) or (match["source"] and not all(sources)):
        raise _EntryError(f"a form without words: {text}", sides_alone or "take out the bar beside it")
    if _has_sign(match["source"] or "") or _has_sign(match["target"]):
        raise _EntryError(f"more than one sign: {text}", "write TERM = WORDS or TERM != WORDS, each on its own line")
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


def _suggested_line(text: str) -> str:
    """Return the advice how to write a line with another separator; "" if there is none or it would still be wrong."""
    separated = _OTHER_SEPARATORS.fullmatch(text)
    if separated is None or "=" in separated[3]:
        return ""
    line = f"{separated[1]} {'!=' if '!' in separated[2] else '='} {separated[3]}"
    with suppress(_EntryError):
        _parse_entry(line)
        return f"write {line}"
    return ""


def _check_marks(form: str) -> None:
    """Raise _EntryError for marks around a term, which would keep it from matching."""
    if _QUOTED.fullmatch(form):
        cure = f"write {form[1:-1].strip()}, which holds between quotation marks, too"
        raise _EntryError(f"quotation marks around a term would be part of it: {form}", cure)
    if _EXPRESSION.fullmatch(form):
        cure = "list the forms, with bars between them; the file of --protect may have expressions"
        raise _EntryError(f"an expression is no term: {form}", cure)


def _has_sign(side: str) -> bool:
    """Whether a side has a sign among its words; a sign alone is a term itself."""
    return side not in _SIGNS and not _SIGNS.isdisjoint(side.split())


def _split_forms(side: str) -> list[str]:
    return [form.strip() for form in side.split(_FORMS)]


def _term_and_words(source: str, target: str) -> tuple[Words, Words]:
    """Return the words of a term and of its replacement."""
    term = _lowered(source)
    return term, term if source == target else _target_words(target)


def _all_refusals(sources: Sequence[str], targets: Sequence[str]) -> Iterator[Pair]:
    """Yield the refused pairs of all combinations of forms."""
    return chain.from_iterable(starmap(_refusals, product(sources, targets)))


def _refusals(source: str, target: str) -> Iterable[Pair]:
    """Return a refused pair read as the tokens of a rule, and as text; one pair if both are equal."""
    as_rule = tuple(source.lower().split()), tuple(target.lower().split())
    return dict.fromkeys((as_rule, (_lowered(source), _lowered(target))))


def _tokens(form: str) -> list[Token]:
    return phrase_tokens(form, lowercase=False)


def _lowered(form: str) -> Words:
    return tuple(token.word.lower() for token in _tokens(form))


def _target_words(form: str) -> Words:
    """Return the words to write: tokens, but symbols and letters are joined with what they touch (*cannot*, *C++*)."""
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
