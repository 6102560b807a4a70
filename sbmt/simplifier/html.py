"""A text with its changes as a page for people: what was struck out, what is new, and on pointing at it why."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from sbmt.features.applications import CONSTRAINT_OWNER
from sbmt.simplifier.formats import differences
from sbmt.simplifier.result import Change, Result

_SHOWN = 4  # parts of a score
HEAD = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="{encoding}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Simplified text</title>
<style>
:root {{ color-scheme: light dark; --old: light-dark(#8a3b12, #f0a27a); --new: light-dark(#0b4f9e, #8fc1ff);
  --line: light-dark(#c9c9c9, #555); --box: light-dark(#fff, #222) }}
body {{ font: 1.05rem/1.6 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto 12rem; padding: 0 1rem }}
p {{ white-space: pre-wrap; overflow-wrap: anywhere; margin: 0; min-height: 1.6em; position: relative }}
fieldset {{ border: 1px solid var(--line); border-radius: .4rem; margin-bottom: 1.5rem }}
label {{ margin-right: 1rem; white-space: nowrap }}
del {{ color: var(--old); text-decoration: line-through }}
ins {{ color: var(--new); text-decoration: underline dotted; text-underline-offset: .2em }}
del + ins {{ margin-left: .25em }}
.change:focus, .change:hover {{ background: light-dark(#fff3c4, #4a4320) }}
.why {{ display: none; position: absolute; left: 0; z-index: 1; max-width: 100%;
  box-sizing: border-box; background: var(--box); border: 1px solid var(--line); border-radius: .4rem;
  padding: .4rem .7rem; font-size: .8rem; line-height: 1.45; color: CanvasText; box-shadow: 0 2px 8px #0003 }}
.why span, .change:hover .why, .change:focus .why {{ display: block }}
body:has(#simple:checked) del, body:has(#source:checked) ins {{ display: none }}
body:has(#simple:checked) ins, body:has(#source:checked) del {{ color: inherit; text-decoration: none; margin: 0 }}
@media print {{ body {{ margin-bottom: 0 }} fieldset, .why {{ display: none !important }} }}
</style>
</head>
<body>
<fieldset><legend>Show</legend>
<label><input type="radio" name="view" id="both" checked> both texts</label>
<label><input type="radio" name="view" id="simple"> the simpler one</label>
<label><input type="radio" name="view" id="source"> the source</label>
<div>Point at a change, or go to it with the Tab key, to see the rule and what else could be written.</div>
</fieldset>
"""
TAIL = "</body>\n</html>\n"


def as_html(result: Result, number: int, colour: bool) -> str:
    """A line as a paragraph, its changes in place, each with its reasons."""
    pieces = []
    end = 0
    for (i, j), (a, b) in differences(result):
        inside = [change for change in result.changes if i <= change.source_span[0] and change.source_span[1] <= j]
        why = "".join(f"<span>{line}</span>" for change in inside for line in _reasons(change, result.score))
        both = (("del", result.source[i:j]), ("ins", result.output[a:b]))
        words = "".join(f"<{tag}>{escape(text)}</{tag}>" for tag, text in both if text)
        note = f'<span class="why" role="note">{why or "<span>words around moved</span>"}</span>'
        pieces.append(f'{escape(result.source[end:i])}<span class="change" tabindex="0">{words}{note}</span>')
        end = j
    return f"<p>{''.join(pieces)}{escape(result.source[end:])}</p>"


def _reasons(change: Change, score: float) -> Iterator[str]:
    """The rule, what its score is made of, and other wordings with what the line would lose by them."""
    old, new = (f"<q>{escape(words) or '&nbsp;'}</q>" for words in (change.source, change.output))
    if change.owner == CONSTRAINT_OWNER:
        yield f"{old} becomes {new}: the glossary wants it"
        return
    yield f"{old} becomes {new} <code>{escape(change.rule)}</code> ({escape(change.owner)})"
    parts = sorted(change.features.items(), key=lambda part: -abs(part[1]))[:_SHOWN]
    if parts:
        yield "score: " + ", ".join(f"{escape(name)} {value:+.2f}" for name, value in parts)
    if change.alternatives:
        others = (f"<q>{escape(other.output)}</q> {other.score - score:+.2f}" for other in change.alternatives)
        yield "instead: " + ", ".join(others)
