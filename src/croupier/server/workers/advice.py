"""The best choice at a table and the cost of the others, computed only from what the patron sees."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from croupier.core.cards import Card, parse_cards
from croupier.core.errors import RuleViolation
from croupier.games.definition import BOARD, DEALER, PLAYER
from croupier.regulations import ElectedEdition, edition
from croupier.server.payloads.drills import AdviceChoice, AdviceView
from croupier.server.tables.view import decision_choices
from croupier.table.model.state import Phase, Round, Table
from croupier.table.view import view
from croupier.table.visibility import Viewer

Payload = dict[str, Any]


DECLINING_CHOICES = ("fold", "pull")
"""Choices that add no chips."""


def advice_query(table: Table, viewer: Viewer) -> Payload:
    """A query about the patron's open decision; refuses if they have none."""
    round_ = table.round
    if round_ is None or table.phase is not Phase.DECIDING or round_.patrons[round_.waiting[0]] != viewer.name:
        raise RuleViolation("", "you have no decision to make now")
    seat = round_.waiting[0]
    visible = {
        (placed.place, placed.seat): [card.card for card in placed.cards if card.card is not None]
        for placed in view(table, viewer.role, viewer.name).placed
    }
    rules = table.setup.elected
    return {
        "edition": rules.edition.name,
        "elections": {name: choice for name, choice in rules.choices.items() if name in rules.edition.elections},
        "hand": _card_text(visible.get((PLAYER, seat), [])),
        "up": _card_text(visible.get((DEALER, 0), [])),
        "board": _card_text(visible.get((BOARD, 0), [])),
        "raised": _raises(table, round_, seat),
    }


def _card_text(cards: list[Card]) -> str:
    return " ".join(str(card) for card in cards)


def _raises(table: Table, round_: Round, seat: int) -> list[int]:
    """The raises so far, as multiples of the Ante."""
    ante = round_.staked(seat, "ante")
    wagers = [street.wager for street in table.setup.game.streets[: round_.street]]
    return [round_.staked(seat, wager) // ante for wager in wagers]


def compute_values(query: Mapping[str, Any]) -> Payload:
    """The exact value of every choice, per Ante; runs in the analysis process."""
    from croupier.analysis.results import ratio
    from croupier.analysis.strategy import advise

    elected = _elected(query["edition"], tuple(sorted(query["elections"].items())))
    up = parse_cards(query["up"])
    hand, board = parse_cards(query["hand"]), parse_cards(query["board"])
    advice = advise(elected, hand, up[0] if up else None, board, query["raised"])
    best = advice.values[advice.best]
    return {
        "best": advice.best,
        "choices": [
            {
                "choice": choice,
                "value": ratio(value),
                "value_float": float(value),
                "cost": ratio(best - value),
                "cost_float": float(best - value),
            }
            for choice, value in advice.values.items()
        ],
    }


_elected_cache: dict[tuple[str, tuple[tuple[str, str], ...]], ElectedEdition] = {}


def _elected(name: str, elections: tuple[tuple[str, str], ...]) -> ElectedEdition:
    """An elected edition, the same object each time: solutions are cached by it."""
    if (name, elections) not in _elected_cache:
        _elected_cache[name, elections] = edition(name).elect(dict(elections))
    return _elected_cache[name, elections]


def describe_advice(table: Table, viewer: Viewer, values: Payload) -> AdviceView:
    """The advice for a patron: each choice with its amount, value and cost, in cents for their Ante."""
    round_ = table.round
    if round_ is None:
        raise RuleViolation("", "you have no decision to make now")
    seat = round_.waiting[0]
    ante = round_.staked(seat, "ante")
    choices: list[AdviceChoice] = [
        {
            "choice": choice["choice"],
            "value": choice["value"],
            "value_float": choice["value_float"],
            "cost": choice["cost"],
            "cost_float": choice["cost_float"],
            "amount_cents": None if choice["choice"] in DECLINING_CHOICES else _multiple(choice["choice"]) * ante,
            "value_cents_float": choice["value_float"] * ante,
            "cost_cents_float": choice["cost_float"] * ante,
        }
        for choice in values["choices"]
    ]
    return {
        "round": round_.number,
        "street": round_.street,
        "seat": seat,
        "ante_cents": ante,
        "title": decision_choices(table, round_, seat)["title"],
        "best": values["best"],
        "choices": choices,
    }


def _multiple(choice: str) -> int:
    return 1 if choice in ("play", "ride") else int(choice.removesuffix("x"))
