"""`python -m croupier.authoring.comparing` writes the table of docs/added-games.md: exact edges and published ones."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from croupier.maths.analysis import analyse_wager, wagers_of
from croupier.maths.published import compare_published
from croupier.maths.results import ratio
from croupier.rules import Edition, edition
from croupier.rules.added import shipped

START, END = "<!-- the table: python -m croupier.authoring.comparing -->", "<!-- end of the table -->"
_PER = {"Ante": "Ante", "total wagered": "all that is wagered", "wager": "wager"}


def table() -> str:
    """Every wager of the games that come along: what is exact, what was published, by whom."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield "| game | wager | table | edge, of | exact | | published | source |"
    yield "| --- | --- | --- | --- | ---: | --- | ---: | --- |"
    for rules in map(edition, shipped()):
        compared = list(compare_published(rules))
        ends = [hold for hold in rules.published for _ in ("low", "high")]
        seen = set()
        for hold, found in zip(ends, compared, strict=True):
            key = (hold.wager, hold.per, found.published, found.table)
            if key in seen:
                continue
            seen.add(key)
            agrees = found.verdict.startswith("reproduced")
            says = f"{found.published.removesuffix('%')} %" + ("" if agrees else ", differs")
            exact = f"{float(found.computed * 100):.4f} % | {ratio(found.computed)}"
            what = f"| {rules.title} | {_title(rules, hold.wager)} | {found.table} | {_PER[hold.per]}"
            yield f"{what} | {exact} | {says} | {hold.source} |"
        for wager in wagers_of(rules.elect()):
            if wager not in {hold.wager for hold in rules.published}:
                yield from _unpublished(rules, wager)


def _unpublished(rules: Edition, wager: str) -> Iterator[str]:
    edge = analyse_wager(rules.elect(), wager).house_edge
    exact = f"{float(edge * 100):.4f} % | {ratio(edge)}"
    yield f"| {rules.title} | {_title(rules, wager)} | A | wager | {exact} | | none found |"


def _title(rules: Edition, wager: str) -> str:
    return "required wagers" if wager in rules.required else rules.wagers[wager].title


if __name__ == "__main__":
    path = Path("docs/added-games.md")
    before, _, rest = path.read_text(encoding="utf-8").partition(START)
    path.write_text(f"{before}{START}\n{table()}{END}{rest.partition(END)[2]}", encoding="utf-8")
