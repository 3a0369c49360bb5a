"""`croupier analyze`"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from croupier.cli.elections import add_elections, elections_of
from croupier.cli.show import print_json, print_table, progress
from croupier.errors import Malformed
from croupier.money import dollars
from croupier.rules import EDITIONS, Elected, edition


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("editions", nargs="+", metavar="EDITION", help=f"{', '.join(EDITIONS)}, or all")
    add_elections(parser)
    parser.add_argument("--all", action="store_true", help="every letter of every paytable")
    parser.add_argument("--wager", default="5", help="dollars staked where a row pays flat dollars (default: 5)")
    parser.add_argument("--compare", metavar="WAGER", help="every paytable of one wager side by side, row by row")
    parser.add_argument("--pay", action="append", default=[], metavar="TABLE.HAND=PAYOUT", help="turn one number")
    parser.add_argument("--paytable", type=Path, metavar="FILE", help="a table of your own, in TOML")
    parser.add_argument(
        "--published", action="store_true", help="what the regulator published, beside what the text gives"
    )
    parser.add_argument("--covariances", action="store_true", help="how wagers on the same cards go together")
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")
    parser.add_argument("--csv", action="store_true", help="one line a wager and table, comma-separated")


def run(arguments: argparse.Namespace) -> int:
    names = [name for given in arguments.editions for name in (EDITIONS if given == "all" else (given,))]
    chosen = elections_of(arguments)
    wager = Fraction(dollars(arguments.wager, "--wager"), 100)
    if not wager:
        raise Malformed("--wager", "a wager of nothing cannot be analysed")
    elected = []
    for name in dict.fromkeys(names):
        rules = edition(name)
        several = len(names) > 1
        own = {key: value for key, value in chosen.items() if not several or key in rules.elections}
        elected.append(rules.elect(own))
    known = {key for one in elected for key in one.edition.elections}
    for key in chosen:
        if key not in known:
            raise Malformed("--elect", f"no edition here has an election {key!r}")
    elected = [_custom(one, arguments) for one in elected]
    from croupier.maths.analysis import analyse, analyse_all, as_json

    if arguments.compare:
        return _compare(elected, arguments, wager)
    if arguments.covariances:
        return _covariances(elected, arguments, wager)
    if arguments.published:
        return _published(elected, arguments)
    results = []
    with progress(len(elected)) as advance:
        for one in elected:
            advance(f"{one.edition.title}, {one.edition.jurisdiction}")
            results.append((one, (analyse_all if arguments.all else analyse)(one, wager)))
    if arguments.json:
        documents = [as_json(one, found) for one, found in results]
        single = arguments.editions == [documents[0]["edition"]]
        print_json(documents[0] if single else documents)
    elif arguments.csv:
        writer = csv.writer(sys.stdout)
        writer.writerow(("edition", "wager", "table", "house_edge", "house_edge_percent", "hit_frequency", "variance"))
        for one, found in results:
            for row in _lines(found):
                writer.writerow((one.edition.name, *row))
    else:
        for one, found in results:
            _print(one.edition.title, one.edition.jurisdiction, found)
    return 0


def _custom(elected: Elected, arguments: argparse.Namespace) -> Elected:
    """The elections with the tables that the command line changes."""
    if not arguments.pay and arguments.paytable is None:
        return elected
    if arguments.all:
        raise Malformed("--all", "goes with the printed tables; leave it out to analyse one of your own")
    from croupier.maths.custom import warnings, with_pay, with_paytable_file

    before = elected
    if arguments.paytable is not None:
        elected = with_paytable_file(elected, arguments.paytable)
    for text in arguments.pay:
        elected = with_pay(elected, text)
    for name in elected.edition.paytables:
        if elected.paytable(name) is not before.paytable(name):
            for warning in warnings(elected.paytable(name)):
                print(f"croupier analyze: table {name}: {warning}", file=sys.stderr)
    return elected


def _compare(elected: list[Elected], arguments: argparse.Namespace, wager: Fraction) -> int:
    from croupier.maths.analysis import analyse_wager, letters_of, wagers_of

    for one in elected:
        if arguments.compare not in wagers_of(one) or arguments.compare == "ante":
            known = ", ".join(wagers_of(one)[1:])
            raise Malformed(
                "--compare", f"{one.edition.name} has no optional wager {arguments.compare!r}; it has {known}"
            )
        name = letters_of(one, arguments.compare)
        letters = list(one.edition.paytables[name].tables) if name else ["A"]
        found = {letter: analyse_wager(one, arguments.compare, letter, wager) for letter in letters}
        if arguments.json:
            print_json({letter: result.as_json() for letter, result in found.items()})
            continue
        documents = {letter: result.as_json() for letter, result in found.items()}
        hands = list(dict.fromkeys(row["hand"] for document in documents.values() for row in document["rows"]))
        rows = []
        for hand in hands:
            cells = {letter: {r["hand"]: r for r in document["rows"]} for letter, document in documents.items()}
            counts = next(cell[hand]["combinations"] for cell in cells.values() if hand in cell)
            rows.append((hand, f"{counts:,}", *(cells[x][hand]["pays"] if hand in cells[x] else "" for x in letters)))
        rows.append(("house edge", "", *(f"{documents[x]['house_edge_percent']:.4f} %" for x in letters)))
        print_table(f"{one.edition.title}: {arguments.compare}", ("hand", "combinations", *letters), rows)
    return 0


def _covariances(elected: list[Elected], arguments: argparse.Namespace, wager: Fraction) -> int:
    from croupier.maths.analysis import seeds_of
    from croupier.maths.covariances import covariances
    from croupier.maths.results import exact

    documents = []
    for one in elected:
        seeds = {table: seeds_of(one, table, one.choices.get(table, "A"))[1] for table in one.edition.progressives}
        found = covariances(one, wager, seeds)
        pairs = [{"wagers": list(pair), **exact("covariance", value)} for pair, value in found.items()]
        documents.append({"edition": one.edition.name, "covariances": pairs})
        if not arguments.json:
            rows = [(*pair, f"{float(value):+.4f}") for pair, value in found.items()]
            print_table(f"{one.edition.title}: covariance per unit on each", ("wager", "with", "covariance"), rows)
    if arguments.json:
        print_json(documents[0] if len(documents) == 1 else documents)
    return 0


def _published(elected: list[Elected], arguments: argparse.Namespace) -> int:
    from croupier.maths.published import compare_published

    found = [line for one in elected for line in compare_published(one.edition)]
    if not found:
        raise Malformed("--published", "no hold was published for these editions that is known here")
    if arguments.json:
        print_json([line.as_json() for line in found])
        return 0
    rows = [
        (line.edition, line.wager, line.end, line.published, f"{float(line.computed) * 100:.4f} %", line.verdict)
        for line in found
    ]
    print_table("Published hold", ("edition", "wager", "end", "published", "the text gives", "verdict"), rows)
    return 0


def _lines(found: Mapping[str, Any]) -> list[tuple[str, ...]]:
    lines: list[tuple[str, ...]] = []
    for wager, entry in found.items():
        for letter, result in entry.items() if isinstance(entry, Mapping) else [("", entry)]:
            document = result.as_json()
            lines.append(
                (
                    wager,
                    letter,
                    document["house_edge"],
                    f"{document['house_edge_percent']:.4f}",
                    document["hit_frequency"],
                    f"{document['variance_float']:.4f}",
                )
            )
    return lines


def _print(title: str, jurisdiction: str, found: Mapping[str, Any]) -> None:
    rows = []
    widest = max((abs(float(line[3])) for line in _lines(found)), default=1.0) or 1.0
    for wager, letter, edge, percent, hits, variance in _lines(found):
        bar = "█" * max(1, round(abs(float(percent)) / widest * 20))
        numerator, denominator = hits.split("/")
        rows.append((wager, letter, f"{percent} %", bar, f"{int(numerator) / int(denominator):.4%}", variance, edge))
    columns = ("wager", "table", "house edge", "", "hit frequency", "variance", "house edge, exact")
    print_table(f"{title}, {jurisdiction}", columns, rows, {"": "cyan", "house edge": "bold"})
    required = found["ante"] if not isinstance(found["ante"], Mapping) else next(iter(found["ante"].values()))
    document = required.as_json()
    print(
        f"ante: the required wagers together under optimal play, per Ante; per total wagered "
        f"{document['element_of_risk_percent']:.4f} %, average wager {document['average_wager_float']:.4f} Antes. "
        "Of equal choices the larger wager is taken."
    )
