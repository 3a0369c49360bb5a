"""What a Rules Submission must satisfy about progressive and electronic wagers."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.money import Cents, show
from croupier.rules.clauses import carries_out
from croupier.rules.edition import MeterRule, ProgressiveRule
from croupier.submissions.submission import Meter, Problem, Submission


def offered_progressives(s: Submission) -> list[ProgressiveRule]:
    """The progressive wagers on chips that the submission offers."""
    return [rule for name, rule in s.edition.progressives.items() if name in s.wagers]


@carries_out("one_progressive", "progressive_system", "progressive_devices", "progressive_lock_out")
def progressive_system(s: Submission) -> Iterator[Problem]:
    offered, rules = offered_progressives(s), s.edition
    if len(offered) > 1:
        yield Problem("wagers", rules.clause("one_progressive"), "a table offers one progressive wager, not two")
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
        yield Problem("progressive.link_system", clause, "linked tables need a system approved for linking, named here")


@carries_out("progressives")
def progressive_amounts(s: Submission) -> Iterator[Problem]:
    for rule in offered_progressives(s):
        amount = s.progressive.amount if s.progressive else None
        allowed = " or ".join(show(cents) for cents in rule.amounts)
        if s.progressive and amount is None:
            yield Problem("progressive.amount", rule.amounts_clause, f"is missing: the wager is {allowed}")
        elif amount is not None and amount not in rule.amounts:
            yield Problem("progressive.amount", rule.amounts_clause, f"{show(amount)} is not {allowed}")
        limits = s.wagers[rule.wager]
        if amount is not None and not limits.minimum == limits.maximum == amount:
            message = f"minimum and maximum must both be the one amount of the wager, {show(amount)}"
            yield Problem(f"wagers.{rule.wager}", rule.amounts_clause, message)


@carries_out("fixed_meters", "meter_rate", "meter_amounts")
def progressive_meters(s: Submission) -> Iterator[Problem]:
    if s.progressive is None:
        return
    for rule in offered_progressives(s):
        meters = rule.meters[s.elected.choices[rule.wager]]
        for name in s.progressive.meters:
            if name not in meters:
                clause = next(iter(meters.values())).clause
                message = f"this table has no such meter; it has {', '.join(meters)}"
                yield Problem(f"progressive.meters.{name}", clause, message)
        for name, fixed in meters.items():
            stated = s.progressive.meters.get(name)
            if fixed.minimum is None:
                yield from _fixed_meter(name, fixed, stated)
            else:
                yield from _free_meter(s, name, fixed, stated)
        rates = [meter.rate for meter in s.progressive.meters.values() if meter.rate is not None]
        if sum(rates) >= 1 and all(rate < 1 for rate in rates):
            message = "the rates of all meters together take a whole wager or more"
            yield Problem("progressive.meters", s.edition.clause("meter_rate"), message)


def _fixed_meter(name: str, fixed: MeterRule, stated: Meter | None) -> Iterator[Problem]:
    if stated is not None:
        message = "amounts and rates of this meter are fixed by the regulation and may not be stated"
        yield Problem(f"progressive.meters.{name}", fixed.clause, message)


def _free_meter(s: Submission, name: str, fixed: MeterRule, stated: Meter | None) -> Iterator[Problem]:
    key = f"progressive.meters.{name}"
    if stated is None:
        yield Problem(
            key, s.edition.clause("meter_amounts"), "is missing: state initial and reset amounts and the rate"
        )
        return
    for what, amount in (("initial", stated.initial), ("reset", stated.reset)):
        if amount is None:
            yield Problem(f"{key}.{what}", s.edition.clause("meter_amounts"), f"the {what} amount is missing")
        elif fixed.minimum is not None and amount < fixed.minimum:
            message = f"the {what} amount must be at least {show(fixed.minimum)}, and it is {show(amount)}"
            yield Problem(f"{key}.{what}", fixed.clause, message)
    clause = s.edition.clause("meter_rate")
    if stated.rate is None:
        yield Problem(f"{key}.rate", clause, "the rate of progression is missing")
    elif not 0 <= stated.rate < 1:
        yield Problem(f"{key}.rate", clause, "the rate of progression is a percentage from 0% to under 100%")


@carries_out("progressive_system")
def meter_limits(s: Submission) -> Iterator[Problem]:
    """A limit of the operator's is above what the meter starts and resets at, and names a meter that there is."""
    clause = s.edition.clause("progressive_system")
    for rule in offered_progressives(s):
        meters = rule.meters[s.elected.choices[rule.wager]]
        for tier, limit in (s.progressive.limits if s.progressive else {}).items():
            if tier not in meters:
                message = f"this table has no such meter; it has {', '.join(meters)}"
                yield Problem(f"progressive.limits.{tier}", clause, message)
                continue
            stated = s.progressive.meters.get(tier) if s.progressive else None
            amount = s.progressive.amount if s.progressive else None
            scale = (amount or 100) // 100 if rule.scales else 1
            fixed = (meters[tier].seed or 0) * scale
            least = max(fixed, (stated.initial or 0) if stated else 0, (stated.reset or 0) if stated else 0)
            if limit <= least:
                message = f"{show(limit)} is not above the {show(Cents(least))} that the meter starts or resets at"
                yield Problem(f"progressive.limits.{tier}", clause, message)
    if s.electronic is not None and s.electronic.limit is not None:
        least = 0
        for rule in s.edition.progressives.values():
            if not rule.amounts:
                wagers = [s.wagers[wager].minimum for wager in sorted(s.edition.electronic) if wager in s.wagers]
                least = max(meter.seed or 0 for meter in rule.meters["A"].values()) * min(wagers, default=100) // 100
        if s.electronic.limit <= least:
            message = f"{show(s.electronic.limit)} is not above the {show(Cents(least))} that the meter starts at"
            yield Problem("electronic.limit", s.edition.clause("electronic_wagering"), message)


@carries_out("electronic_wagering", "drawn_by_the_system")
def electronic_wagering(s: Submission) -> Iterator[Problem]:
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
            "electronic.system", clause, "the Five Card Hand Bonus needs an electronic wagering system, named here"
        )
    if system is None:
        return
    if not system.devices:
        yield Problem("electronic.devices", clause, "each betting position needs its electronic wagering device")
    if not system.lock_out:
        yield Problem("electronic.lock_out", clause, "the system must refuse wagers after “no more bets”")
    for key, every in (
        ("magic_card_one_round_in", system.magic_card_one_round_in),
        ("lucky_bonus_one_round_in", system.lucky_bonus_one_round_in),
    ):
        if every < 0:
            message = "say how often the system draws: one round in so many, 0 for never; the text gives no frequency"
            yield Problem(f"electronic.{key}", s.edition.clause("drawn_by_the_system"), message)
