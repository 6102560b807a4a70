"""Diffs and pages mark only the words of a change that differ."""

from __future__ import annotations

from pathlib import Path

import pytest

from sbmt.simplifier import Change, Result, Simplifier
from sbmt.simplifier.formats import as_diff
from sbmt.simplifier.html import as_html


def changed(old: str, new: str) -> Result:
    """A text of which everything but its first and last letter is a change."""
    spans = ((2, len(old) + 2), (2, len(new) + 2))
    change = Change(*spans, old, new, f"[X] ||| {old} ||| {new}", "X", "pt")
    return Result(f"a {old} z", f"a {new} z", 0.0, (change,))


@pytest.mark.parametrize(
    ("old", "new", "shown"),
    [
        ("Consequently, an", "So an", "[-Consequently,-]{+So+} an"),
        ("200 individuals", "200 people", "200 [-individuals-]{+people+}"),
        ("prior to  the date", "before  the date", "[-prior to-]{+before+}  the date"),
        ("in order to", "to", "[-in order -]to"),
        ("they", "they all they", "they{+ all they+}"),
        ("a b a", "a b", "a b[- a-]"),
        ("the people", "people the", "[-the people-]{+people the+}"),
        ("same", "same", "[-same-]{+same+}"),
        ("works", "work", "[-works-]{+work+}"),
        ("punctually.", "on time.", "[-punctually-]{+on time+}."),
        ("so-called “aids”.", "“helps”.", "[-so-called “aids-]{+“helps+}”."),
        ("e.g.", "i.e.", "[-e.g.-]{+i.e.+}"),
        ("word.", "word, too.", "word{+, too+}."),
        ("),", ",", "[-)-],"),
        ("(it said).", "(they said).", "[-(it-]{+(they+} said)."),
        ("so...", "so.", "so[-...-]{+.+}"),
    ],
)
def test_words_that_both_sides_share_are_not_marked(old: str, new: str, shown: str) -> None:
    result = changed(old, new)
    assert as_diff(result, 0, colour=False) == f"a {shown} z"
    page = as_html(result, 0, colour=False)
    assert ("<del>" in page, "<ins>" in page) == ("[-" in shown, "{+" in shown)
    assert f'class="rule">[X] ||| {old} ||| {new}<' in page


def test_the_record_of_a_change_is_whole(bundle: Path) -> None:
    """It includes words that are not marked."""
    result = Simplifier.load(bundle).simplify("It was Ulm's population")
    assert result.changes[0].to_dict()["source"] == "Ulm's population"
    assert as_diff(changed("a b", "a c"), 0, colour=False) == "a a [-b-]{+c+} z"
