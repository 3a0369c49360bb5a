"""Designs a paytable with the exact analyser in the loop: `python examples/design_paytable.py [--edge 3.5]`.

The wager is Three Card Poker's Pair Plus, but any hand may be the lowest that wins. How often a wager
wins depends on that hand alone, so the lowest hand is tried from the weakest up, and for each every
table of a grid of pays is analysed exactly. The first hand with a table near enough to the edge asked
for wins most often; of its tables the one nearest to that edge is taken.
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

NEAR = Fraction(5, 10_000)
"""How far from the edge asked for a table may be: 0.05 %."""
PAYS: Mapping[str, Sequence[int]] = {
    "straight_flush_or_better": (5, 8, 10, 15, 20, 25, 30, 40),
    "three_of_a_kind": (3, 5, 8, 10, 20, 30),
    "straight": (1, 2, 3, 4, 5, 6),
    "flush": (1, 2, 3, 4),
    "pair": (1, 2),
}
LOWEST = ("king_high", "ace_high", "ace_king_high", "pair", "flush")
"""Hands that may be the lowest to win, weakest first; those below a pair are paid 1 to 1."""
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
class Designed:
    """A table with what the exact analysis says of it."""

    table: Paytable
    result: WagerResult
    tried: int
    """How many tables were analysed before it was found."""


def design(elected: ElectedEdition, edge: Fraction) -> Designed:
    """The table that wins most often with a house edge as near to the one asked for as the pays allow."""
    printed, tried = elected.paytable("pair_plus"), 0
    for lowest in LOWEST:
        best: Designed | None = None
        for pays in _grid(lowest):
            table = replace(printed, ranking=HANDS, rows=tuple(Row(h, p, printed.clause) for h, p in pays.items()))
            result = analyze_wager(elected.with_paytable(table), "pair_plus")
            if not isinstance(result, WagerResult):
                raise TypeError("the Pair Plus is a wager on a table")
            tried += 1
            distance = abs(result.house_edge - edge)
            if distance <= NEAR and (best is None or distance < abs(best.result.house_edge - edge)):
                best = Designed(table, result, tried)
        if best is not None:
            return replace(best, tried=tried)
    raise SystemExit(f"no table of the grid has a house edge near {float(edge * 100):.2f} %")


def _grid(lowest: str) -> Iterator[dict[str, ToOne]]:
    """Every table whose better hands pay no less, down to the lowest hand that wins."""
    below = [hand for hand in ("ace_king_high", "ace_high", "king_high") if LOWEST.index(lowest) <= LOWEST.index(hand)]
    above = {hand: pays for hand, pays in PAYS.items() if hand != "pair" or lowest != "flush"}
    for chosen in product(*above.values()):
        if all(high >= low for high, low in pairwise(chosen)):
            made = dict(zip(above, chosen, strict=True)) | dict.fromkeys(below, 1)
            yield {hand: ToOne(Fraction(odds)) for hand, odds in made.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description="Designs a paytable: the edge asked for, and as many wins as can be.")
    parser.add_argument("--edge", default="3.5", metavar="PERCENT", help="the house edge (default: 3.5)")
    asked = Fraction(parser.parse_args().edge) / 100
    found = design(edition("three-card-poker").elect({"pair_plus": "A"}), asked)
    for row in found.table.rows:
        print(f"{row.hand.replace('_', ' '):26}{row.pays}")
    edge, hits = found.result.house_edge, found.result.hit_frequency
    print(f"house edge {float(edge * 100):.4f} %, exactly {edge}; wins {float(hits * 100):.2f} % of the time")
    print(f"{found.tried:,} tables were analysed, each exactly")


if __name__ == "__main__":
    main()
