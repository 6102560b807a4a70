"""Language models, change models, bundles, tuning and decoding."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from joblib import Parallel, delayed

from experiment.composition import Composition, LanguageModelRecipe
from experiment.rules import FOLDS, packed_grammar
from experiment.text import REFERENCES
from sbmt.config import build
from sbmt.features.sentence.change_model import ChangeModel, Lexicons
from sbmt.io import read_lines, write_lines
from sbmt.lm.counts import count_text
from sbmt.lm.kenlm_binary import write_kenlm_binary
from sbmt.lm.kneser_ney import estimate
from sbmt.model import FORMAT, GrammarConfig, LanguageModelConfig, Model, ModelConfig
from sbmt.progress import progress
from sbmt.simplifier import Options
from sbmt.simplifier.stream import Request, simplified_lines
from sbmt.text.pipeline import TextOptions
from sbmt.tuning.folder import RunFolder
from sbmt.tuning.folds import Folds
from sbmt.tuning.presets import load_preset
from sbmt.tuning.run import resume_run, start_run
from sbmt.tuning.workers import Workers

log = logging.getLogger(__name__)

Sentences = list[list[str]]
LEXICON = "wordlists/maddela-xu-2018/word_complexity_lexicon/lexicon.tsv"


def estimate_language_model(recipe: LanguageModelRecipe, text: Path, path: Path) -> None:
    """Estimate an interpolated Kneser-Ney model of a text and write it in KenLM's format."""
    counts = count_text(progress(read_lines(text), "counting", "lines"), recipe.order)
    write_kenlm_binary(estimate(counts, recipe.prune), path)


def fit_change_models(data: Path, text: Path, folds: Sequence[int], jobs: int, path: Path) -> None:
    """Fit a ChangeModel on all tuning sentences, and one without each fold."""
    path.mkdir(exist_ok=True)
    rows = (line.split("\t") for line in read_lines(data / LEXICON))
    lexicons = {"complexity": {row[0].lower(): float(row[1]) for row in rows}}
    sources = _words(text / "source")
    references = list(zip(*(_words(text / f"reference.{number}") for number in range(REFERENCES)), strict=True))
    calls = []
    for fold in [None, *sorted(set(folds))]:
        kept = [i for i, sentence_fold in enumerate(folds) if sentence_fold != fold]
        calls.append(([sources[i] for i in kept], [references[i] for i in kept], lexicons, path / change_file(fold)))
    Parallel(n_jobs=jobs)(delayed(_fit_change_model)(*call) for call in calls)


def _fit_change_model(
    sources: Sentences, references: Sequence[Sequence[list[str]]], lexicons: Lexicons, path: Path
) -> None:
    ChangeModel.fit(sources, references, lexicons).save(path)


def change_file(fold: int | None) -> str:
    """Return the file name of the change model without a fold; None: of all sentences."""
    return "change.json.gz" if fold is None else f"change.fold{fold}.json.gz"


def _words(path: Path) -> Sentences:
    return [line.lower().split() for line in read_lines(path)]


def read_folds(path: Path) -> list[int]:
    """Return the fold of each tuning sentence, from the folder of the rules learnt from them."""
    return [int(line) for line in read_lines(path / FOLDS)]


@dataclass(frozen=True, slots=True)
class Parts:
    """The files that make up a composition."""

    grammars: tuple[Path, ...]  # folders, in the order of the composition's rule sets
    language_models: tuple[str, ...]
    change_models: Path | None
    text: Path
    folds: tuple[int, ...]


def write_bundle(composition: Composition, parts: Parts, fold: int | None, folder: Path) -> Model:
    """Write and return the untuned bundle; `fold`: made from parts without that fold."""
    grammars = (
        path / packed_grammar(fold if "tune" in rules.all_sources else None)
        for rules, path in zip(composition.rules, parts.grammars, strict=True)
    )
    change_model = ""
    if composition.change_model and parts.change_models:
        change_model = str((parts.change_models / change_file(fold)).absolute())
    config = ModelConfig(
        FORMAT,
        f"{composition.name} of the TurkCorpus experiment, for its texts: rules that these cannot use are left out",
        build(TextOptions, composition.text, "text"),
        grammars=tuple(GrammarConfig(str(path.absolute())) for path in grammars),
        language_models=tuple(map(LanguageModelConfig, parts.language_models)),
        change_model=change_model,
        weights=composition.weights,
    )
    return Model(config, folder).save(folder)


def copy_model(model: Model, grammars: Sequence[Path], folder: Path) -> None:
    """Write a tuned bundle with other grammars (folders of them) and copies of its files, so that it may be moved."""
    folder.mkdir(parents=True, exist_ok=True)

    def copy(path: str | Path, name: str) -> str:
        return str(shutil.copyfile(model.file(str(path)), folder / name).absolute())

    config = replace(
        model.config,
        description=f"{folder.name.removesuffix('.whole')} of the TurkCorpus experiment, with all its rules",
        grammars=tuple(
            replace(entry, path=copy((path / packed_grammar(None)).absolute(), f"grammar.{number}.packed"))
            for number, (entry, path) in enumerate(zip(model.config.grammars, grammars, strict=True))
        ),
        language_models=tuple(
            entry if entry.path.startswith("cache:") else replace(entry, path=copy(entry.path, f"lm_{number}.binary"))
            for number, entry in enumerate(model.config.language_models)
        ),
        change_model=copy(model.config.change_model, change_file(None)) if model.config.change_model else "",
    )
    Model(config, folder).save(folder)


def tune(composition: Composition, parts: Parts, seed: int, changes: Mapping[str, Any], jobs: int, path: Path) -> None:
    """Start a tuning run or resume an interrupted one; `path/run` is then the tuned bundle."""
    run = RunFolder(path / "run")
    if run.begun:
        resume_run(run.path, Workers(jobs))
    else:
        shutil.rmtree(path, ignore_errors=True)
        _start(composition, parts, seed, changes, jobs, path)
    run.shrink()


def _start(
    composition: Composition, parts: Parts, seed: int, changes: Mapping[str, Any], jobs: int, path: Path
) -> None:
    settings = load_preset("default", {"metric": composition.metric, "seed": seed, **composition.tuning, **changes})
    model, folds = write_bundle(composition, parts, None, path / "bundle"), None
    if composition.crossfitted():
        numbers = sorted(set(parts.folds))
        models = [write_bundle(composition, parts, fold, path / f"bundle.{fold}") for fold in numbers]
        folds = Folds(tuple(models), parts.folds)
    references = [parts.text / f"reference.{number}" for number in range(REFERENCES)]
    start_run(path / "run", model, parts.text / "source", references, settings, Workers(jobs), folds)


def decode(model: Path, lines: Sequence[str], jobs: int, path: Path) -> None:
    """Simplify raw text line by line, and write the outputs to `path`."""
    request = Request(str(model), options=Options(explain=False))
    results = progress(simplified_lines(request, lines, jobs=jobs), "decoding", "lines", len(lines))
    outputs = []
    for _, output, warnings in results:
        outputs.append(output)
        for warning in warnings:
            log.warning("%s", warning)
    write_lines(path, outputs)
