"""`python -m tools.site.included_games` writes the table in docs/reference/included-games.md."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from croupier.analysis.house_edges import analyze_wager
from croupier.analysis.published import compare_published
from croupier.analysis.results import ratio
from croupier.analysis.wagers import wagers_of
from croupier.plugins.discovery import shipped_editions
from croupier.regulations import Edition, edition

START, END = "<!-- the table: python -m tools.site.included_games -->", "<!-- end of the table -->"


def edges_table() -> str:
    """A Markdown table of every wager of the included games: exact and published edges, and the source."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield "| game | wager | table | edge, of | exact | | published | source |"
    yield "| --- | --- | --- | --- | ---: | --- | ---: | --- |"
    for rules in map(edition, shipped_editions()):
        comparisons = list(compare_published(rules))
        ends = [hold for hold in rules.published for _ in ("low", "high")]
        keys = set()
        for hold, comparison in zip(ends, comparisons, strict=True):
            key = (hold.wager, hold.per, comparison.published, comparison.table)
            if key in keys:
                continue
            keys.add(key)
            agrees = comparison.verdict.startswith("reproduced")
            published = f"{comparison.published.removesuffix('%')} %" + ("" if agrees else ", differs")
            exact = f"{float(comparison.computed * 100):.4f} % | {ratio(comparison.computed)}"
            labels = f"| {rules.title} | {_title(rules, hold.wager)} | {comparison.table} | {hold.per}"
            yield f"{labels} | {exact} | {published} | {hold.source} |"
        for wager in wagers_of(rules.elect()):
            if wager not in {hold.wager for hold in rules.published}:
                yield from _unpublished(rules, wager)


def _unpublished(rules: Edition, wager: str) -> Iterator[str]:
    edge = analyze_wager(rules.elect(), wager).house_edge
    exact = f"{float(edge * 100):.4f} % | {ratio(edge)}"
    yield f"| {rules.title} | {_title(rules, wager)} | A | wager | {exact} | | none found |"


def _title(rules: Edition, wager: str) -> str:
    return "required wagers" if wager in rules.required else rules.wagers[wager].title


if __name__ == "__main__":
    path = Path("docs/reference/included-games.md")
    before, _, rest = path.read_text(encoding="utf-8").partition(START)
    path.write_text(f"{before}{START}\n{edges_table()}{END}{rest.partition(END)[2]}", encoding="utf-8")
