"""Rounds: `settle` plays one from a description; `open_table` opens a table to play at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from croupier.core.dataclass import dataclass
from croupier.core.errors import InputError
from croupier.facade.frames import Tabular
from croupier.facade.sources import Dollars, EditionSource, Source, read_dollars, read_edition, read_source
from croupier.regulations import Edition, ElectedEdition
from croupier.scenarios import play_scenario, settlement_document
from croupier.scenarios.model import parse_scenario
from croupier.scenarios.text_report import describe_settlement
from croupier.submissions.checks import valid_submission_data
from croupier.table import Actor, Role, Setup
from croupier.table.automation import Automation
from croupier.table.model import commands as c
from croupier.table.model.events import Event, WagerSettled
from croupier.table.model.setup import build_demo_setup, let_system_validate
from croupier.table.model.state import Round
from croupier.table.narration import explain
from croupier.table.procedure.decisions import parse_choice
from croupier.table.procedure.shuffle import OperatingSystemShuffle, SeededShuffle
from croupier.table.session import TableSession
from croupier.table.view import View, view


@dataclass(frozen=True, slots=True)
class WagerOutcome:
    """What becomes of one wager, or a bonus without a stake."""

    wager: str
    staked_cents: int
    outcome: str
    """`win`, `lose`, `push`, `forfeit` or `returned`."""
    returned_cents: int
    """How much of the stake is given back."""
    paid_cents: int
    """The winnings on top."""
    clause: str

    @property
    def net_cents(self) -> int:
        return self.returned_cents + self.paid_cents - self.staked_cents


@dataclass(frozen=True, slots=True)
class SettledSeat:
    """The cards, hand and wagers of one seat."""

    seat: int
    cards: str
    hand: str
    wagers: tuple[WagerOutcome, ...]
    net_cents: int


@dataclass(frozen=True, slots=True)
class DealerHand:
    """The dealer's cards and hand."""

    cards: str
    hand: str


@dataclass(frozen=True, slots=True)
class Settlement(Tabular):
    """Who is owed what after a round; seats are in the order of settlement."""

    dealer: DealerHand | None
    """`None` in a game without a dealer's hand."""
    seats: tuple[SettledSeat, ...]
    void: bool
    meters: Mapping[str, int]
    """Cents on each meter after the round, by key."""
    text: str
    """The settlement in words, as `croupier settle` prints it."""

    def rows(self) -> Sequence[Mapping[str, Any]]:
        return [
            {"seat": seat.seat, "hand": seat.hand, **asdict(entry), "net_cents": entry.net_cents}
            for seat in self.seats
            for entry in seat.wagers
        ]

    def to_dict(self) -> dict[str, Any]:
        """The document that `croupier settle --json` prints."""
        return {
            "dealer": None if self.dealer is None else asdict(self.dealer),
            "seats": [{**asdict(seat), "wagers": [asdict(entry) for entry in seat.wagers]} for seat in self.seats],
            "void": self.void,
            "meters": dict(self.meters),
        }

    def __str__(self) -> str:
        return self.text


def settle(source: Source) -> Settlement:
    """Plays one round from a description, as the table would.

    >>> import croupier
    >>> round_ = croupier.settle(
    ...     {
    ...         "edition": "pa-679a",
    ...         "deck": "As Ks Qs 2c 3d 4h",
    ...         "seats": [{"seat": 1, "wagers": {"ante": "10.00"}, "decisions": ["play"]}],
    ...     }
    ... )
    >>> round_.seats[0].hand, round_.seats[0].net_cents
    ('high_card', 2000)

    Raises `InputError` with the place and the clause for what the table does not permit.
    """
    session = play_scenario(parse_scenario(*read_source(source)))
    document = settlement_document(session)
    return Settlement(
        dealer=None if document["dealer"] is None else DealerHand(**document["dealer"]),
        seats=tuple(
            SettledSeat(**{**seat, "wagers": tuple(WagerOutcome(**entry) for entry in seat["wagers"])})
            for seat in document["seats"]
        ),
        void=document["void"],
        meters=document["meters"],
        text="\n".join(describe_settlement(session)),
    )


class OpenTable:
    """A table where the system takes every step of the procedure; people sit, wager and decide.

    Amounts are in dollars. Whatever the rules do not allow raises `RuleViolation` with its clause and changes nothing.
    """

    def __init__(self, setup: Setup, seed: str = "") -> None:
        self.session = TableSession(setup)
        self._automation = Automation(SeededShuffle(seed) if seed else OperatingSystemShuffle())
        decks = tuple(self.session.table.decks)
        self.session.send(c.ReceiveCards(by=self._automation.by, at=0, decks=decks))
        self._automation.advance(self.session, at=0)

    @property
    def phase(self) -> str:
        """What the table waits for, such as `betting` or `deciding`."""
        return self.session.table.phase.value

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seats that have to decide, in order."""
        round_ = self.session.table.round
        return round_.waiting if round_ is not None else ()

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything that happened, in order."""
        return tuple(self.session.events)

    def sit(self, patron: str, *seats: int, chips: Dollars = 1_000) -> None:
        """Seats a patron at one or more adjacent seats, with chips."""
        by = Actor(patron, Role.PATRON)
        self.session.send(c.Sit(by=by, at=0, patron=patron, seats=seats))
        amount = read_dollars("chips", chips)
        if amount:
            self.session.send(c.BuyIn(by=self._automation.by, at=0, patron=patron, amount=amount))
        self._automation.advance(self.session, at=0)

    def wager(self, seat: int, **wagers: Dollars) -> None:
        """Places wagers at a seat, by name: `table.wager(1, ante=10, prime="2.50")`."""
        by = self._patron_at(seat)
        for name, amount in wagers.items():
            cents = read_dollars(name, amount)
            self.session.send(c.PlaceWager(by=by, at=0, seat=seat, wager=name, amount=cents))

    def deal(self) -> None:
        """Ends the betting and deals."""
        self.session.send(c.AnnounceNoMoreBets(by=self._automation.by, at=0))
        self._automation.advance(self.session, at=0)

    def decide(self, seat: int, choice: str) -> None:
        """Makes a decision such as `3x`, `play` or `fold`; after the last one the round is settled."""
        round_ = self.session.table.round
        if round_ is None:
            raise InputError("decide", "there is no round to decide in")
        amount = parse_choice(self.session.table, round_, seat, choice)
        self.session.send(c.Decide(by=self._patron_at(seat), at=0, seat=seat, amount=amount))
        self._automation.advance(self.session, at=0)

    def balance(self, patron: str) -> int:
        """A patron's chips in cents, without those wagered."""
        return self.session.table.balances.get(patron, 0)

    def view(self, patron: str = "") -> View:
        """The table as a patron sees it, or as a stranger does."""
        return view(self.session.table, Role.PATRON, patron)

    @property
    def last_settlement(self) -> tuple[WagerSettled, ...]:
        """What became of every wager of the last finished round."""
        history = self.session.table.history
        last: Round | None = history[-1] if history else None
        return last.entries if last is not None else ()

    def explain(self) -> str:
        """Why each cent of the last finished round moved, one line a wager."""
        history = self.session.table.history
        last: Round | None = history[-1] if history else None
        return "\n".join(explain(self.session.table.setup, entry, last) for entry in self.last_settlement)

    def _patron_at(self, seat: int) -> Actor:
        table = self.session.table
        patron = (table.round.patrons.get(seat) if table.round is not None else None) or table.seats.get(seat)
        if patron is None:
            raise InputError("seat", f"nobody sits at seat {seat}")
        return Actor(patron, Role.PATRON)


def open_table(
    source: EditionSource | Mapping[str, Any], elect: Mapping[str, str] | None = None, *, seed: str = ""
) -> OpenTable:
    """Opens a table: of an edition, with play money and without limits, or of a valid Rules Submission.

    >>> import croupier
    >>> table = croupier.open_table("pa-679a", seed="an example")
    >>> table.sit("Pat", 1)
    >>> table.wager(1, ante=10)
    >>> table.deal()
    >>> table.waiting
    (1,)

    Cards come from the operating system's generator, or follow from `seed`. The system validates wins on meters.
    """
    if isinstance(source, Edition | ElectedEdition):
        return OpenTable(build_demo_setup(read_edition(source, elect)), seed)
    if isinstance(source, Mapping) or _is_submission(source):
        setup = Setup.from_submission(valid_submission_data(*read_source(source)))
        return OpenTable(replace(setup, elected=let_system_validate(setup.elected)), seed)
    return OpenTable(build_demo_setup(read_edition(source, elect)), seed)


def _is_submission(source: str | Path) -> bool:
    """Whether a source is a Rules Submission: TOML text, or a TOML file that names no game, as editions do."""
    if "\n" in str(source):
        return True
    return str(source).endswith(".toml") and "game" not in read_source(Path(source))[0]
