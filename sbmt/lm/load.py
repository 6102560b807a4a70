"""Files of language models, as KenLM loads them: what is wrong with one is said in words that help."""

from __future__ import annotations

import os
import re
import tempfile
from codecs import BOM_UTF8
from pathlib import Path

import kenlm

from sbmt.compressed import open_bytes
from sbmt.errors import FormatError, ModelError
from sbmt.io import KENLM_BINARY, read_lines
from sbmt.lm.arpa import read_arpa, read_sizes
from sbmt.lm.kenlm_binary import write_kenlm_binary

_PLACE = re.compile(r"(Byte|File): .*")  # lines of KenLM's that say where, not what
_NO_ROOM = "probing_multiplier"  # in what it says where the ends of n-grams that an ARPA file lacks are too many for it


def load_kenlm(path: str | Path) -> kenlm.Model:
    """KenLM's model of an ARPA or binary file, read without a word on standard error; raises ModelError."""
    if not Path(path).is_file():
        found = "is no file" if Path(path).exists() else "no such file"
        raise ModelError(f"language model {path or repr(path)}: {found}")
    if _arpa_order(path) == 1:
        return _load_as_binary(path)
    config = kenlm.Config()
    config.show_progress = False
    config.arpa_complain = kenlm.ARPALoadComplain.NONE
    try:
        return kenlm.Model(os.path.realpath(path), config)  # to it "link/.." would be text, not a folder
    except OSError as error:
        cause = str(error.__cause__ or error)
        if _NO_ROOM in cause:
            return _load_as_binary(path)
        raise ModelError(f"language model {path}: {_reason(cause)}") from None
    except UnicodeDecodeError as error:  # of KenLM's own message, which quotes a word of the file
        raise ModelError(f"language model {path}: {_reason(error.object.decode(errors='replace'))}") from None


def _load_as_binary(path: str | Path) -> kenlm.Model:
    """An ARPA file that KenLM loads as a binary only: of order 1, or pruned so that many ends of n-grams are missing.

    The mapped file outlives its name.
    """
    with tempfile.TemporaryDirectory(prefix="sbmt-lm-") as folder:
        binary = Path(folder, "lm.binary")
        try:
            write_kenlm_binary(read_arpa(path), binary)
        except FormatError as error:
            raise ModelError(f"language model {error}") from None
        return load_kenlm(binary)


def _arpa_order(path: str | Path) -> int | None:
    """The order of an ARPA file, None for a KenLM binary.

    Raises ModelError where the head is wrong: KenLM takes some such heads and breaks down.
    """
    try:
        with open_bytes(path) as stream:
            head = stream.read(len(KENLM_BINARY))
        if head == KENLM_BINARY:
            return None
        if head.startswith(BOM_UTF8):
            raise FormatError(str(path), None, "begins with a byte order mark", "save it without one")
        return len(read_sizes(path, enumerate(read_lines(path, "latin-1"), 1)))  # KenLM takes any bytes as words
    except FormatError as error:
        raise ModelError(f"language model {error}") from None


def _reason(cause: str) -> str:
    """KenLM's own explanation, without its file and function names, and the cure where we know it.

    Python 3.11.2, for one, loses those that quote what is not UTF-8.
    """
    if "MAX_ORDER" in cause:
        return "its order is above what this KenLM was built for; install kenlm with MAX_ORDER set to the model's order"
    lines = [line for line in cause.splitlines() if line.strip() and not _PLACE.fullmatch(line.strip())]
    return lines[-1].strip() if lines else "cannot be read: perhaps its words are not UTF-8"
