"""The right decision, and what a mistake costs: exact values from the same mathematics as the house edge."""

from __future__ import annotations

import random
from typing import Any

from croupier.cards import DECK
from croupier.games import game
from croupier.hands import ranking_named
from croupier.rules import Edition
from croupier.server.advice import values_of

Said = dict[str, Any]
ANTE = 1_000
_HANDS = 4


def make(rules: Edition, chance: random.Random) -> tuple[Said, Said]:
    """Of a few hands the one whose best choices lie closest together."""
    found = []
    for _ in range(_HANDS):
        asked = _asked(rules, chance)
        values = values_of({**asked, "edition": rules.name, "elections": {}})
        found.append((asked, values))
    asked, values = min(found, key=lambda pair: _margin(pair[1]))
    made = {
        "hand": asked["hand"].split(),
        "up": asked["up"].split(),
        "board": asked["board"].split(),
        "raised": asked["raised"],
        "wager": rules.wagers[game(rules.game).streets[len(asked["raised"])].wager].title,
        "ante_cents": ANTE,
        "choices": [one["choice"] for one in values["choices"]],
    }
    return made, {"values": values}


def _asked(rules: Edition, chance: random.Random) -> Said:
    from croupier.maths.boards import board_shape
    from croupier.maths.contests import sees_a_dealer_card

    played, shape = game(rules.game), board_shape(rules.elect())
    cards = [str(card) for card in chance.sample(DECK, 8)]
    if shape is not None:
        known = shape.known[0]
        street = chance.randrange(len(shape.choices))
        raised = [chance.choice(shape.choices[number]) for number in range(street)]
        board = cards[known : known + street]
        return {"hand": " ".join(cards[:known]), "up": "", "board": " ".join(board), "raised": raised}
    size = ranking_named(played.hand_ranking).cards
    up = cards[size] if sees_a_dealer_card(played) else ""
    return {"hand": " ".join(cards[:size]), "up": up, "board": "", "raised": []}


def _margin(values: Said) -> float:
    best, second = sorted((one["value_float"] for one in values["choices"]), reverse=True)[:2]
    return float(best - second)


def mark(solved: Said, answer: Any) -> Said:
    """Whole marks for the best choice; the others have what they cost beside them."""
    values = solved["values"]
    choices = [
        {**one, "cost_cents_float": one["cost_float"] * ANTE, "value_cents_float": one["value_float"] * ANTE}
        for one in values["choices"]
    ]
    chosen = next((one for one in choices if one["choice"] == answer), None)
    right = chosen is not None and chosen["cost_float"] == 0
    return {"score": 1.0 if right else 0.0, "right": {"choice": values["best"]}, "choices": choices, "chosen": chosen}
