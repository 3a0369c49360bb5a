"""Files that commands for papers write."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from croupier.reports.paper import as_pdf


def write_papers(html: str, page: Path | None, paper: Path | None) -> None:
    """A page as HTML, as PDF, or both; each that is written is named on standard error."""
    if page is not None:
        page.write_text(html, encoding="utf-8")
        print(f"wrote {page}", file=sys.stderr)
    if paper is not None:
        paper.write_bytes(as_pdf(html))
        print(f"wrote {paper}", file=sys.stderr)


def write_json(file: Path, data: Mapping[str, Any]) -> None:
    """Data as one JSON document."""
    file.write_text(json.dumps(data, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    print(f"wrote {file}", file=sys.stderr)
