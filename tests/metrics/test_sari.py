"""SARI against the paper's example, worked by hand, and against what it must be by definition."""

from __future__ import annotations

import pytest

from sbmt.metrics import get_metric

# The input and references of section 3.1 of Xu et al. (2016), and the scores printed there for three outputs. The paper
# prints the third output with "currently", but its figure is that of "now".
SOURCE = "About 95 species are currently accepted ."
REFERENCES = [
    "About 95 species are currently known .",
    "About 95 species are now accepted .",
    "95 species are now accepted .",
]
PRINTED = [
    ("About 95 you now get in .", 26.83),
    ("About 95 species are now accepted .", 75.94),
    ("About 95 species are now agreed .", 58.90),
    ("About 95 species are currently agreed .", 50.72),
]


@pytest.mark.parametrize(("output", "expected"), PRINTED)
def test_example_of_the_paper(output: str, expected: float) -> None:
    metric = get_metric("sari:xu2016")
    prepared = metric.prepare(SOURCE, REFERENCES)
    assert float(metric.score(metric.statistics(prepared, output))) == pytest.approx(expected, abs=0.005)
