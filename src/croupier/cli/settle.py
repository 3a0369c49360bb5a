"""`croupier settle`"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from croupier.cli.show import print_json
from croupier.errors import CroupierError
from croupier.money import show
from croupier.scenarios import play_scenario, read_scenario, settled
from croupier.scenarios.playing import explained


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("scenarios", type=Path, nargs="+", metavar="SCENARIO", help="a round in TOML")
    parser.add_argument("--json", action="store_true", help="JSON on standard output, one document a line for several")


def run(arguments: argparse.Namespace) -> int:
    several = len(arguments.scenarios) > 1
    code = 0
    for path in arguments.scenarios:
        try:
            driver = play_scenario(read_scenario(path))
        except CroupierError as error:
            print(f"croupier settle: {error}", file=sys.stderr)
            if arguments.json and several:
                print(json.dumps({"error": str(error)}, ensure_ascii=False))
            code = 2
            continue
        result = settled(driver)
        if not arguments.json:
            for line in explained(driver):
                print(line)
            for seat in result["seats"]:
                print(f"Seat {seat['seat']}: net {show(seat['net_cents'])}")
        elif several:
            print(json.dumps(result, ensure_ascii=False))
        else:
            print_json(result)
    return code
