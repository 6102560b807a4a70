"""Options shared by several commands."""

from __future__ import annotations

import argparse

import pytest

from sbmt.cli.shared.options import add_jobs, add_output, add_reading, refuse_unused
from sbmt.errors import SbmtError


def test_defaults() -> None:
    parser = argparse.ArgumentParser()
    add_jobs(parser.add_argument_group("group"))
    add_output(parser)
    add_reading(parser)
    assert vars(parser.parse_args([])) == {"jobs": 1, "output": "-", "owner": "pt", "on_error": "stop"}


@pytest.mark.parametrize(
    "line", [["big"], ["small", "--most-words", "3"], ["small", "--most-words", "0"], ["big", "--a", "1"]]
)
def test_used_options_are_accepted(line: list[str]) -> None:
    assert refusal(line) == ""


def test_unused_options_are_refused() -> None:
    assert refusal(["big", "--most-words", "0"]) == "--most-words is for small, tiny, not for big: leave it out"


def refusal(line: list[str]) -> str:
    parser = argparse.ArgumentParser()
    parser.add_argument("kind")
    parser.add_argument("--most-words", type=int, default=7)
    parser.add_argument("--a")
    try:
        refuse_unused(parser.parse_args(line), parser, line[0], {"most_words": ("small", "tiny")})
    except SbmtError as error:
        return str(error)
    return ""
