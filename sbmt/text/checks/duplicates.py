"""Sources that occur more than once: on both sides of a split they make what was learnt look better than it is."""

from __future__ import annotations

import logging

_log = logging.getLogger(__name__)

_MANY = 0.1  # of the sources are repeats; published sets have under 3 %, or about half


def remark_on_repeats(different: int, total: int, name: str) -> None:
    """Warn if many of `total` sources repeat earlier ones."""
    if total - different > _MANY * total:
        message = (
            "%s: only %d of %d sources are distinct. When you set test sentences aside, keep equal sources together "
            "(held-out parts and folds do), or scores will be too good."
        )
        _log.warning(message, name, different, total)
