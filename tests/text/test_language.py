"""Other languages than English: where sentences end, which words are names, and what is left alone."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from sbmt.cli.text import main
from sbmt.config import ConfigError
from sbmt.simplifier import Simplifier
from sbmt.text.pipeline import Pipeline, TextOptions
from sbmt.text.words.language import ENGLISH, language_of

RULES = "utilizar=usar seleccionar=elegir motivo=¿_por_qué_? individuos=gente que=q y=i".split()


def simplified(folder: Path, language: str, text: str) -> str:
    sides = (rule.replace("_", " ").split("=") for rule in RULES)
    lines = (f"[X] ||| {source} ||| {target} ||| p=1 ||| 0-0\n" for source, target in sides)
    (folder / "rules").write_text("".join(lines), encoding="utf-8")
    config = f"format: 1\ntext: {{language: {language}}}\ngrammars: [{{path: rules}}]\nweights: {{p: 1}}\n"
    (folder / "model.yaml").write_text(config, encoding="utf-8")
    return Simplifier.load(folder).simplify(text).output


@pytest.mark.parametrize(
    ("text", "spanish", "english"),
    [
        ("Va y utilizar", "Va i usar", "Va I usar"),
        ("Vino a utilizar o a seleccionar.", "Vino a usar o a elegir.", "Vino a usar o an elegir."),
        ("Su motivo no.", "Su ¿por qué? no.", "Su ¿por qué? no."),
        ("los individuos' cosas", "los gente' cosas", "los gente's cosas"),
    ],
)
def test_what_is_english_is_done_in_english_alone(tmp_path: Path, text: str, spanish: str, english: str) -> None:
    assert simplified(tmp_path, "es", text) == spanish
    assert simplified(tmp_path, "en", text) == english


def test_a_first_function_word_is_no_part_of_a_name(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """So it is decoded, as `que`, one of the forty most frequent words in Spanish, is here."""
    assert simplified(tmp_path, "es", "Que Ana venga.") == "Q Ana venga."
    assert simplified(tmp_path, "en", "Que Ana venga.") == "Que Ana venga."
    assert caplog.messages == []
    language_of.cache_clear()  # it warns once in a process
    assert simplified(tmp_path, "eu", "Que Ana venga.") == "Que Ana venga."
    message = "no words of language 'eu' are known: at the start of a sentence any may be taken for a name"
    assert caplog.messages == [message]


def test_english_numerals_are_numbers_in_english_alone() -> None:
    for language, protected in (("en", [(0, 1), (2, 3)]), ("es", [(2, 3)])):
        [sentence] = Pipeline(TextOptions(language=language)).sentences("ten cuidado 4")
        assert [span[:2] for span in sentence.protected] == protected


def test_sentences_end_as_in_the_language(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    text = "La Dra. Pérez vive en la pág. 7. Bien.\n"
    for options, lines in (
        (["--language", "es"], ["La Dra. Pérez vive en la pág. 7 .", "Bien ."]),
        ([], ["La Dra .", "Pérez vive en la pág .", "7 .", "Bien ."]),
    ):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode()), "utf-8"))
        assert main(["--sentences", *options]) == 0
        assert capsys.readouterr().out.splitlines() == lines


def test_languages_are_named_by_their_codes() -> None:
    assert language_of("en") is ENGLISH
    for wrong in ("es_ES", "eng", "ES"):
        message = f"language '{wrong}' is no ISO 639 code of two small letters, such as en or es, without country$"
        with pytest.raises(ConfigError, match=message):
            TextOptions(language=wrong)


def test_names_are_not_taken_for_function_words(tmp_path: Path) -> None:
    """`france` is one of the hundred most frequent words."""
    (tmp_path / "rules").write_text("[X] ||| france hier ||| hier france ||| p=1 ||| 0-1 1-0\n", encoding="utf-8")
    config = "format: 1\ntext: {language: fr}\ngrammars: [{path: rules}]\nweights: {p: 1}\n"
    (tmp_path / "model.yaml").write_text(config, encoding="utf-8")
    assert Simplifier.load(tmp_path).simplify("France hier gagna.").output == "Hier France gagna."
