"""A view is computed once for all who see the same, and is the same as if it had been computed for each."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from croupier.server.services import play_table
from croupier.server.tables.service import default_settings
from croupier.server.tables.view import Deadline, table_view
from croupier.server.tables.view_cache import MAX_AGE_MILLISECONDS, ViewCache, equivalent_viewer
from croupier.storage.currency import Currency
from croupier.table import Phase
from croupier.table.automation import Automation
from croupier.table.model import commands as c
from croupier.table.model.roles import SYSTEM, Role
from croupier.table.model.state import Table
from croupier.table.procedure.shuffle import SeededShuffle
from croupier.table.session import TableSession
from croupier.table.visibility import ANONYMOUS, STRANGER, Viewer
from tests.server.servers import Server, run_server

ROLES = tuple(role for role in Role if role is not Role.SYSTEM)
VIEWERS = (
    *(Viewer(name, Role.PATRON, is_stranger=stranger) for name in ("Ann", "Bob", "Olga") for stranger in (False, True)),
    *(Viewer(f"{name} the {role}", role) for name in ("Dana", "Flo") for role in ROLES),
    ANONYMOUS,
    STRANGER,
)


def states() -> Iterator[Table]:
    """Every state of a few rounds in which patrons come, wager, fold, play and go."""
    session, automation = TableSession(play_table("pa-683a")), Automation(SeededShuffle("views"))
    chance = random.Random(14)

    def send(command: c.Command) -> Iterator[Table]:
        session.send(command)
        yield session.table
        while (step := automation.next(session.table, 0)) is not None:
            session.send(step)
            yield session.table

    yield session.table
    yield from send(c.ReceiveCards(by=SYSTEM, at=0, decks=(1,)))
    for seat, name in ((1, "Ann"), (3, "Bob")):
        yield from send(c.Sit(by=SYSTEM, at=0, patron=name, seats=(seat,)))
        yield from send(c.BuyIn(by=SYSTEM, at=0, patron=name, amount=500_00))
    for number in range(3):
        for seat in (1, 3) if number < 2 else (3,):
            yield from send(c.PlaceWager(by=SYSTEM, at=0, seat=seat, wager="ante", amount=5_00))
        yield from send(c.AnnounceNoMoreBets(by=SYSTEM, at=0))
        while session.table.phase is Phase.DECIDING:
            round_ = session.table.round
            assert round_ is not None
            amount = chance.choice((None, 5_00))
            yield from send(c.Decide(by=SYSTEM, at=0, seat=round_.waiting[0], amount=amount))
        if number == 1:
            yield from send(c.Leave(by=SYSTEM, at=0, patron="Ann"))


def test_a_shared_view_equals_the_viewers_own() -> None:
    cache, compared = ViewCache(), 0
    for seq, table in enumerate(states()):
        for now in (5_000, 5_500):
            deadline = Deadline("betting", now + 1_000) if seq % 2 else None
            for viewer in VIEWERS:
                shared = cache.view(table, seq, viewer, now, deadline)
                assert shared == table_view(table, seq, viewer, now, deadline), viewer
                compared += 1
    assert compared > 2_000
    assert cache.computed < compared / 3


def test_all_who_have_no_hand_share_one_view() -> None:
    *_, table = states()
    assert table.history[-1].patrons == {3: "Bob"}
    assert "Ann" not in table.seats.values()
    patrons = [Viewer(name, Role.PATRON) for name in ("Ann", "Olga", "")]
    assert {equivalent_viewer(table, viewer) for viewer in patrons} == {ANONYMOUS}
    assert equivalent_viewer(table, Viewer("Bob", Role.PATRON)).name == "Bob"
    assert equivalent_viewer(table, STRANGER) == STRANGER


def test_a_view_is_not_reused_for_long_or_for_another_state() -> None:
    *_, before, table = states()
    cache = ViewCache()
    for state, now in ((table, 0), (table, MAX_AGE_MILLISECONDS - 1), (table, MAX_AGE_MILLISECONDS), (before, 1_001)):
        cache.view(state, 1, ANONYMOUS, now, None)
    assert cache.computed == 3
    cache.view(before, 1, ANONYMOUS, 500, None)
    assert cache.computed == 4, "a clock that was set back"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with run_server(str(tmp_path / "house.db")) as instance:
        yield instance


def test_many_spectators_cost_one_view_for_each_change(server: Server) -> None:
    settings = replace(default_settings(server.tables.config), currency=Currency.PLAY)
    table = server.open_table(play_table("pa-682a"), settings)
    ann = server.add_person("Ann", Role.PATRON, cents=100_00, currency=Currency.PLAY)
    seq = ann.sit(table, 1, chips=50_00)["seq"]
    spectators = [server.anonymous_client() for _ in range(20)]
    spectators += [server.add_person(f"Olga {number}", Role.PATRON) for number in range(5)]
    contexts = [spectator.watch(table) for spectator in spectators]
    streams = [iter(context.__enter__()) for context in contexts]
    first = [next(stream) for stream in streams]
    assert {message["seq"] for message in first} == {seq}
    before = server.tables.get(table).views.computed
    ann.command(table, "PlaceWager", seat=1, wager="ante", amount=5_00, seq=seq)
    messages = [next(stream) for stream in streams]
    assert server.tables.get(table).views.computed == before + 1
    assert [message["view"]["you"]["name"] for message in messages[-5:]] == [f"Olga {number}" for number in range(5)]
    assert all(message["view"]["wagers"] == messages[0]["view"]["wagers"] for message in messages)
    for context in contexts:
        context.__exit__(None, None, None)
