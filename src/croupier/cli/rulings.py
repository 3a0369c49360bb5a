"""`croupier settle`"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from croupier.cli.output import print_json, say
from croupier.core.errors import CroupierError, InputError
from croupier.core.money import format_signed_money

if TYPE_CHECKING:
    from croupier.scenarios import Scenario


def add_settle_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("scenarios", type=Path, nargs="+", metavar="SCENARIO", help="a round in TOML")
    parser.add_argument(
        "--json", action="store_true", help="JSON on standard output; one document per line for several files"
    )
    parser.add_argument("--record", type=Path, metavar="FILE", help="write every event of the round to a new file")


def run_settle(arguments: argparse.Namespace) -> int:
    from croupier.scenarios import play_scenario, read_scenario, settled
    from croupier.scenarios.text_report import explained
    from croupier.table.record.file import RecordWriter

    several = len(arguments.scenarios) > 1
    if several and arguments.record is not None:
        raise InputError("--record", "works with one scenario only")
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
                RecordWriter(file, driver.table.setup).append(driver.events, driver.causes)
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


def add_ruling_arguments(parser: argparse.ArgumentParser) -> None:
    text = "the round in TOML: cards, wagers, decisions and irregularities; without it, questions are asked"
    parser.add_argument("scenario", type=Path, nargs="?", help=text)
    parser.add_argument(
        "--save", type=Path, metavar="FILE", help="save the answers to the questions as a scenario file"
    )
    parser.add_argument("--html", type=Path, metavar="FILE", help="a self-contained web page")
    parser.add_argument("--pdf", type=Path, metavar="FILE", help="a PDF")
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")


def run_ruling(arguments: argparse.Namespace) -> int:
    from croupier.reports.ruling import ruling_data, ruling_html
    from croupier.scenarios import play_scenario, read_scenario
    from croupier.scenarios.text_report import explained

    if arguments.scenario is None:
        scenario = _ask_for_ruling(arguments)
    elif arguments.save is not None:
        raise InputError("--save", "is for answers to the questions; this round is in a file already")
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
            print(f"Seat {seat['seat']} in total: {format_signed_money(seat['net_cents'])}")
    return 0


def _ask_for_ruling(arguments: argparse.Namespace) -> Scenario:
    """The round by questions; on standard error, where standard output is for a program."""
    from croupier.cli.prompts import Terminal, UserQuit
    from croupier.cli.ruling_interview import RulingInterview, as_scenario_file

    interview = RulingInterview(Terminal(on_standard_error=arguments.json))
    try:
        scenario = interview.scenario()
    except (UserQuit, EOFError, KeyboardInterrupt) as ended:
        interview.terminal.say("")
        if isinstance(ended, KeyboardInterrupt):
            raise
        raise InputError("", "the questions ended before the round was complete") from ended
    if arguments.save is not None:
        arguments.save.write_text(as_scenario_file(interview.data), encoding="utf-8")
        print(f"wrote {arguments.save}", file=sys.stderr)
    print(file=sys.stderr if arguments.json else sys.stdout)
    return scenario
