"""Joshua configurations of phrase-based decoding (`search = stack`): a case worked by hand, and what is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from sbmt.decoder.joshua import load_joshua
from sbmt.errors import SbmtError

TABLE = "big dog ||| large hound ||| 0.5 0.25 ||| 0-0 1-1\n"
CONFIG = """\
lm = none 5 false false 100 missing
tm = moses -owner pt -maxspan 0 -path table
search = stack
pop-limit = 10
reordering-limit = 6
output-format = %i ||| %s ||| %f ||| %c
top-n = 10
mark-oovs = false
feature-function = Distortion
feature-function = OOVPenalty
feature-function = WordPenalty
feature-function = PhrasePenalty -owner pt
Distortion 0.1
OOVPenalty 0.1
WordPenalty -1
PhrasePenalty -0.2
tm_pt_0 1
tm_pt_1 2
"""
# ln 0.5 = -0.693, ln 0.25 = -1.386; two words, whose penalty is -0.869, without the marks. `dog big` jumps over 1 and
# back over 2.
EXPECTED = [
    "0 ||| large hound ||| PhrasePenalty=1.000 WordPenalty=-0.869 tm_pt_0=-0.693 tm_pt_1=-1.386 ||| -2.797",
    "0 ||| big dog ||| OOVPenalty=-200.000 WordPenalty=-0.869 ||| -19.131",
    "0 ||| dog big ||| Distortion=-3.000 OOVPenalty=-200.000 WordPenalty=-0.869 ||| -19.431",
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "table").write_text(TABLE)
    (tmp_path / "joshua.config").write_text(CONFIG)
    return tmp_path


def lines(folder: Path, line: str = "big dog") -> list[str]:
    return list(load_joshua(folder / "joshua.config").decode_line(line, 0))


def test_hand_worked_case(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert lines(folder) == EXPECTED
    assert caplog.messages == []


@pytest.mark.parametrize(
    ("limit", "expected"), [("reordering-limit = 0", 2), ("reordering-limit = -1", 3), ("reordering-limit = 2", 3)]
)
def test_the_reordering_limit_is_that_of_distortion(folder: Path, limit: str, expected: int) -> None:
    (folder / "joshua.config").write_text(CONFIG.replace("reordering-limit = 6", limit))
    assert len(lines(folder)) == expected


def test_the_pop_limit_is_that_of_stacks(folder: Path) -> None:
    """A stack of one keeps the best alone."""
    (folder / "joshua.config").write_text(CONFIG + "pop-limit = 1\n")
    assert lines(folder) == EXPECTED[:1]
    (folder / "joshua.config").write_text(CONFIG + "pop-limit = 0\n")  # all, in a chart
    with pytest.raises(SbmtError, match=r"joshua\.config, line 19: option pop-limit is 0, which is not at least 1"):
        lines(folder)


def test_translation_options_are_those_of_a_span(folder: Path) -> None:
    (folder / "table").write_text("".join(f"dog ||| {word} ||| {p} 1\n" for word, p in (("pup", 0.3), ("hound", 0.5))))
    for options, expected in ((1, ["hound"]), (2, ["hound", "pup"])):
        (folder / "joshua.config").write_text(CONFIG + f"true-oovs-only = true\nnum-translation-options = {options}\n")
        assert [line.split(" ||| ")[1] for line in lines(folder, "dog")] == expected


def test_words_that_are_known_may_be_kept_from_passing(folder: Path) -> None:
    (folder / "table").write_text("dog ||| hound ||| 1 1\n")
    for value, expected in (("false", ["hound", "dog"]), ("true", ["hound"])):
        (folder / "joshua.config").write_text(CONFIG + f"true-oovs-only = {value}\n")
        assert [line.split(" ||| ")[1] for line in lines(folder, "dog")] == expected


def test_derivations_are_in_the_order_of_the_output(folder: Path) -> None:
    (folder / "joshua.config").write_text(CONFIG + "output-format = %t | %a\nDistortion -9\ntop-n = 1\ntm_pt_0 99\n")
    assert lines(folder) == ["(ROOT ([X] dog) ([X] big)) | 1-0 0-1"]


def test_what_it_leaves_out_is_told(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    (folder / "table").write_text(TABLE + "[X] ||| a [X,1] ||| b [X,1] ||| 1 1\n")
    (folder / "joshua.config").write_text(CONFIG.replace("mark-oovs = false", "mark-oovs = true"))
    assert lines(folder, "big dog ||| dog big") == EXPECTED
    assert caplog.messages == [
        f"{folder / 'table'} has rules with gaps, which phrase-based decoding never applies",
        "options of search = cky are left out, as here search = stack: mark-oovs",
        "line 1: the target is not enforced, because a search in stacks (search = stack) cannot do so",
    ]
