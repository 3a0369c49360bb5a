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
    """The document as it should be: every command run, in order, in this folder."""
    parts, at = [], 0
    for block in FENCED.finditer(text):
        parts.append(text[at : block.start(2)])
        at = block.end(2)
        if block[1] == "console":
            parts.append("".join(_transcript(block[2])))
        else:
            name = re.search(r'"(.*)"', block[1])
            Path(name[1] if name else "").write_text(block[2], encoding="utf-8")
            parts.append(block[2])
    return "".join([*parts, text[at:]])


def _transcript(block: str) -> Iterator[str]:
    """The commands of a block with their output; one that fails must be followed by `$ echo $?`."""
    commands = [line.removeprefix("$ ") for line in block.splitlines() if line.startswith("$ ")]
    code = 0
    for number, command in enumerate(commands):
        yield f"$ {command}\n"
        if command == "echo $?":
            yield f"{code}\n"
            continue
        code, printed = _run_command(command)
        expects_failure = commands[number + 1 : number + 2] == ["echo $?"]
        if code and not expects_failure:
            raise AssertionError(f"{command} ends with {code}: {printed}")
        yield printed


def _run_command(command: str) -> tuple[int, str]:
    if not command.startswith("croupier "):
        done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)  # noqa: S602
        return done.returncode, done.stdout + done.stderr
    words, files = shlex.split(command)[1:], dict[str, Path]()
    while len(words) > 2 and words[-2] in ("<", ">"):
        *words, arrow, name = words
        files[arrow] = Path(name)
    typed = files["<"].read_text(encoding="utf-8") if "<" in files else ""
    printed, written = io.StringIO(), io.StringIO()
    with redirect_stdout(written if ">" in files else printed), redirect_stderr(printed), _stdin(typed):
        code = main(words)
    if ">" in files:
        files[">"].write_text(written.getvalue(), encoding="utf-8")
    return code, printed.getvalue()


@contextmanager
def _stdin(text: str) -> Iterator[None]:
    before, sys.stdin = sys.stdin, io.StringIO(text)
    try:
        yield
    finally:
        sys.stdin = before


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
