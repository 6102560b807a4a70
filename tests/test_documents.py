"""Files, modules, members, links and headings that the documents name exist."""

from __future__ import annotations

import importlib
import re
from functools import reduce
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCUMENTS = [*sorted(ROOT.glob("*.md")), *sorted(ROOT.glob("docs/*.md"))]
FOLDERS = "sbmt|ppdb|features|tuning|configs|scripts|tests|docs"


def anchors(text: str) -> set[str]:
    """Headings as links name them."""
    headings = re.findall(r"^#+ (.*)", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_what_a_document_names_exists(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    for path in re.findall(rf"(?<![\w./-])(?:{FOLDERS})/[\w./*-]*[\w*]", text):
        assert list(ROOT.glob(path)), path
    for name in re.findall(r"`(sbmt(?:\.\w+)+)(?:\(.*?\))?`", text):
        assert member(name) is not None, name
    for target, anchor in re.findall(r"\]\((?!http)([^)#]*)#?([^)]*)\)", text):
        linked = document.parent / target if target else document
        assert linked.exists(), target
        assert not anchor or anchor in anchors(linked.read_text(encoding="utf-8")), f"{target}#{anchor}"


def member(name: str) -> object:
    """A module, or what is in one."""
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        try:
            module = importlib.import_module(".".join(parts[:end]))
        except ModuleNotFoundError:
            continue
        return reduce(lambda owner, part: getattr(owner, part, None), parts[end:], module)
    return None
