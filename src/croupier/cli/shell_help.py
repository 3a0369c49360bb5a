"""`croupier completion` and `croupier man`: completion scripts and man pages, both made from the parsers."""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from croupier.cli.commands import COMMAND_GROUPS, COMMANDS
from croupier.cli.files import input_file, input_name
from croupier.core.errors import InputError
from croupier.core.version import VERSION

SHELLS = {
    "bash": 'eval "$(croupier completion bash)"',
    "zsh": "croupier completion zsh > ~/.zfunc/_croupier",
    "fish": "croupier completion fish > ~/.config/fish/completions/croupier.fish",
}
"""The shells, and how each loads its script."""
EXIT_CODES = (
    ("0", "The command succeeded."),
    ("1", "The answer is no: an audit found something, or a check failed."),
    ("2", "The input is bad; one sentence on standard error says what and where."),
    ("130", "Ctrl-C interrupted the command."),
)


def add_completion_arguments(parser: argparse.ArgumentParser) -> None:
    loading = "; ".join(f"{shell}: {command}" for shell, command in SHELLS.items())
    parser.add_argument("shell", choices=tuple(SHELLS), metavar="SHELL", help=f"one of {', '.join(SHELLS)} ({loading})")


def run_completion(arguments: argparse.Namespace) -> int:
    print(completion_script(arguments.shell), end="")
    return 0


def completion_script(shell: str) -> str:
    """The script that completes commands, options, editions and files in a shell."""
    import shtab

    from croupier.cli.arguments import parse_edition_name
    from croupier.cli.main import build_full_parser, subparsers
    from croupier.plugins.discovery import shipped_editions
    from croupier.regulations import EDITIONS

    parser = build_full_parser()
    for command in subparsers(parser).values():
        for action in command._actions:
            if action.choices is None and (action.type is parse_edition_name or action.metavar == "EDITION"):
                action.choices = (*EDITIONS, *shipped_editions())
            elif action.type in (Path, input_file, input_name):
                action.complete = shtab.FILE  # type: ignore[attr-defined]
    return shtab.complete(parser, shell=shell) + "\n"


def add_man_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("page", nargs="?", metavar="COMMAND", help="the page of a command (default: of croupier)")
    parser.add_argument("-o", "--output", type=Path, metavar="FOLDER", help="write every page to this folder")


def run_man(arguments: argparse.Namespace) -> int:
    if arguments.output is not None:
        if arguments.page is not None:
            raise InputError("-o", "writes every page; leave out the name of the command")
        arguments.output.mkdir(parents=True, exist_ok=True)
        for name, text in man_pages().items():
            (arguments.output / name).write_text(text, encoding="utf-8")
        print(f"wrote {len(man_pages())} pages to {arguments.output}", file=sys.stderr)
        return 0
    name = "croupier.1" if arguments.page is None else f"croupier-{arguments.page}.1"
    pages = man_pages()
    if name not in pages:
        raise InputError(arguments.page, f"is not a command; the commands are {', '.join(COMMANDS)}")
    viewer = shutil.which("man")
    if viewer is None or not sys.stdout.isatty():
        print(pages[name], end="")
        return 0
    with tempfile.NamedTemporaryFile("w", suffix=f"-{name}", encoding="utf-8") as file:
        file.write(pages[name])
        file.flush()
        return subprocess.run([viewer, "-l", file.name], check=False).returncode  # noqa: S603


def man_pages() -> dict[str, str]:
    """Every man page by file name: that of `croupier`, and one for each command."""
    from croupier.cli.main import build_full_parser, subparsers

    parsers = subparsers(build_full_parser())
    pages = {"croupier.1": "\n".join(_main_page()) + "\n"}
    for name, parser in parsers.items():
        pages[f"croupier-{name}.1"] = "\n".join(_command_page(name, parser)) + "\n"
    return pages


def _main_page() -> Iterator[str]:
    yield _header("croupier")
    yield from _section("NAME", r"croupier \- runs, explains and proves regulated casino poker table games")
    yield from _section("SYNOPSIS", r".B croupier", r"\fICOMMAND\fR ...")
    for group, commands in COMMAND_GROUPS.items():
        yield from _section(group.upper())
        for name, command in commands.items():
            yield from (".TP", rf"\fBcroupier\-{_escape(name)}\fR(1)", _sentence(command.summary))
            yield from (".IP", rf"\fB{_escape(command.example)}\fR")
    yield from _exit_status()
    yield from _section("NOTES", "Croupier is not approved gaming equipment.")


def _command_page(name: str, parser: argparse.ArgumentParser) -> Iterator[str]:
    command = COMMANDS[name]
    yield _header(f"croupier-{name}")
    yield from _section("NAME", rf"croupier\-{_escape(name)} \- {_escape(command.summary)}")
    usage = parser.format_usage().removeprefix("usage: ").split()
    yield from _section("SYNOPSIS", ".nh", ".ad l", rf"\fBcroupier {_escape(name)}\fR", _escape(" ".join(usage[2:])))
    for group in parser._action_groups:
        actions = [action for action in group._group_actions if action.help is not argparse.SUPPRESS]
        if actions:
            yield from _section((group.title or "").upper())
            for action in actions:
                yield from _option(parser, action)
    yield from _section("EXAMPLE", ".nf", _escape(command.example), ".fi")
    yield from _exit_status()
    yield from _section("SEE ALSO", r"\fBcroupier\fR(1)")


def _option(parser: argparse.ArgumentParser, action: argparse.Action) -> Iterator[str]:
    """An option or argument with its help, as argparse would print them."""
    formatter = parser._get_formatter()
    yield from (".TP", rf"\fB{_escape(formatter._format_action_invocation(action))}\fR")
    yield _sentence(formatter._expand_help(action)) if action.help else "No description."


def _header(name: str) -> str:
    return rf'.TH "{_escape(name.upper())}" "1" "" "Croupier {VERSION}" "Croupier"'


def _section(title: str, *lines: str) -> Iterator[str]:
    yield f'.SH "{_escape(title)}"'
    yield from lines


def _exit_status() -> Iterator[str]:
    yield from _section("EXIT STATUS")
    for code, text in EXIT_CODES:
        yield from (".TP", rf"\fB{code}\fR", _escape(text))


def _sentence(text: str) -> str:
    return _escape(f"{text[:1].upper()}{text[1:]}.")


def _escape(text: str) -> str:
    r"""Text as roff prints it, with backslashes, hyphens, quotes and other special characters escaped.

    >>> print(_escape("--seen dealer.1"), _escape(".toml files"))
    \-\-seen dealer.1 \&.toml files
    """
    escaped = text.replace("\\", r"\e").replace("-", r"\-").replace("'", r"\(aq").replace('"', r"\(dq")
    escaped = "".join(c if c.isascii() else f"\\[u{ord(c):04X}]" for c in escaped)
    return rf"\&{escaped}" if escaped.startswith(".") else escaped
