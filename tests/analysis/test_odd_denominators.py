"""The analysis does not round odds in thirds, sixths, sevenths, ninths or elevenths."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from math import comb

import numpy as np
import pytest

from croupier.analysis.boards.play import analyze_board
from croupier.analysis.contest_strategy_card import condense_strategy, simple_strategies
from croupier.analysis.contests import analyze_contest, decision_spots
from croupier.analysis.custom_paytables import with_pay
from croupier.analysis.house_edges import analyze_wager
from croupier.analysis.wagers import REQUIRED
from croupier.core.errors import InputError
from croupier.games import game
from croupier.games.definition import ByTable
from croupier.hands import ranking_named
from croupier.plugins.discovery import shipped_editions
from croupier.regulations import EDITIONS, edition
from tests.analysis.slow_payoffs import BOARDS, CONTESTS, TABLES, slow_board, slow_contest, with_denominators
from tests.analysis.test_three_card import deals
from tests.cli.command_runner import CliResult, run_in_process

DENOMINATORS = [(3, 6, 7, 9, 11), *(pytest.param((only,), marks=pytest.mark.proof) for only in (3, 6, 7, 9, 11))]
SLOW_CONTESTS = {"caribbean-stud"}
"""Contests of five cards against five take the slow version ten seconds; the others settle by the same code."""
READINGS = [
    ("pa-682a", {"win_bonus_for_one": "net", "win_bonus_on_a_tie": "not_paid", "bad_beat_bonus": "D"}),
    ("pa-641a", {"ante_bonus_on_a_loss": "not_paid"}),
    ("pa-679a", {"bad_beat_play": "lost", "bad_beat_bonus": "B"}),
    ("pa-679a", {"bad_beat_play": "both_kept", "bad_beat_bonus": "D"}),
]


@pytest.fixture
def croupier(capsys: pytest.CaptureFixture[str]) -> Callable[..., CliResult]:
    return partial(run_in_process, capsys)


def test_the_slow_version_covers_every_edition_and_table() -> None:
    assert {*CONTESTS, *BOARDS} == {*EDITIONS, *shipped_editions()} == set(TABLES)
    for name, tables in TABLES.items():
        contest, rules = game(edition(name).game).contest, edition(name)
        if contest is None:
            by_table = [s for s in game(rules.game).settlements if isinstance(s, ByTable)]
            table_names = {s.table_name for s in by_table if s.wager in rules.required}
            assert table_names == set(tables), name
        else:
            bonuses = [bonus.name for bonus in contest.bonuses]
            paid_tables = [*contest.by_table.values(), *contest.always_by_table.values()]
            assert {*bonuses, *paid_tables} == set(tables), name


@pytest.mark.parametrize("denominators", DENOMINATORS, ids=str)
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow if name in SLOW_CONTESTS else ()) for name in CONTESTS]
)
def test_a_contest_agrees_with_the_slow_version(name: str, denominators: tuple[int, ...]) -> None:
    elected = with_denominators(name, denominators)
    expected, result = slow_contest(elected), analyze_contest(elected)
    assert result.house_edge == expected.house_edge
    assert result.net_results == expected.net_results


@pytest.mark.parametrize(("name", "choices"), READINGS, ids=str)
def test_readings_that_change_the_settlement_are_exact(name: str, choices: dict[str, str]) -> None:
    elected = with_denominators(name, (3, 7, 11), choices)
    expected, result = slow_contest(elected), analyze_contest(elected)
    assert result.house_edge == expected.house_edge
    assert result.net_results == expected.net_results


@pytest.mark.parametrize("denominators", DENOMINATORS, ids=str)
@pytest.mark.parametrize("name", BOARDS)
def test_a_board_game_agrees_with_the_slow_version(name: str, denominators: tuple[int, ...]) -> None:
    elected = with_denominators(name, denominators)
    assert analyze_board(elected).house_edge == slow_board(elected)


@pytest.mark.parametrize(
    "denominator", [7, *(pytest.param(denominator, marks=pytest.mark.proof) for denominator in (3, 6, 9, 11))]
)
def test_679a_11_c_every_deal_with_a_fractional_bad_beat_bonus(denominator: int) -> None:
    """All 407,170,400 deals, ranked and paid by the test."""
    bonus = {"straight_flush": 12, "three_of_a_kind": 10, "straight": 4}  # 679a.12(c), table A
    play = {"mini_royal": 10, "straight_flush": 6, "three_of_a_kind": 5, "straight": 2}  # 679a.12(b)
    changed = {hand: odds + Fraction(1, denominator) for hand, odds in bonus.items()}
    elected = edition("pa-679a").elect({"bad_beat_bonus": "A", "bad_beat_play": "kept"})
    for hand, odds in changed.items():
        elected = with_pay(elected, f"bad_beat_bonus.{hand}={odds.numerator} to {odds.denominator}")
    total = Fraction(0)
    for category, counts in zip(deals().categories, deals().outcomes.tolist(), strict=True):
        win_net = Fraction(1 + play.get(category, 1))
        loss_net = changed[category] - 1 if category in changed else Fraction(-2)
        play_net = sum(
            net * count for net, count in zip((Fraction(1), win_net, win_net, loss_net), counts, strict=True)
        )
        total += max(play_net, Fraction(-comb(49, 3)))
    assert analyze_contest(elected).house_edge == -total / (comb(52, 3) * comb(49, 3))


def test_682a_12_d_a_bad_beat_bonus_of_seven_to_three_is_exact(croupier: Callable[..., CliResult]) -> None:
    """The edge is linear in a payout while the play stays the same, so two integer payouts give the fraction."""
    output = croupier("analyze", "pa-682a", "--pay", "bad_beat_bonus.three_of_a_kind=7 to 3", "--json")
    assert output.code == 0
    analyzed = Fraction(json.loads(output.out)["wagers"][REQUIRED]["house_edge"])
    elected = edition("pa-682a").elect()
    assert analyzed == slow_contest(with_pay(elected, "bad_beat_bonus.three_of_a_kind=7 to 3")).house_edge
    two, three = (analyze_contest(with_pay(elected, f"bad_beat_bonus.three_of_a_kind={odds} to 1")) for odds in (2, 3))
    assert two.decisions == three.decisions
    assert analyzed == two.house_edge * Fraction(2, 3) + three.house_edge * Fraction(1, 3)


@pytest.mark.parametrize("name", ["pa-682a", "crazy-4-poker", "three-card-poker"])
def test_simple_strategies_are_exact(name: str) -> None:
    """Sums the smallest raise over all spots; a strategy card is never better than optimal play."""
    elected = with_denominators(name, (3, 6, 7, 9, 11))
    contest, spots = game(elected.edition.game).contest, decision_spots(elected.edition.game)
    assert contest is not None
    by_strength = {outcome: [0] * len(ranking_named(contest.player_ranking)) for outcome in spots.outcomes}
    for outcome, counts in spots.outcomes.items():
        sums = np.zeros(len(by_strength[outcome]), dtype=np.int64)
        np.add.at(sums, spots.strengths, counts * spots.weights.astype(np.int64))
        by_strength[outcome] = sums.tolist()
    nets = (
        CONTESTS[name](elected, strength, outcome, 1) * count
        for outcome, column in by_strength.items()
        for strength, count in enumerate(column)
    )
    mean = sum(nets, Fraction(0)) / spots.combinations
    always = next(simple for simple in simple_strategies(elected) if simple.name.startswith("always"))
    best = slow_contest(elected).house_edge
    assert always.house_edge == -mean
    assert always.cost == -mean - best
    card = condense_strategy(elected)
    assert best + card.cost == card.house_edge
    assert card.cost >= 0


@pytest.mark.parametrize("pays", ["push", "loss", "10% of meter"])
def test_a_bonus_without_odds_is_refused(pays: str) -> None:
    elected = with_pay(edition("pa-682a").elect(), f"bad_beat_bonus.three_of_a_kind={pays}")
    with pytest.raises(InputError, match="table bad_beat_bonus: three_of_a_kind cannot pay"):
        analyze_wager(elected, REQUIRED)


def test_a_large_denominator_is_exact_and_an_overflow_is_refused(
    croupier: Callable[..., CliResult],
) -> None:
    """Absurd odds must not give an edge that has overflowed an int64."""
    elected = with_pay(edition("pa-682a").elect(), "bad_beat_bonus.three_of_a_kind=1 to 1000003")
    assert analyze_wager(elected, REQUIRED).house_edge == slow_contest(elected).house_edge
    for table, odds in (
        ("bad_beat_bonus.three_of_a_kind", "10000000000000000 to 1"),
        ("bad_beat_bonus.three_of_a_kind", "1 to 1000000000000000003"),
    ):
        output = croupier("analyze", "pa-682a", "--pay", f"{table}={odds}", "--json")
        assert output.code != 0
        assert "too large for an exact analysis" in output.err
    output = croupier("analyze", "pa-683a", "--pay", "ante.royal_flush=1 to 1000000000000000003", "--json")
    assert output.code != 0
    assert "too large for an exact analysis" in output.err
