"""`python -m bench [hands] [start] [--json FILE]` runs the named parts, or all of them.

A part is a module with a function `run` that returns a list of results; to add one, list it in PARTS. The exit
status is 1 if a check fails. A missed speed target is only printed, because it depends on the machine.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path

from bench import analysis, audit, hands, server, simulation, start, storage, table
from bench.machine import describe_machine
from bench.report import as_table, write_json
from bench.result import Result

PARTS: dict[str, Callable[[], list[Result]]] = {
    "hands": hands.run,
    "start": start.run,
    "table": table.run,
    "analysis": analysis.run,
    "simulation": simulation.run,
    "storage": storage.run,
    "audit": audit.run,
    "server": server.run,
}


def main() -> int:
    parser = ArgumentParser(prog="python -m bench", description="Runs the benchmarks.")
    parser.add_argument("parts", nargs="*", metavar="part", help=f"one of {', '.join(PARTS)}; all by default")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the results to this file")
    arguments = parser.parse_args()
    unknown = [part for part in arguments.parts if part not in PARTS]
    if unknown:
        parser.error(f"there is no part {unknown[0]!r}; choose from {', '.join(PARTS)}")

    machine = describe_machine()
    results = [result for part in arguments.parts or PARTS for result in PARTS[part]()]
    print(as_table(machine, results))
    if arguments.json:
        write_json(arguments.json, machine, results)
    return int(any(result.is_check and not result.met for result in results))


if __name__ == "__main__":
    raise SystemExit(main())
