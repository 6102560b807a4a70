"""iBLEU (Sun and Zhou 2012) and FKBLEU (Xu et al. 2016, section 3.1): BLEU that rewards change.

    iBLEU = alpha BLEU(O, R) - (1 - alpha) BLEU(O, I)
    FKBLEU = sqrt(iBLEU * sigmoid(FK(I) - FK(O)))

I input, O output, R references. The paper prints FK(O) - FK(I) (Eq. 3), which would reward harder outputs; its
figures follow the sign above, and take the grade level of the output as re-tokenised for BLEU.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from sbmt.arrays import Floats
from sbmt.metrics.base import LARGEST
from sbmt.metrics.bleu import BLEU_STATISTICS, LENGTHS, BleuSide, bleu_statistics, score_bleu
from sbmt.metrics.counted import SourceTokenMetric
from sbmt.metrics.ngrams import NgramIndex, count_ngrams
from sbmt.metrics.readability import Counts, grade_level
from sbmt.metrics.syllables import joshua_syllables

_MAX_EXPONENT = 700  # exp of more overflows; the sigmoid is 0 to any precision long before


@dataclass(frozen=True, slots=True)
class SelfBleuPrepared:
    """References and source, over one index of the n-grams of both, and the source's words, syllables and sentences."""

    index: NgramIndex
    references: BleuSide
    source: BleuSide
    counts: Counts


class IBleu(SourceTokenMetric[SelfBleuPrepared]):
    """BLEU against the references minus BLEU against the source; statistics are those of both, one after the other."""

    name = "ibleu"
    label = "iBLEU"
    choices: ClassVar[Mapping[str, Sequence[str]]] = {**SourceTokenMetric.choices, "length": LENGTHS}
    bounds: ClassVar[Mapping[str, tuple[float, float]]] = {"alpha": (0, 1)}
    variants: ClassVar[dict[str, dict[str, Any]]] = {
        "xu2016": {"tok": "nist", "src_tok": "none", "length": "mean", "level": "sentence"},
        "corpus": {"tok": "13a"},
    }

    def __init__(self, variant: str, alpha: str | float = 0.9, length: str = "closest", **options: str) -> None:
        """alpha: weight of BLEU(O, R), 0-1. length: its reference length (see BLEU)."""
        super().__init__(variant, **options)
        self.alpha = self.number("alpha", alpha)
        self.length = self.choice("length", length)

    def conventions(self) -> dict[str, str]:
        """Name the weight, the reference length and the sources' tokeniser."""
        return {"src": self.src_tok, "alpha": f"{self.alpha:g}", "smooth": "exp", "length": self.length}

    def prepare_text(self, source: list[str], references: Sequence[list[str]]) -> SelfBleuPrepared:
        """Index both sides and count the source's syllables."""
        grams = count_ngrams(source, *references)
        index = NgramIndex(grams.counts)
        return SelfBleuPrepared(
            index,
            BleuSide.of(grams, index, references, self.length),
            BleuSide.of(grams, index, [source], "closest"),
            _counts(source),
        )

    def count(self, prepared: SelfBleuPrepared, hypotheses: Sequence[list[str]]) -> Floats:
        """Return BLEU's statistics against the references, then against the source: [n_hypotheses, 20]."""
        counts = prepared.index.locate(hypotheses).counts()
        lengths = np.array([len(words) for words in hypotheses], dtype=np.float64)
        sides = (prepared.references, prepared.source)
        return np.concatenate([bleu_statistics(side, counts, lengths) for side in sides], axis=1)

    def _bleus(self, statistics: Floats, effective_order: bool) -> tuple[Floats, Floats]:
        """Return BLEU(O, R) and BLEU(O, I), 0-1."""
        return (
            score_bleu(statistics[..., :BLEU_STATISTICS], effective_order),
            score_bleu(statistics[..., BLEU_STATISTICS : 2 * BLEU_STATISTICS], effective_order),
        )

    def _value(self, statistics: Floats, effective_order: bool) -> Floats:
        """Return the metric, at most 1; negative for an output closer to the source than to the references."""
        references, source = self._bleus(statistics, effective_order)
        return self.alpha * references - (1 - self.alpha) * source

    def score(self, statistics: Floats) -> Floats:
        """Return the metric, up to 100; by effective order at the level of sentences."""
        return 100 * self._value(statistics, effective_order=self.level == "sentence")

    def score_sentences(self, rows: Floats) -> Floats:
        """Return the metric of each row, by effective order."""
        return 100 * self._value(rows, effective_order=True)

    def parts(self, statistics: Floats) -> dict[str, Floats]:
        """Return both BLEUs, 0-100."""
        references, source = self._bleus(statistics, effective_order=self.level == "sentence")
        return {"bleu_references": 100 * references, "bleu_source": 100 * source}


class FkBleu(IBleu):
    """FKBLEU; statistics are iBLEU's, then words, syllables and sentences of the output and of the source."""

    name = "fkbleu"
    label = "FKBLEU"
    choices: ClassVar[Mapping[str, Sequence[str]]] = {**IBleu.choices, "sign": ("easier", "printed")}
    bounds: ClassVar[Mapping[str, tuple[float, float]]] = {**IBleu.bounds, "constant": (-LARGEST, LARGEST)}
    variants: ClassVar[dict[str, dict[str, Any]]] = {
        "xu2016": {"tok": "nist", "src_tok": "none", "length": "mean", "level": "sentence", "constant": 15.19},
        "equations": {"tok": "nist", "src_tok": "none", "level": "sentence", "sign": "printed"},
    }

    def __init__(self, variant: str, sign: str = "easier", constant: str | float = 15.59, **options: Any) -> None:
        """sign: reward outputs that are `easier` than the source, or as `printed`. constant: see readability.py."""
        super().__init__(variant, **options)
        self.sign = self.choice("sign", sign)
        self.constant = self.number("constant", constant)

    def conventions(self) -> dict[str, str]:
        """Name the sign and the constant besides iBLEU's conventions."""
        return {**super().conventions(), "sign": self.sign, "const": f"{self.constant:g}"}

    def count(self, prepared: SelfBleuPrepared, hypotheses: Sequence[list[str]]) -> Floats:
        """Return the statistics [n_hypotheses, 26], whole numbers."""
        counts = np.array([[*_counts(words), *prepared.counts] for words in hypotheses], dtype=np.float64)
        return np.concatenate([super().count(prepared, hypotheses), counts.reshape(-1, 6)], axis=1)

    def _grades(self, statistics: Floats) -> tuple[Floats, Floats]:
        """Return the grade levels of outputs and sources."""
        return grade_level(statistics[..., -6:-3], self.constant), grade_level(statistics[..., -3:], self.constant)

    def _value(self, statistics: Floats, effective_order: bool) -> Floats:
        """Return FKBLEU; 0 where iBLEU is negative."""
        output, source = self._grades(statistics)
        gain = source - output if self.sign == "easier" else output - source
        odds = np.exp(np.minimum(-gain, _MAX_EXPONENT))
        return np.asarray(np.sqrt(np.maximum(super()._value(statistics, effective_order), 0) / (1 + odds)))

    def parts(self, statistics: Floats) -> dict[str, Floats]:
        """Return both BLEUs and iBLEU (0-100), and the grade levels of output and source."""
        output, source = self._grades(statistics)
        ibleu = 100 * super()._value(statistics, effective_order=self.level == "sentence")
        return {**super().parts(statistics), "ibleu": ibleu, "fk_output": output, "fk_source": source}


def _counts(words: Sequence[str]) -> Counts:
    """Count a line as one sentence."""
    return len(words), sum(map(joshua_syllables, words)), 1
