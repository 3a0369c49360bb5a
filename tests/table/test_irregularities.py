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
    refusal = table.expect_refusal(c.ReportCardDrawnInError, exposed=True)
    assert refusal.clause == clause
    assert "a floorperson must rule" in refusal.reason
    table.deal()
    cards = [event.card for event in table.events_of(e.CardDealt)]
    assert cards == list(ORDER[: len(cards)])
    after = table.expect_refusal(c.ReportCardDrawnInError, exposed=False)
    assert (after.clause, after.reason.startswith("not now")) == (clause, True), "no card is drawn after the deal"
    idle = open_table(edition_name)
    assert idle.expect_refusal(c.ReportCardDrawnInError, exposed=False).clause == clause
    early = open_table(edition_name).load()
    assert early.send(c.ReportCardDrawnInError, exposed=False)[0].clause == clause, "drawn before “no more bets”"
    early.bet().deal()
    assert early.events_of(e.CardDealt)[0].card == ORDER[0]


@shows("wrong_number_of_cards")
@pytest.mark.parametrize("moment", MOMENTS)
def test_a_wrong_number_of_cards_voids_the_round(edition_name: str, moment: str) -> None:
    table = _table_at(edition_name, moment)
    clause = table.clause("wrong_number_of_cards")
    events = table.send(c.ReportWrongNumberOfCards, where="seat 2")
    assert [event.clause for event in events] == [clause]
    assert table.events_of(e.RoundVoided)[0].where == "seat 2"
    table.expect(Phase.SETTLING)
    _assert_all_returned(table, clause)


@shows("wrong_number_of_cards")
def test_a_wrong_number_of_cards_is_reported_between_deal_and_payment(edition_name: str) -> None:
    dealing = _table_at(edition_name, "dealing")
    clause = dealing.clause("wrong_number_of_cards")
    assert dealing.expect_refusal(c.ReportWrongNumberOfCards, where="seat 1").clause == clause
    table = _table_at(edition_name, "deciding")
    for where in ("", "the dealer", "seat 9", "discard"):
        refusal = table.expect_refusal(c.ReportWrongNumberOfCards, where=where)
        assert (refusal.clause, "seat 1" in refusal.reason) == (clause, True)
    table.send(c.ReportWrongNumberOfCards, FLOYD, where="seat 1")
    second = table.expect_refusal(c.ReportWrongNumberOfCards, where="seat 1")
    assert (second.clause, second.reason) == (clause, "the round is already void")
    assert (
        open_table(edition_name).expect_refusal(c.ReportWrongNumberOfCards, where="").reason
        == "there is no round in play"
    )


@shows("wrong_number_of_cards")
def test_a_wrong_number_of_cards_found_at_the_reveal_voids_the_round(edition_name: str) -> None:
    table = _table_at(edition_name, "settling")
    clause = table.clause("wrong_number_of_cards")
    assert table.send(c.ReportWrongNumberOfCards, where="seat 1")[0].clause == clause
    _assert_all_returned(table, clause)


@shows("wrong_number_of_cards")
def test_after_the_first_payment_a_floorperson_decides_on_a_wrong_number_of_cards(edition_name: str) -> None:
    table = _table_at(edition_name, "settling")
    clause = table.clause("wrong_number_of_cards")
    first, *others = table.round.unsettled
    table.send(c.SettleSeat, seat=first)
    refusal = table.expect_refusal(c.ReportWrongNumberOfCards, where="seat 1")
    assert (refusal.clause, "a floorperson must decide" in refusal.reason) == (clause, True)
    decision = table.send(
        c.DecideOnTheFloor, outcome="void", reason="six cards at seat 1", concerns="wrong_number_of_cards"
    )
    assert {event.clause for event in decision} == {clause}
    table.settle()
    returned = [entry for entry in table.round.entries if entry.seat in others]
    assert {(entry.outcome, entry.clause) for entry in returned} == {("returned", clause)}
    assert all(entry.clause for entry in table.round.entries)
    table.send(c.RackCards)


@pytest.mark.parametrize("edition_name", EDITIONS)
def test_no_decision_on_the_floor_leaves_an_empty_clause(edition_name: str) -> None:
    table = _table_at(edition_name, "deciding")
    assert table.send(c.DecideOnTheFloor, outcome="continue", reason="nobody saw it")[0].clause
    for wrong in ({"outcome": "deal"}, {"reason": " "}, {"concerns": "the weather"}):
        values: dict[str, Any] = {"outcome": "void", "reason": "a fly on the layout", **wrong}
        assert table.expect_refusal(c.DecideOnTheFloor, **values).clause
    events = table.send(c.DecideOnTheFloor, outcome="void", reason="a fly on the layout")
    table.settle()
    assert all(event.clause for event in (*events, *table.events_of(e.WagerSettled)))


@pytest.mark.parametrize("edition_name", EDITIONS)
@pytest.mark.parametrize("clauses", [("682a.13(a)", "683a.13(a)", "679a.13(a)", "641a.13(a)", "md-4cp:13.A(1)")])
def test_a_floorperson_replaces_an_exposed_card_with_the_next_one(edition_name: str, clauses: tuple[str, ...]) -> None:
    """AMB-51: an exposed stray card is treated as a face-up card."""
    assert clauses
    table = _table_at(edition_name, "stub")
    drawn, hand = table.round.drawn, table.round.hand("player", 1)
    replace: dict[str, Any] = {"outcome": "replace", "reason": "seat 2 saw it", "place": "player", "seat": 1}
    for number in (0, len(hand) + 1):
        table.expect_refusal(c.DecideOnTheFloor, **replace, number=number)
    decided, replaced = table.send(c.DecideOnTheFloor, **replace, number=2)
    assert isinstance(decided, e.FloorDecided)
    assert isinstance(replaced, e.CardReplaced)
    assert (replaced.clause, replaced.discarded) == (table.clause("face_up_card"), hand[1])
    assert replaced.card == table.table.deck.order[drawn] == ORDER[drawn]
    assert table.round.hand("player", 1) == (hand[0], ORDER[drawn], *hand[2:])
    assert (table.round.drawn, table.round.face_up_found) == (drawn + 1, (hand[1],))
    table.stub().to_settlement().finish()
    settling = _table_at(edition_name, "settling")
    assert settling.expect_refusal(c.DecideOnTheFloor, **replace, number=2).clause == table.clause("face_up_card")


@pytest.mark.parametrize("edition_name", EDITIONS)
def test_a_card_is_not_replaced_in_a_hand_that_its_player_has_looked_at(edition_name: str) -> None:
    """A floorperson must not help a friend to a better card, or the house to a better hand of the dealer."""
    replace: dict[str, Any] = {"outcome": "replace", "reason": "seat 2 saw it", "number": 1}
    table = _table_at(edition_name, "deciding")
    examined = table.expect_refusal(c.DecideOnTheFloor, **replace, place="player", seat=1)
    assert (examined.clause, "looked at" in examined.reason) == (table.clause("face_up_card"), True)
    table = _table_at(edition_name, "stub")
    dealer = "board" if edition_name == "pa-683a" else "dealer"
    covered = table.expect_refusal(c.DecideOnTheFloor, **replace, place=dealer, seat=0)
    assert (covered.clause, "not replaced" in covered.reason) == (table.clause("exposed_card"), True)


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


def test_683a_13_d_exposure_on_any_street_turns_up_the_whole_board_for_a_wager_on_it() -> None:
    for streets in (0, 1, 2):
        table = open_table("pa-683a", 1, 2).load().bet(also=("board_bonus",)).to(Phase.DECIDING)
        for _ in range(streets):
            table.all_stay().reveal()
        table.send(c.ReportExposedCard)
        assert table.round.revealed["board"] == 3
        table.settle()
        outcomes = {entry.wager: entry.outcome for entry in table.events_of(e.WagerSettled)}
        raises = [wager for wager in outcomes if wager.startswith("raise")]
        assert len(raises) == streets
        assert {outcomes[wager] for wager in ("ante", *raises)} == {"returned"}


@pytest.mark.parametrize(
    ("edition_name", "wager", "turned_up"),
    [
        ("pa-682a", "prime", []),
        ("pa-682a-proposed", "prime", []),
        ("pa-683a", "pocket_bonus", []),
        ("pa-683a", "lo_ball", ["board"]),
        ("pa-679a", "pair_bonus", []),
        ("pa-679a", "prime", ["dealer"]),
        ("pa-641a", "aces_up", []),
        ("md-4cp", "aces_up", []),
    ],
)
def test_an_exposure_turns_up_only_what_the_remaining_wagers_need(
    edition_name: str, wager: str, turned_up: list[str]
) -> None:
    table = open_table(edition_name, 1, 2).load().wager(2, "ante", wager).bet(1).to(Phase.DECIDING)
    table.send(c.ReportExposedCard)
    assert list(dict.fromkeys(event.place for event in table.events_of(e.CardsRevealed))) == turned_up
    table.settle()
    settles_optional = edition_name in SETTLES_OPTIONAL
    assert table.round.turned_up == ({2} if settles_optional else set()), "a hand without such a wager stays down"


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
    table.stub().to_settlement().settle()
    refusal = table.expect_refusal(c.RackCards)
    assert refusal.clause == table.clause("one_deck_in_the_rack")
    table.finish()
    table.expect(Phase.LOADING)


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


@pytest.mark.parametrize("edition_name", EDITIONS)
def test_an_irregularity_does_not_affect_the_next_round(edition_name: str) -> None:
    table = _table_at(edition_name, "deciding")
    table.send(c.ReportWrongNumberOfCards, where="seat 1")
    table.finish()
    table.to_decisions(also=(SIDE_WAGER[edition_name],)).to_settlement().settle()
    assert table.round.void == ""
    assert {entry.outcome for entry in table.round.entries} <= {"win", "lose", "push"}
