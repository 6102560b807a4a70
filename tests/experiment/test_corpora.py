"""Where scripts find the corpora."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest
from corpora import add_data


@pytest.mark.parametrize(
    ("variable", "line", "folder"),
    [("corpora", [], "corpora"), ("corpora", ["--data", "mine"], "mine"), ("", ["--data", "mine"], "mine")],
)
def test_corpora_are_named_or_those_of_the_environment(
    variable: str, line: list[str], folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SBMT_DATA", variable)
    parser = argparse.ArgumentParser()
    add_data(parser)
    assert parser.parse_args(line).data == Path(folder)


def test_corpora_must_be_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("SBMT_DATA", "")
    parser = argparse.ArgumentParser()
    add_data(parser)
    with pytest.raises(SystemExit, match="2"):
        parser.parse_args([])
    assert "required: --data" in capsys.readouterr().err
