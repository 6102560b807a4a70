"""QATS (Stajner et al. 2016): metrics of the simplification against its original, and human labels of quality.

The shared task's pairs: 505 of its training set, 126 of its test set, whose labels are in a separate file. Its
organisers published the correlations of baselines with the test labels.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from rapidfuzz.distance import Levenshtein

from sbmt.data.registry import find_entry
from sbmt.data.testsets import find_files, getting
from sbmt.errors import FormatError
from sbmt.evaluation.correlation import P_VALUES
from sbmt.evaluation.studies.files import data_root, locate, read_table
from sbmt.evaluation.studies.ratings import (
    RATED_FEATURES,
    Sentences,
    comparisons,
    correlations,
    each_once,
    scatters,
    sentence_scores,
)
from sbmt.evaluation.studies.request import Request
from sbmt.evaluation.studies.table import AS_IF_INDEPENDENT, Figure, Study, Table, paper_figures
from sbmt.metrics.quality import quality

ASPECTS = {"G": "grammaticality", "M": "meaning", "S": "simplicity", "Overall": "overall"}
LABELS = {"bad": 0.0, "ok": 1.0, "good": 2.0}
METRICS = ("bleu:sacrebleu", "fk:easse")
WORD_ACCURACY = "1 - word error rate"
TEST_LABELS = "qats-test-labels"

# Pearson's correlations of the organisers' baselines with the test labels.
BASELINES = paper_figures(
    [METRICS[0], WORD_ACCURACY],
    list(ASPECTS.values()),
    """
    0.344 0.533 -0.267 0.107
    0.308 0.495 -0.260 0.111""",
)
_REFERENCE = "The pairs have no references: BLEU, SARI and their like take the original for one."
READ = "the organisers' result files (qats2016.github.io, *_pearson.txt: bleu, wer)."

Rows = list[dict[str, str]]


def study(request: Request) -> Study:
    """Correlate with the labels (bad 0, ok 1, good 2); the original serves as the only reference."""
    train, test = locate("qats-labels", request.folder)
    scores, labels = _score_pairs(_read_labelled(train, train), request.metrics)
    tables = [_on_training(scores, labels, request.rng), comparisons(scores, labels)]
    root = data_root("qats-labels", request.folder)
    entry, missing = find_entry(TEST_LABELS), []
    if entry.is_under(root):
        of_test = _score_pairs(_read_labelled(test, find_files(entry, root)[0]), request.metrics)
        tables.insert(0, _on_test(*of_test, request.rng))
    else:
        problem = "the paper's figures are of the test set, whose labels are not there"
        missing.append(f"{problem}: {getting(TEST_LABELS, root)}")
    return Study("qats", tables, scatters(scores, labels), missing)


def _read_labelled(pairs: Path, labels: Path) -> Rows:
    """Read pairs with their labels, which may be in another file, line by line."""
    texts = read_table(pairs, ("Original", "Simplified"), tabs=True)
    label_rows = read_table(labels, (*ASPECTS,), tabs=True)
    if len(texts) != len(label_rows):
        raise FormatError(str(labels), None, f"has {len(label_rows)} labels, but there are {len(texts)} pairs")
    for number, row in enumerate(label_rows, 2):
        if not {row[aspect] for aspect in ASPECTS} <= LABELS.keys():
            raise FormatError(str(labels), number, f"labels must be {', '.join(LABELS)}")
    return [text | label for text, label in zip(texts, label_rows, strict=True)]


def _score_pairs(rows: Rows, metrics: Sequence[str]) -> tuple[dict[str, list[float]], dict[str, list[float]]]:
    """Return scores by metric or feature and labels by aspect, a number for each pair."""
    sources, outputs = [row["Original"] for row in rows], [row["Simplified"] for row in rows]
    scores = {
        name: sentence_scores(name, sources, [[source] for source in sources], outputs)
        for name in each_once((*METRICS, *metrics))
    }
    scores[WORD_ACCURACY] = [_word_accuracy(*pair) for pair in zip(sources, outputs, strict=True)]
    scores |= {name: values.tolist() for name, values in quality(sources, outputs, names=RATED_FEATURES).items()}
    return scores, {name: [LABELS[row[aspect]] for row in rows] for aspect, name in ASPECTS.items()}


def _word_accuracy(source: str, output: str) -> float:
    words = source.lower().split()
    return 1 - Levenshtein.distance(words, output.lower().split()) / len(words)


def _on_test(scores: Sentences, labels: Sentences, rng: np.random.Generator) -> Table:
    reason = (
        f"The {len(labels['overall'])} pairs that the figures are of. {_REFERENCE} The organisers' tokens, smoothing "
        "and word error rate are not described; of their baselines, METEOR and TER are not computed here. "
        f"{AS_IF_INDEPENDENT}"
    )
    return _table("test", reason, correlations(scores, labels, rng, BASELINES), READ)


def _on_training(scores: Sentences, labels: Sentences, rng: np.random.Generator) -> Table:
    reason = (
        f"The {len(labels['overall'])} pairs of the training set, of which the organisers have no figures: theirs are "
        f"of the 126 of the test set. {_REFERENCE} {AS_IF_INDEPENDENT}"
    )
    return _table("training", reason, correlations(scores, labels, rng, {}))


def _table(part: str, reason: str, figures: list[Figure], read: str = "") -> Table:
    title = f"Metrics and features against quality labels ({part} set)"
    return Table(title, of="QATS, baselines", reason=reason, figures=figures, read=read, p_values=P_VALUES)
