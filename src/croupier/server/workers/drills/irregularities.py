"""Irregularities: is the round void, and which wagers are still settled?"""

from __future__ import annotations

import random
from typing import Any

from croupier.games import game
from croupier.regulations import Edition
from croupier.server.workers.drills.rounds import play_round
from croupier.table.model.events import FaceUpCardDiscarded, Noted, RoundVoided

Payload = dict[str, Any]
RULINGS = ("goes_on", "all_returned", "optional_settled")


def make(rules: Edition, rng: random.Random) -> tuple[Payload, Payload]:
    """An irregularity at some point of a round; the solution is what the table does."""
    exposed = "community_card_exposed" if rules.exposure.cards == "board" else "dealer_card_exposed"
    kind = rng.choice((exposed, exposed, "misdealt", "shoe_jam", "face_up_card"))
    before = "decisions"
    if kind == exposed:
        streets = range(2, len(game(rules.game).streets) + 1)
        before = rng.choice(("decisions", *(f"street_{number}" for number in streets), "reveal"))
    situation = {"kind": kind, "before": before}
    session = play_round(rules, rng, 1, irregularity=situation)
    voided = next((event for event in session.events if isinstance(event, RoundVoided)), None)
    note = next((event for event in session.events if isinstance(event, FaceUpCardDiscarded | Noted)), None)
    ruling = voided or note
    right = "goes_on" if voided is None else "optional_settled" if voided.settles_optional else "all_returned"
    question = {"situation": situation, "choices": list(RULINGS)}
    return question, {"right": right, "clause": ruling.clause if ruling else ""}


def mark(question: Payload, answer: Any) -> Payload:
    """Full marks for what the table does."""
    return {
        "score": 1.0 if answer == question["right"] else 0.0,
        "right": {"choice": question["right"]},
        "clause": question["clause"],
    }
