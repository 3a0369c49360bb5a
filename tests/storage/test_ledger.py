"""After every event, the ledger entries add up to what the table holds, account by account."""

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
from croupier.storage.ledger import Account, Holder, holdings, house_account_change, postings
from croupier.storage.reconciliation import OUTSIDE_ACCOUNTS
from croupier.table import SYSTEM, Event, Phase, Setup, Table, evolve
from croupier.table.automation import Automation
from croupier.table.model import commands as c
from croupier.table.model import events as e
from croupier.table.model.roles import Actor, Role
from croupier.table.procedure.shuffle import SeededShuffle
from croupier.table.session import TableSession
from tests.progressive import rounds as meter_rounds
from tests.storage.rounds import sit_down
from tests.table.test_properties import BOUNDED, AnyTable

ROUNDS = 400
MYSTERY = MysteryPlan(50_00, 60_00, Fraction(1, 20), ("ante",))


class RunningLedger:
    """Adds up the entries of a table's events and compares them with the table after each one."""

    def __init__(self) -> None:
        self.accounts: Counter[Holder] = Counter()
        self.kinds: Counter[str] = Counter()

    def apply(self, before: Table, event: Event) -> Table:
        after, entries = evolve(before, event), postings(before, event)
        assert sum(entries.values()) == 0
        assert all(entries.values()), "no entry is zero"
        for holder, cents in entries.items():
            self.accounts[holder] += cents
        self.kinds[type(event).__name__] += bool(entries)
        table_balances = {
            holder: cents for holder, cents in self.accounts.items() if cents and holder[0] not in OUTSIDE_ACCOUNTS
        }
        assert table_balances == holdings(after), event
        assert sum(self.accounts.values()) == 0
        return after


class CheckedSession(TableSession):
    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        self.ledger = RunningLedger()

    def send(self, command: c.Command) -> tuple[Event, ...]:
        before = self.table
        events = super().send(command)
        for event in events:
            before = self.ledger.apply(before, event)
        return events


@pytest.mark.parametrize("edition_name", EDITIONS)
def test_the_ledger_balances_over_hundreds_of_rounds_of_every_edition(edition_name: str) -> None:
    session, chance = CheckedSession(Setup.open(edition(edition_name).elect(), name="one")), random.Random(edition_name)
    automation = Automation(SeededShuffle(edition_name))
    sit_down(session, automation, seats=3)
    settled: Counter[str] = Counter()
    for _ in range(ROUNDS):
        settled += random_round(session, automation, chance)
    assert session.table.rounds == ROUNDS
    assert session.ledger.kinds["WagerSettled"] == settled.total()
    optional = set(session.table.setup.limits) - session.table.setup.on_meters
    assert optional <= settled.keys(), "every wager without a meter was placed"
    assert session.ledger.accounts[Account.CAGE, ""] == -3 * 1_000_000_00


def random_round(session: TableSession, automation: Automation, chance: random.Random) -> Counter[str]:
    """Plays a round with random seats, wagers and folds; returns the number of settlements per wager."""
    setup = session.table.setup
    automation.advance(session, at=0)
    for seat in chance.sample((1, 2, 3), chance.randint(1, 3)):
        session.send(c.PlaceWager(by=SYSTEM, at=0, seat=seat, wager="ante", amount=5_00))
        for wager in setup.limits:
            if wager not in setup.on_meters and wager != "ante" and chance.random() < 0.6:
                with contextlib.suppress(RuleViolation):  # some wagers require another one
                    session.send(
                        c.PlaceWager(by=SYSTEM, at=0, seat=seat, wager=wager, amount=chance.choice((5_00, 7_00)))
                    )
    session.send(c.AnnounceNoMoreBets(by=SYSTEM, at=0))
    automation.advance(session, at=0)
    while session.table.phase is Phase.DECIDING and session.table.round:
        amount = None if chance.random() < 0.3 else 5_00
        session.send(c.Decide(by=SYSTEM, at=0, seat=session.table.round.waiting[0], amount=amount))
        automation.advance(session, at=0)
    return Counter(entry.wager for entry in session.table.history[-1].entries)


@pytest.mark.parametrize("edition_name", list(meter_rounds.WAGERS))
def test_the_ledger_balances_with_meters_accounts_and_a_mystery(
    edition_name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(meter_rounds, "TableSession", CheckedSession)
    setup = meter_rounds.setup_with_meters(edition_name, MYSTERY)
    session = meter_rounds.play(setup, SeededShuffle(f"ledger {edition_name}"), ROUNDS)
    assert isinstance(session, CheckedSession)
    kinds = session.ledger.kinds
    for kind in ("MysteryHit", "DocumentsCompleted", "ProgressiveChipsCounted"):
        assert kinds[kind], kind
    if setup.electronic:
        assert kinds["AccountFunded"] == 3
        assert any(account is Account.GAME for account, _ in session.ledger.accounts)


class LedgeredTable(AnyTable):
    """A table under random commands, with corrections, voids and absences."""

    edition_name: ClassVar[str]

    def __init__(self) -> None:
        super().__init__()
        self.ledger = RunningLedger()

    def send(self, command: c.Command) -> bool:
        before, count = self.table, len(self.events)
        is_accepted = super().send(command)
        for event in self.events[count:]:
            before = self.ledger.apply(before, event)
        return is_accepted


@pytest.mark.parametrize("examples", [10, pytest.param(100, marks=pytest.mark.slow)])
@pytest.mark.parametrize("edition_name", EDITIONS)
def test_the_ledger_balances_whatever_commands_are_sent(edition_name: str, examples: int) -> None:
    class EditionTable(LedgeredTable):
        pass

    EditionTable.edition_name = edition_name
    run_state_machine_as_test(EditionTable, settings=settings(BOUNDED, max_examples=examples, phases=[Phases.generate]))


def test_a_dealers_sales_go_into_the_drop_box_and_all_others_to_the_cage() -> None:
    table = TableSession(Setup.open(edition("pa-682a").elect())).table
    fields: dict[str, Any] = {"clause": "", "at": 0, "patron": "Pat", "amount": 7}
    sale = e.ChipsBought(by=Actor("Dana", Role.DEALER), **fields)
    assert postings(table, sale) == {(Account.DROP, ""): -7, (Account.PATRON, "Pat"): 7}
    assert postings(table, e.ChipsBought(by=SYSTEM, **fields)) == {(Account.CAGE, ""): -7, (Account.PATRON, "Pat"): 7}
    assert postings(table, e.ChipsCashed(by=SYSTEM, **fields)) == {(Account.CAGE, ""): 7, (Account.PATRON, "Pat"): -7}


def test_only_chips_bought_and_cashed_off_the_table_change_an_account_with_the_house() -> None:
    fields: dict[str, Any] = {"clause": "", "at": 0, "patron": "Pat", "amount": 7}
    dealer = Actor("Dana", Role.DEALER)
    changes = {
        e.ChipsBought(by=SYSTEM, **fields): -7,
        e.ChipsCashed(by=SYSTEM, **fields): 7,
        e.ChipsBought(by=dealer, **fields): 0,
        e.ChipsCashed(by=dealer, **fields): 0,
        e.AccountFunded(by=SYSTEM, **fields): 0,
    }
    assert {event: house_account_change(event, {"Pat"}) for event in changes} == changes
    assert [house_account_change(event, {"Quinn"}) for event in changes] == [0] * 5


def test_accounts_keep_the_names_under_which_ledgers_are_stored() -> None:
    names = {"patron", "game account", "owed", "layout", "tray", "fund", "account", "cage", "drop", "play money"}
    assert set(Account) == names
    assert {account.name for account in Account} == {name.split()[0].upper() for name in names}
