"""The metric as tuners see it: a gain for every candidate and for a corpus of candidates; higher is better."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sbmt.arrays import Floats
from sbmt.errors import SbmtError
from sbmt.metrics import AnyMetric, get_metric
from sbmt.tuning.pool import Candidates


def tuning_metric(specification: str) -> AnyMetric:
    """Return the metric (or sum of metrics), on white-space tokens in lower case unless it sets these options itself.

    Raises SbmtError for a metric that is neither to be maximised nor minimised.
    """
    metric = get_metric("+".join(map(_with_token_options, specification.split("+"))))
    if metric.higher_is_better is None:
        cure = f"give it a sign in a sum, such as sari:easse+-0.1*{specification}"
        raise SbmtError(f"neither more nor less of {specification} is better: {cure}")
    return metric


def _with_token_options(term: str) -> str:
    term = term.strip()
    options = {pair.partition("=")[0] for pair in term.split(",")[1:]}
    return term + "".join(f",{option}" for option in ("tok=none", "case=lc") if option.partition("=")[0] not in options)


@dataclass(frozen=True, slots=True)
class Objective:
    """A metric signed so that higher is better, on the scale 0-1 that the papers' constants expect.

    Grade levels, distances and user-defined functions keep their units, as their range is unknown.
    """

    metric: AnyMetric

    @property
    def unit(self) -> float:
        """The metric's own score that corresponds to a gain of 1; negative if lower scores are better."""
        return self.metric.scale if self.metric.higher_is_better else -self.metric.scale

    @property
    def decimals(self) -> int:
        """Decimals to display: metrics that keep their units may lie between 0 and 1."""
        return 4 if self.metric.scale == 1 else 2

    @property
    def averages_sentences(self) -> bool:
        """Whether the corpus-level score is the mean of those of sentences, not computed from summed statistics."""
        return self.metric.level == "sentence"

    def shown(self, gain: float) -> str:
        """Format a gain as a score of the metric."""
        return f"{self.unit * gain:.{self.decimals}f}"

    def gains(self, statistics: Floats, source: str) -> Floats:
        """Return the sentence-level gains of candidates of a source: [n, n_stats] -> [n].

        Raises SbmtError for a gain that is not finite.
        """
        gains = self.metric.score_sentences(statistics) / self.unit
        if not np.isfinite(gains).all():
            number = int(np.argmin(np.isfinite(gains))) + 1
            raise SbmtError(f"{self.metric.name} is not finite for candidate {number} of {source!r}: mend the function")
        return np.asarray(gains)

    def corpus(self, rows: Floats) -> float:
        """Return the corpus-level gain of one candidate per sentence: [n_sentences, n_stats] -> number."""
        return self.metric.corpus(rows).value / self.unit

    def totals(self, sums: Floats) -> Floats:
        """Return the corpus-level gains of several corpora from their summed statistics, [..., n_stats] -> [...].

        For a metric that averages sentence scores, "statistics" here are those scores (see `summable`).
        """
        if self.averages_sentences:
            return np.asarray(sums[..., 0])
        return np.asarray(self.metric.score(sums) / self.unit)

    def in_context(self, statistics: Floats, background: Floats, size: float, length: float) -> Floats:
        """Return the gains of candidates of one sentence, scaled by length: `statistics` [n, n_summed] -> [n].

        For each candidate: (size + length) x the corpus gain of `background` + its statistics (B of Chiang, Marton &
        Resnik 2008; `size`, `length`: words of the background and of this sentence). A metric that averages sentence
        scores ignores the background: length x the sentence's gain.
        """
        if self.averages_sentences:
            return length * statistics[:, 0]
        return (size + length) * self.totals(statistics + background)

    def lengths(self, pool: Sequence[Candidates]) -> Floats:
        """Return the weight of each sentence, float64 [n_sentences]: the number of words of its first candidate.

        For a metric that averages sentence scores, and so weights all alike, each gets the mean over all sentences.
        """
        words = np.array([len(candidates.texts[0].split()) for candidates in pool], np.float64)
        return np.full_like(words, words.mean()) if self.averages_sentences else words

    def summable(self, pool: Sequence[Candidates]) -> list[Floats]:
        """Return what `totals` sums over sentences: each candidate's statistics, or its gain [n, 1].

        Raises SbmtError if all candidates of every sentence score alike.
        """
        summed = [c.gains[:, None] if self.averages_sentences else c.statistics.astype(np.float64) for c in pool]
        if all((rows == rows[0]).all() for rows in summed):
            raise SbmtError("all candidates of every sentence score alike: there is nothing to learn")
        return summed
