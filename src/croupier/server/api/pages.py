"""The web pages: static files of the package."""

from __future__ import annotations

from pathlib import Path

from fastapi import APIRouter
from starlette.responses import FileResponse

from croupier.core.errors import NotFound

FOLDER = Path(__file__).parents[1] / "web"
MEDIA_TYPES = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".json": "application/json",
}
_FILES = {path.relative_to(FOLDER).as_posix(): path for path in FOLDER.rglob("*") if path.suffix in MEDIA_TYPES}


def router() -> APIRouter:
    """The routes: `/` is the lobby, `/NAME` the page of that name; scripts and styles are under `/static`."""
    routes = APIRouter(include_in_schema=False)

    @routes.get("/")
    async def lobby() -> FileResponse:
        return _page("index.html")

    @routes.get("/static/{name:path}")
    async def static(name: str) -> FileResponse:
        return _page(f"static/{name}")

    @routes.get("/{name}")
    async def page(name: str) -> FileResponse:
        return _page(f"{name}.html")

    return routes


def _page(name: str) -> FileResponse:
    path = _FILES.get(name)
    if path is None:
        raise NotFound("", "page not found")
    return FileResponse(path, media_type=MEDIA_TYPES[path.suffix], headers={"Cache-Control": "no-cache"})
