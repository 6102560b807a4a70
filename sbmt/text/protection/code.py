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
from string import whitespace
from typing import NamedTuple

from sbmt.text.protection.elements import COMMENT, KEPT_OVER_LINES, TAG, elements, opened_tag, tag_after

_log = logging.getLogger(__name__)

Line = tuple[str, bool]  # and whether it is in a block of code

CODE = re.compile(
    r"""
      (?<!`)`(?=[^\s`])[^`\n]*(?<=\S)`(?!`)    # `code`
    | (?<!`)(?P<ticks>`{2,})(?=[^\s`])(?:(?!'')[^`\n])*(?<=\S)(?P=ticks)(?!`)
    | \{\{[^{}]*\}\} | \{%[^{}]*%\} | \$?\{[^{}\s]+\} | %\(\w+\)[a-z]  # {{ name }}, {% if %}, {name}, %(name)s
    | \$[a-z_]\w* | %\w+% | <%[^<>%]*%>   # $name, %name%, <%= name %>
    | (?<![\w.])[a-z_][\w.]*\(\)          # name()
    | """
    + TAG
    + r"""
    | &(?:\#\d+|\#x[0-9a-f]+|[a-z]+\d*);         # &amp;
    | \](?:\[[^\[\]]+\]                       # where links lead: [or][so], [so](there), [so](there "Title")
          |\((?:<[^<>]*>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)(?:\s+(?:"[^"]*"|'[^']*'))?\s*\))
    | \[[^\[\]]+\]\[\] | \[\[[^\[\]|]+(?=[]|])  # [so][], [[so|or]]
    | \[\^[^\s\[\]]+\]                        # a footnote and its mark: [^so]
    """,
    re.VERBOSE | re.IGNORECASE,
)
_LONGEST_SHOWN = 10  # characters of a fence, in a message
_MARKS = r"[\s>]*(?P<item>(?:(?:[-*+]|\d{1,9}[.)])\s[\s>]*)*)"  # of quotations and lists
_FENCE = re.compile(rf"{_MARKS}(?P<fence>`{{3,}}(?=[^`]*$)|~{{3,}})(?P<info>.*)")
_COMMENT_FIRST = re.compile(rf"{_MARKS}<!(?=--)(?!.*-->)")  # one that the line does not end
_DEFINITION = re.compile(r"""[\s>]*\[[^\[\]]+\]:\s*(?:<[^<>]*>|\S+)(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*$""")
# Front matter: what any of its lines begins with, and what only those after the first do.
_KEY = r"""(?:[\w.-]+|"[^"]*"|'[^']*')"""
_MATTER = {"---": re.compile(rf"{_KEY}:(?:\s|$)"), "+++": re.compile(rf"{_KEY}\s*=|\[+[^\[\]]+\]+\s*$")}
_MORE_MATTER = re.compile(r"\s|-\s|[]})#]|$")
_BLANK = f"{whitespace}>"  # what a blank line may hold, in a quotation, too
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
    """What the lines so far leave open: its kind, and what marks it.

    A "fence", front "matter" or an "element" lasts until it is closed. A "tag" ends with a line of other words or a
    blank one, and was none; so does a "remark", a comment amid a line, with a blank one.
    """

    kind: str = ""
    mark: str = ""

    def after(self, line: str, number: int) -> tuple[bool, _Open]:
        """Whether a line belongs to marked code, and what is open after it."""
        if self.kind == "matter":
            return self._after_matter(line, number)
        if self.kind == "element" or (self.kind == "remark" and line.strip(_BLANK)):
            name = elements(line, self.mark)[1]
            return True, _Open(self.kind, name) if name in KEPT_OVER_LINES else _NOTHING
        if self.kind == "tag":
            is_tag, closing = tag_after(line, self.mark)
            return (True, _Open("tag", closing) if closing else _NOTHING) if is_tag else _NOTHING.after(line, number)
        match = _FENCE.match(line.rstrip())
        if self.kind == "fence":
            closes = match and match["fence"].startswith(self.mark) and not (match["item"] or match["info"])
            return True, _NOTHING if closes else self
        if match:
            return True, _Open("fence", match["fence"])
        if number == 1 and line.rstrip() in _MATTER:
            return True, _Open("matter", line.rstrip())
        return _begun(line)

    def _after_matter(self, line: str, number: int) -> tuple[bool, _Open]:
        """The same after front matter, which the first line of another form ends."""
        if line.rstrip() in (self.mark, "..."):
            return True, _NOTHING
        if _MATTER[self.mark].match(line) or (number > 2 and _MORE_MATTER.match(line)):
            return True, self
        return _NOTHING.after(line, number)

    def __str__(self) -> str:
        """As a text has it."""
        if self.kind == "element":
            return f"<{self.mark}{'' if self.mark == COMMENT else '>'}"
        return self.mark[:_LONGEST_SHOWN]


_NOTHING = _Open()


def _begun(line: str) -> tuple[bool, _Open]:
    """Whether a line, before which nothing is open, is code by its marks alone, and what it leaves open."""
    if "<" in line and not _is_json(line.strip()):
        name = elements(CODE.sub(_without_inner, line))[1]
        if name == COMMENT:
            return True, _Open("element" if _COMMENT_FIRST.match(line) else "remark", name)
        if name in KEPT_OVER_LINES and line.lstrip().startswith("<"):
            return True, _Open("element", name)
        if closing := opened_tag(line):
            return False, _Open("tag", closing)
    return "]:" in line and _DEFINITION.match(line) is not None, _NOTHING


def _without_inner(code: re.Match[str]) -> str:
    """Code in a line without what would begin an element inside it."""
    return code[0][0] + code[0][1:].replace("<", " ")


def _inside_marks(lines: Iterable[str], name: str) -> Iterator[Line]:
    """The same of what has marks alone: front matter, fenced blocks, HTML over several lines, definitions of links."""
    opened, begun, number = _NOTHING, 0, 0
    for number, line in enumerate(lines, 1):
        before, (is_code, opened) = opened, opened.after(line, number)
        begun = begun if before != _NOTHING and before == opened else number
        yield line, is_code
    is_rule = opened.kind == "matter" and number == 1  # a line across a page, alone
    if opened != _NOTHING and opened.kind not in ("tag", "remark") and not is_rule:
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
