"""Writes lmplz.tsv, what KenLM's lmplz (kenlm 0.3.0) makes of the text in conftest.py.

Run in this folder: python make_lmplz_expectations.py PATH_OF_LMPLZ

Each setting has the number of n-grams of each order and its special words and every 97th n-gram.
"""

import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from conftest import pseudo_text

SETTINGS = [
    ("1", "", ""),
    ("2", "", ""),
    ("3", "", ""),
    ("5", "", ""),
    ("3", "0 0 1", ""),
    ("4", "1 1 2", ""),
    ("3", "", "100"),
]


def main() -> None:
    lines = pseudo_text()
    counts = Counter(word for line in lines for word in line.split())
    folder = Path(tempfile.mkdtemp())
    (folder / "text").write_text("\n".join(lines) + "\n")
    with open(Path(__file__).parent / "lmplz.tsv", "w", encoding="utf-8") as out:
        for order, prune, limit in SETTINGS:
            command = [sys.argv[1], "-o", order, "--text", folder / "text", "--arpa", folder / "arpa", "-S", "100M"]
            command += ["--discount_fallback", *(["--prune", *prune.split()] if prune else [])]
            if limit:
                (folder / "words").write_text("\n".join(word for word, _ in counts.most_common(int(limit))))
                command += ["--limit_vocab_file", folder / "words"]
            subprocess.run(command, check=True, capture_output=True)
            arpa = (folder / "arpa").read_text().splitlines()
            sizes = [line.split("=")[1] for line in arpa if line.startswith("ngram ")]
            ngrams = [line for line in arpa if "\t" in line]
            print("setting", order, prune, limit, *sizes, sep="\t", file=out)
            print(*ngrams[:3], *ngrams[3::97], sep="\n", file=out)


if __name__ == "__main__":
    main()
