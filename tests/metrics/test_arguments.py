"""What a program may give to metrics by mistake, beside what `test_registry` has; and which results compare."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from sbmt.errors import SbmtError
from sbmt.metrics import Resampling, Score, batched, evaluate, evaluate_runs, evaluate_table, get_metric
from sbmt.metrics.quality import quality

SARI = get_metric("sari")


@pytest.mark.parametrize(
    ("draws", "message"),
    [
        ({"samples": 1.5}, "samples: expected a whole number, found 1.5"),
        ({"samples": True}, "samples: expected a whole number, found True"),
        ({"seed": np.random.default_rng(1)}, "seed: expected a whole number, found Generator"),
        ({"test_samples": "9"}, "test_samples: expected a whole number, found '9'"),
        ({"seed": -1}, "seed: -1 is not at least 0"),
        ({"samples": -3}, "^samples: -3 is not at least 0"),
        ({"test_samples": 0}, "^test_samples: 0 is not at least 1"),
        ({"test": 5}, "^test: expected text, found 5"),
        (
            {"test": "bootstrp"},
            "^unknown test 'bootstrp': did you mean 'bootstrap'",
        ),
    ],
)
def test_draws_that_cannot_be(draws: dict[str, Any], message: str) -> None:
    with pytest.raises(SbmtError, match=message):
        Resampling(**draws)


def test_draws_are_not_a_number() -> None:
    with pytest.raises(TypeError, match="resampling: 100 is no Resampling"):
        evaluate(SARI, ["a"], [["a"]], {"A": ["a"]}, 100)  # type: ignore[arg-type]


@pytest.mark.parametrize("value", [None, [1], 10**400])
def test_options_that_are_no_numbers(value: Any) -> None:
    with pytest.raises(SbmtError, match=r"constant=.* is not a number"):
        get_metric("fk", constant=value)


@pytest.mark.parametrize("name", ["sari", "sari+bleu", "tests.metrics.test_arguments:same"])
def test_a_text_is_no_list_of_references_or_outputs(name: str) -> None:
    metric = get_metric(same if name.endswith(":same") else name)
    with pytest.raises(TypeError, match="a sentence has a list of references, not the text 'c d'"):
        metric.prepare("a b", "c d")
    prepared = metric.prepare("a b", ["a"])
    calls: tuple[Callable[[], object], ...] = (
        lambda: metric.statistics_many(prepared, "ab"),
        lambda: metric.corpus_statistics([prepared] * 2, "ab"),
    )
    for call in calls:
        with pytest.raises(TypeError, match="outputs are a list of lines, not the text 'ab'"):
            call()


def same(source: str, output: str, references: list[str]) -> float:
    return float(output == source)


@pytest.mark.parametrize(
    ("arguments", "kind", "message"),
    [
        ({"sources": "a"}, TypeError, "sources is a text, not a list of lines"),
        ({"outputs": "a"}, TypeError, "outputs is a text, not a list of lines"),
        ({"outputs": [None]}, TypeError, r"outputs\[0\] is None, not a text"),
        ({"sources": (line for line in "a")}, TypeError, "sources: a generator is no list of lines"),
        ({"names": "additions"}, TypeError, "names is a list of features, not the text 'additions'"),
        ({"names": [3]}, SbmtError, "unknown feature 3"),
    ],
)
def test_quality_takes_lists(arguments: dict[str, Any], kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        quality(**{"sources": ["a"], "outputs": ["a"], **arguments})


def test_quality_takes_names_that_can_be_gone_through_once() -> None:
    assert list(quality(["a"], ["b"], names=iter(["split", "additions"]))) == ["split", "additions"]


def test_a_method_cannot_be_marked() -> None:
    with pytest.raises(TypeError, match="cannot be marked: write a function that calls it, and mark that"):
        batched(SARI.prepare_many)


def test_what_is_prepared_has_sources_and_as_many_lists_of_references() -> None:
    with pytest.raises(TypeError, match="sources are a list of lines, not the text 'ab'"):
        SARI.prepare_many("ab", [["b"], ["c"]])
    with pytest.raises(SbmtError, match=r"^1 list of references for 2 sources: one list is due for each$"):
        SARI.count_outputs(["a", "b"], [["a"]], ["a", "b"])


def test_references_in_arrays_are_counted() -> None:
    with pytest.raises(SbmtError, match=r"1 list of references for 2 sources: one list is due for each$"):
        evaluate(SARI, ["a", "b"], np.array([["a"]]), {"A": ["a", "b"]})  # type: ignore[arg-type]
    with pytest.raises(SbmtError, match=r"for 2 sources: one list is due for each \(these are lists by file"):
        evaluate(SARI, ["a", "b"], np.array([["a", "b"]]), {"A": ["a", "b"]})  # type: ignore[arg-type]


@pytest.mark.parametrize(("line", "warned"), [("a b e", False), ("a b c d", True)])
def test_lists_by_file_have_more_than_twice_the_words_in_common(
    line: str, warned: bool, caplog: pytest.LogCaptureFixture
) -> None:
    """Shares by hand: 1/3 + 1/6 by sentence and 1/3 + 2/5 by file are much alike, 1/3 + 0 and 1/3 + 1 are not."""
    sources = ["a b c d", "e f g h"]
    evaluate(SARI, sources, [[sources[0], "a b e f"], [line, sources[1]]], {"A": sources})
    assert bool(caplog.messages) is warned


def test_lines_of_other_sentences_are_remarked_on(caplog: pytest.LogCaptureFixture) -> None:
    lines = [" ".join(f"w{12 * i + k}" for k in range(12)) for i in range(20)]
    references = [[line, line] for line in lines]
    systems = {"A": np.array(lines), "B": lines[1:] + lines[:1]}
    evaluate(SARI, np.array(lines), references, systems, Resampling(0))  # type: ignore[arg-type]
    first, second = caplog.messages
    assert first.startswith("B: 20 of 20 lines have hardly a word of their sources")
    assert second.startswith("reference 1 and reference 2 hold the same lines")
    caplog.clear()
    late = lines[1:] + lines[:1]
    evaluate_runs(SARI, lines, [[line] for line in lines], {"A": [lines, late], "B": [late]}, Resampling(0))
    assert [message.partition(":")[0] for message in caplog.messages] == ["A, run 2", "B"]


def test_an_empty_list_of_references_is_no_blank_line() -> None:
    for references, cure in (([" "], r" \(blank=counted takes blank lines for empty references\)"), ([], "")):
        with pytest.raises(SbmtError, match=f"sentence 2 has no reference, which sari needs{cure}$"):
            evaluate(SARI, ["a", "b"], [["a"], references], {"A": ["a", "b"]})


@pytest.mark.parametrize("name", ["sari", "sari+0.5*bleu", "length"])
def test_a_metric_shows_its_convention(name: str) -> None:
    metric = get_metric(name)
    assert str(metric) == f"<{metric.signature()}>"


def test_scores_compare_and_results_do_not() -> None:
    one, other = (evaluate(SARI, ["a", "b"], [["b"], ["b"]], {"A": ["c", "b"]})["A"] for _ in range(2))
    assert {one.score: 1} == {other.score: 1}
    assert one.score != Score(one.score.value, {}, one.score.signature)
    assert one == one
    assert one != other  # arrays have no single answer; compare scores
    assert len({one, other}) == 2


def test_a_result_is_shown_in_a_line() -> None:
    shown = repr(evaluate(SARI, ["a", "b"], [["b"], ["b"]], {"A": ["c", "b"], "B": ["b", "b"]}, Resampling(0))["B"])
    assert re.fullmatch(r"<[0-9.]+ SARI\|var:easse\|nrefs:1\|.*\|v:[0-9.]+, 2 sentences>", shown)
    texts = (["a", "b"], [["b"], ["b"]], {"A": ["c", "b"], "B": ["b", "b"]})
    result = evaluate(SARI, *texts, Resampling(baseline="A"))["B"]
    assert re.match(r"<[0-9.]+ \[[0-9.]+, [0-9.]+\] p=[0-9.]{6} SARI\|", repr(result))


def test_a_table_has_what_single_metrics_have() -> None:
    texts = (["a b", "b"], [["b"], ["b"]], {"A": ["c", "b"], "B": ["b", "b"]})
    drawn = Resampling(200, baseline="A")
    table = evaluate_table(["sari", "length:all"], *texts, drawn)
    assert list(table) == ["A", "B"]
    assert list(table["A"]) == list(table["B"]) == ["sari", "length:words", "length:characters"]
    alone = evaluate(SARI, *texts, drawn)
    assert {name: row["sari"].to_dict() for name, row in table.items()} == {n: r.to_dict() for n, r in alone.items()}
    corrected = evaluate_table(["sari", "length"], *texts, drawn, holm=True)["B"]
    assert [result.test.corrected_for for result in corrected.values() if result.test] == [2, 2]
    with pytest.raises(TypeError, match="metrics is a list of names, not the text 'sari'"):
        evaluate_table("sari", *texts)
    with pytest.raises(TypeError, match=re.escape("is no metric's name: call evaluate(get_metric(function), ...) for")):
        evaluate_table([len], *texts)  # type: ignore[list-item]
    with pytest.raises(SbmtError, match="metrics: there is none: give a list of names"):
        evaluate_table([], *texts)


def test_a_table_looks_at_lines_once(caplog: pytest.LogCaptureFixture) -> None:
    lines = [f"{i} first second third" for i in range(60)]
    evaluate_table(["length", "fk"], lines, [[]] * 60, {"A": [f"Simplified: {line}" for line in lines]}, Resampling(0))
    assert len(caplog.messages) == 1
