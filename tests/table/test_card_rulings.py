"""Rulings at a plain shoe: a card that lies on the layout twice, wagers that need a hand, and verified wins."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from croupier.core.cards import DECK
from croupier.games.definition import DEALER, PLAYER
from croupier.table import Phase
from croupier.table.automation import Automation
from croupier.table.model import commands as c
from croupier.table.model import events as e
from croupier.table.model.roles import Actor, Role
from croupier.table.model.setup import CardSource
from croupier.table.model.state import DeckStep
from croupier.table.narration import describe
from croupier.table.procedure.shuffle import SeededShuffle
from croupier.table.prompts import prompts
from tests.audits.records import full_setup
from tests.support import shows
from tests.table.plain_shoe import (
    crazy_table,
    enter,
    enter_all,
    index_of,
    plain_table,
    settle,
    to_decisions,
    to_settlement,
)
from tests.table.tables import DANA, FLOYD, METHODS, ORDER, ScriptedTable

# The same card twice.


def report_duplicate(name: str, method: str = "manual_shoe") -> ScriptedTable:
    """A table where the first card of seat 2 is the first card of the dealer or the board, as reported."""
    table = to_settlement(to_decisions(plain_table(name, 1, 2, method=method)))
    place = DEALER if table.round.cards_at(DEALER) else "board"
    card = table.round.hand(place)[0]
    refusal = table.expect_refusal(c.EnterCards, place=PLAYER, seat=2, cards=(card,))
    assert refusal.reason.startswith(
        f"{DECK[card]} was entered as card 1 of the {place}: correct that entry, or report"
    )
    table.send(c.ReportDuplicateCard, place=PLAYER, seat=2, number=1, card=card)
    return table


@pytest.mark.parametrize("method", METHODS)
@shows("stub_wrong_manual_shoe", "stub_wrong_hand", "stub_wrong_automated_shoe")
def test_a_floorperson_voids_the_round_and_removes_a_deck_with_a_card_twice(edition_name: str, method: str) -> None:
    table = report_duplicate(edition_name, method)
    clause = table.clause(f"stub_wrong_{method}")
    assert clause
    (prompt,) = prompts(table.table)
    assert (prompt.role, prompt.command, prompt.clause) == (Role.FLOORPERSON, "RuleOnDuplicateCard", clause)
    events = table.send(c.RuleOnDuplicateCard, is_duplicate=True, reason="two of them lie there")
    assert [type(event) for event in events] == [e.DuplicateCardRuled, e.RoundVoided, e.DeckRemoved]
    assert {event.clause for event in events} == {clause}
    assert "the same card lay on the layout twice" in describe(table.table.setup, events[1])
    table.settle()
    assert {(entry.outcome, entry.clause) for entry in table.round.entries} == {("returned", clause)}
    table.send(c.RackCards)
    assert table.step() is DeckStep.MISSING


def test_nothing_goes_on_before_the_ruling() -> None:
    table = report_duplicate("pa-682a")
    commands: list[tuple[type[c.Command], dict[str, Any]]] = [
        (c.SettleSeat, {"seat": 2}),
        (c.EnterCards, {"place": PLAYER, "seat": 2, "cards": (51,)}),
        (c.CorrectCard, {"place": DEALER, "number": 1, "card": 51}),
        (c.ReportDuplicateCard, {"place": PLAYER, "seat": 2, "number": 1, "card": 51}),
    ]
    for command, fields in commands:
        refusal = table.expect_refusal(command, **fields)
        assert "a floorperson must rule on the second" in refusal.reason
        assert refusal.clause == "682a.8(g)"
    assert Automation(SeededShuffle("none")).next(table.table, 0) is None


def test_a_floorperson_who_finds_no_second_card_lets_the_round_go_on() -> None:
    table = report_duplicate("pa-682a")
    table.send(c.RuleOnDuplicateCard, is_duplicate=False, reason="the dealer misread it")
    settle(table).expect(Phase.RACKING)
    assert not table.round.void


def test_bad_rulings_are_refused() -> None:
    table = report_duplicate("pa-682a")
    ruling: dict[str, Any] = {"is_duplicate": True, "reason": "seen"}
    assert "only a floorperson" in table.expect_refusal(c.RuleOnDuplicateCard, DANA, **ruling).reason
    same_person = Actor(DANA.name, Role.FLOORPERSON)
    assert "somebody else must rule" in table.expect_refusal(c.RuleOnDuplicateCard, same_person, **ruling).reason
    empty = {**ruling, "reason": " "}
    assert "a reason must be given" in table.expect_refusal(c.RuleOnDuplicateCard, **empty).reason
    table.send(c.RuleOnDuplicateCard, is_duplicate=False, reason="misread")
    assert "no card was reported" in table.expect_refusal(c.RuleOnDuplicateCard, **ruling).reason


def test_only_a_card_that_lies_elsewhere_is_reported() -> None:
    table = to_settlement(to_decisions(plain_table("pa-682a", 1)))
    fields: dict[str, Any] = {"place": PLAYER, "seat": 1}
    assert "As lies nowhere else" in table.expect_refusal(c.ReportDuplicateCard, number=1, card=51, **fields).reason
    assert "99 lies nowhere else" in table.expect_refusal(c.ReportDuplicateCard, number=1, card=99, **fields).reason
    assert "not turned up now" in table.expect_refusal(c.ReportDuplicateCard, number=6, card=0, **fields).reason
    before = to_decisions(plain_table("pa-682a", 1))
    assert "not turned up now" in before.expect_refusal(c.ReportDuplicateCard, number=1, card=0, **fields).reason


def test_a_round_with_settled_seats_is_void_for_the_others_only() -> None:
    table = to_settlement(to_decisions(plain_table("pa-682a", 1, 2)))
    enter_all(table.session, ORDER)
    table.send(c.SettleSeat, seat=2)
    table.send(c.ReportDuplicateCard, place=PLAYER, seat=1, number=1, card=table.round.hand(DEALER)[0])
    table.send(c.RuleOnDuplicateCard, is_duplicate=True, reason="two of them lie there")
    table.settle()
    outcomes = {entry.seat: entry.outcome for entry in table.round.entries if entry.wager == "ante"}
    assert outcomes[1] == "returned"
    assert outcomes[2] != "returned"


# Wagers that need a hand.


def test_a_wager_that_the_hand_does_not_allow_is_reduced_by_a_floorperson() -> None:
    table = crazy_table("Qs Qd 7c 5h 3d", 3)
    chips = table.table.balances["seat 1"]
    refusal = table.expect_refusal(c.SettleSeat, seat=1)
    assert refusal.clause == "C4.3"
    assert refusal.reason == (
        "a Play of $30 needs pair of aces or better, and seat 1 has pair: a floorperson must return the excess"
    )
    (prompt,) = prompts(table.table)
    assert (prompt.role, prompt.command, prompt.clause) == (Role.FLOORPERSON, "ReturnExcessWager", "C4.3")
    assert "Return $20 of the Play of seat 1" in prompt.text
    assert Automation(SeededShuffle("none")).next(table.table, 0) is None
    assert "a reason must be given" in table.expect_refusal(c.ReturnExcessWager, seat=1, reason="").reason
    assert "only a floorperson" in table.expect_refusal(c.ReturnExcessWager, DANA, seat=1, reason="x").reason
    total = table.table.total()
    table.send(c.ReturnExcessWager, seat=1, reason="a pair of queens")
    assert table.table.balances["seat 1"] == chips + 20_00
    assert table.table.total() == total
    table.send(c.SettleSeat, seat=1)
    play = next(entry for entry in table.round.entries if entry.wager == "play")
    assert (play.staked, play.outcome) == (10_00, "win")


def test_a_wager_that_the_hand_allows_is_settled() -> None:
    table = crazy_table("As Ad 7c 5h 3d", 3)
    refusal = table.expect_refusal(c.ReturnExcessWager, seat=1, reason="x")
    assert "no wager that its hand does not allow" in refusal.reason
    table.send(c.SettleSeat, seat=1)
    assert next(entry for entry in table.round.entries if entry.wager == "play").staked == 30_00
    crazy_table("Qs Qd 7c 5h 3d", 1).send(c.SettleSeat, seat=1)


# Wins on meters.


def jackpot_table() -> ScriptedTable:
    """Maryland's progressive, with four aces entered for seat 1."""
    setup = replace(full_setup("md-4cp", ("manual_shoe", "automated", 1)), card_source=CardSource.PLAIN_SHOE)
    table = ScriptedTable(setup).open(1).load(())
    table.wager(1, "ante").wager(1, "progressive", amount=1_00).send(c.AnnounceNoMoreBets)
    table.send(c.CountProgressiveChips, counted=1_00)
    table.deal()
    enter(table, DEALER, 0, "2c", number=6)
    to_settlement(table.stub())
    enter(table, PLAYER, 1, "As", "Ah", "Ad", "Ac", "Ts")
    return table


def test_a_win_is_verified_only_by_cards_that_were_entered() -> None:
    table = jackpot_table()
    table.send(c.CorrectCard, place=PLAYER, seat=1, number=5, card=None)
    assert "enter card 5 of seat 1" in table.expect_refusal(c.VerifyWin, seat=1).reason
    enter(table, PLAYER, 1, "Ts", number=5)
    table.send(c.VerifyWin, seat=1)


def test_a_correction_after_the_verification_takes_a_floorperson_and_withdraws_it() -> None:
    table = jackpot_table()
    table.send(c.VerifyWin, seat=1)
    table.send(c.ValidateWin, seat=1)
    assert table.round.verified
    assert any(meter.claims for meter in table.table.meters.values())
    fields: dict[str, Any] = {"place": PLAYER, "seat": 1, "number": 4, "card": index_of("9s")}
    refusal = table.expect_refusal(c.CorrectCard, **fields)
    assert refusal.reason == "a win by this card was verified: a floorperson must correct it"
    assert refusal.clause
    table.send(c.CorrectCard, FLOYD, reason="a nine, not an ace", **fields)
    assert not table.round.verified
    assert not table.round.validated
    assert not any(meter.claims for meter in table.table.meters.values())
    assert "verify the winning" in table.expect_refusal(c.SettleSeat, seat=1).reason, "three aces win as well"
