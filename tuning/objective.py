"""The metric as tuners see it: a gain of every candidate, and one figure for a choice of candidates; more is better."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sbmt.arrays import Floats
from sbmt.errors import SbmtError
from sbmt.metrics import AnyMetric, get_metric
from sbmt.tuning.pool import Candidates


def tuning_metric(specification: str) -> AnyMetric:
    """The metric (or sum of metrics) on white-space tokens in lower case, unless it names its own options.

    Raises SbmtError for one of which neither more nor less is better.
    """
    metric = get_metric("+".join(map(_on_tokens, specification.split("+"))))
    if metric.higher_is_better is None:
        cure = f"give it a sign in a sum, such as sari:easse+-0.1*{specification}"
        raise SbmtError(f"neither more nor less of {specification} is better: {cure}")
    return metric


def _on_tokens(term: str) -> str:
    term = term.strip()
    given = {pair.partition("=")[0] for pair in term.split(",")[1:]}
    return term + "".join(f",{option}" for option in ("tok=none", "case=lc") if option.partition("=")[0] not in given)


@dataclass(frozen=True, slots=True)
class Objective:
    """A metric turned so that more is better, on the scale 0-1 that the papers' constants expect.

    Grade levels, distances and functions of the user's own keep their units: how large they get is not known.
    """

    metric: AnyMetric

    @property
    def unit(self) -> float:
        """What a gain of 1 is in the metric's own figures; negative where less is better."""
        return self.metric.scale if self.metric.higher_is_better else -self.metric.scale

    @property
    def decimals(self) -> int:
        """Decimals of figures that are shown: what has units of its own may lie between 0 and 1."""
        return 4 if self.metric.scale == 1 else 2

    def shown(self, gain: float) -> str:
        """A gain in the metric's own figures."""
        return f"{self.unit * gain:.{self.decimals}f}"

    def gains(self, statistics: Floats, source: str) -> Floats:
        """Sentence-level gain of candidates of a source: [n, n_stats] -> [n].

        Raises SbmtError for one that is not finite.
        """
        gains = self.metric.score_sentences(statistics) / self.unit
        if not np.isfinite(gains).all():
            number = int(np.argmin(np.isfinite(gains))) + 1
            raise SbmtError(f"{self.metric.name} is not finite for candidate {number} of {source!r}: mend the function")
        return np.asarray(gains)

    def corpus(self, rows: Floats) -> float:
        """Corpus-level gain of one candidate per sentence: [n_sentences, n_stats] -> number."""
        return self.metric.corpus(rows).value / self.unit

    def totals(self, sums: Floats) -> Floats:
        """Corpus-level gain of several corpora at once, from their summed statistics [..., n_stats] -> [...].

        For a metric that averages sentence scores, "statistics" here are those scores (see `summable`).
        """
        if self.metric.level == "sentence":
            return np.asarray(sums[..., 0])
        return np.asarray(self.metric.score(sums) / self.unit)

    def in_context(self, statistics: Floats, background: Floats, size: float, length: float) -> Floats:
        """Gain, in words' worth, of candidates of one sentence, with `statistics` [n, n_summed] -> [n].

        For each: (size + length) x the corpus gain of `background` + its statistics (B of Chiang, Marton & Resnik 2008;
        `size`, `length`: words of the background and of this sentence). A metric that averages sentence scores ignores
        the background: length x the sentence's gain.
        """
        if self.metric.level == "sentence":
            return length * statistics[:, 0]
        return (size + length) * self.totals(statistics + background)

    def lengths(self, pool: Sequence[Candidates]) -> Floats:
        """What a sentence counts, float64 [n_sentences]: the words of its first candidate, or the mean over all.

        The mean is for a metric that averages sentence scores, to which all sentences are alike.
        """
        words = np.array([len(candidates.texts[0].split()) for candidates in pool], np.float64)
        return np.full_like(words, words.mean()) if self.metric.level == "sentence" else words

    def summable(self, pool: Sequence[Candidates]) -> list[Floats]:
        """What must be summed over sentences for `totals`: of each candidate the statistics, or the gain itself [n, 1].

        Raises SbmtError when all candidates of every sentence are alike.
        """
        mean = self.metric.level == "sentence"
        summed = [c.gains[:, None] if mean else c.statistics.astype(np.float64) for c in pool]
        if all((rows == rows[0]).all() for rows in summed):
            raise SbmtError("all candidates of every sentence score alike: there is nothing to learn")
        return summed
