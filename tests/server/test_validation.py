"""A progressive win at an electronic table: a floorperson validates it, unless the submission elects the system."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from croupier.audits.database.audit import audit_database
from croupier.regulations import edition
from croupier.server.services import play_table
from croupier.submissions.model import parse_submission
from croupier.submissions.template import submission_template
from croupier.table.model import events as e
from croupier.table.model.roles import SYSTEM, Role
from croupier.table.model.setup import Setup
from tests.progressive.test_links import FOUR_ACES, StackedShuffle
from tests.server.servers import Server, expect_refusal, run_server


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with run_server(str(tmp_path / "house.db")) as instance:
        yield instance


def progressive_setup(validation: str) -> Setup:
    """A table under a submission with the Four-Card Progressive, dealt by a shoe and a shuffler."""
    data = tomllib.loads(submission_template(edition("pa-641a"), ("aces_up", "four_card_progressive")))
    data["dealing"] |= {"method": "automated_shoe", "shuffler": "automated"}
    data["elections"] |= {"win_validation": validation} if validation else {}
    submission, problems = parse_submission(data, "a submission")
    assert submission is not None
    assert not problems
    return replace(Setup.from_submission(submission), name="Pit 1")


def deal_four_aces(server: Server, setup: Setup) -> None:
    """Ann holds four aces with a progressive wager of $1, and plays."""
    server.open_table(setup)
    server.tables.get("Pit 1").automation.source = StackedShuffle(FOUR_ACES)
    ann = server.add_person("Ann", Role.PATRON, cents=1_000_00)
    ann.sit("Pit 1", 1, chips=500_00)
    for wager, amount in (("ante", 10_00), ("four_card_progressive", 1_00)):
        ann.command("Pit 1", "PlaceWager", seat=1, wager=wager, amount=amount)
    ann.command("Pit 1", "GetReady", patron="Ann")
    ann.command("Pit 1", "Decide", seat=1, amount=10_00)


def validations(server: Server) -> list[e.WinValidated]:
    return [event for _, event in server.store.events("Pit 1") if isinstance(event, e.WinValidated)]


def test_641a_11_c_5_iii_a_floorperson_validates_a_win_at_an_electronic_table(server: Server, tmp_path: Path) -> None:
    deal_four_aces(server, progressive_setup(""))
    assert validations(server) == []
    floor = server.add_person("Flo", Role.FLOORPERSON)
    (table,) = floor.get("/api/floor")["tables"]
    (wait,) = table["waits"]
    assert (wait["command"], wait["seat"], wait["clause"]) == ("ValidateWin", 1, "641a.11(c)(5)(iii)")
    dealer = server.add_person("Dan", Role.DEALER)
    values = {"command": "ValidateWin", "seat": 1, "key": "no", "seq": server.state("Pit 1")[1]}
    assert "electronic" in expect_refusal(dealer, "POST", "/api/tables/Pit%201/commands", values).reason
    floor.command("Pit 1", "ValidateWin", seat=1)
    (validated,) = validations(server)
    assert (validated.by.name, validated.by.role) == ("Flo", Role.FLOORPERSON)
    assert server.state("Pit 1")[0].round is None, "the system finishes the round"
    assert audit_database(str(tmp_path / "house.db")).problems == []


def test_641a_11_c_5_iii_the_system_validates_if_the_submission_elects_it(server: Server) -> None:
    deal_four_aces(server, progressive_setup("system"))
    (validated,) = validations(server)
    assert validated.by == SYSTEM
    assert server.state("Pit 1")[0].round is None


def test_a_play_money_table_elects_the_system_and_says_so(server: Server) -> None:
    setup = replace(play_table("pa-641a"), name="Pit 1")
    deal_four_aces(server, setup)
    (validated,) = validations(server)
    assert validated.by == SYSTEM
    rules = server.anonymous_client().get("/api/tables/Pit%201/rules")
    assert rules["elections"]["win_validation"] == "system"


def test_the_lobby_shows_the_meters_of_the_wagers_offered(server: Server) -> None:
    server.open_table(replace(play_table("pa-641a"), name="Pit 1"))
    (entry,) = server.anonymous_client().get("/api/tables")
    assert [meter["meter"] for meter in entry["meters"]] == ["four_card_progressive", "five_card_hand_bonus"]
    assert "five_card_progressive" not in server.state("Pit 1")[0].setup.limits
