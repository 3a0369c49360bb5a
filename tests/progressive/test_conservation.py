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


def total_amount(meters: Mapping[str, Meter]) -> Fraction:
    """The total of all meters."""
    return sum((m.amount + m.overflow + m.waiting for m in meters.values()), Fraction(0))


def apply_step(meters: dict[str, Meter], action: str, number: int, reserve: str) -> tuple[dict[str, Meter], Fraction]:
    """Applies one step; also returns the net amount added, computed independently of the meter's books."""
    if action == "feed":
        stake = (100, 500, 1, 7)[number % 4]
        fed = {name: meter.with_contribution(meter.plan.rate * stake) for name, meter in meters.items()}
        return fed, sum((m.plan.rate * stake for m in meters.values()), Fraction(0))
    if action in ("whole", "tenth", "shared", "weighted"):
        settlement_meters = SettlementMeters(meters, reserve)
        share = Fraction(1, 10) if action == "tenth" else Fraction(1)
        if action == "weighted":
            paid = sum(settlement_meters.take_by_weight(TABLE, "main", share, {1: 3, 2: number % 5 + 1}).values())
        else:
            parts = number % 7 + 1 if action == "shared" else 1
            paid = parts * settlement_meters.take(TABLE, "main", share, parts)
        added = meters[TABLE].plan.reseed if share == 1 else Fraction(0)
        repaid = min(meters[f"{TABLE}_reserve"].amount, added) if reserve == "to_house" and share == 1 else 0
        return settlement_meters.meters, added - paid - repaid
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
def test_prg_4_meters_conserve_money_in_any_sequence(
    steps: list[tuple[str, int]], limit: int | None, reserve: str
) -> None:
    meters = meters_of(limit)
    expected = total_amount(meters)
    for action, number in steps:
        meters, added = apply_step(meters, action, number, reserve)
        expected += added
        assert total_amount(meters) == expected, action
        assert all(meter.is_balanced for meter in meters.values()), action
        assert limit is None or meters[TABLE].amount <= max(limit, 100_000), "a meter shows at most its limit"


def test_millions_of_contributions_and_hits_conserve_money_exactly() -> None:
    """A year of a busy link: two million wagers in thirds of a cent and occasional hits, against plain sums."""
    rng = random.Random(641)
    rate, seed = Fraction(29, 300), Fraction(500_000)
    meter = new_meter(MeterPlan("m", "m", "main", seed, seed, rate))
    meters, contributed, paid, hits = {"m": meter}, 0, 0, 0
    for _ in range(4_000):
        batch = [rng.choice((100, 500)) for _ in range(500)]
        contributed += sum(batch)
        meters["m"] = meters["m"].with_contribution(sum(batch) * rate)
        if rng.random() < 0.01:
            settlement_meters = SettlementMeters(meters, "to_meter")
            paid += settlement_meters.take("m", "main", rng.choice((Fraction(1), Fraction(1, 10))))
            hits += any(change.cause is MeterCause.RESEEDED for change in settlement_meters.changes)
            meters = settlement_meters.meters
    assert 4_000 * 500 == 2_000_000
    assert meters["m"].contributed == contributed * rate
    assert meters["m"].won == paid
    assert meters["m"].amount == seed * (1 + hits) + contributed * rate - paid
    assert meters["m"].is_balanced


@pytest.mark.parametrize(
    ("amount", "message"),
    [
        (-1, "meter m is fed -1, a negative contribution"),
        (101, "meter m is fed 101 cents, more than a round can contribute"),
    ],
)
def test_an_impossible_contribution_is_refused(amount: int, message: str) -> None:
    meter = new_meter(MeterPlan("m", "m", "main", Fraction(0), Fraction(0), Fraction(1), largest=Fraction(100)))
    with pytest.raises(ImpossibleEvent, match=f"^{message}$"):
        meter.with_contribution(Fraction(amount))
    assert [meter.with_contribution(Fraction(possible)).amount for possible in (0, 100)] == [0, 100]


def test_a_locked_meter_keeps_contributions_for_the_next_winner() -> None:
    meter = new_meter(MeterPlan("m", "m", "main", Fraction(1000), Fraction(400), Fraction(1)))
    locked = {"m": meter.with_claim(CLAIM).with_contribution(Fraction(77))}
    assert (locked["m"].display, int(locked["m"].waiting)) == (1000, 77)
    settlement_meters = SettlementMeters(locked, "to_meter")
    assert settlement_meters.take("m", "main", Fraction(1)) == 1000
    after = settlement_meters.meters["m"].without_claim(CLAIM)
    assert after.with_change(after.waiting, MeterCause.WAITED).display == 400 + 77


def test_contributions_above_the_limit_overflow_and_return_at_a_reset() -> None:
    plan = MeterPlan("m", "m", "main", Fraction(1000), Fraction(400), Fraction(1), limit=Fraction(1010))
    meter = new_meter(plan).with_contribution(Fraction(25))
    assert (meter.display, int(meter.overflow)) == (1010, 15)
    settlement_meters = SettlementMeters({"m": meter}, "to_meter")
    assert settlement_meters.take("m", "main", Fraction(1)) == 1010
    assert (settlement_meters.meters["m"].display, int(settlement_meters.meters["m"].overflow)) == (415, 0)


def test_amb_36_the_reserve_repays_the_house_if_elected() -> None:
    meters = meters_of()
    fed = {name: meter.with_contribution(Fraction(250)) for name, meter in meters.items()}
    settlement_meters = SettlementMeters(fed, "to_house")
    settlement_meters.take(TABLE, "main", Fraction(1))
    assert settlement_meters.meters[TABLE].amount == meters[TABLE].plan.reseed
    assert settlement_meters.meters[f"{TABLE}_reserve"].amount == 0
    assert settlement_meters.meters[f"{TABLE}_reserve"].seeded == -250
