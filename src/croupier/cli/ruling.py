"""`croupier ruling`"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from croupier.cli.show import print_json, say
from croupier.errors import Malformed
from croupier.money import signed
from croupier.scenarios import Scenario, play_scenario, read_scenario
from croupier.scenarios.explaining import explained


def add_arguments(parser: argparse.ArgumentParser) -> None:
    text = "the round in TOML: cards, wagers, decisions and what went wrong; left out, it is asked for"
    parser.add_argument("scenario", type=Path, nargs="?", help=text)
    parser.add_argument("--save", type=Path, metavar="FILE", help="keep a round that was asked for, as a scenario file")
    parser.add_argument("--html", type=Path, metavar="FILE", help="one page that needs nothing else")
    parser.add_argument("--pdf", type=Path, metavar="FILE", help="on paper")
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")


def run(arguments: argparse.Namespace) -> int:
    from croupier.reports.ruling import ruling_data, ruling_html

    if arguments.scenario is None:
        scenario = _asked(arguments)
    elif arguments.save is not None:
        raise Malformed("--save", "goes with a round that is asked for, and this one is in a file")
    else:
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


def _asked(arguments: argparse.Namespace) -> Scenario:
    """The round by questions; on standard error, where standard output is for a program."""
    from croupier.cli.asking import Leave, Terminal
    from croupier.cli.ruling_asked import Asked, as_scenario_file

    asked = Asked(Terminal(on_standard_error=arguments.json))
    try:
        scenario = asked.scenario()
    except (Leave, EOFError, KeyboardInterrupt) as ended:
        asked.terminal.say("")
        if isinstance(ended, KeyboardInterrupt):
            raise
        raise Malformed("", "the questions ended before there was a round to rule on") from ended
    if arguments.save is not None:
        arguments.save.write_text(as_scenario_file(asked.data), encoding="utf-8")
        print(f"wrote {arguments.save}", file=sys.stderr)
    print(file=sys.stderr if arguments.json else sys.stdout)
    return scenario
