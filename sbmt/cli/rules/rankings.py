"""Printing the `top` candidates of rankings for `sbmt-rules show`."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Sequence

from sbmt.inspection import Candidate, Ranking


def print_json(rankings: Sequence[Ranking], top: int, several: bool) -> None:
    """Print one JSON object per candidate, with its model's name if there are `several`."""
    rows = [
        {
            "source": r.phrase,
            "target": c.replacement,
            "lhs": c.lhs,
            "score": c.score,
            "features": c.features,
            "rule": c.rule,
        }
        | ({"model": r.model} if several else {})
        for r in rankings
        for _, c in r.best(top)
    ]
    print(json.dumps(rows, ensure_ascii=False, indent=1))


def print_csv(rankings: Sequence[Ranking], top: int, features: bool) -> None:
    """Print one row per candidate; `features`: with weight x value of each feature."""
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(("model", "source", "target", "lhs", "score", "rule", *(["features"] if features else [])))
    for ranking in rankings:
        for _, c in ranking.best(top):
            parts = [" ".join(f"{n}={value:.5g}" for n, value in ranking.parts(c).items())] if features else []
            row = (ranking.model, ranking.phrase, c.replacement, c.lhs, f"{c.score:.5f}", c.rule)
            writer.writerow((*row, *parts))


def print_ranking(ranking: Ranking, top: int, features: bool) -> None:
    """Print the candidates of one model, one per line; `features`: below it weight x value of its features."""
    print(f"{ranking.phrase}   ({ranking.model})")
    if ranking.wanted:
        print(f"{'':14}{ranking.wanted}  (glossary)")
    for rank, candidate in ranking.best(top):
        print(f"{rank:3}  {candidate.score:9.4f}  {candidate}{'  (never: glossary)' * candidate.refused}")
        for name, part in ranking.parts(candidate).items() if features else ():
            print(f"{'':16}{part:9.4f}  {name} = {ranking.weights[name]:.4g} x {candidate.features[name]:.5g}")
    print()


def print_beside(rankings: Sequence[Ranking], top: int, features: bool) -> None:
    """Print the candidates of several models, one per line in the first model's order, with rank and score by each.

    A glossary's wording comes first, with "*" in the columns of its models.
    """
    ranks = [{c.key: (n, c) for n, c in enumerate(r.candidates, 1)} for r in rankings]
    keys = dict.fromkeys(c.key for ranking in rankings for _, c in ranking.best(top))
    rows = [(rankings[0].phrase, "".join(f"{ranking.model[-16:]:>18}" for ranking in rankings))]
    for wanted in dict.fromkeys(r.wanted for r in rankings if r.wanted):
        rows.append((f"{wanted}  (glossary)", "".join(f"{'*' if r.wanted == wanted else '-':>18}" for r in rankings)))
    for key in keys:
        ranked = [by_key.get(key) for by_key in ranks]
        name = next(str(pair[1]) for pair in ranked if pair)
        rows.append((name, "".join(_column(*pair) if pair else f"{'-':>18}" for pair in ranked)))
        if features:
            parts = [r.parts(pair[1]) if pair else {} for r, pair in zip(rankings, ranked, strict=True)]
            for feature in dict.fromkeys(name for column in parts for name in column):
                rows.append((f"    {feature}", "".join(f"{column.get(feature, 0.0):18.4f}" for column in parts)))
    width = max(len(label) for label, _ in rows)
    for label, columns in rows:
        print(f"{label:{width}}{columns}")
    print()


def _column(rank: int, candidate: Candidate) -> str:
    """Return rank and score by one model, or "never" if its glossary refuses the candidate."""
    return f"{rank:6} {'never':>11}" if candidate.refused else f"{rank:6} {candidate.score:11.4f}"
