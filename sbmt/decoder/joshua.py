"""Joshua configurations and n-best lists: read a `joshua.config`, decode as Joshua would, write what it writes.

Both generations are read: the one of the paper (`tm = thrax pt 12 FILE`, `lm = kenlm 5 true false 100 FILE`) and 6.x
(`tm = thrax -owner pt -maxspan 12 -path FILE`, `feature-function = LanguageModel -lm_order 5 -lm_file FILE`). Paths are
relative to the configuration's folder. Language model values are log10, as Joshua reports them. What Joshua gets wrong
(span limits not enforced, tokens such as `[X]`, `%s` inside a sentence) is not imitated.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sbmt.config import ConfigError
from sbmt.decoder.decoder import Decoder
from sbmt.decoder.features import FeatureFunction
from sbmt.decoder.hypothesis import Constraint, Hypothesis
from sbmt.decoder.penalties import OovPenalty, PhrasePenalty, WordPenalty
from sbmt.decoder.settings import Settings
from sbmt.decoder.unfilled import warn_of_unfilled
from sbmt.errors import FormatError, SbmtError
from sbmt.features.application import CONSTRAINT_OWNER, PASS_THROUGH_OWNER
from sbmt.io import read_lines, read_text
from sbmt.lm.model import LanguageModel
from sbmt.ppdb.feature_text import MOST
from sbmt.ppdb.load import load_grammar
from sbmt.ppdb.rule import is_gap
from sbmt.text.whitespace import split_words

_log = logging.getLogger(__name__)
_WEIGHT = f'"name weight", a weight up to {MOST:g}'
_FORMS = {  # of lines that hold more than a key and its value
    "tm": '"tm = TYPE OWNER SPAN FILE", where a span is at least 1, or -1 for any',
    "lm": '"lm = TYPE ORDER true|false IGNORED IGNORED FILE"',
    "oovlist": '"oov-list = LABEL VALUE LABEL VALUE ..."',
}
_MOST_DIGITS = 9  # of a number that is counted up to
_SEGMENT = re.compile(r'\s*<seg\s+id="?(?P<id>[^"> ]+)"?[^>]*>(?P<text>.*)</seg>\s*')
_JOSHUA_6_OOV = -100.0
_OPTIONS = frozenset(  # as `_key` has them
    "poplimit topn useuniquenbest outputformat goalsymbol defaultnonterminal trueoovsonly markoovs maxlen".split()
)


@dataclass(slots=True)
class JoshuaConfig:
    """A configuration as read. `grammars` are (owner, span limit, path), `models` (order, left state only, path).

    `oov_values` are OOVPenalty's values for words passed through by their label, if `oov-list` gives labels.
    """

    path: Path
    grammars: list[tuple[str, int, Path]] = field(default_factory=list)
    models: list[tuple[int, bool, Path]] = field(default_factory=list)
    weights: dict[str, float] = field(default_factory=dict)
    functions: list[list[str]] = field(default_factory=list)
    options: dict[str, str] = field(default_factory=dict)
    oov_values: dict[str, float] = field(default_factory=dict)
    version: int = 5

    def option(self, name: str, default: str) -> str:
        """An option's value; names count without their hyphens, underscores and case."""
        return self.options.get(_key(name), default)

    def number(self, name: str, default: int) -> int:
        """A numeric option; raises SbmtError if it is none."""
        text = self.option(name, str(default))
        if not text.isdecimal():
            raise SbmtError(f"{self.path}: option {name} needs a whole number, not {text!r}")
        if len(text) > _MOST_DIGITS:
            raise SbmtError(f"{self.path}: option {name} is a number of {len(text)} digits; {_MOST_DIGITS} are enough")
        return int(text)

    def flag(self, name: str, default: bool) -> bool:
        """Whether an option is set; raises SbmtError for what is neither true nor false."""
        text = self.option(name, str(default)).lower()
        if text not in ("true", "false"):
            raise SbmtError(f"{self.path}: option {name} is true or false, not {text!r}")
        return text == "true"


@dataclass(slots=True)
class Joshua:
    """A decoder with the output settings of its configuration."""

    decoder: Decoder
    top_n: int
    unique: bool
    template: str
    enforce_target: bool

    def decode_line(
        self,
        line: str,
        number: int,
        nbest: int | None = None,
        protect: Callable[[Sequence[str]], Sequence[Constraint]] = lambda _: (),
    ) -> Iterator[str]:
        """The n-best lines of one input line (`source`, or `source ||| target`, or `<seg id="7">source</seg>`).

        `protect` says which of its words are to stay.
        """
        name, words, target = read_segment(line, number)
        if target is not None and not self.enforce_target:
            _log.warning(
                "line %s: the target is not enforced, because Joshua does so with full-state models only", name
            )
            target = None
        forest = self.decoder.parse(words, protect(words))
        wanted = nbest or self.top_n
        result = self.decoder.search(forest, target, nbest=wanted)
        if words and not result.complete:
            _log.warning("line %s: no derivation reaches [%s]", name, self.decoder.settings.goal)
        for hypothesis in result.nbest(wanted, self.unique):
            yield format_line(self.template, name, words, hypothesis)


def load_joshua(path: str | Path) -> Joshua:
    """Read a configuration and the files it names.

    Raises FormatError for a line it cannot understand and ModelError or SbmtError for files that cannot be read.
    """
    config = read_config(path)
    if not config.grammars:
        raise FormatError(str(path), None, "names no grammar", "tm = thrax pt 20 GRAMMAR")
    models = [
        LanguageModel(file, f"lm_{number}", order, log10=True) for number, (order, _, file) in enumerate(config.models)
    ]
    grammars = [load_grammar(file, owner, limit) for owner, limit, file in config.grammars]
    try:
        settings = _settings(config)
    except ConfigError as error:
        raise FormatError(str(path), None, str(error)) from None
    functions = [_function(arguments, config) for arguments in config.functions]
    decoder = Decoder(grammars, models, config.weights, settings, [f for f in functions if f is not None])
    unused = [key for key in config.options if key not in _OPTIONS]
    if unused:
        _log.warning("options that are not known here and left out: %s", ", ".join(unused))
    warn_of_unfilled(decoder)
    return Joshua(
        decoder=decoder,
        top_n=max(config.number("top-n", 1), 1),  # 0 is Joshua's way to ask for the best output alone
        unique=config.flag("use-unique-nbest", True),
        template=config.option("output-format", "%i ||| %s ||| %f ||| %c"),
        enforce_target=any(not left_state for _, left_state, _ in config.models),
    )


def _settings(config: JoshuaConfig) -> Settings:
    return Settings(
        pop_limit=config.number("pop-limit", 100),
        goal=config.option("goal-symbol", "GOAL").strip("[]"),
        default_label=config.option("default-non-terminal", "X").strip("[]"),
        pass_labels=tuple(config.oov_values),
        pass_only_unknown=config.flag("true-oovs-only", False),
        mark_oovs=config.flag("mark-oovs", False),
        max_words=config.number("maxlen", 200),
    )


def read_config(path: str | Path) -> JoshuaConfig:
    """The configuration alone, without opening what it names."""
    config = JoshuaConfig(Path(path))
    folder = Path(path).parent
    for number, raw in enumerate(read_text(path), 1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        try:
            if "=" in line:
                name, value = (part.strip() for part in line.split("=", 1))
                _parameter(config, name, value, folder)
            else:
                _weight(config.weights, line.split())
        except (ValueError, IndexError, KeyError):
            form = _FORMS.get(_key(line.partition("=")[0].strip()), f'"key = value" or {_WEIGHT}')
            raise FormatError(str(path), number, f"cannot read {line[:80]!r}", f"write {form}") from None
    return config


def _key(name: str) -> str:
    return re.sub("[-_]", "", name).lower()


def _parameter(config: JoshuaConfig, name: str, value: str, folder: Path) -> None:
    words, key = value.split(), _key(name)
    if key == "tm":
        if words[1].startswith("-"):
            config.version = 6
            options = _options(words[1:])
            owner, limit, file = options["owner"], options.get("maxspan", "-1"), options["path"]
        else:
            owner, limit, file = words[1:4]
        if int(limit) < -1 or not int(limit):
            raise ValueError(limit)
        config.grammars.append((owner, int(limit), folder / file))
    elif key == "lm":
        config.models.append((int(words[1]), words[2] == "true", folder / words[5]))
    elif key == "featurefunction":
        if words[0] in ("LanguageModel", "StateMinimizingLanguageModel"):
            options = _options(words[1:])
            left_state = words[0] == "StateMinimizingLanguageModel"
            config.models.append((int(options.get("lm_order", "5")), left_state, folder / options["lm_file"]))
        else:
            config.functions.append(words)
    elif key == "oovlist":  # labels and values, or a file of them
        if (folder / value).is_file():
            words = " ".join(read_lines(folder / value)).split()
        pairs = zip(words[::2], words[1::2], strict=True)
        config.oov_values = {label.strip("[]"): float(number) for label, number in pairs}
    elif key == "weightsfile":
        _weights_file(config.weights, folder / value)
    else:
        config.options[key if key in _OPTIONS else name] = value


def _weights_file(weights: dict[str, float], path: Path) -> None:
    for number, line in enumerate(read_lines(path), 1):
        if line.strip() and not line.startswith("#"):
            try:
                _weight(weights, line.replace("=", " ").split())
            except (ValueError, IndexError):
                raise FormatError(str(path), number, f"cannot read {line!r}", f"write {_WEIGHT}") from None


def _options(words: list[str]) -> dict[str, str]:
    """`-name value` pairs."""
    return {name.lstrip("-"): value for name, value in zip(words[::2], words[1::2], strict=True)}


def _weight(weights: dict[str, float], words: list[str]) -> None:
    """`name weight`, or Joshua 4's `lm 0 weight` and `phrasemodel owner column weight`."""
    if words[0] == "lm" and len(words) == 3:
        words = [f"lm_{words[1]}", words[2]]
    elif words[0] == "phrasemodel" and len(words) == 4:
        words = [f"tm_{words[1]}_{words[2]}", words[3]]
    name, value = words[0], float(words[1])
    if len(words) > 2 or not abs(value) <= MOST:  # nor is NaN
        raise ValueError(words)
    weights[{"wordpenalty": "WordPenalty", "oovpenalty": "OOVPenalty"}.get(name, name)] = value


def _function(arguments: list[str], config: JoshuaConfig) -> FeatureFunction | None:
    """A feature function by its Joshua name; one that we do not have is left out with a warning."""
    name, options = arguments[0].lower(), _options(arguments[1:])
    made: Mapping[str, Callable[[], FeatureFunction]] = {
        "oovpenalty": lambda: OovPenalty(1.0 if config.version < 6 else _JOSHUA_6_OOV, config.oov_values),
        "wordpenalty": WordPenalty,
        "phrasepenalty": lambda: PhrasePenalty(options.get("owner", "pt")),
    }
    if name not in made:
        _log.warning("feature function %s is not known here and left out", arguments[0])
        return None
    return made[name]()


def read_segment(line: str, number: int) -> tuple[str, list[str], list[str] | None]:
    """Name, words and wanted target of an input line; the name is the line's number unless it brings its own."""
    name = str(number)
    segment = _SEGMENT.fullmatch(line)
    if segment is not None:
        name, line = segment["id"], segment["text"]
    source, *rest = re.split(r"\s\|{3}\s", line)
    target = split_words(rest[0]) if rest and rest[0].strip() else None
    return name, split_words(source), target


def format_line(template: str, name: str, source: list[str], hypothesis: Hypothesis) -> str:
    """One n-best line; the codes %i %s %f %c %t %e %a stand for what they do in Joshua, and are looked at only once."""
    codes: dict[str, Callable[[], str]] = {
        "i": lambda: name,
        "s": lambda: hypothesis.text,
        "f": lambda: " ".join(f"{key}={value:.3f}" for key, value in sorted(hypothesis.features.items())),
        "c": lambda: f"{hypothesis.score:.3f}",
        "e": lambda: " ".join(source),
        "t": lambda: _tree(hypothesis),
        "a": lambda: " ".join(f"{i}-{j}" for step in hypothesis.derivation for i, j in step.alignment),
    }
    return re.sub("%([isfceta])", lambda code: codes[code[1]](), template)


def _tree(hypothesis: Hypothesis) -> str:
    """The derivation as Joshua 5 prints it: `(ROOT ([GOAL] ([GOAL] <s>) ([X] word)))`."""
    built: list[str] = []
    for step in reversed(hypothesis.derivation):
        gaps = [symbol for symbol in step.rule.source if is_gap(symbol)]
        below = {gap: built.pop() for gap in gaps} if step.owner not in (PASS_THROUGH_OWNER, CONSTRAINT_OWNER) else {}
        inside = " ".join(below.get(symbol, symbol) for symbol in step.rule.target)
        built.append(f"([{step.rule.lhs}] {inside})")
    return f"(ROOT {' '.join(built)})"
