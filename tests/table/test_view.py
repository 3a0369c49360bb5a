"""The view of a table: patrons see their own cards and face-up cards; nobody sees the deck."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import pytest

from croupier.core.cards import DECK, Card, parse_cards
from croupier.regulations import EDITIONS
from croupier.table import Phase
from croupier.table.model import commands as c
from croupier.table.model import events as e
from croupier.table.model.roles import Role
from croupier.table.procedure.shuffle import SeededShuffle
from croupier.table.view import View, view
from croupier.table.visibility import Moment, Viewer, redact
from tests.table.tables import BONUS_WAGER, METHODS, ScriptedTable, open_table

VIEWERS = [(role, name) for role in Role for name in (("seat 1", "seat 3", "Nobody") if role is Role.PATRON else ("",))]
UP_CARDS = {"pa-641a": 1, "md-4cp": 1}


def _cards_in(value: object) -> Iterator[Card]:
    """Every card anywhere in a value."""
    if isinstance(value, Card):
        yield value
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from _cards_in(getattr(value, field.name))
    elif isinstance(value, Mapping):
        for pair in value.items():
            yield from _cards_in(pair)
    elif isinstance(value, tuple | list | set | frozenset):
        for inner in value:
            yield from _cards_in(inner)


def _numbers_in(value: object) -> Iterator[object]:
    """Every sequence of numbers that could be an order of cards."""
    if is_dataclass(value) and not isinstance(value, type | Card):
        for field in fields(value):
            yield from _numbers_in(getattr(value, field.name))
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _numbers_in(inner)
    elif isinstance(value, tuple | list):
        if len(value) > 1 and all(isinstance(inner, int) for inner in value):
            yield value
        for inner in value:
            yield from _numbers_in(inner)


def _visible_cards(table: ScriptedTable, role: Role, name: str) -> set[Card]:
    table_view = view(table.table, role, name)
    assert not list(_numbers_in(table_view)), "card numbers must not leak"
    return set(_cards_in(table_view))


def _expected_cards(table: ScriptedTable, name: str) -> set[Card]:
    """The face-up cards and, once the deal is complete, the viewer's own, derived from the events."""
    round_ = table.round
    is_dealt = bool(table.events_of(e.StubRacked))
    dealt = table.events_of(e.CardDealt)
    open_cards = {DECK[event.card] for event in dealt if event.face_up and event.card is not None}
    for place, seat in round_.cards:
        cards = round_.hand(place, seat)
        is_own = is_dealt and place == "player" and round_.patrons.get(seat) == name
        if is_own or (place == "player" and seat in round_.turned_up):
            open_cards |= {DECK[card] for card in cards}
        count = round_.revealed.get(f"{place} {seat}" if seat else place, 0)
        open_cards |= {DECK[card] for card in cards[:count]}
    return open_cards


@pytest.mark.parametrize("edition_name", EDITIONS)
@pytest.mark.parametrize("method", METHODS)
def test_nobody_sees_a_hidden_card_at_any_moment_of_a_round(edition_name: str, method: str) -> None:
    table = open_table(edition_name, 1, 2, 3, method=method)

    def check() -> None:
        for role, name in VIEWERS:
            expected = _expected_cards(table, name if role is Role.PATRON else "") if table.table.round else set()
            assert _visible_cards(table, role, name) == expected, (role, name, table.phase)

    check()
    table.load()
    check()
    table.bet(also=BONUS_WAGER[edition_name])
    check()
    while table.phase is not Phase.SETTLING:
        table.to({Phase.DEALING: Phase.STUB, Phase.STUB: Phase.DECIDING}.get(table.phase, table.phase))
        check()
        if table.phase is Phase.DECIDING:
            table.send(c.Decide, seat=table.round.waiting[0], amount=10_00)
        elif table.phase is Phase.COLLECTING:
            table.send(c.CollectForfeits)
        elif table.phase is Phase.REVEALING:
            table.send(c.RevealCards)
        check()
    while table.phase is Phase.SETTLING:
        table.send(c.SettleSeat, seat=table.round.unsettled[0])
        check()
    table.send(c.RackCards)
    check()


@pytest.mark.parametrize("edition_name", EDITIONS)
def test_a_replaced_card_is_open_and_its_replacement_is_not(edition_name: str) -> None:
    table = open_table(edition_name, 1, 2).load().bet().deal()
    hand = table.round.hand("player", 1)
    replacement: dict[str, Any] = {"outcome": "replace", "reason": "it was seen", "place": "player", "seat": 1}
    (_, event) = table.send(c.DecideOnTheFloor, **replacement, number=1)
    assert isinstance(event, e.CardReplaced)
    for role, name in VIEWERS:
        redacted = redact(event, Moment(table.round), Viewer(name, role))
        assert redacted is not None
        assert isinstance(redacted.event, e.CardReplaced)
        assert redacted.event.discarded == hand[0]
        assert redacted.hidden == {"card"}, "nobody sees the new card yet"
    table.stub()
    for role, name in VIEWERS:
        redacted = redact(event, Moment(table.round), Viewer(name, role))
        assert redacted is not None
        is_holder = role is Role.PATRON and name == "seat 1"
        assert redacted.hidden == (set() if is_holder else {"card"})


@pytest.mark.parametrize("edition_name", EDITIONS)
def test_before_the_reveal_a_patron_sees_only_their_own_hand(edition_name: str) -> None:
    table = open_table(edition_name, 1, 2, 3).to_decisions(order=SeededShuffle("views").order())
    patron_cards = {DECK[card] for card in table.round.hand("player", 1)}
    other_cards = {DECK[card] for seat in (2, 3) for card in table.round.hand("player", seat)}
    dealer = [DECK[card] for card in table.round.hand("dealer") or table.round.hand("board")]
    visible = _visible_cards(table, Role.PATRON, "seat 1")
    up_count = UP_CARDS.get(edition_name, 0)
    assert patron_cards <= visible
    assert not other_cards & visible
    assert len(set(dealer) & visible) == up_count
    assert len(visible) == len(patron_cards) + up_count
    for role in (Role.DEALER, Role.FLOORPERSON, Role.SURVEILLANCE, Role.REGULATOR):
        assert len(_visible_cards(table, role, "")) == up_count, "staff see only face-up cards"


@pytest.mark.parametrize("edition_name", ["pa-641a", "md-4cp"])
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("clauses", [("641a.8(d)", "641a.9(b)", "641a.10(c)", "8.E(2)", "9.B(5)", "10.B(2)")])
def test_everybody_sees_the_dealers_up_card(edition_name: str, method: str, clauses: tuple[str, ...]) -> None:
    assert clauses
    table = open_table(edition_name, 1, 2, method=method).to_decisions()
    up_card = DECK[table.round.hand("dealer")[5]]
    for role, name in VIEWERS:
        assert up_card in _visible_cards(table, role, name)


@pytest.mark.parametrize("edition_name", ["pa-682a", "pa-682a-proposed", "pa-683a", "pa-679a"])
def test_in_other_games_all_dealer_cards_are_face_down(edition_name: str) -> None:
    table = open_table(edition_name).to_decisions()
    assert _visible_cards(table, Role.PATRON, "Nobody") == set()


def test_683a_11_c_community_cards_become_visible_one_by_one() -> None:
    table = open_table("pa-683a").to_decisions()
    board = [DECK[card] for card in table.round.hand("board")]
    for count in (1, 2, 3):
        table.all_stay().reveal()
        assert _visible_cards(table, Role.PATRON, "Nobody") == set(board[:count])


def test_679a_10_g_1_the_fourth_card_stays_down_without_a_pair() -> None:
    table = open_table("pa-679a", method="automated_shoe", shuffler="reshuffling", four_card_stacks=True)
    first = [card.index for card in parse_cards("2c Ks Qd 4h")]
    order = (*first, *(number for number in range(52) if number not in first))
    table.to_decisions(also=("pair_bonus",), order=order).to_settlement().settle()
    assert DECK[first[0]] not in _visible_cards(table, Role.PATRON, "seat 1")


@pytest.mark.parametrize("edition_name", EDITIONS)
def test_a_collected_hand_is_never_turned_up(edition_name: str) -> None:
    table = open_table(edition_name, 1, 2).to_decisions()
    table.send(c.Decide, seat=1, amount=None)
    hidden = {DECK[card] for card in table.round.hand("player", 1)}
    table.to_settlement().settle()
    assert not hidden & _visible_cards(table, Role.PATRON, "seat 2")


@pytest.mark.parametrize("edition_name", EDITIONS)
def test_only_the_owner_sees_a_balance(edition_name: str) -> None:
    table = open_table(edition_name, 1, 2).to_decisions()
    assert view(table.table, Role.PATRON, "seat 1").balance == 490_00
    assert view(table.table, Role.PATRON, "Nobody").balance is None
    assert view(table.table, Role.DEALER, "seat 1").balance is None
    other_view: View = view(table.table, Role.PATRON, "seat 2")
    assert other_view.wagers == {1: {"ante": 10_00}, 2: {"ante": 10_00}}
    assert (other_view.phase, other_view.round, other_view.seats) == (Phase.DECIDING, 1, {1: "seat 1", 2: "seat 2"})
