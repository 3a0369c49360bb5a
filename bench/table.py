"""Part 3: full rounds through the table engine, every procedure automated, six seats, one process."""

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
TARGET = 30_000


def events_per_second(name: str, rounds: int = ROUNDS) -> float:
    """Events a second through `decide` and `evolve`, shuffles included."""
    driver = TableSession(Setup.open(edition(name).elect()))
    automation = Automation(SeededShuffle("bench"))
    driver.send(c.ReceiveCards(by=SYSTEM, at=0, decks=(1,)))
    for seat in range(1, SEATS + 1):
        driver.send(c.Sit(by=SYSTEM, at=0, patron=f"patron {seat}", seats=(seat,)))
        driver.send(c.BuyIn(by=SYSTEM, at=0, patron=f"patron {seat}", amount=100_000_000_00))
    optional = {
        "four_card_poker": ("aces_up", "six_card_bonus"),
        "cajun_stud": ("pocket_bonus", "all_six"),
    }.get(driver.table.setup.game.name, ("prime", "all_six"))
    automation.advance(driver, at=0)
    play_round(driver, automation, optional)
    before, start = len(driver.events), time.perf_counter()
    for _ in range(rounds):
        play_round(driver, automation, optional)
    return (len(driver.events) - before) / (time.perf_counter() - start)


def play_round(driver: TableSession, automation: Automation, optional: tuple[str, ...]) -> None:
    """One round in which every seat wagers and stays in."""
    for seat in range(1, SEATS + 1):
        for wager in ("ante", *optional):
            driver.send(c.PlaceWager(by=SYSTEM, at=0, seat=seat, wager=wager, amount=1000))
    driver.send(c.AnnounceNoMoreBets(by=SYSTEM, at=0))
    automation.advance(driver, at=0)
    while driver.table.phase is Phase.DECIDING and driver.table.round is not None:
        driver.send(c.Decide(by=SYSTEM, at=0, seat=driver.table.round.waiting[0], amount=1000))
        automation.advance(driver, at=0)


def run() -> list[Result]:
    """Events a second for every edition."""
    found = []
    for name in EDITIONS:
        speed = events_per_second(name)
        found.append(Result(f"table: {name}", speed, "events/s", f"{TARGET:,} events/s", speed / TARGET, 1.0))
    return found
