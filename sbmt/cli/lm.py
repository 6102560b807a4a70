"""`sbmt-lm`: estimate, mix, convert and evaluate n-gram language models."""

from __future__ import annotations

import argparse
import logging
import tempfile
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from sbmt.cli.shared.command import command
from sbmt.cli.shared.options import refuse_unused
from sbmt.cli.shared.parsers import natural, new_parser, positive
from sbmt.errors import SbmtError
from sbmt.io import read_lines
from sbmt.paths import (
    STDIO,
    check_output_file,
    check_outputs,
    check_readable_file,
    check_standard_input,
    display_name,
    written,
)
from sbmt.text.checks.style import watched

if TYPE_CHECKING:
    from sbmt.lm.ngrams import NGramModel

_log = logging.getLogger(__name__)

_ESTIMATING = "estimating from text"
_USED_BY = dict.fromkeys(("order", "prune", "vocabulary_limit", "estimator"), (_ESTIMATING,))
_EXAMPLES = """\
  sbmt-lm corpus.tok --order 4 --prune 0 0 1 -o corpus.binary   trigrams and longer must occur twice
  cat *.tok | sbmt-lm --order 3 -o corpus.arpa.gz               text from standard input
  sbmt-lm --mix news.arpa simple.arpa --sample dev.tok -o mixed.binary
  sbmt-lm --mix news.arpa -o news.binary                        convert, so that it loads at once
  sbmt-lm --evaluate dev.tok --model corpus.binary              perplexity

Text is one tokenised sentence per line, in the case and tokenisation of what the model is to score."""


def build_parser() -> argparse.ArgumentParser:
    """Declare the options."""
    parser = new_parser(
        "Estimate n-gram language models from text (modified Kneser-Ney), mix or convert ARPA models, and measure "
        "perplexity.",
        _EXAMPLES,
    )
    parser.add_argument("text", nargs="*", metavar="TEXT", help="text, also .gz or .xz (default: standard input)")
    longest = "longest n-grams, 1 to 5 (default: %(default)s)"
    parser.add_argument("--order", type=int, default=3, metavar="N", help=longest)
    parser.add_argument(
        "-o",
        "--output",
        metavar="LM",
        help="ARPA if its name is - (standard output) or ends in .arpa[.gz|.xz], else KenLM binary",
    )
    prune = "drop n-grams that occur at most C times; one C per order, the last for all higher ones"
    parser.add_argument("--prune", type=natural, nargs="+", default=[], metavar="C", help=prune)
    parser.add_argument("--vocabulary-limit", type=positive, metavar="V", help="keep the V most frequent words only")
    estimator = "KenLM's lmplz (auto: if on the PATH) or the built-in one, which agrees with it"
    parser.add_argument("--estimator", choices=["auto", "lmplz", "sbmt"], default="auto", help=estimator)
    parser.add_argument("--encoding", default="utf-8", help="of TEXT (default: %(default)s)")
    parser.add_argument("--mix", nargs="+", metavar="ARPA", help="read ARPA models instead of text; several are mixed")
    parser.add_argument("--sample", metavar="TEXT", help="text on which the weights of --mix are tuned")
    parser.add_argument("--evaluate", metavar="TEXT", help="print the perplexity of this text")
    parser.add_argument("--model", metavar="LM", help="evaluate this model; nothing is estimated")
    return parser


@command
def main(argv: Sequence[str] | None = None) -> None:
    """Run the command."""
    parser = build_parser()
    args = parser.parse_args(argv)
    _check_options(args, parser)
    if args.output:
        if args.mix:
            _save(_mixed(args), args.output)
        else:
            _estimate(args)
    if args.evaluate is not None:
        from sbmt.lm.perplexity import perplexity

        name = display_name(args.evaluate)
        lines = watched(read_lines(args.evaluate, args.encoding), name)
        print(perplexity(args.output if args.model is None else args.model, lines, name))


def _check_options(args: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    """Raise SbmtError for options that do not go together, and files that cannot be read or written."""
    if not 1 <= args.order <= 5:
        raise SbmtError(f"--order {args.order}: orders are 1 to 5")
    if args.model is not None and (args.text or args.mix or args.output):
        raise SbmtError("--model is only evaluated: give --evaluate TEXT and neither text, --mix nor -o")
    if not args.output and None in (args.model, args.evaluate):
        raise SbmtError("nothing to do: give -o LM to make a model, or --evaluate TEXT --model LM")
    if args.output == STDIO and args.evaluate is not None:
        raise SbmtError("--evaluate needs the model in a file: name one with -o")
    if args.mix and args.text:
        raise SbmtError("--mix reads models instead of text: estimate a model of the text first")
    refuse_unused(args, parser, "--mix" if args.mix else "--model" if args.model is not None else _ESTIMATING, _USED_BY)
    if (args.mix is not None and len(args.mix) > 1) != bool(args.sample):
        raise SbmtError("--mix of several models and --sample TEXT, on which their weights are tuned, go together")
    texts = args.text if args.text or args.mix or not args.output else [STDIO]
    inputs = [*texts, *(args.mix or ()), *filter(None, [args.sample, args.evaluate])]
    check_standard_input(inputs)
    check_outputs(filter(None, [args.output]), inputs)
    if args.output and not _is_arpa(args.output):
        check_output_file(args.output)
    for path in inputs if args.output else ():  # some are read only after long work
        check_readable_file(path)


def _is_arpa(path: str) -> bool:
    return path == STDIO or path.endswith((".arpa", ".arpa.gz", ".arpa.xz"))


def _save(model: NGramModel, path: str) -> None:
    from sbmt.lm.arpa import write_arpa
    from sbmt.lm.kenlm_binary import write_kenlm_binary

    (write_arpa if _is_arpa(path) else write_kenlm_binary)(model, path)
    sizes = ", ".join(f"{model.trie.size(k)} {k}-grams" for k in range(1, model.order + 1))
    _log.info("%s", written(path, sizes))


def _estimate(args: argparse.Namespace) -> None:
    from sbmt.lm.arpa import read_arpa
    from sbmt.lm.counts import count_text
    from sbmt.lm.kneser_ney import check_thresholds, estimate
    from sbmt.lm.lmplz import find_lmplz, run_lmplz

    check_thresholds(args.prune, args.order)
    program = None if args.estimator == "sbmt" else find_lmplz()
    if args.estimator == "lmplz" and program is None:
        raise SbmtError("lmplz is not on the PATH: build it with scripts/build_lmplz.sh, or use --estimator sbmt")
    name = ", ".join(map(display_name, args.text or [STDIO]))
    lines = watched(chain.from_iterable(read_lines(path, args.encoding) for path in args.text or [STDIO]), name)
    if program is None:
        _save(estimate(count_text(lines, args.order, name), args.prune, args.vocabulary_limit), args.output)
        return
    _log.info("estimating with %s", program)
    with tempfile.TemporaryDirectory(prefix="sbmt-lm-") as folder:
        arpa = Path(folder, "model.arpa")
        run_lmplz(program, lines, args.order, arpa, args.prune, args.vocabulary_limit, name)
        _save(read_arpa(arpa), args.output)


def _mixed(args: argparse.Namespace) -> NGramModel:
    from sbmt.lm.arpa import read_arpa
    from sbmt.lm.counts import count_text
    from sbmt.lm.mixture import mix, mixture_weights

    models = [read_arpa(path) for path in args.mix]
    if len(models) == 1:
        return models[0]
    name = display_name(args.sample)
    lines = watched(read_lines(args.sample, args.encoding), name)
    sample = count_text(lines, max(model.order for model in models), name)
    weights = mixture_weights(models, sample)
    for path, weight in zip(args.mix, weights, strict=True):
        _log.info("weight %.4f for %s", weight, path)
    return mix(models, weights)
