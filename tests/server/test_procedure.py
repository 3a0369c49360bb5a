"""The procedure of decks and devices over HTTP: what the dealer reports, a floorperson confirms, and nobody invents."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from croupier.audits.database.audit import audit_database
from croupier.client import Client, RequestFailed
from croupier.server.services import play_table
from croupier.server.tables.service import STAFFED, default_settings
from croupier.table.model import events as e
from croupier.table.model.roles import Role
from croupier.table.model.state import Phase
from tests.server.servers import TEST_CONFIG, Server, expect_refusal, run_server

MANUAL = {"device": "shuffler", "marked": "sign", "method": "manual_shoe", "shuffler": "none"}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with run_server(str(tmp_path / "house.db")) as instance:
        yield instance
    assert audit_database(str(tmp_path / "house.db")).problems == []


class StaffedTable:
    """A staffed table with a counting shuffler, a dealer, a floorperson and a patron."""

    def __init__(self, server: Server, **changes: Any) -> None:
        setup = replace(play_table("pa-682a"), method="manual_shoe", **{"shuffler": "counting", **changes})
        settings = replace(default_settings(TEST_CONFIG, STAFFED), self_service=True)
        self.server, self.name = server, server.open_table(setup, settings)
        self.dana = server.add_person("Dana", Role.DEALER)
        self.floyd = server.add_person("Floyd", Role.FLOORPERSON)
        self.ann = server.add_person("Ann", Role.PATRON, cents=1_000_00)

    @property
    def phase(self) -> Phase:
        return self.server.state(self.name)[0].phase

    def send(self, by: Client, command: str, **values: Any) -> None:
        by.command(self.name, command, **values)

    def refusal(self, by: Client, command: str, **values: Any) -> RequestFailed:
        seq = self.server.state(self.name)[1]
        body = {"command": command, "key": secrets.token_hex(8), "seq": seq, **values}
        return expect_refusal(by, "POST", f"/api/tables/{quote(self.name)}/commands", body)

    def open(self) -> StaffedTable:
        self.receive()
        self.ann.sit(self.name, 1, chips=500_00)
        self.send(self.dana, "WashCards", deck=1)
        return self

    def receive(self) -> None:
        self.send(self.dana, "ReceiveCards", decks=[1])
        self.send(self.dana, "InspectCards", deck=1)
        self.send(self.floyd, "VerifyInspection", deck=1)
        self.send(self.dana, "SpreadCards", deck=1)

    def deal(self) -> None:
        self.send(self.dana, "LoadCards")
        self.send(self.ann, "PlaceWager", seat=1, wager="ante", amount=5_00)
        self.send(self.dana, "AnnounceNoMoreBets")
        self.send(self.dana, "Deal")

    def events_of(self, kind: type[e.Event]) -> list[Any]:
        return [event for _, event in self.server.store.events(self.name, 0) if isinstance(event, kind)]


def test_the_dealer_states_the_count_of_the_device_and_another_than_52_removes_the_deck(server: Server) -> None:
    table = StaffedTable(server).open()
    missing = table.refusal(table.dana, "Shuffle", deck=1, by_device=True)
    assert (missing.status, missing.clause) == (422, "682a.5(b)")
    assert table.refusal(table.dana, "Shuffle", deck=1, by_device=True, count=-1).clause == "682a.5(b)"
    table.send(table.dana, "Shuffle", deck=1, by_device=True, count=51)
    assert [event.clause for event in table.events_of(e.DeckRemoved)] == ["682a.5(b)"]
    table.receive()
    table.send(table.dana, "WashCards", deck=1)
    table.send(table.dana, "Shuffle", deck=1, by_device=True, count=52)
    (shuffled,) = table.events_of(e.CardsShuffled)
    assert (shuffled.by_device, shuffled.device, shuffled.count) == (True, "counting", 52)
    assert len(shuffled.order) == 52, "the server draws the order"


def test_a_shuffle_by_hand_is_cut_at_a_table_with_a_device(server: Server) -> None:
    table = StaffedTable(server).open()
    table.send(table.dana, "Shuffle", deck=1, by_device=False)
    assert table.phase is Phase.CUTTING
    assert table.refusal(table.dana, "LoadCards").clause == "682a.5(c)(2)"


def test_a_wager_is_a_multiple_of_the_smallest_chip(server: Server) -> None:
    table = StaffedTable(server).open()
    table.send(table.dana, "Shuffle", deck=1, by_device=True, count=52)
    table.send(table.dana, "LoadCards")
    refusal = table.refusal(table.ann, "PlaceWager", seat=1, wager="ante", amount=10_37)
    assert (refusal.status, refusal.clause) == (422, "682a.7(a)")
    table.send(table.ann, "PlaceWager", seat=1, wager="ante", amount=10_50)


def test_a_reported_shuffler_is_used_by_nobody_until_a_floorperson_answers(server: Server) -> None:
    table = StaffedTable(server).open()
    table.send(table.dana, "ReportDeviceFailure", device="shuffler")
    for way in ({"by_device": True, "count": 52}, {"by_device": False}):
        assert table.refusal(table.dana, "Shuffle", deck=1, **way).clause == "682a.13(g)"
    procedure = table.dana.table(table.name)["procedure"]
    assert procedure["reported_devices"] == ["shuffler"]
    assert table.refusal(table.dana, "RestoreDevice").clause == "682a.13(g)"
    table.send(table.floyd, "RestoreDevice")
    table.send(table.dana, "Shuffle", deck=1, by_device=True, count=52)


def test_a_device_is_replaced_by_two_people_and_only_with_what_is_on_file(server: Server) -> None:
    table = StaffedTable(server).open()
    procedure = table.dana.table(table.name)["procedure"]
    assert (procedure["devices"], procedure["shufflers"]) == (["shuffler"], ["counting", "none"])
    assert table.refusal(table.dana, "ReportDeviceFailure", device="shoe").clause == "682a.13(g)"
    assert table.refusal(table.ann, "ReportDeviceFailure", device="shuffler").status == 422
    assert "not reported" in table.refusal(table.floyd, "TakeDeviceOutOfOrder", **MANUAL).reason
    table.send(table.dana, "ReportDeviceFailure", device="shuffler")
    assert table.floyd.table(table.name)["procedure"]["reported_devices"] == ["shuffler"]
    assert table.refusal(table.dana, "TakeDeviceOutOfOrder", **MANUAL).clause == "682a.13(g)"
    unapproved = table.refusal(table.floyd, "TakeDeviceOutOfOrder", **{**MANUAL, "shuffler": "reshuffling"})
    assert (unapproved.clause, "on file" in unapproved.reason) == ("682a.13(g)", True)
    table.send(table.floyd, "TakeDeviceOutOfOrder", **MANUAL)
    assert table.refusal(table.dana, "Shuffle", deck=1, by_device=True, count=52).clause == "682a.5(a)"
    table.send(table.dana, "Shuffle", deck=1, by_device=False)
    assert table.phase is Phase.CUTTING, "a dealer cannot do away with the cut"


def test_a_wrong_stub_asks_for_every_hand_and_the_counts_decide(server: Server) -> None:
    table = StaffedTable(server).open()
    table.send(table.dana, "Shuffle", deck=1, by_device=True, count=52)
    table.deal()
    layout = table.ann.table(table.name)["cards"]
    assert [len(place["cards"]) for place in layout] == [5, 6]
    assert not [card for place in layout for card in place["cards"] if card], "the deal is not complete yet"
    hands = table.dana.table(table.name)["procedure"]["hands_to_count"]
    assert [(hand["title"], hand["expected"]) for hand in hands] == [("seat 1", 5), ("dealer", 6)]
    recount = table.refusal(table.dana, "CountStub", stub=40)
    assert (recount.code, recount.clause) == ("recount", "682a.8(g)")
    for wrong in ([{"place": "player", "seat": 1, "cards": 6}], [{"place": "player"}], "five"):
        assert table.refusal(table.dana, "CountStub", stub=40, hands=wrong).status in (400, 422)
    counts = [{"place": hand["place"], "seat": hand["seat"], "cards": hand["expected"]} for hand in hands]
    counts[0]["cards"] += 1
    table.send(table.dana, "CountStub", stub=40, hands=counts)
    (counted,) = table.events_of(e.StubCounted)
    assert (counted.total, counted.right) == (52, False)
    assert not table.events_of(e.DeckRemoved), "a misdeal with 52 cards keeps the deck"
    assert [event.cause for event in table.events_of(e.RoundVoided)] == ["stub_wrong"]


def test_the_next_player_waits_until_the_cards_of_an_idle_table_are_spread(server: Server) -> None:
    table = StaffedTable(server).open()
    table.send(table.ann, "Leave", patron="Ann")
    bob = server.add_person("Bob", Role.PATRON, cents=1_000_00)
    sit = {"seats": [2], "chips_cents": 100_00, "key": "sit"}
    refusal = expect_refusal(bob, "POST", f"/api/tables/{quote(table.name)}/sit", sit)
    assert (refusal.status, refusal.clause) == (422, "682a.5(f)")
    assert table.refusal(table.dana, "SpreadIdleCards", face_up=True).clause == "682a.5(f)"
    table.send(table.dana, "SpreadIdleCards")
    bob.sit(table.name, 2, chips=100_00)
    assert table.phase.value == "idle"
    table.send(table.dana, "WashCards", deck=1)
    assert table.phase.value == "shuffling"


def test_a_defect_removes_the_deck_and_where_a_wrong_number_lies_is_checked(server: Server) -> None:
    table = StaffedTable(server)
    table.send(table.dana, "ReceiveCards", decks=[1])
    table.send(table.dana, "InspectCards", deck=1, defect="a creased ace")
    assert [event.reason for event in table.events_of(e.DeckRemoved)] == ["defect: a creased ace"]
    table.open()
    table.send(table.dana, "Shuffle", deck=1, by_device=True, count=52)
    table.deal()
    assert "seat 1" in table.refusal(table.dana, "ReportWrongNumberOfCards", where="seat 5").reason
    table.send(table.dana, "ReportWrongNumberOfCards", where="dealer")
    assert [event.where for event in table.events_of(e.RoundVoided)] == ["dealer"]


def test_the_api_describes_the_counts_of_hands(server: Server) -> None:
    document = str(server.app.framework.openapi())
    hands = document.partition("'enum': ['CountStub']")[2].partition("'hands': ")[2][:600]
    for name in ("place", "seat", "cards"):
        assert f"'{name}': {{'type': " in hands
    assert "'maxLength'" in hands, "nested values are bounded too"
