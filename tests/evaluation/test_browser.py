"""The report in a browser: what its script shows, and how it answers to the controls and the keyboard."""

from __future__ import annotations

import re
from html import escape
from pathlib import Path
from typing import Any

import pytest

from sbmt.evaluation.report.build import Settings, build
from sbmt.evaluation.report.content import Report
from sbmt.evaluation.report.page import render
from sbmt.evaluation.report.system import System
from sbmt.metrics.registry import each_variant
from tests.browser import needs_browser, printed, probed
from tests.evaluation.examples import GOOD, MARKUP_NAME, REFERENCES, SOURCES

pytestmark = needs_browser

# Runs in the page after its own script: works the controls and leaves what it saw in an element.
PROBE = """
<script>
window.seen = [];
const cards = () => Array.from(document.querySelectorAll("#list article"), (node) => node);
const numbers = () => cards().map((node) => Number(node.querySelector("h3").textContent.match(/\\d+/)[0]));
const set = (id, value) => {
  const node = document.getElementById(id);
  if (node.type === "checkbox") node.checked = value; else node.value = value;
  node.dispatchEvent(new Event("input", { bubbles: true }));
};
const choice = (id, text) => Array.from(document.getElementById(id).options).find((o) => o.textContent === text).value;
const found = {};
found.all = numbers();
const shown = ".source, .system > p:not(.became)";
found.texts = cards().map((node) => Array.from(node.querySelectorAll(shown), (p) => p.textContent));
found.references = cards().map((node) => Array.from(node.querySelectorAll(".refs li"), (li) => li.textContent));
found.folded = cards().every((node) => Array.from(node.querySelectorAll("details")).every((d) => !d.open));
found.directions = cards().map((node) => getComputedStyle(node.querySelector(".source")).direction);
found.names = Array.from(cards()[0].querySelectorAll("h4 bdi"), (node) => node.textContent);
found.rules = Array.from(document.querySelectorAll(".rules li"), (node) => node.textContent);
found.marks = Array.from(cards()[3].querySelectorAll(".system:nth-of-type(2) .m"), (node) => node.textContent);
const words = document.querySelectorAll("#list .d, #list .a, #list .r, #list .m");
found.tags = Array.from(words, (node) => node.className + node.tagName);
found.said = getComputedStyle(document.querySelector("#list .r"), "::before").content;
found.title = cards()[0].querySelector("h4").textContent;
found.decoration = getComputedStyle(document.querySelector("#list .d")).textDecorationLine;
found.becameByCard = cards().map((node) => node.querySelectorAll(".became").length);
set("removed", false);
found.became = document.querySelectorAll("#list .became").length;
set("kind", "move");
found.moved = numbers();
set("who", choice("who", "plain"));
found.movedByPlain = numbers();
found.none = document.getElementById("list").textContent;
found.status = document.getElementById("status").textContent;
set("kind", ""); set("who", "");
set("text", "DAWN");
found.dawn = numbers();
set("who", choice("who", '<good> & "quoted"')); set("text", "endeavoured");
found.inSource = numbers();
set("who", choice("who", "plain")); set("text", "tried to");
found.inOtherOutput = numbers();
set("text", ""); set("who", "");
set("sort", choice("sort", "tokens of the source")); set("order", "-1");
found.longestFirst = numbers();
set("sort", choice("sort", 'sari:easse: <good> & "quoted" minus plain')); set("order", "1");
found.byDifference = numbers();
const headings = () => cards().map((node) => node.querySelector("h3").textContent);
found.differenceHeadings = headings();
set("sort", choice("sort", 'compression ratio: <good> & "quoted"'));
found.byCompression = numbers();
found.compressionHeadings = headings();
set("sort", choice("sort", "sari:easse: plain"));
found.scoreHeadings = headings();
found.groups = Array.from(document.querySelectorAll("optgroup"), (node) => node.label);
found.focusable = Array.from(document.querySelectorAll("a, button, select, input, summary")).every((node) => {
  node.focus();
  const folded = node.closest("details:not([open]) > :not(summary), [hidden]");
  return document.activeElement === node || node.disabled || folded;
});
found.outside = performance.getEntriesByType("resource").length;
found.injected = document.querySelectorAll("#list b, #list script").length;
found.wide = document.documentElement.scrollWidth <= document.documentElement.clientWidth;
leave(found);
</script>
"""


@pytest.fixture(scope="module")
def found(report: Report, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the probe saw in the page, opened from disk."""
    return probed(render(report), PROBE, tmp_path_factory.mktemp("browser"))


def test_all_sentences_are_shown_as_they_are(found: dict[str, Any]) -> None:
    assert found["all"] == [1, 2, 3, 4, 5, 6]
    assert found["texts"] == [list(texts) for texts in zip(SOURCES, SOURCES, GOOD, strict=True)]
    assert found["references"] == [[line for line in lines if line] for lines in REFERENCES]
    assert found["names"] == ["plain", MARKUP_NAME]
    assert found["folded"]
    assert found["rules"] == ["[VBD] ||| utilized ||| used <i> from pt, score \u22120.25", "by hand "]


def test_marks_and_directions(found: dict[str, Any]) -> None:
    assert found["directions"] == ["ltr", "ltr", "rtl", "ltr", "ltr", "ltr"]
    assert found["marks"] == ["At dawn", "at dawn"]  # in the output, and in the source as it became
    assert found["decoration"] == "line-through"
    assert re.sub(r'[\s"]', "", found["said"]) in (
        "[replace:",
        "[attr(title):",
    )  # by a screen reader: what stands there is no text of the page
    assert found["title"].startswith("plain: sari:easse ")
    assert set(found["tags"]) == {"dDEL", "aINS", "rMARK", "mMARK"}
    assert found["becameByCard"] == [1, 1, 1, 1, 0, 0]  # where a word of the source was not copied, never to "plain"
    assert found["became"] == 0  # after switching it off


def test_filters_and_orders(found: dict[str, Any], report: Report) -> None:
    moved = [s.number for s in report.sentences if any("move" in output.kinds for output in s.outputs)]
    assert found["moved"] == moved
    assert 4 in moved
    assert 6 not in moved
    assert found["movedByPlain"] == []
    assert found["status"] == "0 of 6 sentences, page 1 of 1"
    assert found["none"] == "No sentence is like that."
    assert found["dawn"] == [4]
    assert found["inSource"] == [1]  # whose word no output of the system has
    assert found["inOtherOutput"] == []
    lengths = {sentence.number: len(sentence.tokens) for sentence in report.sentences}
    assert found["longestFirst"] == sorted(lengths, key=lambda n: (-lengths[n], n))
    plain, good = (row.results["sari:easse"].sentences for row in report.rows[:2])
    differences = {n + 1: round(float(good[n]), 2) - round(float(plain[n]), 2) for n in range(6)}
    ratios = [round(float(value), 3) for value in report.feature_values[MARKUP_NAME]["compression ratio"]]
    assert found["byCompression"] == sorted(range(1, 7), key=lambda n: (ratios[n - 1], n))
    assert found["groups"] == ["plain", MARKUP_NAME, f"{MARKUP_NAME} minus plain"]
    assert found["byDifference"] == sorted(differences, key=lambda n: (differences[n], n))


def test_headings_have_what_sentences_are_sorted_by(found: dict[str, Any], report: Report) -> None:
    """Unless it is a score, which stands beside the output."""
    heads = {
        sentence.number: f"Sentence {sentence.number} · {len(sentence.tokens)} tokens" for sentence in report.sentences
    }
    ratios = report.feature_values[MARKUP_NAME]["compression ratio"]
    assert found["compressionHeadings"] == [
        f"{heads[n]} · compression ratio: {MARKUP_NAME} {ratios[n - 1]:.3f}" for n in found["byCompression"]
    ]
    plain, good = (row.results["sari:easse"].sentences.round(2) for row in report.rows[:2])
    assert found["differenceHeadings"] == [
        f"{heads[n]} · sari:easse: {MARKUP_NAME} minus plain {good[n - 1] - plain[n - 1]:.2f}"
        for n in found["byDifference"]
    ]
    assert set(found["scoreHeadings"]) == set(heads.values())


def test_controls_take_the_focus_and_nothing_is_fetched_or_injected(found: dict[str, Any]) -> None:
    assert found["focusable"]
    assert found["outside"] == 0
    assert found["injected"] == 0
    assert found["wide"]


WIDTHS = """
<script>
const { scrollWidth, clientWidth } = document.documentElement;
const headers = Array.from(document.querySelectorAll("#features thead th"), (node) => node.clientWidth);
leave({ wide: scrollWidth <= clientWidth, header: Math.max(...headers) / clientWidth });
</script>
"""


def test_long_names_make_no_page_that_goes_on_to_the_right(tmp_path: Path) -> None:
    """Such as paths of outputs; a word without spaces has to be broken."""
    name = "experiments_of_2024_10_12_with_a_large_model_and_five_beams_" * 3
    report = build(SOURCES, REFERENCES, [System(name, GOOD)], Settings(metrics=("fk",), title=name, samples=0))
    measured = probed(render(report), WIDTHS, tmp_path)
    assert measured["wide"]
    assert measured["header"] < 1 / 2


def test_it_prints(report: Report, tmp_path: Path) -> None:
    assert printed(render(report), tmp_path).startswith(b"%PDF")


PRINTING = """
<script>
const count = () => ["#list article", "details:not([open])"].map((what) => document.querySelectorAll(what).length);
const seen = [count()];
for (const name of ["beforeprint", "afterprint"]) { dispatchEvent(new Event(name)); seen.push(count()); }
const [, , , next] = document.querySelectorAll(".pages button");  // that below the sentences
next.focus();
next.click();
const focus = [document.activeElement.id];
next.focus();
next.click();  // there is no third page
focus.push(document.activeElement === next);
const after = [focus, document.getElementById("status").textContent, count()[0]];
const order = document.getElementById("order");
order.value = "-1";
order.dispatchEvent(new Event("input", { bubbles: true }));
const reordered = document.getElementById("status").textContent;
for (const rule of document.styleSheets[0].cssRules) {
  if (rule.media?.mediaText === "print") rule.media.mediaText = "screen";
}
const parts = [".pages", "form", "header nav", "#scores"].map((what) => document.querySelector(what));
const paper = parts.map((node) => getComputedStyle(node).display);
leave({ seen, after, reordered, paper });
</script>
"""


def test_paper_has_all_and_pages_turn_with_the_focus(tmp_path: Path) -> None:
    systems = [System("good", GOOD * 5)]
    longer = build(SOURCES * 5, REFERENCES * 5, systems, Settings(metrics=("fk",), samples=0))
    printed = probed(render(longer), PRINTING, tmp_path)
    on_screen = 4 + 25  # parts, conventions, making, lengths; references of each sentence
    assert printed["seen"] == [[25, on_screen], [30, 0], [25, on_screen]]
    assert printed["after"] == [["status", True], "30 of 30 sentences, page 2 of 2", 5]
    assert printed["reordered"] == "30 of 30 sentences, page 1 of 2"
    assert printed["paper"] == ["none", "none", "none", "block"]


PAPER = """
<script>
for (const rule of document.styleSheets[0].cssRules) {
  if (rule.media?.mediaText === "print") rule.media.mediaText = "screen";
}
document.querySelectorAll("details").forEach((node) => { node.open = true; });
const tables = Array.from(document.querySelectorAll("table"));
const lines = (node) => {
  const range = document.createRange();
  range.selectNodeContents(node);
  return new Set(Array.from(range.getClientRects(), (box) => box.top)).size;
};
const headings = Array.from(document.querySelectorAll("thead th")).filter((node) => node.textContent === "References");
leave({ fits: tables.map((node) => node.offsetWidth <= node.parentNode.clientWidth), lines: headings.map(lines) });
</script>
"""


@pytest.mark.parametrize(
    ("n_systems", "metrics"), [(21, ("sari", "bleu", "fk")), (6, ("fk",)), (2, ("sari", *each_variant("quality:all")))]
)
def test_tables_with_many_columns_fit_on_paper(n_systems: int, metrics: tuple[str, ...], tmp_path: Path) -> None:
    systems = [System(f"system_{k}_with_beams", GOOD) for k in range(n_systems)]
    page = render(build(SOURCES, REFERENCES, systems, Settings(metrics=metrics, samples=100)))
    paper = probed(page, PAPER, tmp_path)
    assert len(paper["fits"]) > 3
    assert all(paper["fits"])
    assert paper["lines"] == [1, 1]  # the one word of a heading is not broken


WITHOUT = """
<script>
addEventListener("load", () => {
  const inner = document.querySelector("iframe").contentWindow;
  const display = (what) => inner.getComputedStyle(inner.document.querySelector(what)).display;
  leave({ form: display("form"), pages: display(".pages"), scores: display("#scores") });
});
</script>
"""


@pytest.mark.parametrize(
    ("sandbox", "form"), [("allow-same-origin", "none"), ("allow-same-origin allow-scripts", "flex")]
)
def test_without_a_script_nothing_is_offered_that_takes_one(
    report: Report, tmp_path: Path, sandbox: str, form: str
) -> None:
    framed = f'<body><iframe sandbox="{sandbox}" srcdoc="{escape(render(report))}"></iframe></body>'
    shown = probed(framed, WITHOUT, tmp_path)
    assert shown == {"form": form, "pages": "none", "scores": "block"}  # all sentences are on one page
