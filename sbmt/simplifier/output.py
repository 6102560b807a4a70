"""Where each output word comes from: read off the derivation, or, without one, off the words that stayed."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from sbmt.decoder.hypothesis import Hypothesis, Step
from sbmt.features.sentence.application import CONSTRAINT_OWNER, PASS_THROUGH_OWNER
from sbmt.lm.symbols import MARKS
from sbmt.ppdb.rule import Rule, is_gap
from sbmt.text.pipeline import Sentence
from sbmt.text.realisation.output_word import OutputWord


def is_change(step: Step) -> bool:
    """Whether a step changes the text: the two sides of its rule differ in more than sentence marks."""
    if step.owner == PASS_THROUGH_OWNER:
        return False
    source, target = step.rule.sides
    if step.owner == CONSTRAINT_OWNER or step.application < 0:  # the sentence's own words, whatever they look like
        return source != target
    return without_marks(source) != without_marks(target)


def without_marks(symbols: Sequence[str]) -> list[str]:
    """What a side of a rule has beside sentence marks, which are no part of a text."""
    return [symbol for symbol in symbols if symbol not in MARKS]


def steps_of(sentence: Sentence, hypothesis: Hypothesis) -> list[Step]:
    """The derivation; for a translator that has none, the stretches that differ, as rules of their own."""
    if hypothesis.derivation:
        return hypothesis.derivation
    words = sentence.words
    matcher = SequenceMatcher(None, words, hypothesis.words, autojunk=False)
    steps = []
    for kind, i, j, a, b in matcher.get_opcodes():
        owner = PASS_THROUGH_OWNER if kind == "equal" else "difference"
        rule = Rule("X", tuple(words[i:j]), tuple(hypothesis.words[a:b]))
        steps.append(Step(rule, owner, (i, j), (a, b), 0.0, ()))
    return steps


def output_words(sentence: Sentence, hypothesis: Hypothesis, steps: Sequence[Step]) -> list[OutputWord]:
    """One entry a target word. Steps come parents first, so the last to cover a word is the one that wrote it."""
    sources, targets = innermost(steps, len(sentence.tokens), len(hypothesis.words))
    made = []
    used: set[int] = set()
    for t, word in enumerate(hypothesis.words):
        number = targets[t]
        step = steps[number]
        i = step.span[0] + t - step.target_span[0]
        if not is_change(step) and not has_gaps(step) and sentence.tokens[i].word == word:
            label = "" if step.owner in (PASS_THROUGH_OWNER, CONSTRAINT_OWNER) else step.rule.lhs
            made.append(OutputWord(word, i, (i,), label, (i, i + 1)))
            continue
        own = [i for i in range(*step.span) if sources[i] == number]
        aligned = [i for i, j in step.alignment if j == t] if step.alignment else own
        same = [i for i in aligned if i not in used and sentence.tokens[i].word == word]
        used.update(same[:1])
        made.append(OutputWord(word, same[0] if same else None, tuple(aligned), span=step.span))
    return made


def has_gaps(step: Step) -> bool:
    """Whether other steps wrote part of its span."""
    return any(map(is_gap, step.rule.source))


def is_glue(step: Step) -> bool:
    """Whether a step has gaps and sentence marks alone, and so writes no word."""
    return all(symbol in MARKS or is_gap(symbol) for symbol in step.rule.target)


def innermost(steps: Sequence[Step], n_source: int, n_target: int) -> tuple[list[int], list[int]]:
    """For each source and each target word the number of the innermost step that covers it."""
    sources, targets = [0] * n_source, [0] * n_target
    for number, step in enumerate(steps):
        if is_glue(step):
            continue  # its spans are long
        (i, j), (a, b) = step.span, step.target_span
        sources[i:j] = [number] * (j - i)
        targets[a:b] = [number] * (b - a)
    return sources, targets
