"""Dual control: who may request and approve, each request carried out once and atomically."""

from __future__ import annotations

import threading
from itertools import product
from typing import Any

import pytest

from croupier.core.errors import InputError, RuleViolation
from croupier.storage import Store, reconciliation
from croupier.storage.approvals import APPROVAL_KINDS, approve, create_request, expire, find, list_waiting, refuse
from croupier.storage.ledger import Account
from croupier.storage.repositories import journal
from croupier.storage.repositories.journal import CAGE
from croupier.table import SYSTEM
from croupier.table.model import commands as c
from croupier.table.model.roles import Actor, Role
from tests.audits.records import full_setup
from tests.storage.postgres import Cluster
from tests.storage.rounds import fund_wallet, make_setup

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
    "payment_correction": ({R.FLOORPERSON, R.SHIFT_MANAGER}, {R.ACCOUNTING, R.SHIFT_MANAGER}),
}
"""Who may request and who may approve each kind, stated independently of the code."""
MOVEMENTS = [kind for kind in APPROVAL_KINDS if kind != "payment_correction"]
"""Corrections of payments have their own tests: `test_payment_corrections.py`."""
PEOPLE: dict[Role, Actor] = {role: Actor(f"a {role.value}", role) for role in Role if role is not Role.SYSTEM}
OTHERS: dict[Role, Actor] = {role: Actor(f"another {role.value}", role) for role in Role if role is not Role.SYSTEM}
DEALER, CASH, FLO = PEOPLE[R.DEALER], PEOPLE[R.ACCOUNTING], PEOPLE[R.FLOORPERSON]
PAT = (Account.ACCOUNT, "Pat")
METERED = full_setup("pa-641a")
METER = next(iter(METERED.meters))
SEED = int(METERED.meters[METER].seed)


@pytest.fixture
def funded_store(store: Store) -> Store:
    """A store in which Pat has $100 in their account and $20 at a table."""
    store.open_wallet("Pat")
    fund_wallet(store, at=0, patron="Pat", cents=120_00)
    store.create(make_setup("one"), at=0)
    store.submit("one", c.ReceiveCards(by=SYSTEM, at=0, decks=(1,)))
    store.submit("one", c.Sit(by=SYSTEM, at=0, patron="Pat", seats=(1,)))
    store.submit("one", c.BuyIn(by=SYSTEM, at=100, patron="Pat", amount=20_00))
    store.create(METERED, at=0)
    return store


def request_fields(kind: str, identifier: str = "7f", cents: int = 10_00) -> dict[str, Any]:
    rule = APPROVAL_KINDS[kind]
    fields = {**({"table": "one"} if rule.needs_table else {}), **({"patron": "Pat"} if rule.needs_patron else {})}
    if rule.is_meter_change:
        fields |= {"table": METERED.name, "meter": METER, "reason": "why"}
        cents += SEED if kind == "meter_setup" else 0
    return {"identifier": identifier, "at": 50, "kind": kind, "cents": cents, **fields}


def requester(kind: str) -> Actor:
    return PEOPLE[sorted(APPROVAL_KINDS[kind].requesters)[0]]


def approver(kind: str) -> Actor:
    return OTHERS[sorted(APPROVAL_KINDS[kind].approvers)[0]]


def assert_reconciled(store: Store) -> None:
    assert reconciliation.ledger_total(store.database) == 0
    assert reconciliation.find_wrong_wallets(store.database) == []


def test_every_kind_has_the_expected_roles() -> None:
    assert {kind: (set(rule.requesters), set(rule.approvers)) for kind, rule in APPROVAL_KINDS.items()} == ALLOWED


@pytest.mark.parametrize("kind", MOVEMENTS)
def test_acc_1_only_permitted_roles_request_and_approve(funded_store: Store, kind: str) -> None:
    requesters, approvers = ALLOWED[kind]
    for number, (requester, approver) in enumerate(product(PEOPLE.values(), OTHERS.values())):
        identifier = f"{kind[:8]} {number}"
        if requester.role not in requesters:
            with pytest.raises(RuleViolation, match="must be requested by"):
                create_request(funded_store, by=requester, **request_fields(kind, identifier, 1 + number))
            continue
        create_request(funded_store, by=requester, **request_fields(kind, identifier, 1 + number))
        with pytest.raises(RuleViolation, match="needs two people"):
            approve(funded_store, identifier, by=requester, at=60)
        if approver.role in approvers:
            assert approve(funded_store, identifier, by=approver, at=60).refusal is None
            assert find(funded_store, identifier).status == "approved"
        else:
            with pytest.raises(RuleViolation, match="must be approved by"):
                approve(funded_store, identifier, by=approver, at=60)
            assert find(funded_store, identifier).status == "waiting"
    assert_reconciled(funded_store)


EXPECTED_ENTRIES: dict[str, dict[Any, int]] = {
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


@pytest.mark.parametrize("kind", MOVEMENTS)
def test_an_approved_request_is_carried_out_once(funded_store: Store, kind: str) -> None:
    before = funded_store.wallet("Pat") or 0
    fields = {"reason": "why", **request_fields(kind)}
    request = create_request(funded_store, by=requester(kind), **fields)
    assert create_request(funded_store, by=requester(kind), **{**fields, "at": 55}) == request, "sent again"
    assert (
        list_waiting(funded_store)
        == list_waiting(funded_store, role=approver(kind).role, table=request.table)
        == [request]
    )
    assert list_waiting(funded_store, role=Role.PATRON) == []
    decision = approve(funded_store, "7f", by=approver(kind), at=60)
    repeated = approve(funded_store, "7f", by=approver(kind), at=70)
    assert decision.request == repeated.request == find(funded_store, "7f")
    assert (decision.request.status, decision.request.second, decision.request.decided_at) == (
        "approved",
        approver(kind),
        60,
    )
    with pytest.raises(RuleViolation, match=f"the request was already approved by another {approver(kind).role}"):
        approve(funded_store, "7f", by=Actor("a third one", R.SHIFT_MANAGER), at=70)
    (entry,) = journal.read(funded_store, kinds=[kind], since=60)
    assert (entry.by, entry.second, entry.at, entry.table) == (requester(kind), approver(kind), 60, request.table)
    assert (entry.data["request"], entry.data["cents"], entry.data["reason"]) == ("7f", fields["cents"], "why")
    assert entry.entries == EXPECTED_ENTRIES[kind]
    meter_change = 10_00 if APPROVAL_KINDS[kind].is_meter_change else 0
    assert funded_store.table(METERED.name).meters[METER].amount == SEED + meter_change
    chips = funded_store.table("one").balances["Pat"]
    assert chips == 20_00 + {"buy_in": 10_00, "cash_out": -10_00}.get(kind, 0)
    account_change = {"deposit": 10_00, "withdrawal": -10_00, "buy_in": -10_00, "cash_out": 10_00}.get(kind, 0)
    assert funded_store.wallet("Pat") == before + account_change
    assert list_waiting(funded_store) == []
    assert_reconciled(funded_store)


def test_PRG_9_a_meter_can_be_reduced_but_not_below_zero(funded_store: Store) -> None:
    def correct_meter(identifier: str, cents: int) -> str:
        create_request(funded_store, by=CASH, **{**request_fields("meter_correction", identifier), "cents": cents})
        decision = approve(funded_store, identifier, by=OTHERS[R.SHIFT_MANAGER], at=60)
        return "" if decision.refusal is None else decision.refusal.reason

    assert not correct_meter("down", -3_00)
    assert funded_store.table(METERED.name).meters[METER].amount == SEED - 3_00
    assert "cannot be changed by" in correct_meter("further", -SEED)
    assert find(funded_store, "further").status == "waiting"
    for bad_fields in ({"reason": " "}, {"cents": 0}, {"meter": ""}):
        with pytest.raises(InputError):
            create_request(funded_store, by=CASH, **{**request_fields("meter_correction", "wrong"), **bad_fields})
    with pytest.raises(InputError, match="takes no meter"):
        create_request(funded_store, by=CASH, **{**request_fields("deposit", "wrong"), "meter": METER})
    assert_reconciled(funded_store)


def test_a_dealers_buy_in_goes_into_the_drop_box_and_names_both_people(funded_store: Store) -> None:
    create_request(funded_store, by=DEALER, **request_fields("buy_in"))
    decision = approve(funded_store, "7f", by=FLO, at=60)
    assert decision.result is not None
    (event,) = decision.result.events
    assert (event.by, event.at) == (DEALER, 100), "at the table's time, which is ahead"
    assert reconciliation.balances(funded_store.database, "one")[Account.DROP, ""] == -10_00
    (entry,) = journal.read(funded_store, kinds=["buy_in"])
    assert (entry.by, entry.second, entry.data["seq"]) == (DEALER, FLO, decision.result.seq)


@pytest.mark.parametrize(
    ("kind", "cents", "reason"),
    [
        ("buy_in", 100_01, "Pat has $100 in their account with the house, which does not cover $100.01"),
        ("cash_out", 20_01, "Pat does not have $20.01"),
        ("withdrawal", 100_01, "Pat has $100 in their account with the house, which does not cover $100.01"),
    ],
)
def test_a_request_that_cannot_be_carried_out_yet_stays_pending(
    funded_store: Store, kind: str, cents: int, reason: str
) -> None:
    seq, entry_count = funded_store.seq("one"), len(journal.read(funded_store))
    request = create_request(funded_store, by=CASH, **request_fields(kind, cents=cents))
    decision = approve(funded_store, "7f", by=OTHERS[R.ACCOUNTING], at=60)
    assert decision.refusal is not None
    assert decision.refusal.reason == reason
    assert decision.request == find(funded_store, "7f") == request
    assert (funded_store.seq("one"), len(journal.read(funded_store)), funded_store.wallet("Pat")) == (
        seq,
        entry_count,
        100_00,
    )
    fund_wallet(funded_store, at=70, patron="Pat", cents=1)
    funded_store.submit("one", c.BuyIn(by=DEALER, at=100, patron="Pat", amount=1))
    assert approve(funded_store, "7f", by=OTHERS[R.ACCOUNTING], at=80).refusal is None, "possible now"
    assert_reconciled(funded_store)


def test_a_request_is_refused_by_either_side_or_expires(funded_store: Store) -> None:
    for identifier in ("a", "b", "c", "d"):
        create_request(funded_store, by=CASH, **{**request_fields("deposit", identifier), "at": ord(identifier)})
    with pytest.raises(RuleViolation, match="must be approved by"):
        refuse(funded_store, "a", by=DEALER, at=60)
    assert refuse(funded_store, "a", by=OTHERS[R.SHIFT_MANAGER], at=60).status == "refused"
    assert refuse(funded_store, "a", by=OTHERS[R.SHIFT_MANAGER], at=61).decided_at == 60
    assert refuse(funded_store, "b", by=CASH, at=60).status == "refused", "the requester may withdraw it"
    assert [request.id for request in expire(funded_store, at=200, before=ord("d"))] == ["c"]
    assert expire(funded_store, at=201, before=ord("d")) == []
    for identifier, status in (("a", "refused"), ("b", "refused"), ("c", "expired")):
        with pytest.raises(RuleViolation, match=f"the request was already {status} by"):
            approve(funded_store, identifier, by=OTHERS[R.ACCOUNTING], at=300)
    assert [request.id for request in list_waiting(funded_store)] == ["d"]
    kinds = [entry.kind for entry in journal.read(funded_store, since=60)]
    assert kinds == ["request_refused", "request_refused", "request_expired"]
    assert funded_store.wallet("Pat") == 100_00


@pytest.mark.parametrize(
    ("change", "error", "message"),
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
def test_bad_requests_are_refused(
    funded_store: Store, change: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        create_request(funded_store, by=CASH, **{**request_fields("buy_in"), **change})
    assert list_waiting(funded_store) == []


def test_a_count_of_zero_is_accepted(funded_store: Store) -> None:
    create_request(funded_store, by=CASH, **request_fields("drop", cents=0))
    assert approve(funded_store, "7f", by=OTHERS[R.ACCOUNTING], at=60).refusal is None
    assert journal.read(funded_store, kinds=["drop"])[0].entries == {}


def test_an_identifier_belongs_to_one_request(funded_store: Store) -> None:
    create_request(funded_store, by=CASH, **request_fields("deposit"))
    with pytest.raises(RuleViolation, match=r"'7f' belongs to another request: a deposit of \$10 by a accounting"):
        create_request(funded_store, by=CASH, **request_fields("deposit", cents=11_00))
    with pytest.raises(InputError, match="there is no request 'nine'"):
        approve(funded_store, "nine", by=CASH, at=0)


@pytest.mark.parametrize("by", [CASH, FLO, DEALER], ids=lambda by: by.role.value)
def test_nobody_blocks_an_approval_by_using_its_identifier_as_a_key(funded_store: Store, by: Actor) -> None:
    """Identifiers are visible to all staff while a request waits; the request's own key is out of their reach."""
    create_request(funded_store, by=CASH, **request_fields("buy_in"))
    funded_store.submit("one", c.BuyIn(by=by, at=100, patron="Pat", amount=10_00), key="7f")
    before = funded_store.wallet("Pat")
    assert approve(funded_store, "7f", by=FLO, at=60).refusal is None
    assert find(funded_store, "7f").status == "approved"
    assert before is not None
    assert funded_store.wallet("Pat") == before - 10_00


def test_an_identifier_belongs_to_a_person(funded_store: Store) -> None:
    """Whoever guesses somebody's next identifier cannot keep them from making their request."""
    blocker = create_request(funded_store, by=OTHERS[R.ACCOUNTING], **request_fields("deposit", cents=1))
    request = create_request(funded_store, by=CASH, **request_fields("deposit"))
    assert blocker.id == "7f" != request.id
    assert create_request(funded_store, by=CASH, **request_fields("deposit")) == request
    assert find(funded_store, request.id).cents == 10_00
    approve(funded_store, request.id, by=OTHERS[R.ACCOUNTING], at=60)
    assert find(funded_store, request.id).status == "approved"
    assert find(funded_store, "7f").status == "waiting"


def test_each_request_is_approved_by_only_one_of_two_processes(cluster: Cluster) -> None:
    url = cluster.new_database()
    stores = [Store(url), Store(url)]
    first_store = stores[0]
    first_store.open_wallet("Pat")
    first_store.create(make_setup("one"), at=0)
    first_store.submit("one", c.ReceiveCards(by=SYSTEM, at=0, decks=(1,)))
    first_store.submit("one", c.Sit(by=SYSTEM, at=0, patron="Pat", seats=(1,)))
    fund_wallet(first_store, at=0, patron="Pat", cents=1_000_00)
    kinds = ["deposit", "withdrawal", "buy_in"] * 8
    for number, kind in enumerate(kinds):
        create_request(first_store, by=CASH, **request_fields(kind, str(number), 1_00))
    approvers = [OTHERS[R.ACCOUNTING], OTHERS[R.SHIFT_MANAGER]]
    approved_counts, refused_counts, errors = [0, 0], [0, 0], list[BaseException]()

    def approve_all(process: int) -> None:
        for number in range(len(kinds)):
            try:
                approved_counts[process] += (
                    approve(stores[process], str(number), by=approvers[process], at=60).refusal is None
                )
            except RuleViolation:
                refused_counts[process] += 1
            except BaseException as error:
                errors.append(error)

    threads = [threading.Thread(target=approve_all, args=(process,)) for process in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    assert (sum(approved_counts), sum(refused_counts)) == (24, 24), (
        "each request approved by one process and refused to the other"
    )
    assert first_store.wallet("Pat") == 1_000_00 - 8 * 1_00
    assert first_store.table("one").balances["Pat"] == 8 * 1_00
    assert len(journal.read(first_store)) == 1 + 24
    assert_reconciled(first_store)
    for store in stores:
        store.close()


@pytest.mark.parametrize(
    ("kind", "clause"), [("fill", "ACC-1"), ("opening_inventory", "ACC-1"), ("meter_setup", "PRG-9")]
)
def test_every_refusal_for_want_of_a_second_person_cites_the_clause_that_requires_one(
    funded_store: Store, kind: str, clause: str
) -> None:
    name = {"fill": "a fill", "opening_inventory": "an opening inventory", "meter_setup": "a meter setup"}[kind]
    requesters = " or ".join(sorted(role.label for role in ALLOWED[kind][0]))
    approvers = " or ".join(sorted(role.label for role in ALLOWED[kind][1]))
    with pytest.raises(RuleViolation) as wrong_requester:
        create_request(funded_store, by=PEOPLE[R.SURVEILLANCE], **request_fields(kind))
    create_request(funded_store, by=requester(kind), **request_fields(kind))
    with pytest.raises(RuleViolation) as same_person:
        approve(funded_store, "7f", by=requester(kind), at=60)
    with pytest.raises(RuleViolation) as wrong_approver:
        approve(funded_store, "7f", by=OTHERS[R.SURVEILLANCE], at=60)
    approve(funded_store, "7f", by=approver(kind), at=60)
    with pytest.raises(RuleViolation) as decided:
        refuse(funded_store, "7f", by=approver(kind), at=70)
    first, second, viewer = requester(kind).name, approver(kind).name, R.SURVEILLANCE.label
    assert [
        (str(info.value), info.value.clause) for info in (wrong_requester, same_person, wrong_approver, decided)
    ] == [
        (f"{sentence} ({clause})", clause)
        for sentence in (
            f"{name} must be requested by {requesters}, not {viewer}",
            f"{name} needs two people: {first} requested it and cannot also approve it",
            f"{name} must be approved by {approvers}, not {viewer}",
            f"the request was already approved by {second}",
        )
    ]


@pytest.mark.parametrize(
    ("change", "place", "sentence"),
    [
        ({"kind": "loan"}, "kind", f"'loan' is not one of {', '.join(ALLOWED)}"),
        ({"identifier": ""}, "id", "needs 1 to 32 characters, and every text must be storable"),
        ({"cents": -1}, "amount", "-1 cents is not a valid amount for a buy in"),
        ({"table": ""}, "table", "a buy in needs a table"),
        ({"table": "nine"}, "table", "there is no table 'nine'"),
        ({"patron": ""}, "patron", "a buy in needs a patron"),
        ({"meter": METER}, "meter", "a buy in takes no meter"),
        ({"kind": "meter_correction", "patron": "", "meter": METER}, "reason", "a meter correction needs a reason"),
    ],
)
def test_a_bad_request_names_the_field(funded_store: Store, change: dict[str, Any], place: str, sentence: str) -> None:
    with pytest.raises(InputError) as error:
        create_request(funded_store, by=CASH, **{**request_fields("buy_in"), **change})
    assert error.value.place == place
    assert str(error.value).startswith(f"{place}: {sentence}")


def test_the_longest_identifier_and_the_largest_amount_are_accepted(funded_store: Store) -> None:
    longest, largest = "x" * 32, 10**15
    assert create_request(funded_store, by=CASH, **request_fields("deposit", longest, largest)).cents == largest
    with pytest.raises(InputError, match="is not a valid amount"):
        create_request(funded_store, by=CASH, **request_fields("deposit", "more", largest + 1))
    lowest = {**request_fields("meter_correction", "lowest"), "cents": -largest}
    assert create_request(funded_store, by=CASH, **lowest).cents == -largest
    with pytest.raises(InputError, match="is not a valid amount"):
        create_request(funded_store, by=CASH, **{**lowest, "identifier": "lower", "cents": -largest - 1})


def test_the_journal_says_what_was_asked_when_and_about_which_meter(funded_store: Store) -> None:
    fields = request_fields("meter_correction")
    create_request(funded_store, by=CASH, **fields)
    approve(funded_store, "7f", by=OTHERS[R.SHIFT_MANAGER], at=60)
    create_request(funded_store, by=CASH, **request_fields("deposit", "8f"))
    refuse(funded_store, "8f", by=CASH, at=61)
    corrected, refused = journal.read(funded_store, since=60)
    assert (corrected.data["asked_at"], corrected.data["meter"]) == (50, METER)
    assert (refused.data["asked_at"], refused.data["asked"], refused.patron) == (50, "deposit", "Pat")
    assert "meter" not in refused.data


def test_waiting_requests_are_listed_oldest_first_by_role_and_by_table(funded_store: Store) -> None:
    deposit = create_request(funded_store, by=CASH, **{**request_fields("deposit", "a"), "at": 52})
    fill = create_request(funded_store, by=FLO, **{**request_fields("fill", "b"), "at": 51})
    count = create_request(funded_store, by=FLO, **{**request_fields("opening_inventory", "c"), "at": 51})
    assert list_waiting(funded_store) == [fill, count, deposit]
    assert list_waiting(funded_store, table="one") == [fill, count]
    assert list_waiting(funded_store, role=R.ACCOUNTING) == [fill, deposit]
    assert list_waiting(funded_store, role=R.FLOORPERSON) == [count]
