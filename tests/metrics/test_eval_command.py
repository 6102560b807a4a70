"""sbmt-eval: its options, the texts that it reads, and what it says of bad input."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from sbmt.cli.evaluate import main
from tests.metrics.eval_command import FILES, METRICS, REFERENCES, SOURCE, SYSTEMS, fail, run, write

pytestmark = pytest.mark.usefixtures("files")


def test_references_by_prefix_and_systems_from_a_pipe(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    named = json.loads(run(capsys, *FILES, "--metrics", *METRICS, "--json"))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(Path("A").read_bytes())))
    piped = json.loads(run(capsys, "--source", "S", "--references", "R.", "--metrics", *METRICS, "--json"))
    write("-", ["not what is read"])
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(Path("A").read_bytes())))
    assert piped == json.loads(run(capsys, "--source", "S", "--references", "R.", "--metrics", *METRICS, "--json"))
    for results in named["A"].values():
        del results["files"]["A"]  # of standard input nothing is left to read
    assert piped == {"-": named["A"]}


def test_systems_have_the_names_of_their_files_where_these_differ(capsys: pytest.CaptureFixture[str]) -> None:
    for folder in ("T", "U"):
        Path(folder).mkdir()
        write(f"{folder}/B", SOURCE)
    write("T/A", SYSTEMS["A"])
    head = ("--source", "S", "--references", "R.", "--metrics", "length")
    for baseline in ("B", "T/B"):
        table = json.loads(run(capsys, *head, "--systems", "T/A", "T/B", "--baseline", baseline, "--json"))
        assert list(table) == ["A", "B"]
        assert table["A"]["length"]["test"]["baseline"] == "B"
    table = json.loads(run(capsys, *head, "--systems", "T/A", "T/B", "U/B", "--baseline", "A", "--json"))
    assert list(table) == ["T/A", "T/B", "U/B"]
    assert "baseline 'B' is not among" in fail(capsys, *head, "--systems", "T/A", "T/B", "U/B", "--baseline", "B")


def test_options_reach_the_metric(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("--metrics", "sari", "--tokenizer", "ptb", "--case", "mixed", "--blank", "counted", "--json")
    signature = json.loads(run(capsys, *FILES, *arguments))["A"]["sari"]["signature"]
    assert signature.startswith("SARI|var:easse|nrefs:2|blank:counted|tok:ptb|case:mixed|")


def test_options_of_one_metric_stand_in_its_name(capsys: pytest.CaptureFixture[str]) -> None:
    write("R.2", [REFERENCES[0][0], ""])
    names = ["sari,blank=counted", "sari,tok=none", "sari"]
    table = json.loads(run(capsys, *FILES[:5], "R.2", *FILES[5:], "--metrics", *names, "--json"))
    signatures = [table["A"][name]["signature"] for name in names]
    assert ["|nrefs:3|blank:counted|" in signature for signature in signatures] == [True, False, False]
    assert ["|tok:none|" in signature for signature in signatures] == [False, True, False]
    assert table["A"][names[0]]["score"] != table["A"]["sari"]["score"]


def test_what_a_metric_does_not_need_may_be_missing(capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "--systems", "A", "--metrics", "fk", "length", "-b")
    run(capsys, "--systems", "A", "--references", "R.0", "--metrics", "bleu", "-b")
    assert "sari needs the sources" in fail(capsys, "--systems", "A", "--references", "R.0", "--metrics", "sari")
    need = "sari needs references (--references or --test-set); fk:easse, fk:plain and length need none"
    assert need in fail(capsys, "--systems", "A", "--source", "S", "--metrics", "sari")


def test_texts_by_themselves(capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture) -> None:
    """Their readability; between paragraphs there are blank lines."""
    write("leaflet", ["Go home.", "", "Eat fish."])
    caplog.set_level("INFO")
    metrics = ("--metrics", "fk:plain", "length", "-b")
    assert run(capsys, "--systems", "leaflet", *metrics) == "0.00\t2.00\n"  # grades are not below 0
    assert "leaflet: blank lines (1) are left out" in caplog.messages
    assert run(capsys, "--systems", "leaflet", "--allow-empty", *metrics) == f"0.00\t{4 / 3:.2f}\n"
    write("other", ["Go home.", "", "Eat fish."])
    write("leaflet.jsonl", [json.dumps({"output": line}) for line in ("Go home.", "")])
    for systems in (["leaflet", "other"], ["leaflet.jsonl"]):  # where a system may have failed
        wrong = fail(capsys, "--systems", *systems, *metrics)
        assert f"{systems[0]}, line 2: the output is empty (--allow-empty takes it as it is)" in wrong
    write("blank", ["", " "])
    assert "blank: is empty" in fail(capsys, "--systems", "blank", *metrics)
    due = "outputs are named by --systems: --systems 'my leaflet'"
    assert f"{due} (readability alone: {due[32:]} --metrics fk:plain)\n" in fail(capsys, "my leaflet")
    assert f"{due}\n" in fail(capsys, "my leaflet", "--metrics", "readability")
    needs = "sari needs the sources (--source or --test-set); fk:plain and length need none"
    assert needs in fail(capsys, "--systems", "leaflet", "--metrics", "sari")


def test_named_test_set(capsys: pytest.CaptureFixture[str], files: Path) -> None:
    write("testsets.yaml", ["mine/test: {source: S, references: [" + "R.0, R.1, " * 5 + "]}"])
    arguments = ("--test-set", "mine/test", "--data-dir", ".", "--metrics", "sari")
    table = json.loads(run(capsys, *arguments, "--systems", "A", "--json"))
    assert "|nrefs:10|" in table["A"]["sari"]["signature"]
    assert table["A"]["sari"]["test_set"] == "mine/test"
    shown = [run(capsys, *arguments, "--systems", "A", shape) for shape in ("--width=1", "--latex", "--csv")]
    assert "mine/test, 2 sentences\n" in shown[0]
    assert "\nmine/test, 2 sentences." in shown[1]
    assert [row["test_set"] for row in csv.DictReader(io.StringIO(shown[2]))] == ["mine/test"]
    write("short", SOURCE[:1])
    message = fail(capsys, *arguments, "--systems", "short")
    assert "short: has 1 line, but mine/test has 2\n" in message  # neither has a blank line to point to
    assert "either --test-set or" in fail(capsys, *arguments, "--source", "S", "--systems", "A")
    assert "unknown test set ''" in fail(capsys, "--test-set", "", *arguments[2:], "--systems", "A")
    assert "'': no such file" in fail(capsys, "--source", "", "--references", "R.0", "--systems", "A")


def test_a_test_set_may_have_no_references(capsys: pytest.CaptureFixture[str]) -> None:
    write("testsets.yaml", ["bare: {source: S, references: []}"])
    arguments = ("-t", "bare", "--data-dir", ".", "--systems", "A")
    message = fail(capsys, *arguments, "--metrics", "sari")
    assert "sari needs references, and bare has none; fk:easse, fk:plain and length need none" in message
    assert run(capsys, *arguments, "--metrics", "length", "-b") == "6.50\n"


@pytest.mark.parametrize("option", ["--samples", "--seed", "--width"])
@pytest.mark.parametrize(("value", "problem"), [("-1", "-1 is less than 0"), ("x", "'x' is not a whole number")])
def test_whole_numbers_are_asked_for(capsys: pytest.CaptureFixture[str], option: str, value: str, problem: str) -> None:
    with pytest.raises(SystemExit, match="2"):
        main([*FILES, option, value])
    assert problem in capsys.readouterr().err


def test_bad_input_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    write("short", [SOURCE[0]])
    write("gap", [SOURCE[0], " "])
    write("none", [])
    Path("latin").write_bytes("caf\u00e9\nb\n".encode("latin-1"))
    head = ("--source", "S", "--references", "R.")
    assert "short: has 1 line, but S has 2" in fail(capsys, *head, "--systems", "short")
    assert "gap, line 2: the output is empty (--allow-empty" in fail(capsys, *head, "--systems", "gap")
    write("gaps", ["", " "])
    assert "gaps, line 1: the output is empty (the first of 2) (--allow" in fail(capsys, *head, "--systems", "gaps")
    assert "none: has 0 lines" in fail(capsys, *head, "--systems", "none")
    assert "short: has 1 line, but A has 2" in fail(capsys, "--systems", "A", "short", "--metrics", "fk")
    assert "none: is empty" in fail(capsys, "--systems", "none", "--metrics", "fk")
    assert "latin, line 1: is not valid utf-8" in fail(capsys, *head, "--systems", "latin")
    assert "nowhere: no such file" in fail(capsys, *head, "--systems", "nowhere")
    assert "neither this file nor Q0 or Q1 exists" in fail(
        capsys, "--source", "S", "--references", "Q", "--systems", "A"
    )
    message = fail(capsys, "--source", "S", "--references", "gap", "--systems", "A")
    assert "gap, line 2: all references are blank, and sari needs one (--blank counted" in message
    write("long", ["x", *SOURCE])
    assert "long: has 3 lines, but S has 2" in fail(capsys, *head, "--systems", "A", "long")
    assert "named twice" in fail(capsys, *head, "--systems", "A", "A")
    assert "baseline 'C' is not among" in fail(capsys, *head, "--systems", "A", "--baseline", "C")
    for shape in (["--csv"], []):
        wrong = fail(capsys, *FILES, "--baseline", "A", "--sentence-level", *shape)
        assert "--baseline tests corpus figures: leave out --sentence-level, or give --json" in wrong
    wrong = fail(capsys, *FILES, "--baseline", "A", "-b")
    assert "--brief has no room for the p-values of --baseline: leave out one of the two" in wrong
    assert "tested against --baseline SYSTEM: name one" in fail(capsys, *FILES, "--test", "bootstrap")
    for shape in ("--brief", "--latex"):
        assert "--sentence-level goes with" in fail(capsys, *head, "--systems", "A", "--sentence-level", shape)
    for texts in (head[:2], head[2:]):
        wrong = fail(capsys, "--test-set", "asset/test", *texts, "--systems", "A")
        assert "give either --test-set or --source and --references" in wrong
    assert "standard input (-) stands for two" in fail(capsys, "--source", "-", "--references", "R.")
    run(capsys, *head, "--systems", "gap", "--allow-empty")
    run(capsys, "--source", "gap", "--systems", "gap", "--metrics", "fk")  # an empty output of nothing


def test_marks_of_editors_are_not_counted(capsys: pytest.CaptureFixture[str]) -> None:
    Path("windows").write_bytes(b"\xef\xbb\xbfabc\r\nde\r\n")
    write("plain", ["abc", "de"])
    write("record.jsonl", [json.dumps({"source": f"{s}\r", "output": f"{s}\r"}) for s in ("\ufeffabc", "de")])
    arguments = ("--metrics", "length:characters", "levenshtein:characters", "-b")
    for systems in ("plain", "windows", "record.jsonl"):
        assert run(capsys, "--source", "windows", "--systems", systems, *arguments) == "2.50\t0.00\n"


def test_numbers_out_of_their_range(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, message in (
        (("--samples", "1"), "1 is too few for an interval: 0 for none, or at least 100"),
        (("--samples", "1000001"), "1000001 is too many: at most 1,000,000"),
        (("--samples", "99999999999999999999"), "99999999999999999999 is more than 1,000,000,000"),
        (("-w", "99"), "99 is more than 17"),
    ):
        with pytest.raises(SystemExit, match="2"):
            main([*FILES, *arguments])
        assert message in capsys.readouterr().err
