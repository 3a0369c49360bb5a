"""`croupier layout`"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("submission", type=Path, help="a Rules Submission in TOML; `croupier init` writes one")
    parser.add_argument("--svg", type=Path, metavar="FILE", help="the drawing, one unit a millimetre")
    parser.add_argument("--html", type=Path, metavar="FILE", help="the drawing with its parts and clauses")
    parser.add_argument("--pdf", type=Path, metavar="FILE", help="the same on paper, the drawing at true scale")


def run(arguments: argparse.Namespace) -> int:
    from croupier.cli.papers import write_papers
    from croupier.reports.identity import read_filed
    from croupier.reports.layout import layout_page, layout_svg

    filed = read_filed(arguments.submission)
    if arguments.svg is None and arguments.html is None and arguments.pdf is None:
        arguments.svg = arguments.submission.with_suffix(".layout.svg")
    if arguments.svg is not None:
        arguments.svg.write_text(layout_svg(filed.submission), encoding="utf-8")
        print(f"wrote {arguments.svg}", file=sys.stderr)
    if arguments.html is not None or arguments.pdf is not None:
        write_papers(layout_page(filed), arguments.html, arguments.pdf)
    return 0
