"""The tuning loop end to end on a small model: it learns, honours its settings, and complains clearly."""

from __future__ import annotations

import gc
import logging
import shutil
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from joblib import parallel_config, register_parallel_backend
from joblib.parallel import ThreadingBackend

from sbmt.decoder.garbage_collection import collect_rarely
from sbmt.decoder.result import Result
from sbmt.errors import SbmtError
from sbmt.model import Model
from sbmt.tuning.folder import RunFolder
from sbmt.tuning.folds import Folds
from sbmt.tuning.run import resume_run, start_run
from sbmt.tuning.workers import Workers
from tests.tuning.runs import Data, records, settings, tune


@pytest.mark.parametrize("tuner", ["pro", "mira", "mert"])
def test_tuning_raises_the_metric(tuning_bundle: Path, tuning_set: Data, tmp_path: Path, tuner: str) -> None:
    model = tune(tuning_bundle, tuning_set, tmp_path / "run", tuner=tuner, held_out=0)
    done = records(tmp_path / "run")
    assert max(record["decoded"] for record in done) > done[0]["decoded"] + 0.05
    words = "the individuals purchased the enormous residence .".split()
    output = model.translator().translate(words)[0].words
    assert set(output) & {"people", "bought", "big", "home", "house"}
    assert Model.load(tmp_path / "run").config.weights == model.config.weights


@pytest.mark.parametrize("share", [0.05, 0.3, 1.0])
def test_a_run_ends_when_little_is_new(
    tuning_bundle: Path, tuning_set: Data, tmp_path: Path, caplog: pytest.LogCaptureFixture, share: float
) -> None:
    """And says so, also where it is resumed to more iterations."""
    caplog.set_level(logging.INFO)
    tune(tuning_bundle, tuning_set, tmp_path / "run", iterations=8, held_out=0, min_new=share)
    possible = 20 * len(tuning_set[0].read_text().splitlines())
    few = [record["new_candidates"] <= share * possible for record in records(tmp_path / "run")]
    assert few == [False] * (len(few) - 1) + [True]
    new = records(tmp_path / "run")[-1]["new_candidates"]
    said = f"no iteration after {len(few)}: it brought {new} new candidates, "
    said += f"and min_new ({share:g}) asks for more than {share * possible:g}"
    assert caplog.messages.count(said) == 1
    resume_run(tmp_path / "run", Workers(), 9)
    assert caplog.messages.count(said) == 2
    assert len(records(tmp_path / "run")) == len(few)


def test_a_backend_may_give_all_results_at_the_end() -> None:
    class Late(ThreadingBackend):
        """What ray's backend is like in this respect."""

        supports_return_generator = False

    register_parallel_backend("late", Late)
    workers = Workers(2, partial(parallel_config, backend="late"))
    assert list(workers.map(pow, [(2, n) for n in range(9)], "powers")) == [2**n for n in range(9)]


@pytest.mark.parametrize("held_out", [0, 0.25])
def test_each_output_is_scored_once(
    tuning_bundle: Path, tuning_set: Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, held_out: float
) -> None:
    log, module = tmp_path / "scored", f"logmetric{100 * held_out:.0f}"
    (tmp_path / f"{module}.py").write_text(
        "def log(source, output, references):\n"
        f"    with open({str(log)!r}, 'a') as stream:\n"
        "        print(source, output, sep='\\t', file=stream)\n"
        "    return float(len(set(output.split()) & set(references[0].split())))\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    tune(tuning_bundle, tuning_set, tmp_path / "run", metric=f"{module}:log", held_out=held_out, min_new=0.0)
    scored = log.read_text().splitlines()
    new = sum(record["new_candidates"] for record in records(tmp_path / "run"))
    assert len(scored) == len(set(scored)) >= new
    assert (len(scored) == new) == (held_out == 0)


def test_a_metric_of_lists_scores_shards(
    tuning_bundle: Path, tuning_set: Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same run as by a function of one sentence, with a call for each shard that has new outputs."""
    one = "def one(source, output, references):\n    return len(set(output.split()) & set(references[0].split()))\n"
    many = (
        "from sbmt.metrics import batched\n"
        "@batched\ndef many(sources, outputs, references):\n"
        f"    open({str(tmp_path / 'calls')!r}, 'a').write(f'{{len(outputs)}} ')\n"
        "    return [one(*row) for row in zip(sources, outputs, references, strict=True)]\n"
    )
    (tmp_path / "listmetric.py").write_text(one + many)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("sbmt.tuning.shards.SHARDS", 2)
    for name in ("one", "many"):
        tune(tuning_bundle, tuning_set, tmp_path / name, metric=f"listmetric:{name}", held_out=0, min_new=0.0)
    weights = [[record["next"] for record in records(tmp_path / name)] for name in ("one", "many")]
    assert weights[0] == weights[1]
    calls = list(map(int, (tmp_path / "calls").read_text().split()))
    assert sum(calls) == sum(record["new_candidates"] for record in records(tmp_path / "many"))
    assert len(calls) <= 2 * len(weights[1])


def test_jobs_make_no_difference(tuning_bundle: Path, tuning_set: Data, tmp_path: Path) -> None:
    one, two = (tune(tuning_bundle, tuning_set, tmp_path / f"run{jobs}", jobs) for jobs in (1, 2))
    assert one.config.weights == two.config.weights


def test_weights_of_features_that_no_sentence_shows_are_kept(
    tuning_bundle: Path, tuning_set: Data, tmp_path: Path
) -> None:
    """Their names may also be fixed, as a preset does."""
    model = Model.load(tuning_bundle)
    model = model.replace(weights={**model.config.weights, "LabelClash": -6.0, "Repeats": -3.0})
    tuned = start_run(
        tmp_path / "run", model, *tuning_set, settings(iterations=2, fixed={"LabelClash": -6.0}), Workers(1)
    )
    assert (tuned.config.weights["LabelClash"], tuned.config.weights["Repeats"]) == (-6, -3)


def test_they_do_not_keep_the_others_from_being_normalised(
    tuning_bundle: Path, tuning_set: Data, tmp_path: Path
) -> None:
    model = Model.load(tuning_bundle)
    model = model.replace(weights={**model.config.weights, "Repeats": -3.0})
    chosen = settings(iterations=1, held_out=0, **{"pro.normalise": "lm_0"})
    tuned = start_run(tmp_path / "run", model, *tuning_set, chosen)
    assert abs(tuned.config.weights["lm_0"]) == pytest.approx(1)
    assert tuned.config.weights["Repeats"] == -3


def test_the_collector_of_the_caller_is_left_alone(
    tuning_bundle: Path, tuning_set: Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sbmt.tuning.shards.collect_rarely", collect_rarely)
    before, frozen = gc.get_threshold(), gc.get_freeze_count()
    tune(tuning_bundle, tuning_set, tmp_path / "run", iterations=1)
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() <= frozen  # Python 3.12 begins with some


def test_files_are_named_by_texts_or_paths(tuning_bundle: Path, tuning_set: Data, tmp_path: Path) -> None:
    source, references = tuning_set
    by_path = tune(tuning_bundle, tuning_set, tmp_path / "paths", iterations=1)
    texts = (str(source), list(map(str, references)))
    by_text = start_run(str(tmp_path / "texts"), Model.load(tuning_bundle), *texts, settings(iterations=1), Workers())
    assert by_text.config.weights == by_path.config.weights


@pytest.mark.parametrize(
    ("changes", "kind", "message"),
    [
        ({"references": "ref"}, TypeError, "references: a list of files is due, not 'ref' by itself"),
        ({"references": []}, SbmtError, "line 1: has no reference"),
        (
            {"references": [["a", "b"]]},
            TypeError,
            r"references: a file is due, not \['a', 'b'\]: write the sentences to",
        ),
        ({"source": ["a"]}, TypeError, r"source: a file is due, not \['a'\]: write the sentences to one, one per line"),
        ({"model": "starter"}, TypeError, "model: 'starter' is no Model"),
        ({"settings": {}}, TypeError, "settings: {} is no TuneSettings"),
        ({"workers": 2}, TypeError, "workers: 2 is no Workers"),
    ],
)
def test_arguments_of_another_kind_leave_no_folder(
    tuning_bundle: Path, tuning_set: Data, tmp_path: Path, changes: dict[str, Any], kind: type[Exception], message: str
) -> None:
    source, references = tuning_set
    valid = {"source": source, "references": references, "settings": settings(), "workers": Workers()}
    with pytest.raises(kind, match=message):
        start_run(tmp_path / "run", **{"model": Model.load(tuning_bundle), **valid, **changes})
    assert not (tmp_path / "run").exists()


def test_folds_that_cannot_be(tuning_bundle: Path) -> None:
    with pytest.raises(SbmtError, match="there is no model of fold 1: the 1 there are count from 0"):
        Folds((Model.load(tuning_bundle),), (0, 1))


def test_restrictions_reach_the_tuner(tuning_bundle: Path, tuning_set: Data, tmp_path: Path) -> None:
    model = tune(
        tuning_bundle,
        tuning_set,
        tmp_path / "run",
        fixed={"WordPenalty": -0.25},
        ranges={"Changes": [-0.4, 0.0]},
        without=["Short*"],
    )
    weights = model.config.weights
    assert weights["WordPenalty"] == -0.25
    assert -0.4 <= weights["Changes"] <= 0
    assert weights["Shorter"] == 0


@pytest.mark.parametrize("tuner", ["pro", "mira", "mert"])
def test_without_a_free_weight_there_is_nothing_to_tune(
    tuning_bundle: Path, tuning_set: Data, tmp_path: Path, tuner: str
) -> None:
    with pytest.raises(SbmtError, match="no weight is free, so there is nothing to tune"):
        tune(tuning_bundle, tuning_set, tmp_path / "run", tuner=tuner, without=["*"])
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(("tuner", "full"), [("pro", 1), ("pro", 100), ("mert", 1), ("mira", 100)])
def test_tuning_for_a_user_defined_function(
    tuning_bundle: Path, tuning_set: Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tuner: str, full: int
) -> None:
    """Whether its best is 1 or 100."""
    (tmp_path / f"ownmetric{full}.py").write_text(
        "def overlap(source, output, references):\n"
        "    output = set(output.split())\n"
        "    alike = [len(output & set(r.split())) / len(output | set(r.split())) for r in references]\n"
        f"    return {full} * max(alike)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    tune(tuning_bundle, tuning_set, tmp_path / "run", tuner=tuner, held_out=0, metric=f"ownmetric{full}:overlap")
    done = records(tmp_path / "run")
    assert max(record["decoded"] for record in done) > done[0]["decoded"] + 0.05 * full


def test_user_defined_features_are_tuned(
    tuning_bundle: Path, tuning_set: Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "own_letters.py").write_text(
        "class Letters:\n"
        "    def rule_values(self, rules, owners):\n"
        "        return 'Letters', [len(' '.join(map(str, target))) for target in rules.target]\n"
    )
    config = (tuning_bundle / "model.yaml").read_text()
    (tuning_bundle / "model.yaml").write_text(config + "feature_functions: ['own_letters:Letters']\n")
    tuned = tune(tuning_bundle, tuning_set, tmp_path / "run")
    assert tuned.config.feature_functions == ("own_letters:Letters",)
    assert records(tmp_path / "run")[0]["fitted"]["Letters"] != 0


def test_a_sentence_without_reference(tuning_bundle: Path, tuning_set: Data, tmp_path: Path) -> None:
    for path in tuning_set[1]:
        lines = path.read_text().splitlines()
        path.write_text("\n".join([*lines[:2], "", *lines[3:]]) + "\n")
    with pytest.raises(SbmtError, match=rf"{tuning_set[0]}, line 3: has no reference, which sari needs: leave such"):
        tune(tuning_bundle, tuning_set, tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_metric_that_fails(
    tuning_bundle: Path, tuning_set: Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "badmetric.py").write_text("def zero(source, output, references):\n    return 1 / 0\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(SbmtError, match=r"badmetric:zero fails on '.*ZeroDivisionError"):
        tune(tuning_bundle, tuning_set, tmp_path / "run", metric="badmetric:zero")
    assert not (tmp_path / "run").exists()
    tune(tuning_bundle, tuning_set, tmp_path / "run", iterations=1)


def test_a_metric_that_fails_later(
    tuning_bundle: Path, tuning_set: Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was done before stays, and the message says how to go on."""
    run, mended = tmp_path / "run", tmp_path / "mended"
    (tmp_path / "latemetric.py").write_text(
        "from pathlib import Path\n"
        "def late(source, output, references):\n"
        f"    assert Path({str(mended)!r}).exists() or not list(Path({str(run)!r}).glob('iterations/*'))\n"
        "    return len(output) / 100\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    goes_on = r"latemetric:late fails on .*; 1 iteration done: once that is mended, go on with --resume \(in Python"
    with pytest.raises(SbmtError, match=goes_on):
        tune(tuning_bundle, tuning_set, run, iterations=2, metric="latemetric:late")
    with pytest.raises(SbmtError, match=r"; 1 iteration done: .* go on with --resume --iterations 3 \(in Python"):
        resume_run(run, iterations=3)
    mended.touch()
    resume_run(run)
    assert len(records(run)) == 2


def test_a_feature_that_is_not_finite(
    tuning_bundle: Path, tuning_set: Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nbest_features = Result.nbest_features

    def broken(self: Result, k: int) -> Any:
        texts, values, names = nbest_features(self, k)
        return texts, np.where(np.array(names) == "p(e|f)", np.nan, values), names

    monkeypatch.setattr(Result, "nbest_features", broken)
    with pytest.raises(SbmtError, match=r"feature p\(e\|f\) is not finite for a candidate of '"):
        tune(tuning_bundle, tuning_set, tmp_path / "run")


@pytest.mark.parametrize("lacking", [0, 1])
def test_cross_fitting_parses_each_sentence_with_its_folds_model(
    tuning_bundle: Path, tuning_set: Data, tmp_path: Path, lacking: int
) -> None:
    """The grammar of one fold has no rule for "individuals": its sentences cannot say "people"."""
    other = tmp_path / "other"
    shutil.copytree(tuning_bundle, other)
    lines = (tuning_bundle / "grammar").read_text().splitlines()
    (other / "grammar").write_text("".join(line + "\n" for line in lines if "individuals" not in line))
    fold = [0, 0, 1, 1] * 2  # each has such sentences
    (tmp_path / "folds").write_text("".join(f"{number}\n" for number in fold))
    models = [Model.load(other if number == lacking else tuning_bundle) for number in (0, 1)]
    folds = Folds.read(tmp_path / "folds", models)
    start_run(tmp_path / "run", Model.load(tuning_bundle), *tuning_set, settings(held_out=0), Workers(), folds)
    seen: dict[int, set[str]] = {0: set(), 1: set()}
    pool = RunFolder(tmp_path / "run").pool(len(records(tmp_path / "run")))
    for number, candidates in zip(sorted(fold), pool.sentences, strict=True):
        seen[number].update(word for text in candidates.texts for word in text.split())
    assert "people" in seen[1 - lacking] - seen[lacking]


def test_folds_that_do_not_fit(tuning_bundle: Path, tuning_set: Data, tmp_path: Path) -> None:
    (tmp_path / "folds").write_text("0\n1\n" * 4)
    folds = Folds.read(tmp_path / "folds", [Model.load(tuning_bundle)] * 2)
    with pytest.raises(SbmtError, match="2 fold numbers for the 8 lines"):
        start_run(
            tmp_path / "x", Model.load(tuning_bundle), *tuning_set, settings(), Workers(), Folds(folds.models, (0, 1))
        )
    with pytest.raises(SbmtError, match="folds: no sentence is of fold 2, for which there is a model"):
        Folds.read(tmp_path / "folds", [*folds.models, *folds.models])
    (tmp_path / "folds").write_text("0\n2\n")
    with pytest.raises(SbmtError, match="folds, line 2: '2' is not a fold from 0 to 1"):
        Folds.read(tmp_path / "folds", folds.models)
    (tmp_path / "folds").write_text("0\n" + "1" * 5000)
    with pytest.raises(SbmtError, match=r"folds, line 2: '1111.*1' is not a fold from 0 to 1"):
        Folds.read(tmp_path / "folds", folds.models)


@pytest.mark.parametrize("kind", ["phrase", "pbmt-r"])
def test_phrase_based_models_are_tuned_too(tuning_bundle: Path, tuning_set: Data, tmp_path: Path, kind: str) -> None:
    config = (tuning_bundle / "model.yaml").read_text()
    (tuning_bundle / "model.yaml").write_text(config + f"decoder: {{kind: {kind}}}\n")
    tune(tuning_bundle, tuning_set, tmp_path / "run", held_out=0)
    done = records(tmp_path / "run")
    assert max(record["decoded"] for record in done) > done[0]["decoded"]


def test_models_without_weights_are_refused(tuning_bundle: Path, tuning_set: Data, tmp_path: Path) -> None:
    (tuning_bundle / "model.yaml").write_text("format: 1\ndecoder: {kind: identity}\n")
    with pytest.raises(SbmtError, match="models of kind 'identity' have no weights to tune"):
        tune(tuning_bundle, tuning_set, tmp_path / "run")


def test_windows_line_ends_are_no_text(tuning_bundle: Path, tuning_set: Data, tmp_path: Path) -> None:
    """To a metric of characters they would be."""
    metric = "levenshtein:characters-reference"
    plain = tune(tuning_bundle, tuning_set, tmp_path / "plain", metric=metric, iterations=2)
    for path in (tuning_set[0], *tuning_set[1]):
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    other = tune(tuning_bundle, tuning_set, tmp_path / "other", metric=metric, iterations=2)
    assert other.config.weights == plain.config.weights
    assert other.config.tuned["gain"] == plain.config.tuned["gain"]


@pytest.mark.parametrize("interpolation", [0.5, 1.0])
def test_without_a_held_out_part_the_last_fitted_weights_are_the_result(
    tuning_bundle: Path, tuning_set: Data, tmp_path: Path, interpolation: float
) -> None:
    """Not those that the next iteration would have decoded with, which are interpolated."""
    model = tune(tuning_bundle, tuning_set, tmp_path / "run", iterations=2, held_out=0, interpolation=interpolation)
    last = records(tmp_path / "run")[-1]
    assert model.config.weights == {name: weight for name, weight in last["fitted"].items() if weight}
    assert (last["fitted"] == last["next"]) == (interpolation == 1)


@pytest.mark.parametrize("held_out", [0, 0.25])
def test_joshua_keeps_the_weights_with_which_it_found_nothing_new(
    tuning_bundle: Path, tuning_set: Data, tmp_path: Path, held_out: float
) -> None:
    """It fits nothing in that iteration, whether or not others would compete on a held-out part."""
    changes = {"min_new": 0.0, "fit_last": False, "iterations": 9, "held_out": held_out, "nbest": 300}
    model = tune(tuning_bundle, tuning_set, tmp_path / "run", **changes)
    *before, last = records(tmp_path / "run")
    assert last["new_candidates"] == 0 < min(record["new_candidates"] for record in before)
    assert last["weights"] == last["fitted"] == last["next"] == before[-1]["next"] != before[-1]["fitted"]
    weights = {name: weight for name, weight in model.config.weights.items() if weight}
    decoded_with = [{name: w for name, w in record["weights"].items() if w} for record in (*before, last)]
    assert weights == decoded_with[-1] if not held_out else weights in decoded_with
    said = model.config.tuned["chosen"]
    assert "fitted" not in said
    assert held_out or said == f"the weights that iteration {last['iteration']} decoded with (nothing is held out)"
    assert resume_run(tmp_path / "run").config == model.config


def test_a_weight_that_the_model_names_stays_where_it_is_0(
    tuning_bundle: Path, tuning_set: Data, tmp_path: Path
) -> None:
    """Some features are computed for being named, so the model can be tuned again."""
    model = tune(tuning_bundle, tuning_set, tmp_path / "run", iterations=1, fixed={"WordPenalty": 0.0})
    assert model.config.weights["WordPenalty"] == 0
    tune(tmp_path / "run", tuning_set, tmp_path / "again", iterations=1, fixed={"WordPenalty": 0.0})


def test_nothing_left_to_tune_on(tuning_bundle: Path, tuning_set: Data, tmp_path: Path) -> None:
    with pytest.raises(SbmtError, match="nothing is left to tune on: "):
        tune(tuning_bundle, tuning_set, tmp_path / "run", held_out=1.0)
