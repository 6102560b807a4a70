"""Entities of white space and quotation marks."""

from __future__ import annotations

import pytest

from sbmt.text.protection.entities import mark_of


@pytest.mark.parametrize(
    ("words", "mark"),
    [
        ("&nbsp; &#160; &#xA0; &ensp; &thinsp; &#32; &#8203; &zwnj; &shy;", ""),
        ("&quot; &#34;", '"'),
        ("&ldquo; &#8220; &laquo; &bdquo;", "``"),
        ("&rdquo; &raquo;", "''"),
        ("&lsquo; &lsaquo; &sbquo;", "`"),
        ("&rsquo; &#8217; &rsaquo;", "'"),
        ("&amp; &apos; &#39; &eacute; &nosuch; &nbsp nbsp & &nbsp;a &nbsp;&nbsp;", None),
    ],
)
def test_marks(words: str, mark: str | None) -> None:
    assert [mark_of(word) for word in words.split()] == [mark] * len(words.split())
