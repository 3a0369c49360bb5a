"""The state of a table: a fold over its events, never changed in place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from enum import StrEnum
from fractions import Fraction
from typing import cast

from croupier.core.dataclass import dataclass
from croupier.games.definition import Slot
from croupier.progressive.meters import Meter
from croupier.progressive.mystery import Trigger
from croupier.table.model.events import WagerSettled
from croupier.table.model.setup import COUNTING_SHUFFLERS, Setup
from croupier.table.procedure.commitments import DealCommitment


class Phase(StrEnum):
    """The step that a table is waiting for."""

    CLOSED = "closed"
    OPENING = "opening"
    SHUFFLING = "shuffling"
    CUTTING = "cutting"
    LOADING = "loading"
    BETTING = "betting"
    DEALING = "dealing"
    STUB = "stub"
    DECIDING = "deciding"
    COLLECTING = "collecting"
    REVEALING = "revealing"
    SETTLING = "settling"
    RACKING = "racking"
    IDLE = "idle"


class DeckStep(StrEnum):
    """The preparation state of a deck."""

    MISSING = "missing"
    RECEIVED = "received"
    INSPECTED = "inspected"
    VERIFIED = "verified"
    SPREAD = "spread"
    STACKED = "stacked"
    SHUFFLED = "shuffled"
    CUT = "cut"
    LOADED = "loaded"


@dataclass(frozen=True)
class Deck:
    """One deck of the table."""

    number: int
    step: DeckStep = DeckStep.MISSING
    arrived_at: int = 0
    preshuffled: bool = False
    """Whether it arrived shuffled and has not been shuffled at the table since."""
    inspected_by: str = ""
    shuffled_by: str = ""
    """The kind of device that shuffled it last; empty if that was done by hand."""
    dealt_by_hand: bool = False
    order: tuple[int, ...] = ()
    source: str = ""

    @property
    def is_counted(self) -> bool:
        """Whether the device that shuffled it has also counted it."""
        return self.shuffled_by in COUNTING_SHUFFLERS


class UnknownCards(LookupError):
    """A card of this place is needed but not known: it lies face down, or was not entered yet."""

    def __init__(self, place: str, seat: int) -> None:
        super().__init__(f"a card of {place} {seat} is not known")
        self.place, self.seat = place, seat


class Chips(StrEnum):
    """The state of the chips of progressive wagers."""

    NONE = "none"
    TO_COUNT = "to count"
    MISMATCH = "mismatch"
    BANKED = "banked"


@dataclass(frozen=True, slots=True)
class VerifiedWin:
    """Who verified a winning hand, and whether the light of the position was lit."""

    by: str
    lit: bool


@dataclass(frozen=True)
class Round:
    """A round from "no more bets" on."""

    number: int
    deck: int
    dealt: tuple[int, ...]
    wagers: Mapping[int, Mapping[str, int]]
    """Stakes by seat and wager, forfeited ones included."""
    patrons: Mapping[int, str]
    """Who plays each seat."""
    slots: tuple[Slot, ...]
    cards: Mapping[tuple[str, int], tuple[int | None, ...]] = field(default_factory=dict)
    """The cards of each place, `None` for one that nobody knows: face down, from a plain shoe."""
    revealed: Mapping[str, int] = field(default_factory=dict)
    """How many cards of a place are face up; the place of one seat is keyed with its number."""
    face_up_found: tuple[int, ...] = ()
    drawn: int = 0
    """How many cards have left the deck."""
    street: int = 0
    waiting: tuple[int, ...] = ()
    """Seats still to decide on this street, in order."""
    folded: frozenset[int] = frozenset()
    forfeited: Mapping[int, frozenset[str]] = field(default_factory=dict)
    abandoned: frozenset[str] = frozenset()
    """Patrons whose wagers are treated as losing."""
    collected: frozenset[int] = frozenset()
    """Seats whose cards were collected unseen."""
    turned_up: frozenset[int] = frozenset()
    unsettled: tuple[int, ...] = ()
    """Seats still to settle, in order."""
    entries: tuple[WagerSettled, ...] = ()
    void: str = ""
    """The cause, if the hands are void."""
    contributions: Mapping[str, Fraction] = field(default_factory=dict)
    """What this round's wagers added to the meters."""
    hits_at_contribution: Mapping[str, int] = field(default_factory=dict)
    """The number of hits of each of those meters at that time."""
    chips: Chips = Chips.NONE
    """The state of the progressive chips."""
    is_examined: bool = False
    """Whether the dealing procedure is complete, so that players may look at their cards."""
    drawn_by_system: bool = False
    """Whether the system has made its draw for this round, even if it drew no bonus."""
    verified: Mapping[tuple[int, str], VerifiedWin] = field(default_factory=dict)
    """Wins on meters that the dealer verified, by seat and wager."""
    validated: frozenset[tuple[int, str]] = frozenset()
    awaiting_documents: Mapping[int, tuple[tuple[str, int], ...]] = field(default_factory=dict)
    """Seats whose cards stay until the documents are complete, with the cents that each meter owes them."""
    magic_card: int | None = None
    lucky_position: int | None = None
    """The seat that the system drew, 0 for the dealer."""
    shares: Mapping[int, int] = field(default_factory=dict)
    """Unpaid shares of a divided jackpot, in cents by seat."""
    settles_optional: bool = True
    """Whether optional wagers are settled although the hands are void."""
    enters_cards: bool = False
    """Whether the cards come from a plain shoe: each is known once it is turned up and entered."""
    duplicate: int | None = None
    """A card that was reported to lie on the layout twice, until a floorperson rules on it."""
    duplicate_reported_by: str = ""

    @property
    def is_decided(self) -> bool:
        return not self.waiting

    def cards_at(self, place: str, seat: int = 0) -> tuple[int | None, ...]:
        """The cards of a place, `None` for one that is not known."""
        return self.cards.get((place, seat), ())

    def hand(self, place: str, seat: int = 0) -> tuple[int, ...]:
        """The cards of a place; raises `UnknownCards` if one of them is not known."""
        cards = self.cards.get((place, seat), ())
        if None in cards:
            raise UnknownCards(place, seat)
        return cast("tuple[int, ...]", cards)

    def staked(self, seat: int, wager: str) -> int:
        return self.wagers.get(seat, {}).get(wager, 0)


@dataclass(frozen=True)
class Table:
    """The complete state of a table. `evolve` gives the next one."""

    setup: Setup
    phase: Phase = Phase.CLOSED
    decks: Mapping[int, Deck] = field(default_factory=dict)
    deck_in_use: int = 1
    rounds: int = 0
    rounds_since_count: int = 0
    """Rounds since the stub was counted, this one and void ones included."""
    seats: Mapping[int, str] = field(default_factory=dict)
    """The patron at each seat; adjacent boxes belong to the patron who wagers on them."""
    balances: Mapping[str, int] = field(default_factory=dict)
    """Patrons' chips that are not wagered."""
    wagers: Mapping[int, Mapping[str, int]] = field(default_factory=dict)
    """Wagers placed for the coming round."""
    tray: int = 0
    """The gain or loss of the table inventory since the table opened."""
    round: Round | None = None
    absent: frozenset[str] = frozenset()
    """Patrons who left during the round, until a floorperson decides on their wagers."""
    leaving: frozenset[str] = frozenset()
    """Patrons who leave when the round is over."""
    ready: frozenset[str] = frozenset()
    """Patrons who need no more betting time."""
    reported_devices: Mapping[str, str] = field(default_factory=dict)
    """Devices that were reported out of order but not taken out yet, each with who reported it."""
    usual_setup: Setup | None = None
    """While a device is out of order: the setup to go back to."""
    closing: bool = False
    at: int = 0
    """The time of the last event, in milliseconds since 1970."""
    meters: Mapping[str, Meter] = field(default_factory=dict)
    """Every meter with its books."""
    accounts: Mapping[str, int] = field(default_factory=dict)
    """Cents in the patrons' game accounts, for electronic wagers."""
    owed: Mapping[str, int] = field(default_factory=dict)
    """Meter wins whose documents are not complete, in cents by patron."""
    trigger: Trigger | None = None
    """The hidden amount that a mystery meter must reach."""
    deals: int = 0
    """The number of deals committed to."""
    committed_deal: DealCommitment | None = None
    """The deal that is committed to but not shuffled yet."""
    deck_commitments: Mapping[int, DealCommitment] = field(default_factory=dict)
    """The deal behind the order of each deck."""
    unrevealed: tuple[DealCommitment, ...] = ()
    """Deals whose cards are out of play and whose seeds are still hidden."""
    fund: int = 0
    """The gain or loss of the progressive and electronic systems, which is not in the tray."""
    history: tuple[Round, ...] = ()
    """The last rounds, newest last, for recall and correction."""

    @property
    def deck(self) -> Deck:
        """The deck in use."""
        return self.decks[self.deck_in_use]

    def on_table(self) -> int:
        """Cents on the layout."""
        placed_cents = sum(sum(by_wager.values()) for by_wager in self.wagers.values())
        return placed_cents + (_unsettled_stakes(self.setup, self.round) if self.round else 0)

    def total(self) -> int:
        """All cents: patrons' chips and credit, the layout, and the gain or loss of the tray and the meters."""
        patrons = sum(self.balances.values()) + sum(self.accounts.values()) + sum(self.owed.values())
        return patrons + self.on_table() + self.tray + self.fund


def is_banked(setup: Setup, round_: Round, wager: str) -> bool:
    """Whether the chips of a wager went into the table inventory before the deal."""
    return round_.chips is Chips.BANKED and wager in setup.on_meters and wager not in setup.electronic


def accepted_chips(setup: Setup, wagers: Mapping[int, Mapping[str, int]]) -> int:
    """Cents of progressive wagers on chips that the system accepted."""
    chips = setup.on_meters - setup.electronic
    return sum(amount for by_wager in wagers.values() for wager, amount in by_wager.items() if wager in chips)


def _unsettled_stakes(setup: Setup, round_: Round) -> int:
    settled = {(entry.seat, entry.wager) for entry in round_.entries}
    return sum(
        amount
        for seat, by_wager in round_.wagers.items()
        for wager, amount in by_wager.items()
        if (seat, wager) not in settled and not is_banked(setup, round_, wager)
    )


@dataclass(frozen=True)
class SeatsDealtIn:
    """The facts that a deal depends on."""

    setup: Setup
    seats_dealt: Sequence[int]
    wagers: Mapping[int, Mapping[str, int]]

    def bettors(self, wager: str) -> Sequence[int]:
        return [seat for seat in self.seats_dealt if self.wagers[seat].get(wager)]

    def elected(self, election: str) -> str:
        return self.setup.choice(election)


MAX_HISTORY_ROUNDS = 20
"""The number of past rounds in a table's state; the record has all of them."""
