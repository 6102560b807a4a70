"""What feature functions say of a sentence, checked: one value that is no number would spoil all scores in silence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from sbmt.arrays import Floats
from sbmt.decoder.features import FeatureFunction, RuleFeature, RuleTable
from sbmt.errors import ModelError
from sbmt.features.sentence.application import Application, StatelessFeature
from sbmt.ppdb.columns import Entries


def check_feature(feature: object) -> None:
    """Raise TypeError for what is no feature function: an object with `values` or `rule_values`, not its class."""
    has_values = isinstance(feature, RuleFeature) or callable(getattr(feature, "values", None))
    if not has_values or isinstance(feature, type | Mapping):  # a Mapping has other `values`
        raise TypeError(f"feature_functions: {feature!r} is no object with values or rule_values")


def rule_column(feature: RuleFeature, rules: RuleTable, owners: Sequence[str]) -> tuple[str, Floats]:
    """The name and the column of a rule feature; raises ModelError for what is no column of finite values."""
    name, column = feature.rule_values(rules, owners)
    values = np.array(column, np.float64)
    if values.shape != (len(rules.rule_id),) or not np.isfinite(values).all():
        raise ModelError(f"{_called(feature)} gives {name} no column of {len(rules.rule_id)} finite values")
    return name, values


def application_entries(
    feature: StatelessFeature, sentence: Sequence[str], applications: Sequence[Application], number: dict[str, int]
) -> Entries:
    """The values of a stateless feature; names that `number` lacks get the next numbers.

    Raises ModelError for a value that is not finite, naming the sentence, and for one of no application.
    """
    rows: list[int] = []
    features: list[int] = []
    values: list[float] = []
    for row, name, value in feature.values(sentence, applications):
        rows.append(row)
        features.append(number.setdefault(name, len(number)))
        values.append(value)
    entries = np.array(rows, np.int64), np.array(features, np.int64), np.array(values, np.float64)
    is_there = (entries[0] >= 0) & (entries[0] < len(applications))
    if not is_there.all():
        wrong = rows[int(np.argmin(is_there))]
        raise ModelError(f"{_called(feature)}: there is no application {wrong} of {len(applications)}")
    is_finite = np.isfinite(entries[2])
    if not is_finite.all():
        wrong = int(np.argmin(is_finite))
        name, value = list(number)[features[wrong]], values[wrong]
        raise ModelError(f"{_called(feature)} gives {name} the value {value} in {' '.join(sentence)!r}")
    return entries


def _called(feature: FeatureFunction) -> str:
    """What a model calls a feature function, or would."""
    kind = type(feature)
    return getattr(feature, "specification", f"{kind.__module__}:{kind.__qualname__}")
