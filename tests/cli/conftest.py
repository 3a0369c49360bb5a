"""The two ways to run the command, as one fixture."""

from __future__ import annotations

from functools import partial

import pytest

from tests.cli.command_runner import Run, in_a_shell, in_process


@pytest.fixture(params=["script", "main"])
def run(request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs `croupier` with arguments; every test that asks for it runs both ways."""
    return in_a_shell if request.param == "script" else partial(in_process, capsys)
