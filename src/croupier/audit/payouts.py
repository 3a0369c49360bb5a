"""Every settled wager computed again, with hands read from the rankings as they are written and not from quick tables.

The amount is also checked a third way: what an entry says its row pays, times its stake, is what it must pay.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from fractions import Fraction

from croupier.audit.finding import Finding
from croupier.audit.legality import IMPOSSIBLE
from croupier.audit.replay import Step, Stretch
from croupier.errors import Malformed
from croupier.games.definition import Cards
from croupier.hands import Ranking
from croupier.money import show
from croupier.progressive.meters import Meters
from croupier.rules.payouts import Dollars, ForOne, Payout, ToOne, parse_payout
from croupier.table import events as e
from croupier.table.settlement import Entry, Read, SeatSettlement, cards_of, counts_for_limit, limited
from croupier.table.state import Round, Table

SAID = tuple(field.name for field in fields(Entry) if field.name not in ("payout", "account"))
"""What of an entry the record keeps."""


class ReadableSettlement(SeatSettlement):
    """Settles a seat with every hand looked up in the ranking's own definition."""

    def read(self, ranking: Ranking, cards: Cards) -> Read:
        key = (ranking.name, cards)
        if key not in self._hands:
            hand = ranking.hand(cards_of(self.round, cards, self.seat))
            self._hands[key] = Read(hand.strength, hand.name)
        return self._hands[key]


def payouts(stretch: Stretch) -> Iterator[Finding]:
    """Entries that are not what the cards, the stakes and the tables make them."""
    turn: list[tuple[Step, e.WagerSettled]] = []
    for step in stretch.steps:
        if isinstance(step.event, e.WagerSettled):
            turn.append((step, step.event))
            yield from (Finding(step.seq, step.event.clause, text) for text in _arithmetic(step.event))
        elif isinstance(step.event, e.SeatSettled):
            yield from _turn(step, step.event.seat, turn)
            turn = []


def _turn(last: Step, seat: int, turn: list[tuple[Step, e.WagerSettled]]) -> Iterator[Finding]:
    before = turn[0][0].before if turn else last.before
    round_ = before.round
    if round_ is None or seat not in round_.dealt:
        yield Finding(last.seq, last.event.clause, f"seat {seat} is settled and was not dealt in")
        return
    try:
        due = list(_due(before, round_, seat))
    except IMPOSSIBLE:
        yield Finding(
            last.seq, last.event.clause, f"seat {seat} cannot be settled: its cards or wagers are not complete"
        )
        return
    for place in range(max(len(due), len(turn))):
        if place >= len(turn):
            to, entry = due[place]
            missing = f"seat {to} is owed its {entry.wager}, {entry.outcome}, {show(entry.returned + entry.paid)}"
            yield Finding(last.seq, entry.clause, missing)
        elif place >= len(due):
            step, event = turn[place]
            yield Finding(step.seq, event.clause, f"seat {event.seat} has nothing to settle as {event.wager}")
        else:
            yield from _compared(*turn[place], *due[place])


def _due(table: Table, round_: Round, seat: int) -> Iterator[tuple[int, Entry]]:
    setup = table.setup
    settlement = ReadableSettlement(setup, round_, seat, Meters(table.meters, setup.choice("reserve")))
    patron = round_.patrons[seat]
    paid = sum(
        entry.paid
        for entry in round_.entries
        if round_.patrons[entry.seat] == patron and counts_for_limit(setup, _entry(entry))
    )
    for entry in limited(setup, list(settlement.entries()), paid):
        yield seat, entry
    yield from settlement.envies()


def _entry(event: e.WagerSettled) -> Entry:
    return Entry(**{name: getattr(event, name) for name in SAID})


def _compared(step: Step, event: e.WagerSettled, seat: int, due: Entry) -> Iterator[Finding]:
    if event.seat != seat:
        yield Finding(step.seq, due.clause, f"{due.wager} goes to seat {seat}, not to seat {event.seat}")
    for name in SAID:
        said, follows = getattr(event, name), getattr(due, name)
        if said != follows:
            where = f"seat {event.seat}, {event.wager}"
            yield Finding(step.seq, due.clause, f"{where}: {name} is {said!r}, and the cards make it {follows!r}")
    if event.account != (not due.meter and (due.account or due.wager in step.before.setup.electronic)):
        yield Finding(step.seq, due.clause, f"seat {seat}, {due.wager}: paid to the wrong purse")


def _arithmetic(event: e.WagerSettled) -> Iterator[str]:
    """What an entry says of itself must agree: outcome, stake, odds, what is given back and what is paid."""
    if event.outcome in ("lose", "forfeit") and (event.returned or event.paid):
        yield f"{event.wager} was lost, and {show(event.returned + event.paid)} was given"
    if event.outcome in ("push", "returned") and (event.returned, event.paid) != (event.staked, 0):
        yield f"{event.wager} goes back as it was staked, {show(event.staked)}, and nothing is paid on top"
    if event.outcome != "win" or event.limited or event.meter or not event.staked:
        return
    try:
        payout = parse_payout(event.pays.replace(",", ""))
    except Malformed:
        yield f"{event.pays!r} is not what a row pays"
        return
    back, due = _owed(payout, event.staked)
    # Rounding is up to a whole cent or to half a dollar, never down.
    if event.returned != back or not due <= event.paid < due + 50:
        yield f"{event.pays} on {show(event.staked)} is {show(int(due))} and {show(back)} back, which was not given"


def _owed(payout: Payout, stake: int) -> tuple[int, Fraction]:
    match payout:
        case ToOne(odds):
            return stake, odds * stake
        case ForOne(multiple):
            return 0, multiple * stake
        case Dollars(cents):
            return stake, Fraction(cents)
    return stake, Fraction(0)
