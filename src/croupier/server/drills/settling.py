"""Settle the wagers: in which order, with which outcome, paying what?"""

from __future__ import annotations

import random
from typing import Any

from croupier.errors import Malformed
from croupier.rules import Edition
from croupier.server.drills.rounds import a_round, cards_shown, the_round
from croupier.server.table_rules import rules_of
from croupier.table.driver import Driver
from croupier.table.why import title_of, why

Said = dict[str, Any]
OUTCOMES = ("win", "push", "lose", "forfeit")
_ROUNDS = 6


def make(rules: Edition, chance: random.Random) -> tuple[Said, Said]:
    """Of a few rounds the one in which most is paid: two seats, all cards face up, wagers in no order."""
    driver = max((a_round(rules, chance, 2) for _ in range(_ROUNDS)), key=_interest)
    setup, round_ = driver.table.setup, the_round(driver)
    entries: list[Said] = [
        {
            "seat": entry.seat,
            "wager": entry.wager,
            "title": title_of(setup, entry.wager),
            "staked_cents": entry.staked,
            "outcome": entry.outcome,
            "returned_cents": entry.returned,
            "paid_cents": entry.paid,
            "clause": entry.clause,
            "why": why(setup, entry),
        }
        for entry in round_.entries
    ]
    staked = [entry for entry in entries if entry["staked_cents"]]
    asked = [{name: entry[name] for name in ("seat", "wager", "title", "staked_cents")} for entry in staked]
    chance.shuffle(asked)
    on = {wager for placed in round_.wagers.values() for wager in placed}
    tables = [table for table in rules_of(setup)["paytables"] if table["on"] in on]
    made = {
        "cards": cards_shown(round_),
        "folded": sorted(round_.folded),
        "wagers": asked,
        "outcomes": list(OUTCOMES),
        "paytables": tables,
    }
    bonus = sum(entry["paid_cents"] for entry in entries if not entry["staked_cents"])
    return made, {"entries": entries, "staked": staked, "bonus_cents": bonus}


def _interest(driver: Driver) -> int:
    """Different outcomes, and payouts from a table, make a round worth settling."""
    entries = the_round(driver).entries
    return 2 * len({entry.outcome for entry in entries}) + sum(1 for entry in entries if entry.row)


def mark(solved: Said, answer: Any) -> Said:
    """A third of a wager's mark each for its place in the order, its outcome and its payment; the bonuses one more."""
    if not isinstance(answer, dict) or not isinstance(answer.get("wagers"), list):
        raise Malformed("answer", "is a list of wagers in order, and the bonuses")
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
