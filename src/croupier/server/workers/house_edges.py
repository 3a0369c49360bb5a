"""Exact house edges and variances of wagers under elections, computed in the analysis process.

Results are cached by the elections that a wager depends on, so changing one paytable recomputes one wager.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from croupier.core.errors import InputError
from croupier.regulations import Edition, ElectedEdition, edition, is_edition, unknown_edition_message
from croupier.reports.hold import Expected, bet_of
from croupier.server.errors import HttpError
from croupier.server.logs import log
from croupier.server.payloads.rules import SubmissionEdge, SubmissionWarning, TableEdge
from croupier.server.workers.analysis import AnalysisWorker
from croupier.submissions.model import parse_submission
from croupier.submissions.text_edits import parse_text
from croupier.table.model.setup import Setup

Payload = dict[str, Any]
Key = tuple[str, str, tuple[tuple[str, str], ...]]
_results: dict[Key, SubmissionEdge] = {}
_MAX_RESULTS = 2_000


def relevant_choices(elected: ElectedEdition, wager: str) -> tuple[tuple[str, str], ...]:
    """The elections that the result of a wager may depend on."""
    rules = elected.edition
    choices = [
        (name, choice)
        for name, choice in sorted(elected.choices.items())
        if name in rules.elections
        and (rules.elections[name].kind != "paytable" or bet_of(rules, _wager_of(rules, name)) == wager)
    ]
    return tuple(choices)


def _wager_of(rules: Edition, election: str) -> str:
    tables = rules.paytables.get(election) or rules.envies.get(election)
    return tables.on if tables is not None else election


def edge_query(rules: Edition, elections: Mapping[str, str], wagers: tuple[str, ...]) -> Payload:
    """The analysis worker's query for wagers under elections."""
    return {"edition": rules.name, "elections": dict(elections), "wagers": ["ante", *wagers]}


async def table_edges(worker: AnalysisWorker, setup: Setup) -> list[TableEdge]:
    """The exact house edge of each wager that a table offers; empty if the worker is unavailable."""
    rules = setup.elected
    elections = {name: choice for name, choice in rules.choices.items() if name in rules.edition.elections}
    offered = tuple(wager for wager in rules.edition.optional if wager in setup.limits)
    try:
        results: list[SubmissionEdge] = await worker.run("edges", edge_query(rules.edition, elections, offered))
    except HttpError as error:
        log.warning("house edges are unavailable", extra={"edition": rules.edition.name, "reason": str(error)})
        return []
    return [
        {
            "wager": result["wager"],
            "title": result["title"],
            "house_edge": result["house_edge"],
            "house_edge_percent": result["house_edge_percent"],
            "hit_frequency": result["hit_frequency"],
        }
        for result in results
    ]


def compute_edges(query: Mapping[str, Any]) -> list[SubmissionEdge]:
    """House edge, variance and hit frequency of the wagers in a query; runs in the analysis process."""
    name = query["edition"]
    if not is_edition(name):
        raise InputError("edition", unknown_edition_message(name))
    from croupier.analysis.results import NotExact

    elected, results = edition(name).elect(query["elections"]), []
    for wager in query["wagers"]:
        try:
            results.append(_result(elected, wager))
        except NotExact:  # no figure is better than a wrong one
            continue
    return results


def compute_reading_warnings(query: Mapping[str, Any]) -> list[SubmissionWarning]:
    """Warnings of readings that move a house edge of a Rules Submission; runs in the analysis process."""
    from croupier.analysis.submission_warnings import warn_of_readings

    submission, _ = parse_submission(parse_text(query["text"]), "submission")
    warnings = [] if submission is None else warn_of_readings(submission)
    return [{"key": warning.key, "clause": warning.clause, "message": warning.message} for warning in warnings]


def _result(elected: ElectedEdition, wager: str) -> SubmissionEdge:
    from croupier.analysis.house_edges import analyze_wager
    from croupier.analysis.wagers import as_json

    key = (elected.edition.name, wager, relevant_choices(elected, wager))
    if key not in _results:
        if len(_results) >= _MAX_RESULTS:
            _results.pop(next(iter(_results)))
        result = analyze_wager(elected, wager)
        figures = as_json(elected, {wager: result})["wagers"][wager]
        _results[key] = {
            "wager": wager,
            "title": elected.edition.wagers[wager].title,
            "house_edge": figures["house_edge"],
            "house_edge_percent": figures["house_edge_percent"],
            "hit_frequency": figures["hit_frequency"],
            "variance_float": figures["variance_float"],
            "hit_frequency_float": figures["hit_frequency_float"],
            "average_wager_float": figures.get("average_wager_float", 1.0),
            "on_a_meter": not Expected.of(result).is_fixed,
        }
    return _results[key]
