"""Irregularities: section .13, Maryland's chapter 13."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.regulations import EDITIONS, edition
from croupier.table import Phase
from croupier.table.model import commands as c
from croupier.table.model import events as e
from croupier.table.model.state import DeckStep
from tests.support import shows
from tests.table.tables import ANTE, BONUS_WAGER, FLOYD, METHODS, ORDER, SIDE_WAGER, ScriptedTable, open_table

MOMENTS = ("stub", "deciding", "collecting", "revealing")
UNTIL_DECISIONS = ("pa-682a", "pa-682a-proposed")
"""Editions in which an exposed card matters until the last Raise; in the others until the reveal."""
SETTLES_OPTIONAL = (*UNTIL_DECISIONS, "pa-683a", "pa-679a")
"""Editions that settle the optional wagers of a round voided by an exposed card; the others return every wager."""


def _table_at(edition_name: str, moment: str, **choices: Any) -> ScriptedTable:
    """A table in a phase of a round of three seats, with a wager that is dealt its own card."""
    table = open_table(edition_name, 1, 2, 3, **choices).load()
    table.bet(also=BONUS_WAGER[edition_name])
    return table.to(Phase(moment))


def _assert_all_returned(table: ScriptedTable, clause: str) -> None:
    table.settle()
    assert {(entry.outcome, entry.clause, entry.paid) for entry in table.events_of(e.WagerSettled)} == {
        ("returned", clause, 0)
    }
    assert set(table.table.balances.values()) == {500_00}
    assert (table.table.tray, table.table.on_table()) == (0, 0)
    table.send(c.RackCards)
    assert (table.phase, table.step()) == (Phase.SHUFFLING, DeckStep.STACKED), "the cards are reshuffled"


# Face-up cards.


@shows("face_up_card")
@pytest.mark.parametrize("method", METHODS)
def test_one_face_up_card_is_discarded_and_replaced(edition_name: str, method: str) -> None:
    table = open_table(edition_name, 1, 2, method=method).load().bet()
    table.deal(face_up=frozenset({ORDER[3]}))
    discarded = table.events_of(e.FaceUpCardDiscarded)
    assert [(event.card, event.clause) for event in discarded] == [(3, table.clause("face_up_card"))]
    cards = [event.card for event in table.events_of(e.CardDealt)]
    assert cards == [card for card in ORDER if card != 3][: len(cards)], "it is not used, and nobody is a card short"
    assert table.round.face_up_found == (3,)
    assert table.events_of(e.DealCompleted)[0].stub == 52 - len(cards) - 1
    table.send(c.CountStub, stub=52 - len(cards) - 1)
    table.expect(Phase.DECIDING)
    table.to_settlement().finish()


@shows("face_up_card", "several_face_up_cards")
@pytest.mark.parametrize("method", METHODS)
def test_several_face_up_cards_void_the_round(edition_name: str, method: str) -> None:
    table = open_table(edition_name, 1, 2, method=method).load().bet(also=BONUS_WAGER[edition_name])
    table.deal(face_up=frozenset({2, 7, 8}))
    clause = table.clause("several_face_up_cards") or table.clause("face_up_card")
    assert [event.card for event in table.events_of(e.FaceUpCardDiscarded)] == [2, 7]
    assert table.events_of(e.RoundVoided)[0].clause == clause
    assert len(table.events_of(e.CardDealt)) == 6, "the deal stops"
    _assert_all_returned(table, clause)


@shows("face_up_card")
def test_face_up_cards_in_the_stub_do_not_affect_the_deal(edition_name: str) -> None:
    table = open_table(edition_name).load().bet()
    table.deal(face_up=frozenset({50, 51}))
    assert (table.events_of(e.FaceUpCardDiscarded), table.phase) == ([], Phase.STUB)


# Cards drawn in error, and the wrong number of them.


@shows("card_drawn_in_error")
def test_a_card_drawn_in_error_but_unseen_is_the_next_card(edition_name: str) -> None:
    table = _table_at(edition_name, "dealing")
    clause = table.clause("card_drawn_in_error")
    before = table.table
    event = table.send(c.ReportCardDrawnInError, exposed=False)[0]
    assert isinstance(event, e.Noted)
    assert (event.clause, table.table) == (clause, before)
    table.deal()
    cards = [event.card for event in table.events_of(e.CardDealt)]
    assert cards == list(ORDER[: len(cards)])
    refusal = table.expect_refusal(c.ReportCardDrawnInError, exposed=True)
    assert refusal.clause == clause
    assert "a floorperson must rule" in refusal.reason
    idle = open_table(edition_name)
    assert idle.expect_refusal(c.ReportCardDrawnInError, exposed=False).clause == clause


@shows("wrong_number_of_cards")
@pytest.mark.parametrize("moment", MOMENTS)
def test_a_wrong_number_of_cards_voids_the_round(edition_name: str, moment: str) -> None:
    table = _table_at(edition_name, moment)
    clause = table.clause("wrong_number_of_cards")
    events = table.send(c.ReportWrongNumberOfCards, where="seat 2")
    assert [event.clause for event in events] == [clause]
    table.expect(Phase.SETTLING)
    _assert_all_returned(table, clause)


@shows("wrong_number_of_cards")
def test_a_wrong_number_of_cards_is_reported_between_deal_and_payment(edition_name: str) -> None:
    clause = _table_at(edition_name, "dealing").clause("wrong_number_of_cards")
    for moment in ("dealing", "settling"):
        assert _table_at(edition_name, moment).expect_refusal(c.ReportWrongNumberOfCards, where="").clause == clause
    table = _table_at(edition_name, "deciding")
    table.send(c.ReportWrongNumberOfCards, FLOYD, where="the dealer")
    second = table.expect_refusal(c.ReportWrongNumberOfCards, where="the dealer")
    assert (second.clause, second.reason) == (clause, "the round is already void")
    assert (
        open_table(edition_name).expect_refusal(c.ReportWrongNumberOfCards, where="").reason
        == "there is no round in play"
    )


# Exposed cards.


@shows("exposed_card", "exposure")
@pytest.mark.parametrize("moment", MOMENTS)
def test_an_exposed_card_voids_the_contest(edition_name: str, moment: str) -> None:
    table = _table_at(edition_name, moment)
    rules = edition(edition_name)
    clause = table.clause("exposed_card")
    events = table.send(c.ReportExposedCard)
    if edition_name in UNTIL_DECISIONS and moment in ("collecting", "revealing"):
        assert [type(event) for event in events] == [e.Noted], "after the last decision it changes nothing"
        table.to_settlement().finish()
        return
    voided = events[0]
    assert isinstance(voided, e.RoundVoided)
    assert voided.clause == clause
    assert voided.settles_optional is (edition_name in SETTLES_OPTIONAL)
    if edition_name not in SETTLES_OPTIONAL:
        _assert_all_returned(table, clause)
        return
    table.settle()
    outcomes = {(entry.wager, entry.outcome) for entry in table.events_of(e.WagerSettled)}
    assert {outcome for wager, outcome in outcomes if wager in rules.required} == {"returned"}
    assert {outcome for wager, outcome in outcomes if wager not in rules.required} <= {"win", "lose", "push"}
    table.send(c.RackCards)
    table.expect(Phase.SHUFFLING)


@pytest.mark.parametrize(
    ("edition_name", "until"),
    [
        ("pa-682a", "decisions"),
        ("pa-683a", "reveal"),
        ("pa-679a", "reveal"),
        ("pa-641a", "reveal"),
        ("md-4cp", "reveal"),
    ],
)
def test_when_an_exposed_card_can_be_reported(edition_name: str, until: str) -> None:
    assert edition(edition_name).exposure.until == until
    table = _table_at(edition_name, "dealing")
    assert table.expect_refusal(c.ReportExposedCard).reason == "the cards have not been dealt yet"
    late = _table_at(edition_name, "settling").expect_refusal(c.ReportExposedCard)
    assert (late.clause, "a floorperson must decide" in late.reason) == (table.clause("exposed_card"), True)


def test_682a_13_d_exposure_counts_until_the_last_player_decides() -> None:
    table = _table_at("pa-682a", "deciding")
    table.send(c.Decide, seat=1, amount=ANTE)
    table.send(c.Decide, seat=2, amount=None)
    table.send(c.ReportExposedCard)
    assert table.round.void == "exposed_card"
    table.settle()
    entries = {(entry.seat, entry.wager): entry for entry in table.events_of(e.WagerSettled)}
    assert entries[1, "raise"].outcome == entries[1, "ante"].outcome == "returned"
    assert entries[2, "ante"].outcome == "returned", "a forfeited wager is returned if the round is void"
    assert {entries[seat, "all_six"].outcome for seat in (1, 2, 3)} <= {"win", "lose"}


def test_683a_13_d_exposure_on_any_street_turns_up_the_whole_board() -> None:
    for streets in (0, 1, 2):
        table = _table_at("pa-683a", "deciding")
        for _ in range(streets):
            table.all_stay().reveal()
        table.send(c.ReportExposedCard)
        assert table.round.revealed["board"] == 3
        table.settle()
        outcomes = {entry.wager: entry.outcome for entry in table.events_of(e.WagerSettled)}
        raises = [wager for wager in outcomes if wager.startswith("raise")]
        assert len(raises) == streets
        assert {outcomes[wager] for wager in ("ante", *raises)} == {"returned"}


@pytest.mark.parametrize("edition_name", ["pa-641a", "md-4cp"])
@pytest.mark.parametrize("clauses", [("641a.13(d)", "md-4cp:13.E")])
def test_the_up_card_is_not_an_irregularity(edition_name: str, clauses: tuple[str, ...]) -> None:
    assert clauses
    table = _table_at(edition_name, "deciding")
    assert [event.face_up for event in table.events_of(e.CardDealt) if event.place == "dealer"] == [False] * 5 + [True]
    assert table.round.void == ""


# Devices.


@shows("shuffler_jam")
def test_after_a_shuffler_jam_the_cards_are_reshuffled(edition_name: str) -> None:
    table = open_table(edition_name)
    table.shuffle()
    assert table.send(c.ReportShufflerJam)[0].clause == table.clause("shuffler_jam")
    assert (table.phase, table.step()) == (Phase.SHUFFLING, DeckStep.STACKED)
    table.send(c.ReportShufflerJam)
    table.expect(Phase.SHUFFLING, "also while it shuffles")
    table.play_round()
    by_hand = open_table(edition_name, shuffler="none")
    assert by_hand.expect_refusal(c.ReportShufflerJam).clause == table.clause("shuffler_jam")


@shows("shuffler_jam")
def test_a_shuffler_jam_affects_only_the_deck_in_the_device(edition_name: str) -> None:
    table = open_table(edition_name, decks=2).load()
    table.bet()
    table.shuffle(deck=2)
    table.deal()
    phase = table.phase
    table.send(c.ReportShufflerJam)
    assert table.step(2) is DeckStep.STACKED, "the deck that waited is shuffled again"
    assert (table.step(1), table.phase) == (DeckStep.LOADED, phase), "the round goes on"
    table.stub().to_settlement().finish()
    table.expect(Phase.SHUFFLING)


@shows("shoe_jam")
@pytest.mark.parametrize("moment", ["dealing", *MOMENTS])
def test_a_jam_of_the_automated_shoe_voids_the_round(edition_name: str, moment: str) -> None:
    table = _table_at(edition_name, moment, method="automated_shoe")
    clause = table.clause("shoe_jam")
    assert table.send(c.ReportShoeJam)[0].clause == clause
    _assert_all_returned(table, clause)


@shows("shoe_jam")
def test_a_jam_needs_an_automated_shoe_and_a_round(edition_name: str) -> None:
    clause = open_table(edition_name).clause("shoe_jam")
    assert _table_at(edition_name, "dealing").expect_refusal(c.ReportShoeJam).clause == clause
    assert open_table(edition_name, method="automated_shoe").expect_refusal(c.ReportShoeJam).clause == clause
    assert _table_at(edition_name, "settling", method="automated_shoe").expect_refusal(c.ReportShoeJam).clause == clause


@shows("device_out_of_order")
@pytest.mark.parametrize("marked", ["covered", "sign"])
def test_a_device_out_of_order_is_marked_before_it_is_replaced(edition_name: str, marked: str) -> None:
    table = open_table(edition_name, method="automated_shoe").load()
    replacement: dict[str, Any] = {"device": "shoe", "marked": marked, "method": "manual_shoe", "shuffler": "none"}
    clause = table.clause("device_out_of_order")
    for wrong in ({"marked": ""}, {"marked": "known"}, {"device": "drop box"}, {"method": "toss"}, {"shuffler": "Al"}):
        assert table.expect_refusal(c.TakeDeviceOutOfOrder, **(replacement | wrong)).clause == clause
    assert table.table.setup.method == "automated_shoe"
    event = table.send(c.TakeDeviceOutOfOrder, **replacement)[0]
    assert isinstance(event, e.DeviceTakenOut)
    assert (event.clause, event.marked) == (clause, marked)
    assert (table.table.setup.method, table.table.setup.shuffler) == ("manual_shoe", "none")
    table.expect(Phase.SHUFFLING, "the cards come out and are shuffled by hand")
    table.shuffle()
    table.expect(Phase.CUTTING)
    table.send(c.Cut, depth=12)
    table.send(c.LoadCards)
    table.bet()
    assert table.expect_refusal(c.TakeDeviceOutOfOrder, **replacement).reason == "finish or void the round first"


@shows("device_out_of_order")
def test_a_restored_device_is_used_again(edition_name: str) -> None:
    table = open_table(edition_name, method="automated_shoe").load()
    assert table.expect_refusal(c.RestoreDevice).reason == "no device is out of order here"
    original = (table.table.setup.method, table.table.setup.shuffler)
    replacement: dict[str, Any] = {"device": "shoe", "marked": "sign", "shuffler": "none"}
    table.send(c.TakeDeviceOutOfOrder, method="manual_shoe", **replacement)
    event = table.send(c.RestoreDevice)[0]
    assert (event.clause, type(event)) == (table.clause("device_out_of_order"), e.DeviceRestored)
    assert (table.table.setup.method, table.table.setup.shuffler) == original
    table.expect(Phase.SHUFFLING, "the cards are shuffled by the device again")


@shows("device_out_of_order")
def test_cards_are_not_dealt_from_the_hand_without_a_shuffler(edition_name: str) -> None:
    table = open_table(edition_name, method="hand")
    replacement: dict[str, Any] = {"device": "shuffler", "marked": "sign", "method": "hand", "shuffler": "none"}
    assert table.expect_refusal(c.TakeDeviceOutOfOrder, **replacement).clause == table.clause("hand_needs_a_shuffler")


@pytest.mark.parametrize("edition_name", EDITIONS)
def test_an_irregularity_does_not_affect_the_next_round(edition_name: str) -> None:
    table = _table_at(edition_name, "deciding")
    table.send(c.ReportWrongNumberOfCards, where="seat 1")
    table.finish()
    table.to_decisions(also=(SIDE_WAGER[edition_name],)).to_settlement().settle()
    assert table.round.void == ""
    assert {entry.outcome for entry in table.round.entries} <= {"win", "lose", "push"}
