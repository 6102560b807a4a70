"""The plug-in metrics of docs/evaluation.md, run as they are."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import types
from pathlib import Path
from typing import Any, ClassVar

import pytest

from sbmt.cli.evaluate import main as evaluate
from sbmt.cli.report import main as report

DOCUMENT = Path(__file__).parents[2] / "docs/evaluation.md"


@pytest.fixture
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = re.findall(r"```python\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    for name, block in zip(("words", "neural", "kept", "notebook"), blocks, strict=True):
        (tmp_path / f"{name}.py").write_text(block, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    for name, lines in {
        "S": ["In 1994 , 2,000 people left .", "Nobody came ."],
        "A": ["In 1994 many people left .", "Nobody came ."],
    }.items():
        Path(name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def test_words_are_labelled_as_printed(modules: None, capsys: pytest.CaptureFixture[str]) -> None:
    exec(Path("words.py").read_text(encoding="utf-8"), {})
    out = capsys.readouterr().out.splitlines()
    assert out[0].startswith("('he', 'copy') ('utilized', 'replace') ")
    assert out[1].startswith("('he', 'copy') ('used', 'replace') ")
    assert out[2] == "['synonym']"


def test_the_notebook_runs(modules: None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in for pandas gives its tables back as they were given."""
    fake = types.ModuleType("pandas")
    fake.DataFrame = lambda data: data  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "pandas", fake)
    lines = ["He utilized tools .", "Nobody came .", "They endeavoured to win .", "The cat slept ."]
    simple = ["He used tools .", "No one came .", "They tried to win .", "The cat slept ."]
    Path("corpora/news").mkdir(parents=True)
    line = next(line for line in DOCUMENT.read_text(encoding="utf-8").split("\n") if line.startswith("news/test:"))
    Path("corpora/testsets.yaml").write_text(line, encoding="utf-8")
    rated = [f"{source},{output},{output},{i}" for i, (source, output) in enumerate(zip(lines, simple, strict=True))]
    for name, content in {
        "corpora/news/test.src": lines,
        "corpora/news/test.ref0": simple,
        "corpora/news/test.ref1": lines,
        "mine.txt": simple,
        "theirs.txt": lines,
        "ratings.csv": ["source,output,reference,clear", *rated],
    }.items():
        Path(name).write_text("".join(f"{line}\n" for line in content), encoding="utf-8")
    variables: dict[str, Any] = {}
    exec(Path("notebook.py").read_text(encoding="utf-8"), variables)
    assert variables["scores"]["mine"]["bleu:easse"] == pytest.approx(100)
    assert list(variables["p_values"]["theirs"].values()) == [None] * 3
    assert len(variables["sentences"]["mine sari:easse"]) == 4
    assert [figure.name for figure in variables["correlations"][:2]] == [
        "pearson sari:easse: clear",
        "pearson bleu:easse: clear",
    ]
    assert "corrected for 3 tests" in capsys.readouterr().out  # LaTeX
    assert "bleu:easse" in Path("report.html").read_text(encoding="utf-8")


def test_the_metric_that_runs_as_it_stands(modules: None, capsys: pytest.CaptureFixture[str]) -> None:
    assert evaluate(["--source", "S", "--systems", "A", "--metric", "kept:numbers", "--sentence-level", "--json"]) == 0
    cell = json.loads(capsys.readouterr().out)["A"]["kept:numbers"]
    assert cell["sentences"] == [50, 100]
    assert cell["score"] == 75
    assert report(["--source", "S", "--systems", "A", "--metrics", "kept:numbers", "-o", "report.html"]) == 0
    assert "75.00" in Path("report.html").read_text(encoding="utf-8")


def test_the_printed_command_finds_the_module(modules: None) -> None:
    line = next(
        line for line in DOCUMENT.read_text(encoding="utf-8").split("\n") if "-report" in line and "kept:" in line
    )
    _, *arguments = shlex.split(line)
    for name in ("R.0", "B"):
        Path(name).write_bytes(Path("S").read_bytes())
    command = [sys.executable, "-P", "-c", "from sbmt.cli.report import main; raise SystemExit(main())", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "kept:numbers" in Path("report.html").read_text(encoding="utf-8")


def test_the_neural_one_calls_its_package_rightly(
    modules: None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Scorer:
        """Stands in for bert-score's: as many scores as candidates, one list of references for each."""

        asked: ClassVar[list[int]] = []

        def __init__(self, lang: str, rescale_with_baseline: bool) -> None:
            assert lang == "en"

        def score(self, candidates: list[str], references: list[list[str]], batch_size: int) -> tuple[list[float], ...]:
            self.asked.append(len(candidates))
            zeros = [0.0] * len(candidates)
            return zeros, zeros, [float(c in lines) for c, lines in zip(candidates, references, strict=True)]

    fake = types.ModuleType("bert_score")
    fake.BERTScorer = Scorer  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "bert_score", fake)
    arguments = ["--source", "S", "--references", "S", "--systems", "A", "--metric", "neural:bertscore", "-b"]
    assert evaluate(arguments) == 0
    assert capsys.readouterr().out == "50.00\n"
    assert Scorer.asked == [2]


@pytest.mark.parametrize(("value", "shown"), [("float('nan')", "nan"), ("'good'", "'good'"), ("None", "None")])
def test_a_metric_must_give_numbers(
    modules: None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, value: str, shown: str
) -> None:
    Path("odd.py").write_text(f"def ratio(source, output, references):\n    return {value}\n", encoding="utf-8")
    monkeypatch.delitem(sys.modules, "odd", raising=False)
    assert report(["--source", "S", "--systems", "A", "--metrics", "odd:ratio", "-o", "report.html"]) == 2
    assert f"odd:ratio gives no finite number but {shown} for the output 'In 1994 many" in capsys.readouterr().err
    assert not Path("report.html").exists()
