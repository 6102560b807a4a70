"""Content words of English, for analyses and quality features."""

from __future__ import annotations

from sbmt.text.words import english

# Function words that replace others in simplifications ("numerous" -> "many"), and so count as content here.
_REPLACING = frozenset("few however many much never now once several still thus".split())
_FURTHER = frozenset("'d 'll 'm 're 's 've n't also another doing except having just ought same unless whereas".split())
# Words that carry structure.
NOT_CONTENT = (english.FUNCTION_WORDS - _REPLACING) | english.PRONOUNS | _FURTHER


def is_content(word: str) -> bool:
    """Whether a lower-cased word carries content: no function word, no punctuation."""
    return word[0].isalnum() and word not in NOT_CONTENT
