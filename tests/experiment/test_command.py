"""scripts/turkcorpus.py refuses wrong arguments, and missing packages, before it does anything."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from turkcorpus import main

SCRIPTS = Path(__file__).parents[2] / "scripts"
WITHOUT = """
import runpy, sys
sys.modules["lemminflect"] = None
sys.path.insert(0, sys.argv[1])
runpy.run_path(f"{sys.argv[1]}/{sys.argv[2]}", run_name="__main__")
"""


@pytest.mark.parametrize("script", ["turkcorpus.py", "make_starter.py", "study_tuning.py"])
def test_what_must_be_installed_is_named(script: str) -> None:
    command = [sys.executable, "-P", "-c", WITHOUT, str(SCRIPTS), script]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    expected = "error: lemminflect is missing: pip install '.[experiment]' in the folder of the project\n"
    assert (done.returncode, done.stderr) == (2, expected)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--systems", "sari-alone"], "--systems sari-alone goes with --develop (here there are: identity, "),
        (["--systems", "pbmt-r", "--develop"], "--systems pbmt-r goes without --develop (here there are: starter, "),
        (["--jobs", "-1"], "argument --jobs: -1 is less than 1"),
        (["--seeds", "1", "-1"], "argument --seeds: -1 is less than 0"),
        (
            ["--seeds", "1", "2", "1"],
            "--seeds names a seed twice, which would count one run as two",
        ),
    ],
)
def test_what_makes_no_run_is_refused_before_anything_is_done(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    try:
        code = main(["--data", str(tmp_path), "--out", str(tmp_path / "run"), *arguments])
    except SystemExit as end:  # argparse
        code = int(str(end.code))
    assert code == 2
    assert f"error: {message}" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()
