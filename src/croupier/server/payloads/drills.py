"""AdviceView, and the questions and marks of drills, as JSON."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

from croupier.server.payloads.rules import PaytableRules


class AdviceChoice(TypedDict):
    """A choice with its exact value and cost."""

    choice: str
    value: str
    value_float: float
    cost: str
    cost_float: float
    amount_cents: int | None
    value_cents_float: float
    cost_cents_float: float


class AdviceView(TypedDict):
    """The exact value of every choice in the open decision."""

    round: int
    street: int
    seat: int
    ante_cents: int
    title: str
    best: str
    choices: list[AdviceChoice]


class DrillHand(TypedDict):
    place: str
    seat: int
    cards: list[str]


class DrillChoice(TypedDict):
    choice: str
    title: str


class HandQuestion(TypedDict):
    cards: list[str]
    size: int
    choices: list[DrillChoice]


class DrillWager(TypedDict):
    seat: int
    wager: str
    title: str
    staked_cents: int


class SettlementQuestion(TypedDict):
    cards: list[DrillHand]
    folded: list[int]
    wagers: list[DrillWager]
    outcomes: list[str]
    paytables: list[PaytableRules]


class Situation(TypedDict):
    kind: str
    before: str


class IrregularityQuestion(TypedDict):
    situation: Situation
    choices: list[str]


class DecisionQuestion(TypedDict):
    hand: list[str]
    up: list[str]
    board: list[str]
    raised: list[int]
    wager: str
    ante_cents: int
    choices: list[str]


class HandDrill(TypedDict):
    kind: Literal["read_hand"]
    edition: str
    number: str
    question: HandQuestion


class SettlementDrill(TypedDict):
    kind: Literal["settle"]
    edition: str
    number: str
    question: SettlementQuestion


class IrregularityDrill(TypedDict):
    kind: Literal["irregularity"]
    edition: str
    number: str
    question: IrregularityQuestion


class DecisionDrill(TypedDict):
    kind: Literal["decide"]
    edition: str
    number: str
    question: DecisionQuestion


class HandMarks(TypedDict):
    kind: Literal["read_hand"]
    score: float
    right: DrillChoice
    best_cards: list[str]
    clause: str


class DrillEntry(TypedDict):
    seat: int
    wager: str
    title: str
    staked_cents: int
    outcome: str
    returned_cents: int
    paid_cents: int
    clause: str
    why: str


class WagerMarks(TypedDict):
    seat: int
    wager: str
    order: bool
    outcome: bool
    paid: bool


class SettlementMarks(TypedDict):
    kind: Literal["settle"]
    score: float
    marks: list[WagerMarks]
    bonus: bool
    bonus_cents: int
    entries: list[DrillEntry]


class RightChoice(TypedDict):
    choice: str


class IrregularityMarks(TypedDict):
    kind: Literal["irregularity"]
    score: float
    right: RightChoice
    clause: str


class ChoiceValue(TypedDict):
    choice: str
    value: str
    value_float: float
    cost: str
    cost_float: float
    value_cents_float: float
    cost_cents_float: float


class DecisionMarks(TypedDict):
    kind: Literal["decide"]
    score: float
    right: RightChoice
    choices: list[ChoiceValue]
    chosen: ChoiceValue | None
