"""sbmt-eval: tests against a baseline, and several runs of a system."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from sbmt.metrics import Resampling, evaluate, get_metric
from sbmt.metrics.result import TESTS, corrected
from sbmt.metrics.significance import holm
from tests.metrics.eval_command import FILES, REFERENCES, SOURCE, SYSTEMS, fail, run, write

pytestmark = pytest.mark.usefixtures("files")


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
    result = evaluate(get_metric("length"), lines, [[], []], {"A": lines, "B": lines}, Resampling(0, baseline="B"))["A"]
    results = {name: replace(result, p_value=p) for name, p in (("x", 0.01), ("y", 0.04), ("z", 0.03))}
    told = corrected({"A": results, "B": {"x": replace(result, p_value=None, test=None)}})
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
