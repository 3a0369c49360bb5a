"""`croupier report`"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from croupier.cli.show import print_json, progress


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("submission", type=Path, help="a Rules Submission in TOML; `croupier init` writes one")
    parser.add_argument("--html", type=Path, metavar="FILE", help="one page that needs nothing else")
    parser.add_argument("--pdf", type=Path, metavar="FILE", help="on paper, with numbered pages")
    parser.add_argument(
        "--json",
        type=Path,
        metavar="FILE",
        help="the figures alone; without a FILE, on standard output",
        nargs="?",
        const=Path("-"),
    )
    parser.add_argument("--rounds", type=int, default=1_000_000, help="of the check by simulation (default: 1 million)")
    parser.add_argument("--seed", type=int, default=1, help="of the check by simulation (default: 1)")


def run(arguments: argparse.Namespace) -> int:
    from croupier.cli.papers import write_json, write_papers
    from croupier.reports.identity import read_filed
    from croupier.reports.mathematics import STEPS, Check, mathematics
    from croupier.reports.report import report_html

    filed = read_filed(arguments.submission)
    if arguments.html is None and arguments.pdf is None and arguments.json is None:
        arguments.html = arguments.submission.with_suffix(".report.html")
    with progress(STEPS) as advance:
        data = mathematics(filed, Check(arguments.rounds, arguments.seed), advance)
    if arguments.json == Path("-"):
        print_json(data)
    elif arguments.json is not None:
        write_json(arguments.json, data)
    if arguments.html is not None or arguments.pdf is not None:
        write_papers(report_html(data), arguments.html, arguments.pdf)
    sys.stdout.flush()
    return 0
