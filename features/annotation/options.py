"""Options that choose the features added to rules."""

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
from sbmt.ppdb.rule import DEFAULT_OWNER
from sbmt.text.comments import read_entries

_SEVERAL_WORDS = re.compile(r"\s|[^\W\d][,;]|[,;][^\W\d]")  # 10,000 is one word


@dataclass(frozen=True, slots=True)
class FeatureOptions:
    """Language models by name, a list of common words, the language, and whether to replace features that rules have.

    `owner` names values without a label in the rules that are read, tm_OWNER_i.
    """

    language_models: Mapping[str, str] = field(default_factory=dict)
    common_words: str | None = None
    language: str = "en"
    replace: bool = False
    owner: str = DEFAULT_OWNER

    def read_common_words(self) -> frozenset[str] | None:
        """Return the words of the list, if there is one.

        Raises SbmtError for a file that cannot be read, or has more than one word on a line.
        """
        if self.common_words is None:
            return None
        words = set()
        for number, entry in read_entries(self.common_words):
            if _SEVERAL_WORDS.search(entry):
                cure = "one word a line: of a table, cut -f 1 keeps the first column"
                raise FormatError(self.common_words, number, f"{quoted(entry)} is more than one word", cure)
            words.add(entry.lower())
        return frozenset(words)

    def annotator(self, common: frozenset[str] | None = None) -> Annotator:
        """Load what the features need; raises SbmtError for a file that cannot be used.

        `common`: the words of the list if they have been read already (a stream can be read only once).
        """
        common = self.read_common_words() if common is None else common
        families: list[FeatureFamily] = [Shape(), Simplicity(common, self.language)]
        families += [LanguageModelScores(name, path) for name, path in self.language_models.items()]
        return Annotator(families, self.replace)

    def files(self) -> dict[str, tuple[int, int]]:
        """Return size and modification time of the files that the features are computed with, without pipes."""
        paths = filter(None, [self.common_words, *self.language_models.values()])
        statuses = {path: os.stat(path) for path in paths if Path(path).is_file()}
        return {path: (status.st_size, status.st_mtime_ns) for path, status in statuses.items()}
