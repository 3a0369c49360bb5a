"""Exact analysis of wagers that paytables alone settle."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from croupier.analysis.counting.histogram import all_hand_strengths, hand_count, histogram
from croupier.analysis.results import MeterResult, RowResult, WagerResult
from croupier.games.definition import ByTable
from croupier.hands.ranking import Ranking
from croupier.regulations import ElectedEdition
from croupier.regulations.payouts import Dollars, ForOne, Loss, OfMeter, Payout, Push, ToOne
from croupier.regulations.paytables import Paytable


@dataclass(frozen=True, slots=True)
class RowCount:
    """A paytable row with its payout and number of hands."""

    hand: str
    pays: Payout
    combinations: int


def count_rows(table: Paytable, counts: tuple[int, ...], suffix: str = "") -> list[RowCount]:
    """The number of hands of each row of a paytable; losing hands last."""
    by_row = [0] * (len(table.rows) + 1)
    for strength, count in enumerate(counts):
        by_row[table.row_numbers[strength]] += count
    rows = [RowCount(row.hand + suffix, row.pays, by_row[number]) for number, row in enumerate(table.rows)]
    return [*rows, RowCount(f"all_others{suffix}", Loss(), by_row[-1])]


def analyze_by_table(
    elected: ElectedEdition, settlement: ByTable, letter: str, wager: Fraction, seeds: Mapping[str, Fraction]
) -> WagerResult:
    """A wager paid by the paytable of a letter, for a stake in dollars."""
    table = elected.paytable_with_letter(settlement.table_name, letter)
    if settlement.decided_by is None:
        rows = count_rows(table, histogram(table.ranking))
        return summarize_rows(rows, hand_count(table.ranking), wager, seeds)
    other = elected.paytable(settlement.otherwise)
    matching, nonmatching = _split_by_deciding_card(table.ranking, settlement.decided_by[1])
    rows = count_rows(table, matching, f"_with_a_{settlement.decided_by[1]}") + count_rows(other, nonmatching)
    return summarize_rows(rows, hand_count(table.ranking) * (52 - table.ranking.cards), wager, seeds)


def _split_by_deciding_card(ranking: Ranking, rank: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Counts by strength of hands with one more card: of the given rank, and of any other."""
    hands, strengths = all_hand_strengths(ranking)
    of_rank = np.uint64(sum(1 << card for card in range(52) if "23456789TJQKA"[card % 13] == rank))
    matches = np.array([int(hand).bit_count() for hand in hands & of_rank])
    matching = np.bincount(strengths, weights=4 - matches, minlength=len(ranking))
    nonmatching = np.bincount(strengths, weights=48 - (ranking.cards - matches), minlength=len(ranking))
    return tuple(int(count) for count in matching), tuple(int(count) for count in nonmatching)


def summarize_rows(
    counts: list[RowCount], combinations: int, wager: Fraction, seeds: Mapping[str, Fraction]
) -> WagerResult:
    """House edge, variance and the rest, from the row counts of a wager.

    `seeds` are the dollars on each meter for this stake.
    """
    if sum(row.combinations for row in counts) != combinations:
        raise AssertionError("the rows of a wager do not add up to the number of hands")
    nets = [net_of(row.pays, wager, seeds) for row in counts]
    mean = sum((net * row.combinations for net, row in zip(nets, counts, strict=True)), Fraction(0)) / combinations
    mean_square = (
        sum((net**2 * row.combinations for net, row in zip(nets, counts, strict=True)), Fraction(0)) / combinations
    )
    hits = sum(row.combinations for row in counts if not isinstance(row.pays, Loss | Push))
    pushes = sum(row.combinations for row in counts if isinstance(row.pays, Push))
    rows = tuple(
        RowResult(row.hand, row.pays, row.combinations, net * row.combinations / combinations)
        for row, net in zip(counts, nets, strict=True)
    )
    return WagerResult(
        house_edge=-mean,
        variance=mean_square - mean**2,
        hit_frequency=Fraction(hits, combinations),
        push_frequency=Fraction(pushes, combinations),
        combinations=combinations,
        rows=rows,
        stake=wager if any(isinstance(row.pays, Dollars | OfMeter) for row in counts) else None,
        meters=_meter_results(counts, combinations, wager, seeds, -mean),
    )


def net_of(pays: Payout, wager: Fraction, seeds: Mapping[str, Fraction]) -> Fraction:
    """The net result of one unit wagered."""
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


def _meter_results(
    counts: list[RowCount], combinations: int, wager: Fraction, seeds: Mapping[str, Fraction], edge: Fraction
) -> Mapping[str, MeterResult]:
    meters = {}
    for name, seed in seeds.items():
        meter_rows = [row for row in counts if isinstance(row.pays, OfMeter) and row.pays.meter == name]
        worth_of_a_dollar = sum(
            (row.pays.share * row.combinations for row in meter_rows if isinstance(row.pays, OfMeter)), Fraction(0)
        ) / (combinations * wager)
        jackpot_rows = [row for row in meter_rows if isinstance(row.pays, OfMeter) and row.pays.share == 1]
        hit_count = sum(row.combinations for row in jackpot_rows)
        break_even = seed + edge / worth_of_a_dollar if worth_of_a_dollar else None
        meters[name] = MeterResult(worth_of_a_dollar, break_even, Fraction(hit_count, combinations), seed)
    return meters
