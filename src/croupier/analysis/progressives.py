"""Progressive wagers: their analyzed stake, long-run return and Envy Bonuses."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from croupier.analysis.counting.histogram import hand_count, histogram
from croupier.analysis.results import EnvyResult, WagerResult
from croupier.regulations import ElectedEdition
from croupier.regulations.edition import ProgressiveRule
from croupier.regulations.payouts import Dollars, ForOne

DEFAULT_STAKE_DOLLARS = Fraction(5)
"""The stake for which rows that pay fixed dollars are analyzed by default."""


def stake_of(elected: ElectedEdition, table: str, requested: Fraction | None) -> Fraction:
    """The stake in dollars for which a wager is analyzed.

    A progressive wager uses the requested amount if the edition permits it, else the smallest
    permitted: Pennsylvania prints seeds and payouts for one dollar, and Maryland's meters start at the
    same amount for every stake.
    """
    rule = elected.edition.progressives.get(table)
    if rule is None:
        return DEFAULT_STAKE_DOLLARS if requested is None else requested
    if not rule.amounts:
        return Fraction(1) if requested is None else requested
    allowed = [Fraction(amount, 100) for amount in rule.amounts]
    return requested if requested in allowed else allowed[0]


def seeds_of(elected: ElectedEdition, table: str, letter: str, stake: Fraction) -> Mapping[str, Fraction]:
    """The seeds of a paytable's meters in dollars, for a stake in dollars; empty without meters."""
    rule = elected.edition.progressives.get(table)
    if rule is None:
        return {}
    seeds = {}
    for name, meter in rule.meters[letter].items():
        cents = meter.seed if meter.seed is not None else meter.minimum
        seeds[name] = Fraction(cents or 0, 100) * (stake if rule.scales else 1)
    return seeds


def long_run_return(rule: ProgressiveRule, letter: str, result: WagerResult, stake: Fraction) -> Fraction | None:
    """The long-run return: fixed rows, contributions and reseeds. `None` if the operator sets the rates."""
    meters = rule.meters[letter]
    if any(meter.rate is None for meter in meters.values()):
        return None
    rows = [row for row in result.rows if isinstance(row.payout, ForOne)]
    fixed = sum((row.returned + Fraction(row.combinations, result.combinations) for row in rows), Fraction(0))
    contributions = sum(
        ((meter.rate or Fraction(0)) + (meter.reserve_rate or Fraction(0)) for meter in meters.values()), Fraction(0)
    )
    scale = stake if rule.scales else Fraction(1)
    reseeds = sum(
        (
            result.meters[name].hit_frequency * Fraction(meter.reseed or 0, 100) * scale / stake
            for name, meter in meters.items()
        ),
        Fraction(0),
    )
    return fixed + contributions + reseeds


def envy_of(elected: ElectedEdition, wager: str, letter: str, stake: Fraction) -> EnvyResult | None:
    """The value of other hands' Envy Bonuses, per unit wagered; `None` if there are none."""
    for name, group in elected.edition.envies.items():
        if group.on == wager:
            with_envy = elected
            if name in elected.choices and letter != elected.choices.get(wager, letter):
                # Not the elected progressive table: use the envy table of the same letter.
                with_envy = elected.edition.elect({**elected.choices, wager: letter, name: letter})
            table = with_envy.envy_table(name, int(stake))
            counts = histogram(table.ranking)
            paid = sum(
                Fraction(payout.cents, 100) * counts[strength]
                for strength in range(len(table.ranking))
                if isinstance(payout := table.payout(strength), Dollars)
            )
            return EnvyResult(Fraction(paid) / hand_count(table.ranking) / stake, elected.edition.figure("seats") - 1)
    return None
