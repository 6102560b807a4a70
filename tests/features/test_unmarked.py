"""Checks see through emphasis, links and tags; what they say of the sentence as it stands, stays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pytest

from sbmt.features.sentence.application import KEPT, Application, Value
from sbmt.features.sentence.unmarked import Unmarked


class Beside:
    """Beside: 1 for a rule right after the word *a*, or whose gap begins with *g*."""

    names = ("Beside",)

    def values(self, sentence: Sequence[str], applications: Sequence[Application]) -> Iterable[Value]:
        """One per such rule."""
        for number, application in enumerate(applications):
            start = application.span[0]
            fits = sentence[start - 1 : start] == ["a"] or any(sentence[gap[0]] == "g" for gap in application.gaps)
            if fits and application.grammar >= 0:
                yield number, "Beside", 1.0


def rule(start: int, end: int, *gaps: tuple[int, int]) -> Application:
    return Application(0, 1, "pt", "NN", (start, end), ("x",), len(gaps), gaps)


def kept(start: int, end: int) -> Application:
    return Application(-1, KEPT, "constraint", "X", (start, end), (), 0)


def said(text: str, *applications: Application) -> list[int]:
    values = list(Unmarked(Beside()).values(text.split(), applications))
    assert all(entry[1:] == ("Beside", 1.0) for entry in values)
    return [number for number, *_ in values]


@pytest.mark.parametrize(
    ("text", "place", "expected"),
    [("a permit", 1, True), ("the permit", 1, False), ("a * * permit * *", 3, True), ("a _ permit _", 2, True),
     ("a ~ ~ permit ~ ~", 3, True), ("the * permit *", 2, False), ("a -lsb- permit -rsb-", 2, True),
     ("-lsb- a -rsb- -lrb- http://x -rrb- permit", 6, True), ("-lsb- a -rsb- -lrb- not a link -rrb- permit", 8, False),
     ("-lsb- a -rsb- permit", 3, True), ("a", 0, False),
     ("a `` permit ''", 2, True), ("a ` permit '", 2, True), ("a -lrb- permit -rrb-", 2, True),
     ("`` a b c '' permit", 5, False), ("`` b c a '' permit", 5, True), ("`` b b b a '' permit", 6, False),
     ("` b b a ' permit", 5, True), ("` b b b a ' permit", 6, False), ("`` a b c d a '' permit", 7, False),
     ("-lrb- a -rrb- permit", 3, True), ("-lrb- b a -rrb- permit", 4, False), ("a `` permit", 2, False),
     ("a ‡ permit", 2, True), ("a -lsb- 1-3 -rsb- permit", 4, True), ("a -lsb- 1; 2 -rsb- permit", 5, True),
     ("a '' permit ``", 2, False), ("a ` permit ''", 2, False),
     ("a &nbsp; permit", 2, True), ("a &#160; &thinsp; permit", 3, True), ("a &amp; permit", 2, False),
     ("a &quot; permit &quot;", 2, True), ("a &ldquo; permit &rdquo;", 2, True), ("a &laquo; permit &raquo;", 2, True),
     ("a &quot; b b b b &quot; permit", 7, False), ("&quot; b b b a &quot; b &quot; b &quot; permit", 10, False),
     ("a -lsb- ^ b -rsb- permit", 5, True), ("a -lsb- 1 -rsb- permit", 4, True),
     ("a -lsb- 1 , 2 -rsb- permit", 6, True),
     ("a -lsb- ^ b b b b b b b -rsb- permit", 11, True), ("a -lsb- ^ b b b b b b b b -rsb- permit", 12, False),
     ("a -rsb- permit", 2, True), ("a -lsb- permit", 2, True), ("a † * permit", 2, False),
     ("-lsb- a -rsb- -lrb- b c permit -rrb-", 6, False), ("-lsb- a -rsb- b c -rrb- permit", 6, False),
     ("a -lsb- b -rsb- permit", 4, False), ("a -lsb- ^ b permit", 4, False), ("a -lsb- 1 permit", 3, False),
     ("a ¹² permit", 2, True), ("a m² permit", 2, False), ("a † permit", 2, True),
     ("a = = permit = =", 3, True), ("a = permit", 2, False), ("a permit = =", 1, True)],
)  # fmt: skip
def test_words_beside_marks(text: str, place: int, expected: bool) -> None:
    assert said(text, rule(place, place + 1)) == [0] * expected


@pytest.mark.parametrize(
    ("text", "span", "place", "expected"),
    [("a < b > permit", (1, 4), 4, True), ("a < br / > permit", (1, 5), 5, True),
     ("a < b > it < / b > permit", (1, 9), 9, False),  # an element, with words of its own
     ("a < permit", (1, 2), 2, False), ("a b < permit", (1, 3), 3, False)],
)  # fmt: skip
def test_words_beside_tags_that_are_kept(text: str, span: tuple[int, int], place: int, expected: bool) -> None:
    assert said(text, kept(*span), rule(place, place + 1)) == [1] * expected
    assert said(text, rule(place, place + 1)) == []
    assert 1 not in said(text, rule(*span), rule(place, place + 1))


@pytest.mark.parametrize(
    ("text", "tags", "expected"),
    [("a < sup > b < / sup > permit", [(1, 4), (5, 9)], True), ("a < b > b < / b > permit", [(1, 4), (5, 9)], False),
     ("a < sup > < a > -lsb- b -rsb- < / a > < / sup > permit", [(1, 4), (4, 7), (10, 14), (14, 18)], True),
     ("a < b > b < / sup > permit", [(1, 4), (5, 9)], False), ("a < sup > b permit", [(1, 4)], False),
     (f"a < sup > {'b ' * 39}< / sup > permit", [(1, 4), (43, 47)], True),
     (f"a < sup > {'b ' * 40}< / sup > permit", [(1, 4), (44, 48)], False)],
)  # fmt: skip
def test_notes_between_tags(text: str, tags: list[tuple[int, int]], expected: bool) -> None:
    """Those of <sup>; other elements have words of their own."""
    place = text.split().index("permit")
    assert said(text, rule(place, place + 1), *(kept(*tag) for tag in tags)) == [0] * expected


def test_applications_keep_their_numbers_and_gaps() -> None:
    """Of what is nothing but marks nothing is said; what the check says twice is said once."""
    text = "a * word * a g * then"
    assert said(text, rule(1, 2), rule(2, 3), rule(5, 6), rule(4, 8, (6, 8)), rule(3, 8, (5, 7))) == [0, 2, 4, 1]
