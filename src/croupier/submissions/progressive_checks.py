"""The checks of a Rules Submission about progressive and electronic wagers."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.core.money import format_money
from croupier.regulations.clauses import carries_out
from croupier.submissions.model import MeterTerms, Problem, Submission
from croupier.submissions.table_terms import offered_progressives


@carries_out("progressive_system", "progressive_devices", "progressive_lock_out")
def check_progressive_system(s: Submission) -> Iterator[Problem]:
    offered, rules = offered_progressives(s), s.edition
    if not offered:
        if s.progressive is not None:
            clause = rules.clause("progressive_system") or rules.clause("wagers_offered")
            yield Problem("progressive", clause, "is stated, but no progressive wager is offered")
        return
    progressive = s.progressive
    if progressive is None:
        clause = rules.clause("progressive_system")
        yield Problem("progressive", clause, "is missing: a progressive wager needs a progressive table game system")
        return
    if not progressive.system.strip():
        clause = rules.clause("progressive_system")
        yield Problem("progressive.system", clause, "name the progressive table game system of the table")
    if not progressive.devices:
        clause = rules.clause("progressive_devices")
        yield Problem("progressive.devices", clause, "each position needs a device that accepts the progressive wager")
    if not progressive.lock_out:
        clause = rules.clause("progressive_lock_out")
        yield Problem("progressive.lock_out", clause, "the system must refuse wagers after “no more bets”")
    if progressive.link and not progressive.link_system.strip():
        clause = rules.clause("progressive_system")
        yield Problem(
            "progressive.link_system", clause, "linked tables need a system approved for linking: name it here"
        )


@carries_out("progressives")
def check_progressive_limits(s: Submission) -> Iterator[Problem]:
    """A progressive wager has one amount, so its limits both state it."""
    amount = s.progressive.amount if s.progressive else None
    for rule in offered_progressives(s):
        limits = s.wagers[rule.wager]
        if amount is not None and not limits.minimum == limits.maximum == amount:
            message = f"minimum and maximum must both equal the amount of the wager, {format_money(amount)}"
            yield Problem(f"wagers.{rule.wager}", rule.amounts_clause, message)


@carries_out("meter_rate", "meter_amounts")
def check_meters_stated(s: Submission) -> Iterator[Problem]:
    """The submission states the meters that the regulation leaves to the operator, and no others."""
    if s.progressive is None:
        return
    for rule in offered_progressives(s):
        meters = rule.meters[s.elected.choices[rule.wager]]
        for name in s.progressive.meters:
            if name not in meters:
                clause = next(iter(meters.values())).clause
                message = f"this table has no meter of this name, only {', '.join(meters)}"
                yield Problem(f"progressive.meters.{name}", clause, message)
        for name, meter_rule in meters.items():
            terms, key = s.progressive.meters.get(name), f"progressive.meters.{name}"
            if meter_rule.minimum is not None:
                yield from _check_free_meter_stated(s, key, terms)
            elif terms is not None:
                message = "amounts and rates of this meter are fixed by the regulation and may not be stated"
                yield Problem(key, meter_rule.clause, message)


def _check_free_meter_stated(s: Submission, key: str, terms: MeterTerms | None) -> Iterator[Problem]:
    clause = s.edition.clause("meter_amounts")
    if terms is None:
        yield Problem(key, clause, "is missing: state the initial and reset amounts and the rate")
        return
    for part, amount in (("initial", terms.initial), ("reset", terms.reset)):
        if amount is None:
            yield Problem(f"{key}.{part}", clause, f"the {part} amount is missing")
    if terms.rate is None:
        yield Problem(f"{key}.rate", s.edition.clause("meter_rate"), "the rate of progression is missing")


@carries_out("progressive_system")
def check_limits_named(s: Submission) -> Iterator[Problem]:
    """The operator's limits name existing meters."""
    for rule in offered_progressives(s):
        meters = rule.meters[s.elected.choices[rule.wager]]
        for tier in s.progressive.limits if s.progressive else {}:
            if tier not in meters:
                message = f"this table has no meter of this name, only {', '.join(meters)}"
                yield Problem(f"progressive.limits.{tier}", s.edition.clause("progressive_system"), message)


@carries_out("electronic_wagering", "drawn_by_the_system")
def check_electronic_wagering(s: Submission) -> Iterator[Problem]:
    offered = [wager for wager in sorted(s.edition.electronic) if wager in s.wagers]
    clause = s.edition.clause("electronic_wagering")
    if not offered:
        if s.electronic is not None:
            clause = clause or s.edition.clause("wagers_offered")
            yield Problem("electronic", clause, "is stated, but no Five Card Hand Bonus is offered")
        return
    system = s.electronic
    if system is None or not system.system.strip():
        yield Problem(
            "electronic.system", clause, "the Five Card Hand Bonus needs an electronic wagering system: name it here"
        )
    if system is None:
        return
    if not system.devices:
        yield Problem("electronic.devices", clause, "each betting position needs an electronic wagering device")
    if not system.lock_out:
        yield Problem("electronic.lock_out", clause, "the system must refuse wagers after “no more bets”")
    for key, rounds in (
        ("magic_card_one_round_in", system.magic_card_one_round_in),
        ("lucky_bonus_one_round_in", system.lucky_bonus_one_round_in),
    ):
        if rounds < 0:
            message = "state how often the system draws: one round in how many (0: never); the text gives no frequency"
            yield Problem(f"electronic.{key}", s.edition.clause("drawn_by_the_system"), message)
