"""Reading and writing the features of a rule as text: NAME=NUMBER, separated by spaces.

Most rules pass through a program without anybody using their features, and the lines of a file name the same features
in the same order, or leave some out. So a text is matched against one pattern, made of the names of earlier texts, that
also checks the numbers; these become floats when one of them is needed. A text that does not match is read word by
word, and now and then its names are added to the pattern.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, ItemsView, Iterable, Iterator, Mapping, Set, ValuesView
from itertools import compress

from sbmt.ppdb.rule import BAR
from sbmt.text.whitespace import split_words

MISSING = "=NA"
LARGEST = 1e9  # absolute value of a feature or a weight; probabilities, counts and lengths stay far below
_MAX_CACHED_TEXTS = 1 << 20
_FIRST_LEARNT = 64  # the 64th text that does not match changes the pattern, the 128th, the 256th ...: compiling is slow
_NUMBER = r"-?[0-9]{1,9}+(?:\.[0-9]++|)(?:e-[0-9]++|)"  # at most LARGEST


class ReadFeatures(Mapping[str, float]):
    """The features of a rule as they were read.

    `text`: the field of the line, `NA`s included; `names`: the features with a value.
    """

    __slots__ = ("_values", "names", "text")

    def __init__(self, text: str, names: tuple[str, ...], values: dict[str, float] | re.Match[str]) -> None:
        """Take the values by name, in the order of `names`, or a match whose non-empty groups are their digits."""
        self.text, self.names, self._values = text, names, values

    @classmethod
    def of(cls, features: Mapping[str, float]) -> ReadFeatures:
        """Convert any features."""
        if isinstance(features, ReadFeatures):
            return features
        return cls(format_features(features), tuple(features), dict(features))

    @property
    def _parsed(self) -> dict[str, float]:
        if isinstance(self._values, re.Match):
            digits = filter(None, self._values.groups())
            self._values = dict(zip(self.names, map(float, digits), strict=True))
        return self._values

    def __getitem__(self, name: str) -> float:
        return self._parsed[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def __contains__(self, name: object) -> bool:
        return name in self._parsed

    def values(self) -> ValuesView[float]:
        """Return the values, in the order of the text."""
        return self._parsed.values()

    def items(self) -> ItemsView[str, float]:
        """Return names with their values, in the order of the text."""
        return self._parsed.items()

    def __repr__(self) -> str:
        return f"ReadFeatures({self.text!r})"

    def __reduce__(self) -> tuple[Callable[..., ReadFeatures], tuple[str, tuple[str, ...], dict[str, float]]]:
        """Pickle the values, since a match cannot be pickled."""
        return ReadFeatures, (self.text, self.names, self._parsed)

    def unknown(self) -> list[str]:
        """Return the names of the features that are `NA`."""
        if MISSING not in self.text:
            return []
        return [field.removesuffix(MISSING) for field in split_words(self.text) if field.endswith(MISSING)]

    def without(self, names: Set[str]) -> str:
        """Return the text without the features of these names, whether they have a value or `NA`."""
        if MISSING not in self.text and names.isdisjoint(self.names):
            return self.text
        return " ".join(field for field in split_words(self.text) if field.rpartition("=")[0] not in names)

    def extended(self, added: Mapping[str, float]) -> ReadFeatures:
        """Return the features with others after them, which replace those of the same name, also `NA`."""
        text = self.without(added.keys())
        values = {name: value for name, value in self._parsed.items() if name not in added} | dict(added)
        return ReadFeatures(f"{text} {format_features(added)}".strip(), tuple(values), values)


class FeatureParser:
    """A parser of the feature texts of one owner's rules."""

    def __init__(self, owner: str) -> None:
        self._owner = owner
        self._names: tuple[str, ...] = ()  # in the order of the pattern, a group each
        self._match = re.compile("(?!)").fullmatch
        self._unmatched = 0

    def parse(self, text: str) -> Mapping[str, float]:
        """Parse features; values without a name are negated and named tm_OWNER_i. Raises ValueError."""
        match = self._match(f" {text}")
        if match is None:
            return self._parse_words(split_words(text))
        names = self._names
        if text.count(" ") + 1 < len(names) or MISSING in text:
            names = tuple(compress(names, match.groups()))
        return ReadFeatures(text, names, match)

    def _parse_words(self, fields: list[str]) -> Mapping[str, float]:
        features: dict[str, float] = {}
        names: dict[str, None] = {}
        place = 0
        for field in fields:
            name, equals, text = field.rpartition("=")
            if not equals:
                name, place = f"tm_{self._owner}_{place}", place + 1
                features[name] = 0.0 - finite(text)  # no -0.0
            elif not name:
                raise ValueError(f"{field!r} is neither a number nor NAME=NUMBER")
            elif text != "NA":
                features[name] = finite(text)
            if BAR in name:
                raise ValueError(f"the feature {name} has the mark between fields in its name")
            if name in names:
                raise ValueError(f"has the feature {name} twice")
            names[name] = None
        if place:
            return features
        self._unmatched += 1
        if self._unmatched >= _FIRST_LEARNT and self._unmatched.bit_count() == 1:
            self._learn(names)
        return ReadFeatures(" ".join(fields), tuple(features), features)

    def _learn(self, names: Iterable[str]) -> None:
        """Insert these names into the pattern, each after the one that it follows here."""
        place, known_names = 0, list(self._names)
        for name in names:
            if name in known_names:
                place = known_names.index(name)
            else:
                known_names.insert(place, name)
            place += 1
        self._names = tuple(known_names)
        groups = (f"(?> {re.escape(name)}=(?:({_NUMBER})|NA)|)" for name in known_names)
        self._match = re.compile("".join(groups)).fullmatch


def finite(text: str) -> float:
    """Parse the value of a feature; raises ValueError saying why it cannot be one."""
    try:
        value = float(text)
        if "_" in text or not text.isascii():  # which only Python takes for numbers
            raise ValueError
    except ValueError:
        raise ValueError(f"{text!r} is not a number") from None
    if not math.isfinite(value):
        raise ValueError(f"the value {text} is not finite")
    if abs(value) > LARGEST:
        raise ValueError(f"the value {text} is absurd: no feature is larger than {LARGEST:g}")
    return value


class NumberTexts(dict[float, str]):
    """A cache of the texts of numbers; the first `most` are kept."""

    def __init__(self, write: Callable[[float], str], most: int = _MAX_CACHED_TEXTS) -> None:
        """`write` makes the text of a number."""
        self._write, self._most = write, most

    def __missing__(self, value: float) -> str:
        text = self._write(value)
        if len(self) < self._most:
            self[value] = text
        return text


def _shortest(value: float) -> str:
    """Return the shortest text that is read as the same float."""
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)


_NUMBER_TEXTS = NumberTexts(_shortest)


def format_features(features: Mapping[str, float]) -> str:
    """Return features as `NAME=VALUE`, separated by spaces."""
    return " ".join([f"{name}={_NUMBER_TEXTS[value]}" for name, value in features.items()])
