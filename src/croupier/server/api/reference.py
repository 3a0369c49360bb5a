"""Reference texts for the web pages: clauses, paraphrased."""

from typing import Annotated

from fastapi import APIRouter, Path, Query

from croupier.core.errors import NotFound
from croupier.regulations import is_edition
from croupier.regulations.clauses import clause_ids
from croupier.server.errors import responses
from croupier.server.payloads.rules import ClauseText


def router() -> APIRouter:
    """The route."""
    routes = APIRouter(prefix="/api", tags=["reference"])

    @routes.get("/clauses/{edition}", responses=responses(404))
    async def clause(
        edition: Annotated[str, Path(max_length=40)], clause: Annotated[str, Query(max_length=80)]
    ) -> ClauseText:
        """The paraphrase of a clause of an edition."""
        entry = clause_ids(edition).get(clause) if is_edition(edition) else None
        if entry is None:
            raise NotFound("clause", f"{edition} has no clause {clause}")
        return {"edition": edition, "clause": clause, "topic": entry.topic, "gist": entry.gist}

    return routes
