"""Checks the procedure from the events alone: what people had to attest, count, change and do, and when they did it.

It keeps its own books instead of the table's state, so that it also finds steps that a bug in the engine let through.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from croupier.audits.finding import Finding, NumberedEvents
from croupier.core.money import format_money
from croupier.table.model import events as e
from croupier.table.model.roles import Actor, Role
from croupier.table.model.setup import COUNTING_SHUFFLERS, Setup

HOUR_MS = 3_600_000
DECK_CARDS = 52


@dataclass
class _DeckHistory:
    received_at: int = 0
    by_hand: bool = False
    preshuffled: bool = False
    is_idle: bool = False
    """Whether it was preshuffled when the last player left."""
    inspected_by: Actor | None = None
    verified_by: Actor | None = None
    washed: bool = False
    shuffled: bool = False
    shuffled_by: str = ""
    """The kind of device that shuffled it last; empty if that was done by hand."""
    cut: bool = False
    removed: bool = False
    defect: str = ""


@dataclass
class _ProcedureBooks:
    setup: Setup
    method: str
    shuffler: str
    at: int = 0
    decks: dict[int, _DeckHistory] = field(default_factory=lambda: defaultdict(_DeckHistory))
    loaded: int = 0
    last_deck: int = 0
    """The deck of the previous round."""
    rounds: int = 0
    since_count: int = 0
    wagers: dict[int, dict[str, int]] = field(default_factory=lambda: defaultdict(dict))
    accepted: int = 0
    """Cents of progressive chips in this round that are not counted yet."""
    verified: dict[tuple[int, str], Actor] = field(default_factory=dict)
    validated: set[tuple[int, str]] = field(default_factory=set)
    documents: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    """Cents that still need documents, by seat."""
    reported_devices: dict[str, Actor] = field(default_factory=dict)
    cut_deck: int = 0
    """The deck that was cut last."""
    seated: set[str] = field(default_factory=set)
    is_in_round: bool = False
    version: int = 1
    """The version of the procedure that the table follows."""

    @property
    def is_count_due(self) -> bool:
        """Whether the stub of this round must be counted: no device counted the deck, and it is the fifth round."""
        deck = self.decks[self.loaded]
        counted_by = self.shuffler if self.version == 1 else deck.shuffled_by
        if deck.removed or counted_by in COUNTING_SHUFFLERS:
            return False
        return self.since_count >= self.setup.elected.edition.figure("stub_count_rounds")

    def clause(self, rule: str) -> str:
        return self.setup.clause(rule) or self.setup.clause(f"{rule}_{self.method}")


_UNMARKED = "the device that was reported was covered or marked"
Faults = Iterator[tuple[str, str]]
"""Clauses and sentences."""


def check_procedure(setup: Setup, events: NumberedEvents) -> Iterator[Finding]:
    """Finds steps that were omitted, late, done by the wrong person, or by one person where two are needed."""
    books = _ProcedureBooks(setup, setup.method, setup.shuffler, version=setup.procedure_version)
    for seq, event in events:
        if event.at < books.at:
            seconds = (books.at - event.at) / 1000
            yield Finding(seq, "LOG-2", f"the clock runs backwards by {seconds:g} seconds")
        books.at = max(books.at, event.at)
        for check in (_check_cards, _check_devices, _check_round, _check_wins):
            for clause, message in check(books, event):
                yield Finding(seq, clause or event.clause, message)


def _check_cards(books: _ProcedureBooks, event: e.Event) -> Faults:
    match event:
        case e.CardsReceived():
            books.decks[event.deck] = _DeckHistory(
                received_at=event.at, preshuffled=event.preshuffled, shuffled=event.preshuffled
            )
        case e.CardsInspected():
            books.decks[event.deck].inspected_by = event.by
            books.decks[event.deck].defect = event.defect
        case e.DeckRemoved():
            books.decks[event.deck].removed = True
        case e.InspectionVerified():
            deck = books.decks[event.deck]
            deck.verified_by = event.by
            if deck.inspected_by is not None and _is_same_person(deck.inspected_by, event.by):
                yield books.clause("verify_inspection"), f"{event.by.name} verified their own inspection"
            if deck.defect and not deck.removed:
                yield books.clause("inspect_cards"), f"deck {event.deck} has a defect, but was not removed"
        case e.CardsWashed():
            books.decks[event.deck].washed = True
        case e.CardsShuffled():
            deck = books.decks[event.deck]
            if not deck.washed and not deck.preshuffled:
                yield books.clause("wash_cards"), f"deck {event.deck} was shuffled without being washed"
            if not event.source.strip():
                yield "RNG-1", f"the record does not say where the order of deck {event.deck} came from"
            deck.shuffled, deck.preshuffled, deck.cut = True, False, event.by_device
            if "shuffler" in books.reported_devices:
                yield books.clause("device_out_of_order"), f"deck {event.deck} was shuffled before {_UNMARKED}"
            deck.shuffled_by = (event.device or books.shuffler) if event.by_device else ""
            if deck.shuffled_by in COUNTING_SHUFFLERS and books.version > 1 and event.count != DECK_CARDS:
                count_text = "no count" if event.count is None else f"{event.count} cards"
                yield books.clause("counting_shuffler"), f"the device showed {count_text}, but deck {event.deck} stayed"
        case e.CardsCut():
            books.decks[event.deck].cut = True
            books.cut_deck = event.deck
        case e.RecutOrdered() if books.cut_deck:
            books.decks[books.cut_deck].cut = False
        case e.CardsSpreadIdle():
            for deck in books.decks.values():
                deck.washed = deck.shuffled = deck.preshuffled = deck.is_idle = False
                if books.setup.clause("whole_opening_after_idle"):
                    deck.inspected_by = deck.verified_by = None
        case e.CardsLoaded():
            books.loaded = event.deck
            books.decks[event.deck].by_hand |= event.method == "hand"
            if event.method == "automated_shoe" and "shoe" in books.reported_devices:
                yield books.clause("device_out_of_order"), f"deck {event.deck} was loaded before {_UNMARKED}"
            if not books.decks[event.deck].shuffled:
                yield books.clause("shuffle_cards"), f"deck {event.deck} was loaded without being shuffled"
            if books.decks[event.deck].removed:
                yield books.clause("one_deck"), f"deck {event.deck} was loaded after it had been removed"
            if not books.decks[event.deck].cut and not (books.version == 1 and books.shuffler == "reshuffling"):
                yield books.clause("cut_cards"), f"deck {event.deck} was loaded without being cut"


def _check_devices(books: _ProcedureBooks, event: e.Event) -> Faults:
    """Devices, who is at the table, and the version of the procedure."""
    match event:
        case e.PatronSeated():
            yield from _check_arrival(books)
            books.seated.add(event.patron)
        case e.PatronLeft():
            books.seated.discard(event.patron)
            for deck in books.decks.values() if not books.seated else ():
                deck.is_idle = deck.preshuffled
        case e.TableClosed():
            for deck in books.decks.values():
                deck.washed = False
        case e.ProcedureAdopted():
            books.version = event.procedure_version
        case e.DeviceReported():
            books.reported_devices[event.device] = event.by
        case e.DeviceTakenOut():
            yield from _check_substitute(books, event)
            books.method, books.shuffler = event.method, event.shuffler
            if event.method != "automated_shoe":
                books.reported_devices.pop("shoe", None)
            if event.shuffler == "none":  # the table goes on with one deck
                books.reported_devices.pop("shuffler", None)
                for number in [number for number, deck in books.decks.items() if deck.removed]:
                    del books.decks[number]
        case e.DeviceRestored():
            if (books.method, books.shuffler) != (event.method, event.shuffler):
                books.last_deck = 0  # the decks alternate from here on
            books.method, books.shuffler = event.method, event.shuffler
            books.reported_devices.clear()
            for number in range(1, books.setup.decks + 1):
                if number not in books.decks:
                    books.decks[number] = _DeckHistory(removed=True)


def _check_arrival(books: _ProcedureBooks) -> Faults:
    """The first player after an idle time finds the cards spread; a reshuffling device keeps them."""
    decks = list(books.decks.values())
    is_ready = bool(decks) and all((deck.washed or deck.is_idle) and not deck.removed for deck in decks)
    is_exempt = any(deck.shuffled_by == "reshuffling" for deck in decks)
    if not books.seated and not books.is_in_round and books.version > 1 and is_ready and not is_exempt:
        yield books.clause("idle_table"), "nobody was at the table, and the cards were not spread for the next player"


def _check_substitute(books: _ProcedureBooks, event: e.DeviceTakenOut) -> Faults:
    """A device is replaced after the dealer's report, by somebody else, and by what is on file or by hand."""
    clause, setup = books.clause("device_out_of_order"), books.setup
    has_device = setup.shuffler != "none" if event.device == "shuffler" else setup.method == "automated_shoe"
    if not has_device:
        yield clause, f"the {event.device} was taken out of order, but this table has none"
    if books.version == 1:
        return
    reporter = books.reported_devices.pop(event.device, None)
    if reporter is None:
        yield clause, f"nobody had reported that the {event.device} malfunctions"
    elif _is_same_person(reporter, event.by):
        yield clause, f"{event.by.name} confirmed their own report about the {event.device}"
    methods = (setup.method, *setup.substitute_methods, "manual_shoe")
    if event.method not in methods or event.shuffler not in (setup.shuffler, *setup.substitute_shufflers, "none"):
        yield clause, f"the {event.device} was replaced by what is not on file"


def _is_same_person(first: Actor, second: Actor) -> bool:
    return first.name == second.name and Role.SYSTEM not in (first.role, second.role)


def _check_round(books: _ProcedureBooks, event: e.Event) -> Faults:
    match event:
        case e.WagerPlaced():
            books.wagers[event.seat][event.wager] = event.amount
        case e.BetsClosed():
            books.is_in_round = True
            yield from _check_round_start(books, event)
        case e.ProgressiveChipsCounted():
            if event.accepted != books.accepted:
                accepted = format_money(books.accepted)
                yield (
                    books.clause("count_progressive_chips"),
                    f"the count does not match the {accepted} of progressive chips accepted",
                )
            if event.counted == event.accepted:
                books.accepted = 0
        case e.ChipCountResolved():
            books.accepted = 0
        case e.CardDealt() if books.accepted:
            yield books.clause("count_progressive_chips"), "cards were dealt before the progressive chips were counted"
            books.accepted = 0
        case e.StubRacked() if books.is_count_due:
            clause = books.clause("stub_count") or books.setup.clause("stub_count_manual_shoe")
            yield clause, f"the stub was racked after {books.since_count} rounds without a count"
        case e.StubCounted():
            books.since_count = 0
        case e.RoundCompleted():
            books.is_in_round = False
            if event.round != books.rounds:
                yield "", f"round {event.round} ended while round {books.rounds} was in play"
            if books.is_count_due and books.version > 1:
                clause = books.clause("stub_count") or books.setup.clause("stub_count_manual_shoe")
                yield clause, f"the cards were racked after {books.since_count} rounds without a count of the stub"
                books.since_count = 0
            yield from _check_other_decks(books)
            books.decks[books.loaded].shuffled = False
            books.last_deck = books.loaded


def _check_other_decks(books: _ProcedureBooks) -> Faults:
    """When a deck is racked, the other one is shuffled and stored in the device."""
    if books.version == 1 or "shuffler" in books.reported_devices:
        return
    for number, deck in books.decks.items():
        is_racked = number != books.loaded and deck.washed and not deck.shuffled and not deck.removed
        hours = books.setup.elected.edition.figure(
            "deck_change_hours_hand" if deck.by_hand else "deck_change_hours_shoe"
        )
        if is_racked and books.shuffler != "none" and books.at - deck.received_at < hours * HOUR_MS:
            yield (
                books.clause("one_deck_in_the_rack"),
                f"deck {number} was not shuffled while deck {books.loaded} was in play",
            )


def _check_round_start(books: _ProcedureBooks, event: e.BetsClosed) -> Faults:
    setup, deck = books.setup, books.decks[books.loaded]
    figure = setup.elected.edition.figure
    if event.round != books.rounds + 1:
        yield "LOG-2", f"round {event.round} follows round {books.rounds}"
    books.rounds = event.round
    books.since_count += 1
    if setup.decks > 1 and books.shuffler != "none" and books.loaded == books.last_deck:
        yield setup.clause("decks_alternate"), f"deck {books.loaded} was used in two rounds in a row"
    by_hand = deck.by_hand or books.method == "hand"
    hours = figure("deck_change_hours_hand" if by_hand else "deck_change_hours_shoe")
    if setup.counts_deck_age and event.at - deck.received_at >= hours * HOUR_MS:
        rule = "deck_change_hand" if by_hand else "deck_change_shoe"
        yield setup.clause(rule), f"deck {books.loaded} had been at the table for {hours} hours or more"
    if deck.washed and deck.inspected_by is None:
        yield books.clause("inspect_cards"), f"nobody inspected deck {books.loaded}"
    if deck.washed and deck.verified_by is None:
        yield books.clause("verify_inspection"), f"nobody verified the inspection of deck {books.loaded}"
    chips = setup.on_meters - setup.electronic
    round_wagers = [books.wagers.pop(seat, {}) for seat in event.dealt]
    books.accepted = sum(amount for by_wager in round_wagers for wager, amount in by_wager.items() if wager in chips)
    books.verified, books.validated, books.documents = {}, set(), defaultdict(int)


def _check_wins(books: _ProcedureBooks, event: e.Event) -> Faults:
    match event:
        case e.WinVerified():
            books.verified[event.seat, event.wager] = event.by
        case e.WinValidated():
            by = books.verified.get((event.seat, event.wager))
            if by is None:
                yield (
                    books.clause("verify_progressive_hand"),
                    f"a win of seat {event.seat} was validated but not verified",
                )
            elif _is_same_person(by, event.by):
                yield (
                    books.clause("validate_progressive"),
                    f"{event.by.name} validated a win they had verified themselves",
                )
            books.validated.add((event.seat, event.wager))
        case e.WagerSettled() if event.outcome == "win" and event.wager in books.setup.on_meters:
            yield from _check_attestation(books, event)
        case e.MysteryHit():
            books.documents[event.seat] += event.amount
        case e.DocumentsCompleted():
            cents = sum(amount for _, amount in event.amounts)
            if books.documents.pop(event.seat, 0) != cents:
                yield books.clause("pay_progressive"), f"the documents of seat {event.seat} do not match its win"
            if not event.reference.strip():
                yield books.clause("pay_progressive"), "the documents have no reference"
        case e.RoundCompleted():
            for seat, cents in books.documents.items():
                yield books.clause("pay_progressive"), f"{format_money(cents)} won by seat {seat} has no documents"
            books.documents = defaultdict(int)


def _check_attestation(books: _ProcedureBooks, event: e.WagerSettled) -> Faults:
    win = (event.seat, event.wager)
    if win not in books.verified:
        yield (
            books.clause("verify_progressive_hand"),
            f"the {event.wager} of seat {event.seat} was paid but not verified",
        )
    chips = event.wager not in books.setup.electronic
    if (chips or event.meter) and win not in books.validated:
        yield books.clause("validate_progressive"), f"the {event.wager} of seat {event.seat} was paid but not validated"
    if event.meter and event.attended:
        books.documents[event.seat] += event.paid
