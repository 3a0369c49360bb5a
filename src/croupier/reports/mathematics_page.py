"""The mathematics report as a page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from croupier.analysis.house_edges import REQUIRED
from croupier.reports.documents import as_html, percent


def report_html(data: Mapping[str, Any]) -> str:
    """The page of a report; the same for the same data."""
    required = data["wagers"][REQUIRED]
    streets = required["decisions"]
    titles = [wager["title"] for wager in data["rules"]["wagers"] if wager["required"]]
    together = f"{', '.join(titles[:-1])} and {titles[-1]}"
    edges = [
        (
            together if name == REQUIRED else data["titles"][name],
            found["house_edge_percent"],
            percent(found["house_edge"]),
        )
        for name, found in data["wagers"].items()
    ]
    return as_html(
        "report",
        data,
        required_title=together,
        edges=edges,
        streets=[streets] if isinstance(streets, dict) else streets,
        funnel_bands=[(b["rounds"], b["from_percent"], b["to_percent"]) for b in data["bands"][REQUIRED]],
        elective=any(reading["elective"] for reading in data["identity"]["readings"]),
    )
