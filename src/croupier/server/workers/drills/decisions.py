"""The right decision, and what a mistake costs: exact values from the same mathematics as the house edge."""

from __future__ import annotations

import random
from typing import Any

from croupier.core.cards import DECK
from croupier.games import game
from croupier.hands import ranking_named
from croupier.regulations import Edition
from croupier.server.workers.advice import compute_values

Payload = dict[str, Any]
ANTE_CENTS = 1_000
_CANDIDATE_HANDS = 4


def make(rules: Edition, chance: random.Random) -> tuple[Payload, Payload]:
    """Of a few hands the one whose best choices lie closest together."""
    found = []
    for _ in range(_CANDIDATE_HANDS):
        asked = _deal_query(rules, chance)
        values = compute_values({**asked, "edition": rules.name, "elections": {}})
        found.append((asked, values))
    asked, values = min(found, key=lambda pair: _margin(pair[1]))
    made = {
        "hand": asked["hand"].split(),
        "up": asked["up"].split(),
        "board": asked["board"].split(),
        "raised": asked["raised"],
        "wager": rules.wagers[game(rules.game).streets[len(asked["raised"])].wager].title,
        "ante_cents": ANTE_CENTS,
        "choices": [one["choice"] for one in values["choices"]],
    }
    return made, {"values": values}


def _deal_query(rules: Edition, chance: random.Random) -> Payload:
    from croupier.analysis.boards.solution import board_shape
    from croupier.analysis.contests import has_dealer_upcard

    played, shape = game(rules.game), board_shape(rules.elect())
    cards = [str(card) for card in chance.sample(DECK, 8)]
    if shape is not None:
        known = shape.cards_known[0]
        street = chance.randrange(len(shape.choices))
        raised = [chance.choice(shape.choices[number]) for number in range(street)]
        board = cards[known : known + street]
        return {"hand": " ".join(cards[:known]), "up": "", "board": " ".join(board), "raised": raised}
    size = ranking_named(played.hand_ranking).cards
    up = cards[size] if has_dealer_upcard(played) else ""
    return {"hand": " ".join(cards[:size]), "up": up, "board": "", "raised": []}


def _margin(values: Payload) -> float:
    best, second = sorted((one["value_float"] for one in values["choices"]), reverse=True)[:2]
    return float(best - second)


def mark(solved: Payload, answer: Any) -> Payload:
    """Whole marks for the best choice; the others have what they cost beside them."""
    values = solved["values"]
    choices = [
        {
            **one,
            "cost_cents_float": one["cost_float"] * ANTE_CENTS,
            "value_cents_float": one["value_float"] * ANTE_CENTS,
        }
        for one in values["choices"]
    ]
    chosen = next((one for one in choices if one["choice"] == answer), None)
    right = chosen is not None and chosen["cost_float"] == 0
    return {"score": 1.0 if right else 0.0, "right": {"choice": values["best"]}, "choices": choices, "chosen": chosen}
