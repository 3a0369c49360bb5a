"""Every chip is somewhere: after every event the entries so far are what the table says, account by account."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any, ClassVar

import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from croupier.progressive.mystery import MysteryPlan
from croupier.rules import EDITIONS, edition
from croupier.store.books import OUTSIDE
from croupier.store.ledger import Account, Holder, holdings, postings
from croupier.table import SYSTEM, Event, Setup, Table, evolve
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.automation import Automation
from croupier.table.driver import Driver
from croupier.table.people import Actor, Role
from croupier.table.shuffling import SeededShuffle
from tests.progressive import rounds as with_meters
from tests.store.playing import play_round, sit_down
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
        at_the_table = {holder: cents for holder, cents in self.accounts.items() if cents and holder[0] not in OUTSIDE}
        assert at_the_table == holdings(after), event
        assert sum(self.accounts.values()) == 0
        return after


class CheckedDriver(Driver):
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
    driver = CheckedDriver(Setup.open(edition(edition_name).elect(), name="one"))
    automation = Automation(SeededShuffle(edition_name))
    sit_down(driver, automation, seats=3)
    for _ in range(ROUNDS):
        play_round(driver, automation, seats=3)
    assert driver.table.rounds == ROUNDS
    assert driver.books.kinds["WagerSettled"] > ROUNDS
    assert driver.books.accounts[Account.CAGE, ""] == -3 * 1_000_000_00


@pytest.mark.parametrize("edition_name", list(with_meters.WAGERS))
def test_rounds_with_meters_accounts_and_a_mystery(edition_name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(with_meters, "Driver", CheckedDriver)
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
    run_state_machine_as_test(TableOfTheEdition, settings=settings(BOUNDED, max_examples=20))


def test_what_a_dealer_sells_goes_into_the_drop_box_and_all_else_to_the_cage() -> None:
    table = Driver(Setup.open(edition("pa-682a").elect())).table
    said: dict[str, Any] = {"clause": "", "at": 0, "patron": "Pat", "amount": 7}
    dealer = e.ChipsBought(by=Actor("Dana", Role.DEALER), **said)
    assert postings(table, dealer) == {(Account.DROP, ""): -7, (Account.PATRON, "Pat"): 7}
    assert postings(table, e.ChipsBought(by=SYSTEM, **said)) == {(Account.CAGE, ""): -7, (Account.PATRON, "Pat"): 7}
    assert postings(table, e.ChipsCashed(by=SYSTEM, **said)) == {(Account.CAGE, ""): 7, (Account.PATRON, "Pat"): -7}
