"""The `croupier` command: dispatches to a subcommand and turns errors into one sentence and an exit code."""

from __future__ import annotations

import argparse
import gc
import importlib
import io
import os
import re
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NoReturn

from croupier.cli.commands import ALIASES, COMMAND_GROUPS, COMMANDS, FIRST_COMMANDS
from croupier.cli.output import describe_bug, output_width, print_paragraph
from croupier.core.errors import CroupierError
from croupier.core.suggestions import did_you_mean
from croupier.core.version import VERSION

INTERRUPTED = 130
"""The exit code after Ctrl-C, as shells have it."""


class _Parser(argparse.ArgumentParser):
    """Reports a usage error as one sentence with exit code 2."""

    def error(self, message: str) -> NoReturn:
        if unknown := re.match(r"unrecognized arguments: (--[\w-]+)", message):
            options = [option for action in self._actions for option in action.option_strings]
            message += did_you_mean(unknown[1], options)
        self.exit(2, f"{self.prog}: {message}; see {self.prog} --help\n".replace("?; see", "? See"))


class _MainParser(_Parser):
    """The parser of all commands; its help lists them in groups."""

    def format_help(self) -> str:
        return help_text()


def help_text() -> str:
    """The help of `croupier` itself: every command, in groups."""
    lines = [
        "usage: croupier COMMAND …",
        "",
        *_wrap_help("Runs, explains and proves regulated casino poker table games."),
    ]
    for group in COMMAND_GROUPS:
        example = next(iter(COMMAND_GROUPS[group].values())).example
        lines += ["", *_wrap_help(f"{group}, as in {example}:"), *_command_lines(group)]
    lines += [
        "",
        *_wrap_help("croupier help COMMAND explains a command, and croupier help GROUP gives examples."),
        *_wrap_help("Not approved gaming equipment. Exit codes: 0 fine, 1 the answer is no, 2 bad input."),
    ]
    return "\n".join(lines) + "\n"


def _wrap_help(text: str) -> list[str]:
    return textwrap.wrap(text, output_width(), subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def _command_lines(group: str, *, examples: bool = False) -> Iterator[str]:
    width = max(24, output_width() - 1)
    for name, command in COMMAND_GROUPS[group].items():
        summary = command.summary[:1].upper() + command.summary[1:]
        yield from textwrap.wrap(
            summary, width, initial_indent=f"  {name:<15}", subsequent_indent=" " * 17, break_long_words=False
        )
        if examples:
            yield f"{' ' * 17}{command.example}"


def build_parser(command: str | None = None) -> argparse.ArgumentParser:
    """The parser of one command, with its arguments; without a command, of all commands, without theirs."""
    parser = _MainParser(prog="croupier")
    parser.add_argument("--version", action="version", version=f"croupier {VERSION}")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=_Parser)
    for name in [command] if command in COMMANDS else COMMANDS:
        _, summary, example = COMMANDS[name]
        description = summary[:1].upper() + summary[1:] + "."
        subparser = subparsers.add_parser(name, help=summary, description=description, epilog=f"Example: {example}")
        if name == command:
            _command_function(name, "add_{}_arguments")(subparser)
    return parser


def build_full_parser() -> argparse.ArgumentParser:
    """The parser for all commands with the arguments of every one, which imports every module of commands."""
    parser = build_parser()
    for name, subparser in subparsers(parser).items():
        _command_function(name, "add_{}_arguments")(subparser)
    return parser


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Parses the arguments of a command; the parser of the command, which knows its options, reports an unknown one."""
    parser = build_parser(arguments[0])
    parsed, unknown = parser.parse_known_args(arguments)
    if unknown:
        subparsers(parser)[parsed.command].error(f"unrecognized arguments: {' '.join(unknown)}")
    return parsed


def subparsers(parser: argparse.ArgumentParser) -> Mapping[str, argparse.ArgumentParser]:
    """The parser of each command."""
    (action,) = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    choices: Mapping[str, argparse.ArgumentParser] = action.choices
    return choices


def _greet() -> int:
    """Presents the most useful commands, for somebody who typed `croupier` alone."""
    print_paragraph("Croupier runs, explains and proves regulated casino poker table games. To begin:")
    print()
    indent = " " * (max(len(COMMANDS[name].example) for name in FIRST_COMMANDS) + 4)
    for name in FIRST_COMMANDS:
        command = COMMANDS[name]
        if len(indent) * 2 > output_width():
            print(f"  {command.example}")
            print_paragraph(command.summary, indent=" " * 6)
        else:
            print_paragraph(command.summary, indent=indent, first_indent=f"  {command.example}".ljust(len(indent)))
    print("\ncroupier --help lists every command.")
    return 0


def _explain(topics: Sequence[str]) -> int:
    """`croupier help`: about everything, a group of commands or a command."""
    topic = " ".join(topics).lower()
    group = next((name for name in COMMAND_GROUPS if name.lower() == topic), None)
    if group is not None:
        print("\n".join([f"{group}:", *_command_lines(group, examples=True)]))
        return 0
    command = ALIASES.get(topic, topic)
    if command in COMMANDS:
        parser = build_parser(command)
        with suppress(SystemExit):
            parser.parse_args([command, "--help"])
        return 0
    if not topic:
        print(help_text(), end="")
        return 0
    names = [*COMMANDS, *(name.lower() for name in COMMAND_GROUPS)]
    suggestion = did_you_mean(topic, names) or f"; the groups are {', '.join(COMMAND_GROUPS)}"
    print(f"croupier help: there is no command or group {topic!r}{suggestion}", file=sys.stderr)
    return 2


def _command_function(command: str, pattern: str) -> Callable[[Any], Any]:
    """A function from the module of a command, such as `run_{}`."""
    module = importlib.import_module(f"croupier.cli.{COMMANDS[command].module}")
    function: Callable[[Any], Any] = getattr(module, pattern.format(command.replace("-", "_")))
    return function


def main(arguments: Sequence[str]) -> int:
    """Runs one command and returns its exit code; reports bad input, or a bug, in one sentence on standard error."""
    try:
        return _dispatch(arguments)
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return INTERRUPTED


def _dispatch(arguments: Sequence[str]) -> int:
    if not arguments:
        return _greet()
    if arguments[0] == "help":
        return _explain(arguments[1:])
    arguments = [ALIASES.get(arguments[0], arguments[0]), *arguments[1:]]
    if not arguments[0].startswith("-") and arguments[0] not in COMMANDS:
        suggestion = did_you_mean(arguments[0], COMMANDS) or "; croupier --help lists every command"
        print(f"croupier: there is no command {arguments[0]!r}{suggestion}", file=sys.stderr)
        return 2
    parsed = _parse(arguments)
    _enable_collector()
    try:
        exit_code = _command_function(parsed.command, "run_{}")(parsed)
        sys.stdout.flush()
    except CroupierError as error:
        from croupier.cli.files import hide_temporary_name

        print(f"croupier {parsed.command}: {hide_temporary_name(str(error))}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # The reader closed the pipe, as in `croupier clauses | head`.
        _discard_output()
        return 0
    except OSError as error:
        _discard_output()
        place, reason = error.filename or "standard output", (error.strerror or str(error)).lower()
        print(f"croupier {parsed.command}: {place}: cannot be used ({reason})", file=sys.stderr)
        return 2
    except Exception as error:  # an InvariantError, or whatever else nobody expected
        print(f"croupier {parsed.command}: {describe_bug(error)}", file=sys.stderr)
        return 2
    return int(exit_code)


def _enable_collector() -> None:
    """Enables the collector of reference cycles, which the entry point disabled; it never looks at what was loaded."""
    if not gc.isenabled():
        gc.freeze()
        gc.enable()


def _discard_output() -> None:
    """Redirects standard output to the null device, so that the interpreter can flush it on exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def run() -> NoReturn:
    """The entry point of the console script."""
    if sys.stdout is None:  # closed by the caller
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    exit_code = main(sys.argv[1:])
    gc.freeze()  # the process ends: nothing is left to collect
    sys.exit(exit_code)
