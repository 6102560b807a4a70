"""Warnings of probable mistakes in input files, and none for published files."""

from __future__ import annotations

import json
import logging

import numpy as np
import pytest

from sbmt.text.checks.mistakes import by_number, remark_on_mistakes
from tests.corpora import DATA, needs_data

RNG = np.random.default_rng(1)
WORDS = [f"w{number}" for number in range(1000)]
SOURCES = [" ".join(RNG.choice(WORDS, size=12)) for _ in range(60)]
# Half of the words are gone or replaced.
OUTPUTS = [" ".join([*line.split()[:6], *RNG.choice(WORDS, size=3)]) for line in SOURCES]
TABLE = "A: most lines have a tab, and all columns of such a table count as text: give one of them (cut -f 1)"
OBJECTS = "A: most lines are JSON objects, which count as text: give what they hold, one per line (jq -r .KEY)"


def remarks(caplog: pytest.LogCaptureFixture, sources: list[str], outputs: list[str]) -> list[str]:
    caplog.clear()
    remark_on_mistakes(sources, [("A", outputs)], [])
    return caplog.messages


def test_tables_and_objects_are_no_sentences(caplog: pytest.LogCaptureFixture) -> None:
    """Most lines must be so, and a brace alone is text."""
    tabs = [f"{source}\t{output}" for source, output in zip(SOURCES, OUTPUTS, strict=True)]
    objects = [json.dumps({"prediction": output}) for output in OUTPUTS]
    for lines, remark in ((tabs, TABLE), (objects, OBJECTS)):
        assert remarks(caplog, SOURCES, lines) == [remark]
        assert remarks(caplog, SOURCES[:1], lines[:1]) == [remark]
        assert remarks(caplog, SOURCES, [*lines[:30], *OUTPUTS[30:]]) == []
    assert remarks(caplog, SOURCES, ["{" + line for line in OUTPUTS]) == []
    assert remarks(caplog, SOURCES, ["[1]"] * 60) == [
        "A: 60 of 60 lines have hardly a word of their sources: they seem to be shifted, in another order, or of "
        "another text; line 1 belongs to the first source"
    ]


def test_words_without_spaces_are_no_words(caplog: pytest.LogCaptureFixture) -> None:
    """Chinese and Thai as people write it, but not words or characters between spaces, nor Korean, Arabic, German."""
    for text in ("我们今天不去城里。", "วันนี้เราไม่ไปในเมือง"):
        (remark,) = remarks(caplog, SOURCES, [text] * 60)
        assert remark.startswith("A: most lines have no spaces between words, and count as long words: put them")
        for lines in ([" ".join(text)] * 60, [text] * 30 + OUTPUTS[30:]):
            assert not any("spaces" in message for message in remarks(caplog, SOURCES, lines))
    spaced = ("我们 今天 不 去 城里 。", "มหาวิทยาลัย เปิด วัน จันทร์", "우리는 오늘 도시에 가지 않는다.")
    for text in (*spaced, "لن نذهب إلى المدينة اليوم.", "Wohnungsbauförderung"):
        assert not any("spaces" in message for message in remarks(caplog, SOURCES, [text] * 60))


def test_lines_of_other_sentences(caplog: pytest.LogCaptureFixture) -> None:
    shuffled = RNG.permutation(OUTPUTS).tolist()
    late = [*OUTPUTS[:30], *OUTPUTS[31:], OUTPUTS[30]]  # a line is missing in the middle
    for lines in (shuffled, OUTPUTS[1:] + OUTPUTS[:1], late):
        (remark,) = remarks(caplog, SOURCES, lines)
        assert "of 60 lines have hardly a word of their sources: they seem to be shifted" in remark
    assert "A: 20 of 20 lines" in remarks(caplog, SOURCES, [*shuffled[:20], *[""] * 40])[0]
    assert remarks(caplog, SOURCES, OUTPUTS) == []
    assert remarks(caplog, SOURCES, [*OUTPUTS[:45], *OUTPUTS[46:], OUTPUTS[45]]) == []  # a quarter of the lines
    short = [" ".join(line.split()[:4]) for line in SOURCES]
    for sources, lines in (
        (SOURCES[:19], shuffled[:19]),  # too few
        (short, shuffled),  # of four words none may be left
        (SOURCES, [""] * 60),  # deleted
        ([], shuffled),
    ):
        assert remarks(caplog, sources, lines) == []


def test_the_end_of_a_long_text_is_looked_at(caplog: pytest.LogCaptureFixture) -> None:
    outputs = [*OUTPUTS * 20, *(OUTPUTS[1:] + OUTPUTS[:1]) * 20]
    (remark,) = remarks(caplog, SOURCES * 40, outputs)
    assert "A: 120 of 240 lines" in remark  # every tenth of 2,400, from the 1,201st on


def test_function_words_are_no_evidence(caplog: pytest.LogCaptureFixture) -> None:
    sources, outputs = ([f"it was the {line} of the" for line in lines] for lines in (SOURCES, OUTPUTS))
    assert len(remarks(caplog, sources, outputs[1:] + outputs[:1])) == 1


def test_outputs_that_begin_alike(caplog: pytest.LogCaptureFixture) -> None:
    """With three words, or fewer that end in a colon; nine in ten of twenty outputs at least; unlike the sources."""
    for opening in ("Simplified:", "**Simple version:**", "Here is a much simpler version of it:", "In easy words"):
        lines = [f"{opening} {line}" for line in OUTPUTS]
        remark = f"A: 57 of 60 outputs begin with {opening!r}, and their sources do not: take away what is no part of"
        (message,) = remarks(caplog, SOURCES, [*lines[:57], *OUTPUTS[57:]])
        assert message.startswith(remark)
        for sources, outputs in (
            ([f"{opening} {line}" for line in SOURCES], lines),
            (SOURCES, [*lines[:53], *OUTPUTS[53:]]),
            (SOURCES[:19], lines[:19]),
            (SOURCES, [*lines[:50], *["Yes."] * 10]),
            ([], lines),
        ):
            assert remarks(caplog, sources, outputs) == []
        (message,) = remarks(caplog, SOURCES, [*lines[:55], "Yes.", *[""] * 4])
        assert message.startswith(f"A: 55 of 56 outputs begin with {opening!r}")
    assert remarks(caplog, SOURCES, [f"easy {line}" for line in OUTPUTS]) == []
    assert remarks(caplog, ["a"] * 60, ["a b"] * 60) == []


def test_references_in_columns(caplog: pytest.LogCaptureFixture) -> None:
    """Half of the sentences have two; a tab that the source has is text."""
    lines = [f"{line}\t{line}" if i % 2 else line for i, line in enumerate(OUTPUTS)]
    remark_on_mistakes(SOURCES, [("A", lines)], [("R", lines)])
    (message,) = caplog.messages
    assert message.startswith("R, line 2: has a tab, and counts as one reference: where some sentences have more than")
    caplog.clear()
    remark_on_mistakes([line.replace(" ", "\t") for line in SOURCES], [], [("R", lines)])
    assert caplog.messages == []


def test_references_are_looked_at_too_and_each_is_to_be_another_one(caplog: pytest.LogCaptureFixture) -> None:
    references = list(zip(OUTPUTS, SOURCES, OUTPUTS, [""] * 60, [""] * 60, OUTPUTS[1:] + OUTPUTS[:1], strict=True))
    remark_on_mistakes(SOURCES, [], by_number(references))
    first, second = caplog.messages
    assert first.startswith("reference 6: 60 of 60 lines have hardly a word of their sources")
    assert second == "reference 1 and reference 3 hold the same lines: name each reference once"
    caplog.clear()
    remark_on_mistakes(SOURCES[:4], [], by_number(references[:4]))  # people may agree on a few
    assert by_number([["a", "b"], ["c"]]) == by_number([[], []]) == by_number([]) == []
    assert caplog.messages == []


@needs_data
def test_published_outputs_are_distinguished_from_shuffled_ones(caplog: pytest.LogCaptureFixture) -> None:
    folder = DATA / "easse"
    sources = (folder / "test_sets/turkcorpus/test.truecase.detok.orig").read_text(encoding="utf-8").splitlines()
    files = [path for path in (folder / "system_outputs/turkcorpus/test").rglob("*") if path.is_file()]
    assert len(files) > 40
    caplog.set_level(logging.WARNING)
    for path in files:
        outputs = path.read_text(encoding="utf-8").split("\n")[: len(sources)]
        assert remarks(caplog, sources, outputs) == []
        assert len(remarks(caplog, sources, RNG.permutation(outputs).tolist())) == 1
