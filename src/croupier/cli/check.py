"""`croupier check`"""

from __future__ import annotations

import argparse
from pathlib import Path

from croupier.cli.show import print_json
from croupier.submissions.checks import check_submission


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("submission", type=Path, help="a Rules Submission in TOML; `croupier init` writes one")
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")


def run(arguments: argparse.Namespace) -> int:
    path: Path = arguments.submission
    problems = check_submission(path)
    if arguments.json:
        listed = [{"clause": p.clause, "message": p.message, "key": p.key} for p in problems]
        print_json({"valid": not problems, "problems": listed})
        return 1 if problems else 0
    for problem in problems:
        clause = f"  ({problem.clause})" if problem.clause else ""
        print(f"{problem.key}: {problem.message}{clause}")
    count = len(problems)
    print(f"{path}: " + ("valid" if not count else f"{count} problem{'s' if count > 1 else ''}"))
    return 1 if problems else 0
