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
    """What a walk enters, in order, and who calls whom; traced in a process of its own, where nothing is cached."""
    command = [sys.executable, "-m", "tools.walks", "--trace", name]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    recorded: dict[str, Any] = json.loads(done.stdout)
    return recorded


def main() -> None:
    """Runs what the arguments ask for."""
    parser = argparse.ArgumentParser(prog="python -m tools.walks", description=__doc__)
    parser.add_argument("--count", action="store_true", help="count the modules that each walk enters")
    parser.add_argument("--trace", choices=list(RUNS), help="print the modules of a walk and their calls as JSON")
    arguments = parser.parse_args()
    if arguments.trace:
        recorder = run(arguments.trace)
        _say(json.dumps({"modules": list(recorder.modules), "calls": list(recorder.calls)}, indent=1))
    elif arguments.count:
        for name in RUNS:
            modules = trace(name)["modules"]
            packages = Counter(module.split(".")[1] if "." in module else module for module in modules)
            _say(f"{name}: {len(modules)} modules ({', '.join(f'{n} {package}' for package, n in packages.items())})")
            _say(textwrap.fill(" ".join(modules), 118, initial_indent="    ", subsequent_indent="    "))
    else:
        for walk in WALKS:
            (IMAGES / f"{walk.name}.svg").write_text(draw(walk), encoding="utf-8")


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main()
