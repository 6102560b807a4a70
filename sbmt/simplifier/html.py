"""A text with its changes as a page for people: what was struck out, what is new, and on pointing at it why.

The page holds together without a script. Its script adds a list of all changes, and lets a reader switch each back.
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

_SHOWN = 4  # parts of a score
_BETWEEN = '<span class="between"> </span>'  # old words and new ones, also where styles are not shown


class Page:
    """What comes around the lines of a page: its head, a section for each text, and the end."""

    def __init__(self, texts: Sequence[str], encoding: str) -> None:
        """The names of the texts, in order ("-" is standard input); `encoding` as the web calls it."""
        self._names = list(map(display_name, texts))
        self._encoding = encoding
        self._begun = 0

    def head(self) -> str:
        """Everything before the first text."""
        title = "Simplified text"
        if len(self._names) > 1:
            title += f" of {len(self._names)} files"
        elif self._names != [display_name(STDIO)]:
            title = f"{self._names[0]}, simplified"
        styles = _resource("page.css")
        return _resource("page.html").format(encoding=self._encoding, title=escape(writable(title)), styles=styles)

    def before(self, text: int) -> str:
        """What comes before a line of that text, numbered from 0: its beginning, and those of empty texts before it."""
        made = []
        while self._begun <= text:
            name = escape(writable(self._names[self._begun]))
            made += ["</section>\n"] if self._begun else []
            made += ["<section>\n", f"<h2>{name}</h2>\n" if len(self._names) > 1 else ""]
            self._begun += 1
        return "".join(made)

    def end(self) -> str:
        """What comes after the last line."""
        sections = self.before(len(self._names) - 1)
        return f"{sections}</section>\n</main>\n<script>\n{_resource('page.js')}</script>\n</body>\n</html>\n"


def _resource(name: str) -> str:
    return files("sbmt.simplifier").joinpath(name).read_text(encoding="utf-8")


def as_html(result: Result, number: int, colour: bool) -> str:
    """A line as a paragraph, its changes in place, each with its reasons; `number` tells their names from others'."""
    pieces = []
    end = 0
    for n, difference in enumerate(differences(result)):
        i, j = difference[0]
        inside = [change for change in result.changes if i <= change.source_span[0] and change.source_span[1] <= j]
        (i, j), (a, b) = trimmed(result, difference)
        why = "".join(f"<span>{line}</span>" for change in inside for line in _reasons(change, result.score))
        both = (("del", result.source[i:j]), ("ins", result.output[a:b]))
        words = _BETWEEN.join(f"<{tag}>{escape(text)}</{tag}>" for tag, text in both if text)
        name = f"why-{number}-{n}"
        note = f'<span class="why" role="note" id="{name}">{why or "<span>words around moved</span>"}</span>'
        shown = f'<span class="words" tabindex="0" aria-describedby="{name}">{words}</span>{note}'
        pieces.append(f'{escape(result.source[end:i])}<span class="change">{shown}</span>')
        end = j
    return f"<p>{''.join(pieces)}{escape(result.source[end:])}</p>"


def _reasons(change: Change, score: float) -> Iterator[str]:
    """The rule, what its score is made of, other wordings with what the line would lose by them, lines to paste."""
    old, new = (f"<q>{escape(words.strip()) or '&nbsp;'}</q>" for words in (change.source, change.output))
    if change.owner == CONSTRAINT_OWNER:
        yield f"{old} becomes {new}: the glossary wants it"
        return
    yield f'{old} becomes {new} <code class="rule">{escape(change.rule)}</code> ({escape(change.owner)})'
    parts = sorted(change.features.items(), key=lambda part: -abs(part[1]))[:_SHOWN]
    if parts:
        yield "score: " + ", ".join(f"{escape(name)} {value:+.2f}" for name, value in parts)
    if change.alternatives:
        others = (f"<q>{escape(other.output.strip())}</q> {other.score - score:+.2f}" for other in change.alternatives)
        yield "instead: " + ", ".join(others)
    _, source, target = change.rule.split(SEPARATOR, 2)
    lines = [refusing_line(source, target), keeping_line(source, target, change.source.strip())]
    if shown := [f'<code class="line">{escape(line)}</code>' for line in lines if line]:
        yield "for your glossary: " + " or ".join(shown)
