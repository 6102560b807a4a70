"""Model bundles: reading, writing, paths, what is documented, and every message."""

from __future__ import annotations

import math
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from sbmt.baselines.settings import FrequencySettings, PbmtSettings, TruncateSettings
from sbmt.config import ConfigError, plain
from sbmt.decoder.settings import PhraseSettings, Settings
from sbmt.errors import FormatError, ModelError
from sbmt.features.catalogue import other_features
from sbmt.model import FILE_NAME, FORMAT, TRANSLATORS, GrammarConfig, LanguageModelConfig, Model, ModelConfig
from sbmt.translators import SHIPPED

ROOT = Path(__file__).parents[1]


def bundle(folder: Path, text: str = "format: 1\n") -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "model.yaml").write_text(text, encoding="utf-8")
    return folder


def test_default_yaml_lists_every_key_at_its_default() -> None:
    written = yaml.safe_load((ROOT / "configs" / "default.yaml").read_text(encoding="utf-8"))
    expected = plain(ModelConfig(format=FORMAT))
    expected["decoder"]["settings"] = plain(Settings())
    assert written == expected


def commented_out(key: str) -> list[Any]:
    """The values of a key that configs/default.yaml shows in comments, as they are without the #."""
    text = (ROOT / "configs" / "default.yaml").read_text(encoding="utf-8")
    blocks = re.findall(rf"^# {key}:\n(?:^#   .*\n)+", text, re.MULTILINE)
    return [yaml.safe_load(re.sub("^# ", "", block, flags=re.MULTILINE))[key] for block in blocks]


OTHER_KINDS = {
    "phrase": PhraseSettings(),
    "pbmt-r": PbmtSettings(),
    "truncate": TruncateSettings(),
    "frequency": FrequencySettings(),
}


def test_default_yaml_lists_the_other_kinds_of_decoder_at_their_defaults() -> None:
    shown = commented_out("decoder")
    expected = [{"kind": kind, "settings": plain(settings)} for kind, settings in OTHER_KINDS.items()]
    assert shown == [*expected, {"kind": "identity"}]
    assert {"scfg", *(decoder["kind"] for decoder in shown)} == TRANSLATORS.keys()


def test_default_yaml_shows_grammars_and_language_models_that_can_be_copied(tmp_path: Path) -> None:
    [grammars], [language_models] = commented_out("grammars"), commented_out("language_models")
    shown = yaml.safe_dump({"format": FORMAT, "grammars": grammars, "language_models": language_models})
    config = Model.load(bundle(tmp_path, shown)).config
    assert (config.grammars, config.language_models) == (
        (GrammarConfig("rules.ppdb.gz", "pt", 20),),
        (LanguageModelConfig("model.arpa"),),
    )


@pytest.mark.parametrize("name", SHIPPED)
def test_what_a_weight_alone_asks_for_is_listed_where_weights_are(name: str) -> None:
    assert name in {info.name for info in other_features()}
    assert re.search(rf"\b{name}\b", (ROOT / "configs/default.yaml").read_text(encoding="utf-8"))


def test_names_and_folders(tmp_path: Path) -> None:
    assert "starter" in Model.names()
    assert Model.load("starter").folder.name == "starter"
    assert Model.load(bundle(tmp_path / "mine")).config == ModelConfig(format=1)


def test_an_unknown_name_lists_those_there_are() -> None:
    with pytest.raises(ModelError, match=r"^x{300}: no such model"):
        Model.load("x" * 300)
    with pytest.raises(ModelError, match=r"^nosuch: no such model \(known: .*starter.*; or a folder that holds"):
        Model.load("nosuch")


def test_a_file_is_no_model(tmp_path: Path) -> None:
    (tmp_path / "joshua.config").touch()
    with pytest.raises(ModelError, match=r"holds model\.yaml; docs/decoder\.md says how to make one of a Joshua conf"):
        Model.load(tmp_path / "joshua.config")


def test_a_path_is_no_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bundle(tmp_path / "starter", "format: 1\ndescription: mine\n")
    monkeypatch.chdir(tmp_path)
    assert Model.load(Path("starter")).config.description == "mine"
    assert Model.load("./starter").config.description == "mine"
    assert Model.load("starter").config.description != "mine"


def test_errors_name_file_and_key(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"model\.yaml: text\.protect\.name: unknown key \(known: names, "):
        Model.load(bundle(tmp_path, "format: 1\ntext: {protect: {name: false}}\n"))
    with pytest.raises(ModelError, match=r"model\.yaml: is of format 2, this version reads format 1"):
        Model.load(bundle(tmp_path, "format: 2\n"))
    with pytest.raises(ModelError, match=r"model\.yaml: unknown decoder\.kind 'neural' \(known: scfg"):
        Model.load(bundle(tmp_path, "format: 1\ndecoder: {kind: neural}\n")).translator()
    for path, problem in (
        ("package:nosuch/g", r"there is no package sbmt\.nosuch"),
        ("package:model/y", r"there is no package sbmt\.model"),
        ("package:no.such/y", r"there is no package sbmt\.no\.such"),
        ("package:/y", r"there is no package sbmt\."),
        ("package:ppdb/nosuch", "the package has no such file"),
        ("cache:other", "cache:starter is all that is built"),
        ("~nobodyx/rules", "there is no such user; write the path out"),
        (r"rules\0", "no path has a NUL byte"),
    ):
        with pytest.raises(ModelError, match=f"model\\.yaml: '{re.escape(path[:5])}.*: {problem}"):
            Model.load(bundle(tmp_path, f'format: 1\ngrammars: [{{path: "{path}"}}]\n')).translator()
    for line, named in (("strength: 1e10", "strength"), ("weights: {a: 1, b: -1e308}", r"weights\.b")):
        with pytest.raises(FormatError, match=rf"model\.yaml: {named}: .* is beyond 1e\+09: scores would overflow"):
            Model.load(bundle(tmp_path, f"format: 1\n{line}\n"))
    for kind, setting in (
        ("scfg", "pop_limit: -1"),
        ("scfg", "max_words: 0"),
        ("phrase", "distortion_limit: -2"),
        ("phrase", "stack_size: 0"),
        ("phrase", "options_per_span: 0"),
        ("pbmt-r", "search: {stack_size: 0}"),
    ):
        text = f"format: 1\ndecoder: {{kind: {kind}, settings: {{{setting}}}}}\n"
        key = setting.replace(": {", ".").removesuffix("}")
        with pytest.raises(FormatError, match=rf"model\.yaml: decoder\.settings\.{key} is not at least"):
            Model.load(bundle(tmp_path, text)).translator()
    for limit in (1, -1):
        Model.load(bundle(tmp_path, f"format: 1\ngrammars: [{{path: g, span_limit: {limit}}}]\n"))
    for limit in (0, -7):
        message = rf"model\.yaml: grammars\[0\]\.span_limit: {limit} is neither a positive number of words nor -1"
        with pytest.raises(FormatError, match=message):
            Model.load(bundle(tmp_path, f"format: 1\ngrammars: [{{path: g, span_limit: {limit}}}]\n"))
    with pytest.raises(FormatError, match=r"model\.yaml: decoder\.settings\.pop_limt: unknown key \(known: pop_limit"):
        Model.load(bundle(tmp_path, "format: 1\ndecoder: {settings: {pop_limt: 5}}\n")).translator()
    for kind, known in (("identity", "none"), ("truncate", "share")):
        message = rf"model\.yaml: decoder\.settings\.pop_limt: unknown key \(known: {known}\)"
        with pytest.raises(FormatError, match=message):
            Model.load(
                bundle(tmp_path, f"format: 1\ndecoder: {{kind: {kind}, settings: {{pop_limt: 1}}}}\n")
            ).translator()


def test_weights_that_a_program_replaces(tmp_path: Path) -> None:
    model = Model.load(bundle(tmp_path / "here"))
    with pytest.raises(ConfigError, match=r"weights\.a: expected a finite number, found nan"):
        model.replace(weights={"a": math.nan})
    wrong: dict[str, Any]
    for wrong, problem in (  # what could be saved, but never loaded again
        ({"weights": {"a": 1e300}}, "weights.a: 1e+300 is beyond 1e+09"),
        ({"strength": -2.0}, "strength: -2 is below 0"),
        ({"strength": "x"}, "strength: expected a number, found 'x'"),
    ):
        with pytest.raises(ConfigError, match=re.escape(problem)):
            model.replace(**wrong)
    tuned = model.replace(weights={"a": np.float64(0.5)}, tuned={"seed": 1})
    assert tuned.save(tmp_path / "there").config == Model.load(tmp_path / "there").config
    assert len({model, Model.load(tmp_path / "here")}) == 1
    with pytest.raises(
        ModelError, match=r"model\.yaml: YAML has no form for .*Path\('x'\): make it a number or a text"
    ):
        model.replace(tuned={"data": Path("x")}).save(tmp_path / "nowhere")
    assert not list((tmp_path / "nowhere").iterdir())


def test_a_penalty_for_rules_of_nobody_is_an_idle_weight(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """One for words that pass through is none."""
    (tmp_path / "g").write_text("[X] ||| utilized ||| used ||| p=1\n")
    weights = "{PhrasePenalty_ptt: 1, PhrasePenalty_pt: 2, PhrasePenalty_oov: 1, PhrasePenalty_glue: 1}"
    model = Model.load(bundle(tmp_path, f"format: 1\ngrammars: [{{path: g}}]\nweights: {weights}\n"))
    (best,) = model.translator().translate(["utilized", "zorb"])
    assert best.features == {"p": 1, "PhrasePenalty_pt": 1, "PhrasePenalty_oov": 1, "PhrasePenalty_glue": 4}
    assert caplog.messages == ["weights for features that nothing here has: PhrasePenalty_ptt"]


def test_saved_elsewhere_the_paths_still_lead_to_the_files(tmp_path: Path) -> None:
    text = "format: 1\ngrammars: [{path: g.txt, owner: pt}, {path: /abs/h.txt}, {path: 'package:ppdb/rule.py'}]\n"
    model = Model.load(
        bundle(tmp_path / "a", text + "language_models: [{path: ../lm.arpa}, {path: 'cache:starter'}]\n")
    )
    saved = model.replace(weights={"lm_0": 2.0}, tuned={"metric": "sari"}).save(tmp_path / "run")
    again = Model.load(tmp_path / "run")
    assert again == saved
    assert again.config.weights == {"lm_0": 2.0}
    assert again.config.tuned == {"metric": "sari"}
    paths = [again.file(grammar.path) for grammar in again.config.grammars]
    assert paths[:2] == [tmp_path / "a" / "g.txt", Path("/abs/h.txt")]  # not by way of run/
    assert paths[2].read_text(encoding="utf-8") == (ROOT / "ppdb" / "rule.py").read_text(encoding="utf-8")
    assert again.file(again.config.language_models[0].path).resolve() == (tmp_path / "lm.arpa").resolve()
    assert again.config.language_models[1].path == "cache:starter"


def test_files_beside_a_saved_model_move_with_it(tmp_path: Path) -> None:
    """Also below it, and from one saved model to the next; what lies elsewhere is named absolutely."""
    text = "format: 1\ngrammars: [{path: sub/g.txt}, {path: ../../other/h.txt}]\nlanguage_models: [{path: ../run/lm}]\n"
    work = tmp_path / "work"
    work.mkdir()
    saved = Model.load(bundle(work / "a", text)).save(work / "run")
    saved = Model.load(work / "run").save(work / "run2").save(work / "run")
    assert [grammar.path for grammar in saved.config.grammars] == ["../a/sub/g.txt", str(tmp_path / "other/h.txt")]
    assert saved.config.language_models[0].path == "lm"
    work.rename(tmp_path / "moved")
    moved = Model.load(tmp_path / "moved/run")
    assert moved.file(moved.config.grammars[0].path).resolve() == tmp_path / "moved/a/sub/g.txt"


def test_a_model_is_made_of_the_list_that_its_features_read(tmp_path: Path) -> None:
    with_it, without = (bundle(tmp_path / name, f"format: 1\nweights: {{{name}: 0}}\n") for name in ("Excepted", "f"))
    assert [path.name for path in Model.load(with_it).files()] == ["model.yaml", "exceptions.txt"]
    assert [path.name for path in Model.load(without).files()] == ["model.yaml"]


def test_paths_hold_in_folders_that_are_links(tmp_path: Path) -> None:
    (tmp_path / "disk/run").mkdir(parents=True)
    (tmp_path / "work").mkdir()
    (tmp_path / "work/run").symlink_to(tmp_path / "disk/run")
    model = Model.load(bundle(tmp_path / "work/a", "format: 1\ngrammars: [{path: g.txt}]\n"))
    saved = model.save(tmp_path / "work/run")
    assert saved.config.grammars[0].path == str(tmp_path / "work/a/g.txt")  # .. would lead to disk/
    other = Model.load(bundle(tmp_path / "disk/run", "format: 1\ngrammars: [{path: ../b/g.txt}]\n")).folder
    again = Model.load(tmp_path / "work" / other.name).save(tmp_path / "work/c")
    assert again.file(again.config.grammars[0].path).resolve() == tmp_path / "disk/b/g.txt"


def test_a_saved_bundle_may_move_with_its_files(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    bundle(here, "format: 1\ngrammars: [{path: rules}, {path: ../shared}]\n")
    saved = Model.load(here).save(here)
    assert [grammar.path for grammar in saved.config.grammars] == ["rules", "../shared"]
    here.rename(there)
    assert Model.load(there).file("rules") == there / "rules"


@pytest.mark.parametrize("kind", ["scfg", "phrase", "pbmt-r"])
def test_what_applies_rules_has_a_grammar(tmp_path: Path, kind: str) -> None:
    model = Model.load(bundle(tmp_path, f"format: 1\ndecoder: {{kind: {kind}}}\n"))
    cure = re.escape("(name one, grammars: [{path: GRAMMAR}], or set decoder: {kind: identity})")
    with pytest.raises(ModelError, match=f"model\\.yaml: names no grammar {cure}"):
        model.translator()


def test_what_needs_no_grammar_has_none(tmp_path: Path) -> None:
    model = Model.load(bundle(tmp_path, "format: 1\ndecoder: {kind: identity}\n"))
    assert [hypothesis.text for hypothesis in model.translator().translate(["as", "is"])] == ["as is"]


@pytest.mark.parametrize("settings", ["pass_labels: [NN]", "goal: TOP"])
def test_words_that_pass_under_other_labels_are_glued_too(tmp_path: Path, settings: str) -> None:
    """And under another goal."""
    (tmp_path / "rules").write_text("[X] ||| other ||| words ||| ||| 0-0\n", encoding="utf-8")
    text = f"format: 1\ndecoder: {{kind: scfg, settings: {{{settings}}}}}\nweights: {{OOVPenalty: -2}}\n"
    text += "grammars: [{path: ../rules}]\n"
    (hypothesis,) = Model.load(bundle(tmp_path / "mine", text)).translator().translate(["zorb", "zorb"])
    assert (hypothesis.text, hypothesis.score) == ("zorb zorb", -4)


def test_what_is_built_on_first_use_is_named(tmp_path: Path) -> None:
    assert [path.suffix for path in Model.load("starter").prepare()] == [".binary", ".packed"]
    (tmp_path / FILE_NAME).write_text("format: 1\nlanguage_models: [{path: own.arpa}]\ngrammars: [{path: own}]\n")
    assert Model.load(tmp_path).prepare() == []


def test_a_folder_of_the_packages_name_hides_no_module(tmp_path: Path) -> None:
    """Such as a clone of the project, in the folder above it; only what `sbmt` itself offers is hidden."""
    (tmp_path / "sbmt").mkdir()
    program = "from sbmt.model import Model; import sbmt.ppdb, sbmt.tuning; print(*Model.names())"
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == "starter\n"
