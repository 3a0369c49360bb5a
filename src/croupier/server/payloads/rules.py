"""The rules of a table and of an edition, as JSON."""

from __future__ import annotations

from typing_extensions import TypedDict


class PayoutRange(TypedDict):
    """What a wager pays at least and at most."""

    least: str
    most: str
    clause: str


class WagerRules(TypedDict):
    """A wager that a table offers; limits are `None` for wagers that follow from others."""

    wager: str
    title: str
    clause: str
    required: bool
    made_in_play: bool
    placed_with: str
    placed_with_title: str
    electronic: bool
    on_a_meter: bool
    minimum_cents: int | None
    maximum_cents: int | None
    fixed_cents: int | None
    needs: list[str]
    needs_any: list[str]
    multiples: list[int]
    between: list[int] | None
    odds: PayoutRange | None


class PaytableRow(TypedDict):
    hand: str
    title: str
    pays: str
    clause: str


class PaytableRules(TypedDict):
    table: str
    title: str
    on: str
    letter: str
    clause: str
    rows: list[PaytableRow]


class BettingArea(TypedDict):
    wagers: list[str]
    electronic: bool
    clause: str


class CardArea(TypedDict):
    area: str
    clause: str


class InscriptionView(TypedDict):
    text: str
    clause: str


class LayoutView(TypedDict):
    """What the layout of a table must show."""

    positions: str
    operator_name: str
    areas: list[BettingArea]
    card_areas: list[CardArea]
    cards: dict[str, int]
    """By place, how many cards lie there if somebody makes every wager; `player` counts one seat."""
    inscriptions: list[InscriptionView]
    odds: str
    payout_limit: str


class TableEdge(TypedDict):
    """The exact house edge of a wager."""

    wager: str
    title: str
    house_edge: str
    house_edge_percent: float
    hit_frequency: str


class TableRules(TypedDict):
    """The rules and paytables of a table, each with its clause."""

    table: str
    edition: str
    game: str
    jurisdiction: str
    regulation: str
    status: str
    seats: int
    adjacent_boxes: int
    dealing: str
    payout_limit_cents: int | None
    verifiable: bool
    elections: dict[str, str]
    wagers: list[WagerRules]
    paytables: list[PaytableRules]
    streets: list[str]
    pulled_back: list[str]
    dealt_in: list[str]
    layout: LayoutView
    house_edges: list[TableEdge]


class ServedTableRules(TableRules):
    facility: str


class PicturedCardsView(TypedDict):
    """Cards in a picture: `None` lies face down, `playing` lists those that form a hand."""

    place: str
    cards: list[str | None]
    playing: list[str]


class GuideStepView(TypedDict):
    title: str
    text: str
    wagers: list[str]
    cards: list[PicturedCardsView]


class RankedExampleView(TypedDict):
    hand: str
    title: str
    example: list[str]
    example_name: str


class WagerGuideView(TypedDict):
    wager: str
    text: str


class GameGuide(TypedDict):
    """How a game is played: its aim, its course in pictures, the order of hands, what each wager is on."""

    aim: str
    steps: list[GuideStepView]
    ranking: list[RankedExampleView]
    wagers: list[WagerGuideView]


class ClauseText(TypedDict):
    """A paraphrase of a clause."""

    edition: str
    clause: str
    topic: str
    gist: str


class EditionEntry(TypedDict):
    edition: str
    title: str
    jurisdiction: str
    status: str


class CountField(TypedDict):
    most: int
    clause: str


class ClauseField(TypedDict):
    clause: str


class FormWager(TypedDict):
    wager: str
    title: str
    clause: str
    required: bool
    needs: list[str]
    on_a_meter: bool
    electronic: bool


class FormElection(TypedDict):
    election: str
    title: str
    choices: list[str]
    default: str
    clause: str
    kind: str
    on: str
    question: str
    says: dict[str, str]


class PayoutLimitField(TypedDict):
    floor_cents: int
    clause: str


class DealingFields(TypedDict):
    methods: list[str]
    shufflers: list[str]
    dealer_cards_first: str
    four_card_stacks: str
    hand_clause: str
    decks_clause: str
    substitute_methods: list[str]
    substitute_shufflers: list[str]
    substitutes_clause: str


class FormArea(TypedDict):
    wagers: list[str]
    clause: str


class FormCardArea(TypedDict):
    area: str
    wager: str
    election: str
    choice: str


class LayoutFields(TypedDict):
    areas: list[FormArea]
    card_areas: list[FormCardArea]
    odds: str
    payout_limit: str


class SubmissionFields(TypedDict):
    """The fields of a Rules Submission, each with its choices, texts and clause."""

    edition: str
    title: str
    jurisdiction: str
    regulation: str
    status: str
    operator: str
    seats: CountField
    adjacent_boxes: ClauseField
    smallest_chip: ClauseField
    odd_cents: list[str]
    wagers: list[FormWager]
    elections: list[FormElection]
    payout_limit: PayoutLimitField | None
    dealing: DealingFields
    layout: LayoutFields
    required: list[str]


class SubmissionForm(SubmissionFields):
    """The fields and a valid draft."""

    draft: str


class SubmissionEdge(TypedDict):
    """The exact figures of a wager under the elections of a text."""

    wager: str
    title: str
    house_edge: str
    house_edge_percent: float
    hit_frequency: str
    variance_float: float
    hit_frequency_float: float
    average_wager_float: float
    on_a_meter: bool


class SubmissionWarning(TypedDict):
    """What no rule forbids, but somebody should look at before it is filed."""

    key: str
    clause: str
    message: str


class SubmissionEdges(TypedDict):
    edition: str
    wagers: list[SubmissionEdge]
    warnings: list[SubmissionWarning]
    """Readings whose other choices move a house edge by more than a tenth."""
