"""Types of options, and errors that name them."""

from __future__ import annotations

import pytest

from sbmt.cli.shared.parsers import add_named, file_name, new_parser, number, settings_of_options
from sbmt.config import ConfigError
from sbmt.errors import SbmtError


def read(*arguments: str) -> dict[str, object]:
    parser = new_parser("Test.", "")
    add_named(parser, "--lm", "NAME=FILE", "a file", file_name)
    add_named(parser, "--least", "NAME=NUMBER", "a number", number, at_last=True)
    return vars(parser.parse_args(arguments))


def test_values_by_name() -> None:
    """A file's name may hold "=", and so may that of a number; no values are left over from an earlier call."""
    assert read("--lm", "A=a=b", "--lm=B=b", "--least", "p=q=-inf") == {
        "lm": {"A": "a=b", "B": "b"},
        "least": {"p=q": -float("inf")},
    }
    assert read() == {"lm": {}, "least": {}}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        *(
            (["--least", value], f"--least {value}: not of the form NAME=NUMBER")
            for value in ("p", "=3", "p=", "p=nan", "p=x")
        ),
        (["--lm", "A="], "--lm A=: not of the form NAME=FILE"),
        (["--lm", "A=a", "--lm", "A=b"], "--lm A=b: A is given before: leave one of the two out"),
    ],
)
def test_invalid_values_by_name(arguments: list[str], message: str) -> None:
    with pytest.raises(SbmtError) as caught:
        read(*arguments)
    assert str(caught.value) == message


@pytest.mark.parametrize("value", ["-0.5*fkgl+sari", "-.5*fkgl,tok=13a+sari", "-1*fkgl", "-logp(e|f)"])
def test_a_value_may_begin_with_a_negative_weight_or_the_minus_of_a_feature(value: str) -> None:
    parser = new_parser("Test.", "")
    parser.add_argument("--metric")
    parser.add_argument("--metrics", nargs="+")
    parser.add_argument("-b", "--baseline")
    args = parser.parse_args(["--metric", value, "--metrics", "sari", value, "-b", "A"])
    assert vars(args) == {"metric": value, "metrics": ["sari", value], "baseline": "A"}


def test_a_setting_is_named_as_the_option_that_gives_it() -> None:
    with pytest.raises(SbmtError) as caught, settings_of_options():
        raise ConfigError("max_phrase: 30 is not from 1 to 20")
    assert str(caught.value) == "--max-phrase: 30 is not from 1 to 20"
