"""Golden procedures: the steps of people at a table, refusals included, as text for a regulator.

In a scenario file everybody follows the procedure. Here somebody does not: chips do not match, a wager comes
too late, a light is out, one person tries to do the work of two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from croupier.core.cards import parse_cards
from croupier.core.errors import RuleViolation
from croupier.games.definition import DEALER, PLAYER
from croupier.table.model import commands as c
from croupier.table.model import events as e
from croupier.table.model.roles import Actor
from croupier.table.narration import describe
from tests.golden.procedures.day import EDITIONS as EDITIONS_WITH_A_DAY
from tests.golden.procedures.day import day
from tests.progressive.tables import FOUR_ACES, NOTHING, PAT, PROGRESSIVE, meter_table
from tests.table.plain_shoe import plain_table
from tests.table.tables import DANA, FLOYD, ScriptedTable

FOLDER = Path(__file__).parent
NOT_DESCRIBED: tuple[type[e.Event], ...] = (e.CardDealt, e.ChipsBought, e.PatronSeated)


class Story:
    """The steps at one table, line by line; refusals appear with their reason."""

    def __init__(self, title: str, play: ScriptedTable) -> None:
        self.play = play
        self.lines = [title, play.table.setup.elected.edition.name, ""]
        self.described_count = len(play.session.events)

    def send(self, kind: type[c.Command], by: Actor | None = None, **fields: Any) -> None:
        """Sends a command and describes its events, or its refusal."""
        try:
            self.play.send(kind, by, **fields)
        except RuleViolation as violation:
            self.lines.append(f"  refused, {kind.__name__}: {violation}")
        self.describe_events()

    def describe_events(self) -> None:
        """Describes the events since the last call."""
        events = self.play.session.events
        for event in events[self.described_count :]:
            if not isinstance(event, NOT_DESCRIBED):
                self.lines.append(describe(self.play.table.setup, event))
        self.described_count = len(events)

    @property
    def text(self) -> str:
        return "\n".join(self.lines) + "\n"


def stories() -> Iterator[tuple[str, Callable[[], str]]]:
    """Every story by the name of its file."""
    for edition, wager in PROGRESSIVE.items():
        yield f"{edition}-lock-out", lambda e=edition, w=wager: lock_out(e, w)  # type: ignore[misc]
        yield f"{edition}-chips-do-not-match", lambda e=edition, w=wager: mismatch(e, w)  # type: ignore[misc]
        yield f"{edition}-jackpot-with-every-check", lambda e=edition, w=wager: jackpot(e, w)  # type: ignore[misc]
    for edition in EDITIONS_WITH_A_DAY:
        yield f"{edition}-day", lambda e=edition: day(e).text  # type: ignore[misc]

    yield "pa-682a-plain-shoe", plain_shoe


def plain_shoe() -> str:
    """Cards are entered when they are turned up, and not before."""
    table = plain_table("pa-682a", 1, 2)
    table.load(())
    story = Story(
        "From a plain shoe, the dealer enters each hand when it is turned up; a folded hand stays unknown.", table
    )
    for seat in (1, 2):
        story.send(c.PlaceWager, seat=seat, wager="ante", amount=10_00)
    for kind in (c.AnnounceNoMoreBets, c.Deal, c.RackStub):
        story.send(kind)
    dealer_cards, hand = (
        tuple(card.index for card in parse_cards(text)) for text in ("Kd 9c 4h 2s 3s 8h", "Qs Qh 6d 6c Jd")
    )
    story.send(c.EnterCards, place=PLAYER, seat=2, cards=hand)
    story.send(c.Decide, seat=1, amount=None)
    story.send(c.Decide, seat=2, amount=10_00)
    story.send(c.CollectForfeits)
    story.send(c.RevealCards)
    story.send(c.EnterCards, place=DEALER, cards=dealer_cards)
    story.send(c.RevealCards)
    story.send(c.SettleSeat, seat=2)
    story.send(c.EnterCards, place=PLAYER, seat=2, cards=(dealer_cards[0],))
    story.send(c.EnterCards, place=PLAYER, seat=2, cards=hand)
    story.send(c.CorrectCard, place=PLAYER, seat=2, number=5, card=parse_cards("Js")[0].index)
    story.send(c.SettleSeat, seat=2)
    story.send(c.CorrectCard, place=PLAYER, seat=2, number=5, card=parse_cards("As")[0].index)
    story.send(c.CorrectCard, FLOYD, place=PLAYER, seat=2, number=5, card=hand[4], reason="it is the jack of diamonds")
    story.send(c.SettleSeat, seat=1)
    story.send(c.RackCards)
    return story.text


def lock_out(edition: str, wager: str) -> str:
    """After “no more bets” the devices neither accept nor return wagers."""
    play = meter_table(edition, 1, 2)
    story = Story(
        "After the dealer has announced “no more bets” no progressive wager is taken, changed or given back.", play
    )
    play.place_bets({1: NOTHING, 2: FOUR_ACES}, {1: {}, 2: {wager: 1_00}})
    story.describe_events()
    story.send(c.PlaceWager, PAT, seat=1, wager=wager, amount=1_00)
    story.send(c.PlaceWager, Actor("seat 2", PAT.role), seat=2, wager=wager, amount=0)
    story.send(c.Deal)
    story.send(c.CountProgressiveChips, counted=1_00)
    story.send(c.PlaceWager, PAT, seat=1, wager=wager, amount=1_00)
    story.send(c.Deal)
    return story.text


def mismatch(edition: str, wager: str) -> str:
    """The chip count differs from the amount that the system accepted."""
    play = meter_table(edition, 1, 2)
    story = Story(
        "The chips on the devices are one too few: nothing is dealt until a floorperson has corrected it.", play
    )
    play.place_bets(
        {1: NOTHING, 2: NOTHING.translate(str.maketrans("hdsc", "dsch"))}, {1: {wager: 1_00}, 2: {wager: 1_00}}
    )
    story.describe_events()
    story.send(c.CountProgressiveChips, counted=1_00)
    story.send(c.Deal)
    story.send(c.CountProgressiveChips, counted=2_00)
    story.send(c.ResolveChipCount, DANA, reason="a chip lay beside the device")
    story.send(c.ResolveChipCount, FLOYD, reason=" ")
    story.send(c.ResolveChipCount, FLOYD, reason="a chip lay beside the device of seat 2")
    story.send(c.Deal)
    return story.text


def jackpot(edition: str, wager: str) -> str:
    """Four aces: every check before the payment; each is skipped at first."""
    play = meter_table(edition, 1)
    story = Story(
        "Four aces win the meter: verified, validated by another person, paid, and held until the documents are done.",
        play,
    )
    play.place_bets({1: FOUR_ACES}, {1: {wager: 1_00}}).play_to_settlement()
    story.describe_events()
    dealer_as_floor = Actor("Dana", FLOYD.role)
    story.send(c.SettleSeat, seat=1)
    story.send(c.ValidateWin, FLOYD, seat=1)
    story.send(c.VerifyWin, seat=1, lit=False)
    story.send(c.SettleSeat, seat=1)
    story.send(c.ValidateWin, dealer_as_floor, seat=1)
    story.send(c.ValidateWin, FLOYD, seat=1)
    story.send(c.ValidateWin, FLOYD, seat=1, reason="the bulb is broken; the system lists the wager")
    story.send(c.SettleSeat, seat=1)
    story.send(c.RackCards)
    story.send(c.CompleteDocuments, DANA, seat=1, reference="J-1")
    story.send(c.CompleteDocuments, FLOYD, seat=1, reference="J-1")
    story.send(c.RackCards)
    return story.text
