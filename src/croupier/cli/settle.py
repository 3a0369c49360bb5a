"""`croupier settle`"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from croupier.cli.show import print_json
from croupier.errors import CroupierError, Malformed
from croupier.scenarios import play_scenario, read_scenario, settled
from croupier.scenarios.explaining import explained
from croupier.table.record import RecordWriter


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("scenarios", type=Path, nargs="+", metavar="SCENARIO", help="a round in TOML")
    parser.add_argument("--json", action="store_true", help="JSON on standard output, one document a line for several")
    parser.add_argument("--record", type=Path, metavar="FILE", help="write every event of the round to a new file")


def run(arguments: argparse.Namespace) -> int:
    several = len(arguments.scenarios) > 1
    if several and arguments.record is not None:
        raise Malformed("--record", "is for one scenario, and there are several")
    code = 0
    for number, path in enumerate(arguments.scenarios):
        try:
            driver = play_scenario(read_scenario(path))
        except CroupierError as error:
            print(f"croupier settle: {error}", file=sys.stderr)
            if arguments.json and several:
                print(json.dumps({"error": str(error)}, ensure_ascii=False))
            code = 2
            continue
        if arguments.record is not None:
            with arguments.record.open("x", encoding="utf-8") as file:
                RecordWriter(file, driver.table.setup).append(driver.events)
        if not arguments.json:
            if several:
                print(f"{chr(10) if number else ''}{path}")
            for line in explained(driver):
                print(line)
        elif several:
            print(json.dumps(settled(driver), ensure_ascii=False))
        else:
            print_json(settled(driver))
    return code
