"""Critical spans of OneStopQA (Berzak et al. 2020), on which answers rest, from its annotated articles.

A file is an article. Each `# Paragraph` has its text at three levels (`Adv:`, `Int:`, `Ele:`), in which `<A1>` to
`</A1>` is the span that the answer to the first question rests on (`<D1>`: a distractor's; spans may cross), and
then three questions, in order (`Q:`, `Q1:`, `Q2:`).
"""

from __future__ import annotations

import re
from pathlib import Path

from sbmt.errors import SbmtError
from sbmt.io import read_lines

_TAG = re.compile(r"</?[AD]\d>")
_QUESTION = re.compile(r"^Q\d?: *(.+)$", re.MULTILINE)
_ADVANCED = re.compile(r"^Adv: *(.+)$", re.MULTILINE)


def read_spans(folder: str) -> dict[str, str]:
    """Return the critical span in the advanced text of each question that has one, the question by its `letters`.

    Raises SbmtError for a folder without articles, FormatError for a file that is not text.
    """
    articles = sorted(Path(folder).glob("*.txt"))
    if not articles:
        raise SbmtError(f"{folder}: has no annotated articles (*.txt) of OneStopQA")
    spans = {}
    for path in articles:
        for paragraph in "\n".join(read_lines(path)).split("# Paragraph")[1:]:
            text = "".join(_ADVANCED.findall(paragraph))
            for number, question in enumerate(_QUESTION.findall(paragraph), 1):
                if pieces := re.findall(rf"<A{number}>(.*?)</A{number}>", text):
                    spans[letters(question)] = _TAG.sub("", " ".join(pieces))
    return spans


def letters(question: str) -> str:
    """Return a question's letters and digits: versions differ in quotation marks and spaces."""
    return re.sub(r"\W+", "", question.lower())
