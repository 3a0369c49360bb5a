"""Checks meters by computing them a second time, from wagers, rates and settlements alone.

The table state moves its meters by meter events. Here the same amounts are derived from the wagers that were placed,
the rates and the settlements; every meter event must agree with them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from croupier.audits.checks.setup import check_setup
from croupier.audits.finding import Finding, NumberedEvents
from croupier.core.errors import InputError
from croupier.core.money import format_money
from croupier.progressive.meter_plans import meter_name
from croupier.progressive.meters import Meter, MeterCause, MeterChange, MeterClaim, SettlementMeters
from croupier.progressive.mystery import MYSTERY, Trigger
from croupier.regulations.payouts import OfMeter
from croupier.table.evolve import new_meters
from croupier.table.model import events as e
from croupier.table.model.setup import Setup
from croupier.table.record.file import Record

METER_EVENTS = (e.MetersFed, e.MeterChanged, e.MetersRead, e.MeterLocked, e.MeterReleased, e.MysteryArmed, e.MysteryHit)


@dataclass
class _MeterBooks:
    """The meters according to everything but meter events."""

    setup: Setup
    meters: dict[str, Meter]
    wagers: dict[int, dict[str, int]] = field(default_factory=dict)
    round: int = 0
    contributions: dict[str, Fraction] = field(default_factory=dict)
    """Contributions of the round."""
    is_feed_pending: bool = False
    """Whether the round's contributions are still to be added: that must be the next event."""
    hits_at_contribution: dict[str, int] = field(default_factory=dict)
    """The number of hits of each of those meters when they were fed."""
    unreversed_meters: set[str] = field(default_factory=set)
    """Meters from which a void round's contributions are still to be taken back."""
    has_settled_seat: bool = False
    """Whether a seat of this round is settled: if the rest is void then, meters keep their contributions."""
    turn_payments: list[e.WagerSettled] = field(default_factory=list)
    """Payments from meters at the turn of one seat."""
    turn_changes: list[MeterChange] = field(default_factory=list)
    """The changes by meter events at that turn."""
    turn_meters: dict[str, Meter] = field(default_factory=dict)
    """Meters before that turn."""
    shares: dict[int, int] = field(default_factory=dict)
    """The shares of a divided jackpot, by seat."""
    is_divided: bool = False
    """Whether it was divided at this turn."""
    settled_cents: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    """Cents that the round's settlements paid from meters."""
    won_cents: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    """Cents that the round's meter events took off as won."""
    commitment: str = ""
    attended_cents: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    documented_cents: dict[str, int] = field(default_factory=lambda: defaultdict(int))


def reconcile(record: Record) -> Iterator[Finding]:
    """Checks the setup and the meters of a record that was read without faults."""
    events = list(enumerate(record.events, 1))
    yield from check_setup(record.setup, events)
    yield from check_meters(record.setup, events)


def check_meters(setup: Setup, events: NumberedEvents) -> Iterator[Finding]:
    """Finds meter events that do not follow from wagers, rates and settlements, and sums that differ."""
    if not setup.meters and not any(isinstance(event, METER_EVENTS) for _, event in events):
        return
    books = _MeterBooks(setup, new_meters(setup))
    for seq, event in events:
        try:
            for message in _check_event(books, event):
                yield Finding(seq, event.clause, message)
        except (InputError, KeyError) as error:
            yield Finding(seq, event.clause, f"{type(event).__name__} is not possible at this point: {error}")
    yield from _check_end(setup, events, books)


def _check_event(books: _MeterBooks, event: e.Event) -> Iterator[str]:
    if books.is_feed_pending and not isinstance(event, e.MetersFed):
        yield "the wagers of this round were never added to the meters"
        books.is_feed_pending, books.contributions = False, {}
    match event:
        case e.WagerPlaced():
            seat_wagers = books.wagers.setdefault(event.seat, {})
            seat_wagers[event.wager] = event.amount
        case e.BetsClosed():
            yield from _check_round_totals(books)
            _begin_round(books, event)
        case e.MetersFed():
            yield from _check_feed(books, event)
        case e.MeterChanged():
            yield from _check_change(books, event)
        case e.MetersRead():
            books.meters |= {meter.plan.name: meter for meter in event.meters}
        case e.MeterLocked() | e.MeterReleased():
            yield from _check_claim(books, event)
        case e.WagerSettled() if event.meter:
            if not books.turn_payments:
                books.turn_meters, books.turn_changes = dict(books.meters), []
            books.turn_payments.append(event)
            books.settled_cents[event.meter] += event.paid
            books.attended_cents[event.meter] += event.paid if event.attended else 0
        case e.MysteryArmed():
            if Trigger(event.trigger, event.nonce).commitment != event.commitment:
                yield "the commitment of the mystery meter does not belong to its trigger"
            books.commitment = event.commitment
        case e.MysteryHit():
            books.settled_cents[MYSTERY] += event.amount
            books.attended_cents[MYSTERY] += event.amount
            if Trigger(event.trigger, event.nonce).commitment != books.commitment:
                yield "the revealed trigger is not the one that was committed to"
        case e.DocumentsCompleted():
            for meter, cents in event.amounts:
                books.documented_cents[meter] += cents
        case e.RoundVoided() if not event.settles_optional and not books.has_settled_seat:
            if books.setup.choice("void_contributions") == "reversed":
                books.unreversed_meters = {name for name, amount in books.contributions.items() if amount}
        case e.Noted():
            books.unreversed_meters -= set(_kept_contributions(books))
        case e.JackpotDivided():
            books.shares, books.is_divided = dict(event.shares), True
        case e.SeatSettled():
            books.has_settled_seat = True
            yield from _check_turn(books)
            yield from _check_reversals(books)
        case e.RoundCompleted():
            yield from _check_round_totals(books)
            books.shares = {}


def _begin_round(books: _MeterBooks, event: e.BetsClosed) -> None:
    """Contributions follow only from the wagers on the layout and the rates."""
    setup, books.round, books.has_settled_seat = books.setup, event.round, False
    staked: dict[str, int] = defaultdict(int)
    for seat in event.dealt:
        for wager, amount in books.wagers.pop(seat, {}).items():
            for name, plan in setup.meters.items():
                staked[name] += amount if setup.feeds(wager, plan) else 0
    books.contributions = {name: setup.meters[name].rate * cents for name, cents in staked.items() if cents}
    books.is_feed_pending = bool(books.contributions)


def _check_feed(books: _MeterBooks, event: e.MetersFed) -> Iterator[str]:
    amounts, books.is_feed_pending = dict(event.amounts), False
    for name in {*amounts, *books.contributions}:
        expected = books.contributions.get(name, Fraction(0))
        if amounts.get(name, Fraction(0)) != expected:
            fed = _format_cents(amounts.get(name))
            yield f"meter {name} was fed {fed}, but the wagers and the rate give {_format_cents(expected)}"
        if name in books.meters:
            books.hits_at_contribution[name] = books.meters[name].hits
            books.meters[name] = books.meters[name].with_contribution(amounts.get(name, Fraction(0)))
    if not books.contributions and amounts:
        yield "meters were fed in a round without a wager on them"


def _check_change(books: _MeterBooks, event: e.MeterChanged) -> Iterator[str]:
    meter = books.meters.get(event.meter)
    if meter is None:
        yield f"there is no meter {event.meter} at this table"
        return
    if event.before != meter.amount:
        yield f"meter {event.meter} stood at {_format_cents(meter.amount)}, not at {_format_cents(event.before)}"
    after = meter.with_change(event.amount, event.cause)
    if event.after != after.amount or not after.is_balanced:
        actual, expected = _format_cents(event.after), _format_cents(after.amount)
        yield f"meter {event.meter} goes to {expected} with this change, not to {actual}"
    books.meters[event.meter] = after
    books.unreversed_meters -= {event.meter} if event.cause is MeterCause.REVERSED else set()
    if event.cause not in (MeterCause.WAITED, MeterCause.RETURNED):
        books.turn_changes.append(MeterChange(event.meter, event.amount, event.cause))
    match event.cause:
        case MeterCause.WON:
            books.won_cents[event.meter] += int(-event.amount)
        case MeterCause.RETURNED:
            books.won_cents[event.meter] -= int(event.amount)
        case MeterCause.RESEEDED if event.amount != meter.plan.reseed:
            actual, expected = _format_cents(event.amount), _format_cents(meter.plan.reseed)
            yield f"meter {event.meter} is reseeded with {expected}, not {actual}"
        case MeterCause.REVERSED if not _is_allowed_reversal(books, event):
            contributed = _format_cents(books.contributions.get(event.meter))
            yield f"the void round gave meter {event.meter} {contributed}, but another amount is taken back"
        case MeterCause.CORRECTED | MeterCause.SET_UP:
            approver = event.approved_by
            if approver is None or approver.name == event.by.name:
                yield f"meter {event.meter} was changed without a second person's approval"


def _is_allowed_reversal(books: _MeterBooks, event: e.MeterChanged) -> bool:
    """Whether the round's whole contribution is taken back, or less if forfeited wagers are kept."""
    contributed = books.contributions.get(event.meter, Fraction(0))
    return -event.amount == contributed or (
        books.setup.choice("void_forfeited") == "kept" and 0 < -event.amount < contributed
    )


def _check_turn(books: _MeterBooks) -> Iterator[str]:
    """Compares what meters pay at a seat's turn, and how they change, with the paytable and their amounts."""
    meters = SettlementMeters(books.turn_meters, books.setup.choice("reserve"))
    for event in books.turn_payments:
        paytable = books.setup.elected.paytable(books.setup.game.table_of(event.wager))
        pays = next((row.pays for row in paytable.rows if row.hand == event.row), None)
        if not isinstance(pays, OfMeter):
            yield f"{event.row.replace('_', ' ')} is not paid from a meter at this table"
            continue
        owed = _owed_payment(books, event, paytable.name, pays, meters)
        if event.paid != owed:
            paid = _format_cents(event.paid)
            yield f"seat {event.seat} was owed {_format_cents(owed)} from meter {event.meter} but was paid {paid}"
    expected, recorded = meters.changes, books.turn_changes
    if books.turn_payments and expected != recorded:
        missing = next((change for change in expected if change not in recorded), None)
        fault = (
            f"{missing.cause.value} {_format_cents(abs(missing.amount))} is missing"
            if missing
            else "a change is not due"
        )
        yield f"the meters did not change as the payments require: {fault}"
    books.turn_payments, books.turn_changes, books.is_divided = [], [], False


def _owed_payment(
    books: _MeterBooks, event: e.WagerSettled, table: str, pays: OfMeter, meters: SettlementMeters
) -> int:
    if event.wager not in books.setup.game.on_dealer:
        return meters.take(table, pays.meter, pays.share)
    if not books.is_divided:
        return books.shares.get(event.seat, 0)
    if books.setup.choice("dealer_jackpot_split") == "by_wager":
        return books.shares.get(event.seat, 0) if _use_up_prize(books, table, pays, meters) else -1
    return meters.take(table, pays.meter, pays.share, len(books.shares))


def _use_up_prize(books: _MeterBooks, table: str, pays: OfMeter, meters: SettlementMeters) -> bool:
    """Whether the shares of a jackpot divided by wagers leave less than a cent each."""
    prize = int(meters.meters[meter_name(table, pays.meter)].amount * pays.share)
    remainder = prize - sum(books.shares.values())
    meters.take_exactly(table, pays.meter, pays.share, sum(books.shares.values()))
    return 0 <= remainder < len(books.shares)


def _kept_contributions(books: _MeterBooks) -> Iterator[str]:
    """The meters that keep a void round's contribution: won meanwhile, or locked with less than that waiting."""
    for name in books.unreversed_meters:
        meter = books.meters[name]
        is_locked = meter.claims and meter.waiting < books.contributions[name]
        if meter.hits != books.hits_at_contribution[name] or is_locked:
            yield name


def _check_reversals(books: _MeterBooks) -> Iterator[str]:
    for name in sorted(books.unreversed_meters):
        yield f"the contribution of the void round to meter {name} was not taken back"
    books.unreversed_meters = set()


def _check_claim(books: _MeterBooks, event: e.MeterLocked | e.MeterReleased) -> Iterator[str]:
    meter, claim = books.meters[event.meter], MeterClaim(books.setup.name, event.round, event.seat)
    if isinstance(event, e.MeterLocked):
        books.meters[event.meter] = meter.with_claim(claim)
    elif claim not in meter.claims:
        yield f"meter {event.meter} was not locked for seat {event.seat}"
    else:
        books.meters[event.meter] = meter.without_claim(claim)


def _check_round_totals(books: _MeterBooks) -> Iterator[str]:
    """Compares settlements and meters at the end of a round."""
    for name in {*books.won_cents, *books.settled_cents}:
        if books.won_cents[name] != books.settled_cents[name]:
            won, paid = _format_cents(books.won_cents[name]), _format_cents(books.settled_cents[name])
            yield f"in round {books.round} wins took {won} from meter {name}, but settlements paid {paid} from it"
    books.won_cents.clear()
    books.settled_cents.clear()
    books.contributions = {}


def _check_end(setup: Setup, events: NumberedEvents, books: _MeterBooks) -> Iterator[Finding]:
    """Compares, at the end of the record, these books with the table state, and documents with wins."""
    end, clause = events[-1][0] if events else 0, setup.clause("progressive_system")
    try:
        table = Record(setup, tuple(event for _, event in events)).table()
    except InputError as error:
        seq, event = events[int(error.place.removeprefix("event ")) - 1]
        yield Finding(seq, event.clause, error.reason)
        return
    for name, meter in books.meters.items():
        recorded = table.meters[name]
        if (recorded.amount, recorded.contributed, recorded.won, recorded.hits) != (
            meter.amount,
            meter.contributed,
            meter.won,
            meter.hits,
        ):
            yield Finding(end, clause, f"the state of meter {name} does not follow from the events")
    pending = table.round.awaiting_documents.values() if table.round else ()
    open_meters = {meter for amounts in pending for meter, _ in amounts}
    for name, cents in books.attended_cents.items():
        if cents != books.documented_cents[name] and name not in open_meters:
            documented = _format_cents(books.documented_cents[name])
            yield Finding(
                end, clause, f"documents cover {documented} of the {_format_cents(cents)} won on meter {name}"
            )


def _format_cents(amount: Fraction | int | None) -> str:
    """An exact amount in words, with fractions of a cent."""
    exact = Fraction(amount or 0)
    cents_text = format_money(int(exact))
    fraction = exact - int(exact)
    return f"{cents_text} and {fraction} of a cent" if fraction else cents_text
