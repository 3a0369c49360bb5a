"""The checks of a Rules Submission about progressive and electronic wagers."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.core.money import Cents, format_money
from croupier.regulations.clauses import carries_out
from croupier.regulations.edition import MeterRule, ProgressiveRule
from croupier.submissions.model import MeterTerms, Problem, Submission


def offered_progressives(s: Submission) -> list[ProgressiveRule]:
    """The progressive wagers on chips that the submission offers."""
    return [rule for name, rule in s.edition.progressives.items() if name in s.wagers]


@carries_out("one_progressive", "progressive_system", "progressive_devices", "progressive_lock_out")
def check_progressive_system(s: Submission) -> Iterator[Problem]:
    offered, rules = offered_progressives(s), s.edition
    if len(offered) > 1:
        yield Problem("wagers", rules.clause("one_progressive"), "a table may offer only one progressive wager")
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
def check_progressive_amounts(s: Submission) -> Iterator[Problem]:
    for rule in offered_progressives(s):
        amount = s.progressive.amount if s.progressive else None
        allowed = " or ".join(format_money(cents) for cents in rule.amounts)
        if s.progressive and amount is None:
            yield Problem("progressive.amount", rule.amounts_clause, f"is missing: the wager is {allowed}")
        elif amount is not None and amount not in rule.amounts:
            yield Problem("progressive.amount", rule.amounts_clause, f"{format_money(amount)} is not {allowed}")
        limits = s.wagers[rule.wager]
        if amount is not None and not limits.minimum == limits.maximum == amount:
            message = f"minimum and maximum must both equal the amount of the wager, {format_money(amount)}"
            yield Problem(f"wagers.{rule.wager}", rule.amounts_clause, message)


@carries_out("fixed_meters", "meter_rate", "meter_amounts")
def check_progressive_meters(s: Submission) -> Iterator[Problem]:
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
            terms = s.progressive.meters.get(name)
            if meter_rule.minimum is None:
                yield from _check_fixed_meter(name, meter_rule, terms)
            else:
                yield from _check_free_meter(s, name, meter_rule, terms)
        rates = [meter.rate for meter in s.progressive.meters.values() if meter.rate is not None]
        if sum(rates) >= 1 and all(rate < 1 for rate in rates):
            message = "the rates of all meters must add up to less than 100%"
            yield Problem("progressive.meters", s.edition.clause("meter_rate"), message)


def _check_fixed_meter(name: str, rule: MeterRule, terms: MeterTerms | None) -> Iterator[Problem]:
    if terms is not None:
        message = "amounts and rates of this meter are fixed by the regulation and may not be stated"
        yield Problem(f"progressive.meters.{name}", rule.clause, message)


def _check_free_meter(s: Submission, name: str, rule: MeterRule, terms: MeterTerms | None) -> Iterator[Problem]:
    key = f"progressive.meters.{name}"
    if terms is None:
        yield Problem(
            key, s.edition.clause("meter_amounts"), "is missing: state the initial and reset amounts and the rate"
        )
        return
    for part, amount in (("initial", terms.initial), ("reset", terms.reset)):
        if amount is None:
            yield Problem(f"{key}.{part}", s.edition.clause("meter_amounts"), f"the {part} amount is missing")
        elif rule.minimum is not None and amount < rule.minimum:
            message = f"the {part} amount must be at least {format_money(rule.minimum)}, not {format_money(amount)}"
            yield Problem(f"{key}.{part}", rule.clause, message)
    clause = s.edition.clause("meter_rate")
    if terms.rate is None:
        yield Problem(f"{key}.rate", clause, "the rate of progression is missing")
    elif not 0 <= terms.rate < 1:
        yield Problem(f"{key}.rate", clause, "the rate of progression must be at least 0% and less than 100%")


@carries_out("progressive_system")
def check_meter_limits(s: Submission) -> Iterator[Problem]:
    """The operator's limits name existing meters and are above their starting and reset amounts."""
    clause = s.edition.clause("progressive_system")
    for rule in offered_progressives(s):
        meters = rule.meters[s.elected.choices[rule.wager]]
        for tier, limit in (s.progressive.limits if s.progressive else {}).items():
            if tier not in meters:
                message = f"this table has no meter of this name, only {', '.join(meters)}"
                yield Problem(f"progressive.limits.{tier}", clause, message)
                continue
            terms = s.progressive.meters.get(tier) if s.progressive else None
            amount = s.progressive.amount if s.progressive else None
            scale = (amount or 100) // 100 if rule.scales else 1
            seed = (meters[tier].seed or 0) * scale
            minimum = max(seed, (terms.initial or 0) if terms else 0, (terms.reset or 0) if terms else 0)
            if limit <= minimum:
                message = (
                    f"{format_money(limit)} is not above the {format_money(Cents(minimum))} "
                    "that the meter starts or resets at"
                )
                yield Problem(f"progressive.limits.{tier}", clause, message)
    if s.electronic is not None and s.electronic.limit is not None:
        minimum = 0
        for rule in s.edition.progressives.values():
            if not rule.amounts:
                wagers = [s.wagers[wager].minimum for wager in sorted(s.edition.electronic) if wager in s.wagers]
                minimum = max(meter.seed or 0 for meter in rule.meters["A"].values()) * min(wagers, default=100) // 100
        if s.electronic.limit <= minimum:
            message = (
                f"{format_money(s.electronic.limit)} is not above the {format_money(Cents(minimum))} "
                "that the meter starts at"
            )
            yield Problem("electronic.limit", s.edition.clause("electronic_wagering"), message)


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
