"""For the office: the form of a Rules Submission, exact edges as one chooses, holds, and meters with their books."""

# Annotations are evaluated here, because the dependencies belong to one house.

from fractions import Fraction
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query

from croupier.core.errors import NotFound
from croupier.progressive.meters import Meter
from croupier.regulations import edition, is_edition
from croupier.server.api.submissions import SubmissionTextRequest
from croupier.server.dependencies import Access
from croupier.server.errors import responses
from croupier.server.office.holds import collect_holds, compare_hold, hold_query, sort_holds
from croupier.server.office.submission_form import submission_form
from croupier.server.office.submissions import edition_and_choices
from croupier.server.tables.service import TableService
from croupier.server.workers.analysis import AnalysisWorker
from croupier.server.workers.house_edges import edge_query
from croupier.submissions.template import submission_template
from croupier.table.model.roles import Role
from croupier.table.narration import format_meter_amount, meter_title
from croupier.table.visibility import Viewer

Named = Annotated[str, Path(max_length=40)]
Moment = Annotated[int, Query(ge=0, le=2**53)]
READERS = (Role.SURVEILLANCE, Role.REGULATOR, Role.ADMINISTRATOR, Role.SHIFT_MANAGER, Role.ACCOUNTING)
STAFF = tuple(role for role in Role if role not in (Role.PATRON, Role.SYSTEM))


def router(tables: TableService, access: Access, worker: AnalysisWorker) -> APIRouter:
    """The routes; `thinker` computes for the office alone, so that nobody at a table waits for it."""
    routes = APIRouter(prefix="/api", tags=["office"])
    one_of_staff = Annotated[Viewer, Depends(access.role(*STAFF))]
    a_reader = Annotated[Viewer, Depends(access.role(*READERS))]

    @routes.get("/editions/{name}/form", responses=responses(401, 404))
    async def form(name: Named, staff: one_of_staff) -> dict[str, Any]:
        """What can be chosen in a Rules Submission of an edition, and a valid one to begin with."""
        if not is_edition(name):
            raise NotFound("edition", f"there is no edition {name!r}")
        rules = await tables.run_in_thread(partial(edition, name))
        return {**submission_form(rules), "draft": submission_template(rules)}

    @routes.post("/submissions/edges", responses=responses(401))
    async def edges(body: SubmissionTextRequest, staff: one_of_staff) -> dict[str, Any]:
        """The exact house edge of every wager that a text offers, under its choices; nothing is filed."""
        rules, stated, offered = await tables.run_in_thread(partial(edition_and_choices, body.text))
        found = await worker.run("edges", edge_query(rules, stated, offered))
        return {"edition": rules.name, "wagers": found}

    @routes.get("/holds", responses=responses(401))
    async def holds(reader: a_reader, since: Moment = 0, until: Moment = 2**53) -> list[dict[str, Any]]:
        """Theoretical against actual hold of every bet, with its 95 % interval; what lies outside first (RPT-1)."""
        rows = []
        for hold in await tables.run_in_thread(partial(collect_holds, tables.store, since, until)):
            exact = await worker.run("edges", hold_query(hold))
            rows += [compare_hold(hold, result) for result in exact]  # none for a game without an exact analysis
        return sort_holds(rows)

    @routes.get("/meters", responses=responses(401))
    async def meters(staff: one_of_staff) -> list[dict[str, Any]]:
        """Every meter of every open table with its books, and whether they agree (PRG-2, PRG-4)."""
        found = []
        for name, table, _ in await tables.states():
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
        "books": {name: format_meter_amount(cents) for name, cents in parts.items()},
    }
