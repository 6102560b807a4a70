"""`sbmt-learn`: learn paraphrase grammars from parallel text, bilingual grammars and pair lists, and rule quality."""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from sbmt.cli.shared.command import command
from sbmt.cli.shared.options import add_jobs, add_output, paired
from sbmt.cli.shared.parsers import Verbs, add_verb, natural, new_parser, positive, settings_of_options
from sbmt.errors import SbmtError, counted
from sbmt.io import read_lines, write_lines
from sbmt.paths import (
    STDIO,
    check_output_file,
    check_outputs,
    check_readable_file,
    check_standard_input,
    is_stream,
    written,
)
from sbmt.ppdb.learn.settings import (
    MAX_LENGTH,
    VECTOR_DIMENSIONS,
    VECTOR_MIN_COUNT,
    LearnSettings,
    Limits,
    PivotSettings,
    Pruning,
)

if TYPE_CHECKING:
    from sbmt.ppdb.rule import Rule

_log = logging.getLogger(__name__)

_EXAMPLES = """\
  sbmt-learn --source complex.txt --target simple.txt -o rules.gz
  sbmt-learn --source tune.norm --target tune.turk.0 --source tune.norm --target tune.turk.1 --folds 10 -o tune.gz
  sbmt-learn --multi-reference versions.tsv --max-gaps 2 --min-count 2 --jobs 2 -o rules.gz
  sbmt-learn --multi-reference versions.tsv --pairs synonyms.tsv -o rules.gz
  sbmt-learn --source en.txt --target de.txt --alignment en-de.pharaoh -o en-de.gz
  sbmt-learn quality --help
"""


def build_parser() -> argparse.ArgumentParser:
    """Declare the options of learning from parallel text, and the subcommands."""
    parser = new_parser(
        "Learn a grammar of paraphrase (or translation) rules from tokenised parallel text, one sentence per line. "
        "Empty sides, sentences longer than --max-length and length ratios over 9 are left out and counted.",
        _EXAMPLES,
    )
    _add_text(parser)
    _add_rules(parser)
    add_jobs(parser)
    add_output(parser, "GRAMMAR")
    parser.set_defaults(run=_learn)
    verbs = parser.add_subparsers(
        dest="verb", title="other commands, each with its own --help", metavar="COMMAND", prog=parser.prog
    )
    _add_pivot(verbs)
    _add_quality(verbs)
    _add_judgements(verbs)
    _add_vectors(verbs)
    return parser


def _add_text(parser: argparse.ArgumentParser) -> None:
    text = parser.add_argument_group("text").add_argument
    lists: dict[str, Any] = {"action": "extend", "nargs": "+", "default": []}
    text("--source", metavar="S", help="source sides; here and below, an option given again adds to its files", **lists)
    text("--target", metavar="T", help="their target sides, line by line", **lists)
    multi_reference = (
        "versions of segments, as lines of KEY<tab>...<tab>SENTENCE; lines with equal keys are versions of one "
        "segment, and rules are learnt between all of them, both ways"
    )
    text("--multi-reference", metavar="FILE", help=multi_reference, **lists)
    alignment = "Pharaoh links (0-0 1-2 ...) of each --source/--target pair; without it the built-in aligner runs"
    text("--alignment", metavar="A", help=alignment, **lists)
    labels = (
        "tags (one per word) or bracketed parses of each source side, then of each multi-reference file; without them "
        "every rule is [X]"
    )
    text("--labels", metavar="FILE", help=labels, **lists)
    pairs = "bare pair lists to add as [X] rules, their features estimated from the text"
    text("--pairs", metavar="LIST", help=pairs, **lists)
    text("--lowercase", action="store_true", help="lower-case all text first")
    longest = "longest sentence in words, up to 250 (default: %(default)s)"
    text("--max-length", type=positive, default=MAX_LENGTH, metavar="N", help=longest)


def _add_rules(parser: argparse.ArgumentParser) -> None:
    rules = parser.add_argument_group("rules").add_argument
    gaps = "most gaps in a rule (default: %(default)s)"
    words = "most words on a side of a rule without gaps, up to 20 (default: %(default)s)"
    rules("--max-gaps", type=int, choices=(0, 1, 2), default=Limits().max_gaps, help=gaps)
    rules("--max-phrase", type=positive, default=Limits().max_phrase, metavar="N", help=words)
    rare = "leave out rules seen fewer than N times (default: %(default)s)"
    top = "keep the N most frequent targets of each source side; 0: all (default: %(default)s)"
    rules("--min-count", type=positive, default=Pruning().min_count, metavar="N", help=rare)
    rules("--top", type=natural, default=Pruning().top, metavar="N", help=top)
    rules("--identical", action="store_true", help="keep rules that change nothing, for phrase-based decoding")
    folds = (
        "cross-fitting: also write K grammars GRAMMAR.foldK, each without the segments of its fold, and GRAMMAR.folds, "
        "the fold of each segment (line)"
    )
    rules("--folds", type=natural, default=LearnSettings().folds, metavar="K", help=folds)


def _add_pivot(verbs: Verbs) -> None:
    parser = add_verb(
        verbs,
        "pivot",
        _pivot,
        "paraphrases of a bilingual grammar or phrase table",
        "Make a one-language paraphrase grammar from a bilingual grammar or phrase table: targets of the same foreign "
        "side, label and gaps paraphrase each other, p(e2|e1) = sum over f of p(e2|f) p(f|e1).",
        "  sbmt-learn pivot fr-en.gz -o paraphrases.gz\n"
        "  sbmt-learn pivot samt.gz --forward tm_pt_12 --backward tm_pt_10 -o paraphrases.gz",
    )
    default = PivotSettings()
    parser.add_argument("grammar", metavar="GRAMMAR", help="rules of PPDB, Joshua or Moses, - for standard input")
    feature = (
        "feature with ln p(%s), of either sign (default: %%(default)s; values without a name: tm_pt_0, tm_pt_1 ...)"
    )
    parser.add_argument("--forward", default=default.forward, metavar="NAME", help=feature % "target|source")
    parser.add_argument("--backward", default=default.backward, metavar="NAME", help=feature % "source|target")
    likeliest = "pair only the N likeliest targets of each foreign side; 0: all (default: %(default)s)"
    parser.add_argument("--top-targets", type=natural, default=default.top_targets, metavar="N", help=likeliest)
    least = "leave out paraphrases with a lower p(e2|e1) (default: %(default)s)"
    top = "keep the N likeliest paraphrases of each phrase and label; 0: all (default: %(default)s)"
    parser.add_argument("--min-probability", type=float, default=default.min_probability, metavar="P", help=least)
    parser.add_argument("--top", type=natural, default=default.top, metavar="N", help=top)
    add_output(parser, "GRAMMAR")


def _add_quality(verbs: Verbs) -> None:
    parser = add_verb(
        verbs,
        "quality",
        _quality,
        "add RuleQuality, a learnt estimate of human judgement, to the rules of a grammar",
        "Add the feature RuleQuality to every rule whose sides differ in their words: a score from 1 (unrelated) to 5 "
        "(same meaning) such as people would give, estimated from its strings, from word vectors, and from features "
        "learnt from parallel text. The other features stay as they are.",
        "  sbmt-learn quality rules.gz -o annotated.gz\n"
        "  sbmt-learn quality rules.gz --vectors vectors.npz --jobs 2 -o annotated.gz",
    )
    parser.add_argument("grammar", metavar="GRAMMAR", help="rules in any text format, - for standard input")
    parser.add_argument("--vectors", metavar="FILE", help="word vectors (sbmt-learn vectors); better estimates")
    parser.add_argument("--weights", metavar="FILE", help="from sbmt-learn judgements (default: the packaged ones)")
    add_jobs(parser)
    add_output(parser, "GRAMMAR")


def _add_judgements(verbs: Verbs) -> None:
    parser = add_verb(
        verbs,
        "judgements",
        _judgements,
        "learn that estimate from rated pairs",
        "Learn weights of RuleQuality from rated pairs and report correlations with the ratings of held-out pairs.",
        "  sbmt-learn judgements rated.tsv -o quality.json\n"
        "  sbmt-learn judgements rated.tsv --vectors vectors.npz --grammar rated-rules.gz -o quality.json",
    )
    rated = "lines of SCORE<tab>[LABEL]<tab>PHRASE<tab>PHRASE, scores from 1 to 5"
    parser.add_argument("judgements", nargs="+", metavar="FILE", help=rated)
    parser.add_argument("--vectors", metavar="FILE", help="word vectors (sbmt-learn vectors)")
    parser.add_argument("--grammar", metavar="GRAMMAR", help="the same pairs as learnt rules (sbmt-learn --pairs FILE)")
    parser.add_argument(
        "-o", "--output", default=STDIO, metavar="FILE", help="weights, JSON (default: standard output)"
    )


def _add_vectors(verbs: Verbs) -> None:
    parser = add_verb(
        verbs,
        "vectors",
        _vectors,
        "word vectors of a text, for the two commands above",
        "Make word vectors of a tokenised, lower-cased text (PMI and SVD), from the words around each.",
        "  sbmt-learn vectors text.gz -o vectors.npz\n"
        "  sbmt-learn vectors text.gz --dimensions 50 --min-count 5 -o small.npz",
    )
    parser.add_argument("text", metavar="TEXT", help="one sentence or paragraph per line, - for standard input")
    size = "dimensions of the vectors (default: %(default)s)"
    parser.add_argument("--dimensions", type=positive, default=VECTOR_DIMENSIONS, metavar="N", help=size)
    rare = "leave out words seen fewer than N times (default: %(default)s)"
    parser.add_argument("--min-count", type=positive, default=VECTOR_MIN_COUNT, metavar="N", help=rare)
    parser.add_argument("-o", "--output", required=True, metavar="FILE", help="compressed numpy file")


@command
def main(argv: Sequence[str] | None = None) -> None:
    """Run `sbmt-learn`."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    parser = build_parser()
    args = parser.parse_args(arguments)
    if args.verb and arguments[0] != args.verb:
        parser.error(f"{args.verb} comes first, its options after it")
    args.run(args)


def _learn(args: argparse.Namespace) -> None:
    from sbmt.ppdb.learn.corpus import read_corpus
    from sbmt.ppdb.learn.learner import Learner, check_folds, fold_paths
    from sbmt.ppdb.learn.pair_lists import read_pair_list

    pairs = paired(args)
    if not pairs and not args.multi_reference:
        raise SbmtError("nothing to learn from: give --source and --target, or --multi-reference")
    if args.alignment and len(args.alignment) != len(args.source):
        pairs_count = counted(len(args.source), "--source/--target pair")
        raise SbmtError(f"{len(args.alignment)} --alignment for {pairs_count}")
    if args.folds and args.output == STDIO:
        raise SbmtError("--folds writes several files: name the grammar with -o")
    inputs = args.source + args.target + args.multi_reference
    inputs += args.labels + args.alignment + args.pairs
    check_standard_input(inputs)
    check_outputs([args.output], inputs)
    for path in inputs:  # some are read only after long work
        check_readable_file(path)
    with settings_of_options():
        text = read_corpus(pairs, args.multi_reference, args.labels, args.max_length, args.lowercase)
    if args.folds:
        check_folds(text, args.folds)  # before that many files are named
        fold_grammars, fold_map = fold_paths(args.output, args.folds)
        check_outputs([*fold_grammars, fold_map], inputs)
    with settings_of_options():
        settings = LearnSettings(
            Limits(args.max_phrase, args.max_gaps),
            Pruning(args.min_count, args.top, args.identical),
            args.folds,
            args.jobs,
        )
    listed = [pair for path in args.pairs for pair in read_pair_list(path)]
    with Learner(text, settings, args.alignment, listed) as learner:
        learner.write(args.output)


def _write_rules(path: str, rules: Iterable[Rule], if_none: str) -> None:
    """Write rules and log their number; `if_none` is the warning if there are none."""
    from sbmt.ppdb.formats import format_rule

    count = write_lines(path, map(format_rule, rules))
    if count:
        _log.info("%s", written(path, counted(count, "rule")))
    else:
        _log.warning("%s", if_none)


def _pivot(args: argparse.Namespace) -> None:
    from sbmt.ppdb.formats import read_rules
    from sbmt.ppdb.learn.pivot import pivot
    from sbmt.progress import progress

    check_outputs([args.output], [args.grammar])
    with settings_of_options():
        settings = PivotSettings(
            forward=args.forward,
            backward=args.backward,
            top_targets=args.top_targets,
            min_probability=args.min_probability,
            top=args.top,
        )
    rules = pivot(progress(read_rules(args.grammar), "reading", "rules"), settings, args.grammar)
    hint = "--top-targets and --min-probability may leave out too much"
    _write_rules(
        args.output,
        rules,
        f"no rules: no two targets in {args.grammar} have the foreign side, the label and the gaps in common ({hint})",
    )


def _quality(args: argparse.Namespace) -> None:
    from sbmt.ppdb.formats import read_rules
    from sbmt.ppdb.learn.quality.annotate import annotated
    from sbmt.ppdb.learn.quality.judge import WEIGHTS
    from sbmt.progress import progress

    extra_inputs = list(filter(None, [args.vectors, args.weights]))
    for path in filter(is_stream, extra_inputs):
        raise SbmtError(f"{path}: every process reads it for itself: name a file")
    check_outputs([args.output], extra_inputs, replaced=[args.grammar])
    rules = progress(read_rules(args.grammar), "judging", "rules")
    judged = annotated(rules, args.weights or str(WEIGHTS), args.vectors, args.jobs)
    _write_rules(args.output, judged, f"no rules: {args.grammar} has none")


def _judgements(args: argparse.Namespace) -> None:
    from sbmt.ppdb.formats import read_rules
    from sbmt.ppdb.learn.quality.judgements import learn_quality, learnt_features, read_judgements
    from sbmt.ppdb.learn.quality.vectors import Vectors

    inputs = [*args.judgements, *filter(None, [args.vectors, args.grammar])]
    check_standard_input(inputs)
    check_outputs([args.output], inputs)
    ratings = [rating for path in args.judgements for rating in read_judgements(path)]
    learnt = learnt_features(ratings, read_rules(args.grammar)) if args.grammar else {}
    vectors = Vectors.open(args.vectors) if args.vectors else None
    model, correlations = learn_quality(ratings, vectors, learnt, ", ".join(args.judgements))
    for result in correlations:
        sizes = f"{counted(result.n_features, 'feature')}, {counted(result.pairs, 'pair')}"
        message = "%s: %s, held-out Pearson %.3f, Spearman %.3f"
        _log.info(message, result.evidence, sizes, result.pearson, result.spearman)
    write_lines(args.output, [model.to_json()])


def _vectors(args: argparse.Namespace) -> None:
    from sbmt.ppdb.learn.quality.vectors import train_vectors
    from sbmt.progress import progress

    check_outputs([args.output], [args.text])
    check_output_file(args.output)
    lines = progress(read_lines(args.text), "reading", "lines")
    train_vectors(lines, args.dimensions, args.min_count, args.text).save(args.output)
