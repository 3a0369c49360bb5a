"""Rounds for drills: random seats, wagers and decisions, played by the engine."""

from __future__ import annotations

import random
from typing import Any

from croupier.core.cards import DECK
from croupier.core.errors import InputError
from croupier.games import game
from croupier.games.definition import DISCARD
from croupier.regulations import Edition
from croupier.scenarios.model import parse_scenario
from croupier.scenarios.runner import play_scenario
from croupier.table.model.state import Round
from croupier.table.session import TableSession

Payload = dict[str, Any]


def play_round(rules: Edition, rng: random.Random, seats: int, irregularity: Payload | None = None) -> TableSession:
    """Plays a round from a shuffled deck. Nobody folds in a round with an irregularity."""
    order = [str(card) for card in rng.sample(DECK, len(DECK))]
    plans = [_seat(rules, rng, seat, irregularity is None) for seat in sorted(rng.sample(range(1, 7), seats))]
    data: Payload = {"edition": rules.name, "deck": " ".join(order), "dealing": "automated_shoe", "seats": plans}
    if irregularity is not None:
        cards = {"cards": order[1]} if irregularity["kind"] == "face_up_card" else {}
        data["irregularities"] = [{**irregularity, **cards}]
    return play_scenario(parse_scenario(data, "drill"))


def _seat(rules: Edition, rng: random.Random, seat: int, may_fold: bool) -> Payload:
    """Random wagers, except those on meters, and random decisions."""
    played = game(rules.game)
    without_meter = [name for name in rules.optional if played.table_of(name) not in rules.progressives]
    wagers = {"ante": f"{rng.choice((5, 10, 15, 20, 25))}.00"}
    chosen = rng.sample(without_meter, min(len(without_meter), rng.randint(1, 2)))
    elected = rules.elect()
    for name in dict.fromkeys(needed for wager in chosen for needed in (*elected.needs_all(wager), wager)):
        wagers.setdefault(name, f"{rng.choice((5, 10, 25))}.00")
    decisions: list[str] = []
    for street in played.streets:
        wager = rules.wagers[street.wager]
        if street.pulls_back:
            decisions.append(rng.choice(("ride", "pull")))
            continue
        if may_fold and rng.random() < 0.15:
            decisions.append("fold")
            break
        highest = wager.multiples[-1] if wager.multiples else 3
        unconditional = [multiple for multiple in wager.multiples if multiple not in wager.needs_hand]
        if wager.multiples and unconditional != list(range(1, highest + 1)):
            decisions.append(f"{rng.choice(unconditional)}x")
            continue
        decisions.append("play" if wager.multiples == (1,) else f"{rng.randint(1, highest)}x")
    return {"seat": seat, "wagers": wagers, "decisions": decisions}


def current_round(session: TableSession) -> Round:
    """The round of a scenario: settled, its cards not yet collected."""
    if session.table.round is None:
        raise InputError("", "there is no round")
    return session.table.round


def face_up_cards(round_: Round) -> list[Payload]:
    """Every hand, by place."""
    return [
        {"place": place, "seat": seat, "cards": [str(DECK[card]) for card in round_.hand(place, seat)]}
        for place, seat in round_.cards
        if place != DISCARD
    ]
