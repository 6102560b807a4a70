"""The data of the page's sentence browser, as JSON that a script element can hold."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from sys import float_info
from typing import Any

from markupsafe import Markup

from sbmt.evaluation.report.content import Report, Sentence
from sbmt.evaluation.report.system import System
from sbmt.evaluation.transformations import COPY, LABELS
from sbmt.text.tokens import Token

# Features by which sentences can be sorted.
_FEATURES = (
    "compression ratio",
    "Levenshtein similarity",
    "sentence splits",
    "additions",
    "deletions",
    "lexical complexity ratio",
)


def embedded(report: Report, decimals: Mapping[str, int]) -> Markup:
    """Return the sentences with their labels and scores, rounded to each metric's decimals.

    No character of a string can end the script element. Raises ValueError for a number that JSON does not have.
    """
    text = json.dumps(_data(report, decimals), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)


def _data(report: Report, decimals: Mapping[str, int]) -> dict[str, Any]:
    """Return the data in a short form: keys are letters, labels are runs."""
    systems, metrics = [system.name for system in report.systems], list(report.scores.metrics)
    rows = [row for row in report.rows if row.is_system]
    return {
        "systems": systems,
        "baseline": systems.index(report.baseline),
        "metrics": metrics,
        "decimals": [decimals[metric] for metric in metrics],
        "features": _FEATURES,
        "values": [
            [[round(v, 3) for v in report.feature_values[name][feature].tolist()] for feature in _FEATURES]
            for name in systems
        ],
        "labels": {label[0]: label for label in LABELS},
        "scores": [
            [[round(v, decimals[metric]) for v in row.results[metric].sentences.tolist()] for metric in metrics]
            for row in rows
        ],
        "sentences": [_sentence(sentence, k, report.systems) for k, sentence in enumerate(report.sentences)],
    }


def _sentence(sentence: Sentence, k: int, systems: Sequence[System]) -> dict[str, Any]:
    record: dict[str, Any] = {
        "n": sentence.number,
        "w": len(sentence.tokens),
        "s": sentence.source,
        "r": sentence.references,
        "o": [
            {
                "t": output.text,
                "k": sorted(output.kinds),
                "a": _runs(sentence.source, sentence.tokens, output.words.source),
                "b": _runs(output.text, output.tokens, output.words.output),
            }
            for output in sentence.outputs
        ],
    }
    for output, system in zip(record["o"], systems, strict=True):
        if system.changes:
            output["d"] = [_change(change) for change in system.changes[k]]
    return record


def _runs(text: str, tokens: Sequence[Token], labels: Sequence[str]) -> str:
    """Return word labels as runs of characters: `c12r4c20` is 12 copied characters, 4 replaced, 20 copied.

    White space between words of one label belongs to them, other white space counts as copied.
    """
    runs: list[tuple[str, int]] = []

    def add(label: str, characters: int) -> None:
        if characters and runs and runs[-1][0] == label:
            runs[-1] = (label, runs[-1][1] + characters)
        elif characters:
            runs.append((label, characters))

    end, previous = 0, COPY
    for token, label in zip(tokens, labels, strict=True):
        add(label[0] if label == previous else COPY[0], token.start - end)
        add(label[0], token.end - token.start)
        end, previous = token.end, label
    add(COPY[0], len(text) - end)
    return "".join(f"{label}{count}" for label, count in runs)


def _change(change: Mapping[str, Any]) -> list[Any]:
    """Return rule, owner and score; a missing text is blank, a score that no float holds is None."""
    texts = ["" if value is None else str(value) for value in (change.get("rule"), change.get("owner"))]
    score = change.get("score")
    is_number = isinstance(score, int | float) and abs(score) <= float_info.max
    return [*texts, score if is_number else None]
