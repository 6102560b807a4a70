"""Pair lists in the forms that are around, and text read from files."""

from __future__ import annotations

from pathlib import Path

import pytest

from sbmt.errors import FormatError, SbmtError
from sbmt.ppdb.learn.corpus import ParallelText, TextBuilder, read_corpus
from sbmt.ppdb.learn.listed import pair_links, with_pairs
from sbmt.ppdb.learn.pair_lists import Pair, read_pair_list


def pairs(tmp_path: Path, content: str) -> list[Pair]:
    path = tmp_path / "list"
    path.write_text(content, encoding="utf-8")
    return list(read_pair_list(str(path)))


def test_forms_of_lists(tmp_path: Path) -> None:
    content = "car\tmotor vehicle\n\n[NP]\tthe car\tan auto\t0.7\n4.5\t[VB]\trun\tsprint\t5,4\n"
    content += "big large huge\nsee.v :: look_at spot\n"
    assert pairs(tmp_path, content) == [
        Pair(("car",), ("motor", "vehicle")),
        Pair(("the", "car"), ("an", "auto")),
        Pair(("run",), ("sprint",)),
        Pair(("big",), ("large",)),
        Pair(("big",), ("huge",)),
        Pair(("see",), ("look", "at")),
        Pair(("see",), ("spot",)),
    ]


def test_equal_and_empty_sides_are_skipped(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert pairs(tmp_path, "a a b\nc\tc\nd\t \n") == [Pair(("a",), ("b",))]
    assert "passed over 1 pair with an empty side" in caplog.text


def test_sides_with_an_empty_word_are_empty(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert pairs(tmp_path, ".n :: b\nfoo.n :: bar_ baz\n_ :: c\n") == [Pair(("foo",), ("baz",))]
    assert "passed over 3 pairs with an empty side" in caplog.text


def test_sides_that_are_too_long_are_skipped(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Positions are kept in one byte."""
    longest, longer = " ".join(["w"] * 250), " ".join(["w"] * 251)
    assert pairs(tmp_path, f"{longest}\ta\n{longer}\ta\nb\t{longer}\n") == [Pair(("w",) * 250, ("a",))]
    assert "passed over 2 pairs with a side of more than 250 words" in caplog.text


def test_words_that_no_rule_can_hold_are_skipped(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    usable_pairs = pairs(tmp_path, "a\tb|||c\n[NN,1]\td\ne\tthe [X,10]\nf\t[12]\n")
    assert usable_pairs == [Pair(("f",), ("[12]",))]
    assert "passed over 3 pairs with a word that is markup in a grammar, such as [X,1]" in caplog.text


def test_a_comment_is_no_pair(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert pairs(tmp_path, "#\tnumber\ncar auto\n # my own list\n# a ||| b\n") == [
        Pair(("#",), ("number",)),
        Pair(("car",), ("auto",)),
    ]
    assert "passed over 2 pairs with a # in front (comments; with a tab they are pairs)" in caplog.text


def test_a_grammar_is_no_list(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"line 2: has [|]{3}, as rules have .put a tab into a pair"):
        pairs(tmp_path, "a b\n[X] ||| a ||| b ||| \n")


def test_a_score_that_may_be_a_phrase_needs_a_label(tmp_path: Path) -> None:
    assert pairs(tmp_path, "4.0\tfour\ninf\tbig\tlarge\n") == [Pair(("4.0",), ("four",)), Pair(("inf",), ("big",))]
    with pytest.raises(FormatError, match=r"line 2: begins with a number and has no \[LABEL\] \(write \[X\] after"):
        pairs(tmp_path, "big\tlarge\thuge\n4.0\tbig\tlarge\n")


def test_pairs_come_after_the_text(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("a b\n")
    text = with_pairs(read_corpus([(str(tmp_path / "f"), str(tmp_path / "f"))]), [Pair(("a",), ("c", "b"))] * 2)
    assert len(text) == 2
    last = [text.tokens[text.starts[side[1]] : text.starts[side[1] + 1]] for side in (text.source, text.target)]
    assert [[text.words[word] for word in side] for side in last] == [["a"], ["c", "b"]]


@pytest.mark.parametrize(
    ("source", "target", "links"),
    [
        ([1, 2, 3], [2, 1], [(0, 1)]),  # that of 2 would cross it
        ([1, 2, 1], [1, 3, 1], [(0, 0), (2, 2)]),
        ([1], [2], [(0, 0)]),
        ([1], [2, 3], []),
    ],
)
def test_links_of_a_listed_pair(source: list[int], target: list[int], links: list[tuple[int, int]]) -> None:
    assert pair_links(source, target) == links


def test_versions_are_paired_by_key_wherever_they_are(tmp_path: Path) -> None:
    path = tmp_path / "versions"
    path.write_text("x\t1\ta b\ny\t1\tc\nx\t1\td e\nx\t1\tf g\nz\t1\talone\n")
    text = read_corpus([], [str(path)])
    shown = [
        tuple(" ".join(text.words[w] for w in text.tokens[text.starts[s] : text.starts[s + 1]]) for s in sides)
        for sides in zip(text.source, text.target, strict=True)
    ]
    assert shown == [("a b", "d e"), ("a b", "f g"), ("d e", "f g")]
    assert text.mirrored.all()
    assert set(text.segment.tolist()) == {0}


def test_line_n_of_every_file_pair_is_segment_n(tmp_path: Path) -> None:
    for name in "fgh":
        (tmp_path / name).write_text(f"{name} one\n\n{name} three\n")
    f, g, h = (str(tmp_path / name) for name in "fgh")
    text = read_corpus([(f, g), (f, h)])
    assert text.segment.tolist() == [0, 2, 0, 2]
    assert text.origin.tolist() == [0, 0, 1, 1]
    assert text.group.tolist() == [0, 1, 2]


def test_segments_with_a_source_in_common_are_one_group(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """The second file has line 1 of the first as its line 3; blank lines have nothing in common."""
    for name, lines in (("f", "a b\n\nc\nd e\nc\n\n"), ("g", "x\ny\na b\nz\nw\nv\n"), ("e", "u\n" * 6)):
        (tmp_path / name).write_text(lines)
    f, g, e = (str(tmp_path / name) for name in "fge")
    assert read_corpus([(f, e)]).group.tolist() == [0, 1, 2, 3, 2, 4]
    assert caplog.messages[-1].startswith("the text: only 5 of 6 sources are distinct. When you set test")
    assert read_corpus([(f, e), (f, g), (g, e)]).group.tolist() == [0, 1, 0, 2, 0, 3]
    caplog.clear()
    assert read_corpus([(g, e), (g, f)]).group.tolist() == [0, 1, 2, 3, 4, 5]
    assert not any("distinct" in message for message in caplog.messages)


def test_sources_are_equal_as_they_are_learnt_from(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"The cat sat .\nthe cat sat . \nthe  cat sat .\r\n \r\n\t\n")
    (tmp_path / "e").write_text("a\nb\nc\nd\ne\n")
    files = [(str(tmp_path / "f"), str(tmp_path / "e"))]
    assert read_corpus(files, lowercase=True).group.tolist() == [0, 0, 0, 1, 2]
    assert read_corpus(files).group.tolist() == [0, 1, 1, 2, 3]


def test_saved_text_comes_back(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("a b c\nd\n")
    (tmp_path / "tags").write_text("A B C\n\n")
    text = read_corpus([(str(tmp_path / "f"), str(tmp_path / "f"))], labels=[str(tmp_path / "tags")])
    text.save(tmp_path)
    back = ParallelText.open(tmp_path)
    assert back.words == text.words
    assert back.analyses == text.analyses == ["A B C", "", "", ""]
    assert back.tokens.tolist() == text.tokens.tolist()
    assert back.group.tolist() == text.group.tolist() == [0, 1]


def test_a_carriage_return_among_tags_ends_no_line(tmp_path: Path) -> None:
    for name, content in (("f", "a b\nc d\n"), ("tags", "A\rB\nC D\n")):
        (tmp_path / name).write_text(content, newline="")
    text = read_corpus([(str(tmp_path / "f"), str(tmp_path / "f"))], labels=[str(tmp_path / "tags")])
    text.save(tmp_path)
    assert ParallelText.open(tmp_path).analyses == text.analyses == ["A\rB", "", "C D", ""]


def test_pairs_that_cannot_be_aligned_are_skipped_and_counted(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    lines = [("a b", "a c"), ("", "x"), (" ".join(["w"] * 500), "w w"), ("a", " ".join("b" * 10)), ("d", "d")]
    for name, column in zip("fe", zip(*lines, strict=True), strict=True):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in column))
    text = read_corpus([(str(tmp_path / "f"), str(tmp_path / "e"))])
    assert text.segment.tolist() == [0, 4]
    for cause in ("empty side", "side longer than 100 words", "length ratio over 9"):
        assert f"left out 1 sentence pair: {cause}" in caplog.text


def test_a_limit_of_one_word_is_in_the_singular(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "f").write_text("a\nb c\n")
    read_corpus([(str(tmp_path / "f"), str(tmp_path / "f"))], max_length=1)
    assert "left out 1 sentence pair: side longer than 1 word" in caplog.messages


DUE = "the sentence has 2 (give one tag per word, or a bracketed tree)"


@pytest.mark.parametrize(
    ("analysis", "problem"),
    [
        ("(S (NP (DT a", "the tree leaves 3 brackets open"),
        ("(S (DT a)))", "the tree closes a bracket too many"),
        ("(S (DT a))", f"the tags or tree cover 1 word, {DUE}"),
        ("A B C", f"the tags or tree cover 3 words, {DUE}"),
    ],
)
def test_errors_suggest_a_tree_only_if_words_are_not_covered(analysis: str, problem: str, tmp_path: Path) -> None:
    """Errors of a broken tree do not."""
    side, tags = tmp_path / "f", tmp_path / "tags"
    side.write_text("a b\n")
    tags.write_text(f"{analysis}\n")
    with pytest.raises(FormatError) as error:
        read_corpus([(str(side), str(side))], labels=[str(tags)])
    assert str(error.value) == f"{tags}, line 1: {problem}"


def test_errors_of_input(tmp_path: Path) -> None:
    f, e, tags = (str(tmp_path / name) for name in ("f", "e", "tags"))
    Path(f).write_text("a b\nc\n")
    Path(e).write_text("a b\n")
    Path(tags).write_text("A B\nC D\n")
    with pytest.raises(FormatError, match=r"has 1 line, but .*f has 2"):
        read_corpus([(f, e)])
    with pytest.raises(FormatError, match=r"tags, line 2: the tags or tree cover 2 words, the sentence has 1"):
        read_corpus([(f, f)], labels=[tags])
    with pytest.raises(SbmtError, match="1 file of labels for 2 texts"):
        read_corpus([(f, f), (f, f)], labels=[tags])
    with pytest.raises(FormatError, match="line 1: has no tab"):
        read_corpus([], [f])
    Path(e).write_text("\n\n")
    with pytest.raises(SbmtError, match="no sentence pair is left"):
        read_corpus([(f, e)])
    with pytest.raises(SbmtError, match="max_length: 300 is not from 1 to 250"):
        TextBuilder(300)
