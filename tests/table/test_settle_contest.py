"""The settlement of a contest: exact and pure; only the table rounds to cents."""

from __future__ import annotations

import ast
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.analysis.custom_paytables import with_pay
from croupier.core.errors import InvariantError
from croupier.games import game
from croupier.games.definition import Contest
from croupier.hands import ranking_named
from croupier.regulations import ElectedEdition, edition
from croupier.regulations.payouts import Dollars, ForOne, Loss, OfMeter, Payout, Push, ToOne
from croupier.table.model.setup import Setup
from croupier.table.model.state import Round
from croupier.table.settlement import RankedHand, SeatSettlement, amounts_due, contest, round_to_cents, settle_contest
from tests.analysis.slow_payoffs import CONTESTS, with_denominators

SEVEN_TO_THREE = "bad_beat_bonus.three_of_a_kind=7 to 3"
amounts = st.fractions(min_value=0, max_value=10**7)


def contest_of(elected: ElectedEdition) -> Contest:
    definition = game(elected.edition.game).contest
    assert definition is not None
    return definition


def weakest_trips(elected: ElectedEdition) -> int:
    return ranking_named(contest_of(elected).player_ranking).span("three_of_a_kind").start


def seat_settlement(elected: ElectedEdition, ante: int, raise_amount: int, odd_cents: str) -> SeatSettlement:
    setup = Setup.open(elected)
    object.__setattr__(setup, "odd_cents", odd_cents)
    wagers = {1: {"ante": ante, "raise": raise_amount}}
    round_ = Round(number=1, deck=1, dealt=(1,), wagers=wagers, patrons={1: "ann"}, slots=())
    return SeatSettlement(setup, round_, 1)


def test_682a_12_d_fractions_of_an_ante_stay_exact() -> None:
    elected = with_pay(edition("pa-682a").elect(), SEVEN_TO_THREE)
    entries = settle_contest(elected, contest_of(elected), "lose", weakest_trips(elected), {"ante": 1, "raise": 3})
    assert [(e.wager, e.outcome, e.returned, e.paid, e.net) for e in entries] == [
        ("ante", "push", 1, 0, 0),
        ("raise", "lose", 0, 0, -3),
        ("bad_beat_bonus", "win", 0, Fraction(7, 3), Fraction(7, 3)),
    ]


@pytest.mark.parametrize(("odd_cents", "paid"), [("exact", 2334), ("up", 2350)])
def test_the_table_rounds_up_and_keeps_the_exact_amount(odd_cents: str, paid: int) -> None:
    """Seven thirds of $10 are $23.33 and a third of a cent: $23.34, or $23.50 if odd cents are rounded up."""
    elected = with_pay(edition("pa-682a").elect(), SEVEN_TO_THREE)
    settlement = seat_settlement(elected, 1000, 1000, odd_cents)
    entries = settlement.contest_entries(
        contest_of(elected), "lose", RankedHand(weakest_trips(elected), "three_of_a_kind")
    )
    *_, bonus = entries
    assert (bonus.wager, bonus.paid, bonus.exact_paid) == ("bad_beat_bonus", paid, Fraction(7000, 3))


@pytest.mark.parametrize("name", CONTESTS)
@pytest.mark.parametrize("unit", [1, 500, 1000, Fraction(1, 3)])
def test_amounts_scale_with_the_stakes(name: str, unit: Fraction | int) -> None:
    elected = with_denominators(name, (3, 6, 7, 9, 11))
    definition = contest_of(elected)
    strengths = range(0, len(ranking_named(definition.player_ranking)), 97)
    for outcome in ("unqualified", "win", "tie", "lose") if definition.qualifies else ("win", "tie", "lose"):
        for strength in strengths:
            stakes = {wager: unit * (3 if wager == definition.wagers[-1] else 1) for wager in definition.wagers}
            net = sum(entry.net for entry in settle_contest(elected, definition, outcome, strength, stakes))
            assert net == unit * CONTESTS[name](elected, strength, outcome, 3)


@given(amounts)
def test_rounding_never_underpays(exact: Fraction) -> None:
    assert exact <= round_to_cents(exact, "exact") < exact + 1
    up = round_to_cents(exact, "up")
    assert exact <= up < exact + 50
    if exact.denominator == 1:
        assert up == exact
    else:
        assert up % 50 == 0


@pytest.mark.parametrize(
    ("payout", "amounts"),
    [
        (ToOne(Fraction(7, 3)), (1000, Fraction(7000, 3))),
        (ForOne(Fraction(7, 3)), (0, Fraction(7000, 3))),
        (Dollars(10000), (1000, 10000)),  # type: ignore[arg-type]
    ],
)
def test_returned_and_paid_amounts_by_kind_of_payout(payout: Payout, amounts: tuple[int, Fraction]) -> None:
    assert amounts_due(payout, 1000) == amounts


def test_fixed_payouts_are_converted_to_the_unit_of_the_stake() -> None:
    """$100 on an Ante of $10 is ten Antes."""
    assert amounts_due(Dollars(10000), 1, Fraction(1, 10)) == (1, 10)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("payout", "reason"),
    [
        (Push(), "push is not the payout of a winning wager"),
        (Loss(), "loss is not the payout of a winning wager"),
        (OfMeter(Fraction(1, 10), "main"), "the progressive system pays shares of meters"),
    ],
)
def test_only_winning_payouts_have_amounts(payout: Payout, reason: str) -> None:
    with pytest.raises(InvariantError, match=reason):
        amounts_due(payout, 1000)


def test_contest_settlement_does_not_import_the_table() -> None:
    """The module imports the rules and the exact amounts, and no other part of the table."""
    tree = ast.parse(Path(contest.__file__).read_text(encoding="utf-8"))
    modules = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    table_modules = {module for module in modules if module.startswith("croupier.table")}
    assert table_modules == {"croupier.table.settlement.amounts"}
