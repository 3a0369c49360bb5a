"""`python -m tools.walks` draws the pictures; `--count` counts the modules of each walk; `--trace WALK` lists them."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import textwrap
from collections import Counter
from pathlib import Path
from typing import Any

from tools.walks.picture import draw
from tools.walks.runs import RUNS, run
from tools.walks.stages import WALKS

ROOT = Path(__file__).parents[2]
IMAGES = ROOT / "docs" / "images"


def trace(name: str) -> dict[str, Any]:
    """The modules a walk enters, in order, and their calls; traced in a new process with empty caches."""
    command = [sys.executable, "-m", "tools.walks", "--trace", name]
    process = subprocess.run(command, capture_output=True, text=True, check=True)
    recording: dict[str, Any] = json.loads(process.stdout)
    return recording


def main() -> None:
    """Runs the command line."""
    parser = argparse.ArgumentParser(prog="python -m tools.walks", description=__doc__)
    parser.add_argument("--count", action="store_true", help="count the modules that each walk enters")
    parser.add_argument("--trace", choices=list(RUNS), help="print the modules of a walk and their calls as JSON")
    arguments = parser.parse_args()
    if arguments.trace:
        recorder = run(arguments.trace)
        _print(json.dumps({"modules": list(recorder.modules), "calls": list(recorder.calls)}, indent=1))
    elif arguments.count:
        for name in RUNS:
            modules = trace(name)["modules"]
            packages = Counter(module.split(".")[1] if "." in module else module for module in modules)
            _print(f"{name}: {len(modules)} modules ({', '.join(f'{n} {package}' for package, n in packages.items())})")
            _print(textwrap.fill(" ".join(modules), 118, initial_indent="    ", subsequent_indent="    "))
    else:
        for walk in WALKS:
            (IMAGES / f"{walk.name}.svg").write_text(draw(walk), encoding="utf-8")


def _print(line: str) -> None:
    sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main()
