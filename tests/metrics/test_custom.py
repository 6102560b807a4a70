"""Your own functions that take lists, and how often functions are asked."""

from __future__ import annotations

import io
from collections.abc import Iterator
from functools import partial

import pytest

from sbmt.errors import SbmtError
from sbmt.evaluation.report.scores import Scores
from sbmt.metrics import Resampling, batched, custom, evaluate, get_metric
from sbmt.metrics.latex import write_latex
from sbmt.metrics.tables import decimals, describe_texts

SOURCES = ["four words are here", "it rained", "it rained"]
REFERENCES = [["four words here", "four words"], ["rain"], ["rain"]]
SYSTEMS = {"A": ["four words", "it rained", "it rained"], "B": ["four words", "rain", "it rained"]}
calls: list[list[tuple[str, str, tuple[str, ...]]]] = []


@batched
def overlaps(sources: list[str], outputs: list[str], references: list[list[str]]) -> list[float]:
    """Words that an output has of its source, and 100 a reference."""
    print("not a figure")
    calls.append(list(zip(sources, outputs, map(tuple, references), strict=True)))
    rows = zip(sources, outputs, references, strict=True)
    return [len(set(s.split()) & set(o.split())) + 100.0 * len(r) for s, o, r in rows]


def overlap(source: str, output: str, references: list[str]) -> float:
    """The same for one sentence."""
    calls.append([(source, output, tuple(references))])
    return len(set(source.split()) & set(output.split())) + 100.0 * len(references)


class _Lengths:
    """What can be called, as a loaded model can."""

    def __call__(self, sources: list[str], outputs: list[str], references: list[list[str]]) -> Iterator[int]:
        return map(len, outputs)


lengths = batched(_Lengths())


@batched
def too_few(sources: list[str], outputs: list[str], references: list[list[str]]) -> list[float]:
    return [1.0] * (len(outputs) - 1)


@batched
def wrong(sources: list[str], outputs: list[str], references: list[list[str]]) -> list[object]:
    return [1.0, "good", 1.0][: len(outputs)]


@batched
def failing(sources: list[str], outputs: list[str], references: list[list[str]]) -> list[float]:
    raise MemoryError(len(outputs))


def unmarked(sources: list[str], outputs: list[str], references: list[list[str]]) -> list[float]:
    return [1.0]


@pytest.fixture(autouse=True)
def _no_calls() -> None:
    calls.clear()


def test_a_marked_function_is_asked_once_for_what_is_new(capsys: pytest.CaptureFixture[str]) -> None:
    results = evaluate(get_metric(f"{__name__}:overlaps"), SOURCES, REFERENCES, SYSTEMS)
    assert results["A"].sentences.tolist() == [202, 102, 102]
    assert results["B"].sentences.tolist() == [202, 100, 102]
    rain = [("it rained", output, ("rain",)) for output in ("it rained", "rain")]
    assert calls == [[("four words are here", "four words", tuple(REFERENCES[0])), *rain]]
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("name", ["overlap", "overlaps"])
def test_reports_ask_for_each_output_once(name: str) -> None:
    """Also for the unchanged source, and for reference 1 against the others, which are further rows of a report."""
    references = [*REFERENCES[:1], ["rain", "it rained"], ["rain", "it rained"]]
    Scores([f"{__name__}:{name}"], SOURCES, references, SYSTEMS)
    asked = [key for call in calls for key in call]
    assert len(asked) == len(set(asked)) == 6
    assert len(calls) == (2 if name == "overlaps" else 6)


def test_lists_are_the_same_metric() -> None:
    for name in ("{}", "sari:easse,level=sentence+0.5*{}"):
        one, many = (get_metric(name.format(f"{__name__}:{own}")) for own in ("overlap", "overlaps"))
        single, lists = (evaluate(metric, SOURCES, REFERENCES, SYSTEMS)["B"] for metric in (one, many))
        assert single.sentences.tolist() == lists.sentences.tolist()
        assert single.score.value == lists.score.value
    calls.clear()
    metric = get_metric(f"sari:easse,level=sentence+{__name__}:overlaps")
    metric.count_outputs(SOURCES, REFERENCES, SYSTEMS["B"])
    assert [len(call) for call in calls] == [3]


def test_an_object_that_can_be_called_may_be_marked() -> None:
    metric = get_metric(f"{__name__}:lengths")
    assert evaluate(metric, SOURCES, REFERENCES, SYSTEMS)["B"].sentences.tolist() == [10, 4, 9]
    assert metric.statistics_many(metric.prepare("a", []), []).shape == (0, 2)
    assert metric.statistics(metric.prepare("a", []), "abc").tolist() == [3, 1]


class _Marked:
    """The call is marked, not the object."""

    @batched
    def __call__(self, sources: list[str], outputs: list[str], references: list[list[str]]) -> list[int]:
        return list(map(len, outputs))


def test_the_mark_is_seen_wherever_it_is() -> None:
    for function in (_Marked(), partial(overlaps), partial(lengths)):
        calls.clear()
        evaluate(get_metric(function), SOURCES, REFERENCES, {"B": SYSTEMS["B"]})
        assert len(calls) == (isinstance(function, partial) and function.func is overlaps)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("too_few", r"too_few gives 2 numbers for 3 outputs: one for each is due"),
        ("wrong", r"wrong gives no finite number but 'good' for the output 'rain'"),
        ("failing", r"failing fails on 3 outputs, the first of which is 'four words': MemoryError\(3\)"),
        ("unmarked", r"no finite number but \[1.0\] for the output .*; a function of lists is marked by @batched\)"),
    ],
)
def test_what_a_function_of_lists_does_wrong_is_told(name: str, message: str) -> None:
    with pytest.raises(SbmtError, match=message):
        evaluate(get_metric(f"{__name__}:{name}"), SOURCES, REFERENCES, {"B": SYSTEMS["B"]})


def test_one_output_is_told_as_such() -> None:
    for name, message in (("too_few", "gives 0 numbers for 1 output: "), ("failing", "fails on 1 output, the first")):
        with pytest.raises(SbmtError, match=message):
            evaluate(get_metric(f"{__name__}:{name}"), ["a"], [["a"]], {"B": ["a"]})
    alone = evaluate(get_metric(overlap), ["a"], [["a"]], {"B": ["a"]}, Resampling(samples=0))["B"]
    assert describe_texts({"B": {"overlap": alone}}, "one/t") == "one/t, 1 sentence"


def test_no_more_values_are_kept_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those scored at present are kept; one that had to go is asked for again."""
    monkeypatch.setattr(custom, "_MAX_CACHED", 2)
    metric = get_metric(overlap)
    for second in ("b", "c", "d", "b"):
        evaluate(metric, ["x", "y"], [[], []], {"A": ["a", second]}, Resampling(samples=0))
    assert [output for ((_, output, _),) in calls] == ["a", "b", "c", "d", "b"]


def test_a_table_has_names_of_ones_own() -> None:
    """What its writers need of a metric comes with the results: a function need not be found by its name."""
    texts = (SOURCES, REFERENCES, SYSTEMS, Resampling(0))
    mine, length = evaluate(get_metric(overlap), *texts), evaluate(get_metric("length"), *texts)
    table = {system: {"mine": mine[system], "theirs": length[system]} for system in SYSTEMS}
    assert decimals(table) == {"mine": 2, "theirs": 2}
    out = io.StringIO()
    write_latex(table, out)
    assert "\nA & \\textbf{" in out.getvalue()
    assert out.getvalue().count(r"\textbf") == 1  # length is neither better nor worse
