"""ATS-EVAL (Agrawal and Carpuat 2024): reading comprehension after simplification.

Multiple-choice questions of OneStopQA, answered by readers of the original, an editor's elementary version and nine
systems' outputs. A reader may say that a question cannot be answered from the text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import stats

from sbmt.arrays import Floats
from sbmt.errors import SbmtError
from sbmt.evaluation.correlation import DEVIATIONS, P_VALUES, SAMPLES, correlate
from sbmt.evaluation.studies.files import locate, read_table
from sbmt.evaluation.studies.ratings import each_once
from sbmt.evaluation.studies.request import Request
from sbmt.evaluation.studies.spans import letters, read_spans
from sbmt.evaluation.studies.table import Figure, Scatter, Study, Table, paper_figures, share_figure
from sbmt.metrics.quality import quality
from sbmt.metrics.registry import get_metric
from sbmt.text.lines import line_words
from sbmt.text.words.content import is_content

ORIGINAL, EDITED, DROPPED = "Original", "Elementary", "KIS"
QUESTIONS = (1, 2, 3)
SIMILARITY = "Levenshtein similarity to the "

NOTEBOOK = "the authors' notebook (All_Analysis.ipynb)."
# Table 1: SARI of systems; KIS is not in the notebook's list.
TABLE_1 = {
    "MUSS-SUP": 45.07,
    "ControlT5-Wiki": 44.76,
    "ChatGPT": 41.41,
    "MUSS-Unsup": 40.67,
    "EditCL-Grade5": 39.69,
    "ControlSup-Grade5": 38.35,
    "EditCL-Grade7": 30.49,
    "ControlSup-Grade7": 29.27,
}
# Table 3: correlation (Spearman's) of system scores with accuracy, for all nine systems and without KIS.
TABLE_3 = paper_figures(
    ["sari", "sari add", "sari keep", "sari del", f"{SIMILARITY}reference", f"{SIMILARITY}source", "bleu"],
    ["all nine", f"without {DROPPED}"],
    """
    0.728 0.778
    0.686 0.719
    -0.134 -0.623
    0.301 0.707
    -0.142 -0.635
    -0.159 -0.659
    -0.193 0.157""",
)
# Per cent of 180 questions answered rightly, and found unanswerable.
PRINTED_SHARES = paper_figures(
    """Original Elementary MUSS-SUP ChatGPT ControlT5-Wiki MUSS-Unsup ControlSup-Grade7 EditCL-Grade7 EditCL-Grade5
    ControlSup-Grade5 KIS""".split(),
    ["right", "unanswerable"],
    """
    78.33 12.22
    77.22 14.44
    76.11 13.89
    74.44 15.00
    74.44 15.00
    73.33 16.11
    70.56 20.00
    70.00 16.67
    69.44 18.33
    67.78 17.22
    20.56 64.44""",
)

_OF_SPANS = "The share of the content words of OneStopQA's critical spans that the simplification has; {} have a span."
_OF_QUESTIONS = (
    "The paper measures the overlap with OneStopQA's annotated spans, which the release lacks (--spans reads them). "
    "Here a question's support is those content words of it and of its right answer that the original has ({})."
)


@dataclass(frozen=True)
class _Text:
    """A paragraph as one reader saw it, with the answers."""

    paragraph: tuple[str, str]
    model: str
    text: str
    answers: tuple[str, ...]
    right: tuple[str, ...]
    questions: tuple[str, ...]
    unanswerable: tuple[bool, ...]

    @property
    def correct(self) -> list[bool]:
        """By comparing answers, as the paper's figures do; the file's own column forgives spelling."""
        return [given == right for given, right in zip(self.answers, self.right, strict=True)]

    @cached_property
    def words(self) -> frozenset[str]:
        """The content words of the text."""
        return _content(self.text)


def study(request: Request) -> Study:
    """Recompute accuracy, answerability, Table 3 and the overlap analysis from `ats-eval`."""
    texts = _read(request.folder)
    models = sorted({text.model for text in texts}, key=lambda model: (model not in (ORIGINAL, EDITED), model))
    by_model = {model: [text for text in texts if text.model == model] for model in models}
    accuracy = {model: _mean([c for text in read for c in text.correct]) for model, read in by_model.items()}
    systems = [model for model in models if model not in (ORIGINAL, EDITED)]
    scores = _system_scores(by_model, systems, request.metrics)
    tables = [
        _shares("Right answers, per cent", "right", by_model, lambda text: text.correct),
        _shares("Unanswerable questions, per cent", "unanswerable", by_model, lambda text: text.unanswerable),
        Table(
            "SARI of systems",
            of="ATS-EVAL, Table 1",
            reason="Exact: corpus SARI of paragraphs against the editor's version, EASSE's convention.",
            figures=[Figure(system, scores["sari"][system], TABLE_1.get(system)) for system in systems],
            read=NOTEBOOK,
        ),
        _table_3(scores, accuracy, systems, request.rng),
        _support(texts, read_spans(request.spans) if request.spans else None, request.rng),
    ]
    points = [
        Scatter(f"{name}-accuracy", name, "accuracy", [(by_system[s], accuracy[s]) for s in systems], tuple(systems))
        for name, by_system in scores.items()
    ]
    return Study("ats-eval", tables, points)


def _read(folder: str) -> list[_Text]:
    path = locate("ats-eval", folder)[0]
    several = ("answer_{}", "correct_answer_{}", "question_{}", "non_answer_{}")
    columns = ["article_id", "para_id", "Model", "paragraph", *(c.format(i) for c in several for i in QUESTIONS)]
    return [
        _Text(
            (row["article_id"], row["para_id"]),
            row["Model"],
            row["paragraph"],
            tuple(row[f"answer_{i}"].strip() for i in QUESTIONS),
            tuple(row[f"correct_answer_{i}"].strip() for i in QUESTIONS),
            tuple(row[f"question_{i}"] for i in QUESTIONS),
            tuple(row[f"non_answer_{i}"] == "True" for i in QUESTIONS),
        )
        for row in read_table(path, columns)
    ]


def _shares(
    title: str, kind: str, by_model: dict[str, list[_Text]], of_text: Callable[[_Text], Sequence[bool]]
) -> Table:
    """Return percentages with Wilson's intervals."""
    figures = []
    for model, texts in by_model.items():
        values = [value for text in texts for value in of_text(text)]
        figures.append(share_figure(model, sum(values), len(values), PRINTED_SHARES.get(f"{model}: {kind}"), 100))
    reason = "Exact: counted from the released answers, with Wilson's intervals as if they were independent."
    return Table(title, of="ATS-EVAL, section 5", reason=reason, figures=figures, read=NOTEBOOK)


def _system_scores(
    by_model: dict[str, list[_Text]], systems: list[str], metrics: Sequence[str]
) -> dict[str, dict[str, float]]:
    """Return corpus scores of each metric for each system, the editor's version being the reference."""
    originals = {text.paragraph: text.text for text in by_model[ORIGINAL]}
    edited = {text.paragraph: text.text for text in by_model[EDITED]}
    names = each_once(("sari", "bleu", *metrics))
    scores: dict[str, dict[str, float]] = {}
    for system in systems:
        outputs = [text.text for text in by_model[system]]
        sources = [originals[text.paragraph] for text in by_model[system]]
        references = [edited[text.paragraph] for text in by_model[system]]
        for name in names:
            metric = get_metric(name)
            score = metric.corpus(metric.count_outputs(sources, [[reference] for reference in references], outputs))
            scores.setdefault(name, {})[system] = score.value
            for part, value in score.parts.items() if name == "sari" else ():
                scores.setdefault(f"sari {part}", {})[system] = value
        for side, texts in (("reference", references), ("source", sources)):
            similarity = quality(texts, outputs, "none", "mixed", ["Levenshtein similarity"])
            scores.setdefault(f"{SIMILARITY}{side}", {})[system] = _mean(similarity["Levenshtein similarity"].tolist())
    return scores


def _table_3(
    scores: dict[str, dict[str, float]], accuracy: dict[str, float], systems: list[str], rng: np.random.Generator
) -> Table:
    seed = int(rng.integers(1 << 32))  # the same draws for all, so that p-values do not depend on the other metrics
    figures = []
    for name, by_system in scores.items():
        for label, members in (("all nine", systems), (f"without {DROPPED}", [s for s in systems if s != DROPPED])):
            pair = [by_system[s] for s in members], [accuracy[s] for s in members]
            result = correlate("spearman", *pair, np.random.default_rng(seed))
            key = f"{name}: {label}"
            figures.append(Figure(key, result.value, TABLE_3.get(key), result.interval, result.p_value))
    reason = (
        "Exact for SARI, its parts and Levenshtein similarity. The paper's BLEU has its arguments swapped (the "
        "editor's version as output, outputs as references). Nine points: the intervals say how little they show."
    )
    title = "Spearman's correlation of system scores with accuracy"
    return Table(title, of="ATS-EVAL, Table 3", reason=reason, figures=figures, read=NOTEBOOK, p_values=P_VALUES)


def _support(texts: list[_Text], spans: dict[str, str] | None, rng: np.random.Generator) -> Table:
    """Return how many of the words that a question rests on are kept, for questions that are answered and others."""
    originals = {text.paragraph: text.words for text in texts if text.model == ORIGINAL}
    simplified = [text for text in texts if text.model not in (ORIGINAL, EDITED)]
    kept: dict[bool, list[float]] = {False: [], True: []}
    for text in simplified:
        for question, right, unanswerable in zip(text.questions, text.right, text.unanswerable, strict=True):
            if spans is None:
                support = (_content(question) | _content(right)) & originals[text.paragraph]
            else:
                support = _content(spans.get(letters(question), ""))
            if support:
                kept[unanswerable].append(len(support & text.words) / len(support))
    if not all(kept.values()):
        raise SbmtError("OneStopQA's articles have no spans for questions of ATS-EVAL that were answered and others")
    answered, lost = np.array(kept[False]), np.array(kept[True])
    test = stats.permutation_test(
        (answered, lost), lambda a, b, axis: a.mean(axis) - b.mean(axis), n_resamples=SAMPLES, rng=rng, vectorized=True
    )
    figures = [
        Figure("support words kept, question answered", float(answered.mean()), interval=_mean_interval(answered)),
        Figure("support words kept, question unanswerable", float(lost.mean()), interval=_mean_interval(lost)),
        Figure("difference", float(answered.mean() - lost.mean()), p_value=float(test.pvalue)),
    ]
    count = f"{len(answered) + len(lost)} of {len(QUESTIONS) * len(simplified)} answers"
    return Table(
        "Overlap with what answers rest on",
        of="ATS-EVAL, section 5.3",
        reason=(_OF_SPANS if spans else _OF_QUESTIONS).format(count),
        figures=figures,
        read="not at hand when this was written.",
        p_values=f"two-sided, of {SAMPLES:,} permutations of answers, as if independent.",
    )


def _content(text: str) -> frozenset[str]:
    return frozenset(filter(is_content, line_words(text)))


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values))


def _mean_interval(values: Floats) -> tuple[float, float]:
    half = DEVIATIONS * float(values.std(ddof=1)) / float(np.sqrt(len(values)))
    return float(values.mean()) - half, float(values.mean()) + half
