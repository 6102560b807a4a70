"""sbmt-rules show; scores are worked by hand from the small bundle's files."""

from __future__ import annotations

import csv
import io
import json
import math
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from sbmt.cli.rules import main
from sbmt.model import Model
from tests.commands import run

LN10 = math.log(10)


def shown(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    return run(main, capsys, "show", *arguments)


def test_candidates_are_ranked_by_the_models_score(bundle: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A rule: -p + lm + 0.5 log10(e) + 0.3; the copy has a penalty of 0.2 instead of p and the bonus for changes."""
    rows = json.loads(shown(capsys, "-m", bundle, "--json", "utilized"))
    assert [set(row) for row in rows] == [{"source", "target", "lhs", "score", "features", "rule"}] * 3
    word = 0.5 * math.log10(math.e)
    assert [(row["target"], row["lhs"]) for row in rows] == [("used", "VBD"), ("utilized", "X"), ("employed", "VBD")]
    assert [row["score"] for row in rows] == pytest.approx(
        [-0.5 - 1.5 * LN10 + word + 0.3, -2.5 * LN10 + word - 0.2, -1.5 - 3 * LN10 + word + 0.3], abs=1e-4
    )
    assert rows[0]["features"] == pytest.approx(
        {"p(e|f)": 0.5, "WordPenalty": -math.log10(math.e), "Changes": 1, "lm_0": -1.5 * LN10}, abs=1e-4
    )


def with_rule(bundle: Path, folder: Path, rule: str) -> Path:
    """The model with one rule more, in a folder of its own."""
    shutil.copytree(bundle, folder)
    with (folder / "grammar.ppdb").open("a") as stream:
        stream.write(f"{rule} ||| p(e|f)=0 ||| 0-0\n")
    return folder


def test_capitals_count_for_a_model_that_keeps_them(
    bundle: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = with_rule(bundle, tmp_path / "model", "[NNP] ||| Ulm ||| City")
    with (folder / "model.yaml").open("a") as stream:
        stream.write("text: {lowercase: false}\n")
    rows = json.loads(shown(capsys, "-m", folder, "--json", "Ulm"))
    assert {(row["source"], row["target"]) for row in rows} == {("Ulm", "City"), ("Ulm", "Ulm")}


def test_phrases_and_unknown_words(bundle: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = json.loads(shown(capsys, "-m", bundle, "--json", "In order to", "zzz"))
    assert [(row["source"], row["target"]) for row in rows] == [
        ("In order to", "to"),
        ("In order to", "in order to"),
        ("zzz", "zzz"),
    ]
    assert rows[1]["features"]["OOVPenalty"] == 3


def test_each_candidate_says_for_which_phrase_it_is_and_by_which_rule(
    bundle: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Rules in a context have other source sides than the phrase."""
    folder = tmp_path / "model"
    shutil.copytree(bundle, folder)
    (folder / "grammar.ppdb").write_text("[NP] ||| utilized [NN,1] ||| used [NN,1] ||| p(e|f)=0 ||| 0-0 1-1\n")
    expected = [
        ("utilized", "used", "[NP] ||| utilized [NN,1] ||| used [NN,1]"),
        ("utilized", "utilized", "[X] ||| utilized ||| utilized"),
        ("zzz", "zzz", "[X] ||| zzz ||| zzz"),
    ]
    rows = json.loads(shown(capsys, "-m", folder, "--json", "utilized", "zzz"))
    table = csv.DictReader(io.StringIO(shown(capsys, "-m", folder, "--csv", "utilized", "zzz")))
    for written in (rows, table):
        assert [(row["source"], row["target"], row["rule"]) for row in written] == expected


def test_text_names_copy_and_parts(bundle: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = shown(capsys, "-m", bundle, "--top", "2", "--features", "utilized").splitlines()
    assert lines[0].split() == ["utilized", f"({bundle})"]
    assert lines[1].split() == ["1", "-3.4367", "used", "[VBD]"]
    assert "-0.5000  p(e|f) = -1 x 0.5" in lines[3]
    assert [line.split()[2:] for line in lines if line.startswith("  2")] == [["utilized", "[X]", "(copy)"]]
    assert not any(line.startswith("  3") for line in lines)


def test_models_side_by_side(bundle: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = tmp_path / "other"
    shutil.copytree(bundle, other)
    config = (other / "model.yaml").read_text()
    (other / "model.yaml").write_text(config.replace('"p(e|f)": -1.0', '"p(e|f)": 9'))
    table = list(csv.DictReader(io.StringIO(shown(capsys, "-m", bundle, "-m", other, "--csv", "utilized"))))
    assert next(row["target"] for row in table if row["model"] == str(bundle)) == "used"
    assert next(row["target"] for row in table if row["model"] == str(other)) == "employed"
    rows = json.loads(shown(capsys, "-m", bundle, "-m", other, "--json", "utilized"))
    assert [row["model"] for row in rows] == [str(bundle)] * 3 + [str(other)] * 3


def test_models_in_columns(bundle: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = tmp_path / "other"
    shutil.copytree(bundle, other)
    config = (other / "model.yaml").read_text()
    (other / "model.yaml").write_text(
        config.replace('"p(e|f)": -1.0', '"p(e|f)": 9').replace("Changes: 0.3", "Changes: 0")
    )
    lines = shown(capsys, "-m", bundle, "-m", other, "--features", "--top", "1", "utilized").splitlines()
    used = next(i for i, line in enumerate(lines) if line.startswith("used  [VBD]"))
    assert lines[used].split()[2:] == ["1", "-3.4367", "2", f"{4.5 - 1.5 * LN10 + 0.5 * math.log10(math.e):.4f}"]
    parts = {line.split()[0]: line.split()[1:] for line in lines[used + 1 : used + 5]}
    assert parts["p(e|f)"] == ["-0.5000", "4.5000"]
    assert parts["Changes"] == ["0.3000", "0.0000"]
    assert "OOVPenalty" not in parts
    assert len({len(line) for line in lines if line}) == 1  # it is a table
    employed = next(line for line in lines if line.startswith("employed  [VBD]"))
    assert [employed.split()[i] for i in (2, 4)] == ["3", "1"]


def test_a_candidate_of_one_model_alone_has_no_place_in_the_other(
    bundle: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = with_rule(bundle, tmp_path / "other", "[VBD] ||| utilized ||| applied")
    for one, two, column in ((bundle, other, 0), (other, bundle, 2)):
        lines = shown(capsys, "-m", one, "-m", two, "utilized").splitlines()
        _, _, *columns = next(line for line in lines if line.startswith("applied")).split()
        assert (len(columns), columns[column]) == (3, "-")  # place and score in one model, neither in the other


def test_what_a_glossary_says_is_shown(bundle: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = Model.load(bundle).save(tmp_path / "house")
    (tmp_path / "house/words.txt").write_text("utilized != used\nThat tool = gadget\nsaw = saw\n", encoding="utf-8")
    model.replace(text=replace(model.config.text, glossary="words.txt")).save(tmp_path / "house")
    house = str(tmp_path / "house")
    lines = shown(capsys, "-m", house, "utilized").splitlines()
    assert [line.endswith("(never: glossary)") for line in lines if "  used  [" in line] == [True]
    assert shown(capsys, "-m", house, "He saw that tool").splitlines()[1] == f"{'':14}He saw gadget  (glossary)"
    lines = shown(capsys, "-m", house, "-m", bundle, "that tool", "utilized").splitlines()
    assert lines[1].split() == ["gadget", "(glossary)", "*", "-"]
    assert [line.split()[3] for line in lines if line.startswith("used")] == ["never"]


def test_the_copy_is_always_shown(bundle: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = json.loads(shown(capsys, "-m", bundle, "--json", "--top", "1", "utilized"))
    assert [row["target"] for row in rows] == ["used", "utilized"]
    lines = shown(capsys, "-m", bundle, "--top", "1", "utilized").splitlines()
    assert [line.split()[0] for line in lines[1:3]] == ["1", "2"]


def test_csv_with_features(bundle: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys, "-m", bundle, "--csv", "--features", "utilized")
    assert "\r" not in text
    first = next(csv.DictReader(io.StringIO(text)))
    parts = dict(part.split("=") for part in first["features"].split())
    assert sum(map(float, parts.values())) == pytest.approx(float(first["score"]), abs=1e-3)
    assert parts["p(e|f)"] == "-0.5"


def test_packed_rules_show_the_same(bundle: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    packed = tmp_path / "packed"
    shutil.copytree(bundle, packed)
    assert main(["pack", str(bundle / "grammar.ppdb"), str(packed / "grammar.ppdb")]) == 0
    before, after = (json.loads(shown(capsys, "-m", m, "--json", "enormous")) for m in (bundle, packed))
    assert [(row["target"], row["lhs"]) for row in after] == [(row["target"], row["lhs"]) for row in before]
    assert [row["score"] for row in after] == pytest.approx([row["score"] for row in before], abs=1e-4)


def test_models_without_rules_have_nothing_to_show(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "model.yaml").write_text("format: 1\ndecoder: {kind: identity}\n")
    assert main(["show", "-m", str(tmp_path), "word"]) == 2
    assert "rules are shown of models of kind 'scfg', 'phrase' and 'pbmt-r', not 'identity'" in capsys.readouterr().err
