"""Automatic rounds at tables with meters, for tests of records, ledgers and mystery meters."""

from __future__ import annotations

from dataclasses import replace

from croupier.progressive.meter_plans import meter_plans
from croupier.progressive.mystery import MysteryPlan
from croupier.regulations import edition
from croupier.table import SYSTEM, Phase, Setup
from croupier.table.automation import Automation
from croupier.table.model import commands as c
from croupier.table.model.setup import DRAWN_BONUSES, let_system_validate
from croupier.table.procedure.shuffle import ShuffleSource
from croupier.table.session import TableSession

WAGERS = {"pa-641a": ("four_card_progressive",), "md-4cp": ("progressive",)}


def setup_with_meters(name: str, mystery: MysteryPlan | None = None, letter: str = "A") -> Setup:
    """A table of an edition with one progressive, and its electronic wagers, if any."""
    rules = edition(name)
    elected = let_system_validate(rules.elect({WAGERS[name][0]: letter}))
    plans = {
        plan.name: plan
        for table, rule in rules.progressives.items()
        if table in WAGERS[name] or not rule.amounts
        for plan in meter_plans(elected, table, 100)
    }
    draws = {bonus: 2 for bonus in DRAWN_BONUSES if bonus in rules.odds}
    setup = Setup.open(elected, meters=plans, progressive_amount=100, draws=draws, name="table 1")
    return replace(setup, mystery=mystery)


def play(setup: Setup, source: ShuffleSource, rounds: int, seats: int = 3) -> TableSession:
    """Plays rounds: every seat makes every meter wager and plays 1x, but the last of several seats folds."""
    session, automation = TableSession(setup), Automation(source)
    session.send(c.ReceiveCards(by=SYSTEM, at=0, decks=(1,)))
    for seat in range(1, seats + 1):
        patron = f"Pat {seat}"
        session.send(c.Sit(by=SYSTEM, at=0, patron=patron, seats=(seat,)))
        session.send(c.BuyIn(by=SYSTEM, at=0, patron=patron, amount=1_000_000_00))
        if setup.electronic:
            session.send(c.FundAccount(by=SYSTEM, at=0, patron=patron, amount=100_000_00))
    automation.advance(session, at=0)
    for _ in range(rounds):
        play_round(session, automation, seats)
    return session


def play_round(session: TableSession, automation: Automation, seats: int) -> None:
    setup = session.table.setup
    tables = {plan.table for plan in setup.meters.values()}
    automation.advance(session, at=0)
    for seat in range(1, seats + 1):
        session.send(c.PlaceWager(by=SYSTEM, at=0, seat=seat, wager="ante", amount=5_00))
        for wager in setup.limits:
            if wager in setup.on_meters and setup.game.table_of(wager) in tables:
                amount = 3_00 if wager in setup.electronic else 1_00
                session.send(c.PlaceWager(by=SYSTEM, at=0, seat=seat, wager=wager, amount=amount))
    session.send(c.AnnounceNoMoreBets(by=SYSTEM, at=0))
    automation.advance(session, at=0)
    while session.table.phase is Phase.DECIDING and session.table.round:
        seat = session.table.round.waiting[0]
        session.send(c.Decide(by=SYSTEM, at=0, seat=seat, amount=None if seat == seats > 1 else 5_00))
        automation.advance(session, at=0)
