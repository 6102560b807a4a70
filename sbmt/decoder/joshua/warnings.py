"""Warnings about a loaded Joshua configuration: parts that have no effect, and missing weights."""

from __future__ import annotations

import logging
import re

from sbmt.decoder.base import ForestDecoder
from sbmt.decoder.joshua.config import FUNCTIONS, OPTIONS_OF_SEARCH, JoshuaConfig, is_weight, weight_name
from sbmt.decoder.joshua.lines import CODES, unknown_codes
from sbmt.decoder.stacks import DISTORTION
from sbmt.ppdb.grammar import Grammar

_NUMBERED = re.compile(r"tm_(.+)_\d+")  # a value without a label, by its owner and place
_MAX_NAMED = 3  # values of a grammar
_log = logging.getLogger(__name__)


def warn_of_unused(config: JoshuaConfig, decoder: ForestDecoder) -> None:
    """Warn of parts without effect: unknown options, arguments and codes, lines that later ones override ..."""
    if config.repeated:
        _log.warning("given more than once, of which the last counts: %s", ", ".join(dict.fromkeys(config.repeated)))
    for name in config.unknown_functions:
        _log.warning("feature function %s is not known here and left out", name)
    if config.search != "stack" and any(name == DISTORTION for name, _ in config.functions):
        reason = f"for search = {config.search} moves no phrases (search = stack does)"
        _log.warning("feature function %s is left out, %s", DISTORTION, reason)
    features = {*FUNCTIONS, *(model.name for model in decoder.language_models)}
    features.update(name for grammar in decoder.grammars for name in grammar.feature_names)
    unknown = config.unknown_options
    weights = [name for name in unknown if weight_name(name) in features and is_weight(config.options[name].value)]
    for name in weights:
        value = config.options[name].value
        _log.warning('%s = %s is left out: a weight is written "%s %s"', name, value, name, value)
    if others := [name for name in unknown if name not in weights]:
        _log.warning("options that are not known here and left out: %s", ", ".join(others))
    if config.unknown_arguments:
        _log.warning("arguments that are not known here and left out: %s", ", ".join(config.unknown_arguments))
    if codes := unknown_codes(config.option("output-format")):
        known = ", ".join(f"%{letter}" for letter in CODES)
        _log.warning("output-format: %s not known here and written as they are (known: %s)", ", ".join(codes), known)
    for search, options in OPTIONS_OF_SEARCH.items():
        unused = [name for name, default in options.items() if config.label(name).lower() != default.lower()]
        if unused and search != config.search:
            message = "options of search = %s are left out, as here search = %s: %s"
            _log.warning(message, search, config.search, ", ".join(unused))


def warn_of_weights(config: JoshuaConfig, decoder: ForestDecoder) -> None:
    """Warn of language models and grammars without a weight, which is then 0, as in Joshua."""
    if not any(config.weights.values()):
        cure = 'write lines such as "lm_0 1.0", or weights-file = FILE'
        _log.warning("no weights at all: every output scores 0, and the first is an arbitrary one; %s", cure)
        return
    for model in decoder.language_models:
        if model.name not in config.weights:
            _log.warning("no weight for %s, which therefore counts nothing", model.name)
    for grammar in decoder.grammars:
        names = grammar.feature_names
        if names and config.weights.keys().isdisjoint(names):
            shown = ", ".join(names[:_MAX_NAMED]) + (", ..." if names[_MAX_NAMED:] else "")
            _log.warning(
                "no weight for any value of the grammar %s (%s)%s", grammar.owner, shown, _packed_by_another(grammar)
            )


def _packed_by_another(grammar: Grammar) -> str:
    """Return a remark if the values of a packed grammar were named after another owner; otherwise empty."""
    owners = {match[1] for match in map(_NUMBERED.fullmatch, grammar.feature_names) if match}
    if grammar.path is None or not owners or grammar.owner in owners:
        return ""
    packed = ", ".join(sorted(owners))
    return f": it was packed with owner {packed}, but the configuration says {grammar.owner}"
