"""The grammar in the package: as large as documented, no idle or circular rules, made from the lists as they are."""

from __future__ import annotations

import gzip
import re
from collections import defaultdict
from pathlib import Path

import lemminflect
import pytest
from make_starter import starter_lines, starter_rules, unlisted
from wordfreq import zipf_frequency

from sbmt.io import read_lines
from sbmt.ppdb.rule import NONTERMINAL, Rule
from sbmt.ppdb.starter import GRAMMAR, LISTS
from sbmt.text.words.inflection import ZERO_PLURALS

DOCUMENT = Path(__file__).parents[2] / "docs/starter.md"
MADE_BY = "run scripts/make_starter.py"
PLURALS = ZERO_PLURALS | {"clothes", "people", "police", "remains", "staff"}  # to the dictionary they are none


def test_as_many_entries_as_the_document_says() -> None:
    """To 2 %, as it says "some"; entries are lines that are neither comments nor blank."""
    said = re.search(r"some ([\d,]+) entries", DOCUMENT.read_text(encoding="utf-8"))
    assert said
    lines = [line.strip() for path in LISTS.glob("*.txt") for line in read_lines(path)]
    entries = sum(bool(line) and not line.startswith("#") for line in lines)
    assert entries == pytest.approx(int(said[1].replace(",", "")), rel=0.02)


def test_no_rule_is_idle_or_doubled(rules: list[Rule]) -> None:
    keys = [(rule.lhs, rule.source, rule.target) for rule in rules]
    assert len(set(keys)) == len(keys)
    assert all(rule.source != rule.target for rule in rules)


def test_no_rule_writes_a_word_that_nobody_uses(rules: list[Rule]) -> None:
    """As a wrong inflection would be; comparatives are too rare to be counted."""
    words = {word for rule in rules if rule.lhs not in ("JJR", "JJS") for word in rule.target if word.isalpha()}
    assert not {word for word in words if zipf_frequency(word, "en") == 0}


def _is_plural(word: str) -> bool:
    """Regular ones by their ending, as the dictionary lacks some: "tops"."""
    regular = word.endswith("s") and not word.endswith("ss")
    return regular or word in PLURALS or word not in lemminflect.getAllLemmas(word).get("NOUN", (word,))


def test_a_plural_becomes_a_plural(rules: list[Rule]) -> None:
    """The verb after it stays as it is: "circumstances have changed" is not "situation have changed"."""
    plurals = [(" ".join(rule.source), rule.target) for rule in rules if rule.lhs == "NNS"]
    assert not [(source, target) for source, target in plurals if not any(map(_is_plural, target))]


def test_no_two_rules_of_a_label_undo_each_other(rules: list[Rule]) -> None:
    targets = defaultdict(set)
    for rule in rules:
        targets[rule.lhs, rule.source].add(rule.target)
    undone = [r for r in rules if r.source in targets.get((r.lhs, r.target), ())]
    assert not undone


def test_every_gap_can_be_filled(rules: list[Rule]) -> None:
    """A label in a gap heads some rule of the grammar, or is one that protected words and copies have."""
    heads, gaps = {"X", "NNP"}, set()
    for rule in rules:
        heads.add(rule.lhs)
        gaps |= {match["label"] for symbol in rule.source if (match := NONTERMINAL.fullmatch(symbol))}
    assert gaps <= heads


def test_the_packaged_grammar_is_what_the_lists_expand_to(rules: list[Rule]) -> None:
    """A regression guard: our own output on both sides. What lists expand to is tested in test_expand.py.

    All rules are compared, but of their features, which take long to compute, those of every twentieth.
    """
    lines, expanded = list(read_lines(GRAMMAR)), starter_rules(rules)
    packaged = [tuple(line.split(" ||| ")[:3]) for line in lines]
    assert packaged == [(f"[{r.lhs}]", " ".join(r.source), " ".join(r.target)) for r in expanded], MADE_BY
    assert lines[::20] == list(starter_lines(expanded[::20])), MADE_BY


def test_frequent_words_without_an_entry_can_be_listed(rules: list[Rule]) -> None:
    words = set(unlisted(rules))
    assert ("NOUN", "guitar") in words  # has no simpler word
    assert not {("NOUN", "water"), ("VERB", "acquire")} & words  # one is simple, the other is a head


def test_the_packaged_grammar_carries_no_date_nor_name() -> None:
    header = GRAMMAR.read_bytes()[:10]
    assert header[:2] == b"\x1f\x8b"
    assert header[3:8] == bytes(5)  # flags (no file name), modification time
    assert gzip.decompress(GRAMMAR.read_bytes())
