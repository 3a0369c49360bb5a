"""The must-hit-by mystery meter: hidden, committed to, hit on time, revealed, and never drawn again."""

from __future__ import annotations

import hashlib
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.core.errors import InputError, RuleViolation
from croupier.progressive.mystery import MYSTERY, MysteryPlan, Trigger, seat_reaching_trigger
from croupier.regulations import edition
from croupier.table import SYSTEM, Setup
from croupier.table.evolve import evolve_all, new_table
from croupier.table.model import commands as c
from croupier.table.model import events as e
from croupier.table.model.roles import Role
from croupier.table.narration import describe
from croupier.table.procedure.shuffle import SeededShuffle
from croupier.table.session import TableSession
from croupier.table.view import view
from tests.progressive.rounds import play, setup_with_meters

PLAN = MysteryPlan(1_00, 4_00, Fraction(2, 100), ("ante",))
NONCE = "ab" * 32


def test_the_mystery_meter_is_off_by_default() -> None:
    assert Setup.open(edition("pa-682a").elect()).mystery is None
    session = TableSession(Setup.open(edition("pa-682a").elect()))
    with pytest.raises(RuleViolation, match="has no mystery meter"):
        session.send(c.ArmMystery(by=SYSTEM, at=0, trigger=2_00, nonce=NONCE))


@pytest.mark.parametrize("seed", ["one", "two", "three"])
def test_every_hit_is_at_the_trigger_and_within_the_ceiling(seed: str) -> None:
    """Three seats of $5 at 2 percent: 30 cents a round, so it is hit within ten rounds of each reset."""
    session = play(setup_with_meters("pa-641a", PLAN), SeededShuffle(seed), 25)
    armed = [event for event in session.events if isinstance(event, e.MysteryArmed)]
    hits = [event for event in session.events if isinstance(event, e.MysteryHit)]
    assert hits
    for before, hit in zip(armed, hits, strict=False):
        assert hit.commitment == before.commitment
        assert hashlib.sha256(f"{hit.trigger}:{hit.nonce}".encode()).hexdigest() == before.commitment
        assert PLAN.seed < hit.trigger <= PLAN.ceiling
        assert hit.trigger <= hit.amount < hit.trigger + 30
    rounds = 25
    assert len(hits) >= rounds * 30 // (PLAN.ceiling - PLAN.seed + 30)
    assert session.table.meters[MYSTERY].won == sum(hit.amount for hit in hits)
    assert session.table.meters[MYSTERY].paid_by_attendant == session.table.meters[MYSTERY].won


def test_the_trigger_is_hidden_until_it_is_hit() -> None:
    session = play(setup_with_meters("pa-641a", PLAN), SeededShuffle("hidden"), 1)
    armed = next(event for event in session.events if isinstance(event, e.MysteryArmed))
    assert armed.commitment in describe(session.table.setup, armed)
    assert armed.nonce not in describe(session.table.setup, armed)
    for role in Role:
        assert armed.nonce not in repr(view(session.table, role))


def test_a_restart_keeps_the_trigger_and_never_draws_again() -> None:
    session = play(setup_with_meters("pa-641a", PLAN), SeededShuffle("restart"), 2)
    before = session.table.trigger
    replayed = evolve_all(new_table(session.table.setup), session.events)
    assert replayed.trigger == before
    assert before is not None
    restarted = TableSession(session.table.setup)
    restarted.table = replayed
    with pytest.raises(RuleViolation, match="not drawn again until it is hit"):
        restarted.send(c.ArmMystery(by=SYSTEM, at=0, trigger=2_00, nonce=NONCE))


@pytest.mark.parametrize(
    ("trigger", "nonce", "message"),
    [(1_00, NONCE, "is above"), (4_01, NONCE, "at most"), (2_00, "short", "nonce of at least 32")],
)
def test_a_trigger_outside_its_range_is_refused(trigger: int, nonce: str, message: str) -> None:
    session = TableSession(setup_with_meters("pa-641a", PLAN))
    with pytest.raises(RuleViolation, match=message):
        session.send(c.ArmMystery(by=SYSTEM, at=0, trigger=trigger, nonce=nonce))


def test_wagers_do_not_close_without_a_trigger() -> None:
    session = play(setup_with_meters("pa-641a", PLAN), SeededShuffle("unarmed"), 0)
    session.table.__dict__["trigger"] = None
    session.send(c.PlaceWager(by=SYSTEM, at=0, seat=1, wager="ante", amount=5_00))
    with pytest.raises(RuleViolation, match="has no trigger yet"):
        session.send(c.AnnounceNoMoreBets(by=SYSTEM, at=0))


@pytest.mark.parametrize(("seed", "ceiling", "rate"), [(5, 5, 1), (-1, 5, 1), (0, 5, 0), (0, 5, 100)])
def test_an_impossible_plan_is_refused(seed: int, ceiling: int, rate: int) -> None:
    with pytest.raises(InputError, match=r"^mystery: "):
        MysteryPlan(seed, ceiling, Fraction(rate, 100), ("ante",))


def test_a_plan_needs_a_wager_that_feeds_it_and_may_start_at_zero() -> None:
    with pytest.raises(InputError, match=r"^mystery: name the wagers that feed it"):
        MysteryPlan(0, 5, Fraction(1, 100), ())
    plan = MysteryPlan(0, 1, Fraction(1, 100), ("ante",)).meter
    assert (plan.name, plan.table, plan.tier, plan.rate) == ("mystery", "mystery", "main", Fraction(1, 100))
    assert plan.seed == plan.reseed == 0


@given(st.lists(st.integers(0, 50), min_size=1, max_size=7), st.integers(1, 200), st.integers(0, 100))
def test_the_winning_seat_is_the_first_to_reach_the_trigger(parts: list[int], trigger: int, amount: int) -> None:
    by_seat = tuple((seat, Fraction(part, 3)) for seat, part in enumerate(parts, 1))
    expected, total = None, Fraction(amount)
    for seat, part in by_seat:
        total += part
        if expected is None and total >= trigger:
            expected = seat
    assert seat_reaching_trigger(Fraction(amount), by_seat, trigger) == expected


def test_two_triggers_have_two_commitments() -> None:
    assert Trigger(200, NONCE).commitment != Trigger(201, NONCE).commitment
