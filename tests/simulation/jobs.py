"""Jobs that several tests share, prepared once per process."""

from __future__ import annotations

from functools import cache

from croupier.regulations import edition
from croupier.simulation.bets import place_bets
from croupier.simulation.job import Job, prepare_job


@cache
def job_of(name: str, seats: int = 1, strategy: str = "optimal", session: int = 0, elections: str = "") -> Job:
    choices = dict(pair.split("=") for pair in elections.split())
    return prepare_job(place_bets(edition(name).elect(choices), seats), strategy, session)


@cache
def traced_job(name: str, seats: int, strategy: str = "optimal", elections: str = "") -> Job:
    choices = dict(pair.split("=") for pair in elections.split())
    return prepare_job(place_bets(edition(name).elect(choices), seats), strategy, trace=True)
