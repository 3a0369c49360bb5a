"""A database is audited as a whole; whatever was changed in it is found, and the audit writes nothing."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from croupier.audit.database.audit import DatabaseAudit, audit_database
from croupier.audit.database.records import load_record
from croupier.cli.main import main
from croupier.core.errors import InputError
from croupier.storage import Store
from croupier.storage.archive import Retention, archive
from croupier.table import SYSTEM
from croupier.table.model import commands as c
from croupier.table.model.events import WagerSettled
from tests.audit.database.houses import change, fill, forge
from tests.storage.rounds import StoredDriver, setup_of


def address(store: Store) -> str:
    return store.database.url.render_as_string(hide_password=False).replace("+psycopg", "")


def audited(store: Store) -> DatabaseAudit:
    return audit_database(address(store))


def test_an_honest_house_is_clean(house: Store) -> None:
    audit = audited(house)
    assert audit.problems == []
    assert [table.name for table in audit.tables] == ["one", "table 1"]
    assert audit.events == house.seq("one") + house.seq("table 1")
    assert audit.rounds == 3 + 3
    assert not any(count for _, count in audit.checked)


CHANGES: dict[str, tuple[str, str, str]] = {
    "a letter of an event": (
        "UPDATE events SET data = replace(data, '\"amount\": 500', '\"amount\": 600') WHERE kind = 'WagerMade'"
        " AND table_id = 1",
        "one",
        "was changed",
    ),
    "a blank in an event": (
        "UPDATE events SET data = replace(data, ', ', ',  ') WHERE table_id = 1 AND seq = 5",
        "one",
        "is not in the canonical format of a record",
    ),
    "the first letter of an event": (
        "UPDATE events SET data = '[' || substr(data, 2) WHERE table_id = 1 AND seq = 5",
        "one",
        "cannot be read",
    ),
    "a hash": (
        "UPDATE events SET hash = replace(hash, substr(hash, 1, 1), 'g') WHERE table_id = 2 AND seq = 5",
        "table 1",
        "its hash does not match",
    ),
    "an event missing": (
        "DELETE FROM events WHERE table_id = 1 AND seq = 20",
        "one",
        "event 20 is missing before event 21",
    ),
    "the setup": ("UPDATE tables SET setup = replace(setup, '\"seats\": 6', '\"seats\": 5')", "one", "was changed"),
    "the name of a table": ("UPDATE tables SET name = 'uno' WHERE id = 1", "uno", "its setup is one of pa-682a"),
    "the time by which an event is found": (
        "UPDATE events SET at = 77 WHERE table_id = 1 AND seq = 9",
        "one",
        "the column at of event 9 is 77, but the event has 0",
    ),
    "the kind by which an event is found": (
        "UPDATE events SET kind = 'Noted' WHERE table_id = 1 AND seq = 9",
        "one",
        "the column kind of event 9 is 'Noted'",
    ),
    "the round by which an event is found": (
        "UPDATE events SET round = round + 1 WHERE table_id = 1 AND seq = 30",
        "one",
        "the column round of event 30",
    ),
    "an amount in the ledger": (
        "UPDATE ledger SET amount = amount + 1 WHERE table_id = 1 AND account = 'tray'",
        "one",
        "the ledger has",
    ),
    "both sides of an entry": (
        "UPDATE ledger SET amount = amount * 2 WHERE table_id = 2",
        "table 1",
        "the ledger has",
    ),
    "an entry missing": ("DELETE FROM ledger WHERE table_id = 1 AND account = 'tray'", "one", "the ledger has"),
    "an entry of no event": (
        "INSERT INTO ledger (table_id, seq, account, owner, amount) VALUES (1, 99999, 'tray', '', 5)",
        "one",
        "the ledger has entries for event 99999, which is missing",
    ),
    "money out of an account": (
        "UPDATE wallets SET cents = cents - 1",
        "",
        "the account of Pat 1 has $1,989,999.99, but both ledgers add up to $1,990,000",
    ),
    "an account that is gone": ("DELETE FROM wallets", "", "but both ledgers add up to $1,990,000"),
    "an account from nowhere": ("INSERT INTO wallets (patron, cents) VALUES ('Mal', 5)", "", "Mal has $0.05"),
    "a line of the journal": (
        "UPDATE journal SET data = replace(data, 'first', 'worst')",
        "",
        "line 1 of the journal or a line before it was changed",
    ),
    "a line of the journal missing": (
        "DELETE FROM journal WHERE number = 1",
        "",
        "a line before line 2 of the journal is missing",
    ),
    "an amount of the house": (
        "UPDATE cage_entries SET amount = amount + 1 WHERE account = 'cage' AND number = 2",
        "",
        "add up to 1 cents",
    ),
    "an approval": (
        "UPDATE requests SET second = 'Mal' WHERE id = 'a'",
        "",
        "differs from request a",
    ),
    "an approval undone": (
        "UPDATE requests SET status = 'waiting' WHERE id = 'b'",
        "",
        "for request b, which was never approved",
    ),
    "an approval from nowhere": (
        "UPDATE requests SET status = 'approved' WHERE id = 'd'",
        "",
        "request d was approved, but is not in the journal",
    ),
    "a linked meter": (
        "UPDATE meters SET version = version + 1, state = replace(state, '1', '2')",
        "",
        "link floor",
    ),
    "an entry of a link": ("DELETE FROM link_entries WHERE number = 1", "", "link floor"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_whatever_is_changed_is_found(house: Store, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    statement, table, words = CHANGES[name]
    change(house, statement)
    assert main(["audit", address(house), "--json"]) == 1
    problems = json.loads(capsys.readouterr().out)["problems"]
    assert all(one.keys() == {"table", "seq", "clause", "message"} for one in problems)
    assert any(one["table"] == table and words in one["message"] for one in problems), problems


def paid_more(said: list[dict[str, Any]]) -> None:
    settled = [one for one in said if one["event"] == "WagerSettled" and one["paid"]]
    settled[-1]["paid"] += 100


def swapped(said: list[dict[str, Any]]) -> None:
    dealt = [place for place, one in enumerate(said) if one["event"] == "CardDealt"]
    said[dealt[0]], said[dealt[1]] = said[dealt[1]], said[dealt[0]]


def missing(said: list[dict[str, Any]]) -> None:
    del said[next(place for place, one in enumerate(said) if one["event"] == "InspectionVerified")]


@pytest.mark.parametrize("work", [paid_more, swapped, missing])
def test_what_is_forged_with_all_hashes_is_found(house: Store, work: Callable[[list[dict[str, Any]]], object]) -> None:
    forge(house, "one", lambda said: None)
    assert audited(house).problems == [], "the forger's hand is steady"
    forge(house, "one", work)
    found = [finding for where, finding in audited(house).problems if where == "one"]
    assert found
    assert not any("hash" in finding.message for finding in found)
    if work is paid_more:
        settled = [(seq, event) for seq, event in house.events("one") if isinstance(event, WagerSettled) and event.paid]
        assert any(finding.seq == settled[-1][0] and finding.clause.startswith("682a") for finding in found)


def test_a_kept_state_that_does_not_follow_is_found(where: str) -> None:
    store = Store(where, snapshot_every=40)
    fill(store)
    assert audited(store).problems == []
    change(store, "UPDATE snapshots SET state = replace(state, '500', '600')")
    found = [finding.message for _, finding in audited(store).problems]
    assert found
    assert all("the snapshot after event" in message for message in found)
    store.close()


def test_archived_records_are_looked_at(store: Store, tmp_path: Path) -> None:
    store.create(setup_of("old"), at=0)
    driver = StoredDriver(store, "old")
    driver.send(c.ReceiveCards(by=SYSTEM, at=0, decks=(1,)))
    driver.send(c.CloseTable(by=SYSTEM, at=0))
    store.close_table("old")
    (archived,) = archive(store, tmp_path, now=1, retention=Retention(archive_after_days=0))
    audit = audited(store)
    assert audit.problems == []
    assert "the record of table old is in the archive" in audit.notes[0]
    archived.path.write_bytes(archived.path.read_bytes().replace(b'"at": 0', b'"at": 1'))
    assert "the archived record of table old cannot be read" in audited(store).problems[0][1].message
    archived.path.unlink()
    assert "the archived record of table old cannot be read" in audited(store).problems[0][1].message


# The file of SQLite.


def places(content: bytes) -> Iterator[tuple[str, int]]:
    """Bytes in events, in the setup and in the journal."""
    for number, words in enumerate((b'{"event": "CardDealt"', b'{"event": "WagerSettled"', b'{"event": "ChipsBought"')):
        place = content.index(words)
        yield f"event {number}", place + 40 + number
        yield f"event {number} at its first letter", place
    yield "setup", content.index(b'{"edition": "pa-682a"') + 30
    yield "journal", content.index(b'{"note": "first"') + 12


@pytest.mark.parametrize("flip", [1, 0x80])
def test_one_byte_of_the_file_is_found(path: Path, flip: int) -> None:
    content = path.read_bytes()
    assert audit_database(str(path)).problems == []
    for what, place in places(content):
        changed = bytearray(content)
        changed[place] ^= flip
        path.write_bytes(changed)
        assert main(["audit", str(path)]) == 1, what
    path.write_bytes(content)
    assert main(["audit", str(path)]) == 0


def test_an_audit_writes_nothing_and_makes_no_file(path: Path, tmp_path: Path) -> None:
    before = hashlib.sha256(path.read_bytes()).hexdigest()
    assert main(["audit", str(path)]) == 0
    assert hashlib.sha256(path.read_bytes()).hexdigest() == before
    with pytest.raises(InputError, match="there is no such file"):
        audit_database(f"sqlite:///{tmp_path / 'nothing.db'}")
    assert not (tmp_path / "nothing.db").exists()


def test_another_schema_is_refused_and_not_brought_up_to_date(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    engine = sa.create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '0001'"))
    engine.dispose()
    for command in ("audit", "recall", "export", "meters"):
        assert main([command, str(path)]) == 2
        said = capsys.readouterr().err
        assert "its schema version is 0001, and this program reads version" in said
        assert said.count("\n") == 1
    other = path.with_name("other.db")
    engine = sa.create_engine(f"sqlite:///{other}")
    with engine.begin() as connection:
        connection.execute(sa.text("CREATE TABLE things (id INTEGER)"))
    engine.dispose()
    with pytest.raises(InputError, match="is not a Croupier database"):
        audit_database(str(other))


def test_a_damaged_file_is_one_sentence(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    assert main(["audit", str(path)]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "damaged" in said


# What takes a record takes a table of a database.


def test_records_of_a_database(house: Store, capsys: pytest.CaptureFixture[str]) -> None:
    url = address(house)
    assert load_record(url, "one").events == house.record("one").events
    assert main(["export", url, "--table", "one"]) == 0
    exported = capsys.readouterr().out.splitlines()
    assert len(exported) == house.seq("one")
    assert main(["recall", url, "--table", "table 1", "--round", "2"]) == 0
    assert "Round 2" in capsys.readouterr().out
    assert main(["meters", url, "--table", "table 1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rounds"] == 3
    assert main(["audit", url, "--table", "one", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["rounds"], document["events"], document["problems"]) == (3, house.seq("one"), [])
    assert [table["table"] for table in document["tables"]] == ["one"]
    assert main(["audit", url]) == 0
    assert capsys.readouterr().out.endswith("No findings in the whole database.\n")


@pytest.mark.parametrize("command", ["audit", "export", "recall", "meters"])
def test_a_table_that_there_is_not(house: Store, command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, address(house), "--table", "nine"]) == 2
    assert "there is no table 'nine'" in capsys.readouterr().err


def test_a_table_must_be_named_where_there_are_several(house: Store, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["recall", address(house)]) == 2
    assert "name a table; " in capsys.readouterr().err


def test_a_changed_record_is_not_shown(house: Store, capsys: pytest.CaptureFixture[str]) -> None:
    seq = next(seq for seq, event in house.events("one") if isinstance(event, WagerSettled))
    change(house, "UPDATE events SET data = replace(data, '\"paid\"', '\"paie\"') WHERE kind = 'WagerSettled'")
    assert main(["recall", address(house), "--table", "one"]) == 2
    assert f"table one, line {seq + 1}: was changed" in capsys.readouterr().err


def test_a_record_has_no_other_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "table.jsonl"
    path.write_text("{}\n", encoding="utf-8")
    for command in ("audit", "export", "recall", "meters"):
        assert main([command, str(path), "--table", "one"]) == 2
        assert "is not a database: a record has only one table" in capsys.readouterr().err
