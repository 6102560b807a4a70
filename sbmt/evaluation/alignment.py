"""Word alignment of an English sentence and its simplification, without models, servers or downloads.

After the monolingual aligner of Sultan et al. 2014, which takes its evidence from words that are alike and from their
neighbours, but from strings alone: identity, inflection, spelling, and PPDB pairs where a user has them. Links are
found in passes, surest first: identical words in the same order; identical words elsewhere, content words before
function words; words that are alike; words between the same neighbours. A word is linked in one pass only.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import product

from rapidfuzz.distance import JaroWinkler, LCSseq, Prefix
from rapidfuzz.process import cdist

from sbmt.arguments import refuse_text
from sbmt.errors import SbmtError
from sbmt.text.order import longest_increasing
from sbmt.text.words.content import is_content
from sbmt.text.words.english import PRONOUNS

Link = tuple[int, int]  # of a source word and an output word

WINDOW = 3  # neighbours on each side that can support a link
ALIKE = 0.9  # Jaro-Winkler similarity from which two spellings count as one word
STEM = 3  # letters that two forms of a word share, at least
_MAX_LETTERS = 1000  # of words whose spelling is compared: longer ones are alike by identity and inflection only
_MAX_PAIRS = 50  # pairs of words up to which each is scored
_ROWS = 1000  # words whose spelling is compared with all others at once
SLOT = 4  # largest number of words that may replace one another between the same neighbours
_ENDINGS = frozenset(
    "e s es ies d ed ied n en r er st est y ly i ing ion ions al ally ness ment ments able ity".split()
) | {""}


def align(source: Sequence[str], output: Sequence[str], pairs: Container[tuple[str, str]] = ()) -> list[Link]:
    """Return the links (i, j) of source word i and output word j, sorted; a slot of several words has several links.

    pairs: words known to mean the same, lower-cased, in either order (PPDB's, for example).
    Raises TypeError for a text, whose characters would pass for words (`sbmt.text.lines.line_words` splits it).
    Raises SbmtError for an empty word.
    """
    for words in (source, output):
        refuse_text(words, "words are aligned", "sbmt.text.lines.line_words makes words of it")
    source_words, output_words = [w.lower() for w in source], [w.lower() for w in output]
    if "" in source_words or "" in output_words:
        raise SbmtError("words are aligned, and one of these is empty: str.split() without an argument makes none")
    return _Alignment(source_words, output_words, pairs).links()


def is_inflection(word: str, other: str) -> bool:
    """Whether two words share a stem and differ in an ending: "moved", "moving"; "study", "studies"."""
    shared = Prefix.similarity(word, other)
    return shared >= STEM and word[shared:] in _ENDINGS and other[shared:] in _ENDINGS


def moved(links: Sequence[Link]) -> set[Link]:
    """Return the links that leave the order: those outside a longest sequence that increases on both sides.

    Of a slot only the first link counts: words that replace something together have not moved.
    """
    ordered = _first_links(links)
    in_order = longest_increasing([j for _, j in ordered])
    return set(ordered).difference(ordered[k] for k in in_order)


def _first_links(links: Sequence[Link]) -> list[Link]:
    """Return at most one link for each word of either side, in the source's order."""
    linked_output: set[int] = set()
    first: dict[int, int] = {}
    for i, j in sorted(links):
        if i not in first and j not in linked_output:
            first[i] = j
            linked_output.add(j)
    return list(first.items())


class _Alignment:
    """The links so far: `to_output[i]` and `to_source[j]` are -1 while a word is free."""

    def __init__(self, source: Sequence[str], output: Sequence[str], pairs: Container[tuple[str, str]]) -> None:
        self.source, self.output, self.pairs = source, output, pairs
        self.to_output = [-1] * len(source)
        self.to_source = [-1] * len(output)

    def links(self) -> list[Link]:
        """Run the passes."""
        self._identical_in_order()
        if -1 in self.to_output and -1 in self.to_source:
            self._greedy(self._identical_elsewhere(content=True))
            self._greedy(self._alike())
            self._greedy(self._identical_elsewhere(content=False))
        links = [(i, j) for i, j in enumerate(self.to_output) if j >= 0]
        return sorted(links + list(self._slots()))

    def _identical_in_order(self) -> None:
        for block in LCSseq.opcodes(self.source, self.output):
            if block.tag == "equal":
                for k in range(block.src_end - block.src_start):
                    self._link(block.src_start + k, block.dest_start + k)

    def _link(self, i: int, j: int) -> None:
        self.to_output[i], self.to_source[j] = j, i

    def _free_output(self) -> dict[str, list[int]]:
        positions: dict[str, list[int]] = defaultdict(list)
        for j, i in enumerate(self.to_source):
            if i < 0:
                positions[self.output[j]].append(j)
        return positions

    def _identical_elsewhere(self, content: bool) -> Iterator[tuple[float, int, int]]:
        """Yield candidates among content words; or among function words and punctuation with a linked neighbour."""
        positions = self._free_output()
        for i, j in enumerate(self.to_output):
            if j < 0 and (word := self.source[i]) in positions and is_content(word) == content:
                for k in positions[word]:
                    support = self._support(i, k)
                    if content or support >= 1:
                        yield support, i, k

    def _alike(self) -> Iterator[tuple[float, int, int]]:
        for i, j in self._candidates():
            likeness = self._likeness(self.source[i], self.output[j])
            if likeness:
                yield likeness + self._support(i, j), i, j

    def _candidates(self) -> Iterable[Link]:
        """Return free content words that may be alike: all pairs where few, else those spelt alike or in `pairs`."""
        free_source = [i for i, j in enumerate(self.to_output) if j < 0 and is_content(self.source[i])]
        free_output = [j for j, i in enumerate(self.to_source) if i < 0 and is_content(self.output[j])]
        if len(free_source) * len(free_output) <= _MAX_PAIRS:
            return product(free_source, free_output)
        words, others = [self.source[i] for i in free_source], [self.output[j] for j in free_output]
        candidates = {(free_source[x], free_output[y]) for x, y in _look_alike(words, others)}
        if self.pairs:
            candidates.update(
                (i, j) for i in free_source for j in free_output if self._are_paired(self.source[i], self.output[j])
            )
        return candidates

    def _are_paired(self, word: str, other: str) -> bool:
        return (word, other) in self.pairs or (other, word) in self.pairs

    def _likeness(self, word: str, other: str) -> float:
        """Return how alike two words are by their strings alone; 1 for one of the `pairs`."""
        return 1.0 if self.pairs and self._are_paired(word, other) else _string_likeness(word, other)

    def _support(self, i: int, j: int) -> float:
        """Return how many words near both are linked with one another, nearer ones counting more."""
        total = 0.0
        for k in range(max(i - WINDOW, 0), min(i + WINDOW + 1, len(self.source))):
            distance = self.to_output[k] - j
            if k != i and self.to_output[k] >= 0 and abs(distance) <= WINDOW:
                total += 1 / max(abs(k - i), abs(distance), 1)
        return total

    def _greedy(self, candidates: Iterator[tuple[float, int, int]]) -> None:
        """Link the best candidates first; of equals, those whose relative positions differ least."""
        scale = len(self.source) / max(len(self.output), 1)
        ranked = sorted(candidates, key=lambda c: (-c[0], abs(c[1] - c[2] * scale), c[1], c[2]))
        for _, i, j in ranked:
            if self.to_output[i] < 0 and self.to_source[j] < 0:
                self._link(i, j)

    def _slots(self) -> Iterator[Link]:
        """Yield links of free words on both sides between two linked neighbours (or the sentence's ends)."""
        i = 0
        while i < len(self.source):
            if self.to_output[i] >= 0:
                i += 1
                continue
            end = next((k for k in range(i, len(self.source)) if self.to_output[k] >= 0), len(self.source))
            left = self.to_output[i - 1] if i else -1
            right = self.to_output[end] if end < len(self.source) else len(self.output)
            if all(self.to_source[j] < 0 for j in range(left + 1, right)):
                yield from _fill(range(i, end), range(left + 1, right), self.source, self.output)
            i = end


def _fill(source: range, output: range, words: Sequence[str], others: Sequence[str]) -> Iterator[Link]:
    """Link word by word, or, where the numbers differ, all with all as one expression; punctuation stays out."""
    replaced = [i for i in source if words[i][0].isalnum()]
    replacing = [j for j in output if others[j][0].isalnum()]
    if not replaced or not replacing or max(len(replaced), len(replacing)) > SLOT:
        return
    if len(replaced) == len(replacing):
        if len(replaced) > 1 or _same_kind(words[replaced[0]], others[replacing[0]]):
            yield from zip(replaced, replacing, strict=True)
    elif any(is_content(words[i]) for i in replaced):
        yield from ((i, j) for i in replaced for j in replacing)


def _same_kind(word: str, other: str) -> bool:
    """Whether both are content words, or both function words; a pronoun stands for either."""
    return is_content(word) == is_content(other) or word in PRONOUNS or other in PRONOUNS


@lru_cache(maxsize=1 << 16)
def _string_likeness(word: str, other: str) -> float:
    if is_inflection(word, other):
        return 1.0
    if min(len(word), len(other)) <= STEM or max(len(word), len(other)) > _MAX_LETTERS:
        return 0.0
    return JaroWinkler.similarity(word, other, score_cutoff=ALIKE) if word.isalpha() and other.isalpha() else 0.0


def _look_alike(words: Sequence[str], others: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield positions of words that `_string_likeness` may find alike: by spelling, or by their first letters."""
    beginnings = [word[:_MAX_LETTERS] for word in words]
    other_beginnings = [word[:_MAX_LETTERS] for word in others]
    for first in range(0, len(words), _ROWS):
        rows = beginnings[first : first + _ROWS]
        similar = cdist(rows, other_beginnings, scorer=JaroWinkler.similarity, score_cutoff=ALIKE).nonzero()
        yield from ((first + x, y) for x, y in zip(*similar, strict=True))
    stems: dict[str, list[int]] = defaultdict(list)
    for y, other in enumerate(others):
        stems[other[:STEM]].append(y)
    yield from ((x, y) for x, word in enumerate(words) for y in stems.get(word[:STEM], ()))
