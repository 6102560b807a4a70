"""Starting and resuming tuning runs."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from sbmt.arguments import check_kind
from sbmt.decoder.garbage_collection import collector_restored
from sbmt.errors import NoRoomError, SbmtError, counted
from sbmt.files import NO_ROOM
from sbmt.io import read_parallel, read_text
from sbmt.metrics.custom import CustomMetric
from sbmt.model import Model
from sbmt.text.checks.duplicates import remark_on_repeats
from sbmt.text.checks.style import remark_on_lower_case, remark_on_raw
from sbmt.tuning.folder import RunFolder
from sbmt.tuning.folds import Folds
from sbmt.tuning.inputs import Inputs
from sbmt.tuning.loop import run_iterations
from sbmt.tuning.objective import tuning_metric
from sbmt.tuning.settings import TuneSettings
from sbmt.tuning.split import split
from sbmt.tuning.workers import Workers

_log = logging.getLogger(__name__)

_MIN_HELD_OUT = 50  # sentences; with fewer, differences between iterations are mostly chance
_ONE_PROCESS = Workers()

_Texts = tuple[list[str], list[tuple[str, ...]]]  # sources, and the references of each


def _resume_hint(iterations: int | None) -> str:
    """Return how to resume; `iterations`: the number passed to `resume_run`, which the stored settings do not have."""
    return f"go on with --resume{_iterations_option(iterations)} (in Python resume_run)"


def _iterations_option(iterations: int | None) -> str:
    return "" if iterations is None else f" --iterations {iterations}"


@contextmanager
def _resumable(folder: str | Path, iterations: int | None = None) -> Iterator[None]:
    """Add how to resume to the error after an interruption, a killed worker or a full disk; see `_resume_hint`."""
    try:
        yield
    except KeyboardInterrupt:
        if not RunFolder(folder).begun:
            raise
        command = f"sbmt-tune --resume {folder}{_iterations_option(iterations)}"
        raise KeyboardInterrupt(f"{command} goes on (in Python resume_run)") from None
    except BrokenProcessPool:
        problem = "a worker process was killed, perhaps for want of memory"
        raise SbmtError(f"{folder}: {problem}; {_resume_hint(iterations)} and fewer jobs") from None
    except (OSError, NoRoomError) as error:
        if isinstance(error, OSError) and error.errno not in NO_ROOM:
            raise
        raise SbmtError(f"{folder}: the disk is full; {_resume_hint(iterations)} once there is room") from None


def start_run(
    folder: str | Path,
    model: Model,
    source: str | Path,
    references: Sequence[str | Path],
    settings: TuneSettings,
    workers: Workers = _ONE_PROCESS,
    folds: Folds | None = None,
) -> Model:
    """Tune `model` on a source and its references (files, one sentence per line); return the tuned bundle in `folder`.

    Raises SbmtError for unsuitable data, settings or metric, and then leaves no folder behind unless an iteration is
    stored. Raises SbmtError also if a worker is killed or the disk is full; the run can then be resumed.
    """
    check_kind("model", model, Model)
    check_kind("settings", settings, TuneSettings)
    check_kind("workers", workers, Workers)
    settings.make_tuner()  # raises for an unknown one
    run = RunFolder(folder)
    fold_models = folds.models if folds else ()
    functions = [term.name for term in tuning_metric(settings.metric).terms() if isinstance(term, CustomMetric)]
    inputs = Inputs.read(source, references, [model, *fold_models], folds.fold if folds else (), functions)
    texts = _read_texts(inputs, settings)
    if model.config.text.protect.names:
        remark_on_lower_case(texts[0], inputs.source)
    run.check_free()
    with run.held(), _resumable(folder), collector_restored():
        run.create(settings, inputs, model, fold_models)
        try:
            return _iterate(run, settings, texts, inputs.folds, workers)
        except NoRoomError:
            raise
        except SbmtError:
            if not run.records():
                run.discard()
            raise


def resume_run(
    folder: str | Path,
    workers: Workers = _ONE_PROCESS,
    iterations: int | None = None,
    *,
    source: str | Path | None = None,
    references: Sequence[str | Path] | None = None,
) -> Model:
    """Continue an interrupted run; a finished one is left unchanged.

    With `iterations` it continues to that number, and ends as if it had been started with it. `source` and
    `references` give the new paths of its texts, if they were moved. Raises SbmtError if there is no run, it has more
    iterations, another process works on it or its data have changed; and as `start_run`.
    """
    run = RunFolder(folder)
    settings = run.settings()
    if iterations is not None:
        settings = replace(settings, iterations=iterations)
    with run.held(), _resumable(folder, iterations), collector_restored():
        inputs, done = run.inputs(source, references), len(run.records())
        if iterations is not None and iterations < done:
            raise SbmtError(f"{folder}: has done {counted(done, 'iteration')}; for {iterations} start a new run")
        run.sweep()
        texts = _read_texts(inputs, settings)
        return _iterate(run, settings, texts, inputs.folds, workers, iterations)


def _iterate(
    run: RunFolder,
    settings: TuneSettings,
    texts: _Texts,
    folds: Sequence[int],
    workers: Workers,
    iterations: int | None = None,
) -> Model:
    """Run the iterations; if one fails (in a user-defined metric, say), the error says how to continue from the last.

    `iterations` as in `_resume_hint`.
    """
    try:
        return run_iterations(run, settings, *texts, folds, workers)
    except NoRoomError:
        raise
    except SbmtError as error:
        if not (done := len(run.records())):
            raise
        kept = f"{counted(done, 'iteration')} done: once that is mended, {_resume_hint(iterations)}"
        raise SbmtError(f"{error}; {kept}") from error


def _remark_on_held_out(sentences: int, held_out: int, share: float) -> None:
    """Warn if the held-out part is empty although a share is to be held out, or too small."""
    if not share or held_out >= _MIN_HELD_OUT:
        return
    cure = f"raise held_out (--held-out, now {share:g})"
    if held_out:
        are = "sentence is" if held_out == 1 else "sentences are"
        problem = "too few to tell iterations apart"
        _log.warning(
            "%d %s held out, %s: tune on more, %s, or let 0 take the weights fitted last", held_out, are, problem, cure
        )
    else:
        total = counted(sentences, "sentence")
        message = "nothing is held out of %s, so the weights fitted last are taken: tune on more, or %s"
        _log.warning(message, total, cure)


def _read_texts(inputs: Inputs, settings: TuneSettings) -> _Texts:
    """Read the sources and the references of each.

    Raises SbmtError if they do not fit the metric or the folds, or if nothing is left to tune on.
    """
    sources, *columns = read_parallel([inputs.source, *inputs.references], read_text)
    if inputs.folds and len(inputs.folds) != len(sources):
        numbers = counted(len(inputs.folds), "fold number")
        raise SbmtError(f"{numbers} for the {counted(len(sources), 'line')} of {inputs.source}")
    tuned, held_out = split(sources, settings)
    if not len(tuned):
        counts = f"{counted(len(sources), 'sentence')}, {len(held_out)} of them held out"
        raise SbmtError(f"nothing is left to tune on: {counts} (those of one source stay together)")
    _remark_on_held_out(len(sources), len(held_out), settings.held_out)
    filled = [line for line in sources if line.strip()]
    remark_on_repeats(len(set(filled)), len(filled), inputs.source)
    for path, lines in zip((inputs.source, *inputs.references), (sources, *columns), strict=True):
        remark_on_raw(lines, path, lowercase=False)
    references = list(zip(*columns, strict=True)) or [()] * len(sources)
    metric = tuning_metric(settings.metric)
    if line := metric.first_without_reference(references):
        cure = "leave such sentences out (or the metric's blank=counted takes blank lines for empty references)"
        raise SbmtError(f"{inputs.source}, line {line}: has no reference, which {metric.name} needs: {cure}")
    return sources, references
