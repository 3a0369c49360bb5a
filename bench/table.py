"""Table: full rounds through the table engine, with all procedures automated, six seats, one process."""

from __future__ import annotations

import time

from bench.result import Result
from croupier.regulations import EDITIONS, edition
from croupier.table import Phase, Setup
from croupier.table.automation import Automation
from croupier.table.model import commands as c
from croupier.table.model.roles import SYSTEM
from croupier.table.procedure.shuffle import SeededShuffle
from croupier.table.session import TableSession

ROUNDS = 300
SEATS = 6
TARGET_EVENTS_PER_SECOND = 30_000


def events_per_second(name: str, rounds: int = ROUNDS) -> float:
    """Events per second through `decide` and `evolve`, including shuffles."""
    session = TableSession(Setup.open(edition(name).elect()))
    automation = Automation(SeededShuffle("bench"))
    session.send(c.ReceiveCards(by=SYSTEM, at=0, decks=(1,)))
    for seat in range(1, SEATS + 1):
        session.send(c.Sit(by=SYSTEM, at=0, patron=f"patron {seat}", seats=(seat,)))
        session.send(c.BuyIn(by=SYSTEM, at=0, patron=f"patron {seat}", amount=100_000_000_00))
    optional = {
        "four_card_poker": ("aces_up", "six_card_bonus"),
        "cajun_stud": ("pocket_bonus", "all_six"),
    }.get(session.table.setup.game.name, ("prime", "all_six"))
    automation.advance(session, at=0)
    play_round(session, automation, optional)
    before, start = len(session.events), time.perf_counter()
    for _ in range(rounds):
        play_round(session, automation, optional)
    return (len(session.events) - before) / (time.perf_counter() - start)


def play_round(session: TableSession, automation: Automation, optional: tuple[str, ...]) -> None:
    """Plays one round in which every seat wagers and stays in."""
    for seat in range(1, SEATS + 1):
        for wager in ("ante", *optional):
            session.send(c.PlaceWager(by=SYSTEM, at=0, seat=seat, wager=wager, amount=1000))
    session.send(c.AnnounceNoMoreBets(by=SYSTEM, at=0))
    automation.advance(session, at=0)
    while session.table.phase is Phase.DECIDING and session.table.round is not None:
        session.send(c.Decide(by=SYSTEM, at=0, seat=session.table.round.waiting[0], amount=1000))
        automation.advance(session, at=0)


def run() -> list[Result]:
    """Events per second for every edition."""
    results = []
    for name in EDITIONS:
        speed = events_per_second(name)
        results.append(
            Result(
                f"table: {name}",
                speed,
                "events/s",
                f"{TARGET_EVENTS_PER_SECOND:,} events/s",
                speed / TARGET_EVENTS_PER_SECOND,
                1.0,
            )
        )
    return results
