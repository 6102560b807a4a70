"""Does a rule say again what already stands beside it ("health and wellbeing" as "health and health")?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from sbmt.features.sentence.application import Application, Value

REPEATS = "Repeats"
_WINDOW = 4  # words on either side
_MIN_LENGTH = 4  # letters; shorter words are hardly ever heard twice
_MIN_STEM = 3
_FUNCTION_WORDS = frozenset(
    "about after again against also another around because been before being between both could does doing done "
    "down during each even every from have having here into just less like made make makes making many more most "
    "much must never none once only other over same should since some such than that their them then there these "
    "they this those through under until used using very well were what when where which while whose will with "
    "within without would your".split()
)
_SAID_TWICE = frozenset(("had", "that"))  # "had had", "that that"


class Repeats:
    """Repeats: 1 for a rule that adds a word near a form of it (within four words), or any word right beside itself."""

    names = (REPEATS,)

    def values(self, sentence: Sequence[str], applications: Sequence[Application]) -> Iterable[Value]:
        """One per application that repeats something."""
        stems = [_stem(word) for word in sentence]
        for number, application in enumerate(applications):
            if application.grammar < 0:
                continue
            start, end = application.span
            added = set(_content(application.target)).difference(stems[start:end])
            near = stems[max(start - _WINDOW, 0) : start] + stems[end : end + _WINDOW] if added else []
            if not added.isdisjoint(near) or _doubles(application.target, sentence, start, end):
                yield number, REPEATS, 1.0


def _doubles(target: Sequence[str | int], sentence: Sequence[str], start: int, end: int) -> bool:
    """Whether a target begins with the word before it or ends with the one after it, as its source does not."""
    if not target:
        return False
    before = sentence[start - 1] if start else ""
    after = sentence[end] if end < len(sentence) else ""
    return (target[0] == before != sentence[start] and _is_said_once(before)) or (
        target[-1] == after != sentence[end - 1] and _is_said_once(after)
    )


def _is_said_once(word: str) -> bool:
    return word.isalpha() and word not in _SAID_TWICE


def _content(target: Sequence[str | int]) -> Iterator[str]:
    for symbol in target:
        if (
            isinstance(symbol, str)
            and len(symbol) >= _MIN_LENGTH
            and symbol.isalpha()
            and symbol not in _FUNCTION_WORDS
        ):
            yield _stem(symbol)


@lru_cache(maxsize=10_000)
def _stem(word: str) -> str:
    """What the regular forms of a word have in common: "building" and "buildings" are "build", "charged" is "charg"."""
    for ending in ("s", "ing", "ed"):
        if word.endswith(ending) and not word.endswith(("us", "eed")) and len(word) - len(ending) >= _MIN_STEM:
            word = word[: -len(ending)]
    word = word.removesuffix("e")
    if word.endswith("y"):
        word = f"{word[:-1]}i"
    return word[:-1] if len(word) > _MIN_STEM and word[-1:] == word[-2:-1] else word
