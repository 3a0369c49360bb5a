"""The settlement of a round: who is owed what, as values and as the document that `croupier settle --json` prints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from croupier.core.cards import DECK, show_cards
from croupier.core.dataclass import dataclass
from croupier.core.errors import InputError
from croupier.games.definition import DEALER, PLAYER
from croupier.table.model.events import WagerSettled
from croupier.table.model.state import Round
from croupier.table.session import TableSession
from croupier.table.settlement import dealer_hand, player_hand


@dataclass(frozen=True, slots=True)
class WagerOutcome:
    """What becomes of one wager, or of a bonus, which has no stake."""

    wager: str
    staked_cents: int
    outcome: str
    """`win`, `lose`, `push`, `forfeit` or `returned`."""
    returned_cents: int
    """How much of the stake is given back."""
    paid_cents: int
    """The winnings on top."""
    clause: str

    @property
    def net_cents(self) -> int:
        return self.returned_cents + self.paid_cents - self.staked_cents


@dataclass(frozen=True, slots=True)
class SettledSeat:
    """The cards, hand and wagers of one seat."""

    seat: int
    cards: str
    hand: str
    wagers: tuple[WagerOutcome, ...]
    net_cents: int


@dataclass(frozen=True, slots=True)
class DealerHand:
    """The dealer's cards and hand."""

    cards: str
    hand: str


@dataclass(frozen=True, slots=True)
class RoundSettlement:
    """Who is owed what after a round; the names of the fields are the keys of the JSON."""

    dealer: DealerHand | None
    """`None` in a game without a dealer's hand."""
    seats: tuple[SettledSeat, ...]
    """In the order in which the dealer settles them."""
    void: bool
    meters: Mapping[str, int]
    """Cents on each meter after the round, by key."""

    def to_dict(self) -> dict[str, Any]:
        """The document that `croupier settle --json` prints."""
        seats = [{**asdict(seat), "wagers": [asdict(wager) for wager in seat.wagers]} for seat in self.seats]
        return {
            "dealer": None if self.dealer is None else asdict(self.dealer),
            "seats": seats,
            "void": self.void,
            "meters": dict(self.meters),
        }


def round_settlement(session: TableSession) -> RoundSettlement:
    """The settlement of a table's round; refuses a table without one."""
    table = session.table
    round_ = table.round
    if round_ is None:
        raise InputError("", "there is no round to show")
    return RoundSettlement(
        dealer=_dealer_hand(session, round_),
        seats=tuple(_settled_seat(session, round_, seat) for seat in sorted(round_.dealt, reverse=True)),
        void=bool(round_.void),
        meters={f"{name}_cents": table.meters[name].display for name in table.setup.meters},
    )


def settlement_document(session: TableSession) -> dict[str, Any]:
    """The settlement of a table's round as `croupier settle --json` prints it."""
    return round_settlement(session).to_dict()


def _dealer_hand(session: TableSession, round_: Round) -> DealerHand | None:
    contest = session.table.setup.game.contest
    if contest is None:
        return None
    cards = [DECK[card] for card in round_.hand(DEALER)]
    try:
        hand = dealer_hand(session.table.setup, round_)
        name = hand.name if hand else ""
    except InputError:  # a void deal may have left the hand incomplete
        name = ""
    return DealerHand(show_cards(cards), name)


def _settled_seat(session: TableSession, round_: Round, seat: int) -> SettledSeat:
    entries = sort_entries(session, [entry for entry in round_.entries if entry.seat == seat])
    try:
        name = player_hand(session.table.setup, round_, seat).name
    except InputError:
        name = ""
    wagers = tuple(
        WagerOutcome(entry.wager, entry.staked, entry.outcome, entry.returned, entry.paid, entry.clause)
        for entry in entries
    )
    return SettledSeat(
        seat=seat,
        cards=show_cards(DECK[card] for card in round_.hand(PLAYER, seat)),
        hand=name,
        wagers=wagers,
        net_cents=sum(wager.net_cents for wager in wagers),
    )


def sort_entries(session: TableSession, entries: list[WagerSettled]) -> list[WagerSettled]:
    """The entries of a seat in the order of its wagers, with Envy Bonuses right after their progressive wager."""
    envies = session.table.setup.elected.edition.envies
    ordered = [entry for entry in entries if entry.wager not in envies]
    for name, group in envies.items():
        bonuses = [entry for entry in entries if entry.wager == name]
        places = [number for number, entry in enumerate(ordered) if entry.wager == group.on]
        place = places[0] + 1 if places else len(ordered)
        ordered[place:place] = bonuses
    return ordered
