"""Cards and opening, shuffle and cut: sections .3 to .5, Maryland's chapters 3 to 5."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.regulations import EDITIONS, edition
from croupier.table import Phase, decide
from croupier.table.automation import Automation
from croupier.table.model import commands as c
from croupier.table.model import events as e
from croupier.table.model.roles import SYSTEM, Actor, Role
from croupier.table.model.state import DeckStep
from croupier.table.procedure.shuffle import SeededShuffle
from croupier.table.session import TableSession
from tests.support import shows
from tests.table.tables import ANTE, DANA, FLOYD, HOUR, METHODS, ORDER, ScriptedTable, open_table, setup_of

REVERSED = tuple(reversed(ORDER))


# Opening.


@shows("inspect_cards", "verify_inspection", "spread_cards", "wash_cards")
def test_opening_steps_follow_in_order_by_the_right_person(edition_name: str) -> None:
    table = ScriptedTable(setup_of(edition_name))
    table.expect(Phase.CLOSED)
    assert table.send(c.ReceiveCards, decks=(1,))[0].clause == table.clause("inspect_cards")
    steps: list[tuple[type[c.Command], str, Actor]] = [
        (c.InspectCards, "inspect_cards", DANA),
        (c.VerifyInspection, "verify_inspection", FLOYD),
        (c.SpreadCards, "spread_cards", DANA),
        (c.WashCards, "wash_cards", DANA),
    ]
    for number, (kind, rule, person) in enumerate(steps):
        if kind is c.WashCards:
            table.seat("Pat", 1)
        for later, later_rule, later_person in steps[number + 1 :]:
            assert table.expect_refusal(later, later_person, deck=1).clause == table.clause(later_rule)
        wrong = DANA if person is FLOYD else FLOYD
        assert table.expect_refusal(kind, wrong, deck=1).clause == table.clause(rule)
        event = table.send(kind, person, deck=1)[0]
        assert (event.clause, event.by) == (table.clause(rule), person)
        assert table.expect_refusal(kind, person, deck=1).clause == table.clause(rule), "not twice"
    table.expect(Phase.SHUFFLING)


@shows("verify_inspection")
def test_dealers_do_not_verify_their_own_inspection(edition_name: str) -> None:
    table = ScriptedTable(setup_of(edition_name))
    table.send(c.ReceiveCards, decks=(1,))
    table.send(c.InspectCards, deck=1)
    refusal = table.expect_refusal(c.VerifyInspection, DANA, deck=1)
    assert refusal.clause == table.clause("verify_inspection")
    assert refusal.reason == "only a floorperson or a shift manager may do this, not a dealer"
    table.send(c.VerifyInspection, Actor("Sam", Role.SHIFT_MANAGER), deck=1)


@shows("wash_cards")
def test_cards_are_washed_only_after_the_first_player_arrives(edition_name: str) -> None:
    table = ScriptedTable(setup_of(edition_name)).spread()
    refusal = table.expect_refusal(c.WashCards, deck=1)
    assert refusal.clause == table.clause("wash_cards")
    assert "first player" in refusal.reason
    table.seat("Pat", 3).send(c.WashCards, deck=1)
    assert (table.step(), table.phase) == (DeckStep.STACKED, Phase.SHUFFLING)


@shows("open_each_deck")
def test_each_of_two_decks_is_opened(edition_name: str) -> None:
    table = ScriptedTable(setup_of(edition_name, decks=2))
    table.spread(1).seat("Pat", 1).send(c.WashCards, deck=1)
    table.expect(Phase.OPENING, "the second deck is still missing")
    assert table.expect_refusal(
        c.Shuffle, deck=1, order=ORDER, source="test", by_device=True, count=None
    ).clause == table.clause("shuffle_cards")
    table.send(c.ReceiveCards, decks=(2,))
    for kind in (c.InspectCards, c.VerifyInspection, c.SpreadCards, c.WashCards):
        table.expect(Phase.OPENING)
        table.send(kind, deck=2)
    table.expect(Phase.SHUFFLING)


@shows("one_deck")
def test_a_table_has_the_decks_it_was_set_up_with(edition_name: str) -> None:
    table = ScriptedTable(setup_of(edition_name))
    assert table.expect_refusal(c.ReceiveCards, decks=(2,)).clause == table.clause("one_deck")
    assert table.expect_refusal(c.ReceiveCards, decks=(1, 1)).clause == table.clause("one_deck")
    assert table.expect_refusal(c.ReceiveCards, decks=()).clause == table.clause("one_deck")
    two_decks = ScriptedTable(setup_of(edition_name, decks=2))
    two_decks.send(c.ReceiveCards, decks=(1, 2))
    assert two_decks.expect_refusal(c.InspectCards, deck=3).reason == "there is no deck 3: this table has 2 decks"


@shows("preshuffled_cards")
def test_preshuffled_cards_skip_the_opening_but_not_the_cut(edition_name: str) -> None:
    table = ScriptedTable(setup_of(edition_name, preshuffled=True))
    event = table.send(c.ReceiveCards, decks=(1,), orders=(REVERSED,))[0]
    assert event.clause == table.clause("preshuffled_cards")
    table.expect(Phase.CUTTING)
    for kind in (c.InspectCards, c.VerifyInspection, c.SpreadCards):
        table.expect_refusal(kind, deck=1)
    refusal = table.expect_refusal(c.LoadCards)
    assert refusal.clause == table.clause("manual_shuffle_is_cut")
    table.send(c.Cut, depth=20)
    assert table.table.deck.order == REVERSED[20:] + REVERSED[:20]
    table.send(c.LoadCards)
    table.seat("Pat", 1).play_round(1)
    table.expect(Phase.SHUFFLING, "after the round they are shuffled like any others")


@shows("preshuffled_cards")
def test_preshuffled_cards_need_the_submission_and_a_complete_deck(edition_name: str) -> None:
    plain = ScriptedTable(setup_of(edition_name))
    refusal = plain.expect_refusal(c.ReceiveCards, decks=(1,), orders=(ORDER,))
    assert refusal.clause == plain.clause("preshuffled_cards")
    assert "Rules Submission" in refusal.reason
    table = ScriptedTable(setup_of(edition_name, preshuffled=True))
    for orders in ((), (ORDER, ORDER)):
        if orders:
            assert table.expect_refusal(c.ReceiveCards, decks=(1,), orders=orders).clause == plain.clause(
                "preshuffled_cards"
            )
    duplicate = (0, *ORDER[:51])
    assert (
        table.expect_refusal(c.ReceiveCards, decks=(1,), orders=(duplicate,)).reason
        == "a deck has 52 cards, each of them once"
    )
    table.send(c.ReceiveCards, decks=(1,))
    assert table.step() is DeckStep.RECEIVED, "unshuffled cards go through the whole opening"


@shows("hand_needs_a_shuffler")
def test_preshuffled_cards_dealt_from_the_hand_go_through_the_device_first(edition_name: str) -> None:
    table = ScriptedTable(setup_of(edition_name, method="hand", preshuffled=True))
    table.send(c.ReceiveCards, decks=(1,), orders=(ORDER,))
    table.expect(Phase.SHUFFLING)
    table.expect_refusal(c.Cut, depth=20)
    table.expect_refusal(c.LoadCards)
    table.shuffle(REVERSED).send(c.LoadCards)
    table.expect(Phase.BETTING)


# Shuffle.


@shows("shuffle_cards")
@pytest.mark.parametrize("shuffler", ["none", "automated", "counting", "reshuffling"])
def test_cards_are_shuffled_before_play_and_after_each_round(edition_name: str, shuffler: str) -> None:
    table = open_table(edition_name, shuffler=shuffler)
    for number in range(1, 4):
        table.expect(Phase.SHUFFLING)
        assert table.expect_refusal(c.LoadCards).clause == table.clause("load_manual_shoe")
        assert table.expect_refusal(c.AnnounceNoMoreBets).clause == table.clause("no_more_bets_manual_shoe")
        table.play_round()
        assert table.table.rounds == number
    assert [event.by_device for event in table.events_of(e.CardsShuffled)] == [shuffler != "none"] * 3
    assert {event.clause for event in table.events_of(e.CardsShuffled)} == {table.clause("shuffle_cards")}


@shows("shuffle_cards")
def test_the_order_of_a_shuffle_and_its_source_are_recorded(edition_name: str) -> None:
    table = open_table(edition_name)
    source = SeededShuffle("a test")
    order = source.order()
    table.shuffle(order, source=source.name)
    assert table.events_of(e.CardsShuffled)[0].source == "seed a test"
    assert (table.table.deck.order, table.table.deck.source) == (order, "seed a test")


@shows("shuffle_cards")
def test_a_shuffle_needs_52_different_stacked_cards_not_in_use(edition_name: str) -> None:
    table = open_table(edition_name)
    shuffle: dict[str, Any] = {"deck": 1, "source": "test", "by_device": True}
    for order in ((), ORDER[:51], (*ORDER, 0), (0, *ORDER[:51]), (-1, *ORDER[1:])):
        refusal = table.expect_refusal(c.Shuffle, **shuffle, order=order)
        assert refusal.clause == table.clause("shuffle_cards")
        assert refusal.reason == "a deck has 52 cards, each of them once"
    assert table.expect_refusal(c.Shuffle, **(shuffle | {"deck": 2}), order=ORDER).clause == table.clause(
        "shuffle_cards"
    )
    table.to_decisions()
    assert table.expect_refusal(c.Shuffle, **shuffle, order=ORDER).clause == table.clause("shuffle_cards")


@shows("shuffle_cards")
def test_a_floorperson_directs_a_shuffle(edition_name: str) -> None:
    table = open_table(edition_name).load()
    table.wager(1)
    assert table.expect_refusal(c.OrderShuffle, DANA, reason="worn").clause == table.clause("shuffle_cards")
    assert table.expect_refusal(c.OrderShuffle, reason=" ").reason == "a reason must be given, for the record"
    event = table.send(c.OrderShuffle, reason="a card was bent")[0]
    assert (event.clause, event.by) == (table.clause("shuffle_cards"), FLOYD)
    table.expect(Phase.SHUFFLING)
    table.load(REVERSED).send(c.AnnounceNoMoreBets)
    table.deal()
    assert table.expect_refusal(c.OrderShuffle, reason="too late").clause == table.clause("shuffle_cards")
    assert table.events_of(e.CardDealt)[0].card == REVERSED[0]


@shows("shuffle_cards")
def test_a_floorperson_directs_a_shuffle_until_the_first_card_is_dealt(edition_name: str) -> None:
    table = open_table(edition_name).load().bet()
    table.send(c.OrderShuffle, reason="the shuffler was open")
    table.expect(Phase.SHUFFLING)
    table.load(REVERSED)
    table.expect(Phase.DEALING, "the wagers stand, and the round goes on")
    table.deal()
    assert table.round.cards["player", 1][0] in REVERSED[:10]
    assert table.expect_refusal(c.OrderShuffle, reason="too late").clause == table.clause("shuffle_cards")
    table.stub().to_settlement().finish()


@shows("inspect_cards")
def test_a_deck_with_a_defect_is_removed(edition_name: str) -> None:
    table = ScriptedTable(setup_of(edition_name))
    table.send(c.ReceiveCards, decks=(1,))
    inspected, removed = table.send(c.InspectCards, deck=1, defect="a bent seven of clubs")
    assert isinstance(inspected, e.CardsInspected)
    assert isinstance(removed, e.DeckRemoved)
    assert (inspected.defect, inspected.clause) == ("a bent seven of clubs", table.clause("inspect_cards"))
    assert (removed.reason, table.step()) == ("defect: a bent seven of clubs", DeckStep.MISSING)
    table.expect_refusal(c.VerifyInspection, deck=1)
    table.open().play_round()


@shows("verify_inspection")
def test_whoever_inspected_a_deck_cannot_verify_it_in_another_role(edition_name: str) -> None:
    table = ScriptedTable(setup_of(edition_name))
    table.send(c.ReceiveCards, decks=(1,))
    table.send(c.InspectCards, deck=1)
    refusal = table.expect_refusal(c.VerifyInspection, Actor(DANA.name, Role.FLOORPERSON), deck=1)
    assert (refusal.clause, "somebody else" in refusal.reason) == (table.clause("verify_inspection"), True)


@shows("wagers_close", "deck_change_shoe")
def test_an_overdue_deck_lets_a_patron_take_the_ante_back(edition_name: str) -> None:
    table = open_table(edition_name).load()
    table.wager(1)
    table.now += 8 * HOUR
    assert table.expect_refusal(c.AnnounceNoMoreBets).clause == table.clause("deck_change_shoe")
    table.send(c.ReceiveCards, decks=(1,))
    table.expect(Phase.OPENING)
    assert table.expect_refusal(c.PlaceWager, seat=1, wager="ante", amount=ANTE).clause == table.clause("wagers_close")
    table.send(c.PlaceWager, seat=1, wager="ante", amount=0)
    assert (table.table.balances["seat 1"], table.table.wagers) == (500_00, {})


@shows("shuffle_cards")
def test_a_table_without_a_device_is_shuffled_by_hand(edition_name: str) -> None:
    table = open_table(edition_name, shuffler="none")
    refusal = table.expect_refusal(c.Shuffle, deck=1, order=ORDER, source="test", by_device=True)
    assert (refusal.clause, refusal.reason) == (table.clause("shuffle_cards"), "this table has no shuffling device")
    table.shuffle()
    table.expect(Phase.CUTTING)


@shows("counting_shuffler", "wrong_device_count")
@pytest.mark.parametrize("shuffler", ["counting", "reshuffling"])
@pytest.mark.parametrize("count", [0, 51, 53])
def test_a_deck_is_removed_unless_the_device_counts_52_cards(edition_name: str, shuffler: str, count: int) -> None:
    table = open_table(edition_name, shuffler=shuffler)
    table.shuffle(count=count)
    removed = table.events_of(e.DeckRemoved)[0]
    assert removed.clause == (table.clause("wrong_device_count") or table.clause("counting_shuffler"))
    assert removed.reason == f"the device counted {count} cards"
    assert (table.step(), table.phase, table.table.deck.order) == (DeckStep.MISSING, Phase.OPENING, ())
    table.expect_refusal(c.LoadCards)
    table.spread().send(c.WashCards, deck=1)
    table.shuffle()
    table.expect(Phase.LOADING)


@shows("counting_shuffler")
def test_a_counting_device_reports_its_count(edition_name: str) -> None:
    table = open_table(edition_name, shuffler="counting")
    refusal = table.expect_refusal(c.Shuffle, deck=1, order=ORDER, source="test", by_device=True)
    assert refusal.clause == table.clause("counting_shuffler")
    for count in (-1, 417):
        refusal = table.expect_refusal(c.Shuffle, deck=1, order=ORDER, source="test", by_device=True, count=count)
        assert (refusal.clause, str(count) in refusal.reason) == (table.clause("counting_shuffler"), True)
    by_hand = table.expect_refusal(c.Shuffle, deck=1, order=ORDER, source="test", by_device=False, count=52)
    plain = open_table(edition_name, shuffler="automated")
    uncounted = plain.expect_refusal(c.Shuffle, deck=1, order=ORDER, source="test", by_device=True, count=52)
    assert by_hand.reason == uncounted.reason == "no device has counted these cards: leave the count out"
    table.shuffle()
    shuffled = table.events_of(e.CardsShuffled)[0]
    assert (shuffled.by_device, shuffled.device, shuffled.count) == (True, "counting", 52)


# Cut.


@shows("machine_shuffle_is_not_cut")
def test_machine_shuffled_cards_are_not_cut(edition_name: str) -> None:
    table = open_table(edition_name)
    table.shuffle()
    table.expect(Phase.LOADING)
    assert table.expect_refusal(c.Cut, depth=20).clause == table.clause("machine_shuffle_is_not_cut")
    assert table.expect_refusal(c.OrderRecut, reason="just so").clause == table.clause("recut_cards")
    table.send(c.LoadCards)


@shows("manual_shuffle_is_cut", "cut_cards", "cut_cards_go_into_the_shoe")
def test_manually_shuffled_cards_are_cut_before_they_go_into_the_shoe(edition_name: str) -> None:
    table = open_table(edition_name, shuffler="none")
    table.shuffle()
    table.expect(Phase.CUTTING)
    assert table.expect_refusal(c.LoadCards).clause == table.clause("manual_shuffle_is_cut")
    event = table.send(c.Cut, depth=10)[0]
    assert event.clause == table.clause("cut_cards")
    assert table.table.deck.order == ORDER[10:] + ORDER[:10], "the cards above the cover card go to the bottom"
    assert table.send(c.LoadCards)[0].clause == table.clause("load_manual_shoe")


@shows("cut_cards", "figures.cut_depth")
@pytest.mark.parametrize("depth", [-1, 0, 1, 9, 52, 1000])
def test_the_cover_card_goes_at_least_ten_cards_in(edition_name: str, depth: int) -> None:
    table = open_table(edition_name, shuffler="none")
    table.shuffle()
    refusal = table.expect_refusal(c.Cut, depth=depth)
    assert refusal.clause == table.clause("cut_cards")
    assert "at least 10 cards from the top" in refusal.reason
    assert table.expect_refusal(c.Cut, FLOYD, depth=20).clause == table.clause("cut_cards"), "the dealer cuts"


@shows("recut_cards")
def test_a_recut_is_ordered_by_a_floorperson_before_any_card_is_dealt(edition_name: str) -> None:
    table = open_table(edition_name, shuffler="none")
    clause = table.clause("recut_cards")
    assert table.expect_refusal(c.OrderRecut, reason="bad cut").clause == clause, "there is no cut yet"
    table.shuffle().send(c.Cut, depth=30)
    assert table.expect_refusal(c.OrderRecut, DANA, reason="bad cut").clause == clause
    assert table.expect_refusal(c.OrderRecut, reason="").clause == clause
    assert table.send(c.OrderRecut, reason="bad cut")[0].clause == clause
    table.expect(Phase.CUTTING)
    table.send(c.Cut, depth=15)
    assert table.table.deck.order == (ORDER[30:] + ORDER[:30])[15:] + (ORDER[30:] + ORDER[:30])[:15]
    table.send(c.LoadCards)
    table.send(c.OrderRecut, reason="the shoe was seen")
    table.send(c.Cut, depth=20)
    table.send(c.LoadCards)
    table.bet()
    table.send(c.OrderRecut, reason="also after no more bets")
    assert table.expect_refusal(c.PlaceWager, seat=1, wager="ante", amount=ANTE).clause == table.clause("wagers_close")
    table.send(c.Cut, depth=11)
    table.send(c.LoadCards)
    table.expect(Phase.DEALING, "the wagers stand, and the round goes on")
    table.deal()
    assert table.expect_refusal(c.OrderRecut, reason="too late").clause == clause
    table.stub().to_settlement().finish()


@shows("reshuffling_device", "reshuffling_device_is_not_cut")
def test_a_reshuffling_device_needs_no_cut_recut_or_idle_spread(edition_name: str) -> None:
    table = open_table(edition_name, shuffler="reshuffling")
    table.shuffle()
    clause = table.clause("reshuffling_device_is_not_cut") or table.clause("reshuffling_device")
    table.expect(Phase.LOADING)
    assert table.expect_refusal(c.Cut, depth=20).clause == clause
    assert table.expect_refusal(c.OrderRecut, reason="just so").clause == clause
    assert table.expect_refusal(c.SpreadIdleCards).clause == clause
    table.send(c.LoadCards)
    table.bet().deal().send(c.RackStub)
    table.expect(Phase.DECIDING, "the device counts, so the stub is not counted")


# The idle table.


@shows("idle_table")
def test_an_idle_table_is_spread_washed_and_shuffled_again(edition_name: str) -> None:
    table = open_table(edition_name).load()
    assert table.send(c.SpreadIdleCards)[0].clause == table.clause("idle_table")
    assert table.events_of(e.CardsSpreadIdle)[-1].face_up is False
    table.expect(Phase.IDLE)
    assert table.expect_refusal(c.PlaceWager, seat=1, wager="ante", amount=10_00).clause == table.clause("wagers_close")
    repeats_opening = bool(table.clause("whole_opening_after_idle"))
    assert table.step() is (DeckStep.RECEIVED if repeats_opening else DeckStep.SPREAD)
    if repeats_opening:
        for kind in (c.InspectCards, c.VerifyInspection, c.SpreadCards):
            table.send(kind, deck=1)
    table.send(c.WashCards, deck=1)
    table.expect(Phase.SHUFFLING)
    table.play_round()


@shows("whole_opening_after_idle")
def test_maryland_repeats_the_whole_opening_after_idleness(edition_name: str) -> None:
    table = open_table(edition_name, decks=2).load()
    table.send(c.SpreadIdleCards, face_up=True)
    assert table.events_of(e.CardsSpreadIdle)[0].face_up
    for deck in (1, 2):
        assert table.expect_refusal(c.WashCards, deck=deck).clause == table.clause("wash_cards")
        for kind in (c.InspectCards, c.VerifyInspection, c.SpreadCards, c.WashCards):
            table.send(kind, deck=deck)
    table.expect(Phase.SHUFFLING)


@shows("idle_table")
def test_a_table_with_wagers_or_a_round_is_not_idle(edition_name: str) -> None:
    table = open_table(edition_name).load()
    table.wager(1)
    assert table.expect_refusal(c.SpreadIdleCards).clause == table.clause("idle_table")
    table.send(c.AnnounceNoMoreBets)
    assert table.expect_refusal(c.SpreadIdleCards).clause == table.clause("idle_table")
    empty_table = open_table(edition_name).load()
    empty_table.send(c.Leave, patron="seat 1")
    nobody_asks = empty_table.expect_refusal(c.SpreadIdleCards, face_up=True)
    assert (nobody_asks.clause, "nobody is here to ask" in nobody_asks.reason) == (table.clause("idle_table"), True)
    empty_table.send(c.SpreadIdleCards)
    if empty_table.clause("whole_opening_after_idle"):
        for kind in (c.InspectCards, c.VerifyInspection, c.SpreadCards):
            empty_table.send(kind, deck=1)
    assert "first player" in empty_table.expect_refusal(c.WashCards, deck=1).reason


# Two decks.


@shows("decks_alternate", "one_deck_in_the_rack", "deck_waits_in_the_shuffler")
def test_two_decks_alternate_round_by_round(edition_name: str) -> None:
    table = open_table(edition_name, decks=2)
    orders = {1: ORDER, 2: REVERSED}
    deck_numbers = []
    for number in range(5):
        table.load(orders[table.table.deck_in_use])
        other_deck = 3 - table.table.deck_in_use
        table.bet().deal()
        table.shuffle(orders[other_deck], deck=other_deck)
        assert table.step(other_deck) is DeckStep.SHUFFLED, "it is shuffled and waits while the other deck is in play"
        deck_numbers.append(table.round.deck)
        assert set(table.round.cards[("player", 1)]) <= set(orders[table.round.deck][:30])
        if number == 2:
            table.send(c.DecideOnTheFloor, outcome="void", reason="a void round counts as well")
        else:
            table.stub().to_settlement()
        table.finish()
    assert deck_numbers == [1, 2, 1, 2, 1]
    assert len(table.events_of(e.CardsShuffled)) == 6, "the waiting deck needs no other shuffle"


@shows("deck_waits_in_the_shuffler")
def test_the_waiting_deck_is_shuffled_by_the_device(edition_name: str) -> None:
    table = open_table(edition_name, decks=2).load()
    refusal = table.expect_refusal(c.Shuffle, deck=2, order=ORDER, source="test", by_device=False)
    assert refusal.clause == table.clause("deck_waits_in_the_shuffler")


@shows("one_deck_in_the_rack", "deck_waits_in_the_shuffler")
def test_a_deck_is_racked_only_when_the_other_one_is_in_the_device(edition_name: str) -> None:
    table = open_table(edition_name, decks=2).load()
    table.bet().deal().stub().to_settlement().settle()
    refusal = table.expect_refusal(c.RackCards)
    assert (refusal.clause, "deck 2" in refusal.reason) == (table.clause("one_deck_in_the_rack"), True)
    table.shuffle(deck=2).send(c.RackCards)
    assert (table.step(1), table.step(2)) == (DeckStep.STACKED, DeckStep.SHUFFLED)


# Change of decks.


@shows("deck_change_hand", "deck_change_shoe")
@pytest.mark.parametrize(("method", "hours"), [("hand", 4), ("manual_shoe", 8), ("automated_shoe", 8)])
def test_decks_are_changed_on_time(edition_name: str, method: str, hours: int) -> None:
    rule = "deck_change_hand" if method == "hand" else "deck_change_shoe"
    table = open_table(edition_name, method=method).load()
    table.now = hours * HOUR - 1
    table.bet()
    table.now = hours * HOUR
    table.deal().stub().to_settlement().finish()
    clause = table.clause(rule)
    shuffle: dict[str, Any] = {"deck": 1, "order": ORDER, "source": "test", "by_device": True}
    assert table.expect_refusal(c.Shuffle, **shuffle).clause == clause, "the round finished, but no other starts"
    table.spread().send(c.WashCards, deck=1)
    table.play_round()
    table.now = 2 * hours * HOUR - 1
    table.shuffle()
    table.now += 1
    assert table.expect_refusal(c.LoadCards).clause == clause
    table.now -= 1
    table.send(c.LoadCards)
    table.wager(1)
    table.now += 1
    assert table.expect_refusal(c.AnnounceNoMoreBets).clause == clause


@shows("deck_change_hand")
def test_a_deck_dealt_from_the_hand_keeps_the_shorter_time_limit(edition_name: str) -> None:
    table = open_table(edition_name, method="hand")
    table.play_round()
    replacement: dict[str, Any] = {
        "device": "shuffler",
        "marked": "covered",
        "method": "manual_shoe",
        "shuffler": "none",
    }
    table.send(c.ReportDeviceFailure, device="shuffler")
    table.send(c.TakeDeviceOutOfOrder, **replacement)
    table.now = 4 * HOUR
    refusal = table.expect_refusal(c.Shuffle, deck=1, order=ORDER, source="test", by_device=False)
    assert refusal.clause == table.clause("deck_change_hand")


@shows("deck_change_shoe")
def test_each_deck_has_its_own_clock(edition_name: str) -> None:
    table = open_table(edition_name, decks=2)
    table.now = 3 * HOUR
    table.spread(2).send(c.WashCards, deck=2)
    table.now = 9 * HOUR
    table.expect_refusal(c.Shuffle, deck=1, order=ORDER, source="test", by_device=True)
    table.shuffle(deck=2)


@pytest.mark.parametrize("edition_name", EDITIONS)
def test_cards_are_not_changed_during_a_round(edition_name: str) -> None:
    table = open_table(edition_name).to_decisions()
    assert table.expect_refusal(c.ReceiveCards, decks=(1,)).reason == "cards are changed between rounds, not during one"


# Loading, and closing the table.


@shows("hand_needs_a_shuffler", "load_hand")
def test_cards_dealt_from_the_hand_come_from_the_device(edition_name: str) -> None:
    table = open_table(edition_name, method="hand")
    refusal = table.expect_refusal(c.Shuffle, deck=1, order=ORDER, source="test", by_device=False)
    assert refusal.clause == table.clause("hand_needs_a_shuffler")
    table.shuffle()
    assert table.send(c.LoadCards)[0].clause == table.clause("load_hand")


@shows("load_manual_shoe", "load_automated_shoe", "manual_shoe", "automated_shoe")
@pytest.mark.parametrize("method", ["manual_shoe", "automated_shoe"])
def test_only_shuffled_cards_go_into_the_shoe(edition_name: str, method: str) -> None:
    table = open_table(edition_name, method=method)
    assert table.expect_refusal(c.LoadCards).clause == table.clause(f"load_{method}")
    table.shuffle()
    assert table.expect_refusal(c.AnnounceNoMoreBets).clause == table.clause(f"no_more_bets_{method}")
    event = table.send(c.LoadCards)[0]
    assert isinstance(event, e.CardsLoaded)
    assert (event.clause, event.method) == (table.clause(f"load_{method}"), method)
    table.expect(Phase.BETTING)
    table.expect_refusal(c.LoadCards)


@pytest.mark.parametrize("edition_name", EDITIONS)
@pytest.mark.parametrize("method", METHODS)
def test_closing_a_table_lets_the_round_in_play_finish(edition_name: str, method: str) -> None:
    table = open_table(edition_name, method=method)
    table.to_decisions()
    assert table.expect_refusal(c.CloseTable, DANA).reason.startswith("only a floorperson")
    table.send(c.CloseTable)
    table.expect(Phase.DECIDING)
    assert table.expect_refusal(c.Sit, patron="Late", seats=(2,)).reason == "the table is closed"
    table.to_settlement().finish()
    assert (table.phase, table.step()) == (Phase.CLOSED, DeckStep.MISSING)
    assert table.expect_refusal(c.CloseTable).reason == "the table is already closed"
    table.spread().send(c.WashCards, deck=1)
    table.wager(1)
    assert "wagers on the layout" in table.expect_refusal(c.CloseTable).reason
    table.send(c.PlaceWager, seat=1, wager="ante", amount=0)
    table.send(c.CloseTable)
    table.expect(Phase.CLOSED)


@pytest.mark.parametrize("edition_name", EDITIONS)
def test_the_figures_of_the_procedure_come_from_the_edition(edition_name: str) -> None:
    rules = edition(edition_name)
    assert rules.figure("deck_cards") == 52
    outcome = decide(open_table(edition_name).table, c.SpreadCards(by=DANA, at=0, deck=1))
    assert "deck 1 is stacked" in str(outcome)


# Other decks at a table for preshuffled cards, and what automation does.


@pytest.mark.parametrize("edition_name", EDITIONS)
def test_a_table_for_preshuffled_cards_also_receives_other_decks(edition_name: str) -> None:
    table = ScriptedTable(setup_of(edition_name, preshuffled=True))
    table.spread()
    received = table.events_of(e.CardsReceived)[0]
    assert (received.preshuffled, received.order) == (False, ())
    assert (received.clause, table.step()) == (table.clause("inspect_cards"), DeckStep.SPREAD)
    table.send(c.ReceiveCards, decks=(1,), orders=(ORDER,), preshuffled=True)
    assert table.step() is DeckStep.SHUFFLED


@pytest.mark.parametrize("edition_name", EDITIONS)
def test_automation_shuffles_the_other_deck_and_spreads_the_cards_of_an_idle_table(edition_name: str) -> None:
    session = TableSession(setup_of(edition_name, decks=2, method="automated_shoe"))
    automation, pat = Automation(SeededShuffle("two decks")), Actor("Pat", Role.PATRON)
    session.send(c.ReceiveCards(by=SYSTEM, at=0, decks=(1, 2)))
    session.send(c.Sit(by=pat, at=0, patron="Pat", seats=(1,)))
    session.send(c.BuyIn(by=SYSTEM, at=0, patron="Pat", amount=500_00))
    for _ in range(3):
        automation.advance(session, at=0)
        session.send(c.PlaceWager(by=pat, at=0, seat=1, wager="ante", amount=5_00))
        session.send(c.AnnounceNoMoreBets(by=SYSTEM, at=0))
        automation.advance(session, at=0)
        while session.table.phase is Phase.DECIDING:
            session.send(c.Decide(by=pat, at=0, seat=1, amount=None))
            automation.advance(session, at=0)
    in_play = [
        event for event in session.events if isinstance(event, e.BetsClosed | e.CardsShuffled | e.RoundCompleted)
    ]
    kinds = [type(event).__name__ for event in in_play]
    assert kinds == ["CardsShuffled", *["BetsClosed", "CardsShuffled", "RoundCompleted"] * 3]
    session.send(c.Leave(by=pat, at=0, patron="Pat"))
    automation.advance(session, at=0)
    (spread,) = [event for event in session.events if isinstance(event, e.CardsSpreadIdle)]
    assert not spread.face_up
