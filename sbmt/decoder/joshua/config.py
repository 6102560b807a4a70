"""Reading Joshua's configurations: grammars, language models, weights, options.

Both generations are read: the one of the paper (`tm = thrax pt 12 FILE`, `lm = kenlm 5 true false 100 FILE`) and 6.x
(`tm = thrax -owner pt -maxspan 12 -path FILE`, `feature-function = LanguageModel -lm_order 5 -lm_file FILE`). Paths are
relative to the configuration's folder.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from sbmt.decoder.penalties import OOV_PENALTY, PHRASE_PENALTY, WORD_PENALTY
from sbmt.decoder.stacks import DISTORTION
from sbmt.errors import FormatError, SbmtError
from sbmt.io import read_lines, read_text
from sbmt.ppdb.feature_text import LARGEST
from sbmt.ppdb.rule import DEFAULT_OWNER

_WEIGHT = f'"name weight", a weight up to {LARGEST:g}'
_FORMS = {  # of lines that hold more than a key and its value
    "tm": '"tm = TYPE OWNER SPAN FILE" or "tm = TYPE -owner OWNER -maxspan SPAN -path FILE", where a span is a number '
    "of words, 0 for any, or -1 for any from the sentence's start (glue)",
    "lm": '"lm = TYPE ORDER true|false IGNORED IGNORED FILE"',
    "featurefunction": '"feature-function = NAME -ARGUMENT VALUE ...", '
    "for a language model -lm_order NUMBER -lm_file FILE",
    "oovlist": '"oov-list = LABEL VALUE LABEL VALUE ..."',
}
_GRAMMARS = ("thrax", "hiero", "samt", "packed", "moses", "phrase")  # types; the file shows which format it has
_MODELS = ("kenlm", "berkeleylm", "none")  # types; all files are read by KenLM
_LANGUAGE_MODELS = ("LanguageModel", "StateMinimizingLanguageModel")  # feature functions
FUNCTIONS: dict[str, dict[str, str]] = {  # other feature functions: arguments and their defaults
    OOV_PENALTY: {},
    WORD_PENALTY: {},
    PHRASE_PENALTY: {"owner": DEFAULT_OWNER},  # whose rules it counts
    DISTORTION: {},
}
_ALIASES = {"wordpenalty": WORD_PENALTY, "oovpenalty": OOV_PENALTY}  # of weights
_MOSES_SECTION = re.compile(r"\[[\w-]+\]")
_MAX_DIGITS = 9  # of a numeric option
OPTIONS_OF_SEARCH = {  # options that only one of the searches has, with their defaults
    "cky": {"goal-symbol": "GOAL", "default-non-terminal": "X", "mark-oovs": "false", "maxlen": "200"},
    "stack": {"reordering-limit": "8", "num-translation-options": "20"},
}
_DEFAULTS = {
    "search": "cky",
    "pop-limit": "100",
    "top-n": "1",
    "use-unique-nbest": "true",
    "output-format": "%i ||| %s ||| %f ||| %c",
    "true-oovs-only": "false",
    **OPTIONS_OF_SEARCH["cky"],
    **OPTIONS_OF_SEARCH["stack"],
}
ANY_LENGTH = 10**_MAX_DIGITS  # a span limit that limits nothing


class GrammarEntry(NamedTuple):
    """A grammar. `span_limit`: how many words a rule may cover; -1: any number from the sentence's start (glue)."""

    owner: str
    span_limit: int
    path: Path


class Option(NamedTuple):
    """An option's value, and the line that gives it (None: a default)."""

    value: str
    line: int | None = None


class ModelEntry(NamedTuple):
    """A language model. `left_state`: with left state alone, for which the order is that of the file instead."""

    order: int
    left_state: bool
    path: Path


@dataclass(slots=True)
class JoshuaConfig:
    """A configuration.

    `functions` are (name, all arguments) of the supported feature functions except language models, without duplicates;
    `unknown_functions` the names of others. `oov_list` holds its numbers by label, as written; `included` the
    further files that were read, by the key that names them. `unknown_arguments` are written with what they belong to.
    `repeated` are the names of weights and options that several lines give; the last of them counts.
    `version` is 6 if a grammar's line has the form of Joshua 6, otherwise 5.
    """

    path: Path
    grammars: list[GrammarEntry] = field(default_factory=list)
    models: list[ModelEntry] = field(default_factory=list)
    weights: dict[str, float] = field(default_factory=dict)
    functions: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    unknown_functions: list[str] = field(default_factory=list)
    options: dict[str, Option] = field(default_factory=dict)
    oov_list: dict[str, float] = field(default_factory=dict)
    included: dict[str, Path] = field(default_factory=dict)
    unknown_arguments: list[str] = field(default_factory=list)
    repeated: list[str] = field(default_factory=list)
    version: int = 5

    @property
    def files(self) -> list[Path]:
        """All files that decoding with it reads."""
        grammars, models = [entry.path for entry in self.grammars], [entry.path for entry in self.models]
        return [self.path, *self.included.values(), *grammars, *models]

    @property
    def oov_value(self) -> float:
        """OOVPenalty of a word passed through: Joshua 6 has another one than its predecessors."""
        return 1.0 if self.version < 6 else -100.0

    @property
    def oov_values_by_label(self) -> dict[str, float]:
        """OOVPenalty of words passed through under the labels of `oov-list`: Joshua 6 takes the logarithm.

        Raises SbmtError for a number without one.
        """
        if self.version < 6:
            return self.oov_list
        if wrong := [(label, number) for label, number in self.oov_list.items() if number <= 0]:
            label, number = wrong[0]
            raise SbmtError(
                f"{self.path}: oov-list gives [{label}] the value {number:g}, which has no logarithm, and Joshua 6 "
                "takes it: write a number above 0"
            )
        return {label: math.log(number) for label, number in self.oov_list.items()}

    @property
    def search(self) -> str:
        """cky (charts) or stack (phrases); raises FormatError for another."""
        search = self.option("search")
        if search not in OPTIONS_OF_SEARCH:
            raise self._wrong("search", f"is {' or '.join(OPTIONS_OF_SEARCH)}, not {search!r}")
        return search

    @property
    def unknown_options(self) -> list[str]:
        """The names of unknown options, as written."""
        return [name for name in self.options if name not in _KNOWN_KEYS]

    def option(self, name: str) -> str:
        """Return an option's value, or its default; hyphens, underscores and case of names do not matter."""
        return self._option(name).value

    def label(self, name: str) -> str:
        """Return an option that is a label, without brackets."""
        return self.option(name).strip("[]")

    def number(self, name: str, least: int = 0) -> int:
        """Return a numeric option; raises FormatError if it is not a whole number, or too small or large."""
        text = self.option(name)
        if not text.isdecimal():
            raise self._wrong(name, f"needs a whole number, not {text!r}")
        if len(text) > _MAX_DIGITS:
            raise self._wrong(name, f"is a number of {len(text)} digits; {_MAX_DIGITS} are enough")
        if int(text) < least:
            raise self._wrong(name, f"is {text}, which is not at least {least}")
        return int(text)

    def flag(self, name: str) -> bool:
        """Whether an option is true; raises FormatError if it is neither true nor false."""
        text = self.option(name)
        try:
            return _is_true(text)
        except ValueError:
            raise self._wrong(name, f"is true or false, not {text!r}") from None

    def _option(self, name: str) -> Option:
        return self.options.get(_key(name), Option(_DEFAULTS[name]))

    def _wrong(self, name: str, problem: str) -> FormatError:
        """Return the error that an option has a wrong value."""
        return FormatError(str(self.path), self._option(name).line, f"option {name} {problem}")


def read_config(path: str | Path) -> JoshuaConfig:
    """Return a configuration, without opening grammars and models.

    Raises FormatError for a line that it cannot understand, and if no line names a grammar.
    """
    config = JoshuaConfig(Path(path))
    folder = Path(path).parent
    for number, raw in enumerate(read_text(path), 1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        if _MOSES_SECTION.fullmatch(line):
            cure = 'make a model of kind phrase: docs/decoder.md, "From Moses"'
            raise FormatError(str(path), number, f"{line} begins a section of a Moses configuration", cure)
        try:
            if "=" in line:
                name, value = (part.strip() for part in line.split("=", 1))
                _read_parameter(config, name, Option(value, number), folder)
            else:
                _read_weight(config.weights, line.split(), config.repeated)
        except _UnsupportedError as error:
            raise FormatError(str(path), number, *error.args) from None
        except (ValueError, IndexError, KeyError):
            form = _FORMS.get(_key(line.partition("=")[0].strip()), f'"key = value" or {_WEIGHT}')
            raise FormatError(str(path), number, f"cannot read {line[:80]!r}", f"write {form}") from None
    if "weightsfile" in config.included:  # wherever it is named, the configuration's own weights win
        config.weights = _read_weights_file(config.included["weightsfile"], config.repeated) | config.weights
    if not config.grammars:
        raise FormatError(str(path), None, "names no grammar", "tm = thrax pt 20 GRAMMAR")
    return config


def _key(name: str) -> str:
    return re.sub("[-_]", "", name).lower()


_KNOWN_KEYS = frozenset(map(_key, _DEFAULTS))


class _UnsupportedError(Exception):
    """A feature of Joshua that is not supported, and the cure."""


def _read_parameter(config: JoshuaConfig, name: str, option: Option, folder: Path) -> None:
    value, key = option.value, _key(name)
    words = value.split()
    if key == "tm":
        _read_grammar(config, words, folder)
    elif key == "lm":
        _check_type("language model", words[0], _MODELS)
        if words[0] != "none":
            config.models.append(ModelEntry(int(words[1]), _is_true(words[2]), folder / words[5]))
            config.unknown_arguments += [f"{word} ({words[0]})" for word in words[6:]]
    elif key == "featurefunction":
        if words[0] in _LANGUAGE_MODELS:
            _read_language_model(config, words, folder)
        else:
            _read_function(config, words)
    elif key == "oovlist":  # labels and values, or a file of them
        config.repeated += [name] if config.oov_list else []
        if (folder / value).is_file():
            config.included[key] = folder / value
            words = " ".join(read_lines(folder / value)).split()
        pairs = zip(words[::2], words[1::2], strict=True)
        config.oov_list = {label.strip("[]"): _bounded(number) for label, number in pairs}
    elif key == "weightsfile":
        config.repeated += [name] if key in config.included else []
        config.included[key] = folder / value
    else:
        if key in config.options:
            config.repeated.append(name)
        config.options[key if key in _KNOWN_KEYS else name] = option


def _read_grammar(config: JoshuaConfig, words: list[str], folder: Path) -> None:
    """Add the grammar of a line."""
    if words[0] == "regexp":
        raise _UnsupportedError("grammars of regular expressions are not supported", "take the line out")
    _check_type("grammar", words[0], _GRAMMARS)
    if words[1].startswith("-"):
        config.version = 6
        options = _arguments(words)
        config.unknown_arguments += _unknown_arguments(words[0], options, "owner", "maxspan", "path")
        owner, limit, file = options["owner"], options.get("maxspan", "-1"), options["path"]
    else:
        owner, limit, file = words[1:4]
        config.unknown_arguments += [f"{word} ({words[0]})" for word in words[4:]]
    if int(limit) < -1:
        raise ValueError(limit)
    config.grammars.append(GrammarEntry(owner, int(limit) or ANY_LENGTH, folder / file))


def _read_language_model(config: JoshuaConfig, words: list[str], folder: Path) -> None:
    """Add the language model of a feature function's line."""
    options = _arguments(words)
    config.unknown_arguments += _unknown_arguments(words[0], options, "lm_type", "lm_order", "lm_file")
    if "class_map" in options:
        raise _UnsupportedError("language models of classes (-class_map) are not supported", "take the line out")
    _check_type("language model", options.get("lm_type", "kenlm"), _MODELS)
    left_state = words[0] == "StateMinimizingLanguageModel"
    config.models.append(ModelEntry(int(options.get("lm_order", "5")), left_state, folder / options["lm_file"]))


def _read_function(config: JoshuaConfig, words: list[str]) -> None:
    """Add another feature function, whose name is case-insensitive, or leave it out."""
    name = {function.lower(): function for function in FUNCTIONS}.get(words[0].lower())
    if name is None:
        config.unknown_functions.append(words[0])
        return
    options = _arguments(words)
    config.unknown_arguments += _unknown_arguments(words[0], options, *FUNCTIONS[name])
    arguments = {argument: options.get(argument, default) for argument, default in FUNCTIONS[name].items()}
    if (name, arguments) not in config.functions:  # written twice, it still counts once
        config.functions.append((name, arguments))


def _arguments(words: list[str]) -> dict[str, str]:
    """Return the -NAME VALUE pairs after a line's first word; raises ValueError for a name without value."""
    return {name.lstrip("-"): value for name, value in zip(words[1::2], words[2::2], strict=True)}


def _unknown_arguments(of: str, options: Mapping[str, str], *known_names: str) -> list[str]:
    """Return the unknown arguments, with what they belong to."""
    return [f"-{name} ({of})" for name in options if name not in known_names]


def _check_type(what: str, name: str, known_types: tuple[str, ...]) -> None:
    """Raise _UnsupportedError for an unknown type."""
    if name not in known_types:
        raise _UnsupportedError(f"there is no {what} type {name!r}", f"known: {', '.join(known_types)}")


def _read_weights_file(path: Path, repeated: list[str]) -> dict[str, float]:
    weights: dict[str, float] = {}
    for number, line in enumerate(read_lines(path), 1):
        if line.strip() and not line.startswith(("#", "//")):
            try:
                _read_weight(weights, line.replace("=", " ").split(), repeated)
            except (ValueError, IndexError):
                raise FormatError(str(path), number, f"cannot read {line!r}", f"write {_WEIGHT}") from None
    return weights


def _is_true(text: str) -> bool:
    """Whether a text is "true", in any case; raises ValueError if it is neither that nor "false"."""
    if text.lower() not in ("true", "false"):
        raise ValueError(text)
    return text.lower() == "true"


def _bounded(text: str) -> float:
    """Return the number; raises ValueError if it is none, or larger than LARGEST."""
    value = float(text)
    if not abs(value) <= LARGEST:  # true for NaN
        raise ValueError(text)
    return value


def _read_weight(weights: dict[str, float], words: list[str], repeated: list[str]) -> None:
    """Add a weight: `name weight`, or Joshua 4's `lm 0 weight` and `phrasemodel owner column weight`."""
    if words[0] == "lm" and len(words) == 3:
        words = [f"lm_{words[1]}", words[2]]
    elif words[0] == "phrasemodel" and len(words) == 4:
        words = [f"tm_{words[1]}_{words[2]}", words[3]]
    name, value = words[0], _bounded(words[1])
    if len(words) > 2:
        raise ValueError(words)
    name = weight_name(name)
    if name in weights:
        repeated.append(name)
    weights[name] = value


def weight_name(name: str) -> str:
    """Return the name of a weight in sbmt."""
    return _ALIASES.get(name, name)


def is_weight(text: str) -> bool:
    """Whether a text can be a weight's value."""
    try:
        _bounded(text)
    except ValueError:
        return False
    return True
