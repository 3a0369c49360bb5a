"""Which games the exact analysis knows, and of the others which part does not fit."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.errors import Malformed
from croupier.games import Game, game
from croupier.games.definition import BOARD, DEALER, PLAYER, ByLosingHand, ByTable, Cards, Contest, Slot
from croupier.hands import Ranking, ranking_named
from croupier.maths.boards import board_shape
from croupier.maths.general_sweep import MOST_DEALER_CARDS, MOST_PLAYER_CARDS
from croupier.maths.sweep import DEALER_CARDS, PLAYER_CARDS
from croupier.rules import Elected
from croupier.table.setup import Setup
from croupier.table.state import DealtIn


class NotExact(Malformed):
    """The exact analysis does not know a wager of this game; `parts` says which parts do not fit, one sentence each."""

    def __init__(self, wager: str, parts: tuple[str, ...]) -> None:
        super().__init__("", f"{wager} has no exact analysis: {'; '.join(parts)}")
        self.wager = wager
        self.parts = parts


def require_exact(elected: Elected) -> None:
    """Refuses a game whose required wagers are neither raises on a board nor a contest that can be counted."""
    if board_shape(elected) is not None:
        return
    played = game(elected.edition.game)
    found = tuple(_contest(elected, played) if played.contest is not None else _board(elected, played))
    if found:
        raise NotExact("ante", found)


def require_exact_losing_hand(elected: Elected, settlement: ByLosingHand) -> None:
    """Refuses a wager on the losing hand of a contest that is not counted by both hands together."""
    contest = game(elected.edition.game).contest
    if contest is None:
        raise NotExact(settlement.wager, ("it is on the losing hand, and there is no contest",))
    cards = tuple(ranking_named(name).cards for name in (contest.player_ranking, contest.dealer_ranking))
    if cards != (PLAYER_CARDS, DEALER_CARDS):
        counted = f"{PLAYER_CARDS} cards against {DEALER_CARDS}"
        part = f"it is on the losing hand of {cards[0]} cards against {cards[1]}, and only {counted} are counted"
        raise NotExact(settlement.wager, (part,))


def dealt_to_one(elected: Elected) -> tuple[Slot, ...]:
    """Where the cards go when one seat has made every wager."""
    setup = Setup.open(elected)
    dealt = DealtIn(setup, (1,), {1: dict.fromkeys(elected.edition.wagers, 1)})
    return tuple(slot for step in setup.game.deals[setup.deal_name] for slot in step.slots(dealt))


def _contest(elected: Elected, played: Game) -> Iterator[str]:
    """What keeps a contest from being counted."""
    contests = [s for s in played.settlements if isinstance(s, Contest)]
    contest, edition = contests[0], elected.edition
    if len(contests) > 1:
        yield f"it has {len(contests)} contests, and one is counted"
    others = [wager for wager in edition.required if wager not in contest.wagers]
    if others:
        yield f"{_listed(others)} must be made and is settled outside the contest"
    if len(played.streets) != 1:
        yield f"players decide {len(played.streets)} times, and a contest is counted with one decision"
    elif played.streets[0].pulls_back:
        yield "a wager on a contest is pulled back"
    elif played.streets[0].wager != contest.wagers[-1]:
        yield f"the wager that is decided on, {played.streets[0].wager}, is not the last of the contest"
    for wager in contest.wagers[:-1]:
        rule = edition.wagers.get(wager)
        if rule is not None and wager != "ante" and rule.equals != "ante":
            yield f"{wager} is on the contest and not as large as the Ante"
    if contest.player != Cards((PLAYER,)):
        yield f"the player's hand is {_places(contest.player)}, and only one of his own cards is counted"
    if contest.dealer != Cards((DEALER,)):
        yield f"the dealer's hand is {_places(contest.dealer)}, and only one of his own cards is counted"
    slots = dealt_to_one(elected)
    seen = sum(slot.face_up for slot in slots if slot.place == DEALER)
    if seen > 1:
        yield f"{seen} of the dealer's cards are in sight, and at most one is counted"
    if any(slot.face_up for slot in slots if slot.place != DEALER):
        yield "cards that are not the dealer's are in sight before the decision"
    yield from _sizes(ranking_named(contest.player_ranking), ranking_named(contest.dealer_ranking), contest, seen)


def _sizes(player: Ranking, dealer: Ranking, contest: Contest, seen: int) -> Iterator[str]:
    if [(rung.name, rung.shape) for rung in player.rungs] != [(rung.name, rung.shape) for rung in dealer.rungs]:
        yield f"the hands are ranked by different ladders, {player.name} and {dealer.name}"
    known = (player.cards, dealer.cards) == (PLAYER_CARDS, DEALER_CARDS) and not contest.qualifies
    known = known and (not seen or not contest.pushes.get("tie"))
    if not known and (player.cards > MOST_PLAYER_CARDS or dealer.cards > MOST_DEALER_CARDS - bool(seen)):
        yield f"{player.cards} cards against {dealer.cards}{', some in sight,' * bool(seen)} are too many to count"


def _board(elected: Elected, played: Game) -> Iterator[str]:
    """What keeps a game without a contest from being one of raises on a board."""
    edition = elected.edition
    settled = [s for s in played.settlements if isinstance(s, ByTable) and s.wager in edition.required]
    missing = [wager for wager in edition.required if wager not in [s.wager for s in settled]]
    if missing:
        yield f"{_listed(missing)} must be made and no table pays it"
    tables = {s.table_name for s in settled}
    if len(tables) > 1:
        yield f"the wagers that must be made are paid by {len(tables)} tables ({_listed(sorted(tables))}), not by one"
    if any(s.cards.places != (PLAYER, BOARD) or s.cards.first for s in settled):
        yield "a wager that must be made is not on all of the player's cards and the board"
    shown = [street.then.count for street in played.streets]
    if shown != list(range(1, len(shown) + 1)) or any(street.then.place != BOARD for street in played.streets):
        yield "the streets do not turn the board up card by card"
    if not played.streets:
        yield "there is nothing to decide"
    if any(edition.wagers[street.wager].between for street in played.streets):
        yield "a raise may be any amount of a range"


def _places(cards: Cards) -> str:
    return " and ".join(cards.places) + (f", {cards.first} cards of each" if cards.first else "")


def _listed(names: list[str]) -> str:
    return " and ".join(names)
