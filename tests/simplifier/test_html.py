"""The page of a text with its changes."""

from __future__ import annotations

from pathlib import Path

from sbmt.cli.decode import main
from sbmt.simplifier import Options, Simplifier
from sbmt.simplifier.html import as_html
from sbmt.text.glossary import Glossary
from tests.evaluation.page import Page


def test_a_page_holds_both_texts_and_the_reasons(bundle: Path, tmp_path: Path) -> None:
    text, out = tmp_path / "text", tmp_path / "page.html"
    text.write_text('He utilized numerous <b>tools</b> & "left".\n\nNothing here.\n')
    main(["-m", str(bundle), "--output", "html", "-o", str(out), str(text)])
    source = out.read_text(encoding="utf-8")
    page = Page(source)
    assert [len(page.all(tag)) for tag in ("html", "p", "del", "ins", "script", "b")] == [1, 3, 2, 2, 0, 0]
    assert "<del>utilized</del><ins>used</ins>" in source
    assert " &lt;b&gt;tools&lt;/b&gt; &amp; &quot;left&quot;.</p>\n<p></p>\n<p>Nothing here.</p>\n</body>" in source
    assert '<meta charset="utf-8">' in source


def test_the_encoding_is_named_as_browsers_know_it(bundle: Path, tmp_path: Path) -> None:
    text, out = tmp_path / "text", tmp_path / "page.html"
    text.write_text("café\n", encoding="latin-1")
    main(["-m", str(bundle), "--output", "html", "--encoding", "latin-1", "-o", str(out), str(text)])
    assert '<meta charset="iso8859-1">' in out.read_text(encoding="latin-1")  # a label of the Encoding Standard


def test_reasons(bundle: Path) -> None:
    """Of a rule: its parts by size, and what others would cost; of a glossary: that it is one."""
    result = Simplifier.load(bundle).simplify("He utilized tools")
    (change,) = result.changes
    shown = "".join(Page(as_html(result, 0, False)).texts)
    assert "utilized becomes used [VBD] ||| utilized ||| used (pt)" in shown
    largest = max(change.features.items(), key=lambda part: abs(part[1]))
    assert f"score: {largest[0]} {largest[1]:+.2f}, " in shown
    lost = {other.output: other.score - result.score for other in change.alternatives}
    others = ", ".join(f"{word} {loss:+.2f}" for word, loss in lost.items())
    assert shown.endswith(f"instead: {others} tools")
    wanted = Simplifier.load(bundle, Options(glossary=Glossary({("tools",): ("kit",)})))
    assert "tools becomes kit: the glossary wants it" in "".join(
        Page(as_html(wanted.simplify("tools"), 0, False)).texts
    )


def test_words_that_only_moved_are_shown_as_a_change(bundle: Path) -> None:
    """A change inside another has its reasons in the outer one's place."""
    result = Simplifier.load(bundle).simplify("We saw a numerous population there")
    page = Page(as_html(result, 0, False))
    assert len(page.all("del")) == 1
    assert [text for text in page.texts if "|||" in text] == [change.rule for change in result.changes]
