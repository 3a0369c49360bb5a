"""Settle the wagers: in which order, with which outcome and for which payment?"""

from __future__ import annotations

import random
from typing import Any

from croupier.core.errors import InputError
from croupier.regulations import Edition
from croupier.server.tables.rules import table_rules
from croupier.server.workers.drills.rounds import current_round, face_up_cards, play_round
from croupier.table.narration import explain, wager_title
from croupier.table.session import TableSession

Payload = dict[str, Any]
WAGER_OUTCOMES = ("win", "push", "lose", "forfeit")
_CANDIDATE_ROUNDS = 6


def make(rules: Edition, rng: random.Random) -> tuple[Payload, Payload]:
    """Picks the most varied of a few rounds: two seats, all cards face up, wagers in random order."""
    session = max((play_round(rules, rng, 2) for _ in range(_CANDIDATE_ROUNDS)), key=_variety)
    setup, round_ = session.table.setup, current_round(session)
    entries: list[Payload] = [
        {
            "seat": entry.seat,
            "wager": entry.wager,
            "title": wager_title(setup, entry.wager),
            "staked_cents": entry.staked,
            "outcome": entry.outcome,
            "returned_cents": entry.returned,
            "paid_cents": entry.paid,
            "clause": entry.clause,
            "why": explain(setup, entry),
        }
        for entry in round_.entries
    ]
    staked = [entry for entry in entries if entry["staked_cents"]]
    wagers = [{name: entry[name] for name in ("seat", "wager", "title", "staked_cents")} for entry in staked]
    rng.shuffle(wagers)
    placed_wagers = {wager for placed in round_.wagers.values() for wager in placed}
    tables = [table for table in table_rules(setup)["paytables"] if table["on"] in placed_wagers]
    question = {
        "cards": face_up_cards(round_),
        "folded": sorted(round_.folded),
        "wagers": wagers,
        "outcomes": list(WAGER_OUTCOMES),
        "paytables": tables,
    }
    bonus = sum(entry["paid_cents"] for entry in entries if not entry["staked_cents"])
    return question, {"entries": entries, "staked": staked, "bonus_cents": bonus}


def _variety(session: TableSession) -> int:
    """Scores a round by its different outcomes and its payouts from a paytable."""
    entries = current_round(session).entries
    return 2 * len({entry.outcome for entry in entries}) + sum(1 for entry in entries if entry.row)


def mark(question: Payload, answer: Any) -> Payload:
    """A third of a mark each for a wager's order, outcome and payment; the bonuses count as one more wager."""
    if not isinstance(answer, dict) or not isinstance(answer.get("wagers"), list):
        raise InputError("answer", "is a list of wagers in order, and the bonuses")
    answered = [wager for wager in answer["wagers"] if isinstance(wager, dict)]
    staked, marks = question["staked"], []
    for place, entry in enumerate(staked):
        key = (entry["seat"], entry["wager"])
        match = next((wager for wager in answered if (wager.get("seat"), wager.get("wager")) == key), {})
        marks.append(
            {
                "seat": entry["seat"],
                "wager": entry["wager"],
                "order": place < len(answered) and answered[place] is match,
                "outcome": match.get("outcome") == entry["outcome"],
                "paid": match.get("paid_cents") == entry["paid_cents"],
            }
        )
    bonus = answer.get("bonus_cents") == question["bonus_cents"]
    points = sum(mark["order"] + mark["outcome"] + mark["paid"] for mark in marks) + 3 * bonus
    return {
        "score": points / (3 * len(marks) + 3),
        "marks": marks,
        "bonus": bonus,
        "bonus_cents": question["bonus_cents"],
        "entries": question["entries"],
    }
