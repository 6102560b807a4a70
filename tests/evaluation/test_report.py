"""The report: its figures, its HTML (without a browser), sampling."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html import unescape
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sbmt.config import ConfigError
from sbmt.errors import SbmtError
from sbmt.evaluation.report import charts
from sbmt.evaluation.report.build import Settings, build
from sbmt.evaluation.report.content import Report
from sbmt.evaluation.report.page import render
from sbmt.evaluation.report.scores import REFERENCE, SOURCE, Bucket, Scores
from sbmt.evaluation.report.system import System
from sbmt.metrics import evaluate, get_metric
from sbmt.metrics.quality import quality
from sbmt.metrics.result import Resampling
from tests.evaluation.examples import GOOD, MARKUP_NAME, REFERENCES, SOURCES
from tests.evaluation.page import Page, embedded


@pytest.fixture(scope="module")
def html(report: Report) -> str:
    return render(report)


@pytest.fixture(scope="module")
def page(html: str) -> Page:
    return Page(html)


def test_a_report_is_shown_in_a_line(report: Report) -> None:
    assert repr(report) == f"<report on plain, {MARKUP_NAME}, 6 sentences>"


def test_figures_are_those_of_the_metrics(report: Report) -> None:
    systems = {"plain": SOURCES, MARKUP_NAME: GOOD}
    for name in report.settings.metrics:
        expected = evaluate(get_metric(name), SOURCES, REFERENCES, {**systems, SOURCE: SOURCES}, Resampling(100))
        for row in report.rows:
            if row.name in expected:
                assert row.results[name].score == expected[row.name].score
                assert row.results[name].interval == expected[row.name].interval
    tested = evaluate(get_metric("sari:easse"), SOURCES, REFERENCES, systems, Resampling(0, baseline="plain"))
    assert report.rows[1].results["sari:easse"].p_value == tested[MARKUP_NAME].p_value
    seeded = build(SOURCES, REFERENCES, report.systems, replace(report.settings, seed=7)).rows[0].results["sari:easse"]
    drawn = evaluate(get_metric("sari:easse"), SOURCES, REFERENCES, {"plain": SOURCES}, Resampling(100, 7))["plain"]
    assert seeded.interval == drawn.interval != report.rows[0].results["sari:easse"].interval
    assert [row.name for row in report.rows] == ["plain", MARKUP_NAME, SOURCE]  # sentence 2 has one reference only
    assert "others: 1 of 6 sentences have fewer than two" in render(report)
    assert "<dt>Baseline</dt><dd><bdi>plain</bdi>" in render(report)
    assert report.features["additions"][MARKUP_NAME] == quality(SOURCES, GOOD)["additions"].mean()


def test_a_reference_is_scored_against_the_others() -> None:
    """The first that is not blank."""
    full = [[lines[0], lines[1] or "He used tools.", f"Third {lines[0]}"] for lines in REFERENCES]
    with_blank = [["", *full[0]], *full[1:]]
    report = build(SOURCES, with_blank, [System("A", GOOD)], Settings(metrics=("sari",), samples=0))
    first, others = [lines[0] for lines in full], [lines[1:] for lines in full]
    expected = evaluate(get_metric("sari"), SOURCES, others, {REFERENCE: first}, Resampling(0))
    assert report.rows[-1].name == REFERENCE
    assert report.rows[-1].results["sari"].score == expected[REFERENCE].score
    assert "nrefs:2|" in expected[REFERENCE].score.signature


def test_blank_references_are_counted_where_a_metric_counts_them() -> None:
    specification = "sari,blank=counted"
    report = build(SOURCES, REFERENCES, [System("A", GOOD)], Settings(metrics=(specification, "sari"), samples=0))
    for name in report.settings.metrics:
        expected = evaluate(get_metric(name), SOURCES, REFERENCES, {"A": GOOD}, Resampling(0))["A"].score
        assert report.rows[0].results[name].score == expected
    counted, absent = (result.score for result in report.rows[0].results.values())
    assert "blank:counted" in counted.signature
    assert counted.value != absent.value
    assert report.sentences[1].references == REFERENCES[1][:1]  # the page shows those that are there


def test_blank_lines_count_in_the_scores_alone() -> None:
    """Features, labels, lengths and the sentences are those of the same text without them."""
    sources, references, outputs = [" ", *SOURCES, ""], [[""], *REFERENCES, ["", ""]], ["", *GOOD, "\t"]
    changes = [[{"rule": str(i)}] for i in range(8)]
    settings = Settings(metrics=("levenshtein", "sari,blank=counted"), samples=100)
    report = build(sources, references, [System("A", outputs, changes)], settings)
    for name in settings.metrics:
        expected = evaluate(get_metric(name), sources, references, {"A": outputs}, Resampling(100))["A"]
        result = report.rows[0].results[name]
        assert (result.score, result.interval) == (expected.score, expected.interval)
        assert result.sentences.tolist() == expected.sentences[1:-1].tolist()
    without = build(SOURCES, REFERENCES, [System("A", GOOD, changes[1:-1])], settings)
    assert (report.blank, report.total, without.blank, without.total) == (2, 6, 0, 6)
    for part in ("features", "labels", "agreements"):
        assert getattr(report, part) == getattr(without, part)
    assert [(b.range, b.sentences) for b in report.buckets] == [(b.range, b.sentences) for b in without.buckets]
    assert [sentence.number for sentence in report.sentences] == [2, 3, 4, 5, 6, 7]
    assert report.systems == without.systems
    facts = dict(re.findall("<dt>(.*?)</dt><dd><bdi>(.*?)</bdi>", render(report)))
    assert (facts["Sentences"], facts["Blank lines"]) == ("6", "2, which count in the scores alone")
    assert "Baseline" not in facts  # of a single system
    assert "Blank lines" not in render(without)


def test_blank_lines_are_not_drawn() -> None:
    sources = ["", "A dog .", " ", "Two dogs .", ""]
    settings = Settings(metrics=("length",), samples=0, max_sentences=1)
    for seed in range(4):
        sampled = build(sources, [[]] * 5, [System("A", sources)], replace(settings, seed=seed))
        assert sampled.sentences[0].number in (2, 4)
        assert (sampled.blank, sampled.total) == (0, 2)
    with pytest.raises(SbmtError, match="there is no sentence to report on"):
        build(["", " "], [[], []], [System("A", ["", ""])], settings)


def test_a_split_keeps_the_words_before_its_periods() -> None:
    source = "The army left the city and the king , who was old , fled to Ulm ."
    output = "The army left the city. The old king fled to Ulm."
    systems = [System("A", [output])]
    (sentence,) = build([source], [[output]], systems, Settings(metrics=("length",), samples=0)).sentences
    labels = dict(zip([token.text for token in sentence.tokens], sentence.outputs[0].words.source, strict=True))
    assert labels["city"] == "copy"
    assert [token.text for token in sentence.outputs[0].tokens][4:7] == ["city", ".", "The"]
    tokens = sentence.outputs[0].tokens
    assert [output[token.start : token.end] for token in tokens] == [token.text for token in tokens]
    assert "split" in sentence.outputs[0].kinds


def test_unchanged_is_the_same_text() -> None:
    sources = ["The National Museum , in Ulm .", "A dog .", "A dog ."]
    outputs = ["the National Museum , in Ulm .", "A  dog .", "A dog."]  # white space does not count
    report = build(sources, [[s] for s in sources], [System("A", outputs)], Settings(metrics=("length",), samples=0))
    kinds = [set(sentence.outputs[0].kinds) for sentence in report.sentences]
    assert kinds == [{"typography alone"}, {"unchanged"}, {"typography alone"}]
    assert report.features["exact copy"]["A"] == 1  # as the features' convention sees it: 13a tokens in lower case


def test_buckets_hold_every_sentence_once(report: Report) -> None:
    assert sum(bucket.sentences for bucket in report.buckets) == len(SOURCES)
    ranges = [(bucket.low, bucket.high) for bucket in report.buckets]
    assert all(high < low for (_, high), (low, _) in pairwise(ranges))
    assert [Bucket(low, high, 4, {}).range for low, high in ((7, 7), (7, 9))] == ["7", "7–9"]
    one = build(SOURCES[:1], REFERENCES[:1], [System("A", GOOD[:1])], Settings(samples=0))
    assert one.buckets[0].scores["sari:easse"]["A"] == one.rows[0].results["sari:easse"].score.value


def test_buckets_end_at_quantiles_of_the_lengths() -> None:
    """Of four, the fifths lie at places 0.6, 1.2, 1.8 and 2.4 from 0: the lengths 1, 2, 2 and 3 below end buckets."""
    lines = ["a", "b", "c", "d"]
    buckets = Scores(["length"], lines, [[line] for line in lines], {"A": lines}).buckets([1, 2, 3, 10], np.arange(4))
    assert [(bucket.low, bucket.high, bucket.sentences) for bucket in buckets] == [(n, n, 1) for n in (1, 2, 3, 10)]
    buckets = Scores(["length"], lines, [[line] for line in lines], {"A": lines}).buckets([4, 4, 4, 9], np.arange(4))
    assert [(bucket.low, bucket.high, bucket.sentences) for bucket in buckets] == [(4, 4, 3), (9, 9, 1)]


def test_a_sample_keeps_what_belongs_together() -> None:
    """And the seed says which sentences it has."""
    sources = [f"Dog {'x' * i} barked ." for i in range(9)]
    changes = [[{"rule": str(i)}] for i in range(9)]
    chosen = set()
    for seed in range(9):
        settings = Settings(metrics=("length",), samples=0, seed=seed, max_sentences=2)
        sampled = build(sources, [[s] for s in sources], [System("A", sources, changes)], settings)
        for sentence, own_changes in zip(sampled.sentences, sampled.systems[0].changes or [], strict=True):
            number = sentence.number - 1
            assert (sentence.source, sentence.outputs[0].text) == (sources[number], sources[number])
            assert own_changes == changes[number]
            chosen.add(number)
    assert len(chosen) > 4  # that nine pairs lie within four of nine has probability below 0.0001


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
    for sentence, source, references in zip(data["sentences"], SOURCES, REFERENCES, strict=True):
        assert sentence["s"] == source
        assert sentence["r"] == [line for line in references if line]
        for output in sentence["o"]:
            for text, runs in ((source, output["a"]), (output["t"], output["b"])):
                assert sum(map(int, re.findall(r"\d+", runs))) == len(text)  # every character has a label
    good = [sentence["o"][1] for sentence in data["sentences"]]
    assert good[3]["k"] == ["move"]
    assert good[3]["b"].startswith("m7c")  # "At dawn"
    assert good[5]["k"] == ["unchanged"]
    assert "split" in good[0]["k"]
    assert good[1]["d"] == [["[VBD] ||| utilized ||| used <i>", "pt", -0.25], ["by hand", "", None]]


def test_what_scores_are_made_of_has_no_decimals_where_all_are_whole_numbers() -> None:
    report = build(SOURCES, REFERENCES, [System("A", GOOD)], Settings(("bleu", "length", "support"), samples=0))
    tables = dict(re.findall(r"<caption>The parts of (\w+)</caption>(.*?)</table>", render(report), re.DOTALL))
    assert list(tables) == ["bleu", "support"]  # a length has none
    for metric, table in tables.items():
        headings = [name.replace(" ", "_") for name in re.findall(r'class="n">([^<]+)</th>', table)]
        rows = [re.findall(r'<td class="n">([^<]+)</td>', row) for row in table.split("<tr")[2:]]
        parts = [row.results[metric].score.parts for row in report.rows]
        whole = {"added", "output_length", "reference_length", "bp"}  # no output is too short: all penalties are 1
        assert headings == list(parts[0])
        assert rows == [[f"{row[name]:.{0 if name in whole else 2}f}" for name in headings] for row in parts]


def test_white_space_beside_what_changed_and_at_the_end_counts_as_copied() -> None:
    output = "He used it.  "
    report = build(["He utilized it. "], [[output]], [System("A", [output])], Settings(("length",), samples=0))
    (sentence,) = embedded(Page(render(report)))["sentences"]
    assert (sentence["o"][0]["a"], sentence["o"][0]["b"]) == ("c3r8c5", "c3r4c6")


def test_structure_for_keyboards_and_screen_readers(html: str, page: Page) -> None:
    assert page.all("html") == [{"lang": "en"}]
    assert html.count("<table") == html.count("<caption>") > 0
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
    css = files("sbmt.evaluation").joinpath("report/report.css").read_text(encoding="utf-8")
    light, dark = (
        dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6})", block)) for block in re.findall(r":root {([^}]*)}", css)
    )
    assert light.keys() == dark.keys()
    for colours in (light, dark):
        pairs = [(name, f"{name}-ink") for name in ("del", "rep", "mov", "add")]
        pairs += [(paper, ink) for paper in ("paper", "wash") for ink in ("ink", "soft", "accent")]
        for paper, ink in (*pairs, ("note", "ink")):
            assert contrast(colours[paper], colours[ink]) >= 4.5  # WCAG 2.2, 1.4.3
        assert min(contrast(colours["paper"], colours[name]) for name in ("field", "focus")) >= 3  # 1.4.11
    decorations = set()
    for letter in "drma":
        rule = re.search(rf"^\.{letter} {{(.*)}}", css, re.MULTILINE)
        assert rule
        decorations.add(re.findall(r"text-decoration: ([a-z -]+)", rule[1])[0])
    assert len(decorations) == 4  # told apart without colour
    assert min(contrast(light["paper"], colour) for colour in charts.COLOURS) >= 3
    assert min(contrast(dark["paper"], turned(colour)) for colour in charts.COLOURS) >= 3


def contrast(one: str, other: str) -> float:
    """WCAG's contrast ratio of two colours."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def turned(colour: str) -> str:
    """invert(1) hue-rotate(180deg), by the matrices of the filter effects' specification."""
    r, g, b = (255 - int(colour[k : k + 2], 16) for k in (1, 3, 5))
    weights = (0.213, 0.715, 0.072)  # of red, green and blue in luminance; half a turn is twice that, less the colour
    twice = 2 * sum(w * part for w, part in zip(weights, (r, g, b), strict=True))
    return "#" + "".join(f"{min(max(round(twice - part), 0), 255):02x}" for part in (r, g, b))


def luminance(colour: str) -> float:
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_many_sentences_are_sampled() -> None:
    sources = [f"Sentence {i} is about the old harbour of town {i % 97} ." for i in range(10_000)]
    outputs = [source.replace("harbour", "port") for source in sources]
    references = [[output, source] for output, source in zip(outputs, sources, strict=True)]
    settings = Settings(metrics=("sari", "fk"), samples=0)
    report = build(sources, references, [System("A", outputs)], settings)
    assert (report.total, len(report.sentences)) == (10_000, 2000)
    numbers = [sentence.number for sentence in report.sentences]
    assert numbers == sorted(set(numbers))
    assert numbers != list(range(1, 2001))
    assert all(sources[sentence.number - 1] == sentence.source for sentence in report.sentences)
    html = render(report)
    assert len(html.encode()) < 10_000_000
    assert "random sample of 2,000 of\n10,000 sentences" in html


@pytest.mark.parametrize(("word", "kept"), [("word ", 3), ("é ", 2), ("слово ", 1)])
def test_long_lines_are_fewer(word: str, kept: int) -> None:
    """Lines of 10,000, 15,000 and 18,326 bytes; thrice, as source, reference and output; 100,000 bytes fit."""
    lines = [word * (10_000 // len(word))] * 30
    settings = Settings(("length",), samples=0)
    for limit, number in ((10**5, kept), (1, 1)):  # one is drawn whatever its size
        report = build(lines, [[line] for line in lines], [System("A", lines)], replace(settings, max_bytes=limit))
        assert len(report.sentences) == number


def test_labels_and_figures_of_many_systems_count_too() -> None:
    """Texts alone would fit: 1,000 sentences of 8 systems. Their labels would make the page twice as large."""
    rng = np.random.default_rng(1)
    words = np.array([f"w{number}" for number in range(1000)])
    lines = [" ".join(line) for line in words[rng.integers(1000, size=(1000, 12))]]
    outputs = [" ".join(line[:6]) + " and " + " ".join(line[6:]) for line in map(str.split, lines)]
    systems = [System(f"s{k}", outputs) for k in range(8)]
    size = sum(map(len, lines)) * 2 + sum(map(len, outputs)) * len(systems)
    report = build(lines, [[line] for line in lines], systems, Settings(("length",), samples=0, max_bytes=size))
    data = json.dumps(embedded(Page(render(report))), separators=(",", ":"), ensure_ascii=False)
    assert 1.2 * size < len(data) < 1.5 * size
    assert len(report.sentences) < 1000
    rules = [[{"rule": "x" * 2000, "owner": "pt", "score": 1.0}]] * len(lines)
    ruled = [System(system.name, system.outputs, rules) for system in systems]
    report = build(lines, [[line] for line in lines], ruled, Settings(("length",), samples=0, max_bytes=size))
    assert len(render(report).encode()) < 2 * size


def test_a_sample_for_lack_of_space_is_random_too() -> None:
    lines = [f"Line {number:04} has as many letters as any." * 20 for number in range(200)]
    drawn = []
    for seed in (1, 2):
        settings = Settings(("length",), samples=0, seed=seed, max_bytes=50 * 3 * len(lines[0]))
        report = build(lines, [[line] for line in lines], [System("A", lines)], settings)
        drawn.append([sentence.number for sentence in report.sentences])
    assert [len(numbers) for numbers in drawn] == [50, 50]
    assert drawn == [sorted(numbers) for numbers in drawn]
    assert drawn[0] != drawn[1]
    assert min(map(max, drawn)) > 100


def test_without_references_metrics_that_need_none() -> None:
    report = build(SOURCES, [[] for _ in SOURCES], [System("A", GOOD)], Settings(metrics=("fk",), samples=0))
    assert [row.name for row in report.rows] == ["A", SOURCE]
    html = render(report)
    mentions = [text for text in Page(html).texts if "eference" in text]
    assert mentions == ["References per sentence", "Features without references"]
    assert "precision" not in html
    assert "references" not in report.to_dict()["labels"]
    with pytest.raises(SbmtError, match="sentence 1 has no reference"):
        build(SOURCES, [[] for _ in SOURCES], [System("A", GOOD)], Settings(samples=0))


def test_labels_are_not_compared_where_a_sentence_has_no_reference() -> None:
    references = [[], *REFERENCES[1:]]
    report = build(SOURCES, references, [System("A", GOOD)], Settings(metrics=("fk",), samples=0))
    page = Page(render(report))
    assert "precision" not in " ".join(page.texts)
    assert page.texts.count("References") == 2  # a column of features and one of labels


def test_one_system_that_changes_nothing() -> None:
    report = build(SOURCES, REFERENCES, [System("A", SOURCES)], Settings(metrics=("length",), samples=0))
    assert report.feature_values["A"]["exact copy"].all()
    page = Page(render(report))
    assert page.texts.count("unchanged") == 1  # the choice of it
    assert not [text for text in page.texts if "★" in text or "aseline" in text]  # there is nobody to compare


def test_mistakes_are_named() -> None:
    systems = [System("A", GOOD)]
    for sources, others, message in (
        ([], [System("A", [])], "no sentence to report on"),
        (SOURCES, [*systems, *systems], "two systems have the same name"),
        (SOURCES, [System("A", GOOD[1:])], "A has 5 lines for 6 sources"),
        (SOURCES, [System("references", GOOD)], "'references' cannot be a system's name"),
        (SOURCES, [], "no system to report on"),
    ):
        with pytest.raises(SbmtError, match=message):
            build(sources, REFERENCES[: len(sources)], others, Settings())
    with pytest.raises(SbmtError, match="baseline 'B' is not among"):
        build(SOURCES, REFERENCES, systems, Settings(baseline="B"))
    with pytest.raises(TypeError, match=r"references\[0\] is a text, not a list of lines"):
        build(SOURCES, SOURCES, systems, Settings())


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"metrics": "sari"}, "metrics: expected a list, found 'sari'"),
        ({"metrics": (len,)}, r"metrics\[0\]: expected text, found <built-in function len>"),
        ({"metrics": ()}, "metrics: there is none to report"),
        ({"samples": 1.5}, "samples: expected a whole number, found 1.5"),
        ({"samples": -1}, "samples: -1 is not at least 0"),
        ({"max_sentences": "9"}, "max_sentences: expected a whole number, found '9'"),
        ({"max_bytes": 0}, "max_bytes: 0 is not at least 1"),
        ({"origin": {"data": "mine"}}, "origin: expected a list, found {'data': 'mine'}"),
        ({"origin": [["data"]]}, r"origin: \('data',\) is no pair of a name and a value"),
    ],
)
def test_settings_that_cannot_be(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        Settings(**changes)


@pytest.mark.parametrize(
    ("systems", "kind", "message"),
    [
        ({"A": GOOD}, TypeError, "systems: 'A' is no System"),
        ([System("A", "a text")], TypeError, r"System\('A'\)\.outputs is a text, not a list of lines"),  # type: ignore[arg-type]
        ([System("A", GOOD, [[]])], SbmtError, "A has changes of 1 line for 6 sources"),
        ([System("A", GOOD, "rule")], TypeError, r"System\('A'\)\.changes: 'rule' is no list: give a list for each"),  # type: ignore[arg-type]
        ([System("A", GOOD, [["rule"]] * 6)], TypeError, r"\.changes\[0\]: \['rule'\] is no list of mappings: give"),  # type: ignore[list-item]
        ([System("A", GOOD, [[], None] * 3)], TypeError, r"\.changes\[1\]: None is no list of mappings"),  # type: ignore[list-item]
        ([System("A", ["\ud800", *GOOD[1:]])], SbmtError, r"sentence 1: '\\ud800' holds half of a surrogate pair"),
    ],
)
def test_systems_that_cannot_be(systems: Any, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        build(SOURCES, REFERENCES, systems, Settings())


def test_settings_are_no_dictionary_and_reports_do_not_compare() -> None:
    with pytest.raises(TypeError, match=r"settings: {} is no Settings"):
        build(SOURCES, REFERENCES, [System("A", GOOD)], {})  # type: ignore[arg-type]
    one, other = (build(["a"], [["b"]], [System("A", ["c"])], Settings(metrics=("sari",))) for _ in range(2))
    assert (one == other, one.rows[0] == other.rows[0]) == (False, False)  # arrays have no single answer
    assert one.to_dict() == other.to_dict()


def test_a_reference_is_not_compared_with_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = "def among(source, output, references):\n    return 100.0 * (output in references)\n"
    (tmp_path / "found_among.py").write_text(code, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    references = [["one", "two"], ["three", "three"]]
    built = build(["a", "b"], references, [System("x", ["two", "c"])], Settings(metrics=("found_among:among",)))
    scores = {row.name: row.results["found_among:among"].score.value for row in built.rows}
    assert scores == {"x": 50, SOURCE: 0, REFERENCE: 50}


def test_the_best_are_marked_where_higher_is_better() -> None:
    systems = [System("copy", SOURCES), System("good", GOOD), System("same", GOOD)]
    built = build(SOURCES, REFERENCES, systems, Settings(metrics=("sari", "fk", "levenshtein"), samples=0))
    marked = re.findall(r'aria-label="best"[^<]*</span> ([\d.]+)', re.sub(r">★", ">", render(built)))
    assert marked == [f"{built.rows[1].results['sari'].score.value:.2f}"] * 2  # and not of what less is better
    heads = re.findall(r'<th scope="col" class="n">(\w+)(<span class="sub">higher is better)?', render(built))[:3]
    assert [name for name, remark in heads if remark] == ["sari"]


def test_tests_say_which_is_better() -> None:
    sources = [f"The old mill number {k} burned down , it is said ." for k in range(30)]
    outputs = [source.replace(" , it is said", "") for source in sources]
    systems = [System("copy", sources), System("short", outputs)]
    page = Page(render(build(sources, [[line] for line in outputs], systems, Settings(("sari", "length"), samples=0))))
    said = [text for text in page.texts if text.startswith("p\u00a0")]  # no line ends within a p-value
    least = "p\u00a0≤\u00a00.0001"  # (0 + 1) / (10,000 swaps + 1)
    assert said == [f"{least}, better", f"{least}, lower"]


def test_many_tests_are_remarked_on() -> None:
    systems = [System(name, GOOD) for name in "ABC"]
    for metrics, remark in (
        (("length",), ""),
        (("length", "fk"), "4 uncorrected tests: by chance alone one in 20"),
    ):
        html = render(build(SOURCES, REFERENCES, systems, Settings(metrics=metrics, samples=0)))
        assert ("one in 20" in html) is bool(remark)
        assert remark in html


def test_one_sentence_has_no_intervals() -> None:
    html = render(build(SOURCES[:1], REFERENCES[:1], [System("A", GOOD[:1])], Settings(metrics=("fk",), samples=100)))
    assert "bootstrap" not in html
    assert "<dt>Intervals</dt><dd>none</dd>" in html


def test_what_divides_by_no_word_or_by_few_is_a_dash() -> None:
    """Each of the sentences has one word deleted and none moved."""
    source, output = "The old mill burned down .", "The mill burned down ."

    def page(sentences: int) -> tuple[dict[str, str], str]:
        texts = [[line] * sentences for line in (source, output)]
        report = build(
            texts[0], [[line] for line in texts[1]], [System("A", texts[1])], Settings(("length",), samples=0)
        )
        assert report.to_dict()["agreement"]["A"]["move"] == {"precision": None, "recall": None, "f1": None}
        html = render(report)
        cell = r'<th scope="row">(?:<span[^>]*>)?(\w[\w ]+)<.*?<span class="sub">([^<]*)<'
        rows = re.findall(cell, html, re.DOTALL)
        return {name: " ".join(unescape(figures).split()) for name, figures in rows[-5:]}, " ".join(html.split())

    cells, html = page(20)
    assert cells["Move"] == "P – R – F1 –"
    assert cells["Delete"] == "P 100.0 R 100.0 F1 100.0"
    assert "the source unchanged has 83.3" in html  # five of six tokens
    assert page(19)[0]["Delete"] == "P – R – F1 –"


def test_references_are_outlined_over_features_at_the_same_scale() -> None:
    [(_, chart)] = charts.histograms({"A": np.array([0.1, 0.6])}, np.linspace(0, 1, 3), "ratio", np.full(8, 0.9))
    [points] = re.findall(r'<polyline class="outline" points="([^"]+)"', chart)
    heights = [float(point.split(",")[1]) for point in points.split()]
    bars = [float(y) for y in re.findall(r'<rect x="[^"]+" y="([^"]+)"', chart)]
    assert heights[0] == heights[1] > bars[0]  # none of the eight is below one half ...
    assert heights[2] == heights[3] < bars[1]  # ... and all above count as two, beside one
    grid = [float(y) for y in re.findall(r'class="grid"[^>]* y1="([^"]+)"', chart)]  # of 0, 1, 2
    assert heights[::2] == grid[::2]
    [(_, chart)] = charts.histograms({"A": np.array([0.1])}, np.linspace(0, 1, 3), "ratio", np.array([3.0]))
    assert ">1+<" in chart  # which some of theirs are


def test_a_metric_between_0_and_1_has_its_own_axis_and_decimals(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = "def share(source, output, references):\n    return 0.5 + len(output) / 1000\n"
    (tmp_path / "small.py").write_text(code, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    built = build(SOURCES, REFERENCES, [System("A", GOOD)], Settings(metrics=("small:share",), samples=0))
    html = render(built)
    bars = re.findall(r"<title>([\d.]+) to ([\d.]+): (\d+)</title>", html)[:20]
    assert (bars[0][0], bars[-1][1]) == ("0.5", "0.6")
    assert sum(count != "0" for *_, count in bars) > 2
    assert f"{built.rows[0].results['small:share'].score.value:.4f}" in html
    assert embedded(Page(html))["decimals"] == [4]  # as of the whole


def test_negative_scores_have_an_axis_that_holds_them() -> None:
    """iBLEU, whose scale ends at 100, is below 0 for a copy that no reference resembles."""
    sources = ["The old mill burned down ."] * 2
    settings = Settings(metrics=("ibleu:corpus,alpha=0.5",), samples=0)
    report = build(sources, [["It burned ."]] * 2, [System("A", sources)], settings)
    bars = re.findall(r"<title>(\S+) to (\S+): (\d+)</title>", render(report))[:20]
    ends = [tuple(float(end.replace("\u2212", "-")) for end in bar[:2]) for bar in bars]
    [score] = set(report.rows[0].results["ibleu:corpus,alpha=0.5"].sentences.tolist())
    assert score < 0
    assert [ends[k] for k, bar in enumerate(bars) if bar[2] == "2"] == [
        (low, high) for low, high in ends if low <= score < high
    ]


def test_long_ranges_of_lengths_take_two_lines() -> None:
    def labels(longest: int) -> list[str]:
        sources = ["a " * length for length in (*range(1, 9), longest - 1, longest)]
        report = build(
            sources, [[line] for line in sources], [System("A", sources)], Settings(metrics=("length",), samples=0)
        )
        return re.findall(r'text-anchor="middle">([^<]*)<', render(report))[:16]

    assert labels(999)[8:10] == ["998–999", "n = 2"]
    assert labels(1000)[:3] == ["1–", "2", "n = 2"]
    assert labels(1000)[12:15] == ["999–", "1000", "n = 2"]


def test_what_is_no_score_does_not_break_the_sentences() -> None:
    changes: list[list[dict[str, Any]]] = [[] for _ in SOURCES]
    changes[0] = [{"score": float("nan")}, {"score": "high", "rule": None}, {"score": -2}]
    report = build(SOURCES, REFERENCES, [System("A", GOOD, changes)], Settings(metrics=("length",), samples=0))
    data = Page(render(report)).data
    assert "NaN" not in data
    assert json.loads(data)["sentences"][0]["o"][0]["d"] == [["", "", None], ["", "", None], ["", "", -2]]
