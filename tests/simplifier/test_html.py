"""The page of a text with its changes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sbmt.cli.decode import main
from sbmt.simplifier import Options, Simplifier
from sbmt.simplifier.html import Page, as_html
from sbmt.text.glossary import Glossary
from tests.evaluation.page import Page as Parsed


def test_a_page_holds_both_texts_and_the_reasons(bundle: Path, tmp_path: Path) -> None:
    text, out = tmp_path / "text", tmp_path / "page.html"
    text.write_text('He utilized numerous <b>tools</b> & "left".\n\nNothing here.\n')
    main(["-m", str(bundle), "--output", "html", "-o", str(out), str(text)])
    source = out.read_text(encoding="utf-8")
    page = Parsed(source)
    lines = source[source.index("<section>") : source.index("</section>")]
    assert [len(page.all(tag)) for tag in ("html", "section", "del", "ins", "script", "b")] == [1, 1, 2, 2, 1, 0]
    assert lines.count("<p>") == 3
    assert '<del>utilized</del><span class="between"> </span><ins>used</ins>' in source
    assert " &lt;b&gt;tools&lt;/b&gt; &amp; &quot;left&quot;.</p>\n<p></p>\n<p>Nothing here.</p>\n</section>" in source
    assert '<meta charset="utf-8">' in source


def test_changes_are_described_by_their_notes(bundle: Path, tmp_path: Path) -> None:
    """By names that are of one note each."""
    (tmp_path / "text").write_text("Numerous and numerous.\nNumerous.\n")
    main(["-m", str(bundle), "--output", "html", "-o", str(tmp_path / "page.html"), str(tmp_path / "text")])
    page = (tmp_path / "page.html").read_text()
    notes = re.findall(r'class="why" role="note" id="(.*?)"', page)
    assert notes == re.findall(r'tabindex="0" aria-describedby="(.*?)"', page)
    assert len(set(notes)) == 3


def test_a_page_may_fetch_nothing() -> None:
    whole = Page(["text"], "utf-8")
    page = Parsed(whole.head() + whole.end())
    policy = [a["content"] for a in page.all("meta") if a.get("http-equiv") == "Content-Security-Policy"]
    assert policy == ["default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"]


def test_each_text_has_its_name(bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty one, too, and whatever the number of workers; a text that comes through a pipe has none."""
    monkeypatch.chdir(tmp_path)
    for name, text in (("a&b.txt", "Numerous dogs.\n\n"), ("empty.txt", ""), ("c.txt", "Fine\n"), ("end.txt", "")):
        Path(name).write_text(text)
    pages = []
    for jobs in ("1", "2"):
        files = ["empty.txt", "a&b.txt", "empty.txt", "c.txt", "end.txt"]
        assert not main(["-m", str(bundle), "--output", "html", "--jobs", jobs, "-o", "page.html", *files])
        pages.append(Path("page.html").read_text())
    assert pages[0] == pages[1]
    body = pages[0][pages[0].index("<section>") : pages[0].index("<script>")]
    assert re.findall(r"<h2>.*|<section>|</section>|<p>", body) == [
        *("<section>", "<h2>empty.txt</h2>", "</section>"),
        *("<section>", "<h2>a&amp;b.txt</h2>", "<p>", "<p>", "</section>"),
        *("<section>", "<h2>empty.txt</h2>", "</section>"),
        *("<section>", "<h2>c.txt</h2>", "<p>", "</section>"),
        *("<section>", "<h2>end.txt</h2>", "</section>"),
    ]
    for names, title in (
        (["a&b.txt"], "a&amp;b.txt, simplified"),
        (["a&b.txt", "-"], "Simplified text of 2 files"),
        (["-"], "Simplified text"),
        (["a\udcff.txt"], "a\\udcff.txt, simplified"),
    ):
        head = Page(names, "utf-8").head()
        assert f"<title>{title}</title>" in head
        assert f"<h1>{title}</h1>" in head


def test_the_page_is_whole_in_any_encoding() -> None:
    """What it brings itself is ASCII."""
    page = Page(["text"], "ascii")
    assert (page.head() + page.end()).isascii()


def test_the_encoding_is_named_as_browsers_know_it(bundle: Path, tmp_path: Path) -> None:
    text, out = tmp_path / "text", tmp_path / "page.html"
    text.write_text("café\n", encoding="latin-1")
    main(["-m", str(bundle), "--output", "html", "--encoding", "latin-1", "-o", str(out), str(text)])
    assert '<meta charset="iso8859-1">' in out.read_text(encoding="latin-1")  # a label of the Encoding Standard


def test_reasons(bundle: Path) -> None:
    """Of a rule: its parts by size, and what others would cost; of a glossary: that it is one."""
    result = Simplifier.load(bundle).simplify("He utilized tools")
    (change,) = result.changes
    shown = "".join(Parsed(as_html(result, 0, False)).texts)
    assert shown.endswith("for your glossary: utilized != used or utilized = utilized tools")
    assert "utilized becomes used [VBD] ||| utilized ||| used (pt)" in shown
    largest = max(change.features.items(), key=lambda part: abs(part[1]))
    assert f"score: {largest[0]} {largest[1]:+.2f}, " in shown
    lost = {other.output: other.score - result.score for other in change.alternatives}
    others = ", ".join(f"{word} {loss:+.2f}" for word, loss in lost.items())
    assert f"instead: {others}for your" in shown
    wanted = Simplifier.load(bundle, Options(glossary=Glossary({("tools",): ("kit",)})))
    assert "tools becomes kit: the glossary wants it" in "".join(
        Parsed(as_html(wanted.simplify("tools"), 0, False)).texts
    )


def test_words_that_only_moved_are_shown_as_a_change(bundle: Path) -> None:
    """A change inside another has its reasons in the outer one's place."""
    result = Simplifier.load(bundle).simplify("We saw a numerous population there")
    page = Parsed(as_html(result, 0, False))
    assert len(page.all("del")) == 1
    assert [text for text in page.texts if "|||" in text] == [change.rule for change in result.changes]
