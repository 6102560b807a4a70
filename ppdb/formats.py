"""Reading and writing rules: PPDB 1.0 and 2.0, Joshua grammars, Moses phrase tables, lists of pairs.

The format is recognised line by line:

    [NN] ||| source ||| target ||| p(e|f)=1.5 Lexical=1 0.25 ||| 0-0 ||| Equivalence    PPDB, Joshua, glue
    source ||| target ||| 0.5 0.1 0.4 0.2 ||| 0-0 ||| ...                               Moses
    source<TAB>target   or   source target                                              pairs

Words are separated by ASCII white space; pairs are written by people, so they are tokenised like text. A line that
begins with "#" and has neither ||| nor a tab is a comment. Two bare words among rules are malformed, most likely a
stray line.

Labelled values are taken as they are; `NA` means that there is no value. If all features of a rule are labelled, they
are written back exactly as they were read, digits and `NA` included. Values without a label are Joshua's: negated and
named tm_OWNER_i by their position. Moses' four probabilities become costs -ln p under PPDB's names; any other number of
scores, which may include Moses' penalty of 2.718, is read as Joshua does.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from pathlib import Path

from sbmt.errors import FormatError, SbmtError
from sbmt.io import check_readable, read_lines
from sbmt.ppdb.alignment import format_alignment, parse_alignment
from sbmt.ppdb.feature_text import FeatureParser, ReadFeatures, finite
from sbmt.ppdb.packed_header import is_packed
from sbmt.ppdb.rule import BAR, DEFAULT_LABEL, DEFAULT_OWNER, MOST_SYMBOLS, SEPARATOR, Rule, Side
from sbmt.ppdb.symbols import check_gaps, is_bracketed, may_be_gap, parse_label
from sbmt.text.tokens import is_plain, phrase_tokens
from sbmt.text.whitespace import WHITE, split_words

_ENTAILMENT = re.compile(r"[A-Za-z]+")
_MOSES_GAP = re.compile(r"(?:\[[^\s\[\]]*[A-Z][^\s\[\]]*\]){2}")  # of a hierarchical table
_MOSES_LHS = re.compile(r"\[[^\s\[\],]*[A-Z][^\s\[\],]*\]")  # at the end of its sides
_BARS_BETWEEN_FORMS = re.compile(r"\w\|\w")
_PPDB_NAMES: tuple[str, ...] = ("p(f|e)", "Lex(f|e)", "p(e|f)", "Lex(e|f)")  # of a phrase table's four scores
_CERTAIN = 1.0001  # a probability of 1 may have been rounded up to this; Moses' penalty of 2.718 is no probability

OnError = Callable[[int, str, str], None]


class TableScores(Enum):
    """Which features the scores of a phrase table, probabilities p, become.

    PPDB: four scores become costs -ln p under PPDB's names. JOSHUA, and any other number of scores: ln p as tm_OWNER_0,
    tm_OWNER_1 ...
    """

    PPDB = "ppdb"
    JOSHUA = "joshua"


def read_rules(
    path: str | Path,
    owner: str = DEFAULT_OWNER,
    on_error: OnError | None = None,
    scores: TableScores = TableScores.PPDB,
) -> Iterator[Rule]:
    """Yield the rules of a file ("-" for standard input) in order, without blank lines and comments.

    `owner` names the features of values without a label. A malformed line raises FormatError, or is skipped and passed
    to `on_error` (line number, line, what is wrong). Raises FormatError for a packed grammar.
    """
    refuse_joshuas_folder(path)
    if is_packed(path):
        cure = "give the rules that it was packed from: it keeps no values of 0"
        raise FormatError(str(path), None, "is a packed grammar, where rules are read as text", cure)
    parser = RuleParser(owner, scores)
    for number, line, among_rules in numbered_lines(read_lines(path, errors="surrogateescape")):
        if not has_rule(line):
            continue
        try:
            rule = parser.parse(line, among_rules)
        except ValueError as error:
            if on_error is None:
                cure = "mend the line, or make a grammar without it: sbmt-rules filter --on-error skip"
                raise FormatError(str(path), number, str(error), cure) from None
            on_error(number, line, str(error))
        else:
            yield rule


def refuse_joshuas_folder(path: str | Path) -> None:
    """Raise SbmtError for a grammar in the format of Joshua's packer, a folder."""
    if (Path(path) / "encoding").is_file() and any(Path(path).glob("slice_*.source")):
        raise SbmtError(
            f"{path}: is a grammar packed by Joshua, which is not read here: name the text it was made from"
        )


def numbered_lines(lines: Iterable[str]) -> Iterator[tuple[int, str, bool]]:
    """Yield the number of each line, the line, and whether it or a line before it holds a rule."""
    among_rules = False
    for number, line in enumerate(lines, 1):
        among_rules = among_rules or BAR in line
        yield number, line, among_rules


def has_rule(line: str) -> bool:
    """Whether a line is neither blank nor a comment ("#" in front, and neither ||| nor a tab)."""
    text = line.strip()
    return bool(text) and (text[0] != "#" or BAR in text or "\t" in text)


def has_phrase_pairs(path: str | Path) -> bool:
    """Whether a grammar holds lines of a phrase table: fields without a left-hand side."""
    if is_packed(path):
        return False
    lines = (line.partition(BAR) for line in read_lines(path, errors="surrogateescape") if has_rule(line))
    return any(bar and not is_bracketed(first.strip(WHITE)) for first, bar, _ in lines)


class RuleParser:
    """A parser of lines; `owner` and `scores` as in `read_rules`."""

    def __init__(self, owner: str = DEFAULT_OWNER, scores: TableScores = TableScores.PPDB) -> None:
        self.owner, self._scores = owner, scores
        self._features = FeatureParser(owner).parse

    def parse(self, line: str, among_rules: bool = False) -> Rule:
        """Parse one line; raises ValueError saying what is wrong with it.

        `among_rules`: two bare words are not taken for a pair.
        """
        check_readable(line)
        while "||| |||" in line:  # an empty field may be written with one space or two
            line = line.replace("||| |||", "|||  |||")
        fields = f" {line.strip(WHITE)} ".split(SEPARATOR)  # the spaces: outer fields may be empty
        if BAR in fields[0] or (len(fields) > 2 and (BAR in fields[1] or BAR in fields[2])):
            raise ValueError(f"holds a {BAR} that does not stand between two spaces; no word may hold one")
        if len(fields) == 1:
            return self._parse_pair(line, among_rules)
        label = parse_label(fields[0].strip(WHITE))
        if not label:
            if "]" in line and _is_hierarchical(fields[:2]):
                cure = "write its gaps as [X,1] and its label in front, [X] |||"
                raise ValueError(f"is of a hierarchical phrase table, which is not read: {cure}")
            try:
                return self._parse_table_line(fields)
            except ValueError as error:
                cures = "a rule's [LHS] has brackets, a pair a tab, a comment no |||"
                raise ValueError(f"{error}, read as a phrase table's line; {cures}") from None
        if not 3 <= len(fields) <= 6:
            raise ValueError(f"has {len(fields)} fields; a rule has 3 to 6 ([LHS] ||| source ||| target ||| features)")
        source, target = tuple(split_words(fields[1])), tuple(split_words(fields[2]))
        if len(source) > MOST_SYMBOLS or len(target) > MOST_SYMBOLS:
            raise ValueError(f"has a side of more than {MOST_SYMBOLS:,} words")
        if "[" in fields[1] or "[" in fields[2] or not source:
            check_gaps(source, target)
        return Rule(
            label,
            source,
            target,
            self._features(fields[3].strip(WHITE)) if len(fields) > 3 else {},
            parse_alignment(fields[4], len(source), len(target)) if len(fields) > 4 else (),
            _parse_entailment(fields[5]) if len(fields) > 5 else "",
        )

    def _parse_table_line(self, fields: list[str]) -> Rule:
        if len(fields) < 3:
            raise ValueError("has 2 fields instead of at least 3")
        source, target = tuple(split_words(fields[0])), tuple(split_words(fields[1]))
        values = [finite(text) for text in split_words(fields[2])]
        names, sign = _PPDB_NAMES, -1.0
        if self._scores is TableScores.JOSHUA or len(values) != len(names):
            names, sign = tuple(f"tm_{self.owner}_{i}" for i in range(len(values))), 1.0
        elif max(values) > _CERTAIN:  # -ln p, say (score --NegLogProb), of which costs would be nonsense
            raise ValueError("its four scores are not probabilities, more than 0 and at most 1")
        if any(value <= 0 for value in values):
            raise ValueError("its scores are not probabilities, more than 0")
        features = {n: sign * math.log(value) + 0.0 for n, value in zip(names, values, strict=True)}  # no -0.0
        alignment = parse_alignment(fields[3], len(source), len(target)) if len(fields) > 3 else ()
        check_gaps(source, target)
        return Rule(DEFAULT_LABEL, source, target, features, alignment)

    def _parse_pair(self, line: str, among_rules: bool) -> Rule:
        bare = "\t" not in line
        texts = split_words(line) if bare else line.split("\t")
        sides = list(map(_parse_side, texts))
        if len(sides) == 2 and not all(sides):
            raise ValueError("is a pair with a side that has no words")
        if len(sides) != 2:
            problem = "is neither a rule (fields between |||) nor a pair (two words, or two phrases and a tab)"
            cure = "; a word and its synonyms? docs/grammar.md makes pairs of them" if bare and len(sides) > 2 else ""
            raise ValueError(problem + cure)
        if bare and among_rules:
            raise ValueError("looks like two bare words among rules; a tab between its sides makes it a pair")
        if _BARS_BETWEEN_FORMS.search(line):
            raise ValueError("has bars between forms; give each form a pair of its own, on a line of its own")
        source, target = sides
        check_gaps(source, target)
        alignment = ((0, 0),) if len(source) == len(target) == 1 else ()
        return Rule(DEFAULT_LABEL, source, target, {}, alignment)


def _is_hierarchical(sides: list[str]) -> bool:
    """Whether two sides look like Moses' for its chart decoder: `big [X][X] [X]`."""
    words = list(map(split_words, sides))
    labelled = all(side and _MOSES_LHS.fullmatch(side[-1]) for side in words)
    return labelled or any(_MOSES_GAP.fullmatch(word) for side in words for word in side)


def _parse_side(text: str) -> Side:
    """Tokenise a side of a pair like text, keeping its case and gaps."""
    words = tuple(split_words(text))
    if all(map(is_plain, words)):  # most are, and what follows is slower
        return words
    if any(map(may_be_gap, words)):
        return tuple(token for word in words for token in ([word] if may_be_gap(word) else _tokenise(word)))
    return tuple(_tokenise(" ".join(words)))


def _tokenise(text: str) -> list[str]:
    return [token.word for token in phrase_tokens(text, lowercase=False)]


def _parse_entailment(text: str) -> str:
    relation = text.strip(WHITE)
    if relation and not _ENTAILMENT.fullmatch(relation):
        raise ValueError(f"{relation!r} is not an entailment relation")
    return relation


def format_rule(rule: Rule, features: str | None = None) -> str:
    """Return a rule as a line of PPDB's format, without the newline; `features` replaces the text of its features."""
    if features is None:
        features = ReadFeatures.of(rule.features).text
    fields = [rule.text, features, format_alignment(rule.alignment), rule.entailment]
    while not fields[-1]:
        fields.pop()
    return SEPARATOR.join(fields)
