"""A report's word labels and operations as data, for counting, filtering and plotting elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sbmt.evaluation.operations import operations
from sbmt.evaluation.report.content import Report


def labelled(report: Report) -> Iterator[dict[str, Any]]:
    """Yield a record for each sentence and system of a report, which may be a sample.

    `sentence`: its number in the test set, from 1. `source`, `output`: their words as written; `source_labels`,
    `output_labels`: the label of each (LABELS of transformations.py); `links`: pairs of positions in the two, from 0.
    `operations`: those of operations.py that the pair shows.
    """
    for sentence in report.sentences:
        source = [token.word for token in sentence.tokens]
        for system, output in zip(report.systems, sentence.outputs, strict=True):
            words = [token.word for token in output.tokens]
            yield {
                "sentence": sentence.number,
                "system": system.name,
                "source": [token.text for token in sentence.tokens],
                "source_labels": output.words.source,
                "output": [token.text for token in output.tokens],
                "output_labels": output.words.output,
                "links": output.words.links,
                "operations": sorted(operations(source, words)),
            }
