"""`croupier simulate` of a game that the compiled simulator does not know: rounds played out one by one."""

from __future__ import annotations

import argparse
from time import perf_counter

from croupier.cli.elections import elections_of
from croupier.cli.naming import edition_given
from croupier.cli.show import print_json, print_table, say
from croupier.errors import Malformed
from croupier.learning.sampling import ROUNDS, STRATEGY, all_sampled
from croupier.maths.analysis import REQUIRED
from croupier.maths.fitting import NotExact

MOST_ROUNDS = 1_000_000


def play_out(arguments: argparse.Namespace, why: NotExact, rounds: int | None, seed: int) -> int:
    """Prints what every wager came to, with its standard error, and which part of the game is to blame."""
    for option in ("source", "through_table", "cluster", "session", "checkpoint", "plots"):
        if getattr(arguments, option):
            raise Malformed(f"--{option.replace('_', '-')}", f"cannot be had here: {why}")
    rounds = ROUNDS if rounds is None else rounds
    if not 1 <= rounds <= MOST_ROUNDS:
        raise Malformed("--rounds", f"of a game that is played out one by one from 1 to {MOST_ROUNDS:,}")
    elected = edition_given(arguments.edition).elect(elections_of(arguments))
    asked = elected.edition.optional if arguments.bets is None else arguments.bets.replace(",", " ").split()
    wagers = tuple(wager for wager in asked if wager not in (REQUIRED, *elected.edition.progressives))
    start = perf_counter()
    found = all_sampled(elected, why.parts, wagers, rounds, seed)
    seconds = perf_counter() - start
    if arguments.json:
        document = {
            "edition": elected.edition.name,
            "rounds": rounds,
            "seconds": seconds,
            "rounds_per_second": rounds / seconds,
            "strategy": STRATEGY,
            "not_exact": list(why.parts),
            "wagers": {wager: result.as_json() for wager, result in found.items()},
        }
        print_json(document)
        return 0
    rows = [
        (wager, f"{float(result.house_edge * 100):.4f} % ± {100 * result.standard_error:.4f}")
        for wager, result in found.items()
    ]
    print_table(f"{elected.edition.name}: {rounds:,} rounds, {STRATEGY}", ("wager", "house edge"), rows)
    say(f"Played out one by one, because {'; '.join(why.parts)}.")
    return 0
