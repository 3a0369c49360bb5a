"""Audits of whole databases: every change is found, and the audit writes nothing."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from croupier.audits.database.audit import DatabaseAudit, audit_database
from croupier.audits.database.records import load_record
from croupier.cli.main import main
from croupier.core.errors import InputError
from croupier.storage import Store
from croupier.storage.approvals import PaymentCorrection, approve, create_request
from croupier.storage.archive import Retention, archive
from croupier.storage.ledger import Account
from croupier.storage.repositories import journal
from croupier.table import SYSTEM
from croupier.table.model import commands as c
from croupier.table.model.events import WagerSettled
from tests.audits.database.houses import CASH, FLO, MORGAN, fill, forge, tamper
from tests.storage.rounds import StoredTableSession, make_setup


def url_of(store: Store) -> str:
    return store.database.url.render_as_string(hide_password=False).replace("+psycopg", "")


def audit_store(store: Store) -> DatabaseAudit:
    return audit_database(url_of(store))


def test_an_honest_database_is_clean(filled_store: Store) -> None:
    audit = audit_store(filled_store)
    assert audit.problems == []
    assert [table.name for table in audit.tables] == ["one", "table 1"]
    assert audit.events == filled_store.seq("one") + filled_store.seq("table 1")
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
    "the indexed time of an event": (
        "UPDATE events SET at = 77 WHERE table_id = 1 AND seq = 9",
        "one",
        "the column at of event 9 is 77, but the event has 0",
    ),
    "the indexed kind of an event": (
        "UPDATE events SET kind = 'Noted' WHERE table_id = 1 AND seq = 9",
        "one",
        "the column kind of event 9 is 'Noted'",
    ),
    "the indexed round of an event": (
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
    "an entry without an event": (
        "INSERT INTO ledger (table_id, seq, account, owner, amount) VALUES (1, 99999, 'tray', '', 5)",
        "one",
        "the ledger has entries for event 99999, which is missing",
    ),
    "money out of an account": (
        "UPDATE wallets SET cents = cents - 1",
        "",
        "the account of Pat 1 has $1,989,999.99, but both ledgers add up to $1,990,000",
    ),
    "an account missing": ("DELETE FROM wallets", "", "but both ledgers add up to $1,990,000"),
    "an account added": ("INSERT INTO wallets (patron, cents) VALUES ('Mal', 5)", "", "Mal has $0.05"),
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
    "an approval added": (
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
def test_every_change_is_found(filled_store: Store, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    statement, table, expected = CHANGES[name]
    tamper(filled_store, statement)
    assert main(["audit", url_of(filled_store), "--json"]) == 1
    problems = json.loads(capsys.readouterr().out)["problems"]
    assert all(problem.keys() == {"table", "seq", "clause", "message"} for problem in problems)
    assert any(problem["table"] == table and expected in problem["message"] for problem in problems), problems


def raise_payment(payloads: list[dict[str, Any]]) -> None:
    settled = [event for event in payloads if event["event"] == "WagerSettled" and event["paid"]]
    settled[-1]["paid"] += 100


def swap_cards(payloads: list[dict[str, Any]]) -> None:
    positions = [position for position, event in enumerate(payloads) if event["event"] == "CardDealt"]
    payloads[positions[0]], payloads[positions[1]] = payloads[positions[1]], payloads[positions[0]]


def drop_verification(payloads: list[dict[str, Any]]) -> None:
    del payloads[next(position for position, event in enumerate(payloads) if event["event"] == "InspectionVerified")]


@pytest.mark.parametrize("forgery", [raise_payment, swap_cards, drop_verification])
def test_a_forgery_with_valid_hashes_is_found(
    filled_store: Store, forgery: Callable[[list[dict[str, Any]]], object]
) -> None:
    forge(filled_store, "one", lambda payloads: None)
    assert audit_store(filled_store).problems == [], "rewriting without a change leaves no trace"
    forge(filled_store, "one", forgery)
    findings = [finding for table, finding in audit_store(filled_store).problems if table == "one"]
    assert findings
    assert not any("hash" in finding.message for finding in findings)
    if forgery is raise_payment:
        settled = [
            (seq, event) for seq, event in filled_store.events("one") if isinstance(event, WagerSettled) and event.paid
        ]
        assert any(finding.seq == settled[-1][0] and finding.clause.startswith("682a") for finding in findings)


def test_a_changed_snapshot_is_found(database_url: str) -> None:
    store = Store(database_url, snapshot_every=40)
    fill(store)
    assert audit_store(store).problems == []
    tamper(store, "UPDATE snapshots SET state = replace(state, '500', '600')")
    messages = [finding.message for _, finding in audit_store(store).problems]
    assert messages
    assert all("the snapshot after event" in message for message in messages)
    store.close()


def test_archived_records_are_audited(store: Store, tmp_path: Path) -> None:
    store.create(make_setup("old"), at=0)
    session = StoredTableSession(store, "old")
    session.send(c.ReceiveCards(by=SYSTEM, at=0, decks=(1,)))
    session.send(c.CloseTable(by=SYSTEM, at=0))
    store.close_table("old")
    (archived,) = archive(store, tmp_path, now=1, retention=Retention(archive_after_days=0))
    audit = audit_store(store)
    assert audit.problems == []
    assert "the record of table old is in the archive" in audit.notes[0]
    archived.path.write_bytes(archived.path.read_bytes().replace(b'"at": 0', b'"at": 1'))
    assert "the archived record of table old cannot be read" in audit_store(store).problems[0][1].message
    archived.path.unlink()
    assert "the archived record of table old cannot be read" in audit_store(store).problems[0][1].message


# The SQLite file.


def byte_positions(content: bytes) -> Iterator[tuple[str, int]]:
    """Positions of bytes in events, the setup and the journal."""
    for number, expected in enumerate(
        (b'{"event": "CardDealt"', b'{"event": "WagerSettled"', b'{"event": "ChipsBought"')
    ):
        position = content.index(expected)
        yield f"event {number}", position + 40 + number
        yield f"event {number} at its first letter", position
    yield "setup", content.index(b'{"edition": "pa-682a"') + 30
    yield "journal", content.index(b'{"note": "first"') + 12


@pytest.mark.parametrize("flip", [1, 0x80])
def test_one_changed_byte_of_the_file_is_found(database_path: Path, flip: int) -> None:
    content = database_path.read_bytes()
    assert audit_database(str(database_path)).problems == []
    for label, position in byte_positions(content):
        changed = bytearray(content)
        changed[position] ^= flip
        database_path.write_bytes(changed)
        assert main(["audit", str(database_path)]) == 1, label
    database_path.write_bytes(content)
    assert main(["audit", str(database_path)]) == 0


def test_an_audit_writes_nothing_and_creates_no_file(database_path: Path, tmp_path: Path) -> None:
    before = hashlib.sha256(database_path.read_bytes()).hexdigest()
    assert main(["audit", str(database_path)]) == 0
    assert hashlib.sha256(database_path.read_bytes()).hexdigest() == before
    with pytest.raises(InputError, match="the file does not exist"):
        audit_database(f"sqlite:///{tmp_path / 'nothing.db'}")
    assert not (tmp_path / "nothing.db").exists()


def test_another_schema_version_is_refused_and_not_migrated(
    database_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    engine = sa.create_engine(f"sqlite:///{database_path}")
    with engine.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '0001'"))
    engine.dispose()
    for command in ("audit", "recall", "export", "meters"):
        assert main([command, str(database_path)]) == 2
        message = capsys.readouterr().err
        assert "its schema version is 0001, and this program reads version" in message
        assert message.count("\n") == 1
    other = database_path.with_name("other.db")
    engine = sa.create_engine(f"sqlite:///{other}")
    with engine.begin() as connection:
        connection.execute(sa.text("CREATE TABLE things (id INTEGER)"))
    engine.dispose()
    with pytest.raises(InputError, match="is not a Croupier database"):
        audit_database(str(other))


def test_a_damaged_file_gets_one_sentence(database_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    content = database_path.read_bytes()
    database_path.write_bytes(content[: len(content) // 2])
    assert main(["audit", str(database_path)]) == 2
    message = capsys.readouterr().err
    assert message.count("\n") == 1
    assert "damaged" in message


# Commands that read a record also read a table of a database.


def test_commands_read_records_from_a_database(filled_store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    url = url_of(filled_store)
    assert load_record(url, "one").events == filled_store.record("one").events
    assert main(["export", url, "--table", "one"]) == 0
    exported = capsys.readouterr().out.splitlines()
    assert len(exported) == filled_store.seq("one") - 1  # without the deck in play
    assert main(["recall", url, "--table", "table 1", "--round", "2"]) == 0
    assert "Round 2" in capsys.readouterr().out
    assert main(["meters", url, "--table", "table 1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rounds"] == 3
    assert main(["audit", url, "--table", "one", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["rounds"], document["events"], document["problems"]) == (3, filled_store.seq("one"), [])
    assert [table["table"] for table in document["tables"]] == ["one"]
    assert main(["audit", url]) == 0
    assert capsys.readouterr().out.endswith("PASSED: no findings in the whole database.\n")


@pytest.mark.parametrize("command", ["audit", "export", "recall", "meters"])
def test_an_unknown_table_is_refused(filled_store: Store, command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, url_of(filled_store), "--table", "nine"]) == 2
    assert "there is no table 'nine'" in capsys.readouterr().err


def test_a_table_must_be_named_if_there_are_several(filled_store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["recall", url_of(filled_store)]) == 2
    assert "name a table; " in capsys.readouterr().err


def test_a_changed_record_is_refused(filled_store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    seq = next(seq for seq, event in filled_store.events("one") if isinstance(event, WagerSettled))
    tamper(filled_store, "UPDATE events SET data = replace(data, '\"paid\"', '\"paie\"') WHERE kind = 'WagerSettled'")
    assert main(["recall", url_of(filled_store), "--table", "one"]) == 2
    assert f"table one, line {seq + 1}: was changed" in capsys.readouterr().err


def test_a_record_file_does_not_accept_a_table_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "table.jsonl"
    path.write_text("{}\n", encoding="utf-8")
    for command in ("audit", "export", "recall", "meters"):
        assert main([command, str(path), "--table", "one"]) == 2
        assert "is not a database: a record has only one table" in capsys.readouterr().err


# What two people have approved.


def correct_payment(store: Store) -> None:
    """Flo and Morgan return the Ante that seat 2 lost."""
    entry = next(x for x in store.table("one").history[-1].entries if (x.seat, x.wager) == (2, "ante"))
    amounts = {"old_returned": entry.returned, "old_paid": entry.paid, "returned": 5_00, "paid": 0}
    corrected = PaymentCorrection(round=store.table("one").history[-1].number, seat=2, wager="ante", **amounts)
    request: dict[str, Any] = {
        "identifier": "corr",
        "at": 70,
        "kind": "payment_correction",
        "by": FLO,
        "cents": corrected.change,
    }
    request |= {"table": "one", "patron": "Pat 2", "reason": "the fold was not announced", "correction": corrected}
    create_request(store, **request)
    assert approve(store, "corr", by=MORGAN, at=71).refusal is None


def test_GAM_7_the_journal_must_have_both_people_behind_a_corrected_payment(filled_store: Store) -> None:
    correct_payment(filled_store)
    title = "the journal has both people behind every corrected payment and changed meter"
    assert dict(audit_store(filled_store).checked)[title] == 0
    missing = "the corrected payment of Flo and Morgan is not in the journal"
    for statement, expected in (
        ("UPDATE journal SET second = 'Mal' WHERE kind = 'payment_correction'", missing),
        ("UPDATE journal SET data = replace(data, '\"seat\": 2', '\"seat\": 3')", missing),
        ("UPDATE journal SET table_name = 'table 1'", "is for a change that table table 1 does not have"),
        ("UPDATE journal SET kind = 'noted' WHERE kind = 'payment_correction'", missing),
    ):
        tamper(filled_store, statement)
        assert any(expected in finding.message for _, finding in audit_store(filled_store).problems), statement


@pytest.mark.parametrize("kind", ["gift", "deposit"])
def test_a_movement_that_nobody_approved_is_found_although_the_hashes_are_right(filled_store: Store, kind: str) -> None:
    """Somebody with the database writes a whole line: numbers, hashes and sums agree."""
    moves = [(journal.CAGE, (Account.ACCOUNT, "Pat 1"), 1_000_00)]
    journal.enter(filled_store, at=9, kind=kind, by=CASH, second=MORGAN, patron="Pat 1", moves=moves)
    (finding,) = [finding for _, finding in audit_store(filled_store).problems]
    assert "nobody has approved it" in finding.message or "which was never approved" in finding.message


def test_a_request_that_is_carried_out_twice_or_for_more_is_found(filled_store: Store) -> None:
    pat = (Account.ACCOUNT, "Pat 1")
    for cents, expected in ((50_00, "a second time"), (51_00, "a second time")):
        people: dict[str, Any] = {"by": CASH, "second": MORGAN, "patron": "Pat 1"}
        moves = [(journal.CAGE, pat, cents)]
        journal.enter(filled_store, at=9, kind="deposit", data={"request": "a"}, moves=moves, **people)
        assert any(expected in finding.message for _, finding in audit_store(filled_store).problems)
    tamper(filled_store, "UPDATE requests SET amount = 4900 WHERE id = 'a'")
    messages = [finding.message for _, finding in audit_store(filled_store).problems]
    assert any("moves another amount than request a" in message for message in messages)
