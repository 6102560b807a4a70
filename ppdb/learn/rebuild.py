"""Rebuilding rules from counted records: words, gaps, alignment and lexical weights at the first occurrence.

Rules are formatted in the worker process, because a line is cheaper to pass on than a Rule.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import chain
from pathlib import Path

import numpy as np

from sbmt.arrays import Int64s
from sbmt.parallel import ordered_map
from sbmt.ppdb.formats import format_rule
from sbmt.ppdb.learn.corpus import ParallelText
from sbmt.ppdb.learn.count import Totals
from sbmt.ppdb.learn.labels import constituents, span_label
from sbmt.ppdb.learn.links import Link, Links
from sbmt.ppdb.learn.records import Records
from sbmt.ppdb.learn.score import WordTranslation, phrase_features
from sbmt.ppdb.rule import DEFAULT_LABEL, Rule
from sbmt.ppdb.symbols import is_writable
from sbmt.progress import progress

_CHUNK_RULES = 5000  # passed to a process at once
_MAX_SCORED_ROWS = 1_000_000  # scored at once, for sorting
_DECIMALS = 5  # of a feature, as in PPDB
Span = tuple[int, int]  # [start, end) in the sentence


class Rebuilder:
    """The text, links and word translations from which records become rules."""

    def __init__(self, text: ParallelText, links: Links, translation: WordTranslation) -> None:
        """`translation`: from the word links of the whole text, or of all but a fold."""
        self.text, self.links, self.translation = text, links, translation
        # Words that would not be read back as the same word; rules with them cannot be written.
        self._unwritable = {k for k, word in enumerate(text.words) if not is_writable(word)}

    @classmethod
    def open(cls, folder: Path) -> Rebuilder:
        """Open what learning has saved in its working folder."""
        return cls(ParallelText.open(folder), Links.open(folder), WordTranslation.open(folder))

    def rule(self, pair: int, spans: list[int], features: dict[str, float]) -> Rule | None:
        """Return the rule of a record's `pair` and `spans`, with lexical weights and unaligned words as more features.

        Returns None for a rule that cannot be written because a word looks like a gap or a separator.
        """
        source_sentence, target_sentence = self._sentences(pair)
        source_spans = _source_spans(spans)
        source, target = _places(source_spans), _places(_target_spans(spans))
        f, e = self._words(source_sentence, source), self._words(target_sentence, target)
        if not self._unwritable.isdisjoint((*f.values(), *e.values())):
            return None
        inside = [(i, j) for i, j in self._links(pair) if i in f and j in e]
        forward, backward = self.translation.lexical_costs(f, e, inside)
        added = {
            "Lex(e|f)": round(forward, _DECIMALS),
            "Lex(f|e)": round(backward, _DECIMALS),
            "UnalignedSource": float(len(f) - len({i for i, _ in inside})),
            "UnalignedTarget": float(len(e) - len({j for _, j in inside})),
        }
        lhs, *names = self._labels(source_sentence, source_spans)
        return Rule(
            lhs,
            self._symbols(source, f, names),
            self._symbols(target, e, names),
            features | added,
            _rule_alignment(source, target, inside),
        )

    def source_side(self, pair: int, spans: list[int]) -> tuple[str, ...]:
        """Return the source symbols of a record's rule."""
        (sentence, _), source_spans = self._sentences(pair), _source_spans(spans)
        places = _places(source_spans)
        return self._symbols(places, self._words(sentence, places), self._labels(sentence, source_spans)[1:])

    def _sentences(self, pair: int) -> tuple[int, int]:
        """Return the numbers of the source and the target sentence of a record's `pair`."""
        number, mirrored = divmod(pair, 2)
        source, target = int(self.text.source[number]), int(self.text.target[number])
        return (target, source) if mirrored else (source, target)

    def _links(self, pair: int) -> list[Link]:
        """Return the word links of a record's `pair`, from its source to its target sentence."""
        number, mirrored = divmod(pair, 2)
        links = self.links.of(number)
        return [(j, i) for i, j in links] if mirrored else links

    def _words(self, sentence: int, places: list[int]) -> dict[int, int]:
        start = self.text.starts[sentence]
        return {place: int(self.text.tokens[start + place]) for place in places if place >= 0}

    def _labels(self, sentence: int, spans: list[Span]) -> list[str]:
        """Return the labels of spans of a source sentence."""
        if not self.text.analyses:
            return [DEFAULT_LABEL] * len(spans)
        n_words = int(self.text.lengths[sentence])
        sentence_constituents = constituents(self.text.analyses[sentence], n_words)
        return [span_label(sentence_constituents, i, j, n_words) for i, j in spans]

    def _symbols(self, places: list[int], words: Mapping[int, int], names: list[str]) -> tuple[str, ...]:
        return tuple(
            self.text.words[words[place]] if place >= 0 else f"[{names[-place - 1]},{-place}]" for place in places
        )


def _source_spans(spans: list[int]) -> list[Span]:
    """Return the source phrase and its gaps, from the `spans` of a record (see `records.RECORD`)."""
    return _phrase_and_gaps(spans[0], spans[1], spans[4:8])


def _target_spans(spans: list[int]) -> list[Span]:
    """Return the target phrase and its gaps, as `_source_spans` does those of the source."""
    return _phrase_and_gaps(spans[2], spans[3], spans[8:12])


def _phrase_and_gaps(start: int, length: int, gaps: list[int]) -> list[Span]:
    """Return a phrase and its gaps; `gaps` holds the offset and length of each, length 0 for none."""
    pairs = zip(gaps[::2], gaps[1::2], strict=True)
    return [(start, start + length), *((start + offset, start + offset + width) for offset, width in pairs if width)]


def _places(spans: list[Span]) -> list[int]:
    """Return the symbols of a phrase and its gaps: positions in the sentence, -1 or -2 for the first or second gap."""
    (start, end), *gaps = spans
    places = list(range(start, end))
    for index, (begin, end) in sorted(enumerate(gaps, 1), key=lambda item: -item[1][0]):
        places[begin - start : end - start] = [-index]
    return places


def _rule_alignment(source: list[int], target: list[int], links: list[Link]) -> tuple[Link, ...]:
    to = {place: k for k, place in enumerate(target)}
    at = {place: k for k, place in enumerate(source)}
    words = [(at[i], to[j]) for i, j in links]
    nonterminals = [(k, to[place]) for place, k in at.items() if place < 0]
    return tuple(sorted(words + nonterminals))


def rebuild(folder: Path, records: Records, totals: Totals, jobs: int) -> Iterator[str]:
    """Yield lines of rules, sorted by source side, the likeliest target first, from records of `count_rules`."""
    start = partial(Rebuilder.open, folder)
    order = _sort_order(start(), records, totals)
    chunks = (records[order[begin : begin + _CHUNK_RULES]] for begin in range(0, len(order), _CHUNK_RULES))
    rebuilt = ordered_map(partial(_rebuild_chunk, totals), chunks, start, jobs, chunk=1)
    yield from progress(chain.from_iterable(rebuilt), "writing", "rules", len(records))


def _rebuild_chunk(totals: Totals, rebuilder: Rebuilder, records: Records) -> list[str]:
    features = phrase_features(records, totals)
    matrix = np.round(np.stack(list(features.values()), axis=1), _DECIMALS)
    rules = (
        rebuilder.rule(pair, spans, dict(zip(features, values, strict=True)))
        for pair, spans, values in zip(
            records["pair"].tolist(), records["spans"].tolist(), matrix.tolist(), strict=True
        )
    )
    return [format_rule(rule) for rule in rules if rule is not None]


def _sort_order(rebuilder: Rebuilder, records: Records, totals: Totals) -> Int64s:
    """Return row numbers sorted by source side (as text), p(e | f) and first occurrence."""
    _, first, number = np.unique(records["f"], return_index=True, return_inverse=True)
    pairs, spans = records["pair"][first].tolist(), records["spans"][first].tolist()
    places = progress(zip(pairs, spans, strict=True), "ordering", "source sides", len(pairs))
    sides = [" ".join(rebuilder.source_side(pair, rule_spans)) for pair, rule_spans in places]
    rank = np.empty(len(sides), np.int64)
    rank[sorted(range(len(sides)), key=sides.__getitem__)] = np.arange(len(sides))
    parts = (records[begin : begin + _MAX_SCORED_ROWS] for begin in range(0, len(records), _MAX_SCORED_ROWS))
    cost = np.concatenate([phrase_features(part, totals)["p(e|f)"] for part in parts])
    return np.lexsort((records["e"], records["pair"], cost, rank[number]))
