"""The page of changes in a browser: its list, switching back, copying, keys, paper, and without a script."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from sbmt.cli.decode import main
from tests.browser import needs_browser, printed, probed

pytestmark = needs_browser

# Works the page and leaves what it saw in an element.
PROBE = """
<script>
const all = (what, where = document) => Array.from(where.querySelectorAll(what));
const found = {};
const words = all(".words");
const shown = () => all("section > p").map((p) => p.innerText.trim());
const note = (i) => getComputedStyle(words[i].nextSibling).display;
const press = (node, key) => node.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
const pick = (id) => { document.getElementById(id).checked = true; };
const copies = [];
Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => { copies.push(text); } } });

addEventListener("load", async () => {
  const counted = () => document.getElementById("count").textContent;
  found.count = [counted()];
  found.rows = all("#kinds tr").map((row) => all("td", row).slice(0, 2).map((cell) => cell.textContent));
  found.codes = all("code", all("#kinds tr")[0]).map((code) => code.textContent);
  found.folded = all("details").every((node) => !node.open);
  found.labels = words.map((node) => node.getAttribute("aria-label"));
  const pressed = () => words.map((node) => node.getAttribute("aria-pressed") === "true");
  found.closed = note(0);
  words[0].focus();
  found.open = note(0);
  press(words[0], "Escape");
  found.escaped = note(0);
  words[1].focus();
  words[0].focus();
  found.again = note(0);
  press(words[0], "Enter");
  words[1].click();
  found.pressed = [pressed()];
  found.struck = all("del, ins", words[0]).map((node) => getComputedStyle(node).textDecorationLine);
  found.count.push(counted());
  const [first, second] = all("section > button");
  first.click();
  await new Promise((done) => setTimeout(done, 50));
  found.said = document.getElementById("said").textContent;
  pick("simple");
  found.simple = shown();
  pick("source");
  found.source = shown();
  pick("both");
  press(words[0], " ");
  second.click();
  first.click();
  await new Promise((done) => setTimeout(done, 50));
  all("#kinds button")[0].click();
  found.pressed.push(pressed());
  all("#kinds button")[0].click();
  found.pressed.push(pressed());
  found.copies = copies;
  dispatchEvent(new Event("beforeprint"));
  found.print = document.getElementById("list").open;
  dispatchEvent(new Event("afterprint"));
  found.print = [found.print, document.getElementById("list").open];
  found.outside = performance.getEntriesByType("resource").length;
  found.injected = all("section b, #kinds b, section script").length;
  found.wide = document.documentElement.scrollWidth <= document.documentElement.clientWidth;
  const result = document.createElement("pre");
  result.id = "probe";
  result.textContent = JSON.stringify(found);
  document.body.append(result);
});
</script>
"""


@pytest.fixture(scope="module")
def page(bundle: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Of two texts, one of them with Windows' line ends."""
    folder = tmp_path_factory.mktemp("texts")
    (folder / "a.txt").write_bytes(b"Numerous <b>tools</b>.\r\n\r\nIt was Ulm's population\r\nFine.\r\n")
    (folder / "b.txt").write_text("He saw numerous.\n")
    out = folder / "page.html"
    assert not main(["-m", str(bundle), "--output", "html", "-o", str(out), *map(str, sorted(folder.glob("*.txt")))])
    return out.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def found(page: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the probe saw in the page."""
    return probed(page, PROBE, tmp_path_factory.mktemp("browser"))


def test_changes_are_counted_and_listed(found: dict[str, Any]) -> None:
    assert found["count"][0] == "3 changes in 3 of 4 lines"
    assert found["rows"] == [
        ["2", "Numerous \u2192 Many"],
        ["1", "Ulm's population \u2192 the population of Ulm"],
    ]
    assert found["codes"] == ["[JJ] ||| numerous ||| many", "numerous != many", "numerous = numerous"]
    assert found["folded"]
    assert found["labels"][1] == "Ulm's population becomes the population of Ulm"


def test_notes_open_on_focus_and_close_by_escape(found: dict[str, Any]) -> None:
    assert [found[name] for name in ("closed", "open", "escaped", "again")] == ["none", "block", "none", "block"]


def test_changes_are_switched_back_and_again(found: dict[str, Any]) -> None:
    """By Enter, a click and the space bar; and all of a kind."""
    assert found["pressed"] == [[False, False, True], [False, False, False], [True, False, True]]
    assert found["count"][1] == "3 changes in 3 of 4 lines, 2 switched back"
    assert found["struck"] == ["underline", "line-through"]  # what stands, and what does not


def test_views_and_copies_are_of_the_text_as_it_stands(found: dict[str, Any]) -> None:
    source = ["Numerous <b>tools</b>.", "", "It was Ulm's population", "Fine.", "He saw numerous."]
    assert found["simple"] == [*source[:4], "He saw many."]
    assert found["source"] == source
    first = "Numerous <b>tools</b>.\n\nIt was Ulm's population\nFine.\n"
    assert found["copies"] == [first, "He saw many.\n", first.replace("Numerous", "Many")]
    assert found["said"] == "Copied."


def test_nothing_is_fetched_or_injected_and_paper_has_the_list(
    found: dict[str, Any], page: str, tmp_path: Path
) -> None:
    assert (found["outside"], found["injected"], found["wide"]) == (0, 0, True)
    assert found["print"] == [True, False]
    assert printed(page, tmp_path).startswith(b"%PDF")


WITHOUT = """
<script>
addEventListener("load", () => {
  const words = document.querySelector(".words");
  words.focus();
  const found = { note: getComputedStyle(words.nextSibling).display, tools: document.getElementById("tools").hidden };
  const result = document.createElement("pre");
  result.id = "probe";
  result.textContent = JSON.stringify(found);
  document.body.append(result);
});
</script>
"""


def test_it_needs_no_script(page: str, tmp_path: Path) -> None:
    """Notes open; what takes a script is not offered."""
    bare = re.sub(r"<script>.*</script>", "", page, flags=re.DOTALL)
    assert probed(bare, WITHOUT, tmp_path) == {"note": "block", "tools": True}
