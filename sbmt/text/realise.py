"""From the decoder's words back to text: what was copied stays as it stood, only what changed is written again.

Copied words whose order did not change are anchors. Between two neighbouring anchors that were neighbours in the source
lies the source's own white space; everything else (the changed stretches) is put together from the words: spacing by
the Penn conventions, case from the source words a target word stands for, "a" or "an" by the word that follows.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass

from sbmt.text.articles import article_for
from sbmt.text.casing import ALWAYS_CAPITAL, capitalise, case_like, has_capital, is_shouted, is_titled
from sbmt.text.elements import is_tag
from sbmt.text.english import CLOSING_MARKS, FUNCTION_WORDS, is_plural_form
from sbmt.text.entities import mark_of
from sbmt.text.order import longest_increasing
from sbmt.text.pipeline import Sentence
from sbmt.text.quotations import closing_marks
from sbmt.text.starts import starts
from sbmt.text.tokens import SUPERSCRIPTS

_SURFACE = {"-lrb-": "(", "-rrb-": ")", "-lsb-": "[", "-rsb-": "]", "-lcb-": "{", "-rcb-": "}", "``": '"', "''": '"'}
_SURFACE["`"] = "'"
_OPENING_MARKS = frozenset(CLOSING_MARKS) | frozenset("*_~=") | {"-lrb-", "-lsb-"}
_OPENING_ENTITIES = frozenset(CLOSING_MARKS) | {"", '"'}
_JOINS_LEFT = re.compile(
    rf"(?:[.,;:!?%'’”»…]+|[{SUPERSCRIPTS}]+|''|n['’]t|['’](?:s|m|d|ll|re|ve)|-r[rsc]b-|[)\]}}])", re.IGNORECASE
)
_JOINS_RIGHT = re.compile(r"(?:``?|[(\[{$£€“‘«]|-l[rsc]b-)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class OutputWord:
    """One word of the output. `copied`: the source token it is; `aligned`: the source tokens it stands for.

    `label` is the Penn tag the grammar gave a copied word, if known: a proper noun keeps its capital when it moves.
    `span`: the source tokens of the rule that wrote it.
    """

    word: str
    copied: int | None = None
    aligned: tuple[int, ...] = ()
    label: str = ""
    span: tuple[int, int] = (-1, -1)


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
    forms = _forms(sentence, output)
    articles, clitics, firsts = set[int](), set[int](), set[int]()
    if sentence.recase:
        places = _places_of_starts(sentence, output, forms)
        firsts = _restore_starts(sentence, output, forms, places)
        articles = _agree(sentence, output, forms, places.values())
        clitics = _possess(sentence, output, forms)
    anchors = _anchors(output)
    anchored = frozenset(anchors)
    text = ""
    spans = []
    for t, form in enumerate(forms):
        if t:
            text += _gap(sentence, output, t, anchors, anchored)
        spans.append((len(text), len(text) + len(form)))
        text += form
    return Realised(text, tuple(spans), frozenset(articles), frozenset(clitics), frozenset(firsts))


def opening(sentence: Sentence, output: Sequence[OutputWord]) -> set[int]:
    """The places of what may stand between an article and its word: opening marks, tags, white space."""
    tags = set[int]()
    for span in sentence.protected:
        if is_tag([token.text for token in sentence.tokens[span.i : span.j]]):
            tags.update(range(span.i, span.j))
    return {t for t, item in enumerate(output) if _opens(item.word) or item.copied in tags}


def _opens(word: str) -> bool:
    return word in _OPENING_MARKS or mark_of(word) in _OPENING_ENTITIES


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


def _first_word(forms: Sequence[str]) -> int:
    return next((i for i, form in enumerate(forms) if form[:1].isalnum()), -1)


def _places_of_starts(sentence: Sentence, output: Sequence[OutputWord], forms: Sequence[str]) -> dict[int, int]:
    """The output word that begins what a first word of the source begins: the sentence, or what follows that mark."""
    places: dict[int, int] = {}
    at = {item.copied: t for t, item in enumerate(output)}
    first = _first_word([token.text for token in sentence.tokens])
    for source in starts(sentence.tokens):
        target = _first_word(forms) if source == first else at.get(source - 1, len(forms)) + 1
        if 0 <= target < len(forms) and forms[target][:1].isalnum():
            places[source] = target
    return places


def _restore_starts(
    sentence: Sentence, output: Sequence[OutputWord], forms: list[str], places: Mapping[int, int]
) -> set[int]:
    """Move the capital of the first word of a sentence, list item or quotation to the new one; returns the altered."""
    before = list(forms)
    for source, target in places.items():
        if not sentence.tokens[source].text[0].isupper() or output[target].copied == source:
            continue
        for t, item in enumerate(output):
            if item.copied == source and not _keeps_capital(sentence, source, item.label):
                forms[t] = forms[t].lower()
        if not has_capital(forms[target]):
            forms[target] = capitalise(forms[target])
    return {t for t, (old, new) in enumerate(zip(before, forms, strict=True)) if old != new}


def _keeps_capital(sentence: Sentence, i: int, label: str) -> bool:
    """Whether a first word has a capital of its own."""
    token = sentence.tokens[i]
    if (
        token.word in ALWAYS_CAPITAL
        or has_capital(token.text[1:])
        or any(span.i <= i < span.j for span in sentence.protected)
    ):
        return True
    if token.word in FUNCTION_WORDS:
        return False
    return not label or label.startswith("NNP")


def _agree(sentence: Sentence, output: Sequence[OutputWord], forms: list[str], places: Collection[int]) -> set[int]:
    """Put "a" and "an" right before a word that did not follow it in the source; returns which were altered.

    Protected ones stay, and so do those before a code span. `places` are those of first words, where "A" is no letter's
    name; where all is in capitals, they tell nothing of abbreviations.
    """
    shouted = is_shouted(sentence.tokens)
    protected = {i for span in sentence.protected for i in range(span.i, span.j)}
    passed_over = opening(sentence, output)
    altered = set()
    for t, article in enumerate(output):
        if article.word not in ("a", "an") or article.copied in protected:
            continue
        after = next((k for k in range(t + 1, len(output)) if k not in passed_over), len(output))
        if after == len(output) or not forms[after][:1].isalnum():
            continue
        if forms[after - 1].startswith("`") and output[after - 1].copied in protected:
            continue
        if article.copied is not None and output[after].copied == article.copied + after - t:
            continue
        if forms[t] == "A" and t not in places and not forms[after].isupper():
            continue  # the letter, as in "vitamin A"
        wanted = article_for(forms[after].lower() if shouted else forms[after])
        if wanted != forms[t].lower():
            in_capitals = shouted or (forms[t].isupper() and forms[after].isupper())
            forms[t] = wanted.upper() if in_capitals else capitalise(wanted) if has_capital(forms[t]) else wanted
            altered.add(t)
    return altered


def _possess(sentence: Sentence, output: Sequence[OutputWord], forms: list[str]) -> set[int]:
    """Give new words the possessive of their number ("individuals'" is "people's"); returns the clitics altered."""
    tokens, altered, closing = sentence.tokens, set[int](), closing_marks(sentence.tokens)
    for t, clitic in enumerate(output):
        i = clitic.copied
        if i in closing or not t or not i or output[t - 1].copied is not None or output[t - 1].span[1] != i:
            continue
        owner, mark = tokens[i - 1], forms[t][:1]
        if owner.end != tokens[i].start or not forms[t - 1][-1:].isalpha():
            continue
        ends_in_s = forms[t - 1].lower().endswith("s")
        if clitic.word == "'" and owner.text.lower().endswith("s") and not ends_in_s:
            forms[t] = mark + ("S" if forms[t - 1].isupper() else "s")
            altered.add(t)
        elif clitic.word == "'s" and not owner.text.lower().endswith("s") and is_plural_form(forms[t - 1].lower()):
            forms[t] = mark
            altered.add(t)
    return altered


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
