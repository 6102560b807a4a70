"""Copies of common words under their Penn tags: so words that no rule changes can fill the gaps of syntactic rules."""

from __future__ import annotations

from collections.abc import Iterator

import lemminflect

from sbmt.ppdb.identity import identity_rules
from sbmt.ppdb.rule import Rule
from sbmt.ppdb.symbols import is_writable
from sbmt.text.words.english import NUMERALS
from sbmt.text.words.frequency import common_words, zipf
from sbmt.text.words.inflection import TAGS, word_forms

_MIN_ZIPF = 3.3  # occurrences: about 2 in a million words
_N_WORDS = 30_000

# Closed classes, which the dictionary does not tag, or tags as what they are hardly ever ("or" as a noun).
CLOSED = {
    "DT": "a an the this that these those some any each every no another both all",
    "CC": "and but nor or",
    "IN": "about after as before by in off on over to under while",
    "PRP": "i you he she it we they",
    "PRP$": "my your his her its our their",
    "CD": " ".join({"one"} | NUMERALS - {"trillion"}),  # which the dictionary has as a noun
}


def copy_rules() -> Iterator[Rule]:
    """Copy rules for the closed classes and every common word that the dictionary tags, sorted by tag and word."""
    pairs = {(tag, word) for tag, words in CLOSED.items() for word in words.split()}
    closed = {word for _, word in pairs}
    for lemma in _common_lemmas():
        for pos in TAGS:
            if lemminflect.getAllInflections(lemma, upos=pos):
                pairs |= {
                    (tag, form) for tag, forms in word_forms(lemma, pos).items() for form in forms if form not in closed
                }
    for tag, word in sorted(pairs):
        if is_writable(word) and zipf(word) >= _MIN_ZIPF:  # the dictionary has "under went"
            yield from identity_rules([word], tag)


def _common_lemmas() -> list[str]:
    words = [word for word in common_words(_N_WORDS) if word.isascii() and word.isalpha() and len(word) > 1]
    return sorted({lemma for word in words for lemmas in lemminflect.getAllLemmas(word).values() for lemma in lemmas})
