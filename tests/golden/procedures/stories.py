"""Golden procedures: what happens at a table with people, refusals included, as a text a regulator can read.

A scenario file plays a round in which everybody does what he should. Here somebody does not: chips
do not match, a chip comes too late, a light is out, one person would do the work of two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from croupier.errors import NotPermitted
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.people import Actor
from croupier.table.telling import tell
from tests.progressive.tables import FOUR_ACES, NOTHING, PAT, PROGRESSIVE, MeterPlay, meter_table
from tests.table.tables import DANA, FLOYD

FOLDER = Path(__file__).parent
UNTOLD = (e.CardDealt, e.ChipsBought, e.PatronSeated)


class Story:
    """Steps at one table, told line by line; what is refused is told with its reason."""

    def __init__(self, about: str, play: MeterPlay) -> None:
        self.play = play
        self.lines = [about, play.table.setup.elected.edition.name, ""]
        self.told = len(play.driver.events)

    def does(self, kind: type[c.Command], by: Actor | None = None, **fields: Any) -> None:
        """Somebody does something, or is refused."""
        try:
            self.play.send(kind, by, **fields)
        except NotPermitted as refused:
            self.lines.append(f"  refused, {kind.__name__}: {refused}")
        self.tell()

    def tell(self) -> None:
        """What happened since."""
        events = self.play.driver.events
        for event in events[self.told :]:
            if not isinstance(event, UNTOLD):
                self.lines.append(tell(self.play.table.setup, event))
        self.told = len(events)

    @property
    def text(self) -> str:
        return "\n".join(self.lines) + "\n"


def stories() -> Iterator[tuple[str, Callable[[], str]]]:
    """Every story by the name of its file."""
    for edition, wager in PROGRESSIVE.items():
        yield f"{edition}-lock-out", lambda e=edition, w=wager: lock_out(e, w)  # type: ignore[misc]
        yield f"{edition}-chips-do-not-match", lambda e=edition, w=wager: mismatch(e, w)  # type: ignore[misc]
        yield f"{edition}-jackpot-with-every-check", lambda e=edition, w=wager: jackpot(e, w)  # type: ignore[misc]


def lock_out(edition: str, wager: str) -> str:
    """After “no more bets” the devices take nothing and give nothing back."""
    play = meter_table(edition, 1, 2)
    story = Story(
        "After the dealer has announced “no more bets” no progressive wager is taken, changed or given back.", play
    )
    play.bets({1: NOTHING, 2: FOUR_ACES}, {1: {}, 2: {wager: 1_00}})
    story.tell()
    story.does(c.PlaceWager, PAT, seat=1, wager=wager, amount=1_00)
    story.does(c.PlaceWager, Actor("seat 2", PAT.role), seat=2, wager=wager, amount=0)
    story.does(c.Deal)
    story.does(c.CountProgressiveChips, counted=1_00)
    story.does(c.PlaceWager, PAT, seat=1, wager=wager, amount=1_00)
    story.does(c.Deal)
    return story.text


def mismatch(edition: str, wager: str) -> str:
    """The count differs from what the system accepted."""
    play = meter_table(edition, 1, 2)
    story = Story(
        "The chips on the devices are one too few: nothing is dealt until a floorperson has put it right.", play
    )
    play.bets({1: NOTHING, 2: NOTHING.translate(str.maketrans("hdsc", "dsch"))}, {1: {wager: 1_00}, 2: {wager: 1_00}})
    story.tell()
    story.does(c.CountProgressiveChips, counted=1_00)
    story.does(c.Deal)
    story.does(c.CountProgressiveChips, counted=2_00)
    story.does(c.ResolveChipCount, DANA, reason="a chip lay beside the device")
    story.does(c.ResolveChipCount, FLOYD, reason=" ")
    story.does(c.ResolveChipCount, FLOYD, reason="a chip lay beside the device of seat 2")
    story.does(c.Deal)
    return story.text


def jackpot(edition: str, wager: str) -> str:
    """Four aces: every check before the payment, each first left out."""
    play = meter_table(edition, 1)
    story = Story(
        "Four aces win the meter: verified, validated by another person, paid, and held until the documents are done.",
        play,
    )
    play.bets({1: FOUR_ACES}, {1: {wager: 1_00}}).played()
    story.tell()
    dealer_as_floor = Actor("Dana", FLOYD.role)
    story.does(c.SettleSeat, seat=1)
    story.does(c.ValidateWin, FLOYD, seat=1)
    story.does(c.VerifyWin, seat=1, lit=False)
    story.does(c.SettleSeat, seat=1)
    story.does(c.ValidateWin, dealer_as_floor, seat=1)
    story.does(c.ValidateWin, FLOYD, seat=1)
    story.does(c.ValidateWin, FLOYD, seat=1, reason="the bulb is broken; the system lists the wager")
    story.does(c.SettleSeat, seat=1)
    story.does(c.RackCards)
    story.does(c.CompleteDocuments, DANA, seat=1, reference="J-1")
    story.does(c.CompleteDocuments, FLOYD, seat=1, reference="J-1")
    story.does(c.RackCards)
    return story.text
