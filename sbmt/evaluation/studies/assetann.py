"""ASSETann (Cardon et al. 2022): annotated operations of ASSET's references, their effect on SARI's parts, subsets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from sbmt.data.registry import find_entry
from sbmt.data.testsets import TestSet, getting, load_test_set
from sbmt.errors import FormatError, counted
from sbmt.evaluation.operations import DEVELOPED, LABELS, operations
from sbmt.evaluation.studies.files import data_root, locate
from sbmt.evaluation.studies.lasso import cross_validated
from sbmt.evaluation.studies.request import Request
from sbmt.evaluation.studies.table import AS_IF_INDEPENDENT, Figure, Study, Table, share_figure
from sbmt.io import read_lines
from sbmt.metrics.registry import get_metric
from sbmt.ppdb.learn.pair_lists import read_pair_list

ERROR = "err"  # a pair that its annotators found not to be a simplification
SUBSETS = ("lexical", "synt", "addGuide", "delGuide", "replGuide", "new")
OUTPUTS = "easse-outputs"  # of the systems whose mean stands for Table 4's here
PUBLISHED_DROP = -3.5  # of SARI on the lexical subset; from notes, the paper's table was not at hand
_ANY = {"any del*": "del", "any in*": "in"}  # groups of labels by their beginning
NOT_AT_HAND = "not at hand when this was written, so there are none next to ours."


@dataclass(frozen=True, slots=True)
class _Pair:
    """A source, one of its references, and the labels of the operations between them."""

    number: int  # of the source, from 0
    source: str
    reference: str
    others: list[str]  # the source's other references
    labels: frozenset[str]


def study(request: Request) -> Study:
    """Recompute from `assetann-annotations`, the sets of `assetann`, ASSET's test set and outputs of systems.

    Those are `easse-outputs`, if present, and the request's.
    """
    root = data_root("assetann-annotations", request.folder)
    pairs = list(_read_pairs(locate("assetann-annotations", request.folder), load_test_set("assetann/full", root)))
    synonyms = read_synonyms(request.pairs) if request.pairs else frozenset()
    published, missing = published_outputs(root)
    systems = published | {f"{name} (yours)": lines for name, lines in request.systems.items()}
    subsets = _subsets(root, systems, list(published)) if systems else ()
    tables = [_counts(pairs), _detected(pairs, synonyms), *_lasso(pairs, request.rng), *subsets]
    return Study("assetann", tables, missing=missing)


def read_synonyms(path: str) -> frozenset[tuple[str, str]]:
    """Return the pairs of single words in a list of pairs, in lower case."""
    pairs = (pair for pair in read_pair_list(path) if len(pair.source) == len(pair.target) == 1)
    return frozenset((pair.source[0].lower(), pair.target[0].lower()) for pair in pairs)


def _read_pairs(files: Sequence[Path], full: TestSet) -> Iterator[_Pair]:
    """Yield the pairs that are annotated as simplifications; `files` has one for each reference of the sources."""
    for column, path in enumerate(files):
        lines = list(read_lines(path))
        if len(lines) != len(full.sources):
            raise FormatError(str(path), None, f"has {counted(len(lines), 'line')}, expected {len(full.sources)}")
        for number, line in enumerate(lines):
            labels = frozenset(read_labels(line, path, number + 1))
            references = full.references[number]
            if ERROR not in labels:
                others = [*references[:column], *references[column + 1 :]]
                yield _Pair(number, full.sources[number], references[column], others, labels)


def read_labels(line: str, path: Path, number: int) -> Iterator[str]:
    """Yield the labels of `N SOURCE:OUTPUT:LABEL ...`, SOURCE and OUTPUT being word positions; `number` is the line's.

    Raises FormatError for a field of another form.
    """
    for field in line.split()[1:]:
        if field.count(":") != 2:
            raise FormatError(str(path), number, f"{field!r} is not of the form SOURCE:OUTPUT:LABEL")
        yield field.rpartition(":")[2]


def _counts(pairs: Sequence[_Pair]) -> Table:
    label_counts = Counter(label for pair in pairs for label in pair.labels)
    figures = [Figure(label, count) for label, count in label_counts.most_common()]
    reason = (
        f"Pairs that contain the label, of {len(pairs)} without `{ERROR}`. The paper's counts are said to be about 1 % "
        "lower. The public history of the annotations has one change, of six characters, which does not explain that."
    )
    title = "Pairs with each operation"
    return Table(title, of="ASSETann, Table 1", reason=reason, figures=figures, read=NOT_AT_HAND)


def _detected(pairs: Sequence[_Pair], synonyms: frozenset[tuple[str, str]]) -> Table:
    """Return precision and recall of sbmt's labels, by pairs with each label, on sources not used in development."""
    unseen = [pair for pair in pairs if pair.number >= DEVELOPED]
    predicted: Counter[str] = Counter()
    expected: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for pair in unseen:
        detected = operations(pair.source.split(), pair.reference.split(), synonyms)
        ours, theirs = _with_any(detected), _with_any(pair.labels)
        predicted.update(ours)
        expected.update(theirs)
        right.update(ours & theirs)
    figures = []
    for label in (*LABELS, *_ANY):
        figures.append(share_figure(f"{label} precision", right[label], predicted[label]))
        figures.append(share_figure(f"{label} recall", right[label], expected[label]))
    reason = (
        f"sbmt's labels from strings alone against the annotations of the {len(unseen)} pairs from source "
        f"{DEVELOPED + 1} on; which rules to keep was decided on those before. The paper has no such figures. "
        f"{AS_IF_INDEPENDENT}"
    )
    title = "Operations told from strings"
    return Table(title, of="sbmt.evaluation.operations", reason=reason, figures=figures)


def _with_any(labels: frozenset[str]) -> frozenset[str]:
    """Return the labels and the groups that any of them belongs to."""
    return labels | {name for name, start in _ANY.items() if any(label.startswith(start) for label in labels)}


def _lasso(pairs: Sequence[_Pair], rng: np.random.Generator) -> Iterator[Table]:
    """Yield the operations that raise or lower each part of SARI when a reference is scored against the others."""
    labels = sorted({label for pair in pairs for label in pair.labels})
    x = np.array([[float(label in pair.labels) for label in labels] for pair in pairs])
    metric = get_metric("sari")
    rows = metric.count_outputs(
        [pair.source for pair in pairs], [pair.others for pair in pairs], [pair.reference for pair in pairs]
    )
    sources = [pair.number for pair in pairs]
    for part, values in metric.parts(rows).items():
        coefficients, explained = cross_validated(x, values, sources, rng)
        ranked = sorted(zip(labels, coefficients, strict=True), key=lambda pair: -abs(pair[1]))
        figures = [Figure(label, float(b)) for label, b in ranked if b]
        reason = (
            "Points of the part for one standard deviation of the operation; variance explained in held-out sources: "
            f"{explained:.3f}. Another penalty or scale gives other sizes: only signs and order compare."
        )
        title = f"Lasso of SARI's {part} on operations"
        yield Table(title, of="ASSETann, Table 3", reason=reason, figures=figures, read=NOT_AT_HAND)


def published_outputs(root: Path) -> tuple[dict[str, list[str]], list[str]]:
    """Return the outputs of systems in EASSE's repository, checked, by system, and what is missing if some are."""
    systems, lacking = {}, []
    for file in find_entry(OUTPUTS).files:
        path = file.find(root)
        if path is None:
            lacking.append(root / file.path)
        else:
            file.check(path, f"{getting(OUTPUTS, root)} gets it again")
            systems[path.name] = list(read_lines(path))
    if not lacking:
        return systems, []
    names = ", ".join(path.name for path in lacking)
    what = f"ASSETann's Table 4 needs the outputs of {names} (looked for in {lacking[0].parent})"
    return systems, [f"{what}: {getting(OUTPUTS, root)}"]


def _subsets(root: Path, systems: Mapping[str, list[str]], averaged: Sequence[str]) -> Iterator[Table]:
    """Yield SARI on subsets of the references, with blank ones counted as references, as published, and absent."""
    full = load_test_set("asset/test", root)
    for subset in SUBSETS:
        part = load_test_set(f"assetann/{subset}", root)
        numbers = part.part.numbers if part.part else range(len(full.sources))
        whole = TestSet("all", part.sources, [full.references[k] for k in numbers])
        outputs = {name: [lines[k] for k in numbers] for name, lines in systems.items()}
        yield subset_changes(subset, part, whole, outputs, averaged)


def subset_changes(
    subset: str, part: TestSet, whole: TestSet, systems: dict[str, list[str]], averaged: Sequence[str]
) -> Table:
    """Return how SARI changes from all references of the sentences to those of `part`; the mean is over `averaged`."""
    base = _sari(whole, systems, "absent")
    figures: list[Figure] = []
    for blank in ("counted", "absent"):
        changes = {name: value - base[name] for name, value in _sari(part, systems, blank).items()}
        paper = PUBLISHED_DROP if subset == "lexical" and blank == "counted" else None
        figures += [Figure(f"{name}, blank lines {blank}", value) for name, value in changes.items()]
        if averaged:
            mean = float(np.mean([changes[name] for name in averaged]))
            figures.append(Figure(f"mean, blank lines {blank}", mean, paper))
    reason = (
        "SARI minus that with all references of the same sentences. Removed references are blank lines; counted as "
        "references, which EASSE does, they lower the score, so that the published drop says little of the operations. "
        "The paper's mean is over systems of its own choice, ours over those that EASSE carries."
    )
    read = (
        NOT_AT_HAND if subset != "lexical" else "the mean drop alone, from notes, not compared with the paper's text."
    )
    title = f"Change of SARI on the subset {subset}"
    return Table(title, of="ASSETann, Table 4", reason=reason, figures=figures, read=read)


def _sari(data: TestSet, systems: dict[str, list[str]], blank: str) -> dict[str, float]:
    metric = get_metric("sari:easse", blank=blank)
    prepared = metric.prepare_many(data.sources, data.references)
    return {name: metric.corpus(metric.corpus_statistics(prepared, lines)).value for name, lines in systems.items()}
