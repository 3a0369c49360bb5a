"""Compares simulated house edges with the exact ones. Seeds are fixed, so the tests are deterministic."""

from __future__ import annotations

import numpy as np
import pytest

from croupier.analysis.contest_strategy_card import condense_strategy, simple_strategies
from croupier.analysis.house_edges import analyze
from croupier.analysis.results import RequiredResult
from croupier.analysis.wagers import REQUIRED
from croupier.regulations import EDITIONS, edition
from croupier.simulation.results import Results, z_score
from croupier.simulation.runner import simulate, thread_executor
from croupier.simulation.strategies.strategy import find_strategy, optimal_strategy
from croupier.simulation.tally import Tally
from tests.simulation.jobs import BOARD, SESSION_ROUNDS, THREE_CARD, job_of, table_job

ROUNDS = 4_000_000
STANDARD_ERRORS = 4.0
"""About one result in 16,000 is further away."""
CASES = [
    (*THREE_CARD, 0),
    (*BOARD, 0),
    ("pa-641a", 4, SESSION_ROUNDS),
    *(pytest.param(name, 1, 0, marks=pytest.mark.slow) for name in EDITIONS if name not in (THREE_CARD[0], BOARD[0])),
    pytest.param("pa-641a", 3, 0, marks=pytest.mark.slow),
    pytest.param("pa-683a", 3, 0, marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("name", "seats", "session"), CASES)
def test_every_wager_agrees_with_its_exact_house_edge(name: str, seats: int, session: int) -> None:
    job = job_of(name, seats, session=session)
    results = Results(simulate(job, ROUNDS // seats, 20_240_607, thread_executor(2)))
    assert set(results.exact) == set(job.labels)
    for label, exact in results.exact.items():
        z = z_score(results.estimate(label), exact)
        assert abs(z) < STANDARD_ERRORS, (label, z)


@pytest.mark.parametrize("name", EDITIONS)
def test_exact_values_equal_those_of_the_analysis(name: str) -> None:
    """At one seat: several seats would share a jackpot on the dealer's hand."""
    results = Results(Tally(job_of(name)))
    for label, result in analyze(edition(name).elect()).items():
        assert results.exact[label].house_edge == result.house_edge
        assert results.exact[label].variance == pytest.approx(float(result.variance), rel=1e-9)


@pytest.mark.parametrize(
    "name",
    ["pa-679a", pytest.param("pa-682a", marks=pytest.mark.slow), pytest.param("pa-641a", marks=pytest.mark.slow)],
)
def test_choice_frequencies_agree_with_the_exact_ones(name: str) -> None:
    """The counts of folds and raises are within four standard errors of the exact frequencies."""
    job = job_of(name)
    tally = simulate(job, ROUNDS, 20_240_607, thread_executor(2))
    result = analyze(job.bets.elected)[REQUIRED]
    assert isinstance(result, RequiredResult)
    choices = len(result.decisions[0])
    counts = [sum(tally.counts[: job.plan.offsets[1]][number::choices]) for number in range(choices)]
    assert sum(counts) == ROUNDS
    for (choice, frequency), count in zip(result.decisions[0].items(), counts, strict=True):
        error = (float(frequency * (1 - frequency)) * ROUNDS) ** 0.5
        assert abs(count - float(frequency) * ROUNDS) <= STANDARD_ERRORS * error, choice


@pytest.mark.parametrize(
    "name", ["pa-682a", "pa-679a", *(pytest.param(name, marks=pytest.mark.slow) for name in ("pa-641a", "md-4cp"))]
)
def test_a_strategy_card_has_the_house_edge_of_the_analysis(name: str) -> None:
    job = job_of(name)
    card = condense_strategy(job.bets.elected)
    assert find_strategy(job.plan, "card").exact(job.plan).house_edge == card.house_edge
    for simple in simple_strategies(job.bets.elected):
        exact = find_strategy(job.plan, simple.name.replace(" ", "_")).exact(job.plan)
        assert exact.house_edge == simple.house_edge


def test_optimal_play_of_a_board_game_has_the_value_of_backward_induction() -> None:
    plan = job_of("pa-683a").plan
    result = analyze(plan.bets.elected)[REQUIRED]
    assert isinstance(result, RequiredResult)
    exact = optimal_strategy(plan).exact(plan)
    assert exact.house_edge == result.house_edge
    assert exact.variance == pytest.approx(float(result.variance))


@pytest.mark.parametrize(
    ("name", "strategy"),
    [
        pytest.param("pa-682a", "card", marks=pytest.mark.slow),
        pytest.param("pa-641a", "card", marks=pytest.mark.slow),
        pytest.param("pa-641a", "always 3x", marks=pytest.mark.slow),
        pytest.param("pa-679a", "always play", marks=pytest.mark.slow),
        ("pa-683a", "always 1x"),
        ("pa-683a", "card"),
    ],
)
def test_each_strategy_agrees_with_its_exact_house_edge(name: str, strategy: str) -> None:
    job = job_of(name, 1, strategy)
    results = Results(simulate(job, ROUNDS, 11, thread_executor(2)))
    exact = results.exact[REQUIRED]
    assert exact.house_edge > Results(Tally(job_of(name))).exact[REQUIRED].house_edge
    assert abs(z_score(results.estimate(REQUIRED), exact)) < STANDARD_ERRORS


@pytest.mark.parametrize("seeds", [25, pytest.param(200, marks=pytest.mark.slow)])
def test_results_of_many_seeds_vary_by_their_standard_errors(seeds: int) -> None:
    """Their z-scores have mean 0 and standard deviation 1, within four standard errors each."""
    job = job_of(*THREE_CARD)
    results = [Results(simulate(job, 1 << 18, seed)) for seed in range(seeds)]
    exact = results[0].exact
    for label in job.labels:
        scores = np.array([z_score(result.estimate(label), exact[label]) for result in results])
        assert abs(scores.mean()) < STANDARD_ERRORS / seeds**0.5, label
        assert abs(scores.std(ddof=1) - 1) < STANDARD_ERRORS / (2 * seeds) ** 0.5, label


@pytest.mark.parametrize(
    ("seats", "elections"),
    [
        (1, "bad_beat_bonus=C pair_bonus=D all_six=E"),
        pytest.param(2, "bad_beat_bonus=C pair_bonus=D all_six=E", marks=pytest.mark.slow),
        pytest.param(2, "pair_bonus_card=community bad_beat_play=lost", marks=pytest.mark.slow),
    ],
)
def test_simulated_and_exact_results_follow_the_elections(seats: int, elections: str) -> None:
    job = job_of("pa-679a", seats, elections=elections)
    results = Results(simulate(job, ROUNDS // seats, 5, thread_executor(2)))
    plain = Results(Tally(job_of("pa-679a", seats)))
    assert any(results.exact[label].house_edge != plain.exact[label].house_edge for label in results.exact)
    for label, exact in results.exact.items():
        assert abs(z_score(results.estimate(label), exact)) < STANDARD_ERRORS, label


def test_optimal_play_never_folds_a_hand_that_wins_its_progressive_wager() -> None:
    """The analysis of a progressive wager ignores folds, so it is comparable only if this holds."""
    job = table_job()
    tally = simulate(job, ROUNDS // job.bets.seats, 3, thread_executor(2))
    forfeited = {label: tally.rows_of(label).get("forfeit", (0, 0))[0] for label in job.labels}
    assert forfeited["five_card_progressive"] > 0
    for number, cells in enumerate(job.cells):
        for label in ("four_card_progressive", "five_card_progressive"):
            if label in cells.nets:
                start, nets = job.plan.offsets[number], cells.nets[label]
                for cell in range(0, len(nets), 2):
                    if nets[cell] > -job.bets.stakes[label]:
                        assert tally.counts[start + cell + 1] == 0
