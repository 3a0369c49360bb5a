"""A whole day at a staffed table with two decks and a counting shuffler, as text for a regulator.

A deck with a defect, a jam, a shuffler that fails, a recut, a misdeal, an idle hour and a change of decks; at each of
them somebody first tries what the chapter does not allow.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from croupier.core.errors import RuleViolation
from croupier.table.model import commands as c
from croupier.table.model import events as e
from croupier.table.model.roles import Actor, Role
from croupier.table.model.state import Phase
from croupier.table.narration import describe
from croupier.table.procedure.shuffle import SeededShuffle
from tests.table.tables import ANTE, DANA, FLOYD, ScriptedTable, setup_of

EDITIONS = ("pa-682a", "pa-682a-proposed", "pa-683a", "pa-679a", "pa-641a", "md-4cp")
TITLE = "A day at a staffed table with two decks and a shuffler that counts the cards."
MINUTE = 60_000
HOUR = 60 * MINUTE
OPENING = 8 * HOUR
_NOT_DESCRIBED = (
    e.CardDealt,
    e.ChipsBought,
    e.WagerMade,
    e.ForfeitsCollected,
    e.CardsRevealed,
    e.HandTurnedUp,
    e.SeatSettled,
)


@dataclass
class Day:
    """The day of one table, line by line with the time; refusals appear with their reason."""

    play: ScriptedTable
    lines: list[str]
    shuffles: SeededShuffle
    described_count: int = 0

    @property
    def text(self) -> str:
        return "\n".join(self.lines) + "\n"

    def chapter(self, title: str, minutes: int = 0) -> None:
        self.play.now += minutes * MINUTE
        self.lines += ["", title]

    def send(self, kind: type[c.Command], by: Actor | None = None, **fields: Any) -> None:
        """Sends a command a moment later and describes its events, or its refusal."""
        self.play.now += MINUTE // 4
        try:
            self.play.send(kind, by, **fields)
        except RuleViolation as violation:
            self.lines.append(f"{self._time()}    refused, {kind.__name__}: {violation}")
        self.describe_events()

    def shuffle(self, deck: int, **fields: Any) -> None:
        by_device = self.play.table.setup.shuffler != "none"
        values: dict[str, Any] = {"by_device": by_device, "count": 52 if by_device else None, **fields}
        self.send(c.Shuffle, deck=deck, order=self.shuffles.order(), source="the day's shuffles", **values)

    def describe_events(self) -> None:
        events, round_ = self.play.events, self.play.table.round
        is_void = round_ is not None and bool(round_.void)
        for event in events[self.described_count :]:
            is_routine = (isinstance(event, e.WagerSettled) and not is_void) or (
                isinstance(event, e.WagerPlaced) and bool(event.amount)
            )
            if not isinstance(event, _NOT_DESCRIBED) and not is_routine:
                self.lines.append(f"{self._time()}  {describe(self.play.table.setup, event)}")
        self.described_count = len(events)

    def _time(self) -> str:
        minutes = self.play.now // MINUTE
        return f"{minutes // 60:02}:{minutes % 60:02}"

    # Several steps at a time.

    def begin_round(self, *seats: int) -> None:
        """Prepares the deck in use, takes an Ante from each seat and closes the wagers."""
        deck = self.play.table.deck_in_use
        if self.play.phase is Phase.SHUFFLING:
            self.shuffle(deck)
        if self.play.phase is Phase.CUTTING:
            self.send(c.Cut, depth=20)
        if self.play.phase is Phase.LOADING:
            self.send(c.LoadCards)
        for seat in seats:
            self.play.wager(seat)
        self.send(c.AnnounceNoMoreBets)

    def finish_round(self) -> None:
        """Plays the rest of a round: everybody stays."""
        if self.play.phase is Phase.DEALING:
            self.send(c.Deal)
        if self.play.phase is Phase.STUB:
            self.send(c.RackStub)
        while self.play.phase is not Phase.SETTLING:
            self.play.all_stay().to(Phase.COLLECTING)
            self.play.send(c.CollectForfeits)
            self.play.send(c.RevealCards)
        self.describe_events()
        self.settle_round()

    def settle_round(self) -> None:
        while self.play.phase is Phase.SETTLING:
            self.send(c.SettleSeat, seat=self.play.round.unsettled[0])
        self.play.now += 2 * MINUTE
        for deck in self.waiting_decks():
            self.shuffle(deck)
        self.send(c.RackCards)

    def waiting_decks(self) -> Iterator[int]:
        """The deck that is not in play and has not been shuffled yet, at a table with two."""
        for number, deck in self.play.table.decks.items():
            if number != self.play.round.deck and deck.step.value == "stacked":
                yield number

    def receive(self, *decks: int) -> None:
        self.send(c.ReceiveCards, decks=decks)
        for deck in decks:
            self.inspect(deck)

    def inspect(self, deck: int) -> None:
        self.send(c.InspectCards, deck=deck)
        self.send(c.VerifyInspection, FLOYD, deck=deck)
        self.send(c.SpreadCards, deck=deck)

    def seat(self, seat: int) -> None:
        self.play.seat(f"Pat {seat}", seat)
        self.describe_events()


def day(edition_name: str) -> Day:
    """The day of a table of an edition."""
    play = ScriptedTable(setup_of(edition_name, shuffler="counting", decks=2))
    play.now = OPENING
    story = Day(play, [TITLE, edition_name], SeededShuffle(f"the day of {edition_name}"))
    _opening(story)
    _two_decks(story)
    _jam(story)
    _failure(story)
    _recut(story)
    _misdeal(story)
    _idle_hour(story)
    _return_of_the_device(story)
    _deck_change(story)
    _closing(story)
    return story


def _opening(story: Day) -> None:
    story.chapter("The table opens; deck 2 has a defect.")
    story.send(c.ReceiveCards, decks=(1, 2))
    story.send(c.InspectCards, deck=1)
    story.send(c.VerifyInspection, Actor(DANA.name, Role.FLOORPERSON), deck=1)
    story.send(c.VerifyInspection, FLOYD, deck=1)
    story.send(c.SpreadCards, deck=1)
    story.send(c.InspectCards, deck=2, defect="the ace of spades is creased")
    story.receive(2)
    story.send(c.WashCards, deck=1)
    story.seat(1)
    story.send(c.WashCards, deck=1)
    story.send(c.WashCards, deck=2)
    story.shuffle(1, count=None)
    story.shuffle(1)


def _two_decks(story: Day) -> None:
    story.chapter("One deck is in play while the other is shuffled; a device that counts 51 cards has a deck removed.")
    story.begin_round(1)
    story.send(c.Deal)
    story.send(c.RackStub)
    story.play.to_settlement().settle()
    story.describe_events()
    story.send(c.RackCards)
    story.shuffle(2, count=51)
    story.send(c.RackCards)
    story.receive(2)
    story.send(c.WashCards, deck=2)


def _jam(story: Day) -> None:
    story.chapter("The shuffler jams.", 5)
    story.seat(2)
    story.shuffle(2)
    story.send(c.ReportShufflerJam)
    story.send(c.LoadCards)
    story.begin_round(1, 2)
    story.finish_round()


def _failure(story: Day) -> None:
    story.chapter("The shuffler fails: the dealer reports it, a floorperson confirms what replaces it.", 10)
    replacement: dict[str, Any] = {"device": "shuffler", "marked": "sign", "method": "manual_shoe"}
    story.send(c.TakeDeviceOutOfOrder, FLOYD, **replacement, shuffler="none")
    story.send(c.ReportDeviceFailure, device="shoe")
    story.send(c.ReportDeviceFailure, device="shuffler")
    story.send(c.TakeDeviceOutOfOrder, DANA, **replacement, shuffler="none")
    story.send(c.TakeDeviceOutOfOrder, FLOYD, **replacement, shuffler="reshuffling")
    story.send(c.TakeDeviceOutOfOrder, FLOYD, **replacement, shuffler="none")
    story.shuffle(story.play.table.deck_in_use, by_device=True)


def _recut(story: Day) -> None:
    story.chapter("Cards shuffled by hand are cut; after “no more bets” a floorperson has them cut again.", 1)
    story.shuffle(story.play.table.deck_in_use)
    story.send(c.LoadCards)
    story.begin_round(1, 2)
    story.send(c.OrderRecut, FLOYD, reason="the cover card slipped")
    story.send(c.Deal)
    story.send(c.Cut, depth=9)
    story.send(c.Cut, depth=25)
    story.send(c.LoadCards)
    story.send(c.Deal)
    story.send(c.OrderRecut, FLOYD, reason="too late")
    story.finish_round()
    story.begin_round(1, 2)
    story.finish_round()


def _misdeal(story: Day) -> None:
    story.chapter("The stub is counted in the fifth round: a player has a card too many.", 1)
    story.begin_round(1, 2)
    story.send(c.Deal)
    story.send(c.RackStub)
    stub = 52 - story.play.round.drawn - 1
    story.send(c.CountStub, stub=stub)
    story.send(c.CountStub, stub=stub, hands=story.play.count_hands()[1:])
    seat_1 = len(story.play.round.hand("player", 1)) + 1
    story.send(c.CountStub, stub=stub, hands=story.play.count_hands(seat_1=seat_1))
    story.settle_round()


def _idle_hour(story: Day) -> None:
    story.chapter("Everybody leaves, and the table is idle for an hour.", 1)
    for seat in (1, 2):
        patron = Actor(f"Pat {seat}", Role.PATRON)
        story.send(c.Leave, patron, patron=patron.name)
    story.send(c.SpreadIdleCards, face_up=True)
    story.send(c.SpreadIdleCards)
    story.play.now += 60 * MINUTE
    deck = story.play.table.deck_in_use
    if story.play.step(deck).value == "received":
        story.inspect(deck)
    story.send(c.WashCards, deck=deck)
    story.seat(3)
    story.send(c.WashCards, deck=deck)
    story.begin_round(3)
    story.finish_round()


def _return_of_the_device(story: Day) -> None:
    story.chapter("The shuffler is repaired, and a second deck is brought.", 30)
    story.send(c.RestoreDevice, FLOYD)
    missing = next(number for number, deck in story.play.table.decks.items() if deck.step.value == "missing")
    story.receive(missing)
    story.send(c.WashCards, deck=missing)
    story.begin_round(3)
    story.finish_round()


def _deck_change(story: Day) -> None:
    story.chapter("Eight hours after their arrival the cards are changed; the Ante on the layout is taken back.")
    deck = story.play.table.deck_in_use
    arrived_at = story.play.table.decks[deck].arrived_at
    story.send(c.LoadCards)
    story.play.wager(3)
    story.play.now = max(story.play.now, arrived_at + 8 * HOUR)
    story.send(c.AnnounceNoMoreBets)
    decks = sorted(story.play.table.decks)
    story.receive(*decks)
    pat = Actor("Pat 3", Role.PATRON)
    story.send(c.PlaceWager, pat, seat=3, wager="ante", amount=0)
    assert not story.play.table.wagers
    assert story.play.table.balances["Pat 3"] >= ANTE
    for number in decks:
        story.send(c.WashCards, deck=number)
    story.begin_round(3)
    story.finish_round()


def _closing(story: Day) -> None:
    story.chapter("The table closes.", 60)
    pat = Actor("Pat 3", Role.PATRON)
    story.send(c.Leave, pat, patron=pat.name)
    story.send(c.CloseTable, FLOYD)
