"""`croupier settle` and `croupier ruling`."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from croupier.cli.output import print_json, print_paragraph
from croupier.core.errors import CroupierError, InputError
from croupier.core.money import format_signed_money

if TYPE_CHECKING:
    from croupier.scenarios import Scenario


def add_settle_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("scenarios", type=Path, nargs="+", metavar="SCENARIO", help="a round in a TOML file")
    parser.add_argument(
        "--json", action="store_true", help="JSON on standard output; with several files, one document per line"
    )
    parser.add_argument("--record", type=Path, metavar="FILE", help="write every event of the round to a new file")


def run_settle(arguments: argparse.Namespace) -> int:
    from croupier.scenarios import play_scenario, read_scenario, settlement_document
    from croupier.scenarios.text_report import describe_settlement
    from croupier.table.record.file import RecordWriter

    is_batch = len(arguments.scenarios) > 1
    if is_batch and arguments.record is not None:
        raise InputError("--record", "works with only one scenario")
    exit_code = 0
    for number, path in enumerate(arguments.scenarios):
        try:
            session = play_scenario(read_scenario(path))
        except CroupierError as error:
            print(f"croupier settle: {error}", file=sys.stderr)
            if arguments.json and is_batch:
                print(json.dumps({"error": str(error)}, ensure_ascii=False))
            exit_code = 2
            continue
        if arguments.record is not None:
            with arguments.record.open("x", encoding="utf-8") as file:
                RecordWriter(file, session.table.setup).append(session.events, session.causes)
        if not arguments.json:
            if is_batch:
                print(f"{chr(10) if number else ''}{path}")
            for line in describe_settlement(session):
                print(line)
        elif is_batch:
            print(json.dumps(settlement_document(session), ensure_ascii=False))
        else:
            print_json(settlement_document(session))
    return exit_code


def add_ruling_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "scenario",
        type=Path,
        nargs="?",
        metavar="SCENARIO",
        help="the round in a TOML file: cards, wagers, decisions and irregularities; without it, an interview starts",
    )
    parser.add_argument("--save", type=Path, metavar="FILE", help="save the interview as a scenario file")
    parser.add_argument("--html", type=Path, metavar="FILE", help="a self-contained web page")
    parser.add_argument("--pdf", type=Path, metavar="FILE", help="a PDF")
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")


def run_ruling(arguments: argparse.Namespace) -> int:
    from croupier.reports.ruling import ruling_data, ruling_html
    from croupier.scenarios import play_scenario, read_scenario
    from croupier.scenarios.text_report import describe_settlement

    if arguments.scenario is None:
        scenario = _ask_for_ruling(arguments)
    elif arguments.save is not None:
        raise InputError("--save", "saves an interview; this round is already in a file")
    else:
        scenario = read_scenario(arguments.scenario)
    session = play_scenario(scenario)
    data = ruling_data(scenario, session)
    if arguments.html is not None or arguments.pdf is not None:
        from croupier.cli.papers import write_document

        write_document(ruling_html(data), arguments.html, arguments.pdf)
    if arguments.json:
        print_json(data)
    elif arguments.html is None and arguments.pdf is None:
        for number, step in enumerate(data["steps"], 1):
            print_paragraph(step, indent=" " * 5, first_indent=f"{number:>3}. ")
        print()
        for line in describe_settlement(session):
            print(line)
        print()
        for seat in data["seats"]:
            print(f"Seat {seat['seat']} in total: {format_signed_money(seat['net_cents'])}")
    return 0


def _ask_for_ruling(arguments: argparse.Namespace) -> Scenario:
    """Asks for the round; with --json the questions go to standard error."""
    from croupier.cli.prompts import Terminal, UserQuit
    from croupier.cli.ruling_interview import RulingInterview, format_scenario_file

    interview = RulingInterview(Terminal(on_standard_error=arguments.json))
    try:
        scenario = interview.ask_scenario()
    except (UserQuit, EOFError, KeyboardInterrupt) as error:
        interview.terminal.say("")
        if isinstance(error, KeyboardInterrupt):
            raise
        raise InputError("", "the interview ended before the round was complete") from error
    if arguments.save is not None:
        arguments.save.write_text(format_scenario_file(interview.data), encoding="utf-8")
        print(f"wrote {arguments.save}", file=sys.stderr)
    print(file=sys.stderr if arguments.json else sys.stdout)
    return scenario
