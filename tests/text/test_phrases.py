"""Lists of words and phrases: what is found is what looking for each entry by itself finds."""

from __future__ import annotations

import pickle
import re
import sys
import unicodedata
from itertools import product

import numpy as np
import pytest

from sbmt.text.protection.phrases import Phrases


def found(entries: tuple[str, ...], line: str) -> list[tuple[int, str]]:
    return sorted((match.start(), match[0]) for match in Phrases(entries).finditer(line))


def one_by_one(entries: tuple[str, ...], line: str) -> list[tuple[int, str]]:
    """What each entry matches by itself: its words in any case, between whole words, with any white space."""
    matches = set()
    for entry in entries:
        for forms in product(("NFC", "NFD"), repeat=len(entry.split())):
            words = [re.escape(unicodedata.normalize(*form)) for form in zip(forms, entry.split(), strict=True)]
            expression = re.compile(r"(?<!\w)" + r"\s+".join(words) + r"(?!\w)", re.IGNORECASE)
            matches |= {(match.start(), match[0]) for match in expression.finditer(line)}
    return sorted(matches)


@pytest.mark.parametrize(
    ("entry", "line", "expected"),
    [
        ("heart attack", "a Heart  ATTACK, no heart attacks", ["Heart  ATTACK"]),
        ("$five", "a$five, $five-a-side", ["$five"]),  # after a word it is part of it
        ("→", "so → so", ["→"]),  # no word at all
        ("C++", "c++ and C+++", ["c++", "C++"]),
        ("café", "CAFÉ, CAFE\u0301, cafe", ["CAFÉ", "CAFE\u0301"]),
        ("e\u0301té", "été", ["été"]),
        ("İzmir", "izmir, İZMİR", ["izmir", "İZMİR"]),
        ("masse", "maſſe", ["maſſe"]),
    ],
)
def test_an_entry_in_its_forms(entry: str, line: str, expected: list[str]) -> None:
    assert [text for _, text in found((entry, "another"), line)] == expected


def test_entries_that_overlap_are_all_found() -> None:
    entries = ("heart attack", "attack rate", "attack")
    assert found(entries, "heart attack rate") == [(0, "heart attack"), (6, "attack"), (6, "attack rate")]


def test_random_lists_match_as_their_entries_do() -> None:
    rng = np.random.default_rng(1)
    symbols = ["a", "A", "é", "e\u0301", "E\u0301", "i", "İ", "ı", "s", "ſ", "ß", "k", "\u212a", *"-'$1 "]
    hits = 0
    for _ in range(2000):
        entries = {" ".join("".join(rng.choice(symbols, rng.integers(1, 4))).split()) for _ in range(6)} - {""}
        line = "".join(rng.choice(symbols, rng.integers(1, 12)))
        expected = one_by_one(tuple(entries), line)
        assert sorted(set(found(tuple(entries), line))) == expected
        hits += bool(expected)
    assert hits > 300


def test_letters_that_match_in_any_case_begin_words_alike() -> None:
    cased = [c for c in map(chr, range(sys.maxunicode + 1)) if re.match(r"\w", c) and not c == c.lower() == c.upper()]
    for letter in cased:
        if unicodedata.is_normalized("NFC", letter):
            for other in re.findall(re.escape(letter), "".join(cased), re.IGNORECASE):
                assert found((letter,), other), (letter, other)


def test_a_list_may_be_sent_to_another_process() -> None:
    phrases = Phrases(("so be it",))
    assert list(phrases.finditer("so be it"))
    assert [match[0] for match in pickle.loads(pickle.dumps(phrases)).finditer("So be it")] == ["So be it"]
