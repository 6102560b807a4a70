"""Reading configurations with checks, and documentation of all their keys."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sbmt.config import ConfigError, build, check_fields, plain, read_config, read_yaml
from sbmt.errors import FormatError


@dataclass(frozen=True)
class Inner:
    """A nested part."""

    rate: float = 0.5
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Outer:
    """A whole file."""

    size: int
    inner: Inner = field(default_factory=Inner)
    parts: tuple[Inner, ...] = ()
    weights: dict[str, float] = field(default_factory=dict)
    limit: int | None = None
    notes: dict[str, Any] = field(default_factory=dict)


def test_build_and_plain_are_inverse() -> None:
    value = {
        "size": 3, "inner": {"rate": 1, "names": ["a"]}, "parts": [{"rate": 2.5}], "weights": {"p(e|f)": -1},
        "limit": None, "notes": {"seed": [1, {"a": "b"}]},
    }  # fmt: skip
    built = build(Outer, value)
    assert built == Outer(3, Inner(1.0, ("a",)), (Inner(2.5),), {"p(e|f)": -1.0}, None, {"seed": [1, {"a": "b"}]})
    assert build(Outer, plain(built)) == built


@dataclass(frozen=True)
class Checked:
    """Settings that a program makes."""

    size: int = 1
    rate: float | None = None
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_fields(self, (("size", 1, 9), ("rate", 0, float("inf"))))


def test_fields_of_settings_become_what_their_annotations_say() -> None:
    built = Checked(np.int64(2), np.float32(1), ["a"])  # type: ignore[arg-type]
    assert (built, type(built.size), type(built.rate)) == (Checked(2, 1.0, ("a",)), int, float)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"size": 1.5}, "^size: expected a whole number, found 1.5"),
        ({"size": True}, "^size: expected a whole number, found True"),
        ({"size": 10}, "^size: 10 is not from 1 to 9"),
        ({"rate": "fast"}, "^rate: expected a number, found 'fast'"),
        ({"rate": -1}, "^rate: -1.0 is not at least 0"),
        ({"names": "a"}, "^names: expected a list, found 'a'"),
        ({"names": (1,)}, r"^names\[0\]: expected text, found 1"),
    ],
)
def test_fields_that_settings_cannot_have(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        Checked(**fields)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({}, "size: is missing"),
        ({"size": 1, "sise": 2}, "sise: unknown key (known: size, inner, parts, weights, limit, notes)"),
        ({"size": 1, "inner": {"rat": 2}}, "inner.rat: unknown key (known: rate, names)"),
        ({"size": 1, "parts": [{}, {"rate": "fast"}]}, "parts[1].rate: expected a number, found 'fast'"),
        ({"size": 1, "parts": {"rate": 1}}, "parts: expected a list, found {'rate': 1}"),
        ({"size": True}, "size: expected a whole number, found True"),
        ({"size": 1.5}, "size: expected a whole number, found 1.5"),
        ({"size": 1, "weights": {"a": "x"}}, "weights.a: expected a number, found 'x'"),
        ({"size": 1, "weights": {"a": float("nan")}}, "weights.a: expected a finite number, found nan"),
        ({"size": 1, "weights": {1: 2, "1": 3}}, "weights.1: is there twice, as 1 and as '1': keep one"),
        ({"size": 1, "weights": [1]}, "weights: expected names with values, found [1]"),
        ({"size": 1, "limit": "many"}, "limit: expected a whole number, found 'many'"),
        ([1], "the file: expected names with values, found [1]"),
    ],
)
def test_errors_name_the_key(value: object, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        build(Outer, value)
    assert str(caught.value) == message


def test_yaml_exponents_are_numbers() -> None:
    assert build(Inner, {"rate": "1e-4"}).rate == 1e-4


@pytest.mark.parametrize("value", [float("nan"), "nan", "-inf", "1e999", 10**400], ids=str)
def test_numbers_are_finite(value: object) -> None:
    with pytest.raises(ConfigError, match="rate: expected a finite number"):
        build(Inner, {"rate": value})


@pytest.mark.parametrize(
    "text",
    ["2026-02-31", "[" * 1000 + "]" * 1000, "\x01", '!!int ""', '!!float ""', "!!bool maybe", "!!timestamp foo"],
    ids=["date", "depth", "control", "int", "float", "bool", "timestamp"],
)
def test_what_yaml_cannot_read_takes_one_line_to_say(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.yaml"
    path.write_text(f"a: {text}", encoding="utf-8")
    with pytest.raises(FormatError, match=r"a\.yaml: is not valid YAML: ") as caught:
        read_config(path, Outer)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("size: 1\ninner:\n  rate: 1\n  'rate': 2\n", "line 4: the key 'rate' is there a second time"),
        ("size: 1\nsize: 1\n", "line 2: the key 'size' is there a second time (keep one of the two)"),
        ("- [{a: 1, b: 2, a: 3}]\n", "line 1: the key 'a' is there a second time"),
    ],
)
def test_a_key_given_twice_is_named(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "a.yaml").write_text(text)
    with pytest.raises(FormatError) as caught:
        read_yaml(tmp_path / "a.yaml")
    assert f"a.yaml, {message}" in str(caught.value)


@pytest.mark.parametrize("text", ["a: &x [1]\nb: [*x]\n", "a: 1\nb: &x {c: *x}\n"])
def test_aliases_are_refused(tmp_path: Path, text: str) -> None:
    """A few lines of them make values that fill the memory."""
    (tmp_path / "a.yaml").write_text(text)
    with pytest.raises(FormatError, match=r"a\.yaml, line 2: \*x repeats a value by its name \(write the value out\)"):
        read_yaml(tmp_path / "a.yaml")


def test_a_file_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("size: 1\ninner: {rate: [}\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r"a\.yaml, line 2: is not valid YAML"):
        read_config(path, Outer)
    path.write_text("size: big\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r"a\.yaml: size: expected a whole number"):
        read_config(path, Outer)
    path.write_text("", encoding="utf-8")
    with pytest.raises(FormatError, match=r"a\.yaml: size: is missing"):
        read_config(path, Outer)
