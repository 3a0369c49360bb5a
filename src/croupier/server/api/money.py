"""Money: patron accounts, movements under dual control, the journal and the gaming day."""

# No `from __future__ import annotations`: FastAPI evaluates them, and the dependencies are local variables.

from functools import partial
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Path, Query
from pydantic import BaseModel, ConfigDict, Field

from croupier.core.errors import NotFound
from croupier.server.dependencies import Access
from croupier.server.errors import responses
from croupier.server.office.gaming_day import day_report
from croupier.server.payloads.records import DayReport, JournalLine, JournalPerson, JournalPosting
from croupier.server.services import Services
from croupier.server.tables.service import TableService
from croupier.storage import approvals
from croupier.storage.approvals import APPROVAL_KINDS, ApprovalRequest, PaymentCorrection
from croupier.storage.currency import Currency
from croupier.storage.repositories import journal
from croupier.table.model.commands import CorrectMeter
from croupier.table.model.roles import Actor, Role
from croupier.table.visibility import Viewer

STORABLE_PATTERN = r"^[^\x00]*$"
Name = Annotated[str, Field(max_length=100, json_schema_extra={"pattern": STORABLE_PATTERN})]
KindName = Annotated[str, Field(max_length=32, json_schema_extra={"enum": list(APPROVAL_KINDS)})]
EntryAmount = Annotated[int, Field(ge=0, le=10**15)]
Identifier = Annotated[str, Path(min_length=1, max_length=32)]
FilterText = Annotated[str, Query(max_length=100)]
Moment = Annotated[int, Query(ge=0, le=2**53)]
STAFF = tuple(role for role in Role if role not in (Role.PATRON, Role.SYSTEM))
READERS = (Role.SURVEILLANCE, Role.REGULATOR, Role.ADMINISTRATOR, Role.SHIFT_MANAGER, Role.ACCOUNTING)


class EntryCorrection(BaseModel):
    """An entry of a round, the amounts that it has, and those that it should have."""

    model_config = ConfigDict(extra="forbid", strict=True)

    round: Annotated[int, Field(ge=1, le=2**53)]
    seat: Annotated[int, Field(ge=1, le=100)]
    wager: Name
    number: Annotated[int, Field(ge=1, le=100, description="among the seat's entries of that wager")] = 1
    old_returned_cents: EntryAmount
    old_paid_cents: EntryAmount
    returned_cents: EntryAmount
    paid_cents: EntryAmount

    def to_correction(self) -> PaymentCorrection:
        amounts = self.model_dump(exclude={"round", "seat", "wager", "number"})
        return PaymentCorrection(
            round=self.round,
            seat=self.seat,
            wager=self.wager,
            number=self.number,
            **{name.removesuffix("_cents"): cents for name, cents in amounts.items()},
        )


def _schema_of(kind: str) -> dict[str, Any]:
    """What a request of one kind has and has not, for the OpenAPI document; `create_request` checks it."""
    rule = APPROVAL_KINDS[kind]
    needs = {"table": rule.needs_table, "patron": rule.needs_patron, "meter": rule.is_meter_change}
    texts: dict[str, dict[str, Any]] = {
        name: {"minLength": 1} if is_needed else {"maxLength": 0} for name, is_needed in needs.items()
    }
    if rule.is_meter_change or rule.is_correction:
        texts["reason"] = {"minLength": 1, "pattern": r"^[^\x00\s]"}
    amount: dict[str, Any] = {"minimum": 0 if rule.is_count else 1}
    if rule.is_correction or rule.command is CorrectMeter:
        amount = {} if rule.is_correction else {"not": {"const": 0}}
    correction = {"type": "object" if rule.is_correction else "null"}
    required = [name for name, bounds in texts.items() if "minLength" in bounds]
    if rule.is_correction:
        required.append("correction")
    properties = {"kind": {"const": kind}, **texts, "amount_cents": amount, "correction": correction}
    return {"properties": properties, "required": required}


class NewApprovalRequest(BaseModel):
    """A movement of money, a change of a meter, or a correction of a payment, for somebody else to approve."""

    model_config = ConfigDict(
        extra="forbid", strict=True, json_schema_extra={"oneOf": [_schema_of(kind) for kind in APPROVAL_KINDS]}
    )

    id: Annotated[
        str,
        Field(
            min_length=1,
            max_length=32,
            description="chosen by the sender; the same id is the same request",
            json_schema_extra={"pattern": STORABLE_PATTERN},
        ),
    ]
    kind: KindName
    amount_cents: Annotated[int, Field(ge=-(10**15), le=10**15, description="negative only in corrections")]
    table: Name = ""
    patron: Name = ""
    meter: Name = ""
    reason: Annotated[str, Field(max_length=500, json_schema_extra={"pattern": STORABLE_PATTERN})] = ""
    correction: EntryCorrection | None = None


class ApprovalResponse(BaseModel):
    """A request and its status."""

    id: str
    at: int
    kind: str
    by: str
    role: str
    table: str
    patron: str
    meter: str
    amount_cents: int
    reason: str
    status: str
    second: str
    decided_at: int
    correction: EntryCorrection | None = None


class BalanceResponse(BaseModel):
    """The balance of a patron's account with the house."""

    patron: str
    balance_cents: int
    currency: Literal["real", "play"] = "real"


def router(tables: TableService, services: Services, access: Access) -> APIRouter:
    """The routes."""
    routes = APIRouter(prefix="/api", tags=["money"])
    staff_viewer = Annotated[Viewer, Depends(access.role(*STAFF))]
    reader_viewer = Annotated[Viewer, Depends(access.role(*READERS))]
    patron_viewer = Annotated[Viewer, Depends(access.role(Role.PATRON))]
    store = tables.store

    @routes.get("/account", responses=responses(401))
    async def account(patron: patron_viewer) -> BalanceResponse:
        """The signed-in patron's account with the house."""
        balance = await tables.run_in_thread(partial(store.wallet, patron.name))
        currency = await tables.run_in_thread(partial(store.wallet_currency, patron.name))
        return BalanceResponse(
            patron=patron.name, balance_cents=balance or 0, currency=(currency or Currency.REAL).value
        )

    @routes.get("/accounts/{name}", responses=responses(401, 404))
    async def one_account(name: Annotated[str, Path(max_length=100)], reader: reader_viewer) -> BalanceResponse:
        """A patron's account."""
        balance = await tables.run_in_thread(partial(store.wallet, name))
        if balance is None:
            raise NotFound("name", f"{name} has no account")
        currency = await tables.run_in_thread(partial(store.wallet_currency, name))
        return BalanceResponse(patron=name, balance_cents=balance, currency=(currency or Currency.REAL).value)

    @routes.get("/requests", responses=responses(401))
    async def waiting(person: staff_viewer, table: FilterText = "", mine: bool = False) -> list[ApprovalResponse]:
        """Waiting requests; with `mine`, those that the viewer's role may approve."""
        role = person.role if mine else None
        return [
            _approval_response(request)
            for request in await tables.run_in_thread(partial(approvals.list_waiting, store, role=role, table=table))
        ]

    @routes.post("/requests", status_code=201, responses=responses(401, 404))
    async def ask(body: NewApprovalRequest, person: staff_viewer) -> ApprovalResponse:
        """Requests a movement of money, a change of a meter, or a correction of a payment."""
        values = body.model_dump(exclude={"id", "amount_cents", "correction"})
        work = partial(
            approvals.create_request,
            store,
            identifier=body.id,
            at=tables.now(),
            by=_actor(person),
            cents=body.amount_cents,
            play_money_only=services.settings.play_money_only,
            correction=body.correction.to_correction() if body.correction is not None else None,
            **values,
        )
        return _approval_response(await tables.run_in_thread(work))

    @routes.post("/requests/{identifier}/approve", responses=responses(401, 404))
    async def approve(identifier: Identifier, person: staff_viewer) -> ApprovalResponse:
        """Approves a request of somebody else and executes it; if that is refused, the request stays."""
        decision = await tables.run_in_thread(
            partial(
                approvals.approve,
                store,
                identifier,
                by=_actor(person),
                at=tables.now(),
                play_money_only=services.settings.play_money_only,
            )
        )
        if decision.refusal is not None:
            raise decision.refusal.violation()
        if decision.result is not None:
            await tables.publish(decision.result)
        return _approval_response(decision.request)

    @routes.post("/requests/{identifier}/refuse", responses=responses(401, 404))
    async def refuse(identifier: Identifier, person: staff_viewer) -> ApprovalResponse:
        """Refuses a request."""
        work = partial(approvals.refuse, store, identifier, by=_actor(person), at=tables.now())
        return _approval_response(await tables.run_in_thread(work))

    @routes.get("/journal", responses=responses(401))
    async def entries(
        reader: reader_viewer,
        kind: Annotated[list[str] | None, Query(max_length=20)] = None,
        table: FilterText = "",
        actor: FilterText = "",
        patron: FilterText = "",
        since: Moment = 0,
        until: Moment = 2**53,
        last: Annotated[int, Query(ge=1, le=1_000)] = 100,
    ) -> list[JournalLine]:
        """The house journal: money outside of tables, and significant events (LOG-1, LOG-3)."""
        filters: dict[str, Any] = {"kinds": kind or (), "table": table, "actor": actor, "patron": patron}
        work = partial(journal.read, store, **filters, since=since, until=until, last=last, checked=False)
        return [journal_line(entry) for entry in await tables.run_in_thread(work)]

    @routes.get("/days", responses=responses(401))
    async def day(reader: reader_viewer, at: Moment = 0) -> DayReport:
        """The gaming day that contains a moment, by default now: win and hold by table and game."""
        return await tables.run_in_thread(partial(day_report, store, services.settings.day, at or tables.now()))

    return routes


def _actor(viewer: Viewer) -> Actor:
    return Actor(viewer.name, viewer.role)


def _approval_response(request: ApprovalRequest) -> ApprovalResponse:
    second = request.second.name if request.second is not None else ""
    return ApprovalResponse(
        id=request.id,
        at=request.at,
        kind=request.kind,
        by=request.by.name,
        role=request.by.role.value,
        table=request.table,
        patron=request.patron,
        meter=request.meter,
        amount_cents=request.cents,
        reason=request.reason,
        status=request.status,
        second=second,
        decided_at=request.decided_at,
        correction=_entry_correction(request.correction),
    )


def _entry_correction(correction: PaymentCorrection | None) -> EntryCorrection | None:
    if correction is None:
        return None
    return EntryCorrection(
        round=correction.round,
        seat=correction.seat,
        wager=correction.wager,
        number=correction.number,
        old_returned_cents=correction.old_returned,
        old_paid_cents=correction.old_paid,
        returned_cents=correction.returned,
        paid_cents=correction.paid,
    )


def journal_line(entry: journal.JournalEntry) -> JournalLine:
    """A line of the journal for the wire."""
    postings: list[JournalPosting] = [
        {"account": str(account), "owner": owner, "amount_cents": cents}
        for (account, owner), cents in entry.entries.items()
    ]
    return {
        "number": entry.number,
        "hash": entry.hash,
        "at": entry.at,
        "kind": entry.kind,
        "by": _journal_person(entry.by),
        "second": None if entry.second is None else _journal_person(entry.second),
        "table": entry.table,
        "patron": entry.patron,
        "data": dict(entry.data),
        "entries": postings,
    }


def _journal_person(actor: Actor) -> JournalPerson:
    return {"name": actor.name, "role": actor.role.value}
