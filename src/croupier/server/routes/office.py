"""For the office: the form of a Rules Submission, exact edges as one chooses, holds, and meters with their books."""

# Annotations are evaluated here, because the dependencies belong to one house.

from fractions import Fraction
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query
from pydantic import BaseModel, ConfigDict, Field

from croupier.progressive.meters import Meter
from croupier.rules import edition, is_edition
from croupier.server.analyses import asked_about
from croupier.server.errors import not_found, responses
from croupier.server.filing import edition_and_choices
from croupier.server.forms import form_of
from croupier.server.hall import Hall
from croupier.server.holds import collected, compared, question, shown
from croupier.server.routes.asking import Asking
from croupier.server.seen import Viewer
from croupier.server.thinking import Thinker
from croupier.submissions.writing import draft
from croupier.table.people import Role
from croupier.table.why import exactly, meter_title

Named = Annotated[str, Path(max_length=40)]
Moment = Annotated[int, Query(ge=0, le=2**53)]
READERS = (Role.SURVEILLANCE, Role.REGULATOR, Role.ADMINISTRATOR, Role.SHIFT_MANAGER, Role.ACCOUNTING)
STAFF = tuple(role for role in Role if role not in (Role.PATRON, Role.SYSTEM))


class Text(BaseModel):
    """A Rules Submission as TOML."""

    model_config = ConfigDict(extra="forbid", strict=True)

    text: Annotated[str, Field(max_length=50_000)]


def router(hall: Hall, asking: Asking, thinker: Thinker) -> APIRouter:
    """The routes; `thinker` computes for the office alone, so that nobody at a table waits for it."""
    routes = APIRouter(prefix="/api", tags=["office"])
    one_of_staff = Annotated[Viewer, Depends(asking.role(*STAFF))]
    a_reader = Annotated[Viewer, Depends(asking.role(*READERS))]

    @routes.get("/editions/{name}/form", responses=responses(401, 404))
    async def form(name: Named, staff: one_of_staff) -> dict[str, Any]:
        """What can be chosen in a Rules Submission of an edition, and a valid one to begin with."""
        if not is_edition(name):
            raise not_found(f"there is no edition {name!r}")
        rules = await hall.in_thread(partial(edition, name))
        return {**form_of(rules), "draft": draft(rules)}

    @routes.post("/submissions/edges", responses=responses(401))
    async def edges(body: Text, staff: one_of_staff) -> dict[str, Any]:
        """The exact house edge of every wager that a text offers, under its choices; nothing is filed."""
        rules, stated, offered = await hall.in_thread(partial(edition_and_choices, body.text))
        found = await thinker.ask("edges", asked_about(rules, stated, offered))
        return {"edition": rules.name, "wagers": found}

    @routes.get("/holds", responses=responses(401))
    async def holds(reader: a_reader, since: Moment = 0, until: Moment = 2**53) -> list[dict[str, Any]]:
        """Theoretical against actual hold of every bet, with its 95 % interval; what lies outside first (RPT-1)."""
        rows = []
        for hold in await hall.in_thread(partial(collected, hall.store, since, until)):
            exact = await thinker.ask("edges", question(hold))
            rows.append(compared(hold, exact[0]))
        return shown(rows)

    @routes.get("/meters", responses=responses(401))
    async def meters(staff: one_of_staff) -> list[dict[str, Any]]:
        """Every meter of every open table with its books, and whether they agree (PRG-2, PRG-4)."""
        found = []
        for name, table, _ in await hall.states():
            found += [
                {"table": name, "meter": one, "title": meter_title(table.setup, one), **_books(meter)}
                for one, meter in table.meters.items()
            ]
        return found

    return routes


def _books(meter: Meter) -> dict[str, Any]:
    parts = {
        "seeded": meter.seeded,
        "contributed": meter.contributed,
        "moved": meter.moved,
        "adjusted": meter.adjusted,
        "won": Fraction(meter.won),
        "amount": meter.amount,
        "overflow": meter.overflow,
        "waiting": meter.waiting,
    }
    return {
        "display_cents": meter.display,
        "hits": meter.hits,
        "paid_by_system_cents": meter.paid_by_system,
        "paid_by_attendant_cents": meter.paid_by_attendant,
        "pending": len(meter.claims),
        "agrees": meter.conserved,
        "books": {name: exactly(cents) for name, cents in parts.items()},
    }
