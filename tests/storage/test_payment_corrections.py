"""Corrections of payments: requested by one person, approved by another, bounded, and in the journal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from croupier.audits.database.audit import audit_database
from croupier.core.errors import InputError, RuleViolation
from croupier.storage import Store, reconciliation
from croupier.storage.approvals import PaymentCorrection, approve, create_request, find
from croupier.storage.repositories import journal
from croupier.table.model.events import PaymentCorrected, WagerSettled
from croupier.table.model.roles import Actor, Role
from tests.storage.rounds import play_rounds

FLO = Actor("Flo", Role.FLOORPERSON)
SAM = Actor("Sam", Role.SHIFT_MANAGER)
ACE = Actor("Ace", Role.ACCOUNTING)
ANTE = 5_00
TABLE = "one"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A store with a table at which seat 2 folded and lost its Ante of $5."""
    instance = Store(str(tmp_path / "house.db"))
    play_rounds(instance, TABLE, 1)
    yield instance
    instance.close()


def lost_ante(store: Store) -> WagerSettled:
    (entry,) = [x for x in store.table(TABLE).history[-1].entries if (x.seat, x.wager) == (2, "ante")]
    return entry


def correction(store: Store, returned: int, paid: int, **changes: Any) -> PaymentCorrection:
    entry = lost_ante(store)
    values = {"round": 1, "seat": 2, "wager": "ante", "old_returned": entry.returned, "old_paid": entry.paid}
    return PaymentCorrection(**{**values, "returned": returned, "paid": paid, **changes})


def ask(store: Store, corrected: PaymentCorrection, by: Actor = FLO, **changes: Any) -> str:
    fields = {"identifier": f"c{corrected.paid} {corrected.returned}", "at": 50, "kind": "payment_correction"}
    fields |= {"table": TABLE, "patron": "Pat 2", "reason": "the fold was not announced", "cents": corrected.change}
    return create_request(store, by=by, correction=corrected, **{**fields, **changes}).id


def test_GAM_7_a_correction_takes_two_people_and_is_a_line_in_the_journal(store: Store) -> None:
    before = store.table(TABLE)
    corrected = correction(store, ANTE, 0)
    identifier = ask(store, corrected)
    assert store.table(TABLE).balances == before.balances, "a request moves nothing"
    with pytest.raises(RuleViolation, match="needs two people: Flo requested it and cannot also approve it"):
        approve(store, identifier, by=FLO, at=60)
    with pytest.raises(RuleViolation, match="must be approved by a shift manager or accounting, not a floorperson"):
        approve(store, identifier, by=Actor("Fay", Role.FLOORPERSON), at=60)
    assert approve(store, identifier, by=ACE, at=60).refusal is None
    after = store.table(TABLE)
    assert after.balances["Pat 2"] == before.balances["Pat 2"] + ANTE
    assert after.tray == before.tray - ANTE
    event = [event for _, event in store.events(TABLE)][-1]
    assert isinstance(event, PaymentCorrected)
    assert (event.by, event.approved_by) == (FLO, ACE)
    line = journal.read(store, kinds=("payment_correction",))[-1]
    assert (line.by, line.second, line.table, line.patron) == (FLO, ACE, TABLE, "Pat 2")
    assert line.data["correction"] == asdict(corrected)
    assert line.data["reason"] == "the fold was not announced"
    assert approve(store, identifier, by=ACE, at=61).request.status == "approved", "once only"
    assert store.table(TABLE).balances == after.balances
    assert reconciliation.ledger_total(store.database) == 0
    assert not list(reconciliation.find_disagreements(store.database, TABLE))


@pytest.mark.parametrize(
    ("returned", "paid", "reason"),
    [
        (ANTE, 1_000_000_00, "no cards make that of this ante: at most $5 returned and $5 paid"),
        (0, 99_000_000_00, "no cards make that"),
        (ANTE + 1, 0, "no cards make that"),
        (0, 0, "there is nothing to correct"),
    ],
)
def test_no_two_people_correct_a_payment_beyond_what_cards_can_make(
    store: Store, returned: int, paid: int, reason: str
) -> None:
    before, seq = store.table(TABLE), store.seq(TABLE)
    with pytest.raises(RuleViolation, match=re.escape(reason)) as refusal:
        ask(store, correction(store, returned, paid))
    assert refusal.value.clause == "682a.11(d)"
    assert (store.table(TABLE).balances, store.seq(TABLE)) == (before.balances, seq)


def test_a_request_is_decided_again_when_it_is_approved(store: Store) -> None:
    """Two requests about one entry: the second states amounts that the entry no longer has."""
    first, second = ask(store, correction(store, ANTE, 0)), ask(store, correction(store, 0, ANTE))
    assert approve(store, first, by=SAM, at=60).refusal is None
    decision = approve(store, second, by=SAM, at=61)
    assert decision.refusal is not None
    assert "it is not the one stated" in decision.refusal.reason
    assert find(store, second).status == "waiting"
    assert lost_ante(store).returned == ANTE


@pytest.mark.parametrize(
    ("changes", "place", "reason"),
    [
        ({"reason": " "}, "reason", "needs a reason"),
        ({"correction": None}, "correction", "needs the entry to correct"),
        ({"patron": ""}, "patron", "needs a patron"),
        ({"kind": "deposit", "table": ""}, "correction", "a deposit takes no entry to correct"),
    ],
)
def test_a_request_states_the_entry_and_what_was_wrong(
    store: Store, changes: dict[str, Any], place: str, reason: str
) -> None:
    fields = {"identifier": "7", "at": 50, "kind": "payment_correction", "table": TABLE, "patron": "Pat 2"}
    fields |= {"reason": "why", "cents": ANTE, "correction": correction(store, ANTE, 0)}
    with pytest.raises(InputError, match=reason) as error:
        create_request(store, by=ACE if "kind" in changes else FLO, **{**fields, **changes})
    assert error.value.place == place


def test_a_request_states_the_change_that_its_correction_makes(store: Store) -> None:
    with pytest.raises(RuleViolation, match="the correction changes the patron's money by") as refusal:
        ask(store, correction(store, ANTE, 0), cents=1)
    assert refusal.value.clause == "GAM-7"


def test_a_request_names_the_patron_of_the_entry(store: Store) -> None:
    with pytest.raises(RuleViolation, match="the entry is of Pat 2, not of Pat 1"):
        ask(store, correction(store, ANTE, 0), patron="Pat 1")


def test_the_audit_shows_a_correction_that_differs_from_the_settlement(store: Store, tmp_path: Path) -> None:
    approve(store, ask(store, correction(store, ANTE, 0)), by=ACE, at=60)
    back = correction(store, 0, 0)
    approve(store, ask(store, replace(back)), by=SAM, at=70)
    store.close()
    report = audit_database(str(tmp_path / "house.db"), TABLE)
    assert not report.problems
    (correction_seen,) = report.tables[0].corrections
    assert correction_seen.clause == "682a.11(d)"
    assert correction_seen.message == (
        "Flo and Ace corrected the ante of seat 2 in round 1 to $5 returned and $0 paid, "
        "but the cards give $0 and $0 (the fold was not announced)"
    )
