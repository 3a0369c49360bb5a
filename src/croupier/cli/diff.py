"""`croupier diff`"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from croupier.cli.analysis_text import percent
from croupier.cli.show import Column, print_json, print_table, progress, say
from croupier.errors import Malformed
from croupier.rules import EDITIONS, all_editions, edition, is_edition
from croupier.submissions import valid_submission

if TYPE_CHECKING:
    from croupier.reports.comparing import Edge
    from croupier.reports.comparison import Comparison, Side


def add_arguments(parser: argparse.ArgumentParser) -> None:
    for name in ("first", "second"):
        parser.add_argument(
            name, metavar=name.upper(), help=f"one of {', '.join(EDITIONS)}, or a Rules Submission (.toml)"
        )
    parser.add_argument("--html", type=Path, metavar="FILE", help="one page that needs nothing else")
    parser.add_argument("--pdf", type=Path, metavar="FILE", help="on paper, with numbered pages")
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")


def run(arguments: argparse.Namespace) -> int:
    from croupier.reports.comparison import compared, comparison_html

    sides = [_read(arguments.first), _read(arguments.second)]
    with progress(1) as advance:
        found = compared(sides[0], sides[1], advance)
    if arguments.html is not None or arguments.pdf is not None:
        from croupier.cli.papers import write_papers

        write_papers(comparison_html(found), arguments.html, arguments.pdf)
    if arguments.json:
        print_json(found.as_json())
    elif arguments.html is None and arguments.pdf is None:
        _say(found)
    return 0


def _say(found: Comparison) -> None:
    if not found.changes:
        say("Nothing differs.")
        return
    for change in found.changes:
        said = (change.first or "none", change.second or "none")
        say(f"{change.what}: {said[0]} -> {said[1]}", indent="    ", first="")
    if not found.edges:
        say("No house edge differs.")
        return
    print()
    columns = [Column(side.name, right=True) for side in (found.first, found.second)]
    columns.append(Column("difference", right=True))
    rows = [row for edge in found.edges for row in _rows(edge)]
    print_table("What it does to the house edge", ("wager", "table", *columns), rows)
    say("The required wagers per Ante, under optimal play.")
    if any(edge.effects for edge in found.edges):
        say(f"alone: {found.first.name} with that one thing changed.")


def _rows(edge: Edge) -> Iterator[tuple[str, str, str, str, str]]:
    """The edges of a wager, then what each difference does alone."""
    yield edge.wager, edge.letter, _percent(edge.first), _percent(edge.second), _gap(edge.difference)
    for effect in edge.effects:
        what = effect.what.removeprefix("paytables.").removeprefix(f"{edge.wager}.")
        more = None if effect.house_edge is None or edge.first is None else effect.house_edge - edge.first
        yield f"  alone: {what}", "", "", _percent(effect.house_edge), _gap(more)
    if len(edge.effects) > 1 and edge.beyond_the_parts:
        yield "  together, beyond the parts", "", "", "", _gap(edge.beyond_the_parts)


def _read(name: str) -> Side:
    from croupier.reports.comparison import Side

    if not name.endswith(".toml") and is_edition(name):
        return Side(name, edition(name).elect())
    if not name.endswith(".toml"):
        raise Malformed(name, f"is neither an edition ({', '.join(all_editions())}) nor a Rules Submission (.toml)")
    submission = valid_submission(Path(name))
    return Side(name, submission.elected, submission)


def _percent(value: Fraction | None) -> str:
    return "none" if value is None else percent(value)


def _gap(value: Fraction | None) -> str:
    return "" if value is None else f"{float(value * 100):+.4f} %"
