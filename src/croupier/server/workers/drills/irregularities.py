"""What to do when something goes wrong: is the round void, and is anything still settled?"""

from __future__ import annotations

import random
from typing import Any

from croupier.games import game
from croupier.regulations import Edition
from croupier.server.workers.drills.rounds import play_round
from croupier.table.model.events import FaceUpCardDiscarded, Noted, RoundVoided

Payload = dict[str, Any]
RULINGS = ("goes_on", "all_returned", "optional_settled")


def make(rules: Edition, chance: random.Random) -> tuple[Payload, Payload]:
    """Something that goes wrong at some point of a round; what follows is what the table does."""
    board = rules.exposure.cards == "board"
    exposed = "community_card_exposed" if board else "dealer_card_exposed"
    kind = chance.choice((exposed, exposed, "misdealt", "shoe_jam", "face_up_card"))
    before = "decisions"
    if kind == exposed:
        streets = range(2, len(game(rules.game).streets) + 1)
        before = chance.choice(("decisions", *(f"street_{number}" for number in streets), "reveal"))
    driver = play_round(rules, chance, 1, wrong={"kind": kind, "before": before})
    voided = next((event for event in driver.events if isinstance(event, RoundVoided)), None)
    write_journal = next((event for event in driver.events if isinstance(event, FaceUpCardDiscarded | Noted)), None)
    told = voided or write_journal
    right = "goes_on" if voided is None else "optional_settled" if voided.settles_optional else "all_returned"
    made = {"situation": {"kind": kind, "before": before}, "choices": list(RULINGS)}
    return made, {"right": right, "clause": told.clause if told else ""}


def mark(solved: Payload, answer: Any) -> Payload:
    """The table is right."""
    return {
        "score": 1.0 if answer == solved["right"] else 0.0,
        "right": {"choice": solved["right"]},
        "clause": solved["clause"],
    }
