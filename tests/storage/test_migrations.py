"""Migrations and upcasting: old databases are upgraded, newer ones refused, old events read in the current form."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from croupier.core.errors import InputError
from croupier.core.hash_chain import next_hash
from croupier.storage import Store
from croupier.storage.currency import Currency
from croupier.storage.migrations.runner import migrate
from croupier.storage.sql import schema as s
from croupier.storage.sql.database import Database, default_path
from croupier.table import SYSTEM
from croupier.table.model import commands as c
from croupier.table.model import events as e
from croupier.table.record import upcasting
from croupier.table.record.codec import decode_event, encode_event
from tests.storage.rounds import assert_consistent, make_setup


def test_migrations_produce_the_current_schema(empty_database_url: str) -> None:
    store = Store(empty_database_url)
    config = Config()
    config.set_main_option("script_location", "croupier.storage:migrations")
    config.set_main_option("path_separator", "os")
    assert ScriptDirectory.from_config(config).get_heads() == [s.HEAD]
    with store.database.read_transaction() as connection:
        assert compare_metadata(MigrationContext.configure(connection), s.metadata) == []
    store.close()


def upgrade_to(database: Database, version: str) -> None:
    """Migrates a database up to an old version."""
    config = Config()
    config.set_main_option("script_location", "croupier.storage:migrations")
    config.set_main_option("path_separator", "os")
    with database.write_transaction() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, version)


def test_0005_gives_old_keys_to_their_senders(empty_database_url: str) -> None:
    database = Database(empty_database_url)
    upgrade_to(database, "0004")
    identities = ["BuyIn by Pat (the Cat) (patron) Pat 500", "Cut by Dan (dealer)", "something older"]
    identities.append("CashOut by system (system) Pia Lee -500")
    with database.write_transaction() as connection:
        connection.execute(
            sa.text("INSERT INTO tables VALUES (1, 'one', 'pa-682a', '{}', '', '', 0, 'open', NULL)"),
        )
        for number, identity in enumerate(identities):
            text = "INSERT INTO commands VALUES (1, :key, :said, 1, 1, 'done', '', '')"
            connection.execute(sa.text(text), {"key": f"k{number}", "said": identity})
        connection.execute(
            sa.text(
                "INSERT INTO requests VALUES"
                " ('7f', 0, 'drop', 'Acc', 'accounting', 'one', '', 0, '', 'waiting', '', '', 0, '')"
            )
        )
    migrate(database)
    with database.read_transaction() as connection:
        senders = connection.execute(sa.select(s.commands.c.sender, s.commands.c.said).order_by(s.commands.c.key)).all()
        assert [tuple(row) for row in senders] == list(
            zip(["Pat (the Cat)", "Dan", "", "Pia Lee"], identities, strict=True)
        )
        assert connection.execute(sa.select(s.requests.c.id, s.requests.c.key)).all() == [("7f", "7f")]
    database.close()


def test_a_newer_schema_is_refused_in_one_sentence(database_url: str) -> None:
    store = Store(database_url)
    store.create(make_setup("one"), at=0)
    with store.database.write_transaction() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '0999'"))
    store.close()
    with pytest.raises(InputError, match="its schema version 0999 is newer than") as refused:
        Store(database_url)
    assert "\n" not in str(refused.value)


@pytest.fixture
def second_version(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pretends that `Noted` once had `text` instead of `what`, and before that was called `Remarked`."""
    monkeypatch.setattr(upcasting, "VERSIONS", {"Noted": 3})
    monkeypatch.setattr(upcasting, "_UPCASTERS", {})

    @upcasting.upcaster("Remarked", 1)
    def _(data: dict[str, Any]) -> dict[str, Any]:
        return {**data, "event": "Noted", "version": 2}

    @upcasting.upcaster("Noted", 2)
    def _(data: dict[str, Any]) -> dict[str, Any]:
        return {**{key: value for key, value in data.items() if key != "text"}, "what": data["text"]}


@pytest.mark.usefixtures("second_version")
def test_an_old_event_is_upcast_to_the_current_form(store: Store, tmp_path: Path) -> None:
    store.create(make_setup("one"), at=0)
    store.submit("one", c.ReceiveCards(by=SYSTEM, at=0, decks=(1,)))
    payloads: list[dict[str, Any]] = [
        {"event": "Remarked", "clause": "", "by": {"name": "Flo", "role": "floorperson"}, "at": 3, "text": "a jam"},
        {
            "event": "Noted",
            "version": 2,
            "clause": "",
            "by": {"name": "Flo", "role": "floorperson"},
            "at": 4,
            "text": "b",
        },
    ]
    with store.database.write_transaction() as connection:
        previous = connection.execute(sa.select(s.events.c.hash)).scalar_one()
        for seq, payload in enumerate(payloads, 2):
            previous = next_hash(previous, {"seq": seq, **payload})
            row = {"table_id": 1, "seq": seq, "hash": previous, "at": payload["at"], "kind": payload["event"]}
            row |= {"version": payload.get("version", 1), "round": 0, "actor": "Flo", "role": "floorperson", "seat": 0}
            connection.execute(sa.insert(s.events).values(data=json.dumps(payload), **row))
    events = [event for _, event in store.events("one", after=1)]
    assert [event.what for event in events if isinstance(event, e.Noted)] == ["a jam", "b"]
    assert store.table("one").at == 4
    result = store.submit("one", c.InspectCards(by=SYSTEM, at=5, deck=1), expected_seq=3)
    assert result.seq == 4
    with (tmp_path / "exported.jsonl").open("w") as file:
        store.export("one", file)
    lines = [json.loads(line) for line in (tmp_path / "exported.jsonl").read_text().splitlines()]
    assert lines[2]["event"] == "Remarked", "the stored event and its hash stay unchanged"


@pytest.mark.usefixtures("second_version")
def test_events_carry_their_version_unless_it_is_the_first(store: Store, tmp_path: Path) -> None:
    noted = e.Noted(what="x", clause="", by=SYSTEM, at=0)
    assert encode_event(noted) == {
        "event": "Noted",
        "version": 3,
        "clause": "",
        "by": {"name": "system", "role": "system"},
        "at": 0,
        "what": "x",
    }
    assert decode_event(encode_event(noted)) == noted
    assert "version" not in encode_event(e.StubRacked(clause="", by=SYSTEM, at=0))
    store.create(make_setup("one"), at=0)
    store.submit("one", c.ReceiveCards(by=SYSTEM, at=0, decks=(1,)))
    assert_consistent(store, "one", tmp_path)


@pytest.mark.parametrize("version", [2, 0, "1", True, None])
def test_an_event_of_an_unknown_version_is_refused(version: object) -> None:
    payload = {**encode_event(e.StubRacked(clause="", by=SYSTEM, at=0)), "version": version}
    with pytest.raises(InputError, match="version"):
        decode_event(payload)


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("mysql://localhost/x", "must begin with postgresql:// or sqlite:///"),
        ("sqlite://", "must begin with postgresql:// or sqlite:///"),
        ("postgresql://[::1/x", "is not a valid database URL"),
    ],
)
def test_a_bad_database_url_is_refused(url: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Store(url)


def test_the_default_file_is_in_the_users_data_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    Store().close()
    assert default_path() == tmp_path / "croupier" / "croupier.db"
    assert default_path().is_file()
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert default_path() == tmp_path / ".local" / "share" / "croupier" / "croupier.db"


def test_several_processes_can_create_a_database_concurrently(empty_database_url: str) -> None:
    code = "import sys; from croupier.storage import Store; Store(sys.argv[1]).close()"
    processes = [subprocess.Popen([sys.executable, "-c", code, empty_database_url], env=os.environ) for _ in range(2)]
    assert [process.wait(120) for process in processes] == [0, 0]


def test_sqlite_is_configured_for_durability(tmp_path: Path) -> None:
    store = Store(tmp_path / "store.db")
    with store.database.read_transaction() as connection:
        pragmas = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        }
    assert pragmas == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 5_000}
    store.close()


def test_currencies_of_an_older_database_are_decided_with_care(empty_database_url: str) -> None:
    """Guests have play money, tables without a Rules Submission are for play money; everything else is real."""
    created = Store(empty_database_url)
    engine = sa.create_engine(created.database.url)
    created.close()
    with engine.begin() as connection:
        connection.execute(sa.text("ALTER TABLE wallets DROP COLUMN currency"))
        connection.execute(sa.text("ALTER TABLE tables DROP COLUMN currency"))
        connection.execute(sa.text("DROP INDEX account_requests_key"))
        connection.execute(sa.text("ALTER TABLE account_requests DROP COLUMN key"))
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '0006'"))
        for number, (name, is_guest) in enumerate((("Guest 1", True), ("Ann", False)), 1):
            person = {"role": "patron", "password": "", "active": True, "created_at": 0, "created_by": ""}
            person |= {"failures": 0, "locked_until": 0, "id": number, "name": name, "folded": name, "guest": is_guest}
            connection.execute(sa.insert(s.people).values(**person))
            connection.execute(sa.text("INSERT INTO wallets (patron, cents) VALUES (:name, 500)").bindparams(name=name))
        for number, name in enumerate(("demo", "pit", "embedded"), 1):
            columns = "id, name, edition, setup, digest, hash, opened_at, status"
            values = {"id": number, "name": name}
            connection.execute(
                sa.text(f"INSERT INTO tables ({columns}) VALUES (:id, :name, 'pa-682a', '{{}}', '', '', 0, 'closed')"),  # noqa: S608
                values,
            )
        for number, submission in ((1, ""), (2, "Prime")):
            settings = json.dumps({"submission": submission})
            connection.execute(sa.insert(s.running).values(table_id=number, settings=settings))
    engine.dispose()
    store = Store(empty_database_url)
    assert {name: store.wallet_currency(name) for name in ("Guest 1", "Ann")} == {
        "Guest 1": Currency.PLAY,
        "Ann": Currency.REAL,
    }
    assert {name: store.table_currency(name) for name in ("demo", "pit", "embedded")} == {
        "demo": Currency.PLAY,
        "pit": Currency.REAL,
        "embedded": Currency.REAL,
    }
    store.close()
