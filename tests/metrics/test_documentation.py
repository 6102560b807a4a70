"""The program of docs/metrics.md, run as it stands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

DOCUMENT = Path(__file__).parents[2] / "docs/metrics.md"


def test_the_program_scores(capsys: pytest.CaptureFixture[str]) -> None:
    (program,) = re.findall(r"```python\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    exec(program, {})
    out = capsys.readouterr().out
    score, signature = out.split()[0], "SARI|var:easse|nrefs:1-2|tok:13a|case:lc|del:f1|level:corpus|"
    assert 0 < float(score) < 100
    assert signature in out
