"""Limits of meters in a submission, and the meters, amounts and draws that a table opens with."""

from __future__ import annotations

from fractions import Fraction

import pytest

from croupier.progressive.meter_plans import MeterPlan, submitted_meters
from croupier.submissions.model import Submission, parse_submission
from croupier.table import Setup
from croupier.table.model.setup import DRAWN_BONUSES
from tests.submissions.changes import Changes, accepts, changed_template, refuses

HAND_BONUS = ("five_card_hand_bonus_player", "five_card_hand_bonus_dealer")
MARYLAND_E: Changes = {
    "elections.progressive": "E",
    "elections.envy": "E",
    "progressive.meters": {
        "mega": {"initial": "20000.00", "reset": "15000.00", "rate": "7%"},
        "major": {"initial": "1500.00", "reset": "2500.00", "rate": "5.5%"},
        "minor": {"initial": "250.00", "reset": "250.00", "rate": "0%"},
    },
}


def submission(edition: str, changes: Changes, offer: tuple[str, ...]) -> Submission:
    accepts(edition, changes, offer)
    parsed, problems = parse_submission(changed_template(edition, changes, offer), "changed draft")
    assert parsed is not None
    assert not problems
    return parsed


def five_dollars(wager: str) -> dict[str, object]:
    return {"progressive.amount": "5.00", f"wagers.{wager}.minimum": "5.00", f"wagers.{wager}.maximum": "5.00"}


# Limits


@pytest.mark.parametrize("clause", ["641a.2(c)", "md-4cp:2.C"])
def test_a_limit_names_a_meter_of_the_table(clause: str) -> None:
    edition, _, cited = clause.rpartition(":")
    edition, offer = (edition, ("progressive",)) if edition else ("pa-641a", ("four_card_progressive",))
    key = "progressive.limits.mega"
    refuses(edition, {key: "90000.00"}, (key, cited, "this table has no meter of this name, only main"), offer=offer)
    accepts(edition, {"progressive.limits.main": "90000.00"}, offer=offer)


@pytest.mark.parametrize(
    ("wager", "letter", "tier", "start"),
    [
        ("four_card_progressive", "A", "main", 5_000),
        ("four_card_progressive", "B", "main", 1_000),
        ("five_card_progressive", "A", "main", 10_000),
        ("five_card_progressive", "D", "major", 1_000),
    ],
)
@pytest.mark.parametrize("dollars", [1, 5])
def test_641a_2_c_a_limit_is_above_the_seed_of_the_wager(
    wager: str, letter: str, tier: str, start: int, dollars: int
) -> None:
    """641a.12(d)(3) and (e)(3): a number of dollars for 1."""
    key, offer = f"progressive.limits.{tier}", (wager,)
    wager_changes: Changes = {f"elections.{wager}": letter, **(five_dollars(wager) if dollars == 5 else {})}
    at_seed = {key: f"{start * dollars}.00"}
    gist = f"is not above the ${start * dollars:,} that the meter starts or resets at"
    refuses("pa-641a", {**wager_changes, **at_seed}, (key, "641a.2(c)", gist), offer=offer)
    accepts("pa-641a", {**wager_changes, key: f"{start * dollars}.01"}, offer=offer)


@pytest.mark.parametrize(("tier", "dollars"), [("mega", "20000"), ("major", "2500"), ("minor", "250")])
def test_md_2_c_a_limit_is_above_the_initial_and_reset_amounts(tier: str, dollars: str) -> None:
    key = f"progressive.limits.{tier}"
    gist = f"is not above the ${int(dollars):,} that the meter starts or resets at"
    refuses("md-4cp", {**MARYLAND_E, key: f"{dollars}.00"}, (key, "2.C", gist), offer=("progressive",))
    accepts("md-4cp", {**MARYLAND_E, key: f"{dollars}.01"}, offer=("progressive",))


def test_641a_2_d_the_limit_of_the_electronic_meter_is_above_its_seed() -> None:
    """641a.12(g)(4): $10,000 for 1, and the smallest wager is $5."""
    key = "electronic.limit"
    gist = "$50,000 is not above the $50,000 that the meter starts at"
    refuses("pa-641a", {key: "50000.00"}, (key, "641a.2(d)", gist), offer=HAND_BONUS)
    accepts("pa-641a", {key: "50000.01"}, offer=HAND_BONUS)


@pytest.mark.parametrize("limit", ["much", 90000, "-1.00"])
@pytest.mark.parametrize(
    ("key", "offer"), [("progressive.limits.main", ("four_card_progressive",)), ("electronic.limit", HAND_BONUS)]
)
def test_a_limit_that_is_not_money_is_refused(key: str, offer: tuple[str, ...], limit: object) -> None:
    parsed, problems = parse_submission(changed_template("pa-641a", {key: limit}, offer), "changed draft")
    del parsed
    assert [problem.key for problem in problems] == [key]


# Meters of a new table


def test_a_table_opens_with_the_meters_that_pennsylvania_fixes() -> None:
    wager = "five_card_progressive"
    changes: Changes = {
        f"elections.{wager}": "B",
        **five_dollars(wager),
        "progressive.limits.mega": "99000.00",
        "electronic.limit": "75000.00",
        "electronic.magic_card_one_round_in": 50,
    }
    submitted = submission("pa-641a", changes, (wager, *HAND_BONUS))
    setup = Setup.from_submission(submitted)
    assert setup.progressive_amount == 5_00
    assert setup.draws == {DRAWN_BONUSES[0]: 50}, "the Lucky Bonus is never drawn, and so not offered"
    # Seeds and rates of 641a.12(e)(3) and (g)(4) for wagers of $5; the largest contribution is that of a full table.
    seats, most = submitted.seats, 2 * 100_00
    cents = Fraction(100)
    expected: dict[str, object] = {
        f"{wager}_mega": (50_000 * cents, 50_000 * cents, Fraction(11, 100), 99_000 * cents, 5_00),
        f"{wager}_major": (5_000 * cents, 5_000 * cents, Fraction(10, 100), None, 5_00),
        "five_card_hand_bonus": (50_000 * cents, 0, Fraction(13, 100), 75_000 * cents, most),
        "five_card_hand_bonus_reserve": (0, 0, Fraction(8, 100), None, most),
    }
    meters = {
        name: (plan.seed, plan.reseed, plan.rate, plan.limit, (plan.largest or 0) / plan.rate / seats)
        for name, plan in setup.meters.items()
    }
    assert meters == expected


def test_a_table_opens_with_the_meters_that_a_maryland_submission_states() -> None:
    submitted = submission("md-4cp", {**MARYLAND_E, "progressive.limits.mega": "90000.00"}, ("progressive",))
    cents = Fraction(100)
    expected = {
        "mega": (20_000 * cents, 15_000 * cents, Fraction(7, 100), 90_000 * cents),
        "major": (1_500 * cents, 2_500 * cents, Fraction(55, 1000), None),
        "minor": (250 * cents, 250 * cents, Fraction(0), None),
    }
    plans: list[MeterPlan] = list(submitted_meters(submitted))
    assert {plan.tier: (plan.seed, plan.reseed, plan.rate, plan.limit) for plan in plans} == expected
    assert [plan.largest for plan in plans] == [plan.rate * 1_00 * submitted.seats for plan in plans]
    setup = Setup.from_submission(submitted)
    assert list(setup.meters) == [f"progressive_{tier}" for tier in expected]
    assert (setup.progressive_amount, setup.draws) == (1_00, {})


def test_a_table_without_progressive_wagers_has_no_meters() -> None:
    setup = Setup.from_submission(submission("pa-641a", {}, ("aces_up",)))
    assert (setup.meters, setup.progressive_amount, setup.draws) == ({}, 0, {})
