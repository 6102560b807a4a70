"""The program of docs/text.md that makes tokenised text, run as it stands."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

DOCUMENT = Path(__file__).parents[2] / "docs/text.md"


def test_the_program_writes_cased_penn_tokens_a_line_for_each_line() -> None:
    (program,) = re.findall(r"```python\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    text = "The dogs' owners can't pay (yet). \"No,\" said Ann.\n\nIt cost 3.50 dollars.\n"
    done = subprocess.run([sys.executable, "-P", "-c", program], input=text, capture_output=True, text=True, check=True)
    assert done.stdout.split("\n") == [
        "The dogs ' owners ca n't pay -lrb- yet -rrb- . `` No , '' said Ann .",
        "",
        "It cost 3.50 dollars .",
        "",
    ]
