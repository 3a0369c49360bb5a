"""Rules Submissions: checked, filed in versions and approved; tables open under an approved version (SUB-1)."""

# No `from __future__ import annotations`: FastAPI evaluates them, and the dependencies are local variables.

from collections.abc import Sequence
from functools import partial
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Path
from pydantic import BaseModel, Field, model_validator

from croupier.core.errors import InputError, RuleViolation
from croupier.server.api.tables import StrictRequest, TableName
from croupier.server.dependencies import Access
from croupier.server.errors import responses
from croupier.server.office.submissions import SubmissionRegister, check_text
from croupier.server.services import Services
from croupier.server.tables.service import TableService, TableSettings, default_settings, is_real_money
from croupier.storage.currency import CLAUSE as CURRENCY_CLAUSE
from croupier.storage.currency import Currency
from croupier.storage.repositories.submissions import FiledSubmission
from croupier.submissions import Problem
from croupier.submissions.text_edits import MAX_KEY_PARTS, MAX_TEXT_LENGTH, TextEdit, edit_text
from croupier.table.model.names import MAX_TABLE_NAME_LENGTH, TABLE_NAME_PATTERN, require_table_name
from croupier.table.model.roles import Role
from croupier.table.model.setup import CardSource
from croupier.table.visibility import Viewer

Name = Annotated[str, Field(min_length=1, max_length=100, pattern=r"^[^\x00-\x1f\x7f]+$")]
Seconds = Annotated[int, Field(ge=1, le=3_600)]
Version = Annotated[int, Path(ge=1, le=1_000_000)]
NamePath = Annotated[str, Path(min_length=1, max_length=100)]
MANAGERS = (Role.SHIFT_MANAGER, Role.ADMINISTRATOR)


class SubmissionTextRequest(StrictRequest):
    """A Rules Submission as TOML."""

    text: Annotated[str, Field(max_length=MAX_TEXT_LENGTH)]


KeyPart = Annotated[str, Field(min_length=1, max_length=100)]
EditedText = Annotated[str, Field(max_length=1_000)]


class TextEditRequest(StrictRequest):
    """Sets a key of a Rules Submission, or removes it if the value is null."""

    key: Annotated[
        list[KeyPart],
        Field(min_length=1, max_length=MAX_KEY_PARTS, description='as in `["wagers", "prime", "minimum"]`'),
    ]
    value: (
        EditedText
        | bool
        | Annotated[int, Field(ge=-(2**53), le=2**53)]
        | Annotated[list[EditedText], Field(max_length=50)]
        | None
    )


class EditSubmissionRequest(SubmissionTextRequest):
    """A text and its edits, which are made in order."""

    edits: Annotated[list[TextEditRequest], Field(min_length=1, max_length=10)]


class FileSubmissionRequest(SubmissionTextRequest):
    """A Rules Submission and its name; an existing name gets a new version."""

    name: Name


NewTableName = Annotated[str, Field(min_length=1, max_length=MAX_TABLE_NAME_LENGTH, pattern=TABLE_NAME_PATTERN)]


class OpenTableRequest(StrictRequest):
    """A table under an approved version of a Rules Submission."""

    table: NewTableName
    submission: Name
    version: Annotated[int, Field(ge=1, le=1_000_000)]
    mode: Literal["electronic", "staffed"] = "staffed"
    betting_seconds: Seconds | None = None
    decision_seconds: Seconds | None = None
    on_time_out: Literal["fold", "wait"] | None = None
    self_service: bool = False
    verifiable: bool = False
    card_source: Literal["system", "reading_shoe", "plain_shoe"] | None = None
    link: Annotated[str, Field(max_length=100, pattern=r"^[^\x00-\x1f\x7f]*$")] = ""
    currency: Literal["real", "play"] | None = Field(
        default=None, description="by default real money; play money where the server has nothing else"
    )

    @model_validator(mode="before")
    @classmethod
    def _read_older_card_source(cls, data: object) -> object:
        """Accepts `reads_cards`, which said before version 0.3 whether the shoe reads the cards."""
        if not isinstance(data, dict) or not isinstance(data.get("reads_cards"), bool):
            return data
        body = {key: value for key, value in data.items() if key != "reads_cards"}
        if not data["reads_cards"]:
            return body
        if body.get("card_source") not in (None, "reading_shoe"):
            raise InputError("reads_cards", f"is true, but card_source is {body['card_source']}")
        return {**body, "card_source": "reading_shoe"}


class NewLinkRequest(StrictRequest):
    """Meters that several tables share."""

    name: Name


class ProblemResponse(BaseModel):
    key: str
    clause: str
    message: str


class SubmissionCheckResponse(BaseModel):
    """Whether a text is a valid Rules Submission, its problems, and warnings of what somebody should look at."""

    valid: bool
    problems: list[ProblemResponse]
    warnings: list[ProblemResponse] = Field(description="no rule forbids these; the edges add those about readings")
    data: dict[str, Any] | None = Field(description="the parsed text; null if it is not TOML")


class EditedSubmissionResponse(SubmissionCheckResponse):
    """The text after the edits, and its check."""

    text: str


class SubmissionResponse(BaseModel):
    name: str
    version: int
    edition: str
    filed_at: int
    filed_by: str
    approved_at: int | None
    approved_by: str


class SubmissionTextResponse(SubmissionResponse):
    text: str


class OpenedTableResponse(BaseModel):
    table: str
    mode: Literal["electronic", "staffed"]


class NewLinkResponse(BaseModel):
    link: str
    facility: str


class LinkMeterResponse(BaseModel):
    meter: str
    display_cents: int


class LinkResponse(NewLinkResponse):
    meters: list[LinkMeterResponse]
    entries: int


class RetiredTableResponse(BaseModel):
    table: str


def router(tables: TableService, services: Services, access: Access) -> APIRouter:
    """The routes."""
    routes = APIRouter(prefix="/api", tags=["submissions"])
    register = SubmissionRegister(tables.store, services.note_action)
    staff_viewer = Annotated[
        Viewer, Depends(access.role(*(role for role in Role if role not in (Role.PATRON, Role.SYSTEM))))
    ]
    manager_viewer = Annotated[Viewer, Depends(access.role(*MANAGERS))]
    regulator_viewer = Annotated[Viewer, Depends(access.role(Role.REGULATOR))]

    @routes.get("/submissions", responses=responses(401))
    async def every(staff: staff_viewer) -> list[SubmissionResponse]:
        """Every version of every Rules Submission."""
        return [_submission_response(filed) for filed in await tables.run_in_thread(register.list_versions)]

    @routes.get("/submissions/{name}/{version}", responses=responses(401, 404))
    async def one(name: NamePath, version: Version, staff: staff_viewer) -> SubmissionTextResponse:
        """One version, with its text."""
        filed = await tables.run_in_thread(partial(register.get_version, name, version))
        return SubmissionTextResponse(**_submission_response(filed).model_dump(), text=filed.text)

    @routes.post("/submissions/check", responses=responses(401))
    async def check(body: SubmissionTextRequest, staff: staff_viewer) -> SubmissionCheckResponse:
        """Checks a text and lists all problems, each with its clause; nothing is filed."""
        return await tables.run_in_thread(partial(_check, body.text))

    @routes.post("/submissions/edit", responses=responses(401))
    async def edit(body: EditSubmissionRequest, staff: staff_viewer) -> EditedSubmissionResponse:
        """Edits the text of the request by key, keeps its comments and layout, and checks it; nothing is filed."""
        edits = [TextEdit(tuple(one.key), one.value) for one in body.edits]
        return await tables.run_in_thread(partial(_edit, body.text, edits))

    @routes.post("/submissions", status_code=201, responses=responses(401, 409))
    async def file(body: FileSubmissionRequest, manager: manager_viewer) -> SubmissionResponse:
        """Files a new version, if it is valid."""
        return _submission_response(
            await tables.run_in_thread(partial(register.file, body.name, body.text, manager, tables.now()))
        )

    @routes.post("/submissions/{name}/{version}/approve", responses=responses(401, 404))
    async def approve(name: NamePath, version: Version, regulator: regulator_viewer) -> SubmissionResponse:
        """Approves a version, as a regulator; tables can then be opened under it."""
        return _submission_response(
            await tables.run_in_thread(partial(register.approve, name, version, regulator, tables.now()))
        )

    @routes.post("/tables", status_code=201, responses=responses(401, 404, 409), tags=["tables"])
    async def open_table(body: OpenTableRequest, manager: manager_viewer) -> OpenedTableResponse:
        """Opens a table under an approved Rules Submission."""
        require_table_name(body.table)
        settings = _table_settings(tables, body)
        if tables.config.play_money_only and is_real_money(settings):
            raise RuleViolation(CURRENCY_CLAUSE, "this server has play money only: no table is opened for real money")
        card_source = CardSource(body.card_source or CardSource.SYSTEM)
        if card_source is not CardSource.SYSTEM and settings.electronic:
            raise RuleViolation("", "physical cards need a dealer: an electronic table has none")
        setup = await tables.run_in_thread(
            partial(
                register.setup,
                body.submission,
                body.version,
                body.table,
                verifiable=body.verifiable,
                card_source=card_source,
            )
        )
        await tables.run_in_thread(partial(tables.open_table, setup, settings, tables.now(), body.link))
        await tables.run_in_thread(
            partial(
                services.note_action,
                manager,
                "table_opened",
                {"submission": body.submission, "version": body.version, "currency": settings.currency.value},
                body.table,
            )
        )
        return OpenedTableResponse(table=body.table, mode=body.mode)

    @routes.post("/links", status_code=201, responses=responses(401), tags=["tables"])
    async def link(body: NewLinkRequest, manager: manager_viewer) -> NewLinkResponse:
        """Creates a link, whose meters the tables of this facility may share."""
        await tables.run_in_thread(partial(tables.store.create_link, body.name, tables.config.facility))
        await tables.run_in_thread(partial(services.note_action, manager, "link_made", {"link": body.name}))
        return NewLinkResponse(link=body.name, facility=tables.config.facility)

    @routes.get("/links/{name}", responses=responses(401, 404), tags=["tables"])
    async def meters_of(name: NamePath, staff: staff_viewer) -> LinkResponse:
        """A link with its current meters."""
        link, journal = await tables.run_in_thread(partial(tables.store.link, name))
        meters = [LinkMeterResponse(meter=meter, display_cents=state.display) for meter, state in link.meters.items()]
        return LinkResponse(link=name, facility=link.facility, meters=meters, entries=len(journal))

    @routes.post("/tables/{table}/retire", responses=responses(401, 404), tags=["tables"])
    async def retire(table: TableName, manager: manager_viewer) -> RetiredTableResponse:
        """Retires a closed, empty table; its record stays."""
        tables.get(table)
        await tables.run_in_thread(partial(tables.store.close_table, table))
        await tables.run_in_thread(tables.refresh)
        await tables.run_in_thread(partial(services.note_action, manager, "table_retired", {}, table))
        return RetiredTableResponse(table=table)

    return routes


def _check(text: str) -> SubmissionCheckResponse:
    checked = check_text(text)
    return SubmissionCheckResponse(
        valid=not checked.problems,
        problems=_problem_responses(checked.problems),
        warnings=_problem_responses(checked.warnings),
        data=checked.data,
    )


def _problem_responses(problems: Sequence[Problem]) -> list[ProblemResponse]:
    return [ProblemResponse(key=problem.key, clause=problem.clause, message=problem.message) for problem in problems]


def _edit(text: str, edits: list[TextEdit]) -> EditedSubmissionResponse:
    edited = edit_text(text, edits)
    return EditedSubmissionResponse(text=edited, **dict(_check(edited)))


def _submission_response(filed: FiledSubmission) -> SubmissionResponse:
    fields = {name: getattr(filed, name) for name in SubmissionResponse.model_fields}
    return SubmissionResponse(**{**fields, "approved_at": filed.approved_at or None})


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
        currency=base.currency if body.currency is None else Currency(body.currency),
    )
