"""Writing the decoder's words as text, in which copied stretches are identical to the source.

Copied words whose order did not change are anchors. Two anchors that are neighbours in the output and in the source
keep the white space between them. Everything else is composed from the words: spacing by the Penn conventions, case
from the source words that a target word replaces. Finally the neighbours of new words are adapted: the capitals of
first words (`capitals`) and, in English, "a" or "an" (`agreement`) and possessives (`possessives`).
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
from sbmt.text.words.language import ENGLISH

_SURFACE = {form: mark for mark, form in BRACKETS.items()} | {"``": '"', "''": '"', "`": "'"}
_JOINS_LEFT = re.compile(rf"(?:[.,;:!?%'’”»…]+|[{SUPERSCRIPTS}]+|''|{NOT}|{CLITIC}|-r[rsc]b-|[)\]}}])", re.IGNORECASE)
_JOINS_RIGHT = re.compile(r"(?:``?|[(\[{$£€“‘«¿¡„‚]|-l[rsc]b-)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Realised:
    """The text of a sentence; `spans[t]` are the characters of output word `t`.

    The others are places of copied words that were adapted to new ones: `articles` before them, `clitics` after them,
    and `firsts`, words that gained or lost the capital of a first word.
    """

    text: str
    spans: tuple[tuple[int, int], ...]
    articles: frozenset[int] = frozenset()
    clitics: frozenset[int] = frozenset()
    firsts: frozenset[int] = frozenset()


def realise(sentence: Sentence, output: Sequence[OutputWord]) -> Realised:
    """Write the output of a sentence as text."""
    plain_forms = cased_forms = agreed_forms = final_forms = _forms(sentence, output)
    if sentence.recase:
        places = places_of_starts(sentence, output, plain_forms)
        cased_forms = with_capitals(sentence, output, plain_forms, places)
        agreed_forms = final_forms = cased_forms
    if sentence.recase and sentence.language == ENGLISH:
        agreed_forms = with_articles(sentence, output, cased_forms, places.values())
        final_forms = with_possessives(sentence, output, agreed_forms)
    anchors = _anchors(output)
    anchored = frozenset(anchors)
    text = ""
    spans = []
    for t, form in enumerate(final_forms):
        if t:
            text += _gap(sentence, output, t, anchors, anchored)
        spans.append((len(text), len(text) + len(form)))
        text += form
    return Realised(
        text,
        tuple(spans),
        articles=_changed_places(cased_forms, agreed_forms),
        clitics=_changed_places(agreed_forms, final_forms),
        firsts=_changed_places(plain_forms, cased_forms),
    )


def _changed_places(before: Sequence[str], after: Sequence[str]) -> frozenset[int]:
    """Return the places at which the forms differ."""
    return frozenset(t for t, (old, new) in enumerate(zip(before, after, strict=True)) if old != new)


def _forms(sentence: Sentence, output: Sequence[OutputWord]) -> list[str]:
    """Return the written form of every output word, before capitals of first words move."""
    tokens = sentence.tokens
    is_all_caps, in_title = is_shouted(tokens), is_titled(tokens, sentence.language)
    at_start = set(starts(tokens))
    as_listed = {(span.i, span.j) for span in sentence.protected if span.as_listed}
    forms = []
    for item in output:
        if item.copied is not None or not sentence.recase:
            forms.append(item.word if item.copied is None else tokens[item.copied].text)
            continue
        word = item.word if sentence.tokenized else _without_penn_marks(item.word, sentence.text)
        sources = [tokens[i] for i in item.aligned if i not in at_start or _in_capitals(tokens[i].text)]
        keeps_case = item.span in as_listed or word != word.lower()  # capitals come from a glossary or a cased model
        if is_all_caps:
            word = word.upper()
        elif not keeps_case:
            word = case_like(word, sources, in_title, sentence.language)
        forms.append(word)
    return forms


def _in_capitals(text: str) -> bool:
    """Whether a word is all in capitals, which the start of a sentence does not explain."""
    return len(text) > 1 and text.isupper()


def _without_penn_marks(word: str, text: str) -> str:
    """Return a Penn token as ordinary text, with the style of quotation marks of the sentence."""
    if word in ("``", "''") and "“" in text:
        return "“" if word == "``" else "”"
    word = _SURFACE.get(word, word)
    return word.replace("'", "’") if "’" in text and "'" not in text else word


def _anchors(output: Sequence[OutputWord]) -> list[int]:
    """Return for each output word the source token if it is a copy that kept its order, else -1."""
    copied = [(t, item.copied) for t, item in enumerate(output) if item.copied is not None]
    anchors = [-1] * len(output)
    for place in longest_increasing([source for _, source in copied]):
        t, source = copied[place]
        anchors[t] = source
    return anchors


def _gap(sentence: Sentence, output: Sequence[OutputWord], t: int, anchors: Sequence[int], anchored: Set[int]) -> str:
    """Return the text between output words t - 1 and t; `anchored` is the set of source tokens in `anchors`.

    At the border of a changed stretch the white space of the source is kept if the new word joins its neighbour as the
    old one did.
    """
    tokens = sentence.tokens
    before, after = output[t - 1].word, output[t].word
    left, right = anchors[t - 1], anchors[t]
    if 0 <= left == right - 1:
        return _raw_gap(sentence, left)
    i = output[t].span[0]
    kept_gap: int | None = None  # the source token after which white space is kept
    if 0 < i == output[t - 1].span[1] < len(tokens) and _same_join(_JOINS_LEFT, after, tokens[i].word):
        kept_gap = i - 1  # between two rules
    elif 0 <= left < len(tokens) - 1 and left + 1 not in anchored:
        kept_gap = left if _same_join(_JOINS_LEFT, after, tokens[left + 1].word) else None
    if kept_gap is None and right > 0 and right - 1 not in anchored:
        kept_gap = right - 1 if _same_join(_JOINS_RIGHT, before, tokens[right - 1].word) else None
    joins_left = _JOINS_LEFT.fullmatch(after)
    if kept_gap is not None:
        gap = _raw_gap(sentence, kept_gap)
    else:
        gap = "" if not sentence.tokenized and (_JOINS_RIGHT.fullmatch(before) or joins_left) else " "
    if not gap and before[-1:].isalnum() and after[:1].isalnum() and not joins_left:
        return " "  # "&c" does not become "andc"
    return gap


def _same_join(pattern: re.Pattern[str], new: str, old: str) -> bool:
    return bool(pattern.fullmatch(new)) == bool(pattern.fullmatch(old))


def _raw_gap(sentence: Sentence, i: int) -> str:
    """Return the white space between source tokens i and i + 1."""
    return sentence.text[sentence.tokens[i].end : sentence.tokens[i + 1].start]
