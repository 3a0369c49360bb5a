"""A table as JSON: its view for one viewer, its line in the lobby and on the floor."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired

from pydantic import WithJsonSchema
from typing_extensions import TypeAliasType, TypedDict

from croupier.server.payloads.card_entries import CardEntryView

Mode = Literal["electronic", "staffed"]
CurrencyName = Literal["real", "play"]
PhaseName = Literal[
    "closed",
    "opening",
    "idle",
    "shuffling",
    "cutting",
    "loading",
    "betting",
    "dealing",
    "stub",
    "deciding",
    "collecting",
    "revealing",
    "settling",
    "racking",
]
RoleName = Literal[
    "system",
    "patron",
    "dealer",
    "floorperson",
    "shift_manager",
    "accounting",
    "surveillance",
    "regulator",
    "administrator",
]


_EVENT_PROPERTIES: dict[str, Any] = {
    "seq": {"type": "integer"},
    "round": {"type": "integer", "description": "0 for none"},
    "event": {"type": "string"},
    "at": {"type": "integer", "description": "milliseconds since 1970"},
    "by": {
        "type": "object",
        "required": ["name", "role"],
        "properties": {"name": {"type": "string"}, "role": {"type": "string"}},
    },
    "clause": {"type": "string"},
    "text": {"type": "string", "description": "the event in one sentence"},
}


def _event_schema(description: str, **properties: Any) -> WithJsonSchema:
    return WithJsonSchema(
        {
            "type": "object",
            "description": description,
            "required": [*properties, *_EVENT_PROPERTIES],
            "properties": {**properties, **_EVENT_PROPERTIES},
            "additionalProperties": True,
        }
    )


EventPayload = TypeAliasType(
    "EventPayload",
    Annotated[dict[str, Any], _event_schema("An event as a viewer may see it, with the fields of its kind.")],
)
TablesEvent = TypeAliasType(
    "TablesEvent", Annotated[dict[str, Any], _event_schema("An event and its table.", table={"type": "string"})]
)


class PlacedWager(TypedDict):
    seat: int
    wager: str
    title: str
    amount_cents: int


class CardsView(TypedDict):
    """The cards at a place; a card that the viewer may not see is `None`."""

    place: str
    seat: int
    cards: list[str | None]


class SettledWager(TypedDict):
    """A settled wager with its reason."""

    seat: int
    patron: str
    wager: str
    title: str
    staked_cents: int
    outcome: str
    returned_cents: int
    paid_cents: int
    hand: str
    row: str
    pays: str
    clause: str
    why: str


class HandView(TypedDict):
    """A hand whose cards the viewer sees: its name with ranks, and the cards that play."""

    place: str
    seat: int
    name: str
    playing: list[str]


class SeatResult(TypedDict):
    """Why a seat won or lost, in one or two sentences."""

    seat: int
    text: str


class PastRound(TypedDict):
    """A past round as a viewer may look back at it."""

    round: int
    void: str
    cards: list[CardsView]
    your_seats: list[int]
    your_net_cents: int | None
    settled: list[SettledWager]
    hands: list[HandView]
    results: list[SeatResult]


class DecisionChoices(TypedDict):
    """What a seat may decide: amounts, or a range of them."""

    wager: str
    title: str
    amounts_cents: list[int]
    least_cents: int | None
    most_cents: int | None
    declined: str


class ShuffleChoices(TypedDict):
    """How a deck may be shuffled now, and whether the device counts the cards."""

    by_device: bool
    by_hand: bool
    counted: bool


class NextStep(TypedDict):
    """A step that somebody may take next; `choices` only for decisions, `shuffle` only for a shuffle."""

    role: RoleName
    command: str
    text: str
    clause: str
    seat: int
    deck: int
    choices: NotRequired[DecisionChoices]
    shuffle: NotRequired[ShuffleChoices]


class SeatView(TypedDict):
    seat: int
    patron: str
    absent: bool


class OwnView(TypedDict):
    """The viewer; amounts only for patrons."""

    name: str
    role: RoleName
    seats: list[int]
    chips_cents: int | None
    game_account_cents: int | None
    owed_cents: int | None


class MeterView(TypedDict):
    meter: str
    title: str
    label: str
    """A short name, for a display beside the amount."""
    display_cents: int


class ClockView(TypedDict):
    """A deadline in milliseconds since 1970."""

    what: str
    at: int
    seat: int
    now: int


class DeckView(TypedDict):
    deck: int
    step: str
    arrived_at: int
    in_use: bool


class Devices(TypedDict):
    method: str
    shuffler: str


class CardSlot(TypedDict):
    place: str
    seat: int
    face_up: bool


class PatronAmount(TypedDict):
    patron: str
    amount_cents: int


class HandToCount(TypedDict):
    """A place of the layout that cards were dealt to, with the number that it should have."""

    place: str
    seat: int
    title: str
    expected: int


class Substitute(TypedDict):
    """A way to deal that may replace a device which was reported out of order."""

    device: str
    method: str
    shuffler: str


class FloorRule(TypedDict):
    """A rule that a floorperson's decision may concern."""

    rule: str
    clause: str


class StaffProcedure(TypedDict):
    """What staff see beyond the felt."""

    method: str
    methods: list[str]
    shuffler: str
    shufflers: list[str]
    devices: list[str]
    reported_devices: list[str]
    substitutes: list[Substitute]
    out_of_order: Devices | None
    preshuffled: bool
    idle_spreads: list[Literal["face_down", "face_up"]]
    floor_rules: list[FloorRule]
    card_source: str
    card_entry: CardEntryView | None
    reads_cards: bool
    read: int
    slots: list[CardSlot]
    cut_depth: int
    deck_cards: int
    drawn: int
    stub_count_every: int
    stub_count_due: bool
    hands_to_count: list[HandToCount]
    deck_change_due: list[int]
    chips: list[PatronAmount]
    owed: list[PatronAmount]
    tray_cents: int
    exposure: str
    settles_optional: bool


class TableView(TypedDict):
    """A table as a viewer sees it now."""

    table: str
    seq: int
    edition: str
    phase: PhaseName
    round: int
    closing: bool
    seats: list[SeatView]
    you: OwnView
    wagers: list[PlacedWager]
    cards: list[CardsView]
    waiting: list[int]
    folded: list[int]
    void: str
    settled: list[SettledWager]
    hands: list[HandView]
    results: list[SeatResult]
    last: PastRound | None
    prompts: list[NextStep]
    meters: list[MeterView]
    clock: ClockView | None
    rounds_since_stub_count: int
    decks: list[DeckView]
    commitment: str
    next_commitment: str
    procedure: StaffProcedure | None


class ServedTableView(TableView):
    """A table with the way it is run."""

    mode: Mode
    currency: CurrencyName
    self_service: bool


class LobbyEntry(TypedDict):
    """One line of the lobby."""

    table: str
    edition: str
    game: str
    jurisdiction: str
    mode: Mode
    currency: CurrencyName
    self_service: bool
    seats: int
    taken: list[int]
    yours: list[int]
    phase: PhaseName
    round: int
    minimum_cents: int
    maximum_cents: int
    limits: str
    meters: list[MeterView]


class WatchMessage(TypedDict):
    """A message to somebody who watches a table: new events and the view after them."""

    seq: int
    missed: bool
    events: list[EventPayload]
    view: TableView


class FloorPrompt(TypedDict):
    command: str
    text: str
    clause: str
    seat: int
    deck: int


class FloorClock(TypedDict):
    what: str
    seat: int
    at: int
    over: bool


class FloorDeck(TypedDict):
    deck: int
    step: str
    arrived_at: int
    in_use: bool
    change_due: bool


class PendingWin(TypedDict):
    meter: str
    seat: int
    round: int
    table: str


class FloorTable(TypedDict):
    """A table on the floor, and what needs a floorperson."""

    table: str
    seq: int
    edition: str
    game: str
    mode: Mode
    currency: CurrencyName
    phase: PhaseName
    round: int
    in_round: bool
    enters_cards: bool
    void: str
    seats: int
    taken: int
    absent: list[str]
    closing: bool
    waits: list[FloorPrompt]
    next: str
    next_role: RoleName | Literal[""]
    can_recut: bool
    can_shuffle: bool
    can_replace: bool
    clock: FloorClock | None
    decks: list[FloorDeck]
    rounds_since_stub_count: int
    stub_count_every: int
    counts_stub: bool
    pending: list[PendingWin]
    out_of_order: bool
    at: int


class FloorView(TypedDict):
    now: int
    tables: list[FloorTable]
