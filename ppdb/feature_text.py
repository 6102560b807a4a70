"""The features of a rule as text, NAME=NUMBER one after the other: reading and writing them.

Most rules pass through a program with their features unseen, and the lines of a file name the same features in the
same order, or leave some out. So a text is compared with one pattern, made of the names of earlier texts, that also
checks the numbers; these become floats when one of them is asked for. A text that does not fit is read word by word,
and now and then the pattern learns its names.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, ItemsView, Iterable, Iterator, Mapping, Set, ValuesView
from itertools import compress

from sbmt.ppdb.rule import BAR
from sbmt.text.whitespace import split_words

MISSING = "=NA"
LARGEST = 1e9  # size of a feature's value, and of its weight; probabilities, counts and lengths stay far below
_CACHE = 1 << 20
_FIRST = 64  # the pattern learns from the 64th text that does not fit it, the 128th, the 256th ...: compiling is slow
_NUMBER = r"-?[0-9]{1,9}+(?:\.[0-9]++|)(?:e-[0-9]++|)"  # never larger than LARGEST


class ReadFeatures(Mapping[str, float]):
    """The features of a rule as read.

    `text` is the field as it stood in the line, `NA`s included; `names` are the features with a value.
    """

    __slots__ = ("_values", "names", "text")

    def __init__(self, text: str, names: tuple[str, ...], values: dict[str, float] | re.Match[str]) -> None:
        """`values`: of the names, in their order; or a match with their digits in those of its groups that matched."""
        self.text, self.names, self._values = text, names, values

    @classmethod
    def of(cls, features: Mapping[str, float]) -> ReadFeatures:
        """Any features as if they had been read."""
        if isinstance(features, ReadFeatures):
            return features
        return cls(format_features(features), tuple(features), dict(features))

    @property
    def _known(self) -> dict[str, float]:
        if isinstance(self._values, re.Match):
            digits = filter(None, self._values.groups())
            self._values = dict(zip(self.names, map(float, digits), strict=True))
        return self._values

    def __getitem__(self, name: str) -> float:
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def __contains__(self, name: object) -> bool:
        return name in self._known

    def values(self) -> ValuesView[float]:
        """The values, in the order of the text."""
        return self._known.values()

    def items(self) -> ItemsView[str, float]:
        """Names with their values, in the order of the text."""
        return self._known.items()

    def __repr__(self) -> str:
        return f"ReadFeatures({self.text!r})"

    def __reduce__(self) -> tuple[Callable[..., ReadFeatures], tuple[str, tuple[str, ...], dict[str, float]]]:
        """Pickle the values, as a match cannot be."""
        return ReadFeatures, (self.text, self.names, self._known)

    def unknown(self) -> list[str]:
        """Names of the features that are `NA`."""
        if MISSING not in self.text:
            return []
        return [field.removesuffix(MISSING) for field in split_words(self.text) if field.endswith(MISSING)]

    def without(self, names: Set[str]) -> str:
        """The text less the features of these names, whether they have a value or `NA`."""
        if MISSING not in self.text and names.isdisjoint(self.names):
            return self.text
        return " ".join(field for field in split_words(self.text) if field.rpartition("=")[0] not in names)

    def extended(self, added: Mapping[str, float]) -> ReadFeatures:
        """With other features after them; what the text says of the same ones, a value or `NA`, goes."""
        text = self.without(added.keys())
        values = {name: value for name, value in self._known.items() if name not in added} | dict(added)
        return ReadFeatures(f"{text} {format_features(added)}".strip(), tuple(values), values)


class FeatureParser:
    """Reads the feature texts of one owner's rules."""

    def __init__(self, owner: str) -> None:
        self._owner = owner
        self._names: tuple[str, ...] = ()  # in the order of the pattern, a group each
        self._match = re.compile("(?!)").fullmatch
        self._unmatched = 0

    def parse(self, text: str) -> Mapping[str, float]:
        """The features; values without a name are negated and called tm_OWNER_i. Raises ValueError."""
        match = self._match(f" {text}")
        if match is None:
            return self._by_word(split_words(text))
        names = self._names
        if text.count(" ") + 1 < len(names) or MISSING in text:
            names = tuple(compress(names, match.groups()))
        return ReadFeatures(text, names, match)

    def _by_word(self, fields: list[str]) -> Mapping[str, float]:
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
        if self._unmatched >= _FIRST and self._unmatched.bit_count() == 1:
            self._learn(names)
        return ReadFeatures(" ".join(fields), tuple(features), features)

    def _learn(self, names: Iterable[str]) -> None:
        """Let the pattern have these names too, each after the one it follows here."""
        place, known = 0, list(self._names)
        for name in names:
            if name in known:
                place = known.index(name)
            else:
                known.insert(place, name)
            place += 1
        self._names = tuple(known)
        self._match = re.compile("".join(f"(?> {re.escape(name)}=(?:({_NUMBER})|NA)|)" for name in known)).fullmatch


def finite(text: str) -> float:
    """A number that can be a feature's value; raises ValueError saying why another cannot."""
    try:
        value = float(text)
        if "_" in text or not text.isascii():  # Python's own ways of writing numbers
            raise ValueError
    except ValueError:
        raise ValueError(f"{text!r} is not a number") from None
    if not math.isfinite(value):
        raise ValueError(f"the value {text} is not finite")
    if abs(value) > LARGEST:
        raise ValueError(f"the value {text} is absurd: no feature is larger than {LARGEST:g}")
    return value


class NumberTexts(dict[float, str]):
    """Texts by their numbers, each written when it is first asked for; the first `most` are kept."""

    def __init__(self, write: Callable[[float], str], most: int = _CACHE) -> None:
        """`write` gives the text of a number."""
        self._write, self._most = write, most

    def __missing__(self, value: float) -> str:
        text = self._write(value)
        if len(self) < self._most:
            self[value] = text
        return text


def _shortest(value: float) -> str:
    """Without needless digits; reading it gives the same float."""
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)


_texts = NumberTexts(_shortest)


def format_features(features: Mapping[str, float]) -> str:
    """`NAME=VALUE` one after the other."""
    return " ".join([f"{name}={_texts[value]}" for name, value in features.items()])
