"""A warning of rules that can never apply."""

from __future__ import annotations

import logging
from collections.abc import Collection

from sbmt.decoder.decoder import Decoder

_MOST_NAMED = 5
_log = logging.getLogger(__name__)


def warn_of_unfilled(decoder: Decoder, constrained: Collection[str] = ()) -> None:
    """Name the labels of gaps that nothing fills, `constrained` being those that constraints may have."""
    unfilled = [f"[{label}]" for label in decoder.unfilled_labels() if label not in constrained]
    if unfilled:
        shown = ", ".join(unfilled[:_MOST_NAMED]) + (", ..." if unfilled[_MOST_NAMED:] else "")
        _log.warning("no rule makes %s (%d in all); rules with such gaps never apply", shown, len(unfilled))
