"""`croupier diff`"""

from __future__ import annotations

import argparse
from fractions import Fraction
from pathlib import Path

from croupier.cli.analysis_text import percent
from croupier.cli.show import Column, print_json, print_table, progress, say
from croupier.errors import Malformed
from croupier.rules import EDITIONS, Elected, all_editions, edition, is_edition
from croupier.submissions import Submission, valid_submission


def add_arguments(parser: argparse.ArgumentParser) -> None:
    for name in ("first", "second"):
        parser.add_argument(
            name, metavar=name.upper(), help=f"one of {', '.join(EDITIONS)}, or a Rules Submission (.toml)"
        )
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")


def run(arguments: argparse.Namespace) -> int:
    from croupier.reports.comparing import choice_changes, edges, require_same_game, rule_changes, table_changes
    from croupier.reports.submitted import submitted_changes

    sides = [_read(arguments.first), _read(arguments.second)]
    (first, filed), (second, also) = sides
    require_same_game(first.edition, second.edition)
    editions = filed is None and also is None
    if (filed is None) != (also is None):
        raise Malformed(arguments.second, "compare two editions or two submissions, not one of each")
    changes = [*rule_changes(first.edition, second.edition)] if first.edition is not second.edition else []
    if filed is not None and also is not None:
        changes += [*submitted_changes(filed, also), *choice_changes(first, second)]
    changes += table_changes(first, second, all_letters=editions)
    with progress(1) as advance:
        advance("house edges")
        found = list(edges(first, second, changes, all_letters=editions))
    names = (arguments.first, arguments.second)
    if arguments.json:
        print_json(
            {
                "first": names[0],
                "second": names[1],
                "changes": [change.as_json() for change in changes],
                "house_edges": [edge.as_json() for edge in found],
            }
        )
        return 0
    if not changes:
        say("Nothing differs.")
        return 0
    for change in changes:
        said = (change.first or "none", change.second or "none")
        say(f"{change.what}: {said[0]} -> {said[1]}", indent="    ", first="")
    if not found:
        say("No house edge differs.")
    else:
        print()
        table = [
            (edge.wager, edge.letter, _percent(edge.first), _percent(edge.second), _gap(edge.first, edge.second))
            for edge in found
        ]
        columns = [Column(name, right=True) for name in (*names, "difference")]
        print_table("What it does to the house edge", ("wager", "table", *columns), table)
        say("The required wagers per Ante, under optimal play.")
    return 0


def _read(name: str) -> tuple[Elected, Submission | None]:
    if not name.endswith(".toml") and is_edition(name):
        return edition(name).elect(), None
    if not name.endswith(".toml"):
        raise Malformed(name, f"is neither an edition ({', '.join(all_editions())}) nor a Rules Submission (.toml)")
    submission = valid_submission(Path(name))
    return submission.elected, submission


def _percent(value: Fraction | None) -> str:
    return "none" if value is None else percent(value)


def _gap(first: Fraction | None, second: Fraction | None) -> str:
    return "" if first is None or second is None else f"{float((second - first) * 100):+.4f} %"
