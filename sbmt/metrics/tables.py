"""Results of many systems and metrics as tables: terminal, JSON, CSV, LaTeX, sentence by sentence."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from typing import IO, Any

from sbmt.metrics.evaluate import Result

Table = Mapping[str, Mapping[str, Result]]  # system -> metric -> result


def write_json(table: Table, out: IO[str], sentence_level: bool = False) -> None:
    """Write {system: {metric: {score, parts, interval, signature}}}, with p_value and sentences where asked for."""
    cells = {
        system: {name: cell(result, sentence_level) for name, result in results.items()}
        for system, results in table.items()
    }
    json.dump(cells, out, indent=1, ensure_ascii=False)
    out.write("\n")


def cell(result: Result, sentence_level: bool = False) -> dict[str, Any]:
    """Return a result as JSON has it."""
    made: dict[str, Any] = {
        "score": result.score.value,
        "parts": result.score.parts,
        "interval": list(result.interval) if result.interval else None,
        "signature": result.score.signature,
    }
    if result.p_value is not None:
        made["p_value"] = result.p_value
    if sentence_level:
        made["sentences"] = result.sentences.tolist()
    return made


def write_sentences(table: Table, out: IO[str], delimiter: str) -> None:
    """Write a line a sentence, a column a system and metric."""
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    columns = {
        f"{system} {name}": r.sentences.tolist() for system, results in table.items() for name, r in results.items()
    }
    writer.writerow(["sentence", *columns])
    for number, row in enumerate(zip(*columns.values(), strict=True), 1):
        writer.writerow([number, *row])


def write_brief(table: Table, out: IO[str], width: int) -> None:
    """Write bare numbers, a line a system, `width` decimals."""
    for results in table.values():
        print("\t".join(f"{result.score.value:.{width}f}" for result in results.values()), file=out)


def write_csv(table: Table, out: IO[str]) -> None:
    """Write a line a system and metric, unrounded."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["system", "metric", "score", "low", "high", "p_value", "parts", "signature"])
    for system, results in table.items():
        for name, result in results.items():
            p_value = "" if result.p_value is None else result.p_value
            bounds = result.interval or ("", "")
            parts = " ".join(f"{part}={value}" for part, value in result.score.parts.items())
            writer.writerow([system, name, result.score.value, *bounds, p_value, parts, result.score.signature])


def write_table(table: Table, out: IO[str], width: int) -> None:
    """Write aligned columns, then each metric's signature and parts."""
    metrics = list(next(iter(table.values())))
    rows = [["system", *metrics]]
    for system, results in table.items():
        rows.append([system, *(_figure(result, width) for result in results.values())])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [cell.rjust(size) for cell, size in zip(row[1:], widths[1:], strict=True)]
        print("  ".join([row[0].ljust(widths[0]), *cells]), file=out)
    for metric in metrics:
        print(f"\n{next(iter(table.values()))[metric].score.signature}", file=out)
        for system, results in table.items():
            if results[metric].score.parts:
                print(f"  {system}: {_parts(results[metric], width)}", file=out)


def _figure(result: Result, width: int) -> str:
    text = f"{result.score.value:.{width}f}"
    if result.interval:
        low, high = result.interval
        text += f" [{low:.{width}f}, {high:.{width}f}]"
    if result.p_value is not None:
        text += f" p={result.p_value:.4f}"
    return text


def _parts(result: Result, width: int) -> str:
    return ", ".join(f"{name} {value:.{width}f}" for name, value in result.score.parts.items())


def write_latex(table: Table, out: IO[str], width: int) -> None:
    """Write a booktabs table with the signatures and parts as comments."""
    metrics = list(next(iter(table.values())))
    print(f"\\begin{{tabular}}{{l{'r' * len(metrics)}}}\n\\toprule", file=out)
    print(" & ".join(["System", *map(_escape, metrics)]), r"\\ \midrule", file=out)
    for system, results in table.items():
        cells = [f"{result.score.value:.{width}f}" for result in results.values()]
        print(" & ".join([_escape(system), *cells]), r"\\", file=out)
    print("\\bottomrule\n\\end{tabular}", file=out)
    for system, results in table.items():
        for result in results.values():
            print(f"% {system}: {result.score.signature}: {_parts(result, width)}".rstrip(": "), file=out)


def _escape(text: str) -> str:
    return "".join(f"\\{character}" if character in "&%$#_{}" else character for character in text)
