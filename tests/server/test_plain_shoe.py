"""A plain shoe over the wire: opening the table, entering cards in notation, and what viewers get."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from croupier.client import Client, RequestFailed
from croupier.regulations import edition
from croupier.submissions.template import submission_template
from croupier.table.model.roles import Role
from croupier.table.model.setup import CardSource
from tests.server.servers import Server, run_server

SUBMISSION = {"submission": "Summer", "version": 1}


@dataclass
class Pit:
    """A server with an approved Rules Submission, and its staff."""

    server: Server
    manager: Client
    dealer: Client
    floor: Client
    patron: Client

    def open(self, table: str, **options: Any) -> CardSource:
        """Opens a table; returns where its cards come from."""
        self.manager.post("/api/tables", {"table": table, **SUBMISSION, **options})
        return self.server.state(table)[0].setup.card_source

    def expect_refusal(self, client: Client, *args: Any, **fields: Any) -> RequestFailed:
        with pytest.raises(RequestFailed) as error:
            client.command(*args, **fields)
        return error.value


@pytest.fixture
def pit(tmp_path: Path) -> Iterator[Pit]:
    with run_server(str(tmp_path / "house.db")) as server:
        people = {
            role: server.add_person(f"the {role}", role)
            for role in (Role.SHIFT_MANAGER, Role.REGULATOR, Role.DEALER, Role.FLOORPERSON)
        }
        text = submission_template(edition("pa-682a"))
        people[Role.SHIFT_MANAGER].post("/api/submissions", {"name": "Summer", "text": text})
        people[Role.REGULATOR].post("/api/submissions/Summer/1/approve", {})
        patron = server.add_person("Pat", Role.PATRON, cents=1_000_00)
        yield Pit(server, people[Role.SHIFT_MANAGER], people[Role.DEALER], people[Role.FLOORPERSON], patron)


def test_one_setting_says_where_the_cards_come_from(pit: Pit) -> None:
    assert pit.open("A") is CardSource.SYSTEM
    assert pit.open("B", card_source="plain_shoe") is CardSource.PLAIN_SHOE
    assert pit.open("C", card_source="reading_shoe") is CardSource.READING_SHOE
    assert pit.open("D", reads_cards=True) is CardSource.READING_SHOE
    assert pit.open("E", reads_cards=True, card_source="reading_shoe") is CardSource.READING_SHOE
    assert pit.open("F", reads_cards=False, card_source="plain_shoe") is CardSource.PLAIN_SHOE
    schema = pit.manager.get("/api/openapi.json")["components"]["schemas"]["OpenTableRequest"]
    assert "card_source" in schema["properties"], "the older name is accepted, but no longer offered"
    assert "reads_cards" not in schema["properties"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"reads_cards": True, "card_source": "plain_shoe"}, "card_source is plain_shoe"),
        ({"reads_cards": "yes"}, "Extra inputs are not permitted"),
        ({"card_source": "plain_shoe", "mode": "electronic"}, "physical cards need a dealer"),
        ({"card_source": "plain_shoe", "verifiable": True}, "cards from a plain shoe cannot be dealt verifiably"),
        ({"card_source": "sleeve"}, "'reading_shoe' or 'plain_shoe'"),
    ],
)
def test_impossible_card_sources_are_refused(pit: Pit, options: dict[str, Any], message: str) -> None:
    with pytest.raises(RequestFailed, match=message):
        pit.open("A", **options)
    assert "A" not in pit.server.tables.names()


def start_round(pit: Pit) -> None:
    """A round at table A up to the dealer's cards: seat 1 stays."""
    pit.open("A", card_source="plain_shoe")
    dealer = pit.dealer
    dealer.command("A", "ReceiveCards", decks=[1])
    dealer.command("A", "InspectCards", deck=1)
    pit.floor.command("A", "VerifyInspection", deck=1)
    dealer.command("A", "SpreadCards", deck=1)
    dealer.command("A", "Sit", patron="Pat", seats=[1])
    pit.dealer.post(
        "/api/requests", {"id": "r", "kind": "buy_in", "table": "A", "patron": "Pat", "amount_cents": 500_00}
    )
    pit.floor.post("/api/requests/r/approve", {})
    dealer.command("A", "WashCards", deck=1)
    dealer.command("A", "Shuffle", deck=1, by_device=False)
    dealer.command("A", "Cut", depth=20)
    dealer.command("A", "LoadCards")
    dealer.command("A", "PlaceWager", seat=1, wager="ante", amount=10_00)
    dealer.command("A", "AnnounceNoMoreBets")
    dealer.command("A", "Deal")
    dealer.command("A", "RackStub")
    dealer.command("A", "Decide", seat=1, amount=10_00)
    dealer.command("A", "CollectForfeits")


def test_a_round_is_entered_in_notation_and_previewed(pit: Pit) -> None:
    start_round(pit)
    entry = pit.dealer.table("A")["procedure"]["card_entry"]
    assert (entry["title"], entry["cards"], entry["numbers"]) == (
        "the dealer's 6 cards",
        [None] * 6,
        [1, 2, 3, 4, 5, 6],
    )
    answer = pit.dealer.command("A", "EnterCards", place="dealer", cards=["Kd", "9c"])
    assert [(event["event"], event["card"]) for event in answer["events"]] == [
        ("CardEntered", "Kd"),
        ("CardEntered", "9c"),
    ]
    pit.dealer.command("A", "CorrectCard", place="dealer", number=2, card="9h")
    pit.dealer.command("A", "CorrectCard", place="dealer", number=2, card=None)
    cards = next(cards for cards in pit.patron.table("A")["cards"] if cards["place"] == "dealer")
    assert cards["cards"] == ["Kd", None, None, None, None, None]
    pit.dealer.command("A", "EnterCards", place="dealer", number=2, cards=["9c", "4h", "2s", "3s", "8h"])
    entry = pit.dealer.table("A")["procedure"]["card_entry"]
    assert (entry["numbers"], entry["hand"], entry["payments"]) == ([], "king high", [])
    pit.dealer.command("A", "RevealCards")
    pit.dealer.command("A", "EnterCards", place="player", seat=1, cards=["Qs", "Qh", "6d", "6c", "Jd"])
    entry = pit.dealer.table("A")["procedure"]["card_entry"]
    assert entry["hand"] == "two pair"
    pit.dealer.command("A", "SettleSeat", seat=1)
    settled = pit.dealer.table("A")["settled"]
    amounts = ("wager", "outcome", "returned_cents", "paid_cents")
    assert [[payment[name] for name in amounts] for payment in entry["payments"]] == [
        [wager[name] for name in amounts] for wager in settled
    ]
    assert pit.patron.table("A")["procedure"] is None


def test_bad_entries_get_one_sentence(pit: Pit) -> None:
    start_round(pit)
    dealer, enter = pit.dealer, ("A", "EnterCards")
    assert "'Xx' is not a card" in str(pit.expect_refusal(dealer, *enter, place="dealer", cards=["Xx"]))
    assert "must be a list of cards" in str(pit.expect_refusal(dealer, *enter, place="dealer", cards="Kd"))
    assert "is not a card" in str(pit.expect_refusal(dealer, "A", "CorrectCard", place="dealer", number=1, card=12))
    early = pit.expect_refusal(dealer, *enter, place="player", seat=1, cards=["As"])
    assert "not turned up now" in str(early)
    for client in (pit.floor, pit.patron):
        assert pit.expect_refusal(client, *enter, place="dealer", cards=["As"]).status in (403, 422)
    assert pit.server.state("A")[0].round is not None
    assert not any(pit.dealer.table("A")["procedure"]["card_entry"]["out"])
