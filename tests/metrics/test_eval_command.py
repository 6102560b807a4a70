"""sbmt-eval: what it prints, in every format, and what it says of bad input."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest

from sbmt.cli.evaluate import main
from sbmt.metrics import get_metric

SOURCE = ["the feline was seated upon the mat .", "he consumed a banana , slowly ."]
REFERENCES = [
    ["the cat sat on the mat .", "he slowly ate a banana ."],
    ["the cat was on the mat .", "he ate a banana slowly ."],
]
SYSTEMS = {"A": ["the cat was seated on the mat .", "he ate a banana ."], "B": SOURCE}
METRICS = ["sari:easse", "sari:xu2016", "bleu", "fkbleu:xu2016", "fk:xu2016"]


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write the files S, R.0, R.1, A and B into an empty working folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SBMT_DATA", raising=False)
    contents = {"S": SOURCE, "R.0": REFERENCES[0], "R.1": REFERENCES[1], **SYSTEMS}
    for name, content in contents.items():
        write(name, content)
    return tmp_path


def write(name: str, content: list[str]) -> None:
    Path(name).write_text("".join(line + "\n" for line in content), encoding="utf-8")


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(list(arguments)) == 0
    return capsys.readouterr().out


def fail(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(list(arguments)) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    return captured.err


FILES = ("--source", "S", "--references", "R.0", "R.1", "--systems", "A", "B")


def test_json_has_the_shape_promised(capsys: pytest.CaptureFixture[str]) -> None:
    table = json.loads(run(capsys, *FILES, "--metrics", *METRICS, "--json"))
    assert list(table) == ["A", "B"]
    for system, results in table.items():
        assert list(results) == METRICS
        for name, cell in results.items():
            assert list(cell) == ["score", "parts", "interval", "signature"]
            metric = get_metric(name)
            prepared = metric.prepare_many(SOURCE, list(zip(*REFERENCES, strict=True)))
            rows = metric.corpus_statistics(prepared, SYSTEMS[system])
            score = metric.corpus(rows, "2")
            assert (cell["score"], cell["parts"], cell["signature"]) == (score.value, score.parts, score.signature)
            low, high = cell["interval"]
            assert low <= cell["score"] + 1e-9
            assert high >= cell["score"] - 1e-9


def test_references_by_prefix_and_systems_from_a_pipe(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    named = json.loads(run(capsys, *FILES, "--metrics", *METRICS, "--json"))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(Path("A").read_bytes())))
    piped = json.loads(run(capsys, "--source", "S", "--references", "R.", "--metrics", *METRICS, "--json"))
    assert piped == {"-": named["A"]}


def test_brief_prints_bare_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys, *FILES, "--metrics", "length", "levenshtein", "-b", "-w", "1")
    assert out == "6.5\t2.5\n7.5\t0.0\n"  # two words changed; one changed and two gone


def test_table_and_latex(capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys, *FILES, "--metrics", "length", "--samples", "0")
    assert out.splitlines()[:3] == ["system  length", "A         6.50", "B         7.50"]
    assert out.splitlines()[-1] == get_metric("length").signature()
    assert re.search(r"\nSARI.*\n  A: add \d+\.\d\d, keep \d+\.\d\d, del \d+\.\d\d\n  B: ", run(capsys, *FILES))
    write("a_b", SYSTEMS["A"])
    out = run(capsys, "--source", "S", "--systems", "a_b", "--metrics", "length", "--latex")
    assert r"a\_b & 6.50 \\" in out


def test_csv_and_sentence_level(capsys: pytest.CaptureFixture[str]) -> None:
    rows = list(csv.DictReader(io.StringIO(run(capsys, *FILES, "--metrics", "length", "--csv"))))
    assert list(rows[0])[3:] == ["low", "high", "p_value", "parts", "signature"]
    assert [(row["system"], row["metric"], row["score"]) for row in rows] == [
        ("A", "length", "6.5"),
        ("B", "length", "7.5"),
    ]
    assert run(capsys, *FILES, "--metrics", "length", "--sentence-level").splitlines() == [
        "sentence\tA length\tB length",
        "1\t8.0\t8.0",
        "2\t5.0\t7.0",
    ]
    out = run(capsys, *FILES, "--metrics", "length", "--sentence-level", "--json")
    assert json.loads(out)["A"]["length"]["sentences"] == [8, 5]


def test_a_baseline_is_tested_against(capsys: pytest.CaptureFixture[str]) -> None:
    for test in ("permutation", "bootstrap"):
        table = json.loads(run(capsys, *FILES, "--metrics", "sari", "--baseline", "B", "--test", test, "--json"))
        assert 0 < table["A"]["sari"]["p_value"] <= 1
        assert "p_value" not in table["B"]["sari"]
    assert " p=" in run(capsys, *FILES, "--metrics", "sari", "--baseline", "B")


def test_options_reach_the_metric(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("--metrics", "sari", "--tokenizer", "ptb", "--case", "mixed", "--blank", "counted", "--json")
    signature = json.loads(run(capsys, *FILES, *arguments))["A"]["sari"]["signature"]
    assert signature.startswith("SARI|var:easse|nrefs:2|blank:counted|tok:ptb|case:mixed|")


def test_what_a_metric_does_not_need_may_be_missing(capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "--systems", "A", "--metrics", "fk", "length", "-b")
    run(capsys, "--systems", "A", "--references", "R.0", "--metrics", "bleu", "-b")
    assert "sari needs the sources" in fail(capsys, "--systems", "A", "--references", "R.0", "--metrics", "sari")
    assert "sari needs references" in fail(capsys, "--systems", "A", "--source", "S", "--metrics", "sari")


def test_metrics_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert "sari: sari:easse, sari:easse-legacy, sari:xu2016" in run(capsys, "--list-metrics")


def test_named_test_set(capsys: pytest.CaptureFixture[str], files: Path) -> None:
    write("testsets.yaml", ["mine/test: {source: S, references: [" + "R.0, R.1, " * 5 + "]}"])
    arguments = ("--test-set", "mine/test", "--data-dir", ".", "--metrics", "sari")
    table = json.loads(run(capsys, *arguments, "--systems", "A", "--json"))
    assert "|nrefs:10|" in table["A"]["sari"]["signature"]
    write("short", SOURCE[:1])
    message = fail(capsys, *arguments, "--systems", "short")
    assert "short: has 1 lines, but mine/test has 2 (it has no blank line)" in message
    assert "either --test-set or" in fail(capsys, *arguments, "--source", "S", "--systems", "A")


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
    assert "short: has 1 lines, but S has 2" in fail(capsys, *head, "--systems", "short")
    assert "gap, line 2: the output is empty (--allow-empty" in fail(capsys, *head, "--systems", "gap")
    assert "none: has 0 lines" in fail(capsys, *head, "--systems", "none")
    assert "none: is empty" in fail(capsys, "--systems", "none", "--metrics", "fk")
    assert "latin, line 1: is not valid utf-8" in fail(capsys, *head, "--systems", "latin")
    assert "nowhere: cannot be read" in fail(capsys, *head, "--systems", "nowhere")
    assert "neither this file nor Q0 exists" in fail(capsys, "--source", "S", "--references", "Q", "--systems", "A")
    message = fail(capsys, "--source", "S", "--references", "gap", "--systems", "A")
    assert "sentence 2 has no reference" in message
    assert "named twice" in fail(capsys, *head, "--systems", "A", "A")
    assert "baseline 'C' is not among" in fail(capsys, *head, "--systems", "A", "--baseline", "C")
    assert "--sentence-level goes with" in fail(capsys, *head, "--systems", "A", "--sentence-level", "--brief")
    assert "standard input (-) stands for two" in fail(capsys, "--source", "-", "--references", "R.")
    run(capsys, *head, "--systems", "gap", "--allow-empty")
