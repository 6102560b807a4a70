"""Auxiliaries at a distance: after them a participle can stand, and no past tense."""

from __future__ import annotations

import pytest

from tests.features.clashes import clash


@pytest.mark.parametrize(
    ("text", "clashes"),
    [("has the firm [ given ] it", True), ("have you ever [ given ] it", True), ("why was it [ given ] ?", True),
     ("had we [ given ] it , he", True), ("he knew ; nor has the old firm [ given ] it", True),
     ("which has he [ given ] ?", True), ("it ended ; has the firm [ given ] it ?", True),
     ("it was the firm that [ given ] it", False),
     ("is the firm of the man [ given ]", False), ("is the firm of men [ given ]", True),  # how far
     ("is the firm of men often [ given ]", True), ("has the man who [ given ] it left ?", False),
     ("is this the book you [ given ] ?", False), ("being ill the man [ given ] it", False),
     ("the firm has an owner who [ given ] it", False), ("he has the house and [ given ] it", False),
     ("the man who was a lord [ given ] it", False), ("what he [ given ] them", False), ("they [ given ] it", False),
     ("has a man , he [ given ] it", False),
     (", which is one reason why he [ given ] it", False),
     ("the firm , which was used by him , [ given ] it", False)],
)  # fmt: skip
def test_after_an_auxiliary_and_its_subject(text: str, clashes: bool) -> None:
    assert clash(text, "VBD", "gave") is clashes


@pytest.mark.parametrize(
    ("text", "clashes"),
    [("she has , however , [ given ] it", True), ("she has -lrb- in part -rrb- [ given ] it", True),
     ("it was , of course , [ given ] .", True), ("she has in part [ given ] it", True),
     ("she has for years [ given ] it", True), ("she , however , [ given ] it", False),
     ("she has often , however , [ given ] it", True), ("she in part [ given ] it", False),
     ("she was in ulm [ given ] it", False), ("she -lrb- in part -rrb- [ given ] it", False),
     ("he has , as we all now know , [ given ] it", False), ("he has , as we all know , [ given ] it", True),
     ("the land that he has in ulm [ given ] it", False),
     (", [ given ] it", False), ("-rrb- [ given ] it", False)],
)  # fmt: skip
def test_after_an_insertion(text: str, clashes: bool) -> None:
    assert clash(text, "VBD", "gave") is clashes


@pytest.mark.parametrize(
    ("text", "clashes"),
    [("they have expressed and then [ given ] it", True), ("it was used and later [ given ] to us", True),
     ("it was used or later [ given ] to us", True), ("they have felt and then [ given ] it", True),
     ("they have often expressed and then [ given ] it", True), ("they expressed and later [ given ] to us", False),
     ("he was elected and [ given ] the house", False), ("he was elected and [ given ] speeches", False),
     ("they expressed and [ given ] it", False), ("they have houses and [ given ] it", False),
     ("they have expressed but [ given ] it", False)],
)  # fmt: skip
def test_after_a_participle_and_another(text: str, clashes: bool) -> None:
    assert clash(text, "VBD", "gave") is clashes


def test_a_past_tense_that_needs_no_object_may_follow_a_participle() -> None:
    assert not clash("it was used and later [ given ] to us", "VBD", "went")


@pytest.mark.parametrize(
    ("text", "clashes"),
    [("has the firm [ provided ] the funds", False), ("she has , in fact , [ provided ] the funds", False),
     ("they have expressed and then [ provided ] the funds", False), ("the firm [ provided ] the funds", True),
     ("he was elected and [ provided ] the funds", True)],
)  # fmt: skip
def test_a_participle_may_have_its_object_after_them(text: str, clashes: bool) -> None:
    assert clash(text, "VBN", "given") is clashes
