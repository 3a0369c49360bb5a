"""The reference of the command line, generated from the argument parsers."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from croupier.cli.commands import COMMAND_GROUPS, Subcommand
from croupier.cli.main import build_parser, subparsers


def page() -> str:
    """Every command with its arguments."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield "# Commands"
    yield ""
    yield "Exit codes: 0 success; 1 the answer is no; 2 bad input, with one sentence on standard error. `--json` prints"
    yield "one JSON document on standard output and nothing else."
    for group, commands in COMMAND_GROUPS.items():
        yield ""
        yield f"## {group}"
        for name, command in commands.items():
            yield from _command_lines(name, command)


def _command_lines(name: str, command: Subcommand) -> Iterator[str]:
    parser = _parser_of(name)
    usage = " ".join(parser.format_usage().removeprefix("usage: ").split())
    yield ""
    yield f"### croupier {name}"
    yield ""
    yield f"{command.summary[:1].upper()}{command.summary[1:]}. Example: `{command.example}`"
    yield ""
    yield f"```text\n{usage}\n```"
    rows = [row for group in parser._action_groups for row in _rows(group)]
    if rows:
        yield ""
        yield "| argument | |"
        yield "| --- | --- |"
        yield from rows


def _parser_of(name: str) -> argparse.ArgumentParser:
    parser = subparsers(build_parser(name))[name]
    parser.formatter_class = lambda prog: argparse.HelpFormatter(prog, width=400)
    return parser


def _rows(group: argparse._ArgumentGroup) -> Iterator[str]:
    for action in group._group_actions:
        if isinstance(action, argparse._HelpAction):
            continue
        label = ", ".join(action.option_strings) or str(action.metavar or action.dest)
        if action.option_strings and action.nargs != 0:
            label += f" {action.metavar or action.dest.upper()}"
        text = (action.help or "") % {"default": action.default}
        choices = ", ".join(map(str, action.choices)) if action.choices and not action.metavar else ""
        details = "; ".join(part for part in (text, choices) if part)
        yield f"| `{label}` | {_cell(details)} |"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")
