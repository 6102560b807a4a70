from __future__ import annotations

import pytest

from sbmt.text.protection.quotations import closing_marks
from sbmt.text.tokens import penn_tokens


@pytest.mark.parametrize(
    ("text", "closing"),
    [
        ("the dogs' food", ""),
        ("the 'new' rules", "        ^"),
        ("the 'new rules', he said", "              ^"),
        ("'the dogs' food is here.'", "                        ^"),  # the last one closes for certain
        ("'the dogs' food is here", "         ^"),  # nothing else closes
        ("'the dogs' food is 'here.'", "         ^               ^"),  # another opens first
        ("'the cat' sat here.'", "        ^"),  # no possessive of "cat" is written so
        ("'the 'new' rules.'", "         ^       ^"),
        ("&lsquo;new&rsquo; dogs&rsquo; food", "          ^"),
    ],
)
def test_marks_that_close_a_quotation(text: str, closing: str) -> None:
    tokens = penn_tokens(text)
    closing_places = [tokens[i].start for i in sorted(closing_marks(tokens))]
    assert closing_places == [i for i, mark in enumerate(closing) if mark == "^"]
