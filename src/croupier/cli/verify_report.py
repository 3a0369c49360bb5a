"""`croupier verify-report`"""

from __future__ import annotations

import argparse
from pathlib import Path

from croupier.cli.show import print_json, progress, say


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("report", type=Path, help="the page or the data that `croupier report` wrote")
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")


def run(arguments: argparse.Namespace) -> int:
    from croupier.reports.mathematics import STEPS
    from croupier.reports.verifying import verify_report

    with progress(STEPS) as advance:
        found = verify_report(arguments.report, advance)
    if arguments.json:
        listed = [{"place": d.place, "said": d.said, "found": d.found} for d in found.differences]
        document = {"figures": found.figures, "same_program": found.same_program, "differences": listed}
        print_json({"agrees": not listed, **document})
        return 1 if listed else 0
    for difference in found.differences:
        say(f"{difference.place}: says {difference.said}, the rules give {difference.found}", indent="  ", first="")
    count = len(found.differences)
    if not found.same_program:
        say("The report was made by another version of the program.")
    worked_out = f"{found.figures:,} values worked out again from the rules"
    say(f"{arguments.report}: {worked_out}, " + ("all agree" if not count else f"{count} differ"))
    return 1 if count else 0
