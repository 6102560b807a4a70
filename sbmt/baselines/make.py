"""Making baselines: each function writes a bundle into a folder, which every command accepts as a model.

A function that fails leaves no new folder behind.
"""

from __future__ import annotations

import logging
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any

from sbmt.baselines.settings import FrequencySettings, PbmtSettings, TruncateSettings
from sbmt.baselines.words import most_frequent_synonyms
from sbmt.config import plain
from sbmt.decoder.penalties import WORD_PENALTY
from sbmt.decoder.stacks import DISTORTION
from sbmt.errors import FormatError
from sbmt.io import read_lines, write_lines
from sbmt.lm.counts import count_text
from sbmt.lm.kenlm_binary import write_kenlm_binary
from sbmt.lm.kneser_ney import estimate
from sbmt.lm.load import load_kenlm
from sbmt.model import FILE_NAME, FORMAT, DecoderConfig, GrammarConfig, LanguageModelConfig, Model, ModelConfig
from sbmt.paths import check_outputs
from sbmt.ppdb.formats import has_rule
from sbmt.ppdb.learn.corpus import read_corpus
from sbmt.ppdb.learn.learner import Learner
from sbmt.ppdb.learn.pair_lists import read_pair_list
from sbmt.ppdb.learn.settings import LearnSettings, Limits, Pruning
from sbmt.ppdb.load import read_any
from sbmt.ppdb.packed_header import is_packed
from sbmt.ppdb.rule import DEFAULT_LABEL, SEPARATOR, Rule, is_gap
from sbmt.text.pipeline import TextOptions
from sbmt.text.protection.protect import ProtectOptions

# Weights before tuning. Translation scores (costs here), language model and distortion have the sizes of the
# moses.ini that Moses' training writes; its word penalty (-1) and phrase penalty (0.2) are left out.
PBMT_WEIGHTS = {
    **dict.fromkeys(("p(e|f)", "p(f|e)", "Lex(e|f)", "Lex(f|e)"), -0.2),
    "lm_0": 0.5,
    WORD_PENALTY: 0.0,
    DISTORTION: 0.3,
}
# For baselines that must not treat names and numbers specially.
_UNPROTECTED = TextOptions(protect=ProtectOptions.none())
_SYNONYMS, _PHRASES, _LM = "synonyms.tsv", "phrases.gz", "lm.binary"  # files of a bundle
_log = logging.getLogger(__name__)


def make_identity(folder: Path) -> Model:
    """Make the baseline that returns the text."""
    with _removed_on_failure(folder):
        return _save(folder, DecoderConfig("identity"), text=_UNPROTECTED)


def make_truncate(folder: Path, share: float) -> Model:
    """Make the baseline that keeps that share of the words; raises ConfigError unless it is above 0 and at most 1."""
    settings = plain(TruncateSettings(share))
    with _removed_on_failure(folder):
        return _save(folder, DecoderConfig("truncate", settings), text=_UNPROTECTED)


def make_frequency(folder: Path, synonyms: Sequence[str], rare: float = FrequencySettings().rare) -> Model:
    """Make the baseline that replaces words below a Zipf frequency by their most frequent synonym.

    `synonyms` are files, each read twice: grammars, or lists in any of the forms of `sbmt.ppdb.learn.pair_lists`.
    Raises SbmtError for one that cannot be read or would be overwritten, and for a frequency that is no number.
    """
    settings = plain(FrequencySettings(rare))
    check_outputs([folder / FILE_NAME, folder / _SYNONYMS], synonyms)
    with _removed_on_failure(folder):
        best = most_frequent_synonyms(rule for path in synonyms for rule in _synonyms(path))
        write_lines(folder / _SYNONYMS, (f"{word}\t{synonym}" for word, synonym in sorted(best.items())))
        _log.info("words with a more frequent synonym: %d", len(best))
        return _save(folder, DecoderConfig("frequency", settings), grammars=(GrammarConfig(_SYNONYMS),))


def make_pbmt_r(
    folder: Path,
    texts: Sequence[tuple[str, str]] = (),
    *,
    grammar: str | None = None,
    language_model: str | None = None,
    candidates: int = PbmtSettings().candidates,
    jobs: int = 1,
) -> Model:
    """Make phrase-based translation that takes the most dissimilar of its `candidates` best outputs.

    Without a grammar or language model, it is learnt from `texts`, pairs of tokenised files: complex and simple side.
    Raises SbmtError for a file that cannot be read or would be overwritten, for a grammar with gaps, for a file that is
    no language model, and for less than one candidate.
    """
    settings = {"candidates": PbmtSettings(candidates).candidates}
    learnt_files = [*([] if grammar else [_PHRASES]), *([] if language_model else [_LM])]
    input_files = [*chain.from_iterable(texts), *filter(None, (grammar, language_model))]
    check_outputs([folder / name for name in (FILE_NAME, *learnt_files)], input_files)
    if grammar is not None:
        _check_phrases(grammar)
    if language_model is not None:
        load_kenlm(language_model)
    with _removed_on_failure(folder):
        if grammar is None:
            _learn_phrases(texts, folder / _PHRASES, jobs)
        if language_model is None:
            _estimate([simple for _, simple in texts], folder / _LM)
        return _save(
            folder,
            DecoderConfig("pbmt-r", settings),
            grammars=(GrammarConfig(str(Path(grammar).absolute()) if grammar else _PHRASES),),
            language_models=(LanguageModelConfig(str(Path(language_model).absolute()) if language_model else _LM),),
            weights=PBMT_WEIGHTS,
        )


@contextmanager
def _removed_on_failure(folder: Path) -> Iterator[None]:
    """Remove the folder on failure, if it is new."""
    is_new = not folder.exists()
    try:
        yield
    except BaseException:
        if is_new:
            shutil.rmtree(folder, ignore_errors=True)
        raise


def _save(folder: Path, decoder: DecoderConfig, **parts: Any) -> Model:
    config = ModelConfig(format=FORMAT, description=f"baseline: {decoder.kind}", decoder=decoder, **parts)
    return Model(config, folder).save(folder)


def _synonyms(path: str) -> Iterator[Rule]:
    """Yield the rules or pairs of a file in lower case, as texts are matched in lower case."""
    is_grammar = is_packed(path) or SEPARATOR in next(filter(has_rule, read_lines(path)), "")
    for rule in read_any(path) if is_grammar else read_pair_list(path):
        source, target = (tuple(map(str.lower, words)) for words in (rule.source, rule.target))
        yield Rule(DEFAULT_LABEL, source, target)


def _check_phrases(path: str) -> None:
    """Raise SbmtError for a grammar that cannot be read, or that has rules with gaps, which are no phrases."""
    for rule in read_any(path):
        if any(map(is_gap, rule.source)):
            cure = "leave such rules out: sbmt-rules filter --kind lexical --kind phrasal"
            raise FormatError(path, None, f"the rule of {' '.join(rule.source)!r} has gaps, which no phrase has", cure)


def _learn_phrases(texts: Sequence[tuple[str, str]], path: Path, jobs: int) -> None:
    settings = LearnSettings(Limits(max_phrase=7), Pruning(identical=True), jobs=jobs)
    with Learner(read_corpus(list(texts), lowercase=True), settings) as learner:
        learner.write(str(path))


def _estimate(texts: Sequence[str], path: Path) -> None:
    lines = (line.lower() for text in texts for line in read_lines(text))
    write_kenlm_binary(estimate(count_text(lines, 3)), path)
