"""Words and phrases that are never changed, of lists of any length."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain
from typing import Literal

# Accents as parts of letters, and as characters of their own.
_FORMS: tuple[Literal["NFC", "NFD"], ...] = ("NFC", "NFD")
_WORD = re.compile(r"\w+")
_DOT_ABOVE = "\u0307"  # which İ has in lower case


@dataclass(frozen=True)
class Phrases:
    """Words and phrases as a --protect file lists them, to be found in any case.

    In a line only those are looked for whose first word it has: to look for each would take as long as the list is.
    """

    entries: tuple[str, ...]

    def finditer(self, line: str) -> Iterator[re.Match[str]]:
        """Yield the matches of all entries, which may overlap, in no order."""
        words = {"", *map(_caseless, _WORD.findall(line))}
        for entry in dict.fromkeys(chain.from_iterable(self._by_first_word.get(word, ()) for word in words)):
            yield from _compiled(entry).finditer(line)

    @cached_property
    def _by_first_word(self) -> dict[str, list[str]]:
        """The entries by what is their first word in either form of their accents, "" where they have none."""
        entries_by_word: defaultdict[str, list[str]] = defaultdict(list)
        for entry in self.entries:
            for word in {_first_word(unicodedata.normalize(form, entry)) for form in _FORMS}:
                entries_by_word[word].append(entry)
        return dict(entries_by_word)


def _first_word(text: str) -> str:
    match = _WORD.search(text)
    return _caseless(match[0]) if match else ""


def _caseless(word: str) -> str:
    """Return the same text for words that match each other in any case."""
    return word.lower().replace(_DOT_ABOVE, "").upper()


@lru_cache(maxsize=100_000)
def _compiled(entry: str) -> re.Pattern[str]:
    words = r"\s+".join(map(_either_form, entry.split()))
    return re.compile(rf"(?<!\w){words}(?!\w)", re.IGNORECASE)


def _either_form(word: str) -> str:
    """Return an expression for a word whose accents are part of letters or characters of their own (NFC or NFD)."""
    forms = {re.escape(unicodedata.normalize(form, word)) for form in _FORMS}
    return f"(?:{'|'.join(sorted(forms))})"
