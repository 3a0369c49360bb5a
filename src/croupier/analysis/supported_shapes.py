"""Which games the exact analysis supports, and which parts of the others do not fit."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.analysis.boards.solution import board_shape
from croupier.analysis.counting.general_sweep import MAX_DEALER_CARDS, MAX_PLAYER_CARDS
from croupier.analysis.counting.sweep import DEALER_CARDS, PLAYER_CARDS
from croupier.analysis.results import NotExact
from croupier.games import Game, game
from croupier.games.definition import BOARD, DEALER, PLAYER, ByLosingHand, ByTable, Cards, Contest, Slot
from croupier.hands import Ranking, ranking_named
from croupier.regulations import ElectedEdition
from croupier.table.model.setup import Setup
from croupier.table.model.state import SeatsDealtIn


def require_exact(elected: ElectedEdition) -> None:
    """Refuses a game that is neither a board game nor a supported contest."""
    if board_shape(elected) is not None:
        return
    definition = game(elected.edition.game)
    problems = tuple(
        _contest_problems(elected, definition)
        if definition.contest is not None
        else _board_problems(elected, definition)
    )
    if problems:
        raise NotExact("ante", problems)


def require_exact_losing_hand(elected: ElectedEdition, settlement: ByLosingHand) -> None:
    """Refuses a wager on the losing hand of a contest without joint counts of both hands."""
    contest = game(elected.edition.game).contest
    if contest is None:
        raise NotExact(settlement.wager, ("it is on the losing hand, and there is no contest",))
    cards = tuple(ranking_named(name).cards for name in (contest.player_ranking, contest.dealer_ranking))
    if cards != (PLAYER_CARDS, DEALER_CARDS):
        supported_sizes = f"{PLAYER_CARDS} cards against {DEALER_CARDS}"
        part = (
            f"it is on the losing hand of {cards[0]} cards against {cards[1]}, and only {supported_sizes} are counted"
        )
        raise NotExact(settlement.wager, (part,))


def single_seat_slots(elected: ElectedEdition) -> tuple[Slot, ...]:
    """The deal slots if one seat has made every wager."""
    setup = Setup.open(elected)
    dealt = SeatsDealtIn(setup, (1,), {1: dict.fromkeys(elected.edition.wagers, 1)})
    return tuple(slot for step in setup.game.deals[setup.deal_name] for slot in step.slots(dealt))


def _contest_problems(elected: ElectedEdition, definition: Game) -> Iterator[str]:
    """The unsupported parts of a contest."""
    contests = [s for s in definition.settlements if isinstance(s, Contest)]
    contest, edition = contests[0], elected.edition
    if len(contests) > 1:
        yield f"it has {len(contests)} contests, and one is counted"
    other_wagers = [wager for wager in edition.required if wager not in contest.wagers]
    if other_wagers:
        yield f"{_join_names(other_wagers)} must be made and is settled outside the contest"
    if len(definition.streets) != 1:
        yield f"players decide {len(definition.streets)} times, and a contest is counted with one decision"
    elif definition.streets[0].pulls_back:
        yield "a wager on a contest is pulled back"
    elif definition.streets[0].wager != contest.wagers[-1]:
        yield f"the wager that is decided on, {definition.streets[0].wager}, is not the last of the contest"
    for wager in contest.wagers[:-1]:
        rule = edition.wagers.get(wager)
        if rule is not None and wager != "ante" and rule.equals != "ante":
            yield f"{wager} is on the contest and not as large as the Ante"
    if contest.player != Cards((PLAYER,)):
        yield f"the player's hand is {_places(contest.player)}, and only their own cards are supported"
    if contest.dealer != Cards((DEALER,)):
        yield f"the dealer's hand is {_places(contest.dealer)}, and only their own cards are supported"
    slots = single_seat_slots(elected)
    upcards = sum(slot.face_up for slot in slots if slot.place == DEALER)
    if upcards > 1:
        yield f"{upcards} of the dealer's cards are face up, and at most one is supported"
    if any(slot.face_up for slot in slots if slot.place != DEALER):
        yield "cards other than the dealer's are face up before the decision"
    yield from _size_problems(
        ranking_named(contest.player_ranking), ranking_named(contest.dealer_ranking), contest, upcards
    )


def _size_problems(player: Ranking, dealer: Ranking, contest: Contest, upcards: int) -> Iterator[str]:
    if [(rung.name, rung.shape) for rung in player.rungs] != [(rung.name, rung.shape) for rung in dealer.rungs]:
        yield f"the hands are ranked by different ladders, {player.name} and {dealer.name}"
    is_swept = (player.cards, dealer.cards) == (PLAYER_CARDS, DEALER_CARDS) and not contest.qualifies
    is_swept = is_swept and (not upcards or not contest.pushes.get("tie"))
    if not is_swept and (player.cards > MAX_PLAYER_CARDS or dealer.cards > MAX_DEALER_CARDS - bool(upcards)):
        yield f"{player.cards} cards against {dealer.cards}{', with upcards,' * bool(upcards)} are too many to count"


def _board_problems(elected: ElectedEdition, definition: Game) -> Iterator[str]:
    """The parts of a game without a contest that do not fit a board game."""
    edition = elected.edition
    settlements = [s for s in definition.settlements if isinstance(s, ByTable) and s.wager in edition.required]
    missing = [wager for wager in edition.required if wager not in [s.wager for s in settlements]]
    if missing:
        yield f"{_join_names(missing)} must be made and no table pays it"
    tables = {s.table_name for s in settlements}
    if len(tables) > 1:
        names = _join_names(sorted(tables))
        yield f"the wagers that must be made are paid by {len(tables)} tables ({names}), not by one"
    if any(s.cards.places != (PLAYER, BOARD) or s.cards.first for s in settlements):
        yield "a wager that must be made is not on all of the player's cards and the board"
    revealed = [street.then.count for street in definition.streets]
    if revealed != list(range(1, len(revealed) + 1)) or any(
        street.then.place != BOARD for street in definition.streets
    ):
        yield "the streets do not turn the board up card by card"
    if not definition.streets:
        yield "there is nothing to decide"
    if any(edition.wagers[street.wager].between for street in definition.streets):
        yield "a raise may be any amount of a range"


def _places(cards: Cards) -> str:
    return " and ".join(cards.places) + (f", {cards.first} cards of each" if cards.first else "")


def _join_names(names: list[str]) -> str:
    return " and ".join(names)
