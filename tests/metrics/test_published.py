"""Published figures, recomputed from the public data (SBMT_DATA) and from Joshua's own columns (SBMT_DECODER_CASES)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from sbmt.data.testsets import TestSet, load_test_set
from sbmt.io import read_lines
from sbmt.metrics import evaluate, get_metric
from sbmt.metrics.result import Resampling

DATA, CASES = os.environ.get("SBMT_DATA"), os.environ.get("SBMT_DECODER_CASES")
pytestmark = pytest.mark.corpus
needs_data = pytest.mark.skipif(not DATA, reason="SBMT_DATA names no folder with TurkCorpus and EASSE's outputs")
needs_cases = pytest.mark.skipif(not (DATA and CASES), reason="SBMT_DECODER_CASES names no folder with Joshua's scores")

LEGACY = "turkcorpus/data/turkcorpus/test.8turkers.tok."
OUTPUTS = "turkcorpus/data/systemoutputs/"
FILES = {
    "Normal": LEGACY + "norm",
    "Simple": LEGACY + "simp",
    "Turker": LEGACY + "turk.0",
    "PBMT-R": OUTPUTS + "moses.test.output.1rerank",
    "SBMT FKBLEU": OUTPUTS + "glbleu30it.test.output.1best",
    "SBMT SARI": OUTPUTS + "sari30it.test.output.1best",
}

# Xu et al. (2016), Table 4: FK, BLEU, iBLEU, FKBLEU, SARI. SARI of the human rows is Joshua's (docs/metrics.md).
TABLE_4 = {
    "Normal": (12.88, 99.05, 78.41, 62.48, 26.05),
    "Simple": (11.25, 66.75, 53.53, 61.75, 38.42),
    "Turker": (10.80, 100.0, 74.31, 73.60, 43.71),
    "PBMT-R": (11.10, 63.12, 48.91, 59.00, 33.77),
    "SBMT FKBLEU": (10.75, 74.48, 58.10, 66.68, 34.18),
    "SBMT SARI": (10.90, 72.36, 58.15, 66.57, 37.91),
}
JOSHUA_SCORED = [path for row, path in FILES.items() if row != "Turker"] + [OUTPUTS + "bleu30it.test.output.1best"]
HUMAN = ("Normal", "Simple", "Turker")
COLUMNS = ("fk:xu2016", "bleu:xu2016", "ibleu:xu2016", "fkbleu:xu2016")

# Table 5: tokens and characters (printed as whole numbers), word-level Levenshtein distance to the source.
TABLE_5 = {
    "Normal": (23, 125, 0.0),
    "Simple": (22, 116, 6.69),
    "Turker": (19, 104, 8.25),
    "PBMT-R": (20, 108, 5.96),
    "SBMT FKBLEU": (21, 107, 4.03),
    "SBMT SARI": (23, 118, 3.98),
}

# EASSE (2019), Table 2: lower-cased tokenised data, SARI and BLEU.
EASSE_2019 = {
    "PBMT-R": (38.56, 81.11),
    "Hybrid": (31.40, 48.97),
    "SBMT-SARI": (39.96, 73.08),
    "Dress-Ls": (37.27, 80.12),
    "DMASS-DCSS": (40.42, 73.29),
}
# EASSE's repository, its default settings: (SARI, BLEU) on three test sets, FKGL.
EASSE_DEFAULT = {
    "ACCESS": ((41.38, 76.36), (40.13, 75.99), (39.29, 62.50), 7.29),
    "SBMT-SARI": ((39.56, 72.78), (37.11, 70.45), (34.19, 59.81), 7.95),
    "PBMT-R": ((38.04, 82.49), (34.64, 79.39), (36.78, 66.10), 8.85),
    "Dress-Ls": ((36.97, 81.08), (36.59, 86.39), (38.69, 55.03), 7.66),
    "identity": ((26.29, 99.36), (20.73, 92.81), (30.11, 86.26), 10.02),
}
TEST_SETS = ("turkcorpus-truecased/test", "asset/test", "hsplit/test")


@cache
def loaded(name: str) -> TestSet:
    return load_test_set(name)


def lines(path: str) -> list[str]:
    return list(read_lines(Path(str(DATA)) / path))


def figure(specification: str, data: TestSet, outputs: Sequence[str]) -> float:
    metric = get_metric(specification)
    result = evaluate(metric, data.sources, data.references, {"A": outputs}, Resampling(samples=0))
    return result["A"].score.value


@needs_data
@pytest.mark.parametrize("row", TABLE_4)
def test_table_4(row: str) -> None:
    data, outputs = loaded("turkcorpus/test"), lines(FILES[row])
    sari = "sari:joshua" if row in HUMAN else "sari:xu2016"
    ours = [figure(metric, data, outputs) for metric in (*COLUMNS, sari)]
    assert ours == pytest.approx(TABLE_4[row], abs=0.01)


@needs_data
@pytest.mark.parametrize("row", TABLE_5)
def test_table_5(row: str) -> None:
    data, outputs = loaded("turkcorpus/test"), lines(FILES[row])
    tokens, characters, distance = TABLE_5[row]
    assert round(figure("length:words", data, outputs)) == tokens
    assert round(figure("length:characters", data, outputs)) == characters
    assert figure("levenshtein:xu2016", data, outputs) == pytest.approx(distance, abs=0.01)


@needs_data
@pytest.mark.parametrize("system", EASSE_2019)
def test_easse_2019(system: str) -> None:
    data = loaded("turkcorpus/test")
    outputs = lines(f"easse/system_outputs/turkcorpus/test/tok.low/{system}.tok.low")
    ours = [figure("sari:easse-legacy", data, outputs), figure("bleu:sacrebleu", data, outputs)]
    assert ours == pytest.approx(EASSE_2019[system], abs=0.01)


@needs_data
@pytest.mark.parametrize("system", EASSE_DEFAULT)
def test_easse_default(system: str) -> None:
    path = f"easse/system_outputs/turkcorpus/test/{system}"
    *pairs, fkgl = EASSE_DEFAULT[system]
    for name, pair in zip(TEST_SETS, pairs, strict=True):
        data = loaded(name)
        outputs = data.sources if system == "identity" else lines(path)
        assert [figure("sari:easse", data, outputs), figure("bleu:easse", data, outputs)] == pytest.approx(
            pair, abs=0.01
        )
    data = loaded(TEST_SETS[0])
    outputs = data.sources if system == "identity" else lines(path)
    assert figure("fk:easse", data, outputs) == pytest.approx(fkgl, abs=0.01)


@needs_data
def test_corpus_sari_of_joshua_without_its_overflow() -> None:
    # Joshua 6 prints .3075: its 32-bit sums overflow. The same formula on exact sums: docs/metrics.md.
    value = figure("sari:joshua,level=corpus", loaded("turkcorpus/test"), lines(FILES["SBMT SARI"]))
    assert value == pytest.approx(40.10, abs=0.01)


@needs_cases
@pytest.mark.parametrize("path", JOSHUA_SCORED)
def test_joshuas_sentence_scores(path: str) -> None:
    columns = Path(str(CASES)) / "metrics" / f"{Path(path).name}.sari_star_bleu.tsv"
    expected = np.array([[float(cell) for cell in line.split("\t")] for line in read_lines(columns)])
    data, outputs = loaded("turkcorpus/test"), lines(path)
    for column, name in enumerate(("sari:joshua", "sari:star", "bleu:joshua")):
        metric = get_metric(name)
        result = evaluate(metric, data.sources, data.references, {"A": outputs}, Resampling(samples=0))
        assert result["A"].sentences / 100 == pytest.approx(expected[:, column], abs=1e-6)
