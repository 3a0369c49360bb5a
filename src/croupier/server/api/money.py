"""Money: patron accounts, movements under dual control, the journal and the gaming day."""

# No `from __future__ import annotations`: FastAPI evaluates them, and the dependencies are local variables.

from functools import partial
from typing import Annotated, Any

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
from croupier.storage.approvals import APPROVAL_KINDS, ApprovalRequest
from croupier.storage.repositories import journal
from croupier.table.model.roles import Actor, Role
from croupier.table.visibility import Viewer

Name = Annotated[str, Field(max_length=100)]
KindName = Annotated[str, Field(max_length=32, json_schema_extra={"enum": list(APPROVAL_KINDS)})]
Identifier = Annotated[str, Path(min_length=1, max_length=32)]
FilterText = Annotated[str, Query(max_length=100)]
Moment = Annotated[int, Query(ge=0, le=2**53)]
STAFF = tuple(role for role in Role if role not in (Role.PATRON, Role.SYSTEM))
READERS = (Role.SURVEILLANCE, Role.REGULATOR, Role.ADMINISTRATOR, Role.SHIFT_MANAGER, Role.ACCOUNTING)


class NewApprovalRequest(BaseModel):
    """A movement of money, or a change of a meter, for somebody else to approve."""

    model_config = ConfigDict(extra="forbid", strict=True)

    id: Annotated[
        str, Field(min_length=1, max_length=32, description="chosen by the sender; the same id is the same request")
    ]
    kind: KindName
    amount_cents: Annotated[int, Field(ge=-(10**15), le=10**15, description="negative only to correct a meter")]
    table: Name = ""
    patron: Name = ""
    meter: Name = ""
    reason: Annotated[str, Field(max_length=500)] = ""


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


class BalanceResponse(BaseModel):
    """The balance of a patron's account with the house."""

    patron: str
    balance_cents: int


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
        return BalanceResponse(patron=patron.name, balance_cents=balance or 0)

    @routes.get("/accounts/{name}", responses=responses(401, 404))
    async def one_account(name: Annotated[str, Path(max_length=100)], reader: reader_viewer) -> BalanceResponse:
        """A patron's account."""
        balance = await tables.run_in_thread(partial(store.wallet, name))
        if balance is None:
            raise NotFound("name", f"{name} has no account")
        return BalanceResponse(patron=name, balance_cents=balance)

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
        """Requests a movement of money or a change of a meter."""
        values = body.model_dump(exclude={"id", "amount_cents"})
        work = partial(
            approvals.create_request,
            store,
            identifier=body.id,
            at=tables.now(),
            by=_actor(person),
            cents=body.amount_cents,
            **values,
        )
        return _approval_response(await tables.run_in_thread(work))

    @routes.post("/requests/{identifier}/approve", responses=responses(401, 404))
    async def approve(identifier: Identifier, person: staff_viewer) -> ApprovalResponse:
        """Approves a request of somebody else and executes it; if that is refused, the request stays."""
        decision = await tables.run_in_thread(
            partial(approvals.approve, store, identifier, by=_actor(person), at=tables.now())
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
        return [_journal_entry(entry) for entry in await tables.run_in_thread(work)]

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
    )


def _journal_entry(entry: journal.JournalEntry) -> JournalLine:
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
