"""Reading YAML files into frozen dataclasses; errors name an unknown key or a wrong type by the path of the key."""

from __future__ import annotations

import dataclasses
import math
import types
from collections.abc import Iterable, Mapping
from numbers import Integral, Real
from pathlib import Path
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from sbmt.errors import FormatError, SbmtError
from sbmt.io import read_lines

T = TypeVar("T")
MOST_COUNTED = 1_000_000_000  # upper bound of counts: C integers hold little more
_KIND_NAMES = {  # by name, as the protocol of `sbmt.text.protection.patterns` asks for compiled expressions too
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "str": "text",
    "Pattern": "a compiled expression (re.compile)",
}


class ConfigError(SbmtError):
    """A key or value of a configuration is wrong; `read_config` adds the file's name."""


def read_config(path: str | Path, kind: type[T]) -> T:
    """Read a YAML file into a dataclass; raises FormatError naming the file and the key."""
    content = read_yaml(path)
    try:
        return cast(T, build(kind, {} if content is None else content))
    except ConfigError as error:
        raise FormatError(str(path), None, str(error)) from None


def read_yaml(path: str | Path) -> Any:
    """Return the content of a YAML file; raises FormatError."""
    return parse_yaml("\n".join(read_lines(path)), str(path))


def parse_yaml(text: str, path: str) -> Any:
    """Return the content of YAML text; raises FormatError naming `path` and, if known, the line.

    Duplicate keys are errors, and so are aliases, with which a short text can expand without bound.
    """
    import yaml

    try:
        for event in yaml.parse(text, yaml.SafeLoader):
            if isinstance(event, yaml.AliasEvent):
                line = event.start_mark.line + 1 if event.start_mark else None
                raise FormatError(path, line, f"*{event.anchor} repeats a value by its name", "write the value out")
        loader = yaml.SafeLoader(text)
        try:
            root = loader.get_single_node()
            _check_keys(root, path)
            return None if root is None else loader.construct_document(root)
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else None
        raise FormatError(path, line, f"is not valid YAML: {error.problem}") from None
    except (yaml.YAMLError, ValueError) as error:  # ValueError: an impossible date
        raise FormatError(path, None, f"is not valid YAML: {' '.join(str(error).split())}") from None
    except RecursionError:
        raise FormatError(path, None, "is not valid YAML: lists within lists without end") from None
    except (LookupError, AttributeError):  # !!int "", !!bool maybe, !!timestamp foo
        raise FormatError(path, None, "is not valid YAML: a value is not what its tag (such as !!int) says") from None


def _check_keys(node: Any, path: str) -> None:
    """Raise FormatError for a duplicate key of a mapping in `node`, of which PyYAML would take the last."""
    from yaml import MappingNode, ScalarNode, SequenceNode

    keys = set()
    for key, value in node.value if isinstance(node, MappingNode) else ():
        if isinstance(key, ScalarNode):
            if (key.tag, key.value) in keys:
                line = key.start_mark.line + 1
                raise FormatError(path, line, f"the key {key.value!r} is there a second time", "keep one of the two")
            keys.add((key.tag, key.value))
        _check_keys(value, path)
    for part in node.value if isinstance(node, SequenceNode) else ():
        _check_keys(part, path)


def build(kind: Any, value: Any, key: str = "") -> Any:
    """Convert a YAML value to `kind`: dataclass, scalar, `X | None`, or list, `tuple[X, ...]` or dict of these.

    Instances of dataclasses and of types that YAML lacks (`re.Pattern[str]`, protocols) are returned unchanged. Raises
    ConfigError with the path of the key: `decoder.settings.pop_limt: unknown key (known: pop_limit, ...)`.
    """
    origin = get_origin(kind)
    if dataclasses.is_dataclass(kind):
        return value if isinstance(value, cast(type, kind)) else _build_dataclass(kind, value, key)
    if origin in (Union, types.UnionType):
        if value is None and type(None) in get_args(kind):
            return None
        return build(next(option for option in get_args(kind) if option is not type(None)), value, key)
    if origin in (list, tuple):
        if not isinstance(value, list | tuple):
            raise ConfigError(f"{key}: expected a list, found {value!r}")
        return origin(build(get_args(kind)[0], item, f"{key}[{i}]") for i, item in enumerate(value))
    if origin is not None and issubclass(origin, Mapping):
        inner, prefix = get_args(kind)[1], _prefix(value, key)
        _check_names(value, prefix)
        return {str(name): build(inner, item, f"{prefix}{name}") for name, item in value.items()}
    return value if kind is Any else _build_scalar(origin or kind, value, key)


def _prefix(value: Any, key: str) -> str:
    """Return the prefix of the keys in `value`; raises ConfigError unless it is a mapping."""
    if not isinstance(value, Mapping):
        raise ConfigError(f"{key or 'the file'}: expected names with values, found {value!r}")
    return f"{key}." if key else ""


def _check_names(value: Mapping[Any, Any], prefix: str) -> None:
    """Raise ConfigError for two keys that are equal as text, as 1 and "1" are."""
    names: dict[str, Any] = {}
    for key in value:
        if str(key) in names:
            raise ConfigError(f"{prefix}{key}: is there twice, as {names[str(key)]!r} and as {key!r}: keep one")
        names[str(key)] = key


def _build_dataclass(kind: Any, value: Any, key: str) -> Any:
    prefix = _prefix(value, key)
    hints = get_type_hints(kind)
    fields = {field.name: field for field in dataclasses.fields(kind)}
    for name in value:
        if name not in fields:
            raise ConfigError(f"{prefix}{name}: unknown key (known: {', '.join(fields) or 'none'})")
    for name, field in fields.items():
        required = field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
        if required and name not in value:
            raise ConfigError(f"{prefix}{name}: is missing")
    parts = {name: build(hints[name], item, prefix + name) for name, item in value.items()}
    try:
        return kind(**parts)
    except ConfigError as error:  # from __post_init__, which does not know the path
        raise ConfigError(f"{prefix}{error}") from None


def _build_scalar(kind: Any, value: Any, key: str) -> Any:
    if kind is float and isinstance(value, Real | str) and not isinstance(value, bool):
        number = _as_float(value)
        if number is not None and not math.isfinite(number):
            raise ConfigError(f"{key}: expected a finite number, found {value!r}")
        value = value if number is None else number
    if kind is int and isinstance(value, Integral) and not isinstance(value, bool):
        value = int(value)  # also numpy's integers
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise ConfigError(f"{key}: expected {_KIND_NAMES.get(kind.__name__, kind.__name__)}, found {value!r}")
    return value


def _as_float(value: Real | str) -> float | None:
    """Return a number, also one that YAML 1.1 reads as text (1e-4); None for other text, infinity if it overflows."""
    try:
        return float(value)
    except ValueError:
        return None
    except OverflowError:
        return math.inf


def check_fields(settings: object, bounds: Iterable[tuple[str, float, float]] = ()) -> None:
    """Convert the fields of a dataclass to their annotated types, as `build` does, for settings made by a program.

    Raises ConfigError for a field of another type, and for a number out of its bounds: (names separated by spaces,
    minimum, maximum). None is accepted.
    """
    for name, kind in get_type_hints(type(settings)).items():
        object.__setattr__(settings, name, build(kind, getattr(settings, name), name))  # frozen
    for names, low, high in bounds:
        for name in names.split():
            value = getattr(settings, name)
            if value is not None and not low <= value <= high:  # rejects NaN too
                limits = f"at least {low}" if high == math.inf else f"from {low} to {high}"
                raise ConfigError(f"{name}: {value} is not {limits}")


def plain(value: Any) -> Any:
    """Convert a dataclass to YAML values; the inverse of `build`."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(name): plain(item) for name, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, list | tuple) else value
