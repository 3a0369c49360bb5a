"""Repositories on both databases: each race between processes is decided by a single statement."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa

from croupier.storage import Store
from croupier.storage.ledger import postings
from croupier.storage.repositories import (
    accounts,
    history,
    invitations,
    sessions,
    sign_in_failures,
    submissions,
    tables,
)
from croupier.storage.repositories.changes import Changes, change_cursor
from croupier.storage.repositories.history import EventQuery
from croupier.storage.repositories.invitations import Invitation
from croupier.storage.sql import schema as s
from croupier.table.evolve import evolve, new_table
from croupier.table.model.roles import Role
from tests.storage.rounds import play_rounds

NOW = 1_000_000
LOCKED = 2**62


def add_user(store: Store, name: str, role: Role = Role.PATRON, *, invited: bool = False) -> int:
    with store.database.write_transaction() as connection:
        accounts.insert(
            connection,
            name=name,
            folded=name.casefold(),
            role=role,
            password="" if invited else "hash",
            guest=False,
            created_at=NOW,
            created_by="",
        )
        account = accounts.find(connection, name.casefold())
    assert account is not None
    return account.id


def test_the_last_wrong_password_blocks_its_source(store: Store) -> None:
    account, until = add_user(store, "Pat"), NOW + 900
    ends = []
    for _ in range(4):
        with store.database.write_transaction() as connection:
            ends.append(
                sign_in_failures.count_failure(connection, account, "here", now=NOW, block_after=3, until=until)
            )
    assert ends == [0, 0, until, 0], "a blocked source counts no further failures"
    with store.database.write_transaction() as connection:
        assert sign_in_failures.blocked_until(connection, account, "here") == until
        assert sign_in_failures.blocked_until(connection, account, "there") == 0
        sign_in_failures.clear(connection, account, "there")
        assert sign_in_failures.blocked_until(connection, account, "here") == until
        sign_in_failures.clear(connection, account)
        assert sign_in_failures.blocked_until(connection, account, "here") == 0


def test_only_administrators_who_can_sign_in_count(store: Store) -> None:
    active = add_user(store, "Ada", Role.ADMINISTRATOR)
    add_user(store, "Invited", Role.ADMINISTRATOR, invited=True)
    locked = add_user(store, "Locked", Role.ADMINISTRATOR)
    deactivated = add_user(store, "Deactivated", Role.ADMINISTRATOR)
    add_user(store, "Floyd", Role.FLOORPERSON)
    with store.database.write_transaction() as connection:
        accounts.update(connection, locked, locked_until=LOCKED)
        accounts.update(connection, deactivated, active=False)
        assert list(accounts.administrators(connection, locked_forever=LOCKED, lock=True)) == [active]


def test_an_invitation_is_used_once_and_a_newer_one_voids_it(store: Store) -> None:
    pat = Invitation("Pat", Role.DEALER)
    with store.database.write_transaction() as connection:
        for token in ("old", "new"):
            invitations.issue(connection, token=token, invitation=pat, created_by="Ada", expires_at=NOW + 10)
        assert invitations.find_open(connection, "old", NOW) is None
        assert invitations.find_open(connection, "new", NOW) == pat
        assert invitations.use(connection, "new", NOW + 10) is None, "it has expired"
        assert invitations.use(connection, "new", NOW) == pat
        assert invitations.use(connection, "new", NOW) is None


def test_a_deactivated_user_has_no_session(store: Store) -> None:
    account = add_user(store, "Pat")
    with store.database.write_transaction() as connection:
        for token, name in (("one", "Pat"), ("two", "Pat"), ("none", "Nobody")):
            sessions.insert(connection, token=token, csrf="c", name=name, now=NOW, expires_at=NOW + 10)
        assert [session.token for session in sessions.find(connection, ["none", "one"])] == ["one"]
        assert sessions.find_active_tokens(connection, ["none", "one", "two"]) == {"one", "two"}
        accounts.update(connection, account, active=False)
        assert sessions.find(connection, ["one", "two"]) == []
        assert sessions.find_active_tokens(connection, ["one", "two"]) == set()
        assert sessions.times(connection, "one") is None
        assert sessions.delete_of_user(connection, "Pat", except_token="two") == 1  # noqa: S106


def test_a_submission_is_approved_once(store: Store) -> None:
    with store.database.write_transaction() as connection:
        for version in (1, 2):
            filed = submissions.insert(
                connection, name="main", edition="pa-641a", text="", filed_at=NOW, filed_by="Mary"
            )
            assert filed.version == version
        assert submissions.approve(connection, "main", 2, approved_at=NOW, approved_by="Rita")
        assert not submissions.approve(connection, "main", 2, approved_at=NOW, approved_by="Rob")
        assert [submission.approved_by for submission in submissions.all_versions(connection)] == ["", "Rita"]


def test_a_search_by_amount_finds_the_events_that_moved_it(store: Store) -> None:
    session = play_rounds(store, "t", 1)
    table, expected = new_table(session.table.setup), []
    events = store.record("t").events
    for seq, event in enumerate(events, 1):
        if any(abs(cents) >= 10_00 for cents in postings(table, event).values()):
            expected.append(seq)
        table = evolve(table, event)
    with store.database.read_transaction() as connection:
        query = EventQuery(min_cents=10_00)
        assert [event.seq for event in history.search(connection, "t", query)] == expected
        newest = history.search(connection, "t", EventQuery(before=len(events), limit=3, newest_first=True))
        assert [event.seq for event in newest] == [len(events) - 1, len(events) - 2, len(events) - 3]
        assert [summary.name for summary in tables.summaries(connection)] == ["t"]


def test_a_change_cursor_sees_other_connections_and_removed_events(tmp_path: Path) -> None:
    path = tmp_path / "shared.db"
    own_store, other_store = Store(path), Store(path)
    with change_cursor(own_store.database) as cursor:
        assert cursor.poll() == Changes()
        seq = play_rounds(other_store, "t", 1).seq
        assert cursor.poll() == Changes([(1, seq)])
        assert cursor.poll() == Changes()
        with other_store.database.write_transaction() as connection:
            connection.execute(sa.delete(s.ledger))
            connection.execute(sa.delete(s.snapshots))
            connection.execute(sa.delete(s.events).where(s.events.c.seq > 3))
        assert cursor.poll() == Changes(removed=True)
        assert cursor.poll() == Changes()
    for store in (own_store, other_store):
        store.close()
