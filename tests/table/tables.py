"""A table for tests: one short call for each step of the procedure; refusals must not change anything."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from croupier.core.money import Cents
from croupier.regulations import EDITIONS, edition
from croupier.submissions.model import WagerLimits
from croupier.table import Phase, Refusal, Setup, Table, decide
from croupier.table.model import commands as c
from croupier.table.model import events as e
from croupier.table.model.roles import Actor, Role
from croupier.table.model.state import DeckStep, Round
from croupier.table.procedure.deck import decks_to_shuffle
from croupier.table.procedure.stub import hands_to_count, is_count_overdue, is_stub_count_due
from croupier.table.session import TableSession

DANA = Actor("Dana", Role.DEALER)
FLOYD = Actor("Floyd", Role.FLOORPERSON)
HOUR = 3_600_000
ORDER = tuple(range(52))
METHODS = ("manual_shoe", "hand", "automated_shoe")
ANTE = 10_00
SIDE_WAGER = {
    "pa-682a": "prime",
    "pa-682a-proposed": "prime",
    "pa-683a": "board_bonus",
    "pa-679a": "prime",
    "pa-641a": "aces_up",
    "md-4cp": "aces_up",
}
"""An optional wager that survives a fold."""
BONUS_WAGER = {
    "pa-682a": ("all_six",),
    "pa-682a-proposed": ("all_six",),
    "pa-683a": ("all_six",),
    "pa-679a": ("pair_bonus",),
    "pa-641a": ("six_card_bonus",),
    "md-4cp": ("aces_up", "six_card_bonus"),
}
"""The wager that is dealt its own card, preceded by the wagers it requires."""

COMMANDS: tuple[type[c.Command], ...] = tuple(
    kind
    for kind in vars(c).values()
    if isinstance(kind, type) and issubclass(kind, c.Command) and kind is not c.Command
)
"""Every kind of command."""
EVENTS: tuple[type[e.Event], ...] = tuple(
    kind for kind in vars(e).values() if isinstance(kind, type) and issubclass(kind, e.Event) and kind is not e.Event
)
"""Every kind of event."""

E = TypeVar("E", bound=e.Event)
assert set(SIDE_WAGER) == set(BONUS_WAGER) == set(EDITIONS)


def setup_of(
    edition_name: str,
    *,
    method: str = "manual_shoe",
    shuffler: str = "automated",
    elections: Mapping[str, str] | None = None,
    **changes: Any,
) -> Setup:
    """A table of an edition: wagers that need no progressive or electronic system, $1 to $1,000."""
    rules = edition(edition_name)
    electronic = {wager for area in rules.layout.areas if area.electronic for wager in area.wagers}
    limits = {
        name: WagerLimits(Cents(1_00), Cents(1_000_00))
        for name, wager in rules.wagers.items()
        if not wager.made_in_play and name not in rules.progressives and name not in electronic
    }
    changes = {"limits": limits, **changes}
    return replace(Setup.open(rules.elect(elections), method), shuffler=shuffler, **changes)


class ScriptedTable:
    """A table session with a method for each step."""

    def __init__(self, setup: Setup) -> None:
        self.session = TableSession(setup)
        self.now = 0

    @property
    def table(self) -> Table:
        return self.session.table

    @property
    def phase(self) -> Phase:
        return self.table.phase

    @property
    def round(self) -> Round:
        assert self.table.round is not None
        return self.table.round

    @property
    def events(self) -> list[e.Event]:
        return self.session.events

    def events_of(self, kind: type[E]) -> list[E]:
        """The events of a kind so far."""
        return [event for event in self.events if isinstance(event, kind)]

    def expect(self, phase: Phase, message: str = "") -> None:
        """Asserts the phase of the table."""
        assert self.phase is phase, message or f"{self.phase}, not {phase}"

    def step(self, deck: int = 1) -> DeckStep:
        return self.table.decks[deck].step

    def clause(self, rule: str) -> str:
        return self.table.setup.clause(rule)

    def command(self, kind: type[c.Command], by: Actor | None = None, **fields: Any) -> c.Command:
        """A command by the dealer if the dealer may give it, else by a floorperson."""
        default = DANA if Role.DEALER in kind.roles else FLOYD
        return kind(by=by or default, at=self.now, **fields)

    def send(self, kind: type[c.Command], by: Actor | None = None, **fields: Any) -> tuple[e.Event, ...]:
        return self.session.send(self.command(kind, by, **fields))

    def expect_refusal(self, kind: type[c.Command], by: Actor | None = None, **fields: Any) -> Refusal:
        """The refusal of a command; asserts that nothing has changed."""
        before, event_count = self.table, len(self.events)
        outcome = decide(before, self.command(kind, by, **fields))
        assert isinstance(outcome, Refusal), outcome
        assert outcome.reason
        assert "\n" not in outcome.reason
        assert self.table is before
        assert len(self.events) == event_count
        return outcome

    # The procedure, several steps at a time.

    def spread(self, *decks: int) -> ScriptedTable:
        """Receives, inspects, verifies and spreads decks."""
        self.send(c.ReceiveCards, decks=decks or tuple(self.table.decks))
        for deck in decks or tuple(self.table.decks):
            self.send(c.InspectCards, deck=deck)
            self.send(c.VerifyInspection, deck=deck)
            self.send(c.SpreadCards, deck=deck)
        return self

    def seat(self, patron: str, *seats: int, chips: int = 500_00) -> ScriptedTable:
        self.send(c.Sit, patron=patron, seats=seats)
        self.send(c.BuyIn, patron=patron, amount=chips)
        return self

    def open(self, *seats: int) -> ScriptedTable:
        """Opens a table where `seat 1`, `seat 2` … sit, cards washed and stacked."""
        self.spread()
        for seat in seats or (1,):
            self.seat(f"seat {seat}", seat)
        for deck in self.table.decks:
            self.send(c.WashCards, deck=deck)
        return self

    def shuffle(self, order: Sequence[int] = ORDER, **fields: Any) -> ScriptedTable:
        setup = self.table.setup
        defaults = {
            "deck": self.table.deck_in_use,
            "order": tuple(order),
            "source": "test",
            "by_device": setup.shuffler != "none",
            "count": 52 if setup.counts_cards else None,
        }
        self.send(c.Shuffle, **{**defaults, **fields})
        return self

    def load(self, order: Sequence[int] = ORDER) -> ScriptedTable:
        """Shuffles, cuts if required, and loads."""
        if self.phase is Phase.SHUFFLING:
            self.shuffle(order)
        if self.phase is Phase.CUTTING:
            self.send(c.Cut, depth=26)
        self.send(c.LoadCards)
        return self

    def wager(self, seat: int, *wagers: str, amount: int = ANTE) -> ScriptedTable:
        for wager in wagers or ("ante",):
            self.send(c.PlaceWager, seat=seat, wager=wager, amount=amount)
        return self

    def bet(self, *seats: int, also: Sequence[str] = ()) -> ScriptedTable:
        """Places an Ante and other wagers at these seats and announces “no more bets”."""
        for seat in seats or tuple(self.table.seats):
            self.wager(seat, "ante", *also)
        self.send(c.AnnounceNoMoreBets)
        return self

    def deal(self, **fields: Any) -> ScriptedTable:
        self.send(c.Deal, **fields)
        return self

    def stub(self) -> ScriptedTable:
        if is_stub_count_due(self.table):
            self.send(c.CountStub, stub=52 - self.round.drawn)
        else:
            self.send(c.RackStub)
        return self

    def to_decisions(self, *seats: int, also: Sequence[str] = (), order: Sequence[int] = ORDER) -> ScriptedTable:
        """Advances to the first decision, from betting or before."""
        if self.phase is not Phase.BETTING:
            self.load(order)
        return self.bet(*seats, also=also).deal().stub()

    def all_stay(self) -> ScriptedTable:
        """Every seat makes the minimum wager on this street."""
        while self.phase is Phase.DECIDING:
            seat = self.round.waiting[0]
            self.send(c.Decide, seat=seat, amount=self.round.staked(seat, "ante"))
        return self

    def all_fold(self) -> ScriptedTable:
        while self.phase is Phase.DECIDING:
            self.send(c.Decide, seat=self.round.waiting[0], amount=None)
        return self

    def reveal(self) -> ScriptedTable:
        self.send(c.CollectForfeits)
        self.send(c.RevealCards)
        return self

    def to_settlement(self) -> ScriptedTable:
        """Everybody stays to the end."""
        return self.to(Phase.SETTLING)

    def to(self, phase: Phase) -> ScriptedTable:
        """Advances from "no more bets" to a phase of the round; everybody stays."""
        steps: dict[Phase, Callable[[], object]] = {
            Phase.DEALING: self.deal,
            Phase.STUB: self.stub,
            Phase.DECIDING: self.all_stay,
            Phase.COLLECTING: lambda: self.send(c.CollectForfeits),
            Phase.REVEALING: lambda: self.send(c.RevealCards),
        }
        while self.phase is not phase:
            steps[self.phase]()
        return self

    def settle(self) -> ScriptedTable:
        while self.phase is Phase.SETTLING:
            self.send(c.SettleSeat, seat=self.round.unsettled[0])
        return self

    def shuffle_other_deck(self) -> ScriptedTable:
        """Shuffles the deck that is not in play, at a table with two decks."""
        for deck in decks_to_shuffle(self.table, self.now):
            self.shuffle(deck=deck)
        return self

    def count_hands(self, **changes: int) -> tuple[e.HandCount, ...]:
        """The right count of every hand; `seat_1=6` or `dealer=5` is a wrong one."""
        counts = []
        for (place, seat), count in hands_to_count(self.round).items():
            name = f"seat_{seat}" if place == "player" else place
            counts.append(e.HandCount(place, seat, changes.get(name, count)))
        return tuple(counts)

    def finish(self) -> ScriptedTable:
        """Settles and racks."""
        self.settle().shuffle_other_deck()
        if is_count_overdue(self.table):
            self.send(c.CountStub, stub=52 - self.round.drawn)
        self.send(c.RackCards)
        return self

    def play_round(self, *seats: int) -> ScriptedTable:
        """Plays a round in which everybody stays."""
        return self.to_decisions(*seats).to_settlement().finish()


def open_table(edition_name: str, *seats: int, **choices: Any) -> ScriptedTable:
    """A table open for play: these seats are occupied, the cards are washed and stacked."""
    return ScriptedTable(setup_of(edition_name, **choices)).open(*seats)
