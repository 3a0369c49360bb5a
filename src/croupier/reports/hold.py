"""The hold: computes the observed hold of settled wagers and judges it by the expected hold (RPT-1).

`croupier hold` and the office both use this module, one with the events of a record and one with those of a database.

A *bet* is a unit with one house edge. The required wagers of a seat in a round and their bonuses are one bet, measured
per Ante. A bonus without a stake belongs to the wager that earns it: an Envy Bonus to its progressive wager, a Magic
Card or Lucky Bonus to the electronic wager it is paid on. Corrections count. Bets returned in a void round do not.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from math import erfc, sqrt

from croupier.analysis.results import RequiredResult, WagerResult
from croupier.core.errors import InputError
from croupier.core.statistics import CONFIDENCE_DEVIATIONS, hold_standard_deviation
from croupier.regulations import Edition
from croupier.table.model.events import BetsClosed, PaymentCorrected, WagerSettled
from croupier.table.record.file import Record

REQUIRED_BET = "ante"
"""The bet of the required wagers."""
RETURNED = "returned"
"""The outcome of a wager in a void round."""


@dataclass(frozen=True, slots=True)
class Bet:
    """One bet of one seat in one round, in cents."""

    name: str
    staked: int
    won: int
    """The house's win, after corrections and bonuses."""
    largest: int
    """The largest single payment."""


@dataclass(slots=True)
class _OpenBet:
    staked: int = 0
    won: int = 0
    largest: int = 0
    void: bool = False


class Bets:
    """Collects the bets of one table from its settlements and corrections, added in order."""

    def __init__(self, rules: Edition) -> None:
        self._rules = rules
        self._bets: dict[tuple[int, int, str], _OpenBet] = defaultdict(_OpenBet)
        self._last_wager: dict[tuple[int, int], str] = {}
        self._drawn: dict[tuple[int, int, str], list[str]] = defaultdict(list)
        """For each bonus drawn by the system, the bets that it was paid on; a seat may win it on two."""

    def add(self, round_: int, event: WagerSettled | PaymentCorrected) -> None:
        """Adds an entry of a settlement or a correction; `round_` is the settled round."""
        if isinstance(event, PaymentCorrected):
            self._correct(event)
            return
        name = self._bet_of(round_, event)
        bet = self._bets[round_, event.seat, name]
        if event.wager == name:
            bet.staked += event.staked
        bet.won += event.staked - event.returned - event.paid
        bet.largest = max(bet.largest, event.paid)
        bet.void = bet.void or event.outcome == RETURNED

    def _bet_of(self, round_: int, event: WagerSettled) -> str:
        """The bet of an entry. A bonus drawn by the system follows the entry of the wager that it is paid on."""
        if is_named(self._rules, event.wager):
            name = self._last_wager[round_, event.seat] = bet_of(self._rules, event.wager)
            return name
        name = self._last_wager.get((round_, event.seat), REQUIRED_BET)
        self._drawn[round_, event.seat, event.wager].append(name)
        return name

    def _correct(self, event: PaymentCorrected) -> None:
        name = bet_of(self._rules, event.wager)
        drawn = self._drawn.get((event.round, event.seat, event.wager), [])
        if len(drawn) >= event.number:
            name = drawn[event.number - 1]
        bet = self._bets[event.round, event.seat, name]
        bet.won -= event.returned + event.paid - event.old_returned - event.old_paid
        bet.largest = event.paid if event.old_paid == bet.largest else max(bet.largest, event.paid)

    def __iter__(self) -> Iterator[Bet]:
        """The bets with a stake that were not void."""
        for (_, _, name), bet in self._bets.items():
            if bet.staked and not bet.void:
                yield Bet(name, bet.staked, bet.won, bet.largest)


def is_named(rules: Edition, wager: str) -> bool:
    """Whether the edition names the wager that an entry of a settlement belongs to."""
    return wager in rules.wagers or wager in rules.paytables or wager in rules.envies


def bet_of(rules: Edition, wager: str) -> str:
    """The bet that a wager, a bonus or an Envy Bonus belongs to."""
    if wager in rules.optional:
        return wager
    tables = rules.paytables.get(wager) or rules.envies.get(wager)
    return tables.on if tables is not None and tables.on in rules.optional else REQUIRED_BET


def collect_bets(record: Record) -> Bets:
    """The bets of a record."""
    bets, round_ = Bets(record.setup.elected.edition), 0
    for event in record.events:
        if isinstance(event, BetsClosed):
            round_ = event.round
        elif isinstance(event, WagerSettled | PaymentCorrected):
            bets.add(round_, event)
    return bets


@dataclass(slots=True)
class Observed:
    """The totals of all bets of one name, in cents."""

    hands: int = 0
    wagered: int = 0
    squares: Fraction = Fraction(0)
    """The sum of the squares of the single stakes."""
    won: int = 0
    largest: int = 0
    """The largest single payment; 0 if unknown."""

    def add(self, bet: Bet) -> None:
        self.hands += 1
        self.wagered += bet.staked
        self.squares += bet.staked**2
        self.won += bet.won
        self.largest = max(self.largest, bet.largest)

    @property
    def hold(self) -> Fraction:
        """The house's win per unit wagered; raises `InputError` if nothing was wagered."""
        if not self.wagered:
            raise InputError("", "nothing was wagered")
        return Fraction(self.won, self.wagered)


def observe(bets: Iterable[Bet]) -> dict[str, Observed]:
    """Totals bets by name."""
    totals: dict[str, Observed] = {}
    for bet in bets:
        totals.setdefault(bet.name, Observed()).add(bet)
    return totals


@dataclass(frozen=True, slots=True)
class Expected:
    """The expectation of a bet, per unit wagered."""

    house_edge: Fraction
    """With meters at their seeds and without Envy Bonuses."""
    variance: float
    is_fixed: bool
    """False if a meter pays the bet or other hands earn it Envy Bonuses: then the hold is not judged."""

    @classmethod
    def of(cls, result: RequiredResult | WagerResult) -> Expected:
        """The expectation that an exact analysis gives."""
        varies = isinstance(result, WagerResult) and (bool(result.meters) or result.envy is not None)
        return cls(result.house_edge, float(result.variance), is_fixed=not varies)


class Verdict(StrEnum):
    """Where an observed hold is relative to its interval."""

    WITHIN = "within"
    ABOVE = "above"
    BELOW = "below"
    NOT_JUDGED = "not judged"

    @property
    def is_outside(self) -> bool:
        return self in (Verdict.ABOVE, Verdict.BELOW)


@dataclass(frozen=True, slots=True)
class Judgment:
    """An observed hold and its 95 % interval."""

    hold: Fraction
    house_edge: Fraction
    margin: float
    """Half the width of the interval."""
    z: float
    """The distance from the house edge, in standard deviations."""
    verdict: Verdict

    @property
    def low(self) -> float:
        return float(self.house_edge) - self.margin

    @property
    def high(self) -> float:
        return float(self.house_edge) + self.margin

    @property
    def p(self) -> float:
        """The probability of a difference at least this large by chance."""
        return erfc(abs(self.z) / sqrt(2))


def judge(observed: Observed, expected: Expected) -> Judgment:
    """Judges a hold, assuming independent bets; raises `InputError` if nothing was wagered."""
    hold = observed.hold
    deviation = hold_standard_deviation(expected.variance, float(observed.squares), observed.wagered)
    z = (float(hold) - float(expected.house_edge)) / deviation if deviation else 0.0
    if not expected.is_fixed:
        verdict = Verdict.NOT_JUDGED
    elif abs(z) <= CONFIDENCE_DEVIATIONS:
        verdict = Verdict.WITHIN
    else:
        verdict = Verdict.ABOVE if z > 0 else Verdict.BELOW
    return Judgment(hold, expected.house_edge, CONFIDENCE_DEVIATIONS * deviation, z, verdict)
