"""The experiment as a graph of steps and their inputs."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from functools import cached_property, partial
from pathlib import Path

from experiment import models, rules, text
from experiment.composition import LANGUAGE_MODELS, PHRASES, Composition, RuleSet, Scale
from experiment.split import Split
from experiment.steps import Output, Steps
from experiment.systems import System, own_system
from sbmt.baselines.make import make_frequency, make_identity, make_pbmt_r
from sbmt.features.sentence.excepted import EXCEPTED
from sbmt.inspection import Inspector
from sbmt.io import read_lines, write_lines
from sbmt.model import Model
from sbmt.ppdb.learn.quality.judge import WEIGHTS
from sbmt.ppdb.learn.quality.vectors import train_vectors
from sbmt.ppdb.learn.settings import VECTOR_DIMENSIONS, VECTOR_MIN_COUNT
from sbmt.ppdb.starter import EXCEPTIONS
from sbmt.ppdb.starter import GRAMMAR as STARTER

BASELINES = ("identity", "frequency", "pbmt-r", "starter")
_MAX_RANKED = 6  # candidates shown for a phrase


class Experiment:
    """Runs steps, and the steps they depend on, unless their outputs exist."""

    def __init__(self, data: Path, out: Path, split: Split, scale: Scale, jobs: int, seeds: Sequence[int]) -> None:
        self.data, self.out, self.split, self.scale = data, out, split, scale
        self.jobs, self.seeds = jobs, tuple(seeds)
        self.steps = Steps(out / "steps")

    @cached_property
    def tuning_text(self) -> Output:
        """Source and references to tune on, and the source to decode, in Penn tokens."""
        split = self.split
        settings = {"sentences": len(split.tune.sources), "decoded": split.decoded.name}
        return self.steps.run(f"{split.prefix}text", partial(text.write_tuning_set, split), settings)

    def corpus(self, names: Sequence[str]) -> Output:
        """Texts for language models and word vectors, tokenised."""
        settings = {"texts": list(names), "lines": self.scale.text_lines}
        make = partial(text.write_text, self.data, names, self.scale.text_lines, self.jobs)
        inputs = [self.data / text.FILES[name] for name in names]
        return self.steps.run(f"text-{'-'.join(names)}.gz", make, settings, inputs)

    @cached_property
    def vectors(self) -> Output | None:
        """Word vectors of Wikipedia, if the scale has any."""
        if not self.scale.vectors:
            return None
        corpus = self.corpus(["wikipedia"])

        def make(path: Path) -> None:
            train_vectors(read_lines(corpus.path)).save(str(path))

        settings = {"dimensions": VECTOR_DIMENSIONS, "min_count": VECTOR_MIN_COUNT}
        return self.steps.run("vectors.npz", make, settings, [corpus])

    def paraphrases(self, whole: bool = False) -> Output:
        """Judged rules of the crowd translations and PPDB: those that the texts can use, or all (`whole`)."""
        scale = self.scale
        pruning = asdict(rules.PARAPHRASE_PRUNING)
        settings = {"crowd": scale.crowd_lines, "every": scale.listed_pairs, "pruning": pruning}
        make = partial(rules.learn_paraphrases, self.data, scale, self.jobs)
        corpora = [self.data / text.FILES["crowd"], self.data / "ppdb"]
        learnt = self.steps.run("learnt-paraphrases", make, settings, corpora)
        tuning, vectors = None if whole else self.tuning_text, self.vectors
        make = partial(rules.judge, learnt.path, _path(tuning), _path(vectors), self.jobs)
        inputs: list[Output | Path] = [*filter(None, [learnt, tuning, vectors]), WEIGHTS]
        return self.steps.run(f"{self._prefix(whole)}rules-paraphrases", make, {"least": rules.LEAST_QUALITY}, inputs)

    @cached_property
    def tune_rules(self) -> Output:
        """Rules learnt from the tuning references, from all and without each fold."""
        settings = {"folds": self.scale.folds, "pruning": asdict(rules.TUNE_PRUNING)}
        make = partial(rules.learn_tune, self.tuning_text.path, self.scale.folds, self.jobs)
        return self.steps.run(f"{self.split.prefix}learnt-tune", make, settings, [self.tuning_text])

    def _rules_of(self, source: str, whole: bool) -> Output:
        return self.tune_rules if source == "tune" else self.paraphrases(whole)

    def _prefix(self, whole: bool) -> str:
        return f"{self.split.prefix}{'whole-' if whole else ''}"

    def grammars(self, chosen: RuleSet, whole: bool = False) -> Output:
        """The annotated grammars of a rule set, with the rules that the texts can use; `whole`: with all, no folds."""
        folds, vectors, tuning = 0 if whole else self.scale.folds, self.vectors, None if whole else self.tuning_text
        learnt = {source: self._rules_of(source, whole) for source in chosen.all_sources if source != "starter"}
        paths = {source: output.path for source, output in learnt.items()}
        make = partial(rules.write_grammars, chosen, paths, _path(tuning), _path(vectors), folds, self.jobs)
        used = [tuning, *dict.fromkeys(learnt.values()), vectors]
        inputs: list[Output | Path] = [*filter(None, used), WEIGHTS]
        if "starter" in chosen.all_sources:
            inputs.append(STARTER)
        name = self._prefix(whole) + "-".join(
            ("grammar", *chosen.sources, *(f"({source})" for source in chosen.evidence))
        )
        settings = asdict(chosen) | {"folds": folds, "without": "unbalanced"}  # see `sbmt.ppdb.filtering.balanced`
        if len(chosen.all_sources) > 1:
            settings["joining"] = "grammatical, labelled"  # see `with_learnt`
            settings["decoding"] = "sound"  # see `sound_of`
        return self.steps.run(name, make, settings, inputs)

    def language_model(self, name: str) -> Output | None:
        """One of LANGUAGE_MODELS; None for the starter model, and for those that it replaces."""
        recipe = LANGUAGE_MODELS[name]
        if name in self.scale.starter or not recipe.texts:
            return None
        corpus = self.corpus(recipe.texts)
        make = partial(models.estimate_language_model, recipe, corpus.path)
        return self.steps.run(f"lm-{name}.binary", make, asdict(recipe), [corpus])

    @cached_property
    def change_models(self) -> Output:
        """Change models, with the same folds as the rules learnt from tune."""
        folds = models.read_folds(self.tune_rules.path)
        make = partial(models.fit_change_models, self.data, self.tuning_text.path, folds, self.jobs)
        inputs: list[Output | Path] = [self.tuning_text, self.tune_rules, self.data / models.LEXICON]
        return self.steps.run(f"{self.split.prefix}change-models", make, {}, inputs)

    def tuned(self, composition: Composition, seed: int) -> Output:
        """A tuning run; the model is in its folder `run`."""
        grammars = [self.grammars(chosen) for chosen in composition.rules]
        language_models = [self.language_model(name) for name in composition.language_models]
        change_models = self.change_models if composition.change_model else None
        parts = models.Parts(
            tuple(output.path for output in grammars),
            tuple(str(output.path.absolute()) if output else "cache:starter" for output in language_models),
            change_models.path if change_models else None,
            self.tuning_text.path,
            tuple(models.read_folds(self.tune_rules.path)) if composition.crossfitted() else (),
        )
        changes = self.scale.tuning
        make = partial(models.tune, composition, parts, seed, changes, self.jobs)
        settings = {**asdict(composition), "seed": seed, "scale": dict(changes), "lms": parts.language_models}
        optional = [output for output in (*language_models, change_models) if output is not None]
        inputs: list[Output | Path] = [self.tuning_text, *grammars, *optional]
        if EXCEPTED in composition.weights:
            inputs.append(EXCEPTIONS)
        return self.steps.run(
            f"{self.split.prefix}tune-{composition.name}-{seed}", make, settings, inputs, resumable=True
        )

    def system(self, composition: Composition) -> System:
        """Tune with every seed, decode, and write models and outputs to the folders of those names."""
        runs, prefix = [], self.split.prefix
        for seed in self.seeds:
            tuned = self.tuned(composition, seed)
            model = tuned.path / "run"
            make = partial(models.decode, model, self.split.decoded.sources, self.jobs)
            output = self.steps.run(f"{prefix}output-{composition.name}-{seed}", make, {}, [tuned])
            runs.append(list(read_lines(output.path)))
            name = prefix + (composition.name if seed == self.seeds[0] else f"{composition.name}.seed{seed}")
            Model.load(model).save(self.out / "models" / name)
            write_lines(self.out / "outputs" / name, runs[-1])
        return own_system(f"ours: {composition.name}", runs)

    def write_whole(self, compositions: Iterable[Composition]) -> None:
        """Write the models of the first seed with all rules, also those the texts cannot use: models/NAME.whole."""
        for composition in compositions:
            model = self.out / "models" / f"{self.split.prefix}{composition.name}"
            grammars = [self.grammars(chosen, whole=True).path for chosen in composition.rules]
            models.copy_model(Model.load(model), grammars, Path(f"{model}.whole"))

    def baseline(self, name: str) -> System:
        """Return one of BASELINES, which are not tuned: PBMT-R is phrase-based, `starter` is the packaged model."""
        if name == "identity":
            return self._baseline(name, make_identity, [])
        if name == "frequency":
            paraphrases = self.paraphrases()
            synonyms = [f"{paraphrases.path}/{rules.GRAMMAR}"]
            return self._baseline(name, partial(make_frequency, synonyms=synonyms), [paraphrases])
        if name == "pbmt-r":
            tuning = self.tuning_text
            sides = [(f"{tuning.path}/source", f"{tuning.path}/reference.{n}") for n in range(text.REFERENCES)]
            return self._baseline(name, partial(make_pbmt_r, texts=sides, jobs=self.jobs), [tuning])
        decode = partial(models.decode, Path("starter"), self.split.decoded.sources, self.jobs)
        return self._untuned(name, decode, Model.load("starter").files())

    def _baseline(self, name: str, make_model: Callable[[Path], Model], inputs: Sequence[Output]) -> System:
        def make(path: Path) -> None:
            with tempfile.TemporaryDirectory() as folder:
                make_model(Path(folder))
                models.decode(Path(folder), self.split.decoded.sources, self.jobs, path)

        return self._untuned(name, make, inputs)

    def _untuned(self, name: str, make: Callable[[Path], None], inputs: Sequence[Output | Path]) -> System:
        name = f"{self.split.prefix}{name}"
        output = self.steps.run(f"output-{name}", make, {}, inputs)
        lines = list(read_lines(output.path))
        write_lines(self.out / "outputs" / name, lines)
        return own_system(f"ours: {name}", [lines])

    def rankings(self, compositions: Sequence[Composition]) -> Mapping[str, Mapping[str, Sequence[str]]]:
        """Return the best targets for PHRASES by each tuned model."""
        ranked = {}
        for composition in compositions:
            inspector = Inspector(Model.load(self.out / "models" / composition.name))
            ranked[composition.name] = {
                phrase: _first({c.target: c.score for c in reversed(inspector.candidates(phrase))})
                for phrase in PHRASES
            }
        return ranked


def _path(output: Output | None) -> Path | None:
    return output.path if output else None


def _first(scores: Mapping[str, float]) -> list[str]:
    """Return the best targets with their scores."""
    best = sorted(scores, key=lambda target: -scores[target])[:_MAX_RANKED]
    return [f"{target} ({scores[target]:.2f})" for target in best]
