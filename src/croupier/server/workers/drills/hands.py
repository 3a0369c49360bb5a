"""Read the hand: to which class do these cards belong?"""

from __future__ import annotations

import random
from typing import Any

from croupier.core.cards import DECK
from croupier.games import game
from croupier.hands import ranking_named
from croupier.regulations import Edition
from croupier.regulations.clauses import clause_ids
from croupier.table.narration import hand_label

Payload = dict[str, Any]
_MAX_DEALS = 400


def make(rules: Edition, rng: random.Random) -> tuple[Payload, Payload]:
    """Cards and the classes to choose from. Aims at a random class, so that rare ones come up too."""
    ranking = ranking_named(game(rules.game).hand_ranking)
    classes = [rung.name for rung in ranking.ladder]
    target = rng.choice(classes)
    for _ in range(_MAX_DEALS):
        cards = rng.sample(DECK, ranking.cards)
        hand = ranking.hand(cards)
        if hand.name == target:
            break
    question = {
        "cards": [str(card) for card in cards],
        "size": ranking.size,
        "choices": [{"choice": name, "title": hand_label(name)} for name in reversed(classes)],
    }
    listed = next(rung.clauses for rung in ranking.ladder if rung.name == hand.name).split()
    # Editions share rankings: pick the clause of this edition.
    clause = next((clause for clause in listed if clause in clause_ids(rules.name)), "")
    return question, {"right": hand.name, "best_cards": [str(card) for card in hand.cards], "clause": clause}


def mark(question: Payload, answer: Any) -> Payload:
    """Full marks for the right class."""
    right = question["right"]
    return {
        "score": 1.0 if answer == right else 0.0,
        "right": {"choice": right, "title": hand_label(right)},
        "best_cards": question["best_cards"],
        "clause": question["clause"],
    }
