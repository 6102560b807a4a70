"""`sbmt-report`: what it reads, writes and refuses."""

from __future__ import annotations

import gc
import json
import logging
import os
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from sbmt.cli.decode import main as decode
from sbmt.cli.report import main
from sbmt.evaluation.report.content import Report
from sbmt.metrics.significance import holm
from sbmt.version import __version__
from tests.evaluation.examples import GOOD, MARKUP_NAME, REFERENCES, SOURCES
from tests.evaluation.page import Page, embedded


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SBMT_DATA", raising=False)
    columns = {
        "S": SOURCES,
        "R.0": [r[0] for r in REFERENCES],
        "R.1": [r[1] for r in REFERENCES],
        "A": GOOD,
        "B": SOURCES,
    }
    for name, lines in columns.items():
        Path(name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    records = [{"source": s, "output": o, "changes": []} for s, o in zip(SOURCES, GOOD, strict=True)]
    records[1]["changes"] = [{"rule": "[X] ||| a ||| b", "owner": "pt", "score": 1}]
    Path("C.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    Path("testsets.yaml").write_text("mine: {source: S, references: [R.0, R.1]}")
    return tmp_path


HEAD = ("--source", "S", "--references", "R.0", "R.1", "--samples", "100")


def test_command(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*HEAD, "--systems", "A", "B", "-o", "report.html"]) == 0
    assert capsys.readouterr().out == ""
    page = Page(Path("report.html").read_text(encoding="utf-8"))
    assert embedded(page)["systems"] == ["A", "B"]
    set_ = ("--test-set", "mine", "--data-dir", ".", "--samples", "100", "--metrics", "fk", "--baseline", "B")
    assert main([*set_, "--systems", "C.jsonl", "B"]) == 0
    page = Page(capsys.readouterr().out)
    assert (embedded(page)["systems"], embedded(page)["baseline"]) == (["C", "B"], 1)
    assert embedded(page)["sentences"][1]["o"][0]["d"] == [["[X] ||| a ||| b", "pt", 1]]
    assert "Simplification of mine" in page.texts
    assert main([*set_, "--systems", "B", "--title", "Of dogs", "--figures", "f"]) == 0
    assert Page(capsys.readouterr().out).texts.count("Of dogs") == 2  # title and heading
    assert json.loads(Path("f").read_text(encoding="utf-8"))["origin"]["Test set"] == "mine"


def test_a_text_with_blank_lines_and_no_references(
    folder: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    Path("leaflet").write_text("A title\n\nHe resided there.\n", encoding="utf-8")
    outputs = ["A title", "", "He lived there."]
    records = [
        {"source": source, "output": output, "changes": []}
        for source, output in zip(["A title", "", "He resided there."], outputs, strict=True)
    ]
    Path("leaflet.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    assert main(["--source", "leaflet", "--systems", "leaflet.jsonl", "-o", "report.html", "--figures", "f"]) == 0
    assert caplog.messages == ["there are no references: the metric is fk:easse, which needs none"]
    figures = json.loads(Path("f").read_text(encoding="utf-8"))
    assert list(figures["scores"]["leaflet"]) == ["fk:easse"]
    assert figures["numbers"] == [1, 3]
    assert figures["features"]["exact copy"] == {"leaflet": 0.5}
    Path("gap").write_text("A title\n\n\n", encoding="utf-8")
    assert main(["--source", "leaflet", "--systems", "gap", "-o", "report.html"]) == 2
    assert "gap, line 3: the output is empty (--allow-empty" in capsys.readouterr().err


def test_scores_that_differ_by_rounding_alone_are_drawn(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every copy of the only reference scores 100/3, but the means of different numbers of them are not all that."""
    lines = [" ".join(f"w{k}" for k in range(length)) for length in range(4, 30)]
    for name in "SRC":
        Path(name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    command = "--source S --references R --systems C --metrics sari:xu2016 --samples 0 -o report.html"
    assert main(command.split()) == 0, capsys.readouterr().err


def test_outputs_unlike_the_references_are_remarked_on(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    Path("low").write_text(Path("A").read_text(encoding="utf-8").lower(), encoding="utf-8")
    assert main([*HEAD, "--systems", "A", "low", "--metrics", "bleu", "-o", "report.html"]) == 0
    (message,) = caplog.messages
    assert "the outputs of low have none, and bleu is case-sensitive" in message


def test_a_table_is_remarked_on(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    Path("table").write_text("".join(f"{line}\t{line}\n" for line in GOOD), encoding="utf-8")
    assert main([*HEAD, "--systems", "table", "--metrics", "sari", "-o", "report.html"]) == 0
    (message,) = caplog.messages
    assert message.startswith("table: most lines have a tab, and all columns of such a table count as text")


def test_the_collector_is_left_as_it_was(folder: Path) -> None:
    assert gc.isenabled()
    states = []
    for switch in (gc.disable, gc.enable):
        switch()
        assert main([*HEAD, "--systems", "A", "--metrics", "fk", "-o", "report.html"]) == 0
        states.append(gc.isenabled())
    assert states == [False, True]


def test_the_page_says_how_it_was_made(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("in").mkdir()
    Path("A").rename("in/A")
    Path("sets").mkdir()
    for name in ("S", "R.0", "R.1"):
        Path(name).rename(f"sets/{name}")
    command = (
        "--source sets/S --references sets/R.0 sets/R.1 --samples 100 --systems in/A B --figures=in/f.json -o".split()
    )
    assert main([*command, "in/report.html", "--title", "a/b"]) == 0
    assert main([*command, "report.html", "--title", "a/b"]) == 0
    assert Path("in/report.html").read_bytes() == Path("report.html").read_bytes()
    texts = Page(Path("report.html").read_text(encoding="utf-8")).texts
    said = set(pairwise(texts))
    for name, value in {
        "Source": "S",
        "References": "R.0, R.1",
        "Systems": "A, B",
        "Command": "sbmt-report --source S --references R.0 R.1 --samples 100 --systems A B --figures=f.json "
        "-o report.html --title a/b",
        "Intervals": "bootstrap, 100 samples",
        "Tests": "paired permutation, 10,000 swaps",
        "Seed": "1",
        "Version": f"sbmt {__version__}",
    }.items():
        assert (name, value) in said


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        (["-oin/r.html", "--systems", "in/A"], "-or.html --systems A"),
        (["--systems=mine=in/A", "-o", "in/r.html"], "--systems=mine=A -o r.html"),
        (
            ["--output=in/r.html", "--systems=in/A", "--title", "see in/A"],
            "--output=r.html --systems=A --title 'see in/A'",
        ),
    ],
)
def test_the_command_shows_no_folder_however_it_is_typed(folder: Path, typed: list[str], shown: str) -> None:
    Path("in").mkdir()
    Path("A").rename("in/A")
    assert main(["--source", "S", "--samples", "0", "--metrics", "fk", "--figures", "f", *typed]) == 0
    command = json.loads(Path("f").read_text(encoding="utf-8"))["origin"]["Command"]
    assert command == f"sbmt-report --source S --samples 0 --metrics fk --figures f {shown}"


def test_a_metric_named_twice_has_one_column(folder: Path) -> None:
    assert main([*HEAD, "--systems", "A", "--metrics", "sari", "fk", "sari", "-o", "report.html"]) == 0
    assert embedded(Page(Path("report.html").read_text(encoding="utf-8")))["metrics"] == ["sari", "fk"]


def test_all_variants_of_a_metric_have_columns(folder: Path) -> None:
    assert main([*HEAD, "--systems", "A", "--metrics", "fk:all", "-o", "report.html"]) == 0
    named = embedded(Page(Path("report.html").read_text(encoding="utf-8")))["metrics"]
    assert named == ["fk:xu2016", "fk:easse", "fk:plain"]


def test_systems_may_be_named(folder: Path) -> None:
    Path("in").mkdir()
    Path("A").rename("in/A=1")
    assert main([*HEAD, "--systems", "mine=in/A=1", "in/A=1x", "-o", "report.html"]) == 2
    assert main([*HEAD, "--systems", "mine=in/A=1", "B", "-o", "report.html", "--figures", "f"]) == 0
    figures = json.loads(Path("f").read_text(encoding="utf-8"))
    assert list(figures["labels"])[:2] == ["mine", "B"]
    assert figures["origin"]["Systems"] == "A=1, B"
    assert "--systems mine=A=1 B -o" in figures["origin"]["Command"]


def test_p_values_corrected_for_their_number(folder: Path) -> None:
    arguments = [*HEAD, "--systems", "A", "B", "C.jsonl", "--metrics", "sari", "length", "--figures", "f", "-o"]
    results, pages = [], []
    for more in ([], ["--holm"]):
        assert main([*arguments, "report.html", *more]) == 0
        scores = json.loads(Path("f").read_text(encoding="utf-8"))["scores"]
        results.append([scores[name][metric] for name in "BC" for metric in ("sari", "length")])
        pages.append(Path("report.html").read_text(encoding="utf-8"))
    plain, corrected = ([cell["p_value"] for cell in cells] for cells in results)
    assert corrected == holm(plain) != plain
    assert [cell["test"]["corrected_for"] for cell in results[1]] == [4] * 4
    assert "(4 uncorrected tests" in pages[0]
    assert "(4 tests, corrected for their number)" in pages[1]
    told = "paired permutation, 10,000 swaps, p-values corrected for their number (Holm 1979)"
    assert [told in page for page in pages] == [False, True]


def test_words_as_json_lines(folder: Path) -> None:
    """By hand: the sentences are those of the page, in order, each with a record for every system."""
    Path("S").write_text("He utilized numerous tools.\nIt rained. Nobody came.\n", encoding="utf-8")
    Path("A").write_text("He used many tools.\nNobody came.\n", encoding="utf-8")
    Path("B").write_bytes(Path("S").read_bytes())
    assert main("--source S --systems A B -o report.html --words words.jsonl".split()) == 0
    records = [json.loads(line) for line in Path("words.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [(record["sentence"], record["system"]) for record in records] == [(1, "A"), (1, "B"), (2, "A"), (2, "B")]
    assert records[0] == {
        "sentence": 1,
        "system": "A",
        "source": ["He", "utilized", "numerous", "tools", "."],
        "source_labels": ["copy", "replace", "replace", "copy", "copy"],
        "output": ["He", "used", "many", "tools", "."],
        "output_labels": ["copy", "replace", "replace", "copy", "copy"],
        "links": [[k, k] for k in range(5)],
        "operations": ["synonym"],
    }
    assert set(records[1]["source_labels"]) == {"copy"}
    assert records[1]["operations"] == []
    assert records[2]["source_labels"] == ["delete"] * 3 + ["copy"] * 3
    assert "merge" in records[2]["operations"]


def test_figures_as_json(folder: Path, report: Report) -> None:
    assert main([*HEAD, "--systems", "A", "--figures", "figures.json", "-o", "report.html"]) == 0
    figures = json.loads(Path("figures.json").read_text(encoding="utf-8"))
    making = ["title", "version", "origin", "baseline", "seed", "samples", "sentences", "total", "blank", "numbers"]
    assert list(figures) == [*making, "scores", "features", "labels", "agreement", "lengths"]
    assert [figures[key] for key in ("baseline", "seed", "samples", "numbers")] == ["A", 1, 100, [1, 2, 3, 4, 5, 6]]
    assert figures["origin"]["Systems"] == "A"
    expected = report.rows[1].results["sari:easse"]
    assert figures["scores"]["A"]["sari:easse"]["score"] == expected.score.value
    assert figures["scores"]["A"]["sari:easse"]["sentences"] == expected.sentences.tolist()
    assert figures["features"]["additions"] == {
        "A": report.features["additions"][MARKUP_NAME],
        "references": report.features["additions"]["references"],
    }
    assert figures["agreement"]["A"]["move"] == {
        "precision": report.agreements[MARKUP_NAME]["move"].precision,
        "recall": report.agreements[MARKUP_NAME]["move"].recall,
        "f1": report.agreements[MARKUP_NAME]["move"].f1,
    }
    assert sum(bucket["sentences"] for bucket in figures["lengths"]) == len(SOURCES)


def failures() -> Iterator[tuple[list[str], str]]:
    yield ["--systems", "short"], "short: has 1 line, but S has 6"
    yield ["--systems", "gap"], "gap, line 2: the output is empty"
    yield ["--systems", "A", "A"], "a file is named twice"
    yield ["--systems", "bad.jsonl"], "bad.jsonl, line 1: has no key 'output', but 'text' (--output-key na"
    yield ["--systems", "nowhere"], "nowhere: no such file"
    yield ["--systems", "A", "--test-set", "mine"], "either --test-set or --source"
    yield ["--systems", "A", "--test-set", ""], "either --test-set or --source"
    yield ["--systems", "halved.jsonl"], "halved.jsonl, line 1: holds half of a surrogate pair, which is no character"
    for i, problem in enumerate(("'output' is {'a': 1}, not a text", "is nested too deeply")):
        yield ["--systems", f"bad{i}.jsonl"], f"bad{i}.jsonl, line 1: {problem}"
    yield ["--systems", "A", "--baseline", "Z"], "the baseline 'Z' is not among"
    yield ["--systems", "A", "--metrics", "zari"], "unknown metric 'zari'"
    yield (
        ["--systems", "A", "-o", "x", "--figures", "./x"],
        "two things would go to the same file: give -o and --figures two names",
    )
    yield ["--systems", "A", "--figures", "-"], "two things would go to the same file: give -o and --figures two names"
    yield ["--systems", "a=A", "a=B"], "two systems have one name (a, a): give each system a file and a name of its own"
    yield ["--systems", "A", "-o", "./A"], "./A is read: give another name to write to"
    yield ["--systems", "A", "-o", "x", "--figures", "y", "--words", "y"], "give --figures and --words two names"
    yield ["--systems", "A", "--words", "-"], "give -o and --words two names"
    yield ["--systems", "A", "-o", "x", "--words", "S"], "S is read: give another name to write to"
    yield ["--systems", "A", "-o", "x", "--figures", "R.1"], "R.1 is read: give another name to write to"
    yield ["--systems", "A", "-o", "x", "--figures", "."], ".: is a folder; name a file"
    yield ["--systems", "A", "-o", "x", "--figures", ""], "'': is a folder; name a file"


def test_no_page_goes_to_a_terminal(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither this one nor that of changes."""
    Path("S").write_text("a\n")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    for command, arguments in ((main, ["--source", "S", "--systems", "S"]), (decode, ["--output", "html", "S"])):
        assert command(arguments) == 2
        out, err = capsys.readouterr()
        assert not out
        assert "a page of HTML would go to the terminal: name a file for it (-o page.html), or pipe it" in err


@pytest.mark.parametrize(("arguments", "message"), list(failures()), ids=lambda value: str(value)[:30])
def test_bad_input_is_named(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    Path("short").write_text("a\n")
    Path("gap").write_text("a\n\n" + "a\n" * 4)
    Path("bad.jsonl").write_text('{"text": "a"}\n')
    Path("halved.jsonl").write_text('{"source": "a", "output": "\\ud800"}\n')
    for i, rest in enumerate(('{"a": 1}', "[" * 100_000)):
        Path(f"bad{i}.jsonl").write_text(f'{{"source": "a", "output": {rest}}}\n')
    assert main([*HEAD, *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert message in captured.err
    assert captured.err.count("\n") == 1


def test_names_that_are_no_utf_8_are_escaped(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.link("A", "A\udce9")
    assert main([*HEAD, "--systems", "A\udce9", "B", "--title", "caf\udce9", "-o", "report.html"]) == 0
    page = Path("report.html").read_text(encoding="utf-8")
    assert "<title>caf\\udce9</title>" in page
    assert "A\\udce9" in page


def test_a_score_that_no_float_holds_is_none(folder: Path) -> None:
    records = [json.loads(line) for line in Path("C.jsonl").read_text(encoding="utf-8").splitlines()]
    records[1]["changes"][0]["score"] = 10**400
    Path("C.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    assert main([*HEAD, "--systems", "C.jsonl", "-o", "report.html"]) == 0
    assert '[["[X] ||| a ||| b","pt",null]]' in Path("report.html").read_text(encoding="utf-8")


def test_intervals_need_samples_enough(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main([*HEAD[:-1], "1", "--systems", "A"])
    assert "1 is too few for an interval: 0 for none, or at least 100" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--seed", "--samples", "--max-sentences"])
def test_numbers_are_not_negative(folder: Path, capsys: pytest.CaptureFixture[str], option: str) -> None:
    with pytest.raises(SystemExit) as stopped:
        main([*HEAD, "--systems", "A", option, "-1"])
    assert stopped.value.code == 2
    assert f"argument {option}: -1 is less than" in capsys.readouterr().err


def test_references_are_asked_for_where_a_metric_needs_them(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--source", "S", "--systems", "A", "--metrics", "length", "sari"]) == 2
    assert (
        "sari needs references (--references or --test-set); fk:easse, fk:plain and length need none"
        in capsys.readouterr().err
    )
    assert main(["--source", "S", "--systems", "A", "--metrics", "length", "-o", "report.html"]) == 0
    Path("testsets.yaml").write_text("bare: {source: S, references: []}")
    bare = ["-t", "bare", "--data-dir", ".", "--systems", "A", "-o", "report.html"]
    assert main(bare) == 0  # by the metric that needs none
    assert main([*bare, "--metrics", "sari"]) == 2
    assert (
        "sari needs references, and bare has none; fk:easse, fk:plain and length need none" in capsys.readouterr().err
    )


def test_a_sample_is_announced(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        assert main([*HEAD, "--systems", "A", "--max-sentences", "4", "-o", "report.html"]) == 0
    assert "4 of 6 sentences, drawn at random, are reported on" in caplog.text


def test_sources_are_needed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--systems", "A"]) == 2
    assert "give --source and --references" in capsys.readouterr().err
    assert main([*HEAD, "--systems", "gap", "--allow-empty"]) == 2  # no such file yet
    Path("gap").write_text("a\n\n" + "a\n" * 4)
    assert main([*HEAD, "--systems", "gap", "--allow-empty", "-o", "report.html"]) == 0


@pytest.mark.parametrize("read", ["S", "R.1"])
def test_a_test_set_is_not_written_over(folder: Path, capsys: pytest.CaptureFixture[str], read: str) -> None:
    before = Path(read).read_text()
    assert main(["--test-set", "mine", "--data-dir", ".", "--systems", "A", "-o", read]) == 2
    assert f"{read} is read: give another name to write to" in capsys.readouterr().err
    assert Path(read).read_text() == before
