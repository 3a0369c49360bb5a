"""The exact house edge of every wager of a table: computed once for each choice of paytables, in its own process."""

from __future__ import annotations

import json
import subprocess
import sys
from threading import Lock
from typing import Any

from croupier.server.logs import log
from croupier.table.setup import Setup
from croupier.table.why import title_of

_SECONDS = 120
_known: dict[tuple[str, str], list[dict[str, Any]]] = {}
_lock = Lock()


def edges_of(setup: Setup) -> list[dict[str, Any]]:
    """For each wager that is offered its house edge, as a fraction and in percent; empty where it cannot be had."""
    rules = setup.elected
    stated = {name: choice for name, choice in rules.choices.items() if name in rules.edition.elections}
    key = (rules.edition.name, json.dumps(stated, sort_keys=True))
    with _lock:
        if key not in _known:
            _known[key] = _analyzed(setup, stated)
        return _known[key]


def _analyzed(setup: Setup, stated: dict[str, str]) -> list[dict[str, Any]]:
    elected = [part for name, choice in stated.items() for part in ("--elect", f"{name}={choice}")]
    command = [sys.executable, "-m", "croupier", "analyze", setup.elected.edition.name, *elected, "--json"]
    try:
        done = subprocess.run(command, capture_output=True, timeout=_SECONDS, check=True)  # noqa: S603
        wagers = json.loads(done.stdout)["wagers"]
    except (subprocess.SubprocessError, ValueError, KeyError) as error:
        log.warning(
            "the house edges cannot be had", extra={"edition": setup.elected.edition.name, "reason": str(error)}
        )
        return []
    offered = {*setup.limits, "ante"}
    return [
        {
            "wager": wager,
            "title": title_of(setup, wager),
            "house_edge": found["house_edge"],
            "house_edge_percent": found["house_edge_percent"],
            "hit_frequency": found["hit_frequency"],
        }
        for wager, found in wagers.items()
        if wager in offered and "house_edge" in found
    ]
