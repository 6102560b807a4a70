"""From a Joshua configuration to a model bundle, which all commands take, and which can be tuned."""

from __future__ import annotations

import math
from pathlib import Path

from sbmt.config import plain
from sbmt.decoder.joshua import chart_settings
from sbmt.decoder.joshua_config import JoshuaConfig, read_config
from sbmt.errors import FormatError
from sbmt.lm.model import LanguageModel
from sbmt.model import FORMAT, DecoderConfig, GrammarConfig, LanguageModelConfig, Model, ModelConfig
from sbmt.ppdb.glue import GLUE
from sbmt.text.pipeline import TextOptions
from sbmt.text.protect import ProtectOptions


def joshua_model(path: str | Path) -> Model:
    """A model that decodes words as a chart configuration of Joshua's does; `save` writes it.

    Scores are equal; values of language models are natural logarithms, as in all models, and weights fit that. Raises
    FormatError for what no model can say.
    """
    config = read_config(path)
    for problem in _beyond_models(config):
        raise FormatError(str(path), None, f"cannot be a model, because of {problem}", "decode with sbmt-decode -c")
    made = ModelConfig(
        format=FORMAT,
        description=f"from {path}",
        text=TextOptions(lowercase=False, recase=False, protect=ProtectOptions.none()),
        decoder=DecoderConfig("scfg", plain(chart_settings(config))),
        grammars=tuple(GrammarConfig(_absolute(file), owner, limit) for owner, limit, file in config.grammars),
        language_models=tuple(LanguageModelConfig(_absolute(file)) for _, _, file in config.models),
        weights=_weights(config),
    )
    return Model(made, Path(path).parent)


def _beyond_models(config: JoshuaConfig) -> list[str]:
    """What the configuration has that no chart model can say."""
    found = ["search = stack"] if config.search == "stack" else []
    found += ["oov-list"] if config.oov_values else []
    if all(owner != GLUE for owner, _, _ in config.grammars):
        found.append(f"its grammars, none of which has the owner {GLUE}")
    for order, left_state, file in config.models:
        if not left_state and order < LanguageModel(file).file_order:
            found.append(f"the order {order}, which is not that of {file}")
    return found


def _weights(config: JoshuaConfig) -> dict[str, float]:
    """The weights by the names and units of models, where features exist because they have a weight."""
    weights, functions = dict(config.weights), {line[0].lower(): line for line in config.functions}
    for number in range(len(config.models)):
        if f"lm_{number}" in weights:
            weights[f"lm_{number}"] /= math.log(10)
    for name in ("WordPenalty", "OOVPenalty"):
        if name.lower() not in functions:
            weights.pop(name, None)
    if "OOVPenalty" in weights:
        weights["OOVPenalty"] *= config.oov_value
    if "phrasepenalty" in functions and "PhrasePenalty" in weights:
        owner = config.arguments(functions["phrasepenalty"]).get("owner", "pt")
        weights[f"PhrasePenalty_{owner}"] = weights.pop("PhrasePenalty")
    return weights


def _absolute(file: Path) -> str:
    return str(file.absolute())
