"""A pytest plugin, `pytest -p tools.branch_coverage`: the branch coverage of the package in one line at the end.

SlipCover inserts its probes when a module is imported and disarms each when it is hit, so that the tests take about a
tenth longer; taking the probes out of the code again would cost more than it gains. Modules with compiled kernels are
left out: Numba cannot compile probes, and compiled code runs none. Code that runs in a process of its own, such as a
server, does not count.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

PACKAGE = Path("src/croupier")
COMPILED = ("njit", "numba")
"""A module that contains one of these words has compiled kernels."""
KEY = "branch_coverage"


def compiled_modules(package: Path = PACKAGE) -> list[str]:
    """The modules with compiled kernels, which cannot be measured."""
    paths = sorted(package.rglob("*.py"))
    return [str(path) for path in paths if any(word in path.read_text(encoding="utf-8") for word in COMPILED)]


def percent_covered(files: Mapping[str, Mapping[str, Any]]) -> float:
    """The share of lines and branches that were run, in percent."""
    executed = sum(len(file["executed_lines"]) + len(file["executed_branches"]) for file in files.values())
    missing = sum(len(file["missing_lines"]) + len(file["missing_branches"]) for file in files.values())
    return 100 * executed / (executed + missing) if executed + missing else 0.0


class BranchCoverage:
    """Measures the tests of this process, and in the process that distributes them adds up what the others measured."""

    def __init__(self, *, distributes: bool) -> None:
        import slipcover  # only now, because pytest warns if one of its plugins was imported before it starts

        self.merge = slipcover.merge_coverage
        self.merged: dict[str, Any] = {}
        self.measured: slipcover.Slipcover | None = None
        if not distributes:
            omitted = compiled_modules()
            self.measured = slipcover.Slipcover(branch=True, immediate=True, source=[str(PACKAGE)], omit=omitted)
            slipcover.ImportManager(self.measured, slipcover.FileMatcher([str(PACKAGE)], omitted)).__enter__()

    def add(self, coverage: dict[str, Any]) -> None:
        self.merged = self.merge(self.merged, coverage) if self.merged else coverage

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self.measured is None:
            return
        coverage = self.measured.get_coverage()
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput[KEY] = json.dumps(coverage)
        else:
            self.add(coverage)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        if KEY in getattr(node, "workeroutput", {}):
            self.add(json.loads(node.workeroutput[KEY]))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self.merged:
            share = percent_covered(self.merged["files"])
            terminalreporter.write_line(f"Branch coverage: {share:.1f} percent of {PACKAGE}, compiled kernels apart")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Iterator[None]:
    imported = [name for name in sys.modules if name.partition(".")[0] == "croupier"]
    if imported:
        raise pytest.UsageError(f"{imported[0]} was imported before its coverage could be measured")
    is_worker = "PYTEST_XDIST_WORKER" in os.environ
    distributes = not is_worker and bool(early_config.known_args_namespace.numprocesses)
    early_config.pluginmanager.register(BranchCoverage(distributes=distributes), KEY)
    return (yield)
