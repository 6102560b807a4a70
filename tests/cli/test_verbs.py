"""Subcommands: each has its own help and examples."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Callable

import pytest

from sbmt.cli import data, features, learn, rules

VERBS = {
    "sbmt-data": (data.build_parser, "list get check"),
    "sbmt-learn": (learn.build_parser, "pivot quality judgements vectors"),
    "sbmt-rules": (rules.build_parser, "pack check filter merge stats show list-features"),
    "sbmt-features": (features.build_parser, "annotate identity"),
}
CASES = [(name, build, verb) for name, (build, verbs) in VERBS.items() for verb in verbs.split()]


@pytest.mark.parametrize(("name", "build", "verb"), CASES, ids=[f"{name} {verb}" for name, _, verb in CASES])
def test_help_of_a_verb(
    name: str,
    build: Callable[[], argparse.ArgumentParser],
    verb: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("sys.argv", [name])
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit, match="0"):
        build().parse_args([verb, "--help"])
    text = capsys.readouterr().out
    assert text.startswith(f"usage: {name} {verb} ")
    description, _, examples = text.partition("\n\n")[2].partition("examples:\n")
    assert max(map(len, description.splitlines())) <= 80
    assert description[0].isupper()
    for line in examples.splitlines():
        command, *arguments = shlex.split(line)
        assert command == name
        assert build().parse_args(arguments).verb == verb


@pytest.mark.parametrize("name", sorted(VERBS.keys() - {"sbmt-learn"}))  # which has something to do without one
def test_a_verb_is_needed(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        VERBS[name][0]().parse_args([])
    assert "the following arguments are required" in capsys.readouterr().err


def test_show_says_what_the_score_is(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        rules.build_parser().parse_args(["show", "--help"])
    assert "sum of weight x value" in " ".join(capsys.readouterr().out.split())


def test_a_verb_of_learn_comes_first(capsys: pytest.CaptureFixture[str]) -> None:
    """Else the options before it would say nothing."""
    with pytest.raises(SystemExit, match="2"):
        learn.main(["--lowercase", "quality", "rules"])
    assert "quality comes first, its options after it" in capsys.readouterr().err
