"""sbmt-eval: what it prints, in every format, and what it says of bad input."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from sbmt.cli.evaluate import main
from sbmt.metrics import Resampling, evaluate, get_metric
from sbmt.metrics.result import TESTS, corrected
from sbmt.metrics.significance import holm
from tests import commands

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


run, fail = partial(commands.run, main), partial(commands.fail, main)


FILES = ("--source", "S", "--references", "R.0", "R.1", "--systems", "A", "B")


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


CASED, RAW = ["The cat was on the mat .", "He ate it ."], ["the cat was on the mat.", "he ate it."]


@pytest.mark.parametrize(
    ("outputs", "metric", "warning"),
    [
        (
            CASED,
            "bleu",
            "the references have no capitals, the outputs of C have some, and bleu is case-sensitive: scor",
        ),
        (CASED, "sari+0.5*bleu", "the outputs of C have some, and bleu is case-sensitive"),
        (CASED, "sari", ""),
        (RAW, "sari", "the references are tokenised, the outputs of C are not: scores suffer; docs/metrics.md"),
        (RAW, "sari,tok=ptb", ""),
        (RAW, "sari,tok=ptb+bleu", "the references are tokenised, the outputs of C are not: scores suffer"),
        (RAW, "length:characters", ""),
        (
            RAW,
            "length",
            "the outputs of C are not tokenised, but length:words splits at white space alone, so that 'end.'",
        ),
        (
            RAW,
            "fk:xu2016",
            "the outputs of C are not tokenised, but fk:xu2016 splits at white space alone, so that 'end.'",
        ),
        (CASED, "fk", ""),
        (RAW, "fk:plain", ""),
    ],
)
def test_outputs_unlike_the_references_are_remarked_on_once(
    caplog: pytest.LogCaptureFixture, outputs: list[str], metric: str, warning: str
) -> None:
    write("C", outputs)
    main(["--source", "S", "--references", "R.", "--systems", "A", "C", "--metrics", metric, "length:characters"])
    assert len(caplog.messages) == bool(warning)
    assert warning in "".join(caplog.messages)


def test_files_that_are_not_what_they_are_given_as_are_remarked_on(caplog: pytest.LogCaptureFixture) -> None:
    lines = [" ".join(f"w{12 * i + k}" for k in range(12)) + " ." for i in range(20)]
    for name, content in (("S20", lines), ("R20", lines), ("late", lines[1:] + lines[:1])):
        write(name, content)
    write("table", [f"{line}\t{line}" for line in lines])
    write("testsets.yaml", ["twice: {source: S20, references: [R20, R20]}"])
    systems = ("--systems", "mine=late", "table", "S20", "--metrics", "sari", "bleu", "-b")
    for named, twice in (
        (("--source", "S20", "--references", "R20", "R20"), "R20 and R20 hold the same lines"),
        (("-t", "twice", "--data-dir", "."), "twice, reference 1 and twice, reference 2 hold the same lines"),
    ):
        caplog.clear()
        assert main([*named, *systems]) == 0
        starts = ["late: 20 of 20 lines have hardly a word of", "table: most lines have a tab", twice]
        assert [message[: len(start)] for message, start in zip(caplog.messages, starts, strict=True)] == starts


def test_raw_sources_of_a_metric_that_tokenises_outputs_alone(caplog: pytest.LogCaptureFixture) -> None:
    write("RAW", RAW)
    for name, warned in (("sari:easse-legacy", True), ("sari:easse-legacy,tok=13a", False), ("sari:easse", False)):
        caplog.clear()
        main(["--source", "RAW", "--references", "RAW", "--systems", "RAW", "--metrics", name])
        message = "the sources are not tokenised, and sari:easse-legacy tokenises outputs and references alone"
        assert any(message in told for told in caplog.messages) is warned
        assert len(caplog.messages) == warned
    main(["--source", "RAW", "--references", "RAW", "--systems", "RAW", "--metrics", "sari,tok=none"])
    assert "the outputs of RAW are not tokenised, but sari:easse,tok=none splits at white" in caplog.messages[-1]


def test_and_references_unlike_the_outputs(caplog: pytest.LogCaptureFixture) -> None:
    write("R", ["The cat was on the mat.", "He ate it."])
    main(["--source", "S", "--references", "R", "--systems", "A", "B", "--metrics", "bleu"])
    first, second = caplog.messages
    assert "the references have capitals, the outputs of A and B have none, and bleu is case-sensitive" in first
    assert "the references are not tokenised, the outputs of A and B are: " in second
    for name in ("D", "E"):
        write(name, SOURCE)
    write("cased", ["The cat sat.", "He ate."])
    caplog.clear()
    main(["--source", "S", "--references", "R.", "--systems", "a=cased", "a=A", "--metrics", "bleu", "-b"])
    assert "the outputs of a have some, and bleu is case-sensitive" in caplog.text  # one run of them
    caplog.clear()
    main(["--source", "S", "--references", "R", "--systems", "A", "B", "D", "--metrics", "bleu,case=lc"])
    main(["--source", "S", "--references", "R", "--systems", "A", "B", "D", "E", "--metrics", "bleu,case=lc"])
    assert "the outputs of A, B and D are" in caplog.messages[0]
    assert "of A and 3 more are" in caplog.messages[1]


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


def test_a_baseline_is_tested_against(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = (*FILES, "--metrics", "sari", "--baseline", "B", "--seed", "7")
    metric = get_metric("sari")
    prepared = metric.prepare_many(SOURCE, list(zip(*REFERENCES, strict=True)))
    statistics = [metric.corpus_statistics(prepared, outputs) for outputs in SYSTEMS.values()]
    for test, samples, unit in (("permutation", 10_000, "swaps"), ("bootstrap", 1000, "resamples")):
        chosen = (*arguments, "--test", test)
        table = json.loads(run(capsys, *chosen, "--json"))
        expected = TESTS[test][0](metric, *statistics, np.random.default_rng(7), samples=samples)
        assert table["A"]["sari"]["p_value"] == expected
        told = {"name": test, "baseline": "B", "samples": samples, "seed": 7, "corrected_for": 0}
        assert table["A"]["sari"]["test"] == told
        assert "p_value" not in table["B"]["sari"]
        assert "test" not in table["B"]["sari"]
        words = f"paired {test} test against B, {samples} {unit}, seed 7"
        assert f"\np: {words}\n" in run(capsys, *chosen)
        rows = list(csv.DictReader(io.StringIO(run(capsys, *chosen, "--csv"))))
        assert [row["test"] for row in rows] == [words, ""]
    assert " p=" in run(capsys, *arguments)
    for shape in (["--latex"], []):
        shown = run(capsys, *FILES, "--metrics", "sari", "bleu", "length", "--baseline", "B", "--seed", "7", *shape)
        assert "seed 7; uncorrected: of 3 tests expect 0.15 with p " in shown


def test_correction_by_hand() -> None:
    lines = ["a b", "c"]
    made = evaluate(get_metric("length"), lines, [[], []], {"A": lines, "B": lines}, Resampling(0, baseline="B"))["A"]
    results = {name: replace(made, p_value=p) for name, p in (("x", 0.01), ("y", 0.04), ("z", 0.03))}
    told = corrected({"A": results, "B": {"x": replace(made, p_value=None, test=None)}})
    assert [told["A"][name].p_value for name in "xyz"] == pytest.approx([0.03, 0.06, 0.06])  # 3 x .01, 2 x .03, as that
    assert told["B"]["x"].p_value is None


def test_p_values_corrected_for_their_number(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = (*FILES, "--metrics", "sari", "bleu", "length", "--baseline", "B")
    plain, told = (json.loads(run(capsys, *arguments, *more, "--json"))["A"] for more in ((), ("--holm",)))
    by_hand = holm([cell["p_value"] for cell in plain.values()])
    assert [cell["p_value"] for cell in told.values()] == by_hand
    assert by_hand != [cell["p_value"] for cell in plain.values()]
    assert [cell["test"]["corrected_for"] for cell in told.values()] == [3, 3, 3]
    assert "seed 1, corrected for 3 tests (Holm 1979)\n" in run(capsys, *arguments, "--holm")
    needs = "--holm corrects the p-values of tests against --baseline SYSTEM: name one"
    assert needs in fail(capsys, *FILES, "--holm")


def test_runs_of_a_system_are_scored_by_their_mean(capsys: pytest.CaptureFixture[str]) -> None:
    write("A2", ["the cat", "he"])
    runs = ("--systems", "mine=A", "mine=A2", "B", "--metrics", "length", "sari")
    arguments = (*FILES[:5], *runs)
    table = json.loads(run(capsys, *arguments, "--json", "--baseline", "B", "--sentence-level"))
    assert list(table) == ["mine", "B"]
    cell = table["mine"]["length"]
    assert (cell["score"], cell["runs"], cell["sentences"]) == (4.0, [6.5, 1.5], [5.0, 3.0])
    assert cell["signature"].endswith("|runs:2")
    assert cell["interval"] == [3.0, 5.0]  # both sentences are the same one in a quarter of the draws each
    assert cell["p_value"] == pytest.approx(0.5, abs=0.03)  # four ways to swap, two of them as extreme
    alone = {name: json.loads(run(capsys, *FILES[:5], "--systems", name, "--json"))[name] for name in ("A", "A2")}
    assert table["mine"]["sari"]["score"] == pytest.approx(
        (alone["A"]["sari:easse"]["score"] + alone["A2"]["sari:easse"]["score"]) / 2
    )
    lines = run(capsys, *arguments, "--samples", "0").splitlines()
    assert lines[1].split()[:3] == ["mine", "4.00", "(1.50-6.50)"]
    rows = list(csv.DictReader(io.StringIO(run(capsys, *arguments, "--csv"))))
    assert [(row["runs"], row["std"]) for row in rows[::2]] == [("2", str(2.5 * 2**0.5)), ("1", "")]
    assert "mine: mean of 2 runs (lowest-highest)" in lines
    latex = run(capsys, *arguments, "--samples", "0", "--latex")
    assert "mine & 4.00 (1.50-6.50) &" in latex
    assert "mine: mean of 2 runs (lowest-highest)." in latex
    named = {"mine, run 1": "B", "mine": "A"}  # no name of another system's
    pairs = [f"{name}={path}" for name, path in named.items()]
    both = json.loads(run(capsys, *FILES[:5], "--systems", *pairs, "mine=A2", "--metrics", "length", "--json"))
    assert both["mine"]["length"]["runs"] == cell["runs"]
    assert "runs" not in both["mine, run 1"]["length"]
    first = run(capsys, *FILES[:5], *runs[:3], "theirs=B", *runs[4:], "--samples", "0")
    assert "|runs:" not in first  # which is not the other's
    assert "the baseline 'A2' is not among the systems (mine, B)" in fail(capsys, *arguments, "--baseline", "A2")
    for names in (("mine=A", "mine=./A"), ("A", "x/../A")):
        Path("x").mkdir(exist_ok=True)
        assert "a file is named twice" in fail(capsys, *FILES[:5], "--systems", *names)
    for names in (("mine=A", "mine"), ("A", "A2", "A2=B")):
        write("mine", SOURCE)
        assert "two systems have one name" in fail(capsys, *FILES[:5], "--systems", *names)


def test_too_few_sentences_are_remarked_on(
    capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    run(capsys, *FILES, "--metrics", "sari", "--baseline", "B")
    assert caplog.messages == ["too few sentences to tell systems apart: with 2 no p-value is below 0.5"]
    caplog.clear()
    write("one", SOURCE[:1])
    assert "[" not in run(capsys, "--systems", "one", "--metrics", "length")
    assert caplog.messages == ["a single sentence has no interval"]


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


def test_latex_takes_any_name(capsys: pytest.CaptureFixture[str]) -> None:
    write("~a\\b^c\n%d", SYSTEMS["A"])
    out = run(capsys, "--systems", "~a\\b^c\n%d", "--metrics", "length", "--latex")
    assert r"\textasciitilde{}a\textbackslash{}b\textasciicircum{}c \%d & 6.50 [5.00, 8.00] \\" in out.splitlines()


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
