"""The definition of a game: how cards are dealt, where players decide, and how each wager is settled.

A game is one value of type `Game`; the table, the mathematics, the simulator and the pages are
derived from it. Numbers, paytables and clauses belong to the edition. This module is public: the file
of an added game imports it and nothing else (docs/guides/add-a-game.md).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Protocol

from croupier.core.dataclass import dataclass
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
    """The place of the next card of the deck. `seat` is 0 for places that belong to no seat."""

    place: str
    seat: int = 0
    face_up: bool = False


class DealContext(Protocol):
    """The facts that a deal depends on: who is dealt in, and who made which wager."""

    @property
    def seats_dealt(self) -> Sequence[int]:
        """The seats that receive cards, clockwise from the dealer's left."""

    def bettors(self, wager: str) -> Sequence[int]:
        """The seats dealt in that made a wager."""

    def elected(self, election: str) -> str:
        """The choice in force."""


class DealStep(Protocol):
    """One part of a deal."""

    def slots(self, context: DealContext) -> Iterator[Slot]:
        """Where the next cards go, in order."""


@dataclass(frozen=True, slots=True)
class OneByOne:
    """A card at a time clockwise to each player, and to the dealer after them.

    The dealer's remaining cards follow once the players have all of theirs. `face_up` numbers dealer cards from 1.
    """

    players: int
    dealer: int = 0
    face_up: frozenset[int] = frozenset()

    def slots(self, context: DealContext) -> Iterator[Slot]:
        for number in range(1, max(self.players, self.dealer) + 1):
            if number <= self.players:
                for seat in context.seats_dealt:
                    yield Slot(PLAYER, seat)
            if number <= self.dealer:
                yield Slot(DEALER, face_up=number in self.face_up)


@dataclass(frozen=True, slots=True)
class StackEach:
    """A stack of `count` cards to each player, clockwise."""

    count: int

    def slots(self, context: DealContext) -> Iterator[Slot]:
        for seat in context.seats_dealt:
            for _ in range(self.count):
                yield Slot(PLAYER, seat)


@dataclass(frozen=True, slots=True)
class StackEachWithTop:
    """A stack to each player and one to the dealer, the top card of each set aside.

    The top card of a seat that made the wager goes to the place `top`; the others are discarded.
    """

    count: int
    top: str
    wager: str

    def slots(self, context: DealContext) -> Iterator[Slot]:
        bettors = context.bettors(self.wager)
        for seat in context.seats_dealt:
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

    def slots(self, context: DealContext) -> Iterator[Slot]:
        del context
        for number in range(1, self.count + 1):
            yield Slot(self.place, face_up=self.bottom_up and number == self.count)


@dataclass(frozen=True, slots=True)
class CardsTo:
    """Cards to one place; optionally only if somebody made a wager, or if a choice is in force."""

    place: str
    count: int
    wager: str = ""
    election: str = ""
    choice: str = ""

    def slots(self, context: DealContext) -> Iterator[Slot]:
        has_bettors = not self.wager or context.bettors(self.wager)
        if has_bettors and (not self.election or context.elected(self.election) == self.choice):
            for _ in range(self.count):
                yield Slot(self.place)


@dataclass(frozen=True, slots=True)
class CardToEachBettor:
    """One more card to every seat that made a wager, if a choice is in force."""

    place: str
    wager: str
    election: str
    choice: str

    def slots(self, context: DealContext) -> Iterator[Slot]:
        if context.elected(self.election) == self.choice:
            for seat in context.bettors(self.wager):
                yield Slot(self.place, seat)


@dataclass(frozen=True, slots=True)
class SplitStack:
    """A stack whose cards go to several places, depending on whether somebody made a wager."""

    wager: str
    with_wager: tuple[Slot, ...]
    without: tuple[Slot, ...]

    def slots(self, context: DealContext) -> Iterator[Slot]:
        yield from self.with_wager if context.bettors(self.wager) else self.without


@dataclass(frozen=True, slots=True)
class Reveal:
    """Cards turned face up: the first `count` of a place."""

    place: str
    count: int


@dataclass(frozen=True, slots=True)
class Street:
    """A point of decision: the wager to make or fold, and the cards revealed when everybody has decided.

    With `declined=PULL_BACK` the wager was made before the deal: the player lets it ride or pulls
    it back, and stays in either way.
    """

    wager: str
    then: Reveal
    declined: str = FOLD

    @property
    def pulls_back(self) -> bool:
        return self.declined == PULL_BACK


@dataclass(frozen=True, slots=True)
class Cards:
    """The cards of a hand: from these places in order, or only the first `first` of each."""

    places: tuple[str, ...]
    first: int = 0


@dataclass(frozen=True, slots=True)
class ByTable:
    """A wager paid by its table on some cards.

    `decided_by` names a place and a rank: if the card there has that rank, the wager's own table
    pays; otherwise the table `otherwise` does.
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
    """A wager paid by its table on the hand that loses the contest; on a tie the wager loses."""

    wager: str

    @property
    def table_name(self) -> str:
        return self.wager


@dataclass(frozen=True, slots=True)
class Bonus:
    """A bonus that has no separate stake, paid on a wager by the strength of the player's hand.

    `when` lists the outcomes of the contest in which it is paid. `saves` lists wagers that are
    returned with it instead of lost.
    """

    name: str
    on: str
    when: frozenset[str]
    saves: tuple[str, ...] = ()
    saves_by: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    """By reading and choice, where a reading decides: the wagers that are saved."""
    only_by: Mapping[str, Mapping[str, frozenset[str]]] = field(default_factory=dict)
    """By reading and choice, where a reading decides: the outcomes in which it is paid."""
    net_by: tuple[str, str] = ("", "")
    """A reading and choice under which a stake is deducted from the payment."""


@dataclass(frozen=True, slots=True)
class Contest:
    """The player's hand against the dealer's. Outcomes: `unqualified`, `win`, `tie`, `lose`."""

    wagers: tuple[str, ...]
    player: Cards
    dealer: Cards
    player_ranking: str
    dealer_ranking: str
    qualifies: str = ""
    """The lowest hand with which the dealer qualifies; empty if the dealer always does."""
    pays_unqualified: Mapping[str, str] = field(default_factory=dict)
    """If the dealer does not qualify: the odds of each wager that is paid; other wagers push."""
    by_table: Mapping[str, str] = field(default_factory=dict)
    """Wagers that are paid by a table when they win; the others are paid at their odds."""
    always_by_table: Mapping[str, str] = field(default_factory=dict)
    """Wagers that are paid by a table however the contest ends, if the player's hand has a row there."""
    pushes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By outcome (`win` or `tie`): the wagers that push. A tie pays as a win unless it is listed."""
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
    """The ranking by which a player's hand is named."""
    fold_forfeits: tuple[str, ...] = ()
    """Wagers besides the Ante and Raises that a fold forfeits."""
    fold_forfeits_by: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    """By reading and choice, where a reading decides: further wagers that a fold forfeits."""
    rankings: Sequence[Ranking] = ()
    """Rankings that the game adds to those of `croupier.hands.rankings`."""

    def table_of(self, wager: str) -> str:
        """The name of the table that settles a wager; by default the name of the wager."""
        for settlement in self.settlements:
            if not isinstance(settlement, Contest) and settlement.wager == wager:
                return settlement.table_name
        return wager

    @property
    def on_dealer(self) -> frozenset[str]:
        """The wagers paid by a table on the dealer's cards alone."""
        return frozenset(s.wager for s in self.settlements if isinstance(s, ByTable) and s.cards.places == (DEALER,))

    def wagers_on(self, place: str) -> tuple[str, ...]:
        """The wagers that cards of a place decide; a community card decides in place of each player's own card."""
        deciding_places = {FOURTH, COMMUNITY}
        return tuple(
            s.wager
            for s in self.settlements
            if isinstance(s, ByTable)
            and (place in s.cards.places or (place in deciding_places and s.decided_by is not None))
        )

    @property
    def contest(self) -> Contest | None:
        return next((s for s in self.settlements if isinstance(s, Contest)), None)

    def street_of(self, wager: str) -> Street | None:
        """The street on which a wager is decided; `None` if it is placed before the deal."""
        return next((street for street in self.streets if street.wager == wager), None)
