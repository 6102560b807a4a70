"""Turning models and counts of plain words into models of Penn Treebank tokens.

Spoken-language models and web counts know no punctuation and write "don't" and "dog's" as one word. Here clitics become
tokens of their own, punctuation gets the frequency it has in written English, and the end of an utterance becomes a
full stop, which then ends the sentence.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sbmt.arrays import Bools, Floats, Int32s
from sbmt.lm.ngrams import (
    BEGIN_ID,
    END_ID,
    SPECIAL_WORDS,
    UNKNOWN_ID,
    NGramModel,
    build_trie,
    ngram_columns,
    ngram_key,
    normalised,
)
from sbmt.lm.symbols import END

# Shares of all tokens of English Wikipedia, rounded; halved for quotation marks, which texts write in one of two ways.
PUNCTUATION = {
    ",": 0.052, ".": 0.037, "-lrb-": 0.0074, "-rrb-": 0.0074, '"': 0.012, "``": 0.006, "''": 0.006, "'": 0.001,
    ":": 0.0019, ";": 0.0018, "/": 0.0002, "--": 0.0006, "–": 0.0006, "—": 0.0003, "-": 0.0004, "%": 0.0009,
    "&": 0.0001, "$": 0.0003, "?": 0.0001, "!": 0.0001, "...": 0.0003, "#": 0.00005, "°": 0.0001, "£": 0.00006,
    "-lsb-": 0.0004, "-rsb-": 0.0004, "`": 0.0002,
}  # fmt: skip
WORDS = 1 - sum(PUNCTUATION.values())  # the share of other tokens, a factor for probabilities of unpunctuated text
# What follows punctuation, from the same text: sentence ends, and the words that join clauses.
_AFTER = {
    ".": {END: 0.95}, "?": {END: 0.9}, "!": {END: 0.9}, '"': {END: 0.1}, "''": {END: 0.1},
    ",": {
        "and": 0.111, "the": 0.08, "which": 0.029, "but": 0.025, "a": 0.024, "in": 0.017, "as": 0.016, "with": 0.015,
        "or": 0.012, "he": 0.012, "who": 0.011, "it": 0.011, "including": 0.009, "such": 0.008, "was": 0.008,
        "while": 0.007, "is": 0.007, "where": 0.007, "to": 0.006, "for": 0.005, "when": 0.005, "an": 0.005,
        "they": 0.005, "although": 0.0045, "however": 0.0044, "there": 0.0043, "that": 0.0036, "though": 0.0032,
        "at": 0.0032, "on": 0.0032, "so": 0.0031, "this": 0.0031, "then": 0.0031, "by": 0.0031, "one": 0.003,
        "after": 0.0028, "especially": 0.0026, "from": 0.0026, "some": 0.0021, "most": 0.0021, "because": 0.0021,
    },
    ";": {
        "the": 0.12, "and": 0.08, "it": 0.041, "in": 0.036, "however": 0.027, "this": 0.027, "he": 0.027, "a": 0.021,
        "they": 0.017, "for": 0.015, "but": 0.014, "these": 0.009, "his": 0.009, "as": 0.008, "that": 0.008,
    },
    ":": {"the": 0.107, "a": 0.034, "in": 0.014, "it": 0.01},
    "-lrb-": {"the": 0.03, "or": 0.02, "see": 0.014, "in": 0.013, "a": 0.013, "which": 0.012, "as": 0.01},
    "-rrb-": {
        ",": 0.255, ".": 0.225, "and": 0.077, "is": 0.037, "was": 0.023, "in": 0.023, "of": 0.017, "to": 0.015,
        ";": 0.015, "or": 0.011, "are": 0.01, "as": 0.007, "the": 0.007, "for": 0.007, "that": 0.007, "were": 0.006,
    },
}  # fmt: skip
_UNKNOWN = 1e-7  # of one particular unknown word, so that no word is ever replaced by one
_END_ELSEWHERE = 0.001  # probability that a sentence ends after a word
_MAX_TOTAL = 0.95  # of the probabilities of a context's n-grams; the rest is for unseen words
_CLITIC = re.compile(r"(.+?)(n't|'s|'re|'ve|'ll|'d|'m|')")
_IRREGULAR = {"can't": "ca", "won't": "wo", "shan't": "sha"}
# After these 's is a verb; after all other words it is nearly always the possessive.
_VERBAL = frozenset("it he she that there what who here let where how when this everything everybody everyone".split())

Table = tuple[Int32s, Floats]  # n-grams int32[n, k] and their conditional probabilities


def penn_unigrams(words: Sequence[str], frequencies: Floats) -> tuple[list[str], Floats]:
    """Return a vocabulary (special words, punctuation, words) and its unigram distribution.

    `frequencies` are those of `words` and need not sum to one; those of special words and punctuation are ignored.
    """
    names = list(dict.fromkeys([*SPECIAL_WORDS, *PUNCTUATION, *words]))
    first = len(SPECIAL_WORDS) + len(PUNCTUATION)
    numbers = {name: i for i, name in enumerate(names)}
    unigrams = np.zeros(len(names))
    np.add.at(unigrams, [numbers[word] for word in words], frequencies)
    shares = np.array(list(PUNCTUATION.values()))
    unigrams[:first] = 0
    unigrams *= (1 - shares.sum() - _UNKNOWN - _END_ELSEWHERE) / unigrams.sum()
    unigrams[[UNKNOWN_ID, END_ID]] = _UNKNOWN, _END_ELSEWHERE
    unigrams[len(SPECIAL_WORDS) : first] = shares
    return names, unigrams


def penn_model(names: Sequence[str], unigrams: Floats, tables: Sequence[Table]) -> NGramModel:
    """Return a back-off model of bigrams, trigrams ...; of repeated n-grams the first counts.

    Bigrams that begin with punctuation are added; a context whose n-grams sum to more than 0.95 is scaled down to that.
    """
    numbers = {name: i for i, name in enumerate(names)}
    after = [(mark, word, p) for mark, words in _AFTER.items() for word, p in words.items() if word in numbers]
    pairs = np.array([(numbers[mark], numbers[word]) for mark, word, _ in after], np.int32)
    tables = [_joined((pairs, np.array([p for *_, p in after])), tables[0]), *tables[1:]]
    trie, sources = build_trie(len(names), [ngrams for ngrams, _ in tables])
    probabilities = [np.where(np.arange(len(names)) == BEGIN_ID, 1.0, unigrams)]
    for k, ((_, p), source) in enumerate(zip(tables, sources[1:], strict=True), 2):
        context = trie.context[k - 1]
        total = np.bincount(context, p[source], trie.size(k - 1))
        probabilities.append(p[source] * np.minimum(1.0, _MAX_TOTAL / np.maximum(total, _MAX_TOTAL))[context])
    return normalised(names, trie, probabilities)


def from_spoken(model: NGramModel) -> NGramModel:
    """Return a trigram model of Penn tokens from one of unpunctuated words, as the module docstring describes."""
    p = model.probabilities(model.trie, np.arange(len(model.words), dtype=np.int32))
    stems, clitics = _split(model.words)
    split_words = np.flatnonzero([bool(clitic) for clitic in clitics])
    parts = [*stems, *(clitics[i] for i in split_words)]
    names, unigrams = penn_unigrams(parts, np.concatenate([p[0], p[0][split_words]]))
    numbers = {name: i for i, name in enumerate(names)}
    split = Split(
        np.array([numbers[word] for word in stems], np.int32),
        np.array([numbers.get(word, -1) for word in clitics], np.int32),
        ~np.isin(stems, list(_VERBAL)) | (np.array(clitics) != "'s"),
        len(names),
    )
    split.stem[END_ID] = numbers["."]
    spoken = WORDS + PUNCTUATION["."]
    tables = [_unsplit(model, split, k, p[k - 1] * spoken) for k in (2, 3)]
    pairs = _stem_and_clitic(split, p[0])
    triples, after = _after_clitics(model, split, p[0], p[1] * spoken)
    return penn_model(names, unigrams, [_joined(tables[0], pairs, after), _joined(tables[1], triples)])


@dataclass(frozen=True, slots=True)
class Split:
    """The parts of each word of the spoken model: columns over its vocabulary, in the numbers of the new one.

    `clitic` is -1 for words that stay whole; `is_representative` is false if 's is a verb, so that the words after it
    say nothing about those after a possessive. `size` is that of the new vocabulary.
    """

    stem: Int32s
    clitic: Int32s
    is_representative: Bools
    size: int


def _split(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return stem and clitic ("" for none) of each word; only words whose stem is a word are split."""
    vocabulary, stems, clitics = set(words), [], []
    for word in words:
        match = _CLITIC.fullmatch(word)
        stem = _IRREGULAR.get(word, match[1] if match else word)
        is_split = match is not None and (stem in vocabulary or word in _IRREGULAR)
        stems.append(stem if is_split else word)
        clitics.append(match[2] if match and is_split else "")
    return stems, clitics


def _joined(*tables: Table) -> Table:
    return np.concatenate([ngrams for ngrams, _ in tables]), np.concatenate([p for _, p in tables])


def _unsplit(model: NGramModel, split: Split, k: int, p: Floats) -> Table:
    """Return the n-grams of length `k` in which no word is split."""
    ngrams = model.trie.words(k)
    kept = (split.clitic[ngrams] < 0).all(axis=1)
    return split.stem[ngrams[kept]], p[kept]


def _stem_and_clitic(split: Split, unigrams: Floats) -> Table:
    """Return bigrams (stem, clitic) with the share of the stem's occurrences."""
    is_split = split.clitic >= 0
    total = np.bincount(split.stem, unigrams, split.size)
    stem, clitic = split.stem[is_split], split.clitic[is_split]
    return np.stack([stem, clitic], axis=1), unigrams[is_split] / total[stem]


def _after_clitics(model: NGramModel, split: Split, unigrams: Floats, bigrams: Floats) -> tuple[Table, Table]:
    """Return (stem, clitic, word) from bigrams after split words; (clitic, word), their mean weighted by unigrams."""
    ngrams = model.trie.words(2)
    after = (split.clitic[ngrams[:, 0]] >= 0) & (split.clitic[ngrams[:, 1]] < 0)
    first, word, p = ngrams[after, 0], split.stem[ngrams[after, 1]], bigrams[after]
    clitic = split.clitic[first]
    triples = np.stack([split.stem[first], clitic, word], axis=1), p
    weight = unigrams * split.is_representative
    is_split = split.clitic >= 0
    total = np.bincount(split.clitic[is_split], weight[is_split], split.size)
    key, group = np.unique(ngram_key(clitic, word, split.size), return_inverse=True)
    clitic, word = ngram_columns(key, split.size)
    mean = np.bincount(group, weight[first] * p) / np.maximum(total[clitic], 1e-12)
    is_positive = mean > 0
    return triples, (np.stack([clitic, word], axis=1)[is_positive], mean[is_positive])
