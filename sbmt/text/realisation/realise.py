"""From the decoder's words back to text: what was copied stays as it stood, only what changed is written again.

Copied words whose order did not change are anchors. Between two neighbouring anchors that were neighbours in the source
lies the source's own white space; everything else (the changed stretches) is put together from the words: spacing by
the Penn conventions, case from the source words a target word stands for. Last, what a new word asks of its neighbours:
the capitals of first words (`capitals`), "a" or "an" (`agreement`) and possessives (`possessives`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass

from sbmt.text.casing import case_like, is_shouted, is_titled
from sbmt.text.order import longest_increasing
from sbmt.text.penn import BRACKETS, CLITIC, NOT
from sbmt.text.pipeline import Sentence
from sbmt.text.protection.starts import starts
from sbmt.text.realisation.agreement import with_articles
from sbmt.text.realisation.capitals import places_of_starts, with_capitals
from sbmt.text.realisation.output_word import OutputWord
from sbmt.text.realisation.possessives import with_possessives
from sbmt.text.tokens import SUPERSCRIPTS

_SURFACE = {form: mark for mark, form in BRACKETS.items()} | {"``": '"', "''": '"', "`": "'"}
_JOINS_LEFT = re.compile(rf"(?:[.,;:!?%'’”»…]+|[{SUPERSCRIPTS}]+|''|{NOT}|{CLITIC}|-r[rsc]b-|[)\]}}])", re.IGNORECASE)
_JOINS_RIGHT = re.compile(r"(?:``?|[(\[{$£€“‘«]|-l[rsc]b-)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Realised:
    """The text of a sentence; `spans[t]` are the characters of output word `t`.

    Copied words that are altered for the sake of a new one: `articles` before it, by sound, `clitics` right after it.
    `firsts` got the capital of a first word, or lost it.
    """

    text: str
    spans: tuple[tuple[int, int], ...]
    articles: frozenset[int] = frozenset()
    clitics: frozenset[int] = frozenset()
    firsts: frozenset[int] = frozenset()


def realise(sentence: Sentence, output: Sequence[OutputWord]) -> Realised:
    """Write the output of a sentence as text."""
    plain = cased = agreed = forms = _forms(sentence, output)
    if sentence.recase:
        places = places_of_starts(sentence, output, plain)
        cased = with_capitals(sentence, output, plain, places)
        agreed = with_articles(sentence, output, cased, places.values())
        forms = with_possessives(sentence, output, agreed)
    anchors = _anchors(output)
    anchored = frozenset(anchors)
    text = ""
    spans = []
    for t, form in enumerate(forms):
        if t:
            text += _gap(sentence, output, t, anchors, anchored)
        spans.append((len(text), len(text) + len(form)))
        text += form
    return Realised(
        text,
        tuple(spans),
        articles=_altered(cased, agreed),
        clitics=_altered(agreed, forms),
        firsts=_altered(plain, cased),
    )


def _altered(before: Sequence[str], after: Sequence[str]) -> frozenset[int]:
    """The places of the forms that differ."""
    return frozenset(t for t, (old, new) in enumerate(zip(before, after, strict=True)) if old != new)


def _forms(sentence: Sentence, output: Sequence[OutputWord]) -> list[str]:
    """Every output word as it is written, before the starts are looked at."""
    tokens = sentence.tokens
    shouted, titled = is_shouted(tokens), is_titled(tokens)
    at_start = set(starts(tokens))
    as_listed = {(span.i, span.j) for span in sentence.protected if span.as_listed}
    forms = []
    for item in output:
        if item.copied is not None or not sentence.recase:
            forms.append(item.word if item.copied is None else tokens[item.copied].text)
            continue
        word = item.word if sentence.tokenized else _surface(item.word, sentence.text)
        sources = [tokens[i] for i in item.aligned if i not in at_start or _in_capitals(tokens[i].text)]
        own = item.span in as_listed or word != word.lower()  # only a glossary and cased models write capitals
        forms.append(word.upper() if shouted else word if own else case_like(word, sources, titled))
    return forms


def _in_capitals(text: str) -> bool:
    """What even of a first word says something; its one capital is the sentence's."""
    return len(text) > 1 and text.isupper()


def _surface(word: str, text: str) -> str:
    """A Penn word as people write it, with the kind of quotes that the sentence has."""
    if word in ("``", "''") and "“" in text:
        return "“" if word == "``" else "”"
    word = _SURFACE.get(word, word)
    return word.replace("'", "’") if "’" in text and "'" not in text else word


def _anchors(output: Sequence[OutputWord]) -> list[int]:
    """The source position of each copied word that kept its order, else -1."""
    copied = [(t, item.copied) for t, item in enumerate(output) if item.copied is not None]
    anchors = [-1] * len(output)
    for place in longest_increasing([source for _, source in copied]):
        t, source = copied[place]
        anchors[t] = source
    return anchors


def _gap(sentence: Sentence, output: Sequence[OutputWord], t: int, anchors: Sequence[int], anchored: Set[int]) -> str:
    """What is written between output words t - 1 and t; `anchored`: the source tokens in `anchors`.

    At the border of a changed stretch the source's own white space is kept where the new word joins its neighbour as
    the old one did.
    """
    tokens = sentence.tokens
    before, after = output[t - 1].word, output[t].word
    left, right = anchors[t - 1], anchors[t]
    if 0 <= left == right - 1:
        return _raw_gap(sentence, left)
    place = output[t].span[0]
    kept: int | None = None  # the source token whose white space stays
    if 0 < place == output[t - 1].span[1] < len(tokens) and _same_join(_JOINS_LEFT, after, tokens[place].word):
        kept = place - 1  # between two rules
    elif 0 <= left < len(tokens) - 1 and left + 1 not in anchored:
        kept = left if _same_join(_JOINS_LEFT, after, tokens[left + 1].word) else None
    if kept is None and right > 0 and right - 1 not in anchored:
        kept = right - 1 if _same_join(_JOINS_RIGHT, before, tokens[right - 1].word) else None
    joins_left = _JOINS_LEFT.fullmatch(after)
    if kept is not None:
        gap = _raw_gap(sentence, kept)
    else:
        gap = "" if not sentence.tokenized and (_JOINS_RIGHT.fullmatch(before) or joins_left) else " "
    if not gap and before[-1:].isalnum() and after[:1].isalnum() and not joins_left:
        return " "  # "&c" does not become "andc"
    return gap


def _same_join(pattern: re.Pattern[str], new: str, old: str) -> bool:
    return bool(pattern.fullmatch(new)) == bool(pattern.fullmatch(old))


def _raw_gap(sentence: Sentence, i: int) -> str:
    """The white space between source tokens i and i + 1."""
    return sentence.text[sentence.tokens[i].end : sentence.tokens[i + 1].start]
