"""Labels of spans: tags, trees, and SAMT's combinations."""

from __future__ import annotations

import pytest

from sbmt.errors import SbmtError
from sbmt.ppdb.learn.labels import constituents, span_label

TREE = "(ROOT (S (NP (DT the) (NN cat)) (VP (VBD sat) (PP (IN on) (NP (DT the) (NN mat))))))"


def label(analysis: str, i: int, j: int) -> str:
    n = 6 if analysis == TREE else len(analysis.split())
    return span_label(constituents(analysis, n), i, j, n)


@pytest.mark.parametrize(
    ("span", "expected"),
    [
        ((1, 2), "NN"),
        ((0, 2), "NP"),
        ((0, 6), "ROOT"),  # the topmost of those that cover the same words
        ((1, 3), "NN+VBD"),
        ((3, 5), "IN+DT"),
        ((2, 4), "VBD+IN"),
        ((2, 5), "VP/NN"),
        ((0, 3), "NP+VBD"),
        ((1, 6), "NN+VP"),
        ((1, 5), "X"),
    ],
)
def test_spans_of_a_tree(span: tuple[int, int], expected: str) -> None:
    assert label(TREE, *span) == expected


def test_labels_of_constituents_that_lack_a_neighbour() -> None:
    tree = "(S (NP (A a) (B b) (C c)) (V d))"
    spans = constituents(tree, 4)
    assert span_label({(0, 3): "NP", (2, 3): "C"}, 0, 2, 4) == "NP/C"
    assert span_label({(0, 3): "NP", (0, 1): "A"}, 1, 3, 4) == "NP\\A"
    assert span_label(spans, 0, 3, 4) == "NP"


def test_tags() -> None:
    assert [label("DT JJ NN VBZ", 0, j) for j in (1, 2, 3, 4)] == ["DT", "DT+JJ", "DT+JJ+NN", "X"]


def test_a_tag_may_be_a_bracket() -> None:
    """Taggers of the Penn treebank's tags give brackets themselves; a tree has more fields than words."""
    assert constituents("( DT NN )", 4) == {(0, 1): "(", (1, 2): "DT", (2, 3): "NN", (3, 4): ")"}
    assert constituents("(", 1) == {(0, 1): "("}
    assert constituents("(DT the)", 1) == {(0, 1): "DT"}


def test_brackets_cannot_break_the_format() -> None:
    assert label("[ NN", 0, 1) == "-LSB-"


@pytest.mark.parametrize(
    ("analysis", "problem"),
    [
        ("DT NN", "cover 2 words, the sentence has 3"),
        ("(S (NP (DT a) (NN b)))", "cover 2 words, the sentence has 3"),
        ("(S (NP (DT a)", "leaves 2 brackets open"),
        ("(S (DT a)))", "a bracket too many"),  # as many fields as words, but no tags
        ("( (DT a))", "cover 1 word, the sentence has 3"),
        ("(S () (DT a) (NN b) (NN c))", "the tree has a bracket without a label or a part"),
        ("(DT a) (NN b) (NN c) (", "leaves 1 bracket open"),
    ],
)
def test_tags_and_trees_that_do_not_match_their_sentence(analysis: str, problem: str) -> None:
    with pytest.raises(SbmtError, match=problem):
        constituents(analysis, 3)


def test_a_blank_line_labels_nothing() -> None:
    assert constituents("  ", 3) == {}
