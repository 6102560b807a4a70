"""The model of your own in docs/tuning.md, made, tuned and used as the document says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from sbmt.model import Model
from sbmt.tuning.presets import load_preset
from tests.tuning.conftest import SENTENCES

DOCUMENT = Path(__file__).parents[2] / "docs/tuning.md"


def test_the_preset_of_your_own(tmp_path: Path) -> None:
    own = re.findall(r"```yaml\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)[0]
    (tmp_path / "own.yaml").write_text(own, encoding="utf-8")
    settings = load_preset(str(tmp_path / "own.yaml"), {})
    assert settings.ranges["lm_0"] == (0.1, None)
    assert settings.fixed == {name: w for name, w in load_preset("starter", {}).fixed.items() if name != "lm_0"}
    assert (settings.metric, settings.iterations, settings.nbest) == ("sari:easse+0.1*bleu:easse", 10, 60)


@pytest.mark.slow
def test_the_cross_fitted_model_of_your_own(tmp_path: Path) -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    (_, model), (commands,), (curves, program) = (
        re.findall(rf"```{kind}\n(.*?)```", text, re.DOTALL) for kind in ("yaml", "bash", "python")
    )
    (tmp_path / "model").mkdir()
    (tmp_path / "model/model.yaml").write_text(model, encoding="utf-8")
    columns = [[source for source, _ in SENTENCES], *zip(*(references for _, references in SENTENCES), strict=True)]
    for name, lines in zip(("tune.src", "tune.ref.0", "tune.ref.1"), columns, strict=True):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    (tmp_path / "corpus.tok").write_bytes((tmp_path / "tune.ref.0").read_bytes())
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "-e", "-c", commands],
        cwd=tmp_path,
        env={**os.environ, "PATH": path},
        stderr=subprocess.PIPE,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    tuned = Model.load(tmp_path / "RUN").config
    assert [grammar.path for grammar in tuned.grammars] == ["../model/rules.gz"]
    assert {"p(e|f)", "p(f|e)", "lm_0"} <= set(tuned.weights)
    (tmp_path / "RUN").rename(tmp_path / "RUN1")
    (tmp_path / "own.py").write_text(program)
    subprocess.run([sys.executable, "-P", "own.py"], cwd=tmp_path, check=True)
    (tmp_path / "RUN").rename(tmp_path / "RUN2")
    subprocess.run([sys.executable, "-P", "-c", curves], cwd=tmp_path, check=True)
    assert (tmp_path / "curves.png").read_bytes().startswith(b"\x89PNG")
