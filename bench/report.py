"""Results as a table for people and as JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from bench.result import Result

HEADINGS = ("benchmark", "figure", "compared with", "ratio", "target", "met")
RIGHT_ALIGNED = (False, True, False, True, True, False)


def as_table(machine: dict[str, str], results: Sequence[Result]) -> str:
    """The machine, then one line per result."""
    rows = [HEADINGS, *(_cells(result) for result in results)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADINGS))]
    lines = [_line(row, widths) for row in rows]
    lines.insert(1, "  ".join("-" * width for width in widths))
    machine_lines = [f"{name}: {value}" for name, value in machine.items()]
    return "\n".join([*machine_lines, "", *lines])


def write_json(path: Path, machine: dict[str, str], results: Sequence[Result]) -> None:
    """Writes the machine and the results as JSON."""
    entries = [asdict(result) | {"met": result.met} for result in results]
    path.write_text(json.dumps({"machine": machine, "results": entries}, indent=2) + "\n")


def _cells(result: Result) -> tuple[str, ...]:
    value = result.value if isinstance(result.value, str) else _round(result.value)
    ratio = "" if result.ratio is None else _round(result.ratio)
    target = f">= {result.target:g}" if isinstance(result.target, float) else result.target or ""
    target = target if result.limit is None else f"<= {result.limit:g}"
    met = "" if result.met is None else "yes" if result.met else "NO"
    return result.name, f"{value} {result.unit}".strip(), result.reference, ratio, target, met


def _round(figure: float) -> str:
    """About three significant digits, with at most three decimals."""
    places = 0 if figure >= 100 else 1 if figure >= 10 else 2 if figure >= 0.1 else 3
    return f"{figure:.{places}f}"


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    aligned = [
        cell.rjust(width) if right else cell.ljust(width)
        for cell, width, right in zip(cells, widths, RIGHT_ALIGNED, strict=True)
    ]
    return "  ".join(aligned).rstrip()
