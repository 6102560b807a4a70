"""Parts of speech that cannot stand where they do, case by case."""

from __future__ import annotations

import pytest

from sbmt.features.applications import Application
from sbmt.features.label_clash import LabelClash


@pytest.mark.parametrize(
    ("before", "label", "target", "clash"),
    [("a", "VB", "allow", True), ("to", "VB", "allow", False), ("they", "NN", "licence", True),
     ("was", "VBD", "let", True), ("was", "VBN", "let", False), ("he", "VBD", "let", False),
     ("the", "NN", "licence", False), ("a", "VB", "permit", False), ("a", "X", "allow", False),
     ("his", "VBZ", "allows", True), ("these", "VBZ", "allows", True), ("these", "VB", "allow", False),
     ("of", "VBD", "let", True), ("to", "VBD", "let", True)],
)  # fmt: skip
def test_labels_that_clash_with_the_word_before(before: str, label: str, target: str, clash: bool) -> None:
    sentence = [before, "permit", "it"]
    applications = [
        Application(0, 1, "pt", label, (1, 2), (target,), 0),
        Application(0, 2, "pt", label, (0, 1), ("x",), 0),
    ]
    assert list(LabelClash().values(sentence, applications)) == ([(0, "LabelClash", 1.0)] if clash else [])


@pytest.mark.parametrize(
    ("sentence", "clash"),
    [("the track provided more", True), ("newman provided 250,000", True), ("cave often provided the", True),
     ("he provided help", True), ("it was provided the", False), ("they have generously provided some", False),
     ("the help provided by", False), ("the help provided", False),
     ("the firm provided hundreds", True), ("the firm provided water", True), ("the help provided also", False),
     ("the help provided weekly", False)],
)  # fmt: skip
def test_participles_that_clash_with_an_object(sentence: str, clash: bool) -> None:
    """A past tense may have the object; what stands there as a participle would be "given", not "gave"."""
    words = sentence.split()
    at = words.index("provided")
    application = Application(0, 1, "pt", "VBN", (at, at + 1), ("given",), 0)
    assert list(LabelClash().values(words, [application])) == ([(0, "LabelClash", 1.0)] if clash else [])


def test_what_stands_behind_a_preposition_is_no_object_of_the_participle() -> None:
    words = "the help provided by the firm".split()
    applications = [Application(0, 1, "pt", "VBN", (2, 4), ("given", "by"), 0)]
    assert not list(LabelClash().values(words, applications))


@pytest.mark.parametrize(
    ("before", "clash"), [("was", True), ("was then", True), ("had", False), ("she 's", False), ("rates", True)]
)
def test_participles_that_have_no_passive(before: str, clash: bool) -> None:
    words = f"{before} increased to".split()
    application = Application(0, 1, "pt", "VBN", (len(words) - 2, len(words)), ("gone", "up", "to"), 0)
    assert list(LabelClash().values(words, [application])) == ([(0, "LabelClash", 1.0)] if clash else [])
