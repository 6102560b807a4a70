"""QATS (Stajner et al. 2016): metrics of the simplification against its original, and human labels of quality."""

from __future__ import annotations

from sbmt.errors import FormatError
from sbmt.evaluation.quality import quality
from sbmt.evaluation.studies.ratings import comparisons, correlations, scatters, sentence_scores
from sbmt.evaluation.studies.table import Request, Study, Table, locate, read_table

ASPECTS = {"G": "grammaticality", "M": "meaning", "S": "simplicity", "Overall": "overall"}
LABELS = {"bad": 0.0, "ok": 1.0, "good": 2.0}
METRICS = ("bleu:sacrebleu", "fk:easse")
FEATURES = ("compression ratio", "Levenshtein similarity", "additions", "deletions", "lexical complexity")


def study(request: Request) -> Study:
    """Correlate with the labels of `qats-labels` (bad 0, ok 1, good 2); the original serves as the only reference."""
    path = locate("qats-labels", request.folder)[0]
    rows = read_table(path, ("Original", "Simplified", *ASPECTS), tabs=True)
    for number, row in enumerate(rows, 2):
        if not {row[aspect] for aspect in ASPECTS} <= LABELS.keys():
            raise FormatError(str(path), number, f"labels must be {', '.join(LABELS)}")
    sources, outputs = [row["Original"] for row in rows], [row["Simplified"] for row in rows]
    scores = {
        name: sentence_scores(name, sources, [[source] for source in sources], outputs).tolist()
        for name in dict.fromkeys((*METRICS, *request.metrics))
    }
    scores |= {name: values.tolist() for name, values in quality(sources, outputs, names=FEATURES).items()}
    labels = {name: [LABELS[row[aspect]] for row in rows] for aspect, name in ASPECTS.items()}
    reason = (
        f"Of the {len(rows)} pairs whose labels are released, the shared task's training set; "
        "its printed figures are of the test set, whose labels are not, so none stands beside ours."
    )
    table = Table(
        "Metrics and features against quality labels", "QATS", reason, correlations(scores, labels, request.rng, {})
    )
    return Study("qats", [table, comparisons(scores, labels)], scatters(scores, labels))
