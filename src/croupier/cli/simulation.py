"""`croupier simulate`."""

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

from croupier.cli.arguments import EDITION_HELP, add_election_argument, parse_edition, parse_elections
from croupier.cli.output import Column, print_csv, print_json, print_paragraph, print_table, require_one_format
from croupier.core.errors import InputError
from croupier.core.money import format_money, parse_money

if TYPE_CHECKING:
    from croupier.analysis.results import NotExact
    from croupier.regulations import Edition
    from croupier.simulation.checkpoint import Checkpoint
    from croupier.simulation.job import Job
    from croupier.simulation.runner import ChunkExecutor
    from croupier.simulation.tally import Tally

MAX_WORKERS = 1024
MAX_SEED = (1 << 64) - 1
_PARAMETERS = ("bets", "cluster", "plots", "rounds", "seats", "session", "strategy", "wager")
_OPTIONS = {name: f"--{name}" for name in _PARAMETERS} | {"meters": "--rate, --reset"}
"""The options behind the parameters that the simulator's errors name."""


def add_simulate_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("edition", metavar="EDITION", help=EDITION_HELP)
    parser.add_argument(
        "--rounds",
        metavar="N",
        help="number of rounds, as in 1000000 or 1e9 (default: 10 million; 1,000 with --through-table)",
    )
    parser.add_argument("--seed", default="1", help="a whole number; the same seed gives the same result (default: 1)")
    parser.add_argument("--workers", default="", metavar="N", help="threads on this machine (default: one per core)")
    parser.add_argument("--cluster", metavar="ADDRESS", help="run on this Dask scheduler, as in tcp://host:8786")
    add_election_argument(parser)
    parser.add_argument(
        "--seats", type=int, default=1, metavar="N", help="number of seats, all with the same wagers (default: 1)"
    )
    parser.add_argument(
        "--bets", metavar="WAGERS", help='the optional wagers to make, as in "prime all_six" (default: all)'
    )
    parser.add_argument(
        "--wager",
        default="5",
        metavar="DOLLARS",
        help="whole dollars on each wager without a fixed size (default: 5)",
    )
    parser.add_argument(
        "--rate", action="append", default=[], metavar="METER=PERCENT", help="the contribution rate of a meter"
    )
    parser.add_argument(
        "--reset", action="append", default=[], metavar="METER=DOLLARS", help="the reset amount of a meter"
    )
    parser.add_argument(
        "--strategy",
        default="optimal",
        help='optimal, card, a simple one such as "always 1x", FILE.py:FUNCTION or FILE.toml (default: optimal)',
    )
    parser.add_argument(
        "--session", type=int, default=0, metavar="ROUNDS", help="report on sessions of this many rounds"
    )
    parser.add_argument("--bankroll", metavar="DOLLARS", help="report the risk of losing this much within a session")
    parser.add_argument(
        "--difference",
        default="0.1",
        metavar="PERCENT",
        help="report how many hands it takes to detect a difference of this size (default: 0.1)",
    )
    parser.add_argument(
        "--checkpoint", type=Path, metavar="FILE", help="save progress to this file, and resume from it"
    )
    parser.add_argument(
        "--checkpoint-seconds", type=float, default=5.0, metavar="SECONDS", help="seconds between saves (default: 5)"
    )
    parser.add_argument("--plots", type=Path, metavar="FOLDER", help="write plots to this folder, as PNG and SVG")
    parser.add_argument(
        "--through-table", action="store_true", help="also play every round at the real table, and compare the results"
    )
    parser.add_argument("--source", action="store_true", help="print the source of the generated simulator and exit")
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")
    parser.add_argument("--csv", action="store_true", help="one line per wager, comma-separated")


def run_simulate(arguments: argparse.Namespace) -> int:
    try:
        return _run_simulate(arguments)
    except InputError as error:
        elections = {text.partition("=")[0] for text in arguments.elect}
        option = f"--elect {error.place}" if error.place in elections else _OPTIONS.get(error.place)
        if option is None:
            raise
        raise InputError(option, error.reason, error.clause) from error


def _run_simulate(arguments: argparse.Namespace) -> int:
    require_one_format(arguments)
    rounds = _parse_rounds(arguments.rounds or ("1000" if arguments.through_table else "10000000"))
    seed = _parse_integer("--seed", arguments.seed, 0, MAX_SEED)
    workers = _parse_integer("--workers", arguments.workers or str(len(os.sched_getaffinity(0))), 1, MAX_WORKERS)
    difference = _parse_percent("--difference", arguments.difference) / 100
    if not difference:
        raise InputError("--difference", "must be more than zero")
    bankroll = None if arguments.bankroll is None else parse_money(arguments.bankroll, "--bankroll")
    if bankroll is not None and not bankroll:
        raise InputError("--bankroll", "must be more than zero")
    if bankroll is not None and not arguments.session:
        raise InputError("--bankroll", "needs --session, the number of rounds to play with it")
    if arguments.session < 0:
        raise InputError("--session", "must be at least one round")
    if arguments.cluster is not None:
        from croupier.simulation.cluster import require_scheduler

        require_scheduler(arguments.cluster)
    from croupier.analysis.results import NotExact
    from croupier.analysis.supported_shapes import require_exact

    try:
        require_exact(parse_edition(arguments.edition).elect(parse_elections(arguments)))
    except NotExact as error:
        return _sample_game(
            arguments, error, None if arguments.rounds is None else _parse_rounds(arguments.rounds), seed
        )
    job = _build_job(arguments)
    if arguments.source:
        print(job.program.text, end="")
        return 0
    if arguments.through_table:
        return _run_cross_check(job, rounds, seed, json=arguments.json)
    executor = _cluster_executor(arguments.cluster) if arguments.cluster is not None else _thread_executor(workers)
    checkpoint = None
    if arguments.checkpoint is not None:
        from croupier.simulation.checkpoint import Checkpoint

        checkpoint = Checkpoint(arguments.checkpoint, arguments.checkpoint_seconds)
    tally, seconds, interrupted = _simulate(job, rounds, seed, executor, checkpoint)
    from croupier.simulation.results import Results

    document = Results(tally).as_json(seconds, difference, bankroll, interrupted)
    if arguments.plots is not None and tally.rounds:
        from croupier.simulation.plots import draw_all

        document["plots"] = [str(path) for path in draw_all(tally, arguments.plots)]
    if arguments.json:
        print_json(document)
    elif arguments.csv:
        names = ("house_edge_percent", "standard_error_percent", "variance_float")
        print_csv(
            ("edition", "rounds", "wager", *names),
            [
                (document["edition"], document["rounds"], wager, *(result[name] for name in names))
                for wager, result in document["wagers"].items()
            ],
        )
    else:
        _print_results(job.bets.elected.edition, document)
    return 130 if interrupted else 0


def _build_job(arguments: argparse.Namespace) -> Job:
    elected = parse_edition(arguments.edition).elect(parse_elections(arguments))
    from croupier.simulation.bets import place_bets
    from croupier.simulation.job import prepare_job

    bets = place_bets(
        elected,
        arguments.seats,
        None if arguments.bets is None else arguments.bets.replace(",", " ").split(),
        _parse_integer("--wager", arguments.wager, 1, 10_000),
        {name: _parse_percent("--rate", value) / 100 for name, value in _parse_pairs("--rate", arguments.rate)},
        {name: parse_money(value, "--reset") for name, value in _parse_pairs("--reset", arguments.reset)},
    )
    return prepare_job(bets, arguments.strategy, arguments.session, trace=arguments.through_table)


def _simulate(
    job: Job, rounds: int, seed: int, executor: ChunkExecutor, checkpoint: Checkpoint | None
) -> tuple[Tally, float, bool]:
    from croupier.simulation.job import require_rounds
    from croupier.simulation.runner import Interrupted, simulate

    require_rounds(rounds)
    job.program.run(seed, 0, 1)  # compiles
    start = perf_counter()
    try:
        with _show_rounds(rounds) as advance:
            return simulate(job, rounds, seed, executor, checkpoint, advance), perf_counter() - start, False
    except Interrupted as error:
        print("croupier simulate: interrupted; these are the results so far", file=sys.stderr)
        return error.tally, perf_counter() - start, True


def _thread_executor(workers: int) -> ChunkExecutor:
    from croupier.simulation.runner import thread_executor

    return thread_executor(workers)


def _cluster_executor(address: str) -> ChunkExecutor:
    from croupier.simulation.cluster import cluster_executor

    return cluster_executor(address)


def _run_cross_check(job: Job, rounds: int, seed: int, *, json: bool) -> int:
    from croupier.simulation.cross_check import cross_check
    from croupier.simulation.job import require_rounds

    require_rounds(rounds)
    with _show_rounds(rounds) as advance:
        check = cross_check(job, rounds, seed, advance)
    if json:
        print_json(check.as_json())
    else:
        print(check.summary())
    return 0 if not check.differences else 1


@contextmanager
def _show_rounds(rounds: int) -> Iterator[Callable[[int], None]]:
    """Shows a progress bar with the rate and the remaining time on standard error, if that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda count: None
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
        start, first_count = perf_counter(), [-1]

        def advance(count: int) -> None:
            if first_count[0] < 0:
                first_count[0] = count
            rate = (count - first_count[0]) / max(perf_counter() - start, 1e-9)
            bar.update(task, completed=count, description=f"{count:,} rounds, {rate / 1e6:.1f} million a second")

        yield advance


def _parse_rounds(text: str) -> int:
    if re.fullmatch(r"\d{1,3}(\.\d+)?[eE]\d{1,3}", text):
        value = Fraction(text)
        if value.denominator == 1:
            return int(value)
    return _parse_integer("--rounds", text, None, None)


def _parse_integer(option: str, text: str, minimum: int | None, maximum: int | None) -> int:
    digits = text.replace(",", "").replace("_", "")
    if not re.fullmatch(r"-?\d{1,100}", digits):
        raise InputError(option, f"{text!r} is not a whole number")
    value = int(digits)
    if (minimum is not None and value < minimum) or (maximum is not None and value > maximum):
        raise InputError(option, f"{value} is not between {minimum:,} and {maximum:,}")
    return value


def _parse_percent(option: str, text: str) -> Fraction:
    if not re.fullmatch(r"\d{1,3}(\.\d{1,9})?", text) or Fraction(text) > 100:
        raise InputError(option, f"{text!r} is not a percentage from 0 to 100")
    return Fraction(text)


def _parse_pairs(option: str, texts: list[str]) -> list[tuple[str, str]]:
    pairs = []
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            form = "METER=PERCENT" if option == "--rate" else "METER=DOLLARS"
            raise InputError(option, f"{text!r} is not of the form {form}")
        pairs.append((name, value))
    return pairs


def _print_results(rules: Edition, document: dict[str, Any]) -> None:
    seats = f"{document['seats']} seat{'s' if document['seats'] > 1 else ''}"
    title = f"{rules.title}, {rules.jurisdiction}: {document['rounds']:,} rounds, {seats}, {document['strategy']}"
    rows = []
    for wager, result in document["wagers"].items():
        exact = result["exact"]
        exact_cells = (
            ("", "", "")
            if exact is None
            else (f"{exact['house_edge_percent']:.4f} %", f"{exact['z']:+.2f}", f"{exact['p']:.3f}")
        )
        hands_needed = result["to_see_a_difference"]["hands"]
        edge = f"{result['house_edge_percent']:.4f} % ± {result['standard_error_percent']:.4f}"
        rows.append((rules.title_of(wager), edge, *exact_cells, f"{result['variance_float']:.3f}", f"{hands_needed:,}"))
    columns = [
        Column(name, right=bool(order), drop_order=max(order - 1, 0))
        for order, name in enumerate(("wager", "house edge", "exact", "z", "p", "variance", "hands to detect it"))
    ]
    print_table(title, columns, rows)
    print(f"{document['seconds']:.2f} s, {document['rounds_per_second'] / 1e6:.2f} million rounds a second.")
    if document["sessions"]:
        _print_sessions(document["sessions"])
    for name, meter in document["meters"].items():
        print_paragraph(
            f"Meter {_meter_title(rules, name)}: {format_money(meter['now_cents'])} now, "
            f"{format_money(meter['highest_cents'])} at its highest; "
            f"paid {meter['payments']:,} times, {format_money(meter['paid_cents'])} in all; "
            f"reset {meter['resets']:,} times."
        )
    for path in document.get("plots", []):
        print(path)


def _meter_title(rules: Edition, name: str) -> str:
    """The title of a meter: that of its table, and the tier if there are several."""
    table = next((table for table in rules.progressives if name == table or name.startswith(f"{table}_")), name)
    tier = name.removeprefix(table).removeprefix("_")
    return f"{rules.title_of(table)}{f', {tier}' if tier else ''}"


def _print_sessions(sessions: dict[str, Any]) -> None:
    for party in ("player", "table"):
        distribution = sessions[party]
        rows = [(part, format_money(cents)) for part, cents in distribution["quantiles_cents"].items()]
        description = "what a seat wins" if party == "player" else "what the house wins"
        title = f"{sessions['sessions']:,} sessions of {sessions['rounds']:,} rounds: {description}"
        print_table(title, ("share of sessions with at most", "dollars"), rows)
    bands = "; ".join(
        f"{band['part']:.0%} of sessions hold {band['from_percent']:.2f} % to {band['to_percent']:.2f} %"
        for band in sessions["hold_bands"]
    )
    print_paragraph(f"{bands}.")
    if "ruin" in sessions:
        ruin = sessions["ruin"]
        risk = f"{ruin['risk']:.4%} ± {ruin['standard_error']:.4%}"
        print_paragraph(f"Risk of losing {format_money(ruin['bankroll_cents'])} within a session: {risk}.")


MAX_SAMPLED_ROUNDS = 1_000_000


def _sample_game(arguments: argparse.Namespace, error: NotExact, rounds: int | None, seed: int) -> int:
    """Simulates a game without an exact analysis round by round, and prints the results and the reason."""
    from croupier.analysis.wagers import REQUIRED
    from croupier.rl.sampling import DEFAULT_ROUNDS, SAMPLING_STRATEGY, sample_wagers

    for option in ("source", "through_table", "cluster", "session", "checkpoint", "plots"):
        if getattr(arguments, option):
            raise InputError(f"--{option.replace('_', '-')}", f"is not available for this game: {error}")
    rounds = DEFAULT_ROUNDS if rounds is None else rounds
    if not 1 <= rounds <= MAX_SAMPLED_ROUNDS:
        raise InputError("--rounds", f"must be 1 to {MAX_SAMPLED_ROUNDS:,} for a game that is played round by round")
    elected = parse_edition(arguments.edition).elect(parse_elections(arguments))
    requested = elected.edition.optional if arguments.bets is None else arguments.bets.replace(",", " ").split()
    wagers = tuple(wager for wager in requested if wager not in (REQUIRED, *elected.edition.progressives))
    start = perf_counter()
    results = sample_wagers(elected, error.parts, wagers, rounds, seed)
    seconds = perf_counter() - start
    if arguments.json:
        document = {
            "edition": elected.edition.name,
            "rounds": rounds,
            "seconds": seconds,
            "rounds_per_second": rounds / seconds,
            "strategy": SAMPLING_STRATEGY,
            "not_exact": list(error.parts),
            "wagers": {wager: result.as_json() for wager, result in results.items()},
        }
        print_json(document)
        return 0
    rows = [
        (
            elected.edition.title_of(wager),
            f"{float(result.house_edge * 100):.4f} % ± {100 * result.standard_error:.4f}",
        )
        for wager, result in results.items()
    ]
    print_table(f"{elected.edition.title}: {rounds:,} rounds, {SAMPLING_STRATEGY}", ("wager", "house edge"), rows)
    print_paragraph(f"Played round by round, because {'; '.join(error.parts)}.")
    return 0
