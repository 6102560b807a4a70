"""Detection and transfer of case: rules are in lower case, texts are not."""

from __future__ import annotations

from collections.abc import Sequence

from sbmt.text.tokens import Token
from sbmt.text.words.language import ENGLISH, Language

_MAX_SHORT = 3  # characters of words that may be in lower case in a title


def has_capital(text: str) -> bool:
    """Whether a text contains a capital letter (iPhone, NATO, Ulm)."""
    return any(character.isupper() for character in text)


def is_shouted(tokens: Sequence[Token]) -> bool:
    """Whether a sentence is all in capitals, which are then no evidence of names."""
    letters = [character for token in tokens for character in token.text if character.isalpha()]
    return len(letters) > 3 and all(not letter.islower() for letter in letters) and any(map(str.isupper, letters))


def is_titled(tokens: Sequence[Token], language: Language = ENGLISH) -> bool:
    """Whether a sentence has several long content words and all of them are capitalised."""
    long_words = [token.text for token in tokens if len(token.text) > _MAX_SHORT and token.text[0].isalpha()]
    long_words = [text for text in long_words if text.lower() not in language.function_words]
    return len(long_words) > 1 and all(text[0].isupper() for text in long_words)


def capitalise(word: str) -> str:
    """Return a word with its first letter in upper case and the rest unchanged; unchanged after a digit."""
    for i, character in enumerate(word):
        if character.isalpha():
            return word[:i] + character.upper() + word[i + 1 :]
        if character.isdigit():
            return word
    return word


def case_like(word: str, sources: Sequence[Token], titled: bool, language: Language = ENGLISH) -> str:
    """Return a new lower-case word with the case of the source words it replaces: CAPITALS, Title, or lower.

    A word that is among the source words is written as there. Function words are capitalised only if they are long and
    in a title.
    """
    for token in sources:
        if token.word == word:
            return token.text
    source_texts = [token.text for token in sources if any(map(str.isalpha, token.text))]
    if word in language.always_capital:
        return capitalise(word)
    if source_texts and all(text.isupper() and len(text) > 1 for text in source_texts):
        return word.upper()
    allows_capital = (titled and len(word) > _MAX_SHORT) or word not in language.function_words
    if source_texts and all(text[:1].isupper() for text in source_texts) and allows_capital:
        return capitalise(word)
    return word
