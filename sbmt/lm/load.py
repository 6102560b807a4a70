"""Loading language model files with KenLM, with helpful error messages."""

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

_PLACE = re.compile(r"^(Byte|File): .*| Byte: \d+$")  # the parts of KenLM's messages that say where, not what
_CUT_OFF = ("End of file", "zlib", "should be at least")  # in its messages if a file ends too early
_TABLE_FULL = "probing_multiplier"  # in KenLM's message if an ARPA file lacks too many ends of n-grams


def load_kenlm(path: str | Path) -> kenlm.Model:
    """Load an ARPA or binary file without output on standard error; raises ModelError."""
    if not Path(path).is_file():
        problem = "is a folder" if Path(path).is_dir() else "is no file" if Path(path).exists() else "no such file"
        raise ModelError(f"language model {path or repr(path)}: {problem}; name an ARPA file or a KenLM binary")
    if _arpa_order(path) == 1:
        return _load_as_binary(path)
    config = kenlm.Config()
    config.show_progress = False
    config.arpa_complain = kenlm.ARPALoadComplain.NONE
    try:
        # KenLM would not resolve "link/..", and would take any name for UTF-8.
        return kenlm.Model(os.fsencode(os.path.realpath(path)), config)
    except OSError as error:
        cause = str(error.__cause__ or error)
        if _TABLE_FULL in cause:
            return _load_as_binary(path)
        raise ModelError(f"language model {path}: {_reason(cause)}") from None
    except UnicodeDecodeError as error:  # in KenLM's message, which quotes a word of the file
        raise ModelError(f"language model {path}: {_reason(error.object.decode(errors='replace'))}") from None


def _load_as_binary(path: str | Path) -> kenlm.Model:
    """Load an ARPA file that KenLM loads only as a binary: of order 1, or pruned so that many ends are missing.

    The file stays mapped after it is deleted.
    """
    with tempfile.TemporaryDirectory(prefix="sbmt-lm-") as folder:
        binary = Path(folder, "lm.binary")
        try:
            write_kenlm_binary(read_arpa(path), binary)
        except FormatError as error:
            raise ModelError(f"language model {error}") from None
        return load_kenlm(binary)


def _arpa_order(path: str | Path) -> int | None:
    """Return the order of an ARPA file, None for a KenLM binary.

    Raises ModelError if the head is wrong: KenLM accepts some such heads and crashes.
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
    """Return KenLM's explanation, without its file and function names, and the cure if we know it.

    Some Pythons (3.11.2) lose explanations that quote anything but UTF-8.
    """
    if "MAX_ORDER" in cause:
        return "its order is above what this KenLM was built for; install kenlm with MAX_ORDER set to the model's order"
    lines = [line for line in (_PLACE.sub("", line.strip()) for line in cause.splitlines()) if line]
    if not lines:
        return "cannot be read: perhaps its words are not UTF-8"
    return lines[-1] + ("; copy or make it again" if any(sign in lines[-1] for sign in _CUT_OFF) else "")
