"""Sentences counted block by block against all of them counted at once."""

from __future__ import annotations

import pytest

from sbmt.errors import SbmtError
from sbmt.metrics import batched, evaluate, get_metric
from sbmt.metrics.base import Metric

SOURCES = [f"the {noun} was utilized by {number} men" for number, noun in enumerate("tool rope cart boat barn".split())]
REFERENCES = [[source.replace("utilized", "used"), source] for source in SOURCES]
SYSTEMS = {
    "A": [reference for reference, _ in REFERENCES[:3]] + SOURCES[3:],
    "B": [source.replace("was utilized by", "helped") for source in SOURCES],
}
calls: list[int] = []


@batched
def share(sources: list[str], outputs: list[str], references: list[list[str]]) -> list[float]:
    """An output's share of the length of all, so that it matters which others there are."""
    calls.append(len(outputs))
    return [len(output) / sum(map(len, outputs)) for output in outputs]


@pytest.fixture(autouse=True)
def _blocks_of_two(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Metric, "block_size", 2)


@pytest.mark.parametrize("name", ["sari:easse", "bleu:easse", "fk:easse", "sari:easse+0.5*bleu:easse"])
def test_blocks_do_not_matter(name: str) -> None:
    metric = get_metric(name)
    results = evaluate(metric, SOURCES, REFERENCES, SYSTEMS)
    for system, outputs in SYSTEMS.items():
        at_once = metric.count_outputs(SOURCES, REFERENCES, outputs)
        assert results[system].score.value == metric.corpus(at_once).value
        assert results[system].sentences.tolist() == metric.by_sentence().score_sentences(at_once).tolist()


@pytest.mark.parametrize("name", ["{}", "sari:easse,level=sentence+{}"])
def test_a_function_of_lists_gets_all_sentences(name: str) -> None:
    calls.clear()
    evaluate(get_metric(name.format(f"{__name__}:share")), SOURCES, REFERENCES, {"A": SYSTEMS["A"]})
    assert calls == [len(SOURCES)]


def test_a_sentence_without_reference_is_named_by_its_number_among_all() -> None:
    with pytest.raises(SbmtError, match="sentence 4 has no reference"):
        evaluate(get_metric("sari:easse"), SOURCES, [*REFERENCES[:3], [], REFERENCES[4]], SYSTEMS)


def test_views_will_do() -> None:
    """What has an order, but no slices."""
    numbered = dict(enumerate(SOURCES)), dict(enumerate(REFERENCES))
    results = evaluate(get_metric("sari:easse"), numbered[0].values(), numbered[1].values(), SYSTEMS)  # type: ignore[arg-type]
    assert results["A"].score == evaluate(get_metric("sari:easse"), SOURCES, REFERENCES, SYSTEMS)["A"].score
