"""HTML pages of texts with their changes: deletions, insertions, and notes with the reasons.

The page works without its script, which adds a list of all changes and lets readers revert each of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files

from sbmt.features.sentence.application import CONSTRAINT_OWNER
from sbmt.io import writable
from sbmt.paths import STDIO, display_name
from sbmt.ppdb.rule import SEPARATOR
from sbmt.simplifier.formats import differences, trimmed
from sbmt.simplifier.result import Change, Result
from sbmt.text.glossary_lines import keeping_line, refusing_line

_MAX_PARTS = 4  # of a score, in notes
_BETWEEN = '<span class="between"> </span>'  # separates old and new words, also without styles


class Page:
    """The frame of a page around its lines: the head, a section per text, and the end."""

    def __init__(self, texts: Sequence[str], encoding: str) -> None:
        """`texts` are the names of the texts in order ("-": standard input), `encoding` is its name in HTML."""
        self._names = list(map(display_name, texts))
        self._encoding = encoding
        self._n_begun = 0

    def head(self) -> str:
        """Return everything before the first text."""
        title = "Simplified text"
        if len(self._names) > 1:
            title += f" of {len(self._names)} files"
        elif self._names != [display_name(STDIO)]:
            title = f"{self._names[0]}, simplified"
        styles = _resource("page.css")
        return _resource("page.html").format(encoding=self._encoding, title=escape(writable(title)), styles=styles)

    def before(self, text: int) -> str:
        """Return what precedes the next line of a text (from 0): the starts of its section and of empty ones before."""
        pieces = []
        while self._n_begun <= text:
            name = escape(writable(self._names[self._n_begun]))
            pieces += ["</section>\n"] if self._n_begun else []
            pieces += ["<section>\n", f"<h2>{name}</h2>\n" if len(self._names) > 1 else ""]
            self._n_begun += 1
        return "".join(pieces)

    def end(self) -> str:
        """Return everything after the last line."""
        sections = self.before(len(self._names) - 1)
        return f"{sections}</section>\n</main>\n<script>\n{_resource('page.js')}</script>\n</body>\n</html>\n"


def _resource(name: str) -> str:
    return files("sbmt.simplifier").joinpath(name).read_text(encoding="utf-8")


def as_html(result: Result, number: int, colour: bool) -> str:
    """Return a line as a paragraph with its changes and their reasons; `number` makes the ids of notes unique."""
    pieces = []
    end = 0
    for n, difference in enumerate(differences(result)):
        i, j = difference[0]
        inside = [change for change in result.changes if i <= change.source_span[0] and change.source_span[1] <= j]
        (i, j), (a, b) = trimmed(result, difference)
        reasons = "".join(f"<span>{line}</span>" for change in inside for line in _reasons(change, result.score))
        marked_sides = (("del", result.source[i:j]), ("ins", result.output[a:b]))
        words = _BETWEEN.join(f"<{tag}>{escape(text)}</{tag}>" for tag, text in marked_sides if text)
        name = f"why-{number}-{n}"
        note = f'<span class="why" role="note" id="{name}">{reasons or "<span>words around moved</span>"}</span>'
        shown = f'<span class="words" tabindex="0" aria-describedby="{name}">{words}</span>{note}'
        pieces.append(f'{escape(result.source[end:i])}<span class="change">{shown}</span>')
        end = j
    return f"<p>{''.join(pieces)}{escape(result.source[end:])}</p>"


def _reasons(change: Change, score: float) -> Iterator[str]:
    """Yield the rule, the parts of its score, other wordings with their loss of score, and lines for a glossary."""
    old, new = (f"<q>{escape(words.strip()) or '&nbsp;'}</q>" for words in (change.source, change.output))
    if change.owner == CONSTRAINT_OWNER:
        yield f"{old} becomes {new}: the glossary wants it"
        return
    yield f'{old} becomes {new} <code class="rule">{escape(change.rule)}</code> ({escape(change.owner)})'
    parts = sorted(change.features.items(), key=lambda part: -abs(part[1]))[:_MAX_PARTS]
    if parts:
        yield "score: " + ", ".join(f"{escape(name)} {value:+.2f}" for name, value in parts)
    if change.alternatives:
        others = (f"<q>{escape(other.output.strip())}</q> {other.score - score:+.2f}" for other in change.alternatives)
        yield "instead: " + ", ".join(others)
    _, source, target = change.rule.split(SEPARATOR, 2)
    lines = [refusing_line(source, target), keeping_line(source, target, change.source.strip())]
    if shown := [f'<code class="line">{escape(line)}</code>' for line in lines if line]:
        yield "for your glossary: " + " or ".join(shown)
