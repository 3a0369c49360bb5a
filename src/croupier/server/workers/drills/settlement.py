"""Settle the wagers: in which order, with which outcome, paying what?"""

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


def make(rules: Edition, chance: random.Random) -> tuple[Payload, Payload]:
    """Of a few rounds the one in which most is paid: two seats, all cards face up, wagers in no order."""
    driver = max((play_round(rules, chance, 2) for _ in range(_CANDIDATE_ROUNDS)), key=_interest)
    setup, round_ = driver.table.setup, current_round(driver)
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
    asked = [{name: entry[name] for name in ("seat", "wager", "title", "staked_cents")} for entry in staked]
    chance.shuffle(asked)
    on = {wager for placed in round_.wagers.values() for wager in placed}
    tables = [table for table in table_rules(setup)["paytables"] if table["on"] in on]
    made = {
        "cards": face_up_cards(round_),
        "folded": sorted(round_.folded),
        "wagers": asked,
        "outcomes": list(WAGER_OUTCOMES),
        "paytables": tables,
    }
    bonus = sum(entry["paid_cents"] for entry in entries if not entry["staked_cents"])
    return made, {"entries": entries, "staked": staked, "bonus_cents": bonus}


def _interest(driver: TableSession) -> int:
    """Different outcomes, and payouts from a table, make a round worth settling."""
    entries = current_round(driver).entries
    return 2 * len({entry.outcome for entry in entries}) + sum(1 for entry in entries if entry.row)


def mark(solved: Payload, answer: Any) -> Payload:
    """A third of a wager's mark each for its place in the order, its outcome and its payment; the bonuses one more."""
    if not isinstance(answer, dict) or not isinstance(answer.get("wagers"), list):
        raise InputError("answer", "is a list of wagers in order, and the bonuses")
    given = [one for one in answer["wagers"] if isinstance(one, dict)]
    staked, marks = solved["staked"], []
    for place, entry in enumerate(staked):
        found = next(
            (one for one in given if (one.get("seat"), one.get("wager")) == (entry["seat"], entry["wager"])), {}
        )
        marks.append(
            {
                "seat": entry["seat"],
                "wager": entry["wager"],
                "order": place < len(given) and given[place] is found,
                "outcome": found.get("outcome") == entry["outcome"],
                "paid": found.get("paid_cents") == entry["paid_cents"],
            }
        )
    bonus = answer.get("bonus_cents") == solved["bonus_cents"]
    points = sum(one["order"] + one["outcome"] + one["paid"] for one in marks) + 3 * bonus
    return {
        "score": points / (3 * len(marks) + 3),
        "marks": marks,
        "bonus": bonus,
        "bonus_cents": solved["bonus_cents"],
        "entries": solved["entries"],
    }
