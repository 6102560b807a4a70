"""Warnings of repeated sources, which inflate scores when they are on both sides of a split."""

from __future__ import annotations

import logging

_log = logging.getLogger(__name__)

_MAX_REPEATED = 0.1  # share of repeated sources that is reported; published sets have under 3 %, or about half


def remark_on_repeats(different: int, total: int, name: str) -> None:
    """Warn if many of `total` sources repeat earlier ones."""
    if total - different > _MAX_REPEATED * total:
        message = (
            "%s: only %d of %d sources are distinct. When you set test sentences aside, keep equal sources together "
            "(held-out parts and folds do), or scores will be too good."
        )
        _log.warning(message, name, different, total)
