"""From a Joshua configuration to its n-best lists: load what it names, decode as Joshua would, write what it writes.

Language model values are log10, as Joshua reports them. What Joshua gets wrong
(span limits not enforced, tokens such as `[X]`, `%s` inside a sentence) is not imitated.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from sbmt.decoder.decoder import Decoder
from sbmt.decoder.features import FeatureFunction, StatefulFeature
from sbmt.decoder.hypothesis import Constraint, Hypothesis
from sbmt.decoder.joshua_config import ANY_LENGTH, KNOWN_OPTIONS, JoshuaConfig, options_of, read_config
from sbmt.decoder.penalties import OovPenalty, PhrasePenalty, WordPenalty
from sbmt.decoder.phrase import PhraseDecoder
from sbmt.decoder.settings import PhraseSettings, Settings
from sbmt.decoder.stacks import DISTORTION
from sbmt.errors import FormatError, SbmtError
from sbmt.features.application import CONSTRAINT_OWNER, PASS_THROUGH_OWNER
from sbmt.lm.model import LanguageModel
from sbmt.ppdb.load import load_grammar
from sbmt.ppdb.rule import is_gap
from sbmt.text.whitespace import WHITE, split_words

_log = logging.getLogger(__name__)
_SEGMENT = re.compile(r'\s*<seg\s+id="?(?P<id>[^"> ]+)"?[^>]*>(?P<text>.*)</seg>\s*')
_LATTICE = "((("  # what one begins with in Python's notation, as Joshua reads it
_JOSHUA_6_OOV = -100.0


class Segment(NamedTuple):
    """An input line: its name, the text to decode, the output that is wanted, if one is."""

    name: str
    source: str
    target: list[str] | None

    @property
    def words(self) -> list[str]:
        """The words of the source."""
        return split_words(self.source)


@dataclass(slots=True)
class Joshua:
    """A decoder with the output settings of its configuration."""

    decoder: Decoder | PhraseDecoder
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

        Lines are numbered from 0, as by Joshua, but from 1 in warnings. `protect` says which of its words are to stay.
        """
        name, _, target = segment = read_segment(line, number)
        words = segment.words
        if line.startswith(_LATTICE):
            _log.warning("line %d: looks like a lattice, of which nothing is known here: decoded as words", number + 1)
        decoder, wanted = self.decoder, nbest or self.top_n
        forest = decoder.parse(words, protect(words))
        if target is not None and self.enforce_target and isinstance(decoder, Decoder):
            result = decoder.search(forest, target, nbest=wanted)
        else:
            result = decoder.search(forest, nbest=wanted)
            if target is not None:
                _log.warning("line %d: the target is not enforced, %s", number + 1, self.why_not_enforced())
        if words and not result.complete:
            _log.warning("line %d: %s", number + 1, decoder.failure())
        for hypothesis in result.nbest(wanted, self.unique):
            yield format_line(self.template, name, words, hypothesis)

    def why_not_enforced(self) -> str:
        """Why a target is not; empty where it is."""
        if isinstance(self.decoder, PhraseDecoder):
            return "because a search in stacks (search = stack) cannot do so"
        if self.enforce_target:
            return ""
        cure = "write lm = kenlm ORDER false ..., or feature-function = LanguageModel ..."
        return f"because Joshua does so with full-state models only ({cure})"


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
    functions = [_function(arguments, config) for arguments in config.functions]
    make = _phrase_decoder if _in_stacks(config) else _chart_decoder
    decoder = make(config, models, [function for function in functions if function is not None])
    unused = [key for key in config.options if key not in KNOWN_OPTIONS]
    if unused:
        _log.warning("options that are not known here and left out: %s", ", ".join(unused))
    return Joshua(
        decoder=decoder,
        top_n=max(config.number("top-n", 1), 1),  # 0 is Joshua's way to ask for the best output alone
        unique=config.flag("use-unique-nbest", True),
        template=config.option("output-format", "%i ||| %s ||| %f ||| %c"),
        enforce_target=any(not left_state for _, left_state, _ in config.models),
    )


def _in_stacks(config: JoshuaConfig) -> bool:
    """Whether a configuration is of phrase-based decoding."""
    search = config.option("search", "cky")
    if search not in ("cky", "stack"):
        raise SbmtError(f"{config.path}: option search is cky or stack, not {search!r}")
    return search == "stack"


def _chart_decoder(
    config: JoshuaConfig, models: Sequence[StatefulFeature], functions: Sequence[FeatureFunction]
) -> Decoder:
    settings = _settings(config)
    grammars = [load_grammar(file, owner, limit, joshua=True) for owner, limit, file in config.grammars]
    decoder = Decoder(grammars, models, config.weights, settings, functions)
    decoder.warn_of_unfilled()
    return decoder


def _phrase_decoder(
    config: JoshuaConfig, models: Sequence[StatefulFeature], functions: Sequence[FeatureFunction]
) -> PhraseDecoder:
    """Span limits do not concern it: Joshua's configurations write 0 or -1."""
    is_free = config.option("reordering-limit", "") == "-1"
    settings = PhraseSettings(
        distortion_limit=-1 if is_free else config.number("reordering-limit", 8),
        stack_size=config.number("pop-limit", 100, 1),
        options_per_span=config.number("num-translation-options", 20, 1),
        pass_only_unknown=config.flag("true-oovs-only", False),
    )
    grammars = [load_grammar(file, owner, ANY_LENGTH, joshua=True) for owner, _, file in config.grammars]
    for grammar, (_, _, file) in zip(grammars, config.grammars, strict=True):
        if grammar.most_gaps:
            _log.warning("%s has rules with gaps, which a search in stacks (search = stack) never applies", file)
    if config.flag("mark-oovs", False):
        _log.warning("option mark-oovs is left out: a search in stacks (search = stack) marks no words")
    return PhraseDecoder(grammars, models, config.weights, settings, functions)


def _settings(config: JoshuaConfig) -> Settings:
    return Settings(
        pop_limit=config.number("pop-limit", 100),
        goal=config.option("goal-symbol", "GOAL").strip("[]"),
        default_label=config.option("default-non-terminal", "X").strip("[]"),
        pass_labels=tuple(config.oov_values),
        pass_only_unknown=config.flag("true-oovs-only", False),
        mark_oovs=config.flag("mark-oovs", False),
        max_words=config.number("maxlen", 200, 1),
    )


def _function(arguments: list[str], config: JoshuaConfig) -> FeatureFunction | None:
    """A feature function by its Joshua name; one that we do not have is left out with a warning."""
    name = arguments[0].lower()
    made: Mapping[str, Callable[[], FeatureFunction]] = {
        "oovpenalty": lambda: OovPenalty(1.0 if config.version < 6 else _JOSHUA_6_OOV, config.oov_values),
        "wordpenalty": WordPenalty,
        "phrasepenalty": lambda: PhrasePenalty(options_of(arguments[1:]).get("owner", "pt"), "PhrasePenalty"),
    }
    if name == DISTORTION.lower() and _in_stacks(config):
        return None  # that search has it by itself
    if name not in made:
        _log.warning("feature function %s is not known here and left out", arguments[0])
        return None
    try:
        return made[name]()
    except ValueError:
        problem = f"cannot read the feature function {' '.join(arguments)!r}"
        raise FormatError(str(config.path), None, problem, "write -NAME VALUE pairs") from None


def read_segment(line: str, number: int) -> Segment:
    """An input line without its marks; its name is its number unless it brings its own."""
    name = str(number)
    segment = _SEGMENT.fullmatch(line)
    if segment is not None:
        name, line = segment["id"], segment["text"].strip(WHITE)
    source, *rest = re.split(r"\s\|{3}\s", line)
    target = split_words(rest[0]) if rest and rest[0].strip() else None
    return Segment(name, source, target)


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
    """The derivation as Joshua 5 prints it: `(ROOT ([GOAL] ([GOAL] <s>) ([X] word)))`; of phrases, one by one."""
    built: list[str] = []
    for step in reversed(hypothesis.derivation):
        gaps = [symbol for symbol in step.rule.source if is_gap(symbol)]
        below = {gap: built.pop() for gap in gaps} if step.owner not in (PASS_THROUGH_OWNER, CONSTRAINT_OWNER) else {}
        inside = " ".join(below.get(symbol, symbol) for symbol in step.rule.target)
        built.append(f"([{step.rule.lhs}] {inside})")
    return f"(ROOT {' '.join(reversed(built))})"
