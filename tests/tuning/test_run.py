"""The tuning loop end to end on a small model: it learns, resumes bit for bit, and complains clearly."""

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

from sbmt.decoder.result import Result
from sbmt.errors import SbmtError
from sbmt.metrics import get_metric
from sbmt.model import Model
from sbmt.tuning.folder import RunFolder
from sbmt.tuning.folds import Folds
from sbmt.tuning.messages import moves
from sbmt.tuning.run import resume_run, start_run
from sbmt.tuning.workers import Workers
from tests.tuning.runs import Data, records, settings, tune


@pytest.mark.parametrize("tuner", ["pro", "mira", "mert"])
def test_tuning_raises_the_metric(bundle: Path, tuning_set: Data, tmp_path: Path, tuner: str) -> None:
    model = tune(bundle, tuning_set, tmp_path / "run", tuner=tuner, held_out=0)
    done = records(tmp_path / "run")
    assert max(record["decoded"] for record in done) > done[0]["decoded"] + 0.05
    words = "the individuals purchased the enormous residence .".split()
    output = model.translator().translate(words)[0].words
    assert set(output) & {"people", "bought", "big", "home", "house"}
    assert Model.load(tmp_path / "run").config.weights == model.config.weights
    assert (tmp_path / "run" / "curve.png").read_bytes().startswith(b"\x89PNG")


def test_raw_text_is_remarked_on(
    bundle: Path, tuning_set: Data, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    source, references = tuning_set
    source.write_text(source.read_text().replace(" .", ".").capitalize())
    references[0].write_text(references[0].read_text().capitalize())
    tune(bundle, tuning_set, tmp_path / "run", iterations=1)
    said = [message.split(", unlike")[0] for message in caplog.messages if "with sbmt-text" in message]
    assert said == [f"{source} has punctuation glued to words"]


@pytest.mark.parametrize("protects", [True, False])
def test_text_without_capitals_is_remarked_on_where_names_are_protected(
    bundle: Path, tuning_set: Data, tmp_path: Path, caplog: pytest.LogCaptureFixture, protects: bool
) -> None:
    source, _ = tuning_set
    with (bundle / "model.yaml").open("a") as stream:
        stream.write(f"text: {{protect: {{names: {protects}}}}}\n")
    tune(bundle, tuning_set, tmp_path / "run", iterations=1)
    said = f"{source} has hardly any capitals, by which the model knows the names that it protects: tune on cased text"
    assert [message for message in caplog.messages if "capitals" in message] == [said] * protects
    caplog.clear()
    source.write_text(source.read_text().title())
    tune(bundle, tuning_set, tmp_path / "cased", iterations=1)
    assert "capitals" not in caplog.text


def test_a_run_says_which_weights_are_the_result(
    bundle: Path, tuning_set: Data, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    model = tune(bundle, tuning_set, tmp_path / "run")
    done = records(tmp_path / "run")
    assert model.config.tuned["gain"] >= max(record["held_out"] for record in done)
    said = f"; {100 * model.config.tuned['gain']:.2f} on the held-out part, none did better"
    before = [record["weights"] for record in done]
    same = [i for i, weights in enumerate(before) if weights == {n: model.config.weights[n] for n in weights}]
    after = {name: model.config.weights[name] for name in before[0]} == done[-1]["next"]
    chosen = (
        f"the weights that iteration {same[0] + 1} decoded with" if same else "the weights after iteration 3" * after
    )
    assert f"the result: {model.config.tuned['chosen']}" in caplog.messages
    assert model.config.tuned["chosen"].startswith(chosen)
    assert model.config.tuned["chosen"].endswith(said)
    model = tune(bundle, tuning_set, tmp_path / "other", held_out=0, iterations=1)
    assert "the result: the weights fitted in iteration 1, the last (nothing is held out)" in caplog.messages
    fitted = records(tmp_path / "other")[0]["fitted"]
    assert {name: model.config.weights[name] for name in fitted} == fitted


@pytest.mark.parametrize(
    ("changes", "said"),
    [({}, "start weights, unchanged;"), ({"fixed": {"WordPenalty": -0.1}}, "but for what is fixed, bounded or switch")],
)
def test_start_weights_that_stay_the_best_are_named_as_the_result(
    bundle: Path, tuning_set: Data, tmp_path: Path, caplog: pytest.LogCaptureFixture, changes: Any, said: str
) -> None:
    """Next weights that are the present ones bring no gain on the held-out part."""
    caplog.set_level(logging.INFO)
    model = tune(bundle, tuning_set, tmp_path / "run", iterations=1, interpolation=0, **changes)
    assert {name: value for name, value in model.config.weights.items() if value} == {
        name: value for name, value in Model.load(bundle).config.weights.items() if value
    }
    assert said in caplog.text
    assert "the result: the start weights" in caplog.text
    assert "weights that have moved" not in caplog.text
    caplog.clear()
    tune(bundle, tuning_set, tmp_path / "other", held_out=0)
    assert not any("start weights" in message for message in caplog.messages)


def test_figures_between_0_and_1_are_shown_with_four_decimals(
    bundle: Path, tuning_set: Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "share.py").write_text(
        "def of(source, output, references):\n"
        "    return sum(word in references[0].split() for word in output.split()) / len(output.split())\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    caplog.set_level(logging.INFO)
    tune(bundle, tuning_set, tmp_path / "run", metric="share:of", iterations=1)
    record = records(tmp_path / "run")[0]
    shown = f"iteration 1: {record['decoded']:.4f}, held out {record['held_out']:.4f}, pool {record['pool']:.4f}, "
    assert any(message.startswith(shown) for message in caplog.messages)


@pytest.mark.parametrize("share", [0.05, 0.3, 1.0])
def test_a_run_ends_when_little_is_new(
    bundle: Path, tuning_set: Data, tmp_path: Path, caplog: pytest.LogCaptureFixture, share: float
) -> None:
    """And says so, also where it is resumed to more iterations."""
    caplog.set_level(logging.INFO)
    tune(bundle, tuning_set, tmp_path / "run", iterations=8, held_out=0, min_new=share)
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


def test_a_run_that_has_had_its_iterations_explains_nothing(
    bundle: Path, tuning_set: Data, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    tune(bundle, tuning_set, tmp_path / "run", iterations=1)
    resume_run(tmp_path / "run", iterations=2)
    resume_run(tmp_path / "run")
    assert len(records(tmp_path / "run")) == 2
    assert "no iteration after" not in caplog.text


def test_a_backend_may_give_all_results_at_the_end() -> None:
    class Late(ThreadingBackend):
        """What ray's backend is like in this respect."""

        supports_return_generator = False

    register_parallel_backend("late", Late)
    workers = Workers(2, partial(parallel_config, backend="late"))
    assert list(workers.map(pow, [(2, n) for n in range(9)], "powers")) == [2**n for n in range(9)]


@pytest.mark.parametrize("held_out", [0, 0.25])
def test_each_output_is_scored_once(
    bundle: Path, tuning_set: Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, held_out: float
) -> None:
    log, module = tmp_path / "scored", f"logmetric{100 * held_out:.0f}"
    (tmp_path / f"{module}.py").write_text(
        "def log(source, output, references):\n"
        f"    with open({str(log)!r}, 'a') as stream:\n"
        "        print(source, output, sep='\\t', file=stream)\n"
        "    return float(len(set(output.split()) & set(references[0].split())))\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    tune(bundle, tuning_set, tmp_path / "run", metric=f"{module}:log", held_out=held_out, min_new=0.0)
    scored = log.read_text().splitlines()
    new = sum(record["new_candidates"] for record in records(tmp_path / "run"))
    assert len(scored) == len(set(scored)) >= new
    assert (len(scored) == new) == (held_out == 0)


def test_a_metric_of_lists_scores_shards(
    bundle: Path, tuning_set: Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
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
        tune(bundle, tuning_set, tmp_path / name, metric=f"listmetric:{name}", held_out=0, min_new=0.0)
    found = [[record["next"] for record in records(tmp_path / name)] for name in ("one", "many")]
    assert found[0] == found[1]
    calls = list(map(int, (tmp_path / "calls").read_text().split()))
    assert sum(calls) == sum(record["new_candidates"] for record in records(tmp_path / "many"))
    assert len(calls) <= 2 * len(found[1])


@pytest.mark.slow
def test_jobs_make_no_difference(bundle: Path, tuning_set: Data, tmp_path: Path) -> None:
    one, two = (tune(bundle, tuning_set, tmp_path / f"run{jobs}", jobs) for jobs in (1, 2))
    assert one.config.weights == two.config.weights


def test_weights_of_features_that_no_sentence_shows_are_kept(bundle: Path, tuning_set: Data, tmp_path: Path) -> None:
    """Their names may also be fixed, as a preset does."""
    model = Model.load(bundle)
    model = model.replace(weights={**model.config.weights, "LabelClash": -6.0, "Repeats": -3.0})
    tuned = start_run(
        tmp_path / "run", model, *tuning_set, settings(iterations=2, fixed={"LabelClash": -6.0}), Workers(1)
    )
    assert (tuned.config.weights["LabelClash"], tuned.config.weights["Repeats"]) == (-6, -3)


def test_they_do_not_keep_the_others_from_being_normalised(bundle: Path, tuning_set: Data, tmp_path: Path) -> None:
    model = Model.load(bundle)
    model = model.replace(weights={**model.config.weights, "Repeats": -3.0})
    chosen = settings(iterations=1, held_out=0, **{"pro.normalise": "lm_0"})
    tuned = start_run(tmp_path / "run", model, *tuning_set, chosen)
    assert abs(tuned.config.weights["lm_0"]) == pytest.approx(1)
    assert tuned.config.weights["Repeats"] == -3


def test_the_collector_of_the_caller_is_left_alone(bundle: Path, tuning_set: Data, tmp_path: Path) -> None:
    before, frozen = gc.get_threshold(), gc.get_freeze_count()
    tune(bundle, tuning_set, tmp_path / "run", iterations=1)
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() <= frozen  # Python 3.12 begins with some


def test_files_are_named_by_texts_or_paths(bundle: Path, tuning_set: Data, tmp_path: Path) -> None:
    source, references = tuning_set
    by_path = tune(bundle, tuning_set, tmp_path / "paths", iterations=1)
    texts = (str(source), list(map(str, references)))
    by_text = start_run(str(tmp_path / "texts"), Model.load(bundle), *texts, settings(iterations=1), Workers())
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
        ({"source": ["a"]}, TypeError, r"source: a file is due, not \['a'\]: write the sentences to one, a line each"),
        ({"model": "starter"}, TypeError, "model: 'starter' is no Model"),
        ({"settings": {}}, TypeError, "settings: {} is no TuneSettings"),
        ({"workers": 2}, TypeError, "workers: 2 is no Workers"),
    ],
)
def test_arguments_of_another_kind_leave_no_folder(
    bundle: Path, tuning_set: Data, tmp_path: Path, changes: dict[str, Any], kind: type[Exception], message: str
) -> None:
    source, references = tuning_set
    given = {"source": source, "references": references, "settings": settings(), "workers": Workers()}
    with pytest.raises(kind, match=message):
        start_run(tmp_path / "run", **{"model": Model.load(bundle), **given, **changes})
    assert not (tmp_path / "run").exists()


def test_folds_that_cannot_be(bundle: Path) -> None:
    with pytest.raises(SbmtError, match="there is no model of fold 1: the 1 there are count from 0"):
        Folds((Model.load(bundle),), (0, 1))


def test_restrictions_reach_the_tuner(bundle: Path, tuning_set: Data, tmp_path: Path) -> None:
    model = tune(
        bundle,
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
    bundle: Path, tuning_set: Data, tmp_path: Path, tuner: str
) -> None:
    with pytest.raises(SbmtError, match="no weight is free, so there is nothing to tune"):
        tune(bundle, tuning_set, tmp_path / "run", tuner=tuner, without=["*"])
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(("tuner", "full"), [("pro", 1), ("pro", 100), ("mert", 1), ("mira", 100)])
def test_tuning_for_a_function_of_ones_own(
    bundle: Path, tuning_set: Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tuner: str, full: int
) -> None:
    """Whether its best is 1 or 100."""
    (tmp_path / f"ownmetric{full}.py").write_text(
        "def overlap(source, output, references):\n"
        "    output = set(output.split())\n"
        "    alike = [len(output & set(r.split())) / len(output | set(r.split())) for r in references]\n"
        f"    return {full} * max(alike)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    tune(bundle, tuning_set, tmp_path / "run", tuner=tuner, held_out=0, metric=f"ownmetric{full}:overlap")
    done = records(tmp_path / "run")
    assert max(record["decoded"] for record in done) > done[0]["decoded"] + 0.05 * full


def test_features_of_ones_own_are_tuned(
    bundle: Path, tuning_set: Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "own_letters.py").write_text(
        "class Letters:\n"
        "    def rule_values(self, rules, owners):\n"
        "        return 'Letters', [len(' '.join(map(str, target))) for target in rules.target]\n"
    )
    config = (bundle / "model.yaml").read_text()
    (bundle / "model.yaml").write_text(config + "feature_functions: ['own_letters:Letters']\n")
    tuned = tune(bundle, tuning_set, tmp_path / "run")
    assert tuned.config.feature_functions == ("own_letters:Letters",)
    assert records(tmp_path / "run")[0]["fitted"]["Letters"] != 0


def test_a_sentence_without_reference(bundle: Path, tuning_set: Data, tmp_path: Path) -> None:
    for path in tuning_set[1]:
        lines = path.read_text().splitlines()
        path.write_text("\n".join([*lines[:2], "", *lines[3:]]) + "\n")
    with pytest.raises(SbmtError, match=rf"{tuning_set[0]}, line 3: has no reference, which sari needs: leave such"):
        tune(bundle, tuning_set, tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_metric_that_fails(bundle: Path, tuning_set: Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "badmetric.py").write_text("def zero(source, output, references):\n    return 1 / 0\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(SbmtError, match=r"badmetric:zero fails on '.*ZeroDivisionError"):
        tune(bundle, tuning_set, tmp_path / "run", metric="badmetric:zero")
    assert not (tmp_path / "run").exists()
    tune(bundle, tuning_set, tmp_path / "run", iterations=1)


def test_a_metric_that_fails_later(
    bundle: Path, tuning_set: Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
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
        tune(bundle, tuning_set, run, iterations=2, metric="latemetric:late")
    with pytest.raises(SbmtError, match=r"; 1 iteration done: .* go on with --resume --iterations 3 \(in Python"):
        resume_run(run, iterations=3)
    mended.touch()
    resume_run(run)
    assert len(records(run)) == 2


def test_a_feature_that_is_not_finite(
    bundle: Path, tuning_set: Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = Result.nbest_features

    def broken(self: Result, k: int) -> Any:
        texts, values, names = found(self, k)
        return texts, np.where(np.array(names) == "p(e|f)", np.nan, values), names

    monkeypatch.setattr(Result, "nbest_features", broken)
    with pytest.raises(SbmtError, match=r"feature p\(e\|f\) is not finite for a candidate of '"):
        tune(bundle, tuning_set, tmp_path / "run")


@pytest.mark.parametrize("lacking", [0, 1])
def test_cross_fitting_parses_each_sentence_with_its_folds_model(
    bundle: Path, tuning_set: Data, tmp_path: Path, lacking: int
) -> None:
    """The grammar of one fold has no rule for "individuals": its sentences cannot say "people"."""
    other = tmp_path / "other"
    shutil.copytree(bundle, other)
    lines = (bundle / "grammar").read_text().splitlines()
    (other / "grammar").write_text("".join(line + "\n" for line in lines if "individuals" not in line))
    fold = [0, 0, 1, 1] * 2  # each has such sentences
    (tmp_path / "folds").write_text("".join(f"{number}\n" for number in fold))
    models = [Model.load(other if number == lacking else bundle) for number in (0, 1)]
    folds = Folds.read(tmp_path / "folds", models)
    start_run(tmp_path / "run", Model.load(bundle), *tuning_set, settings(held_out=0), Workers(), folds)
    seen: dict[int, set[str]] = {0: set(), 1: set()}
    pool = RunFolder(tmp_path / "run").pool(len(records(tmp_path / "run")))
    for number, candidates in zip(sorted(fold), pool.sentences, strict=True):
        seen[number].update(word for text in candidates.texts for word in text.split())
    assert "people" in seen[1 - lacking] - seen[lacking]


def test_folds_that_do_not_fit(bundle: Path, tuning_set: Data, tmp_path: Path) -> None:
    (tmp_path / "folds").write_text("0\n1\n" * 4)
    folds = Folds.read(tmp_path / "folds", [Model.load(bundle)] * 2)
    with pytest.raises(SbmtError, match="2 fold numbers for the 8 lines"):
        start_run(tmp_path / "x", Model.load(bundle), *tuning_set, settings(), Workers(), Folds(folds.models, (0, 1)))
    with pytest.raises(SbmtError, match="folds: no sentence is of fold 2, for which there is a model"):
        Folds.read(tmp_path / "folds", [*folds.models, *folds.models])
    (tmp_path / "folds").write_text("0\n2\n")
    with pytest.raises(SbmtError, match="folds, line 2: '2' is not a fold from 0 to 1"):
        Folds.read(tmp_path / "folds", folds.models)
    (tmp_path / "folds").write_text("0\n" + "1" * 5000)
    with pytest.raises(SbmtError, match=r"folds, line 2: '1111.*1' is not a fold from 0 to 1"):
        Folds.read(tmp_path / "folds", folds.models)


@pytest.mark.parametrize("kind", ["phrase", "pbmt-r"])
def test_phrase_based_models_are_tuned_too(bundle: Path, tuning_set: Data, tmp_path: Path, kind: str) -> None:
    config = (bundle / "model.yaml").read_text()
    (bundle / "model.yaml").write_text(config + f"decoder: {{kind: {kind}}}\n")
    tune(bundle, tuning_set, tmp_path / "run", held_out=0)
    done = records(tmp_path / "run")
    assert max(record["decoded"] for record in done) > done[0]["decoded"]


def test_models_without_weights_are_refused(bundle: Path, tuning_set: Data, tmp_path: Path) -> None:
    (bundle / "model.yaml").write_text("format: 1\ndecoder: {kind: identity}\n")
    with pytest.raises(SbmtError, match="models of kind 'identity' have no weights to tune"):
        tune(bundle, tuning_set, tmp_path / "run")


def test_windows_line_ends_are_no_text(bundle: Path, tuning_set: Data, tmp_path: Path) -> None:
    """To a metric of characters they would be."""
    metric = "levenshtein:characters-reference"
    plain = tune(bundle, tuning_set, tmp_path / "plain", metric=metric, iterations=2)
    for path in (tuning_set[0], *tuning_set[1]):
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    other = tune(bundle, tuning_set, tmp_path / "other", metric=metric, iterations=2)
    assert other.config.weights == plain.config.weights
    assert other.config.tuned["gain"] == plain.config.tuned["gain"]


def test_a_run_says_what_it_is_about_to_do(
    bundle: Path, tuning_set: Data, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    tune(bundle, tuning_set, tmp_path / "run", iterations=1, fixed={"lm_0": 0.5}, **{"pro.normalise": "lm_0"})
    said = [m for m in caplog.messages if "tuning" in m or "normalise" in m or "parsing" in m]
    assert said == [
        "parsing 8 sentences",
        f"tuning 4 weights for {get_metric('sari,tok=none,case=lc').signature()} by pro: 6 sentences, 2 held out",
        "pro.normalise (lm_0) has no effect beside weights that are fixed or bounded",
    ]
    assert "WordPenalty" in Model.load(tmp_path / "run").config.weights


@pytest.mark.parametrize("interpolation", [0.5, 1.0])
def test_without_a_held_out_part_the_last_fitted_weights_are_the_result(
    bundle: Path, tuning_set: Data, tmp_path: Path, interpolation: float
) -> None:
    """Not those that the next iteration would have decoded with, which are interpolated."""
    model = tune(bundle, tuning_set, tmp_path / "run", iterations=2, held_out=0, interpolation=interpolation)
    last = records(tmp_path / "run")[-1]
    assert model.config.weights == {name: weight for name, weight in last["fitted"].items() if weight}
    assert (last["fitted"] == last["next"]) == (interpolation == 1)


@pytest.mark.parametrize("held_out", [0, 0.25])
def test_joshua_keeps_the_weights_with_which_it_found_nothing_new(
    bundle: Path, tuning_set: Data, tmp_path: Path, held_out: float
) -> None:
    """It fits nothing in that iteration, whether or not others would compete on a held-out part."""
    changes = {"min_new": 0.0, "fit_last": False, "iterations": 9, "held_out": held_out, "nbest": 300}
    model = tune(bundle, tuning_set, tmp_path / "run", **changes)
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


def test_a_weight_that_the_model_names_stays_where_it_is_0(bundle: Path, tuning_set: Data, tmp_path: Path) -> None:
    """Some features are computed for being named, so the model can be tuned again."""
    model = tune(bundle, tuning_set, tmp_path / "run", iterations=1, fixed={"WordPenalty": 0.0})
    assert model.config.weights["WordPenalty"] == 0
    tune(tmp_path / "run", tuning_set, tmp_path / "again", iterations=1, fixed={"WordPenalty": 0.0})


def test_nothing_left_to_tune_on(bundle: Path, tuning_set: Data, tmp_path: Path) -> None:
    with pytest.raises(SbmtError, match="nothing is left to tune on: "):
        tune(bundle, tuning_set, tmp_path / "run", held_out=1.0)


def test_weights_that_move_are_named(
    bundle: Path, tuning_set: Data, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Those that a range moves at the start, and those that are others in the end."""
    caplog.set_level(logging.INFO)
    changes: Any = {"iterations": 1, "held_out": 0, "min_new": 0.0, "fixed": {"lm_0": 0.5}}
    model = tune(bundle, tuning_set, tmp_path / "run", **changes, ranges={"WordPenalty": [0, 1], "Changes": [-1, None]})
    assert "start weights outside their ranges are moved into them: WordPenalty -0.1 -> 0" in caplog.messages
    moved = f"WordPenalty -0.1 -> {model.config.weights['WordPenalty']:.4g}"
    (said,) = (message for message in caplog.messages if message.startswith("weights that have moved, those that matt"))
    assert moved in said
    assert "lm_0 0.1 -> 0.5" in said
    caplog.clear()
    resume_run(tmp_path / "run", Workers(), 2)
    assert "moved into them" not in caplog.text


def test_weights_that_no_sentence_shows_are_named(
    bundle: Path, tuning_set: Data, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    model = Model.load(bundle)
    model.replace(weights={**model.config.weights, "WordPenatly": 2.0, "Unused": 0.0}).save(bundle)
    tuned = tune(bundle, tuning_set, tmp_path / "run", iterations=1)
    assert "weights for features that no sentence shows stay as they are: WordPenatly" in caplog.messages
    assert tuned.config.weights["WordPenatly"] == 2


def test_only_the_largest_moves_are_named() -> None:
    names, before = [f"w{i}" for i in range(14)], np.zeros(14)
    after, effect = np.array([0.0, *range(1, 14)]), np.ones(14)
    effect[1] = 100
    said = "w1 0 -> 1, w13 0 -> 13, w12 0 -> 12, w11 0 -> 11, w10 0 -> 10, w9 0 -> 9, w8 0 -> 8, w7 0 -> 7, "
    assert moves(names, before, after, effect) == said + "w6 0 -> 6, w5 0 -> 5 and 3 more"


def test_bounds_are_named_where_the_start_weights_stay(
    bundle: Path, tuning_set: Data, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """One weight is on its only bound, one near the upper of two, one between, the fourth fixed."""
    caplog.set_level(logging.INFO)
    ranges: Any = {"Changes": [-0.5, None], "WordPenalty": [-0.2, -0.09], "p(e|f)": [-2, 0]}
    changes: Any = {"iterations": 1, "held_out": 0.25, "ranges": ranges, "fixed": {"lm_0": 0.1}}
    tune(bundle, tuning_set, tmp_path / "run", interpolation=0, **changes)
    (said,) = (message for message in caplog.messages if "of a bound" in message or "on a bound" in message)
    assert said.startswith(
        "2 of 4 free weights are on a bound or within a tenth of their range of one (Changes -0.5 in -0.5:inf, "
        "WordPenalty -0.1 in -0.2:-0.09): wider ranges (--range) or the preset default let them go further; rules of"
    )


def test_what_makes_a_result_doubtful_is_told(
    bundle: Path, tuning_set: Data, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    tune(bundle, tuning_set, tmp_path / "one", iterations=1)
    assert "2 sentences are held out, too few to tell iterations apart" in caplog.text
    assert "is negative" not in caplog.text
    caplog.clear()
    tune(bundle, tuning_set, tmp_path / "none", iterations=1, held_out=0.05)
    assert [message for message in caplog.messages if message.startswith("nothing is held out")] == [
        "nothing is held out of 8 sentences, so the weights fitted last are taken: tune on more, or raise held_out "
        "(--held-out, now 0.05)"
    ]
    caplog.clear()
    tune(bundle, tuning_set, tmp_path / "single", iterations=1, held_out=0.1)
    said = (
        "1 sentence is held out, too few to tell iterations apart: tune on more, raise held_out (--held-out, now 0.1), "
    )
    assert f"{said}or let 0 take the weights fitted last" in caplog.text
    caplog.clear()
    tune(bundle, tuning_set, tmp_path / "other", iterations=1, held_out=0.0, fixed={"lm_0": -0.25})
    warnings = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
    assert [message for message in warnings if "held out" in message or "negative" in message] == [
        "the weight of lm_0 is negative (-0.25), so unlikely English is preferred: a range prevents that "
        "(--range lm_0=0:1, in Python ranges)"
    ]
