"""`croupier hold`"""

from __future__ import annotations

import argparse
from pathlib import Path

from croupier.cli.elections import add_elections, elections_of
from croupier.cli.naming import an_edition
from croupier.cli.show import Column, print_json, print_table, progress, say
from croupier.cli.sources import add_source, record_of
from croupier.errors import Malformed
from croupier.rules import edition


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_source(parser, "results", "; or totals (.csv) with the columns wager, hands, wagered, won (by the house)")
    parser.add_argument("--edition", type=an_edition, metavar="EDITION", help="of totals: whose wagers they are")
    add_elections(parser)
    parser.add_argument("--html", type=Path, metavar="FILE", help="one page that needs nothing else")
    parser.add_argument("--pdf", type=Path, metavar="FILE", help="on paper")
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")


def run(arguments: argparse.Namespace) -> int:
    from croupier.reports.hold import OUTSIDE, compared, hold_html, observed_in, observed_totals

    if arguments.results.endswith(".csv"):
        if arguments.edition is None:
            raise Malformed("--edition", "say whose wagers these are, as in --edition pa-641a")
        elected = edition(arguments.edition).elect(elections_of(arguments))
        observed = observed_totals(Path(arguments.results), elected)
    else:
        if arguments.edition is not None or arguments.elect:
            raise Malformed("--edition", "goes with totals; a record knows its edition and elections")
        record = record_of(arguments.results, arguments.table)
        elected, observed = record.setup.elected, observed_in(record)
    if not observed:
        raise Malformed(arguments.results, "no wager has been settled in it")
    with progress(1) as advance:
        advance("house edges")
        found = list(compared(elected, observed))
    outside = any(entry["verdict"] in OUTSIDE for entry in found)
    if arguments.html is not None or arguments.pdf is not None:
        from croupier.cli.papers import write_papers

        write_papers(hold_html(elected, Path(arguments.results).name, found), arguments.html, arguments.pdf)
        if not arguments.json:
            return 1 if outside else 0
    if arguments.json:
        print_json({"edition": elected.edition.name, "within": not outside, "wagers": found})
        return 1 if outside else 0
    rows = [
        (
            entry["wager"],
            f"{entry['hands']:,}",
            f"{entry['hold_percent']:.4f} %",
            f"{entry['theoretical_percent']:.4f} %",
            "" if entry["p"] is None else f"{entry['from_percent']:.4f} to {entry['to_percent']:.4f} %",
            "" if entry["p"] is None else f"{entry['p']:.4f}",
            entry["verdict"],
        )
        for entry in found
    ]
    figures = [Column(name, right=True) for name in ("hands", "hold", "theoretical", "19 of 20 lie in", "p")]
    columns = [Column("wager"), *figures, Column("verdict")]
    print_table(f"{elected.edition.title}, {elected.edition.jurisdiction}: hold", columns, rows)
    for entry in found:
        for text in entry["explanations"]:
            say(f"{entry['wager']}: {text}.")
    return 1 if outside else 0
