"""Shufflers and shoes: failures, who reports and who confirms, what replaces a device, and its return."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.audits.record import audit_events
from croupier.table import decide
from croupier.table.model import commands as c
from croupier.table.model import events as e
from croupier.table.model.roles import Actor, Role
from croupier.table.model.setup import Setup
from croupier.table.model.state import DeckStep, Phase
from croupier.table.prompts import prompts
from tests.support import shows
from tests.table.tables import DANA, FLOYD, METHODS, ORDER, ScriptedTable, open_table

MANUAL: dict[str, Any] = {"method": "manual_shoe", "shuffler": "none"}


def _report(table: ScriptedTable, device: str) -> ScriptedTable:
    table.send(c.ReportDeviceFailure, device=device)
    return table


def _require_clean(table: ScriptedTable, setup: Setup) -> None:
    """Asserts that the audit of a record finds nothing."""
    events = list(enumerate(table.events, 1))
    assert audit_events("a record", setup, events, table.session.causes).findings == []


@shows("device_out_of_order", "device_covered", "device_signed")
@pytest.mark.parametrize(("marked", "rule"), [("covered", "device_covered"), ("sign", "device_signed")])
def test_a_device_out_of_order_is_marked_before_it_is_replaced(edition_name: str, marked: str, rule: str) -> None:
    table = open_table(edition_name, method="automated_shoe").load()
    replacement: dict[str, Any] = {"device": "shoe", "marked": marked, **MANUAL}
    clause = table.clause("device_out_of_order")
    _report(table, "shoe")
    for wrong in ({"marked": ""}, {"marked": "known"}, {"device": "drop box"}, {"method": "toss"}, {"shuffler": "Al"}):
        assert table.expect_refusal(c.TakeDeviceOutOfOrder, **(replacement | wrong)).clause == clause
    assert table.table.setup.method == "automated_shoe"
    event = table.send(c.TakeDeviceOutOfOrder, **replacement)[0]
    assert isinstance(event, e.DeviceTakenOut)
    assert (event.clause, event.marked) == (table.clause(rule) or clause, marked)
    assert (table.table.setup.method, table.table.setup.shuffler) == ("manual_shoe", "none")
    table.expect(Phase.SHUFFLING, "the cards come out and are shuffled by hand")
    table.shuffle()
    table.expect(Phase.CUTTING)
    table.send(c.Cut, depth=12)
    table.send(c.LoadCards)
    table.bet()
    assert table.expect_refusal(c.ReportDeviceFailure, device="shoe").clause == clause, "it is no longer in use"


def test_maryland_cites_covered_and_signed_devices_under_their_own_clauses() -> None:
    for marked, clause in (("covered", "13.H(1)"), ("sign", "13.H(2)")):
        table = _report(open_table("md-4cp", method="automated_shoe"), "shoe")
        assert table.send(c.TakeDeviceOutOfOrder, device="shoe", marked=marked, **MANUAL)[0].clause == clause


@shows("device_out_of_order")
@pytest.mark.parametrize(
    ("device", "choices"),
    [("shuffler", {"shuffler": "none"}), ("shoe", {"method": "manual_shoe"}), ("shoe", {"method": "hand"})],
)
def test_only_a_device_that_the_table_has_can_fail(edition_name: str, device: str, choices: dict[str, str]) -> None:
    table = open_table(edition_name, **choices)
    clause = table.clause("device_out_of_order")
    refusal = table.expect_refusal(c.ReportDeviceFailure, device=device)
    assert (refusal.clause, "this table has no" in refusal.reason) == (clause, True)
    taken_out = table.expect_refusal(c.TakeDeviceOutOfOrder, device=device, marked="sign", **MANUAL)
    assert taken_out.clause == clause


@shows("device_out_of_order")
def test_the_dealer_reports_and_a_floorperson_confirms(edition_name: str) -> None:
    """A dealer alone cannot put another device into service, nor can a floorperson."""
    table = open_table(edition_name, method="automated_shoe", shuffler="counting")
    clause = table.clause("device_out_of_order")
    replacement: dict[str, Any] = {"device": "shuffler", "marked": "sign", "method": "automated_shoe"}
    unreported = table.expect_refusal(c.TakeDeviceOutOfOrder, **replacement, shuffler="none")
    assert (unreported.clause, "has not reported" in unreported.reason) == (clause, True)
    assert table.expect_refusal(c.ReportDeviceFailure, FLOYD, device="shuffler").clause == clause
    _report(table, "shuffler")
    assert table.expect_refusal(c.ReportDeviceFailure, device="shuffler").clause == clause, "it is reported already"
    assert table.expect_refusal(c.TakeDeviceOutOfOrder, DANA, **replacement, shuffler="none").clause == clause
    turncoat = Actor(DANA.name, Role.FLOORPERSON)
    alone = table.expect_refusal(c.TakeDeviceOutOfOrder, turncoat, **replacement, shuffler="none")
    assert (alone.clause, "somebody else" in alone.reason) == (clause, True)
    table.send(c.TakeDeviceOutOfOrder, **replacement, shuffler="none")
    assert table.table.reported_devices == {}


@shows("device_out_of_order", "reshuffling_device", "stub_count_manual_shoe")
def test_an_unapproved_device_cannot_replace_another(edition_name: str) -> None:
    """With a reshuffling device, cut, recut and stub count would vanish."""
    table = _report(open_table(edition_name, shuffler="counting"), "shuffler")
    clause = table.clause("device_out_of_order")
    replacement: dict[str, Any] = {"device": "shuffler", "marked": "sign", "method": "manual_shoe"}
    for shuffler in ("reshuffling", "automated"):
        refusal = table.expect_refusal(c.TakeDeviceOutOfOrder, **replacement, shuffler=shuffler)
        assert (refusal.clause, "on file" in refusal.reason) == (clause, True)
    on_file = _report(open_table(edition_name, shuffler="counting", substitute_shufflers=("automated",)), "shuffler")
    on_file.send(c.TakeDeviceOutOfOrder, **replacement, shuffler="automated")
    assert on_file.table.setup.shuffler == "automated"
    only_shuffler = _report(open_table(edition_name, method="automated_shoe"), "shuffler")
    refusal = only_shuffler.expect_refusal(
        c.TakeDeviceOutOfOrder, device="shoe", marked="sign", method="manual_shoe", shuffler="automated"
    )
    assert "has not reported" in refusal.reason, "the shoe works"


@shows("device_out_of_order")
def test_a_restored_device_is_used_again(edition_name: str) -> None:
    table = open_table(edition_name, method="automated_shoe").load()
    assert table.expect_refusal(c.RestoreDevice).reason == "no device is out of order here"
    original = (table.table.setup.method, table.table.setup.shuffler)
    _report(table, "shoe").send(c.TakeDeviceOutOfOrder, device="shoe", marked="sign", **MANUAL)
    assert table.expect_refusal(c.RestoreDevice, DANA).clause == table.clause("device_out_of_order")
    event = table.send(c.RestoreDevice)[0]
    assert (event.clause, type(event)) == (table.clause("device_out_of_order"), e.DeviceRestored)
    assert (table.table.setup.method, table.table.setup.shuffler) == original
    table.expect(Phase.SHUFFLING, "the cards are shuffled by the device again")


@shows("hand_needs_a_shuffler")
def test_cards_are_not_dealt_from_the_hand_without_a_shuffler(edition_name: str) -> None:
    table = _report(open_table(edition_name, method="hand"), "shuffler")
    replacement: dict[str, Any] = {"device": "shuffler", "marked": "sign"}
    refusal = table.expect_refusal(c.TakeDeviceOutOfOrder, **replacement, method="hand", shuffler="none")
    assert refusal.clause == table.clause("hand_needs_a_shuffler")
    table.send(c.TakeDeviceOutOfOrder, **replacement, **MANUAL)
    table.play_round()


@shows("two_decks_need_a_shuffler")
@pytest.mark.parametrize("in_use", [1, 2])
def test_a_table_with_two_decks_whose_shuffler_fails_goes_on_with_one_by_hand(edition_name: str, in_use: int) -> None:
    table = open_table(edition_name, decks=2)
    if in_use == 2:
        table.play_round()
    removed, _ = _report(table, "shuffler").send(c.TakeDeviceOutOfOrder, device="shuffler", marked="sign", **MANUAL)
    assert isinstance(removed, e.DeckRemoved)
    assert (removed.deck, removed.clause) == (3 - in_use, table.clause("two_decks_need_a_shuffler"))
    for _ in range(2):
        table.shuffle()
        table.expect(Phase.CUTTING, "a shuffle by hand is cut")
        table.load().bet().deal()
        assert table.round.deck == in_use
        table.stub().to_settlement().finish()
    table.send(c.RestoreDevice)
    assert (table.phase, table.step(3 - in_use)) == (Phase.OPENING, DeckStep.MISSING), "another deck is brought"
    table.spread(3 - in_use).send(c.WashCards, deck=3 - in_use)
    table.play_round()
    assert table.table.deck_in_use == 3 - in_use


@shows("manual_shuffle_is_cut")
@pytest.mark.parametrize("method", [method for method in METHODS if method != "hand"])
@pytest.mark.parametrize("shuffler", ["automated", "counting", "reshuffling"])
def test_a_shuffle_by_hand_is_cut_whatever_devices_the_table_has(edition_name: str, method: str, shuffler: str) -> None:
    table = open_table(edition_name, method=method, shuffler=shuffler)
    table.shuffle(by_device=False, count=None)
    table.expect(Phase.CUTTING)
    assert table.expect_refusal(c.LoadCards).clause == table.clause("manual_shuffle_is_cut")
    assert table.events_of(e.CardsShuffled)[0].device == ""


@shows("device_out_of_order")
@pytest.mark.parametrize("by_device", [True, False])
def test_a_reported_shuffler_is_not_used_nor_another_way_before_it_is_marked(
    edition_name: str, by_device: bool
) -> None:
    table = _report(open_table(edition_name), "shuffler")
    shuffle: dict[str, Any] = {"deck": 1, "order": ORDER, "source": "test", "by_device": by_device}
    refusal = table.expect_refusal(c.Shuffle, **shuffle)
    assert (refusal.clause, "reported" in refusal.reason) == (table.clause("device_out_of_order"), True)
    assert [prompt.command for prompt in prompts(table.table)][:1] == ["TakeDeviceOutOfOrder"]
    assert "Shuffle" not in [prompt.command for prompt in prompts(table.table)]
    table.send(c.TakeDeviceOutOfOrder, device="shuffler", marked="covered", **MANUAL)
    table.play_round()


@shows("device_out_of_order")
def test_a_floorperson_finds_that_a_reported_device_works(edition_name: str) -> None:
    table = _report(open_table(edition_name), "shuffler")
    assert table.expect_refusal(c.RestoreDevice, DANA).clause == table.clause("device_out_of_order")
    table.send(c.RestoreDevice)
    assert table.table.reported_devices == {}
    table.play_round()


@shows("device_out_of_order", "one_deck_in_the_rack")
def test_a_shuffler_that_fails_during_a_round_does_not_hold_up_the_rack(edition_name: str) -> None:
    """The other deck cannot be shuffled in a device that does not work: the table goes on with one deck."""
    table = open_table(edition_name, decks=2)
    setup = table.table.setup
    table.to_decisions().to_settlement().settle()
    refusal = table.expect_refusal(c.RackCards)
    assert refusal.clause == table.clause("one_deck_in_the_rack"), "while the device works"
    _report(table, "shuffler")
    assert table.expect_refusal(c.Shuffle, deck=2, order=ORDER, source="test", by_device=True)
    table.send(c.RackCards)
    table.send(c.TakeDeviceOutOfOrder, device="shuffler", marked="sign", **MANUAL)
    table.play_round()
    _require_clean(table, setup)


@shows("device_out_of_order", "shoe_jam")
def test_nothing_is_loaded_into_or_dealt_from_a_reported_shoe(edition_name: str) -> None:
    clause = open_table(edition_name).clause("device_out_of_order")
    table = _report(open_table(edition_name, method="automated_shoe").shuffle(), "shoe")
    assert table.expect_refusal(c.LoadCards).clause == clause
    table.send(c.TakeDeviceOutOfOrder, device="shoe", marked="sign", method="manual_shoe", shuffler="automated")
    table.play_round()
    dealing = _report(open_table(edition_name, method="automated_shoe").load().bet(), "shoe")
    assert dealing.expect_refusal(c.Deal).clause == clause
    assert prompts(dealing.table)[0].command == "ReportShoeJam"
    dealing.send(c.ReportShoeJam)
    dealing.finish()
    assert prompts(dealing.table)[0].command == "TakeDeviceOutOfOrder"


@shows("device_out_of_order")
def test_a_shuffle_ordered_after_no_more_bets_waits_for_the_reported_shuffler(edition_name: str) -> None:
    table = open_table(edition_name).load().bet()
    table.send(c.OrderShuffle, reason="the cards were dropped")
    _report(table, "shuffler")
    assert prompts(table.table)[0].command == "DecideOnTheFloor"
    assert not isinstance(decide(table.table, c.RestoreDevice(by=FLOYD, at=0)), e.Refusal), "or it works after all"
    table.send(c.DecideOnTheFloor, outcome="void", reason="the shuffler failed")
    table.finish()
    table.send(c.TakeDeviceOutOfOrder, device="shuffler", marked="sign", **MANUAL)
    table.play_round()


@shows("device_out_of_order")
def test_two_devices_that_fail_together_are_replaced_by_the_manual_way_at_once(edition_name: str) -> None:
    table = open_table(edition_name, method="automated_shoe")
    setup = table.table.setup
    _report(_report(table, "shoe"), "shuffler")
    table.send(c.TakeDeviceOutOfOrder, device="shoe", marked="sign", **MANUAL)
    assert table.table.reported_devices == {}
    table.play_round()
    _require_clean(table, setup)
