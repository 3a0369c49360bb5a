"""Money and the house: accounts, movements that need two people, the journal, the gaming day."""

# Annotations are evaluated here, because the dependencies belong to one house.

from dataclasses import asdict
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query
from pydantic import BaseModel, ConfigDict, Field

from croupier.errors import Malformed, NotPermitted
from croupier.server.days import day_report
from croupier.server.errors import not_found, responses
from croupier.server.hall import Hall
from croupier.server.house import House
from croupier.server.routes.asking import Asking
from croupier.server.seen import Viewer
from croupier.store import journal, requests
from croupier.store.movements import KINDS, Request
from croupier.table.people import Actor, Role

Name = Annotated[str, Field(max_length=100)]
KindName = Annotated[str, Field(max_length=32, json_schema_extra={"enum": list(KINDS)})]
Identifier = Annotated[str, Path(min_length=1, max_length=32)]
Text = Annotated[str, Query(max_length=100)]
Moment = Annotated[int, Query(ge=0, le=2**53)]
STAFF = tuple(role for role in Role if role not in (Role.PATRON, Role.SYSTEM))
READERS = (Role.SURVEILLANCE, Role.REGULATOR, Role.ADMINISTRATOR, Role.SHIFT_MANAGER, Role.ACCOUNTING)


class Wanted(BaseModel):
    """A movement of money, or a change of a meter: it happens when somebody else approves it."""

    model_config = ConfigDict(extra="forbid", strict=True)

    id: Annotated[
        str, Field(min_length=1, max_length=32, description="of your choice; the same one is the same request")
    ]
    kind: KindName
    amount_cents: Annotated[int, Field(ge=-(10**15), le=10**15, description="below 0 only to correct a meter")]
    table: Name = ""
    patron: Name = ""
    meter: Name = ""
    reason: Annotated[str, Field(max_length=500)] = ""


class Asked(BaseModel):
    """A request as it is."""

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


class Balance(BaseModel):
    """What is on an account with the house."""

    patron: str
    balance_cents: int


def router(hall: Hall, house: House, asking: Asking) -> APIRouter:
    """The routes."""
    routes = APIRouter(prefix="/api", tags=["money"])
    one_of_staff = Annotated[Viewer, Depends(asking.role(*STAFF))]
    a_reader = Annotated[Viewer, Depends(asking.role(*READERS))]
    a_patron = Annotated[Viewer, Depends(asking.role(Role.PATRON))]
    store = hall.store

    @routes.get("/account", responses=responses(401))
    async def account(patron: a_patron) -> Balance:
        """One's own account with the house."""
        there = await hall.in_thread(partial(store.wallet, patron.name))
        return Balance(patron=patron.name, balance_cents=there or 0)

    @routes.get("/accounts/{name}", responses=responses(401, 404))
    async def one_account(name: Annotated[str, Path(max_length=100)], reader: a_reader) -> Balance:
        """A patron's account."""
        there = await hall.in_thread(partial(store.wallet, name))
        if there is None:
            raise not_found(f"{name} has no account")
        return Balance(patron=name, balance_cents=there)

    @routes.get("/requests", responses=responses(401))
    async def waiting(person: one_of_staff, table: Text = "", mine: bool = False) -> list[Asked]:
        """Requests that wait; with `mine` those that the one who asks may approve."""
        role = person.role if mine else None
        return [_asked(one) for one in await hall.in_thread(partial(requests.waiting, store, role=role, table=table))]

    @routes.post("/requests", status_code=201, responses=responses(401, 404))
    async def ask(body: Wanted, person: one_of_staff) -> Asked:
        """Asks for a movement; who may ask for what:"""
        values = body.model_dump(exclude={"id", "amount_cents"})
        work = partial(
            requests.ask, store, identifier=body.id, at=hall.now(), by=_actor(person), cents=body.amount_cents, **values
        )
        return _asked(await hall.in_thread(work))

    @routes.post("/requests/{identifier}/approve", responses=responses(401, 404))
    async def approve(identifier: Identifier, person: one_of_staff) -> Asked:
        """Approves what somebody else asked for: it is carried out, or stays with the reason given."""
        decision = await _known(hall, partial(requests.approve, store, identifier, by=_actor(person), at=hall.now()))
        if decision.refusal is not None:
            raise NotPermitted(decision.refusal.clause, decision.refusal.reason)
        if decision.answer is not None:
            await hall.moved(decision.answer)
        return _asked(decision.request)

    @routes.post("/requests/{identifier}/refuse", responses=responses(401, 404))
    async def refuse(identifier: Identifier, person: one_of_staff) -> Asked:
        """Turns a request down."""
        return _asked(await _known(hall, partial(requests.refuse, store, identifier, by=_actor(person), at=hall.now())))

    @routes.get("/journal", responses=responses(401))
    async def entries(
        reader: a_reader,
        kind: Annotated[list[str] | None, Query(max_length=20)] = None,
        table: Text = "",
        actor: Text = "",
        patron: Text = "",
        since: Moment = 0,
        until: Moment = 2**53,
        last: Annotated[int, Query(ge=1, le=1_000)] = 100,
    ) -> list[dict[str, Any]]:
        """The journal of the house: money outside tables, and significant events (LOG-1, LOG-3)."""
        wanted: dict[str, Any] = {"kinds": kind or (), "table": table, "actor": actor, "patron": patron}
        work = partial(journal.read, store, **wanted, since=since, until=until, last=last, checked=False)
        return [_entry(one) for one in await hall.in_thread(work)]

    @routes.get("/days", responses=responses(401))
    async def day(reader: a_reader, at: Moment = 0) -> dict[str, Any]:
        """The gaming day that a moment falls in (now, unless it is given): win and hold by table and game."""
        return await hall.in_thread(partial(day_report, store, house.settings.day, at or hall.now()))

    return routes


async def _known(hall: Hall, work: Any) -> Any:
    """The outcome; a request that there is not is 404."""
    try:
        return await hall.in_thread(work)
    except Malformed as error:
        if error.place == "request":
            raise not_found(error.reason) from error
        raise


def _actor(viewer: Viewer) -> Actor:
    return Actor(viewer.name, viewer.role)


def _asked(request: Request) -> Asked:
    second = request.second.name if request.second is not None else ""
    return Asked(
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


def _entry(entry: journal.Entry) -> dict[str, Any]:
    said = asdict(entry)
    moved = [
        {"account": str(account), "owner": owner, "amount_cents": cents}
        for (account, owner), cents in entry.entries.items()
    ]
    return {**said, "data": dict(entry.data), "entries": moved}
