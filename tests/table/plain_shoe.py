"""A physical deck at a plain shoe: it knows the cards that lie face down, and the dealer enters them in turn."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from croupier.core.cards import parse_cards
from croupier.games.definition import DEALER, PLAYER
from croupier.regulations import edition
from croupier.table import Phase, Setup, Table
from croupier.table.model import commands as c
from croupier.table.model.setup import CardSource
from croupier.table.model.state import Round
from croupier.table.procedure.card_entries import CardsDue, cards_due
from croupier.table.procedure.shuffle import SeededShuffle
from croupier.table.session import TableSession
from tests.table.tables import DANA, FLOYD, ORDER, ScriptedTable, setup_of


class PhysicalDeck:
    """The order of the cards of each round, which the table does not know."""

    def __init__(self, seed: str) -> None:
        self._source = SeededShuffle(f"{seed} on the layout")
        self._round = 0
        self._order: tuple[int, ...] = ()

    def order(self, round_: Round) -> tuple[int, ...]:
        """The order of the deck of a round, top card first."""
        if round_.number != self._round:
            self._round, self._order = round_.number, self._source.order()
        return self._order

    def enter_next(self, session: TableSession, rng: random.Random, at: int, *, mistakes: float = 0) -> bool:
        """Enters some of the cards to enter next, now and then a wrong one first; returns whether there were any."""
        table = session.table
        next_cards = cards_due(table)
        if next_cards is None or table.round is None or table.phase is Phase.DECIDING:
            return False
        fields: dict[str, Any] = {"place": next_cards.place, "seat": next_cards.seat, "number": next_cards.numbers[0]}
        unused = [card for card in self.order(table.round) if card not in cards_out(table.round)]
        cards = cards_of(table.round, next_cards, self.order(table.round))
        if not set(cards) <= set(unused):  # a card was replaced or corrected meanwhile
            cards = tuple(unused[-len(cards) :])
        if rng.random() < mistakes:
            self._make_mistake(session, rng, at, fields, unused)
            return True
        count = rng.randint(1, len(cards)) if _is_run(next_cards.numbers) else 1
        session.send(c.EnterCards(cards=cards[:count], by=DANA, at=at, **fields))
        return True

    def _make_mistake(
        self, session: TableSession, rng: random.Random, at: int, fields: dict[str, Any], unused: Sequence[int]
    ) -> None:
        """A wrong entry that is taken back or corrected, by either person; or a card that seems to lie there twice."""
        assert session.table.round is not None
        entered = [card for card in cards_out(session.table.round) if card is not None]
        if entered and rng.random() < 0.2:
            session.send(c.ReportDuplicateCard(card=rng.choice(sorted(entered)), by=DANA, at=at, **fields))
            is_duplicate = not session.table.round.entries and rng.random() < 0.5
            session.send(c.RuleOnDuplicateCard(is_duplicate=is_duplicate, reason="looked at it", by=FLOYD, at=at))
            return
        wrong, right = unused[-1], rng.choice([None, unused[-2]])
        session.send(c.EnterCards(cards=(wrong,), by=DANA, at=at, **fields))
        by: dict[str, Any] = rng.choice([{"by": DANA}, {"by": FLOYD, "reason": "the dealer misread it"}])
        session.send(c.CorrectCard(card=right, at=at, **by, **fields))


def _is_run(numbers: Sequence[int]) -> bool:
    return list(numbers) == list(range(numbers[0], numbers[0] + len(numbers)))


def cards_out(round_: Round) -> set[int | None]:
    """The cards of a round that are known: on the layout, or found face up."""
    return {card for cards in round_.cards.values() for card in cards} | set(round_.face_up_found)


def cards_of(round_: Round, next_cards: CardsDue, order: Sequence[int]) -> tuple[int, ...]:
    """The cards that really lie where cards are entered next, for a deck in this order, without those found face up."""
    dealt = [card for card in order if card not in round_.face_up_found]
    positions = [
        index
        for index, slot in enumerate(round_.slots)
        if (slot.place, slot.seat) == (next_cards.place, next_cards.seat)
    ]
    return tuple(dealt[positions[number - 1]] for number in next_cards.numbers)


def enter_all(session: TableSession, order: Sequence[int], at: int = 0) -> None:
    """The dealer enters every card that is due now."""
    while (next_cards := cards_due(session.table)) is not None:
        table: Table = session.table
        assert table.round is not None
        cards = cards_of(table.round, next_cards, order)
        for number, card in zip(next_cards.numbers, cards, strict=True):
            fields = {"place": next_cards.place, "seat": next_cards.seat, "number": number}
            session.send(c.EnterCards(cards=(card,), by=DANA, at=at, **fields))  # type: ignore[arg-type]


def plain_table(name: str, *seats: int, method: str = "manual_shoe", **choices: Any) -> ScriptedTable:
    """A table with a plain shoe, open for play."""
    setup = setup_of(name, method=method, card_source=CardSource.PLAIN_SHOE, **choices)
    return ScriptedTable(setup).open(*seats)


def to_decisions(
    table: ScriptedTable, *seats: int, also: Sequence[str] = (), order: Sequence[int] = ORDER
) -> ScriptedTable:
    """Deals and racks the stub; cards that are dealt face up are entered."""
    if table.phase is not Phase.BETTING:
        table.load(())
    table.bet(*seats, also=also).deal()
    enter_all(table.session, order)
    return table.stub()


def to_settlement(table: ScriptedTable, order: Sequence[int] = ORDER) -> ScriptedTable:
    """Everybody stays; the common cards are entered and revealed."""
    while table.phase is not Phase.SETTLING:
        if table.phase is Phase.DECIDING:
            table.all_stay()
        elif table.phase is Phase.COLLECTING:
            table.send(c.CollectForfeits)
        else:
            enter_all(table.session, order)
            table.send(c.RevealCards)
    return table


def settle(table: ScriptedTable, order: Sequence[int] = ORDER) -> ScriptedTable:
    """Enters and settles every seat."""
    while table.phase is Phase.SETTLING:
        enter_all(table.session, order)
        table.send(c.SettleSeat, seat=table.round.unsettled[0])
    return table


def index_of(text: str) -> int:
    """The number of a card such as As."""
    return parse_cards(text)[0].index


def enter(table: ScriptedTable, place: str, seat: int, *cards: str, number: int = 1) -> None:
    """The dealer enters cards of a place."""
    table.send(c.EnterCards, place=place, seat=seat, number=number, cards=tuple(index_of(text) for text in cards))


def crazy_table(hand: str, multiple: int) -> ScriptedTable:
    """Crazy 4 Poker, where a Play above the Ante needs a pair of aces: nobody can check it before the hand is up."""
    setup = replace(Setup.open(edition("crazy-4-poker").elect()), card_source=CardSource.PLAIN_SHOE)
    table = ScriptedTable(setup).open(1).load(())
    table.wager(1, "ante").send(c.AnnounceNoMoreBets)
    table.deal().stub()
    table.send(c.Decide, seat=1, amount=multiple * 10_00)
    table.send(c.CollectForfeits)
    enter(table, DEALER, 0, "2c", "4d", "6h", "8s", "Kc")
    table.send(c.RevealCards)
    enter(table, PLAYER, 1, *hand.split())
    return table
