"""Glossaries in a small model and in the command."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from sbmt.cli.decode import main
from sbmt.errors import SbmtError
from sbmt.model import Model
from sbmt.simplifier import Options, Simplifier
from sbmt.text.glossary import Glossary
from sbmt.text.glossary_lines import keeping_line, parse_glossary, read_glossary, refusing_line


@pytest.fixture(scope="module")
def starter() -> Simplifier:
    return Simplifier.load("starter")


def simplifier(
    bundle: Path, wanted: dict[str, str] | None = None, refused: tuple[tuple[str, str], ...] = ()
) -> Simplifier:
    terms = {tuple(term.split()): tuple(words.split()) for term, words in (wanted or {}).items()}
    pairs = tuple((tuple(term.split()), tuple(words.split())) for term, words in refused)
    return Simplifier.load(bundle, Options(glossary=Glossary(terms, pairs)))


def with_glossary(folder: Path, path: str) -> None:
    config = yaml.safe_load((folder / "model.yaml").read_text(encoding="utf-8"))
    config["text"]["glossary"] = path
    (folder / "model.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")


def test_wanted_words_are_written_and_said_to_be_of_a_constraint(bundle: Path) -> None:
    result = simplifier(bundle, {"utilized": "employed", "dog": "NHS hound"}).simplify("He utilized an enormous dog.")
    assert result.output == "He employed a big NHS hound."
    first, _, last = result.changes
    assert (first.source, first.output, first.owner, first.alternatives) == ("utilized", "employed", "constraint", ())
    assert (last.rule, last.owner) == ("[X] ||| dog ||| NHS hound", "constraint")
    assert result.output[slice(*last.output_span)] == "NHS hound"


def test_wanted_words_take_the_case_of_what_they_replace(bundle: Path) -> None:
    changed = simplifier(bundle, {"numerous": "a lot of", "tools": "NHS tools"})
    assert changed.simplify("Numerous tools.").output == "A lot of NHS tools."
    assert changed.simplify("NUMEROUS TOOLS ARE HERE").output == "A LOT OF NHS TOOLS ARE HERE"


def test_words_written_for_an_acronym_are_not_in_capitals(bundle: Path, tmp_path: Path) -> None:
    """Nor for a term whose words have capitals; NUMEROUS is one written large."""
    house = tmp_path / "house.txt"
    house.write_text("GP = family doctor\nNHS = National health service\nC++ = C plus plus\nnumerous = many\n")
    simplifier = Simplifier.load(bundle, Options(glossary=read_glossary(house)))
    assert simplifier.simplify("Ask a GP at the NHS.").output == "Ask a family doctor at the National health service."
    assert simplifier.simplify("GP visits for NUMEROUS users of C++.").output == (
        "Family doctor visits for MANY users of C plus plus."
    )
    assert simplifier.simplify("ASK A GP NOW").output == "ASK A FAMILY DOCTOR NOW"


def test_a_term_that_is_to_stay_is_no_change(bundle: Path) -> None:
    result = simplifier(bundle, {"numerous": "numerous"}).simplify("He utilized numerous tools.")
    assert result.output == "He used numerous tools."
    assert [change.source for change in result.changes] == ["utilized"]


def test_refused_words_are_not_written(bundle: Path) -> None:
    result = simplifier(bundle, refused=(("numerous", "many"),)).simplify("He utilized numerous tools.")
    assert result.output == "He used numerous tools."


def test_refused_words_are_offered_nowhere(bundle: Path) -> None:
    glossary = Glossary({}, ((("numerous",), ("many",)),))
    result = Simplifier.load(bundle, Options(glossary=glossary, nbest=50)).simplify("He saw numerous")
    assert result.output == "He saw numerous"
    assert [entry.output for entry in result.nbest] == ["He saw numerous", "He saw a lot of"]
    changed = Simplifier.load(bundle, Options(glossary=glossary, strength=1)).simplify("He saw numerous")
    assert [entry.output for entry in changed.changes[0].alternatives] == ["numerous"]


def test_refused_words_are_not_written_at_any_strength(bundle: Path) -> None:
    pairs = ((("numerous",), ("many",)), (("numerous",), ("a", "lot", "of")))
    simplifier = Simplifier.load(bundle, Options(glossary=Glossary({}, pairs), strength=1))
    assert simplifier.simplify("Numerous, numerous, numerous!").output == "Numerous, numerous, numerous!"


def test_words_are_refused_under_large_weights(bundle: Path, tmp_path: Path) -> None:
    """A thousand times these is more than a weight may be."""
    model = Model.load(bundle)
    model.replace(weights={name: 1e6 * weight for name, weight in model.config.weights.items()}).save(tmp_path)
    assert simplifier(tmp_path).simplify("He saw numerous").output == "He saw many"
    refused = simplifier(tmp_path, refused=(("numerous", "many"), ("numerous", "a lot of")))
    assert refused.simplify("He saw numerous").output == "He saw numerous"


@pytest.mark.parametrize(
    ("text", "offered"),
    [
        ("Do it prior to the meeting.", "prior to != before"),
        ("He is unable to come.", "is unable to != cannot"),
        ("They are currently built.", "currently != now"),
        ("The remainder of it is lost.", "remainder != rest"),
        ("It was an elongated hall.", "elongated != long"),
        ("He lost multiple games.", "multiple != several"),
        ("They did so in order to win.", ""),
        ("A total of 30 towns were hit.", ""),
        ("The work commenced in the vicinity.", "commenced != started"),
    ],
)
def test_the_line_that_a_page_offers_changes_what_is_written(
    starter: Simplifier, tmp_path: Path, text: str, offered: str
) -> None:
    """With the starter model, which has many rules for the same words; none is offered for words that are dropped."""
    before = starter.simplify(text)
    _, source, target = before.changes[0].rule.split(" ||| ")
    line = refusing_line(source, target)
    (tmp_path / "house.txt").write_text(f"{line}\n")
    after = Simplifier.load("starter", Options(glossary=read_glossary(tmp_path / "house.txt"))).simplify(text)
    assert (line, after.output != before.output) == (offered, bool(offered))


def test_the_line_that_keeps_words_holds_beside_others(starter: Simplifier, tmp_path: Path) -> None:
    before = starter.simplify("Approximately 200 came.")
    _, source, target = before.changes[0].rule.split(" ||| ")
    (tmp_path / "house.txt").write_text(f"{keeping_line(source, target, before.changes[0].source)}\n")
    kept = Simplifier.load("starter", Options(glossary=read_glossary(tmp_path / "house.txt")))
    text = "Then approximately 40 people came."
    assert before.output == "About 200 came."
    assert kept.simplify(text).output == text


def test_words_never_to_be_written(bundle: Path, tmp_path: Path) -> None:
    house = tmp_path / "house.txt"
    house.write_text("!= a lot of|many|used\n")
    simplifier = Simplifier.load(bundle, Options(glossary=read_glossary(house), strength=1))
    assert simplifier.simplify("He used numerous utilized tools.").output == "He used numerous employed things."


def test_a_bundle_has_a_glossary_of_its_own(bundle: Path, tmp_path: Path) -> None:
    """In the command too, whose own one wins; a saved bundle keeps it."""
    mine, text, out = (tmp_path / name for name in ("mine.txt", "text", "out"))
    Model.load(bundle).save(tmp_path / "model")
    (tmp_path / "model/house.txt").write_text("utilized = employed\nnumerous != many\n!= big\n", encoding="utf-8")
    with_glossary(tmp_path / "model", "house.txt")
    moved = Model.load(tmp_path / "model").save(tmp_path / "elsewhere")
    assert moved.file(moved.config.text.glossary).resolve() == tmp_path / "model/house.txt"
    text.write_text("He utilized numerous enormous tools.\n")
    mine.write_text("utilized = wielded\nenormous != large\n")
    for folder in ("model", "elsewhere"):
        simplifier = Simplifier.load(tmp_path / folder)
        assert simplifier.simplify(text.read_text()).output == "He employed numerous large tools.\n"
        arguments = ["-m", str(tmp_path / folder), "--glossary", str(mine), "-o", str(out), str(text)]
        assert not main(arguments)
        assert out.read_text() == "He wielded numerous enormous tools.\n"


def test_a_bundle_has_a_list_of_its_own_of_what_is_kept(bundle: Path, tmp_path: Path) -> None:
    model = Model.load(bundle).save(tmp_path / "model")
    (tmp_path / "model/keep.txt").write_text("numerous\n", encoding="utf-8")
    text = replace(model.config.text, patterns="keep.txt")
    model.replace(text=text).save(tmp_path / "model")
    elsewhere = Model.load(tmp_path / "model").save(tmp_path / "elsewhere")
    assert (tmp_path / "model/keep.txt").resolve() in [path.resolve() for path in elsewhere.files()]
    for folder in ("model", "elsewhere"):
        simplifier = Simplifier.load(tmp_path / folder, Options(patterns=(re.compile("tools"),)))
        assert simplifier.simplify("He utilized numerous enormous tools.").output == "He used numerous big tools."


def test_a_bundle_whose_glossary_is_not_there(bundle: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Model.load(bundle).save(tmp_path / "model")
    (tmp_path / "text").write_text("Fine\n")
    for key, problem in (
        ("house.txt", f"{tmp_path}/model/house.txt: no such file"),
        ("package:nosuch/x", f"{tmp_path}/model/model.yaml: 'package:nosuch/x': there is no package sbmt.nosuch"),
    ):
        with_glossary(tmp_path / "model", key)
        assert main(["-m", str(tmp_path / "model"), str(tmp_path / "text")]) == 2
        assert problem in capsys.readouterr().err


def test_the_loaded_decoder_is_left_as_it_was(bundle: Path) -> None:
    model = Model.load(bundle)
    translator = model.translator()
    Simplifier(translator, model.config.text, Options(glossary=Glossary({}, ((("numerous",), ("many",)),))))
    assert Simplifier(translator, model.config.text).simplify("Numerous tools.").output == "Many tools."


def test_a_model_without_rules_cannot_refuse(tmp_path: Path) -> None:
    (tmp_path / "model.yaml").write_text("format: 1\ndecoder: {kind: identity}\n")
    with pytest.raises(SbmtError, match=r"glossary: TERM != WORDS needs a model that decodes with rules"):
        simplifier(tmp_path, refused=(("numerous", "many"),))


def test_the_command_reads_a_glossary(bundle: Path, tmp_path: Path) -> None:
    text, house, out = tmp_path / "text", tmp_path / "house.txt", tmp_path / "out"
    text.write_text("He utilized numerous tools.\n")
    house.write_text("utilize|utilized = employ|employed\nnumerous != many\n")
    assert not main(["-m", str(bundle), "--glossary", str(house), "-o", str(out), "--jobs", "2", str(text)])
    assert out.read_text() == "He employed numerous tools.\n"
    assert read_glossary(house).refused == ((("numerous",), ("many",)),)


def test_a_joshua_configuration_takes_no_glossary(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-c", "joshua.config", "--glossary", "house.txt"]) == 2
    assert "--glossary needs a model (-m)" in capsys.readouterr().err


def test_other_options_share_the_model_and_keep_its_lists(bundle: Path, tmp_path: Path) -> None:
    house = Model.load(bundle).save(tmp_path / "house").folder
    (house / "words.txt").write_text("utilized = employed\ntools = kit\n", encoding="utf-8")
    (house / "keep.txt").write_text("numerous\n", encoding="utf-8")
    with_glossary(house, "words.txt")
    config = yaml.safe_load((house / "model.yaml").read_text(encoding="utf-8"))
    config["text"]["patterns"] = "keep.txt"
    (house / "model.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
    text = "He utilized numerous tools in Ulm."
    loaded = Simplifier.load(house)
    for _ in range(2):
        one = loaded.with_options(Options(glossary=parse_glossary(["tools = gear"]), patterns=(re.compile("He"),)))
        refusing = one.with_options(Options(glossary=parse_glossary(["in != at"])))
        outputs = [simplifier.simplify(text).output for simplifier in (loaded, one, refusing)]
        assert outputs == [f"He employed numerous {kit} in Ulm." for kit in ("kit", "gear", "kit")]
    with pytest.raises(
        SbmtError, match=r"strength: is 0\.2, and this simplifier has 0\.5: give the options strength=0\.5, "
    ):
        loaded.with_options(Options(strength=0.2))
    eager = Simplifier.load(house, Options(strength=0.9))
    assert eager.with_options(Options(strength=0.9)).simplify(text).output == eager.simplify(text).output


def test_a_bundles_lists_are_not_left_out_in_silence(bundle: Path) -> None:
    model = Model.load(bundle)
    for name in ("glossary", "patterns"):
        with pytest.raises(SbmtError, match=r"text: its glossary and patterns are files of a bundle: let Simplifier\."):
            Simplifier(model.translator(), replace(model.config.text, **{name: "words.txt"}))
