"""Upper and lower case: rules are lower-case, the text is not."""

from __future__ import annotations

from collections.abc import Sequence

from sbmt.text.tokens import Token
from sbmt.text.words.english import FUNCTION_WORDS

ALWAYS_CAPITAL = frozenset(("i", "i'm"))  # words whose capital says nothing
_SHORT = 3  # characters of words that have no capital in a title


def has_capital(text: str) -> bool:
    """Whether there is a capital letter in it (iPhone, NATO and Ulm alike)."""
    return any(character.isupper() for character in text)


def is_shouted(tokens: Sequence[Token]) -> bool:
    """Whether a sentence is all in capitals, so that capitals mean nothing in it."""
    letters = [character for token in tokens for character in token.text if character.isalpha()]
    return len(letters) > 3 and all(not letter.islower() for letter in letters) and any(map(str.isupper, letters))


def is_titled(tokens: Sequence[Token]) -> bool:
    """Whether all long words of a sentence have capitals, and there are several; function words may have none."""
    long = [token.text for token in tokens if len(token.text) > _SHORT and token.text[0].isalpha()]
    long = [text for text in long if text.lower() not in FUNCTION_WORDS]
    return len(long) > 1 and all(text[0].isupper() for text in long)


def capitalise(word: str) -> str:
    """The word with its first letter in upper case, the rest as it is."""
    for i, character in enumerate(word):
        if character.isalpha():
            return word[:i] + character.upper() + word[i + 1 :]
        if character.isdigit():
            return word
    return word


def case_like(word: str, sources: Sequence[Token], titled: bool) -> str:
    """Give a new lower-case word the case of the words it stands for: as one of them, CAPITALS, Title, or lower.

    Of function words only the longer ones of a title may have a capital.
    """
    for token in sources:
        if token.word == word:
            return token.text
    texts = [token.text for token in sources if any(map(str.isalpha, token.text))]
    if word in ALWAYS_CAPITAL:
        return capitalise(word)
    if texts and all(text.isupper() and len(text) > 1 for text in texts):
        return word.upper()
    may_have = (titled and len(word) > _SHORT) or word not in FUNCTION_WORDS
    if texts and all(text[:1].isupper() for text in texts) and may_have:
        return capitalise(word)
    return word
