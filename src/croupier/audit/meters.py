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
from croupier.money import Cents, show
from croupier.progressive.meters import Cause, Claim, Meter, MeterChange, Meters, new_meter
from croupier.progressive.mystery import MYSTERY, Trigger
from croupier.progressive.plans import meter_name, meter_plans
from croupier.rules.payouts import OfMeter
from croupier.table import events as e
from croupier.table.record import Record
from croupier.table.setup import Setup
from croupier.table.why import meter_title

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
    unfed: bool = False
    """Whether the round's contributions have still to be booked, which is the next event."""
    unreversed: set[str] = field(default_factory=set)
    """Meters from which a void round's contributions have still to be taken back."""
    turn: list[e.WagerSettled] = field(default_factory=list)
    """Payments from meters at the turn of one seat."""
    turn_changes: list[MeterChange] = field(default_factory=list)
    """What meter events say of that turn."""
    turn_meters: dict[str, Meter] = field(default_factory=dict)
    """Meters before that turn."""
    shares: dict[int, int] = field(default_factory=dict)
    """A divided jackpot, by seat."""
    divided: bool = False
    """Whether it was divided at this turn."""
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
    for message in _plans(setup):
        yield Finding(0, setup.clause("fixed_meters") or setup.clause("meter_amounts"), message)
    for seq, event in events:
        try:
            for message in _check(books, event):
                yield Finding(seq, event.clause, message)
        except (BrokenInvariant, KeyError) as broken:
            yield Finding(seq, event.clause, f"{type(event).__name__} cannot follow what was before it: {broken}")
    yield from _last(setup, events, books)


def _plans(setup: Setup) -> Iterator[str]:
    """Meters of the table against what the edition fixes; what one starts with may come from elsewhere."""
    for table in dict.fromkeys(plan.table for plan in setup.meters.values()):
        rule = setup.elected.edition.progressives.get(table)
        if rule is None:
            continue
        electronic = [limits.minimum for wager, limits in setup.limits.items() if setup.game.table_of(wager) == table]
        wager = setup.progressive_amount if rule.amounts else max(min(electronic, default=Cents(100)), 100)
        for fixed in meter_plans(setup.elected, table, wager):
            plan = setup.meters.get(fixed.name)
            if plan is None:
                yield f"meter {fixed.name} is missing"
            elif setup.clause("meter_rate"):
                if plan.reseed < fixed.reseed:
                    yield f"meter {fixed.name} resets below {_cents(fixed.reseed)}"
            elif plan.rate != fixed.rate:
                yield f"the rate of meter {fixed.name} is fixed at {fixed.rate}, not {plan.rate}"
            elif rule.amounts and plan.reseed != fixed.reseed:
                yield f"meter {fixed.name} resets at {_cents(fixed.reseed)}, not {_cents(plan.reseed)}"


def _check(books: _Books, event: e.Event) -> Iterator[str]:
    if books.unfed and not isinstance(event, e.MetersFed):
        yield "the wagers of the round before this were never added to the meters"
        books.unfed, books.due = False, {}
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
            if not books.turn:
                books.turn_meters, books.turn_changes = dict(books.meters), []
            books.turn.append(event)
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
        case e.RoundVoided() if not event.settles_optional:
            if books.setup.choice("void_contributions") == "reversed":
                books.unreversed = {name for name, amount in books.due.items() if amount}
        case e.Noted() if "of the void round" in event.what:
            books.unreversed = {name for name in books.unreversed if meter_title(books.setup, name) not in event.what}
        case e.JackpotDivided():
            books.shares, books.divided = dict(event.shares), True
        case e.SeatSettled():
            yield from _turn(books)
            yield from _unreversed(books)
        case e.RoundCompleted():
            yield from _closed(books)
            books.shares = {}


def _begin(books: _Books, event: e.BetsClosed) -> None:
    """Contributions follow from the wagers on the layout, the rates, and nothing else."""
    setup, books.round = books.setup, event.round
    staked: dict[str, int] = defaultdict(int)
    for seat in event.dealt:
        for wager, amount in books.wagers.pop(seat, {}).items():
            for name, plan in setup.meters.items():
                staked[name] += amount if setup.feeds(wager, plan) else 0
    books.due = {name: setup.meters[name].rate * cents for name, cents in staked.items() if cents}
    books.unfed = bool(books.due)


def _fed(books: _Books, event: e.MetersFed) -> Iterator[str]:
    said, books.unfed = dict(event.amounts), False
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
    books.unreversed -= {event.meter} if event.cause is Cause.REVERSED else set()
    if event.cause not in (Cause.WAITED, Cause.RETURNED):
        books.turn_changes.append(MeterChange(event.meter, event.amount, event.cause))
    match event.cause:
        case Cause.WON:
            books.won[event.meter] += int(-event.amount)
        case Cause.RETURNED:
            books.won[event.meter] -= int(event.amount)
        case Cause.RESEEDED if event.amount != meter.plan.reseed:
            yield f"meter {event.meter} is reseeded with {_cents(meter.plan.reseed)}, not {_cents(event.amount)}"
        case Cause.REVERSED if not _may_reverse(books, event):
            due = _cents(books.due.get(event.meter))
            yield f"the void round gave meter {event.meter} {due}, which is not what is taken back"
        case Cause.CORRECTED | Cause.SET_UP:
            approved = event.approved_by
            if approved is None or approved.name == event.by.name:
                yield f"meter {event.meter} was changed without a second person"


def _may_reverse(books: _Books, event: e.MeterChanged) -> bool:
    """All that the round gave, or less where forfeited wagers are kept."""
    due = books.due.get(event.meter, Fraction(0))
    return -event.amount == due or (books.setup.choice("void_forfeited") == "kept" and 0 < -event.amount < due)


def _turn(books: _Books) -> Iterator[str]:
    """What meters pay at a seat's turn, from the paytable and what stood on them, and what that does to them."""
    working = Meters(books.turn_meters, books.setup.choice("reserve"))
    for event in books.turn:
        paytable = books.setup.elected.paytable(books.setup.game.table_of(event.wager))
        pays = next((row.pays for row in paytable.rows if row.hand == event.row), None)
        if not isinstance(pays, OfMeter):
            yield f"{event.row.replace('_', ' ')} is not paid from a meter on this table"
            continue
        due = _due(books, event, paytable.name, pays, working)
        if event.paid != due:
            yield f"seat {event.seat} was due {_cents(due)} of meter {event.meter} and was paid {_cents(event.paid)}"
    expected, said = working.changes, books.turn_changes
    if books.turn and expected != said:
        missing = next((change for change in expected if change not in said), None)
        what = f"{missing.cause.value} {_cents(abs(missing.amount))}" if missing else "something that was not due"
        yield f"meters changed otherwise than the payments ask for: {what}"
    books.turn, books.turn_changes, books.divided = [], [], False


def _due(books: _Books, event: e.WagerSettled, table: str, pays: OfMeter, working: Meters) -> int:
    if event.wager not in books.setup.game.on_dealer:
        return working.take(table, pays.meter, pays.share)
    if not books.divided:
        return books.shares.get(event.seat, 0)
    if books.setup.choice("dealer_jackpot_split") == "by_wager":
        return books.shares.get(event.seat, 0) if _took_all(books, table, pays, working) else -1
    return working.take(table, pays.meter, pays.share, len(books.shares))


def _took_all(books: _Books, table: str, pays: OfMeter, working: Meters) -> bool:
    """A jackpot divided by wagers: the shares are a division of it that leaves less than a cent each."""
    whole = int(working.meters[meter_name(table, pays.meter)].amount * pays.share)
    left = whole - sum(books.shares.values())
    working.take_exactly(table, pays.meter, pays.share, sum(books.shares.values()))
    return 0 <= left < len(books.shares)


def _unreversed(books: _Books) -> Iterator[str]:
    for name in sorted(books.unreversed):
        yield f"what the void round added to meter {name} was not taken back"
    books.unreversed = set()


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
