"""sbmt-eval: what it prints, in every format."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
from pathlib import Path

import pytest

from sbmt.metrics import Resampling, evaluate, get_metric, tables
from tests.metrics.eval_command import FILES, METRICS, REFERENCES, SOURCE, SYSTEMS, run, write

pytestmark = pytest.mark.usefixtures("files")


def test_json_has_the_shape_promised(capsys: pytest.CaptureFixture[str]) -> None:
    """Plumbing alone: that the metrics' figures arrive. That they are right is tested with each metric."""
    table = json.loads(run(capsys, *FILES, "--metrics", *METRICS, "--json"))
    assert list(table) == ["A", "B"]
    for system, results in table.items():
        assert list(results) == METRICS
        for name, cell in results.items():
            assert list(cell)[:4] == ["score", "parts", "interval", "signature"]
            metric = get_metric(name)
            prepared = metric.prepare_many(SOURCE, list(zip(*REFERENCES, strict=True)))
            rows = metric.corpus_statistics(prepared, SYSTEMS[system])
            score = metric.corpus(rows, "2")
            assert (cell["score"], cell["parts"], cell["signature"]) == (score.value, score.parts, score.signature)
            low, high = cell["interval"]
            assert low <= cell["score"] + 1e-9
            assert high >= cell["score"] - 1e-9


def test_json_says_what_a_figure_is_of(capsys: pytest.CaptureFixture[str]) -> None:
    """Test set, sentences, draws, and the content of the files read; a system has its own files alone."""
    known = {name: hashlib.sha256(Path(name).read_bytes()).hexdigest() for name in ("S", "R.0", "R.1", "A", "B")}
    options = ("--metrics", "length", "--json", "--samples", "200", "--seed", "3")
    table = json.loads(run(capsys, *FILES[:5], "--systems", "one=A", "one=B", "B2=R.1", *options))
    facts = {name: list(results["length"].items()) for name, results in table.items()}
    assert facts["B2"][4] == ("bootstrap", {"samples": 200, "seed": 3})
    assert facts["one"][-2:] == [("sentence_count", 2), ("files", known)]
    assert facts["B2"][-1] == ("files", {name: known[name] for name in ("S", "R.0", "R.1")})
    write("testsets.yaml", ["mine: {source: S, references: [R.]}"])
    cell = json.loads(run(capsys, "-t", "mine", "--data-dir", ".", *FILES[5:], *options[:3], "--samples", "0"))["A"]
    del known["B"]
    assert list(cell["length"].items())[4:] == [("test_set", "mine"), ("sentence_count", 2), ("files", known)]


def test_brief_prints_bare_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys, *FILES, "--metrics", "length", "levenshtein", "-b", "-w", "1")
    assert out == "6.5\t2.5\n7.5\t0.0\n"  # two words changed; one changed and two gone


def test_figures_between_minus_1_and_1_have_four_decimals(capsys: pytest.CaptureFixture[str]) -> None:
    """Unless it is said how many; on a scale to 100 that is nothing but a low score."""
    write("x", ["x", "x"])  # one word for eight, and for seven: added to the longer side are 1/8 and 1/7
    arguments = (*FILES[:5], "--systems", "x", "--metrics", "quality:additions", "levenshtein", "bleu", "-b")
    assert run(capsys, *arguments) == "0.1339\t7.50\t0.00\n"
    assert run(capsys, *arguments, "-w", "3") == "0.134\t7.500\t0.000\n"


def test_all_variants_are_columns_or_rows_where_they_are_many(capsys: pytest.CaptureFixture[str]) -> None:
    few = run(capsys, *FILES, "--metrics", "length:all", "--samples", "0").splitlines()
    assert few[0].split() == ["system", "length:words", "length:characters"]
    lines = run(capsys, *FILES, "--metrics", "length", "quality:all", "--samples", "0").splitlines()
    assert lines[0].split() == ["metric", "A", "B"]
    assert lines[1].split() == ["length", "6.50", "7.50"]
    copies = [line.split() for line in lines if line.startswith("quality:exact-copy")]
    assert copies == [["quality:exact-copy", "0.0000", "1.0000"]]  # B is the source


def test_metrics_are_columns_where_systems_are_more(capsys: pytest.CaptureFixture[str]) -> None:
    metrics = get_metric("quality").variants
    several = [f"quality:{variant}" for variant in list(metrics)[:7]]  # more than a line takes
    for systems, head in ((7, ["system", *several]), (6, ["metric", *(f"s{i}" for i in range(6))])):
        named = [f"s{i}" for i in range(systems)]
        for name in named:
            write(name, SOURCE)
        out = run(capsys, "--source", "S", "--systems", *named, "--metrics", *several, "--samples", "0")
        assert out.splitlines()[0].split() == head


def test_table_and_latex(capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys, *FILES, "--metrics", "length", "--samples", "0")
    assert out.splitlines()[:3] == ["system  length", "A         6.50", "B         7.50"]
    assert out.splitlines()[-1] == get_metric("length").signature()
    assert re.search(r"\nSARI.*\n  A: add \d+\.\d\d, keep \d+\.\d\d, del \d+\.\d\d\n  B: ", run(capsys, *FILES))
    write("a_b", SYSTEMS["A"])
    out = run(capsys, "--source", "S", "--systems", "a_b", "--metrics", "length", "--latex")
    assert r"a\_b & 6.50 [5.00, 8.00] \\" in out
    out = run(capsys, "--source", "S", "--systems", "a_b", "--metrics", "length", "--latex", "-w", "1")
    assert r"a\_b & 6.5 [5.0, 8.0] \\" in out


def test_latex_has_intervals_marks_and_how_they_were_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    write("S8", SOURCE * 4)
    write("[c*]_%", SYSTEMS["A"] * 4)
    options = ("--source", "S8", "--systems", "S8", "[c*]_%", "--metrics", "length", "levenshtein", "--baseline", "S8")
    drawn = ("--samples", "200", "--seed", "7", "-w", "1")
    lines = run(capsys, *options, *drawn, "--latex").splitlines()
    table = json.loads(run(capsys, *options, *drawn, "--json"))
    cells = [table["[c*]_%"][name] for name in ("length", "levenshtein")]
    # Four outputs are shorter and all eight are other ones: p is 2 / 2**4 and 2 / 2**8, about.
    assert [cell["p_value"] < 0.05 for cell in cells] == [False, True]
    figures = [f"{cell['score']:.1f} [{cell['interval'][0]:.1f}, {cell['interval'][1]:.1f}]" for cell in cells]
    end = lines.index(r"\end{minipage}")
    assert lines[0] == r"% needs \usepackage{booktabs}"
    assert lines[1] == r"\begin{tabular}{lrr}"
    assert lines[4].count(r"\dagger") == 0  # the baseline
    assert lines[5] == rf"{{[}}c{{*}}]\_\% & {figures[0]} & {figures[1]}\rlap{{$^\dagger$}} \\"
    assert lines[end - 2 : end] == [
        r"In brackets: 95\,\% bootstrap intervals, 200 samples, seed 7.\\",
        r"$^\dagger$: $p < 0.05$, "
        r"paired permutation test against S8, 10000 swaps, seed 7; uncorrected: of 2 tests expect 0.1 with "
        r"p \textless{} 0.05 by chance.",
    ]
    assert lines[-1] == rf"% {{[}}c{{*}}]\_\%: {cells[1]['signature']}: p={cells[1]['p_value']:.4f}"
    plain = run(capsys, *options[:-2], "--samples", "0", "--latex")
    assert not any(mark in plain for mark in ("dagger", "rackets", "p=", "textbf"))
    assert plain.count("footnotesize") == 1  # conventions


def test_latex_has_plain_names_conventions_and_the_best_in_bold(capsys: pytest.CaptureFixture[str]) -> None:
    """B1 and C are the reference, A is not."""
    write("B1", REFERENCES[0])
    write("C1", REFERENCES[0])
    options = ("--source", "S", "--references", "R.0", "--samples", "0", "-w", "1", "--latex")
    systems = ("--systems", "mine=A", "B1", "C=C1")
    lines = run(capsys, *options, *systems, "--metrics", "bleu:easse", "sari,tok=ptb", "fkgl").splitlines()
    assert lines[3] == r"System & BLEU & SARI & FKGL \\ \midrule"
    plain = run(capsys, *options, *systems, "--metrics", "fk:easse", "fk:xu2016").splitlines()
    assert plain[3] == r"System & FKGL & FK \\ \midrule"
    rows = {line.split(" & ")[0]: line.split(" & ")[1:] for line in lines[4:7]}
    assert list(rows) == ["mine", "B1", "C"]
    assert rows["B1"][0] == rows["C"][0] == r"\textbf{100.0}"
    assert [r"\textbf" in cell for cell in rows["B1"]] == [True, True, False]  # of a grade level less is better
    assert not any("textbf" in cell for cell in rows["mine"])
    assert lines[7:13] == [
        r"\bottomrule",
        r"\end{tabular}",
        "",
        r"\begin{minipage}{\linewidth}\footnotesize",
        "BLEU is bleu:easse; SARI is sari:easse,tok=ptb; FKGL is fk:easse.",
        r"\end{minipage}",
    ]
    several = ("sari:easse", "sari:star", "sari+0.5*bleu", "quality:exact-copy")
    lines = run(capsys, *options, *systems[:2], "--metrics", *several).splitlines()
    assert lines[3] == r"System & sari:easse & sari:star & sari+0.5{*}bleu & quality:exact-copy \\ \midrule"
    assert not any("footnotesize" in line or "textbf" in line for line in lines)  # one system is not the best


def test_the_best_are_so_as_rounded() -> None:
    systems = {"A": ["x" * 9998], "B": ["x" * 9997], "C": ["x" * 9980]}
    metric = get_metric(lambda source, output, references: len(output) / 1000)
    results = evaluate(metric, [""], [[]], systems, Resampling(samples=0))
    table = {name: {"length": result} for name, result in results.items()}
    assert tables.best_systems(table, {"length": 2}) == {"length": {"A", "B"}}
    assert tables.best_systems(table, {"length": 3}) == {"length": {"A"}}


def test_csv(capsys: pytest.CaptureFixture[str]) -> None:
    rows = list(csv.DictReader(io.StringIO(run(capsys, *FILES, "--metrics", "length", "--csv"))))
    assert list(rows[0])[3:] == ["low", "high", "p_value", "signature", "test", "runs", "std", "test_set"]
    assert [(row["system"], row["metric"], row["score"]) for row in rows] == [
        ("A", "length", "6.5"),
        ("B", "length", "7.5"),
    ]
    table = json.loads(run(capsys, *FILES, "--metrics", "length", "--json"))
    for row in rows:
        bounds = [float(row["low"]), float(row["high"])]
        assert bounds == table[row["system"]]["length"]["interval"]
        assert bounds[0] < float(row["score"]) < bounds[1]


def test_sentences_with_their_parts_and_signature(capsys: pytest.CaptureFixture[str]) -> None:
    level = ("--metrics", "length", "bleu", "--sentence-level")
    lines = run(capsys, *FILES, *level, "-w", "1").splitlines()
    rows = [re.split(r"\s{2,}", line) for line in lines[:3]]
    assert rows[0][:5] == ["sentence", "A length", "A bleu", "A bleu p1", "A bleu p2"]
    assert [row[0] for row in rows] == ["sentence", "1", "2"]
    assert [row[1] for row in rows[1:]] == ["8.0", "5.0"]
    assert [row[3] for row in rows[1:]] == ["87.5", "100.0"]  # 7 words of 8, all of 5
    assert [line.partition("|")[0] for line in lines[3:] if line] == ["length", "BLEU"]
    assert all("|level:sentence|" in line for line in lines[3:] if line)
    table = json.loads(run(capsys, *FILES, *level, "--json"))
    assert table["A"]["length"]["sentences"] == [8, 5]
    assert table["A"]["bleu"]["sentence_parts"]["p1"] == [87.5, 100]
    assert "|level:sentence|" in table["A"]["bleu"]["sentence_signature"]
    cells = list(csv.DictReader(io.StringIO(run(capsys, *FILES, *level, "--csv"))))
    assert list(cells[0]) == ["system", "metric", "sentence", "score", "signature", *table["A"]["bleu"]["parts"]]
    assert [(c["system"], c["metric"], c["sentence"]) for c in cells[1:3]] == [("A", "length", "2"), ("A", "bleu", "1")]
    assert [cells[0]["p1"], cells[2]["p1"], cells[3]["p1"]] == ["", "87.5", "100.0"]
    assert cells[2]["signature"] == table["A"]["bleu"]["sentence_signature"]


def test_latex_takes_any_name(capsys: pytest.CaptureFixture[str]) -> None:
    write("~a\\b^c\n%d", SYSTEMS["A"])
    out = run(capsys, "--systems", "~a\\b^c\n%d", "--metrics", "length", "--latex")
    assert r"\textasciitilde{}a\textbackslash{}b\textasciicircum{}c \%d & 6.50 [5.00, 8.00] \\" in out.splitlines()


def test_metrics_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    listed = run(capsys, "--list-metrics").splitlines()
    start = next(i for i, line in enumerate(listed) if line.startswith("sari: "))
    assert listed[start].startswith("sari: sari:easse (default), sari:easse-legacy, sari:xu2016, ")
    assert listed[start + 1 : start + 9] == [
        "    average: f1, precision-recall",
        "    blank: absent, counted",
        "    case: lc, mixed",
        "    counting: weighted, relative, joshua",
        "    deletion: f1, precision",
        "    level: corpus, sentence",
        "    src_tok: 13a, nist, none, ptb",
        "    tok: 13a, nist, none, ptb",
    ]
    assert "    alpha: a number from 0 to 1" in listed
    assert "    constant: a number" in listed
    assert listed[-3:] == [
        "star: another name of sari:star",
        "fkgl: another name of fk:easse",
        "readability: another name of fk:plain",
    ]
