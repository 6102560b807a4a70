"""Files of words and expressions that are never changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from sbmt.errors import FormatError
from sbmt.text.protection.patterns import read_patterns
from sbmt.text.protection.phrases import Phrases


def matched(text: str, path: Path) -> list[str]:
    """What the patterns of a file match, in the order of the text."""
    matches = [match for pattern in read_patterns(path) for match in pattern.finditer(text)]
    return [match[0] for match in sorted(matches, key=lambda match: match.start())]


def test_patterns_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "protect.txt"
    path.write_text("# terms\n\nhabeas corpus\n/[A-Z]{2}-\\d+/\nC++\n", encoding="utf-8")
    text = "A writ of Habeas  corpus for QX-17 in C++, not habeas corpuses."
    assert matched(text, path) == ["Habeas  corpus", "QX-17", "C++"]


@pytest.mark.parametrize("entry", ["café bar", "cafe\u0301 bar"])
def test_accents_may_be_characters_of_their_own(tmp_path: Path, entry: str) -> None:
    path = tmp_path / "protect.txt"
    path.write_text(f"{entry}\n", encoding="utf-8")
    text = "A café bar, a cafe\u0301 bar, a cafe bar."
    assert matched(text, path) == ["café bar", "cafe\u0301 bar"]


def test_comments_marks_and_any_case_in_a_file_of_patterns(tmp_path: Path) -> None:
    path = tmp_path / "protect.txt"
    entries = ["\ufeffnumerous", "C#  # a language", "/\\bUTIL\\w+/i# none", "/a \\#1/ # such", "/commen/i", "#tools"]
    path.write_bytes("\r\n".join(entries).encode())
    text = "Numerous C# utilities utilized a #1 tool and COMMENCED."
    assert matched(text, path) == ["Numerous", "C#", "a #1", "COMMEN"]


def test_an_expression_may_hold_what_begins_a_comment(tmp_path: Path) -> None:
    path = tmp_path / "protect.txt"
    path.write_text("/tool #[0-9]/i  # of a / list /\n/etc/ or  # see /usr/\n", encoding="utf-8")
    assert matched("a Tool #1 and /a tool , /etc/ or", path) == ["Tool #1", "/etc/ or"]


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("/(/", "/(/: missing ), unterminated subpattern at position 0"),
        ("/x{99999999999}/", "/x{99999999999}/: the repetition number is too large"),
        (f"/{'(' * 5000}{')' * 5000}/", f"/{'(' * 79} ...: maximum recursion depth exceeded"),
        ("/[[a]b/", "/[[a]b/: Possible nested set at position 1"),
    ],
)
def test_a_bad_expression_is_named_with_its_line(tmp_path: Path, entry: str, message: str) -> None:
    path = tmp_path / "protect.txt"
    path.write_text(f"fine\n{entry}\n", encoding="utf-8")
    with pytest.raises(FormatError) as raised:
        read_patterns(path)
    assert f"protect.txt, line 2: not a regular expression: {message}" in str(raised.value)


@pytest.mark.parametrize("entry", ["/utilized", "/utilized # of use", "/utilized/x", "/utilized/gi", r"/and\/or"])
def test_an_expression_half_written_is_no_literal(tmp_path: Path, entry: str) -> None:
    path = tmp_path / "protect.txt"
    path.write_text(f"fine\n{entry}\n", encoding="utf-8")
    with pytest.raises(FormatError) as raised:
        read_patterns(path)
    message = f"protect.txt, line 2: {entry.partition(' ')[0]!r} is an expression half written (write /.../ or, for any"
    assert message in str(raised.value)


def test_paths_are_literals_and_a_word_with_a_slash_is_an_expression(tmp_path: Path) -> None:
    path = tmp_path / "protect.txt"
    path.write_text("/etc/hosts\n/\\/sarcasm/\n/\n", encoding="utf-8")
    assert matched("see /etc/hosts /sarcasm or / so", path) == ["/etc/hosts", "/sarcasm", "/"]


def test_an_expression_that_no_line_can_match_is_remarked_on(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "protect.txt"
    path.write_text(r"/a[^\n]/" + "\n" + r"/a\\n/" + "\n" + r"/\A.*?\n/" + "\n", encoding="utf-8")
    assert len(read_patterns(path)) == 3
    assert caplog.messages == [f"{path}, line 3: a line is looked at by itself, and no line holds \\n: /\\A.*?\\n/"]


@pytest.mark.parametrize(
    "entry", [r"\butil\w+", r"\w+ing", ".*ed", "utili[sz]e", "physician|doctor", "(?i)act", r"No\.\s\d"]
)
def test_an_expression_without_slashes_is_remarked_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, entry: str
) -> None:
    path = tmp_path / "protect.txt"
    path.write_text(f"fine\n{entry}\n", encoding="utf-8")
    assert read_patterns(path) == (Phrases(("fine", entry)),)
    remark = f"is taken as it is written; an expression stands between slashes: /{entry}/"
    assert caplog.messages == [f"{path}, line 2: {entry} {remark}"]


def test_words_with_odd_characters_are_not_remarked_on(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "protect.txt"
    entries = ("C++", "US$", "[NN,1]", "|||", "Why?", "F*", "C:\\data\\words", "x.y", "(so) ...")
    path.write_text("\n".join(entries) + "\n", encoding="utf-8")
    assert read_patterns(path) == (Phrases(entries),)
    assert caplog.messages == []
