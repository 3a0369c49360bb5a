"""Read the hand: which class do these cards belong to?"""

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


def make(rules: Edition, chance: random.Random) -> tuple[Payload, Payload]:
    """Cards and the classes to choose from. Every class is asked about as often as it can be found by dealing."""
    ranking = ranking_named(game(rules.game).hand_ranking)
    classes = [rung.name for rung in ranking.ladder]
    wanted = chance.choice(classes)
    for _ in range(_MAX_DEALS):
        cards = chance.sample(DECK, ranking.cards)
        hand = ranking.hand(cards)
        if hand.name == wanted:
            break
    made = {
        "cards": [str(card) for card in cards],
        "size": ranking.size,
        "choices": [{"choice": name, "title": hand_label(name)} for name in reversed(classes)],
    }
    listed = next(rung.clauses for rung in ranking.ladder if rung.name == hand.name).split()
    # Rankings are shared between editions: the clause is the one that is this edition's.
    clause = next((clause for clause in listed if clause in clause_ids(rules.name)), "")
    return made, {"right": hand.name, "best_cards": [str(card) for card in hand.cards], "clause": clause}


def mark(solved: Payload, answer: Any) -> Payload:
    """One class is right."""
    right = solved["right"]
    return {
        "score": 1.0 if answer == right else 0.0,
        "right": {"choice": right, "title": hand_label(right)},
        "best_cards": solved["best_cards"],
        "clause": solved["clause"],
    }
