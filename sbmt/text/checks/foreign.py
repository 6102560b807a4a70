"""Warning of a text in another language than English."""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from sbmt.text.words.english import FUNCTION_WORDS

_log = logging.getLogger(__name__)

_WORD = re.compile(r"[^\W\d_]+")
_LATIN = re.compile(r"[a-zà-öø-ɏ]")
_SAMPLE = 200  # words
_LEAST = 50  # words that say enough
_MIN_SHARE = 0.1  # of another language's words: lists and tables have few function words of any language
# Words that are frequent in any text of a language; some are English words, too, but then less frequent.
_FREQUENT: Mapping[str, frozenset[str]] = {
    language: frozenset(words.split())
    for language, words in {
        "Czech": "a se na v že je o s z do i to po za pro byl",
        "Danish or Norwegian": "og i er det at en den til på som af av de med for ikke",
        "Dutch": "de het een van en in is dat op te zijn met niet voor er",
        "Finnish": "ja on ei että se oli hän mutta kun myös ovat joka",
        "French": "de la le les et des un une du est en que qui dans pour pas au",
        "German": "der die das und in den von zu mit ist nicht ein eine im auf dem des",
        "Hungarian": "a az és hogy nem egy is meg volt ez de",
        "Italian": "di il la che e è un una per non del in i le della con si",
        "Polish": "w i na się z nie do to że jest o a po od",
        "Portuguese": "de a o que e do da em um uma para com não os as no na",
        "Romanian": "de și în la a cu pe din că nu o un mai este",
        "Spanish": "de la que el en y los las del se un una por con no para su al",
        "Swedish": "och i att det som en på är av för med den till inte ett",
        "Turkish": "ve bir bu da de için ile çok gibi daha ne",
    }.items()
}


def watched_for_foreign(lines: Iterable[str], name: str) -> Iterator[str]:
    """Yield lines; warns if the first 200 words seem to be of another language than English."""
    words: list[str] = []
    remaining = iter(lines)
    for line in remaining:
        yield line
        words += _WORD.findall(line.lower())
        if len(words) >= _SAMPLE:
            break
    if language := _foreign_language(words):
        _log.warning('%s: looks like %s; the model is for English (docs/text.md, "Other languages")', name, language)
    yield from remaining


def _foreign_language(words: list[str]) -> str:
    """Return the language, other than English, that a text seems to be in; empty if it is English or too short."""
    if len(words) < _LEAST:
        return ""
    if 2 * sum(_LATIN.match(word) is None for word in words) > len(words):
        return "text in another script than English"
    counts = Counter(words)
    share = {language: sum(counts[word] for word in known) for language, known in _FREQUENT.items()}
    language = max(share, key=share.__getitem__)
    is_foreign = share[language] > max(_MIN_SHARE * len(words), sum(counts[word] for word in FUNCTION_WORDS))
    return language if is_foreign else ""
