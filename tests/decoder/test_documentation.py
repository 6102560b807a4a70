"""The program of docs/decoder.md, run unchanged, with the glue given there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

DOCUMENT = Path(__file__).parents[2] / "docs/decoder.md"
UNIGRAMS = """\\data\\
ngram 1=4
ngram 2=1

\\1-grams:
-1\t<unk>\t0
-99\t<s>\t0
-1\t</s>\t0
-1\twas\t0

\\2-grams:
-1\t<s> was

\\end\\
"""


@pytest.mark.parametrize(
    ("more", "best"), [("", "able-bodied"), ("[GOAL] ||| [GOAL,1] [JJ,2] ||| [GOAL,1] [JJ,2] |||\n", "fit")]
)
def test_a_label_is_used_where_glue_takes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], more: str, best: str
) -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    program = re.findall(r"```python\n(.*?)```", text, re.DOTALL)[0]
    (glue,) = re.findall(r"```\n(\[GOAL\].*?)```", text, re.DOTALL)
    rules = "[X] ||| physician ||| doctor ||| p(e|f)=-5 ||| 0-0\n[JJ] ||| able-bodied ||| fit ||| p(e|f)=-5 ||| 0-0\n"
    for name, content in {"rules.gz": rules, "glue": glue + more, "lm.arpa": UNIGRAMS}.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    exec(program, {})
    assert capsys.readouterr().out.split("\n")[0].split(" ", 1)[1].startswith(f"the doctor was {best} {{")
