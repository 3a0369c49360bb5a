"""Odds of thirds, sixths, sevenths, ninths and elevenths in every required wager: the analysis does not round them."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from math import comb

import numpy as np
import pytest

from croupier.analysis.boards.play import analyze_board
from croupier.analysis.contest_card import condense_strategy, simple_strategies
from croupier.analysis.contests import analyze_contest, decision_spots
from croupier.analysis.custom_paytables import with_pay
from croupier.analysis.house_edges import REQUIRED, analyze_wager
from croupier.core.errors import InputError
from croupier.games import game
from croupier.games.definition import ByTable
from croupier.hands import ranking_named
from croupier.plugins.discovery import shipped_editions
from croupier.regulations import EDITIONS, edition
from tests.analysis.slow_payoffs import BOARDS, CONTESTS, TABLES, slow_board, slow_contest, with_denominators
from tests.analysis.test_three_card import deals
from tests.cli.command_runner import Ran, in_process

DENOMINATORS = [(3,), (6,), (7,), (9,), (11,), (3, 6, 7, 9, 11)]
READINGS = [
    ("pa-682a", {"win_bonus_for_one": "net", "win_bonus_on_a_tie": "not_paid", "bad_beat_bonus": "D"}),
    ("pa-641a", {"ante_bonus_on_a_loss": "not_paid"}),
    ("pa-679a", {"bad_beat_play": "lost", "bad_beat_bonus": "B"}),
    ("pa-679a", {"bad_beat_play": "both_kept", "bad_beat_bonus": "D"}),
]


@pytest.fixture
def croupier(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    return partial(in_process, capsys)


def test_every_edition_and_every_table_of_its_required_wagers_is_here() -> None:
    assert {*CONTESTS, *BOARDS} == {*EDITIONS, *shipped_editions()} == set(TABLES)
    for name, tables in TABLES.items():
        contest, rules = game(edition(name).game).contest, edition(name)
        if contest is None:
            by_table = [s for s in game(rules.game).settlements if isinstance(s, ByTable)]
            settled = {s.table_name for s in by_table if s.wager in rules.required}
            assert settled == set(tables), name
        else:
            bonuses = [bonus.name for bonus in contest.bonuses]
            paid = [*contest.by_table.values(), *contest.always_by_table.values()]
            assert {*bonuses, *paid} == set(tables), name


@pytest.mark.parametrize("denominators", DENOMINATORS, ids=str)
@pytest.mark.parametrize("name", CONTESTS)
def test_a_contest_has_the_edge_and_the_results_of_exact_payoffs(name: str, denominators: tuple[int, ...]) -> None:
    elected = with_denominators(name, denominators)
    expected, found = slow_contest(elected), analyze_contest(elected)
    assert found.house_edge == expected.house_edge
    assert found.net_results == expected.net_results


@pytest.mark.parametrize(("name", "choices"), READINGS, ids=str)
def test_readings_that_change_the_settlement_are_exact_too(name: str, choices: dict[str, str]) -> None:
    elected = with_denominators(name, (3, 7, 11), choices)
    expected, found = slow_contest(elected), analyze_contest(elected)
    assert found.house_edge == expected.house_edge
    assert found.net_results == expected.net_results


@pytest.mark.parametrize("denominators", DENOMINATORS, ids=str)
@pytest.mark.parametrize("name", BOARDS)
def test_a_board_has_the_edge_of_every_set_of_cards(name: str, denominators: tuple[int, ...]) -> None:
    elected = with_denominators(name, denominators)
    assert analyze_board(elected).house_edge == slow_board(elected)


@pytest.mark.parametrize("denominator", [3, 6, 7, 9, 11])
def test_679a_11_c_every_deal_with_a_bad_beat_in_odd_parts(denominator: int) -> None:
    """All 407,170,400 deals, judged and paid by the test alone."""
    bonus = {"straight_flush": 12, "three_of_a_kind": 10, "straight": 4}  # 679a.12(c), table A
    play = {"mini_royal": 10, "straight_flush": 6, "three_of_a_kind": 5, "straight": 2}  # 679a.12(b)
    changed = {hand: odds + Fraction(1, denominator) for hand, odds in bonus.items()}
    elected = edition("pa-679a").elect({"bad_beat_bonus": "A", "bad_beat_play": "kept"})
    for hand, odds in changed.items():
        elected = with_pay(elected, f"bad_beat_bonus.{hand}={odds.numerator} to {odds.denominator}")
    total = Fraction(0)
    for category, counts in zip(deals().categories, deals().outcomes.tolist(), strict=True):
        won = Fraction(1 + play.get(category, 1))
        lost = changed[category] - 1 if category in changed else Fraction(-2)
        played = sum(net * count for net, count in zip((Fraction(1), won, won, lost), counts, strict=True))
        total += max(played, Fraction(-comb(49, 3)))
    assert analyze_contest(elected).house_edge == -total / (comb(52, 3) * comb(49, 3))


def test_682a_12_d_a_bad_beat_bonus_of_seven_to_three_has_its_true_fraction(croupier: Callable[..., Ran]) -> None:
    """Linear in one payout while play does not change, so two whole payouts give the fraction between them."""
    ran = croupier("analyze", "pa-682a", "--pay", "bad_beat_bonus.three_of_a_kind=7 to 3", "--json")
    assert ran.code == 0
    analyzed = Fraction(json.loads(ran.out)["wagers"][REQUIRED]["house_edge"])
    elected = edition("pa-682a").elect()
    assert analyzed == slow_contest(with_pay(elected, "bad_beat_bonus.three_of_a_kind=7 to 3")).house_edge
    two, three = (analyze_contest(with_pay(elected, f"bad_beat_bonus.three_of_a_kind={odds} to 1")) for odds in (2, 3))
    assert two.decisions == three.decisions
    assert analyzed == two.house_edge * Fraction(2, 3) + three.house_edge * Fraction(1, 3)


@pytest.mark.parametrize("name", ["pa-682a", "crazy-4-poker", "three-card-poker"])
def test_simple_strategies_are_exact_too(name: str) -> None:
    """Always the smallest raise, summed over the spots; and a strategy card is no better than the best play."""
    elected = with_denominators(name, (3, 6, 7, 9, 11))
    contest, counted = game(elected.edition.game).contest, decision_spots(elected.edition.game)
    assert contest is not None
    by_strength = {outcome: [0] * len(ranking_named(contest.player_ranking)) for outcome in counted.outcomes}
    for outcome, counts in counted.outcomes.items():
        summed = np.zeros(len(by_strength[outcome]), dtype=np.int64)
        np.add.at(summed, counted.strengths, counts * counted.weights.astype(np.int64))
        by_strength[outcome] = summed.tolist()
    nets = (
        CONTESTS[name](elected, strength, outcome, 1) * count
        for outcome, column in by_strength.items()
        for strength, count in enumerate(column)
    )
    mean = sum(nets, Fraction(0)) / counted.combinations
    always = next(found for found in simple_strategies(elected) if found.name.startswith("always"))
    best = slow_contest(elected).house_edge
    assert always.house_edge == -mean
    assert always.cost == -mean - best
    card = condense_strategy(elected)
    assert best + card.cost == card.house_edge
    assert card.cost >= 0


@pytest.mark.parametrize("pays", ["push", "loss", "10% of meter"])
def test_a_bonus_that_is_no_odds_is_refused_as_bad_input(pays: str) -> None:
    elected = with_pay(edition("pa-682a").elect(), f"bad_beat_bonus.three_of_a_kind={pays}")
    with pytest.raises(InputError, match="table bad_beat_bonus: three_of_a_kind cannot pay"):
        analyze_wager(elected, REQUIRED)


def test_a_very_fine_denominator_is_exact_and_one_that_would_overflow_is_refused(croupier: Callable[..., Ran]) -> None:
    """Whoever files a paytable with absurd odds must not get an edge that wrapped around a machine word."""
    elected = with_pay(edition("pa-682a").elect(), "bad_beat_bonus.three_of_a_kind=1 to 1000003")
    assert analyze_wager(elected, REQUIRED).house_edge == slow_contest(elected).house_edge
    for table, odds in (
        ("bad_beat_bonus.three_of_a_kind", "10000000000000000 to 1"),
        ("bad_beat_bonus.three_of_a_kind", "1 to 1000000000000000003"),
    ):
        ran = croupier("analyze", "pa-682a", "--pay", f"{table}={odds}", "--json")
        assert ran.code != 0
        assert "too large for an exact analysis" in ran.err
    ran = croupier("analyze", "pa-683a", "--pay", "ante.royal_flush=1 to 1000000000000000003", "--json")
    assert ran.code != 0
    assert "too large for an exact analysis" in ran.err
