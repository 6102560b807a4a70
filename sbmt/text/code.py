"""Code, markup and placeholders in a text: what a machine reads must come out as it stands.

Indented and fenced blocks and code spans as in CommonMark 0.31 (sections 4.4, 4.5, 6.1), with three departures.
People indent paragraphs, verse and headings, too: indented lines are code only from one on that looks like it, up to
the end of the block, and may be so in a list. A fence may be indented in any way and follow the marks of lists and
quotations. A span between several backticks holds no '' and has no space at its ends, unlike LaTeX's quotes.

Scripts, comments and tags of HTML are code, too, and so are front matter, definitions of links and lines of JSON.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sbmt.text.elements import COMMENT, KEPT_OVER_LINES, elements, opened_tag, tag_after

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
    | \](?:\[[^\[\]]+\]                       # where links lead: [or][so], [so](there), [so](there "Title")
          |\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s+(?:"[^"]*"|'[^']*'))?\s*\))
    | \[[^\[\]]+\]\[\] | \[\[[^\[\]|]+(?=[]|])  # [so][], [[so|or]]
    """,
    re.VERBOSE | re.IGNORECASE,
)
_LONGEST_SHOWN = 10  # characters of a fence, in a message
_FENCE = re.compile(r"[\s>]*(?P<item>(?:(?:[-*+]|\d{1,9}[.)])\s[\s>]*)*)(?P<fence>`{3,}(?=[^`]*$)|~{3,})(?P<info>.*)")
_DEFINITION = re.compile(r"""[\s>]*\[[^\[\]]+\]:\s*\S+(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*$""")  # of a link
_MATTER = {"---": re.compile(r"#|[\w\"'. -]+:(?:\s|$)"), "+++": re.compile(r"#|\[|[\w\"'. -]+=")}  # its first line
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
    """Yield each line, and whether it is in a block of code; marks count as code, blank lines only between marks.

    A fence, comment or script that nothing closes lasts to the end; that is logged, with the text's `name`. Each line
    is told as soon as it is read.
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


class _Open(NamedTuple):
    """What the lines so far leave open: a `fence`, front `matter`, an `element` or a `tag`, each by what marks it.

    A tag that a line of other words follows, or a blank one, was none.
    """

    fence: str = ""
    matter: str = ""
    element: str = ""
    tag: str = ""

    def after(self, line: str, number: int) -> tuple[bool, _Open]:
        """Whether a line belongs to marked code, and what is open after it."""
        if self.matter:
            if number == 2 and not (_MATTER[self.matter].match(line) or line.rstrip() == self.matter):
                return _NOTHING.after(line, number)
            return True, _NOTHING if line.rstrip() in (self.matter, "...") else self
        if self.element:
            return True, _Open(element=elements(line, self.element)[1])
        if self.tag:
            is_tag, closing = tag_after(line, self.tag)
            return (True, _Open(tag=closing)) if is_tag else _NOTHING.after(line, number)
        match = _FENCE.match(line.rstrip())
        if self.fence:
            closes = match and match["fence"].startswith(self.fence) and not (match["item"] or match["info"])
            return True, _NOTHING if closes else self
        if match:
            return True, _Open(fence=match["fence"])
        if number == 1 and line.rstrip() in _MATTER:
            return True, _Open(matter=line.rstrip())
        return _begun(line)

    def __str__(self) -> str:
        """As a text has it."""
        return self.fence[:_LONGEST_SHOWN] or self.matter or f"<{self.element}{'' if self.element == COMMENT else '>'}"


_NOTHING = _Open()


def _begun(line: str) -> tuple[bool, _Open]:
    """Whether a line, before which nothing is open, is code by its marks alone, and what it leaves open."""
    if "<" in line:
        is_first = line.lstrip().startswith("<")
        element = elements(line)[1]
        if element == COMMENT or (is_first and element in KEPT_OVER_LINES):
            return True, _Open(element=element)
        if tag := opened_tag(line):
            return is_first, _Open(tag=tag)
    return "]:" in line and _DEFINITION.match(line) is not None, _NOTHING


def _inside_marks(lines: Iterable[str], name: str) -> Iterator[Line]:
    """The same of what has marks alone: front matter, fenced blocks, HTML over several lines, definitions of links."""
    opened, begun, number = _NOTHING, 0, 0
    for number, line in enumerate(lines, 1):
        before, (is_code, opened) = opened, opened.after(line, number)
        begun = begun if before != _NOTHING and before == opened else number
        yield line, is_code
    is_rule = opened.matter and number == 1  # a line across a page, alone
    if opened != _NOTHING and not (opened.tag or is_rule):
        _log.warning(
            "%s: %s opens a block of code that nothing closes; where code is protected, all from there on is kept",
            f"{name}, line {begun}" if name else f"line {begun}",
            opened,
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
