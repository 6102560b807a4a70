"""Rules with capitals in their source side."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sbmt.model import Model
from sbmt.ppdb.capitals import count_capitals, has_capitals
from sbmt.ppdb.grammar import Grammar
from sbmt.ppdb.packed import pack
from sbmt.ppdb.rule import Rule

WHAT = "rules with capitals in the source side"
SIDE = st.lists(st.sampled_from(["a", "B", "É", "é", "iPhone", "12", "[NN,1]"]), min_size=1, max_size=3, unique=True)


@given(st.lists(SIDE, max_size=20))
def test_capitals_are_counted_in_the_trie(sides: list[list[str]]) -> None:
    """The count is that of `has_capitals`; capitals of labels and of the target side do not count."""
    rules = [Rule("X", tuple(side), ("Z", *(symbol for symbol in side if symbol == "[NN,1]"))) for side in sides]
    assert count_capitals(Grammar.from_rules(rules, "pt", 20).columns) == sum(map(has_capitals, rules))
    assert sum(map(has_capitals, rules)) == sum(not {"B", "É", "iPhone"}.isdisjoint(side) for side in sides)


def test_reading_or_packing_a_grammar_warns_of_capitals(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "rules").write_text("Numerous\tmany\nbig\tLarge\n")
    for text, expected in (("", [f"{tmp_path}/rules"]), ("text: {lowercase: false}", [])):
        (tmp_path / "model.yaml").write_text(f"format: 1\ngrammars: [{{path: rules}}]\n{text}\n")
        Model.load(tmp_path).translator()
        assert [message.partition(f": {WHAT}: 1; ")[0] for message in caplog.messages] == expected
        caplog.clear()
    pack([Rule("X", ("Numerous",), ("many",))], tmp_path / "packed")
    assert caplog.messages[0].startswith(f"{tmp_path}/packed: {WHAT}: 1; they never apply")
    caplog.clear()
    (tmp_path / "model.yaml").write_text("format: 1\ngrammars: [{path: packed}]\n")
    Model.load(tmp_path).translator()
    assert not caplog.messages  # it was said
