"""Rules of a bundle that can never apply."""

from __future__ import annotations

from pathlib import Path

import pytest

from sbmt.simplifier import Simplifier


def test_labels_that_nothing_fills_are_named(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """But not those of numbers and names, which are protected, and none of the packaged model."""
    Simplifier.load("starter")
    assert caplog.messages == []
    rules = "".join(f"[NP] ||| big [{label},1] ||| large [{label},1] ||| a=1\n" for label in ("CD", "NNP", "NOPE"))
    (tmp_path / "rules").write_text(rules)
    (tmp_path / "model.yaml").write_text("format: 1\ngrammars: [{path: rules}]\nweights: {a: 1}\n")
    Simplifier.load(tmp_path)
    assert caplog.messages == ["no rule makes [NOPE] (1 in all); rules with such gaps never apply"]
