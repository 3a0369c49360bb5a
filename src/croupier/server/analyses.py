"""The exact house edge and variance of wagers under elections, computed in the process that thinks.

A paytable that another wager is paid by changes nothing for this one, so that turning one number computes one wager.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from croupier.errors import Malformed
from croupier.rules import Edition, Elected, edition, is_edition, no_edition

Said = dict[str, Any]
Key = tuple[str, str, tuple[tuple[str, str], ...]]
_known: dict[Key, Said] = {}
_MOST = 2_000


def bet_of(rules: Edition, wager: str) -> str:
    """The bet that an entry of a settlement belongs to: the required wagers and their bonuses are one, the Ante's."""
    if wager in rules.optional:
        return wager
    tables = rules.paytables.get(wager) or rules.envies.get(wager)
    return tables.on if tables is not None and tables.on in rules.optional else "ante"


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


def edges_asked(asked: Mapping[str, Any]) -> list[Said]:
    """Edge, variance and frequency of a win of every wager that is asked about, in the process that thinks."""
    name = asked["edition"]
    if not is_edition(name):
        raise Malformed("edition", no_edition(name))
    elected = edition(name).elect(asked["elections"])
    return [_result(elected, wager) for wager in asked["wagers"]]


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
            "variance_float": found["variance_float"],
            "hit_frequency_float": found["hit_frequency_float"],
            "average_wager_float": found.get("average_wager_float", 1.0),
            "on_a_meter": _on_a_meter(elected, wager),
        }
    return _known[key]


def _on_a_meter(elected: Elected, wager: str) -> bool:
    from croupier.games import game

    return game(elected.edition.game).table_of(wager) in elected.edition.progressives
