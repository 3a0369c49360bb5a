"""Compares sessions, covariances of seats, meters and plots with a plain recount of single rounds."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import comb, sqrt
from pathlib import Path

import numpy as np
import pytest

from croupier.hands.lookup_tables import Array
from croupier.regulations import edition
from croupier.simulation.bets import place_bets
from croupier.simulation.cross_check import simulated_rounds
from croupier.simulation.job import Job, prepare_job
from croupier.simulation.kernel.program import CHUNK_ROUNDS
from croupier.simulation.meters import MeterRun
from croupier.simulation.plots import draw_all, figures
from croupier.simulation.results import Results, hands_needed
from croupier.simulation.runner import simulate, thread_executor
from croupier.simulation.sessions import quantile, risk_of_ruin, sessions_json
from croupier.simulation.tally import Tally
from tests.simulation.jobs import FOUR_CARD, SESSION_ROUNDS, THREE_CARD, job_of, table_job, traced_job


def round_gains(job: Job, rounds: int, seed: int) -> Array:
    """Net cents of each seat in each round, with meters at their seeds: int64 [rounds, seats]."""
    trace = np.zeros((rounds, job.bets.seats, job.program.groups + job.program.cards), dtype=np.int32)
    job.program.run(seed, 0, rounds, trace)
    gains = np.zeros((rounds, job.bets.seats), dtype=np.int64)
    for place, cells in enumerate(job.cells):
        nets = cells.net[trace[:, :, place]]
        envy = cells.group.name in job.bets.elected.edition.envies
        gains += nets.sum(axis=1, keepdims=True) - nets if envy else nets
    return gains


@pytest.mark.parametrize(
    ("name", "seats"),
    [FOUR_CARD, *(pytest.param(*case, marks=pytest.mark.slow) for case in (THREE_CARD, ("md-4cp", 4)))],
)
def test_sessions_are_sums_of_their_rounds_and_ruin_counts_the_lowest_point(name: str, seats: int) -> None:
    rounds, length, bankroll = 80_000, SESSION_ROUNDS, 400_00
    tally = simulate(job_of(name, seats, "optimal", length), rounds, 3)
    gains = round_gains(traced_job(name, seats), rounds, 3)
    of_table = gains.sum(axis=1).reshape(-1, length).sum(axis=1)
    of_seat = gains[:, 0].reshape(-1, length)
    lows = np.minimum(of_seat.cumsum(axis=1).min(axis=1), 0)
    assert tally.sessions["table"] == Counter(of_table.tolist())
    assert tally.sessions["player"] == Counter(of_seat.sum(axis=1).tolist())
    assert tally.sessions["low"] == Counter(lows.tolist())
    document = sessions_json(tally, bankroll)
    assert document is not None
    assert document["sessions"] == 200
    assert document["ruin"]["risk"] == (lows <= -bankroll).mean() > 0
    middle = sorted(of_seat.sum(axis=1).tolist())[99]
    assert document["player"]["quantiles_cents"]["50%"] == middle


def test_the_mean_of_sessions_is_the_mean_of_rounds() -> None:
    session = 256
    tally = simulate(job_of(*THREE_CARD, session=session), CHUNK_ROUNDS, 3)
    document, results = sessions_json(tally, None), Results(tally).as_json(1.0, Fraction(1, 1000), None, False)
    assert document is not None
    per_round = results["all_wagers"]["net_cents_a_round"]
    assert document["player"]["mean_cents"] == pytest.approx(session * per_round)
    assert document["table"]["mean_cents"] == pytest.approx(-session * per_round)
    deviation = results["all_wagers"]["standard_deviation_cents_a_round"]
    assert document["player"]["standard_deviation_cents"] == pytest.approx(sqrt(session) * deviation, rel=0.1)


def test_quantiles_and_risk_of_ruin_of_a_few_values() -> None:
    counts = {-10: 1, 0: 1, 5: 2}
    assert [quantile(counts, Fraction(n, 4)) for n in range(1, 5)] == [-10, 0, 5, 5]
    assert risk_of_ruin({-10: 1, -9: 2, 0: 1}, 10) == Fraction(1, 4)


def test_covariances_of_seats_equal_a_recount() -> None:
    rounds = 60_000
    job = table_job()
    results = Results(simulate(job, rounds, 3))
    trace = np.zeros((rounds, 4, job.program.groups + job.program.cards), dtype=np.int32)
    traced_job(*FOUR_CARD).program.run(3, 0, rounds, trace)
    for place, cells in enumerate(job.cells):
        for label, nets in cells.nets.items():
            if not results.is_envy(label):
                gains = nets[trace[:, :, place]] / results.stake(label)
                estimate = results.estimate(label)
                centered = gains - gains.mean()
                pairs = [(centered[:, a] * centered[:, b]).mean() for a in range(4) for b in range(4) if a != b]
                assert estimate.seat_covariance == pytest.approx(np.mean(pairs))
                assert estimate.variance == pytest.approx((centered**2).mean())
                assert estimate.standard_error == pytest.approx(gains.mean(axis=1).std() / sqrt(rounds))


def test_a_meter_holds_its_contributions_less_its_payments() -> None:
    job = table_job()
    tally = simulate(job, 3 * CHUNK_ROUNDS, 5, thread_executor(2))
    total_paid = 0
    for totals in tally.meters.totals.values():
        assert totals.amount == totals.seed + totals.fed + totals.reseeded + totals.moved - totals.paid
        total_paid += totals.paid
    assert total_paid == sum(tally.meters.paid.values()) > 0
    hand = tally.meters.totals["four_card_progressive"]
    assert hand.resets > 100
    assert hand.reseeded == hand.resets * job.bets.plans["four_card_progressive"].reseed


@pytest.mark.slow
def test_every_wager_of_every_round_contributes_to_the_meter() -> None:
    bets = place_bets(
        edition("md-4cp").elect(), 5, rates={"progressive": Fraction(1, 4)}, resets={"progressive": 10_000_00}
    )
    meters = simulate(prepare_job(bets), 100_000, 5).meters.totals["progressive"]
    assert meters.fed == Fraction(1, 4) * bets.stakes["progressive"] * 5 * 100_000
    assert meters.seed == 10_000_00


@pytest.mark.slow
def test_a_jackpot_pays_the_amount_of_the_meter() -> None:
    """Round by round: a meter grows by its contribution, pays a winner and is reseeded."""
    bets = place_bets(edition("md-4cp").elect(), 7, rates={"progressive": Fraction(1, 5)})
    job = prepare_job(bets, trace=True)
    rounds = 30_000
    meters = MeterRun(job)
    chunk = job.program.run(2, 0, rounds)
    payments = list(meters.payments(chunk))
    plan = bets.plans["progressive"]
    assert len(payments) >= 3
    amount, last_round = plan.seed, -1
    for payment in payments:
        amount += plan.rate * bets.stakes["progressive"] * 7 * (payment.round - last_round)
        last_round = payment.round
        assert payment.cents == int(amount)
        amount = amount - payment.cents + plan.reseed


def test_hands_needed_to_detect_a_difference() -> None:
    """Half the difference needs four times the hands; the coarse figure is that of a fair coin."""
    coarse, fine = hands_needed(1.0, Fraction(1, 100)), hands_needed(1.0, Fraction(1, 200))
    assert coarse["hands"] == 105_075  # (1.96 + 1.2816)^2 / 0.01^2, rounded up
    assert fine["hands"] == pytest.approx(4 * coarse["hands"], abs=4)


def test_exact_envy_value_equals_that_of_the_analysis() -> None:
    results = Results(Tally(job_of("md-4cp", 4)))
    per_other_hand = results.exact["envy"].house_edge / -3
    from croupier.analysis.house_edges import analyze_wager
    from croupier.analysis.results import WagerResult

    progressive = analyze_wager(edition("md-4cp").elect(), "progressive")
    assert isinstance(progressive, WagerResult)
    assert progressive.envy is not None
    assert per_other_hand == progressive.envy.per_other_hand
    assert per_other_hand.denominator <= comb(52, 5)
    assert results.stake("envy") == results.job.bets.stakes["progressive"]


def test_there_is_a_figure_for_each_result_meter_and_kind_of_session() -> None:
    names = {name for name, _ in figures(simulate(table_job(), 100_000, 3))}
    expected = {*(f"convergence_{label}" for label in table_job().labels), "sessions_player", "sessions_table"}
    assert names == expected | {f"meter_{name}" for name in table_job().bets.plans}


@pytest.mark.parametrize(
    ("name", "seats", "session"), [(*THREE_CARD, 0), pytest.param("md-4cp", 4, 256, marks=pytest.mark.slow)]
)
def test_plots_are_saved_as_png_and_svg(name: str, seats: int, session: int, tmp_path: Path) -> None:
    job = job_of(name, seats, session=session)
    tally = simulate(job, 200_000, 3)
    files = draw_all(tally, tmp_path / "plots")
    assert {path.name for path in files} == {
        f"{name}.{suffix}" for name, _ in figures(tally) for suffix in ("png", "svg")
    }
    for path in files:
        start = path.read_bytes()[:200]
        assert start.startswith(b"\x89PNG") if path.suffix == ".png" else b"<?xml" in start
    repeated = draw_all(tally, tmp_path / "again")
    assert [path.read_bytes() for path in files] == [path.read_bytes() for path in repeated]


def test_simulated_rounds_have_complete_decks() -> None:
    job = traced_job(*FOUR_CARD)
    for simulated in simulated_rounds(job, 50, 1, MeterRun(job)):
        assert sorted(simulated.order) == list(range(52))
