"""Results of simplification: the text, each change with its rule, and alternatives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush
from itertools import islice, pairwise
from typing import Any


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another wording for a change, and the model score of the whole result with it."""

    output: str
    score: float


@dataclass(frozen=True, slots=True)
class Change:
    """A rule that changes the text. `source_span` and `output_span` are character offsets `[start, end)`.

    They include what changed with it (an article, a possessive, a capital, a space), so that `output` can replace
    `source`. `features` are weight x value for each feature of this change (language models: of the words it
    wrote); they sum to `score`. The scores of all changes, of what was copied and of the sentence's end sum to the
    sentence's score, except for user-defined stateful features. `alternatives` are best first. A change that is not
    explained has the score None, no features and no alternatives.
    """

    source_span: tuple[int, int]
    output_span: tuple[int, int]
    source: str
    output: str
    rule: str
    label: str
    owner: str
    score: float | None = None
    features: Mapping[str, float] = field(default_factory=dict, hash=False)
    alternatives: tuple[Alternative, ...] = ()

    def shifted(self, source: int, output: int, score: float) -> Change:
        """Return the change as part of a longer text.

        Its spans move by `source` and `output` characters. `score`, the score of the rest of the text, is added to the
        scores of the alternatives, which are for the whole text, not to the change's own.
        """
        (a, b), (c, d) = self.source_span, self.output_span
        alternatives = tuple(Alternative(other.output, other.score + score) for other in self.alternatives)
        return replace(
            self,
            source_span=(a + source, b + source),
            output_span=(c + output, d + output),
            alternatives=alternatives,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        return {
            "source": self.source,
            "output": self.output,
            "source_span": list(self.source_span),
            "output_span": list(self.output_span),
            "rule": self.rule,
            "label": self.label,
            "owner": self.owner,
            "score": None if self.score is None else round(self.score, 6),
            "features": {name: round(value, 6) for name, value in self.features.items()},
            "alternatives": [{"output": a.output, "score": round(a.score, 6)} for a in self.alternatives],
        }


@dataclass(frozen=True, slots=True)
class Candidate:
    """One entry of an n-best list: the text, the model's features (unweighted) and its score."""

    output: str
    score: float
    features: Mapping[str, float] = field(hash=False)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        features = {name: round(value, 6) for name, value in self.features.items()}
        return {"output": self.output, "score": round(self.score, 6), "features": features}


@dataclass(frozen=True, slots=True)
class Result:
    """A simplified text. `score` is the model's, summed over sentences.

    `nbest` is empty unless requested, and for a text of several lines. `warnings` name sentences that could not be
    decoded and were left unchanged.
    """

    source: str
    output: str
    score: float
    changes: tuple[Change, ...] = ()
    nbest: tuple[Candidate, ...] = ()
    warnings: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return an object of `sbmt-decode --output jsonl`; `nbest` and `warnings` only if there are any."""
        record: dict[str, Any] = {
            "source": self.source,
            "output": self.output,
            "score": round(self.score, 6),
            "changes": [change.to_dict() for change in self.changes],
        }
        if self.warnings:
            record["warnings"] = list(self.warnings)
        if self.nbest:
            record["nbest"] = [candidate.to_dict() for candidate in self.nbest]
        return record


def joined(parts: Sequence[tuple[str, Result]], tail: str = "", nbest: int = 0) -> Result:
    """Join results into one. Each part comes with the text before it, which is the same in source and output.

    The n-best list has the best combinations of the lists of the parts.
    """
    sources: list[str] = []
    outputs: list[str] = []
    changes: list[Change] = []
    n_source = n_output = 0
    score = sum((part.score for _, part in parts), 0.0)
    for lead, part in parts:
        place = n_source + len(lead), n_output + len(lead)
        changes += [change.shifted(*place, score - part.score) for change in part.changes]
        sources += [lead, part.source]
        outputs += [lead, part.output]
        n_source, n_output = n_source + len(lead) + len(part.source), n_output + len(lead) + len(part.output)
    return Result(
        "".join([*sources, tail]),
        "".join([*outputs, tail]),
        score,
        tuple(changes),
        _candidates(parts, tail, nbest),
        tuple(warning for _, part in parts for warning in part.warnings),
    )


def _candidates(parts: Sequence[tuple[str, Result]], tail: str, nbest: int) -> tuple[Candidate, ...]:
    """Return the best combinations of the parts' candidates by score, or by summed ranks if lists are re-ranked."""
    if not nbest:
        return ()
    lists = [part.nbest or (Candidate(part.output, part.score, {}),) for _, part in parts]
    by_score = all(a.score >= b.score - 1e-9 for candidates in lists for a, b in pairwise(candidates))
    combined = [(0.0, Candidate("", 0.0, {}))]
    for (lead, _), candidates in zip(parts, lists, strict=True):
        costs = [-candidate.score if by_score else float(rank) for rank, candidate in enumerate(candidates)]
        best = islice(best_sums([cost for cost, _ in combined], costs), nbest)
        combined = [(cost, _combined(combined[i][1], lead, candidates[j])) for cost, i, j in best]
    return tuple(Candidate(c.output + tail, c.score, c.features) for _, c in combined)


def best_sums(a: Sequence[float], b: Sequence[float]) -> Iterator[tuple[float, int, int]]:
    """Yield the sums of two elements of two ascending lists, smallest first, with their places."""
    heap, visited = [(a[0] + b[0], 0, 0)], {(0, 0)}
    while heap:
        total, i, j = heappop(heap)
        yield total, i, j
        for place in ((i + 1, j), (i, j + 1)):
            if place[0] < len(a) and place[1] < len(b) and place not in visited:
                visited.add(place)
                heappush(heap, (a[place[0]] + b[place[1]], *place))


def _combined(first: Candidate, lead: str, second: Candidate) -> Candidate:
    features = dict(first.features)
    for name, value in second.features.items():
        features[name] = features.get(name, 0.0) + value
    return Candidate(first.output + lead + second.output, first.score + second.score, features)
