"""What a game is: how cards are dealt, where players decide, and how each wager is settled.

A game is one value of type `Game`; the table, the mathematics, the simulator and the pages are
derived from it. Numbers, paytables and clauses are not here: they are the edition's. This module is
public: a file with a game of your own imports it and nothing else (docs/new-game.md).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from croupier.hands.ranking import Ranking

DEALER = "dealer"
PLAYER = "player"
BOARD = "board"
BONUS = "bonus"
FOURTH = "fourth"
COMMUNITY = "community"
DISCARD = "discard"

FOLD = "fold"
PULL_BACK = "pull_back"


@dataclass(frozen=True, slots=True)
class Slot:
    """Where the next card of the deck goes. `seat` is 0 for places that are nobody's."""

    place: str
    seat: int = 0
    face_up: bool = False


class Dealt(Protocol):
    """What a deal depends on: who is dealt in, and who made which wager."""

    @property
    def seats_dealt(self) -> Sequence[int]:
        """The seats that receive cards, clockwise from the dealer's left."""

    def bettors(self, wager: str) -> Sequence[int]:
        """The seats dealt in that made a wager."""

    def elected(self, election: str) -> str:
        """The choice in force."""


class DealStep(Protocol):
    """One part of a deal."""

    def slots(self, dealt: Dealt) -> Iterator[Slot]:
        """Where the next cards go, in order."""


@dataclass(frozen=True, slots=True)
class OneByOne:
    """A card at a time clockwise to each player, and to the dealer after them.

    The dealer's further cards follow his last one at once. `face_up` numbers dealer cards from 1.
    """

    players: int
    dealer: int = 0
    face_up: frozenset[int] = frozenset()

    def slots(self, dealt: Dealt) -> Iterator[Slot]:
        for number in range(1, max(self.players, self.dealer) + 1):
            if number <= self.players:
                for seat in dealt.seats_dealt:
                    yield Slot(PLAYER, seat)
            if number <= self.dealer:
                yield Slot(DEALER, face_up=number in self.face_up)


@dataclass(frozen=True, slots=True)
class StackEach:
    """A stack of so many cards to each player, clockwise."""

    count: int

    def slots(self, dealt: Dealt) -> Iterator[Slot]:
        for seat in dealt.seats_dealt:
            for _ in range(self.count):
                yield Slot(PLAYER, seat)


@dataclass(frozen=True, slots=True)
class StackEachWithTop:
    """A stack to each player and one to the dealer, the top card of each set aside.

    A bettor's top card goes to its own place; everybody else's is discarded.
    """

    count: int
    top: str
    wager: str

    def slots(self, dealt: Dealt) -> Iterator[Slot]:
        bettors = dealt.bettors(self.wager)
        for seat in dealt.seats_dealt:
            yield Slot(self.top, seat) if seat in bettors else Slot(DISCARD)
            for _ in range(self.count):
                yield Slot(PLAYER, seat)
        yield Slot(DISCARD)
        for _ in range(self.count):
            yield Slot(DEALER)


@dataclass(frozen=True, slots=True)
class StackTo:
    """A stack to one place; `bottom_up` turns its last card up."""

    place: str
    count: int
    bottom_up: bool = False

    def slots(self, dealt: Dealt) -> Iterator[Slot]:
        del dealt
        for number in range(1, self.count + 1):
            yield Slot(self.place, face_up=self.bottom_up and number == self.count)


@dataclass(frozen=True, slots=True)
class CardsTo:
    """Cards to one place, if anybody made a wager and, where one is named, a choice is in force."""

    place: str
    count: int
    wager: str = ""
    election: str = ""
    choice: str = ""

    def slots(self, dealt: Dealt) -> Iterator[Slot]:
        wanted = not self.wager or dealt.bettors(self.wager)
        if wanted and (not self.election or dealt.elected(self.election) == self.choice):
            for _ in range(self.count):
                yield Slot(self.place)


@dataclass(frozen=True, slots=True)
class CardToEachBettor:
    """One more card to every seat that made a wager, if a choice is in force."""

    place: str
    wager: str
    election: str
    choice: str

    def slots(self, dealt: Dealt) -> Iterator[Slot]:
        if dealt.elected(self.election) == self.choice:
            for seat in dealt.bettors(self.wager):
                yield Slot(self.place, seat)


@dataclass(frozen=True, slots=True)
class SplitStack:
    """A stack whose cards go to several places, depending on whether anybody made a wager."""

    wager: str
    with_wager: tuple[Slot, ...]
    without: tuple[Slot, ...]

    def slots(self, dealt: Dealt) -> Iterator[Slot]:
        yield from self.with_wager if dealt.bettors(self.wager) else self.without


@dataclass(frozen=True, slots=True)
class Reveal:
    """Cards turned up for all: the first `count` of a place."""

    place: str
    count: int


@dataclass(frozen=True, slots=True)
class Street:
    """A point of decision: the wager to make or fold, and what is revealed when all have decided.

    With `declined=PULL_BACK` the wager was made before the deal: it is let ride, or taken back, and
    either way the seat stays in.
    """

    wager: str
    then: Reveal
    declined: str = FOLD

    @property
    def pulls_back(self) -> bool:
        return self.declined == PULL_BACK


@dataclass(frozen=True, slots=True)
class Cards:
    """The cards of a hand: from places in this order, the first `first` of each where given."""

    places: tuple[str, ...]
    first: int = 0


@dataclass(frozen=True, slots=True)
class ByTable:
    """A wager paid by its table on some cards.

    `decided_by` names a place and a rank: where the card there has that rank the wager's own table
    pays, else the table `otherwise`.
    """

    wager: str
    cards: Cards
    table: str = ""
    decided_by: tuple[str, str] | None = None
    otherwise: str = ""

    @property
    def table_name(self) -> str:
        return self.table or self.wager


@dataclass(frozen=True, slots=True)
class ByLosingHand:
    """A wager paid by its table on the hand that loses the contest; a tie loses."""

    wager: str

    @property
    def table_name(self) -> str:
        return self.wager


@dataclass(frozen=True, slots=True)
class Bonus:
    """A bonus without a stake of its own, paid on a wager by the strength of the player's hand.

    `when` are the outcomes of the contest in which it is paid. `readings` maps a reading to what
    each choice does: outcomes it adds or takes away. `saves` are wagers given back with it instead
    of lost.
    """

    name: str
    on: str
    when: frozenset[str]
    saves: tuple[str, ...] = ()
    saves_by: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    """Where a reading decides which wagers are saved: reading, then choice."""
    only_by: Mapping[str, Mapping[str, frozenset[str]]] = field(default_factory=dict)
    """Where a reading decides in which outcomes it is paid: reading, then choice."""
    net_by: tuple[str, str] = ("", "")
    """A reading and choice under which a stake is netted from what is paid."""


@dataclass(frozen=True, slots=True)
class Contest:
    """The player's hand against the dealer's. Outcomes: `unqualified`, `win`, `tie`, `lose`."""

    wagers: tuple[str, ...]
    player: Cards
    dealer: Cards
    player_ranking: str
    dealer_ranking: str
    qualifies: str = ""
    """The lowest hand with which the dealer qualifies; empty where he always does."""
    pays_unqualified: Mapping[str, str] = field(default_factory=dict)
    """With a dealer who does not qualify: wager to the odds it is paid; other wagers push."""
    by_table: Mapping[str, str] = field(default_factory=dict)
    """Wagers that are paid by a table when they win; the others at their odds."""
    always_by_table: Mapping[str, str] = field(default_factory=dict)
    """Wagers that are paid by a table however the contest ends, if the player's hand has a row there."""
    pushes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """For an outcome (`win` or `tie`) the wagers that push in it; a tie pays as a win unless it is here."""
    bonuses: tuple[Bonus, ...] = ()


Settlement = Contest | ByTable | ByLosingHand


@dataclass(frozen=True, slots=True)
class Game:
    """A game: one definition from which everything is derived."""

    name: str
    title: str
    dealt_in: tuple[str, ...]
    """A seat is dealt in when it has made one of these wagers."""
    deals: Mapping[str, Sequence[DealStep]]
    streets: Sequence[Street]
    settlements: Sequence[Settlement]
    hand: Cards
    hand_ranking: str
    """What a player's hand is called by: its cards and ranking in the contest."""
    fold_forfeits: tuple[str, ...] = ()
    """Wagers, besides Ante and Raises, that a fold forfeits."""
    fold_forfeits_by: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    """Where a reading decides what more a fold forfeits: reading, then choice."""
    rankings: Sequence[Ranking] = ()
    """Rankings that the game brings along; those of `croupier.hands.rankings` are there for all."""

    def table_of(self, wager: str) -> str:
        """The table that settles a wager; the wager's own name where it has none."""
        for settlement in self.settlements:
            if not isinstance(settlement, Contest) and settlement.wager == wager:
                return settlement.table_name
        return wager

    @property
    def on_dealer(self) -> frozenset[str]:
        """The wagers on a paytable that the dealer's cards alone decide."""
        return frozenset(s.wager for s in self.settlements if isinstance(s, ByTable) and s.cards.places == (DEALER,))

    def wagers_on(self, place: str) -> tuple[str, ...]:
        """The wagers that cards of a place decide; one card for all stands for each player's own."""
        deciding = {FOURTH, COMMUNITY}
        return tuple(
            s.wager
            for s in self.settlements
            if isinstance(s, ByTable) and (place in s.cards.places or (place in deciding and s.decided_by is not None))
        )

    @property
    def contest(self) -> Contest | None:
        return next((s for s in self.settlements if isinstance(s, Contest)), None)

    def street_of(self, wager: str) -> Street | None:
        """The street on which a wager is decided; none for one that is only placed."""
        return next((street for street in self.streets if street.wager == wager), None)
