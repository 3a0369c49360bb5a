"""Paytables: the rows of a regulation, compiled to an array from strength to row."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property

from croupier.core.dataclass import dataclass
from croupier.core.errors import InputError
from croupier.hands import Ranking
from croupier.regulations.payouts import Loss, Payout


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a paytable: the hand as printed, its payout and its clause."""

    hand: str
    pays: Payout
    clause: str


@dataclass(frozen=True)
class Paytable:
    """One table of a regulation. A hand is paid once, on the first row that it matches."""

    name: str
    letter: str
    clause: str
    ranking: Ranking
    rows: tuple[Row, ...]

    def row_of(self, strength: int) -> Row | None:
        """The row that pays a strength, or `None` if the wager loses."""
        number = self.row_numbers[strength]
        return None if number < 0 else self.rows[number]

    def payout(self, strength: int) -> Payout:
        """The payout of a strength."""
        row = self.row_of(strength)
        return Loss() if row is None else row.pays

    @cached_property
    def row_numbers(self) -> array[int]:
        """For each strength of the ranking, the number of the row that pays it; -1 if none does.

        Cards that reach a rung above the ladder also contain the ladder's highest hand, and are paid for
        it if they have no row of their own: a six-card royal as a royal (AMB-06).
        """
        numbers = array("h", [-1]) * len(self.ranking)
        for number in range(len(self.rows) - 1, -1, -1):
            for strength in self.ranking.span(self.rows[number].hand):
                numbers[strength] = number
        highest = self.ranking.span(self.ranking.ladder[-1].name)[-1]
        for strength in range(highest + 1, len(self.ranking)):
            if numbers[strength] < 0:
                numbers[strength] = numbers[highest]
        return numbers

    def with_ranking(self, ranking: Ranking) -> Paytable:
        return replace(self, ranking=ranking)

    def with_rows_renamed(self, names: Mapping[str, str]) -> Paytable:
        return replace(self, rows=tuple(replace(row, hand=names.get(row.hand, row.hand)) for row in self.rows))

    def with_pays(self, pays: Mapping[str, Payout]) -> Paytable:
        return replace(self, rows=tuple(replace(row, pays=pays.get(row.hand, row.pays)) for row in self.rows))

    def problems(self) -> Iterator[tuple[str, str]]:
        """Problems of the rows: a hand that does not exist, is shadowed, or is out of order."""
        paid: set[int] = set()
        lowest = self.ranking.place_count
        for row in self.rows:
            try:
                places = set(self.ranking.places(row.hand))
            except InputError as error:
                yield row.hand, error.reason
                continue
            unpaid = places - paid
            if not unpaid:
                yield row.hand, "is shadowed: every such hand is already paid by the rows above it"
                continue
            if max(unpaid) >= lowest:
                yield row.hand, "is out of order: rows run from the highest hand to the lowest"
            lowest = min(unpaid)
            paid |= places
