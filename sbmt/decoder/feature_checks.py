"""Checks of the values of feature functions: a single one that is not finite would silently spoil all scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from sbmt.arrays import Floats
from sbmt.decoder.features import FeatureFunction, RuleFeature, RuleTable
from sbmt.errors import ModelError
from sbmt.features.sentence.application import Application, StatelessFeature
from sbmt.ppdb.columns import Entries


def check_feature(feature: object) -> None:
    """Raise TypeError for anything but an object (not a class) with `values` or `rule_values`."""
    has_values = isinstance(feature, RuleFeature) or callable(getattr(feature, "values", None))
    if not has_values or isinstance(feature, type | Mapping):  # the `values` of a Mapping are others
        raise TypeError(f"feature_functions: {feature!r} is no object with values or rule_values")


def rule_column(feature: RuleFeature, rules: RuleTable, owners: Sequence[str]) -> tuple[str, Floats]:
    """Return the name and the column of a rule feature; raises ModelError for values that are not finite."""
    name, column = feature.rule_values(rules, owners)
    values = np.array(column, np.float64)
    if values.shape != (len(rules.rule_id),) or not np.isfinite(values).all():
        raise ModelError(f"{_name_of(feature)} gives {name} no column of {len(rules.rule_id)} finite values")
    return name, values


def application_entries(
    feature: StatelessFeature, sentence: Sequence[str], applications: Sequence[Application], number: dict[str, int]
) -> Entries:
    """Return the values of a stateless feature; names that `number` lacks get the next numbers.

    Raises ModelError for a value that is not finite, naming the sentence, and for a number that is no application's.
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
        raise ModelError(f"{_name_of(feature)}: there is no application {wrong} of {len(applications)}")
    is_finite = np.isfinite(entries[2])
    if not is_finite.all():
        wrong = int(np.argmin(is_finite))
        name, value = list(number)[features[wrong]], values[wrong]
        raise ModelError(f"{_name_of(feature)} gives {name} the value {value} in {' '.join(sentence)!r}")
    return entries


def _name_of(feature: FeatureFunction) -> str:
    """Return MODULE:NAME of a feature function, as a model writes it."""
    kind = type(feature)
    return getattr(feature, "specification", f"{kind.__module__}:{kind.__qualname__}")
