"""Movements that need two people: who may ask, who may approve, once, and wholly or not at all."""

from __future__ import annotations

import threading
from itertools import product
from typing import Any

import pytest

from croupier.core.errors import InputError, RuleViolation
from croupier.storage import Store, reconciliation
from croupier.storage.approval_kinds import APPROVAL_KINDS
from croupier.storage.approvals import approve, create_request, expire, find, list_waiting, refuse
from croupier.storage.ledger import Account
from croupier.storage.repositories import journal
from croupier.storage.repositories.journal import CAGE
from croupier.table import SYSTEM
from croupier.table.model import commands as c
from croupier.table.model.roles import Actor, Role
from tests.audit.records import a_setup
from tests.storage.postgres import Cluster
from tests.storage.rounds import setup_of

R = Role
ALLOWED: dict[str, tuple[set[Role], set[Role]]] = {
    "deposit": ({R.ACCOUNTING}, {R.ACCOUNTING, R.SHIFT_MANAGER}),
    "withdrawal": ({R.ACCOUNTING}, {R.ACCOUNTING, R.SHIFT_MANAGER}),
    "buy_in": ({R.DEALER, R.ACCOUNTING}, {R.FLOORPERSON, R.SHIFT_MANAGER, R.ACCOUNTING}),
    "cash_out": ({R.DEALER, R.ACCOUNTING}, {R.FLOORPERSON, R.SHIFT_MANAGER, R.ACCOUNTING}),
    "opening_inventory": ({R.DEALER, R.FLOORPERSON}, {R.FLOORPERSON, R.SHIFT_MANAGER}),
    "closing_inventory": ({R.DEALER, R.FLOORPERSON}, {R.FLOORPERSON, R.SHIFT_MANAGER}),
    "fill": ({R.FLOORPERSON}, {R.ACCOUNTING, R.SHIFT_MANAGER}),
    "credit": ({R.FLOORPERSON}, {R.ACCOUNTING, R.SHIFT_MANAGER}),
    "drop": ({R.ACCOUNTING}, {R.ACCOUNTING, R.SHIFT_MANAGER}),
    "meter_setup": ({R.ADMINISTRATOR}, {R.FLOORPERSON, R.SHIFT_MANAGER}),
    "meter_correction": ({R.ACCOUNTING}, {R.SHIFT_MANAGER}),
}
"""As the house wants it, said a second time."""
PEOPLE: dict[Role, Actor] = {role: Actor(f"a {role.value}", role) for role in Role if role is not Role.SYSTEM}
OTHERS: dict[Role, Actor] = {role: Actor(f"another {role.value}", role) for role in Role if role is not Role.SYSTEM}
DEALER, CASH, FLO = PEOPLE[R.DEALER], PEOPLE[R.ACCOUNTING], PEOPLE[R.FLOORPERSON]
PAT = (Account.ACCOUNT, "Pat")
METERED = a_setup("pa-641a")
METER = next(iter(METERED.meters))
SEED = int(METERED.meters[METER].seed)


@pytest.fixture
def house(store: Store) -> Store:
    """Pat has $100 on the account and $20 at a table."""
    store.open_wallet("Pat")
    journal.add_play_money(store, at=0, patron="Pat", cents=120_00)
    store.create(setup_of("one"), at=0)
    store.submit("one", c.ReceiveCards(by=SYSTEM, at=0, decks=(1,)))
    store.submit("one", c.Sit(by=SYSTEM, at=0, patron="Pat", seats=(1,)))
    store.submit("one", c.BuyIn(by=SYSTEM, at=100, patron="Pat", amount=20_00))
    store.create(METERED, at=0)
    return store


def wanted(kind: str, identifier: str = "7f", cents: int = 10_00) -> dict[str, Any]:
    rule = APPROVAL_KINDS[kind]
    whose = {**({"table": "one"} if rule.table else {}), **({"patron": "Pat"} if rule.patron else {})}
    if rule.meter:
        whose |= {"table": METERED.name, "meter": METER, "reason": "why"}
        cents += SEED if kind == "meter_setup" else 0
    return {"identifier": identifier, "at": 50, "kind": kind, "cents": cents, **whose}


def asker(kind: str) -> Actor:
    return PEOPLE[sorted(APPROVAL_KINDS[kind].requesters)[0]]


def second(kind: str) -> Actor:
    return OTHERS[sorted(APPROVAL_KINDS[kind].approvers)[0]]


def assert_booked(store: Store) -> None:
    assert reconciliation.ledger_total(store.database) == 0
    assert reconciliation.find_wrong_wallets(store.database) == []


def test_the_kinds_are_those_of_the_house() -> None:
    assert {kind: (set(rule.requesters), set(rule.approvers)) for kind, rule in APPROVAL_KINDS.items()} == ALLOWED


@pytest.mark.parametrize("kind", APPROVAL_KINDS)
def test_acc_1_only_the_right_people_ask_and_approve(house: Store, kind: str) -> None:
    asks, approves = ALLOWED[kind]
    for number, (first, other) in enumerate(product(PEOPLE.values(), OTHERS.values())):
        identifier = f"{kind[:8]} {number}"
        if first.role not in asks:
            with pytest.raises(RuleViolation, match="must be requested by"):
                create_request(house, by=first, **wanted(kind, identifier, 1 + number))
            continue
        create_request(house, by=first, **wanted(kind, identifier, 1 + number))
        with pytest.raises(RuleViolation, match="needs two people"):
            approve(house, identifier, by=first, at=60)
        if other.role in approves:
            assert approve(house, identifier, by=other, at=60).refusal is None
            assert find(house, identifier).status == "approved"
        else:
            with pytest.raises(RuleViolation, match="must be approved by"):
                approve(house, identifier, by=other, at=60)
            assert find(house, identifier).status == "waiting"
    assert_booked(house)


MOVED: dict[str, dict[Any, int]] = {
    "deposit": {CAGE: -10_00, PAT: 10_00},
    "withdrawal": {PAT: -10_00, CAGE: 10_00},
    "buy_in": {},
    "cash_out": {},
    "opening_inventory": {CAGE: -10_00, (Account.TRAY, "one"): 10_00},
    "closing_inventory": {(Account.TRAY, "one"): -10_00, CAGE: 10_00},
    "fill": {CAGE: -10_00, (Account.TRAY, "one"): 10_00},
    "credit": {(Account.TRAY, "one"): -10_00, CAGE: 10_00},
    "drop": {CAGE: -10_00, (Account.DROP, "one"): 10_00},
    "meter_setup": {},
    "meter_correction": {},
}


@pytest.mark.parametrize("kind", APPROVAL_KINDS)
def test_what_is_approved_is_carried_out_once(house: Store, kind: str) -> None:
    before = house.wallet("Pat") or 0
    asked = {"reason": "why", **wanted(kind)}
    first = create_request(house, by=asker(kind), **asked)
    assert create_request(house, by=asker(kind), **{**asked, "at": 55}) == first, "sent twice"
    assert list_waiting(house) == list_waiting(house, role=second(kind).role, table=first.table) == [first]
    assert list_waiting(house, role=Role.PATRON) == []
    done = approve(house, "7f", by=second(kind), at=60)
    again = approve(house, "7f", by=second(kind), at=70)
    assert done.request == again.request == find(house, "7f")
    assert (done.request.status, done.request.second, done.request.decided_at) == ("approved", second(kind), 60)
    with pytest.raises(RuleViolation, match=f"the request was already approved by another {second(kind).role}"):
        approve(house, "7f", by=Actor("a third one", R.SHIFT_MANAGER), at=70)
    (entry,) = journal.read(house, kinds=[kind])
    assert (entry.by, entry.second, entry.at, entry.table) == (asker(kind), second(kind), 60, first.table)
    assert (entry.data["request"], entry.data["cents"], entry.data["reason"]) == ("7f", asked["cents"], "why")
    assert entry.entries == MOVED[kind]
    moved_meter = 10_00 if APPROVAL_KINDS[kind].meter else 0
    assert house.table(METERED.name).meters[METER].amount == SEED + moved_meter
    chips = house.table("one").balances["Pat"]
    assert chips == 20_00 + {"buy_in": 10_00, "cash_out": -10_00}.get(kind, 0)
    change = {"deposit": 10_00, "withdrawal": -10_00, "buy_in": -10_00, "cash_out": 10_00}.get(kind, 0)
    assert house.wallet("Pat") == before + change
    assert list_waiting(house) == []
    assert_booked(house)


def test_PRG_9_a_meter_goes_down_as_well_and_never_below_nothing(house: Store) -> None:
    def corrected(identifier: str, cents: int) -> str:
        create_request(house, by=CASH, **{**wanted("meter_correction", identifier), "cents": cents})
        decision = approve(house, identifier, by=OTHERS[R.SHIFT_MANAGER], at=60)
        return "" if decision.refusal is None else decision.refusal.reason

    assert not corrected("down", -3_00)
    assert house.table(METERED.name).meters[METER].amount == SEED - 3_00
    assert "cannot be changed by" in corrected("further", -SEED)
    assert find(house, "further").status == "waiting"
    for wrong in ({"reason": " "}, {"cents": 0}, {"meter": ""}):
        with pytest.raises(InputError):
            create_request(house, by=CASH, **{**wanted("meter_correction", "wrong"), **wrong})
    with pytest.raises(InputError, match="takes no meter"):
        create_request(house, by=CASH, **{**wanted("deposit", "wrong"), "meter": METER})
    assert_booked(house)


def test_a_buy_in_by_the_dealer_goes_into_the_drop_box_and_names_both(house: Store) -> None:
    create_request(house, by=DEALER, **wanted("buy_in"))
    done = approve(house, "7f", by=FLO, at=60)
    assert done.result is not None
    (event,) = done.result.events
    assert (event.by, event.at) == (DEALER, 100), "at the time of the table, whose clock is ahead"
    assert reconciliation.balances(house.database, "one")[Account.DROP, ""] == -10_00
    (entry,) = journal.read(house, kinds=["buy_in"])
    assert (entry.by, entry.second, entry.data["seq"]) == (DEALER, FLO, done.result.seq)


@pytest.mark.parametrize(
    ("kind", "cents", "reason"),
    [
        ("buy_in", 100_01, "Pat has $100 in their account with the house, which does not cover $100.01"),
        ("cash_out", 20_01, "Pat does not have $20.01"),
        ("withdrawal", 100_01, "Pat has $100 in their account with the house, which does not cover $100.01"),
    ],
)
def test_what_cannot_be_carried_out_now_stays_with_its_reason(house: Store, kind: str, cents: int, reason: str) -> None:
    seq, lines = house.seq("one"), len(journal.read(house))
    request = create_request(house, by=CASH, **wanted(kind, cents=cents))
    decision = approve(house, "7f", by=OTHERS[R.ACCOUNTING], at=60)
    assert decision.refusal is not None
    assert decision.refusal.reason == reason
    assert decision.request == find(house, "7f") == request
    assert (house.seq("one"), len(journal.read(house)), house.wallet("Pat")) == (seq, lines, 100_00)
    journal.add_play_money(house, at=70, patron="Pat", cents=1)
    house.submit("one", c.BuyIn(by=DEALER, at=100, patron="Pat", amount=1))
    assert approve(house, "7f", by=OTHERS[R.ACCOUNTING], at=80).refusal is None, "later it can be"
    assert_booked(house)


def test_a_request_is_turned_down_by_either_side_or_expires(house: Store) -> None:
    for identifier in ("a", "b", "c", "d"):
        create_request(house, by=CASH, **{**wanted("deposit", identifier), "at": ord(identifier)})
    with pytest.raises(RuleViolation, match="must be approved by"):
        refuse(house, "a", by=DEALER, at=60)
    assert refuse(house, "a", by=OTHERS[R.SHIFT_MANAGER], at=60).status == "refused"
    assert refuse(house, "a", by=OTHERS[R.SHIFT_MANAGER], at=61).decided_at == 60
    assert refuse(house, "b", by=CASH, at=60).status == "refused", "whoever asked may take it back"
    assert [request.id for request in expire(house, at=200, before=ord("d"))] == ["c"]
    assert expire(house, at=201, before=ord("d")) == []
    for identifier, status in (("a", "refused"), ("b", "refused"), ("c", "expired")):
        with pytest.raises(RuleViolation, match=f"the request was already {status} by"):
            approve(house, identifier, by=OTHERS[R.ACCOUNTING], at=300)
    assert [request.id for request in list_waiting(house)] == ["d"]
    kinds = [entry.kind for entry in journal.read(house, since=60)]
    assert kinds == ["request_refused", "request_refused", "request_expired"]
    assert house.wallet("Pat") == 100_00


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        ({"kind": "loan"}, InputError, "'loan' is not one of deposit"),
        ({"identifier": ""}, InputError, "needs 1 to 32 characters"),
        ({"identifier": "x" * 33}, InputError, "needs 1 to 32 characters"),
        ({"reason": "\ud800"}, InputError, "every text must be storable"),
        ({"cents": 0}, InputError, "0 cents is not a valid amount for a buy in"),
        ({"cents": 10**16}, InputError, "is not a valid amount for a buy in"),
        ({"table": ""}, InputError, "a buy in needs a table"),
        ({"table": "nine"}, InputError, "there is no table 'nine'"),
        ({"kind": "deposit"}, InputError, "a deposit takes no table"),
        ({"kind": "deposit", "table": "", "patron": "Sam"}, RuleViolation, "Sam has no account with the house"),
    ],
)
def test_what_cannot_be_asked_for(house: Store, change: dict[str, Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        create_request(house, by=CASH, **{**wanted("buy_in"), **change})
    assert list_waiting(house) == []


def test_a_count_may_come_to_nothing(house: Store) -> None:
    create_request(house, by=CASH, **wanted("drop", cents=0))
    assert approve(house, "7f", by=OTHERS[R.ACCOUNTING], at=60).refusal is None
    assert journal.read(house, kinds=["drop"])[0].entries == {}


def test_an_identifier_belongs_to_one_request(house: Store) -> None:
    create_request(house, by=CASH, **wanted("deposit"))
    with pytest.raises(RuleViolation, match=r"'7f' belongs to another request: a deposit of \$10 by a accounting"):
        create_request(house, by=CASH, **wanted("deposit", cents=11_00))
    with pytest.raises(InputError, match="there is no request 'nine'"):
        approve(house, "nine", by=CASH, at=0)


def test_a_key_that_was_used_at_the_table_is_no_approval(house: Store) -> None:
    house.submit("one", c.BuyIn(by=CASH, at=100, patron="Pat", amount=10_00), key="7f")
    create_request(house, by=CASH, **wanted("buy_in"))
    with pytest.raises(RuleViolation, match="'7f' was already used for another command at table one"):
        approve(house, "7f", by=FLO, at=60)
    assert find(house, "7f").status == "waiting"


def test_two_processes_approve_at_the_same_moment(cluster: Cluster) -> None:
    url = cluster.new_database()
    stores = [Store(url), Store(url)]
    house = stores[0]
    house.open_wallet("Pat")
    house.create(setup_of("one"), at=0)
    house.submit("one", c.ReceiveCards(by=SYSTEM, at=0, decks=(1,)))
    house.submit("one", c.Sit(by=SYSTEM, at=0, patron="Pat", seats=(1,)))
    journal.add_play_money(house, at=0, patron="Pat", cents=1_000_00)
    kinds = ["deposit", "withdrawal", "buy_in"] * 8
    for number, kind in enumerate(kinds):
        create_request(house, by=CASH, **wanted(kind, str(number), 1_00))
    seconds = [OTHERS[R.ACCOUNTING], OTHERS[R.SHIFT_MANAGER]]
    done, late, errors = [0, 0], [0, 0], list[BaseException]()

    def work(which: int) -> None:
        for number in range(len(kinds)):
            try:
                done[which] += approve(stores[which], str(number), by=seconds[which], at=60).refusal is None
            except RuleViolation:
                late[which] += 1
            except BaseException as error:
                errors.append(error)

    threads = [threading.Thread(target=work, args=(which,)) for which in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    assert (sum(done), sum(late)) == (24, 24), "each by one of them"
    assert house.wallet("Pat") == 1_000_00 - 8 * 1_00
    assert house.table("one").balances["Pat"] == 8 * 1_00
    assert len(journal.read(house)) == 1 + 24
    assert_booked(house)
    for store in stores:
        store.close()
