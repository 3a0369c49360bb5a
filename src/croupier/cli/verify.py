"""`croupier verify`: an exported round of a verifiable deal, checked offline."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from croupier.cli.show import print_json
from croupier.errors import Malformed
from croupier.exports.verifying import verified


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("round", type=Path, metavar="ROUND.json", help="a round as export --format json writes it")
    parser.add_argument("--commitment", default="", metavar="HEX", help="the commitment that you noted at the table")
    parser.add_argument("--contribution", metavar="TEXT", help="the text that you contributed")
    parser.add_argument("--json", action="store_true", help="JSON on standard output")


def run(arguments: argparse.Namespace) -> int:
    path: Path = arguments.round
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise Malformed(str(path), f"cannot be read: {(error.strerror or str(error)).lower()}") from error
    except (ValueError, RecursionError) as error:
        raise Malformed(str(path), "is not JSON") from error
    checks = verified(data, str(path), arguments.commitment, arguments.contribution)
    holds = all(check.holds for check in checks)
    if arguments.json:
        stated = [{"check": check.what, "holds": check.holds} for check in checks]
        print_json({"round": data.get("round"), "deal": data.get("deal"), "verified": holds, "checks": stated})
    else:
        print(f"Round {data.get('round')}, deal {data.get('deal')}")
        for check in checks:
            print(f"  {'yes' if check.holds else 'NO':>3}  {check.what}")
        print("The deal is verified." if holds else "The deal is not what was committed to.")
    return 0 if holds else 1
