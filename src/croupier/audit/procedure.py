"""The procedure followed from the events alone: what people must have attested, counted, changed and done, and when.

These are books of their own, not the table's state: a fault of the engine that let a step be left out is found too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from croupier.audit.finding import Finding, Numbered
from croupier.money import show
from croupier.table import events as e
from croupier.table.people import Actor, Role
from croupier.table.setup import Setup

HOUR = 3_600_000


@dataclass
class _Deck:
    arrived: int = 0
    by_hand: bool = False
    preshuffled: bool = False
    inspected_by: Actor | None = None
    verified_by: Actor | None = None
    washed: bool = False
    shuffled: bool = False
    cut: bool = False


@dataclass
class _Books:
    setup: Setup
    method: str
    shuffler: str
    at: int = 0
    decks: dict[int, _Deck] = field(default_factory=lambda: defaultdict(_Deck))
    loaded: int = 0
    used: int = 0
    """The deck of the round before."""
    rounds: int = 0
    since_count: int = 0
    wagers: dict[int, dict[str, int]] = field(default_factory=lambda: defaultdict(dict))
    accepted: int = 0
    """Cents of progressive chips of this round that are still to be counted."""
    verified: dict[tuple[int, str], Actor] = field(default_factory=dict)
    validated: set[tuple[int, str]] = field(default_factory=set)
    documents: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    """Cents that wait for documents, by seat."""

    @property
    def counts_cards(self) -> bool:
        return self.shuffler in ("counting", "reshuffling")

    def clause(self, rule: str) -> str:
        return self.setup.clause(rule) or self.setup.clause(f"{rule}_{self.method}")


Found = Iterator[tuple[str, str]]
"""Clause and sentence."""


def procedure(setup: Setup, events: Numbered) -> Iterator[Finding]:
    """Steps that were left out, done by the wrong person, too late, or by one where two are needed."""
    books = _Books(setup, setup.method, setup.shuffler)
    for seq, event in events:
        if event.at < books.at:
            late = (books.at - event.at) / 1000
            yield Finding(seq, "LOG-2", f"the clock runs backwards by {late:g} seconds")
        books.at = max(books.at, event.at)
        for part in (_cards, _round, _wins):
            for clause, message in part(books, event):
                yield Finding(seq, clause or event.clause, message)


def _cards(books: _Books, event: e.Event) -> Found:
    match event:
        case e.CardsReceived():
            books.decks[event.deck] = _Deck(arrived=event.at, preshuffled=bool(event.order), shuffled=bool(event.order))
        case e.CardsInspected():
            books.decks[event.deck].inspected_by = event.by
        case e.InspectionVerified():
            deck = books.decks[event.deck]
            deck.verified_by = event.by
            if deck.inspected_by is not None and _same_person(deck.inspected_by, event.by):
                yield books.clause("verify_inspection"), f"{event.by.name} verified an inspection of his own"
        case e.CardsWashed():
            books.decks[event.deck].washed = True
        case e.CardsShuffled():
            deck = books.decks[event.deck]
            if not deck.washed and not deck.preshuffled:
                yield books.clause("wash_cards"), f"deck {event.deck} was shuffled and had not been washed"
            if not event.source.strip():
                yield "RNG-1", f"the record does not say where the order of deck {event.deck} came from"
            deck.shuffled, deck.preshuffled, deck.cut = True, False, event.by_device
        case e.CardsCut():
            books.decks[event.deck].cut = True
        case e.CardsSpreadIdle():
            for deck in books.decks.values():
                deck.washed = deck.shuffled = deck.preshuffled = False
                if books.setup.clause("whole_opening_after_idle"):
                    deck.inspected_by = deck.verified_by = None
        case e.CardsLoaded():
            books.loaded = event.deck
            books.decks[event.deck].by_hand |= event.method == "hand"
            if not books.decks[event.deck].shuffled:
                yield books.clause("shuffle_cards"), f"deck {event.deck} was loaded and had not been shuffled"
            if not books.decks[event.deck].cut and books.shuffler != "reshuffling":
                yield books.clause("cut_cards"), f"deck {event.deck} was loaded and had not been cut"
        case e.DeviceTakenOut() | e.DeviceRestored():
            books.method, books.shuffler = event.method, event.shuffler


def _same_person(one: Actor, other: Actor) -> bool:
    return one.name == other.name and Role.SYSTEM not in (one.role, other.role)


def _round(books: _Books, event: e.Event) -> Found:
    match event:
        case e.WagerPlaced():
            books.wagers[event.seat][event.wager] = event.amount
        case e.BetsClosed():
            yield from _begin(books, event)
        case e.ProgressiveChipsCounted():
            if event.accepted != books.accepted:
                accepted = show(books.accepted)
                yield books.clause("count_progressive_chips"), f"the system accepted {accepted} of progressive chips"
            if event.counted == event.accepted:
                books.accepted = 0
        case e.ChipCountResolved():
            books.accepted = 0
        case e.CardDealt() if books.accepted:
            yield books.clause("count_progressive_chips"), "cards were dealt and the progressive chips not counted"
            books.accepted = 0
        case e.StubRacked():
            every = books.setup.elected.edition.figure("stub_count_rounds")
            if not books.counts_cards and books.since_count >= every:
                clause = books.clause("stub_count") or books.setup.clause("stub_count_manual_shoe")
                yield clause, f"the stub was put away after {books.since_count} rounds without a count"
        case e.StubCounted():
            books.since_count = 0
        case e.RoundCompleted():
            if event.round != books.rounds:
                yield "", f"round {event.round} ends, and round {books.rounds} was in play"
            books.decks[books.loaded].shuffled = False
            books.used = books.loaded


def _begin(books: _Books, event: e.BetsClosed) -> Found:
    setup, deck = books.setup, books.decks[books.loaded]
    figure = setup.elected.edition.figure
    if event.round != books.rounds + 1:
        yield "LOG-2", f"round {event.round} follows round {books.rounds}"
    books.rounds = event.round
    books.since_count += 1
    if setup.decks > 1 and books.loaded == books.used:
        yield setup.clause("decks_alternate"), f"deck {books.loaded} was used in two rounds running"
    by_hand = deck.by_hand or books.method == "hand"
    hours = figure("deck_change_hours_hand" if by_hand else "deck_change_hours_shoe")
    if setup.counts_deck_age and event.at - deck.arrived >= hours * HOUR:
        rule = "deck_change_hand" if by_hand else "deck_change_shoe"
        yield setup.clause(rule), f"deck {books.loaded} was {hours} hours or more at the table"
    if deck.washed and deck.inspected_by is None:
        yield books.clause("inspect_cards"), f"nobody inspected deck {books.loaded}"
    if deck.washed and deck.verified_by is None:
        yield books.clause("verify_inspection"), f"nobody verified the inspection of deck {books.loaded}"
    chips = setup.on_meters - setup.electronic
    placed = [books.wagers.pop(seat, {}) for seat in event.dealt]
    books.accepted = sum(amount for by_wager in placed for wager, amount in by_wager.items() if wager in chips)
    books.verified, books.validated, books.documents = {}, set(), defaultdict(int)


def _wins(books: _Books, event: e.Event) -> Found:
    match event:
        case e.WinVerified():
            books.verified[event.seat, event.wager] = event.by
        case e.WinValidated():
            by = books.verified.get((event.seat, event.wager))
            if by is None:
                yield books.clause("verify_progressive_hand"), f"a win of seat {event.seat} was validated unverified"
            elif _same_person(by, event.by):
                yield books.clause("validate_progressive"), f"{event.by.name} validated what he verified himself"
            books.validated.add((event.seat, event.wager))
        case e.WagerSettled() if event.outcome == "win" and event.wager in books.setup.on_meters:
            yield from _attested(books, event)
        case e.MysteryHit():
            books.documents[event.seat] += event.amount
        case e.DocumentsCompleted():
            cents = sum(amount for _, amount in event.amounts)
            if books.documents.pop(event.seat, 0) != cents:
                yield books.clause("pay_progressive"), f"the documents of seat {event.seat} are not over what it won"
            if not event.reference.strip():
                yield books.clause("pay_progressive"), "the documents have no reference"
        case e.RoundCompleted():
            for seat, cents in books.documents.items():
                yield books.clause("pay_progressive"), f"{show(cents)} of seat {seat} has no documents"
            books.documents = defaultdict(int)


def _attested(books: _Books, event: e.WagerSettled) -> Found:
    win = (event.seat, event.wager)
    if win not in books.verified:
        yield books.clause("verify_progressive_hand"), f"the {event.wager} of seat {event.seat} was paid unverified"
    chips = event.wager not in books.setup.electronic
    if (chips or event.meter) and win not in books.validated:
        yield books.clause("validate_progressive"), f"the {event.wager} of seat {event.seat} was paid unvalidated"
    if event.meter and event.attended:
        books.documents[event.seat] += event.paid
