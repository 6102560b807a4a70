"""What a rule changes, by a change model, worked by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from sbmt.features.sentence.application import Application
from sbmt.features.sentence.change_model import ChangeModel
from sbmt.features.sentence.change_odds import ChangeOdds
from sbmt.model import Model


def test_the_decoder_feature_sums_over_changed_words() -> None:
    """Odds: the model has only a bias, so every word has log-odds 0.5."""
    feature = ChangeOdds(ChangeModel({"bias": 0.5}, {}))
    sentence = "in order to win".split()
    applications = [
        Application(0, 7, "pt", "X", (0, 3), ("to",), 0),
        Application(0, 8, "pt", "X", (0, 1), ("in",), 0),
        Application(-1, -1, "oov", "X", (3, 4), ("win",), 0),
        Application(0, 9, "pt", "X", (0, 4), ("so", 0), 1),
    ]
    assert list(feature.values(sentence, applications)) == [
        (0, "ChangedWords", 2.0),
        (0, "ChangeLogOdds", pytest.approx(1.0)),
    ]


@pytest.mark.parametrize(("odds", "best"), [(1.0, "huge"), (-1.0, "grand")])
def test_the_change_model_of_a_bundle_is_used(odds: float, best: str, tmp_path: Path) -> None:
    """The rule itself counts nothing: what the model says of the word decides."""
    (tmp_path / "rules").write_text("[X] ||| grand ||| huge ||| p=0\n")
    (tmp_path / "change.json").write_text(f'{{"weights": {{"bias": {odds}}}, "lexicons": {{}}}}')
    (tmp_path / "model.yaml").write_text(
        "format: 1\ngrammars: [{path: rules}]\nchange_model: change.json\nweights: {ChangeLogOdds: 1}\n"
    )
    (hypothesis,) = Model.load(tmp_path).translator().translate(["grand"])
    assert (hypothesis.text, hypothesis.features.get("ChangeLogOdds", 0)) == (best, pytest.approx(max(odds, 0)))
