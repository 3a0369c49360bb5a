"""Wagers on meters: the stake they are analysed for, the long run, and what Envy Bonuses are worth."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from croupier.maths.histogram import histogram, total
from croupier.maths.results import EnvyResult, WagerResult
from croupier.rules import Elected
from croupier.rules.edition import ProgressiveRule
from croupier.rules.payouts import Dollars, ForOne

USUAL_STAKE = Fraction(5)
"""Dollars for which rows that pay flat dollars are analysed unless another wager is asked for."""


def stake_of(elected: Elected, table: str, asked: Fraction | None) -> Fraction:
    """The dollars that a wager on a table is analysed for.

    Of a progressive wager the amount asked for where the edition allows it, else the smallest it
    allows: Pennsylvania prints seeds and pays for one dollar, and Maryland's meters start at the
    same amount for every wager.
    """
    rule = elected.edition.progressives.get(table)
    if rule is None:
        return USUAL_STAKE if asked is None else asked
    if not rule.amounts:
        return Fraction(1) if asked is None else asked
    allowed = [Fraction(amount, 100) for amount in rule.amounts]
    return asked if asked in allowed else allowed[0]


def seeds_of(elected: Elected, table: str, letter: str, stake: Fraction) -> Mapping[str, Fraction]:
    """The dollars that the meters of a table start with, for a wager of so many dollars; none where it has no meter."""
    rule = elected.edition.progressives.get(table)
    if rule is None:
        return {}
    seeds = {}
    for name, meter in rule.meters[letter].items():
        cents = meter.seed if meter.seed is not None else meter.minimum
        seeds[name] = Fraction(cents or 0, 100) * (stake if rule.scales else 1)
    return seeds


def long_run_return(rule: ProgressiveRule, letter: str, found: WagerResult, stake: Fraction) -> Fraction | None:
    """Fixed rows, and in the long run all that is fed to the meters and all that reseeds them.

    `None` where the rates are the operator's.
    """
    meters = rule.meters[letter]
    if any(meter.rate is None for meter in meters.values()):
        return None
    rows = [row for row in found.rows if isinstance(row.payout, ForOne)]
    fixed = sum((row.returned + Fraction(row.combinations, found.combinations) for row in rows), Fraction(0))
    fed = sum(((m.rate or Fraction(0)) + (m.reserve_rate or Fraction(0)) for m in meters.values()), Fraction(0))
    scale = stake if rule.scales else Fraction(1)
    reseeded = sum(
        (found.meters[name].hit_frequency * Fraction(m.reseed or 0, 100) * scale / stake for name, m in meters.items()),
        Fraction(0),
    )
    return fixed + fed + reseeded


def envy_of(elected: Elected, wager: str, letter: str, stake: Fraction) -> EnvyResult | None:
    """What other hands are worth in Envy Bonuses, per unit wagered; `None` where there are none."""
    for name, group in elected.edition.envies.items():
        if group.on == wager:
            chosen = elected
            if name in elected.choices and letter != elected.choices.get(wager, letter):
                # Another progressive table than the elected one: with the envy table of its letter.
                chosen = elected.edition.elect({**elected.choices, wager: letter, name: letter})
            table = chosen.envy_table(name, int(stake))
            counts = histogram(table.ranking)
            paid = sum(
                Fraction(payout.cents, 100) * counts[strength]
                for strength in range(len(table.ranking))
                if isinstance(payout := table.payout(strength), Dollars)
            )
            return EnvyResult(Fraction(paid) / total(table.ranking) / stake, elected.edition.figure("seats") - 1)
    return None
