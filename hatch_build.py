"""Build step: writes the index of clauses, code and tests that `croupier clauses` reads."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

INDEX = "src/croupier/regulations/data/clause_index.json"


class ClauseIndexHook(BuildHookInterface):  # type: ignore[type-arg, unused-ignore]
    """Generates the index from the sources; a source distribution contains it already."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        del version, build_data
        root = Path(self.root)
        if not (root / "tests").is_dir():
            return
        sys.path.insert(0, str(root / "src"))
        try:
            from croupier.regulations.coverage import compute

            entries = [coverage.as_json() for coverage in compute(root)]
        finally:
            sys.path.remove(str(root / "src"))
        (root / INDEX).write_text(json.dumps(entries, indent=0) + "\n", encoding="utf-8")
