"""Files that commands for papers write."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from croupier.reports.identity import Filed, read_filed
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


def add_paper_arguments(parser: argparse.ArgumentParser) -> None:
    """A submission, and where its paper goes."""
    parser.add_argument("submission", type=Path, help="a Rules Submission in TOML; `croupier init` writes one")
    parser.add_argument("--html", type=Path, metavar="FILE", help="one page that needs nothing else")
    parser.add_argument("--pdf", type=Path, metavar="FILE", help="on paper, with numbered pages")


def run_paper(arguments: argparse.Namespace, made: Callable[[Filed], str], kind: str) -> int:
    """Makes a paper of a submission; beside the submission, where no file is named."""
    if arguments.html is None and arguments.pdf is None:
        arguments.html = arguments.submission.with_suffix(f".{kind}.html")
    write_papers(made(read_filed(arguments.submission)), arguments.html, arguments.pdf)
    return 0
