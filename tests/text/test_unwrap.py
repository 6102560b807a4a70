"""Unwrapping of lines: worked cases, and against Python's textwrap."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

import pyphen
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sbmt.text.unwrap import unwrapped
from sbmt.text.words.frequency import common_words

PARAGRAPH = (
    "The committee shall, in the event of a failure to agree, refer the matter to the council without delay; the "
    "council may then take whatever steps it deems to be necessary, and shall tell the committee of them."
)


def joined(text: str) -> str:
    return "\n".join(unwrapped(text.split("\n")))


WORDS = st.builds(
    str.__add__, st.text("abcdefghijklmnopqrstuvwxyz", min_size=2, max_size=7), st.sampled_from(["", ","])
)
PARAGRAPHS = st.lists(st.lists(WORDS, min_size=1, max_size=60).map(" ".join), min_size=1, max_size=5)


@given(PARAGRAPHS, st.integers(38, 120))
def test_what_was_wrapped_comes_back(paragraphs: list[str], width: int) -> None:
    """A line is up to eight characters shorter than the width, and lines below 30 columns may be lists."""
    wrapped = "\n\n".join(textwrap.fill(text, width) for text in paragraphs)
    assert joined(wrapped) == "\n\n".join(paragraphs)


@pytest.mark.parametrize("width", [30, 72, 120])
@pytest.mark.parametrize(
    ("first", "others"),
    [
        ("", ""),
        ("    ", ""),
        ("  ", "  "),
        ("> ", "> "),
        ("> > ", "> > "),
        ("- ", "  "),
        ("1. ", "   "),
        ("\t", ""),
        ("", "  "),
    ],
)
def test_indented_quoted_and_listed(width: int, first: str, others: str) -> None:
    """The first line of a paragraph may be indented, that of an item hangs."""
    text = textwrap.fill(PARAGRAPH, width, initial_indent=first, subsequent_indent=others, expand_tabs=False)
    assert joined(f"{text}\n{others.rstrip()}\n{text}") == f"{first}{PARAGRAPH}\n{others.rstrip()}\n{first}{PARAGRAPH}"


def test_a_word_longer_than_the_width_has_a_line_for_itself() -> None:
    text = f"{PARAGRAPH} https://www.example.org/{'a' * 60} Rome {PARAGRAPH}"
    assert joined(textwrap.fill(text, 50, break_long_words=False, break_on_hyphens=False)) == text


def test_paragraphs_without_a_blank_line_between_them() -> None:
    """Recognised by their short last lines, or by the indentation of their first."""
    text = textwrap.fill(PARAGRAPH, 60)
    assert joined(f"{text}\n{text}") == f"{PARAGRAPH}\n{PARAGRAPH}"
    full = "    " + " ".join(["abcde"] * 9)
    assert joined(f"{full}\n{text}\n{full}\n{text}") == f"{full} {PARAGRAPH}\n{full} {PARAGRAPH}"
    text, full = textwrap.indent(text, "  "), "\t" + " ".join(["abcde"] * 9)  # a tab is more than two spaces
    assert joined(f"{full}\n{text}\n{full}\n{text}") == f"{full} {PARAGRAPH}\n{full} {PARAGRAPH}"


def test_a_word_that_would_have_fitted_begins_a_paragraph() -> None:
    """Though it would have filled the line to the last column."""
    full, after = "these are the words of this line", "There were the words of old, too"
    assert len(full) == len("these are the words of all There") == 32
    assert joined(f"{full}\n{full}\nthese are the words of all\n{after}\n{full}").count("\n") == 1
    assert joined(f"{full}\n{full}\nthese are the words of them\n{after}\n{full}").count("\n") == 0


def test_each_depth_of_quotation_has_its_width() -> None:
    """By which a quoted line that was made shorter is joined in the midst of wider text; depths are kept apart."""
    lines = textwrap.wrap(PARAGRAPH, 40)
    lines[3:5] = [lines[3].removesuffix(" deems to"), f"deems to {lines[4]}"]
    wide = "\n\n".join([textwrap.fill(PARAGRAPH, 100)] * 4)
    quoted = "\n".join(f"> {line}" for line in lines)
    assert joined(f"{wide}\n\n{quoted}").splitlines()[-1] == f"> {PARAGRAPH}"
    line = "these are the words of this line"
    assert joined(f"{line}\n{line}\n> {line}\n> {line}") == f"{line} {line}\n> {line} {line}"


@pytest.mark.parametrize(
    "text",
    [
        "Ashworth Borough Council\n1 Town Hall Square\nAshworth\nAB1 2CD",
        "Bright was the morning, and bright was the dew,\nLoud were the birds on the trees,\nGone are they now.",
        "He left the house at five o'clock.\nThe rain had stopped.\nHe took his umbrella.",
        "title: The use of water\nauthor: A. N. Other",
        "From: a.person@example.org\nTo: b\nNote: this goes to c",
        "# A heading of a chapter\nand text",
        "Another heading here\n====================\nand text",
        "| numerous | words |\n| and | others |",
        "Number of units\tWeekly rent\nbedsit\t24",
        "Number of units    rent\nbedsit    24",
        "Introduction to it ........ 1\nand more ......... 7",
        "- a list of some words\n- and words",
        "It has some items now:\n* and others\n(a) and others\n1.2 Others",
        "A line that Markdown ends with spaces  \nand another one that it ends so\\\none",
        "> a quotation of words\nand none\n> > and another",
        "```\nan example of a code\nor two\n```",
        "    example = get(of, a, code)\n    or two",
        "[1]: http://example.org/long\n[note]: and",
        "Long: see the\n: a definition",
        "1\n00:00:01,000 --> 00:00:04,200\nWe waited all night for the man from\nthe council, who was late.",
        "00:01.000 --> 00:04.200\n- We waited all night for the man from\nthe council.",
        "apples\npears and plums\nnuts",
        "Please bring\na passport\na recent bill\ntwo photographs",
        "Agenda\napologies for absence\nminutes of the last meeting\nmatters arising\nclerk's report\nother business",
        "clean the kitchen\nempty the bins\nfeed the cat\nlock the door",
    ],
)
def test_what_keeps_its_lines(text: str) -> None:
    """Also next to a text that was broken at 40 columns."""
    assert joined(text) == text
    before = textwrap.fill(PARAGRAPH, 40)
    assert joined(f"{before}\n\n{text}\n") == f"{PARAGRAPH}\n\n{text}\n"


def test_verse_of_which_few_lines_begin_with_a_small_letter() -> None:
    verse = [
        "Bright was the morning, and bright was the dew,",
        "and loud were the birds on the tops of the hill,",
        "Gone is the night that was heavy and long now,",
        "Down by the river the willows are green, now,",
        "Over the meadow the wind is asleep and still.",
    ]
    assert list(unwrapped(verse)) == verse
    prose = ["These are the words of this line and of others,", "and of this."]
    assert list(unwrapped([*verse, "", *prose])) == [*verse, "", " ".join(prose)]  # as wide as its first line


def test_two_lines_amid_wider_text() -> None:
    """Too few to have a width of their own there."""
    text = "apologies for absence from all of us\nminutes of the last meeting on Monday"
    before = textwrap.fill(PARAGRAPH, 72)
    assert joined(f"{before}\n\n{text}") == f"{PARAGRAPH}\n\n{text}"
    assert joined(text) == text.replace("\n", " ")


def test_a_line_wider_than_any_width_ends_its_paragraph() -> None:
    line = "these are the words of this line"
    long = " ".join([line] * 5)
    assert joined("\n".join([line, line, long, line])) == f"{line} {line} {long}\n{line}"


def test_text_after_a_subtitle() -> None:
    """A blank line ends that."""
    subtitle = "00:01.000 --> 00:04.200\nWe waited all night for the man from\nthe council.\n"
    assert joined(f"{subtitle}\n{textwrap.fill(PARAGRAPH, 60)}") == f"{subtitle}\n{PARAGRAPH}"


@pytest.mark.parametrize("word", ["note: ", "-> "])
def test_marks_in_the_midst_of_a_paragraph(word: str) -> None:
    """A word before a colon, which begins a line here if it may, and marks of quotation."""
    text = f"We shall, in the event of a failure to agree, say so: {word}{PARAGRAPH}"
    assert f"\n{word}" in textwrap.fill(text, 55)
    assert joined(textwrap.fill(text, 55)) == text


def test_names_at_the_beginning_of_lines() -> None:
    """Where others begin with small letters, and the line before is full."""
    lines = [
        "it was said by them to Mr and Mrs",
        "Robinson that they all had to do",
        "what they had been told before",
        "with 12 of the old mills of Ulm",
    ]
    assert joined("\n".join([*lines, "and so on.", "Mr X"])) == " ".join([*lines, "and so on."]) + "\nMr X"
    assert joined("- " + "\n  ".join(lines)) == "- " + " ".join(lines)  # of a list's item


def test_lines_of_other_lengths() -> None:
    """One that was made longer or shorter afterwards is joined where a small letter follows."""
    lines = textwrap.wrap(PARAGRAPH, 60)
    lines[1] += " and in every case"
    lines[2] = lines[2].rpartition(" ")[0]
    assert joined("\n".join(lines)) == " ".join(lines)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("any con-\ntractor", "any contractor"),
        ("any con\u2010\ntractor", "any contractor"),
        ("any con\u00ad\ntractor", "any contractor"),
        ("of Ash\u00ad\nworth", "of Ashworth"),
        ("one well\u00ad\nknown", "one wellknown"),
        ("a well-\nknown one", "a well-known one"),
        ("its self-con-\ntained flats", "its self-contained flats"),
        ("of pre-\nand post-war flats", "of pre- and post-war flats"),
        ("it was with-\nout success", "it was without success"),
        ("MAIN CON-\nTRACTOR", "MAIN CON-\nTRACTOR"),
        ("lines 10 -\nand so on", "lines 10 -\nand so on"),
    ],
)
def test_words_cut_at_the_end_of_a_line(text: str, expected: str) -> None:
    """By a hyphen, in lines of any length."""
    assert joined(text) == expected


def test_hyphenations_of_common_words_are_undone() -> None:
    words = sorted(word for word in common_words(20000) if re.fullmatch("[a-z]{6,}", word))
    hyphenate = pyphen.Pyphen(lang="en_GB").iterate
    cut = [(head, tail) for word in words for head, tail in hyphenate(word)]
    undone = sum(joined(f"the {head}-\n{tail}") == f"the {head}{tail}" for head, tail in cut)
    assert undone > 0.98 * len(cut) > 10_000


@pytest.mark.parametrize(
    ("end", "start", "between"),
    [
        ("Anglo-", "Saxon", ""),
        ("Sub-", "Committee", ""),
        ("1990-", "95", ""),
        ("then--", "perhaps", ""),
        ("then —", "perhaps", " "),
        ("it—", "no", ""),
    ],
)
def test_what_no_space_follows(end: str, start: str, between: str) -> None:
    text = f"the text goes on and on until {end}\n{start} as it is said to do so by all\nwho read it"
    expected = f"the text goes on and on until {end}{between}{start} as it is said to do so by all who read it"
    assert joined(text) == expected


def test_ends_of_lines_and_other_marks() -> None:
    """Carriage returns, a byte order mark, a form feed, a space."""
    lines = textwrap.wrap(PARAGRAPH, 50)
    assert joined("\r\n".join(lines)) == PARAGRAPH
    assert joined(" \n".join(lines)) == PARAGRAPH
    assert joined("\ufeff" + "\r\n".join(lines) + "\r\n\f\r\nA\r") == f"\ufeff{PARAGRAPH}\r\n\f\r\nA\r"


def test_little_is_read_ahead() -> None:
    read = []

    def endless() -> Iterator[str]:
        while True:
            read.append(1)
            yield "these are the words of this line" if len(read) % 3 else ""

    results = unwrapped(endless())
    assert next(results) == "these are the words of this line these are the words of this line"
    assert len(read) < 1100


def test_a_paragraph_without_an_end_comes_in_parts() -> None:
    """Otherwise the whole text would be held in memory."""
    results = list(unwrapped(["these are the words of this line"] * 2500))
    assert [len(line.split()) for line in results] == [7000, 7000, 3500]


@pytest.mark.parametrize("part", ["a", "_", " ", "> ", "-", "a-", ". ", "a. ", "["])
def test_time_is_linear(part: str) -> None:
    """In half a million: quadratic time would be hours, so that this test cannot but hang."""
    text = f"x{part * 500_000}-\nand so on"
    assert joined(text).split() == text.split()
