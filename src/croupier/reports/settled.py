"""Bets as they were settled, for the hold: what was staked and what the house won by each.

The required wagers of a seat in a round and their bonuses are one bet, measured in parts of the Ante, as their house
edge is. Corrections count; a bet that was given back because the round was void says nothing and is left out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from croupier.rules import Edition
from croupier.table.events import BetsClosed, PaymentCorrected, WagerSettled
from croupier.table.record import Record

BET = "ante"
"""The name of the bet that the required wagers are."""


def bet_of(rules: Edition, wager: str) -> str:
    """The bet that an entry of a settlement belongs to: the required wagers and their bonuses are one, the Ante's."""
    if wager in rules.optional:
        return wager
    tables = rules.paytables.get(wager) or rules.envies.get(wager)
    return tables.on if tables is not None and tables.on in rules.optional else BET


@dataclass(frozen=True, slots=True)
class Bet:
    """One bet of one seat in one round, in cents."""

    bet: str
    staked: int
    won: int
    """By the house, after corrections."""
    envies: int
    """What Envy Bonuses paid, which is in `won`."""
    largest: int
    """The largest single pay."""


@dataclass(slots=True)
class _Entry:
    staked: int = 0
    won: int = 0
    envies: int = 0
    largest: int = 0
    void: bool = False


class Bets:
    """Takes settlements and corrections in any order, and gives the bets that they are about."""

    def __init__(self, rules: Edition) -> None:
        self._rules = rules
        self._entries: dict[tuple[int, int, str], _Entry] = defaultdict(_Entry)

    def settled(
        self, round_: int, seat: int, wager: str, outcome: str, *, staked: int, returned: int, paid: int
    ) -> None:
        """An entry of a settlement."""
        bet = bet_of(self._rules, wager)
        entry = self._entries[round_, seat, bet]
        entry.staked += staked if wager == bet else 0
        entry.won += staked - returned - paid
        entry.envies += paid if wager in self._rules.envies else 0
        entry.largest = max(entry.largest, paid)
        entry.void = entry.void or outcome == "returned"

    def corrected(self, round_: int, seat: int, wager: str, *, old: tuple[int, int], new: tuple[int, int]) -> None:
        """An entry that was reversed and made again: what it returned and paid before, and what it does now."""
        entry = self._entries[round_, seat, bet_of(self._rules, wager)]
        entry.won -= sum(new) - sum(old)
        entry.envies += new[1] - old[1] if wager in self._rules.envies else 0
        entry.largest = new[1] if old[1] == entry.largest else max(entry.largest, new[1])

    def __iter__(self) -> Iterator[Bet]:
        for (_, _, bet), entry in self._entries.items():
            if entry.staked and not entry.void:
                yield Bet(bet, entry.staked, entry.won, entry.envies, entry.largest)


def bets_in(record: Record) -> Bets:
    """The bets of a record."""
    bets, round_ = Bets(record.setup.elected.edition), 0
    for event in record.events:
        match event:
            case BetsClosed():
                round_ = event.round
            case WagerSettled():
                amounts = {"staked": event.staked, "returned": event.returned, "paid": event.paid}
                bets.settled(round_, event.seat, event.wager, event.outcome, **amounts)
            case PaymentCorrected():
                old, new = (event.old_returned, event.old_paid), (event.returned, event.paid)
                bets.corrected(event.round, event.seat, event.wager, old=old, new=new)
    return bets
