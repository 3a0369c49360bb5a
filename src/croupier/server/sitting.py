"""What a patron does that is more than one command: sit down with chips, bring more, take them away, be ready."""

from __future__ import annotations

from functools import partial

import sqlalchemy as sa

from croupier.errors import NotPermitted
from croupier.server.errors import conflict
from croupier.server.hall import Hall
from croupier.store import Answer, Submission
from croupier.store import schema as s
from croupier.table import commands as c
from croupier.table.people import SYSTEM, Actor, Role
from croupier.table.state import Phase, Table

_TRIES = 5
"""So often a table may move on between a look at it and what follows from that."""


async def sit_down(hall: Hall, name: str, patron: str, seats: tuple[int, ...], chips: int, key: str) -> Answer:
    """Takes seats and brings chips along: both or neither."""
    served, at = hall.served(name), hall.now()
    if chips:
        _require_self_service(hall, name)
    brought = (c.BuyIn(by=SYSTEM, at=at, patron=patron, amount=chips),) if chips else ()
    hall.clocks.arrived(name, patron)
    command = c.Sit(by=Actor(patron, Role.PATRON), at=at, patron=patron, seats=seats)
    said, follow = f"{','.join(map(str, seats))} {chips}", partial(hall.follow, served)
    return await _done(hall, Submission(name, command, key, None, said, follow, stamp=True, also=brought))


async def change_chips(hall: Hall, name: str, patron: str, amount: int, key: str) -> Answer:
    """Chips from the patron's account, or back to it."""
    _require_self_service(hall, name)
    kind = c.BuyIn if amount > 0 else c.CashOut
    command = kind(by=SYSTEM, at=hall.now(), patron=patron, amount=abs(amount))
    hall.clocks.arrived(name, patron)
    follow = partial(hall.follow, hall.served(name))
    return await _done(hall, Submission(name, command, key, None, f"{patron} {amount}", follow, stamp=True))


async def _done(hall: Hall, submission: Submission) -> Answer:
    answer = await hall.submit(submission)
    if answer.refusal is not None:
        raise NotPermitted(answer.refusal.clause, answer.refusal.reason)
    return answer


def _require_self_service(hall: Hall, name: str) -> None:
    if not hall.served(name).running.self_service:
        raise NotPermitted("", "chips are bought and cashed with the dealer or accounting at this table")


async def get_ready(hall: Hall, name: str, patron: str) -> tuple[set[str], int]:
    """The patron needs no more betting time; gives those who still do, and the number of the last event.

    Where nobody does, the system closes the wagers.
    """
    if not hall.served(name).running.electronic:
        raise NotPermitted("", "the dealer announces “no more bets” at this table")
    for _ in range(_TRIES):
        table, seq = await hall.state(name)
        waiting = await _still_waiting(hall, name, table, patron)
        hall.clocks.arrived(name, patron)
        if waiting:
            return waiting, seq
        answer = await hall.step(name, c.AnnounceNoMoreBets(by=SYSTEM, at=hall.now()), seq)
        if answer is not None:
            return set(), answer.seq
    raise conflict("the table moves on all the time: say it again")


async def _still_waiting(hall: Hall, name: str, table: Table, patron: str) -> set[str]:
    """Who else wants betting time, after this patron has said that he does not."""
    if table.phase is not Phase.BETTING:
        raise NotPermitted("", "wagers are not being taken now")
    dealt_in = table.setup.game.dealt_in
    playing = {table.seats[seat] for seat, placed in table.wagers.items() if any(wager in placed for wager in dealt_in)}
    if patron not in playing:
        raise NotPermitted("", f"{patron} has no wager that is dealt cards")
    others = playing - {patron}
    return others - await _others(hall, name, patron, table.rounds + 1) if others else others


async def _others(hall: Hall, name: str, patron: str, round_: int) -> set[str]:
    """Remembers one who is ready for a round, and gives all who are. Other processes ask the database."""
    if hall.shared:
        return await hall.in_thread(partial(_ask_others, hall, name, patron, round_))
    ready = hall.served(name).ready
    ready[patron] = round_
    return {other for other, wanted in ready.items() if wanted == round_}


def _ask_others(hall: Hall, name: str, patron: str, round_: int) -> set[str]:
    number = hall.served(name).number
    mine = (s.ready.c.table_id == number) & (s.ready.c.patron == patron)
    with hall.store.database.writing() as connection:
        connection.execute(sa.delete(s.ready).where(mine))
        connection.execute(sa.insert(s.ready).values(table_id=number, patron=patron, round=round_))
        query = sa.select(s.ready.c.patron).where(s.ready.c.table_id == number, s.ready.c.round == round_)
        return set(connection.execute(query).scalars())
