"""Reading and writing rules: PPDB 1.0 and 2.0, Joshua grammars, Moses phrase tables, lists of pairs.

The format is recognised line by line:

    [NN] ||| source ||| target ||| p(e|f)=1.5 Lexical=1 0.25 ||| 0-0 ||| Equivalence    PPDB, Joshua, glue
    source ||| target ||| 0.5 0.1 0.4 0.2 ||| 0-0 ||| ...                               Moses
    source<TAB>target   or   source target                                              pairs

Labelled values are taken as they are; `NA` means that there is none. Values without a label are Joshua's: negated and
named tm_OWNER_i by their place. Moses' four probabilities become costs -ln p under PPDB's names.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from sbmt.errors import FormatError
from sbmt.io import read_lines
from sbmt.ppdb.rule import NONTERMINAL, Rule

SEPARATOR = " ||| "
DEFAULT_LABEL = "X"
MOSES_NAMES = ("p(f|e)", "Lex(f|e)", "p(e|f)", "Lex(e|f)")
_LHS = re.compile(r"\[([^\s\[\]]+)\]")
_ENTAILMENT = re.compile(r"[A-Za-z]+")
_CACHE = 1_000_000


class _Values(dict[str, tuple[str, float] | None]):
    """Parsed `name=value` fields: a grammar repeats a few of them millions of times, so each is parsed once."""

    def __missing__(self, field: str) -> tuple[str, float] | None:
        name, equals, text = field.rpartition("=")
        if not equals or not name:
            raise ValueError(f"{field!r} is neither a number nor NAME=NUMBER")
        value = None if text == "NA" else (name, _finite(text))
        if len(self) < _CACHE:
            self[field] = value
        return value


def _finite(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise ValueError(f"{text!r} is not a number") from None
    if not math.isfinite(value):
        raise ValueError(f"the value {text} is not finite")
    return value


OnError = Callable[[int, str, str], None]


def read_rules(path: str | Path, owner: str = "pt", on_error: OnError | None = None) -> Iterator[Rule]:
    """Yield the rules of a file ("-" for standard input) in order; blank lines are passed over.

    `owner` names the features of values without label. A malformed line raises FormatError naming it, or goes to
    `on_error` (line number, line, what is wrong) and is passed over.
    """
    parser = RuleParser(owner)
    for number, line in enumerate(read_lines(path), 1):
        if line.strip():
            try:
                rule = parser.parse(line)
            except ValueError as error:
                if on_error is None:
                    raise FormatError(str(path), number, str(error), "--on-error skip passes such lines over") from None
                on_error(number, line, str(error))
                continue
            yield rule


class SkippedLines:
    """Collects malformed lines in a file beside the output, so that none is lost; the file appears with the first."""

    def __init__(self, path: Path) -> None:
        self.path, self.count = path, 0

    def __call__(self, number: int, line: str, problem: str) -> None:
        with self.path.open("a" if self.count else "w", encoding="utf-8") as stream:
            stream.write(f"{number}\t{problem}\t{line}\n")
        self.count += 1


class RuleParser:
    """Parses lines of one owner."""

    def __init__(self, owner: str = "pt") -> None:
        self.owner = owner
        self._values = _Values()

    def parse(self, line: str) -> Rule:
        """One line as a rule; raises ValueError saying what is wrong with it."""
        while "||| |||" in line:  # an empty field may be written with one space or two
            line = line.replace("||| |||", "|||  |||")
        fields = f" {line.strip()} ".split(SEPARATOR)  # the spaces: outer fields may be empty
        if len(fields) == 1:
            return self._pair(line)
        label = _LHS.fullmatch(fields[0].strip())
        if label is None:
            return self._moses(fields)
        if not 3 <= len(fields) <= 6:
            raise ValueError(f"has {len(fields)} fields; a rule has 4 to 6 ([LHS] ||| source ||| target ||| features)")
        source, target = tuple(fields[1].split()), tuple(fields[2].split())
        check_gaps(source, target)
        return Rule(
            label[1],
            source,
            target,
            self._features(fields[3]) if len(fields) > 3 else {},
            parse_alignment(fields[4], len(source), len(target)) if len(fields) > 4 else (),
            _entailment(fields[5]) if len(fields) > 5 else "",
        )

    def _features(self, text: str) -> Mapping[str, float]:
        fields = text.split()
        try:
            return dict(filter(None, map(self._values.__getitem__, fields)))
        except ValueError:
            return self._mixed(fields)

    def _mixed(self, fields: list[str]) -> Mapping[str, float]:
        """Values some of which have no label."""
        features, place = {}, 0
        for field in fields:
            if "=" in field:
                parsed = self._values[field]
                if parsed:
                    features[parsed[0]] = parsed[1]
            else:
                features[f"tm_{self.owner}_{place}"] = -_finite(field)
                place += 1
        return features

    def _moses(self, fields: list[str]) -> Rule:
        if len(fields) < 3:
            raise ValueError("has 2 fields and no [LHS]; a phrase table's line has at least 3")
        source, target = tuple(fields[0].split()), tuple(fields[1].split())
        values = [_finite(text) for text in fields[2].split()]
        if any(value <= 0 for value in values):
            raise ValueError("a phrase table's scores are probabilities, so more than 0")
        names = MOSES_NAMES if len(values) == len(MOSES_NAMES) else [f"tm_{self.owner}_{i}" for i in range(len(values))]
        features = {name: -math.log(value) + 0.0 for name, value in zip(names, values, strict=True)}
        alignment = parse_alignment(fields[3], len(source), len(target)) if len(fields) > 3 else ()
        if not source:
            raise ValueError("has an empty source side")
        return Rule(DEFAULT_LABEL, source, target, features, alignment)

    def _pair(self, line: str) -> Rule:
        sides = [side.split() for side in line.split("\t")] if "\t" in line else [[word] for word in line.split()]
        if len(sides) != 2 or not all(sides):
            raise ValueError("is neither a rule (fields between |||) nor a pair (two words, or two phrases and a tab)")
        source, target = map(tuple, sides)
        alignment = ((0, 0),) if len(source) == len(target) == 1 else ()
        return Rule(DEFAULT_LABEL, source, target, {}, alignment)


def check_gaps(source: tuple[str, ...], target: tuple[str, ...]) -> None:
    """Both sides must have the same nonterminals, numbered 1, 2, ...; raises ValueError."""
    if not source:
        raise ValueError("has an empty source side")
    left = sorted(symbol for symbol in source if symbol[0] == "[" and NONTERMINAL.fullmatch(symbol))
    right = sorted(symbol for symbol in target if symbol[0] == "[" and NONTERMINAL.fullmatch(symbol))
    if left != right:
        raise ValueError(
            f"the gaps differ: {' '.join(left) or 'none'} on the left, {' '.join(right) or 'none'} on the right"
        )
    if left:
        numbers = sorted(symbol[-2] for symbol in left)
        if numbers != [str(i) for i in range(1, len(left) + 1)]:
            raise ValueError(f"the gaps are numbered {', '.join(numbers)}, not from 1 up")


def parse_alignment(text: str, n_source: int, n_target: int) -> tuple[tuple[int, int], ...]:
    """Points such as `0-0 1-2`; raises ValueError for one outside the rule."""
    points = []
    for point in text.split():
        left, dash, right = point.partition("-")
        if not (dash and left.isdecimal() and right.isdecimal()):
            raise ValueError(f"{point!r} is not an alignment point like 0-1")
        i, j = int(left), int(right)
        if i >= n_source or j >= n_target:
            raise ValueError(f"alignment point {point} lies outside the rule ({n_source} and {n_target} symbols)")
        points.append((i, j))
    return tuple(points)


def _entailment(text: str) -> str:
    relation = text.strip()
    if relation and not _ENTAILMENT.fullmatch(relation):
        raise ValueError(f"{relation!r} is not an entailment relation")
    return relation


def format_value(value: float) -> str:
    """A number without needless digits; reading it gives the same float."""
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)


def format_rule(rule: Rule) -> str:
    """One line in PPDB's format, without the newline."""
    features = " ".join(f"{name}={format_value(value)}" for name, value in rule.features.items())
    alignment = " ".join(f"{i}-{j}" for i, j in rule.alignment)
    fields = [f"[{rule.lhs}]", " ".join(rule.source), " ".join(rule.target), features, alignment, rule.entailment]
    while not fields[-1]:
        fields.pop()
    return SEPARATOR.join(fields)
