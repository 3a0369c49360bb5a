"""Files that commands read and write: `-` is standard input, and the ending of `-o FILE` decides its format."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from croupier.core.errors import InputError

STANDARD_INPUT = "standard input"
_FILE_STEM = "standard-input"
_SIGNATURES = ((b"SQLite format 3", ".db"), (b"{", ".jsonl"), (b"<", ".html"))
"""How the content of each format begins; anything else is TOML or CSV."""


def input_file(text: str) -> Path:
    """The path of a file to read, for argparse; `-` stands for standard input."""
    return _store_standard_input() if text == "-" else Path(text)


def input_name(text: str) -> str:
    """As `input_file`, for arguments that may also be the address of a database or the name of an edition."""
    return str(_store_standard_input()) if text == "-" else text


def is_standard_input(path: Path | str) -> bool:
    """Whether a file holds what was read from standard input."""
    return Path(path).stem == _FILE_STEM


def display_name(path: Path | str) -> str:
    """The name of a file in a sentence."""
    return STANDARD_INPUT if is_standard_input(path) else str(path)


def hide_temporary_name(text: str) -> str:
    """A message in which the copy of standard input is called by its right name."""
    for word in text.split():
        name = word.rstrip(":,;.")
        if is_standard_input(name) and Path(name).parent != Path():
            text = text.replace(name, STANDARD_INPUT)
    return text.replace(f"{_FILE_STEM}.toml", STANDARD_INPUT)


def _store_standard_input() -> Path:
    """Copies standard input to a temporary file, since commands read files more than once and by their ending."""
    import atexit
    import shutil
    import tempfile

    buffer = getattr(sys.stdin, "buffer", None)
    content: bytes = buffer.read() if buffer is not None else sys.stdin.read().encode()
    if not content.strip():
        raise argparse.ArgumentTypeError(f"{STANDARD_INPUT} is empty")
    folder = tempfile.mkdtemp(prefix="croupier-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = Path(folder) / f"{_FILE_STEM}{_ending_of(content)}"
    path.write_bytes(content)
    return path


def _ending_of(content: bytes) -> str:
    start = content.lstrip()
    for signature, ending in _SIGNATURES:
        if start.startswith(signature):
            return ending
    first_line = start.splitlines()[0]
    return ".csv" if b"," in first_line and b"=" not in first_line and not first_line.startswith(b"#") else ".toml"


def add_output_argument(parser: argparse.ArgumentParser, *formats: str) -> None:
    """Adds `-o FILE`, whose ending decides the format, and an older option for each format."""
    names = [name.upper() for name in formats]
    listed = f"{', '.join(names[:-1])} or {names[-1]}" if len(names) > 1 else names[0]
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help=f"write {listed}, by the ending of FILE; may be repeated",
    )
    for name in formats:
        if name != "json":
            parser.add_argument(f"--{name}", type=Path, metavar="FILE", help=argparse.SUPPRESS)
    parser.set_defaults(output_formats=formats)


def resolve_outputs(arguments: argparse.Namespace) -> None:
    """Files that `-o` names become the values of the older options; refuses another ending, and two files of a kind."""
    for path in arguments.output:
        name = path.suffix.lower().removeprefix(".").replace("htm", "html").replace("htmll", "html")
        if name not in arguments.output_formats:
            endings = ", ".join(f".{each}" for each in arguments.output_formats)
            raise InputError("-o", f"{path} has none of the endings {endings}, which decide what is written")
        if isinstance(getattr(arguments, name, None), Path):
            raise InputError("-o", f"{path} is a second file of the same kind")
        setattr(arguments, name, path)


def default_output(submission: Path, ending: str) -> Path:
    """The file next to a submission; refuses if the submission comes from standard input."""
    if is_standard_input(submission):
        raise InputError("-o", f"is missing: name the file to write, because the submission is {STANDARD_INPUT}")
    return submission.with_suffix(ending)
