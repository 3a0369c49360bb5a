"""Strategies as rules in a TOML file: the first matching rule decides; without a match the hand folds.

Against a dealer a rule has a `choice` and may have `hand` (that hand or better), `rank` (with at least
that leading rank) and `seen` (ranks of the dealer's upcard). In a board game it may have `street` (1 to
3), `pair` (a pair or better of at least that rank among the known cards), `high` with `count` (that many
cards of at least that rank) and `suited` (all known cards of one suit).
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from croupier.analysis.boards.solution import known_cards
from croupier.core.errors import InputError
from croupier.hands import ranking_named
from croupier.hands.kernels import tables_of
from croupier.hands.lookup_tables import Array
from croupier.hands.ranking import Ranking
from croupier.simulation.kernel.plan import RANK_LETTERS, BoardGroup, ContestGroup, Plan
from croupier.simulation.strategies.decisions import group_spots
from croupier.simulation.strategies.strategy import Strategy, choice_names

_CONTEST_KEYS = {"choice", "hand", "rank", "seen"}
_BOARD_KEYS = {"choice", "street", "pair", "high", "count", "suited"}


def rule_file_strategy(plan: Plan, path: Path) -> Strategy:
    """The strategy of a rule file; refuses invalid rules and names the place."""
    group = plan.required
    rules = _read_rules(path)
    if isinstance(group, BoardGroup):
        return Strategy(str(path), _board_choices(plan, group, rules, path))
    return Strategy(str(path), _contest_choices(plan, group, rules, path))


def _read_rules(path: Path) -> list[dict[str, Any]]:
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise InputError("strategy", f"the file {path} does not exist") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(str(path), f"is not TOML: {error}") from error
    rules = document.get("rules")
    if set(document) != {"rules"} or not isinstance(rules, list) or not all(isinstance(r, dict) for r in rules):
        raise InputError(str(path), "must contain [[rules]] and nothing else")
    return rules


def _contest_choices(plan: Plan, group: ContestGroup, rules: list[dict[str, Any]], path: Path) -> Array:
    spots = group_spots(group)
    ranking = ranking_named(group.contest.player_ranking)
    tables_of(ranking)
    chosen = np.zeros(len(spots.weights), dtype=np.uint8)
    for number in range(len(rules) - 1, -1, -1):
        rule, place = rules[number], f"{path}, rules[{number}]"
        _require_keys(rule, _CONTEST_KEYS, place)
        matches = spots.strengths >= _threshold(rule, ranking, place)
        if "seen" in rule:
            if plan.layout.upcard is None or spots.upcard_ranks is None:
                raise InputError(f"{place}.seen", "the dealer has no upcard in this game")
            matches &= np.isin(
                spots.upcard_ranks,
                [_parse_rank(letter, f"{place}.seen") for letter in str(rule["seen"]).replace(" ", "")],
            )
        chosen[matches] = _choice_number(rule, choice_names(group), place)
    return chosen


def _threshold(rule: Mapping[str, Any], ranking: Ranking, place: str) -> int:
    """The lowest strength that a rule matches."""
    names = [rung.name for rung in ranking.rungs]
    hand = rule.get("hand", names[0])
    if hand not in names:
        raise InputError(f"{place}.hand", f"{hand!r} is not a hand of this game; the hands are {', '.join(names)}")
    if "rank" not in rule:
        return int(ranking.span(hand).start) if "hand" in rule else 0
    min_rank = _parse_rank(rule["rank"], f"{place}.rank")
    strengths = [
        strength
        for (number, key), strength in ranking.standings().items()
        if names[number] == hand and (key[0] if key[0] >= 0 else 12) >= min_rank
    ]
    if not strengths:
        raise InputError(f"{place}.rank", f"no {hand} has a leading rank of {rule['rank']!r} or higher")
    return min(strengths)


def _board_choices(plan: Plan, group: BoardGroup, rules: list[dict[str, Any]], path: Path) -> list[Array]:
    ranking = plan.bets.elected.paytable(next(iter(group.tables.values()))).ranking
    choices, paths = [], 1
    for street, cards in enumerate(group.cards_known):
        hands = known_cards(cards, ranking).cards.astype(np.int64)
        chosen = np.full(len(hands), int(group.pulls_back[street]), dtype=np.uint8)
        for number in range(len(rules) - 1, -1, -1):
            rule, place = rules[number], f"{path}, rules[{number}]"
            _require_keys(rule, _BOARD_KEYS, place)
            if rule.get("street") not in (None, *range(1, len(group.cards_known) + 1)):
                raise InputError(f"{place}.street", f"a street is a number from 1 to {len(group.cards_known)}")
            if rule.get("street", street + 1) == street + 1:
                chosen[_match_hands(rule, hands, place)] = _choice_number(rule, choice_names(group, street), place)
        choices.append(np.repeat(chosen[None, :], paths, axis=0))
        paths *= len(group.multiples[street])
    return choices


def _match_hands(rule: Mapping[str, Any], hands: Array, place: str) -> Array:
    ranks = hands % 13
    matches: Array = np.ones(len(hands), dtype=bool)
    counts = (ranks[:, :, None] == np.arange(13)).sum(axis=1)
    if "pair" in rule:
        matches &= (counts[:, _parse_rank(rule["pair"], f"{place}.pair") :] >= 2).any(axis=1)
    if "high" in rule or "count" in rule:
        count = rule.get("count", 1)
        if not isinstance(count, int) or isinstance(count, bool) or count < 1:
            raise InputError(f"{place}.count", "must be at least 1")
        matches &= (ranks >= _parse_rank(rule.get("high", "2"), f"{place}.high")).sum(axis=1) >= count
    if "suited" in rule:
        if not isinstance(rule["suited"], bool):
            raise InputError(f"{place}.suited", "must be true or false")
        matches &= (hands // 13 == hands[:, :1] // 13).all(axis=1) == rule["suited"]
    return matches


def _require_keys(rule: Mapping[str, Any], allowed_keys: set[str], place: str) -> None:
    for key in rule:
        if key not in allowed_keys:
            raise InputError(
                f"{place}.{key}", f"is not a key of a rule; the keys are {', '.join(sorted(allowed_keys))}"
            )


def _choice_number(rule: Mapping[str, Any], names: tuple[str, ...], place: str) -> int:
    if not rule.get("choice") or rule["choice"] not in names:
        allowed = ", ".join(filter(None, names))
        raise InputError(f"{place}.choice", f"{rule.get('choice')!r} is not one of {allowed}")
    return names.index(rule["choice"])


def _parse_rank(letter: Any, place: str) -> int:
    if not isinstance(letter, str) or len(letter) != 1 or letter not in RANK_LETTERS:
        raise InputError(place, f"{letter!r} is not a rank from {RANK_LETTERS}")
    return RANK_LETTERS.index(letter)
