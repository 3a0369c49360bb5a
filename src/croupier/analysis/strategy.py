"""The exact value of every choice for one hand.

Against a dealer, every dealer hand is enumerated, which makes this an independent check of the sweep.
In a board game, the values come from the solution.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from croupier.analysis.boards.solution import class_number, is_board_game, solve
from croupier.analysis.contests import has_dealer_upcard
from croupier.analysis.counting.histogram import count_hands
from croupier.analysis.payoffs import Payoffs
from croupier.analysis.results import Advice
from croupier.core.cards import Card, show_cards
from croupier.core.errors import InputError
from croupier.games import game
from croupier.games.definition import Contest
from croupier.hands import ranking_named
from croupier.hands.lookup_tables import Array
from croupier.regulations import ElectedEdition


def advise(
    elected: ElectedEdition,
    hand: Sequence[Card],
    up: Card | None = None,
    board: Sequence[Card] = (),
    raised: Sequence[int] = (),
) -> Advice:
    """The value of every choice with these cards; refuses cards that do not fit the game."""
    seen: set[Card] = set()
    for option, cards in (("--hand", hand), ("--up", [up] if up else []), ("--board", board)):
        for card in cards:
            if card in seen:
                raise InputError(option, f"the card {card} is listed twice")
            seen.add(card)
    if is_board_game(elected):
        return _board_advice(elected, hand, up, board, raised)
    if board or raised:
        raise InputError("--board" if board else "--raised", f"{elected.edition.title} has no community cards")
    return _contest_advice(elected, hand, up)


def _contest_advice(elected: ElectedEdition, hand: Sequence[Card], up: Card | None) -> Advice:
    definition = game(elected.edition.game)
    contest = definition.contest
    if contest is None:
        raise InputError("", f"{elected.edition.title} has no contest with a dealer")
    player = ranking_named(contest.player_ranking)
    if len(hand) != player.cards:
        raise InputError("--hand", f"a hand has {player.cards} cards, not {len(hand)}: {show_cards(hand)}")
    has_upcard = has_dealer_upcard(definition)
    if has_upcard and up is None:
        raise InputError("--up", f"in {elected.edition.title} one of the dealer's cards is face up: name it")
    if not has_upcard and up is not None:
        raise InputError("--up", f"in {elected.edition.title} the dealer's cards are all face down")
    return advice_by_counts(elected, contest, player.strength(hand), dealer_strengths(contest, hand, up))


def advice_by_counts(elected: ElectedEdition, contest: Contest, strength: int, dealer_counts: Array) -> Advice:
    """The value of every choice of a hand of this strength, given the number of dealer hands of each strength."""
    dealer = ranking_named(contest.dealer_ranking)
    qualifies = dealer.span(contest.qualifies).start if contest.qualifies else 0
    counts = {
        "unqualified": int(dealer_counts[:qualifies].sum()),
        "win": int(dealer_counts[qualifies:strength].sum()),
        "tie": int(dealer_counts[strength]) if strength >= qualifies else 0,
        "lose": int(dealer_counts[max(strength + 1, qualifies) :].sum()),
    }
    payoffs = Payoffs(elected, contest)
    segment = int(payoffs.segments[0][strength])
    total = int(dealer_counts.sum())
    values = {"fold": Fraction(-payoffs.base)}
    for multiple in payoffs.choices:
        if not payoffs.allows(segment, multiple):
            continue
        expectation = sum(
            (payoffs.net(segment, outcome, multiple) * counts[outcome] for outcome in payoffs.outcomes), Fraction(0)
        )
        values[payoffs.names[1 + payoffs.choices.index(multiple)]] = expectation / total
    return Advice(values)


def dealer_strengths(contest: Contest, hand: Sequence[Card], up: Card | None) -> Array:
    """The number of dealer hands of each strength, given the cards that the player sees."""
    dealer = ranking_named(contest.dealer_ranking)
    player_cards = {card.index for card in hand}
    fixed = [up.index] if up else []
    remaining = np.array([card for card in range(52) if card not in player_cards and card not in fixed], dtype=np.int64)
    return count_hands(dealer, remaining, np.array(fixed, dtype=np.int64))


def _board_advice(
    elected: ElectedEdition, hand: Sequence[Card], up: Card | None, board: Sequence[Card], raised: Sequence[int]
) -> Advice:
    if up is not None:
        raise InputError("--up", f"in {elected.edition.title} there is no dealer card")
    solution = solve(elected)
    hole_cards = solution.shape.cards_known[0]
    if len(hand) != hole_cards:
        raise InputError("--hand", f"a hand has {hole_cards} cards, not {len(hand)}: {show_cards(hand)}")
    street = len(board)
    street_text = f"{street} community card{'s' * (street != 1)} known"
    if street not in solution.streets:
        raise InputError("--board", f"with {street_text} there is nothing left to decide")
    if len(raised) != street:
        raise InputError(
            "--raised",
            f"with {street_text} there {'has' if street == 1 else 'have'} been {street} raise{'s' * (street != 1)}, "
            f"not {len(raised)}",
        )
    shape = solution.shape
    for place, (multiple, allowed) in enumerate(zip(raised, shape.choices, strict=False)):
        if multiple not in allowed:
            names = ", ".join(shape.name(place, m) for m in allowed)
            raise InputError("--raised", f"a {'choice' if shape.pulls_back[place] else 'raise'} is one of {names}")
    _, values = solution.street(street, shape.base + sum(raised))
    number = class_number([*hand, *board])
    scale = solution.scale * solution.deals(street)
    return Advice({shape.name(street, multiple): Fraction(int(v[number]), scale) for multiple, v in values.items()})
