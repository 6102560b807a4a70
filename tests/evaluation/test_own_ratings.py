"""`sbmt-meta own-ratings`: ratings of one's own in tables of many forms."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import numpy as np
import pytest

from tests.evaluation.meta import fail, run, write

OWN = ["source,output,reference,reference2,rater,clear,kind"]
OWN += [f"{'x ' * 9}.,{'x ' * i}.,{'x ' * 9}.,,r{i},{i},good" for i in range(1, 9)]


def test_ratings_of_ones_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    """The longer an output the better it is rated: length follows ratings exactly, deletions turn them round."""
    path = tmp_path / "mine.csv"
    write(path, [*OWN, OWN[1].replace("r1,1", "r9,3")])  # the first has 1 and 3, the mean being that of the second
    metrics = ("--metrics", "length", "quality:deletions")
    arguments = ("own-ratings", "--ratings", str(path), *metrics)
    with caplog.at_level("INFO"):
        table, compared = json.loads(run(capsys, *arguments, "--json"))["tables"]
    assert "mine.csv: the aspects are clear (--aspects chooses)" in caplog.text
    assert "columns that hold no ratings are left out: rater (no number in line 2), kind (no number" in caplog.text
    correlations = {figure["name"]: figure["ours"] for figure in table["figures"]}
    ratings = [2, 2, 3, 4, 5, 6, 7, 8]
    assert correlations["pearson length: clear"] == pytest.approx(np.corrcoef(range(1, 9), ratings)[0, 1])
    assert correlations["spearman quality:deletions: clear"] == pytest.approx(-correlations["spearman length: clear"])
    assert {name.split()[1].rstrip(":") for name in correlations} == {"length", "quality:deletions"}
    by_default = run(capsys, *arguments[:3])
    for name in ("sari:easse", "bleu:easse", "fk:easse", "quality:deletions"):
        assert f"pearson {name}: clear" in by_default
    counted = "9 rows of ratings of 8 outputs; of several of one output the mean. "
    assert table["reason"] == counted + "Pairs of one source count as independent; by source most intervals are wider."
    assert [figure["name"] for figure in compared["figures"]] == ["clear: length over quality:deletions (inverse)"]
    assert "paper" not in table["reason"] + compared["reason"]  # there is none
    rows = list(csv.DictReader(io.StringIO(run(capsys, *arguments, "--csv"))))
    figures = [(t["title"], f["name"], f["ours"], f["p_value"]) for t in (table, compared) for f in t["figures"]]
    assert [(r["table"], r["figure"], float(r["ours"]), float(r["p_value"])) for r in rows] == figures
    assert [float(rows[0][bound]) for bound in ("low", "high")] == table["figures"][0]["interval"]
    tabs = tmp_path / "mine.tsv"
    write(tabs, [line.replace(",", "\t") for line in [*OWN, OWN[1].replace("r1,1", "r9,3")]])
    again = json.loads(run(capsys, "own-ratings", "--ratings", str(tabs), *metrics, "--json"))["tables"]
    assert again[0]["figures"] == table["figures"]


def test_ratings_may_be_missing_and_ids_are_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "mine.csv"
    rows = [
        f"{i},a b c d,{'a ' * i},{9 * i % 7},{fluent}" for i, fluent in enumerate(["1", "2", "3", "4", "NA", " "], 1)
    ]
    write(path, ["worker_id,source,output,clear,fluent", *rows])
    arguments = ("own-ratings", "--ratings", str(path), "--metrics", "length", "quality:compression-ratio", "--json")
    with caplog.at_level("INFO"):
        tables = json.loads(run(capsys, *arguments))["tables"]
    ours = {figure["name"]: figure["ours"] for figure in tables[0]["figures"]}
    assert ours["pearson length: fluent"] == pytest.approx(1)  # of the four that are rated
    assert ours["pearson length: clear"] == pytest.approx(
        np.corrcoef(range(1, 7), [9 * i % 7 for i in range(1, 7)])[0, 1]
    )
    assert not any("worker_id" in name for name in ours)
    assert "worker_id (ids)" in caplog.text
    assert "mine.csv: fluent lacks 2 ratings" in caplog.text
    chosen = json.loads(run(capsys, *arguments, "--aspects", "fluent"))["tables"]
    assert [f for f in tables[0]["figures"] if f["name"].endswith("spearman length: fluent")] == [
        f for f in chosen[0]["figures"] if f["name"].endswith("spearman length: fluent")
    ]
    assert {figure["name"].rpartition(": ")[2] for figure in chosen[0]["figures"]} == {"fluent"}
    assert {figure["name"].partition(": ")[0] for figure in chosen[1]["figures"]} == {"fluent"}
    for name, hint in (("kind", ""), ("flvent", ": did you mean 'fluent'?")):
        message = f"mine.csv: unknown aspect '{name}'{hint} (known: worker_id, source"
        assert message in fail(capsys, *arguments, "--aspects", name)


def test_one_rating_may_be_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    """A no-break space beside a number, as spreadsheets have it, is no part of it."""
    write(tmp_path / "mine.csv", ["source,output,clear", *(f"a b,{'a ' * i},\u00a0{i}" for i in range(1, 6)), "a,b,NA"])
    caplog.set_level("INFO")
    run(capsys, "own-ratings", "--ratings", str(tmp_path / "mine.csv"), "--metrics", "length")
    assert "mine.csv: clear lacks 1 rating\n" in caplog.text


def test_aspects_have_any_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Only `reference` with a number is a reference; formulas are not set as such in plots."""
    path = tmp_path / "mine.csv"
    rows = (f"a b c d,{'a ' * i},a b,,{i},{9 - i}" for i in range(1, 7))
    write(path, ["source,output,reference,reference2,reference_closeness,$x_$", *rows])
    plots = ("--plots", str(tmp_path / "plots"), "--metrics", "length", "sari:easse")
    shown = run(capsys, "own-ratings", "--ratings", str(path), *plots)
    assert "pearson sari:easse: reference_closeness" in shown
    assert re.search(r"pearson length: \$x_\$ +-1\.000", shown)
    assert "<!-- $x_$ -->" in (tmp_path / "plots" / "length-x.svg").read_text()  # matplotlib's comment: as it stands


def test_what_is_constant_correlates_with_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.csv"
    write(path, ["source,output,clear,year", *(f"a b c d,{'a ' * i},{i},5" for i in range(1, 7))])
    asked = ("own-ratings", "--ratings", str(path), "--metrics", "length")
    note = "  \u2013: not defined, for one of the two is the same throughout"
    assert note not in run(capsys, *asked).splitlines()
    shown = run(capsys, *asked, "--aspects", "year")
    assert note in shown.splitlines()
    assert re.search("pearson length: year +\u2013\n", shown)


def test_an_aspect_that_hardly_anybody_rated_is_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "mine.csv"
    write(path, ["source,output,clear,seldom", *(f"a b c d,{'a ' * i},{i},{i if i < 4 else ''}" for i in range(1, 7))])
    shown = run(capsys, "own-ratings", "--ratings", str(path))
    assert "pearson fk:easse: clear" in shown
    assert "seldom" not in shown
    assert "seldom is left out, for it rates fewer than four outputs" in caplog.text
    assert "rates fewer than four outputs by 'seldom'" in fail(
        capsys, "own-ratings", "--ratings", str(path), "--aspects", "seldom", "clear"
    )


def test_a_row_may_be_one_rating_of_one_aspect(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wide, long = tmp_path / "wide.csv", tmp_path / "long.csv"
    write(wide, ["source,output,clear,fluent", *(f"a b c d,{'a ' * i},{i},{i * i % 5}" for i in range(1, 7))])
    rows = (f"a b c d,{'a ' * i},{a},{r}" for i in range(1, 7) for a, r in (("clear", i), ("fluent", i * i % 5)))
    write(long, ["source,output,aspect,rating", *rows])
    for options in ((), ("--aspects", "fluent")):
        one, other = (
            json.loads(run(capsys, "own-ratings", "--ratings", str(path), "--json", *options))["tables"]
            for path in (wide, long)
        )
        assert [table["figures"] for table in one] == [table["figures"] for table in other]


def test_columns_may_have_assets_names(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Unless there are columns of ours, too, which are taken."""
    tables = []
    for head, tail in (
        ("source,output", ""),
        ("original,simplification", ""),
        ("output,source,simplification,original", ",a,b"),
    ):
        first = "{1},{0}" if tail else "{0},{1}"
        rows = (first.format("a b c d", "a " * i) + f"{tail},{i},fluency,{9 * i % 7}" for i in range(1, 7))
        write(path := tmp_path / "ratings.csv", [f"{head},worker_id,aspect,rating", *rows])
        tables.append(json.loads(run(capsys, "own-ratings", "--ratings", str(path), "--json"))["tables"])
    assert tables[0] == tables[1] == tables[2]


def test_without_references_metrics_that_need_them_are_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "mine.csv"
    write(path, ["source,output,clear", *(f"a b c d,{'a ' * i},{i}" for i in range(1, 7))])
    shown = run(capsys, "own-ratings", "--ratings", str(path))
    assert "pearson fk:easse: clear" in shown
    assert "sari" not in shown
    write(path, ["source,output,reference,clear", "a b,a b,,3", *(f"a b c d,{'a ' * i},a b,{i}" for i in range(1, 7))])
    assert "sari" not in run(capsys, "own-ratings", "--ratings", str(path))
    assert "sari:easse is left out: 'a b', for one, has no reference" in caplog.text
    needs = "sari needs references, and some outputs have none (columns reference, reference2 ...)"
    assert needs in fail(capsys, "own-ratings", "--ratings", str(path), "--metrics", "sari")


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["source,clear", "a,1"], "line 1: has no column output or simplification (its columns: source, clear)"),
        (["source;output;clear", "a;b;1"], "line 1: has no column source or original (separate the columns by commas)"),
        (["original,output,clear", "a,b"], "line 2: has not as many cells as the header, 3"),
        (["original,text,clear", "a,b,1"], "has no column output or simplification (its columns: original, text, c"),
        (['{"source": "a", "output": "b"}'], "has no column source or original (of JSON lines pandas.read_json(FILE,"),
        (["source,output,year", "a,b,1", "a,c,1"], "are numbers: year (the same number throughout)"),
        (["source,output,clear", "a,b"], "line 2: has not as many cells as the header, 3"),
        (["source,output,clear", "a,b,1,2"], "line 2: has not as many cells as the header, 3"),
        (["source,output", "a,b"], "no column holds ratings, which are numbers"),
        (
            ["source,output,clear", "a,b,1", "a,c,x"],
            "no column holds ratings, which are numbers: clear (no number in line 3)",
        ),
        (["source,output,clear", "a,b,", "a,c,NA"], "no column holds ratings, which are numbers: clear (blank)"),
        (["source,output,rater_id", "a,b,1"], "no column holds ratings, which are numbers: rater_id (ids)"),
        (["source,output,WORKER ID", "a,b,1"], "no column holds ratings, which are numbers: WORKER ID (ids)"),
        (["source,output,aspect,rating", "a,b,clear,1_000"], "line 2: '1_000' is no rating by 'clear': numbers are"),
        (["source,output,clear", "a,b,1", "a,c,\u0663"], "which are numbers: clear (no number in line 3)"),
        (["source,output,aspect,rating", "a,b,clear,inf"], "line 2: 'inf' is no rating by 'clear': numbers are"),
        (
            ["source,output,clear", "a,b,1e101"],
            "no column holds ratings, which are numbers: clear (no number in line 2)",
        ),
        (["source,output,clear", "a,b,1", "a,b,2"], "rates fewer than four outputs by 'clear'"),
        (["source,output,clear"], "mine.csv: has no row below its header"),
    ],
)
def test_tables_that_hold_no_ratings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], lines: list[str], message: str
) -> None:
    path = tmp_path / "mine.csv"
    write(path, lines)
    assert message in fail(capsys, "own-ratings", "--ratings", str(path))


@pytest.mark.parametrize("encoding", ["utf-8-sig", "latin-1", "utf-16"])
def test_tables_are_utf_8(tmp_path: Path, capsys: pytest.CaptureFixture[str], encoding: str) -> None:
    lines = ["source,output,clear", *(f'"a ""b"", é",{"x " * i},{i}' for i in range(1, 7))]
    (tmp_path / "mine.csv").write_bytes("\n".join(lines).encode(encoding))
    arguments = ("own-ratings", "--ratings", str(tmp_path / "mine.csv"))
    if encoding == "utf-8-sig":
        assert "6 rows of ratings of 6 outputs" in run(capsys, *arguments, "--metrics", "length:all")
    else:
        assert "mine.csv: is not UTF-8 (save it as CSV UTF-8)" in fail(capsys, *arguments)


def test_ratings_and_data_go_with_their_studies(capsys: pytest.CaptureFixture[str]) -> None:
    assert "own-ratings needs --ratings FILE" in fail(capsys, "own-ratings")
    assert "--data is for asset, assetann, ats-eval, qats, not for own-ratings: leave it out" in fail(
        capsys, "own-ratings", "--ratings", "r", "--data", "d"
    )
    assert "--ratings is for own-ratings, not for qats: leave it out" in fail(capsys, "qats", "--ratings", "r")
