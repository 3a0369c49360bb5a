"""Rounds through the real table, each decision the best there is, against the exact figures.

The shuffles are seeded, so a run is the same every time: it passes or it does not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import sqrt

import numpy as np
import pytest

from croupier.analysis.boards.solution import class_number
from croupier.analysis.contests import decision_spots
from croupier.analysis.counting.suit_classes import hand_classes
from croupier.analysis.house_edges import analyze
from croupier.analysis.payoffs import Payoffs
from croupier.analysis.results import RequiredResult
from croupier.analysis.strategy import advise
from croupier.core.cards import DECK
from croupier.games import game
from croupier.games.definition import BOARD, DEALER, PLAYER, Contest
from croupier.regulations import EDITIONS, ElectedEdition, edition
from croupier.table import Phase, Setup
from croupier.table.automation import Automation
from croupier.table.model import commands as c
from croupier.table.model.events import WagerSettled
from croupier.table.model.roles import SYSTEM
from croupier.table.model.state import Round
from croupier.table.procedure.shuffle import SeededShuffle
from croupier.table.session import TableSession
from tests.analysis.four_card import hidden, row_of, seeing, seen_as

ROUNDS = 1000
SEATS = 5
ANTE = 10_00
STANDARD_ERRORS = 4

Choose = Callable[[Round, int], int]
"""The best multiple of the Ante for a seat on this street; 0 folds."""


@pytest.mark.parametrize("name", EDITIONS)
def test_the_table_agrees_with_the_exact_figures(name: str) -> None:
    elected = edition(name).elect()
    wagers = ["ante", *settled_alone(elected)]
    rounds = play(elected, wagers)
    exact = analyze(elected, Fraction(ANTE, 100))
    for wager in wagers:
        result = exact[wager]
        agrees(f"{wager} gains", [each.gains[wager] for each in rounds], -result.house_edge, result.variance)
        often = result.hit_frequency
        agrees(f"{wager} hits", [each.hits[wager] for each in rounds], often, often * (1 - often))
    required = exact["ante"]
    assert isinstance(required, RequiredResult)
    agrees("staked", [each.staked for each in rounds], required.average_wager, Fraction(0))


def agrees(what: str, found: Sequence[float], mean: Fraction, variance: Fraction) -> None:
    """Seats share cards, so rounds are what is independent; rare wins may have been missed in all of them."""
    assert len(found) == ROUNDS
    by_rounds = float(np.std(found, ddof=1)) / sqrt(ROUNDS)
    by_hands = sqrt(float(variance) / (ROUNDS * SEATS))
    error = float(np.mean(found)) - float(mean)
    assert abs(error) <= STANDARD_ERRORS * max(by_rounds, by_hands), (what, np.mean(found), float(mean))


@dataclass(frozen=True)
class Played:
    """A round: averages over the seats."""

    gains: dict[str, float]
    """For each wager, in units of it; `ante` is all required wagers and their bonuses, in Antes."""
    hits: dict[str, float]
    staked: float
    """Antes and raises, in Antes."""


def settled_alone(elected: ElectedEdition) -> list[str]:
    """The optional wagers that no meter pays."""
    tables = {s.wager: s.table_name for s in game(elected.edition.game).settlements if not isinstance(s, Contest)}
    return [wager for wager in elected.edition.optional if tables[wager] not in elected.edition.progressives]


def play(elected: ElectedEdition, wagers: list[str]) -> list[Played]:
    """Rounds in which every seat makes all these wagers."""
    driver = TableSession(Setup.open(elected))
    automation = Automation(SeededShuffle(f"monte carlo {elected.edition.name}"))
    choose = chooser(elected)
    driver.send(c.ReceiveCards(by=SYSTEM, at=0, decks=(1,)))
    for seat in range(1, SEATS + 1):
        driver.send(c.Sit(by=SYSTEM, at=0, patron=f"patron {seat}", seats=(seat,)))
        driver.send(c.BuyIn(by=SYSTEM, at=0, patron=f"patron {seat}", amount=100_000_000_00))
    automation.advance(driver, at=0)
    return [play_round(driver, automation, choose, wagers) for _ in range(ROUNDS)]


def play_round(driver: TableSession, automation: Automation, choose: Choose, wagers: list[str]) -> Played:
    driver.events.clear()
    for seat in range(1, SEATS + 1):
        for wager in wagers:
            driver.send(c.PlaceWager(by=SYSTEM, at=0, seat=seat, wager=wager, amount=ANTE))
    driver.send(c.AnnounceNoMoreBets(by=SYSTEM, at=0))
    automation.advance(driver, at=0)
    while driver.table.phase is Phase.DECIDING and driver.table.round is not None:
        seat = driver.table.round.waiting[0]
        multiple = choose(driver.table.round, seat)
        driver.send(c.Decide(by=SYSTEM, at=0, seat=seat, amount=multiple * ANTE or None))
        automation.advance(driver, at=0)
    gains = {wager: [0] * SEATS for wager in wagers}
    staked = 0
    for event in driver.events:
        if isinstance(event, WagerSettled):
            optional = event.wager in gains
            gains[event.wager if optional else "ante"][event.seat - 1] += event.returned + event.paid - event.staked
            staked += 0 if optional and event.wager != "ante" else event.staked
    return Played(
        {wager: sum(cents) / ANTE / SEATS for wager, cents in gains.items()},
        {wager: sum(gain > 0 for gain in cents) / SEATS for wager, cents in gains.items()},
        staked / ANTE / SEATS,
    )


def chooser(elected: ElectedEdition) -> Choose:
    """The best decisions, read from the very counts that the exact figures are made of."""
    contest = game(elected.edition.game).contest
    if contest is None:
        return board_chooser(elected)
    payoffs = Payoffs(elected, contest)
    tables = {m: {o: payoffs.table(m, o) for o in payoffs.outcomes} for m in payoffs.choices}
    counted = {"three_card_prime": three_card, "four_card_prime": four_card_hidden, "four_card_poker": four_card_seeing}
    count = counted[elected.edition.game]

    def choose(round_: Round, seat: int) -> int:
        strength, outcomes = count(round_, seat)
        values = {0: -payoffs.scale * sum(outcomes.values())}
        for multiple, by_outcome in tables.items():
            values[multiple] = sum(int(by_outcome[outcome][strength]) * n for outcome, n in outcomes.items())
        return max(values, key=lambda multiple: (values[multiple], multiple))

    return choose


def three_card(round_: Round, seat: int) -> tuple[int, dict[str, int]]:
    found = decision_spots("three_card_prime")
    row = class_number([DECK[card] for card in round_.hand(PLAYER, seat)])
    assert len(hand_classes(3)) == len(found.strengths)
    return int(found.strengths[row]), {outcome: int(counts[row]) for outcome, counts in found.outcomes.items()}


def four_card_hidden(round_: Round, seat: int) -> tuple[int, dict[str, int]]:
    row = row_of(round_.hand(PLAYER, seat))
    lose, tie = int(hidden().beaten[row]), int(hidden().tied[row])
    return int(hidden().players.strengths[row]), {"win": hidden().total - lose - tie, "tie": tie, "lose": lose}


def four_card_seeing(round_: Round, seat: int) -> tuple[int, dict[str, int]]:
    hand = round_.hand(PLAYER, seat)
    row, up = row_of(hand), round_.hand(DEALER)[5]
    lose = int(seeing().beaten[row, seen_as(hand, up)])
    assert lose >= 0
    return int(seeing().players.strengths[row]), {"win": seeing().total - lose, "lose": lose}


def board_chooser(elected: ElectedEdition) -> Choose:
    @cache
    def best(hand: tuple[int, ...], board: tuple[int, ...], raised: tuple[int, ...]) -> int:
        advice = advise(elected, [DECK[n] for n in hand], board=[DECK[n] for n in board], raised=raised)
        return 0 if advice.best == "fold" else int(advice.best[:-1])

    def choose(round_: Round, seat: int) -> int:
        shown = round_.hand(BOARD)[: round_.street]
        raised = tuple(round_.staked(seat, f"raise_{n}") // ANTE for n in range(1, round_.street + 1))
        return best(round_.hand(PLAYER, seat), shown, raised)

    return choose
