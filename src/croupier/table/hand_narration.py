"""Names the hands of a round with their ranks, and says which hand beat which."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from croupier.core.cards import Card
from croupier.games.definition import DEALER, PLAYER, ByTable, Cards, Contest
from croupier.hands import Ranking, ranking_named
from croupier.hands.lookup import lookup
from croupier.hands.names import hand_label, is_plural, name_hand, name_rivals
from croupier.hands.rankings import ranking_with_kickers
from croupier.regulations.payouts import Loss, Push
from croupier.table.model.events import WagerSettled
from croupier.table.model.setup import Setup
from croupier.table.model.state import Round, UnknownCards
from croupier.table.settlement.contest import contest_outcome
from croupier.table.settlement.hands import cards_of


def name_player_hand(setup: Setup, round_: Round, seat: int) -> str:
    """A player's hand in the contest with its ranks; empty if it cannot be known."""
    return _name_cards(round_, setup.game.hand, seat, ranking_named(setup.game.hand_ranking))


def name_dealer_hand(setup: Setup, round_: Round) -> str:
    """The dealer's hand in the contest with its ranks; empty if it cannot be known, or if there is no contest."""
    contest = setup.game.contest
    if contest is None:
        return ""
    return _name_cards(round_, contest.dealer, 0, ranking_named(contest.dealer_ranking))


@dataclass(frozen=True, slots=True)
class NamedHand:
    """A hand in words, and the cards that play."""

    place: str
    seat: int
    name: str
    playing: tuple[Card, ...]


def named_hands(setup: Setup, round_: Round) -> Iterator[NamedHand]:
    """The dealer's hand and that of each seat, as far as their cards are known."""
    game, contest = setup.game, setup.game.contest
    hands = [(PLAYER, seat, game.hand, game.hand_ranking) for seat in round_.dealt]
    if contest is not None:
        hands.insert(0, (DEALER, 0, contest.dealer, contest.dealer_ranking))
    for place, seat, cards, ranking_name in hands:
        ranking = ranking_named(ranking_name)
        try:
            hand = cards_of(round_, cards, seat)
        except UnknownCards:
            continue
        if len(hand) == ranking.cards:
            yield NamedHand(place, seat, name_hand(ranking, hand), ranking.best_cards(hand)[1])


def describe_result(setup: Setup, round_: Round, seat: int, *, name: str = "") -> str:
    """Why a seat won or lost: both hands, which is better, and what that means for the wagers of the contest.

    `name` is `You`, or what the seat is called. Empty while a card that matters is not known.
    """
    subject = name or f"Seat {seat}"
    if round_.void:
        return ""
    if seat in round_.folded:
        return f"{subject} folded."
    contest = setup.game.contest
    try:
        if contest is None:
            return _describe_paytable_result(setup, round_, seat, subject)
        if not all(round_.staked(seat, wager) for wager in contest.wagers):
            return ""
        return _describe_contest_result(setup, contest, round_, seat, subject)
    except UnknownCards:
        return ""


def _describe_contest_result(setup: Setup, contest: Contest, round_: Round, seat: int, subject: str) -> str:
    rankings = ranking_named(contest.player_ranking), ranking_named(contest.dealer_ranking)
    hands = cards_of(round_, contest.player, seat), cards_of(round_, contest.dealer, 0)
    if any(len(hand) != ranking.cards for hand, ranking in zip(hands, rankings, strict=True)):
        return ""
    strengths = [lookup(ranking).strength(hand) for ranking, hand in zip(rankings, hands, strict=True)]
    player, dealer = name_rivals(rankings[0], hands[0], rankings[1], hands[1])
    text = f"Dealer: {dealer}. {subject}: {player}."
    outcome = contest_outcome(contest, *strengths)
    match outcome:
        case "unqualified":
            return f"{text} The dealer does not qualify: {_wagers_unqualified(setup, contest)}."
        case "lose":
            return f"{text} The dealer wins."
        case _:
            won = f"{subject} win" if subject == "You" else f"{subject} wins"
            pushed = [setup.elected.edition.wagers[wager].title for wager in contest.pushes.get(outcome, ())]
            push = f"the {_join(pushed)} {'push' if len(pushed) > 1 else 'pushes'}" if pushed else ""
            if outcome == "tie" and len(pushed) == len(contest.wagers):
                return f"{text} A tie: {push}."
            if outcome == "tie":
                return f"{text} {won} the tie{f'; {push}' if push else ''}."
            return f"{text} {won}{f'; {push}' if push else ''}."


def _wagers_unqualified(setup: Setup, contest: Contest) -> str:
    """What becomes of the wagers of a contest if the dealer does not qualify."""
    titles = setup.elected.edition.wagers
    paid = [titles[wager].title for wager in contest.wagers if wager in contest.pays_unqualified]
    pushed = [titles[wager].title for wager in contest.wagers if wager not in contest.pays_unqualified]
    parts = [f"the {_join(pushed)} {'push' if len(pushed) > 1 else 'pushes'}"] if pushed else []
    parts += [f"the {_join(paid)} {'win' if len(paid) > 1 else 'wins'}"] if paid else []
    return " and ".join(parts)


def _describe_paytable_result(setup: Setup, round_: Round, seat: int, subject: str) -> str:
    """For a game without a dealer's hand: the player's hand and what its row pays."""
    ranking = ranking_named(setup.game.hand_ranking)
    hand = cards_of(round_, setup.game.hand, seat)
    if len(hand) != ranking.cards:
        return ""
    text = f"{subject}: {name_hand(ranking, hand)}."
    name = next(
        (s.table_name for s in setup.game.settlements if isinstance(s, ByTable) and s.cards == setup.game.hand), ""
    )
    if name not in setup.elected.edition.paytables:
        return text
    table = setup.elected.paytable(name)
    row = table.row_of(lookup(table.ranking).strength(hand))
    if row is None or isinstance(row.pays, Loss):
        return f"{text} That pays nothing."
    if isinstance(row.pays, Push):
        return f"{text} {hand_label(row.hand).capitalize()}: a push."
    return f"{text} {hand_label(row.hand).capitalize()} pays {row.pays}."


def _join(titles: Sequence[str]) -> str:
    return " and ".join([", ".join(titles[:-1]), titles[-1]]) if len(titles) > 1 else "".join(titles)


def describe_hands(setup: Setup, entry: WagerSettled, round_: Round | None) -> str:
    """The hands that decide an entry: their names with ranks, or only the class if no round is given."""
    if not entry.hand:
        return ""
    label = f"{hand_label(entry.hand)} wins" if entry.outcome == "win" else hand_label(entry.hand)
    if round_ is None:
        return label
    try:
        return _describe_settlement(setup, round_, entry) or label
    except UnknownCards:
        return label


def _describe_settlement(setup: Setup, round_: Round, entry: WagerSettled) -> str:
    """The hands by which the game settles a wager; empty for a bonus, whose row says enough."""
    contest = setup.game.contest
    for settlement in setup.game.settlements:
        if isinstance(settlement, Contest):
            if entry.wager in settlement.wagers:
                return _describe_contest(settlement, round_, entry)
        elif settlement.wager == entry.wager:
            if isinstance(settlement, ByTable):
                ranking = setup.elected.paytable(settlement.table_name).ranking
                return _name_row_hand(ranking, cards_of(round_, settlement.cards, entry.seat), entry.hand)
            if contest is not None:
                return _describe_loser(contest, round_, entry.seat)
    return ""


def _describe_contest(contest: Contest, round_: Round, entry: WagerSettled) -> str:
    """Which hand beat which, or that the dealer does not qualify; only the player's if the dealer's is not known."""
    rankings = ranking_named(contest.player_ranking), ranking_named(contest.dealer_ranking)
    player = cards_of(round_, contest.player, entry.seat)
    try:
        dealer = cards_of(round_, contest.dealer, 0)
    except UnknownCards:
        return name_hand(rankings[0], player)
    strengths = lookup(rankings[0]).strength(player), lookup(rankings[1]).strength(dealer)
    names = name_rivals(rankings[0], player, rankings[1], dealer)
    match contest_outcome(contest, *strengths):
        case "unqualified":
            return f"the dealer does not qualify with {names[1]}"
        case "tie":
            return f"both have {names[0]}" + (" and a tie wins" if entry.outcome == "win" else "")
        case "win":
            return f"{names[0]} {'beat' if is_plural(names[0]) else 'beats'} {names[1]}"
        case _:
            return f"{names[0]} {'lose' if is_plural(names[0]) else 'loses'} to {names[1]}"


def _describe_loser(contest: Contest, round_: Round, seat: int) -> str:
    """The hand that loses the contest, for a wager on it."""
    rankings = ranking_named(contest.player_ranking), ranking_named(contest.dealer_ranking)
    hands = cards_of(round_, contest.player, seat), cards_of(round_, contest.dealer, 0)
    player, dealer = (lookup(ranking).strength(cards) for ranking, cards in zip(rankings, hands, strict=True))
    names = name_rivals(rankings[0], hands[0], rankings[1], hands[1])
    return f"both have {names[0]}" if player == dealer else f"the losing hand is {names[player > dealer]}"


def _name_row_hand(ranking: Ranking, cards: Sequence[Card], hand: str) -> str:
    """The name of the hand that a paytable was applied to, given its class in the record."""
    if ranking.kickers:
        return name_hand(ranking, cards)
    names = ranking_with_kickers(ranking)
    is_named_by_row = any(rung.name == hand for rung in ranking.rungs)
    return hand_label(hand) if names is None or is_named_by_row else name_hand(names, cards)


def _name_cards(round_: Round, cards: Cards, seat: int, ranking: Ranking) -> str:
    """The name of the hand that these cards form; empty for an unknown card, or too few cards after a void deal."""
    try:
        hand = cards_of(round_, cards, seat)
    except UnknownCards:
        return ""
    return name_hand(ranking, hand) if len(hand) == ranking.cards else ""
