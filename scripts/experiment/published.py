"""Published figures, for comparison with ours: {test set: {system: {metric: value}}}.

Xu et al. (2016), Tables 4 and 5, and EASSE's paper (Alva-Manchego et al. 2019), Tables 2 and 4, on the tokenised test
set; EASSE's repository (2019 and later) on the truecased one, on ASSET and on HSplit. docs/metrics.md says how each is
reached.
"""

from __future__ import annotations

from collections.abc import Sequence

PAPER, EASSE, ASSET, HSPLIT = "turkcorpus/test", "turkcorpus-truecased/test", "asset/test", "hsplit/test"

_TABLE_4 = {  # FK, BLEU, iBLEU, FKBLEU, SARI
    "source": (12.88, 99.05, 78.41, 62.48, 26.05),
    "Simple Wikipedia": (11.25, 66.75, 53.53, 61.75, 38.42),
    "Turker 1": (10.80, 100.0, 74.31, 73.60, 43.71),
    "PBMT-R": (11.10, 63.12, 48.91, 59.00, 33.77),
    "SBMT-FKBLEU": (10.75, 74.48, 58.10, 66.68, 34.18),
    "SBMT-SARI": (10.90, 72.36, 58.15, 66.57, 37.91),
}
_TABLE_5 = {  # tokens, characters, Levenshtein distance to the source
    "source": (23, 125, 0),
    "Simple Wikipedia": (22, 116, 6.69),
    "Turker 1": (19, 104, 8.25),
    "PBMT-R": (20, 108, 5.96),
    "SBMT-FKBLEU": (21, 107, 4.03),
    "SBMT-SARI": (23, 118, 3.98),
}
_EASSE = {  # SARI and BLEU on TurkCorpus, ASSET, HSplit, then FKGL
    "ACCESS": (41.38, 76.36, 40.13, 75.99, 39.29, 62.50, 7.29),
    "SBMT-SARI": (39.56, 72.78, 37.11, 70.45, 34.19, 59.81, 7.95),
    "PBMT-R": (38.04, 82.49, 34.64, 79.39, 36.78, 66.10, 8.85),
    "Dress-Ls": (36.97, 81.08, 36.59, 86.39, 38.69, 55.03, 7.66),
    "source": (26.29, 99.36, 20.73, 92.81, 30.11, 86.26, 10.02),
}
_EASSE_TURKCORPUS = {"DMASS-DCSS": (39.92, 73.29)}  # SARI and BLEU, of no other test set
_EASSE_TABLE_2 = {  # SARI and BLEU
    "PBMT-R": (38.56, 81.11),
    "Hybrid": (31.40, 48.97),
    "SBMT-SARI": (39.96, 73.08),
    "Dress-Ls": (37.27, 80.12),
    "DMASS-DCSS": (40.42, 73.29),
}
EASSE_TABLE_4 = {  # quality features: means over the sentences of the tokenised test set
    "PBMT-R": {"compression ratio": 0.95, "exact copy": 0.10, "additions": 0.10, "deletions": 0.11},
    "SBMT-SARI": {"compression ratio": 0.94, "exact copy": 0.11, "additions": 0.16, "deletions": 0.13},
    "DMASS-DCSS": {"compression ratio": 0.89, "exact copy": 0.05, "additions": 0.15, "deletions": 0.21},
}
TABLE_6 = {"bleu": 0.125, "fkbleu": 1.253, "sari": 0.155}  # milliseconds a candidate, in Java

# The paper's table mixes two programs: the people's rows are Joshua's SARI, the systems' that of SARI.py.
_JOSHUA_ROWS = ("source", "Simple Wikipedia", "Turker 1")
_COLUMNS = (
    (PAPER, _TABLE_4, ("fk:xu2016", "bleu:xu2016", "ibleu:xu2016", "fkbleu:xu2016", "sari:xu2016")),
    (PAPER, _TABLE_5, ("length:words", "length:characters", "levenshtein:xu2016")),
    (PAPER, _EASSE_TABLE_2, ("sari:easse-legacy", "bleu:sacrebleu")),
    (EASSE, _EASSE_TURKCORPUS, ("sari:easse", "bleu:easse")),
)


def published() -> dict[tuple[str, str, str], float]:
    """(test set, system, metric) -> value."""
    figures: dict[tuple[str, str, str], float] = {}
    for test_set, table, metrics in _COLUMNS:
        for system, values in table.items():
            figures.update(_row(test_set, system, metrics, values))
    for system in _JOSHUA_ROWS:
        figures[PAPER, system, "sari:joshua"] = figures.pop((PAPER, system, "sari:xu2016"))
    for system, row in _EASSE.items():
        for number, test_set in enumerate((EASSE, ASSET, HSPLIT)):
            figures.update(_row(test_set, system, ("sari:easse", "bleu:easse"), row[2 * number : 2 * number + 2]))
        figures[EASSE, system, "fk:easse"] = row[-1]
    return figures


def _row(
    test_set: str, system: str, metrics: Sequence[str], values: Sequence[float]
) -> dict[tuple[str, str, str], float]:
    return {(test_set, system, metric): value for metric, value in zip(metrics, values, strict=True)}
