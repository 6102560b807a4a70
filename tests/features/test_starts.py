"""Nouns that begin a line, an item of a list, a label, a cell or an element, and verbs that do."""

from __future__ import annotations

import pytest

from tests.features.clashes import clash


@pytest.mark.parametrize(
    ("text", "clashes"),
    [("[ permits ] remain valid .", True), ("- [ permits ] remain valid .", True), ("• [ permits ]", True),
     ("1 . [ permits ] remain valid", True), ("-lrb- a -rrb- [ permits ] remain valid", True),
     ("status : [ permits ] remain valid", True), ("| fee | [ permits ] |", True),
     ("< li > [ permits ] usually remain valid .", True), ("< td > fee < / td > < td > [ permits ] < / td >", True),
     ("old house < br > [ permits ] granted before may", True), ("the old < br / > [ permits ] < br > fee", True),
     ("- [ permits ] granted before may remain valid .", True), ("[ permits ] granted in it", True),
     ("[ permits ] cost 10 pounds", True), ("[ permits ] for the house remain valid", True),
     ("if [ permits ] remain valid", True), ("[ permits ] , once granted , remain valid", True),
     ("[ permits ] the house to remain", False), ("[ permits ] access to the house .", False),
     ("[ permits ] visitors to remain", False), ("[ permits ] visitors who remain valid", False),
     ("- [ permits ] 10 visitors", False), ("the house [ permits ] access", False), ("it [ permits ] < b >", False),
     ("the house < b > [ permits ] < / b > access", False)],
)  # fmt: skip
def test_plurals_at_a_start_are_no_verbs(text: str, clashes: bool) -> None:
    assert clash(text, "VBZ", "allows") is clashes


@pytest.mark.parametrize(
    ("text", "clashes"),
    [("[ permit ] type", True), ("| [ permit ] type | fee |", True), ("# # [ permit ] renewals", True),
     ("[ permit ]", True), ("[ permit ] remains valid until it is lost .", True), ("[ permit ] valid until it", True),
     ("[ permit ] lapsed .", True), ("[ permit ] visitors are here .", True), ("< th > [ permit ] < / th >", True),
     ("fee < br > [ permit ] type", True), ("you must < br > [ permit ] the access", False),
     ("[ permit ] no visitors", False), ("[ permit ] visitors .", False), ("[ permit ] the access", False),
     ("[ permit ] poor visitors", False), ("you must < b > [ permit ] < / b > access", False),
     ("[ permit ] visitors remain in it .", True), ("[ permit ] fees cost more .", False),
     ("[ demand ] cigarettes", False), ("we [ permit ] type", False)],
)  # fmt: skip
def test_nouns_before_nouns_at_a_start_are_no_orders(text: str, clashes: bool) -> None:
    for label in ("VB", "VBP"):
        assert clash(text, label, "allow") is clashes


def test_what_is_no_noun_may_begin_an_order() -> None:
    assert not clash("[ submit ] renewals", "VB", "send")
    assert not clash("[ submit ]", "VB", "send")
