"""The words that begin a sentence, item, cell or element, and those after a label."""

from __future__ import annotations

import pytest

from sbmt.text.protection.starts import starts
from sbmt.text.tokens import penn_tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("4.1 Additional funds", "4.1 Additional"),
        ("5.3.1\tConsequently, an end", "5.3.1 Consequently"),
        ("2 Additional funds", "2 Additional"),
        ("1984 Additional funds", "1984"),
        ("Clause 4.1 Additional funds", "Clause"),
        ("4.1 (a) Obtain it", "4.1 a Obtain"),
        ("See (b) Rome.", "See"),
        ("VIII. Obtain it or iv. Obtain it", "VIII. Obtain"),
        ("Q. Obtain it?", "Q. Obtain"),
        ("J. Grant it", "J."),
        ("o\tObtain it", "o Obtain"),
        ("Ø\tObtain it", "Ø Obtain"),
        ("o\tGrant, Page and Purchase", "o"),
        ("O Rome", "O"),
        ("- [x] Obtain it", "x Obtain"),
        ("Note: Obtain it", "Note Obtain"),
        ("Step 3: London obtains it.", "Step London"),
        ("4.1 Step 3: Note: Consequently, an end", "4.1 Step Note Consequently"),
        ("**Note:** Obtain it; **so**: Not it", "Note Obtain"),
        ("_Note_: Obtain it", "Note Obtain"),
        ("Reason for this step: Obtain it", "Reason Obtain"),
        ("The reason for this step: Obtain it", "The"),
        ("What you should do now in London: Obtain it", "What"),
        ("At 12:30 Rome fell, A:B Obtain", "At"),
        ("Name: Grant", "Name"),
        ("Name: Grant.", "Name"),
        ("Winners: Grant, Page and Purchase", "Winners"),
        ("A. Grant and E. Page", "A."),
        ("A Game: Legend of the Seven", "A"),
        ("Note: Legend of the dogs", "Note Legend"),
        ("Note: Notify the Council", "Note Notify"),
        ("<p>Notify us, Bo</p>", "p Notify"),
        ('<td class="A b">Obtain it</td><TD>Obtain it', "td Obtain Obtain"),
        ("<li><b>Obtain</b> it or <b>Obtain</b> it", "li Obtain"),
        ("<td>Grant</td><td><b>Grant</b></td><td>Obtain", "td"),
        ("It is <x Obtain it", "It"),
        ("| Step 3 | Obtain it | **Obtain** it | Grant |", "Step Obtain Obtain"),
    ],
)
def test_starts(text: str, expected: str) -> None:
    tokens = penn_tokens(text)
    assert [tokens[place].text for place in starts(tokens)] == expected.split()


@pytest.mark.parametrize("part", ["<p>", "<p>x", "| x", "*", "x: ", "<p>x<b>", "| x<b "])
def test_time_is_linear(part: str) -> None:
    """In thirty thousand of them: quadratic time would be many minutes, so that this test cannot but hang."""
    assert starts(penn_tokens(f"{part * 30_000} x"))
