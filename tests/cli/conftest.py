"""A fixture that runs the command in both ways."""

from __future__ import annotations

from functools import partial

import pytest

from tests.cli.command_runner import CliRunner, run_in_process, run_script


@pytest.fixture(params=["script", "main"])
def run(request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]) -> CliRunner:
    """Runs `croupier` with arguments; a test that uses it runs once with each runner."""
    return run_script if request.param == "script" else partial(run_in_process, capsys)
