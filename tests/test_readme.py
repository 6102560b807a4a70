"""The Python examples of README.md, run as they are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

DOCUMENT = Path(__file__).parents[1] / "README.md"


def test_the_examples_print_what_the_page_says(capsys: pytest.CaptureFixture[str]) -> None:
    simplify, score = re.findall(r"```python\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    exec(simplify, {})
    assert capsys.readouterr().out.splitlines() == re.findall(r"  # (.*)", simplify)
    exec(score, {})
    assert 0 < float(capsys.readouterr().out) < 100
