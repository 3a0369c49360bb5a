"""What can be chosen for a Rules Submission of an edition, from the edition itself: the fields of its form."""

from __future__ import annotations

from typing import Any

from croupier.regulations import Edition, readings
from croupier.submissions.model import DEALING_METHODS, ODD_CENTS, SHUFFLERS

Payload = dict[str, Any]


def submission_form(rules: Edition) -> Payload:
    """Wagers, elections and the rest, each with its choices, its words and its clause."""
    return {
        "edition": rules.name,
        "title": rules.title,
        "jurisdiction": rules.jurisdiction,
        "regulation": rules.regulation,
        "status": rules.status,
        "operator": rules.operator,
        "seats": {"most": rules.figure("seats"), "clause": rules.figures["seats"].clause},
        "adjacent_boxes": {"clause": rules.clause("adjacent_boxes")},
        "odd_cents": list(ODD_CENTS),
        "wagers": [
            {
                "wager": name,
                "title": wager.title,
                "clause": wager.clause,
                "required": wager.required,
                "needs": [*wager.needs_all, *wager.needs_any],
                "on_a_meter": name in rules.progressives,
                "electronic": name in rules.electronic,
            }
            for name, wager in rules.wagers.items()
            if not wager.follows
        ],
        "elections": [_election(rules, name) for name in rules.elections],
        "payout_limit": None
        if rules.payout_limit is None
        else {"floor_cents": rules.payout_limit.floor, "clause": rules.payout_limit.clause},
        "dealing": {
            "methods": [method for method in DEALING_METHODS if method in rules.deals],
            "shufflers": list(SHUFFLERS),
            "dealer_cards_first": rules.clause("dealer_cards_first"),
            "four_card_stacks": rules.clause("four_card_stacks"),
            "hand_clause": rules.clause("hand_needs_a_shuffler"),
            "decks_clause": rules.clause("two_decks_need_a_shuffler"),
        },
        "layout": {
            "areas": [{"wagers": list(area.wagers), "clause": area.clause} for area in rules.layout.areas],
            "card_areas": [
                {"area": place.area, "wager": place.wager, "election": place.election, "choice": place.choice}
                for place in rules.layout.card_areas
            ],
            "odds": rules.layout.odds,
            "payout_limit": rules.layout.payout_limit,
        },
        "required": [name for name, wager in rules.wagers.items() if wager.required],
    }


def _election(rules: Edition, name: str) -> Payload:
    election = rules.elections[name]
    reading = readings().get(name)
    tables = rules.paytables.get(name) or rules.envies.get(name)
    return {
        "election": name,
        "title": election.title,
        "choices": list(election.choices),
        "default": election.default,
        "clause": election.clauses[0] if election.clauses else "",
        "kind": election.kind,
        "on": tables.on if tables is not None else "",
        "question": reading.question if reading is not None else "",
        "says": dict(reading.choices) if reading is not None else {},
    }
