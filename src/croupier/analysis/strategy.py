"""The exact value of every choice for one hand.

Against a dealer, every dealer hand is enumerated, which makes this an independent check of the sweep.
In a board game, the values come from the solution; with seen or dead cards, every board is enumerated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from fractions import Fraction

import numpy as np

from croupier.analysis.boards.solution import class_number, is_board_game, solve
from croupier.analysis.contests import has_dealer_upcard
from croupier.analysis.counting.histogram import count_hands
from croupier.analysis.payoffs import Payoffs
from croupier.analysis.protection.board_leaf import DEALS, GAIN, BoardLeaf
from croupier.analysis.protection.knowledge import Place, read_place
from croupier.analysis.results import Advice
from croupier.core.cards import DECK, Card, parse_cards, show_cards
from croupier.core.dataclass import dataclass
from croupier.core.errors import InputError
from croupier.games import game
from croupier.games.definition import COMMUNITY, DEALER, Contest
from croupier.hands import ranking_named
from croupier.hands.lookup_tables import Array
from croupier.regulations import ElectedEdition


@dataclass(frozen=True, slots=True)
class SeenCards:
    """Cards that a player knows although the rules do not show them."""

    places: Mapping[Place, Card] = field(default_factory=dict)
    """Cards that lie face down, by place."""
    dead: tuple[Card, ...] = ()
    """Cards that are out of play."""

    def at(self, name: str) -> dict[int, Card]:
        """The cards seen at a place, by number."""
        return {place.number: card for place, card in self.places.items() if place.name == name}

    def elsewhere(self, *names: str) -> list[Card]:
        """The cards that are at none of these places: they are out of play for the hands."""
        return [*self.dead, *(card for place, card in self.places.items() if place.name not in names)]


NOTHING_SEEN = SeenCards()


def read_seen_cards(elected: ElectedEdition, seen: Mapping[str, str], dead: str) -> SeenCards:
    """Seen cards from text: cards by place, as in `dealer.1` and `Kd`, and dead cards."""
    places: dict[Place, Card] = {}
    for text, card in seen.items():
        place = read_place(elected, "--seen", text)
        if place in places:
            raise InputError("--seen", f"{place} is named twice")
        try:
            places[place] = Card.parse(card.strip())
        except InputError as error:
            raise InputError("--seen", error.reason) from error
    try:
        return SeenCards(places, parse_cards(dead))
    except InputError as error:
        raise InputError("--dead", error.reason) from error


def advise(
    elected: ElectedEdition,
    hand: Sequence[Card],
    up: Card | None = None,
    board: Sequence[Card] = (),
    raised: Sequence[int] = (),
    seen: SeenCards = NOTHING_SEEN,
) -> Advice:
    """The value of every choice with these cards; refuses cards that do not fit the game."""
    _require_different_cards(hand, up, board, seen)
    if is_board_game(elected):
        return _board_advice(elected, hand, up, board, raised, seen)
    if board or raised:
        raise InputError("--board" if board else "--raised", f"{elected.edition.title} has no community cards")
    return _contest_advice(elected, hand, up, seen)


def _require_different_cards(hand: Sequence[Card], up: Card | None, board: Sequence[Card], seen: SeenCards) -> None:
    owners: dict[Card, str] = {}
    groups = [
        ("--hand", "in the hand", hand),
        ("--up", "face up", [up] if up else []),
        ("--board", "on the board", board),
    ]
    groups += [("--seen", f"seen as {place}", [card]) for place, card in seen.places.items()]
    for option, owner, cards in [*groups, ("--dead", "dead", seen.dead)]:
        for card in cards:
            if card in owners and owners[card] == owner:
                raise InputError(option, f"the card {card} is listed twice")
            if card in owners:
                raise InputError(option, f"the card {card} cannot be {owner}: it is {owners[card]}")
            owners[card] = owner


def _contest_advice(elected: ElectedEdition, hand: Sequence[Card], up: Card | None, seen: SeenCards) -> Advice:
    definition = game(elected.edition.game)
    contest = definition.contest
    if contest is None:
        raise InputError("", f"{elected.edition.title} has no contest with a dealer")
    player = ranking_named(contest.player_ranking)
    if len(hand) != player.cards:
        raise InputError("--hand", f"a hand has {player.cards} cards, not {len(hand)}: {show_cards(hand)}")
    if has_dealer_upcard(definition) and up is None:
        raise InputError("--up", f"in {elected.edition.title} one of the dealer's cards is face up: name it")
    known_cards = [*([up] if up else []), *seen.at(DEALER).values()]
    if len(known_cards) > ranking_named(contest.dealer_ranking).cards:
        raise InputError("--up", "with the seen cards, these are more cards than the dealer has")
    counts = dealer_strengths(contest, hand, known_cards, seen.elsewhere(DEALER))
    return advice_by_counts(elected, contest, player.strength(hand), counts)


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


def dealer_strengths(
    contest: Contest, hand: Sequence[Card], known_cards: Sequence[Card], dead_cards: Sequence[Card] = ()
) -> Array:
    """The number of dealer hands of each strength, given the dealer cards that are known and cards out of play."""
    dealer = ranking_named(contest.dealer_ranking)
    if len(known_cards) == dealer.cards:
        counts = np.zeros(len(dealer), dtype=np.int64)
        counts[dealer.strength(known_cards)] = 1
        return counts
    used = {card.index for card in (*hand, *known_cards, *dead_cards)}
    remaining = np.array([card for card in range(len(DECK)) if card not in used], dtype=np.int64)
    if len(remaining) < dealer.cards - len(known_cards):
        raise InputError("--dead", f"only {len(remaining)} cards are left for the dealer")
    return count_hands(dealer, remaining, np.array([card.index for card in known_cards], dtype=np.int64))


def _board_advice(
    elected: ElectedEdition,
    hand: Sequence[Card],
    up: Card | None,
    board: Sequence[Card],
    raised: Sequence[int],
    seen: SeenCards,
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
    staked = shape.base + sum(raised)
    if seen != NOTHING_SEEN:
        return _board_advice_with_seen_cards(elected, [*hand, *board], street, staked, seen)
    _, values = solution.street(street, staked)
    number = class_number([*hand, *board])
    scale = solution.scale * solution.deals(street)
    return Advice({shape.name(street, multiple): Fraction(int(v[number]), scale) for multiple, v in values.items()})


def _board_advice_with_seen_cards(
    elected: ElectedEdition, cards: Sequence[Card], street: int, staked: int, seen: SeenCards
) -> Advice:
    """The same with cards that the board does not show yet, or that are out of play."""
    community = seen.at(COMMUNITY)
    for number in community:
        if number <= street:
            raise InputError("--seen", f"{COMMUNITY}.{number} is on the board already")
    known_cards = [card.index for card in (*cards, *community.values())]
    dead_cards = {card.index for card in seen.elsewhere(COMMUNITY)}
    left = [card for card in range(len(DECK)) if card not in dead_cards and card not in known_cards]
    unknown = solve(elected).ranking.cards - len(known_cards)
    if len(left) < unknown:
        raise InputError("--dead", f"only {len(left)} cards are left for the board")
    leaf = BoardLeaf(elected, known_cards, left, frozenset(community), street)
    return Advice(
        {
            leaf.shape.name(street, multiple): Fraction(int(values[0, GAIN]), leaf.scale * int(values[0, DEALS]))
            for multiple, values in leaf.options(street, staked).items()
        }
    )
