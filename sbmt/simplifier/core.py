"""The simplifier: splits and protects text, decodes it, and writes the changes back into the text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import NoReturn

from sbmt.arguments import check_kind
from sbmt.decoder.base import ForestDecoder
from sbmt.decoder.decoder import Decoder
from sbmt.decoder.forest import Forest
from sbmt.decoder.hypothesis import Constraint
from sbmt.decoder.penalties import CHANGES
from sbmt.decoder.translator import Translator
from sbmt.errors import ModelError, SbmtError, unknown_name
from sbmt.features.sentence.refused import REFUSED, Refused
from sbmt.model import WITH_CHANGES, Model
from sbmt.ppdb.feature_text import LARGEST
from sbmt.ppdb.packed import blaming_damage
from sbmt.simplifier.constraints import constraints_of
from sbmt.simplifier.explain import Explainer
from sbmt.simplifier.options import AS_TUNED, Options
from sbmt.simplifier.output import is_change
from sbmt.simplifier.result import Alternative, Candidate, Change, Result, joined
from sbmt.simplifier.rewritten import Rewritten
from sbmt.simplifier.strength import OUTWEIGHS, outweighing, strength_bias
from sbmt.text.glossary import NO_GLOSSARY, Glossary, Pair
from sbmt.text.glossary_lines import read_glossary
from sbmt.text.pipeline import Pipeline, Sentence, TextOptions
from sbmt.text.protection.code import marked_lines
from sbmt.text.protection.patterns import Pattern, read_patterns
from sbmt.text.protection.protect import PROTECTED_LABELS, ProtectOptions
from sbmt.translators import copying_decoder

_MAX_NAMED = 8  # words in a warning


class Simplifier:
    """Simplifies text with one translator. Threads may share it; they take turns."""

    def __init__(self, translator: Translator, text: TextOptions, options: Options | None = None) -> None:
        """For a loaded translator, whose weights are not changed; see `load` for bundles.

        Raises SbmtError for an unknown kind in `unprotected`, for a glossary with refusals if the translator does not
        decode with rules, for a strength other than 0.5, and for files that `text` names, which are the bundle's;
        TypeError if `options` are not Options.
        """
        self._options = Options() if options is None else options
        check_kind("options", self._options, Options)
        if text.glossary or text.patterns:
            raise SbmtError("text: its glossary and patterns are files of a bundle: let Simplifier.load load the model")
        self._loaded = _Loaded(translator, text)
        if self._options.strength != AS_TUNED:
            raise SbmtError("strength: a translator that is loaded has its weights: let Simplifier.load load the model")
        text = replace(text, protect=_without_kinds(text.protect, self._options.unprotected))
        self._translator = _refusing(translator, self._options.glossary.refused)
        # Other translators, such as re-rankers of n-best lists, have no forest to explain their outputs.
        self._decoder = self._translator if isinstance(self._translator, ForestDecoder) else None
        self._pipeline = Pipeline(text, self._options.tokenized, self._options.patterns, self._options.glossary)

    @classmethod
    def load(cls, name: str | Path, options: Options | None = None) -> Simplifier:
        """Load the simplifier of a model bundle, by name or folder.

        The glossary of the options takes precedence over the bundle's; the patterns of both are combined. Raises
        ModelError if the bundle cannot be loaded, SbmtError for options that it does not support, TypeError if
        `options` are not Options.
        """
        model = Model.load(name)
        options = Options() if options is None else options
        check_kind("options", options, Options)
        weights, kind = model.config.weights, model.config.decoder.kind
        bias = strength_bias(options.strength, model.config.strength, weights.values())
        if bias and kind not in WITH_CHANGES:
            raise SbmtError(f"strength: models of kind {kind!r} have none (kinds that do: {', '.join(WITH_CHANGES)})")
        if bias and options.strength:
            model = model.replace(weights={**weights, CHANGES: weights.get(CHANGES, 0.0) + bias})
        translator = model.translator() if options.strength else copying_decoder()
        if isinstance(translator, Decoder):
            translator.warn_of_idle_rules(PROTECTED_LABELS)
        text = model.config.text
        return _Loaded(
            translator,
            replace(text, glossary="", patterns=""),
            options.strength,
            read_glossary(model.file(text.glossary)) if text.glossary else NO_GLOSSARY,
            read_patterns(model.file(text.patterns)) if text.patterns else (),
        ).simplifier(options)

    def with_options(self, options: Options) -> Simplifier:
        """Return a simplifier of the same model with other options; it shares everything that is loaded.

        The bundle's glossary and patterns count as in `load`. Raises SbmtError as the constructor does, and for another
        strength than that of this simplifier.
        """
        check_kind("options", options, Options)
        strength = self._loaded.strength
        if options.strength != strength:
            cure = f"give the options strength={strength:g}, or let Simplifier.load load the model"
            raise SbmtError(f"strength: is {options.strength:g}, and this simplifier has {strength:g}: {cure}")
        return self._loaded.simplifier(options)

    def __reduce__(self) -> NoReturn:
        """Raises TypeError: memory-mapped models cannot be passed between processes."""
        raise TypeError("a Simplifier cannot be copied or pickled: load one in each process")

    def simplify(self, text: str) -> Result:
        """Simplify a text line by line. Only a text of a single line has an n-best list.

        Raises TypeError unless `text` is a str.
        """
        _check_text(text)
        lines = marked_lines(text.split("\n"), self._options.tokenized)
        results = [self.simplify_line(line, in_block) for line, in_block in lines]
        return results[0] if len(results) == 1 else joined([("\n" if i else "", r) for i, r in enumerate(results)])

    def simplify_line(self, line: str, in_block: bool = False) -> Result:
        """Simplify one line; its n-best list combines those of its sentences.

        A line in a block of code (`sbmt.text.protection.code.in_code`) is not changed if code is protected. Raises
        TypeError unless `line` is a str.
        """
        _check_text(line)
        if in_block and self._pipeline.options.protect.code:
            return joined([], line, self._options.nbest)
        parts: list[tuple[str, Result]] = []
        end = 0
        for sentence in self._pipeline.sentences(line):
            with blaming_damage(self._decoder.grammars if self._decoder else ()):
                parts.append((line[end : sentence.start], self._sentence(sentence)))
            end = sentence.start + len(sentence.text)
        return joined(parts, line[end:], self._options.nbest)

    def _sentence(self, sentence: Sentence) -> Result:
        constraints = constraints_of(sentence)
        forest: Forest | None = None
        try:
            if self._decoder is not None:
                if reason := self._too_long_reason(sentence):
                    return _unchanged_result(sentence, reason)
                forest = self._decoder.parse(sentence.words, constraints)
            outputs = self._distinct_outputs(sentence, constraints, forest)
        except ModelError:  # a user-defined feature fails, as it would in every sentence
            raise
        except SbmtError as error:
            return _unchanged_result(sentence, str(error))
        if not outputs:
            return _unchanged_result(sentence, self._decoder.failure() if self._decoder else "no derivation covers it")
        best = outputs[0]
        nbest = tuple(Candidate(r.shown, r.hypothesis.score, r.hypothesis.features) for r in outputs)
        changes = self._changes(best, forest)
        return Result(sentence.text, best.realised.text, best.hypothesis.score, changes, nbest)

    def _too_long_reason(self, sentence: Sentence) -> str:
        """Return why a sentence is too long for the decoder; "" if it is not."""
        limit = self._decoder.parse_settings.max_words if self._decoder else None
        if limit is None or len(sentence.words) <= limit:
            return ""
        return f"it has {len(sentence.words)} words, more than the model's max_words, {limit}"

    def _distinct_outputs(
        self, sentence: Sentence, constraints: Sequence[Constraint], forest: Forest | None
    ) -> list[Rewritten]:
        """Return the best outputs that differ as text; some may become equal once "a" and "an" are corrected."""
        n_wanted = n_requested = max(1, self._options.nbest)
        previous_count = 0
        while True:
            if self._decoder is not None and forest is not None:
                search_result = self._decoder.search(forest, nbest=n_requested)
                hypotheses = search_result.nbest(n_requested) if search_result.complete else []
            else:
                hypotheses = self._translator.translate(sentence.words, n_requested, constraints)
            allowed = [h for h in hypotheses if not h.features.get(REFUSED)]  # ranked before all refused ones
            distinct: dict[str, Rewritten] = {}
            for rewritten in (Rewritten(sentence, hypothesis) for hypothesis in allowed or hypotheses[:1]):
                distinct.setdefault(rewritten.shown, rewritten)
            count = len({hypothesis.words for hypothesis in hypotheses})
            if len(distinct) >= n_wanted or len(allowed) < n_requested or count == previous_count:  # no more outputs
                return list(distinct.values())[:n_wanted]
            previous_count, n_requested = count, 2 * n_requested

    def _changes(self, rewritten: Rewritten, forest: Forest | None) -> tuple[Change, ...]:
        numbers = [number for number, step in enumerate(rewritten.steps) if is_change(step)]
        if not numbers:
            return ()
        explainer = None
        if self._decoder is not None and forest is not None and self._options.explain:
            explainer = Explainer(self._decoder, forest, rewritten.hypothesis, rewritten.steps, rewritten.words)
        changes = (self._make_change(rewritten, number, explainer) for number in numbers)
        return tuple(sorted(changes, key=lambda change: (change.source_span[0], -change.source_span[1])))

    def _make_change(self, rewritten: Rewritten, number: int, explainer: Explainer | None) -> Change:
        sentence, realised, step = rewritten.sentence, rewritten.realised, rewritten.steps[number]
        source_span, output_span = rewritten.spans(step)
        features: dict[str, float] = {}
        alternatives: list[Alternative] = []
        if explainer is not None:
            features = explainer.features(number)
            scored_wordings = explainer.alternatives(number, self._options.alternatives)
            alternatives = [Alternative(rewritten.write(step, wording), score) for wording, score in scored_wordings]
        return Change(
            source_span=source_span,
            output_span=output_span,
            source=sentence.text[slice(*source_span)],
            output=realised.text[slice(*output_span)],
            rule=step.rule.text,
            label=step.rule.lhs,
            owner=step.owner,
            score=None if explainer is None else sum(features.values(), 0.0),
            features=features,
            alternatives=tuple(alternatives),
        )


@dataclass(frozen=True, slots=True)
class _Loaded:
    """What simplifiers with other options share; `glossary` and `patterns` are the bundle's own."""

    translator: Translator
    text: TextOptions
    strength: float = AS_TUNED  # which the translator's weights have already
    glossary: Glossary = NO_GLOSSARY
    patterns: tuple[Pattern, ...] = ()

    def simplifier(self, options: Options) -> Simplifier:
        """Return the simplifier with these options; entries of their glossary take precedence."""
        glossary, patterns = self.glossary.updated(options.glossary), self.patterns + tuple(options.patterns)
        merged = replace(options, glossary=glossary, patterns=patterns, strength=AS_TUNED)
        simplifier = Simplifier(self.translator, self.text, merged)
        simplifier._loaded = self
        return simplifier


def _without_kinds(protect: ProtectOptions, unprotected: Sequence[str]) -> ProtectOptions:
    """Return the options without these kinds of text; raises SbmtError for an unknown one."""
    kinds = {field.name for field in fields(protect)}
    if unknown_kinds := [kind for kind in unprotected if kind not in kinds]:
        raise SbmtError(f"unprotected: {unknown_name('kind of text', str(unknown_kinds[0]), sorted(kinds))}")
    return replace(protect, **dict.fromkeys(unprotected, False))


def _refusing(translator: Translator, refused: Sequence[Pair]) -> Translator:
    """Return the translator, which ranks outputs that do what a glossary refuses below all others.

    Raises SbmtError if something is refused and the translator does not decode with rules.
    """
    if not refused:
        return translator
    if not isinstance(translator, ForestDecoder):
        raise SbmtError("glossary: TERM != WORDS needs a model that decodes with rules, which this one does not")
    most = outweighing([OUTWEIGHS, *translator.weights.values()])  # also more than many changes
    return translator.with_feature(Refused(refused), REFUSED, -min(most, LARGEST))


def _check_text(text: object) -> None:
    """Raise TypeError unless `text` is a str."""
    if not isinstance(text, str):
        kind = type(text).__name__
        raise TypeError(f"a text (str) is simplified, not {kind}" + (": decode it" if kind == "bytes" else ""))


def _unchanged_result(sentence: Sentence, reason: str) -> Result:
    """Return the result of a sentence that cannot be decoded: unchanged, with a warning."""
    start = " ".join([*sentence.words[:_MAX_NAMED], *(["..."] if sentence.words[_MAX_NAMED:] else [])])
    return Result(sentence.text, sentence.text, 0.0, warnings=(f"left as it is ({reason}): {start}",))
