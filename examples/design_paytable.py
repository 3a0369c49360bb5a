"""Designs a paytable with the exact analysis: `python examples/design_paytable.py [--edge 3.5]`.

The wager is the Pair Plus of Three Card Poker, with a free choice of the lowest winning hand. The hit frequency
depends only on that hand, so lowest hands are tried from the weakest up; for each, every table of a grid of pays is
analyzed exactly. The first lowest hand with a table close enough to the requested edge has the highest hit frequency;
of its tables the closest one is chosen.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise, product

from croupier.analysis.house_edges import analyze_wager
from croupier.analysis.results import WagerResult
from croupier.hands.ranking import Ranking, Rung
from croupier.hands.rankings import THREE_CARD
from croupier.hands.shapes import HighCard
from croupier.regulations import ElectedEdition, edition
from croupier.regulations.payouts import ToOne
from croupier.regulations.paytables import Paytable, Row

EDGE_TOLERANCE = Fraction(5, 10_000)
"""The largest distance from the requested edge: 0.05 %."""
PAYS: Mapping[str, Sequence[int]] = {
    "straight_flush_or_better": (5, 8, 10, 15, 20, 25, 30, 40),
    "three_of_a_kind": (3, 5, 8, 10, 20, 30),
    "straight": (1, 2, 3, 4, 5, 6),
    "flush": (1, 2, 3, 4),
    "pair": (1, 2),
}
LOWEST_HANDS = ("king_high", "ace_high", "ace_king_high", "pair", "flush")
"""Candidates for the lowest winning hand, weakest first; hands below a pair pay 1 to 1."""
HANDS = Ranking(
    "designed_three_card",
    size=3,
    ladder=[
        Rung("high_card", HighCard()),
        Rung("king_high", HighCard(top="K")),
        Rung("ace_high", HighCard(top="A")),
        Rung("ace_king_high", HighCard(top="A", second="K")),
        *THREE_CARD.ladder[1:],
    ],
)


@dataclass(frozen=True, slots=True)
class Design:
    """A table with its exact analysis."""

    table: Paytable
    result: WagerResult
    tables_tried: int
    """The number of tables analyzed."""


def design(elected: ElectedEdition, edge: Fraction) -> Design:
    """The table that wins most often with a house edge within the tolerance of the requested one."""
    printed, tables_tried = elected.paytable("pair_plus"), 0
    for lowest in LOWEST_HANDS:
        best: Design | None = None
        for pays in _grid(lowest):
            table = replace(printed, ranking=HANDS, rows=tuple(Row(h, p, printed.clause) for h, p in pays.items()))
            result = analyze_wager(elected.with_paytable(table), "pair_plus")
            if not isinstance(result, WagerResult):
                raise TypeError("the Pair Plus is not paid by a table")
            tables_tried += 1
            distance = abs(result.house_edge - edge)
            if distance <= EDGE_TOLERANCE and (best is None or distance < abs(best.result.house_edge - edge)):
                best = Design(table, result, tables_tried)
        if best is not None:
            return replace(best, tables_tried=tables_tried)
    raise SystemExit(f"no table of the grid has a house edge close to {float(edge * 100):.2f} %")


def _grid(lowest: str) -> Iterator[dict[str, ToOne]]:
    """Every table in which better hands pay no less, down to the lowest winning hand."""
    below = [
        hand
        for hand in ("ace_king_high", "ace_high", "king_high")
        if LOWEST_HANDS.index(lowest) <= LOWEST_HANDS.index(hand)
    ]
    above = {hand: pays for hand, pays in PAYS.items() if hand != "pair" or lowest != "flush"}
    for odds in product(*above.values()):
        if all(high >= low for high, low in pairwise(odds)):
            pays = dict(zip(above, odds, strict=True)) | dict.fromkeys(below, 1)
            yield {hand: ToOne(Fraction(pay)) for hand, pay in pays.items()}


def main() -> None:
    parser = argparse.ArgumentParser(
        description="Designs a paytable with a given house edge that wins as often as possible."
    )
    parser.add_argument("--edge", default="3.5", metavar="PERCENT", help="the house edge (default: 3.5)")
    requested_edge = Fraction(parser.parse_args().edge) / 100
    best = design(edition("three-card-poker").elect({"pair_plus": "A"}), requested_edge)
    for row in best.table.rows:
        print(f"{row.hand.replace('_', ' '):26}{row.pays}")
    edge, hits = best.result.house_edge, best.result.hit_frequency
    print(f"house edge {float(edge * 100):.4f} %, exactly {edge}; wins {float(hits * 100):.2f} % of the time")
    print(f"{best.tables_tried:,} tables analyzed exactly")


if __name__ == "__main__":
    main()
