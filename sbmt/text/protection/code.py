"""Recognition of code, markup and placeholders in texts, which must not change.

Indented and fenced blocks and code spans follow CommonMark 0.31 (sections 4.4, 4.5, 6.1), with four exceptions:
- Paragraphs, verse and headings are often indented too: indented lines are code only from the first one that looks like
  code to the end of the block, also in lists.
- A fence may have any indentation and follow the markers of lists and quotations.
- Four tildes or more under a line of the same length are no fence, but mark a heading of reStructuredText.
- A span between several backticks contains no '' and has no space at its ends, unlike LaTeX's quotes.

Scripts, comments and tags of HTML, front matter, link definitions and lines of JSON are code too.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterable, Iterator
from string import whitespace
from typing import NamedTuple

from sbmt.text.penn import APOSTROPHE
from sbmt.text.protection.elements import COMMENT, KEPT_OVER_LINES, TAG, elements, opened_tag, tag_after

_log = logging.getLogger(__name__)

Line = tuple[str, bool]  # a line, and whether it is in a block of code

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
    | (?!"""
    + APOSTROPHE
    + r"""\w|(?<=\w)"""
    + APOSTROPHE
    + r""")&(?:\#\d+|\#x[0-9a-f]+|[a-z]+\d*);  # &amp;, but not don&rsquo;t and dogs&rsquo;
    | \](?:\[[^\[\]]+\]                       # targets of links: [or][so], [so](there), [so](there "Title")
          |\((?:<[^<>]*>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)(?:\s+(?:"[^"]*"|'[^']*'))?\s*\))
    | \[[^\[\]]+\]\[\] | \[\[[^\[\]|]+(?=[]|])  # [so][], [[so|or]]
    | \[\^[^\s\[\]]+\]                        # a footnote and its mark: [^so]
    """,
    re.VERBOSE | re.IGNORECASE,
)
_MAX_SHOWN = 10  # characters of a fence, in a message
_MARKS = r"[\s>]*(?P<item>(?:(?:[-*+]|\d{1,9}[.)])\s[\s>]*)*)"  # markers of quotations and lists
_FENCE = re.compile(rf"{_MARKS}(?P<fence>`{{3,}}(?=[^`]*$)|~{{3,}})(?P<info>.*)")
_UNDERLINE = re.compile(r"~{4,}")
_COMMENT_FIRST = re.compile(rf"{_MARKS}<!(?=--)(?!.*-->)")  # not closed in the line
_DEFINITION = re.compile(r"""[\s>]*\[[^\[\]]+\]:\s*(?:<[^<>]*>|\S+)(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*$""")
# Front matter: beginnings of any of its lines, and of those after the first only.
_KEY = r"""(?:[\w.-]+|"[^"]*"|'[^']*')"""
_FRONT_MATTER = {"---": re.compile(rf"{_KEY}:(?:\s|$)"), "+++": re.compile(rf"{_KEY}\s*=|\[+[^\[\]]+\]+\s*$")}
_FRONT_MATTER_CONTINUED = re.compile(r"\s|-\s|[]})#]|$")
_BLANK = f"{whitespace}>"  # characters of blank lines, also in quotations
_INDENTED = re.compile(r" {0,3}\t| {4}")
# Expressions that do not occur in sentences, for lines without their indentation.
_LOOKS_LIKE_CODE = re.compile(
    r"""
      (?:^[\w.$\[\]"']+\ ?|\ )[-+*/|:]?=\ ?(?=\S)  # x = 1, x+=1
    | (?<!\w)[A-Za-z_]\w*\((?!\w{1,3}\))       # get(start); but person(s)
    | &&|\|\||[{}]$|^[])}]+[;,]?$
    | ^"[^"]+":\ ?(?:["{\[\d-]|true|false|null)  # JSON
    | ^(?:\$\ [a-z]|>>>\ |\#[!\s]|\#include|//|/\*|(?:def|function)\ \w+\(|import\ [\w.]+;?$|from\ \S+\ import\ )
    | ^(?:sudo|pip3?|npm|npx|git|cd|curl|wget|docker|python3?|apt|apt-get|brew|mkdir|chmod)\ \S
    | ^[a-z][\w./-]*\ (?:\S+\ )*--?[A-Za-z]    # command --option, command -O
    """,
    re.VERBOSE,
)
_SENTENCE = re.compile(r"(?:[(\"“'‘]?[^\W\d_][\w'’-]*[)\"”'’]?[.,;:]? +){4}[(\"“'‘]?[^\W\d_]")  # five words in a row


def marked_lines(lines: Iterable[str], tokenized: bool, name: str = "") -> Iterable[Line]:
    """Return lines marked by `in_code`; tokenised lines are never code."""
    return ((line, False) for line in lines) if tokenized else in_code(lines, name)


def in_code(lines: Iterable[str], name: str = "") -> Iterator[Line]:
    """Yield each line, and whether it is in a block of code; delimiters count as code, blank lines only inside them.

    A fence, comment or script that is not closed lasts to the end, with a warning that has the text's `name`. Each line
    is yielded before the next one is read.
    """
    may_begin, is_code, after_blank = True, False, True
    for line, is_inside in _marked_code(lines, name):
        body = line.strip()
        if is_inside or not body:
            after_blank, is_code = True, is_code and not is_inside
            yield line, is_inside
            continue
        may_begin = bool(_INDENTED.match(line)) and (after_blank or may_begin)
        is_code = may_begin and not _SENTENCE.match(body) and (is_code or bool(_LOOKS_LIKE_CODE.search(body)))
        after_blank = False
        yield line, is_code or _is_json(body)


class _Block(NamedTuple):
    """The block that the lines so far leave open: its kind and its delimiter.

    A "fence", front "matter" or an "element" lasts until it is closed. A "tag" was none if a line of other words or a
    blank line follows; neither was a "remark", a comment that begins inside a line, if a blank line follows.
    """

    kind: str = ""
    mark: str = ""

    def after(self, line: str, number: int) -> tuple[bool, _Block]:
        """Return whether a line belongs to marked code, and the block that is open after it."""
        if self.kind == "matter":
            return self._after_matter(line, number)
        if self.kind == "element" or (self.kind == "remark" and line.strip(_BLANK)):
            name = elements(line, self.mark)[1]
            return True, _Block(self.kind, name) if name in KEPT_OVER_LINES else _NO_BLOCK
        if self.kind == "tag":
            is_tag, closing = tag_after(line, self.mark)
            return (True, _Block("tag", closing) if closing else _NO_BLOCK) if is_tag else _NO_BLOCK.after(line, number)
        match = _FENCE.match(line.rstrip())
        if self.kind == "fence":
            closes = match and match["fence"].startswith(self.mark) and not (match["item"] or match["info"])
            return True, _NO_BLOCK if closes else self
        if match:
            return True, _Block("fence", match["fence"])
        if number == 1 and line.rstrip() in _FRONT_MATTER:
            return True, _Block("matter", line.rstrip())
        return _opened_by(line)

    def _after_matter(self, line: str, number: int) -> tuple[bool, _Block]:
        """Do the same in front matter, which the first line of another form ends."""
        if line.rstrip() in (self.mark, "..."):
            return True, _NO_BLOCK
        if _FRONT_MATTER[self.mark].match(line) or (number > 2 and _FRONT_MATTER_CONTINUED.match(line)):
            return True, self
        return _NO_BLOCK.after(line, number)

    def __str__(self) -> str:
        """Return the opening delimiter as in the text."""
        if self.kind == "element":
            return f"<{self.mark}{'' if self.mark == COMMENT else '>'}"
        return self.mark[:_MAX_SHOWN]


_NO_BLOCK = _Block()


def _opened_by(line: str) -> tuple[bool, _Block]:
    """Return whether a line outside blocks is code by its marks alone, and the block that it opens."""
    if "<" in line and not _is_json(line.strip()):
        name = elements(CODE.sub(_without_inner_tags, line))[1]
        if name == COMMENT:
            return True, _Block("element" if _COMMENT_FIRST.match(line) else "remark", name)
        if name in KEPT_OVER_LINES and line.lstrip().startswith("<"):
            return True, _Block("element", name)
        if closing := opened_tag(line):
            return False, _Block("tag", closing)
    return "]:" in line and _DEFINITION.match(line) is not None, _NO_BLOCK


def _without_inner_tags(code: re.Match[str]) -> str:
    """Return a match of code without characters that would open an element inside it."""
    return code[0][0] + code[0][1:].replace("<", " ")


def _marked_code(lines: Iterable[str], name: str) -> Iterator[Line]:
    """Yield each line and whether it is marked code: front matter, fences, multi-line HTML, link definitions."""
    block, start_line, number, above = _NO_BLOCK, 0, 0, ""
    for number, line in enumerate(lines, 1):
        is_heading = block == _NO_BLOCK and _underlines(line.strip(), above.strip())
        previous, (is_code, block), above = block, (False, block) if is_heading else block.after(line, number), line
        start_line = start_line if previous != _NO_BLOCK and previous == block else number
        yield line, is_code
    is_rule = block.kind == "matter" and number == 1  # a text of a single rule
    if block != _NO_BLOCK and block.kind not in ("tag", "remark") and not is_rule:
        _log.warning(
            "%s: %s opens a block of code that nothing closes; where code is protected, all from there on is kept",
            f"{name}, line {start_line}" if name else f"line {start_line}",
            block,
        )


def _underlines(body: str, above: str) -> bool:
    """Whether a stripped line marks the one above it as a heading."""
    return len(body) == len(above) and _UNDERLINE.fullmatch(body) is not None


def _is_json(body: str) -> bool:
    """Whether a stripped line is a JSON object or array, possibly cut at its end, or a key with its value."""
    if body[0] not in '{["' or '"' not in body:
        return False
    completed = body.removesuffix(",") + {"{": "}", "[": "]"}.get(body[-1], "")
    try:
        json.loads(f"{{{completed}}}" if body[0] == '"' else completed)
    except (ValueError, RecursionError):
        return False
    return True
