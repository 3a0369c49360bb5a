"""The terms of a table: what a Rules Submission lays down and the head of a record repeats.

The checks of a submission and the audit of a record read the same terms (`croupier.submissions.table_checks`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from croupier.core.dataclass import dataclass
from croupier.core.money import Cents
from croupier.games import game
from croupier.regulations import Edition, ElectedEdition
from croupier.regulations.edition import MeterRule, ProgressiveRule
from croupier.submissions.model import MeterTerms, Submission, WagerLimits

MAIN = "main"
RESERVE = "reserve"


@dataclass(frozen=True, slots=True)
class StatedMeter:
    """The amounts of one meter; `None` stands for an amount that is not stated."""

    key: str
    """Where they are stated."""
    limit_key: str
    table: str
    """The paytable that pays from the meter."""
    tier: str
    seed: Fraction | None
    reseed: Fraction | None
    rate: Fraction | None
    limit: Fraction | None
    opening: Fraction | None = None
    """The amount before the first round, if the meter does not start at its seed."""


@dataclass(frozen=True, slots=True)
class TableTerms:
    """The terms of a table, apart from its equipment and its layout."""

    elected: ElectedEdition
    seats: int
    adjacent_boxes: int
    odd_cents: str
    smallest_chip: int
    """In cents; 0 if wagers of any amount are taken."""
    wagers: Mapping[str, WagerLimits]
    payout_limit: Cents | None
    method: str
    shuffler: str
    decks: int
    preshuffled: bool
    dealer_cards_first: bool
    four_card_stacks: bool
    counts_deck_age: bool
    substitute_methods: tuple[str, ...]
    """Dealing methods for when the shoe is out of order, besides the manual shoe."""
    substitute_shufflers: tuple[str, ...]
    """Shufflers for when the usual one is out of order, besides a shuffle by hand."""
    device_approval: str | None
    """The approval of a reshuffling device; `None` in a record that does not state it."""
    progressive_amount: int | None
    """The fixed amount of a progressive wager, in cents."""
    meters: tuple[StatedMeter, ...]
    draws: Mapping[str, int]

    @property
    def edition(self) -> Edition:
        return self.elected.edition

    @property
    def has_shuffler(self) -> bool:
        return self.shuffler in ("automated", "counting", "reshuffling")

    def choice(self, election: str) -> str:
        """The choice in force; empty if the edition does not have that election."""
        return self.elected.choices.get(election, "")

    def offers(self, wager: str) -> bool:
        """Whether the wager can be made at this table. Wagers made in play or with another wager need no entry."""
        rule = self.edition.wagers[wager]
        return wager in self.wagers or rule.made_in_play or (bool(rule.equals) and rule.equals in self.wagers)


def offered_progressives(terms: TableTerms | Submission) -> list[ProgressiveRule]:
    """The progressive wagers on chips that a table offers."""
    return [rule for name, rule in terms.edition.progressives.items() if name in terms.wagers]


def smallest_wager(terms: TableTerms, table: str) -> int:
    """The wager that a meter's amounts are planned for: the fixed amount, or the smallest that is taken."""
    rule, table_of = terms.edition.progressives[table], game(terms.edition.game).table_of
    if rule.amounts:
        return terms.progressive_amount or 100
    return min((limits.minimum for wager, limits in terms.wagers.items() if table_of(wager) == table), default=100)


def terms_of_submission(s: Submission) -> TableTerms:
    """The terms that a submission states; what it leaves out is as harmless as possible."""
    dealing, progressive, electronic = s.dealing, s.progressive, s.electronic
    return TableTerms(
        elected=s.elected,
        seats=s.seats,
        adjacent_boxes=1 if s.adjacent_boxes is None else s.adjacent_boxes,
        odd_cents=s.odd_cents,
        smallest_chip=s.smallest_chip,
        wagers=s.wagers,
        payout_limit=s.payout_limit,
        method=dealing.method,
        shuffler=dealing.shuffler,
        decks=dealing.decks,
        preshuffled=dealing.preshuffled,
        dealer_cards_first=dealing.dealer_cards_first,
        four_card_stacks=dealing.four_card_stacks,
        counts_deck_age=True,
        substitute_methods=dealing.substitute_methods,
        substitute_shufflers=dealing.substitute_shufflers,
        device_approval=dealing.device_approval,
        progressive_amount=progressive.amount if progressive else None,
        meters=tuple(_submitted_figures(s)),
        draws={
            bonus: rounds
            for bonus, rounds in (
                ("magic_card_bonus", electronic.magic_card_one_round_in if electronic else 0),
                ("lucky_bonus", electronic.lucky_bonus_one_round_in if electronic else 0),
            )
            if rounds > 0
        },
    )


def _submitted_figures(s: Submission) -> Iterator[StatedMeter]:
    """The meters of the wagers offered: what the regulation fixes, or else what the submission states."""
    table_of = game(s.edition.game).table_of
    for table, rule in s.edition.progressives.items():
        wagers = [wager for wager in s.wagers if table_of(wager) == table]
        if not wagers or (rule.amounts and s.progressive is None):
            continue
        amount = s.progressive.amount if s.progressive and rule.amounts else None
        stake = amount or (100 if rule.amounts else min(s.wagers[wager].minimum for wager in wagers))
        for tier, meter in rule.meters[s.elected.choices.get(table, "A")].items():
            scale = Fraction(stake, 100) if rule.scales else Fraction(1)
            if rule.amounts and s.progressive is not None:
                limit = s.progressive.limits.get(tier)
                key, limit_key = f"progressive.meters.{tier}", f"progressive.limits.{tier}"
                stated = s.progressive.meters.get(tier)
            else:
                limit = s.electronic.limit if s.electronic and tier == MAIN else None
                key, limit_key, stated = "electronic", "electronic.limit", None
            seed, reseed, rate = _amounts(meter, scale, stated)
            cap = None if limit is None else Fraction(limit)
            yield StatedMeter(key, limit_key, table, tier, seed, reseed, rate, cap)


def _amounts(
    meter: MeterRule, scale: Fraction, stated: MeterTerms | None
) -> tuple[Fraction | None, Fraction | None, Fraction | None]:
    """The seed, the reset amount and the rate of a meter."""
    if meter.minimum is None:
        return Fraction(meter.seed or 0) * scale, Fraction(meter.reseed or 0) * scale, meter.rate
    if stated is None:
        return None, None, None
    seed, reset = (None if amount is None else Fraction(amount) for amount in (stated.initial, stated.reset))
    return seed, reset, stated.rate
