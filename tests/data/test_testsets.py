"""Named test sets, in a folder made for the purpose."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from sbmt.cli.evaluate import main as evaluate
from sbmt.cli.report import main as report
from sbmt.data import registry, testsets
from sbmt.data.registry import DataFile, Entry, find_entry
from sbmt.data.testsets import Part, load_test_set, set_files
from sbmt.errors import SbmtError


def test_reads_sources_and_references_side_by_side(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "testsets.yaml").write_text("mine/test: {source: s, references: [r1, r2, r3, r4]}")
    (tmp_path / "s").write_text("a b\nc\n")
    for i in range(1, 5):
        (tmp_path / f"r{i}").write_text(f"a {i}\n\n")
    test_set = load_test_set("mine/test", str(tmp_path))
    assert test_set.sources == ["a b", "c"]
    assert test_set.references == [["a 1", "a 2", "a 3", "a 4"], ["", "", "", ""]]
    monkeypatch.setenv("SBMT_DATA", str(tmp_path))
    assert load_test_set("mine/test") == test_set
    (tmp_path / "other").mkdir()
    monkeypatch.setenv("SBMT_DATA", str(tmp_path / "other"))
    assert load_test_set("mine/test", str(tmp_path)) == test_set  # the folder named is the one


def test_references_may_be_named_by_a_prefix(tmp_path: Path) -> None:
    """As on the command line: those that number it, without a gap; a file of the whole name, no folder, comes first."""
    (tmp_path / "r.").mkdir()
    (tmp_path / "testsets.yaml").write_text("mine: {source: s, references: [r., q]}")
    for name in ("s", "r.0", "r.1", "q", "q0"):
        (tmp_path / name).write_text(f"{name}\n")
    assert load_test_set("mine", str(tmp_path)).references == [["r.0", "r.1", "q"]]
    (tmp_path / "r.3").touch()
    with pytest.raises(SbmtError, match=r"/r\.: these files are not numbered one after the other \(found .*/r\.3\)"):
        load_test_set("mine", str(tmp_path))


def test_marks_of_editors_are_no_text(tmp_path: Path) -> None:
    (tmp_path / "testsets.yaml").write_text("mine: {source: s, references: [r]}")
    (tmp_path / "s").write_bytes(b"\xef\xbb\xbfa\r\nb\r\n")
    (tmp_path / "r").write_bytes(b"c\nd\n")
    test_set = load_test_set("mine", str(tmp_path))
    assert (test_set.sources, test_set.references) == (["a", "b"], [["c"], ["d"]])


def test_a_registered_name_is_not_taken(tmp_path: Path) -> None:
    (tmp_path / "testsets.yaml").write_text(
        "".join(f"{name}: {{source: s, references: [s]}}\n" for name in ("asset/test", "asset", "mine", "asset_test"))
    )
    (tmp_path / "s").write_text("a\n")
    with pytest.raises(
        SbmtError, match=r"testsets.yaml: 'asset/test' is the name of a registered set \(give yours anot"
    ):
        load_test_set("asset/test", str(tmp_path))
    with pytest.raises(SbmtError, match=r"'asset' is the name of a registered collection .give yours anot"):
        load_test_set("asset", str(tmp_path))
    assert [load_test_set(name, str(tmp_path)).sources for name in ("mine", "asset_test")] == [["a"]] * 2


def test_mistakes_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SBMT_DATA", raising=False)
    with pytest.raises(SbmtError, match="no data folder: give --data-dir or set SBMT_DATA"):
        load_test_set("asset/test")
    with pytest.raises(SbmtError, match=r"'mine' \(sbmt-data list .* known; your own need --data-dir or SBMT_DATA\)$"):
        load_test_set("mine")
    with pytest.raises(SbmtError, match="no such data folder"):
        load_test_set("asset/test", str(tmp_path / "nowhere"))
    with pytest.raises(SbmtError, match=r"^unknown test set 'zzz' \(sbmt-data list names those that are known\)$"):
        load_test_set("zzz", str(tmp_path))
    with pytest.raises(SbmtError, match="unknown test set 'ASSET_test': did you mean 'asset_test'"):
        load_test_set("ASSET_test", str(tmp_path))
    with pytest.raises(SbmtError, match="unknown test set 'HSplit': did you mean 'hsplit/test'"):
        load_test_set("HSplit", str(tmp_path))
    with pytest.raises(SbmtError, match="turkcorpus/test, turkcorpus/tune, turkcorpus-truecased/test, turkcorpus-true"):
        load_test_set("TurkCorpus", str(tmp_path))
    with pytest.raises(SbmtError, match=r"'asset/test' is not under .*looked for asset/dataset/asset.test.orig"):
        load_test_set("asset/test", str(tmp_path))


def test_easses_names_stand_for_the_sets_with_the_same_files() -> None:
    """The files are those that EASSE's `constants.py` names for a set."""
    expected = {
        "turkcorpus_test": "test.truecase.detok.orig",
        "turkcorpus_valid": "tune.truecase.detok.orig",
        "turkcorpus_test_legacy": "test.8turkers.tok.norm",
        "turkcorpus_valid_legacy": "tune.8turkers.tok.norm",
        "asset_test": "asset.test.orig",
        "asset_valid": "asset.valid.orig",
        "hsplit_test": "hsplit.tok.src",
        "pwkp_test": "pwkp.test.orig",
        "pwkp_valid": "pwkp.valid.orig",
        "qats_test": "qats.test.orig",
        "wikisplit_test": "wikisplit.test.untok.orig",
        "wikisplit_valid": "wikisplit.valid.untok.orig",
        "googlecomp_test": "googlecomp.test.orig",
        "googlecomp_valid": "googlecomp.valid.orig",
    }
    assert {name: Path(find_entry(name).files[0].path).name for name in registry.ALIASES} == expected


def test_a_set_is_read_by_easses_name(part: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "ALIASES", {"whole_test": "whole"})
    assert load_test_set("whole_test") == load_test_set("whole")
    (part / "testsets.yaml").write_text("whole_test: {source: p.ref, references: [p.ref]}")
    assert load_test_set("whole_test").name == "whole_test"  # your own comes first


WHOLE = ["The mill burned .", "Nobody came .", "He left .", "It rained ."]


@pytest.fixture
def part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the registered sets `whole` and `part`, which has lines 2 and 4 of the four of `whole`."""
    contents = {
        "w.src": WHOLE,
        "w.ref": WHOLE,
        "p.src": [f"1\t{WHOLE[1]}", f"3\t{WHOLE[3]}"],
        "p.ref": ["1\tNo one came .", "3\tRain fell ."],
    }
    files = {}
    for name, lines in contents.items():
        text = "".join(f"{line}\n" for line in lines)
        (tmp_path / name).write_text(text, encoding="utf-8")
        files[name] = DataFile(name, (), "", hashlib.sha256(text.encode()).hexdigest(), len(lines))
    entries = {
        "whole": Entry("whole", "ours", "CC0", "lines", (files["w.src"], files["w.ref"])),
        "part": Entry("part", "ours", "CC0", "numbered", (files["p.src"], files["p.ref"]), "whole"),
    }
    for module in (registry, testsets):
        monkeypatch.setattr(module, "registry", lambda: entries)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SBMT_DATA", str(tmp_path))
    return tmp_path


def test_a_part_knows_which_lines_it_has(part: Path) -> None:
    test_set = load_test_set("part")
    assert (test_set.sources, test_set.references) == ([WHOLE[1], WHOLE[3]], [["No one came ."], ["Rain fell ."]])
    assert test_set.part == Part("whole", 4, [1, 3])
    assert load_test_set("whole").part is None


def test_outputs_for_the_whole_serve_a_part(
    part: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    outputs = ["x", "No one came .", "y", "It fell ."]
    (part / "all").write_text("".join(f"{line}\n" for line in outputs))
    (part / "some").write_text("No one came .\nIt fell .\n")
    records = [{"source": s, "output": o, "changes": []} for s, o in zip(WHOLE, outputs, strict=True)]
    (part / "json").write_text("".join(json.dumps(record) + "\n" for record in records))
    arguments = ["--test-set", "part", "--metric", "sari", "--sentence-level", "--json", "--samples", "0", "--systems"]
    caplog.set_level("INFO")
    scores = []
    for name in ("all", "some", "json"):
        assert evaluate([*arguments, name]) == 0
        scores.append(json.loads(capsys.readouterr().out)[name]["sari"]["sentences"])
    assert scores[0] == scores[1] == scores[2]
    assert len(scores[0]) == 2
    message = "has all 4 lines of whole: the 2 of them that the test set has are taken"
    assert caplog.messages == [f"all {message}", f"json {message}"]
    assert report(["--test-set", "part", "--systems", "json", "-o", "report.html"]) == 0
    page = (part / "report.html").read_text(encoding="utf-8")
    assert "Rain fell ." in page
    assert "The mill" not in page


def test_outputs_that_fit_neither_a_part_nor_the_whole(part: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def error(*lines: str) -> str:
        (part / "A").write_text("".join(f"{line}\n" for line in lines))
        assert evaluate(["--test-set", "part", "--systems", "A"]) == 2
        return capsys.readouterr().err

    assert "A: has 3 lines, but the test set has 2, of the 4 of whole (give outputs for either)" in error("a", "b", "c")
    assert "A, line 4: the output is empty (--allow-empty" in error("a", "b", "c", "")
    wrong = json.dumps({"source": "It snowed .", "output": "x"})
    right = json.dumps({"source": WHOLE[1], "output": "x"})
    message = error(right, right, right, wrong)
    assert "A, line 4: its source is 'It snowed .', but that of line 4 is 'It rained .'" in message


def test_the_files_of_a_set_as_far_as_they_are_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SBMT_DATA", raising=False)
    (tmp_path / "testsets.yaml").write_text("mine: {source: s, references: [r]}")
    assert set_files("mine", str(tmp_path)) == [tmp_path / "s", tmp_path / "r"]
    file = find_entry("asset/test").files[0]
    (tmp_path / file.path).parent.mkdir(parents=True)
    (tmp_path / file.path).touch()
    assert set_files("asset/test", str(tmp_path)) == [tmp_path / file.path]
    assert set_files("unknown", str(tmp_path)) == set_files("mine") == []
