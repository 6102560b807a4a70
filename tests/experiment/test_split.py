"""Development runs see nothing of what they are scored on."""

from __future__ import annotations

from experiment.split import development_split, final_split

from tests.corpora import DATA, needs_data


@needs_data
def test_development_learns_from_1600_sentences_and_is_scored_on_the_other_400_of_tune() -> None:
    development, final = development_split(str(DATA), None), final_split(str(DATA), None)
    pairs = [list(zip(part.sources, part.references, strict=True)) for part in (development.tune, development.decoded)]
    assert [len(part) for part in pairs] == [1600, 400]
    everything = list(zip(final.tune.sources, final.tune.references, strict=True))
    assert sorted(pairs[0] + pairs[1]) == sorted(everything)
    assert final.decoded.name.endswith("/test")
