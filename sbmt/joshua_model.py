"""From a Joshua configuration to a model bundle, which all commands accept and which can be tuned."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

from sbmt.config import plain
from sbmt.decoder.base import ForestDecoder
from sbmt.decoder.joshua.config import JoshuaConfig, read_config
from sbmt.decoder.joshua.load import chart_settings, load_joshua
from sbmt.decoder.penalties import OOV_PENALTY, PHRASE_PENALTY, WORD_PENALTY, phrase_penalty
from sbmt.errors import FormatError
from sbmt.lm.model import LanguageModel
from sbmt.model import FORMAT, DecoderConfig, GrammarConfig, LanguageModelConfig, Model, ModelConfig
from sbmt.ppdb.formats import has_phrase_pairs
from sbmt.ppdb.glue import GLUE
from sbmt.text.pipeline import TextOptions
from sbmt.translators import computed_features


def joshua_model(path: str | Path) -> Model:
    """Return a model that decodes words as a chart configuration of Joshua's does; `save` writes it.

    Scores are equal; language model values are natural logarithms, as in all models, and weights are converted
    accordingly. Settings for n-best lists and targets are left out. Raises FormatError for anything that a model cannot
    express (including rule values with the name of a model's own feature); warns and raises as `load_joshua` does.
    """
    config = read_config(path)
    if problems := _unsupported(config):
        problem = f"cannot be a model, because of {', and of '.join(problems)}"
        raise FormatError(str(path), None, problem, "decode with sbmt-decode -c")
    decoder = load_joshua(path).decoder
    weights = _weights(config, decoder)
    if clashes := _clashes(config, decoder, weights):
        problem = f"cannot be a model, because its grammars have values called {', '.join(clashes)}"
        cure = "give these and their weights another name, or decode with sbmt-decode -c"
        raise FormatError(str(path), None, f"{problem}, as are features that a model computes itself", cure)
    model_config = ModelConfig(
        format=FORMAT,
        description=f"from {path}",
        text=TextOptions.verbatim(),
        decoder=DecoderConfig("scfg", plain(chart_settings(config))),
        grammars=tuple(GrammarConfig(_absolute(file), owner, limit) for owner, limit, file in config.grammars),
        language_models=tuple(LanguageModelConfig(_absolute(model.path)) for model in config.models),
        weights=weights,
    )
    return Model(model_config, Path(path).parent)


def _unsupported(config: JoshuaConfig) -> list[str]:
    """Return the parts of the configuration that a chart model cannot express."""
    if config.search == "stack":
        return ["search = stack"]
    problems = ["oov-list"] if config.oov_list else []
    if all(grammar.owner != GLUE for grammar in config.grammars):
        problems.append(f"its grammars, none of which has the owner {GLUE}")
    for order, left_state, file in config.models:
        if not left_state and order < LanguageModel(file).file_order:
            problems.append(f"the order {order}, which is not that of {file}")
    problems += [f"the phrase table {entry.path}" for entry in config.grammars if has_phrase_pairs(entry.path)]
    return problems


def _weights(config: JoshuaConfig, decoder: ForestDecoder) -> dict[str, float]:
    """Return the weights of the configuration's features, with the names and units of models.

    Weights of features that the configuration lacks have no effect in Joshua. They are left out, for in a model the
    weight of a built-in feature adds the feature.
    """
    functions = [name for name, _ in config.functions]
    scales = {name: 1.0 for grammar in decoder.grammars for name in grammar.feature_names}
    scales |= {model.name: 1 / math.log(10) for model in decoder.language_models}
    scales |= {name: 1.0 for name in functions if name == WORD_PENALTY}
    scales |= {name: config.oov_value for name in functions if name == OOV_PENALTY}
    weights = {name: weight * scales[name] for name, weight in config.weights.items() if name in scales}
    owners = [arguments["owner"] for name, arguments in config.functions if name == PHRASE_PENALTY]
    if PHRASE_PENALTY in config.weights:
        weights |= {phrase_penalty(owner): config.weights[PHRASE_PENALTY] for owner in owners}
    return weights


def _clashes(config: JoshuaConfig, decoder: ForestDecoder, weights: Mapping[str, float]) -> list[str]:
    """Return the names of rule values that a model, unlike the configuration, would compute as a feature, too."""
    rule_features = {name for grammar in decoder.grammars for name in grammar.feature_names}
    computed = computed_features(weights, decoder.grammars)
    same_weight = {name for name, _ in config.functions if weights.get(name) == config.weights.get(name)}
    return sorted(rule_features.intersection(computed) - same_weight)


def _absolute(file: Path) -> str:
    return str(file.absolute())
