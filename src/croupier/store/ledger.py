"""Where every chip is: the entries of each event, two sides that add up to nothing.

`cage` and `drop` stand for the world outside: they fall by what comes in. Cash that a dealer takes for
chips at the table goes into the drop box; chips that accounting or the system sells and takes back are charged to
the patron's account with the house, where he has one, and all others are bought and cashed at the cage.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Iterator, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from croupier.errors import BrokenInvariant
from croupier.table import events as e
from croupier.table.people import Role
from croupier.table.state import Round, Table, banked


class Account(StrEnum):
    """The kinds of account at a table."""

    PATRON = "patron"
    """Chips before a patron, not wagered."""
    GAME = "game account"
    """A patron's credit for electronic wagers."""
    OWED = "owed"
    """Wins on meters that wait for their documents."""
    LAYOUT = "layout"
    TRAY = "tray"
    """The table inventory since the table opened."""
    FUND = "fund"
    """The progressive and electronic systems."""
    ACCOUNT = "account"
    """A patron's account with the house, out of which chips are bought."""
    CAGE = "cage"
    DROP = "drop"


Holder = tuple[Account, str]
"""An account with its patron; with no name where it is nobody's."""
LAYOUT: Holder = (Account.LAYOUT, "")
TRAY: Holder = (Account.TRAY, "")
FUND: Holder = (Account.FUND, "")


def postings(table: Table, event: e.Event, accounts: Container[str] = ()) -> Mapping[Holder, int]:
    """What an event moves from account to account, given the table before it; empty where it moves nothing.

    `accounts` are the patrons who have an account with the house.
    """
    moved = _MOVED.get(type(event))
    if moved is None:
        return _NOTHING
    found: dict[Holder, int] = defaultdict(int)
    for giver, taker, cents in moved(table, event, accounts):
        found[giver] -= cents
        found[taker] += cents
    entries = {holder: cents for holder, cents in found.items() if cents}
    if sum(entries.values()):
        raise BrokenInvariant(f"the entries of {type(event).__name__} do not add up: {entries}")
    return entries


_NOTHING: Mapping[Holder, int] = MappingProxyType({})
Moves = Iterator[tuple[Holder, Holder, int]]
"""From where, to where, how many cents."""


def _placed(table: Table, event: e.WagerPlaced, __: Container[str]) -> Moves:
    before = table.wagers.get(event.seat, {}).get(event.wager, 0)
    kind = Account.GAME if event.wager in table.setup.electronic else Account.PATRON
    yield (kind, table.seats[event.seat]), LAYOUT, event.amount - before


def _made(table: Table, event: e.WagerMade, __: Container[str]) -> Moves:
    yield (Account.PATRON, _round(table).patrons[event.seat]), LAYOUT, event.amount


def _pulled_back(table: Table, event: e.WagerPulledBack, __: Container[str]) -> Moves:
    yield LAYOUT, (Account.PATRON, _round(table).patrons[event.seat]), event.amount


def charged(event: e.Event, accounts: Container[str]) -> int:
    """What an event adds to the account that its patron has with the house, less than nothing for what it takes."""
    if not isinstance(event, e.ChipsBought | e.ChipsCashed):
        return 0
    if event.by.role is Role.DEALER or event.patron not in accounts:
        return 0
    return -event.amount if isinstance(event, e.ChipsBought) else event.amount


def _bought(_: Table, event: e.ChipsBought, accounts: Container[str]) -> Moves:
    outside: Holder = (Account.DROP if event.by.role is Role.DEALER else Account.CAGE, "")
    giver = (Account.ACCOUNT, event.patron) if charged(event, accounts) else outside
    yield giver, (Account.PATRON, event.patron), event.amount


def _cashed(_: Table, event: e.ChipsCashed, accounts: Container[str]) -> Moves:
    taker: Holder = (Account.ACCOUNT, event.patron) if charged(event, accounts) else (Account.CAGE, "")
    yield (Account.PATRON, event.patron), taker, event.amount


def _funded(_: Table, event: e.AccountFunded, __: Container[str]) -> Moves:
    yield (Account.PATRON, event.patron), (Account.GAME, event.patron), event.amount


def _counted(_: Table, event: e.ProgressiveChipsCounted, __: Container[str]) -> Moves:
    if event.counted == event.accepted:
        yield LAYOUT, TRAY, event.accepted


def _resolved(_: Table, event: e.ChipCountResolved, __: Container[str]) -> Moves:
    yield LAYOUT, TRAY, event.accepted


def _documented(_: Table, event: e.DocumentsCompleted, __: Container[str]) -> Moves:
    yield (Account.OWED, event.patron), (Account.PATRON, event.patron), sum(cents for _, cents in event.amounts)


def _mystery(_: Table, event: e.MysteryHit, __: Container[str]) -> Moves:
    yield FUND, (Account.OWED, event.patron), event.amount


def _corrected(_: Table, event: e.PaymentCorrected, __: Container[str]) -> Moves:
    change = event.returned + event.paid - event.old_returned - event.old_paid
    house, kind = (FUND, Account.GAME) if event.account else (TRAY, Account.PATRON)
    yield house, (kind, event.patron), change


def _settled(table: Table, event: e.WagerSettled, __: Container[str]) -> Moves:
    """The stake goes to the house, unless it is there already, and what is given comes from the house."""
    round_ = _round(table)
    patron, given = round_.patrons[event.seat], event.returned + event.paid
    staked = 0 if banked(table.setup, round_, event.wager) else event.staked
    if event.meter:
        yield LAYOUT, TRAY, staked
        yield FUND, (Account.OWED if event.attended else Account.PATRON, patron), given
    elif event.account:
        yield LAYOUT, FUND, staked
        yield FUND, (Account.GAME, patron), given
    else:
        yield LAYOUT, TRAY, staked
        yield TRAY, (Account.PATRON, patron), given


def _round(table: Table) -> Round:
    if table.round is None:
        raise BrokenInvariant("there is no round")
    return table.round


_MOVED: Mapping[type[e.Event], Callable[[Table, Any, Container[str]], Moves]] = {
    e.WagerPlaced: _placed,
    e.WagerMade: _made,
    e.WagerPulledBack: _pulled_back,
    e.WagerSettled: _settled,
    e.ChipsBought: _bought,
    e.ChipsCashed: _cashed,
    e.AccountFunded: _funded,
    e.ProgressiveChipsCounted: _counted,
    e.ChipCountResolved: _resolved,
    e.DocumentsCompleted: _documented,
    e.MysteryHit: _mystery,
    e.PaymentCorrected: _corrected,
}
"""The kinds of event that move money; `tests/store/test_ledger.py` holds the sums against the tables."""


def holdings(table: Table) -> dict[Holder, int]:
    """What a table says is on each of its own accounts; the world outside is not among them."""
    found: dict[Holder, int] = {LAYOUT: table.on_table(), TRAY: table.tray, FUND: table.fund}
    people: tuple[tuple[Account, Mapping[str, int]], ...] = (
        (Account.PATRON, table.balances),
        (Account.GAME, table.accounts),
        (Account.OWED, table.owed),
    )
    for account, amounts in people:
        found |= {(account, name): cents for name, cents in amounts.items()}
    return {holder: cents for holder, cents in found.items() if cents}
