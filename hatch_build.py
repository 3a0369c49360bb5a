"""Build step: writes the index of clauses, code and tests that `croupier clauses` reads."""

from __future__ import annotations

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ClauseIndexHook(BuildHookInterface):  # type: ignore[type-arg, unused-ignore]
    """To be filled in with the clause index."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        del version, build_data
