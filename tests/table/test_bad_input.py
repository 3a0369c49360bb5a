"""Bad input: refused in one sentence, with the clause of any broken rule, and nothing changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from croupier.regulations import EDITIONS, edition
from croupier.table import Phase, decide
from croupier.table.model import commands as c
from croupier.table.model import events as e
from croupier.table.model.roles import Actor, Role
from tests.support import shows
from tests.table.tables import ANTE, DANA, FLOYD, ORDER, ScriptedTable, open_table

CORRECTION = {"round": 1, "seat": 1, "wager": "ante", "returned": 0, "paid": 0, "reason": "x"}
CORRECTION |= {"old_returned": 0, "old_paid": 0}
every_edition = pytest.mark.parametrize("edition_name", EDITIONS)


def _refusal_clause(table: ScriptedTable, kind: type[c.Command], by: Actor | None = None, **fields: Any) -> str:
    """The clause of a refusal; asserts that its reason is one plain sentence."""
    refusal = table.expect_refusal(kind, by, **fields)
    assert refusal.command == kind.__name__
    assert not refusal.reason.endswith(".")
    assert "Traceback" not in refusal.reason
    assert 8 < len(refusal.reason) < 200
    assert str(refusal) == (f"{refusal.reason} ({refusal.clause})" if refusal.clause else refusal.reason)
    return refusal.clause


@every_edition
@pytest.mark.parametrize("amount", [-1, -ANTE, -(10**30), 1_000_01, 10**10 + 1, 10**30])
def test_a_negative_or_huge_wager_is_refused(edition_name: str, amount: int) -> None:
    table = open_table(edition_name).load()
    clause = edition(edition_name).wagers["ante"].clause
    assert _refusal_clause(table, c.PlaceWager, seat=1, wager="ante", amount=amount) == clause
    table.wager(1)
    assert _refusal_clause(table, c.PlaceWager, seat=1, wager="ante", amount=amount) == clause
    assert table.table.balances["seat 1"] == 490_00


@every_edition
def test_a_wager_of_zero_is_refused(edition_name: str) -> None:
    table = open_table(edition_name).load()
    clause = edition(edition_name).wagers["ante"].clause
    assert _refusal_clause(table, c.PlaceWager, seat=1, wager="ante", amount=0) == clause


@every_edition
@pytest.mark.parametrize("amount", [-1, 0, 10**10 + 1, 10**30])
def test_impossible_buy_ins_and_cash_outs_are_refused(edition_name: str, amount: int) -> None:
    table = open_table(edition_name)
    for kind in (c.BuyIn, c.CashOut):
        assert _refusal_clause(table, kind, patron="seat 1", amount=amount) == table.clause("chips_only")


@every_edition
@pytest.mark.parametrize("amount", [-ANTE, 0, 1, 10**30])
def test_a_decision_with_an_impossible_amount_is_refused(edition_name: str, amount: int) -> None:
    table = open_table(edition_name).to_decisions()
    wager = table.table.setup.game.streets[0].wager
    assert _refusal_clause(table, c.Decide, seat=1, amount=amount) == edition(edition_name).wagers[wager].clause


@every_edition
@pytest.mark.parametrize("seat", [-1, 0, 2, 99])
def test_an_unknown_or_empty_seat_is_refused(edition_name: str, seat: int) -> None:
    table = open_table(edition_name).load()
    assert _refusal_clause(table, c.PlaceWager, seat=seat, wager="ante", amount=ANTE) == table.clause(
        "seated_players_only"
    )
    table.bet().to(Phase.DECIDING)
    assert _refusal_clause(table, c.Decide, seat=seat, amount=ANTE) == table.clause("decide_1")
    table.to_settlement()
    assert _refusal_clause(table, c.SettleSeat, seat=seat) == table.clause("settle_in_turn")


@every_edition
@pytest.mark.parametrize("card", [-1, 52, 99])
def test_an_unknown_card_is_refused(edition_name: str, card: int) -> None:
    table = open_table(edition_name)
    shuffle: dict[str, Any] = {"deck": 1, "source": "test", "by_device": True}
    assert _refusal_clause(table, c.Shuffle, order=(*ORDER[:51], card), **shuffle) == table.clause("shuffle_cards")
    table.load().bet()
    assert _refusal_clause(table, c.Deal, face_up=frozenset({3, card})) == table.clause("face_up_card")


@every_edition
def test_a_duplicate_card_in_a_deck_is_refused(edition_name: str) -> None:
    table = open_table(edition_name, preshuffled=True)
    duplicate = (*ORDER[:51], 0)
    shuffle: dict[str, Any] = {"deck": 1, "source": "test", "by_device": True}
    assert _refusal_clause(table, c.Shuffle, order=duplicate, **shuffle) == table.clause("shuffle_cards")
    assert _refusal_clause(table, c.ReceiveCards, decks=(1,), orders=(duplicate,)) == table.clause("preshuffled_cards")


@shows("decide_1")
def test_a_decision_out_of_turn_is_refused(edition_name: str) -> None:
    table = open_table(edition_name, 1, 2, 3).to_decisions()
    for seat in (2, 3):
        assert _refusal_clause(table, c.Decide, seat=seat, amount=ANTE) == table.clause("decide_1")
    table.send(c.Decide, seat=1, amount=ANTE)
    assert _refusal_clause(table, c.Decide, seat=1, amount=None) == table.clause("decide_1")


@every_edition
@pytest.mark.parametrize(
    ("kind", "fields", "role"),
    [
        (c.VerifyInspection, {"deck": 1}, Role.DEALER),
        (c.InspectCards, {"deck": 1}, Role.FLOORPERSON),
        (c.Shuffle, {"deck": 1, "order": ORDER, "source": "test", "by_device": True}, Role.PATRON),
        (c.Deal, {}, Role.PATRON),
        (c.Deal, {}, Role.SURVEILLANCE),
        (c.BuyIn, {"patron": "seat 1", "amount": 1_00}, Role.PATRON),
        (c.CorrectPayment, CORRECTION, Role.DEALER),
        (c.DecideOnAbsence, {"patron": "seat 1", "abandoned": True, "reason": "x"}, Role.SYSTEM),
        (c.OrderRecut, {"reason": "x"}, Role.ADMINISTRATOR),
        (c.SettleSeat, {"seat": 1}, Role.REGULATOR),
        (c.CloseTable, {}, Role.PATRON),
    ],
)
def test_a_command_by_the_wrong_role_is_refused(
    edition_name: str, kind: type[c.Command], fields: dict[str, Any], role: Role
) -> None:
    table = open_table(edition_name).to_decisions()
    clause = _refusal_clause(table, kind, Actor("Somebody", role), **fields)
    assert clause == (table.clause(kind.rule) or table.clause(f"{kind.rule}_manual_shoe"))


@every_edition
@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        (c.Deal, {}),
        (c.RackStub, {}),
        (c.CountStub, {"stub": 40}),
        (c.Decide, {"seat": 1, "amount": ANTE}),
        (c.Decide, {"seat": 1, "amount": None}),
        (c.CollectForfeits, {}),
        (c.RevealCards, {}),
        (c.SettleSeat, {"seat": 1}),
        (c.RackCards, {}),
        (c.ReportExposedCard, {}),
        (c.ReportWrongNumberOfCards, {"where": "seat 1"}),
        (c.DecideOnTheFloor, {"outcome": "void", "reason": "too late"}),
        (c.DecideOnAbsence, {"patron": "seat 1", "abandoned": True, "reason": "left"}),
    ],
)
def test_a_command_for_a_finished_round_is_refused(
    edition_name: str, kind: type[c.Command], fields: dict[str, Any]
) -> None:
    table = open_table(edition_name)
    table.play_round()
    assert _refusal_clause(table, kind, **fields)
    balances = table.table.balances
    table.load()
    assert _refusal_clause(table, kind, **fields)
    assert table.table.balances == balances


@every_edition
def test_no_card_is_drawn_in_error_while_the_cards_are_racked(edition_name: str) -> None:
    table = open_table(edition_name)
    table.play_round()
    assert _refusal_clause(table, c.ReportCardDrawnInError, exposed=False)


@every_edition
def test_repeated_commands_are_refused(edition_name: str) -> None:
    table = open_table(edition_name)
    steps: list[tuple[type[c.Command], dict[str, Any]]] = [
        (c.Shuffle, {"deck": 1, "order": ORDER, "source": "test", "by_device": True}),
        (c.LoadCards, {}),
        (c.PlaceWager, {"seat": 1, "wager": "ante", "amount": ANTE}),
        (c.AnnounceNoMoreBets, {}),
        (c.Deal, {}),
        (c.RackStub, {}),
        (c.Decide, {"seat": 1, "amount": ANTE}),
        (c.CollectForfeits, {}),
        (c.RevealCards, {}),
    ]
    repeatable = {c.Shuffle, c.PlaceWager}  # another shuffle or the same wager again does no harm
    for kind, fields in steps:
        table.send(kind, **fields)
        if kind not in repeatable and not (kind is c.RevealCards and table.phase is Phase.DECIDING):
            assert _refusal_clause(table, kind, **fields)
    table.to_settlement()
    table.send(c.SettleSeat, seat=1)
    assert _refusal_clause(table, c.SettleSeat, seat=1)
    table.send(c.RackCards)
    assert _refusal_clause(table, c.RackCards)
    assert table.table.total() == 500_00


@every_edition
@pytest.mark.parametrize("wager", ["", "tips", "Ante", "../ante", "ante\n"])
def test_an_unknown_wager_is_refused(edition_name: str, wager: str) -> None:
    table = open_table(edition_name).load()
    clause = _refusal_clause(table, c.PlaceWager, seat=1, wager=wager, amount=ANTE)
    assert clause == table.clause("wagers_offered")


@every_edition
@pytest.mark.parametrize(
    "send_bad_command",
    [
        lambda table: table.expect_refusal(c.Sit, patron="", seats=(2,)),
        lambda table: table.expect_refusal(c.Sit, patron="Pat", seats=(1, 1)),
        lambda table: table.expect_refusal(c.Leave, patron="Nobody"),
        lambda table: table.expect_refusal(c.Leave, patron=""),
        lambda table: table.expect_refusal(c.BuyIn, patron="Nobody", amount=1_00),
        lambda table: table.expect_refusal(c.CashOut, patron="Nobody", amount=1_00),
        lambda table: table.expect_refusal(c.ReceiveCards, decks=(0,)),
        lambda table: table.expect_refusal(c.WashCards, deck=-1),
    ],
)
def test_unknown_patrons_and_decks_are_refused(
    edition_name: str, send_bad_command: Callable[[ScriptedTable], object]
) -> None:
    send_bad_command(open_table(edition_name))


@every_edition
def test_patrons_act_only_for_themselves(edition_name: str) -> None:
    table = open_table(edition_name, 1, 2).load()
    neighbor = Actor("seat 2", Role.PATRON)
    assert _refusal_clause(table, c.PlaceWager, neighbor, seat=1, wager="ante", amount=ANTE)
    assert _refusal_clause(table, c.Leave, neighbor, patron="seat 1")
    table.bet().to(Phase.DECIDING)
    assert _refusal_clause(table, c.Decide, neighbor, seat=1, amount=None) == table.clause("decide_1")


@every_edition
def test_a_refusal_never_reaches_the_record(edition_name: str) -> None:
    table = open_table(edition_name).to_decisions()
    events = list(table.events)
    for by in (DANA, FLOYD):
        outcome = decide(table.table, c.RackCards(by=by, at=0))
        assert not isinstance(outcome, tuple)
        assert str(outcome)
    assert table.events == events
    assert not [event for event in table.events if not isinstance(event, e.Event)]


@every_edition
def test_a_time_before_the_last_event_is_refused(edition_name: str) -> None:
    table = open_table(edition_name)
    table.now = 5_000
    table.load()
    assert table.table.at == 5_000
    table.now = 4_999
    assert _refusal_clause(table, c.PlaceWager, seat=1, wager="ante", amount=ANTE) == ""
    refusal = table.expect_refusal(c.PlaceWager, seat=1, wager="ante", amount=ANTE)
    assert refusal.reason == "the clock runs backwards: this is 0.001 seconds before the last event of the table"
    table.now = 5_000
    table.wager(1)
