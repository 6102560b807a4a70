"""The warning of text in another language than English."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from sbmt.cli.decode import main
from sbmt.text.checks.foreign import watched_for_foreign

SPANISH = ["El perro grande duerme hoy en la casa vieja de mi tía Ana,"] * 5
ENGLISH = ["The big dog sleeps today in the old house of my aunt Ana,"] * 5
DANISH = ["Den store hund sover i dag i det gamle hus på bakken, og er det at se for min moster Ana,"] * 5
RUSSIAN = ["Большая собака спит сегодня в старом доме моей тёти Анны,"] * 10
RECIPE = ["Sift 200 g flour, add salt, baking powder, vanilla, chopped walnuts, stir, bake twenty minutes, cool,"] * 5


@pytest.mark.parametrize(
    ("lines", "language"),
    [
        (SPANISH, "Spanish"),
        (DANISH, "Danish or Norwegian"),  # nearly a third of whose words here are English words, too
        (RUSSIAN, "text in another script than English"),
        (SPANISH * 4 + ENGLISH * 100, "Spanish"),  # the beginning counts
        (SPANISH[:3], ""),  # too few words to say so
        (ENGLISH, ""),
        (ENGLISH + SPANISH, ""),  # quotations
        (RECIPE, ""),
        ([], ""),
    ],
)
def test_text_of_another_language_is_told(lines: list[str], language: str, caplog: pytest.LogCaptureFixture) -> None:
    assert list(watched_for_foreign(lines, "a.txt")) == lines
    message = f'a.txt: looks like {language}; the model is for English (docs/text.md, "Other languages")'
    assert caplog.messages == ([message] if language else [])


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
    assert ("looks like Spanish" in caplog.text) == warned
