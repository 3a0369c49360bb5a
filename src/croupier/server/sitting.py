"""What a patron does that is more than one command: sit down with chips, bring more, take them away, be ready."""

from __future__ import annotations

from functools import partial

from croupier.errors import NotPermitted
from croupier.server.hall import Hall
from croupier.store import Answer, Submission
from croupier.table import commands as c
from croupier.table.events import BetsClosed
from croupier.table.people import SYSTEM, Actor, Role
from croupier.table.state import Phase
from croupier.table.wagering import playing


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
    served = hall.served(name)
    if not served.running.electronic:
        raise NotPermitted("", "the dealer announces “no more bets” at this table")
    hall.clocks.arrived(name, patron)
    command = c.GetReady(by=Actor(patron, Role.PATRON), at=hall.now(), patron=patron)
    answer = await _done(hall, Submission(name, command, then=partial(hall.follow, served), stamp=True))
    if any(isinstance(event, BetsClosed) for event in answer.events):
        return set(), answer.seq
    table, seq = hall.store.known(name) or await hall.state(name)
    return (playing(table) - table.ready if table.phase is Phase.BETTING else set()), seq
