"""Wagers that tables alone settle: exact counts of every row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from croupier.games.definition import ByTable
from croupier.hands.ranking import Ranking
from croupier.maths.histogram import histogram, strengths_of_all, total
from croupier.maths.results import MeterResult, RowResult, WagerResult
from croupier.rules import Elected
from croupier.rules.payouts import Dollars, ForOne, Loss, OfMeter, Payout, Push, ToOne
from croupier.rules.paytables import Paytable


@dataclass(frozen=True, slots=True)
class Line:
    """A row that some hands have: its name, what it pays, and how many hands."""

    hand: str
    pays: Payout
    combinations: int


def lines(table: Paytable, counts: tuple[int, ...], suffix: str = "") -> list[Line]:
    """The rows of a table with how many hands each has; the losing hands last."""
    by_row = [0] * (len(table.rows) + 1)
    for strength, count in enumerate(counts):
        by_row[table.row_numbers[strength]] += count
    found = [Line(row.hand + suffix, row.pays, by_row[number]) for number, row in enumerate(table.rows)]
    return [*found, Line(f"all_others{suffix}", Loss(), by_row[-1])]


def analyse_by_table(
    elected: Elected, settlement: ByTable, letter: str, wager: Fraction, seeds: Mapping[str, Fraction]
) -> WagerResult:
    """A wager on a table of that letter, for a stake of so many dollars."""
    table = elected.paytable_with_letter(settlement.table_name, letter)
    if settlement.decided_by is None:
        found = lines(table, histogram(table.ranking))
        return result(found, total(table.ranking), wager, seeds)
    other = elected.paytable(settlement.otherwise)
    with_it, without = _decided(table.ranking, settlement.decided_by[1])
    found = lines(table, with_it, f"_with_a_{settlement.decided_by[1]}") + lines(other, without)
    return result(found, total(table.ranking) * (52 - table.ranking.cards), wager, seeds)


def _decided(ranking: Ranking, rank: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Hands with one more card: of a rank, and of any other."""
    hands, strengths = strengths_of_all(ranking)
    of_rank = np.uint64(sum(1 << card for card in range(52) if "23456789TJQKA"[card % 13] == rank))
    held = np.array([int(hand).bit_count() for hand in hands & of_rank])
    matching = np.bincount(strengths, weights=4 - held, minlength=len(ranking))
    others = np.bincount(strengths, weights=48 - (ranking.cards - held), minlength=len(ranking))
    return tuple(int(count) for count in matching), tuple(int(count) for count in others)


def result(found: list[Line], combinations: int, wager: Fraction, seeds: Mapping[str, Fraction]) -> WagerResult:
    """House edge, variance and the rest, from the lines of a wager.

    `seeds` are the dollars on each meter for a wager of this size.
    """
    if sum(line.combinations for line in found) != combinations:
        raise AssertionError("the rows of a wager do not add up to all its hands")
    nets = [net_of(line.pays, wager, seeds) for line in found]
    mean = sum((net * line.combinations for net, line in zip(nets, found, strict=True)), Fraction(0)) / combinations
    square = (
        sum((net**2 * line.combinations for net, line in zip(nets, found, strict=True)), Fraction(0)) / combinations
    )
    hits = sum(line.combinations for line in found if not isinstance(line.pays, Loss | Push))
    pushes = sum(line.combinations for line in found if isinstance(line.pays, Push))
    rows = tuple(
        RowResult(line.hand, line.pays, line.combinations, net * line.combinations / combinations)
        for line, net in zip(found, nets, strict=True)
    )
    return WagerResult(
        house_edge=-mean,
        variance=square - mean**2,
        hit_frequency=Fraction(hits, combinations),
        push_frequency=Fraction(pushes, combinations),
        combinations=combinations,
        rows=rows,
        stake=wager if any(isinstance(line.pays, Dollars | OfMeter) for line in found) else None,
        meters=_meters(found, combinations, wager, seeds, -mean),
    )


def net_of(pays: Payout, wager: Fraction, seeds: Mapping[str, Fraction]) -> Fraction:
    """What one unit wagered gains or loses."""
    match pays:
        case ToOne(odds):
            return odds
        case ForOne(multiple):
            return multiple - 1
        case Dollars(cents):
            return Fraction(cents, 100) / wager
        case OfMeter(share, meter):
            return share * seeds[meter] / wager - 1
        case Push():
            return Fraction(0)
        case Loss():
            return Fraction(-1)


def _meters(
    found: list[Line], combinations: int, wager: Fraction, seeds: Mapping[str, Fraction], edge: Fraction
) -> Mapping[str, MeterResult]:
    meters = {}
    for name, seed in seeds.items():
        on_it = [line for line in found if isinstance(line.pays, OfMeter) and line.pays.meter == name]
        worth = sum(
            (line.pays.share * line.combinations for line in on_it if isinstance(line.pays, OfMeter)), Fraction(0)
        ) / (combinations * wager)
        emptied = [line for line in on_it if isinstance(line.pays, OfMeter) and line.pays.share == 1]
        hits = sum(line.combinations for line in emptied)
        even = seed + edge / worth if worth else None
        meters[name] = MeterResult(worth, even, Fraction(hits, combinations), seed)
    return meters
