"""Which features rules are given, as the command line and scripts choose them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from sbmt.features.annotate import Annotator
from sbmt.features.base import FeatureFamily
from sbmt.features.language import LanguageModelScores
from sbmt.features.shape import Shape
from sbmt.features.simplicity import Simplicity
from sbmt.io import read_lines


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
        """The words of the list, if there is one; raises SbmtError for a file that cannot be read."""
        if self.common_words is None:
            return None
        lines = map(str.strip, read_lines(self.common_words))
        return frozenset(line.lower() for line in lines if line)

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
