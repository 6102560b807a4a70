"""Tables and what is compared, on sentences of our own."""

from __future__ import annotations

from pathlib import Path

import pytest
from experiment.composition import COMPOSITIONS, LANGUAGE_MODELS, VARIANTS, RuleSet, Scale
from experiment.figures import Figure, all_figures, metric_times, quality_figures
from experiment.published import ASSET, EASSE, PAPER, published
from experiment.rules import write_grammars
from experiment.systems import System, own_system, released_systems
from experiment.tables import cell, document, markdown, quality_table, ranking_table

from sbmt.data.testsets import TestSet
from sbmt.metrics import Resampling, evaluate, get_metric
from sbmt.ppdb.packed import packed_rules
from sbmt.version import __version__

SOURCES = ["He utilized a tool .", "They commenced the work ."]
REFERENCES = [["He used a tool .", "He used a thing ."], ["They began the work .", "They started the work ."]]
SCALE = Scale(samples=50, test_samples=50)


def test_figures_hold_all_runs_the_interval_and_the_published_value() -> None:
    references = [["He used a tool.", "He used a thing."], ["They began the work.", "They started the work."]]
    test_set = TestSet(EASSE, ["He utilized a tool.", "They commenced the work."], references)
    systems = [
        System("source", "references", (test_set.sources,)),
        own_system("mine", [[lines[0] for lines in references], test_set.sources]),
        System("tokens only", "released", (), (SOURCES,)),
    ]
    figures = {(f.system, f.metric): f for f in all_figures(systems, {EASSE: test_set}, SCALE)}
    mine, source = figures["mine", "sari:easse"], figures["source", "sari:easse"]
    assert mine.value == pytest.approx((mine.runs[0] + source.value) / 2)
    assert mine.runs[0] > mine.runs[1] == pytest.approx(source.value)
    assert source.published == 26.29
    assert mine.published is None
    assert mine.interval is not None
    assert mine.interval[0] <= mine.value <= mine.interval[1] < mine.runs[0]  # the first run's interval reaches that
    resampling = Resampling(samples=SCALE.samples)
    alone = evaluate(get_metric("sari:easse"), test_set.sources, references, {"source": test_set.sources}, resampling)
    assert source.interval == alone["source"].interval
    assert "nrefs:2" in mine.signature
    assert ("tokens only", "sari:easse") not in figures


def test_own_outputs_are_scored_in_the_paper_s_tokens() -> None:
    assert own_system("mine", [["It isn't (very) big."]]).tokens == (["it is n't -lrb- very -rrb- big ."],)


def test_released_outputs_are_scored_in_lower_case_where_the_paper_s_are(tmp_path: Path) -> None:
    """Whatever the case of a file that is called lower-cased."""
    texts = {
        "turkcorpus/data/systemoutputs/moses.test.output.1rerank": "a tool .",
        "turkcorpus/data/systemoutputs/glbleu30it.test.output.1best": "a tool .",
        "turkcorpus/data/systemoutputs/sari30it.test.output.1best": "a tool .",
        "easse/system_outputs/turkcorpus/test/UNMT": "A Tool.",
        "easse/system_outputs/turkcorpus/test/tok.low/UNMT.tok.low": "a Tool .",
    }
    for name, line in texts.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(line + "\n")
    systems = {system.name: system for system in released_systems(tmp_path, 1)}
    assert (systems["UNMT"].cased, systems["UNMT"].tokens) == ((["A Tool."],), (["a tool ."],))


def test_published_figures_stand_under_the_program_that_made_them() -> None:
    known = published()
    assert known[PAPER, "SBMT-SARI", "sari:xu2016"] == 37.91
    assert known[PAPER, "source", "sari:joshua"] == 26.05
    assert (PAPER, "source", "sari:xu2016") not in known
    assert known[EASSE, "ACCESS", "fk:easse"] == 7.29
    assert known[EASSE, "DMASS-DCSS", "bleu:easse"] == 73.29
    assert known[PAPER, "Hybrid", "sari:easse-legacy"] == 31.40


def test_a_reference_is_scored_against_the_others_but_in_the_paper_s_tables() -> None:
    first = [references[0] for references in REFERENCES]
    systems = [
        System("Turker 1", "references", (first,), (first,), reference=0),
        System("SBMT-SARI", "released", (SOURCES,), (SOURCES,)),
    ]
    test_sets = {name: TestSet(name, SOURCES, REFERENCES) for name in (PAPER, EASSE, ASSET)}
    figures = {(f.test_set, f.system, f.metric): f for f in all_figures(systems, test_sets, SCALE)}
    support = {name: figures[name, "Turker 1", "support"] for name in test_sets}
    # Of "used" and "began" the other reference has the first.
    assert {name: figure.value for name, figure in support.items()} == {PAPER: 50, EASSE: 50, ASSET: 100}
    assert ["nrefs:1" in figure.signature for figure in support.values()] == [True, True, False]
    assert support[EASSE].p_value is not None
    assert "nrefs:2" in figures[EASSE, "SBMT-SARI", "support"].signature
    assert figures[PAPER, "Turker 1", "bleu:xu2016"].value == 100


def test_former_conventions_are_of_the_outputs_that_easse_has() -> None:
    own, carried = [references[0] for references in REFERENCES], [references[1] for references in REFERENCES]
    systems = [System("Hybrid", "released", (own,), (own,), (carried,)), System("mine", "ours", (own,), (own,))]
    test_set = TestSet(PAPER, SOURCES, [references[1:] for references in REFERENCES])
    figures = {(f.system, f.metric): f for f in all_figures(systems, {PAPER: test_set}, SCALE)}
    assert figures["Hybrid", "bleu:sacrebleu"].value == pytest.approx(100)
    assert figures["Hybrid", "bleu:sacrebleu"].published == 48.97
    assert figures["Hybrid", "bleu:xu2016"].value == figures["mine", "bleu:xu2016"].value < 100
    assert figures["mine", "bleu:sacrebleu"].value < 100


def test_quality_features_stand_beside_published_ones() -> None:
    systems = [System("PBMT-R", "released", (SOURCES,), (SOURCES,))]
    figures = quality_figures(systems, TestSet(PAPER, SOURCES, REFERENCES))
    assert quality_table(figures).splitlines()[:3] == [
        "| system | compression ratio | exact copy | additions | deletions |",
        "| --- | --- | --- | --- | --- |",
        "| PBMT-R | 1.00 (published 0.95) | 1.00 (published 0.10) | 0.00 (published 0.10) | 0.00 (published 0.11) |",
    ]
    assert "published" not in quality_table(quality_figures(systems, TestSet(EASSE, SOURCES, REFERENCES)))


def test_a_cell_shows_mean_range_interval_and_published_value() -> None:
    figure = Figure("t", "s", "sari:easse", 40.5, {}, (38.96, 41.04), None, "SARI", (40.0, 41.0), 39.5)
    assert cell(figure) == "40.50 (40.00 to 41.00) [39.0, 41.0] (published 39.50)"
    words = Figure("t", "s", "length:words", 22.6, {}, None, None, "length", (22.6,), 23)
    assert cell(words) == "22.60 (published 23)"


def test_markdown_escapes_bars() -> None:
    assert markdown(["a", "b"], [["x|y", "z"]]) == "| a | b |\n| --- | --- |\n| x\\|y | z |"


def test_rankings_of_different_length_share_a_table() -> None:
    table = ranking_table({"one": {"big": ["large", "huge"]}, "two": {"big": ["great"]}}, "big")
    assert table.splitlines()[2:] == ["| 1 | large | great |", "| 2 | huge |  |"]


def test_the_document_has_every_table() -> None:
    test_set = TestSet(PAPER, SOURCES, REFERENCES)
    systems = [System("source", "references", (SOURCES,), (SOURCES,))]
    figures = all_figures(systems, {PAPER: test_set}, SCALE)
    step = {"name": "text", "seconds": 2.0, "cpu_seconds": 1.0, "peak_mb": 7}
    results = {
        "quick": False,
        "rankings": {"best": {"big": ["large (1.00)"]}},
        "quality": quality_figures(systems, TestSet(EASSE, SOURCES, REFERENCES)),
        "quality_tokenised": quality_figures(systems, test_set),
        "times": metric_times(systems, test_set),
        "steps": [step, step],
    }
    text = document(results, figures)
    signature = f"quality|tok:13a|case:lc|sentences:sentencex|ranks:wordfreq|v:{__version__}"
    assert results["quality"]["signature"] == signature
    for part in (
        "Table 2",
        "Table 3",
        "Table 4",
        "Table 5",
        "Table 6",
        "former",
        "large (1.00)",
        "SARI|var:joshua",
        "| all | 4 | 2 | 7 |",
    ):
        assert part in text
    assert "quick run" not in text
    assert "quick run" in document({**results, "quick": True}, figures)


def test_rule_sets_part_by_source_and_fold(tmp_path: Path) -> None:
    crowd, tune = tmp_path / "crowd", tmp_path / "tune"
    crowd.mkdir()
    tune.mkdir()
    (crowd / "grammar.gz").write_text(
        "[X] ||| utilized ||| used ||| p(e|f)=1 Listed=1\n[X] ||| commenced ||| began ||| p(e|f)=2 Listed=0\n"
    )
    (tune / "grammar.gz").write_text("[X] ||| utilized ||| used ||| p(e|f)=0.5\n[X] ||| tool ||| thing ||| p(e|f)=3\n")
    (tune / "grammar.fold0.gz").write_text(
        "[X] ||| tool ||| thing ||| p(e|f)=3\n[X] ||| unused ||| idle ||| p(e|f)=1\n"
    )
    (tmp_path / "source").write_text("He utilized a tool .\n")
    (tmp_path / "decoded").write_text("They commenced .\n")
    folders = {"ppdb": crowd, "crowd": crowd, "tune": tune}
    names = ("p(e|f)", "tune:p(e|f)", "ppdb:p(e|f)", "crowd:p(e|f)", "LearntOnly")

    def written(*sources: str) -> dict[str, dict[str, dict[str, float]]]:
        out = tmp_path / "-".join(sources)
        write_grammars(RuleSet(sources), folders, tmp_path, None, 1, 1, out)
        return {
            file.name: {
                " ".join(rule.target): {name: rule.features[name] for name in names if name in rule.features}
                for rule in packed_rules(file)
            }
            for file in sorted(out.iterdir())
        }

    assert written("ppdb") == {"grammar.packed": {"used": {"p(e|f)": 1}}}
    began = {"crowd:p(e|f)": 2, "LearntOnly": 1}
    assert written("tune", "ppdb", "crowd") == {
        "grammar.packed": {"used": {"p(e|f)": 0.5, "ppdb:p(e|f)": 1}, "thing": {"p(e|f)": 3}, "began": began},
        "grammar.fold0.packed": {"used": {"ppdb:p(e|f)": 1, "LearntOnly": 1}, "thing": {"p(e|f)": 3}, "began": began},
    }


def test_compositions_name_what_there_is() -> None:
    for compositions in (COMPOSITIONS, VARIANTS):
        assert len({composition.name for composition in compositions}) == len(compositions)
    for composition in (*COMPOSITIONS, *VARIANTS):
        assert set(composition.language_models) <= set(LANGUAGE_MODELS)
        assert {f"lm_{i}" for i in range(len(composition.language_models))} <= set(composition.weights)
        assert {source for rules in composition.rules for source in rules.all_sources} <= {
            "starter",
            "ppdb",
            "crowd",
            "tune",
        }
    crossfitted = {composition.name for composition in COMPOSITIONS if composition.crossfitted()}
    assert "best" in crossfitted
    assert not crossfitted & {"sbmt-bleu", "sbmt-fkbleu", "sbmt-sari"}  # these must not learn rules from tune
