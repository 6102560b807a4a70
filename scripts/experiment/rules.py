"""Grammars: learnt between crowd translations and from the tuning references, listed in PPDB, judged, annotated."""

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
from sbmt.ppdb.learn.pairs import read_pair_list
from sbmt.ppdb.learn.quality.annotate import annotated
from sbmt.ppdb.learn.quality.judge import WEIGHTS
from sbmt.ppdb.learn.settings import Pruning, Settings
from sbmt.ppdb.learn.soundness import possible
from sbmt.ppdb.packed import pack
from sbmt.ppdb.rule import Rule
from sbmt.ppdb.starter import GRAMMAR as STARTER
from sbmt.progress import progress

log = logging.getLogger(__name__)

LEAST_QUALITY = 2.0  # RuleQuality of a paraphrase
PARAPHRASE_PRUNING, TUNE_PRUNING = Pruning(min_count=2, top=20), Pruning(min_count=2, top=30)
GRAMMAR, FOLDS = "grammar.gz", "grammar.folds"


def fold_grammar(fold: int | None) -> str:
    """The file of the grammar that has not seen a fold; None: of the one that has seen all."""
    return GRAMMAR if fold is None else f"grammar.fold{fold}.gz"


def packed_grammar(fold: int | None) -> str:
    """The same, ready to be opened by a decoder."""
    return fold_grammar(fold).replace(".gz", ".packed")


def learn_paraphrases(data: Path, scale: Scale, jobs: int, path: Path) -> None:
    """Rules between crowd translations, and the PPDB pairs with features estimated from that text (Listed = 1)."""
    path.mkdir(exist_ok=True)
    write_lines(path / "versions.tsv", islice(versions(data), scale.crowd_lines))
    write_lines(path / "pairs.tsv", islice(pair_lists(data), 0, None, scale.listed_pairs or 1))
    text, pairs = read_corpus([], [f"{path}/versions.tsv"]), list(read_pair_list(f"{path}/pairs.tsv"))
    with Learner(text, Settings(pruning=PARAPHRASE_PRUNING, jobs=jobs), pairs=pairs) as learner:
        learner.write(f"{path}/{GRAMMAR}")


def learn_tune(text: Path, folds: int, jobs: int, path: Path) -> None:
    """Rules of the tuning references, once from all sentences and once without each fold."""
    path.mkdir(exist_ok=True)
    pairs = [(f"{text}/source", f"{text}/reference.{number}") for number in range(REFERENCES)]
    settings = Settings(pruning=TUNE_PRUNING, folds=folds, jobs=jobs)
    with Learner(read_corpus(pairs, lowercase=True), settings) as learner:
        learner.write(f"{path}/{GRAMMAR}")


def of_use(text: Path | None) -> Predicate:
    """Whether the source side of a rule is in the texts or in PHRASES; the others change no output. None: all rules."""
    if text is None:
        return lambda rule: True
    return in_text(chain(read_lines(text / "source"), read_lines(text / "decoded"), PHRASES))


def judge(raw: Path, text: Path | None, vectors: Path | None, jobs: int, path: Path) -> None:
    """Of the rules in `raw` those that are of use, possible, and not judged badly, with RuleQuality."""
    path.mkdir(exist_ok=True)
    usable = of_use(text)
    given = progress(read_rules(raw / GRAMMAR), "judging", "rules")
    rules = (rule for rule in given if usable(rule) and possible(rule))
    judged = annotated(rules, str(WEIGHTS), str(vectors) if vectors else None, jobs)
    good = (rule for rule in judged if rule.features.get("RuleQuality", 0.0) >= LEAST_QUALITY)
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
    """The rules of a set in one, judged, annotated and packed: one grammar, and one a fold where it is cross-fitted.

    `folders` holds the grammars by source of those that are learnt.
    """
    path.mkdir(exist_ok=True)
    needed = [None, *range(folds if "tune" in rules.all_sources else 0)]
    counts = Parallel(n_jobs=jobs)(delayed(_write_grammar)(rules, folders, text, vectors, path, f) for f in needed)
    log.info("%s: %s rules", path.name, ", ".join(map(str, counts)))


def _write_grammar(
    rules: RuleSet, folders: Mapping[str, Path], text: Path | None, vectors: Path | None, path: Path, fold: int | None
) -> int:
    usable = of_use(text)
    found = {source: filter(usable, _of_source(source, folders, fold)) for source in rules.all_sources}
    own, *learnt = rules.sources
    joined = with_learnt(
        found[own], {name: found[name] for name in learnt}, {name: found[name] for name in rules.evidence}
    )
    if fold is None:  # not in tuning, where weights would make up for what is lost
        joined = filter(sound_of("tune"), joined)
    judged = annotated(joined, str(WEIGHTS), str(vectors) if vectors else None)
    annotate = FeatureOptions().annotator().annotate
    return pack(map(annotate, judged), path / packed_grammar(fold))


def _of_source(source: str, folders: Mapping[str, Path], fold: int | None) -> Iterator[Rule]:
    """The rules of a source, as they are for one who has not seen a fold; `crowd` is what PPDB does not list."""
    if source == "starter":
        return read_rules(STARTER)
    if source == "tune":
        return filter(balanced, read_rules(folders[source] / fold_grammar(fold)))
    listed = source == "ppdb"
    learnt = read_rules(folders[source] / GRAMMAR)
    return (rule for rule in learnt if (rule.features.get("Listed", 0.0) > 0) == listed)
