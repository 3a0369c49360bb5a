"""Meter wins at the table: verification, validation, payment from the right source, and documents."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.table import Phase
from croupier.table.model import commands as c
from croupier.table.model import events as e
from croupier.table.model.roles import Actor, Role
from croupier.table.prompts import prompts
from tests.progressive.tables import (
    ADAM,
    ANNA,
    DEALER,
    FOUR_ACES,
    FOUR_KINGS,
    FULL_HOUSE,
    NOTHING,
    PAT,
    PROGRESSIVE,
    ROYAL,
    SHIRLEY,
    THREE_NINES,
    ScriptedMeterTable,
    meter_table,
)
from tests.table.tables import ANTE, DANA, FLOYD

PLAYER_BONUS = "five_card_hand_bonus_player"
VERIFY, LIGHT, VALIDATE, PAY = range(4)
CLAUSES = {
    "pa-641a": ("641a.11(c)(5)(i)", "641a.11(c)(5)(ii)", "641a.11(c)(5)(iii)", "641a.11(c)(5)(iv)"),
    "md-4cp": ("11.D(10)(a)", "11.D(10)(b)", "11.D(10)(c)", "11.D(10)(d)"),
}
CONTRIBUTION = 29
"""What a dollar contributes to the meters of these tables, in cents."""


def winning_table(name: str, hand: str, wager: str = "", amount: int = 100, **choices: str) -> ScriptedMeterTable:
    """A table at the settlement of seat 1, which has a hand and a meter wager; seat 2 has neither."""
    play = meter_table(name, 1, 2, elections=choices)
    wager = wager or PROGRESSIVE[name]
    play.place_bets({1: hand, 2: "2d 4d 6c 8s Jc"}, {1: {wager: amount}, 2: {}}, DEALER)
    play.play_to_settlement().send(c.SettleSeat, seat=2)
    return play


def balance(play: ScriptedMeterTable) -> int:
    return play.table.balances["seat 1"]


# Verified, then validated, then settled


@pytest.mark.parametrize(
    "clause",
    ["641a.11(c)(5)(i)", "641a.11(c)(5)(iii)", "641a.11(c)(5)(iv)", "md-4cp:11.D(10)(a)", "md-4cp:11.D(10)(c)"],
)
def test_a_progressive_win_is_verified_and_validated_before_it_is_paid(clause: str) -> None:
    name = "md-4cp" if clause.startswith("md") else "pa-641a"
    play = winning_table(name, THREE_NINES)
    steps = CLAUSES[name]
    early = play.expect_refusal(c.SettleSeat, seat=1)
    assert early.clause == steps[VERIFY]
    assert "verify the winning" in early.reason
    assert play.expect_refusal(c.ValidateWin, seat=1).clause == steps[VALIDATE], "nothing is verified yet"
    assert "only a dealer may do this" in play.expect_refusal(c.VerifyWin, FLOYD, seat=1).reason
    events = play.send(c.VerifyWin, seat=1)
    steps_taken = [(type(event), event.clause) for event in events if not isinstance(event, e.HandTurnedUp)]
    assert steps_taken == [(e.WinVerified, steps[VERIFY]), (e.LightVerified, steps[LIGHT])]
    assert "no progressive or electronic win to verify" in play.expect_refusal(c.VerifyWin, seat=1).reason
    refusal = play.expect_refusal(c.SettleSeat, seat=1)
    assert refusal.clause == steps[VALIDATE]
    assert "a floorperson must validate" in refusal.reason
    for other in (DANA, PAT, ANNA, ADAM):
        assert "only a floorperson or a shift manager" in play.expect_refusal(c.ValidateWin, other, seat=1).reason
    same_person = play.expect_refusal(c.ValidateWin, Actor("Dana", Role.FLOORPERSON), seat=1)
    assert (same_person.clause, same_person.reason) == (
        steps[VALIDATE],
        "Dana verified the hand: another person must validate it",
    )
    (validated,) = play.send(c.ValidateWin, SHIRLEY, seat=1)
    assert validated.clause == steps[VALIDATE]
    tray, before = play.table.tray, balance(play)
    play.send(c.SettleSeat, seat=1)
    paid = 9 * 100 + 2 * (ANTE + ANTE) + 2 * ANTE  # 9 for 1; Ante and Play back and won; the Ante Bonus at 2 to 1
    assert balance(play) == before + paid
    assert play.table.tray == tray - (paid - 2 * ANTE), "fixed odds come from the tray"
    assert (play.table.fund, play.table.owed, play.round.awaiting_documents) == (0, {}, {})
    play.send(c.RackCards)


@pytest.mark.parametrize("clause", ["641a.11(c)(5)(ii)", "md-4cp:11.D(10)(b)"])
def test_a_win_without_a_light_needs_a_reason(clause: str) -> None:
    play = winning_table("md-4cp" if clause.startswith("md") else "pa-641a", FOUR_KINGS)
    play.send(c.VerifyWin, seat=1, lit=False)
    refusal = play.expect_refusal(c.ValidateWin, seat=1)
    assert refusal.clause == clause.removeprefix("md-4cp:")
    assert refusal.reason == "the light of seat 1 was not lit: say why the win is valid"
    assert play.expect_refusal(c.ValidateWin, seat=1, reason="  ").clause == refusal.clause
    play.send(c.ValidateWin, seat=1, reason="the lamp is broken; the system shows the wager")
    play.send(c.SettleSeat, seat=1)


def test_only_the_seat_in_turn_is_verified_and_only_if_it_wins() -> None:
    play = meter_table("pa-641a", 1, 2)
    bets = {"four_card_progressive": 1_00}
    play.place_bets({1: FOUR_ACES, 2: NOTHING}, {1: bets, 2: bets}, "3h 5d 7s 9c Jd 4h").play_to_settlement()
    assert play.expect_refusal(c.VerifyWin, seat=1).reason == "it is seat 2's turn, not seat 1's"
    assert play.expect_refusal(c.VerifyWin, seat=2).reason == "seat 2 has no progressive or electronic win to verify"
    play.send(c.SettleSeat, seat=2)
    play.verify(1).send(c.SettleSeat, seat=1)


# A meter win is paid from neither tray nor account; the cards stay


@pytest.mark.parametrize("clause", ["641a.11(c)(5)(iv)", "md-4cp:11.D(10)(d)"])
def test_a_meter_win_is_not_paid_from_the_tray_and_the_cards_stay_until_the_documents_are_done(clause: str) -> None:
    name = "md-4cp" if clause.startswith("md") else "pa-641a"
    play, meter = winning_table(name, FOUR_ACES), PROGRESSIVE[name]
    prize = 5_000_00 + CONTRIBUTION
    assert play.table.meters[meter].display == prize
    play.verify(1)
    assert len(play.table.meters[meter].claims) == 1, "the meter is locked for the win"
    tray, before = play.table.tray, balance(play)
    play.send(c.SettleSeat, seat=1)
    bonus = 25 * ANTE
    assert balance(play) == before + 4 * ANTE + bonus, "the prize is not paid yet"
    assert play.table.tray == tray - 2 * ANTE - bonus, "and not from the tray"
    assert (play.table.owed, play.table.fund, play.table.accounts) == ({"seat 1": prize}, -prize, {})
    assert (play.table.meters[meter].display, play.table.meters[meter].claims) == (5_000_00, ())
    documents = clause.removeprefix("md-4cp:")
    refusal = play.expect_refusal(c.RackCards)
    assert refusal.clause == documents
    assert refusal.reason == "the cards of seat 1 stay until the documents for the win are complete"
    assert play.expect_refusal(c.AnnounceNoMoreBets).reason.startswith("not now"), (
        "no round starts while a hand is held"
    )
    assert [(p.role, p.command, p.clause) for p in prompts(play.table)] == [
        (Role.FLOORPERSON, "CompleteDocuments", documents)
    ]
    for person in (DANA, PAT, ADAM):
        assert "may do this" in play.expect_refusal(c.CompleteDocuments, person, seat=1, reference="JP-1").reason
    assert "give the document reference" in play.expect_refusal(c.CompleteDocuments, seat=1, reference=" ").reason
    assert "no cards of seat 2 are held" in play.expect_refusal(c.CompleteDocuments, seat=2, reference="JP-1").reason
    (done,) = play.send(c.CompleteDocuments, ANNA, seat=1, reference="JP-1")
    assert done.clause == documents
    assert balance(play) == before + 4 * ANTE + bonus + prize
    assert (play.table.owed, play.table.meters[meter].paid_by_attendant) == ({}, prize)
    play.send(c.RackCards)
    play.expect(Phase.SHUFFLING)


def test_maryland_pays_the_meter_at_once_if_no_cards_are_kept() -> None:
    play = winning_table("md-4cp", FOUR_ACES, maryland_hold="not_kept").verify(1)
    tray, before = play.table.tray, balance(play)
    play.send(c.SettleSeat, seat=1)
    prize, bonus = 5_000_00 + CONTRIBUTION, 25 * ANTE
    assert balance(play) == before + 4 * ANTE + bonus + prize
    assert play.table.tray == tray - 2 * ANTE - bonus
    assert (play.round.awaiting_documents, play.table.owed, play.table.fund) == ({}, {}, -prize)
    assert play.table.meters["progressive"].paid_by_system == prize
    play.send(c.RackCards)


def test_prompts_list_the_steps_of_a_win_in_order_with_role_and_clause() -> None:
    play = meter_table("pa-641a", 1, draws={"lucky_bonus": 1})
    play.place_bets({1: ROYAL}, {1: {"five_card_progressive": 1_00, PLAYER_BONUS: 1_00}}, DEALER)
    prompted_steps: list[tuple[Role, str, str]] = []
    fields: dict[str, dict[str, Any]] = {
        "CountProgressiveChips": {"counted": 1_00},
        "Decide": {"seat": 1, "amount": ANTE},
        **{command: {"seat": 1} for command in ("VerifyWin", "ValidateWin", "SettleSeat")},
        "CompleteDocuments": {"seat": 1, "reference": "JP-2"},
    }
    while play.table.round is not None:
        prompt = prompts(play.table)[0]
        prompted_steps.append((prompt.role, prompt.command, prompt.clause))
        by = PAT if prompt.role is Role.PATRON else Actor(f"the {prompt.role}", prompt.role)
        play.send(getattr(c, prompt.command), by, **fields.get(prompt.command, {}))
    assert prompted_steps == [
        (Role.DEALER, "CountProgressiveChips", "641a.8(b)"),
        (Role.SYSTEM, "DrawBonus", "641a.12(g)(3)"),
        (Role.DEALER, "Deal", "641a.8(d)"),
        (Role.DEALER, "RackStub", "641a.8(e)"),
        (Role.PATRON, "Decide", "641a.11(b)"),
        (Role.DEALER, "CollectForfeits", "641a.11(c)"),
        (Role.DEALER, "RevealCards", "641a.11(c)"),
        (Role.DEALER, "VerifyWin", "641a.11(c)(5)(i)"),
        (Role.FLOORPERSON, "ValidateWin", "641a.11(c)(5)(iii)"),
        (Role.DEALER, "SettleSeat", "641a.11(c)"),
        (Role.FLOORPERSON, "CompleteDocuments", "641a.11(c)(5)(iv)"),
        (Role.DEALER, "RackCards", "641a.11(d)"),
    ]


# The Five Card Hand Bonus


@pytest.mark.parametrize("clause", ["641a.11(c)(7)(i)", "641a.11(c)(7)(ii)", "641a.11(c)(7)(iii)"])
def test_a_win_of_500_for_1_needs_the_floor_and_is_credited_to_the_game_account(clause: str) -> None:
    play = winning_table("pa-641a", FOUR_KINGS, PLAYER_BONUS)
    assert play.expect_refusal(c.SettleSeat, seat=1).clause == "641a.11(c)(7)(i)"
    prompt = prompts(play.table)[0]
    assert (prompt.command, prompt.clause) == ("VerifyWin", "641a.11(c)(7)(i)")
    assert "light" not in prompt.text, "an electronic wager has none"
    play.send(c.VerifyWin, seat=1)
    assert not play.events_of(e.LightVerified)
    assert play.expect_refusal(c.SettleSeat, seat=1).clause == "641a.11(c)(7)(ii)"
    assert prompts(play.table)[0].clause == "641a.11(c)(7)(ii)"
    (validated,) = play.send(c.ValidateWin, seat=1)
    assert validated.clause == "641a.11(c)(7)(ii)"
    before = balance(play)
    play.send(c.SettleSeat, seat=1)
    assert play.table.accounts == {"seat 1": 500 * 100}, clause
    assert play.table.fund == 100 - 500 * 100, "the system kept the wager and paid the win"
    assert balance(play) == before + 4 * ANTE + 25 * ANTE
    assert play.round.awaiting_documents == {}


def test_641a_11_c_7_ii_a_win_of_100_for_1_needs_no_floor() -> None:
    play = winning_table("pa-641a", FULL_HOUSE, PLAYER_BONUS)
    play.send(c.VerifyWin, seat=1)
    assert play.expect_refusal(c.ValidateWin, seat=1).reason == "seat 1 has no verified win that waits for validation"
    play.send(c.SettleSeat, seat=1)
    assert play.table.accounts == {"seat 1": 100 * 100}
    play.send(c.RackCards)


@pytest.mark.parametrize("clause", ["641a.11(c)(7)(ii)", "641a.11(c)(7)(iii)"])
def test_a_meter_win_of_the_five_card_hand_bonus_is_not_credited_and_the_hand_stays(clause: str) -> None:
    play = winning_table("pa-641a", ROYAL, PLAYER_BONUS)
    play.send(c.VerifyWin, seat=1)
    assert play.expect_refusal(c.SettleSeat, seat=1).clause == "641a.11(c)(7)(ii)", clause
    play.send(c.ValidateWin, seat=1)
    play.send(c.SettleSeat, seat=1)
    prize = 10_000_00 + 13
    assert (play.table.owed, play.table.accounts["seat 1"]) == ({"seat 1": prize}, 0)
    assert play.expect_refusal(c.RackCards).clause == "641a.11(c)(7)(iii)"
    (done,) = play.send(c.CompleteDocuments, seat=1, reference="JP-3")
    assert done.clause == "641a.11(c)(7)(iii)"
    play.send(c.RackCards)


# Envy


@pytest.mark.parametrize(
    ("clause", "name", "hand", "cents"),
    [
        ("641a.1:four-card-envy-bonus", "pa-641a", FOUR_ACES, 100_00),
        ("641a.1:four-card-envy-bonus-qualifying-hand", "pa-641a", FOUR_KINGS, 10_00),
        ("641a.1:five-card-envy-bonus", "pa-641a", ROYAL, 1_000_00),
        ("641a.1:five-card-envy-bonus-qualifying-hand", "pa-641a", ROYAL, 1_000_00),
        ("md-4cp:1.B(2)", "md-4cp", FOUR_ACES, 100_00),
        ("md-4cp:1.B(3)", "md-4cp", FOUR_KINGS, 10_00),
    ],
)
def test_an_envy_bonus_is_paid_from_the_tray_when_the_other_hand_is_settled(
    clause: str, name: str, hand: str, cents: int
) -> None:
    wager = "five_card_progressive" if hand == ROYAL else PROGRESSIVE[name]
    play = meter_table(name, 1, 2)
    play.place_bets({1: hand, 2: "2d 4d 6c 8s Jc"}, {1: {}, 2: {wager: 1_00}}, DEALER).play_to_settlement()
    play.send(c.SettleSeat, seat=2)
    before, tray = play.table.balances["seat 2"], play.table.tray
    events = play.send(c.SettleSeat, seat=1)
    (envy,) = [event for event in events if isinstance(event, e.WagerSettled) and event.holder]
    assert (envy.seat, envy.holder, envy.paid) == (2, 1, cents), clause
    assert play.table.balances["seat 2"] == before + cents
    paid_to_seat = sum(event.paid for event in events if isinstance(event, e.WagerSettled) and event.seat == 1)
    assert play.table.tray == tray - cents - paid_to_seat
    play.send(c.RackCards)


@pytest.mark.parametrize(
    ("clause", "name", "wager", "hand", "wins"),
    [
        ("641a.1:four-card-progressive-payout-hand", "pa-641a", "four_card_progressive", THREE_NINES, True),
        ("641a.1:four-card-progressive-payout-hand", "pa-641a", "four_card_progressive", "9s 9d 4c 4s 2h", False),
        ("641a.1:five-card-progressive-payout-hand", "pa-641a", "five_card_progressive", THREE_NINES, True),
        ("641a.1:five-card-progressive-payout-hand", "pa-641a", "five_card_progressive", "9s 9d 4c 4s 2h", False),
        ("md-4cp:1.B(6)", "md-4cp", "progressive", THREE_NINES, True),
        ("md-4cp:1.B(6)", "md-4cp", "progressive", "9s 9d 4c 4s 2h", False),
    ],
)
def test_three_of_a_kind_is_the_lowest_hand_that_a_progressive_pays(
    clause: str, name: str, wager: str, hand: str, *, wins: bool
) -> None:
    play = winning_table(name, hand, wager)
    assert (prompts(play.table)[0].command == "VerifyWin") is wins, clause
