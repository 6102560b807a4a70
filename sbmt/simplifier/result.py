"""What a simplification tells: the text, each change with the rule behind it, and what else could have been written."""

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
    """One rule that is no copy. `source_span` and `output_span` are character offsets `[start, end)` on the two sides.

    They take in what was altered with it (an article, a possessive, a capital, a space), so `output` can be put in the
    place of `source`. `features` are weight x value for each feature of this change (language models: of the words it
    wrote); they sum to `score`. The scores of all changes, of what was copied and of the sentence's end sum to the
    sentence's score, but for stateful features of one's own. `alternatives` are best first. A change that is not
    explained has the score None and neither features nor alternatives.
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
        """The same change as part of a longer text.

        Its spans move by `source` and `output` characters. `score` is that of the rest of the text: it is added to the
        scores of alternatives, which are those of the whole text, and not to the change's own.
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
        """As JSON has it."""
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
        """As JSON has it."""
        features = {name: round(value, 6) for name, value in self.features.items()}
        return {"output": self.output, "score": round(self.score, 6), "features": features}


@dataclass(frozen=True, slots=True)
class Result:
    """A simplified text. `score` is the model's, summed over sentences.

    `nbest` is empty unless it was asked for, and for a text of several lines. `warnings` name sentences that could not
    be decoded and came back as they were.
    """

    source: str
    output: str
    score: float
    changes: tuple[Change, ...] = ()
    nbest: tuple[Candidate, ...] = ()
    warnings: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """A line of `sbmt-decode --output jsonl`; `nbest` is there if it was asked for, `warnings` if there are any."""
        made: dict[str, Any] = {
            "source": self.source,
            "output": self.output,
            "score": round(self.score, 6),
            "changes": [change.to_dict() for change in self.changes],
        }
        if self.warnings:
            made["warnings"] = list(self.warnings)
        if self.nbest:
            made["nbest"] = [candidate.to_dict() for candidate in self.nbest]
        return made


def joined(parts: Sequence[tuple[str, Result]], tail: str = "", nbest: int = 0) -> Result:
    """Join results into one. Each part comes with the text before it, which is the same in source and output.

    The n-best list of the whole holds the best combinations of those of the parts.
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
    """The best combinations of the candidates of the parts, by score; where lists are re-ranked, by summed ranks."""
    if not nbest:
        return ()
    lists = [part.nbest or (Candidate(part.output, part.score, {}),) for _, part in parts]
    by_score = all(a.score >= b.score - 1e-9 for own in lists for a, b in pairwise(own))
    found = [(0.0, Candidate("", 0.0, {}))]
    for (lead, _), own in zip(parts, lists, strict=True):
        costs = [-candidate.score if by_score else float(rank) for rank, candidate in enumerate(own)]
        best = islice(best_sums([cost for cost, _ in found], costs), nbest)
        found = [(cost, _combined(found[i][1], lead, own[j])) for cost, i, j in best]
    return tuple(Candidate(c.output + tail, c.score, c.features) for _, c in found)


def best_sums(a: Sequence[float], b: Sequence[float]) -> Iterator[tuple[float, int, int]]:
    """The sums of an element of each of two ascending lists, smallest first, with the places of both."""
    heap, seen = [(a[0] + b[0], 0, 0)], {(0, 0)}
    while heap:
        total, i, j = heappop(heap)
        yield total, i, j
        for place in ((i + 1, j), (i, j + 1)):
            if place[0] < len(a) and place[1] < len(b) and place not in seen:
                seen.add(place)
                heappush(heap, (a[place[0]] + b[place[1]], *place))


def _combined(first: Candidate, lead: str, second: Candidate) -> Candidate:
    features = dict(first.features)
    for name, value in second.features.items():
        features[name] = features.get(name, 0.0) + value
    return Candidate(first.output + lead + second.output, first.score + second.score, features)
