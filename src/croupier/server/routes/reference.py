"""What pages look up: what a clause says in our words, and what a patron has on his account."""

# Annotations are evaluated here, because the dependencies belong to one house.

from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query

from croupier.rules import EDITIONS
from croupier.rules.clauses import clause_ids
from croupier.server.errors import not_found, responses
from croupier.server.hall import Hall
from croupier.server.routes.asking import Asking
from croupier.server.seen import Viewer
from croupier.table.people import Role


def router(hall: Hall, asking: Asking) -> APIRouter:
    """The routes."""
    routes = APIRouter(prefix="/api", tags=["reference"])
    a_patron = Annotated[Viewer, Depends(asking.role(Role.PATRON))]

    @routes.get("/clauses/{edition}", responses=responses(404))
    async def clause(
        edition: Annotated[str, Path(max_length=40)], clause: Annotated[str, Query(max_length=80)]
    ) -> dict[str, Any]:
        """What a clause of an edition says, in our words."""
        found = clause_ids(edition).get(clause) if edition in EDITIONS else None
        if found is None:
            raise not_found(f"{edition} has no clause {clause}")
        return {"edition": edition, "clause": clause, "topic": found.topic, "gist": found.gist}

    @routes.get("/account", responses=responses(401))
    async def account(patron: a_patron) -> dict[str, int]:
        """What the patron who asks has on his account."""
        return {"balance_cents": await hall.in_thread(partial(hall.store.wallet, patron.name)) or 0}

    return routes
