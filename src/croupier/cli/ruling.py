"""`croupier ruling`"""

from __future__ import annotations

import argparse
from pathlib import Path

from croupier.cli.show import print_json, say
from croupier.money import signed
from croupier.scenarios import play_scenario, read_scenario
from croupier.scenarios.explaining import explained


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("scenario", type=Path, help="the round in TOML: cards, wagers, decisions and what went wrong")
    parser.add_argument("--html", type=Path, metavar="FILE", help="one page that needs nothing else")
    parser.add_argument("--pdf", type=Path, metavar="FILE", help="on paper")
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")


def run(arguments: argparse.Namespace) -> int:
    from croupier.reports.ruling import ruling_data, ruling_html

    scenario = read_scenario(arguments.scenario)
    driver = play_scenario(scenario)
    data = ruling_data(scenario, driver)
    if arguments.html is not None or arguments.pdf is not None:
        from croupier.cli.papers import write_papers

        write_papers(ruling_html(data), arguments.html, arguments.pdf)
    if arguments.json:
        print_json(data)
    elif arguments.html is None and arguments.pdf is None:
        for number, step in enumerate(data["steps"], 1):
            say(step, indent=" " * 5, first=f"{number:>3}. ")
        print()
        for line in explained(driver):
            print(line)
        print()
        for seat in data["seats"]:
            print(f"Seat {seat['seat']} in all: {signed(seat['net_cents'])}")
    return 0
