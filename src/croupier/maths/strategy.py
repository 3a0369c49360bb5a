"""The exact value of every choice open to one hand.

Against a dealer every hand that he can hold is dealt, so this is also an independent check of the
sweep; on a board the values of the backward solution are read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from croupier.cards import Card, show_cards
from croupier.errors import Malformed
from croupier.games import game
from croupier.games.definition import Contest
from croupier.hands import ranking_named
from croupier.hands.tables import Array
from croupier.maths.boards import class_number, is_board_game, solve
from croupier.maths.contests import sees_a_dealer_card
from croupier.maths.histogram import count_hands
from croupier.maths.payoffs import Payoffs
from croupier.rules import Elected


@dataclass(frozen=True, slots=True)
class Advice:
    """The value per Ante of every choice, and the best of them; the larger wager where two are equal."""

    values: dict[str, Fraction]

    @property
    def best(self) -> str:
        """The best choice. The values stand from the smallest wager to the largest."""
        highest = max(self.values.values())
        return [choice for choice, value in self.values.items() if value == highest][-1]


def advise(
    elected: Elected,
    hand: Sequence[Card],
    up: Card | None = None,
    board: Sequence[Card] = (),
    raised: Sequence[int] = (),
) -> Advice:
    """What every choice is worth with these cards; refuses cards that do not fit the game."""
    seen: set[Card] = set()
    for option, cards in (("--hand", hand), ("--up", [up] if up else []), ("--board", board)):
        for card in cards:
            if card in seen:
                raise Malformed(option, f"{card} is there twice, and a deck has it once")
            seen.add(card)
    if is_board_game(elected):
        return _on_a_board(elected, hand, up, board, raised)
    if board or raised:
        raise Malformed("--board" if board else "--raised", f"{elected.edition.title} has no community cards")
    return _against_the_dealer(elected, hand, up)


def _against_the_dealer(elected: Elected, hand: Sequence[Card], up: Card | None) -> Advice:
    played = game(elected.edition.game)
    contest = played.contest
    if contest is None:
        raise Malformed("", f"the choices of {elected.edition.title} are not known")
    player = ranking_named(contest.player_ranking)
    if len(hand) != player.cards:
        raise Malformed("--hand", f"a hand here is {player.cards} cards, not {len(hand)}: {show_cards(hand)}")
    sees = sees_a_dealer_card(played)
    if sees and up is None:
        raise Malformed("--up", f"in {elected.edition.title} one of the dealer's cards is face up: say which")
    if not sees and up is not None:
        raise Malformed("--up", f"in {elected.edition.title} the dealer's cards are all face down")
    return _values(elected, contest, player.strength(hand), dealer_strengths(contest, hand, up))


def _values(elected: Elected, contest: Contest, strength: int, dealers: Array) -> Advice:
    dealer = ranking_named(contest.dealer_ranking)
    qualifies = dealer.span(contest.qualifies).start if contest.qualifies else 0
    counts = {
        "unqualified": int(dealers[:qualifies].sum()),
        "win": int(dealers[qualifies:strength].sum()),
        "tie": int(dealers[strength]) if strength >= qualifies else 0,
        "lose": int(dealers[max(strength + 1, qualifies) :].sum()),
    }
    payoffs = Payoffs(elected, contest)
    segment = int(payoffs.segments[0][strength])
    total = int(dealers.sum())
    values = {"fold": Fraction(-payoffs.base)}
    for multiple in payoffs.choices:
        if not payoffs.allows(segment, multiple):
            continue
        won = sum((payoffs.net(segment, o, multiple) * counts[o] for o in payoffs.outcomes), Fraction(0))
        values[payoffs.names[1 + payoffs.choices.index(multiple)]] = won / total
    return Advice(values)


def dealer_strengths(contest: Contest, hand: Sequence[Card], up: Card | None) -> Array:
    """How many dealer hands there are of each strength, given what the player sees."""
    dealer = ranking_named(contest.dealer_ranking)
    gone = {card.index for card in hand}
    fixed = [up.index] if up else []
    left = np.array([card for card in range(52) if card not in gone and card not in fixed], dtype=np.int64)
    return count_hands(dealer, left, np.array(fixed, dtype=np.int64))


def _on_a_board(
    elected: Elected, hand: Sequence[Card], up: Card | None, board: Sequence[Card], raised: Sequence[int]
) -> Advice:
    if up is not None:
        raise Malformed("--up", f"in {elected.edition.title} there is no dealer's card")
    solution = solve(elected)
    held = solution.shape.known[0]
    if len(hand) != held:
        raise Malformed("--hand", f"a hand here is {held} cards, not {len(hand)}: {show_cards(hand)}")
    street = len(board)
    known = f"{street} community card{'s' * (street != 1)} known"
    if street not in solution.streets:
        raise Malformed("--board", f"with {known} there is nothing left to decide")
    if len(raised) != street:
        raise Malformed(
            "--raised",
            f"with {known} there {'has' if street == 1 else 'have'} been {street} raise{'s' * (street != 1)}, "
            f"not {len(raised)}",
        )
    shape = solution.shape
    for place, (multiple, allowed) in enumerate(zip(raised, shape.choices, strict=False)):
        if multiple not in allowed:
            names = ", ".join(shape.name(place, m) for m in allowed)
            raise Malformed("--raised", f"a {'choice' if shape.stays[place] else 'raise'} is one of {names}")
    _, values = solution.street(street, shape.base + sum(raised))
    number = class_number([*hand, *board])
    scale = solution.scale * solution.deals(street)
    return Advice({shape.name(street, multiple): Fraction(int(v[number]), scale) for multiple, v in values.items()})
