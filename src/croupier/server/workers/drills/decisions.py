"""The right decision and the cost of a mistake, with exact values from the house edge analysis."""

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


def make(rules: Edition, rng: random.Random) -> tuple[Payload, Payload]:
    """Picks, from a few hands, the one whose two best choices are closest in value."""
    candidates = []
    for _ in range(_CANDIDATE_HANDS):
        query = _deal_query(rules, rng)
        values = compute_values({**query, "edition": rules.name, "elections": {}})
        candidates.append((query, values))
    query, values = min(candidates, key=lambda pair: _margin(pair[1]))
    question = {
        "hand": query["hand"].split(),
        "up": query["up"].split(),
        "board": query["board"].split(),
        "raised": query["raised"],
        "wager": rules.wagers[game(rules.game).streets[len(query["raised"])].wager].title,
        "ante_cents": ANTE_CENTS,
        "choices": [choice["choice"] for choice in values["choices"]],
    }
    return question, {"values": values}


def _deal_query(rules: Edition, rng: random.Random) -> Payload:
    from croupier.analysis.boards.solution import board_shape
    from croupier.analysis.contests import has_dealer_upcard

    played, shape = game(rules.game), board_shape(rules.elect())
    cards = [str(card) for card in rng.sample(DECK, 8)]
    if shape is not None:
        size = shape.cards_known[0]
        street = rng.randrange(len(shape.choices))
        raised = [rng.choice(shape.choices[number]) for number in range(street)]
        board = cards[size : size + street]
        return {"hand": " ".join(cards[:size]), "up": "", "board": " ".join(board), "raised": raised}
    size = ranking_named(played.hand_ranking).cards
    up = cards[size] if has_dealer_upcard(played) else ""
    return {"hand": " ".join(cards[:size]), "up": up, "board": "", "raised": []}


def _margin(values: Payload) -> float:
    best, second = sorted((choice["value_float"] for choice in values["choices"]), reverse=True)[:2]
    return float(best - second)


def mark(question: Payload, answer: Any) -> Payload:
    """Full marks for the best choice; every choice comes with its value and cost."""
    values = question["values"]
    choices = [
        {
            **choice,
            "cost_cents_float": choice["cost_float"] * ANTE_CENTS,
            "value_cents_float": choice["value_float"] * ANTE_CENTS,
        }
        for choice in values["choices"]
    ]
    chosen = next((choice for choice in choices if choice["choice"] == answer), None)
    is_right = chosen is not None and chosen["cost_float"] == 0
    return {
        "score": 1.0 if is_right else 0.0,
        "right": {"choice": values["best"]},
        "choices": choices,
        "chosen": chosen,
    }
