"""Rounds for drills: some seats, wagers and decisions at a table of an edition, played by the engine."""

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


def play_round(rules: Edition, chance: random.Random, seats: int, wrong: Payload | None = None) -> TableSession:
    """A round played from a shuffled deck, with something wrong in it where that is wanted; nobody folds then."""
    order = [str(card) for card in chance.sample(DECK, len(DECK))]
    plans = [_seat(rules, chance, seat, wrong is None) for seat in sorted(chance.sample(range(1, 7), seats))]
    data: Payload = {"edition": rules.name, "deck": " ".join(order), "dealing": "automated_shoe", "seats": plans}
    if wrong is not None:
        found = {"cards": order[1]} if wrong["kind"] == "face_up_card" else {}
        data["irregularities"] = [{**wrong, **found}]
    return play_scenario(parse_scenario(data, "drill"))


def _seat(rules: Edition, chance: random.Random, seat: int, folds: bool) -> Payload:
    """Wagers without those on meters, and decisions without much thought."""
    played = game(rules.game)
    plain = [name for name in rules.optional if played.table_of(name) not in rules.progressives]
    wagers = {"ante": f"{chance.choice((5, 10, 15, 20, 25))}.00"}
    chosen = chance.sample(plain, min(len(plain), chance.randint(1, 2)))
    elected = rules.elect()
    for name in dict.fromkeys(needed for one in chosen for needed in (*elected.needs_all(one), one)):
        wagers.setdefault(name, f"{chance.choice((5, 10, 25))}.00")
    decisions: list[str] = []
    for street in played.streets:
        wager = rules.wagers[street.wager]
        if street.pulls_back:
            decisions.append(chance.choice(("ride", "pull")))
            continue
        if folds and chance.random() < 0.15:
            decisions.append("fold")
            break
        most = wager.multiples[-1] if wager.multiples else 3
        free = [multiple for multiple in wager.multiples if multiple not in wager.needs_hand]
        if wager.multiples and free != list(range(1, most + 1)):
            decisions.append(f"{chance.choice(free)}x")
            continue
        decisions.append("play" if wager.multiples == (1,) else f"{chance.randint(1, most)}x")
    return {"seat": seat, "wagers": wagers, "decisions": decisions}


def current_round(driver: TableSession) -> Round:
    """The round of a scenario, which is over but not racked."""
    if driver.table.round is None:
        raise InputError("", "there is no round")
    return driver.table.round


def face_up_cards(round_: Round) -> list[Payload]:
    """Every hand face up, by place."""
    return [
        {"place": place, "seat": seat, "cards": [str(DECK[card]) for card in cards]}
        for (place, seat), cards in round_.cards.items()
        if place != DISCARD
    ]
