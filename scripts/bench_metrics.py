"""CPU time of the metrics on one core: per candidate of an n-best list, and for a corpus from cold; medians.

    python scripts/bench_metrics.py                    # a made-up corpus of the size of TurkCorpus test
    SBMT_DATA=... python scripts/bench_metrics.py      # TurkCorpus test itself

Candidates of an n-best list differ by words of the references, substituted, deleted or inserted at up to eight places,
so they share most of their n-grams, as a decoder's do.
"""

from __future__ import annotations

import os
import statistics
from collections.abc import Iterable, Sequence
from functools import partial

import numpy as np
from measure import candidate_milliseconds, median_cpu
from parsers import script_parser

from sbmt.cli.shared.command import command
from sbmt.data.testsets import TestSet, load_test_set
from sbmt.metrics import get_metric

SENTENCES, REFERENCES, CANDIDATES, LISTS, REPEATS = 359, 8, 300, 40, 7
# Targets in milliseconds per candidate.
NBEST = {"sari:easse": 0.03, "sari:star": 0.03, "sari:xu2016": 0.03, "bleu:xu2016": None, "fkbleu:xu2016": 0.06}
# Targets in seconds per corpus; the metrics tokenise with 13a.
CORPUS = {"sari:easse": 0.12, "bleu:sacrebleu": None}


def edit(words: Sequence[str], vocabulary: Sequence[str], places: Iterable[int], rng: np.random.Generator) -> list[str]:
    """Return a sentence with a random edit, or none, at each of `places`."""
    edited = list(words)
    for place in sorted(places, reverse=True):
        choice = rng.integers(6)
        word = vocabulary[int(rng.integers(len(vocabulary)))]
        if choice < 2:
            edited[place] = word
        elif choice == 2:
            del edited[place]
        elif choice == 3:
            edited.insert(place, word)
    return edited


def make_corpus(rng: np.random.Generator) -> TestSet:
    """Return sentences of 22 words drawn by Zipf's law, and references that change a fifth of the words."""
    words = np.array([f"w{i}" for i in range(6000)])
    weights = 1 / np.arange(1, 6001)
    sources, references = [], []
    for _ in range(SENTENCES):
        source = [*rng.choice(words, size=20, p=weights / weights.sum()), ",", "."]
        vocabulary = list(rng.choice(words, size=20))
        changed = [edit(source, vocabulary, rng.choice(20, size=6, replace=False), rng) for _ in range(REFERENCES)]
        sources.append(" ".join(source))
        references.append([" ".join(reference) for reference in changed])
    return TestSet("made up", sources, references)


def make_nbest(source: str, references: Sequence[str], rng: np.random.Generator) -> list[str]:
    """Return candidates that differ from the source at some of the same eight places, by a few words each."""
    words = source.split()
    places = rng.choice(len(words), size=min(8, len(words)), replace=False)
    vocabulary = [str(word) for word in rng.choice(" ".join(references).split(), size=6)]
    return [" ".join(edit(words, vocabulary, places[rng.random(len(places)) < 0.5], rng)) for _ in range(CANDIDATES)]


def score_corpus(name: str, corpus: TestSet) -> None:
    """Score the first references as outputs, from cold."""
    metric = get_metric(name)
    outputs = [lines[0] for lines in corpus.references]
    metric.corpus(metric.count_outputs(corpus.sources, corpus.references, outputs))


def report(name: str, value: float, unit: str, target: float | None) -> None:
    """Print a figure and its target."""
    limit = f"  (at most {target})" if target else ""
    print(f"{name:<40} {value:.4f} {unit}{limit}")


@command
def main(argv: Sequence[str] | None = None) -> None:
    """Run both workloads."""
    script_parser(__doc__).parse_args(argv)
    rng = np.random.default_rng(20161115)
    corpus = load_test_set("turkcorpus/test") if os.environ.get("SBMT_DATA") else make_corpus(rng)
    chosen = [int(i) for i in rng.choice(len(corpus.sources), size=LISTS, replace=False)]
    lists = [make_nbest(corpus.sources[i], corpus.references[i], rng) for i in chosen]
    distinct = statistics.mean(len({*candidates}) for candidates in lists)
    print(f"{corpus.name}: {len(corpus.sources)} sentences; {LISTS} lists of {CANDIDATES} ({distinct:.0f} distinct)")
    for name, target in NBEST.items():
        metric = get_metric(name)
        prepared = [metric.prepare(corpus.sources[i], corpus.references[i]) for i in chosen]
        cost = candidate_milliseconds(metric, prepared, lists, REPEATS)
        report(f"{name}, n-best", cost, "ms/candidate", target)
    for name, target in CORPUS.items():
        report(f"{name}, corpus from cold", median_cpu(partial(score_corpus, name, corpus), REPEATS), "s", target)


if __name__ == "__main__":
    raise SystemExit(main())
