"""Completion scripts and man pages, read by a real shell and by groff."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from croupier.cli.commands import COMMANDS
from croupier.cli.shell_help import SHELLS, completion_script, man_pages
from croupier.regulations import EDITIONS
from tests.cli.command_runner import CliRunner


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["croupier", "anal"], {"analyze"}),
        (["croupier", "analyze", "pa-68"], {name for name in EDITIONS if name.startswith("pa-68")}),
        (["croupier", "settle", "--rec"], {"--record"}),
        (["croupier", "completion", ""], set(SHELLS)),
    ],
)
def test_bash_completes_commands_options_and_editions(tmp_path: Path, words: list[str], expected: set[str]) -> None:
    script = tmp_path / "completion.bash"
    script.write_text(completion_script("bash"), encoding="utf-8")
    quoted = " ".join(f"'{word}'" for word in words)
    program = (
        f"source {script}; COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; COMPREPLY=(); "
        'function="$(complete -p croupier | sed "s/.*-F \\([^ ]*\\) .*/\\1/")"; $function; '
        'printf "%s\\n" "${COMPREPLY[@]}"'
    )
    output = subprocess.run(["bash", "-c", program], capture_output=True, text=True, check=True).stdout
    assert set(output.split()) == expected


@pytest.mark.parametrize("shell", SHELLS)
def test_a_completion_script_knows_every_command(run: CliRunner, shell: str) -> None:
    result = run("completion", shell)
    assert (result.code, result.err) == (0, "")
    assert all(command in result.out for command in COMMANDS)
    checker = shutil.which(shell)
    if checker is not None:
        subprocess.run([checker, "-n"], input=result.out, text=True, check=True)


def test_there_is_a_man_page_for_every_command() -> None:
    pages = man_pages()
    assert set(pages) == {"croupier.1", *(f"croupier-{command}.1" for command in COMMANDS)}
    for name, command in COMMANDS.items():
        assert command.example.split()[1].replace("-", r"\-") in pages[f"croupier-{name}.1"]


def test_groff_formats_every_man_page_without_a_warning(tmp_path: Path) -> None:
    for name, text in man_pages().items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    command = ["groff", "-man", "-ww", "-Tutf8", "-z", *map(str, sorted(tmp_path.iterdir()))]
    process = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (process.returncode, process.stderr) == (0, "")


def test_man_pages_are_printed_or_written(run: CliRunner, tmp_path: Path) -> None:
    assert run("man", "settle").out.startswith('.TH "CROUPIER\\-SETTLE"')
    assert run("man", "faro").code == 2
    assert run("man", "-o", tmp_path / "man").code == 0
    assert len(list((tmp_path / "man").iterdir())) == len(COMMANDS) + 1
