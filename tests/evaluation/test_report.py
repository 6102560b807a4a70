"""The report: its figures, its HTML (without a browser), sampling, `sbmt-report`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from importlib.resources import files
from itertools import pairwise
from pathlib import Path

import pytest

from sbmt.cli.report import main
from sbmt.errors import SbmtError
from sbmt.evaluation.page import render
from sbmt.evaluation.quality import quality
from sbmt.evaluation.report import Report, Settings, System, build
from sbmt.evaluation.scores import REFERENCE, SOURCE
from sbmt.metrics import evaluate, get_metric
from sbmt.metrics.evaluate import Resampling
from tests.evaluation.examples import GOOD, MARKUP_NAME, REFERENCES, SOURCES

VOID = {"meta", "br", "input", "link", "img", "hr"}


class Page(HTMLParser):
    """Elements in order; fails on tags that are not nested rightly."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.data = ""
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "script":
            self.data = self.data or data
        else:
            self.texts.append(data)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


@pytest.fixture(scope="module")
def html(report: Report) -> str:
    return render(report)


@pytest.fixture(scope="module")
def page(html: str) -> Page:
    return Page(html)


def embedded(page: Page) -> dict[str, object]:
    found: dict[str, object] = json.loads(page.data)
    return found


def test_figures_are_those_of_the_metrics(report: Report) -> None:
    systems = {"plain": SOURCES, MARKUP_NAME: GOOD}
    for name in report.settings.metrics:
        expected = evaluate(get_metric(name), SOURCES, REFERENCES, {**systems, SOURCE: SOURCES}, Resampling(100))
        for row in report.rows:
            if row.name in expected:
                assert row.results[name].score == expected[row.name].score
                assert row.results[name].interval == expected[row.name].interval
    tested = evaluate(
        get_metric("sari:easse"), SOURCES, REFERENCES, systems, Resampling(0, baseline="plain", test_samples=1000)
    )
    assert report.rows[1].results["sari:easse"].p_value == tested[MARKUP_NAME].p_value
    assert [row.name for row in report.rows] == ["plain", MARKUP_NAME, SOURCE]  # sentence 2 has one reference only
    assert report.features["additions"][MARKUP_NAME] == quality(SOURCES, GOOD)["additions"].mean()


def test_a_reference_is_scored_against_the_others() -> None:
    full = [[*lines[:1], lines[1] or "He used tools."] for lines in REFERENCES]
    report = build(SOURCES, full, [System("A", GOOD)], Settings(metrics=("sari",), samples=0))
    first, others = [lines[0] for lines in full], [lines[1:] for lines in full]
    expected = evaluate(get_metric("sari"), SOURCES, others, {REFERENCE: first}, Resampling(0))
    assert report.rows[-1].name == REFERENCE
    assert report.rows[-1].results["sari"].score.value == expected[REFERENCE].score.value


def test_buckets_hold_every_sentence_once(report: Report) -> None:
    assert sum(bucket.sentences for bucket in report.buckets) == len(SOURCES)
    ranges = [(bucket.low, bucket.high) for bucket in report.buckets]
    assert all(high < low for (_, high), (low, _) in pairwise(ranges))
    one = build(SOURCES[:1], REFERENCES[:1], [System("A", GOOD[:1])], Settings(samples=0))
    assert one.buckets[0].scores["sari:easse"]["A"] == one.rows[0].results["sari:easse"].score.value


def test_every_string_is_escaped(html: str, page: Page) -> None:
    assert "alert('x')" in json.dumps(embedded(page), ensure_ascii=False)
    assert len(page.all("script")) == 2
    assert not page.all("b")
    assert not page.all("i")
    assert not page.all("good")
    assert "<good>" not in html
    assert MARKUP_NAME in page.texts
    assert html.count("<!--") == 0
    assert page.texts.count("Our <test> set") == 2  # title and heading


def test_nothing_is_outside_the_file(html: str, page: Page) -> None:
    assert not re.search(r"\bsrc=|url\(|@import|https?://", html)
    assert all(str(a["href"]).startswith("#") for a in page.all("a"))
    assert not page.all("link")
    policy = [a["content"] for a in page.all("meta") if a.get("http-equiv") == "Content-Security-Policy"]
    assert str(policy[0]).startswith("default-src 'none';")


def test_same_input_same_bytes(report: Report, html: str) -> None:
    again = build(SOURCES, REFERENCES, report.systems, report.settings)
    assert render(again) == html


def test_sentences_and_labels_are_complete(page: Page) -> None:
    data = embedded(page)
    for sentence, source, references in zip(data["sentences"], SOURCES, REFERENCES, strict=True):  # type: ignore[call-overload]
        assert sentence["s"] == source
        assert sentence["r"] == [line for line in references if line]
        for output in sentence["o"]:
            for text, runs in ((source, output["a"]), (output["t"], output["b"])):
                assert sum(map(int, re.findall(r"\d+", runs))) == len(text)  # every character has a label
    good = [sentence["o"][1] for sentence in data["sentences"]]  # type: ignore[attr-defined]
    assert good[3]["k"] == ["move"]
    assert good[3]["b"].startswith("m7c")  # "At dawn"
    assert good[5]["k"] == ["unchanged"]
    assert "split" in good[0]["k"]
    assert good[1]["d"] == [["[VBD] ||| utilized ||| used <i>", "pt", -0.25]]


def test_structure_for_keyboards_and_screen_readers(html: str, page: Page) -> None:
    assert page.all("html") == [{"lang": "en"}]
    assert html.count("<table>") == html.count("<caption>") > 0
    assert all(attributes.get("scope") in ("col", "row") for attributes in page.all("th"))
    levels = [int(tag[1]) for tag, _ in page.elements if re.fullmatch(r"h[1-6]", tag)]
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    assert all(a.get("aria-label") for a in page.all("svg") if a.get("role") == "img")
    for control in ("select", "input"):
        assert html.count(f"<{control} id=") == len(page.all(control))
    assert len(page.all("label")) == len(page.all("select")) + len(page.all("input"))
    scrolling = [a for a in page.all("div") if a.get("class") == "scroll"]
    assert all(a.get("tabindex") == "0" and a.get("aria-label") for a in scrolling)
    ids = [a["id"] for _, a in page.elements if "id" in a]
    assert len(ids) == len(set(ids))
    assert {str(a["href"])[1:] for a in page.all("a")} <= set(ids)


def test_colours_are_not_the_only_sign_and_have_contrast() -> None:
    css = files("sbmt.evaluation").joinpath("report.css").read_text(encoding="utf-8")
    colours = dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{3,6})", css))
    decorations = set()
    for letter, name in (("d", "del"), ("r", "rep"), ("m", "mov"), ("a", "add")):
        assert contrast(colours[name], colours[f"{name}-ink"]) >= 4.5  # WCAG 2.2, 1.4.3
        rule = re.search(rf"^\.{letter} {{(.*)}}", css, re.MULTILINE)
        assert rule
        decorations.add(re.findall(r"text-decoration: ([a-z -]+)", rule[1])[0])
    assert len(decorations) == 4  # told apart without colour
    assert contrast("#ffffff", colours["soft"]) >= 4.5


def contrast(one: str, other: str) -> float:
    """WCAG's contrast ratio of two colours."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def luminance(colour: str) -> float:
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_many_sentences_are_sampled() -> None:
    sources = [f"Sentence {i} is about the old harbour of town {i % 97} ." for i in range(50_000)]
    outputs = [source.replace("harbour", "port") for source in sources]
    references = [[output, source] for output, source in zip(outputs, sources, strict=True)]
    settings = Settings(metrics=("sari", "fk"), samples=0)
    report = build(sources, references, [System("A", outputs)], settings)
    assert (report.total, len(report.sentences)) == (50_000, 2000)
    numbers = [sentence.number for sentence in report.sentences]
    assert numbers == sorted(set(numbers))
    assert numbers != list(range(1, 2001))
    assert all(sources[sentence.number - 1] == sentence.source for sentence in report.sentences)
    html = render(report)
    assert len(html.encode()) < 10_000_000
    assert "random sample of 2,000 of\n50,000 sentences" in html


def test_long_lines_are_fewer() -> None:
    lines = ["word " * 2000] * 30
    report = build(
        lines, [[line] for line in lines], [System("A", lines)], Settings(("fk",), samples=0, max_bytes=10**5)
    )
    assert len(report.sentences) == 3  # of 30 000 characters each


def test_without_references_metrics_that_need_none() -> None:
    report = build(SOURCES, [[] for _ in SOURCES], [System("A", GOOD)], Settings(metrics=("fk",), samples=0))
    assert [row.name for row in report.rows] == ["A", SOURCE]
    assert "F1" not in re.sub(r"<caption>.*?</caption>", "", render(report), flags=re.DOTALL)
    with pytest.raises(SbmtError, match="sentence 1 has no reference"):
        build(SOURCES, [[] for _ in SOURCES], [System("A", GOOD)], Settings(samples=0))


def test_one_system_that_changes_nothing() -> None:
    report = build(SOURCES, REFERENCES, [System("A", SOURCES)], Settings(metrics=("length",), samples=0))
    assert report.feature_values["A"]["exact copy"].all()
    assert Page(render(report)).texts.count("unchanged") == 1  # the choice of it


def test_mistakes_are_named() -> None:
    systems = [System("A", GOOD)]
    for sources, others, message in (
        ([], systems, "no sentence to report on"),
        (SOURCES, [*systems, *systems], "two systems have the same name"),
        (SOURCES, [System("A", GOOD[1:])], "A has 5 lines for 6 sources"),
    ):
        with pytest.raises(SbmtError, match=message):
            build(sources, REFERENCES[: len(sources)], others, Settings())
    with pytest.raises(SbmtError, match="baseline 'B' is not among"):
        build(SOURCES, REFERENCES, systems, Settings(baseline="B"))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SBMT_DATA", raising=False)
    columns = {
        "S": SOURCES,
        "R.0": [r[0] for r in REFERENCES],
        "R.1": [r[1] for r in REFERENCES],
        "A": GOOD,
        "B": SOURCES,
    }
    for name, lines in columns.items():
        Path(name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    records = [{"source": s, "output": o, "changes": []} for s, o in zip(SOURCES, GOOD, strict=True)]
    records[1]["changes"] = [{"rule": "[X] ||| a ||| b", "owner": "pt", "score": 1}]
    Path("C.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    Path("testsets.yaml").write_text("mine: {source: S, references: [R.0, R.1]}")
    return tmp_path


HEAD = ("--source", "S", "--references", "R.0", "R.1", "--samples", "10")


def test_command(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*HEAD, "--systems", "A", "B", "-o", "report.html"]) == 0
    assert capsys.readouterr().out == ""
    page = Page(Path("report.html").read_text(encoding="utf-8"))
    assert embedded(page)["systems"] == ["A", "B"]
    set_ = ("--test-set", "mine", "--data-dir", ".", "--samples", "10", "--metrics", "fk", "--baseline", "B")
    assert main([*set_, "--systems", "C.jsonl", "B"]) == 0
    page = Page(capsys.readouterr().out)
    assert (embedded(page)["systems"], embedded(page)["baseline"]) == (["C", "B"], 1)
    assert embedded(page)["sentences"][1]["o"][0]["d"] == [["[X] ||| a ||| b", "pt", 1]]  # type: ignore[index]
    assert "Simplification of mine" in page.texts


def test_figures_as_json(folder: Path, report: Report) -> None:
    assert main([*HEAD, "--systems", "A", "--figures", "figures.json", "-o", "report.html"]) == 0
    found = json.loads(Path("figures.json").read_text(encoding="utf-8"))
    assert list(found) == ["title", "sentences", "total", "scores", "features", "labels", "agreement", "lengths"]
    expected = report.rows[1].results["sari:easse"].score.value
    assert found["scores"]["A"]["sari:easse"]["score"] == expected
    assert found["features"]["additions"] == {
        "A": report.features["additions"][MARKUP_NAME],
        "references": report.features["additions"]["references"],
    }
    assert found["agreement"]["A"]["move"] == {
        "precision": report.agreements[MARKUP_NAME]["move"].precision,
        "recall": report.agreements[MARKUP_NAME]["move"].recall,
        "f1": report.agreements[MARKUP_NAME]["move"].f1,
    }
    assert sum(bucket["sentences"] for bucket in found["lengths"]) == len(SOURCES)


def failures() -> Iterator[tuple[list[str], str]]:
    yield ["--systems", "short"], "short: has 1 lines, but S has 6"
    yield ["--systems", "gap"], "gap, line 2: the output is empty"
    yield ["--systems", "A", "A"], "a system is named twice"
    yield ["--systems", "bad.jsonl"], "bad.jsonl, line 1: is not a line of sbmt-decode --output jsonl"
    yield ["--systems", "nowhere"], "nowhere: cannot be read"
    yield ["--systems", "A", "--test-set", "mine"], "either --test-set or --source"
    yield ["--systems", "A", "--baseline", "Z"], "the baseline 'Z' is not among"
    yield ["--systems", "A", "--metrics", "zari"], "unknown metric 'zari'"


@pytest.mark.parametrize(("arguments", "message"), list(failures()), ids=lambda value: str(value)[:30])
def test_bad_input_is_named(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    Path("short").write_text("a\n")
    Path("gap").write_text("a\n\n" + "a\n" * 4)
    Path("bad.jsonl").write_text('{"text": "a"}\n')
    assert main([*HEAD, *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert message in captured.err
    assert captured.err.count("\n") == 1


@pytest.mark.parametrize("option", ["--seed", "--samples", "--max-sentences"])
def test_numbers_are_not_negative(folder: Path, capsys: pytest.CaptureFixture[str], option: str) -> None:
    with pytest.raises(SystemExit) as stopped:
        main([*HEAD, "--systems", "A", option, "-1"])
    assert stopped.value.code == 2
    assert f"argument {option}: -1 is less than" in capsys.readouterr().err


def test_sources_are_needed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--systems", "A"]) == 2
    assert "give --source and --references" in capsys.readouterr().err
    assert main([*HEAD, "--systems", "gap", "--allow-empty"]) == 2  # no such file yet
    Path("gap").write_text("a\n\n" + "a\n" * 4)
    assert main([*HEAD, "--systems", "gap", "--allow-empty", "-o", "report.html"]) == 0


def test_a_reference_is_not_compared_with_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = "def among(source, output, references):\n    return 100.0 * (output in references)\n"
    (tmp_path / "found_among.py").write_text(code, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    references = [["one", "two"], ["three", "three"]]
    built = build(["a", "b"], references, [System("x", ["two", "c"])], Settings(metrics=("found_among:among",)))
    scores = {row.name: row.results["found_among:among"].score.value for row in built.rows}
    assert scores == {"x": 50, SOURCE: 0, REFERENCE: 50}


def test_the_best_is_marked_where_higher_is_better() -> None:
    systems = [System("copy", SOURCES), System("good", GOOD)]
    built = build(SOURCES, REFERENCES, systems, Settings(metrics=("sari", "fk", "levenshtein"), samples=0))
    marked = re.findall(r'aria-label="best system"[^<]*</span> ([\d.]+)', re.sub(r">★", ">", render(built)))
    assert marked == [f"{built.rows[1].results['sari'].score.value:.2f}"]
