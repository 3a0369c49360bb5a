"""Records and books as JSON: replays, searches, audits, the journal, holds, meters and the gaming day."""

from __future__ import annotations

from typing import Any

from typing_extensions import TypedDict

from croupier.server.payloads.tables import CurrencyName, EventPayload, PatronAmount, PlacedWager, RoleName, TablesEvent


class ReplaySeat(TypedDict):
    seat: int
    patron: str


class ReplayCard(TypedDict):
    """A card, `None` if it stays hidden; `up` says whether the viewer could see it at that moment."""

    card: str | None
    up: bool


class ReplayPlace(TypedDict):
    place: str
    seat: int
    cards: list[ReplayCard]


class ReplayedWager(TypedDict):
    seat: int
    wager: str
    title: str
    outcome: str
    net_cents: int


class ReplayStep(TypedDict):
    """An event and the felt after it."""

    seq: int
    at: int
    event: str
    by: str
    role: RoleName
    seat: int
    clause: str
    text: str
    moved: list[PatronAmount]
    cards: list[ReplayPlace]
    wagers: list[PlacedWager]
    settled: list[ReplayedWager]


class RoundReplay(TypedDict):
    """A past round in steps."""

    table: str
    edition: str
    round: int
    complete: bool
    void: str
    seats: list[ReplaySeat]
    steps: list[ReplayStep]


class RoundRecall(TypedDict):
    """A past round in sentences."""

    table: str
    round: int
    complete: bool
    lines: list[str]


class TableEvents(TypedDict):
    """Events of one table; `hidden_from` is the number of the first event that is still secret."""

    events: list[EventPayload]
    hidden_from: int | None


class AllTablesEvents(TypedDict):
    """The newest events of all tables; `more` says whether there are others."""

    events: list[TablesEvent]
    more: bool


class HistoricTableEntry(TypedDict):
    table: str
    edition: str
    game: str
    jurisdiction: str
    status: str
    opened_at: int


class AuditFinding(TypedDict):
    seq: int
    clause: str
    message: str


class AuditCheck(TypedDict):
    check: str
    problems: int


class AuditReport(TypedDict):
    """The report of `croupier audit` on a record."""

    rounds: int
    events: int
    problems: list[AuditFinding]
    corrections: list[AuditFinding]
    """Corrected payments that differ from the settlement computed again, or that one person made alone."""
    checked: list[AuditCheck]
    notes: list[str]


class JournalPosting(TypedDict):
    account: str
    owner: str
    amount_cents: int


class JournalPerson(TypedDict):
    name: str
    role: RoleName


class JournalLine(TypedDict):
    """A line of the house journal; `entries` are the changes of each account."""

    number: int
    hash: str
    at: int
    kind: str
    by: JournalPerson
    second: JournalPerson | None
    table: str
    patron: str
    data: dict[str, Any]
    entries: list[JournalPosting]


class HoldRow(TypedDict):
    """Actual and theoretical hold of a bet; no range for a bet that a meter pays."""

    currency: CurrencyName
    edition: str
    game: str
    jurisdiction: str
    wager: str
    title: str
    paytables: list[str]
    tables: list[str]
    entries: int
    handle_cents: int
    win_cents: int
    actual_percent: float
    house_edge: str
    theoretical_percent: float
    low_percent: float | None
    high_percent: float | None
    outside: bool
    on_a_meter: bool


class BookedAmounts(TypedDict):
    """The books of a meter as text."""

    seeded: str
    contributed: str
    moved: str
    adjusted: str
    won: str
    amount: str
    overflow: str
    waiting: str


class MeterFigures(TypedDict):
    display_cents: int
    hits: int
    paid_by_system_cents: int
    paid_by_attendant_cents: int
    pending: int
    agrees: bool
    books: BookedAmounts


class MeterRow(MeterFigures):
    """A meter with its books, and whether they agree."""

    table: str
    meter: str
    title: str


class TableDayRow(TypedDict):
    table: str
    currency: CurrencyName
    opening_cents: int
    fills_cents: int
    credits_cents: int
    closing_cents: int | None
    expected_closing_cents: int
    variance_cents: int | None
    drop_cents: int
    drop_variance_cents: int
    chips_sold_cents: int
    settled_cents: int
    fund_cents: int
    win_cents: int | None
    hold: str | None
    hold_percent: float | None


class WagerDayRow(TypedDict):
    currency: CurrencyName
    edition: str
    game: str
    game_title: str
    wager: str
    title: str
    paytable: str
    entries: int
    handle_cents: int
    returned_cents: int
    paid_cents: int
    win_cents: int
    fund_handle_cents: int
    fund_paid_cents: int
    held: str | None
    held_percent: float | None


class DayReport(TypedDict):
    """The figures of a gaming day, in milliseconds since 1970 and cents."""

    start: int
    end: int
    tables: list[TableDayRow]
    wagers: list[WagerDayRow]
