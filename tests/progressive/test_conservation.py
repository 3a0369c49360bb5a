"""Meters conserve money: in single steps, in any sequence, and over millions of contributions."""

from __future__ import annotations

import random
from collections.abc import Mapping
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.core.errors import ImpossibleEvent
from croupier.progressive.meter_plans import MeterPlan, meter_plans
from croupier.progressive.meters import Meter, MeterCause, MeterClaim, SettlementMeters, new_meter
from croupier.regulations import edition

TABLE = "four_card_progressive"
CLAIM = MeterClaim("one", 1, 1)


def meters_of(limit: int | None = None) -> dict[str, Meter]:
    """The meter of 641a.12(d)(3) table B, which has a reserve, with an added limit."""
    elected = edition("pa-641a").elect({TABLE: "B"})
    meters = {plan.name: new_meter(plan) for plan in meter_plans(elected, TABLE, 100)}
    if limit is not None:
        plan = meters[TABLE].plan
        limited = MeterPlan(
            plan.name, plan.table, plan.tier, plan.seed, plan.reseed, plan.rate, plan.reserve, Fraction(limit)
        )
        meters[TABLE] = new_meter(limited)
    return meters


def everything(meters: Mapping[str, Meter]) -> Fraction:
    """The total of all meters."""
    return sum((m.amount + m.overflow + m.waiting for m in meters.values()), Fraction(0))


def step(meters: dict[str, Meter], action: str, number: int, reserve: str) -> tuple[dict[str, Meter], Fraction]:
    """Takes one step; also returns the net amount added, computed independently of the books."""
    if action == "feed":
        stake = (100, 500, 1, 7)[number % 4]
        fed = {name: meter.with_contribution(meter.plan.rate * stake) for name, meter in meters.items()}
        return fed, sum((m.plan.rate * stake for m in meters.values()), Fraction(0))
    if action in ("whole", "tenth", "shared", "weighted"):
        working = SettlementMeters(meters, reserve)
        share = Fraction(1, 10) if action == "tenth" else Fraction(1)
        if action == "weighted":
            paid = sum(working.take_by_weight(TABLE, "main", share, {1: 3, 2: number % 5 + 1}).values())
        else:
            parts = number % 7 + 1 if action == "shared" else 1
            paid = parts * working.take(TABLE, "main", share, parts)
        added = meters[TABLE].plan.reseed if share == 1 else Fraction(0)
        repaid = min(meters[f"{TABLE}_reserve"].amount, added) if reserve == "to_house" and share == 1 else 0
        return working.meters, added - paid - repaid
    meter = meters[TABLE]
    if action == "lock":
        return {**meters, TABLE: meter.with_claim(CLAIM)}, Fraction(0)
    if action == "release":
        released = meter.without_claim(CLAIM)
        return {**meters, TABLE: released.with_change(released.waiting, MeterCause.WAITED)}, Fraction(0)
    change = Fraction(number % 1000, 3) * (1 if action == "raise" else -1)
    change = max(change, -(meter.amount + meter.overflow + meter.waiting))
    return {**meters, TABLE: meter.with_change(change, MeterCause.CORRECTED)}, change


STEPS = ("feed", "feed", "feed", "whole", "tenth", "shared", "weighted", "lock", "release", "raise", "lower")


@given(
    steps=st.lists(st.tuples(st.sampled_from(STEPS), st.integers(0, 5000)), max_size=60),
    limit=st.sampled_from([None, 100_000, 100_050]),
    reserve=st.sampled_from(["to_meter", "to_house"]),
)
@settings(max_examples=150, deadline=None, derandomize=True)
def test_prg_4_everything_that_came_in_is_somewhere(
    steps: list[tuple[str, int]], limit: int | None, reserve: str
) -> None:
    meters = meters_of(limit)
    expected = everything(meters)
    for action, number in steps:
        meters, added = step(meters, action, number, reserve)
        expected += added
        assert everything(meters) == expected, action
        assert all(meter.conserved for meter in meters.values()), action
        assert limit is None or meters[TABLE].amount <= max(limit, 100_000), "a meter shows at most its limit"


def test_millions_of_contributions_and_hits_are_conserved_to_the_last_fraction() -> None:
    """A year of a busy link: two million wagers in thirds of a cent, a hit now and then, checked against plain sums."""
    rng = random.Random(641)
    rate, seed = Fraction(29, 300), Fraction(500_000)
    meter = new_meter(MeterPlan("m", "m", "main", seed, seed, rate))
    meters, contributed, paid, hits = {"m": meter}, 0, 0, 0
    for _ in range(4_000):
        batch = [rng.choice((100, 500)) for _ in range(500)]
        contributed += sum(batch)
        meters["m"] = meters["m"].with_contribution(sum(batch) * rate)
        if rng.random() < 0.01:
            working = SettlementMeters(meters, "to_meter")
            paid += working.take("m", "main", rng.choice((Fraction(1), Fraction(1, 10))))
            hits += any(change.cause is MeterCause.RESEEDED for change in working.changes)
            meters = working.meters
    assert 4_000 * 500 == 2_000_000
    assert meters["m"].contributed == contributed * rate
    assert meters["m"].won == paid
    assert meters["m"].amount == seed * (1 + hits) + contributed * rate - paid
    assert meters["m"].conserved


@pytest.mark.parametrize(
    ("amount", "words"), [(-1, "a negative contribution"), (101, "more than a round can contribute")]
)
def test_an_absurd_contribution_is_never_taken(amount: int, words: str) -> None:
    meter = new_meter(MeterPlan("m", "m", "main", Fraction(0), Fraction(0), Fraction(1), largest=Fraction(100)))
    with pytest.raises(ImpossibleEvent, match=words):
        meter.with_contribution(Fraction(amount))


def test_a_locked_meter_keeps_contributions_for_the_next_winner() -> None:
    meter = new_meter(MeterPlan("m", "m", "main", Fraction(1000), Fraction(400), Fraction(1)))
    locked = {"m": meter.with_claim(CLAIM).with_contribution(Fraction(77))}
    assert (locked["m"].display, int(locked["m"].waiting)) == (1000, 77)
    working = SettlementMeters(locked, "to_meter")
    assert working.take("m", "main", Fraction(1)) == 1000
    after = working.meters["m"].without_claim(CLAIM)
    assert after.with_change(after.waiting, MeterCause.WAITED).display == 400 + 77


def test_a_limit_lets_contributions_overflow_and_a_reset_takes_them_back() -> None:
    plan = MeterPlan("m", "m", "main", Fraction(1000), Fraction(400), Fraction(1), limit=Fraction(1010))
    meter = new_meter(plan).with_contribution(Fraction(25))
    assert (meter.display, int(meter.overflow)) == (1010, 15)
    working = SettlementMeters({"m": meter}, "to_meter")
    assert working.take("m", "main", Fraction(1)) == 1010
    assert (working.meters["m"].display, int(working.meters["m"].overflow)) == (415, 0)


def test_amb_36_the_reserve_repays_the_house_where_that_is_elected() -> None:
    meters = meters_of()
    fed = {name: meter.with_contribution(Fraction(250)) for name, meter in meters.items()}
    working = SettlementMeters(fed, "to_house")
    working.take(TABLE, "main", Fraction(1))
    assert working.meters[TABLE].amount == meters[TABLE].plan.reseed
    assert working.meters[f"{TABLE}_reserve"].amount == 0
    assert working.meters[f"{TABLE}_reserve"].seeded == -250
