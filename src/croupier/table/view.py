"""The view of a table: patrons see their own cards and face-up cards; nobody sees the deck."""

from __future__ import annotations

from croupier.core.cards import DECK, Card
from croupier.core.dataclass import dataclass
from croupier.table.model.roles import Role
from croupier.table.model.state import Phase, Round, Table
from croupier.table.visibility import Viewer, visible_cards, visible_places


@dataclass(frozen=True, slots=True)
class CardView:
    """A card as a viewer sees it; `None` if it is face down."""

    card: Card | None


@dataclass(frozen=True, slots=True)
class PlacedCards:
    """The cards of one place."""

    place: str
    seat: int
    cards: tuple[CardView, ...]


@dataclass(frozen=True, slots=True)
class View:
    """A table as a viewer sees it."""

    phase: Phase
    round: int
    seats: dict[int, str]
    balance: int | None
    wagers: dict[int, dict[str, int]]
    placed: tuple[PlacedCards, ...]
    commitment: str = ""
    """The commitment to the cards in play, at a verifiable table."""
    next_commitment: str = ""
    """The commitment to the deal that patrons may still contribute to."""


def view(table: Table, role: Role, patron: str = "") -> View:
    """A table as a role sees it; a patron also sees their own cards and balance."""
    round_ = table.round
    wagers = round_.wagers if round_ else table.wagers
    return View(
        phase=table.phase,
        round=table.rounds,
        seats=dict(table.seats),
        balance=table.balances.get(patron) if role is Role.PATRON else None,
        wagers={seat: dict(by_wager) for seat, by_wager in wagers.items()},
        placed=placed_cards(round_, Viewer(patron, role)) if round_ else (),
        commitment=table.deck_commitments[table.deck_in_use].commitment
        if table.deck_in_use in table.deck_commitments
        else "",
        next_commitment=table.committed_deal.commitment if table.committed_deal else "",
    )


def placed_cards(round_: Round, viewer: Viewer) -> tuple[PlacedCards, ...]:
    """The cards of every place of a round as a viewer sees them."""
    return tuple(
        PlacedCards(
            place,
            seat,
            tuple(
                CardView(None if card is None else DECK[card]) for card in visible_cards(round_, place, seat, viewer)
            ),
        )
        for place, seat in visible_places(round_)
    )
