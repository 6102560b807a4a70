"""Each kind of protected text, with and without its switch."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from sbmt.errors import FormatError
from sbmt.text.protect import ProtectOptions, protected_spans, read_patterns
from sbmt.text.sentence import Pipeline, TextOptions
from sbmt.text.tokens import penn_tokens

NOTHING = ProtectOptions.none()


def kept(text: str, options: ProtectOptions, patterns: tuple[re.Pattern[str], ...] = ()) -> list[str]:
    tokens = penn_tokens(text)
    spans = protected_spans(text, tokens, options, patterns)
    return [text[tokens[span.i].start : tokens[span.j - 1].end] for span in spans]


@pytest.mark.parametrize(
    ("switch", "text", "expected"),
    [
        ("names", "The firm moved to Ulm and hired Ana de la Cruz.", ["Ulm", "Ana de la Cruz"]),
        ("names", "Numerous people at the University of Ulm use an iPad.", ["University of Ulm", "iPad"]),
        ("names", "United Nations officials left; The Hague agreed.", ["United Nations", "The Hague"]),
        ("names", "The Romans and I commenced.", ["Romans"]),
        ("names", 'She said, "Utilize it," to Bo.', ["Bo"]),
        ("names", "ALL CAPITALS MEAN NOTHING.", []),
        ("names", "NATO commenced.", ["NATO"]),
        ("names", "(iv) Commence it.", []),
        ("names", "See (b) Rome.", ["Rome"]),
        ("numbers", "Its 1,200 seats cost 3.5 million or two.", ["1,200", "3.5", "million", "two"]),
        ("dates", "On 4 July 1776, or July 4th, 1776, or in May 1990.", ["4 July 1776", "July 4th, 1776", "May 1990"]),
        ("dates", "It may commence on monday at 5:30 p.m. or in 300 BC.", ["monday", "5:30 p.m.", "300 BC"]),
        ("urls", "Write to a@b.org or see www.b.org/x.", ["a@b.org", "www.b.org/x"]),
        ("titles", "He read “The Purchase of Spring” and 'Big'.", ["The Purchase of Spring", "Big"]),
        ("titles", 'She said "it commenced" and "Yes," then left.', []),
        ("titles", 'An "unclosed Title', []),
    ],
)  # fmt: skip
def test_switches(switch: str, text: str, expected: list[str]) -> None:
    assert kept(text, replace(NOTHING, **{switch: True})) == expected
    assert kept(text, NOTHING) == []


def test_patterns_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "protect.txt"
    path.write_text("# terms\n\nhabeas corpus\n/[A-Z]{2}-\\d+/\nC++\n", encoding="utf-8")
    text = "A writ of Habeas  corpus for QX-17 in C++, not habeas corpuses."
    assert kept(text, NOTHING, read_patterns(path)) == ["Habeas  corpus", "QX-17", "C++"]


def test_a_bad_expression_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "protect.txt"
    path.write_text("fine\n/(/\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r"protect\.txt, line 2: not a regular expression: /\(/: missing \)"):
        read_patterns(path)


def test_overlapping_spans_are_joined() -> None:
    assert kept("in New York 1999 indeed", ProtectOptions(), (re.compile("York 1999 in"),)) == ["New York 1999 indeed"]


def test_names_and_numbers_have_penn_labels() -> None:
    tokens = penn_tokens("in Ulm, 7 or www.b.org")
    spans = protected_spans("in Ulm, 7 or www.b.org", tokens, ProtectOptions())
    assert [tuple(span) for span in spans] == [(1, 2, "NNP"), (3, 4, "CD"), (5, 6, "")]


def test_a_name_inside_one_sentence_is_a_name_at_the_start_of_another() -> None:
    pipeline = Pipeline(TextOptions(protect=ProtectOptions(numbers=False, dates=False, urls=False, titles=False)))
    shown = [
        [sentence.text[sentence.tokens[span.i].start : sentence.tokens[span.j - 1].end] for span in sentence.protected]
        for sentence in pipeline.sentences("Key moved to Rome. There Key died. Rome fell. The key was lost.")
    ]
    assert shown == [["Key", "Rome"], ["Key"], ["Rome"], []]
