"""Each kind of protected text, with and without its switch."""

from __future__ import annotations

import re
from dataclasses import fields, replace

import pytest

from sbmt.text.pipeline import Pipeline, TextOptions
from sbmt.text.protection.protect import ProtectOptions, kept_characters, protected_spans
from sbmt.text.tokens import penn_tokens

NOTHING = ProtectOptions.none()


def test_none_switches_every_kind_off() -> None:
    assert not any(getattr(NOTHING, field.name) for field in fields(ProtectOptions))


def kept(text: str, options: ProtectOptions, patterns: tuple[re.Pattern[str], ...] = ()) -> list[str]:
    tokens = penn_tokens(text)
    spans = protected_spans(text, tokens, options, kept_characters(text, options, patterns))
    return [text[tokens[span.i].start : tokens[span.j - 1].end] for span in spans]


@pytest.mark.parametrize(
    ("switch", "text", "expected"),
    [
        ("names", "The firm moved to Ulm and hired Ana de la Cruz.", ["Ulm", "Ana de la Cruz"]),
        ("names", "Numerous people at the University of Ulm use an iPad.", ["University of Ulm", "iPad"]),
        ("names", "United Nations officials left; The Hague agreed.", ["United Nations", "The Hague"]),
        ("names", "The Romans and I commenced.", ["Romans"]),
        ("names", "Ana Cruz", ["Ana Cruz"]),
        ("names", 'She said, "Utilize it," to Bo.', ["Bo"]),
        ("names", "ALL CAPITALS MEAN NOTHING.", []),
        ("names", "NATO commenced.", ["NATO"]),
        ("names", "UK.", ["UK"]),
        ("names", "(iv) Commence it.", []),
        ("names", "See (b) Rome.", ["Rome"]),
        ("numbers", "Its 1,200 seats cost 3.5 million or two.", ["1,200", "3.5", "million", "two"]),
        ("dates", "On 4 July 1776, or July 4th, 1776, or in May 1990.", ["4 July 1776", "July 4th, 1776", "May 1990"]),
        ("dates", "It may commence on monday at 5:30 p.m. or in 300 BC.", ["monday", "5:30 p.m.", "300 BC"]),
        ("urls", "Write to a@b.org or see www.b.org/x.", ["a@b.org", "www.b.org/x"]),
        ("urls", r"Open C:\utilize\x.txt, or \\host\utilize.", [r"C:\utilize\x.txt", r"\\host\utilize"]),
        ("urls", r"In C:\Program Files\Utilize now.", [r"C:\Program", r"Files\Utilize"]),
        ("urls", "Of /usr/utilize, ~/numerous and ../utilize.", ["/usr/utilize", "~/numerous", "../utilize"]),
        ("urls", "A .kindle or “.gov.uk” domain; .docx, .PDF.", [".kindle", ".gov.uk", ".docx", ".PDF"]),
        ("urls", "He commenced . . . or ...or .The end. “So .” Or .5 of it.", []),
        ("urls", "He and / or she may utilize it / them at 5 m / s.", []),
        ("titles", "He read “The Purchase of Spring” and 'Big'.", ["The Purchase of Spring", "Big"]),
        ("titles", 'She said "it commenced" and "Yes," then left.', []),
        ("titles", 'An "unclosed Title', []),
        ("code", "A <kbd>tools</kbd> in `it` <!-- so -->.", ["<kbd>tools</kbd>", "`it`", "<!-- so -->"]),
    ],
)  # fmt: skip
def test_switches(switch: str, text: str, expected: list[str]) -> None:
    assert kept(text, replace(NOTHING, **{switch: True})) == expected
    assert kept(text, NOTHING) == []


@pytest.mark.parametrize("space", [" ", "\u00a0"])
def test_time_is_linear_in_white_space(space: str) -> None:
    """Half a million of them: quadratic time would be hours, so that this test cannot but hang."""
    dates = replace(NOTHING, dates=True)
    assert kept(f"In May{space * 500_000}x", dates) == []
    assert kept(f"In May{space * 3},{space * 2}1990", dates) == [f"May{space * 3},{space * 2}1990"]


def test_overlapping_spans_are_joined() -> None:
    assert kept("in New York 1999 indeed", ProtectOptions(), (re.compile("York 1999 in"),)) == ["New York 1999 indeed"]


def test_joined_spans_have_the_label_of_the_widest() -> None:
    """[1, 3) is a name and [3, 4) a number, the pattern's [2, 6) neither."""
    text = "in New York 1999 in town"
    spans = protected_spans(text, penn_tokens(text), ProtectOptions(), [(text.index("York"), len(text))])
    assert [span[:3] for span in spans] == [(1, 6, "")]


def test_a_match_touches_no_token_that_ends_where_it_begins() -> None:
    assert kept("(numerous)", NOTHING, (re.compile("numerous"),)) == ["numerous"]


def test_names_and_numbers_have_penn_labels() -> None:
    tokens = penn_tokens("in Ulm, 7 or www.b.org")
    spans = protected_spans("in Ulm, 7 or www.b.org", tokens, ProtectOptions())
    assert [span[:3] for span in spans] == [(1, 2, "NNP"), (3, 4, "CD"), (5, 6, "")]


@pytest.mark.parametrize(
    ("number", "label"),
    [("7", "CD"), ("1,000.5", "CD"), ("seven", "CD"), ("28-day", ""), ("5p", ""), ("2nd", ""), ("1/2", "")],
)
def test_only_cardinals_fill_gaps_of_numbers(number: str, label: str) -> None:
    text = f"in {number} or so"
    assert [span[:3] for span in protected_spans(text, penn_tokens(text), ProtectOptions())] == [(1, 2, label)]


def test_a_name_inside_one_sentence_is_a_name_at_the_start_of_another() -> None:
    pipeline = Pipeline(TextOptions(protect=ProtectOptions(numbers=False, dates=False, urls=False, titles=False)))
    shown = [
        [sentence.text[sentence.tokens[span.i].start : sentence.tokens[span.j - 1].end] for span in sentence.protected]
        for sentence in pipeline.sentences("Key moved to Rome. There Key died. Rome fell. The key was lost.")
    ]
    assert shown == [["Key", "Rome"], ["Key"], ["Rome"], []]


def sentences(text: str, patterns: tuple[str, ...] = ()) -> list[str]:
    pipeline = Pipeline(TextOptions(), patterns=tuple(map(re.compile, patterns)))
    return [sentence.text for sentence in pipeline.sentences(text)]


@pytest.mark.parametrize(
    "text",
    [
        "Type `!= Bother` now.",
        "See <code>Hello! Numerous people</code> now.",
        'See [it](www.b.org "Hello! Numerous people") now.',
        "The CareAssist! Plus was numerous.",
    ],
)
def test_no_sentence_ends_in_what_is_kept(text: str) -> None:
    assert sentences(f"It is. {text} They came.", ("CareAssist! Plus",)) == ["It is.", text, "They came."]
    assert sentences("It is. They came.", ("is",)) == ["It is.", "They came."]


def test_an_expression_is_of_the_whole_line_between_white_space() -> None:
    pipeline = Pipeline(TextOptions(protect=NOTHING), patterns=(re.compile("^(it|they)"), re.compile(r"so\.$")))
    sentences = pipeline.sentences("  it is. they do so. it is so. \r")
    assert [[sentence.words[span.i : span.j] for span in sentence.protected] for sentence in sentences] == [
        [["it"]], [], [["so", "."]]
    ]  # fmt: skip
