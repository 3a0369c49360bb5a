"""The exact house edge and variance of wagers under elections, computed in the process that thinks.

A paytable that another wager is paid by changes nothing for this one, so that turning one number computes one wager.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from croupier.core.errors import InputError
from croupier.regulations import Edition, ElectedEdition, edition, is_edition, unknown_edition_message
from croupier.reports.hold import Expected, bet_of
from croupier.server.errors import HttpError
from croupier.server.logs import log
from croupier.server.workers.analysis import AnalysisWorker
from croupier.table.model.setup import Setup

Payload = dict[str, Any]
Key = tuple[str, str, tuple[tuple[str, str], ...]]
_results: dict[Key, Payload] = {}
_MAX_RESULTS = 2_000


def relevant_choices(elected: ElectedEdition, wager: str) -> tuple[tuple[str, str], ...]:
    """The choices that the result of a wager may depend on."""
    rules = elected.edition
    own = [
        (name, choice)
        for name, choice in sorted(elected.choices.items())
        if name in rules.elections
        and (rules.elections[name].kind != "paytable" or bet_of(rules, _wager_of(rules, name)) == wager)
    ]
    return tuple(own)


def _wager_of(rules: Edition, election: str) -> str:
    tables = rules.paytables.get(election) or rules.envies.get(election)
    return tables.on if tables is not None else election


def edge_query(rules: Edition, stated: Mapping[str, str], wagers: tuple[str, ...]) -> Payload:
    """The question of a Rules Submission or a table: these wagers under these choices."""
    return {"edition": rules.name, "elections": dict(stated), "wagers": ["ante", *wagers]}


async def table_edges(worker: AnalysisWorker, setup: Setup) -> list[Payload]:
    """The exact house edge of each wager that a table offers; empty where it cannot be had now."""
    rules = setup.elected
    stated = {name: choice for name, choice in rules.choices.items() if name in rules.edition.elections}
    offered = tuple(wager for wager in rules.edition.optional if wager in setup.limits)
    try:
        found: list[Payload] = await worker.run("edges", edge_query(rules.edition, stated, offered))
    except HttpError as error:
        log.warning("the house edges cannot be had", extra={"edition": rules.edition.name, "reason": str(error)})
        return []
    shown = ("wager", "title", "house_edge", "house_edge_percent", "hit_frequency")
    return [{name: one[name] for name in shown} for one in found]


def compute_edges(asked: Mapping[str, Any]) -> list[Payload]:
    """Edge, variance and frequency of a win of every wager that is asked about, in the process that thinks."""
    name = asked["edition"]
    if not is_edition(name):
        raise InputError("edition", unknown_edition_message(name))
    from croupier.analysis.supported_shapes import NotExact

    elected, found = edition(name).elect(asked["elections"]), []
    for wager in asked["wagers"]:
        try:
            found.append(_result(elected, wager))
        except NotExact:  # no figure is better than a wrong one
            continue
    return found


def _result(elected: ElectedEdition, wager: str) -> Payload:
    from croupier.analysis.house_edges import analyze_wager, as_json

    key = (elected.edition.name, wager, relevant_choices(elected, wager))
    if key not in _results:
        if len(_results) >= _MAX_RESULTS:
            _results.pop(next(iter(_results)))
        result = analyze_wager(elected, wager)
        found = as_json(elected, {wager: result})["wagers"][wager]
        _results[key] = {
            "wager": wager,
            "title": elected.edition.wagers[wager].title,
            "house_edge": found["house_edge"],
            "house_edge_percent": found["house_edge_percent"],
            "hit_frequency": found["hit_frequency"],
            "variance_float": found["variance_float"],
            "hit_frequency_float": found["hit_frequency_float"],
            "average_wager_float": found.get("average_wager_float", 1.0),
            "on_a_meter": not Expected.of(result).is_fixed,
        }
    return _results[key]
