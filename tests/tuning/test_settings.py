"""Settings, presets, the command, and clusters that are not there."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml

import sbmt.configs
from sbmt.cli.tune import build_parser, main
from sbmt.config import plain
from sbmt.decoder.decoder import Decoder
from sbmt.errors import FormatError, SbmtError
from sbmt.model import Model
from sbmt.tuning.folder import RunFolder
from sbmt.tuning.presets import load_preset, preset_names, preset_of, read_preset
from sbmt.tuning.settings import ProSettings, TuneSettings
from sbmt.tuning.tuners.mert import Mert
from sbmt.tuning.weights import WeightSpace
from sbmt.tuning.workers import connected
from tests.tuning.runs import Data, records


@pytest.mark.parametrize(
    ("preset", "changes", "message"),
    [
        ("none", {}, r"unknown preset 'none' \(known: default, joshua, paper, starter, or a YAML file of settings\)"),
        ("default", {"tuner": "mret"}, r"unknown tuner 'mret': did you mean 'mert'\?"),
        ("default", {"pro.ranker": "guess"}, r"unknown pro\.ranker 'guess' \(known: logistic, perceptron\)"),
        ("default", {"pro.taw": "3"}, "pro.taw: unknown key"),
        ("default", {"seed.x": "3"}, "seed.x: seed has no settings of its own"),
        ("default", {"PPDB2.0Score": "3"}, "PPDB2: unknown key"),
        ("default", {"iterations": 0}, "iterations: 0 is not from 1 to 1000000000"),
        ("default", {"mert.directions": 10**22}, "mert.directions: 1.*0 is not from 0 to 1000000000"),
        ("default", {"pro.l2": -1}, "pro.l2: -1.0 is not at least 0"),
        ("default", {"held_out": -0.5}, "held_out: -0.5 is not from 0 to 1"),
        ("default", {"interpolation": 1.5}, "interpolation: 1.5 is not from 0 to 1"),
    ],
)
def test_wrong_settings(preset: str, changes: dict[str, str], message: str) -> None:
    with pytest.raises(SbmtError, match=message):
        load_preset(preset, changes).make_tuner()


def test_a_function_is_given_by_its_name() -> None:
    with pytest.raises(TypeError, match=r"^metric: name the function, 'posixpath:join': save it in a modul"):
        load_preset("default", {"metric": os.path.join})


def test_names_of_features_may_hold_dots() -> None:
    changes = {"fixed.PPDB2.0Score": 1, "ranges.PPDB1.0Score": [0, 1], "pro.l2": 0.5, "seed": 3}
    changed = load_preset("default", changes)
    assert (changed.fixed, changed.ranges) == ({"PPDB2.0Score": 1.0}, {"PPDB1.0Score": (0.0, 1.0)})
    assert (changed.pro.l2, changed.seed) == (0.5, 3)


@pytest.mark.parametrize(
    ("given", "bounds"),
    [
        ("0:", (0.0, None)),
        ("0:inf", (0.0, None)),
        (":1", (None, 1.0)),
        ("-inf:1e-3", (None, 0.001)),
        (":", (None, None)),
        ("-1:1", (-1.0, 1.0)),
    ],
)
def test_ranges_may_have_one_bound(
    tuning_bundle: Path, tuning_set: Data, tmp_path: Path, given: str, bounds: tuple[float | None, float | None]
) -> None:
    source, references = tuning_set
    texts = ["--source", str(source), "--references", *map(str, references), "-m", str(tuning_bundle)]
    run = tmp_path / "run"
    assert main([*texts, "--out", str(run), "--iterations", "1", "--range", f"Changes={given}"]) == 0
    assert RunFolder(run).settings().ranges == {"Changes": bounds}
    assert main(["--resume", str(run), "--range", f"Changes={given}"]) == 0


def test_help_names_settings_without_an_option() -> None:
    assert "--set KEY=VALUE any setting of the presets, e.g. min_new=0" in " ".join(
        build_parser().format_help().split()
    )


def test_names_of_features_may_hold_equals_signs() -> None:
    args = build_parser().parse_args(["--fix", "Label=NN=0.5", "--range", "Label=VB=0:1"])
    assert (args.fix, args.range) == ({"Label=NN": 0.5}, {"Label=VB": [0, 1]})


def test_a_preset_takes_of_a_section_what_it_does_not_name_from_the_one_it_extends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tune-default.yaml").write_text("pro: {tau: 8000, ranker: perceptron}\nseed: 3\n")
    (tmp_path / "tune-own.yaml").write_text("extends: default\npro: {tau: 9}\nmetric: bleu\n")
    monkeypatch.setattr("sbmt.tuning.presets._FOLDER", tmp_path)
    assert read_preset("own") == {"pro": {"tau": 9, "ranker": "perceptron"}, "seed": 3, "metric": "bleu"}


def test_a_file_of_settings_is_a_preset(tmp_path: Path) -> None:
    """What extends a preset adds to it as options do."""
    path = tmp_path / "own.yaml"
    own = {"ranges": {"lm_0": [0, None]}, "without": ["SylDiff"], "pro": {"tau": 9}, "nbest": 7}
    path.write_text(yaml.safe_dump({"extends": "starter", **own}))
    assert load_preset(str(path), {}) == load_preset("starter", own)
    path.write_text(yaml.safe_dump(own))
    assert load_preset(str(path), {"seed": 3}) == load_preset("default", {**own, "seed": 3})
    path.write_text(yaml.safe_dump(plain(load_preset("paper", {}))))
    assert load_preset(str(path), {}) == load_preset("paper", {})


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("extends: nosuch", r"unknown preset 'nosuch' \(known: default, joshua, paper, starter\)"),
        ("extends: [starter]", r"unknown preset \['starter'\]"),
        ("- tau", r"expected names with values, found \['tau'\]"),
        ("pro: {taw: 1}", "pro.taw: unknown key"),
        ("extends: starter\npro: 3", "pro: expected names with values, found 3"),
        ("extends: starter\nnbest.x: 3", "nbest.x: nbest has no settings of its own"),
        ("3: 4", "3: unknown key"),
        ("seed: [", "is not valid YAML"),
    ],
)
def test_files_that_are_no_preset(tmp_path: Path, content: str, message: str) -> None:
    (tmp_path / "own.yaml").write_text(content)
    with pytest.raises(FormatError, match=rf"own\.yaml.*: {message}"):
        read_preset(str(tmp_path / "own.yaml"))


def test_the_default_preset_spells_out_every_setting() -> None:
    written = yaml.safe_load((Path(sbmt.configs.__file__).parent / "tune-default.yaml").read_text())
    assert written == plain(TuneSettings())


@pytest.mark.parametrize("preset", ["joshua", "paper", "starter"])
def test_a_preset_names_only_what_it_changes(preset: str) -> None:
    defaults, changed = read_preset("default"), read_preset(preset)
    assert [key for key, value in changed.items() if value == defaults[key]] == []
    assert [key for key, value in changed.get("pro", {}).items() if value == defaults["pro"][key]] == []


def test_the_papers_settings() -> None:
    """Xu et al. (2016), section 4, and Joshua's constants."""
    paper = load_preset("paper", {})
    assert (paper.metric, paper.nbest, paper.iterations, paper.interpolation) == ("sari:star", 300, 30, 0.5)
    assert (paper.min_new, paper.fit_last, paper.held_out, paper.pool_iterations) == (0, False, 0, 20)
    assert paper.pro == ProSettings(
        tau=8000,
        xi=50,
        min_difference=0.005,
        ranker="perceptron",
        epochs=30,
        rate=0.5,
        restarts=1,
        normalise="lm_0",
    )
    assert replace(paper, metric="sari") == load_preset("joshua")
    assert preset_names() == ["default", "joshua", "paper", "starter"]
    assert isinstance(load_preset("joshua", {"tuner": "mert"}).make_tuner(), Mert)


@pytest.fixture(scope="module")
def starter_features() -> list[str]:
    """Of a sentence in which a label clashes, "a permit" is no verb, a word would be said again, one is excepted."""
    decoder = Model.load("starter").translator()
    assert isinstance(decoder, Decoder)
    return list(decoder.decode("to get a permit for areas and regions , acknowledging receipt .".split()).feature_names)


def test_the_starters_preset_names_its_features_and_holds_its_weights(starter_features: list[str]) -> None:
    settings = load_preset("starter", {})
    space = WeightSpace.build(starter_features, settings.fixed, settings.ranges, settings.without)
    weights = Model.load("starter").config.weights
    free = {name for name, is_free in zip(space.names, space.free, strict=True) if is_free}
    assert free == set(settings.ranges)
    assert free | set(settings.fixed) == set(weights)
    assert space.named(space.vector(weights)) == dict.fromkeys(space.names, 0.0) | dict(weights)


def test_options_add_to_a_presets_bounds() -> None:
    preset = load_preset("starter", {})
    changes = {"fixed": {"Changes": 0.3}, "ranges": {"lm_0": [0.1, 1.0], "ZipfDiff": [0, 1]}, "without": ["SylDiff"]}
    changed = load_preset("starter", changes)
    fixed = {"LabelClash": -6.0, "Repeats": -6.0, "Excepted": -12.0, "StarterRank": -0.6, "Changes": 0.3}
    assert changed.fixed == fixed  # a range frees what the preset fixes
    kept = {name: bounds for name, bounds in preset.ranges.items() if name != "SylDiff"}
    assert changed.ranges == {**kept, "lm_0": (0.1, 1.0), "ZipfDiff": (0.0, 1.0)}
    assert changed.without == (*preset.without, "SylDiff")
    assert "lm_0" not in load_preset("starter", {"ranges.lm_0": [0, 1]}).fixed
    with pytest.raises(SbmtError, match=r"^ranges: expected names with values, found 3"):
        load_preset("starter", {"ranges": 3})


def test_what_is_switched_off_is_off_whatever_the_preset_says(starter_features: list[str]) -> None:
    """Each weight of the packaged model, by name, and several by one pattern; one named beside the pattern stays."""

    def off(changes: dict[str, object]) -> set[str]:
        settings = load_preset("starter", changes)
        space = WeightSpace.build(starter_features, settings.fixed, settings.ranges, settings.without)
        return {name for name, low, high in zip(space.names, space.low, space.high, strict=True) if low == high == 0.0}

    before, weights = off({}), Model.load("starter").config.weights
    for name in weights:
        assert off({"without": [name]}) == before | {name}
    assert off({"without": ["Starter*"]}) == before | {name for name in weights if name.startswith("Starter")}
    assert off({"without": ["*Diff"], "fixed": {"ZipfDiff": 1.0}}) == before | {"CharCountDiff", "SylDiff"}


def test_command(tuning_bundle: Path, tuning_set: Data, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, references = tuning_set
    run = tmp_path / "run"
    arguments = [
        "--source",
        str(source),
        "--references",
        str(references[0])[:-1],
        "-m",
        str(tuning_bundle),
        "--out",
        str(run),
    ]
    more = ["--metric", "sari:star", "--iterations", "2", "--fix", "WordPenalty=-0.3", "--range", "Changes=-1:0"]
    assert main([*arguments, *more, "--without", "*orter", "--set", "pro.tau=100", "--set", "pro.normalise="]) == 0
    assert capsys.readouterr().out == f"{run}\n"
    assert len(records(run)) <= 2
    assert main(["--resume", str(run)]) == 0
    assert main(["--out", str(run), "--resume"]) == 0
    settings_given = ["--out", str(run), *more, "--without", "*orter", "--set", "pro.tau=100"]
    assert main([*settings_given, "--resume"]) == 0
    longer = [value if value != "2" else "3" for value in settings_given]
    assert main([*longer, "--resume", str(run)]) == 0
    assert main(["--resume", str(run), "--iterations", "4"]) == 0
    assert main(["--resume", str(run), "--without", "*orter", "--fix", "WordPenalty=-0.3"]) == 0  # the run's own
    for wrong, message in [
        ([*arguments, "--folds", "f"], "--folds and --fold-models go together"),
        (["--resume"], "--resume needs the run's folder"),
        (["--resume", ""], "--resume needs the run's folder"),
        (
            ["--out", str(run), "--metrics", "bleu", "--resume"],
            "--resume: metric is bleu, and the run has sari:star: leave --metric out, or start another run",
        ),
        (
            ["--resume", str(run), "--preset", "paper"],
            "--resume: min_new is 0.0, and the run has 0.01: leave --preset out, or start another run",
        ),
        (["--resume", str(run), "--set", "pro.tau=99"], "pro.tau is 99, and the run has 100: leave --set out, or"),
        (["--resume", str(run), "--fix", "lm_0=1"], "fixed.lm_0 is 1.0, and the run has none: leave --fix out, or"),
        (["--out", str(run)], "--source is needed to start a run"),
        ([*arguments[:-1], str(tuning_bundle / "model.yaml")], "model.yaml: is no folder; name one, or a new one"),
        ([*arguments, "--set", "fixed=null"], "tuning settings: fixed: expected names with values, found None (--set)"),
        ([*arguments, "--set", "without="], "tuning settings: without: expected a list, found '' (--set)"),
        ([*arguments, "--set", "Pro.tau=3"], "tuning settings: Pro: unknown key"),
        ([*arguments, "--held-out", "2", "--set", "seed=1"], "held_out: 2.0 is not from 0 to 1 (--held-out)"),
        ([*arguments, "--fix", "f=g=inf"], "fixed.f=g: expected a finite number, found inf (--fix)"),
        ([*arguments, "--fix", "f=1", "--fix", "g=inf"], "fixed.g: expected a finite number, found inf (--fix)"),
        ([*arguments, "--iterations", "1", "--set", "iterations=2"], "--iterations and --set both give iterations: "),
        ([*arguments, "--held-out", ".5", "--set", "held_out=.1"], "--held-out and --set both give held_out: "),
        ([*arguments, "--fix", "f=1", "--set", "fixed.f=2"], "--fix and --set fixed.f both name f: "),
        ([*arguments, "--set", "pro.l2=1", "--set", "pro={l2: 2}"], "--set gives both pro and pro.l2: leave one"),
        ([*arguments, "--fix", "f=1", "--without", "f"], "--fix and --without both name f: leave one of them out"),
        ([*arguments, "--fix", "f=1", "--range", "f=0:1"], "--fix and --range both name f"),
        ([*arguments, "--range", "f=0:1", "--without", "f"], "--range and --without both name f"),
        (
            [*arguments, "--scheduler", "host:1"],
            "--scheduler is the address of a cluster: name its kind, --backend dask",
        ),
        ([*arguments[:-1], str(tmp_path / "x"), "--set", "metric=*"], "'*' is no YAML value"),
        ([*arguments[:-1], str(tmp_path / "x"), "--set", "seed=2026-02-31"], "no YAML value"),
        ([*arguments, "--range", "f=1"], "--range f=1: not of the form NAME=LOW:HIGH"),
        (["--resume", str(run), "--backend", "slurm"], "unknown backend 'slurm' (known: loky, dask, ray)"),
        (["--resume", str(run), "--backend", "threading"], "unknown backend 'threading'"),  # decoders are not for two
    ]:
        capsys.readouterr()
        assert main(wrong) == 2
        assert message in capsys.readouterr().err


@pytest.mark.parametrize("named", [[], ["-m", "starter"], ["--preset", "default"]])
def test_without_a_preset_it_is_that_of_the_packaged_model(
    tuning_set: Data, tmp_path: Path, caplog: pytest.LogCaptureFixture, named: list[str]
) -> None:
    caplog.set_level(logging.INFO)
    source, references = tuning_set
    run = tmp_path / "run"
    arguments = ["--source", str(source), "--references", *map(str, references), "--out", str(run)]
    assert main([*arguments, "--iterations", "1", *named]) == 0
    preset = "default" if "default" in named else "starter"
    assert RunFolder(run).settings() == load_preset(preset, {"iterations": 1})
    said = "the preset is starter, which keeps the weights in bounds (--preset default frees them)"
    assert [message for message in caplog.messages if "the preset is" in message] == [said] * (preset == "starter")


def test_the_model_of_a_run_keeps_what_bounds_that_had(
    tuning_bundle: Path, tuning_set: Data, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """But not its metric, nor how it was tuned."""
    caplog.set_level(logging.INFO)
    source, references = tuning_set
    first, second, free = (str(tmp_path / name) for name in ("first", "second", "free"))
    arguments = ["--source", str(source), "--references", *map(str, references), "--iterations", "1"]
    bounds = ["--range", "Changes=-1:0", "--fix", "WordPenalty=-0.3", "--without", "*orter"]
    assert main([*arguments, "-m", str(tuning_bundle), "--out", first, *bounds, "--seed", "7", "--metric", "bleu"]) == 0
    assert "stays so" not in caplog.text
    assert main([*arguments, "-m", first, "--out", second, "--fix", "Changes=-0.5"]) == 0
    said = f"what is fixed, bounded or switched off in the run {first} stays so (--preset default frees the weights)"
    assert caplog.messages.count(said) == 1
    own = {"fixed": {"WordPenalty": -0.3, "Changes": -0.5}, "ranges": {"Changes": [-1, 0]}, "without": ["*orter"]}
    assert RunFolder(second).settings() == load_preset("default", {"iterations": 1, **own})
    assert main([*arguments, "-m", first, "--out", free, "--preset", "default"]) == 0
    assert caplog.messages.count(said) == 1
    assert RunFolder(free).settings() == load_preset("default", {"iterations": 1})


def test_models_without_a_preset_of_their_own_have_the_default_one(tuning_bundle: Path) -> None:
    assert [preset_of(name) for name in ("starter", str(tuning_bundle), "paper")] == ["starter", "default", "default"]


@pytest.mark.parametrize("name", ["dask", "ray"])
def test_a_cluster_needs_its_package(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    for module in ("dask.distributed", "ray"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(SbmtError, match=f"--backend {name} needs the package"), connected(1, name, None):
        pass


def test_a_cluster_that_does_not_answer_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def connect(scheduler: str | None) -> None:
        raise ConnectionError("nobody there")

    monkeypatch.setattr("sbmt.tuning.workers._dask", connect)
    message = "--backend dask: no cluster answers at host:1: nobody there"
    with pytest.raises(SbmtError, match=message), connected(1, "dask", "host:1"):
        pass
    with (
        pytest.raises(SbmtError, match=r"no cluster answers on this machine .*--scheduler"),
        connected(1, "dask", None),
    ):
        pass


def test_clusters_are_left_at_the_end_however_that_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    """By stand-ins for the packages, which are not among those that tests need."""
    done: list[str] = []

    @contextmanager
    def client(address: str | None) -> Iterator[None]:
        done.append(f"enter {address}")
        yield
        done.append("close")

    ray = SimpleNamespace(init=lambda address: done.append(f"enter {address}"), shutdown=lambda: done.append("close"))
    fakes = {"dask": SimpleNamespace(), "dask.distributed": SimpleNamespace(Client=client), "ray": ray}
    fakes |= {"ray.util": SimpleNamespace(), "ray.util.joblib": SimpleNamespace(register_ray=lambda: None)}
    for name, module in fakes.items():
        monkeypatch.setitem(sys.modules, name, module)
    for backend in ("dask", "ray"):
        with connected(3, backend, "host:1") as workers:
            assert workers.jobs == 3
            done.append("work")
    assert done == ["enter host:1", "work", "close"] * 2
    with pytest.raises(OSError, match="the disk"), connected(1, "ray", None):
        raise OSError("the disk is full")  # which is no matter of the cluster's
    assert done[-2:] == ["enter auto", "close"]
