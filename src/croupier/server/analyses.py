"""The exact house edge and variance of wagers under elections, computed in the process that thinks.

A paytable that another wager is paid by changes nothing for this one, so that turning one number computes one wager.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from croupier.errors import Malformed
from croupier.reports.settled import bet_of
from croupier.rules import Edition, Elected, edition, is_edition, no_edition
from croupier.server.errors import Refused
from croupier.server.logs import log
from croupier.server.thinking import Thinker
from croupier.table.setup import Setup

Said = dict[str, Any]
Key = tuple[str, str, tuple[tuple[str, str], ...]]
_known: dict[Key, Said] = {}
_MOST = 2_000


def relevant(elected: Elected, wager: str) -> tuple[tuple[str, str], ...]:
    """The choices that the result of a wager may depend on."""
    rules = elected.edition
    own = [
        (name, choice)
        for name, choice in sorted(elected.choices.items())
        if name in rules.elections
        and (rules.elections[name].kind != "paytable" or bet_of(rules, _on(rules, name)) == wager)
    ]
    return tuple(own)


def _on(rules: Edition, election: str) -> str:
    tables = rules.paytables.get(election) or rules.envies.get(election)
    return tables.on if tables is not None else election


def asked_about(rules: Edition, stated: Mapping[str, str], wagers: tuple[str, ...]) -> Said:
    """The question of a Rules Submission or a table: these wagers under these choices."""
    return {"edition": rules.name, "elections": dict(stated), "wagers": ["ante", *wagers]}


async def edges_of(thinker: Thinker, setup: Setup) -> list[Said]:
    """The exact house edge of each wager that a table offers; empty where it cannot be had now."""
    rules = setup.elected
    stated = {name: choice for name, choice in rules.choices.items() if name in rules.edition.elections}
    offered = tuple(wager for wager in rules.edition.optional if wager in setup.limits)
    try:
        found: list[Said] = await thinker.ask("edges", asked_about(rules.edition, stated, offered))
    except Refused as error:
        log.warning("the house edges cannot be had", extra={"edition": rules.edition.name, "reason": str(error)})
        return []
    shown = ("wager", "title", "house_edge", "house_edge_percent", "hit_frequency")
    return [{name: one[name] for name in shown} for one in found]


def edges_asked(asked: Mapping[str, Any]) -> list[Said]:
    """Edge, variance and frequency of a win of every wager that is asked about, in the process that thinks."""
    name = asked["edition"]
    if not is_edition(name):
        raise Malformed("edition", no_edition(name))
    from croupier.maths.fitting import NotExact

    elected, found = edition(name).elect(asked["elections"]), []
    for wager in asked["wagers"]:
        try:
            found.append(_result(elected, wager))
        except NotExact:  # no figure is better than a wrong one
            continue
    return found


def _result(elected: Elected, wager: str) -> Said:
    from croupier.maths.analysis import analyse_wager, as_json

    key = (elected.edition.name, wager, relevant(elected, wager))
    if key not in _known:
        if len(_known) >= _MOST:
            _known.pop(next(iter(_known)))
        found = as_json(elected, {wager: analyse_wager(elected, wager)})["wagers"][wager]
        _known[key] = {
            "wager": wager,
            "title": elected.edition.wagers[wager].title,
            "house_edge": found["house_edge"],
            "house_edge_percent": found["house_edge_percent"],
            "hit_frequency": found["hit_frequency"],
            "variance_float": found["variance_float"],
            "hit_frequency_float": found["hit_frequency_float"],
            "average_wager_float": found.get("average_wager_float", 1.0),
            "on_a_meter": _on_a_meter(elected, wager),
        }
    return _known[key]


def _on_a_meter(elected: Elected, wager: str) -> bool:
    from croupier.games import game

    return game(elected.edition.game).table_of(wager) in elected.edition.progressives
