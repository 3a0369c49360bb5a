"""A plain shoe: cards are unknown while they lie face down, and entered when the procedure turns them up."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.core.cards import DECK
from croupier.core.errors import InputError
from croupier.games.definition import BOARD, BONUS, DEALER, DISCARD, FOURTH, PLAYER
from croupier.regulations import EDITIONS
from croupier.table import SYSTEM, Phase, Setup
from croupier.table.automation import Automation
from croupier.table.model import commands as c
from croupier.table.model import events as e
from croupier.table.model.roles import Actor, Role
from croupier.table.model.setup import CardSource
from croupier.table.narration import describe
from croupier.table.procedure.card_entries import cards_due
from croupier.table.procedure.shuffle import SeededShuffle
from croupier.table.prompts import prompts
from croupier.table.record.codec import decode_event, decode_setup, encode_event, encode_setup
from croupier.table.view import view
from tests.support import shows
from tests.table.plain_shoe import enter, enter_all, index_of, plain_table, settle, to_decisions, to_settlement
from tests.table.tables import BONUS_WAGER, DANA, FLOYD, METHODS, ORDER, ScriptedTable, setup_of

PAT = Actor("seat 1", Role.PATRON)
UP = {"pa-641a": 1, "md-4cp": 1}
"""How many of the dealer's cards an edition deals face up."""


# Unknown cards.


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", EDITIONS)
def test_no_card_is_known_before_it_is_turned_up(name: str, method: str) -> None:
    table = plain_table(name, 1, 2, method=method)
    to_decisions(table, also=BONUS_WAGER[name])
    dealt = [event for event in table.events if isinstance(event, e.CardDealt)]
    assert dealt
    assert all(event.card is None for event in dealt)
    cards = [card for hand in table.round.cards.values() for card in hand]
    assert len(cards) == len(dealt)
    assert sum(card is not None for card in cards) == UP.get(name, 0)
    for role, patron in ((Role.PATRON, "seat 1"), (Role.DEALER, "Dana"), (Role.REGULATOR, "")):
        seen = [card.card for place in view(table.table, role, patron).placed for card in place.cards]
        assert sum(card is not None for card in seen) == UP.get(name, 0)
    encoded = [encode_event(event) for event in dealt]
    assert all(line["card"] is None for line in encoded)
    assert [decode_event(line) for line in encoded] == dealt
    assert all("A card face down" in describe(table.table.setup, event) for event in dealt)
    assert not any(event.order for event in table.events if isinstance(event, e.CardsShuffled))


def test_the_order_of_a_deck_is_refused() -> None:
    table = plain_table("pa-682a", 1)
    refusal = table.expect_refusal(c.Shuffle, deck=1, order=ORDER, source="x", by_device=True)
    assert refusal.reason == "the order of these cards is unknown: they are entered when they are turned up"
    table.load(())
    other_table = plain_table("pa-682a", 1)
    shuffle = Automation(SeededShuffle("x")).next(other_table.table, 0)
    assert isinstance(shuffle, c.Shuffle)
    assert (shuffle.order, shuffle.source) == ((), "a plain shoe: cards are entered when they are turned up")
    assert "nothing to read" in table.bet().expect_refusal(c.ReadCards, cards=ORDER).reason


@pytest.mark.parametrize("source", [CardSource.SYSTEM, CardSource.READING_SHOE])
def test_cards_are_entered_at_a_plain_shoe_only(source: CardSource) -> None:
    table = ScriptedTable(setup_of("pa-682a", card_source=source)).open(1)
    refusal = table.expect_refusal(c.EnterCards, place=PLAYER, seat=1, cards=(0,))
    assert refusal.reason == "cards are entered at a plain shoe only, and this table has none"
    refusal = table.expect_refusal(c.CorrectCard, place=PLAYER, seat=1, number=1, card=0)
    assert "plain shoe only" in refusal.reason


# The moment of each entry.


@shows("turn_up_hand", "reveal_1", "expose_bonus_cards", "reveal_deciding_card")
def test_nobody_enters_a_card_before_it_is_turned_up(edition_name: str) -> None:
    table = to_decisions(plain_table(edition_name, 1, 2), also=BONUS_WAGER[edition_name])
    rules = {PLAYER: "turn_up_hand", BONUS: "expose_bonus_cards", FOURTH: "reveal_deciding_card"}
    places = [place for place in table.round.cards if place[0] != DISCARD]
    assert len(places) >= 4
    for phase in (Phase.DECIDING, Phase.COLLECTING):
        table.expect(phase)
        for place, seat in places:
            number = table.round.cards_at(place, seat).index(None) + 1
            refusal = table.expect_refusal(c.EnterCards, place=place, seat=seat, number=number, cards=(51,))
            assert "not turned up now" in refusal.reason
            assert refusal.clause == table.clause(rules.get(place, "reveal_1"))
        if phase is Phase.DECIDING:
            table.all_stay()


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("name", "rule"), [("pa-641a", "deal"), ("md-4cp", "deal_dealer_up")])
def test_the_upcard_is_entered_before_the_stub_is_racked(name: str, rule: str, method: str) -> None:
    table = plain_table(name, 1, method=method)
    table.load(()).bet().deal()
    clause = table.clause(f"deal_dealer_up_{method}") or table.clause(f"{rule}_{method}")
    assert clause
    refusals = [table.expect_refusal(c.RackStub), table.expect_refusal(c.CountStub, stub=52 - table.round.drawn)]
    for refusal in refusals:
        assert (refusal.reason, refusal.clause) == ("turn up and enter the dealer's upcard first", clause)
    (prompt,) = prompts(table.table)
    assert (prompt.role, prompt.command, prompt.clause) == (Role.DEALER, "EnterCards", clause)
    assert prompt.text == "Turn up and enter the dealer's upcard"
    face_down = table.expect_refusal(c.EnterCards, place=DEALER, cards=(0,))
    assert "card 1 of the dealer is not turned up now" in face_down.reason
    enter(table, DEALER, 0, "Kd", number=6)
    hand = next(place for place in view(table.table, Role.PATRON).placed if place.place == DEALER)
    assert [card.card for card in hand.cards] == [None] * 5 + [DECK[index_of("Kd")]]
    table.stub().expect(Phase.DECIDING)


@pytest.mark.parametrize("name", EDITIONS)
def test_nothing_is_revealed_or_settled_by_a_card_that_was_not_entered(name: str) -> None:
    table = to_decisions(plain_table(name, 1, 2), also=BONUS_WAGER[name])
    reveals = 0
    while table.phase is not Phase.SETTLING:
        if table.phase is Phase.DECIDING:
            table.all_stay().send(c.CollectForfeits)
        refusal = table.expect_refusal(c.RevealCards)
        assert refusal.reason.startswith("turn up and enter ")
        assert refusal.clause == table.clause(f"reveal_{reveals + 1}")
        assert [prompt.command for prompt in prompts(table.table)] == ["EnterCards"]
        enter_all(table.session, ORDER)
        table.send(c.RevealCards)
        reveals += 1
    for seat in (2, 1):
        refusal = table.expect_refusal(c.SettleSeat, seat=seat)
        assert (refusal.reason, refusal.clause) == (
            f"turn up and enter the hand of seat {seat} first",
            table.clause("turn_up_hand"),
        )
        prompt = prompts(table.table)[0]
        assert (prompt.command, prompt.seat, prompt.clause) == ("EnterCards", seat, table.clause("turn_up_hand"))
        assert Automation(SeededShuffle("none")).next(table.table, 0) is None, "the system enters no card"
        enter_all(table.session, ORDER)
        table.send(c.SettleSeat, seat=seat)
    table.expect(Phase.RACKING)


def test_683a_11_each_community_card_is_entered_on_its_street() -> None:
    table = to_decisions(plain_table("pa-683a", 1))
    for street, (text, clause) in enumerate((("Ah", "683a.11(c)"), ("Kh", "683a.11(e)"), ("Qh", "683a.11(g)")), 1):
        table.all_stay().send(c.CollectForfeits)
        prompt = prompts(table.table)[0]
        assert (prompt.text, prompt.clause) == (f"Turn up and enter community card {street}", clause)
        later = table.expect_refusal(c.EnterCards, place=BOARD, number=street + 1, cards=(0,))
        assert "not turned up now" in later.reason
        enter(table, BOARD, 0, text, number=street)
        table.send(c.RevealCards)
        assert [card for card in table.round.cards_at(BOARD) if card is not None] == [
            index_of(card) for card in ("Ah", "Kh", "Qh")[:street]
        ]


def test_hands_are_entered_in_the_order_of_settlement() -> None:
    table = to_settlement(to_decisions(plain_table("pa-682a", 1, 2, 3)))
    refusal = table.expect_refusal(c.EnterCards, place=PLAYER, seat=1, cards=(51,))
    assert refusal.reason == "the cards of seat 1 are not turned up now: enter the hand of seat 3"
    assert refusal.clause == "682a.11(d)(1)"


def test_the_first_card_of_a_hand_turns_it_up_for_everybody() -> None:
    table = to_settlement(to_decisions(plain_table("pa-682a", 1)))
    events = table.send(c.EnterCards, place=PLAYER, seat=1, cards=(0, 50))
    assert [type(event) for event in events] == [e.HandTurnedUp, e.CardEntered, e.CardEntered]
    hand = next(place for place in view(table.table, Role.PATRON, "Olga").placed if place.place == PLAYER)
    assert [card.card for card in hand.cards] == [DECK[0], DECK[50], None, None, None]
    assert cards_due(table.table) is not None
    assert "cards 3, 4, 5 of seat 1" in prompts(table.table)[0].text
    events = table.send(c.EnterCards, place=PLAYER, seat=1, number=3, cards=(51,))
    assert [type(event) for event in events] == [e.CardEntered]


def test_only_the_dealer_enters_cards() -> None:
    table = to_settlement(to_decisions(plain_table("pa-682a", 1)))
    for by in (PAT, FLOYD, SYSTEM, Actor("Sue", Role.SURVEILLANCE)):
        refusal = table.expect_refusal(c.EnterCards, by, place=PLAYER, seat=1, cards=(0,))
        assert refusal.reason.startswith("only a dealer may do this")
    for by in (PAT, SYSTEM):
        refusal = table.expect_refusal(c.CorrectCard, by, place=DEALER, number=1, card=50)
        assert refusal.reason.startswith("only a dealer or a floorperson")


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"cards": ()}, "name at least one card"),
        ({"cards": (52,)}, "52 is not a card of the deck"),
        ({"cards": (-1,)}, "-1 is not a card of the deck"),
        ({"cards": (0, 1, 2, 3, 4, 50)}, "card 6 of seat 1 is not turned up now"),
        ({"cards": (0,), "number": 0}, "card 0 of seat 1 is not turned up now"),
        ({"cards": (0,), "seat": 7}, "no cards lie at seat 7"),
        ({"cards": (0,), "place": "sleeve"}, "no cards lie at the sleeve card of seat 1"),
        ({"cards": (50, 50)}, "As was entered as card 1 of seat 1"),
    ],
)
def test_impossible_entries_are_refused(fields: dict[str, Any], message: str) -> None:
    table = to_settlement(to_decisions(plain_table("pa-682a", 1)), ORDER)
    fields = {**fields, "cards": tuple(card + (card == 50) for card in fields["cards"])}
    refusal = table.expect_refusal(c.EnterCards, **{"place": PLAYER, "seat": 1, **fields})
    assert message in refusal.reason
    assert refusal.clause.startswith("682a.11")


# Hands that are never turned up.


@shows("collect_forfeits")
def test_a_folded_hand_without_another_wager_is_collected_unseen_and_stays_unknown(edition_name: str) -> None:
    table = to_decisions(plain_table(edition_name, 1, 2))
    table.send(c.Decide, seat=1, amount=None)
    to_settlement(table)
    settle(table)
    assert 1 in table.round.collected
    hand = table.round.cards_at(PLAYER, 1)
    assert set(hand) == {None}
    table.send(c.RackCards)
    completed = table.events_of(e.RoundCompleted)[-1]
    assert (PLAYER, 1, hand) in completed.rack
    text = describe(table.table.setup, completed)
    assert f"seat 1 {' '.join('?' * len(hand))}" in text
    forfeits = [entry for entry in table.table.history[-1].entries if entry.seat == 1]
    assert forfeits
    assert all((entry.outcome, entry.hand) == ("forfeit", "") for entry in forfeits)


@pytest.mark.parametrize(("name", "wager"), [("pa-682a", "prime"), ("pa-641a", "aces_up"), ("md-4cp", "aces_up")])
def test_a_folded_hand_with_another_wager_is_entered(name: str, wager: str) -> None:
    table = to_decisions(plain_table(name, 1), also=(wager,)).all_fold()
    to_settlement(table)
    assert "the hand of seat 1" in table.expect_refusal(c.SettleSeat, seat=1).reason
    settle(table)
    assert None not in table.round.cards_at(PLAYER, 1)
    assert {entry.wager: bool(entry.hand) for entry in table.round.entries} == {"ante": False, wager: True}


@pytest.mark.parametrize("name", ["pa-641a", "md-4cp"])
def test_a_void_that_returns_everything_turns_nothing_up(name: str) -> None:
    table = to_decisions(plain_table(name, 1), also=("aces_up",))
    table.send(c.ReportExposedCard)
    assert cards_due(table.table) is None
    table.settle()
    assert [entry.outcome for entry in table.round.entries] == ["returned", "returned"]
    assert set(table.round.cards_at(PLAYER, 1)) == {None}


def test_682a_13_d_a_void_that_settles_side_wagers_needs_only_their_hands() -> None:
    table = to_decisions(plain_table("pa-682a", 1, 2))
    table.send(c.ReportExposedCard)
    assert cards_due(table.table) is None, "nobody made a side wager"
    table.settle()
    other = to_decisions(plain_table("pa-682a", 1), also=("prime",))
    other.send(c.ReportExposedCard)
    assert "the hand of seat 1" in other.expect_refusal(c.SettleSeat, seat=1).reason
    settle(other)
    assert set(other.round.cards_at(DEALER)) == {None}, "the Prime depends on the player's hand alone"


def test_683a_13_d_a_void_that_settles_the_board_bonus_needs_the_board() -> None:
    table = to_decisions(plain_table("pa-683a", 1), also=("board_bonus",))
    table.send(c.ReportExposedCard)
    assert "enter community cards 1, 2, 3" in table.expect_refusal(c.SettleSeat, seat=1).reason
    settle(table)
    assert None not in table.round.cards_at(BOARD)


# Cards found face up in the shoe, and cards that a floorperson replaces.


@shows("face_up_card")
def test_a_card_found_face_up_is_out_of_play(edition_name: str) -> None:
    table = plain_table(edition_name, 1)
    table.load(()).bet().deal(face_up=frozenset({index_of("7d")}))
    assert [event.card for event in table.events_of(e.FaceUpCardDiscarded)] == [index_of("7d")]
    assert table.round.drawn == len(table.round.slots) + 1
    order = (index_of("7d"), *(card for card in ORDER if card != index_of("7d")))
    enter_all(table.session, order)
    to_settlement(table.stub(), order)
    refusal = table.expect_refusal(c.EnterCards, place=PLAYER, seat=1, cards=(index_of("7d"),))
    assert "7d was found face up and discarded" in refusal.reason
    settle(table, order)


@shows("several_face_up_cards", "face_up_card")
def test_a_second_face_up_card_voids_the_round(edition_name: str) -> None:
    face_up = frozenset({index_of("7d"), index_of("2c")})
    table = plain_table(edition_name, 1, 2)
    table.load(()).bet().deal(face_up=face_up, cards_dealt=3)
    assert (table.round.void, table.round.drawn, len(table.events_of(e.CardDealt))) == ("several_face_up_cards", 5, 3)
    table.finish()
    assert all(entry.outcome == "returned" for entry in table.table.history[-1].entries)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"face_up": frozenset({1, 2, 3})}, "name the two cards"),
        ({"face_up": frozenset({52})}, "not in the deck"),
        ({"face_up": frozenset({-1})}, "not in the deck"),
        ({"face_up": frozenset({1, 2}), "cards_dealt": 11}, "at most 10 cards"),
        ({"face_up": frozenset({1, 2}), "cards_dealt": -1}, "at most 10 cards"),
        ({"face_up": frozenset({1}), "cards_dealt": 2}, "only asked for if a second card"),
    ],
)
def test_impossible_face_up_cards_are_refused(fields: dict[str, Any], message: str) -> None:
    table = plain_table("pa-682a", 1)
    refusal = table.load(()).bet().expect_refusal(c.Deal, **fields)
    assert message in refusal.reason
    assert refusal.clause == "682a.13(a)"


def test_a_replaced_card_is_named_and_its_replacement_stays_unknown() -> None:
    """A floorperson replaces a card before the players look at their hands; the dealer's cards are never replaced."""
    table = plain_table("pa-641a", 1).load(()).bet().deal()
    enter_all(table.session, ORDER)
    fields: dict[str, Any] = {"outcome": "replace", "reason": "it was exposed", "concerns": "face_up_card"}
    where: dict[str, Any] = {"place": PLAYER, "seat": 1, "number": 2}
    assert "name the card" in table.expect_refusal(c.DecideOnTheFloor, **fields, **where).reason
    upcard = table.round.cards_at(DEALER)[5]
    assert upcard is not None
    assert "name the card" in table.expect_refusal(c.DecideOnTheFloor, discarded=upcard, **fields, **where).reason
    table.send(c.DecideOnTheFloor, discarded=index_of("7d"), **fields, **where)
    assert table.events_of(e.CardReplaced)[-1].card is None
    assert set(table.round.cards_at(PLAYER, 1)) == {None}
    assert table.round.face_up_found == (index_of("7d"),)
    assert "is not replaced" in table.expect_refusal(c.DecideOnTheFloor, place=DEALER, number=6, **fields).reason
    table.stub()
    assert "have looked" in table.expect_refusal(c.DecideOnTheFloor, discarded=0, **fields, **where).reason


# Corrections.


def seat_3_entered() -> ScriptedTable:
    """Three seats, the hand of seat 3 entered and not settled."""
    table = to_settlement(to_decisions(plain_table("pa-682a", 1, 2, 3)))
    enter_all(table.session, ORDER)
    return table


def test_the_dealer_corrects_an_entry_until_the_seat_is_settled() -> None:
    table = seat_3_entered()
    before = table.round.hand(PLAYER, 3)
    (event,) = table.send(c.CorrectCard, place=PLAYER, seat=3, number=2, card=51)
    assert isinstance(event, e.CardCorrected)
    assert (event.before, event.card, event.by, event.reason) == (before[1], 51, DANA, "")
    assert table.round.hand(PLAYER, 3) == (before[0], 51, *before[2:])
    table.send(c.CorrectCard, place=PLAYER, seat=3, number=2, card=None)
    assert "card 2 of seat 3" in table.expect_refusal(c.SettleSeat, seat=3).reason
    enter(table, PLAYER, 3, str(DECK[before[1]]), number=2)
    table.send(c.SettleSeat, seat=3)
    refusal = table.expect_refusal(c.CorrectCard, place=PLAYER, seat=3, number=2, card=51)
    assert refusal.reason == "seat 3 was settled by this card: a floorperson must correct it"
    assert refusal.clause == "682a.11(d)(1)"


def test_after_a_settlement_a_floorperson_corrects_the_entry_but_no_payment() -> None:
    table = seat_3_entered()
    table.send(c.SettleSeat, seat=3)
    fields: dict[str, Any] = {"place": PLAYER, "seat": 3, "number": 2}
    entries, balances = table.round.entries, dict(table.table.balances)
    assert (
        table.expect_refusal(c.CorrectCard, FLOYD, card=51, **fields).reason == "a reason must be given, for the record"
    )
    refusal = table.expect_refusal(c.CorrectCard, FLOYD, card=None, reason="misread", **fields)
    assert "name the right one" in refusal.reason
    table.send(c.CorrectCard, FLOYD, card=51, reason="misread", **fields)
    assert (table.round.entries, dict(table.table.balances)) == (entries, balances), "only CorrectPayment moves money"
    assert table.round.hand(PLAYER, 3)[1] == 51
    settle(table).send(c.RackCards)
    assert table.expect_refusal(c.CorrectCard, FLOYD, card=50, reason="late", **fields).reason == (
        "there is no round in play"
    )


def test_the_dealers_cards_are_corrected_by_the_dealer_until_a_seat_is_settled_by_them() -> None:
    table = seat_3_entered()
    table.send(c.CorrectCard, place=DEALER, number=1, card=51)
    enter_all(table.session, ORDER)
    table.send(c.SettleSeat, seat=3)
    refusal = table.expect_refusal(c.CorrectCard, place=DEALER, number=1, card=50)
    assert "seat 3 was settled by this card" in refusal.reason
    table.send(c.CorrectCard, FLOYD, place=DEALER, number=1, card=50, reason="misread")
    assert table.round.hand(DEALER)[0] == 50


def test_a_bonus_card_is_corrected_by_the_dealer_while_no_settled_wager_depends_on_it() -> None:
    table = plain_table("pa-682a", 1, 2)
    table.load(()).wager(1, "ante", "all_six").wager(2, "ante").send(c.AnnounceNoMoreBets)
    to_settlement(table.deal().stub())
    enter_all(table.session, ORDER)
    assert table.round.cards_at(BONUS) == (None,), "seat 2 did not bet on it"
    table.send(c.SettleSeat, seat=2)
    enter_all(table.session, ORDER)
    table.send(c.CorrectCard, place=BONUS, number=1, card=51)
    table.send(c.SettleSeat, seat=1)
    assert "seat 1 was settled" in table.expect_refusal(c.CorrectCard, place=BONUS, number=1, card=50).reason


def test_impossible_corrections_are_refused() -> None:
    table = seat_3_entered()
    first = table.round.hand(DEALER)[0]
    refusal = table.expect_refusal(c.CorrectCard, place=PLAYER, seat=3, number=1, card=first)
    assert f"{DECK[first]} was entered as card 1 of the dealer" in refusal.reason
    assert "was not entered" in table.expect_refusal(c.CorrectCard, place=PLAYER, seat=2, number=1, card=51).reason
    assert "was not entered" in table.expect_refusal(c.CorrectCard, place=PLAYER, seat=3, number=6, card=51).reason
    assert "is not a card" in table.expect_refusal(c.CorrectCard, place=PLAYER, seat=3, number=1, card=52).reason
    reason = table.expect_refusal(c.EnterCards, place=DEALER, number=1, cards=(51,)).reason
    assert reason == "the cards of the dealer are not turned up now"


# The setting.


def test_older_setups_keep_the_meaning_of_reads_cards() -> None:
    data = encode_setup(Setup.open(setup_of("pa-682a").elected))
    assert data.pop("card_source") == "system"
    assert decode_setup(data).card_source is CardSource.SYSTEM
    assert decode_setup({**data, "reads_cards": False}).card_source is CardSource.SYSTEM
    assert decode_setup({**data, "reads_cards": True}).card_source is CardSource.READING_SHOE
    for source in CardSource:
        setup = decode_setup({**data, "card_source": source.value})
        assert setup.card_source is source
        assert decode_setup(encode_setup(setup)).card_source is source
        assert (setup.reads_cards, setup.enters_cards) == (
            source is CardSource.READING_SHOE,
            source is CardSource.PLAIN_SHOE,
        )
        assert setup.has_physical_cards == (source is not CardSource.SYSTEM)
    with pytest.raises(InputError, match="reads_cards"):
        decode_setup({**data, "reads_cards": "yes"})
    with pytest.raises(InputError):
        decode_setup({**data, "reads_cards": True, "card_source": "plain_shoe"})
    with pytest.raises(InputError, match="card_source"):
        decode_setup({**data, "card_source": "sleeve"})
