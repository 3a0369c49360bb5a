"""`croupier digest`: which program this is (LOG-5)."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from croupier import __version__
from croupier.cli.show import print_json
from croupier.digest import installed, short, total
from croupier.errors import Malformed


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--verify", type=Path, metavar="FILE", help="compare with a list that was printed before")
    parser.add_argument("--json", action="store_true", help="JSON on standard output")


def run(arguments: argparse.Namespace) -> int:
    files = installed()
    changed = [] if arguments.verify is None else _differences(arguments.verify)
    if arguments.json:
        document = {"version": __version__, "digest": total(files), "short": short(files)}
        told = {"differences": changed} if arguments.verify else {"files": dict(files)}
        print_json({**document, **told})
    elif arguments.verify is not None:
        for line in changed:
            print(line)
        same = f"All {len(files)} files are as listed: {total(files)}"
        print(same if not changed else f"{len(changed)} file{'s' * (len(changed) != 1)} not as listed.")
    else:
        for path, digest in files.items():
            print(f"{digest}  {path}")
        print(f"# croupier {__version__}, {len(files)} files, in all {total(files)}, in records {short(files)}")
    return 1 if changed else 0


def _differences(path: Path) -> list[str]:
    """What is not as a list says: files changed, missing, or not on it."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise Malformed(str(path), f"cannot be read: {(error.strerror or str(error)).lower()}") from error
    except UnicodeDecodeError as error:
        raise Malformed(str(path), "is not a text file in UTF-8") from error
    listed: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        if line.startswith("#") or not line.strip():
            continue
        match = re.fullmatch(r"([0-9a-f]{64})  (\S.*)", line)
        if match is None:
            raise Malformed(f"{path}, line {number}", "is not a digest and a path as `croupier digest` prints them")
        listed[match[2]] = match[1]
    if not listed:
        raise Malformed(str(path), "lists no file")
    now = dict(installed())
    return [
        f"{name}: {'changed' if name in now and name in listed else 'missing' if name in listed else 'not on the list'}"
        for name in sorted({*now, *listed})
        if now.get(name) != listed.get(name)
    ]
