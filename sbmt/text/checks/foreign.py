"""Warning of a text in another language than English."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator

from sbmt.text.words.english import FUNCTION_WORDS

_log = logging.getLogger(__name__)

_WORD = re.compile(r"[^\W\d_]+")
_SAMPLE = 200  # words
_LEAST = 50  # words that say enough
_MIN_SHARE = 0.15  # of function words; English texts have 0.25 to 0.55, Spanish and German 0.02 to 0.13


def watched_for_foreign(lines: Iterable[str], name: str) -> Iterator[str]:
    """Yield lines; warns if few of the first 200 words are function words of English."""
    words, function_words = 0, 0
    remaining = iter(lines)
    for line in remaining:
        yield line
        found = _WORD.findall(line.lower())
        words += len(found)
        function_words += sum(word in FUNCTION_WORDS for word in found)
        if words >= _SAMPLE:
            break
    if words >= _LEAST and function_words < _MIN_SHARE * words:
        message = (
            "%s: does not look like English, which the model is for: of its first %d words, %d are words like the, of, "
            'he or is (docs/text.md, "Other languages")'
        )
        _log.warning(message, name, words, function_words)
    yield from remaining
