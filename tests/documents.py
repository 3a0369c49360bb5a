"""Runs the commands of documents; `python -m tests.documents FILE…` updates their output. Read the diff."""

from __future__ import annotations

import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path

from croupier.cli.main import main

ROOT = Path(__file__).parents[1]
FENCED = re.compile(r"^```(console|[a-z]+ title=\"[\w.-]+\")\n(.*?)^```$", re.DOTALL | re.MULTILINE)
"""Commands with their output, and files that they read."""


def run(text: str) -> str:
    """Runs every command of a document in order, in the current folder; returns the updated document."""
    parts, position = [], 0
    for block in FENCED.finditer(text):
        parts.append(text[position : block.start(2)])
        position = block.end(2)
        if block[1] == "console":
            parts.append("".join(_transcript(block[2])))
        else:
            name = re.search(r'"(.*)"', block[1])
            Path(name[1] if name else "").write_text(block[2], encoding="utf-8")
            parts.append(block[2])
    return "".join([*parts, text[position:]])


def _transcript(block: str) -> Iterator[str]:
    """The commands of a block with their output; a failing one must be followed by `$ echo $?`."""
    commands = [line.removeprefix("$ ") for line in block.splitlines() if line.startswith("$ ")]
    code = 0
    for number, command in enumerate(commands):
        yield f"$ {command}\n"
        if command == "echo $?":
            yield f"{code}\n"
            continue
        code, output = _run_command(command)
        expects_failure = commands[number + 1 : number + 2] == ["echo $?"]
        if code and not expects_failure:
            raise AssertionError(f"{command} exits with {code}: {output}")
        yield output


def _run_command(command: str) -> tuple[int, str]:
    if not command.startswith("croupier "):
        process = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)  # noqa: S602
        return process.returncode, process.stdout + process.stderr
    words, files = shlex.split(command)[1:], dict[str, Path]()
    while len(words) > 2 and words[-2] in ("<", ">"):
        *words, arrow, name = words
        files[arrow] = Path(name)
    stdin = files["<"].read_text(encoding="utf-8") if "<" in files else ""
    terminal, file = io.StringIO(), io.StringIO()
    with redirect_stdout(file if ">" in files else terminal), redirect_stderr(terminal), _stdin(stdin):
        code = main(words)
    if ">" in files:
        files[">"].write_text(file.getvalue(), encoding="utf-8")
    return code, terminal.getvalue()


@contextmanager
def _stdin(text: str) -> Iterator[None]:
    previous, sys.stdin = sys.stdin, io.StringIO(text)
    try:
        yield
    finally:
        sys.stdin = previous


def _rewrite(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    os.environ.pop("COLUMNS", None)
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        shutil.copytree(ROOT / "examples", "examples")
        updated = run(text)
    path.write_text(updated, encoding="utf-8")


if __name__ == "__main__":
    for file in sys.argv[1:]:
        _rewrite(Path(file).absolute())
