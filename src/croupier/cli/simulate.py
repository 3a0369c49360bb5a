"""`croupier simulate`"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from croupier.cli.elections import add_elections, elections_of
from croupier.cli.naming import HELP, edition_given
from croupier.cli.show import print_json, print_table
from croupier.errors import Malformed
from croupier.money import dollars, show

if TYPE_CHECKING:
    from croupier.simulation.checkpoint import Checkpoint
    from croupier.simulation.job import Job
    from croupier.simulation.running import Computed
    from croupier.simulation.tally import Tally

MOST_WORKERS = 1024
LARGEST_SEED = (1 << 64) - 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("edition", metavar="EDITION", help=HELP)
    parser.add_argument(
        "--rounds", help="how many, as in 1000000 or 1e9 (default: 10 million, 1,000 through the table)"
    )
    parser.add_argument("--seed", default="1", help="a whole number; the same seed gives the same result (default: 1)")
    parser.add_argument("--workers", default="", help="threads on this machine (default: one a core)")
    parser.add_argument("--cluster", metavar="ADDRESS", help="a Dask scheduler to work on, as in tcp://host:8786")
    add_elections(parser)
    parser.add_argument("--seats", type=int, default=1, help="seats that play, all with the same wagers (default: 1)")
    parser.add_argument("--bets", help='the optional wagers to make, as in "prime all_six" (default: all there are)')
    parser.add_argument(
        "--wager", default="5", help="whole dollars on each wager without a size of its own (default: 5)"
    )
    parser.add_argument("--rate", action="append", default=[], metavar="METER=PERCENT", help="what feeds a meter")
    parser.add_argument("--reset", action="append", default=[], metavar="METER=DOLLARS", help="where a meter starts")
    parser.add_argument(
        "--strategy",
        default="optimal",
        help='optimal, card, a simple one such as "always 1x", FILE.py:function or FILE.toml',
    )
    parser.add_argument("--session", type=int, default=0, metavar="ROUNDS", help="look at sessions of so many rounds")
    parser.add_argument("--bankroll", metavar="DOLLARS", help="the risk to lose so much within a session")
    parser.add_argument(
        "--difference", default="0.1", metavar="PERCENT", help="say how many hands show a difference of this size"
    )
    parser.add_argument("--checkpoint", type=Path, metavar="FILE", help="save there, and go on from there")
    parser.add_argument("--checkpoint-seconds", type=float, default=5.0, help="how often it is saved (default: 5)")
    parser.add_argument("--plots", type=Path, metavar="FOLDER", help="draw plots there, as PNG and SVG")
    parser.add_argument(
        "--through-table", action="store_true", help="play the rounds at the real table too, and compare each"
    )
    parser.add_argument("--source", action="store_true", help="print the generated simulator and stop")
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")


def run(arguments: argparse.Namespace) -> int:
    rounds = _rounds(arguments.rounds or ("1000" if arguments.through_table else "10000000"))
    seed = _whole("--seed", arguments.seed, 0, LARGEST_SEED)
    workers = _whole("--workers", arguments.workers or str(len(os.sched_getaffinity(0))), 1, MOST_WORKERS)
    difference = _percent("--difference", arguments.difference) / 100
    if not difference:
        raise Malformed("--difference", "a difference of nothing is never seen")
    bankroll = None if arguments.bankroll is None else dollars(arguments.bankroll, "--bankroll")
    if bankroll is not None and not bankroll:
        raise Malformed("--bankroll", "a bankroll of nothing is lost already")
    if bankroll is not None and not arguments.session:
        raise Malformed("--bankroll", "say with --session how many rounds it is to last")
    if arguments.session < 0:
        raise Malformed("--session", "a session has at least one round")
    if arguments.cluster is not None:
        from croupier.simulation.cluster import require_scheduler

        require_scheduler(arguments.cluster)
    from croupier.maths.fitting import NotExact, require_exact

    try:
        require_exact(edition_given(arguments.edition).elect(elections_of(arguments)))
    except NotExact as why:
        from croupier.cli.played_out import play_out

        return play_out(arguments, why, None if arguments.rounds is None else _rounds(arguments.rounds), seed)
    job = _job(arguments)
    if arguments.source:
        print(job.program.text, end="")
        return 0
    if arguments.through_table:
        return _through_table(job, rounds, seed, json=arguments.json)
    compute = _cluster(arguments.cluster) if arguments.cluster is not None else _threads(workers)
    saved = None
    if arguments.checkpoint is not None:
        from croupier.simulation.checkpoint import Checkpoint

        saved = Checkpoint(arguments.checkpoint, arguments.checkpoint_seconds)
    tally, seconds, interrupted = _simulate(job, rounds, seed, compute, saved)
    from croupier.simulation.results import Results

    document = Results(tally).as_json(seconds, difference, bankroll, interrupted)
    if arguments.plots is not None and tally.rounds:
        from croupier.simulation.plots import draw_all

        document["plots"] = [str(path) for path in draw_all(tally, arguments.plots)]
    if arguments.json:
        print_json(document)
    else:
        _print(document)
    return 130 if interrupted else 0


def _job(arguments: argparse.Namespace) -> Job:
    elected = edition_given(arguments.edition).elect(elections_of(arguments))
    from croupier.simulation.bets import place_bets
    from croupier.simulation.job import prepare

    bets = place_bets(
        elected,
        arguments.seats,
        None if arguments.bets is None else arguments.bets.replace(",", " ").split(),
        _whole("--wager", arguments.wager, 1, 10_000),
        {name: _percent("--rate", value) / 100 for name, value in _pairs("--rate", arguments.rate)},
        {name: dollars(value, "--reset") for name, value in _pairs("--reset", arguments.reset)},
    )
    return prepare(bets, arguments.strategy, arguments.session, trace=arguments.through_table)


def _simulate(
    job: Job, rounds: int, seed: int, compute: Computed, saved: Checkpoint | None
) -> tuple[Tally, float, bool]:
    from croupier.simulation.job import require_rounds
    from croupier.simulation.running import Interrupted, simulate

    require_rounds(rounds)
    job.program.run(seed, 0, 1)  # compiles
    start = perf_counter()
    try:
        with _progress(rounds) as progress:
            return simulate(job, rounds, seed, compute, saved, progress), perf_counter() - start, False
    except Interrupted as stopped:
        print("croupier simulate: stopped; this is what there is so far", file=sys.stderr)
        return stopped.tally, perf_counter() - start, True


def _threads(workers: int) -> Computed:
    from croupier.simulation.running import on_threads

    return on_threads(workers)


def _cluster(address: str) -> Computed:
    from croupier.simulation.cluster import on_cluster

    return on_cluster(address)


def _through_table(job: Job, rounds: int, seed: int, *, json: bool) -> int:
    from croupier.simulation.job import require_rounds
    from croupier.simulation.through_table import compare

    require_rounds(rounds)
    with _progress(rounds) as progress:
        found = compare(job, rounds, seed, progress)
    if json:
        print_json(found.as_json())
    else:
        print(found.sentence())
    return 0 if not found.differences else 1


@contextmanager
def _progress(rounds: int) -> Iterator[Callable[[int], None]]:
    """A bar with the rate and the time left on standard error, where that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:.0f}%"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("rounds", total=rounds)
        start, first = perf_counter(), [-1]

        def advance(done: int) -> None:
            if first[0] < 0:
                first[0] = done
            rate = (done - first[0]) / max(perf_counter() - start, 1e-9)
            bar.update(task, completed=done, description=f"{done:,} rounds, {rate / 1e6:.1f} million a second")

        yield advance


def _rounds(text: str) -> int:
    if re.fullmatch(r"\d{1,3}(\.\d+)?[eE]\d{1,3}", text):
        value = Fraction(text)
        if value.denominator == 1:
            return int(value)
    return _whole("--rounds", text, None, None)


def _whole(option: str, text: str, least: int | None, most: int | None) -> int:
    plain = text.replace(",", "").replace("_", "")
    if not re.fullmatch(r"-?\d{1,100}", plain):
        raise Malformed(option, f"{text!r} is not a whole number")
    value = int(plain)
    if (least is not None and value < least) or (most is not None and value > most):
        raise Malformed(option, f"{value} is not from {least:,} to {most:,}")
    return value


def _percent(option: str, text: str) -> Fraction:
    if not re.fullmatch(r"\d{1,3}(\.\d{1,9})?", text) or Fraction(text) > 100:
        raise Malformed(option, f"{text!r} is not a percentage from 0 to 100")
    return Fraction(text)


def _pairs(option: str, texts: list[str]) -> list[tuple[str, str]]:
    found = []
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise Malformed(option, f"{text!r} is not of the form METER=AMOUNT")
        found.append((name, value))
    return found


def _print(document: dict[str, Any]) -> None:
    seats = f"{document['seats']} seat{'s' if document['seats'] > 1 else ''}"
    title = f"{document['edition']}: {document['rounds']:,} rounds, {seats}, {document['strategy']}"
    rows = []
    for wager, found in document["wagers"].items():
        exact = found["exact"]
        beside = (
            ("", "", "")
            if exact is None
            else (f"{exact['house_edge_percent']:.4f} %", f"{exact['z']:+.2f}", f"{exact['p']:.3f}")
        )
        needed = found["to_see_a_difference"]["hands"]
        edge = f"{found['house_edge_percent']:.4f} % ± {found['standard_error_percent']:.4f}"
        rows.append((wager, edge, *beside, f"{found['variance_float']:.3f}", f"{needed:,}"))
    columns = ("wager", "house edge", "exact", "z", "p", "variance", "hands to see the difference")
    print_table(title, columns, rows)
    print(f"{document['seconds']:.2f} s, {document['rounds_per_second'] / 1e6:.2f} million rounds a second.")
    if document["sessions"]:
        _print_sessions(document["sessions"])
    for name, meter in document["meters"].items():
        print(
            f"Meter {name}: {show(meter['now_cents'])} now, {show(meter['highest_cents'])} at its highest; "
            f"paid {meter['payments']:,} times, {show(meter['paid_cents'])} in all; reset {meter['resets']:,} times."
        )
    for path in document.get("plots", []):
        print(path)


def _print_sessions(found: dict[str, Any]) -> None:
    for who in ("player", "table"):
        spread = found[who]
        rows = [(part, show(cents)) for part, cents in spread["quantiles_cents"].items()]
        what = "what a seat wins" if who == "player" else "what the house wins"
        title = f"{found['sessions']:,} sessions of {found['rounds']:,} rounds: {what}"
        print_table(title, ("at most, in this part of sessions", "dollars"), rows)
    bands = "; ".join(
        f"{band['part']:.0%} of sessions hold {band['from_percent']:.2f} % to {band['to_percent']:.2f} %"
        for band in found["hold_bands"]
    )
    print(f"{bands}.")
    if "ruin" in found:
        ruin = found["ruin"]
        risk = f"{ruin['risk']:.4%} ± {ruin['standard_error']:.4%}"
        print(f"Risk to lose {show(ruin['bankroll_cents'])} within a session: {risk}.")
