"""Features of an output against its source that need no reference (EASSE 2019, section 2.3; ASSET 2020, Table 3).

Definitions follow Martin et al. 2018 (tseval) as EASSE uses them. Each is a number per sentence; a corpus figure is the
mean. Features of characters are of the tokens joined by spaces, so the tokeniser is part of the convention. `quality`
returns all of them at once; each by itself is a variant of the metric `quality`, with intervals and tests.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, ClassVar

import numpy as np
from rapidfuzz.distance import Indel, LCSseq, Levenshtein

from sbmt.arguments import refuse_text
from sbmt.arrays import Floats
from sbmt.errors import SbmtError, counted, unknown_name
from sbmt.metrics.arguments import check_lines
from sbmt.metrics.counted import MeasuredMetric
from sbmt.metrics.edit_limit import compared
from sbmt.metrics.tokenizers import tokenize
from sbmt.text.lines import sentences
from sbmt.text.words.content import is_content
from sbmt.text.words.frequency import log_rank

_CONVENTIONS = {"sentences": "sentencex", "ranks": "wordfreq"}  # the sentence splitter and the word ranking
COMPRESSED = 0.75  # ratio of characters below which ASSET speaks of compression


@dataclass(frozen=True)
class Pair:
    """A source and an output, as lines and as tokens of one convention."""

    source_line: str
    output_line: str
    source: Sequence[str]
    output: Sequence[str]

    @cached_property
    def source_text(self) -> str:
        """The source's tokens between single spaces."""
        return " ".join(self.source)

    @cached_property
    def output_text(self) -> str:
        """The output's tokens between single spaces."""
        return " ".join(self.output)

    @cached_property
    def shared(self) -> int:
        """The number of words that both sides have, each counted as often as both have it."""
        return (Counter(self.source) & Counter(self.output)).total()

    @cached_property
    def in_order(self) -> int:
        """The number of words of the longest common subsequence."""
        return LCSseq.similarity(self.source, self.output)


def compression(pair: Pair) -> float:
    """Return characters of the output per character of the source (at least 1); 1 for two blank texts."""
    return _growth(len(pair.output_text), len(pair.source_text))


def sentence_splits(pair: Pair) -> float:
    """Return sentences of the output per sentence of the source."""
    return count_sentences(pair.output_line) / count_sentences(pair.source_line)


def is_split(pair: Pair) -> float:
    """Return 1 if the output has more sentences."""
    return float(count_sentences(pair.output_line) > count_sentences(pair.source_line))


def is_compressed(pair: Pair) -> float:
    """Return 1 if the output is shorter than three quarters of the source."""
    return float(compression(pair) < COMPRESSED)


def levenshtein_similarity(pair: Pair) -> float:
    """Return 1 - distance / summed lengths over characters, a replacement counting as a deletion and an insertion."""
    return Indel.normalized_similarity(*compared(pair.source_text, pair.output_text))


def replace_only_levenshtein(pair: Pair) -> float:
    """Return 1 - replacements of the shortest character edit script / the shorter length (Martin et al. 2020)."""
    source, output = compared(pair.source_text, pair.output_text)
    edits = Levenshtein.editops(source, output)
    return 1 - _ratio(sum(edit.tag == "replace" for edit in edits), min(len(source), len(output)))


def is_copy(pair: Pair) -> float:
    """Return 1 if the output is the source, under the convention of tokens and case."""
    return float(pair.source == pair.output)


def additions(pair: Pair) -> float:
    """Return words added, divided by the words of the longer side."""
    return _ratio(len(pair.output) - pair.shared, max(len(pair.source), len(pair.output)))


def deletions(pair: Pair) -> float:
    """Return words deleted, divided by the words of the longer side."""
    return _ratio(len(pair.source) - pair.shared, max(len(pair.source), len(pair.output)))


def is_deletion_only(pair: Pair) -> float:
    """Return 1 if words are missing and the others have their order in the source."""
    return float(pair.in_order == len(pair.output) < len(pair.source))


def is_reordered(pair: Pair) -> float:
    """Return 1 if the two sides share more words than their longest common subsequence has."""
    return float(pair.shared > pair.in_order)


def lexical_complexity(pair: Pair) -> float:
    """Return the `complexity` of the output's words."""
    return complexity(tuple(pair.output))


def lexical_complexity_ratio(pair: Pair) -> float:
    """Return the output's lexical complexity divided by the source's; 0 where that is 0."""
    return _ratio(complexity(tuple(pair.output)), complexity(tuple(pair.source)))


def length_ratio(pair: Pair) -> float:
    """Return words of the output per word of the source (at least 1); 1 for two blank texts."""
    return _growth(len(pair.output), len(pair.source))


# By their names in reports and tables.
FEATURES: dict[str, Callable[[Pair], float]] = {
    "compression ratio": compression,
    "compressed": is_compressed,
    "length ratio": length_ratio,
    "sentence splits": sentence_splits,
    "split": is_split,
    "Levenshtein similarity": levenshtein_similarity,
    "replace-only Levenshtein": replace_only_levenshtein,
    "exact copy": is_copy,
    "additions": additions,
    "deletions": deletions,
    "deletion only": is_deletion_only,
    "reordering": is_reordered,
    "lexical complexity": lexical_complexity,
    "lexical complexity ratio": lexical_complexity_ratio,
}
# Features that are 0 or 1 for a sentence: a corpus figure is the share of sentences, 0-1.
SHARES = ("compressed", "split", "exact copy", "deletion only", "reordering")


def quality(
    sources: Sequence[str], outputs: Sequence[str], tok: str = "13a", case: str = "lc", names: Iterable[str] = ()
) -> dict[str, Floats]:
    """Return each feature (all of FEATURES, or those named) as one value per sentence [n_sentences].

    tok and case are those of metrics. Raises SbmtError for other values of these, an unknown name, and lists of
    different lengths; TypeError, as `evaluate` does, for arguments that are not lists of lines.
    """
    check_lines("sources", sources)
    check_lines("outputs", outputs)
    refuse_text(names, "names is a list of features")
    names = list(names) or list(FEATURES)
    for option, value in (("tok", tok), ("case", case)):
        if value not in MeasuredMetric.choices[option]:
            raise unknown_name(option, value, MeasuredMetric.choices[option])
    if unknown := [name for name in names if name not in FEATURES]:
        raise unknown_name("feature", unknown[0], list(FEATURES))
    if len(sources) != len(outputs):
        raise SbmtError(f"{counted(len(outputs), 'output')} for {counted(len(sources), 'source')}")
    lines = list(dict.fromkeys((*sources, *outputs)))  # many outputs have the same source
    tokens = dict(zip(lines, tokenize(lines, tok, case == "lc"), strict=True))
    pairs = [
        Pair(source, output, tokens[source], tokens[output]) for source, output in zip(sources, outputs, strict=True)
    ]
    return {name: np.array([FEATURES[name](pair) for pair in pairs], dtype=np.float64) for name in names}


def variant_of(feature: str) -> str:
    """Return a feature's variant of the metric `quality`: its name with hyphens."""
    return feature.lower().replace(" ", "-")


_Line = tuple[str, Sequence[str]]  # the line and its tokens


class QualityFeature(MeasuredMetric[_Line, _Line]):
    """The mean of one feature; the variant is its name, with hyphens. Neither more nor less of it is better."""

    name = "quality"
    label = "quality"
    higher_is_better = None
    needs_references = False
    variants: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        variant_of(name): {"tok": "13a", "case": "lc"} for name in FEATURES
    }

    def __init__(self, variant: str, **options: str) -> None:
        """Take the options of all metrics."""
        super().__init__(variant, **options)
        self._measure = dict(zip(self.variants, FEATURES.values(), strict=True))[variant]

    def conventions(self) -> dict[str, str]:
        """Name the sentence splitter and the word ranking."""
        return dict(_CONVENTIONS)

    def read(self, lines: Sequence[str]) -> list[_Line]:
        """Keep the lines beside their tokens."""
        return list(zip(lines, tokenize(lines, self.tok, self.case == "lc"), strict=True))

    def prepare_text(self, source: _Line, references: Sequence[_Line]) -> _Line:
        """Keep the source."""
        return source

    def measure(self, prepared: _Line, hypothesis: _Line) -> float:
        """Return the feature's value."""
        return self._measure(Pair(prepared[0], hypothesis[0], prepared[1], hypothesis[1]))


def count_sentences(line: str) -> int:
    """Return the number of sentences of a line, at least 1."""
    return max(len(sentences(line)), 1)


def _growth(output: int, source: int) -> float:
    """Return the output's size per unit of the source's; 1 where both are 0, else a source of 0 counts as 1."""
    return output / source if source else max(output, 1)


def _ratio(numerator: float, denominator: float) -> float:
    return numerator / denominator if denominator else 0.0


@lru_cache(maxsize=1 << 14)
def complexity(words: tuple[str, ...]) -> float:
    """Return the upper quartile of ln(1 + frequency rank) over content words; without any, that of an unseen word."""
    content = [w for w in map(str.lower, words) if is_content(w) and w[0].isalpha()]
    ranks = sorted(map(log_rank, content))
    if not ranks:
        return log_rank("")
    # Linear interpolation between neighbours, as numpy's quantile, which takes 50 times as long on so few numbers.
    whole, part = divmod(0.75 * (len(ranks) - 1), 1)
    below = ranks[int(whole)]
    return below + part * (ranks[min(int(whole) + 1, len(ranks) - 1)] - below)
