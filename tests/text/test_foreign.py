"""The warning of text in another language than English."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest

from sbmt.cli.decode import main
from sbmt.text.checks.foreign import watched_for_foreign

SPANISH = ["El perro grande duerme hoy en la casa vieja de mi tía Ana,"] * 5
ENGLISH = ["The big dog sleeps today in the old house of my aunt Ana,"] * 5


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (SPANISH, "a.txt: does not look like English, .* of its first 65 words, 0 are words like the, of, he or is"),
        (SPANISH * 10 + ENGLISH * 100, "of its first 208 words, 0 are"),
        (SPANISH[:3], ""),  # too few words to say so
        (ENGLISH + SPANISH, ""),  # quotations
        ([], ""),
    ],
)
def test_text_with_few_function_words_is_told(lines: list[str], message: str, caplog: pytest.LogCaptureFixture) -> None:
    assert list(watched_for_foreign(lines, "a.txt")) == lines
    assert len(caplog.messages) == bool(message)
    assert re.search(message, "".join(caplog.messages))


@pytest.mark.parametrize(
    ("text", "warned"), [("{language: es}", False), ("{language: en}", True), ("{recase: false}", False)]
)
def test_models_of_other_languages_do_not_warn(
    tmp_path: Path,
    text: str,
    warned: bool,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "rules").write_text("perro\tcan\n", encoding="utf-8")
    config = f"format: 1\ntext: {text}\ngrammars: [{{path: rules}}]\nweights: {{Changes: 1}}\n"
    (tmp_path / "model.yaml").write_text(config, encoding="utf-8")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO("\n".join(SPANISH).encode()), "utf-8"))
    assert main(["-m", str(tmp_path)]) == 0
    assert "El can grande" in capsys.readouterr().out
    assert ("does not look like English" in caplog.text) == warned
