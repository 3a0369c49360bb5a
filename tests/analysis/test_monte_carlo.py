"""Plays rounds at the real table with optimal decisions and compares them with the exact figures.

Shuffles are seeded, so the tests are deterministic.
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
from tests.analysis.four_card import canonical_upcard, hidden_sweep, row_of, upcard_sweep

SEATS = 5
ANTE = 10_00
STANDARD_ERRORS = 4

Choose = Callable[[Round, int], int]
"""The best multiple of the Ante for a seat on this street; 0 folds."""


@pytest.mark.parametrize("count", [200, pytest.param(1000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", EDITIONS)
def test_the_table_agrees_with_the_exact_figures(name: str, count: int) -> None:
    elected = edition(name).elect()
    wagers = ["ante", *paid_by_tables(elected)]
    rounds = play(elected, wagers, count)
    assert len(rounds) == count
    exact = analyze(elected, Fraction(ANTE, 100))
    for wager in wagers:
        result = exact[wager]
        check_mean(f"{wager} gains", [round_.gains[wager] for round_ in rounds], -result.house_edge, result.variance)
        frequency = result.hit_frequency
        check_mean(f"{wager} hits", [round_.hits[wager] for round_ in rounds], frequency, frequency * (1 - frequency))
    required = exact["ante"]
    assert isinstance(required, RequiredResult)
    check_mean("staked", [round_.staked for round_ in rounds], required.average_wager, Fraction(0))


def check_mean(label: str, values: Sequence[float], mean: Fraction, variance: Fraction) -> None:
    """Seats share cards, so only rounds are independent; the exact variance covers wins too rare to occur."""
    rounds = len(values)
    by_rounds = float(np.std(values, ddof=1)) / sqrt(rounds)
    by_hands = sqrt(float(variance) / (rounds * SEATS))
    error = float(np.mean(values)) - float(mean)
    assert abs(error) <= STANDARD_ERRORS * max(by_rounds, by_hands), (label, np.mean(values), float(mean))


@dataclass(frozen=True)
class RoundAverages:
    """The averages of a round over its seats."""

    gains: dict[str, float]
    """For round_ wager, in units of it; `ante` is all required wagers and their bonuses, in Antes."""
    hits: dict[str, float]
    staked: float
    """Antes and raises, in Antes."""


def paid_by_tables(elected: ElectedEdition) -> list[str]:
    """The optional wagers that are not paid by a meter."""
    tables = {s.wager: s.table_name for s in game(elected.edition.game).settlements if not isinstance(s, Contest)}
    return [wager for wager in elected.edition.optional if tables[wager] not in elected.edition.progressives]


def play(elected: ElectedEdition, wagers: list[str], count: int) -> list[RoundAverages]:
    """Plays rounds in which every seat makes all these wagers."""
    session = TableSession(Setup.open(elected))
    automation = Automation(SeededShuffle(f"monte carlo {elected.edition.name}"))
    choose = best_choices(elected)
    session.send(c.ReceiveCards(by=SYSTEM, at=0, decks=(1,)))
    for seat in range(1, SEATS + 1):
        session.send(c.Sit(by=SYSTEM, at=0, patron=f"patron {seat}", seats=(seat,)))
        session.send(c.BuyIn(by=SYSTEM, at=0, patron=f"patron {seat}", amount=100_000_000_00))
    automation.advance(session, at=0)
    return [play_round(session, automation, choose, wagers) for _ in range(count)]


def play_round(session: TableSession, automation: Automation, choose: Choose, wagers: list[str]) -> RoundAverages:
    session.events.clear()
    for seat in range(1, SEATS + 1):
        for wager in wagers:
            session.send(c.PlaceWager(by=SYSTEM, at=0, seat=seat, wager=wager, amount=ANTE))
    session.send(c.AnnounceNoMoreBets(by=SYSTEM, at=0))
    automation.advance(session, at=0)
    while session.table.phase is Phase.DECIDING and session.table.round is not None:
        seat = session.table.round.waiting[0]
        multiple = choose(session.table.round, seat)
        session.send(c.Decide(by=SYSTEM, at=0, seat=seat, amount=multiple * ANTE or None))
        automation.advance(session, at=0)
    gains = {wager: [0] * SEATS for wager in wagers}
    staked = 0
    for event in session.events:
        if isinstance(event, WagerSettled):
            optional = event.wager in gains
            gains[event.wager if optional else "ante"][event.seat - 1] += event.returned + event.paid - event.staked
            staked += 0 if optional and event.wager != "ante" else event.staked
    return RoundAverages(
        {wager: sum(cents) / ANTE / SEATS for wager, cents in gains.items()},
        {wager: sum(gain > 0 for gain in cents) / SEATS for wager, cents in gains.items()},
        staked / ANTE / SEATS,
    )


def best_choices(elected: ElectedEdition) -> Choose:
    """The best decisions, by the counts behind the exact figures."""
    contest = game(elected.edition.game).contest
    if contest is None:
        return best_board_choices(elected)
    payoffs = Payoffs(elected, contest)
    tables = {m: {o: payoffs.table(m, o) for o in payoffs.outcomes} for m in payoffs.choices}
    counters = {
        "three_card_prime": three_card,
        "four_card_prime": four_card_hidden,
        "four_card_poker": four_card_with_upcard,
    }
    count = counters[elected.edition.game]

    def choose(round_: Round, seat: int) -> int:
        strength, outcomes = count(round_, seat)
        values = {0: -payoffs.scale * sum(outcomes.values())}
        for multiple, by_outcome in tables.items():
            values[multiple] = sum(int(by_outcome[outcome][strength]) * n for outcome, n in outcomes.items())
        return max(values, key=lambda multiple: (values[multiple], multiple))

    return choose


def three_card(round_: Round, seat: int) -> tuple[int, dict[str, int]]:
    spots = decision_spots("three_card_prime")
    row = class_number([DECK[card] for card in round_.hand(PLAYER, seat)])
    assert len(hand_classes(3)) == len(spots.strengths)
    return int(spots.strengths[row]), {outcome: int(counts[row]) for outcome, counts in spots.outcomes.items()}


def four_card_hidden(round_: Round, seat: int) -> tuple[int, dict[str, int]]:
    row = row_of(round_.hand(PLAYER, seat))
    lose, tie = int(hidden_sweep().beaten[row]), int(hidden_sweep().tied[row])
    return int(hidden_sweep().players.strengths[row]), {
        "win": hidden_sweep().total - lose - tie,
        "tie": tie,
        "lose": lose,
    }


def four_card_with_upcard(round_: Round, seat: int) -> tuple[int, dict[str, int]]:
    hand = round_.hand(PLAYER, seat)
    row, up = row_of(hand), round_.hand(DEALER)[5]
    lose = int(upcard_sweep().beaten[row, canonical_upcard(hand, up)])
    assert lose >= 0
    return int(upcard_sweep().players.strengths[row]), {"win": upcard_sweep().total - lose, "lose": lose}


def best_board_choices(elected: ElectedEdition) -> Choose:
    @cache
    def best(hand: tuple[int, ...], board: tuple[int, ...], raises: tuple[int, ...]) -> int:
        advice = advise(elected, [DECK[n] for n in hand], board=[DECK[n] for n in board], raised=raises)
        return 0 if advice.best == "fold" else int(advice.best[:-1])

    def choose(round_: Round, seat: int) -> int:
        board = round_.hand(BOARD)[: round_.street]
        raises = tuple(round_.staked(seat, f"raise_{n}") // ANTE for n in range(1, round_.street + 1))
        return best(round_.hand(PLAYER, seat), board, raises)

    return choose
