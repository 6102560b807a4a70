"""Upper and lower case: rules are lower-case, the text is not."""

from __future__ import annotations

from collections.abc import Sequence

from sbmt.text.english import FUNCTION_WORDS
from sbmt.text.tokens import Token

CLOSING_MARKS = {"``": "''", "`": "'"}  # of each opening one
ALWAYS_CAPITAL = frozenset(("i", "i'm"))  # words whose capital says nothing
_LONGEST_MARKER = 4  # characters: "viii)"


def is_capitalised(text: str) -> bool:
    """Whether there is a capital letter in it (iPhone, NATO and Ulm alike)."""
    return any(character.isupper() for character in text)


def is_shouted(tokens: Sequence[Token]) -> bool:
    """Whether a sentence is all in capitals, so that capitals mean nothing in it."""
    letters = [character for token in tokens for character in token.text if character.isalpha()]
    return len(letters) > 3 and all(not letter.islower() for letter in letters) and any(map(str.isupper, letters))


def starts(tokens: Sequence[Token]) -> list[int]:
    """The words whose capital may be due to their place, in order.

    The first of the sentence, the one after a list's "a)", and the first of each quotation.
    """
    first = next((i for i, token in enumerate(tokens) if token.text[0].isalnum()), len(tokens))
    places = {first, *(i for i in range(1, len(tokens)) if tokens[i - 1].word in CLOSING_MARKS)}
    if first + 1 < len(tokens) and tokens[first + 1].text == ")" and len(tokens[first].text) <= _LONGEST_MARKER:
        places.add(first + 2)
    return sorted(place for place in places if place < len(tokens))


def capitalise(word: str) -> str:
    """The word with its first letter in upper case, the rest as it is."""
    for i, character in enumerate(word):
        if character.isalpha():
            return word[:i] + character.upper() + word[i + 1 :]
        if character.isdigit():
            return word
    return word


def case_like(word: str, sources: Sequence[Token]) -> str:
    """Give a new lower-case word the case of the words it stands for: as one of them, CAPITALS, Title, or lower."""
    for token in sources:
        if token.word == word:
            return token.text
    texts = [token.text for token in sources if any(map(str.isalpha, token.text))]
    if word in ALWAYS_CAPITAL:
        return capitalise(word)
    if texts and all(text.isupper() and len(text) > 1 for text in texts):
        return word.upper()
    if texts and all(text[:1].isupper() for text in texts) and word not in FUNCTION_WORDS:
        return capitalise(word)
    return word
