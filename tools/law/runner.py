"""Runs the tests that claim a clause under a mutation, each time in a forked child of one warm process.

The parent has Croupier, pytest and every edition loaded, but no test module: a child applies its mutation first and
collects the tests afterwards, so that values computed when a test module is imported see the mutation too.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import pkgutil
import select
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from croupier.regulations import EDITIONS, edition
from croupier.regulations.claims import clause_of_literal
from tools.law.guards import SWITCHES, cite_clauses

_MARKS = "not proof and not slow and not campaign"


@dataclass(frozen=True, slots=True)
class Job:
    """Tests to run in a child that applies a mutation first."""

    document: str
    clause: str
    tests: tuple[str, ...]
    apply: Callable[[], None]
    stop_at_failure: bool = True


@dataclass(slots=True)
class Outcome:
    """What became of a job: the tests that failed, and the places where a refusal was left out."""

    failed: list[str] = field(default_factory=list)
    passed: int = 0
    places: list[str] = field(default_factory=list)
    error: str = ""
    """Why the tests could not run: the mutation cannot be applied, a module cannot be collected, or time ran out."""
    seconds: float = 0


def load_everything() -> None:
    """Imports Croupier, and loads every edition with clauses that know their path."""
    import croupier

    for module in pkgutil.walk_packages(croupier.__path__, "croupier."):
        if not module.name.endswith(("__main__", "migrations.env")):
            with contextlib.suppress(ImportError):
                importlib.import_module(module.name)
    for name in EDITIONS:
        cite_clauses(edition(name))
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"


class _Reporter:
    """A plugin that selects the cases of a document and records which tests fail in their body."""

    def __init__(self, job: Job, outcome: Outcome) -> None:
        self.job, self.outcome = job, outcome

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        if self.job.document:
            selected = [item for item in items if self._is_about(item)]
            config.hook.pytest_deselected(items=[item for item in items if item not in selected])
            items[:] = selected

    def _is_about(self, item: pytest.Item) -> bool:
        """Whether a case is about the document and clause, as far as its parameters say."""
        callspec = getattr(item, "callspec", None)
        values = list(callspec.params.values()) if callspec is not None else []
        texts = [value for value in values if isinstance(value, str)]
        documents = {text for text in texts if text in EDITIONS}
        documents |= {value.document for value in values if getattr(value, "document", None) in EDITIONS}
        if documents and self.job.document not in documents:
            return False
        cited = [pair for text in texts for pair in clause_of_literal(text)]
        return not cited or (self.job.document, self.job.clause) in cited

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.outcome.error = f"{report.nodeid} cannot be collected"

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call":
            self.outcome.passed += report.passed
            if report.failed:
                self.outcome.failed.append(report.nodeid)

    def pytest_runtest_protocol(self, item: pytest.Item) -> None:
        if self.outcome.failed and self.job.stop_at_failure:
            item.session.shouldstop = "a test has failed"


def _run_in_child(job: Job) -> Outcome:
    outcome = Outcome()
    try:
        job.apply()
    except LookupError as error:
        outcome.error = str(error)
        return outcome
    options = ["-q", "-p", "no:cacheprovider", "--tb=line", "-m", _MARKS]
    pytest.main([*options, *job.tests], plugins=[_Reporter(job, outcome)])
    outcome.places = list(SWITCHES.places)
    return outcome


@dataclass(slots=True)
class _Child:
    number: int
    process: int
    pipe: int
    started: float
    data: bytes = b""


def run_jobs(jobs: Sequence[Job], *, children: int, seconds: float) -> Iterator[tuple[int, Outcome]]:
    """Runs jobs side by side; yields the number and the outcome of each as it ends, in any order."""
    waiting = list(range(len(jobs)))[::-1]
    running: list[_Child] = []
    while waiting or running:
        while waiting and len(running) < children:
            number = waiting.pop()
            running.append(_start(number, jobs[number]))
        ready, _, _ = select.select([child.pipe for child in running], [], [], 0.5)
        for child in list(running):
            if child.pipe in ready:
                piece = os.read(child.pipe, 1 << 16)
                child.data += piece
                if piece:
                    continue
                yield child.number, _finish(child)
                running.remove(child)
            elif time.monotonic() - child.started > seconds:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(child.process, signal.SIGKILL)
                child.data = json.dumps({"error": f"stopped after {seconds:g} seconds"}).encode()
                yield child.number, _finish(child)
                running.remove(child)


def _start(number: int, job: Job) -> _Child:
    receiver, sender = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    process = os.fork()
    if process:
        os.close(sender)
        return _Child(number, process, receiver, time.monotonic())
    status = 1
    try:
        os.setsid()
        os.close(receiver)
        log = os.environ.get("LAW_LOG", os.devnull)
        stream = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(stream, 1)
        os.dup2(stream, 2)
        outcome = _run_in_child(job)
        fields = {name: getattr(outcome, name) for name in ("failed", "passed", "places", "error")}
        with os.fdopen(sender, "wb") as pipe:
            pipe.write(json.dumps(fields).encode())
        status = 0
    finally:
        os._exit(status)


def _finish(child: _Child) -> Outcome:
    os.close(child.pipe)
    os.waitpid(child.process, 0)
    fields: dict[str, Any] = json.loads(child.data) if child.data else {"error": "the child process ended early"}
    return Outcome(**fields, seconds=time.monotonic() - child.started)


def control_failures(tests: Iterable[str], *, seconds: float) -> list[str]:
    """The tests that fail without any mutation: they can prove nothing."""
    job = Job("", "", tuple(tests), lambda: None, stop_at_failure=False)
    (_, outcome), *_ = run_jobs([job], children=1, seconds=seconds)
    return [outcome.error] if outcome.error else outcome.failed
