"""Decisions, forfeits, reveals, settlement in turn and the rack: section .11, Maryland's chapter 11."""

from __future__ import annotations

import pytest

from croupier.core.cards import parse_cards
from croupier.games.definition import BOARD, DEALER
from croupier.regulations import EDITIONS, edition
from croupier.table import Phase
from croupier.table.model import commands as c
from croupier.table.model import events as e
from croupier.table.model.roles import Actor, Role
from croupier.table.procedure.shuffle import SeededShuffle
from croupier.table.settlement import SeatSettlement, cards_of, dealer_hand, player_hand
from tests.support import shows
from tests.table.tables import ANTE, BONUS_WAGER, FLOYD, METHODS, ORDER, SIDE_WAGER, ScriptedTable, open_table

FIXED_MULTIPLES = ["pa-682a", "pa-682a-proposed", "pa-683a"]
ANY_AMOUNT = ["pa-641a", "md-4cp"]


def stacked_deck(*cards: str) -> tuple[int, ...]:
    """A deck that starts with these cards; the rest follow in order."""
    first = [card.index for text in cards for card in parse_cards(text)]
    return (*first, *(card for card in ORDER if card not in first))


# Decisions.


@shows("examine_cards", "decide_1")
def test_players_decide_clockwise_for_themselves(edition_name: str) -> None:
    table = open_table(edition_name, 2, 4, 6)
    table.to_decisions()
    clause = table.clause("decide_1")
    pat = Actor("seat 4", Role.PATRON)
    assert table.round.waiting == (2, 4, 6)
    for early in (4, 6):
        assert "seat 2's turn" in table.expect_refusal(c.Decide, seat=early, amount=ANTE).reason
    assert table.expect_refusal(c.Decide, pat, seat=2, amount=ANTE).clause == clause, "nobody plays another's hand"
    assert table.expect_refusal(c.Decide, FLOYD, seat=2, amount=ANTE).clause == clause
    assert table.expect_refusal(c.CollectForfeits).clause == table.clause("collect_forfeits"), "all decide first"
    assert table.expect_refusal(c.RevealCards).clause == table.clause("reveal_1")
    table.send(c.Decide, Actor("seat 2", Role.PATRON), seat=2, amount=ANTE)
    assert table.expect_refusal(c.Decide, seat=2, amount=ANTE).clause == clause, "once per street"
    assert table.send(c.Decide, pat, seat=4, amount=None)[0].clause == clause
    table.send(c.Decide, seat=6, amount=ANTE)
    table.expect(Phase.COLLECTING)
    assert table.expect_refusal(c.Decide, seat=4, amount=ANTE).clause == clause, "a fold stands"


@pytest.mark.parametrize("edition_name", FIXED_MULTIPLES)
@pytest.mark.parametrize("clauses", [("682a.7(d)(1)", "683a.7(d)(1)", "682a.11(b)", "683a.11(b)")])
def test_a_raise_is_one_two_or_three_times_the_ante(edition_name: str, clauses: tuple[str, ...]) -> None:
    for times in (1, 2, 3):
        table = open_table(edition_name).to_decisions()
        for amount in (-ANTE, 0, 1, ANTE - 1, ANTE + 1, 15_00, 2 * ANTE + 1, 3 * ANTE + 1, 4 * ANTE, 10**15):
            refusal = table.expect_refusal(c.Decide, seat=1, amount=amount)
            assert refusal.clause in clauses
            assert "$10, $20 or $30" in refusal.reason
        event = table.send(c.Decide, seat=1, amount=times * ANTE)[0]
        assert isinstance(event, e.WagerMade)
        assert event.amount == times * ANTE
        assert table.table.balances["seat 1"] == 500_00 - ANTE - times * ANTE
        for _ in table.table.setup.game.streets[1:]:
            table.reveal()
            assert "$10, $20 or $30" in table.expect_refusal(c.Decide, seat=1, amount=4 * ANTE).reason
            table.send(c.Decide, seat=1, amount=times * ANTE)


@pytest.mark.parametrize("edition_name", ANY_AMOUNT)
@pytest.mark.parametrize("clauses", [("641a.7(d)(1)", "641a.11(b)", "7.E(1)", "11.B", "11.B(1)")])
def test_a_play_is_anything_from_one_to_three_times_the_ante(edition_name: str, clauses: tuple[str, ...]) -> None:
    for amount in (ANTE, ANTE + 1, 17_23, 3 * ANTE):
        table = open_table(edition_name).to_decisions()
        for wrong in (-ANTE, 0, ANTE - 1, 3 * ANTE + 1, 10**15):
            refusal = table.expect_refusal(c.Decide, seat=1, amount=wrong)
            assert refusal.clause in clauses
            assert "from $10 to $30" in refusal.reason
        assert table.send(c.Decide, seat=1, amount=amount)[0].clause in clauses


@pytest.mark.parametrize("edition_name", ANY_AMOUNT)
def test_an_operator_may_require_whole_multiples(edition_name: str) -> None:
    table = open_table(edition_name, elections={"play_amounts": "whole_multiples"}).to_decisions()
    assert "$10, $20 or $30" in table.expect_refusal(c.Decide, seat=1, amount=15_00).reason
    table.send(c.Decide, seat=1, amount=20_00)


@pytest.mark.parametrize("clauses", [("679a.7(d)(1)", "679a.11(b)")])
def test_679a_7_d_1_a_play_equals_the_ante(clauses: tuple[str, ...]) -> None:
    table = open_table("pa-679a").to_decisions()
    for wrong in (0, ANTE - 1, ANTE + 1, 2 * ANTE):
        assert table.expect_refusal(c.Decide, seat=1, amount=wrong).clause in clauses
    table.send(c.Decide, seat=1, amount=ANTE)


# Folds and forfeits.


@shows("decide_1", "fold_keeps_bonus_wagers")
def test_a_fold_forfeits_the_ante_and_keeps_the_optional_wagers(edition_name: str) -> None:
    side = SIDE_WAGER[edition_name]
    table = open_table(edition_name, 1, 2)
    table.load()
    table.wager(1, "ante", side).wager(2)
    table.send(c.AnnounceNoMoreBets)
    table.deal().stub().all_fold()
    assert [event.forfeits for event in table.events_of(e.Folded)] == [("ante",), ("ante",)]
    table.reveal()
    assert table.round.collected == {2}, "the cards of an optional wager stay"
    while table.phase is not Phase.SETTLING:
        table.reveal()
    table.settle()
    entries = {(entry.seat, entry.wager): entry for entry in table.events_of(e.WagerSettled)}
    for seat in (1, 2):
        ante = entries[seat, "ante"]
        assert (ante.outcome, ante.returned, ante.paid) == ("forfeit", 0, 0)
        assert ante.clause == table.clause("decide_1")
    assert entries[1, side].outcome in ("win", "lose", "push")
    assert table.round.turned_up == {1}, "nobody sees the cards of a hand that was collected"


@shows("collect_forfeits")
@pytest.mark.parametrize("wagers", [(), None])
def test_forfeited_wagers_and_their_cards_are_collected(edition_name: str, wagers: tuple[str, ...] | None) -> None:
    also = (SIDE_WAGER[edition_name],) if wagers is None else wagers
    table = open_table(edition_name, 1, 2, 3)
    table.to_decisions(also=also)
    table.send(c.Decide, seat=1, amount=ANTE)
    table.send(c.Decide, seat=2, amount=None)
    table.send(c.Decide, seat=3, amount=None)
    assert table.expect_refusal(c.RevealCards).clause == table.clause("reveal_1"), "forfeits come first"
    event = table.send(c.CollectForfeits)[0]
    assert isinstance(event, e.ForfeitsCollected)
    assert event.clause == table.clause("collect_forfeits")
    assert event.seats == (() if also else (2, 3))
    table.expect_refusal(c.CollectForfeits)


@shows("decide_1", "decide_2", "decide_3", "reveal_1", "reveal_2", "reveal_3")
def test_each_street_is_decided_collected_and_revealed_in_order(edition_name: str) -> None:
    table = open_table(edition_name, 1, 2)
    table.to_decisions()
    streets = table.table.setup.game.streets
    for number, street in enumerate(streets, 1):
        assert table.expect_refusal(c.RevealCards).clause == table.clause("reveal_1")
        assert table.expect_refusal(c.Decide, seat=2, amount=ANTE).clause == table.clause(f"decide_{number}")
        events: list[e.Event] = []
        for seat in (1, 2):
            events += table.send(c.Decide, seat=seat, amount=ANTE)
        assert {event.clause for event in events} == {table.clause(f"decide_{number}")}
        table.send(c.CollectForfeits)
        reveal = table.send(c.RevealCards)[0]
        assert isinstance(reveal, e.CardsRevealed)
        assert reveal.clause == table.clause(f"reveal_{number}")
        assert (reveal.place, reveal.count) == (street.then.place, street.then.count)
    table.expect(Phase.SETTLING)
    assert table.expect_refusal(c.RevealCards).clause == table.clause("reveal_1")


@pytest.mark.parametrize(
    ("street", "forfeits", "clause"),
    [
        (1, ("ante",), "683a.11(b)"),
        (2, ("ante", "raise_1"), "683a.11(d)"),
        (3, ("ante", "raise_1", "raise_2"), "683a.11(f)"),
    ],
)
def test_683a_11_b_each_fold_forfeits_all_earlier_wagers(street: int, forfeits: tuple[str, ...], clause: str) -> None:
    table = open_table("pa-683a", 1, 2)
    table.to_decisions(also=("pocket_bonus", "board_bonus", "lo_ball", "all_six"))
    for _ in range(street - 1):
        table.all_stay().reveal()
    event = table.send(c.Decide, seat=1, amount=None)[0]
    assert isinstance(event, e.Folded)
    assert (event.clause, event.forfeits) == (clause, forfeits)
    table.send(c.Decide, seat=2, amount=3 * ANTE)
    assert table.send(c.CollectForfeits)[0].clause == clause
    table.send(c.RevealCards)
    assert 1 not in table.round.waiting, "a folded seat does not decide again"
    table.to_settlement().settle()
    outcomes = {entry.wager: entry.outcome for entry in table.events_of(e.WagerSettled) if entry.seat == 1}
    assert {wager for wager, outcome in outcomes.items() if outcome == "forfeit"} == set(forfeits)
    assert {outcomes[w] for w in ("pocket_bonus", "board_bonus", "lo_ball", "all_six")} <= {"win", "lose"}


def test_683a_11_d_each_raise_may_have_another_size() -> None:
    table = open_table("pa-683a").to_decisions()
    for times in (3, 1, 2):
        table.send(c.Decide, seat=1, amount=times * ANTE)
        table.reveal()
    assert [event.amount for event in table.events_of(e.WagerMade)] == [3 * ANTE, ANTE, 2 * ANTE]
    assert table.round.wagers[1] == {"ante": ANTE, "raise_1": 3 * ANTE, "raise_2": ANTE, "raise_3": 2 * ANTE}


def test_683a_11_g_the_board_is_revealed_even_if_everybody_folds() -> None:
    table = open_table("pa-683a", 1, 2)
    table.to_decisions(also=("board_bonus",)).all_fold()
    for count in (1, 2, 3):
        table.expect(Phase.COLLECTING)
        table.reveal()
        assert table.round.revealed[BOARD] == count
    table.settle()
    assert {entry.outcome for entry in table.events_of(e.WagerSettled) if entry.wager == "board_bonus"} <= {
        "win",
        "lose",
    }


@shows("collect_forfeits")
def test_collecting_forfeits_is_recorded_even_without_a_fold(edition_name: str) -> None:
    table = open_table(edition_name).to_decisions()
    table.all_stay()
    event = table.send(c.CollectForfeits)[0]
    assert isinstance(event, e.ForfeitsCollected)
    assert event.seats == ()


@shows("wagers.ante", "decide_1")
def test_md_11_d_1_b_a_fold_ends_participation(edition_name: str) -> None:
    table = open_table(edition_name, 1, 2)
    table.to_decisions()
    table.send(c.Decide, seat=1, amount=None)
    assert table.expect_refusal(c.Decide, seat=1, amount=ANTE).clause == table.clause("decide_1")
    assert table.round.folded == {1}
    table.to_settlement().settle()
    assert {entry.outcome for entry in table.events_of(e.WagerSettled) if entry.seat == 1} == {"forfeit"}


# Settlement.


@shows("settle_in_turn", "turn_up_hand", "form_hands")
def test_seats_are_settled_from_the_dealers_right_one_by_one(edition_name: str) -> None:
    table = open_table(edition_name, 1, 3, 5, 6)
    table.to_decisions(order=SeededShuffle("turn").order()).to_settlement()
    clause = table.clause("settle_in_turn")
    for seat in (6, 5, 3, 1):
        for other in {1, 3, 5, 6, 2, 0} - {seat}:
            assert table.expect_refusal(c.SettleSeat, seat=other).clause == clause
        assert table.expect_refusal(c.RackCards).clause == table.clause("rack_cards"), "all seats must be settled first"
        events = table.send(c.SettleSeat, seat=seat)
        assert isinstance(events[0], e.HandTurnedUp)
        assert (events[0].seat, events[0].clause) == (seat, table.clause("turn_up_hand"))
        assert isinstance(events[-1], e.SeatSettled)
        hand = player_hand(table.table.setup, table.round, seat)
        assert {
            entry.hand for entry in table.events_of(e.WagerSettled) if entry.wager == "ante" and entry.seat == seat
        } == {hand.name}
    table.expect(Phase.RACKING)
    assert table.expect_refusal(c.SettleSeat, seat=1).clause == clause


@shows("settle_optional", "settle_bad_beat", "expose_bonus_cards", "all_six_combined")
def test_optional_wagers_follow_the_required_ones_of_each_seat(edition_name: str) -> None:
    offered = open_table(edition_name).table.setup.limits
    also = [wager for wager in edition(edition_name).wagers if wager in offered and wager != "ante"]
    table = open_table(edition_name, 1, 2)
    table.to_decisions(also=also, order=SeededShuffle("optional").order()).to_settlement().settle()
    required = edition(edition_name).required
    for seat in (1, 2):
        settled = [entry.wager for entry in table.events_of(e.WagerSettled) if entry.seat == seat and entry.staked]
        assert settled[: len(required)] == list(required)
        assert settled[len(required) :] == also, "in the printed order"
    seats = [entry.seat for entry in table.events_of(e.WagerSettled)]
    assert seats == sorted(seats, reverse=True), "all wagers of a seat before the next seat"
    exposed = [event for event in table.events_of(e.CardsRevealed) if event.place == "bonus"]
    expected = {"pa-679a": 0}.get(edition_name, 1)
    assert len(exposed) == expected, "exposed once, at the first seat that bet on it"
    assert {event.clause for event in exposed} <= {table.clause("expose_bonus_cards")}


def test_641a_11_c_6_bad_beat_is_settled_after_aces_up() -> None:
    table = open_table("pa-641a")
    table.to_decisions(also=("aces_up", "bad_beat", "six_card_bonus")).to_settlement().settle()
    order = [entry.wager for entry in table.events_of(e.WagerSettled) if entry.staked]
    assert order == ["ante", "play", "aces_up", "bad_beat", "six_card_bonus"]


@pytest.mark.parametrize(
    ("edition_name", "clauses"),
    [
        ("pa-682a", ("682a.11(d)",)),
        ("pa-641a", ("641a.11(c)", "641a.11(c)(2)")),
        ("md-4cp", ("md-4cp:11.D(3)", "md-4cp:11.D(4)(b)")),
        ("pa-679a", ("679a.11(c)", "679a.11(c)(2)")),
    ],
)
def test_hands_are_the_best_of_their_cards(edition_name: str, clauses: tuple[str, ...]) -> None:
    assert clauses
    table = open_table(edition_name, method="automated_shoe")
    player, dealer = ("Ks 9h Kd 2c Kh", "As Qs Ad 7s 2s Ac") if edition_name != "pa-679a" else ("Ks 9h Kd", "As Qs Ad")
    if edition_name == "md-4cp":  # the dealer's six cards come first
        order = stacked_deck(dealer, player)
    elif edition_name == "pa-641a":  # the dealer's sixth card is the last of another stack
        order = stacked_deck(player, "As Qs Ad 7s 2s", "3c 3d 4c 4d", "Ac")
    else:
        order = stacked_deck(player, dealer)
    table.to_decisions(order=order).to_settlement()
    hand = player_hand(table.table.setup, table.round, 1)
    best_dealer_hand = dealer_hand(table.table.setup, table.round)
    assert best_dealer_hand is not None
    if edition_name == "pa-679a":
        assert (hand.name, best_dealer_hand.name) == ("pair", "pair")
    else:
        assert hand.name == "three_of_a_kind", "best four of five"
        assert best_dealer_hand.name == "three_of_a_kind", "best four of six: three aces beat the flush"
    table.settle()
    assert {entry.outcome for entry in table.events_of(e.WagerSettled) if entry.wager in ("play", "raise")} == {"lose"}


def test_683a_11_h_the_hand_is_two_cards_and_the_board() -> None:
    table = open_table("pa-683a")
    table.to_decisions(order=stacked_deck("As Ad", "Ah Kc Kd")).to_settlement()
    assert player_hand(table.table.setup, table.round, 1).name == "full_house"
    events = table.send(c.SettleSeat, seat=1)
    entries = [event for event in events if isinstance(event, e.WagerSettled)]
    assert [entry.wager for entry in entries] == ["ante", "raise_1", "raise_2", "raise_3"]
    assert {entry.hand for entry in entries} == {"full_house"}


def test_md_7_e_5_b_all_six_cards_count_for_the_super_royal() -> None:
    table = open_table("md-4cp")
    order = stacked_deck("9d", "Ad 2c Kd 3c Qd 4c Jd 5c Td 6c 7c")  # bonus card, then player and dealer in turn
    table.to_decisions(order=order, also=("aces_up", "six_card_bonus")).to_settlement().settle()
    entry = next(entry for entry in table.events_of(e.WagerSettled) if entry.wager == "six_card_bonus")
    assert (entry.outcome, entry.row) == ("win", "super_royal_diamonds")
    near = open_table("md-4cp")
    order = stacked_deck("9c", "Ad 2c Kd 3c Qd 4c Jd 5c Td 6c 7c")
    near.to_decisions(order=order, also=("aces_up", "six_card_bonus")).to_settlement().settle()
    entry = next(entry for entry in near.events_of(e.WagerSettled) if entry.wager == "six_card_bonus")
    assert (entry.outcome, entry.row) == ("win", "royal_flush")


@shows("reveal_deciding_card")
@pytest.mark.parametrize("card", ["player", "community"])
def test_the_deciding_card_is_revealed_for_a_pair_or_better_only(edition_name: str, card: str) -> None:
    for player, is_revealed in (("Ks Kd 4h", True), ("Ks Qd 4h", False)):
        table = open_table(edition_name, method="automated_shoe", elections={"pair_bonus_card": card})
        table.to_decisions(also=("pair_bonus",), order=stacked_deck(player, "As 9d 8h", "2c")).to_settlement().settle()
        reveals = [event for event in table.events_of(e.CardsRevealed) if event.place in ("fourth", "community")]
        assert bool(reveals) is is_revealed
        assert {event.clause for event in reveals} <= {table.clause("reveal_deciding_card")}
        entry = next(entry for entry in table.events_of(e.WagerSettled) if entry.wager == "pair_bonus")
        assert entry.outcome == ("win" if is_revealed else "lose")


@pytest.mark.parametrize("choice", ["player", "community"])
def test_a_lost_pair_bonus_tells_nothing_of_the_card_that_nobody_turned_up(choice: str) -> None:
    """The fourth card is a 2, or it is not: the record of the settlement is the same."""

    def settlement(card: str) -> list[e.WagerSettled]:
        table = open_table("pa-679a", method="automated_shoe", elections={"pair_bonus_card": choice})
        order = stacked_deck("Ks Qd 4h", "As 9d 8h", card)
        return table.to_decisions(also=("pair_bonus",), order=order).to_settlement().settle().events_of(e.WagerSettled)

    entries = settlement("2c")
    assert [entry.outcome for entry in entries if entry.wager == "pair_bonus"] == ["lose"]
    assert [entry.table for entry in entries if entry.wager == "pair_bonus"] == [""]
    for rank in "3456789TJQKA":
        assert settlement(f"{rank}c") == entries


# The rack.


@shows("rack_cards")
@pytest.mark.parametrize("method", METHODS)
def test_the_rack_keeps_every_hand(edition_name: str, method: str) -> None:
    table = open_table(edition_name, 1, 2, 3, method=method)
    order = SeededShuffle(f"rack {method}").order()
    table.to_decisions(also=BONUS_WAGER[edition_name], order=order)
    table.send(c.Decide, seat=1, amount=None)
    table.to_settlement().settle()
    hands = dict(table.round.cards)
    cards_dealt = [event.card for event in table.events_of(e.CardDealt) if event.card is not None]
    event = table.send(c.RackCards)[0]
    assert isinstance(event, e.RoundCompleted)
    assert event.clause == table.clause("rack_cards")
    assert {(place, seat): cards for place, seat, cards in event.rack} == hands
    racked = [card for _, _, cards in event.rack for card in cards if card is not None]
    assert sorted(racked) == sorted(cards_dealt), "every card once, folded hands included"
    assert len(set(racked)) == len(racked)
    assert (table.table.round, table.phase) == (None, Phase.SHUFFLING)
    assert table.table.history[-1].cards == hands
    assert table.expect_refusal(c.RackCards).clause == table.clause("rack_cards")


@pytest.mark.parametrize("edition_name", EDITIONS)
def test_a_hand_can_be_rebuilt_from_the_rack_and_settled_again(edition_name: str) -> None:
    table = open_table(edition_name, 1, 2)
    table.to_decisions(also=(SIDE_WAGER[edition_name],), order=SeededShuffle("again").order()).to_settlement().finish()
    past = table.table.history[-1]
    for seat in past.dealt:
        resettled = [
            (x.wager, x.outcome, x.returned, x.paid) for x in SeatSettlement(table.table.setup, past, seat).entries()
        ]
        assert resettled == [(x.wager, x.outcome, x.returned, x.paid) for x in past.entries if x.seat == seat]
        assert cards_of(past, table.table.setup.game.hand, seat)
    assert past.hand(DEALER) or past.hand(BOARD)


@pytest.mark.parametrize("edition_name", EDITIONS)
def test_the_table_remembers_the_last_twenty_rounds(edition_name: str) -> None:
    table: ScriptedTable = open_table(edition_name)
    table.send(c.BuyIn, patron="seat 1", amount=10_000_00)
    for _ in range(22):
        table.play_round()
    assert [past.number for past in table.table.history] == list(range(3, 23))
