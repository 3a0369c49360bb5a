"""One hand of a board game: the exact value of every choice, over every board that is still possible."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

import numpy as np

from croupier.analysis.boards.solution import solve
from croupier.analysis.protection.board_kernel import sum_over_next_card
from croupier.analysis.protection.symmetry import ascending_sets, binomials
from croupier.analysis.side_wagers import net_of
from croupier.analysis.whole_numbers import scale_to_integers
from croupier.hands.kernels import evaluate
from croupier.hands.lookup_tables import Array
from croupier.regulations import ElectedEdition

GAIN, SQUARE, STAKED, DEALS = range(4)
"""The columns of a value, each summed over deals."""
Policy = Callable[[int, int, Array], Array]
"""Maps a street, the amount staked and sets of known cards (ascending card numbers) to the multiples raised."""


class BoardLeaf:
    """A hand of a board game with what its player knows; values are sums over the deals of all unknown cards."""

    def __init__(
        self,
        elected: ElectedEdition,
        known_cards: Sequence[int],
        left: Sequence[int],
        seen: frozenset[int],
        street: int,
    ) -> None:
        """`known_cards` are all known cards of the hand and the board, `left` the cards that may still come.

        `seen` has the numbers of the board cards, from 1, that are known although they are not revealed on `street`.
        """
        solution = solve(elected)
        self.shape, self.scale = solution.shape, solution.scale
        self._known_cards, self._left = (
            np.sort(np.array(known_cards, dtype=np.uint8)),
            np.sort(np.array(left, dtype=np.uint8)),
        )
        self._seen, self._first = seen, street
        self._allowed = np.ones(len(left), dtype=np.bool_)
        table = elected.paytable(self.shape.table)
        unit_nets = [net_of(table.payout(strength), Fraction(1), {}) for strength in range(len(table.ranking))]
        hands = self._hands(solution.ranking.cards - len(known_cards))
        self._complete = scale_to_integers(unit_nets, self.scale)[evaluate(table.ranking, hands)]

    def _hands(self, count: int) -> Array:
        """The known cards with each set of `count` more, in ascending order."""
        sets = ascending_sets(len(self._left), count)
        cards: Array = np.sort(np.column_stack([np.tile(self._known_cards, (len(sets), 1)), self._left[sets]]), axis=1)
        return cards

    def _drawn(self, street: int) -> int:
        """The number of unknown cards that are revealed before a street."""
        return sum(number not in self._seen for number in range(self._first + 1, street + 1))

    def options(self, street: int, staked: int, policy: Policy | None = None) -> Mapping[int, Array]:
        """The value of each choice on a street for each set of cards drawn since, int64 [sets, 4]; 0 is a fold."""
        options = {m: self._after(street, staked + m, policy) for m in self.shape.choices[street]}
        if self.shape.pulls_back[street]:
            return options
        deals = next(iter(options.values()))[:, DEALS]
        loss = staked * self.scale
        return {0: np.column_stack([-loss * deals, loss * loss * deals, staked * deals, deals]), **options}

    def best(self, street: int, staked: int, policy: Policy | None = None) -> Array:
        """The value of the best choice, or of the choice of a policy."""
        options = self.options(street, staked, policy)
        chosen = None if policy is None else policy(street, staked, self._hands(self._drawn(street)))
        best = next(iter(options.values())).copy()
        for multiple, values in sorted(options.items()):
            takes = values[:, GAIN] >= best[:, GAIN] if chosen is None else chosen == multiple
            best[takes] = values[takes]
        return best

    def _after(self, street: int, staked: int, policy: Policy | None) -> Array:
        """Values after a decision: the next board card is revealed, unless it is known, and play goes on."""
        if street == len(self.shape.choices) - 1:
            gains = staked * self._complete
            ones = np.ones_like(gains)
            values = np.column_stack([gains, gains * gains, staked * ones, ones])
        else:
            values = self.best(street + 1, staked, policy)
        if street + 1 in self._seen:
            return values
        sets = ascending_sets(len(self._left), self._drawn(street))
        sums = np.zeros((len(sets), values.shape[1]), dtype=np.int64)
        sum_over_next_card(sets, self._allowed, binomials(len(self.shape.choices) + 3), values, sums)
        return sums
