"""Rules Submissions: filed in versions, checked, approved; tables are opened from what is approved (SUB-1)."""

# Annotations are evaluated here, because the dependencies belong to one house.

from functools import partial
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Path
from pydantic import BaseModel, ConfigDict, Field

from croupier.errors import NotPermitted
from croupier.server.errors import responses
from croupier.server.filing import Filed, Filing, checked
from croupier.server.hall import Hall
from croupier.server.house import House
from croupier.server.routes.asking import Asking
from croupier.server.routes.tables import TableName
from croupier.server.running import Running, usual
from croupier.server.seen import Viewer
from croupier.table.people import Role

Name = Annotated[str, Field(min_length=1, max_length=100, pattern=r"^[^\x00-\x1f\x7f]+$")]
Seconds = Annotated[int, Field(ge=1, le=3_600)]
Version = Annotated[int, Path(ge=1, le=1_000_000)]
Named = Annotated[str, Path(min_length=1, max_length=100)]
MANAGERS = (Role.SHIFT_MANAGER, Role.ADMINISTRATOR)


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Text(_Body):
    """A Rules Submission as TOML."""

    text: Annotated[str, Field(max_length=50_000)]


class NewVersion(Text):
    """The same under a name; a name that is there gets another version."""

    name: Name


class Opening(_Body):
    """A table from an approved version of a Rules Submission."""

    table: Name
    submission: Name
    version: Annotated[int, Field(ge=1, le=1_000_000)]
    mode: Literal["electronic", "staffed"] = "staffed"
    betting_seconds: Seconds | None = None
    decision_seconds: Seconds | None = None
    on_time_out: Literal["fold", "wait"] | None = None
    self_service: bool = False
    verifiable: bool = False
    reads_cards: bool = False
    link: Annotated[str, Field(max_length=100, pattern=r"^[^\x00-\x1f\x7f]*$")] = ""


class NewLink(_Body):
    """Meters that several tables share."""

    name: Name


class Problem(BaseModel):
    key: str
    clause: str
    message: str


class Verdict(BaseModel):
    """Whether a text is a valid Rules Submission, and what is wrong with it."""

    valid: bool
    problems: list[Problem]
    data: dict[str, Any] | None = Field(description="what the text says; null where it is not TOML")


class Listed(BaseModel):
    name: str
    version: int
    edition: str
    filed_at: int
    filed_by: str
    approved_at: int | None
    approved_by: str


def router(hall: Hall, house: House, asking: Asking) -> APIRouter:
    """The routes."""
    routes = APIRouter(prefix="/api", tags=["submissions"])
    filing = Filing(hall.store, house.note_by)
    one_of_staff = Annotated[
        Viewer, Depends(asking.role(*(role for role in Role if role not in (Role.PATRON, Role.SYSTEM))))
    ]
    a_manager = Annotated[Viewer, Depends(asking.role(*MANAGERS))]
    a_regulator = Annotated[Viewer, Depends(asking.role(Role.REGULATOR))]

    @routes.get("/submissions", responses=responses(401))
    async def every(staff: one_of_staff) -> list[Listed]:
        """Every version of every Rules Submission."""
        return [_listed(filed) for filed in await hall.in_thread(filing.every)]

    @routes.get("/submissions/{name}/{version}", responses=responses(401, 404))
    async def one(name: Named, version: Version, staff: one_of_staff) -> dict[str, Any]:
        """One version, with its text."""
        filed = await hall.in_thread(partial(filing.one, name, version))
        return {**_listed(filed).model_dump(), "text": filed.text}

    @routes.post("/submissions/check", responses=responses(401))
    async def check(body: Text, staff: one_of_staff) -> Verdict:
        """Checks a text, all problems at once, each with its clause; nothing is filed."""
        found, data = await hall.in_thread(partial(checked, body.text))
        problems = [Problem(key=one.key, clause=one.clause, message=one.message) for one in found]
        return Verdict(valid=not problems, problems=problems, data=data)

    @routes.post("/submissions", status_code=201, responses=responses(401, 409))
    async def file(body: NewVersion, manager: a_manager) -> Listed:
        """Files a version, if it is valid."""
        return _listed(await hall.in_thread(partial(filing.file, body.name, body.text, manager, hall.now())))

    @routes.post("/submissions/{name}/{version}/approve", responses=responses(401, 404))
    async def approve(name: Named, version: Version, regulator: a_regulator) -> Listed:
        """A regulator approves a version; a table can be opened from it."""
        return _listed(await hall.in_thread(partial(filing.approve, name, version, regulator, hall.now())))

    @routes.post("/tables", status_code=201, responses=responses(401, 404, 409), tags=["tables"])
    async def open_table(body: Opening, manager: a_manager) -> dict[str, Any]:
        """Opens a table under an approved Rules Submission."""
        running = _running(hall, body)
        if body.reads_cards and running.electronic:
            raise NotPermitted("", "physical cards need a dealer: an electronic table has none")
        options = {"verifiable": body.verifiable, "reads_cards": body.reads_cards}
        setup = await hall.in_thread(partial(filing.setup, body.submission, body.version, body.table, **options))
        await hall.in_thread(partial(hall.open_table, setup, running, hall.now(), body.link))
        await hall.in_thread(
            partial(
                house.note_by,
                manager,
                "table_opened",
                {"submission": body.submission, "version": body.version},
                body.table,
            )
        )
        return {"table": body.table, "mode": running.mode}

    @routes.post("/links", status_code=201, responses=responses(401), tags=["tables"])
    async def link(body: NewLink, manager: a_manager) -> dict[str, Any]:
        """Makes a link, whose meters tables of this facility may share."""
        await hall.in_thread(partial(hall.store.create_link, body.name, hall.config.facility))
        await hall.in_thread(partial(house.note_by, manager, "link_made", {"link": body.name}))
        return {"link": body.name, "facility": hall.config.facility}

    @routes.get("/links/{name}", responses=responses(401, 404), tags=["tables"])
    async def meters_of(name: Named, staff: one_of_staff) -> dict[str, Any]:
        """A link: its tables, and its meters as they stand."""
        found, journal = await hall.in_thread(partial(hall.store.link, name))
        shown = [{"meter": one, "display_cents": meter.display} for one, meter in found.meters.items()]
        return {"link": name, "facility": found.facility, "meters": shown, "entries": len(journal)}

    @routes.post("/tables/{table}/retire", responses=responses(401, 404), tags=["tables"])
    async def retire(table: TableName, manager: a_manager) -> dict[str, Any]:
        """Closes a closed, empty table for good; its record stays."""
        hall.served(table)
        await hall.in_thread(partial(hall.store.close_table, table))
        await hall.in_thread(hall.refresh)
        await hall.in_thread(partial(house.note_by, manager, "table_retired", {}, table))
        return {"table": table}

    return routes


def _listed(filed: Filed) -> Listed:
    said = {name: getattr(filed, name) for name in Listed.model_fields}
    return Listed(**{**said, "approved_at": filed.approved_at or None})


def _running(hall: Hall, body: Opening) -> Running:
    base = usual(hall.config, body.mode, self_service=body.self_service)
    return Running(
        mode=body.mode,
        betting_seconds=body.betting_seconds or base.betting_seconds,
        decision_seconds=body.decision_seconds or base.decision_seconds,
        on_time_out=body.on_time_out or base.on_time_out,
        self_service=body.self_service,
        submission=body.submission,
        version=body.version,
    )
