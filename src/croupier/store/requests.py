"""Movements of money and changes of meters that need two people: asked for by one, carried out when another approves.

Who may ask and who may approve is data. An approval is carried out as a whole or not at all: where the rules or the
accounts do not allow it now, the request stays and the reason is given.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import sqlalchemy as sa

from croupier.errors import Malformed, NotPermitted
from croupier.money import show
from croupier.store import journal
from croupier.store import schema as s
from croupier.store.answers import Answer, Submission
from croupier.store.database import Overtaken
from croupier.store.inserting import storable
from croupier.store.ledger import Account
from croupier.store.movements import (
    KINDS,
    MOST,
    Kind,
    Request,
    command_of,
    moves,
    people,
    request_of,
    said,
    values_of,
)
from croupier.store.store import Store
from croupier.table.commands import Command, CorrectMeter
from croupier.table.events import Refusal
from croupier.table.people import SYSTEM, Actor, Role


@dataclass(frozen=True, slots=True)
class Decision:
    """What became of an approval: the request as it is now, and why it still waits where it does."""

    request: Request
    refusal: Refusal | None = None
    answer: Answer | None = None
    """What happened at the table, where something did."""


def ask(
    store: Store,
    *,
    identifier: str,
    at: int,
    kind: str,
    by: Actor,
    cents: int,
    table: str = "",
    patron: str = "",
    meter: str = "",
    reason: str = "",
) -> Request:
    """A new request, under an identifier that the caller chose; asking again under the same one is the same request.

    Refused for people without the right role, for a table or account that there is not, and for no amount.
    """
    wanted = Request(identifier, at, kind, by, table, patron, cents, reason, meter=meter)
    rule = _checked(wanted)
    try:
        with store.database.writing() as connection:
            known = _load(connection, identifier)
            if known is not None:
                return _same(known, wanted)
            _require_there(connection, rule, wanted)
            connection.execute(sa.insert(s.requests).values(**values_of(wanted)))
    except Overtaken:  # sent twice at the same moment
        return _same(find(store, identifier), wanted)
    return wanted


def _checked(wanted: Request) -> Kind:
    rule = KINDS.get(wanted.kind)
    if rule is None:
        raise Malformed("kind", f"{wanted.kind!r} is none of {', '.join(KINDS)}")
    texts = (wanted.id, wanted.by.name, wanted.table, wanted.patron, wanted.reason, wanted.meter)
    if not all(map(storable, texts)) or not 0 < len(wanted.id) <= 32:
        raise Malformed("id", "an identifier of 1 to 32 characters is needed, and texts that can be stored")
    named = {"table": (rule.table, wanted.table), "patron": (rule.patron, wanted.patron)}
    for name, (needed, given) in {**named, "meter": (rule.meter, wanted.meter)}.items():
        if needed != bool(given):
            raise Malformed(name, f"{said(wanted.kind)} {'needs' if needed else 'has no'} {name}")
    if rule.meter and not wanted.reason.strip():
        raise Malformed("reason", f"{said(wanted.kind)} needs a reason, for the record")
    least = -MOST if rule.command is CorrectMeter else 0 if rule.counted else 1
    if not least <= wanted.cents <= MOST or not (wanted.cents or rule.counted):
        raise Malformed("amount", f"{wanted.cents} cents is not an amount for {said(wanted.kind)}")
    if wanted.by.role not in rule.asks:
        raise NotPermitted(
            rule.clause, f"{said(wanted.kind)} is asked for by {people(rule.asks)}, not {wanted.by.role.called}"
        )
    return rule


def _require_there(connection: sa.Connection, rule: Kind, wanted: Request) -> None:
    if rule.table:
        status = connection.execute(sa.select(s.tables.c.status).where(s.tables.c.name == wanted.table)).scalar()
        if status is None:
            raise Malformed("table", f"there is no table {wanted.table!r}")
    if Account.ACCOUNT in (rule.giver, rule.taker):
        there = connection.execute(sa.select(s.wallets.c.cents).where(s.wallets.c.patron == wanted.patron)).scalar()
        if there is None:
            raise NotPermitted("", f"{wanted.patron} has no account with the house")


def approve(store: Store, identifier: str, *, by: Actor, at: int) -> Decision:
    """Carries a request out; where it cannot be now, it stays and the reason is given.

    Refused for whoever asked, for people without the right role, and where it was decided before. The same person
    approving it again gets the same answer, and nothing happens twice.
    """
    request = find(store, identifier)
    if request.status == "approved" and request.second == by:
        return Decision(request)
    rule = KINDS[request.kind]
    command = command_of(request, by, at)
    if command is not None:
        return _at_the_table(store, request, command, by, at)
    try:
        with store.database.writing() as connection:
            done = _claimed(connection, request, by, at)
            try:
                _enter(connection, done, moves(rule, done))
            except NotPermitted as error:
                raise _Refused(Refusal(error.clause, error.reason)) from error
    except _Done as found:
        return Decision(found.request)
    except _Refused as refused:
        return Decision(request, refused.refusal)
    return Decision(done)


class _Done(Exception):
    """The same person approved it a moment ago."""

    def __init__(self, request: Request) -> None:
        super().__init__(request.id)
        self.request = request


class _Refused(Exception):
    """The table refuses the command: nothing is stored."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal


def _at_the_table(store: Store, request: Request, command: Command, by: Actor, at: int) -> Decision:
    done: list[Request] = []

    def begin(connection: sa.Connection) -> None:
        done[:] = [_claimed(connection, request, by, at)]

    def finish(connection: sa.Connection, answer: Answer) -> None:
        if answer.refusal is not None:
            raise _Refused(answer.refusal)
        if answer.repeated:
            raise NotPermitted("", f"{request.id!r} was used for another command at table {request.table}")
        _enter(connection, done[0], [], seq=answer.seq)

    try:
        answer = store.submit_with(Submission(request.table, command, key=request.id, stamp=True), begin, finish)
    except _Done as found:
        return Decision(found.request)
    except _Refused as refused:
        return Decision(request, refused.refusal)
    return Decision(done[0], answer=answer)


def _claimed(connection: sa.Connection, request: Request, by: Actor, at: int, status: str = "approved") -> Request:
    """The request as decided, its row locked and written; refused where this person may not, or it was decided."""
    rule = KINDS[request.kind]
    found = _load(connection, request.id, lock=True)
    if found is None:
        raise Malformed("request", f"there is no request {request.id!r}")
    if found.status == status and found.second == by:
        raise _Done(found)
    if found.status != "waiting":
        who = f" by {found.second.name}" if found.second is not None else ""
        raise NotPermitted(rule.clause, f"the request was {found.status}{who}")
    if by.name == found.by.name and status == "approved":
        raise NotPermitted(
            rule.clause, f"{said(found.kind)} needs two people: {by.name} asked for it and cannot approve it"
        )
    if by.role not in rule.approves and not (by.name == found.by.name and by.role is found.by.role) and by != SYSTEM:
        raise NotPermitted(
            rule.clause, f"{said(found.kind)} is approved by {people(rule.approves)}, not {by.role.called}"
        )
    done = replace(found, status=status, second=by, decided_at=at)
    connection.execute(sa.update(s.requests).where(s.requests.c.id == found.id).values(**values_of(done)))
    return done


def _enter(connection: sa.Connection, done: Request, moved: list[journal.Move], kind: str = "", **more: Any) -> None:
    data = {"request": done.id, "cents": done.cents, "asked_at": done.at, "reason": done.reason, **more}
    if done.meter:
        data["meter"] = done.meter
    journal.enter(
        connection,
        at=done.decided_at,
        kind=kind or done.kind,
        by=done.by,
        second=done.second,
        table=done.table,
        patron=done.patron,
        data=data,
        moves=moved,
    )


def refuse(store: Store, identifier: str, *, by: Actor, at: int) -> Request:
    """Turns a request down: whoever may approve it, and whoever asked. Nothing is carried out."""
    request = find(store, identifier)
    try:
        with store.database.writing() as connection:
            done = _claimed(connection, request, by, at, "refused")
            _enter(connection, done, [], "request_refused", asked=done.kind)
    except _Done as found:
        return found.request
    return done


def expire(store: Store, *, at: int, before: int) -> list[Request]:
    """Lets requests go that were asked for before a time and still wait; gives them."""
    found = []
    for request in waiting(store):
        if request.at < before:
            with store.database.writing() as connection:
                now = _load(connection, request.id, lock=True)
                if now is None or now.status != "waiting":
                    continue
                done = _claimed(connection, request, SYSTEM, at, "expired")
                _enter(connection, done, [], "request_expired", asked=done.kind)
                found.append(done)
    return found


def find(store: Store, identifier: str) -> Request:
    """A request by its identifier; refused where there is none."""
    with store.database.reading() as connection:
        found = _load(connection, identifier) if storable(identifier) else None
    if found is None:
        raise Malformed("request", f"there is no request {identifier!r}")
    return found


def waiting(store: Store, *, role: Role | None = None, table: str = "") -> list[Request]:
    """Requests that wait, oldest first; only those that a role may approve, or of a table."""
    column = s.requests.c
    query = sa.select(s.requests).where(column.status == "waiting").order_by(column.at, column.id)
    with store.database.reading() as connection:
        found = [request_of(row) for row in connection.execute(query)]
    return [
        request
        for request in found
        if (role is None or role in KINDS[request.kind].approves) and table in ("", request.table)
    ]


def _load(connection: sa.Connection, identifier: str, *, lock: bool = False) -> Request | None:
    query = sa.select(s.requests).where(s.requests.c.id == identifier)
    row = connection.execute(query.with_for_update() if lock else query).one_or_none()
    return None if row is None else request_of(row)


def _same(known: Request, wanted: Request) -> Request:
    asked = replace(known, at=wanted.at, status="waiting", second=None, decided_at=0)
    if asked != wanted:
        what = f"{said(known.kind)} of {show(known.cents)} by {known.by.name}"
        raise NotPermitted("", f"the identifier {known.id!r} belongs to another request: {what}")
    return known
