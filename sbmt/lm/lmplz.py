"""KenLM's own estimator, `lmplz`, if the user has built it (scripts/build_lmplz.sh shows how)."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from sbmt.errors import SbmtError
from sbmt.lm.counts import UNNAMED, sentences
from sbmt.lm.kneser_ney import FALLBACK_DISCOUNTS


def find_lmplz() -> str | None:
    """Return the path of `lmplz`, or None."""
    return shutil.which("lmplz")


def run_lmplz(
    program: str,
    lines: Iterable[str],
    order: int,
    arpa: Path,
    prune: Sequence[int] = (),
    vocabulary_limit: int | None = None,
    name: str = UNNAMED,
) -> None:
    """Estimate a model of tokenised lines (blank ones are skipped) as ARPA; sorts on disk, so texts may be of any size.

    Raises SbmtError with lmplz's last line of output if it fails. Warns and raises as `sentences` does.
    """
    with tempfile.TemporaryDirectory(prefix="sbmt-lm-") as folder:
        text, vocabulary = Path(folder, "text"), Path(folder, "vocabulary")
        with open(text, "wb") as out:
            out.writelines(b" ".join(words) + b"\n" for words in sentences(lines, name, "copying text"))
        command = [program, "--order", str(order), "--text", str(text), "--arpa", str(arpa), "--skip_symbols"]
        command += ["--temp_prefix", folder + "/", "--memory", "40%"]
        command += ["--discount_fallback", *map(str, FALLBACK_DISCOUNTS)]
        if prune:
            command += ["--prune", *map(str, prune)]
        if vocabulary_limit is not None:
            vocabulary.write_bytes(b"\n".join(_most_frequent(text, vocabulary_limit)))
            command += ["--limit_vocab_file", str(vocabulary)]
        process = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
        if process.returncode:
            message = (process.stderr.strip().splitlines() or ["it said nothing"])[-1]
            raise SbmtError(f"{program} failed: {message}")


def _most_frequent(text: Path, limit: int) -> list[bytes]:
    """Return the most frequent words; at equal counts, the earliest."""
    counts: Counter[bytes] = Counter()
    with open(text, "rb") as stream:
        for line in stream:
            counts.update(line.split())
    return [word for word, _ in counts.most_common(limit)]
