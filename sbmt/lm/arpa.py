"""ARPA files, the text format of back-off models (log10 probability, n-gram, log10 back-off weight).

Words are separated by blanks or tabs, as SRILM, lmplz and Sphinx write them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NoReturn

import numpy as np

from sbmt.arrays import Int32s, Int64s
from sbmt.errors import FormatError
from sbmt.io import open_output, read_lines
from sbmt.lm.ngrams import (
    BEGIN_ID,
    END_ID,
    SPECIAL_WORDS,
    MissingContextError,
    NGramModel,
    build_trie,
    close_suffixes,
)
from sbmt.progress import progress

_NO_UNKNOWN = -100.0  # KenLM's value for <unk> in a model without it
LOWEST = -1000.0  # log10: a float cannot hold lower probabilities
_CHUNK = 100_000  # n-grams formatted at once
_SIZE = re.compile(r"\s*ngram\s+([0-9]+)\s*=\s*([0-9]{1,18})\s*", re.ASCII)

Values = np.ndarray[tuple[int, int], np.dtype[np.float32]]


def read_arpa(path: str | Path) -> NGramModel:
    """Read a model, plain or compressed; missing suffixes are added (`close_suffixes`).

    Raises FormatError naming the line for anything that is not an ARPA file.
    """
    lines = enumerate(read_lines(path), 1)
    sizes = read_sizes(path, lines)
    numbers: dict[bytes, int] = {word.encode(): i for i, word in enumerate(SPECIAL_WORDS)}
    sections = []
    for k, size in enumerate(sizes, 1):
        sections.append(_read_section(path, lines, k, size, numbers))
    _expect(path, lines, "\\end\\")
    words = [word.decode() for word in numbers]
    try:
        trie, sources = build_trie(len(words), [ids for _, ids, _ in sections[1:]])
    except MissingContextError as error:
        ngram = " ".join(words[w] for w in sections[error.k - 1][1][error.row])
        raise FormatError(str(path), None, f"has {ngram!r} without its first {error.k - 1} words") from None
    for (places, ids, _), source in zip(sections[1:], sources[1:], strict=True):
        if len(source) < len(ids):
            row = int(np.setdiff1d(np.arange(len(ids)), source)[0])
            _refuse_second(path, int(places[row]), " ".join(words[w] for w in ids[row]))
    unigrams = np.zeros((len(words), 2), np.float32)
    unigrams[0, 0] = _NO_UNKNOWN
    unigrams[sections[0][1][:, 0]] = sections[0][2]
    values = [unigrams, *(value[source] for (_, _, value), source in zip(sections[1:], sources[1:], strict=True))]
    return close_suffixes(NGramModel(words, trie, [v[:, 0] for v in values], [v[:, 1] for v in values]))


def read_sizes(path: str | Path, lines: Iterator[tuple[int, str]]) -> list[int]:
    """Return the number of n-grams of each order from the head of the file, reading the numbered lines up to its end.

    Raises FormatError, naming the line, if there is no such head.
    """
    for number, line in lines:
        if line.strip() == "\\data\\":
            break
        if number > 100:
            raise FormatError(str(path), number, "no \\data\\ line so far", "give an ARPA file, not a binary one")
    else:
        raise FormatError(str(path), None, "has no \\data\\ line", "is it an ARPA file?")
    sizes: list[int] = []
    for number, line in lines:
        if not line.strip():
            break
        match = _SIZE.fullmatch(line)
        if match is None or match[1] != str(len(sizes) + 1):
            raise FormatError(str(path), number, f"expected 'ngram {len(sizes) + 1}=COUNT', found {line[:80]!r}")
        sizes.append(int(match[2]))
    if not sizes:
        raise FormatError(str(path), None, "has no line 'ngram 1=COUNT' below \\data\\", "is it whole?")
    return sizes


def _expect(path: str | Path, lines: Iterator[tuple[int, str]], title: str) -> None:
    """Read the next line that is not blank, which must be the given title."""
    at, text = next(((number, line.strip()) for number, line in lines if line.strip()), (None, "the end of the file"))
    if text != title:
        cure = "is it whole, and has it as many n-grams as its head says?"
        raise FormatError(str(path), at, f"expected {title}, found {text!r}", cure)


@np.errstate(over="ignore")  # values too large for float32 become infinity, which is refused
def _read_section(
    path: str | Path, lines: Iterator[tuple[int, str]], k: int, size: int, words: dict[bytes, int]
) -> tuple[Int64s, Int32s, Values]:
    """Return line numbers int64[size], word ids int32[size, k], and values float32[size, 2] of one order.

    Order 1 fills `words`. Blank lines are skipped, as by KenLM.
    """
    _expect(path, lines, f"\\{k}-grams:")
    try:
        ids, values, places = np.zeros((size, k), np.int32), np.zeros((size, 2), np.float32), np.zeros(size, np.int64)
    except (MemoryError, ValueError):
        raise FormatError(str(path), None, f"says that it has {size} {k}-grams, more than memory holds") from None
    for i in progress(range(size), f"{path}: {k}-grams", "n-grams", size):
        number, fields, line = _next_ngram(lines)
        if number is None or fields[0].startswith(b"\\"):
            raise FormatError(str(path), number, f"has {i} {k}-grams, but its head says {size}", "is it whole?")
        places[i] = number
        try:
            if len(fields) not in (k + 1, k + 2):
                raise ValueError
            values[i, 0] = float(fields[0])
            if k == 1:
                ids[i, 0] = words.setdefault(fields[1], len(words))
            else:
                ids[i] = [words[word] for word in fields[1 : k + 1]]
            if len(fields) > k + 1:
                values[i, 1] = float(fields[k + 1])
        except ValueError:
            raise FormatError(str(path), number, f"expected a number and {k} words, found {line!r}") from None
        except KeyError as error:
            raise FormatError(
                str(path), number, f"the word {error.args[0].decode()!r} is not among the 1-grams"
            ) from None
    _check_values(path, places, values)
    if k == 1:
        _check_words(path, places, ids[:, 0], words)
    return places, ids, values


def _next_ngram(lines: Iterator[tuple[int, str]]) -> tuple[int | None, list[bytes], str]:
    """Return the number (None after the last), the fields (with <UNK> as <unk>) and the text of the next line."""
    for number, line in lines:
        data = line.encode()
        if fields := data.split():  # at ASCII white space only
            if b"<UNK>" in data:
                fields = [b"<unk>" if field == b"<UNK>" else field for field in fields]
            return number, fields, line
    return None, [], ""


def _check_values(path: str | Path, places: Int64s, values: Values) -> None:
    """Raise FormatError for the first probability above 1 or value out of range."""
    is_valid = (values >= LOWEST) & (values <= [0.0, -LOWEST])  # NaN fails both
    if not is_valid.all():
        row, column = np.argwhere(~is_valid)[0].tolist()
        name, maximum = (("log10 probability", 0), ("log10 back-off weight", -LOWEST))[column]
        problem = f"the {name} {values[row, column]:g} is not from {LOWEST:g} to {maximum:g}"
        raise FormatError(str(path), int(places[row]), problem)


def _check_words(path: str | Path, places: Int64s, ids: Int32s, words: Iterable[bytes]) -> None:
    """Raise FormatError for a repeated 1-gram, and for a missing sentence mark."""
    unique, first = np.unique(ids, return_index=True)
    if len(unique) < len(ids):
        row = int(np.setdiff1d(np.arange(len(ids)), first)[0])
        _refuse_second(path, int(places[row]), list(words)[ids[row]].decode())
    for mark in (BEGIN_ID, END_ID):
        if mark not in unique:
            cure = "estimate it from text with sentence marks"
            raise FormatError(str(path), None, f"has no 1-gram {SPECIAL_WORDS[mark]}", cure)


def _refuse_second(path: str | Path, number: int, ngram: str) -> NoReturn:
    """Raise FormatError for a repeated n-gram."""
    problem = f"has the {len(ngram.split(' '))}-gram {ngram!r} a second time"
    raise FormatError(str(path), number, problem, "keep one of the two")


def write_arpa(model: NGramModel, path: str | Path) -> None:
    """Write a model (.gz and .xz compress); the highest order has no back-off weights."""
    trie = model.trie
    with open_output(path) as out:
        out.write("\\data\\\n" + "".join(f"ngram {k}={trie.size(k)}\n" for k in range(1, trie.order + 1)))
        for k in range(1, trie.order + 1):
            out.write(f"\n\\{k}-grams:\n")
            for start in progress(range(0, trie.size(k), _CHUNK), f"writing {k}-grams", "blocks"):
                rows = slice(start, start + _CHUNK)
                grams = [" ".join(map(model.words.__getitem__, gram)) for gram in trie.words(k, rows).tolist()]
                scores = model.log10_p[k - 1][rows].tolist()
                if k < trie.order:
                    weights = model.log10_backoff[k - 1][rows].tolist()
                    lines = zip(scores, grams, weights, strict=True)
                    out.writelines(f"{p:.7g}\t{gram}\t{b:.7g}\n" for p, gram, b in lines)
                else:
                    out.writelines(f"{p:.7g}\t{gram}\n" for p, gram in zip(scores, grams, strict=True))
        out.write("\n\\end\\\n")
