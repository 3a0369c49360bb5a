"""Physical cards, read as they leave the shoe."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from croupier.audits.record import audit_file
from croupier.core.cards import parse_cards
from croupier.core.errors import RuleViolation
from croupier.regulations import EDITIONS, edition
from croupier.table import SYSTEM, Actor, Phase, Role, Setup
from croupier.table.automation import AUTOMATABLE_STEPS, Automation
from croupier.table.model import commands as c
from croupier.table.model import events as e
from croupier.table.model.setup import CardSource
from croupier.table.procedure.shuffle import SeededShuffle
from croupier.table.prompts import prompts
from croupier.table.record.file import RecordWriter
from croupier.table.session import TableSession

DANA = Actor("Dana", Role.DEALER)
BY: dict[str, Any] = {"by": DANA, "at": 0}


def session_before_deal(name: str = "pa-682a") -> TableSession:
    """A table ready for the deal, with its cards not read yet."""
    setup = replace(Setup.open(edition(name).elect(), "manual_shoe"), card_source=CardSource.READING_SHOE)
    session = TableSession(setup)
    automation = Automation(SeededShuffle("unused"), set(AUTOMATABLE_STEPS) - {"Deal"})
    session.send(c.ReceiveCards(decks=(1,), **BY))
    automation.advance(session, 0)
    session.send(c.Sit(by=SYSTEM, at=0, patron="Pat", seats=(1,)))
    session.send(c.BuyIn(by=SYSTEM, at=0, patron="Pat", amount=100_00))
    automation.advance(session, 0)
    session.send(c.PlaceWager(by=SYSTEM, at=0, seat=1, wager="ante", amount=5_00))
    session.send(c.AnnounceNoMoreBets(**BY))
    automation.advance(session, 0)
    return session


def expect_refusal(session: TableSession, command: c.Command) -> RuleViolation:
    with pytest.raises(RuleViolation) as error:
        session.send(command)
    return error.value


def card_numbers(text: str) -> tuple[int, ...]:
    return tuple(card.index for card in parse_cards(text))


CARDS = card_numbers("As Kd 9c 4h 2s Qc Jd 8h 7s 5c 3d")


def test_the_deck_order_is_unknown_until_the_cards_are_read() -> None:
    session = session_before_deal()
    shuffles = [event for event in session.events if isinstance(event, e.CardsShuffled)]
    assert shuffles
    assert all(event.order == () and event.source == "cards read at the shoe" for event in shuffles)
    (prompt,) = prompts(session.table)
    assert (prompt.command, prompt.clause) == ("ReadCards", "682a.8(c)")
    assert "11 cards" in prompt.text
    assert "takes 11 cards" in expect_refusal(session, c.Deal(**BY)).reason


def test_the_cards_read_are_the_cards_dealt() -> None:
    session = session_before_deal()
    session.send(c.ReadCards(cards=CARDS, **BY))
    session.send(c.Deal(**BY))
    assert session.table.round is not None
    dealt = [event.card for event in session.events if isinstance(event, e.CardDealt)]
    assert tuple(dealt) == CARDS
    completed = next(event for event in session.events if isinstance(event, e.DealCompleted))
    assert completed.stub == 52 - len(CARDS)


@pytest.mark.parametrize(
    ("cards", "message"),
    [
        (CARDS[:-1], "takes 11 cards, but 10 were read"),
        ((*CARDS[:-1], CARDS[0]), "As was read 2 times"),
        ((*CARDS[:-1], 52), "52 is not a card"),
        ((*CARDS[:-1], -1), "-1 is not a card"),
    ],
)
def test_impossible_cards_are_refused(cards: tuple[int, ...], message: str) -> None:
    session = session_before_deal()
    before = session.table
    refusal = expect_refusal(session, c.ReadCards(cards=cards, **BY))
    assert message in refusal.reason
    assert refusal.clause == "682a.8(c)"
    assert session.table is before


def test_a_face_up_card_requires_one_more_card() -> None:
    session = session_before_deal()
    session.send(c.ReadCards(cards=CARDS, **BY))
    assert "takes 12 cards" in expect_refusal(session, c.Deal(face_up=frozenset({CARDS[3]}), **BY)).reason
    session.send(c.ReadCards(cards=(*CARDS, *card_numbers("2c")), **BY))
    session.send(c.Deal(face_up=frozenset({CARDS[3]}), **BY))
    assert any(isinstance(event, e.FaceUpCardDiscarded) and event.card == CARDS[3] for event in session.events)
    assert session.table.phase is Phase.STUB


def test_known_orders_and_card_reading_at_other_tables_are_refused() -> None:
    session = TableSession(replace(Setup.open(edition("pa-682a").elect()), card_source=CardSource.READING_SHOE))
    automation = Automation(SeededShuffle("x"), set(AUTOMATABLE_STEPS) - {"Shuffle"})
    session.send(c.ReceiveCards(decks=(1,), **BY))
    automation.advance(session, 0)
    session.send(c.Sit(by=SYSTEM, at=0, patron="Pat", seats=(1,)))
    automation.advance(session, 0)
    shuffle = c.Shuffle(deck=1, order=tuple(range(52)), source="x", by_device=True, **BY)
    assert "the order of these cards is unknown" in expect_refusal(session, shuffle).reason
    other_session = TableSession(Setup.open(edition("pa-682a").elect()))
    assert "nothing to read" in expect_refusal(other_session, c.ReadCards(cards=CARDS, **BY)).reason


@pytest.mark.parametrize("name", EDITIONS)
def test_a_round_of_every_edition_audits_clean(name: str, tmp_path: Path) -> None:
    session = session_before_deal(name)
    assert session.table.round is not None
    order = SeededShuffle(name).order()
    session.send(c.ReadCards(cards=order[: len(session.table.round.slots)], **BY))
    automation = Automation(SeededShuffle("unused"))
    automation.advance(session, 0)
    while session.table.phase is Phase.DECIDING:
        session.send(c.Decide(by=SYSTEM, at=0, seat=1, amount=5_00))
        automation.advance(session, 0)
    assert session.table.rounds == 1
    assert session.table.round is None
    path = tmp_path / "record.jsonl"
    with path.open("w") as file:
        RecordWriter(file, session.table.setup).append(session.events)
    findings = audit_file(path).findings
    assert not [finding for finding in findings if "one person" not in finding.message], findings
