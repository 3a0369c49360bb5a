"""Rounds: `settle` plays one from a description; `open_table` opens a table to play at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, field, replace
from pathlib import Path
from typing import Any

from croupier.core.dataclass import dataclass
from croupier.core.errors import InputError
from croupier.core.money import format_money, format_signed_money
from croupier.facade.frames import Tabular, bar_chart
from croupier.facade.sources import Dollars, EditionSource, Source, read_dollars, read_edition, read_source
from croupier.regulations import Edition, ElectedEdition
from croupier.scenarios import play_scenario, require_known_cards, round_settlement
from croupier.scenarios.model import parse_scenario
from croupier.scenarios.settlement import DealerHand, RoundSettlement, SettledSeat
from croupier.scenarios.text_report import describe_settlement
from croupier.submissions.checks import valid_submission_data
from croupier.table import Actor, Role, Setup
from croupier.table.automation import Automation
from croupier.table.model import commands as c
from croupier.table.model.events import Event, WagerSettled
from croupier.table.model.setup import build_demo_setup, let_system_validate
from croupier.table.model.state import Round
from croupier.table.narration import explain, hand_label, wager_title
from croupier.table.procedure.decisions import parse_choice
from croupier.table.procedure.shuffle import OperatingSystemShuffle, SeededShuffle
from croupier.table.record.file import Record, RecordWriter
from croupier.table.session import TableSession
from croupier.table.view import View, view

CENTS_PER_DOLLAR = 100


@dataclass(frozen=True, slots=True)
class Settlement(Tabular):
    """Who is owed what after a round; seats are in the order of settlement."""

    edition: str
    round: RoundSettlement
    text: str
    """The settlement in words, as `croupier settle` prints it."""
    titles: Mapping[str, str] = field(repr=False)
    """The title of each wager and bonus, by key."""

    @property
    def dealer(self) -> DealerHand | None:
        """The dealer's cards and hand; `None` in a game without a dealer's hand."""
        return self.round.dealer

    @property
    def seats(self) -> tuple[SettledSeat, ...]:
        """Every seat with its cards and wagers, in the order of settlement."""
        return self.round.seats

    @property
    def void(self) -> bool:
        """Whether the round was void."""
        return self.round.void

    @property
    def meters(self) -> Mapping[str, int]:
        """Cents on each meter after the round, by key."""
        return self.round.meters

    def rows(self) -> Sequence[Mapping[str, Any]]:
        return [
            {"seat": seat.seat, "hand": seat.hand, **asdict(wager), "net_cents": wager.net_cents}
            for seat in self.seats
            for wager in seat.wagers
        ]

    def shown_rows(self) -> Sequence[Mapping[str, Any]]:
        return [
            {
                "seat": row["seat"],
                "hand": hand_label(row["hand"]),
                "wager": self.titles[row["wager"]],
                "staked": format_money(row["staked_cents"]),
                "outcome": row["outcome"],
                "returned": format_money(row["returned_cents"]),
                "paid": format_money(row["paid_cents"]),
                "net": format_signed_money(row["net_cents"]),
                "clause": row["clause"],
            }
            for row in self.rows()
        ]

    def to_dict(self) -> dict[str, Any]:
        """The document that `croupier settle --json` prints."""
        return self.round.to_dict()

    def plot(self) -> Any:
        """The net result of every wager in dollars as bars, in a Matplotlib figure."""
        rows = self.rows()
        labels = [f"seat {row['seat']}: {self.titles[row['wager']]}" for row in rows]
        dollars = [row["net_cents"] / CENTS_PER_DOLLAR for row in rows]
        return bar_chart(labels, dollars, "Net result", "dollars")

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
    scenario = parse_scenario(*read_source(source))
    require_known_cards(scenario)
    session = play_scenario(scenario)
    settlement, setup = round_settlement(session), session.table.setup
    wagers = {wager.wager for seat in settlement.seats for wager in seat.wagers}
    return Settlement(
        edition=setup.elected.edition.name,
        round=settlement,
        text="\n".join(describe_settlement(session)),
        titles={wager: wager_title(setup, wager) for wager in sorted(wagers)},
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

    def record(self) -> Record:
        """The record of the table so far: its setup, every event, and the command behind it."""
        return Record(self.session.table.setup, tuple(self.session.events), dict(self.session.causes))

    def save(self, path: str | Path) -> Path:
        """Writes the record as a file for `croupier audit`, `recall` and `export`; refuses to overwrite one."""
        target = Path(path)
        try:
            with target.open("x", encoding="utf-8") as file:
                RecordWriter(file, self.session.table.setup).append(self.session.events, self.session.causes)
        except OSError as error:
            raise InputError(str(target), f"cannot be written: {(error.strerror or str(error)).lower()}") from error
        return target

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
