"""Code, markup and placeholders in a text: what a machine reads must come out as it stands.

Indented and fenced blocks and code spans as in CommonMark 0.31 (sections 4.4, 4.5, 6.1), with three departures.
People indent paragraphs, verse and headings, too: indented lines are code only from one on that looks like it, up to
the end of the block, and may be so in a list. A fence may be indented in any way and follow the marks of lists and
quotations. A span between several backticks holds no '' and has no space at its ends, unlike LaTeX's quotes.

Scripts and styles of HTML are code, too, and so are lines of JSON.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterable, Iterator

_log = logging.getLogger(__name__)

Line = tuple[str, bool]  # and whether it is in a block of code

CODE = re.compile(
    r"""
      (?<!`)`(?=[^\s`])[^`\n]*(?<=\S)`(?!`)    # `code`
    | (?<!`)(?P<ticks>`{2,})(?=[^\s`])(?:(?!'')[^`\n])*(?<=\S)(?P=ticks)(?!`)
    | \{\{[^{}]*\}\} | \{%[^{}]*%\} | \$?\{[^{}\s]+\} | %\(\w+\)[a-z]  # {{ name }}, {% if %}, {name}, %(name)s
    | \$[a-z_]\w* | %\w+% | <%[^<>%]*%>   # $name, %name%, <%= name %>
    | (?<![\w.])[a-z_][\w.]*\(\)          # name()
    | <(?:!--.{0,1000}?-->|/?[a-z][\w:-]*(?:\s+[\w:@.-]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>]+))?)*\s*/?>)  # tags
    | &(?:\#\d+|\#x[0-9a-f]+|[a-z]+\d*);         # &amp;
    | \]\([^()\s]+\) | \]\[[^\[\]]+\] | \[\[[^\[\]|]+(?=[]|])  # where [links](lead), [or][so], [[or|so]]
    """,
    re.VERBOSE | re.IGNORECASE,
)
_OPENING = re.compile(r"<(script|style)\b[^<>]*(?<!/)>", re.IGNORECASE)
_CLOSINGS = {name: re.compile(rf"</{name}\s*>", re.IGNORECASE) for name in ("script", "style")}
_LONGEST_SHOWN = 10  # characters of a fence, in a message
_FENCE = re.compile(r"[\s>]*(?P<item>(?:(?:[-*+]|\d{1,9}[.)])\s[\s>]*)*)(?P<fence>`{3,}(?=[^`]*$)|~{3,})(?P<info>.*)")
_INDENTED = re.compile(r" {0,3}\t| {4}")
# What nobody writes in a sentence, in lines without their indentation.
_LOOKS_LIKE_CODE = re.compile(
    r"""
      (?:^[\w.$\[\]"']+\ ?|\ )[-+*/|:]?=\ ?(?=\S)  # x = 1, x+=1
    | (?<!\w)[A-Za-z_]\w*\((?!\w{1,3}\))       # get(start); but person(s)
    | &&|\|\||[{}]$|^[])}]+[;,]?$
    | ^"[^"]+":\ ?(?:["{\[\d-]|true|false|null)  # JSON
    | ^(?:\$\ [a-z]|>>>\ |\#[!\s]|\#include|//|/\*|(?:def|function)\ \w+\(|import\ [\w.]+;?$|from\ \S+\ import\ )
    | ^(?:sudo|pip3?|npm|npx|git|cd|curl|wget|docker|python3?|apt|apt-get|brew|mkdir|chmod)\ \S
    | ^[a-z][\w./-]*\ (?:\S+\ )*--?[a-z]       # command --option
    """,
    re.VERBOSE,
)
_SENTENCE = re.compile(r"(?:[(\"“'‘]?[^\W\d_][\w'’-]*[)\"”'’]?[.,;:]? +){4}[(\"“'‘]?[^\W\d_]")  # five words in a row


def marked_lines(lines: Iterable[str], tokenized: bool, name: str = "") -> Iterable[Line]:
    """Lines of text, told by `in_code`, or of tokens, of which none is code."""
    return ((line, False) for line in lines) if tokenized else in_code(lines, name)


def in_code(lines: Iterable[str], name: str = "") -> Iterator[Line]:
    """Yield each line, and whether it is in a block of code; fences count as code, blank lines only between fences.

    A fence, script or style that nothing closes lasts to the end; that is logged, with the text's `name`. Each line is
    told as soon as it is read.
    """
    may_begin, is_code, after_blank = True, False, True
    for line, is_inside in _inside_marks(lines, name):
        body = line.strip()
        if is_inside or not body:
            after_blank, is_code = True, is_code and not is_inside
            yield line, is_inside
            continue
        may_begin = bool(_INDENTED.match(line)) and (after_blank or may_begin)
        is_code = may_begin and not _SENTENCE.match(body) and (is_code or bool(_LOOKS_LIKE_CODE.search(body)))
        after_blank = False
        yield line, is_code or _is_json(body)


def elements(line: str, inside: str = "") -> tuple[list[tuple[int, int]], str]:
    """Characters of the scripts and styles of HTML that end in a line, and the name of one that is open at its end.

    `inside`: the one in which the line begins.
    """
    spans: list[tuple[int, int]] = []
    begin = end = 0
    while True:
        if not inside:
            opening = _OPENING.search(line, end)
            if opening is None:
                return spans, ""
            inside, (begin, end) = opening[1].lower(), opening.span()
        closing = _CLOSINGS[inside].search(line, end)
        if closing is None:
            return spans, inside
        inside, end = "", closing.end()
        spans.append((begin, end))


def _inside_marks(lines: Iterable[str], name: str) -> Iterator[Line]:
    """The same of what has marks alone: fenced blocks, and scripts and styles over several lines."""
    fence, element, opened = "", "", 0
    for number, line in enumerate(lines, 1):
        match = None if element else _FENCE.match(line.rstrip())
        if fence:
            closes = match and match["fence"].startswith(fence) and not (match["item"] or match["info"])
            yield line, True
            fence = "" if closes else fence
            continue
        was_inside = element
        if was_inside or line.lstrip().startswith("<"):
            element = elements(line, element)[1]
        fence = match["fence"] if match else ""
        opened = opened if was_inside else number
        yield line, bool(fence or element or was_inside)
    if fence or element:
        _log.warning(
            "%s: %s opens a block of code that nothing closes; where code is protected, all from there on is kept",
            f"{name}, line {opened}" if name else f"line {opened}",
            fence[:_LONGEST_SHOWN] or f"<{element}>",
        )


def _is_json(body: str) -> bool:
    """Whether a line, without the white space around it, is an object or array of JSON, or a key with its value."""
    if body[0] not in '{["' or '"' not in body:
        return False
    whole = body.removesuffix(",") + {"{": "}", "[": "]"}.get(body[-1], "")
    try:
        json.loads(f"{{{whole}}}" if body[0] == '"' else whole)
    except (ValueError, RecursionError):
        return False
    return True
