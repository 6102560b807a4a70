"""Entities of HTML that stand between words: white space and quotation marks."""

from __future__ import annotations

import html
import re

from sbmt.text.penn import QUOTATION_MARKS

# Those that part words. Others may be of one (caf&eacute;, don&rsquo;t, R&amp;D).
PARTING = (
    "nbsp|e[nm]sp|emsp1[34]|(?:thin|hair|num|punc)sp|zerowidthspace|quot|[lrb]dquo|[lr]s?aquo|lsquo|sbquo"  # no rsquo
)
_ENTITY = re.compile(r"&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]\w{1,30});", re.IGNORECASE)
_QUOTES = QUOTATION_MARKS | {'"': '"', "„": "``", "‚": "`", "‹": "`", "›": "'"}


def mark_of(word: str) -> str | None:
    """What an entity is to a reader: "" for white space, a quotation mark as a token, `"` if it may open or close.

    None for any other word.
    """
    if not _ENTITY.fullmatch(word):
        return None
    character = html.unescape(word)
    if character.isspace() or not character.isprintable():  # invisible ones, too
        return ""
    return _QUOTES.get(character)
