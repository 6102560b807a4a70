"""Which features rules are given, as the command line and scripts choose them."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from sbmt.errors import FormatError, quoted
from sbmt.features.annotation.annotate import Annotator
from sbmt.features.rule.base import FeatureFamily
from sbmt.features.rule.language import LanguageModelScores
from sbmt.features.rule.shape import Shape
from sbmt.features.rule.simplicity import Simplicity
from sbmt.text.comments import read_entries

_SEVERAL = re.compile(r"\s|[^\W\d][,;]|[,;][^\W\d]")  # but 10,000 is a word


@dataclass(frozen=True, slots=True)
class FeatureOptions:
    """Which features: language models by name, a common-word list, the language, whether to replace what rules have.

    `owner` names the values that rules bring without a label, tm_OWNER_i.
    """

    language_models: Mapping[str, str] = field(default_factory=dict)
    common_words: str | None = None
    language: str = "en"
    replace: bool = False
    owner: str = "pt"

    def read_common_words(self) -> frozenset[str] | None:
        """The words of the list, if there is one.

        Raises SbmtError for a file that cannot be read, or has more than one word on a line.
        """
        if self.common_words is None:
            return None
        words = set()
        for number, entry in read_entries(self.common_words):
            if _SEVERAL.search(entry):
                cure = "one word a line: of a table, cut -f 1 keeps the first column"
                raise FormatError(self.common_words, number, f"{quoted(entry)} is more than one word", cure)
            words.add(entry.lower())
        return frozenset(words)

    def annotator(self, common: frozenset[str] | None = None) -> Annotator:
        """Load what the features need; raises SbmtError for a file that cannot be used.

        `common`: the words of the list, where they were read before. It may be a stream, which is read only once.
        """
        common = self.read_common_words() if common is None else common
        families: list[FeatureFamily] = [Shape(), Simplicity(common, self.language)]
        families += [LanguageModelScores(name, path) for name, path in self.language_models.items()]
        return Annotator(families, self.replace)

    def files(self) -> dict[str, tuple[int, int]]:
        """Size and time of the files that the features are made with, but for pipes, which have none of their own."""
        named = filter(None, [self.common_words, *self.language_models.values()])
        found = {path: os.stat(path) for path in named if Path(path).is_file()}
        return {path: (status.st_size, status.st_mtime_ns) for path, status in found.items()}
