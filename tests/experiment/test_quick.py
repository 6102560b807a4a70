"""The whole experiment in small, on the real corpora."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from experiment.composition import COMPOSITIONS, QUICK
from experiment.run import BASELINES, Experiment
from experiment.split import final_split

from tests.corpora import DATA, needs_data

SCRIPT = Path(__file__).parents[2] / "scripts" / "turkcorpus.py"
OURS = ("identity", "frequency", "pbmt-r", "starter", "sbmt-bleu", "sbmt-fkbleu", "sbmt-sari", "best")


@needs_data
@pytest.mark.slow
def test_quick_run_reproduces_published_figures_and_is_not_repeated(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    if not (DATA / "ppdb").is_dir():
        pytest.skip("SBMT_DATA has not all corpora of the experiment")
    command = [sys.executable, str(SCRIPT), "--data", str(DATA), "--out", str(tmp_path), "--quick"]
    first = subprocess.run(command, capture_output=True, text=True, check=False)
    assert first.returncode == 0, first.stderr[-3000:]
    results = json.loads((tmp_path / "results.json").read_text())
    figures = {(f["test_set"], f["system"], f["metric"]): f for f in results["figures"]}
    published = [figure for figure in figures.values() if figure["published"] is not None]
    assert len(published) > 90
    for figure in published:
        # the paper's Table 5 is rounded to whole words and characters
        rounded = 0.5 if figure["metric"].startswith("length") else 0.0151
        assert figure["value"] == pytest.approx(figure["published"], abs=rounded), figure
    test = "turkcorpus-truecased/test"
    for name in OURS:
        assert len((tmp_path / "outputs" / name).read_text().split("\n")) == 359 + 1
        assert (test, f"ours: {name}", "sari:easse") in figures
    sari = {name: figures[test, f"ours: {name}", "sari:easse"]["value"] for name in OURS}
    assert sari["best"] > sari["identity"] + 2  # 200 tuning sentences and three iterations must teach it something
    assert sari["sbmt-sari"] > sari["identity"]
    for heading in ("Table 3", "Table 4", "Table 5", "Table 6", "ASSET"):
        assert heading in (tmp_path / "tables.md").read_text()
    experiment = Experiment(DATA, tmp_path, final_split(str(DATA), QUICK.tune_sentences), QUICK, 2, [1])
    with caplog.at_level("INFO"):
        for name in BASELINES:
            experiment.baseline(name)
        outputs = [experiment.system(composition).cased[0] for composition in COMPOSITIONS]
    assert "there already" in caplog.text
    assert "begins" not in caplog.text
    assert outputs[-1] == (tmp_path / "outputs" / "best").read_text().split("\n")[:-1]
