"""Checks every settled wager by settling it again, with hands from the declared rankings instead of lookup tables.

The amount is also checked a third way: the odds that an entry states, times its stake, must give what it paid.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from fractions import Fraction

from croupier.audits.checks.legality import DAMAGED_RECORD_ERRORS
from croupier.audits.finding import Finding, format_field
from croupier.audits.replay import RoundSpan, Step
from croupier.core.errors import InputError
from croupier.core.money import format_money
from croupier.games.definition import Cards
from croupier.hands import Ranking
from croupier.progressive.meters import SettlementMeters
from croupier.regulations.payouts import Dollars, ForOne, Payout, ToOne, parse_payout
from croupier.table.model import events as e
from croupier.table.model.state import Round, Table
from croupier.table.settlement import (
    RankedHand,
    SeatSettlement,
    SettlementEntry,
    apply_payout_limit,
    cards_of,
    counts_for_limit,
)

RECORDED_FIELDS = tuple(
    field.name for field in fields(SettlementEntry) if field.name not in ("payout", "account", "exact_paid")
)
"""The fields of a settlement entry that the record has."""


class SlowSettlement(SeatSettlement):
    """Settles a seat with every hand ranked by the declared ranking instead of a lookup table."""

    def rank(self, ranking: Ranking, cards: Cards) -> RankedHand:
        key = (ranking.name, cards)
        if key not in self._ranked_hands:
            hand = ranking.hand(cards_of(self.round, cards, self.seat))
            self._ranked_hands[key] = RankedHand(hand.strength, hand.name)
        return self._ranked_hands[key]


def check_payouts(span: RoundSpan) -> Iterator[Finding]:
    """Finds entries that differ from what cards, stakes and paytables give."""
    turn: list[tuple[Step, e.WagerSettled]] = []
    for step in span.steps:
        if isinstance(step.event, e.WagerSettled):
            turn.append((step, step.event))
            title = step.before.setup.elected.edition.title_of(step.event.wager)
            yield from (Finding(step.seq, step.event.clause, text) for text in _check_arithmetic(step.event, title))
        elif isinstance(step.event, e.SeatSettled):
            yield from _check_turn(step, step.event.seat, turn)
            turn = []


def _check_turn(last: Step, seat: int, turn: list[tuple[Step, e.WagerSettled]]) -> Iterator[Finding]:
    before = turn[0][0].before if turn else last.before
    round_ = before.round
    if round_ is None or seat not in round_.dealt:
        yield Finding(last.seq, last.event.clause, f"seat {seat} was settled but not dealt in")
        return
    try:
        expected = list(_expected_entries(before, round_, seat))
    except DAMAGED_RECORD_ERRORS:
        yield Finding(last.seq, last.event.clause, f"seat {seat} cannot be settled: its cards or wagers are incomplete")
        return
    for place in range(max(len(expected), len(turn))):
        if place >= len(turn):
            receiver, entry = expected[place]
            amount = format_money(entry.returned + entry.paid)
            missing = f"the {entry.wager} of seat {receiver} was not settled: {entry.outcome}, {amount}"
            yield Finding(last.seq, entry.clause, missing)
        elif place >= len(expected):
            step, event = turn[place]
            yield Finding(step.seq, event.clause, f"seat {event.seat} has no {event.wager} to settle")
        else:
            yield from _compare(*turn[place], *expected[place])


def _expected_entries(table: Table, round_: Round, seat: int) -> Iterator[tuple[int, SettlementEntry]]:
    setup = table.setup
    settlement = SlowSettlement(setup, round_, seat, SettlementMeters(table.meters, setup.choice("reserve")))
    patron = round_.patrons[seat]
    paid = sum(
        entry.paid
        for entry in round_.entries
        if round_.patrons[entry.seat] == patron and counts_for_limit(setup, _as_entry(entry))
    )
    for entry in apply_payout_limit(setup, list(settlement.entries()), paid):
        yield seat, entry
    yield from settlement.envy_entries()


def _as_entry(event: e.WagerSettled) -> SettlementEntry:
    return SettlementEntry(**{name: getattr(event, name) for name in RECORDED_FIELDS})


def _compare(step: Step, event: e.WagerSettled, seat: int, entry: SettlementEntry) -> Iterator[Finding]:
    title_of = step.before.setup.elected.edition.title_of
    if event.seat != seat:
        yield Finding(
            step.seq, entry.clause, f"the {title_of(entry.wager)} belongs to seat {seat}, not to seat {event.seat}"
        )
    for name in RECORDED_FIELDS:
        recorded, expected = getattr(event, name), getattr(entry, name)
        if recorded != expected:
            label = f"seat {event.seat}, {title_of(event.wager)}"
            values = f"{format_field(name, recorded)}, but the cards give {format_field(name, expected)}"
            yield Finding(step.seq, entry.clause, f"{label}: {name} is {values}")
    if event.account != (not entry.meter and (entry.account or entry.wager in step.before.setup.electronic)):
        yield Finding(step.seq, entry.clause, f"seat {seat}, {title_of(entry.wager)}: paid to the wrong account")


def _check_arithmetic(event: e.WagerSettled, title: str) -> Iterator[str]:
    """Contradictions within an entry: its outcome, stake, odds, stake returned and amount paid must agree."""
    if event.outcome in ("lose", "forfeit") and (event.returned or event.paid):
        yield f"the {title} was lost, but {format_money(event.returned + event.paid)} was paid"
    if event.outcome in ("push", "returned") and (event.returned, event.paid) != (event.staked, 0):
        yield f"the {title} must be returned as staked, {format_money(event.staked)}, with nothing paid"
    if event.outcome != "win" or event.limited or event.meter or not event.staked:
        return
    try:
        payout = parse_payout(event.pays.replace(",", ""))
    except InputError:
        yield f"{event.pays!r} is not a valid payout"
        return
    returned, paid = _amounts_owed(payout, event.staked)
    # Payouts are rounded up to a whole cent or half a dollar, never down.
    if event.returned != returned or not paid <= event.paid < paid + 50:
        owed = f"pays {format_money(int(paid))} and returns {format_money(returned)}"
        yield f"{event.pays} on {format_money(event.staked)} {owed}, but the entry differs"


def _amounts_owed(payout: Payout, stake: int) -> tuple[int, Fraction]:
    match payout:
        case ToOne(odds):
            return stake, odds * stake
        case ForOne(multiple):
            return 0, multiple * stake
        case Dollars(cents):
            return stake, Fraction(cents)
    return stake, Fraction(0)
