"""For the office: the Rules Submission form with exact house edges, holds, meters, and acts on accounts."""

# No `from __future__ import annotations`: FastAPI evaluates them, and the dependencies are local variables.

from fractions import Fraction
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query

from croupier.core.errors import NotFound
from croupier.progressive.meters import Meter
from croupier.regulations import edition, is_edition
from croupier.server.accounts.account_requests import OVERSIGHT_KINDS
from croupier.server.api.money import journal_line
from croupier.server.api.submissions import SubmissionTextRequest
from croupier.server.dependencies import Access
from croupier.server.errors import responses
from croupier.server.office.hold import collect_holds, compare_hold, hold_query, sort_holds
from croupier.server.office.submissions import edition_and_choices, submission_form
from croupier.server.payloads.records import HoldRow, JournalLine, MeterFigures, MeterRow
from croupier.server.payloads.rules import SubmissionEdges, SubmissionForm
from croupier.server.tables.service import TableService
from croupier.server.workers.analysis import AnalysisWorker
from croupier.server.workers.house_edges import edge_query
from croupier.storage.repositories import journal
from croupier.submissions.template import submission_template
from croupier.table.model.roles import Role
from croupier.table.narration import format_meter_amount, meter_title
from croupier.table.visibility import Viewer

Named = Annotated[str, Path(max_length=40)]
Moment = Annotated[int, Query(ge=0, le=2**53)]
READERS = (Role.SURVEILLANCE, Role.REGULATOR, Role.ADMINISTRATOR, Role.SHIFT_MANAGER, Role.ACCOUNTING)
OVERSEERS = (Role.REGULATOR, Role.SURVEILLANCE, Role.ADMINISTRATOR)
STAFF = tuple(role for role in Role if role not in (Role.PATRON, Role.SYSTEM))


def router(tables: TableService, access: Access, worker: AnalysisWorker) -> APIRouter:
    """The routes; `worker` serves only the office, so that patrons never wait for it."""
    routes = APIRouter(prefix="/api", tags=["office"])
    staff_viewer = Annotated[Viewer, Depends(access.role(*STAFF))]
    reader_viewer = Annotated[Viewer, Depends(access.role(*READERS))]
    overseer_viewer = Annotated[Viewer, Depends(access.role(*OVERSEERS))]

    @routes.get("/editions/{name}/form", responses=responses(401, 404))
    async def form(name: Named, staff: staff_viewer) -> SubmissionForm:
        """The fields of a Rules Submission of an edition, and a valid draft to start from."""
        if not is_edition(name):
            raise NotFound("edition", f"there is no edition {name!r}")
        rules = await tables.run_in_thread(partial(edition, name))
        return {**submission_form(rules), "draft": submission_template(rules)}

    @routes.post("/submissions/edges", responses=responses(401))
    async def edges(body: SubmissionTextRequest, staff: staff_viewer) -> SubmissionEdges:
        """The exact house edge of every wager that a text offers, with warnings of readings; nothing is filed."""
        rules, elections, offered = await tables.run_in_thread(partial(edition_and_choices, body.text))
        results = await worker.run("edges", edge_query(rules, elections, offered))
        warnings = await worker.run("reading_warnings", {"text": body.text})
        return {"edition": rules.name, "wagers": results, "warnings": warnings}

    @routes.get("/holds", responses=responses(401))
    async def holds(reader: reader_viewer, since: Moment = 0, until: Moment = 2**53) -> list[HoldRow]:
        """Theoretical and actual hold of every bet, with its 95 % interval; bets outside of it first (RPT-1)."""
        rows: list[HoldRow] = []
        for hold in await tables.run_in_thread(partial(collect_holds, tables.store, since, until)):
            exact = await worker.run("edges", hold_query(hold))
            rows += [compare_hold(hold, result) for result in exact]  # none for a game without an exact analysis
        return sort_holds(rows)

    @routes.get("/people/acts", responses=responses(401))
    async def account_acts(
        overseer: overseer_viewer, last: Annotated[int, Query(ge=1, le=1_000)] = 200
    ) -> list[JournalLine]:
        """Who asked for, approved and carried out what about the accounts of others, newest last (LOG-3)."""
        work = partial(journal.read, tables.store, kinds=OVERSIGHT_KINDS, last=last, checked=False)
        return [journal_line(entry) for entry in await tables.run_in_thread(work)]

    @routes.get("/meters", responses=responses(401))
    async def meters(staff: staff_viewer) -> list[MeterRow]:
        """Every meter of every open table with its books, and whether they agree (PRG-2, PRG-4)."""
        rows: list[MeterRow] = []
        for name, table, _ in await tables.states():
            rows += [
                {"table": name, "meter": meter_name, "title": meter_title(table.setup, meter_name), **_books(meter)}
                for meter_name, meter in table.meters.items()
            ]
        return rows

    return routes


def _books(meter: Meter) -> MeterFigures:
    return {
        "display_cents": meter.display,
        "hits": meter.hits,
        "paid_by_system_cents": meter.paid_by_system,
        "paid_by_attendant_cents": meter.paid_by_attendant,
        "pending": len(meter.claims),
        "agrees": meter.is_balanced,
        "books": {
            "seeded": format_meter_amount(meter.seeded),
            "contributed": format_meter_amount(meter.contributed),
            "moved": format_meter_amount(meter.moved),
            "adjusted": format_meter_amount(meter.adjusted),
            "won": format_meter_amount(Fraction(meter.won)),
            "amount": format_meter_amount(meter.amount),
            "overflow": format_meter_amount(meter.overflow),
            "waiting": format_meter_amount(meter.waiting),
        },
    }
