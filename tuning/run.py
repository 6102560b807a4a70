"""Starting a tuning run, and going on with one."""

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
from sbmt.tuning.loop import Loop
from sbmt.tuning.objective import tuning_metric
from sbmt.tuning.settings import TuneSettings
from sbmt.tuning.split import split
from sbmt.tuning.workers import Workers

_log = logging.getLogger(__name__)

_FEW = 50  # held-out sentences among which chance decides
_ALONE = Workers()


def _go_on(iterations: int | None) -> str:
    """How to go on; `iterations`: as the run was resumed with, for it knows only those it was begun with."""
    return f"go on with --resume{_asked(iterations)} (in Python resume_run)"


def _asked(iterations: int | None) -> str:
    return "" if iterations is None else f" --iterations {iterations}"


@contextmanager
def _resumable(folder: str | Path, iterations: int | None = None) -> Iterator[None]:
    """Say how to go on after an interruption, a lost worker or on a full disk; `iterations` as in `_go_on`."""
    try:
        yield
    except KeyboardInterrupt:
        if not RunFolder(folder).begun:
            raise
        command = f"sbmt-tune --resume {folder}{_asked(iterations)}"
        raise KeyboardInterrupt(f"{command} goes on (in Python resume_run)") from None
    except BrokenProcessPool:
        problem = "a worker process was killed, perhaps for want of memory"
        raise SbmtError(f"{folder}: {problem}; {_go_on(iterations)} and fewer jobs") from None
    except (OSError, NoRoomError) as error:
        if isinstance(error, OSError) and error.errno not in NO_ROOM:
            raise
        raise SbmtError(f"{folder}: the disk is full; {_go_on(iterations)} once there is room") from None


def start_run(
    folder: str | Path,
    model: Model,
    source: str | Path,
    references: Sequence[str | Path],
    settings: TuneSettings,
    workers: Workers = _ALONE,
    folds: Folds | None = None,
) -> Model:
    """Tune `model` on a source and its references (files, a sentence a line) and return the tuned bundle in `folder`.

    Raises SbmtError for data, settings or a metric that do not fit, and leaves no folder behind unless an iteration is
    stored; also when a worker is killed or the disk is full, and then --resume goes on.
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
            return _iterate(run, Loop(run, settings, *texts, inputs.folds, workers), None)
        except NoRoomError:
            raise
        except SbmtError:
            if not run.records():
                run.discard()
            raise


def resume_run(
    folder: str | Path,
    workers: Workers = _ALONE,
    iterations: int | None = None,
    *,
    source: str | Path | None = None,
    references: Sequence[str | Path] | None = None,
) -> Model:
    """Go on with a run that was interrupted; one that has done all its iterations stays as it is.

    With `iterations` it goes on to that many, and ends as if it had been started so. `source` and `references` say
    where its texts are, if they have been moved. Raises SbmtError where there is no run, it has more iterations,
    another process works on it or its data have changed; and as `start_run`.
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
        return _iterate(run, Loop(run, settings, *_read_texts(inputs, settings), inputs.folds, workers), iterations)


def _iterate(run: RunFolder, loop: Loop, iterations: int | None) -> Model:
    """Run the loop; what ends it between iterations (a metric of one's own, say) does not take away those done.

    `iterations` as in `_go_on`.
    """
    try:
        return loop.run()
    except NoRoomError:
        raise
    except SbmtError as error:
        if not (done := len(run.records())):
            raise
        kept = f"{counted(done, 'iteration')} done: once that is mended, {_go_on(iterations)}"
        raise SbmtError(f"{error}; {kept}") from error


def _remark_on_held_out(sentences: int, held_out: int, share: float) -> None:
    """Warn where a part is to be held out and is none, or too small."""
    if not share or held_out >= _FEW:
        return
    more = f"raise held_out (--held-out, now {share:g})"
    if held_out:
        are = "sentence is" if held_out == 1 else "sentences are"
        problem = "too few to tell iterations apart"
        _log.warning(
            "%d %s held out, %s: tune on more, %s, or let 0 take the weights fitted last", held_out, are, problem, more
        )
    else:
        of = counted(sentences, "sentence")
        _log.warning("nothing is held out of %s, so the weights fitted last are taken: tune on more, or %s", of, more)


def _read_texts(inputs: Inputs, settings: TuneSettings) -> tuple[list[str], list[tuple[str, ...]]]:
    """Sources, and the references of each; raises SbmtError where they do not fit the metric, the folds or the part
    held out.
    """
    sources, *columns = read_parallel([inputs.source, *inputs.references], read_text)
    if inputs.folds and len(inputs.folds) != len(sources):
        numbers = counted(len(inputs.folds), "fold number")
        raise SbmtError(f"{numbers} for the {counted(len(sources), 'line')} of {inputs.source}")
    tuned, held_out = split(sources, settings)
    if not len(tuned):
        given = f"{counted(len(sources), 'sentence')}, {len(held_out)} of them held out"
        raise SbmtError(f"nothing is left to tune on: {given} (those of one source stay together)")
    _remark_on_held_out(len(sources), len(held_out), settings.held_out)
    written = [line for line in sources if line.strip()]
    remark_on_repeats(len(set(written)), len(written), inputs.source)
    for path, lines in zip((inputs.source, *inputs.references), (sources, *columns), strict=True):
        remark_on_raw(lines, path, lowercase=False)
    references = list(zip(*columns, strict=True)) or [()] * len(sources)
    metric = tuning_metric(settings.metric)
    if bare := metric.first_without_reference(references):
        cure = "leave such sentences out (or the metric's blank=counted takes blank lines for empty references)"
        raise SbmtError(f"{inputs.source}, line {bare}: has no reference, which {metric.name} needs: {cure}")
    return sources, references
