"""Meters computed a second time, from wagers and settlements alone, and held against what the record says of them.

The fold that runs a table moves its meters by meter events. Here the same amounts are derived from the
wagers that were placed, the rates and the settlements; every meter event must be what follows from them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from croupier.audit.finding import Finding, Numbered
from croupier.errors import BrokenInvariant, Malformed
from croupier.money import show
from croupier.progressive.meters import Cause, Claim, Meter, new_meter
from croupier.progressive.mystery import MYSTERY, Trigger
from croupier.table import events as e
from croupier.table.record import Record
from croupier.table.setup import Setup

OF_METERS = (e.MetersFed, e.MeterChanged, e.MetersRead, e.MeterLocked, e.MeterReleased, e.MysteryArmed, e.MysteryHit)


@dataclass
class _Books:
    """What is known from everything but meter events."""

    setup: Setup
    meters: dict[str, Meter]
    wagers: dict[int, dict[str, int]] = field(default_factory=dict)
    round: int = 0
    due: dict[str, Fraction] = field(default_factory=dict)
    """Contributions of the round."""
    settled: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    """Cents of the round that settlements say meters paid."""
    won: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    """Cents of the round that meter events say were won."""
    commitment: str = ""
    attended: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    documented: dict[str, int] = field(default_factory=lambda: defaultdict(int))


def reconcile(record: Record) -> Iterator[Finding]:
    """As `meters`, for a record that was read without faults."""
    return meters(record.setup, list(enumerate(record.events, 1)))


def meters(setup: Setup, events: Numbered) -> Iterator[Finding]:
    """Every meter event that does not follow from wagers, rates and settlements, and sums that do not agree."""
    if not setup.meters and not any(isinstance(event, OF_METERS) for _, event in events):
        return
    books = _Books(setup, {name: new_meter(plan) for name, plan in setup.meters.items()})
    for seq, event in events:
        try:
            for message in _check(books, event):
                yield Finding(seq, event.clause, message)
        except (BrokenInvariant, KeyError) as broken:
            yield Finding(seq, event.clause, f"{type(event).__name__} cannot follow what was before it: {broken}")
    yield from _last(setup, events, books)


def _check(books: _Books, event: e.Event) -> Iterator[str]:
    match event:
        case e.WagerPlaced():
            placed = books.wagers.setdefault(event.seat, {})
            placed[event.wager] = event.amount
        case e.BetsClosed():
            yield from _closed(books)
            _begin(books, event)
        case e.MetersFed():
            yield from _fed(books, event)
        case e.MeterChanged():
            yield from _changed(books, event)
        case e.MetersRead():
            books.meters |= {meter.plan.name: meter for meter in event.meters}
        case e.MeterLocked() | e.MeterReleased():
            yield from _claimed(books, event)
        case e.WagerSettled() if event.meter:
            books.settled[event.meter] += event.paid
            books.attended[event.meter] += event.paid if event.attended else 0
        case e.MysteryArmed():
            if Trigger(event.trigger, event.nonce).commitment != event.commitment:
                yield "the commitment of the mystery meter does not belong to its trigger"
            books.commitment = event.commitment
        case e.MysteryHit():
            books.settled[MYSTERY] += event.amount
            books.attended[MYSTERY] += event.amount
            if Trigger(event.trigger, event.nonce).commitment != books.commitment:
                yield "the trigger that is shown is not the one that was committed to"
        case e.DocumentsCompleted():
            for meter, cents in event.amounts:
                books.documented[meter] += cents
        case e.RoundCompleted():
            yield from _closed(books)


def _begin(books: _Books, event: e.BetsClosed) -> None:
    """Contributions follow from the wagers on the layout, the rates, and nothing else."""
    setup, books.round = books.setup, event.round
    staked: dict[str, int] = defaultdict(int)
    for seat in event.dealt:
        for wager, amount in books.wagers.pop(seat, {}).items():
            for name, plan in setup.meters.items():
                staked[name] += amount if setup.feeds(wager, plan) else 0
    books.due = {name: setup.meters[name].rate * cents for name, cents in staked.items() if cents}


def _fed(books: _Books, event: e.MetersFed) -> Iterator[str]:
    said = dict(event.amounts)
    for name in {*said, *books.due}:
        due = books.due.get(name, Fraction(0))
        if said.get(name, Fraction(0)) != due:
            yield f"meter {name} was fed {_cents(said.get(name))} where the wagers and the rate make {_cents(due)}"
        if name in books.meters:
            books.meters[name] = books.meters[name].fed(said.get(name, Fraction(0)))
    if not books.due and said:
        yield "meters were fed in a round without a wager on them"


def _changed(books: _Books, event: e.MeterChanged) -> Iterator[str]:
    meter = books.meters.get(event.meter)
    if meter is None:
        yield f"there is no meter {event.meter} at this table"
        return
    if event.before != meter.amount:
        yield f"meter {event.meter} stood at {_cents(meter.amount)}, not at {_cents(event.before)}"
    after = meter.changed(event.amount, event.cause)
    if event.after != after.amount or not after.conserved:
        yield f"meter {event.meter} goes to {_cents(after.amount)} by this, not to {_cents(event.after)}"
    books.meters[event.meter] = after
    match event.cause:
        case Cause.WON:
            books.won[event.meter] += int(-event.amount)
        case Cause.RESEEDED if event.amount != meter.plan.reseed:
            yield f"meter {event.meter} is reseeded with {_cents(meter.plan.reseed)}, not {_cents(event.amount)}"
        case Cause.REVERSED if -event.amount != books.due.get(event.meter):
            due = _cents(books.due.get(event.meter))
            yield f"the void round gave meter {event.meter} {due}, which is not what is taken back"
        case Cause.CORRECTED | Cause.SET_UP:
            approved = event.approved_by
            if approved is None or approved.name == event.by.name:
                yield f"meter {event.meter} was changed without a second person"


def _claimed(books: _Books, event: e.MeterLocked | e.MeterReleased) -> Iterator[str]:
    meter, claim = books.meters[event.meter], Claim(books.setup.name, event.round, event.seat)
    if isinstance(event, e.MeterLocked):
        books.meters[event.meter] = meter.locked(claim)
    elif claim not in meter.claims:
        yield f"meter {event.meter} was not locked for seat {event.seat}"
    else:
        books.meters[event.meter] = meter.released(claim)


def _closed(books: _Books) -> Iterator[str]:
    """At the end of a round the settlements and the meters must say the same."""
    for name in {*books.won, *books.settled}:
        if books.won[name] != books.settled[name]:
            won, paid = _cents(books.won[name]), _cents(books.settled[name])
            yield f"in round {books.round} meter {name} lost {won} by wins and settlements paid {paid} from it"
    books.won.clear()
    books.settled.clear()
    books.due = {}


def _last(setup: Setup, events: Numbered, books: _Books) -> Iterator[Finding]:
    """At the end: the books here against those that the fold kept, and documents against wins."""
    end, clause = events[-1][0] if events else 0, setup.clause("progressive_system")
    try:
        table = Record(setup, tuple(event for _, event in events)).table()
    except Malformed as broken:
        seq, event = events[int(broken.place.removeprefix("event ")) - 1]
        yield Finding(seq, event.clause, broken.reason)
        return
    for name, meter in books.meters.items():
        kept = table.meters[name]
        if (kept.amount, kept.contributed, kept.won, kept.hits) != (
            meter.amount,
            meter.contributed,
            meter.won,
            meter.hits,
        ):
            yield Finding(end, clause, f"the books of meter {name} are not what the events make them")
    open_ = {meter for held in (table.round.held.values() if table.round else ()) for meter, _ in held}
    for name, cents in books.attended.items():
        if cents != books.documented[name] and name not in open_:
            done = _cents(books.documented[name])
            yield Finding(end, clause, f"wins of {_cents(cents)} on meter {name} have documents over {done}")


def _cents(amount: Fraction | int | None) -> str:
    """An amount to the last fraction."""
    exact = Fraction(amount or 0)
    whole = show(int(exact))
    rest = exact - int(exact)
    return f"{whole} and {rest} of a cent" if rest else whole
