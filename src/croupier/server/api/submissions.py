"""Rules Submissions: filed in versions, checked, approved; tables are opened from what is approved (SUB-1)."""

# Annotations are evaluated here, because the dependencies belong to one house.

from functools import partial
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Path
from pydantic import BaseModel, ConfigDict, Field

from croupier.core.errors import RuleViolation
from croupier.server.api.tables import TableName
from croupier.server.dependencies import Access
from croupier.server.errors import responses
from croupier.server.office.submissions import SubmissionRegister, check_text
from croupier.server.services import Services
from croupier.server.tables.service import TableService
from croupier.server.tables.settings import TableSettings, default_settings
from croupier.storage.repositories.submissions import FiledSubmission
from croupier.table.model.roles import Role
from croupier.table.visibility import Viewer

Name = Annotated[str, Field(min_length=1, max_length=100, pattern=r"^[^\x00-\x1f\x7f]+$")]
Seconds = Annotated[int, Field(ge=1, le=3_600)]
Version = Annotated[int, Path(ge=1, le=1_000_000)]
Named = Annotated[str, Path(min_length=1, max_length=100)]
MANAGERS = (Role.SHIFT_MANAGER, Role.ADMINISTRATOR)


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class SubmissionTextRequest(_Body):
    """A Rules Submission as TOML."""

    text: Annotated[str, Field(max_length=50_000)]


class FileSubmissionRequest(SubmissionTextRequest):
    """The same under a name; a name that is there gets another version."""

    name: Name


class OpenTableRequest(_Body):
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


class NewLinkRequest(_Body):
    """Meters that several tables share."""

    name: Name


class ProblemResponse(BaseModel):
    key: str
    clause: str
    message: str


class SubmissionCheckResponse(BaseModel):
    """Whether a text is a valid Rules Submission, and what is wrong with it."""

    valid: bool
    problems: list[ProblemResponse]
    data: dict[str, Any] | None = Field(description="what the text says; null where it is not TOML")


class SubmissionResponse(BaseModel):
    name: str
    version: int
    edition: str
    filed_at: int
    filed_by: str
    approved_at: int | None
    approved_by: str


def router(tables: TableService, services: Services, access: Access) -> APIRouter:
    """The routes."""
    routes = APIRouter(prefix="/api", tags=["submissions"])
    register = SubmissionRegister(tables.store, services.note_action)
    one_of_staff = Annotated[
        Viewer, Depends(access.role(*(role for role in Role if role not in (Role.PATRON, Role.SYSTEM))))
    ]
    a_manager = Annotated[Viewer, Depends(access.role(*MANAGERS))]
    a_regulator = Annotated[Viewer, Depends(access.role(Role.REGULATOR))]

    @routes.get("/submissions", responses=responses(401))
    async def every(staff: one_of_staff) -> list[SubmissionResponse]:
        """Every version of every Rules Submission."""
        return [_submission_response(filed) for filed in await tables.run_in_thread(register.list_versions)]

    @routes.get("/submissions/{name}/{version}", responses=responses(401, 404))
    async def one(name: Named, version: Version, staff: one_of_staff) -> dict[str, Any]:
        """One version, with its text."""
        filed = await tables.run_in_thread(partial(register.get_version, name, version))
        return {**_submission_response(filed).model_dump(), "text": filed.text}

    @routes.post("/submissions/check", responses=responses(401))
    async def check(body: SubmissionTextRequest, staff: one_of_staff) -> SubmissionCheckResponse:
        """Checks a text, all problems at once, each with its clause; nothing is filed."""
        found, data = await tables.run_in_thread(partial(check_text, body.text))
        problems = [ProblemResponse(key=one.key, clause=one.clause, message=one.message) for one in found]
        return SubmissionCheckResponse(valid=not problems, problems=problems, data=data)

    @routes.post("/submissions", status_code=201, responses=responses(401, 409))
    async def file(body: FileSubmissionRequest, manager: a_manager) -> SubmissionResponse:
        """Files a version, if it is valid."""
        return _submission_response(
            await tables.run_in_thread(partial(register.file, body.name, body.text, manager, tables.now()))
        )

    @routes.post("/submissions/{name}/{version}/approve", responses=responses(401, 404))
    async def approve(name: Named, version: Version, regulator: a_regulator) -> SubmissionResponse:
        """A regulator approves a version; a table can be opened from it."""
        return _submission_response(
            await tables.run_in_thread(partial(register.approve, name, version, regulator, tables.now()))
        )

    @routes.post("/tables", status_code=201, responses=responses(401, 404, 409), tags=["tables"])
    async def open_table(body: OpenTableRequest, manager: a_manager) -> dict[str, Any]:
        """Opens a table under an approved Rules Submission."""
        settings = _table_settings(tables, body)
        if body.reads_cards and settings.electronic:
            raise RuleViolation("", "physical cards need a dealer: an electronic table has none")
        options = {"verifiable": body.verifiable, "reads_cards": body.reads_cards}
        setup = await tables.run_in_thread(
            partial(register.setup, body.submission, body.version, body.table, **options)
        )
        await tables.run_in_thread(partial(tables.open_table, setup, settings, tables.now(), body.link))
        await tables.run_in_thread(
            partial(
                services.note_action,
                manager,
                "table_opened",
                {"submission": body.submission, "version": body.version},
                body.table,
            )
        )
        return {"table": body.table, "mode": settings.mode}

    @routes.post("/links", status_code=201, responses=responses(401), tags=["tables"])
    async def link(body: NewLinkRequest, manager: a_manager) -> dict[str, Any]:
        """Makes a link, whose meters tables of this facility may share."""
        await tables.run_in_thread(partial(tables.store.create_link, body.name, tables.config.facility))
        await tables.run_in_thread(partial(services.note_action, manager, "link_made", {"link": body.name}))
        return {"link": body.name, "facility": tables.config.facility}

    @routes.get("/links/{name}", responses=responses(401, 404), tags=["tables"])
    async def meters_of(name: Named, staff: one_of_staff) -> dict[str, Any]:
        """A link: its tables, and its meters as they stand."""
        found, journal = await tables.run_in_thread(partial(tables.store.link, name))
        shown = [{"meter": one, "display_cents": meter.display} for one, meter in found.meters.items()]
        return {"link": name, "facility": found.facility, "meters": shown, "entries": len(journal)}

    @routes.post("/tables/{table}/retire", responses=responses(401, 404), tags=["tables"])
    async def retire(table: TableName, manager: a_manager) -> dict[str, Any]:
        """Closes a closed, empty table for good; its record stays."""
        tables.get(table)
        await tables.run_in_thread(partial(tables.store.close_table, table))
        await tables.run_in_thread(tables.refresh)
        await tables.run_in_thread(partial(services.note_action, manager, "table_retired", {}, table))
        return {"table": table}

    return routes


def _submission_response(filed: FiledSubmission) -> SubmissionResponse:
    said = {name: getattr(filed, name) for name in SubmissionResponse.model_fields}
    return SubmissionResponse(**{**said, "approved_at": filed.approved_at or None})


def _table_settings(tables: TableService, body: OpenTableRequest) -> TableSettings:
    base = default_settings(tables.config, body.mode, self_service=body.self_service)
    return TableSettings(
        mode=body.mode,
        betting_seconds=body.betting_seconds or base.betting_seconds,
        decision_seconds=body.decision_seconds or base.decision_seconds,
        on_time_out=body.on_time_out or base.on_time_out,
        self_service=body.self_service,
        submission=body.submission,
        version=body.version,
    )
