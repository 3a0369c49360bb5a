"""Compares the simulator with the real table on the same decks, round by round."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from croupier.regulations import EDITIONS, edition
from croupier.simulation.bets import place_bets
from croupier.simulation.cross_check import cross_check
from croupier.simulation.job import Job, prepare_job
from tests.analysis.slow_payoffs import with_denominators
from tests.simulation.jobs import BOARD, FOUR_CARD, THREE_CARD, traced_job

ORDINARY_CASES = [(*case, "optimal", "") for case in (THREE_CARD, FOUR_CARD, BOARD)]
SLOW_CASES = [
    *((name, 4, "optimal", "") for name in EDITIONS if (name, 4) != FOUR_CARD),
    ("pa-682a", 6, "card", "bad_beat_bonus=D win_bonus_for_one=net win_bonus_on_a_tie=not_paid"),
    ("pa-679a", 6, "always play", "pair_bonus_card=community bad_beat_play=both_kept"),
    ("pa-641a", 6, "1x with any pair or better", "folded_bonus_wagers=forfeited folded_envy_holder=never"),
    (
        "pa-641a",
        5,
        "optimal",
        "folded_bonus_wagers=dealer_hand_stands dealer_jackpot_split=by_wager five_card_progressive=C",
    ),
    ("pa-683a", 6, "always 3x", "ante=C lo_ball=B"),
    ("md-4cp", 7, "3x with any pair or better", "progressive=D"),
]
"""Each case compiles its own program."""


@pytest.mark.parametrize(
    ("name", "seats", "strategy", "elections"),
    [*ORDINARY_CASES, *(pytest.param(*case, marks=pytest.mark.slow) for case in SLOW_CASES)],
)
def test_simulator_and_table_settle_every_wager_alike(name: str, seats: int, strategy: str, elections: str) -> None:
    job = traced_job(name, seats, strategy, elections)
    rounds = 240 // seats
    check = cross_check(job, rounds, seed=99)
    assert check.differences == 0, check.summary()
    assert check.compared == rounds * seats * len(job.labels) + len(job.bets.plans)
    assert check.events > rounds * 20


@pytest.mark.parametrize(
    ("name", "seats"),
    [
        THREE_CARD,
        pytest.param("pa-679a", 4, marks=pytest.mark.slow),
        pytest.param("pa-682a", 4, marks=pytest.mark.slow),
    ],
)
def test_simulator_and_table_round_fractions_of_a_cent_alike(name: str, seats: int) -> None:
    """Cells hold the table's cents, although the analysis of the same odds is exact."""
    elected = with_denominators(name, (3, 7, 11))
    job = prepare_job(place_bets(elected, seats), trace=True)
    check = cross_check(job, 240 // seats, seed=99)
    assert check.differences == 0, check.summary()


def maryland_job() -> Job:
    bets = place_bets(edition("md-4cp").elect(), 7, rates={"progressive": Fraction(1, 5)})
    return prepare_job(bets, trace=True)


@pytest.mark.parametrize(
    "prepare", [lambda: traced_job(*FOUR_CARD), pytest.param(maryland_job, marks=pytest.mark.slow)], ids=["pa", "md"]
)
def test_simulator_and_table_pay_and_reset_meters_alike(prepare: Callable[[], Job]) -> None:
    """In the first rounds of the seed a meter is won; the table pays the same amount in the same round."""
    job = prepare()
    seed = next(seed for seed in range(1, 5000) if len(job.program.run(seed, 0, 60).hits))
    check = cross_check(job, 60, seed)
    assert check.differences == 0, check.summary()


def test_a_difference_is_reported() -> None:
    job = traced_job(*THREE_CARD)
    first = job.cells[0]
    wrong: Mapping[str, np.ndarray] = {"ante": first.nets["ante"] + (first.nets["ante"] > 0)}
    check = cross_check(replace(job, cells=(replace(first, nets=wrong), *job.cells[1:])), 100, seed=1)
    assert check.differences > 0
    assert "ante: the simulator has" in check.summary()
    assert check.as_json()["agree"] is False
