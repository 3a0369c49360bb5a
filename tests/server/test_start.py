"""What the server checks before it starts."""

from __future__ import annotations

import shutil
import socket
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from croupier.cli.main import main
from croupier.core.errors import InputError
from croupier.server.clock import epoch_milliseconds
from croupier.server.config import Config, WebSettings
from croupier.server.launcher import serve
from croupier.server.services import play_table
from croupier.storage import Store
from croupier.storage.repositories import journal
from croupier.storage.start_checks import find_problems
from croupier.table import SYSTEM
from croupier.table.model import commands as c
from tests.server.processes import Process
from tests.server.test_config import certificate
from tests.storage.rounds import fund_wallet

__all__ = ["certificate"]


def refusal(capsys: pytest.CaptureFixture[str], database: Path, *options: str) -> str:
    """The one sentence of a server that does not start."""
    assert main(["serve", "--port", "0", "--database", str(database), *options]) == 2
    output = capsys.readouterr()
    assert not output.out
    assert output.err.count("\n") == 1
    return output.err


# Modes of files.


@pytest.mark.parametrize("name", ["house.db", "house.db-wal"])
@pytest.mark.parametrize("mode", [0o604, 0o644, 0o666, 0o602])
def test_a_database_that_everybody_can_use_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, mode: int
) -> None:
    database = tmp_path / "house.db"
    Store(database).close()
    (tmp_path / name).touch()
    (tmp_path / name).chmod(mode)
    message = refusal(capsys, database)
    assert f"every user of this machine can use it (mode {mode:04o})" in message
    assert f"chmod {mode & 0o770:o} " in message
    assert (tmp_path / name).stat().st_mode & 0o777 == mode, "the server changes nothing by itself"


def test_a_database_that_everybody_can_use_is_served_if_allowed(tmp_path: Path) -> None:
    database = tmp_path / "house.db"
    Store(database).close()
    database.chmod(0o644)
    settings = {"CROUPIER_OPEN": "pa-682a", "CROUPIER_ALLOW_WORLD_READABLE": "true"}
    assert Process(str(database), tmp_path, environment=settings).stop() == 0


def test_a_private_key_that_everybody_can_read_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], certificate: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    key = Path(shutil.copy(certificate[1], tmp_path / "key.pem"))
    key.chmod(0o644)
    monkeypatch.setenv("CROUPIER_WEB_CERTIFICATE", str(certificate[0]))
    monkeypatch.setenv("CROUPIER_WEB_KEY", str(key))
    assert "key.pem: every user of this machine can use it" in refusal(capsys, tmp_path / "house.db")


# The network.


@pytest.mark.parametrize("host", [".".join("0000"), "::", "192.0.2.7", "pit.example"])
def test_other_machines_may_not_connect_without_tls(tmp_path: Path, certificate: tuple[Path, Path], host: str) -> None:
    """Each setting alone lets the server go on to its next check: here, a database that everybody can read."""
    database = tmp_path / "house.db"
    Store(database).close()
    database.chmod(0o644)
    config = Config(host=host, database=str(database))
    certificate_path, key = (str(path) for path in certificate)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        with pytest.raises(InputError, match="passwords would cross the network in the clear"):
            serve(config, listener, print)
        for web in (
            WebSettings(allow_plain_http=True),
            WebSettings(behind_proxy=True),
            WebSettings(certificate=certificate_path, key=key),
        ):
            with pytest.raises(InputError, match="every user of this machine"):
                serve(replace(config, web=web), listener, print)
        for local in ("127.0.0.1", "::1", "localhost", "127.0.0.9"):
            with pytest.raises(InputError, match="every user of this machine"):
                serve(replace(config, host=local), listener, print)


# The content of the database.


def fill(path: Path) -> None:
    store = Store(path)
    for name in ("one", "two"):
        store.create(replace(play_table("pa-682a"), name=name), at=0)
        store.submit(name, c.ReceiveCards(by=SYSTEM, at=0, decks=(1,)))
        store.submit(name, c.Sit(by=SYSTEM, at=1, patron="Ann", seats=(1,)))
    store.open_wallet("Ann")
    for number in range(3):
        fund_wallet(store, at=number, patron="Ann", cents=100_00)
    store.close()


def damage_page(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'wallets'").fetchone()
    with path.open("r+b") as file:
        file.seek((page - 1) * 4096)
        file.write(b"\xa5" * 4096)


def run_sql(statement: str) -> Callable[[Path], None]:
    def change(path: Path) -> None:
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("PRAGMA foreign_keys = OFF")
            connection.execute(statement)

    return change


FAULTS: dict[str, tuple[Callable[[Path], None], str]] = {
    "a damaged page": (damage_page, "the file is damaged: "),
    "a changed setup": (run_sql("UPDATE tables SET setup = replace(setup, '500', '900') WHERE id = 1"), "table one: "),
    "an unreadable setup": (run_sql("UPDATE tables SET setup = '{' WHERE id = 1"), "table one: its setup"),
    "a changed last event": (
        run_sql("UPDATE events SET data = replace(data, 'Ann', 'Eve') WHERE table_id = 2"),
        "table two, event ",
    ),
    "a missing event": (run_sql("DELETE FROM events WHERE table_id = 2 AND seq = 1"), "table two: has "),
    "a changed line of the journal": (
        run_sql("UPDATE journal SET patron = 'Eve' WHERE number = 3"),
        "line 3 of the journal",
    ),
    "a missing line of the journal": (run_sql("DELETE FROM journal WHERE number = 1"), "the journal has 2 lines"),
    "an unbalanced ledger": (
        run_sql("INSERT INTO ledger (table_id, seq, account, owner, amount) VALUES (1, 1, 'tray', '', 5)"),
        "the entries of tables add up to 5 cents",
    ),
    "an account out of balance": (
        run_sql("UPDATE wallets SET cents = cents + 1"),
        "the account of Ann has 30001 cents",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_database_with_a_fault_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    database, (fault, sentence) = tmp_path / "house.db", FAULTS[name]
    fill(database)
    fault(database)
    message = refusal(capsys, database)
    assert sentence in message
    assert "set check_at_start to false" in message


def test_a_sound_database_has_no_problems(database_url: str) -> None:
    store = Store(database_url)
    assert find_problems(store.database, 1) == []
    store.create(play_table("pa-682a"), at=0)
    journal.enter(store, at=1, kind="configuration", by=SYSTEM)
    assert find_problems(store.database, 1) == []
    store.close()


def test_a_database_from_the_future_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    database, in_two_days = tmp_path / "house.db", epoch_milliseconds() + 2 * 86_400_000
    store = Store(database)
    store.create(play_table("pa-682a"), at=0)
    store.submit(play_table("pa-682a").name, c.ReceiveCards(by=SYSTEM, at=in_two_days, decks=(1,)))
    store.close()
    assert "minutes in the future: set the clock of this machine" in refusal(capsys, database)


def test_a_database_with_a_fault_is_served_if_told_to(tmp_path: Path) -> None:
    database = tmp_path / "house.db"
    fill(database)
    run_sql("UPDATE wallets SET cents = cents + 1")(database)
    settings = {"CROUPIER_OPEN": "pa-682a", "CROUPIER_CHECK_AT_START": "false"}
    assert Process(str(database), tmp_path, environment=settings).stop() == 0
