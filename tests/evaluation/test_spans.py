"""OneStopQA's annotated articles, on one of our own."""

from __future__ import annotations

from pathlib import Path

import pytest

from sbmt.errors import SbmtError
from sbmt.evaluation.studies.spans import letters, read_spans

ARTICLE = """\
# Title
The ferry

# Paragraph

Adv: <A3><A1><D2>The ferry left at dawn.</D2> It was</A1> late,</A3> <D1>for once.</D1> <A2>Nobody “minded”.</A2>

Ele: <A1>The ferry left early.</A1> <A2>Nobody</A2> <A3>minded.</A3>

Q: When did it leave?
a: At dawn

Q: Who minded?
a: Nobody

Q1: Was the ferry’s start late?
a: Yes

# Paragraph

Adv: It came back.

Q: Did it come back?
a: Yes
"""


def test_spans_of_the_advanced_text(tmp_path: Path) -> None:
    (tmp_path / "ferry.txt").write_text(ARTICLE, encoding="utf-8")
    assert read_spans(str(tmp_path)) == {
        "whendiditleave": "The ferry left at dawn. It was",
        "whominded": "Nobody “minded”.",
        "wastheferrysstartlate": "The ferry left at dawn. It was late,",
    }
    assert letters("Was the ferry's  start late?") == "wastheferrysstartlate"


def test_a_folder_without_articles(tmp_path: Path) -> None:
    with pytest.raises(SbmtError, match="has no annotated articles"):
        read_spans(str(tmp_path))
