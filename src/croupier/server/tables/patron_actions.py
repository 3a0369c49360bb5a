"""Patron actions that take more than one command: sit down with chips, buy in, cash out, get ready."""

from __future__ import annotations

from functools import partial

from croupier.core.errors import RuleViolation
from croupier.server.tables.service import TableService
from croupier.storage import CommandEnvelope, CommandResult
from croupier.table.model import commands as c
from croupier.table.model.events import BetsClosed
from croupier.table.model.roles import SYSTEM, Actor, Role
from croupier.table.model.state import Phase
from croupier.table.procedure.wagers import patrons_dealt_in


async def sit_down(
    tables: TableService, name: str, patron: str, seats: tuple[int, ...], chips: int, key: str
) -> CommandResult:
    """Takes seats and buys in: both or neither."""
    served, at = tables.get(name), tables.now()
    if chips:
        _require_self_service(tables, name)
    buy_in = (c.BuyIn(by=SYSTEM, at=at, patron=patron, amount=chips),) if chips else ()
    tables.timers.record_patron_activity(name, patron)
    command = c.Sit(by=Actor(patron, Role.PATRON), at=at, patron=patron, seats=seats)
    fingerprint, next_step = f"{','.join(map(str, seats))} {chips}", partial(tables.next_step, served)
    return await _submit(
        tables, CommandEnvelope(name, command, key, None, fingerprint, next_step, stamp=True, also=buy_in)
    )


async def change_chips(tables: TableService, name: str, patron: str, amount: int, key: str) -> CommandResult:
    """Moves chips from the patron's account to the table, or back if the amount is negative."""
    _require_self_service(tables, name)
    kind = c.BuyIn if amount > 0 else c.CashOut
    command = kind(by=SYSTEM, at=tables.now(), patron=patron, amount=abs(amount))
    tables.timers.record_patron_activity(name, patron)
    next_step = partial(tables.next_step, tables.get(name))
    fingerprint = f"{patron} {amount}"
    return await _submit(
        tables, CommandEnvelope(name, command, key, None, fingerprint, next_step, stamp=True, sender=patron)
    )


async def _submit(tables: TableService, envelope: CommandEnvelope) -> CommandResult:
    result = await tables.submit(envelope)
    if result.refusal is not None:
        raise result.refusal.violation()
    return result


def _require_self_service(tables: TableService, name: str) -> None:
    if not tables.get(name).settings.self_service:
        raise RuleViolation("", "at this table the dealer or accounting sells and cashes chips")


async def mark_ready(tables: TableService, name: str, patron: str) -> tuple[set[str], int]:
    """Marks a patron as ready; returns the patrons who are not, and the number of the last event.

    When all are ready, the system announces “no more bets”.
    """
    served = tables.get(name)
    if not served.settings.electronic:
        raise RuleViolation("", "the dealer announces “no more bets” at this table")
    tables.timers.record_patron_activity(name, patron)
    command = c.GetReady(by=Actor(patron, Role.PATRON), at=tables.now(), patron=patron)
    result = await _submit(tables, CommandEnvelope(name, command, then=partial(tables.next_step, served), stamp=True))
    if any(isinstance(event, BetsClosed) for event in result.events):
        return set(), result.seq
    table, seq = tables.store.executor.cached(name) or await tables.state(name)
    return (patrons_dealt_in(table) - table.ready if table.phase is Phase.BETTING else set()), seq
