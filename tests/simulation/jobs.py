"""Jobs that several tests share, prepared once per process.

Each combination of edition, seats, strategy, sessions and trace compiles its own program, which takes seconds. The
ordinary tests share a few: `THREE_CARD`, `BOARD`, and `FOUR_CARD` with sessions. The others are marked `slow`.
"""

from __future__ import annotations

from functools import cache

from croupier.regulations import ElectedEdition, edition
from croupier.simulation.bets import place_bets
from croupier.simulation.job import Job, prepare_job

THREE_CARD, FOUR_CARD, BOARD = ("pa-679a", 1), ("pa-641a", 4), ("pa-683a", 1)
SESSION_ROUNDS = 400


def table_job() -> Job:
    """The job of several seats with meters, Envy Bonuses and sessions."""
    return job_of(*FOUR_CARD, session=SESSION_ROUNDS)


@cache
def job_of(name: str, seats: int = 1, strategy: str = "optimal", session: int = 0, elections: str = "") -> Job:
    return prepare_job(place_bets(elect_both(name, elections), seats), strategy, session)


@cache
def traced_job(name: str, seats: int, strategy: str = "optimal", elections: str = "") -> Job:
    return prepare_job(place_bets(elect_both(name, elections), seats), strategy, trace=True)


def elect_both(name: str, elections: str) -> ElectedEdition:
    """Elections such as `aces_up=C all_six=B`, with both progressives at the table, so that every wager is made."""
    rules = edition(name)
    both = {"progressives_at_one_table": "both"} if "progressives_at_one_table" in rules.elections else {}
    return rules.elect({**both, **dict(pair.split("=") for pair in elections.split())})
