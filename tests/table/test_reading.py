"""Physical cards, read as they leave the shoe."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from croupier.audit.auditing import audit_file
from croupier.cards import parse_cards
from croupier.errors import NotPermitted
from croupier.rules import EDITIONS, edition
from croupier.table import SYSTEM, Actor, Phase, Role, Setup
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.automation import STEPS, Automation
from croupier.table.driver import Driver
from croupier.table.prompts import prompts
from croupier.table.record import RecordWriter
from croupier.table.shuffling import SeededShuffle

DANA = Actor("Dana", Role.DEALER)
BY: dict[str, Any] = {"by": DANA, "at": 0}


def driver(name: str = "pa-682a") -> Driver:
    """A table where everything but the reading of cards is done, up to the deal."""
    found = Driver(replace(Setup.open(edition(name).elect(), "manual_shoe"), reads_cards=True))
    automation = Automation(SeededShuffle("unused"), set(STEPS) - {"Deal"})
    found.send(c.ReceiveCards(decks=(1,), **BY))
    automation.advance(found, 0)
    found.send(c.Sit(by=SYSTEM, at=0, patron="Pat", seats=(1,)))
    found.send(c.BuyIn(by=SYSTEM, at=0, patron="Pat", amount=100_00))
    automation.advance(found, 0)
    found.send(c.PlaceWager(by=SYSTEM, at=0, seat=1, wager="ante", amount=5_00))
    found.send(c.AnnounceNoMoreBets(**BY))
    automation.advance(found, 0)
    return found


def refused(found: Driver, command: c.Command) -> NotPermitted:
    with pytest.raises(NotPermitted) as caught:
        found.send(command)
    return caught.value


def numbers(text: str) -> tuple[int, ...]:
    return tuple(card.index for card in parse_cards(text))


CARDS = numbers("As Kd 9c 4h 2s Qc Jd 8h 7s 5c 3d")


def test_the_order_of_the_deck_is_not_known_before_the_cards_are_read() -> None:
    found = driver()
    shuffles = [event for event in found.events if isinstance(event, e.CardsShuffled)]
    assert shuffles
    assert all(event.order == () and event.source == "cards read at the shoe" for event in shuffles)
    (prompt,) = prompts(found.table)
    assert (prompt.command, prompt.clause) == ("ReadCards", "682a.8(c)")
    assert "11 cards" in prompt.text
    assert "takes 11 cards" in refused(found, c.Deal(**BY)).reason


def test_the_cards_that_were_read_are_dealt() -> None:
    found = driver()
    found.send(c.ReadCards(cards=CARDS, **BY))
    found.send(c.Deal(**BY))
    assert found.table.round is not None
    dealt = [event.card for event in found.events if isinstance(event, e.CardDealt)]
    assert tuple(dealt) == CARDS
    completed = next(event for event in found.events if isinstance(event, e.DealCompleted))
    assert completed.stub == 52 - len(CARDS)


@pytest.mark.parametrize(
    ("cards", "said"),
    [
        (CARDS[:-1], "takes 11 cards, and 10 were read"),
        ((*CARDS[:-1], CARDS[0]), "As was read 2 times"),
        ((*CARDS[:-1], 52), "52 is no card"),
        ((*CARDS[:-1], -1), "-1 is no card"),
    ],
)
def test_an_impossible_card_is_refused(cards: tuple[int, ...], said: str) -> None:
    found = driver()
    before = found.table
    refusal = refused(found, c.ReadCards(cards=cards, **BY))
    assert said in refusal.reason
    assert refusal.clause == "682a.8(c)"
    assert found.table is before


def test_a_card_found_face_up_needs_one_more() -> None:
    found = driver()
    found.send(c.ReadCards(cards=CARDS, **BY))
    assert "takes 12 cards" in refused(found, c.Deal(face_up=frozenset({CARDS[3]}), **BY)).reason
    found.send(c.ReadCards(cards=(*CARDS, *numbers("2c")), **BY))
    found.send(c.Deal(face_up=frozenset({CARDS[3]}), **BY))
    assert any(isinstance(event, e.FaceUpCardDiscarded) and event.card == CARDS[3] for event in found.events)
    assert found.table.phase is Phase.STUB


def test_a_shuffle_with_a_known_order_and_reading_elsewhere_are_refused() -> None:
    found = Driver(replace(Setup.open(edition("pa-682a").elect()), reads_cards=True))
    automation = Automation(SeededShuffle("x"), set(STEPS) - {"Shuffle"})
    found.send(c.ReceiveCards(decks=(1,), **BY))
    automation.advance(found, 0)
    found.send(c.Sit(by=SYSTEM, at=0, patron="Pat", seats=(1,)))
    automation.advance(found, 0)
    shuffle = c.Shuffle(deck=1, order=tuple(range(52)), source="x", by_device=True, **BY)
    assert "nobody knows the order" in refused(found, shuffle).reason
    usual = Driver(Setup.open(edition("pa-682a").elect()))
    assert "nothing to read" in refused(usual, c.ReadCards(cards=CARDS, **BY)).reason


@pytest.mark.parametrize("name", EDITIONS)
def test_a_whole_round_of_every_edition_is_audited_without_a_finding(name: str, tmp_path: Path) -> None:
    found = driver(name)
    assert found.table.round is not None
    order = SeededShuffle(name).order()
    found.send(c.ReadCards(cards=order[: len(found.table.round.slots)], **BY))
    automation = Automation(SeededShuffle("unused"))
    automation.advance(found, 0)
    while found.table.phase is Phase.DECIDING:
        found.send(c.Decide(by=SYSTEM, at=0, seat=1, amount=5_00))
        automation.advance(found, 0)
    assert found.table.rounds == 1
    assert found.table.round is None
    path = tmp_path / "record.jsonl"
    with path.open("w") as file:
        RecordWriter(file, found.table.setup).append(found.events)
    findings = audit_file(path).findings
    assert not [finding for finding in findings if "one person" not in finding.message], findings
