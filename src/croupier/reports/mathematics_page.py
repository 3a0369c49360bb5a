"""The mathematics report as a page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from croupier.analysis.wagers import REQUIRED
from croupier.regulations import edition
from croupier.reports.documents import format_percent, render_html
from croupier.reports.odds import row_clauses


def report_html(data: Mapping[str, Any]) -> str:
    """The page of a report, which depends on its data alone."""
    required_result = data["wagers"][REQUIRED]
    streets = required_result["decisions"]
    titles = [wager["title"] for wager in data["rules"]["wagers"] if wager["required"]]
    required_title = f"{', '.join(titles[:-1])} and {titles[-1]}"
    edges = [
        (
            required_title if name == REQUIRED else data["titles"][name],
            result["house_edge_percent"],
            format_percent(result["house_edge"]),
        )
        for name, result in data["wagers"].items()
    ]
    return render_html(
        "report",
        data,
        required_title=required_title,
        edges=edges,
        streets=[streets] if isinstance(streets, dict) else streets,
        funnel_bands=[(b["rounds"], b["from_percent"], b["to_percent"]) for b in data["bands"][REQUIRED]],
        row_clauses=row_clauses(edition(data["identity"]["edition"])),
        elective=any(reading["elective"] for reading in data["identity"]["readings"]),
    )
