"""The tables in Markdown: rankings of rules, automatic scores, basic statistics, times, costs of the steps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from experiment.figures import LEGACY, METRICS, MODERN, SCORES, SURFACE, Figure
from experiment.published import ASSET, EASSE, HSPLIT, PAPER, TABLE_6

HEADINGS = {
    "fk:xu2016": "FK",
    "bleu:xu2016": "BLEU",
    "ibleu:xu2016": "iBLEU",
    "fkbleu:xu2016": "FKBLEU",
    "sari:xu2016": "SARI",
    "sari:joshua": "SARI (Joshua)",
    "length:words": "words",
    "length:characters": "characters",
    "levenshtein:xu2016": "edit distance",
    "sari:easse": "SARI",
    "bleu:easse": "BLEU",
    "fk:easse": "FKGL",
    "sari:easse-legacy": "SARI",
    "bleu:sacrebleu": "BLEU",
    "support": "support",
}
LEGEND = """\
A cell holds our figure, [its 95 % interval], and in parentheses the published one. Of systems with several runs (ours:
tuning seeds) it holds the mean, (lowest to highest), and the interval of the mean. Signatures are in
results.json and below each table. The Turker is scored against all eight references, its own included, in the tables
like the paper's, and against the other seven in EASSE's conventions."""


QUICK = """

**A quick run** (`--quick`): the figures of our systems only show that every step works. All others are final."""


def markdown(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def cell(figure: Figure) -> str:
    """Return the cell of a figure: value, range of the runs, interval and published value."""
    text = f"{figure.value:.2f}"
    if len(figure.runs) > 1:
        text += f" ({min(figure.runs):.2f} to {max(figure.runs):.2f})"
    if figure.interval:
        text += f" [{figure.interval[0]:.1f}, {figure.interval[1]:.1f}]"
    return text + _published(figure.published, 0 if figure.metric.startswith("length:") else 2)


def _published(value: float | None, decimals: int = 2) -> str:
    """Return a published value, with the decimals that were printed."""
    return "" if value is None else f" (published {value:.{decimals}f})"


def score_table(figures: Sequence[Figure], test_set: str, metrics: Sequence[str]) -> str:
    """Return a table with systems in rows and metrics in columns, and the signatures below."""
    chosen = {(figure.system, figure.metric): figure for figure in figures if figure.test_set == test_set}
    systems = dict.fromkeys(system for system, _ in chosen)
    rows = [
        [system, *(cell(chosen[system, metric]) if (system, metric) in chosen else "" for metric in metrics)]
        for system in systems
    ]
    signatures = dict.fromkeys(f"`{f.signature}`" for f in chosen.values() if f.metric in metrics)
    return "\n".join([markdown(["system", *(HEADINGS[m] for m in metrics)], rows), "", *(f"{s}  " for s in signatures)])


def ranking_table(rankings: Mapping[str, Mapping[str, Sequence[str]]], phrase: str) -> str:
    """Return a table of each model's best targets for a phrase."""
    models = list(rankings)
    length = max((len(rankings[model].get(phrase, ())) for model in models), default=0)
    columns = [[*rankings[model].get(phrase, ()), *[""] * length][:length] for model in models]
    return markdown(["", *models], [[str(n + 1), *(column[n] for column in columns)] for n in range(length)])


def quality_table(content: Mapping[str, Any]) -> str:
    """Return a table with systems in rows and quality features in columns."""
    systems: Mapping[str, Mapping[str, float]] = content["systems"]
    names = list(next(iter(systems.values()), {}))
    rows = []
    for system, means in systems.items():
        published = content["published"].get(system, {})
        rows.append([system, *(f"{means[name]:.2f}{_published(published.get(name))}" for name in names)])
    return f"{markdown(['system', *names], rows)}\n\n`{content['signature']}`"


def time_table(times: Mapping[str, float]) -> str:
    """Return a table of milliseconds per candidate, ours and the paper's."""
    rows = []
    for name, value in times.items():
        paper = TABLE_6.get(name.partition(":")[0])
        rows.append([name, f"{value:.4f}", f"{paper:g}" if paper and not name.endswith("star") else ""])
    return markdown(["metric", "ms a candidate", "paper (Java)"], rows)


def step_table(records: Sequence[Mapping[str, Any]]) -> str:
    """Return a table of seconds and memory of each step, and in total."""
    rows = [[r["name"], f"{r['seconds']:.0f}", f"{r['cpu_seconds']:.0f}", str(r["peak_mb"])] for r in records]
    total = [sum(float(r[key]) for r in records) for key in ("seconds", "cpu_seconds")]
    peak = max((int(r["peak_mb"]) for r in records), default=0)
    rows.append(["all", f"{total[0]:.0f}", f"{total[1]:.0f}", str(peak)])
    return markdown(["step", "seconds", "CPU seconds", "peak MB"], rows)


def document(results: Mapping[str, Any], figures: Sequence[Figure]) -> str:
    """Return the content of tables.md."""
    sections = [("# TurkCorpus: the comparison", LEGEND + QUICK if results["quick"] else LEGEND)]
    for phrase in next(iter(results["rankings"].values()), {}):
        sections.append((f"## Rules for *{phrase}* under each model (the paper's Table 3)",
                         ranking_table(results["rankings"], phrase)))  # fmt: skip
    sections += [
        ("## Scores in the paper's conventions (Table 4), TurkCorpus test", score_table(figures, PAPER, SCORES)),
        ("## Scores in EASSE's conventions, TurkCorpus test (truecased)", score_table(figures, EASSE, METRICS[EASSE])),
        (
            "## Scores in EASSE's former conventions (its Table 2), TurkCorpus test (tokenised)",
            score_table(figures, PAPER, LEGACY),
        ),
        ("## ASSET test", score_table(figures, ASSET, METRICS[ASSET])),
        ("## HSplit test", score_table(figures, HSPLIT, MODERN)),
        ("## Basic statistics (Table 5)", score_table(figures, PAPER, SURFACE)),
        ("## Quality features (means over sentences), TurkCorpus test (truecased)", quality_table(results["quality"])),
        ("## Quality features as in EASSE's Table 4 (tokenised)", quality_table(results["quality_tokenised"])),
        ("## Time of the metrics (Table 6)", time_table(results["times"])),
        ("## What the run cost", step_table(results["steps"])),
    ]
    return "\n\n".join(f"{title}\n\n{body}" for title, body in sections) + "\n"
