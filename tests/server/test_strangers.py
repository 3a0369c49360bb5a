"""Strangers at a table for real money: whoever the house does not know sees cards, but neither names nor wagers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from croupier.client import Client, RequestFailed
from croupier.regulations import edition
from croupier.server.config import Config
from croupier.server.services import play_table
from croupier.server.tables.service import default_settings
from croupier.storage.currency import Currency
from croupier.submissions.template import submission_template
from croupier.table import Phase
from croupier.table.model.roles import Role
from croupier.table.visibility import HIDDEN_PATRON
from tests.server.servers import TEST_CONFIG, Server, expect_refusal, run_server
from tests.table.test_names import BAD_NAMES

NAMES = ("Zelda Quuxworth", "Ymir Plughson")
ANTES = (135_00, 145_00)
SECRETS = (*NAMES, "Quux", "Plugh", "135", "145", "270", "290", "405", "435", "540", "580")
"""Names, Antes in dollars, and what a player may raise or win with them."""
AMOUNT = r"(?<![0-9a-f]){}(\.?00)?(?![0-9a-f])"
"""A number of dollars by itself or in cents, but not digits within a hash or a time."""
CONFIG: Config = replace(TEST_CONFIG, guests=replace(TEST_CONFIG.guests, allowed=True), open=("pa-679a",))
TABLE = "High limit 1"


@pytest.fixture(params=[True, False], ids=["real money", "play money"])
def is_real(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.fixture
def server(tmp_path: Path, is_real: bool) -> Iterator[Server]:
    with run_server(str(tmp_path / "house.db"), CONFIG) as instance:
        settings = default_settings(instance.tables.config)
        settings = replace(settings, currency=Currency.REAL if is_real else Currency.PLAY)
        instance.open_table(replace(play_table("pa-682a"), name=TABLE, verifiable=True), settings)
        yield instance


def sit_down(server: Server) -> list[Client]:
    currency = server.tables.get(TABLE).settings.currency
    people = [server.add_person(name, Role.PATRON, cents=5_000_00, currency=currency) for name in NAMES]
    for seat, person in enumerate(people, 1):
        person.sit(TABLE, seat, chips=2_000_00)
        person.command(TABLE, "ContributeToDeal", patron=person.name, text=f"luck of {person.name}")
    return people


def play_round(server: Server, people: list[Client]) -> None:
    for seat, (person, ante) in enumerate(zip(people, ANTES, strict=True), 1):
        person.command(TABLE, "PlaceWager", seat=seat, wager="ante", amount=ante)
    for person in people:
        person.ready(TABLE)
    table = server.state(TABLE)[0]
    while table.phase is Phase.DECIDING and table.round is not None:
        seat = table.round.waiting[0]
        people[seat - 1].command(TABLE, "Decide", seat=seat, amount=ANTES[seat - 1])
        table = server.state(TABLE)[0]


def read_all(client: Client) -> list[Any]:
    """Everything that a client can read about the table without being in it."""
    path = f"/api/tables/{quote(TABLE)}"
    answers: list[Any] = []
    for target in ("/api/tables", path, f"{path}/rounds", f"{path}/rounds/1", f"{path}/rounds/1/verifiable"):
        try:
            answers.append(client.get(target))
        except RequestFailed as refusal:
            answers.append([refusal.reason, refusal.place])
    return answers


def visitors(server: Server) -> Iterator[Client]:
    yield server.anonymous_client()
    guest = server.anonymous_client()
    guest.guest()
    yield guest


def secrets_in(answers: Any) -> set[str]:
    """The secrets in what a stranger reads; amounts only where money may stand, not in hashes and times."""
    text = json.dumps(_without_numbers(answers))
    return {secret for secret in SECRETS if re.search(AMOUNT.format(secret) if secret.isdigit() else secret, text)}


def _without_numbers(answers: Any) -> Any:
    skipped = {"commitment", "next_commitment", "at", "now", "server_seed", "seq", "limits", "minimum_cents"}
    if isinstance(answers, dict):
        return {key: _without_numbers(value) for key, value in answers.items() if key not in skipped}
    if isinstance(answers, list):
        return [_without_numbers(value) for value in answers]
    return answers


def test_strangers_see_names_and_wagers_only_at_play_money_tables(server: Server, is_real: bool) -> None:
    people = sit_down(server)
    everyone = list(visitors(server))
    seen: list[set[str]] = [set() for _ in everyone]
    streams = []
    for visitor in everyone:
        context = visitor.watch(TABLE)
        messages = iter(context.__enter__())
        streams.append((context, messages))
    for number, (visitor, (_, messages)) in enumerate(zip(everyone, streams, strict=True)):
        seen[number] |= secrets_in([next(messages), *read_all(visitor)])
    play_round(server, people)
    last = server.state(TABLE)[1]
    for number, (visitor, (context, messages)) in enumerate(zip(everyone, streams, strict=True)):
        kinds: set[str] = set()
        cards = False
        for message in messages:
            seen[number] |= secrets_in(message)
            kinds |= {event["event"] for event in message["events"]}
            cards = cards or any(event.get("card") for event in message["events"])
            if message["seq"] >= last:
                break
        assert {"CardDealt", "HandTurnedUp", "RoundCompleted"} <= kinds
        assert ("WagerPlaced" in kinds) is not is_real
        seen[number] |= secrets_in(read_all(visitor))
        context.__exit__(None, None, None)
    if is_real:
        assert seen == [set(), set()]
    else:
        assert all({*NAMES, "135", "145"} < secrets for secrets in seen)


def test_strangers_see_that_a_seat_is_taken(server: Server, is_real: bool) -> None:
    sit_down(server)
    for visitor in visitors(server):
        seats = {seat["seat"]: seat["patron"] for seat in visitor.table(TABLE)["seats"]}
        assert [seats[seat] for seat in (1, 2, 3)] == ([HIDDEN_PATRON] * 2 + [""] if is_real else [*NAMES, ""])


def test_people_whom_the_house_knows_see_everything(server: Server) -> None:
    people = sit_down(server)
    play_round(server, people)
    for role in (Role.PATRON, Role.DEALER, Role.SURVEILLANCE):
        person = server.add_person(f"the {role}", role)
        assert set(NAMES) < secrets_in(read_all(person)), role


def test_the_record_of_a_retired_table_stays_closed_to_strangers(server: Server, is_real: bool) -> None:
    people = sit_down(server)
    play_round(server, people)
    flo, mia = server.add_person("Flo", Role.FLOORPERSON), server.add_person("Mia", Role.SHIFT_MANAGER)
    for person in people:
        person.command(TABLE, "Leave", patron=person.name)
    flo.command(TABLE, "CloseTable")
    mia.post(f"/api/tables/{quote(TABLE)}/retire", {})
    for visitor in visitors(server):
        secrets = secrets_in(read_all(visitor))
        assert (not secrets) is is_real, secrets
        if is_real:
            path = f"/api/tables/{quote(TABLE)}/rounds/1/verifiable"
            assert expect_refusal(visitor, "GET", path).status == 401


def open_approved(server: Server, name: str) -> None:
    """Opens a table as people do: a filed Rules Submission that a regulator has approved."""
    manager, regulator = server.add_person("Sam", Role.SHIFT_MANAGER), server.add_person("Reg", Role.REGULATOR)
    manager.post("/api/submissions", {"name": "Summer", "text": submission_template(edition("pa-682a"))})
    regulator.post("/api/submissions/Summer/1/approve", {})
    for bad_name in BAD_NAMES:
        refusal = expect_refusal(
            manager, "POST", "/api/tables", {"table": bad_name, "submission": "Summer", "version": 1}
        )
        assert (refusal.status, refusal.place in ("table", "body.table")) == (400, True), bad_name
    options = {"mode": "electronic", "self_service": True, "verifiable": True}
    manager.post("/api/tables", {"table": name, "submission": "Summer", "version": 1, **options})


@pytest.mark.parametrize("is_real", [False], indirect=True, ids=["one more table"])
def test_a_table_opened_from_an_approved_submission_is_for_real_money(server: Server) -> None:
    open_approved(server, "Corner")
    zelda = server.add_person(NAMES[0], Role.PATRON, cents=5_000_00)
    zelda.sit("Corner", 1, chips=2_000_00)
    for visitor in visitors(server):
        assert visitor.table("Corner")["seats"][0]["patron"] == HIDDEN_PATRON
    assert zelda.table("Corner")["seats"][0]["patron"] == NAMES[0]
