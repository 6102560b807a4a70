"""Strength: bounded, monotonic, and no change at 0."""

from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path

import pytest

from sbmt.config import plain
from sbmt.errors import FormatError, SbmtError
from sbmt.model import DecoderConfig, Model
from sbmt.simplifier import Options, Simplifier
from sbmt.simplifier.strength import strength_bias


def test_strength_is_a_logit_and_bounded() -> None:
    assert strength_bias(0.5, 3.0, []) == 0
    assert strength_bias(0.75, 2.0, []) == pytest.approx(2 * 1.0986123)
    assert strength_bias(0.2, 1.0, []) == pytest.approx(-strength_bias(0.8, 1.0, []))
    for wrong in (-0.1, 1.1):
        with pytest.raises(SbmtError, match=rf"strength: {wrong} is not from 0 to 1"):
            Options(strength=wrong)
    with pytest.raises(SbmtError, match="strength: expected a finite number, found nan"):
        Options(strength=math.nan)


def test_a_loaded_translator_has_its_weights(bundle: Path) -> None:
    model = Model.load(bundle)
    with pytest.raises(SbmtError, match=r"strength: a translator that is loaded has its weights: let Simplifier\.load"):
        Simplifier(model.translator(), model.config.text, Options(strength=0.2))


@pytest.mark.parametrize("scale", [0.0, 0.001])
def test_the_ends_of_strength_hold_whatever_a_model_scales(bundle: Path, tmp_path: Path, scale: float) -> None:
    folder = Model.load(bundle).replace(strength=scale).save(tmp_path / "scaled").folder
    text = "He utilized numerous tools in order to commence."
    assert Simplifier.load(folder, Options(strength=0)).simplify(text).output == text
    assert len(Simplifier.load(folder, Options(strength=1)).simplify(text).changes) == 5


@pytest.mark.parametrize("kind", ["phrase", "scfg"])
def test_nothing_changes_at_0_where_known_words_do_not_pass_through(tmp_path: Path, kind: str) -> None:
    """No rule copies these words, and the language model likes another order."""
    (tmp_path / "rules").write_text("[X] ||| tools ||| things ||| a=1\n[X] ||| numerous ||| many ||| a=1\n")
    ngrams = "\\data\\\nngram 1=4\nngram 2=1\n\n\\1-grams:\n-2\t<unk>\n-9\t<s>\t0\n-1\t</s>\n-1\ttools\t0\n"
    (tmp_path / "lm.arpa").write_text(f"{ngrams}\n\\2-grams:\n-0.1\t<s> tools\n\n\\end\\\n")
    (tmp_path / "model.yaml").write_text(
        f"format: 1\ndecoder: {{kind: {kind}, settings: {{pass_only_unknown: true}}}}\n"
        "grammars: [{path: rules}]\nlanguage_models: [{path: lm.arpa}]\nweights: {a: 1, lm_0: 1}\n"
    )
    text = "He uses numerous tools."
    assert Simplifier.load(tmp_path, Options(strength=0)).simplify(text).output == text
    assert "many" in Simplifier.load(tmp_path, Options(strength=0.5)).simplify(text).output


@pytest.mark.parametrize("kind", ["phrase", "scfg"])
def test_the_ends_of_strength_hold_whatever_a_model_weighs(tmp_path: Path, kind: str) -> None:
    """Also the score of a rule for a change, or against it, of more than 1,000."""
    text = "He utilized it."
    for value in (2, -2):
        (tmp_path / "rules").write_text(f"[X] ||| utilized ||| used ||| p={value}\n")
        for scale in (1, 1000):
            (tmp_path / "model.yaml").write_text(
                f"format: 1\ndecoder: {{kind: {kind}, settings: {{pass_only_unknown: false}}}}\n"
                f"grammars: [{{path: rules}}]\nweights: {{p: 600}}\nstrength: {scale}\n"
            )
            results = [Simplifier.load(tmp_path, Options(strength=s, nbest=5)).simplify(text) for s in (0, 1)]
            assert [result.output for result in results] == [text, "He used it."]
            assert len(results[0].nbest) == 1
    biases = [strength_bias(strength, 1000, [600]) for strength in (0, 0.1, 1 - 2**-53, 1)]
    assert biases == sorted(set(biases))


def test_a_model_cannot_turn_strength_round(tmp_path: Path) -> None:
    (tmp_path / "model.yaml").write_text("format: 1\nstrength: -1\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r"model\.yaml: strength: -1 is below 0: more would mean fewer changes"):
        Model.load(tmp_path)


def test_more_strength_never_means_fewer_changes(bundle: Path, tmp_path: Path) -> None:
    """With exhaustive search, sentence by sentence; at 0 nothing changes, at 1 all that can."""
    config = plain(Model.load(bundle).config)
    sentences = ["He utilized numerous tools in order to commence.", "An enormous dog.", "Many tools utilized tools."]
    exhaustive = Model.load(bundle).replace(decoder=DecoderConfig(settings={"pop_limit": 0})).save(tmp_path / "all")
    counts = []
    for strength in (0, 0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.97, 0.99, 1):
        simplifier = Simplifier.load(exhaustive.folder, Options(strength=strength, explain=False))
        counts.append([len(simplifier.simplify(sentence).changes) for sentence in sentences])
    assert config["weights"]["Changes"] == 0.3
    assert counts == sorted(counts)
    assert all(low <= high for a, b in pairwise(counts) for low, high in zip(a, b, strict=True))
    assert counts[0] == [0, 0, 0]
    assert counts[-1] == [5, 1, 3]


def test_baselines_have_no_strength(tmp_path: Path) -> None:
    (tmp_path / "model.yaml").write_text("format: 1\ndecoder: {kind: identity}\n", encoding="utf-8")
    assert Simplifier.load(tmp_path).simplify("He utilized it.").output == "He utilized it."
    with pytest.raises(
        SbmtError, match=r"strength: models of kind 'identity' have none \(kinds that do: scfg, phrase\)"
    ):
        Simplifier.load(tmp_path, Options(strength=0.6))
