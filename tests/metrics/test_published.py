"""Published figures, recomputed from the public data (SBMT_DATA) and from Joshua's own columns (SBMT_DECODER_CASES)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from experiment.published import PAPER, published

from sbmt.data.testsets import TestSet, load_test_set
from sbmt.io import read_lines
from sbmt.metrics import evaluate, get_metric
from sbmt.metrics.result import Resampling
from tests.corpora import CASES, DATA, needs_cases, needs_data

LEGACY = "turkcorpus/data/turkcorpus/test.8turkers.tok."
OUTPUTS = "turkcorpus/data/systemoutputs/"
FILES = {
    "source": LEGACY + "norm",
    "Simple Wikipedia": LEGACY + "simp",
    "Turker 1": LEGACY + "turk.0",
    "PBMT-R": OUTPUTS + "moses.test.output.1rerank",
    "SBMT-FKBLEU": OUTPUTS + "glbleu30it.test.output.1best",
    "SBMT-SARI": OUTPUTS + "sari30it.test.output.1best",
}
EASSE_LEGACY = "easse/system_outputs/turkcorpus/test/tok.low/{}.tok.low"
EASSE_OUTPUTS = "easse/system_outputs/turkcorpus/test/{}"
JOSHUA_SCORED = [path for row, path in FILES.items() if row != "Turker 1"] + [OUTPUTS + "bleu30it.test.output.1best"]
PRINTED_WHOLE = ("length:words", "length:characters")  # Xu et al. (2016), Table 5
PUBLISHED = published()


@cache
def loaded(name: str) -> TestSet:
    return load_test_set(name)


def lines(path: str) -> list[str]:
    return list(read_lines(DATA / path))


def figure(specification: str, data: TestSet, outputs: Sequence[str]) -> float:
    metric = get_metric(specification)
    result = evaluate(metric, data.sources, data.references, {"A": outputs}, Resampling(samples=0))
    return result["A"].score.value


@needs_data
@pytest.mark.parametrize(("test_set", "system", "metric"), PUBLISHED)
def test_published(test_set: str, system: str, metric: str) -> None:
    """Xu et al. (2016), Tables 4 and 5; EASSE (2019), Table 2, and its repository's default settings."""
    data = loaded(test_set)
    if system == "source":
        outputs = data.sources
    elif metric in ("sari:easse-legacy", "bleu:sacrebleu"):
        outputs = lines(EASSE_LEGACY.format(system))
    elif test_set == PAPER:
        outputs = lines(FILES[system])
    else:
        outputs = lines(EASSE_OUTPUTS.format(system))
    value = figure(metric, data, outputs)
    expected = PUBLISHED[test_set, system, metric]
    if metric in PRINTED_WHOLE:
        assert round(value) == expected
    else:
        assert value == pytest.approx(expected, abs=0.01)


@needs_data
def test_corpus_sari_of_joshua_without_its_overflow() -> None:
    # Joshua 6 prints .3075: its 32-bit sums overflow. The same formula on exact sums: docs/metrics.md.
    value = figure("sari:joshua,level=corpus", loaded("turkcorpus/test"), lines(FILES["SBMT-SARI"]))
    assert value == pytest.approx(40.10, abs=0.01)


@needs_data
@needs_cases
@pytest.mark.parametrize("path", JOSHUA_SCORED)
def test_joshuas_sentence_scores(path: str) -> None:
    columns = CASES / "metrics" / f"{Path(path).name}.sari_star_bleu.tsv"
    expected = np.array([[float(cell) for cell in line.split("\t")] for line in read_lines(columns)])
    data, outputs = loaded("turkcorpus/test"), lines(path)
    for column, name in enumerate(("sari:joshua", "sari:star", "bleu:joshua")):
        metric = get_metric(name)
        result = evaluate(metric, data.sources, data.references, {"A": outputs}, Resampling(samples=0))
        assert result["A"].sentences / 100 == pytest.approx(expected[:, column], abs=1e-6)
