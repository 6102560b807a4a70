"""`sbmt-baseline`: make a bundle of a baseline, which every command then takes as a model."""

from __future__ import annotations

import argparse
import logging
import math
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sbmt.cli.command import command, parser, positive
from sbmt.cli.options import add_jobs
from sbmt.errors import SbmtError

if TYPE_CHECKING:
    from sbmt.ppdb.rule import Rule
    from sbmt.text.sentence import TextOptions

_log = logging.getLogger(__name__)

_EXAMPLES = """\
  sbmt-baseline identity -o identity && sbmt-decode -m identity < text
  sbmt-baseline truncate --share 0.8 -o truncate
  sbmt-baseline frequency --synonyms ppdb-xl.txt -o frequency
  sbmt-baseline pbmt-r --source complex.txt --target simple.txt -o pbmt-r
  sbmt-baseline pbmt-r --grammar phrases.gz --lm simple.binary -o pbmt-r
"""
NAMES = ("identity", "truncate", "frequency", "pbmt-r")
# Where no tuning has been. Translation scores (costs here), language model and distortion have the sizes of the
# moses.ini that Moses' training writes; its word penalty (-1) and phrase penalty (0.2) are left out.
PBMT_WEIGHTS = {
    **dict.fromkeys(("p(e|f)", "p(f|e)", "Lex(e|f)", "Lex(f|e)"), -0.2),
    "lm_0": 0.5,
    "WordPenalty": 0.0,
    "Distortion": 0.3,
}


def build_parser() -> argparse.ArgumentParser:
    """The command's options."""
    made = parser(
        "Make a model of a baseline. identity returns the text; truncate keeps the beginning; frequency replaces rare "
        "words by their most frequent listed synonym; pbmt-r is phrase-based translation re-ranked by dissimilarity "
        "(Wubben et al. 2012), learnt from parallel text or built of a given grammar and language model.",
        _EXAMPLES,
    )
    made.add_argument("name", choices=NAMES, help="which baseline")
    made.add_argument("-o", "--output", required=True, metavar="FOLDER", help="the bundle")
    made.add_argument("--share", type=float, default=0.8, metavar="X", help="truncate: of the words (%(default)s)")
    synonyms = "frequency: pairs, lists of synonyms or a grammar; may be given again"
    made.add_argument("--synonyms", action="append", default=[], metavar="LIST", help=synonyms)
    rare = "frequency: Zipf frequency below which a word is rare (%(default)s)"
    made.add_argument("--rare", type=float, default=4.0, metavar="ZIPF", help=rare)
    group = made.add_argument_group("pbmt-r")
    pbmt = group.add_argument
    lists: dict[str, Any] = {"action": "append", "default": []}
    pbmt("--source", metavar="S", help="complex side, tokenised; may be given again", **lists)
    pbmt("--target", metavar="T", help="its simple side", **lists)
    pbmt("--grammar", metavar="GRAMMAR", help="phrase table or grammar without gaps, instead of text")
    pbmt("--lm", metavar="LM", help="language model, instead of one of the simple side")
    pbmt("--candidates", type=positive, default=10, metavar="N", help="length of the re-ranked list (%(default)s)")
    add_jobs(group)
    return made


@command
def main(argv: Sequence[str] | None = None) -> None:
    """Run the command."""
    from sbmt.model import FORMAT, Model, ModelConfig

    options = build_parser().parse_args(argv)
    folder = Path(options.output)
    made = not folder.exists()
    try:
        config = ModelConfig(format=FORMAT, description=f"baseline: {options.name}", **_parts(options, folder))
        Model(config, folder).save(folder)
    except BaseException:
        if made:
            shutil.rmtree(folder, ignore_errors=True)
        raise
    _log.info("wrote %s", folder)


def _parts(options: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """What makes up the bundle of the baseline named; its own files are written to the folder."""
    if options.name == "identity":
        return _identity()
    if options.name == "truncate":
        return _truncate(options.share)
    if options.name == "frequency":
        return _frequency(options.synonyms, options.rare, folder)
    return _pbmt_r(options, folder)


def _unprotected() -> TextOptions:
    """Text options of baselines that must not treat names and numbers in their own way."""
    from sbmt.text.protect import ProtectOptions
    from sbmt.text.sentence import TextOptions

    return TextOptions(protect=ProtectOptions.none())


def _identity() -> dict[str, Any]:
    from sbmt.model import DecoderConfig

    return {"text": _unprotected(), "decoder": DecoderConfig("identity")}


def _truncate(share: float) -> dict[str, Any]:
    from sbmt.baselines.words import TruncateSettings
    from sbmt.config import plain
    from sbmt.model import DecoderConfig

    return {"text": _unprotected(), "decoder": DecoderConfig("truncate", plain(TruncateSettings(share)))}


def _frequency(synonyms: Sequence[str], rare: float, folder: Path) -> dict[str, Any]:
    from sbmt.baselines.words import most_frequent_synonyms
    from sbmt.io import open_output
    from sbmt.model import DecoderConfig, GrammarConfig

    if not synonyms:
        raise SbmtError(
            "frequency needs a list of synonyms: --synonyms FILE (pairs, or word and synonyms, or a grammar)"
        )
    if not math.isfinite(rare):
        raise SbmtError(f"--rare {rare} is no Zipf frequency: give a number such as 4")
    best = most_frequent_synonyms(rule for path in synonyms for rule in _synonyms(path))
    with open_output(folder / "synonyms.tsv") as stream:
        stream.writelines(f"{word}\t{synonym}\n" for word, synonym in sorted(best.items()))
    _log.info("words with a more frequent synonym: %d", len(best))
    decoder = DecoderConfig("frequency", {"rare": rare})
    return {"decoder": decoder, "grammars": (GrammarConfig("synonyms.tsv"),)}


def _synonyms(path: str) -> Iterable[Rule]:
    """Rules of a grammar, or of a list in any of the forms of `sbmt.ppdb.learn.pairs`."""
    from sbmt.io import is_stream, read_lines
    from sbmt.ppdb.formats import read_rules
    from sbmt.ppdb.learn.pairs import read_pair_list
    from sbmt.ppdb.rule import Rule

    if is_stream(path):
        raise SbmtError("--synonyms needs a file, for it is read twice")
    if " ||| " in next(read_lines(path), ""):
        return read_rules(path)
    return (Rule("X", pair.source, pair.target) for pair in read_pair_list(path))


def _pbmt_r(options: argparse.Namespace, folder: Path) -> dict[str, Any]:
    from sbmt.io import is_stream, open_bytes
    from sbmt.model import DecoderConfig, GrammarConfig, LanguageModelConfig

    if len(options.source) != len(options.target):
        raise SbmtError(f"{len(options.source)} --source but {len(options.target)} --target: give them in pairs")
    if not options.source and not (options.grammar and options.lm):
        raise SbmtError("pbmt-r needs --source and --target to learn from, or --grammar and --lm")
    for path in filter(None, (options.grammar, options.lm)):
        if is_stream(path):
            raise SbmtError("--grammar and --lm need files: the bundle names them")
        with open_bytes(path):
            pass  # complains of a file that cannot be read
    grammar, lm = options.grammar, options.lm
    if grammar is None:
        grammar = "phrases.gz"
        _learn_phrases(options, folder / grammar)
    if lm is None:
        lm = "lm.binary"
        _estimate(options.target, folder / lm)
    paths = [
        str(Path(path).absolute()) if given else path for path, given in ((grammar, options.grammar), (lm, options.lm))
    ]
    return {
        "decoder": DecoderConfig("pbmt-r", {"candidates": options.candidates}),
        "grammars": (GrammarConfig(paths[0]),),
        "language_models": (LanguageModelConfig(paths[1]),),
        "weights": PBMT_WEIGHTS,
    }


def _learn_phrases(options: argparse.Namespace, path: Path) -> None:
    from sbmt.io import open_output
    from sbmt.ppdb.learn.corpus import read_corpus
    from sbmt.ppdb.learn.count import Pruning
    from sbmt.ppdb.learn.learner import Learner, Settings
    from sbmt.ppdb.learn.spans import Limits

    text = read_corpus(list(zip(options.source, options.target, strict=True)), lowercase=True)
    settings = Settings(Limits(max_phrase=7), Pruning(top=20, identical=True), jobs=options.jobs)
    with Learner(text, settings) as learner, open_output(path) as stream:
        stream.writelines(f"{line}\n" for line in learner.lines())


def _estimate(targets: Sequence[str], path: Path) -> None:
    from sbmt.io import read_lines
    from sbmt.lm.counts import count_text
    from sbmt.lm.kenlm_binary import write_kenlm_binary
    from sbmt.lm.kneser_ney import estimate

    lines = (line.lower() for target in targets for line in read_lines(target))
    path.parent.mkdir(parents=True, exist_ok=True)
    write_kenlm_binary(estimate(count_text(lines, 3)), path)
