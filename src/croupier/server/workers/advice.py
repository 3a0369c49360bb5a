"""The best choice at a table, and what the others cost: from what the patron himself sees, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from croupier.core.cards import Card, parse_cards
from croupier.core.errors import RuleViolation
from croupier.games.definition import BOARD, DEALER, PLAYER
from croupier.regulations import ElectedEdition, edition
from croupier.server.tables.view import decision_choices
from croupier.table.model.state import Phase, Round, Table
from croupier.table.view import view
from croupier.table.visibility import Viewer

Payload = dict[str, Any]


DECLINING_CHOICES = ("fold", "pull")
"""Choices that add no chips."""


def advice_query(table: Table, viewer: Viewer) -> Payload:
    """The open decision of a patron as a question; refuses where none of his is open."""
    round_ = table.round
    if round_ is None or table.phase is not Phase.DECIDING or round_.patrons[round_.waiting[0]] != viewer.name:
        raise RuleViolation("", "there is nothing for you to decide now")
    seat = round_.waiting[0]
    seen = {
        (placed.place, placed.seat): [card.card for card in placed.cards if card.card is not None]
        for placed in view(table, viewer.role, viewer.name).placed
    }
    rules = table.setup.elected
    return {
        "edition": rules.edition.name,
        "elections": {name: choice for name, choice in rules.choices.items() if name in rules.edition.elections},
        "hand": _card_text(seen.get((PLAYER, seat), [])),
        "up": _card_text(seen.get((DEALER, 0), [])),
        "board": _card_text(seen.get((BOARD, 0), [])),
        "raised": _raised(table, round_, seat),
    }


def _card_text(cards: list[Card]) -> str:
    return " ".join(str(card) for card in cards)


def _raised(table: Table, round_: Round, seat: int) -> list[int]:
    """The Raises so far, as multiples of the Ante."""
    ante = round_.staked(seat, "ante")
    made = [street.wager for street in table.setup.game.streets[: round_.street]]
    return [round_.staked(seat, wager) // ante for wager in made]


def compute_values(asked: Mapping[str, Any]) -> Payload:
    """The exact value of every choice, per Ante; computed in the process that thinks."""
    from croupier.analysis.results import ratio
    from croupier.analysis.strategy import advise

    elected: ElectedEdition = _elected(asked["edition"], tuple(sorted(asked["elections"].items())))
    up = parse_cards(asked["up"])
    hand, board = parse_cards(asked["hand"]), parse_cards(asked["board"])
    advice = advise(elected, hand, up[0] if up else None, board, asked["raised"])
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


def _elected(name: str, chosen: tuple[tuple[str, str], ...]) -> ElectedEdition:
    """An edition with its choices, the same object each time: solutions are kept by it."""
    if (name, chosen) not in _elected_cache:
        _elected_cache[name, chosen] = edition(name).elect(dict(chosen))
    return _elected_cache[name, chosen]


def describe_advice(table: Table, viewer: Viewer, values: Payload) -> Payload:
    """What a patron is told: each choice with its amount, what it is worth and what it costs, in cents of his Ante."""
    round_ = table.round
    if round_ is None:
        raise RuleViolation("", "there is nothing for you to decide now")
    seat = round_.waiting[0]
    ante = round_.staked(seat, "ante")
    said = [
        {
            **choice,
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
        "choices": said,
    }


def _multiple(choice: str) -> int:
    return 1 if choice in ("play", "ride") else int(choice.removesuffix("x"))
