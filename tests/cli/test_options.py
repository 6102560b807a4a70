"""Options that several commands have."""

from __future__ import annotations

import argparse

import pytest

from sbmt.cli.options import add_jobs, add_output, add_reading, refuse_unused
from sbmt.errors import SbmtError


def test_defaults() -> None:
    made = argparse.ArgumentParser()
    add_jobs(made.add_argument_group("group"))
    add_output(made)
    add_reading(made)
    assert vars(made.parse_args([])) == {"jobs": 1, "output": "-", "owner": "pt", "on_error": "stop"}


@pytest.mark.parametrize(
    "line", [["big"], ["small", "--most-words", "3"], ["small", "--most-words", "0"], ["big", "--a", "1"]]
)
def test_options_that_are_of_use(line: list[str]) -> None:
    assert refusal(line) == ""


def test_options_that_are_of_none() -> None:
    assert refusal(["big", "--most-words", "0"]) == "--most-words is for small, tiny, not for big: leave it out"


def refusal(line: list[str]) -> str:
    made = argparse.ArgumentParser()
    made.add_argument("kind")
    made.add_argument("--most-words", type=int, default=7)
    made.add_argument("--a")
    try:
        refuse_unused(made.parse_args(line), made, line[0], {"most_words": ("small", "tiny")})
    except SbmtError as error:
        return str(error)
    return ""
