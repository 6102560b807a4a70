"""Model bundles: folders with a `model.yaml` that defines everything needed to simplify text.

Reading a bundle is cheap; `translator()` loads what it names. `configs/default.yaml` lists every key.
"""

from __future__ import annotations

import dataclasses
import importlib
import importlib.util
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, cast

from sbmt.config import ConfigError, build, check_fields, plain, read_config
from sbmt.decoder.settings import check_factor, checked_weights
from sbmt.decoder.translator import Translator
from sbmt.errors import FormatError, ModelError, unknown_name
from sbmt.features.sentence.excepted import EXCEPTED
from sbmt.io import open_output
from sbmt.paths import is_same, is_there, seen_from
from sbmt.ppdb.rule import DEFAULT_OWNER, DEFAULT_SPAN_LIMIT
from sbmt.ppdb.starter import EXCEPTIONS
from sbmt.text.pipeline import TextOptions

T = TypeVar("T")
FORMAT = 1
FILE_NAME = "model.yaml"
PACKAGED = Path(__file__).parent / "models"
# kind -> "module:function", called with the Model, returns a Translator. Imported when a bundle needs it.
TRANSLATORS = {
    "scfg": "sbmt.translators:chart_decoder",
    "phrase": "sbmt.translators:phrase_decoder",
    "identity": "sbmt.baselines.words:identity",
    "truncate": "sbmt.baselines.words:truncate",
    "frequency": "sbmt.baselines.words:frequency",
    "pbmt-r": "sbmt.baselines.pbmt_r:pbmt_r",
}
WITH_CHANGES = ("scfg", "phrase")  # kinds whose search has the feature CHANGES


@dataclass(frozen=True, slots=True)
class GrammarConfig:
    """A grammar file, the owner of its rules (part of Joshua's feature names), and the longest span of a rule."""

    path: str
    owner: str = DEFAULT_OWNER
    span_limit: int = DEFAULT_SPAN_LIMIT

    def __post_init__(self) -> None:
        """Check the fields; raises ConfigError, also for a limit that no rule could keep."""
        check_fields(self)
        if self.span_limit < 1 and self.span_limit != -1:
            raise ConfigError(
                f"span_limit: {self.span_limit} is neither a positive number of words nor -1 (glue rules: any length, "
                "from the start of the sentence)"
            )


@dataclass(frozen=True, slots=True)
class LanguageModelConfig:
    """An ARPA or KenLM file."""

    path: str

    def __post_init__(self) -> None:
        """Check the fields; raises ConfigError."""
        check_fields(self)


@dataclass(frozen=True, slots=True)
class DecoderConfig:
    """The kind of decoder (a key of TRANSLATORS), and its settings."""

    kind: str = "scfg"
    settings: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        """Check the fields; raises ConfigError."""
        check_fields(self)


@dataclass(frozen=True, slots=True)
class ModelConfig:
    """The whole of `model.yaml`."""

    format: int
    description: str = ""
    text: TextOptions = field(default_factory=TextOptions)
    decoder: DecoderConfig = field(default_factory=DecoderConfig)
    grammars: tuple[GrammarConfig, ...] = ()
    language_models: tuple[LanguageModelConfig, ...] = ()
    change_model: str = ""
    feature_functions: tuple[str, ...] = ()
    weights: Mapping[str, float] = field(default_factory=dict, hash=False)
    strength: float = 1.0
    tuned: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        """Check the fields; raises ConfigError, also for a strength below 0 and factors that let scores overflow."""
        check_fields(self)
        if self.strength < 0:
            raise ConfigError(f"strength: {self.strength:g} is below 0: more would mean fewer changes")
        factors = {"strength": self.strength, **{f"weights.{name}": w for name, w in self.weights.items()}}
        for name, factor in factors.items():
            check_factor(name, factor)


@dataclass(frozen=True, slots=True)
class Model:
    """A bundle: its configuration, and the folder that relative paths start from."""

    config: ModelConfig
    folder: Path

    @classmethod
    def load(cls, name: str | Path) -> Model:
        """Read the bundle of that name or in that folder; raises ModelError, listing the packaged ones, for none."""
        folder = PACKAGED / name if isinstance(name, str) and name in cls.names() else Path(name)
        path = folder / FILE_NAME
        if not is_there(path):
            hint = f"known: {', '.join(cls.names()) or 'none'}; or a folder that holds {FILE_NAME}"
            if is_there(folder):
                hint += "; docs/decoder.md says how to make one of a Joshua configuration"
            raise ModelError(f"{name or repr(name)}: no such model ({hint})")
        config = read_config(path, ModelConfig)
        if config.format != FORMAT:
            raise ModelError(f"{path}: is of format {config.format}, this version reads format {FORMAT}")
        return cls(config, folder)

    @staticmethod
    def names() -> list[str]:
        """Return the names of the bundles in the package."""
        return sorted(path.parent.name for path in PACKAGED.glob(f"*/{FILE_NAME}"))

    def file(self, path: str) -> Path:
        """Return the file that a path of the configuration names; `cache:starter` is built first if necessary.

        Raises ModelError for a file that the package does not have and for an invalid path.
        """
        where = f"{self.folder / FILE_NAME}: {path!r}"
        if "\0" in path:
            raise ModelError(f"{where}: no path has a NUL byte")
        if path.startswith("cache:"):
            from sbmt.lm.starter import starter_language_model

            if path != "cache:starter":
                raise ModelError(f"{where}: cache:starter is all that is built")
            return starter_language_model()
        if path.startswith("package:"):
            module, _, rest = path.removeprefix("package:").partition("/")
            try:
                spec = importlib.util.find_spec(f"sbmt.{module}") if module else None
            except ModuleNotFoundError:  # of a parent package
                spec = None
            if spec is None or not spec.submodule_search_locations:  # modules that are no packages have none
                raise ModelError(f"{where}: there is no package sbmt.{module}")
            file = Path(spec.submodule_search_locations[0]) / rest
            if not file.is_file():
                raise ModelError(f"{where}: the package has no such file")
            return file
        try:
            named = self.folder / Path(path).expanduser()
        except RuntimeError:
            raise ModelError(f"{where}: there is no such user; write the path out") from None
        normal = Path(os.path.normpath(named))  # still valid in a message when a folder before ".." is gone
        return normal if is_same(normal, named) else named  # after a link, ".." leads elsewhere

    def grammar_file(self, path: str) -> Path:
        """Return the file of a grammar; one in the package is packed on first use, so that it opens fast afterwards."""
        if path.startswith("package:"):
            from sbmt.ppdb.load import packed_copy

            return packed_copy(self.file(path))
        return self.file(path)

    def files(self) -> list[Path]:
        """Return the files that the model is read from, except those built in the user's cache."""
        config = self.config
        paths = [grammar.path for grammar in config.grammars] + [model.path for model in config.language_models]
        paths += filter(None, [config.change_model, config.text.glossary, config.text.patterns])
        files = [self.file(path) for path in paths if not path.startswith("cache:")]
        if EXCEPTED in config.weights:
            files.append(EXCEPTIONS)
        return [self.folder / FILE_NAME, *files]

    def replace(self, **changes: Any) -> Model:
        """Return another model with the same files; `changes` are fields of ModelConfig, such as weights and tuned.

        Raises ConfigError for invalid values.
        """
        if "weights" in changes:
            changes["weights"] = checked_weights(changes["weights"])
        return dataclasses.replace(self, config=dataclasses.replace(self.config, **changes))

    def save(self, folder: str | Path, within: str | Path | None = None) -> Model:
        """Write `model.yaml` into a folder and return the model there.

        Paths to files in `within` (by default the parent of that folder) become relative, so that all may be moved
        together; paths to other files become absolute. Raises ModelError for a value in `tuned` that YAML cannot
        represent.
        """
        import yaml

        from_there = partial(self._path_from, folder, within or Path(folder, os.pardir))
        config, text = self.config, self.config.text
        config = dataclasses.replace(
            config,
            text=dataclasses.replace(text, glossary=from_there(text.glossary), patterns=from_there(text.patterns)),
            grammars=tuple(dataclasses.replace(entry, path=from_there(entry.path)) for entry in config.grammars),
            language_models=tuple(LanguageModelConfig(from_there(own.path)) for own in config.language_models),
            change_model=from_there(config.change_model),
        )
        path = Path(folder) / FILE_NAME
        try:
            with open_output(path) as stream:
                yaml.safe_dump(plain(config), stream, sort_keys=False, allow_unicode=True, width=120)
        except yaml.representer.RepresenterError as error:
            raise ModelError(f"{path}: YAML has no form for {error.args[-1]!r}: make it a number or a text") from None
        return Model(config, Path(folder))

    def _path_from(self, folder: str | Path, within: str | Path, path: str) -> str:
        """Return a path of the configuration as a model in `folder` has to write it."""
        if not path or path.startswith(("package:", "cache:")):
            return path
        return seen_from(folder, self.file(path), within)

    def settings(self, kind: type[T]) -> T:
        """Return `decoder.settings` as the dataclass of a decoder; raises FormatError naming the file and the key."""
        try:
            return cast(T, build(kind, self.config.decoder.settings, "decoder.settings"))
        except ConfigError as error:
            raise FormatError(str(self.folder / FILE_NAME), None, str(error)) from None

    def prepare(self) -> list[Path]:
        """Build the files that are built on first use, so that none of many processes has to; returns them."""
        models = [self.file(model.path) for model in self.config.language_models if model.path.startswith("cache:")]
        grammars = [grammar.path for grammar in self.config.grammars if grammar.path.startswith("package:")]
        return [*models, *map(self.grammar_file, grammars)]

    def translator(self) -> Translator:
        """Load grammars and language models; raises ModelError for an unknown kind or a file that cannot be used."""
        kind = self.config.decoder.kind
        if kind not in TRANSLATORS:
            raise ModelError(f"{self.folder / FILE_NAME}: {unknown_name('decoder.kind', kind, list(TRANSLATORS))}")
        module, function = TRANSLATORS[kind].split(":")
        make = cast("Callable[[Model], Translator]", getattr(importlib.import_module(module), function))
        return make(self)
