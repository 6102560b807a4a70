"""Making grammars: learnt from crowd translations and tuning references, listed in PPDB, judged and annotated."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from itertools import chain, islice
from pathlib import Path

from joblib import Parallel, delayed

from experiment.composition import PHRASES, RuleSet, Scale
from experiment.paraphrases import pair_lists, versions
from experiment.text import REFERENCES
from sbmt.features.annotation.options import FeatureOptions
from sbmt.io import read_lines, write_lines
from sbmt.ppdb.filtering import Predicate, balanced, in_text
from sbmt.ppdb.formats import format_rule, read_rules
from sbmt.ppdb.learn.corpus import read_corpus
from sbmt.ppdb.learn.evidence import sound_of, with_learnt
from sbmt.ppdb.learn.learner import Learner
from sbmt.ppdb.learn.pair_lists import read_pair_list
from sbmt.ppdb.learn.quality.annotate import RULE_QUALITY, annotated
from sbmt.ppdb.learn.quality.judge import WEIGHTS
from sbmt.ppdb.learn.settings import LearnSettings, Pruning
from sbmt.ppdb.learn.soundness import possible
from sbmt.ppdb.packed import pack
from sbmt.ppdb.rule import Rule
from sbmt.ppdb.starter import GRAMMAR as STARTER
from sbmt.progress import progress

log = logging.getLogger(__name__)

LEAST_QUALITY = 2.0  # minimum RuleQuality of a paraphrase
PARAPHRASE_PRUNING, TUNE_PRUNING = Pruning(min_count=2), Pruning(min_count=2, top=30)
GRAMMAR, FOLDS = "grammar.gz", "grammar.folds"


def fold_grammar(fold: int | None) -> str:
    """Return the file name of the grammar learnt without a fold; None: from all sentences."""
    return GRAMMAR if fold is None else f"grammar.fold{fold}.gz"


def packed_grammar(fold: int | None) -> str:
    """Return the file name of the packed grammar; `fold` as in `fold_grammar`."""
    return fold_grammar(fold).replace(".gz", ".packed")


def learn_paraphrases(data: Path, scale: Scale, jobs: int, path: Path) -> None:
    """Learn rules between crowd translations; add PPDB pairs with features estimated from that text (Listed = 1)."""
    path.mkdir(exist_ok=True)
    write_lines(path / "versions.tsv", islice(versions(data), scale.crowd_lines))
    write_lines(path / "pairs.tsv", islice(pair_lists(data), 0, None, scale.listed_pairs or 1))
    text, pairs = read_corpus([], [f"{path}/versions.tsv"]), list(read_pair_list(f"{path}/pairs.tsv"))
    with Learner(text, LearnSettings(pruning=PARAPHRASE_PRUNING, jobs=jobs), pairs=pairs) as learner:
        learner.write(f"{path}/{GRAMMAR}")


def learn_tune(text: Path, folds: int, jobs: int, path: Path) -> None:
    """Learn rules from the tuning references, from all sentences and without each fold."""
    path.mkdir(exist_ok=True)
    pairs = [(f"{text}/source", f"{text}/reference.{number}") for number in range(REFERENCES)]
    settings = LearnSettings(pruning=TUNE_PRUNING, folds=folds, jobs=jobs)
    with Learner(read_corpus(pairs, lowercase=True), settings) as learner:
        learner.write(f"{path}/{GRAMMAR}")


def of_use(text: Path | None) -> Predicate:
    """Return a test whether a rule's source side is in the texts or PHRASES (others change no output); None: all."""
    if text is None:
        return lambda rule: True
    return in_text(chain(read_lines(text / "source"), read_lines(text / "decoded"), PHRASES))


def judge(raw: Path, text: Path | None, vectors: Path | None, jobs: int, path: Path) -> None:
    """Write the rules of `raw` that are of use, possible, and of sufficient quality, with their RuleQuality."""
    path.mkdir(exist_ok=True)
    usable = of_use(text)
    raw_rules = progress(read_rules(raw / GRAMMAR), "judging", "rules")
    rules = (rule for rule in raw_rules if usable(rule) and possible(rule))
    judged = annotated(rules, str(WEIGHTS), str(vectors) if vectors else None, jobs)
    good = (rule for rule in judged if rule.features.get(RULE_QUALITY, 0.0) >= LEAST_QUALITY)
    write_lines(path / GRAMMAR, map(format_rule, good))


def write_grammars(
    rules: RuleSet,
    folders: Mapping[str, Path],
    text: Path | None,
    vectors: Path | None,
    folds: int,
    jobs: int,
    path: Path,
) -> None:
    """Join, judge, annotate and pack the rules of a set: one grammar, and one per fold if it is cross-fitted.

    folders: source -> folder of its grammar, for sources that are learnt.
    """
    path.mkdir(exist_ok=True)
    variants = [None, *range(folds if "tune" in rules.all_sources else 0)]
    counts = Parallel(n_jobs=jobs)(delayed(_write_grammar)(rules, folders, text, vectors, path, f) for f in variants)
    log.info("%s: %s rules", path.name, ", ".join(map(str, counts)))


def _write_grammar(
    rules: RuleSet, folders: Mapping[str, Path], text: Path | None, vectors: Path | None, path: Path, fold: int | None
) -> int:
    usable = of_use(text)
    by_source = {source: filter(usable, _source_rules(source, folders, fold)) for source in rules.all_sources}
    first, *learnt = rules.sources
    joined = with_learnt(
        by_source[first],
        {name: by_source[name] for name in learnt},
        {name: by_source[name] for name in rules.evidence},
    )
    if fold is None:  # not for tuning, where weights would compensate for the missing rules
        joined = filter(sound_of("tune"), joined)
    judged = annotated(joined, str(WEIGHTS), str(vectors) if vectors else None)
    annotate = FeatureOptions().annotator().annotate
    return pack(map(annotate, judged), path / packed_grammar(fold))


def _source_rules(source: str, folders: Mapping[str, Path], fold: int | None) -> Iterator[Rule]:
    """Return the rules of a source, learnt without the fold; `crowd` are those that PPDB does not list."""
    if source == "starter":
        return read_rules(STARTER)
    if source == "tune":
        return filter(balanced, read_rules(folders[source] / fold_grammar(fold)))
    listed = source == "ppdb"
    learnt = read_rules(folders[source] / GRAMMAR)
    return (rule for rule in learnt if (rule.features.get("Listed", 0.0) > 0) == listed)
