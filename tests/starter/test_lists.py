"""The format of the lists: what a line means, and each thing that may be wrong with it."""

from __future__ import annotations

from pathlib import Path

import pytest
from starter.expand import read_syntactic
from starter.lists import parse_entry, read_list

from sbmt.errors import FormatError


def test_an_entry_has_a_head_ranked_targets_and_a_degree_of_safety() -> None:
    entry = parse_entry("verbs.txt", 7, "take* place = happen, occur")
    assert (str(entry.head), entry.head.marked, entry.line, entry.safe) == ("take place", 0, 7, True)
    assert [str(target) for target in entry.targets] == ["happen", "occur"]


def test_a_tilde_means_right_in_most_contexts() -> None:
    assert not parse_entry("verbs.txt", 1, "absorb ~ take in").safe


def test_a_label_may_stand_before_the_head() -> None:
    entry = parse_entry("function_words.txt", 1, "[IN] prior to = before")
    assert (entry.label, str(entry.head)) == ("IN", "prior to")


def test_comments_and_blank_lines_hold_nothing(tmp_path: Path) -> None:
    path = tmp_path / "verbs.txt"
    path.write_text("# all of it\n\ncommence = start  # formal\n")
    assert [(e.line, str(e.head)) for e in read_list(path)] == [(3, "commence")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("obtain get", r"line 2: is not an entry: 'obtain get' \(write: head = simpler, simpler2\)"),
        ("Obtain = get", "line 2: 'Obtain' is not a lower-case word"),
        ("obtain = g@t", "line 2: 'g@t' is not a lower-case word"),
        ("obtain = get, obtain", "line 2: 'obtain' is its own simpler equivalent"),
        ("obtain = get, get", "line 2: names a target twice"),
        ("take* part* = join", "line 2: marks two words of 'take\\* part\\*' as inflecting"),
        ("commence = begin", "line 2: 'commence' is a head already on line 1"),
        ("start = commence", "'(commence|start)' leads back to itself"),
        ("get = have, obtain\nobtain = buy, get", "line 2: 'get' leads back to itself"),
    ],
)
def test_each_mistake_is_named_with_its_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "verbs.txt"
    path.write_text(f"commence = start\n{text}\n")
    with pytest.raises(FormatError, match=message) as caught:
        read_list(path)
    assert caught.value.path == str(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("the manner ||| the way", "line 1: is not a rule"),
        ("[NP] ||| the manner in which [NN,1] ||| the way", "line 1: the gaps differ"),
    ],
)
def test_each_mistake_in_a_syntactic_rule_is_named(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "syntactic.txt"
    path.write_text(text + "\n")
    with pytest.raises(FormatError, match=message):
        list(read_syntactic(path))
