"""From a Joshua configuration to a decoder that decodes lines as Joshua does.

Language model values are log10, as Joshua reports them. Joshua's bugs (span limits not enforced, tokens such as `[X]`,
`%s` inside a sentence) are not imitated.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from sbmt.decoder.decoder import Decoder
from sbmt.decoder.features import FeatureFunction, StatefulFeature
from sbmt.decoder.hypothesis import Constraint
from sbmt.decoder.joshua.config import ANY_LENGTH, JoshuaConfig, read_config
from sbmt.decoder.joshua.lines import format_line, read_segment
from sbmt.decoder.joshua.warnings import warn_of_unused, warn_of_weights
from sbmt.decoder.penalties import (
    OOV_PENALTY,
    PHRASE_PENALTY,
    WORD_PENALTY,
    OovPenalty,
    PhrasePenalty,
    WordPenalty,
)
from sbmt.decoder.phrase import PhraseDecoder, warn_of_gaps
from sbmt.decoder.settings import PhraseSettings, Settings
from sbmt.lm.model import LanguageModel
from sbmt.ppdb.formats import TableScores
from sbmt.ppdb.load import load_grammar

_log = logging.getLogger(__name__)


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
        """Yield the n-best lines of one input line (`source`, `source ||| target`, or `<seg id="7">source</seg>`).

        Lines are numbered from 0, as in Joshua, but from 1 in warnings. `protect` returns constraints for its words.
        """
        segment = read_segment(line, number)
        words, target = segment.words, segment.target
        if segment.mistaken:
            _log.warning("line %d: %s", number + 1, segment.mistaken)
        decoder, n_outputs = self.decoder, nbest or self.top_n
        forest = decoder.parse(words, protect(words))
        if target is not None and self.enforce_target and isinstance(decoder, Decoder):
            result = decoder.search(forest, target, nbest=n_outputs)  # warns if nothing writes the target
        else:
            result = decoder.search(forest, nbest=n_outputs)
            if target is not None:
                _log.warning("line %d: the target is not enforced, %s", number + 1, self.why_not_enforced())
            if words and not result.complete:
                _log.warning("line %d: %s", number + 1, decoder.failure())
        for hypothesis in result.nbest(n_outputs, self.unique):
            yield format_line(self.template, segment.name, words, hypothesis)

    def why_not_enforced(self) -> str:
        """Return why a target is not enforced; empty if it is."""
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
    make = _phrase_decoder if config.search == "stack" else _chart_decoder
    decoder = make(config, _language_models(config), list(_feature_functions(config)))
    warn_of_unused(config, decoder)
    warn_of_weights(config, decoder)
    return Joshua(
        decoder=decoder,
        top_n=max(config.number("top-n"), 1),  # 0 is Joshua's way to ask for the best output alone
        unique=config.flag("use-unique-nbest"),
        template=config.option("output-format"),
        enforce_target=not all(model.left_state for model in config.models),
    )


def _language_models(config: JoshuaConfig) -> list[LanguageModel]:
    """Return the language models; warns of one with a shorter order than its file's."""
    models = []
    for number, (order, left_state, file) in enumerate(config.models):
        # With left state alone Joshua leaves the contexts to KenLM, which takes the file's order.
        model = LanguageModel(file, f"lm_{number}", None if left_state else order, log10=True)
        if model.order < model.file_order:
            message = "%s: of its %d-grams the last %d words are used, as in Joshua, since the configuration says %d"
            _log.warning(message, file, model.file_order, order, order)
        models.append(model)
    return models


def _chart_decoder(
    config: JoshuaConfig, models: Sequence[StatefulFeature], functions: Sequence[FeatureFunction]
) -> Decoder:
    settings = chart_settings(config)
    grammars = [load_grammar(file, owner, limit, TableScores.JOSHUA) for owner, limit, file in config.grammars]
    decoder = Decoder(grammars, models, config.weights, settings, functions)
    decoder.warn_of_idle_rules()
    return decoder


def _phrase_decoder(
    config: JoshuaConfig, models: Sequence[StatefulFeature], functions: Sequence[FeatureFunction]
) -> PhraseDecoder:
    """Return the decoder; span limits are ignored, as Joshua's configurations have 0 or -1."""
    is_free = config.option("reordering-limit") == "-1"
    settings = PhraseSettings(
        distortion_limit=-1 if is_free else config.number("reordering-limit"),
        stack_size=config.number("pop-limit", least=1),
        options_per_span=config.number("num-translation-options", least=1),
        pass_only_unknown=config.flag("true-oovs-only"),
    )
    grammars = [load_grammar(entry.path, entry.owner, ANY_LENGTH, TableScores.JOSHUA) for entry in config.grammars]
    warn_of_gaps(grammars, [entry.path for entry in config.grammars])
    return PhraseDecoder(grammars, models, config.weights, settings, functions)


def chart_settings(config: JoshuaConfig) -> Settings:
    """Return the settings of a chart decoder."""
    return Settings(
        pop_limit=config.number("pop-limit"),
        goal=config.label("goal-symbol"),
        default_label=config.label("default-non-terminal"),
        pass_labels=tuple(config.oov_list),
        pass_only_unknown=config.flag("true-oovs-only"),
        mark_oovs=config.flag("mark-oovs"),
        max_words=config.number("maxlen", least=1),
        longest_last=not any(model.left_state for model in config.models),  # as Joshua breaks ties
    )


def _feature_functions(config: JoshuaConfig) -> Iterator[FeatureFunction]:
    for name, arguments in config.functions:
        if name == OOV_PENALTY:
            yield OovPenalty(config.oov_value, config.oov_values_by_label)
        elif name == WORD_PENALTY:
            yield WordPenalty()
        elif name == PHRASE_PENALTY:
            yield PhrasePenalty(arguments["owner"], name)
