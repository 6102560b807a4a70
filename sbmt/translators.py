"""From a bundle to a loaded decoder: kind "scfg" (charts, synchronous grammars) or "phrase" (stacks, phrase tables)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from sbmt.decoder.decoder import Decoder
from sbmt.decoder.features import FeatureFunction, StatefulFeature
from sbmt.decoder.penalties import (
    CHANGES,
    OOV_PENALTY,
    WORD_PENALTY,
    Changes,
    OovPenalty,
    PhrasePenalty,
    WordPenalty,
    phrase_penalty,
)
from sbmt.decoder.phrase import PhraseDecoder, warn_of_gaps
from sbmt.decoder.settings import PhraseSettings, Settings
from sbmt.decoder.user_features import user_features
from sbmt.errors import ModelError, SbmtError
from sbmt.features.sentence.application import PASS_THROUGH_OWNER
from sbmt.features.sentence.change_model import ChangeModel
from sbmt.features.sentence.change_odds import ChangeOdds
from sbmt.features.sentence.excepted import EXCEPTED, Excepted
from sbmt.features.sentence.label_clash import LABEL_CLASH, LabelClash
from sbmt.features.sentence.repeats import REPEATS, Repeats
from sbmt.features.sentence.unmarked import Unmarked
from sbmt.lm.model import LanguageModel
from sbmt.model import FILE_NAME, Model
from sbmt.ppdb.capitals import count_capitals, warn_of_capitals
from sbmt.ppdb.glue import GLUE, glue_rules
from sbmt.ppdb.grammar import Grammar
from sbmt.ppdb.load import load_grammar
from sbmt.ppdb.packed import blaming_damage
from sbmt.ppdb.starter import EXCEPTIONS
from sbmt.ppdb.starter.exceptions import read_exceptions

# Built-in features that a model has if it gives them a weight: name -> factory, called with the decoder's grammars.
SHIPPED: dict[str, Callable[[Sequence[Grammar]], FeatureFunction]] = {
    WORD_PENALTY: lambda grammars: WordPenalty(),
    OOV_PENALTY: lambda grammars: OovPenalty(),
    LABEL_CLASH: lambda grammars: Unmarked(LabelClash()),
    REPEATS: lambda grammars: Unmarked(Repeats()),
    EXCEPTED: lambda grammars: Unmarked(Excepted(read_exceptions(EXCEPTIONS))),
    CHANGES: Changes,
}


def chart_decoder(model: Model) -> Decoder:
    """Return the decoder of a bundle of kind "scfg"; without a grammar of owner "glue" it gets monotone glue rules."""
    settings = model.settings(Settings)
    grammars = _grammars(model)
    if not any(grammar.owner == GLUE for grammar in grammars):
        with blaming_damage(grammars):
            labels = {label for grammar in grammars for label in grammar.labels}
        rules = glue_rules(sorted(labels | {settings.default_label, *settings.pass_labels}), settings.goal)
        grammars.append(Grammar.from_rules(rules, GLUE, -1))
    functions, stateful = _features(model, grammars)
    return Decoder(grammars, stateful, model.config.weights, settings, functions)


def copying_decoder() -> Decoder:
    """Return a decoder without rules, which writes the sentence and the targets of constraints."""
    settings = Settings()
    glue = Grammar.from_rules(glue_rules([settings.default_label], settings.goal), GLUE, -1)
    return Decoder([glue], [], {}, settings)


def phrase_decoder(model: Model, settings: PhraseSettings | None = None) -> PhraseDecoder:
    """Return the decoder of a bundle of kind "phrase", or of another kind with these `settings`."""
    settings, grammars = settings or model.settings(PhraseSettings), _grammars(model)
    warn_of_gaps(grammars, [model.file(entry.path) for entry in model.config.grammars])
    functions, stateful = _features(model, grammars)
    return PhraseDecoder(grammars, stateful, model.config.weights, settings, functions)


def _grammars(model: Model) -> list[Grammar]:
    """Load the grammars; raises ModelError if there is none, for every text would stay as it is."""
    if not model.config.grammars:
        cure = "name one, grammars: [{path: GRAMMAR}], or set decoder: {kind: identity}"
        raise ModelError(f"{model.folder / FILE_NAME}: names no grammar ({cure})")
    grammars = []
    for entry in model.config.grammars:
        grammar = load_grammar(model.grammar_file(entry.path), entry.owner, entry.span_limit)
        if model.config.text.lowercase and grammar.path is None:  # for a packed one the warning came when it was packed
            warn_of_capitals(str(model.file(entry.path)), count_capitals(grammar.columns))
        grammars.append(grammar)
    return grammars


def _features(model: Model, grammars: Sequence[Grammar]) -> tuple[list[FeatureFunction], list[StatefulFeature]]:
    """Return the features beside those of the grammars: stateless and stateful ones, user-defined ones last."""
    functions = list(_built_in_features(model.config.weights, grammars))
    if model.config.change_model:
        functions.append(ChangeOdds(ChangeModel.load(model.file(model.config.change_model))))
    models = [LanguageModel(model.file(lm.path), f"lm_{i}") for i, lm in enumerate(model.config.language_models)]
    try:
        user_functions, user_stateful = user_features(model.config.feature_functions, _computable(grammars))
    except SbmtError as error:
        raise ModelError(f"{model.folder / FILE_NAME}: feature_functions: {error}") from error
    return [*functions, *user_functions], [*models, *user_stateful]


def computed_features(weights: Iterable[str], grammars: Sequence[Grammar]) -> list[str]:
    """Return the stateless features that a model computes, because it has weights for them.

    A weight of 0 counts, too, since a tuner may change it.
    """
    names = _computable(grammars)
    return [name for name in weights if name in names]


def _computable(grammars: Sequence[Grammar]) -> set[str]:
    """Return the names of the features that a model computes if it gives them a weight."""
    owners = (PASS_THROUGH_OWNER, *(grammar.owner for grammar in grammars))
    return {*SHIPPED, *map(phrase_penalty, owners)}


def _built_in_features(weights: Iterable[str], grammars: Sequence[Grammar]) -> Iterator[FeatureFunction]:
    """Yield the built-in features that have a weight."""
    for name in computed_features(weights, grammars):
        yield SHIPPED[name](grammars) if name in SHIPPED else PhrasePenalty(name.removeprefix(phrase_penalty("")))
