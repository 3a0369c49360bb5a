"""Every chip is somewhere: after every event the entries so far are what the table says, account by account."""

from __future__ import annotations

import contextlib
import random
from collections import Counter
from fractions import Fraction
from typing import Any, ClassVar

import pytest
from hypothesis import Phase as Phases
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from croupier.core.errors import RuleViolation
from croupier.progressive.mystery import MysteryPlan
from croupier.regulations import EDITIONS, edition
from croupier.storage.ledger import Account, Holder, holdings, postings
from croupier.storage.reconciliation import OUTSIDE_ACCOUNTS
from croupier.table import SYSTEM, Event, Phase, Setup, Table, evolve
from croupier.table.automation import Automation
from croupier.table.model import commands as c
from croupier.table.model import events as e
from croupier.table.model.roles import Actor, Role
from croupier.table.procedure.shuffle import SeededShuffle
from croupier.table.session import TableSession
from tests.progressive import rounds as with_meters
from tests.storage.rounds import sit_down
from tests.table.test_properties import BOUNDED, AnyTable

ROUNDS = 400
MYSTERY = MysteryPlan(50_00, 60_00, Fraction(1, 20), ("ante",))


class Books:
    """The entries of a table's events, added up and held against the table after every one."""

    def __init__(self) -> None:
        self.accounts: Counter[Holder] = Counter()
        self.kinds: Counter[str] = Counter()

    def take(self, before: Table, event: Event) -> Table:
        after, entries = evolve(before, event), postings(before, event)
        assert sum(entries.values()) == 0
        assert all(entries.values()), "no entry of nothing"
        for holder, cents in entries.items():
            self.accounts[holder] += cents
        self.kinds[type(event).__name__] += bool(entries)
        at_the_table = {
            holder: cents for holder, cents in self.accounts.items() if cents and holder[0] not in OUTSIDE_ACCOUNTS
        }
        assert at_the_table == holdings(after), event
        assert sum(self.accounts.values()) == 0
        return after


class CheckedDriver(TableSession):
    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        self.books = Books()

    def send(self, command: c.Command) -> tuple[Event, ...]:
        before = self.table
        happened = super().send(command)
        for event in happened:
            before = self.books.take(before, event)
        return happened


@pytest.mark.parametrize("edition_name", EDITIONS)
def test_hundreds_of_rounds_of_every_edition(edition_name: str) -> None:
    driver, chance = CheckedDriver(Setup.open(edition(edition_name).elect(), name="one")), random.Random(edition_name)
    automation = Automation(SeededShuffle(edition_name))
    sit_down(driver, automation, seats=3)
    made: Counter[str] = Counter()
    for _ in range(ROUNDS):
        made += random_round(driver, automation, chance)
    assert driver.table.rounds == ROUNDS
    assert driver.books.kinds["WagerSettled"] == made.total()
    optional = set(driver.table.setup.limits) - driver.table.setup.on_meters
    assert optional <= made.keys(), "every wager that needs no meter was made"
    assert driver.books.accounts[Account.CAGE, ""] == -3 * 1_000_000_00


def random_round(driver: TableSession, automation: Automation, chance: random.Random) -> Counter[str]:
    """Any seats with any wagers that the table takes; anybody may fold. Gives what was settled."""
    setup = driver.table.setup
    automation.advance(driver, at=0)
    for seat in chance.sample((1, 2, 3), chance.randint(1, 3)):
        driver.send(c.PlaceWager(by=SYSTEM, at=0, seat=seat, wager="ante", amount=5_00))
        for wager in setup.limits:
            if wager not in setup.on_meters and wager != "ante" and chance.random() < 0.6:
                with contextlib.suppress(RuleViolation):  # some are only for those who made another one
                    driver.send(
                        c.PlaceWager(by=SYSTEM, at=0, seat=seat, wager=wager, amount=chance.choice((5_00, 7_00)))
                    )
    driver.send(c.AnnounceNoMoreBets(by=SYSTEM, at=0))
    automation.advance(driver, at=0)
    while driver.table.phase is Phase.DECIDING and driver.table.round:
        amount = None if chance.random() < 0.3 else 5_00
        driver.send(c.Decide(by=SYSTEM, at=0, seat=driver.table.round.waiting[0], amount=amount))
        automation.advance(driver, at=0)
    return Counter(entry.wager for entry in driver.table.history[-1].entries)


@pytest.mark.parametrize("edition_name", list(with_meters.WAGERS))
def test_rounds_with_meters_accounts_and_a_mystery(edition_name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(with_meters, "TableSession", CheckedDriver)
    setup = with_meters.setup_with_meters(edition_name, MYSTERY)
    driver = with_meters.play(setup, SeededShuffle(f"ledger {edition_name}"), ROUNDS)
    assert isinstance(driver, CheckedDriver)
    kinds = driver.books.kinds
    for kind in ("MysteryHit", "DocumentsCompleted", "ProgressiveChipsCounted"):
        assert kinds[kind], kind
    if setup.electronic:
        assert kinds["AccountFunded"] == 3
        assert any(account is Account.GAME for account, _ in driver.books.accounts)


class BookedTable(AnyTable):
    """Whatever people ask of a table, corrections, voids and absences too."""

    edition_name: ClassVar[str]

    def __init__(self) -> None:
        super().__init__()
        self.books = Books()

    def ask(self, command: c.Command) -> bool:
        before, known = self.table, len(self.events)
        done = super().ask(command)
        for event in self.events[known:]:
            before = self.books.take(before, event)
        return done


@pytest.mark.parametrize("edition_name", EDITIONS)
def test_whatever_is_asked_of_a_table(edition_name: str) -> None:
    class TableOfTheEdition(BookedTable):
        pass

    TableOfTheEdition.edition_name = edition_name
    run_state_machine_as_test(TableOfTheEdition, settings=settings(BOUNDED, max_examples=20, phases=[Phases.generate]))


def test_what_a_dealer_sells_goes_into_the_drop_box_and_all_else_to_the_cage() -> None:
    table = TableSession(Setup.open(edition("pa-682a").elect())).table
    said: dict[str, Any] = {"clause": "", "at": 0, "patron": "Pat", "amount": 7}
    dealer = e.ChipsBought(by=Actor("Dana", Role.DEALER), **said)
    assert postings(table, dealer) == {(Account.DROP, ""): -7, (Account.PATRON, "Pat"): 7}
    assert postings(table, e.ChipsBought(by=SYSTEM, **said)) == {(Account.CAGE, ""): -7, (Account.PATRON, "Pat"): 7}
    assert postings(table, e.ChipsCashed(by=SYSTEM, **said)) == {(Account.CAGE, ""): 7, (Account.PATRON, "Pat"): -7}
