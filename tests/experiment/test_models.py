"""Bundles that the experiment writes."""

from __future__ import annotations

import shutil
from pathlib import Path

from experiment.models import copy_model

from sbmt.model import Model
from sbmt.ppdb.packed import pack
from sbmt.ppdb.rule import Rule


def test_a_whole_model_has_other_rules_and_may_be_moved(bundle: Path, tmp_path: Path) -> None:
    grammar = tmp_path / "grammar"
    grammar.mkdir()
    pack([Rule("X", ("big",), ("used",), {"p(e|f)": -20.0})], grammar / "grammar.packed")
    model = Model.load(bundle)
    copy_model(model, [grammar], tmp_path / "best.whole")
    shutil.rmtree(grammar)
    (tmp_path / "best.whole").rename(tmp_path / "elsewhere")
    moved = Model.load(tmp_path / "elsewhere")
    assert moved.config.description == "best of the TurkCorpus experiment, with all its rules"
    assert moved.config.weights == model.config.weights
    assert all(file.parent == tmp_path / "elsewhere" for file in moved.files())
    assert moved.translator().translate(["big"])[0].text == "used"
