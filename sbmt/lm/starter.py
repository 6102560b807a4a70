"""The language model of the starter model, built on first use from a model and counts in two dependencies.

There is no useful English model without a download, but two packages contain parts of one: pocketsphinx (BSD licence) a
trigram model of spoken American English, wordsegment (MIT licence) counts of words and word pairs of the web. Both are
turned into Penn tokens and mixed; the weights were tuned by EM on the source side of TurkCorpus tune. Building takes a
few seconds; the result stays in the user's cache folder in KenLM's binary format, which loads at once.
"""

from __future__ import annotations

import importlib.util
from collections import defaultdict
from pathlib import Path

import numpy as np

from sbmt.cache import cached
from sbmt.errors import ModelError
from sbmt.io import read_lines
from sbmt.lm.kenlm_binary import write_kenlm_binary
from sbmt.lm.mixture import mix
from sbmt.lm.ngrams import BEGIN_ID, NGramModel
from sbmt.lm.penn import WORDS, from_spoken, penn_model, penn_unigrams
from sbmt.lm.sphinx import read_sphinx
from sbmt.lm.symbols import BEGIN
from sbmt.progress import progress

RECIPE = 2  # to be increased when the model changes, so that old files in caches are not used
WEIGHTS = np.array([0.56, 0.44])  # spoken, web


def starter_language_model() -> Path:
    """Return the path of the model in the user's cache (`sbmt.cache`); builds it first if it is not there.

    Raises ModelError if a package is missing, SbmtError if no folder can be written.
    """
    return cached(f"starter-{RECIPE}.binary", build_starter, "the starter language model")


def build_starter(path: Path) -> None:
    """Write the model, showing progress."""
    models = [make() for make in progress((spoken_model, web_model), "starter language model", "models")]
    write_kenlm_binary(mix(models, WEIGHTS), path)


def spoken_model() -> NGramModel:
    """Return the trigram model of pocketsphinx, turned into Penn tokens."""
    return from_spoken(read_sphinx(_package_file("pocketsphinx", "model/en-us/en-us.lm.bin")))


def web_model() -> NGramModel:
    """Return a bigram model from the counts of wordsegment (Norvig 2009, from the Google Web corpus)."""
    counts, pairs = _counts("unigrams.txt"), _counts("bigrams.txt")
    names, unigrams = penn_unigrams(list(counts), np.array(list(counts.values())))
    numbers = {name: i for i, name in enumerate(names)}
    counts[BEGIN] = sum(count for pair, count in pairs.items() if pair.startswith(f"{BEGIN} "))
    ngrams, p = [], []
    for pair, count in pairs.items():
        first, second = pair.split(" ")
        if first in counts and numbers.get(second, BEGIN_ID) > BEGIN_ID:
            ngrams.append((numbers[first], numbers[second]))
            p.append(WORDS * count / counts[first])
    return penn_model(names, unigrams, [(np.array(ngrams, np.int32), np.array(p))])


def _counts(name: str) -> dict[str, float]:
    """Return counts of words or pairs; pairs that differed in case occur several times and are summed."""
    counts: dict[str, float] = defaultdict(float)
    for line in read_lines(_package_file("wordsegment", name)):
        words, _, count = line.partition("\t")
        counts[words] += float(count)
    return counts


def _package_file(package: str, name: str) -> Path:
    """Return a data file of an installed package, without importing it."""
    spec = importlib.util.find_spec(package)
    path = Path(spec.origin).parent / name if spec and spec.origin else None
    if path is None or not path.is_file():
        raise ModelError(f"the package {package} or its file {name} is missing: run `pip install {package}`")
    return path
