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
  await FOCUSED;
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
  found.copying = all("section > button").map((node) => node.getAttribute("aria-label"));
  first.click();
  await new Promise((done) => setTimeout(done, 50));
  found.said = document.getElementById("said").textContent;
  pick("simple");
  found.simple = shown();
  pick("source");
  found.source = shown();
  const before = counted();
  words[0].click();
  press(words[0], "Enter");
  words[1].click();
  found.deaf = counted() === before;
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
  for (const rule of document.styleSheets[0].cssRules) {
    if (rule.media?.mediaText === "print") rule.media.mediaText = "screen";
  }
  const paper = ["fieldset", "details", "#count + span", ".why", "section > button", "#count"];
  found.paper = paper.map((what) => document.querySelector(what).checkVisibility());
  leave(found);
});
</script>
"""


@pytest.fixture(scope="module")
def page(bundle: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Of two texts, one of them with Windows' line ends, and an empty one."""
    folder = tmp_path_factory.mktemp("texts")
    (folder / "a.txt").write_bytes(b"Numerous <b>tools</b>.\r\n\r\nIt was Ulm's population\r\nFine.\r\n")
    (folder / "b.txt").write_text("He saw numerous.\n")
    (folder / "c.txt").touch()
    out = folder / "page.html"
    assert not main(["-m", str(bundle), "--output", "html", "-o", str(out), *map(str, sorted(folder.glob("*.txt")))])
    return out.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def found(page: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the probe saw in the page, whose last change is shown as if another rule had made it."""
    before, _, after = page.rpartition("[JJ] |||")
    return probed(f"{before}[PDT] |||{after}", PROBE, tmp_path_factory.mktemp("browser"))


def test_changes_are_counted_and_listed(found: dict[str, Any]) -> None:
    """Those of the same words in one row, whichever rules made them."""
    assert found["count"][0] == "3 changes in 3 of 4 lines"
    assert found["rows"] == [
        ["2", "Numerous \u2192 Many"],
        ["1", "Ulm's population \u2192 the population of Ulm"],
    ]
    rules = [f"[{label}] ||| numerous ||| many" for label in ("JJ", "PDT")]
    assert found["codes"] == [*rules, "numerous != many", "numerous = numerous"]
    assert found["folded"]
    assert found["labels"][1] == "Ulm's population becomes the population of Ulm"


def test_notes_open_on_focus_and_close_by_escape(found: dict[str, Any]) -> None:
    assert [found[name] for name in ("closed", "open", "escaped", "again")] == ["none", "block", "none", "block"]


def test_changes_are_switched_back_and_again(found: dict[str, Any]) -> None:
    """By Enter, a click and the space bar; and all of a kind; but not where only the source is shown."""
    assert found["deaf"]
    assert found["pressed"] == [[False, False, True], [False, False, False], [True, False, True]]
    assert found["count"][1] == "3 changes in 3 of 4 lines, 2 switched back"
    assert found["struck"] == ["underline", "line-through"]  # what stands, and what does not


def test_views_and_copies_are_of_the_text_as_it_stands(found: dict[str, Any]) -> None:
    copying = [name.rpartition("/")[2] for name in found["copying"]]
    assert (found["copying"][0].split(":")[0], copying) == ("Copy the text as it stands now", ["a.txt", "b.txt"])
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
    assert found["paper"] == [False] * 5 + [True]  # nothing that takes a pointer or keys
    assert printed(page, tmp_path).startswith(b"%PDF")


POINTER = """
<script>
addEventListener("load", () => {
  const reached = Array.from(document.querySelectorAll(".words"), (words) => {
    words.focus();
    words.parentNode.scrollIntoView();
    const note = words.nextSibling.getBoundingClientRect();
    const last = Array.from(words.getClientRects()).pop();
    const xs = [0.1, 0.5, 0.9].map((part) => last.left + part * last.width);
    const ys = Array.from({ length: 8 }, (_, i) => last.bottom - 2 + i * (note.top + 4 - last.bottom) / 7);
    return xs.every((x) => ys.every((y) => words.parentNode.contains(document.elementFromPoint(x, y))));
  });
  leave({ reached });
});
</script>
"""


def test_a_pointer_reaches_the_notes(bundle: Path, tmp_path: Path) -> None:
    """Below changes at the left, in the middle, at the right and over two lines: nothing between is of another."""
    (tmp_path / "text").write_text("Numerous words of which there are numerous. " * 9 + "\n" * 30)
    out = tmp_path / "out.html"
    assert not main(["-m", str(bundle), "--output", "html", "-o", str(out), str(tmp_path / "text")])
    assert probed(out.read_text(), POINTER, tmp_path)["reached"] == [True] * 18


FURTHER = """
<script>
addEventListener("load", () => {
  const seen = Array.from(document.querySelectorAll(".words"), (words) => {
    words.focus();
    return words.nextSibling.getBoundingClientRect().bottom <= innerHeight;
  });
  leave({ seen, scrolled: scrollY > 0 });
});
</script>
"""


def test_notes_are_seen_whole_where_the_tab_key_goes_down(bundle: Path, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("He saw numerous.\n" * 60)
    out = tmp_path / "out.html"
    assert not main(["-m", str(bundle), "--output", "html", "-o", str(out), str(tmp_path / "text")])
    assert probed(out.read_text(), FURTHER, tmp_path) == {"seen": [True] * 60, "scrolled": True}


LAYOUT = """
<script>
const lefts = Array.from(document.querySelectorAll("section > p"), (p) => {
  const range = document.createRange();
  range.selectNodeContents(p.firstChild);
  return range.getBoundingClientRect().left - p.getBoundingClientRect().left;
});
const note = document.querySelector(".why");
leave({
  indented: lefts.map((left) => left > 100),
  note: getComputedStyle(note).direction,
  landmarks: Array.from(document.body.children, (node) => node.tagName).filter((tag) => tag !== "SCRIPT"),
});
</script>
"""


def test_lines_have_their_own_direction_and_all_stands_in_landmarks(bundle: Path, tmp_path: Path) -> None:
    """A Hebrew line begins at the right, its note reads from the left; a screen reader can go to the text at once."""
    (tmp_path / "text").write_text(
        "He saw numerous.\n\u05d6\u05d4\u05d5 \u05de\u05e9\u05e4\u05d8 numerous.\n", encoding="utf-8"
    )
    out = tmp_path / "out.html"
    assert not main(["-m", str(bundle), "--output", "html", "-o", str(out), str(tmp_path / "text")])
    shown = probed(out.read_text(encoding="utf-8"), LAYOUT, tmp_path)
    assert shown == {"indented": [False, True], "note": "ltr", "landmarks": ["HEADER", "MAIN"]}


WITHOUT = """
<script>
addEventListener("load", async () => {
  await FOCUSED;
  const words = document.querySelector(".words");
  words.focus();
  const found = { note: getComputedStyle(words.nextSibling).display, tools: document.getElementById("tools").hidden };
  leave(found);
});
</script>
"""


def test_it_needs_no_script(page: str, tmp_path: Path) -> None:
    """Notes open; what takes a script is not offered."""
    bare = re.sub(r"<script>.*</script>", "", page, flags=re.DOTALL)
    assert probed(bare, WITHOUT, tmp_path) == {"note": "block", "tools": True}
