"""HTML entities: what one looks like, and those of white space and quotation marks, which separate words."""

from __future__ import annotations

import html
import re

from sbmt.text.penn import QUOTATION_MARKS

# Entities that separate words, unless they are apostrophes inside one. Others may be inside one (caf&eacute;).
PARTING = "nbsp|e[nm]sp|emsp1[34]|(?:thin|hair|num|punc)sp|zerowidthspace|quot|[lrb]dquo|[lr]s?aquo|[lr]squo|sbquo|apos"
ENTITY = r"&(?:\#\d{1,7}|\#x[\da-f]{1,6}|[a-z]\w{1,30});"  # in any case, and in verbose patterns, too
_IS_ENTITY = re.compile(ENTITY, re.IGNORECASE)
_QUOTES = QUOTATION_MARKS | {'"': '"', "„": "``", "‚": "`", "‹": "`", "›": "'"}


def mark_of(word: str) -> str | None:
    """Return the meaning of an entity: "" for white space, a quotation mark as a token, `"` if it may open or close.

    None for any other word.
    """
    if not _IS_ENTITY.fullmatch(word):
        return None
    character = html.unescape(word)
    if character.isspace() or not character.isprintable():  # also invisible characters
        return ""
    return _QUOTES.get(character)
