"""Where a clause decides money: the odds, paytables, limits, meters and outcomes that an edition bases on it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from croupier.regulations import edition
from croupier.regulations.edition import Edition
from croupier.regulations.rule_paths import rule_paths

_OUTCOMES = {
    "contest_win": "what {wagers} win against the dealer",
    "contest_lose": "when {wagers} lose to the dealer",
    "contest_bad_beat": "what {wagers} return in a bad beat",
    "contest_unqualified": "what {wagers} return if the dealer does not qualify",
    "table_win": "what {wagers} win",
    "table_lose": "when {wagers} lose",
    "leaving_the_table": "what a patron who leaves forfeits",
    "fold_forfeits_progressive": "what a fold forfeits",
    "credit_game_account": "which account is credited",
}
"""Rules that settle the required wagers, by the rule that the settlement cites."""


@cache
def _paths_by_clause() -> dict[tuple[str, str], tuple[str, ...]]:
    return dict(rule_paths())


def money_decisions(document: str, clause: str) -> tuple[str, ...]:
    """What a clause decides about money, one phrase each; empty if it decides nothing of the kind."""
    paths = _paths_by_clause().get((document, clause), ())
    return tuple(dict.fromkeys(_describe_paths(edition(document), paths)))


def _describe_paths(rules: Edition, paths: Sequence[str]) -> Iterator[str]:
    tables: dict[str, list[str]] = {}
    for path in paths:
        kind, _, rest = path.partition(".")
        name, _, letter = rest.partition(".")
        if kind in ("paytables", "envies"):
            tables.setdefault(f"{kind}.{name}", []).append(letter.partition(".")[0])
        elif kind == "odds":
            yield f"the odds of the {rules.title_of(name)}"
        elif kind == "progressives":
            yield f"the meter of the {rules.title_of(name)}"
        elif kind == "payout_limit":
            yield "the limit on the payouts of a round"
        elif kind == "rules":
            yield from _describe_rule(rules, name)
    for key, letters in tables.items():
        name = key.partition(".")[2]
        listed = sorted({letter for letter in letters if len(letter) == 1})
        suffix = f", {_list_letters(listed)}" if listed else ""
        yield f"the paytable of the {rules.title_of(name)}{suffix}"


def _describe_rule(rules: Edition, rule: str) -> Iterator[str]:
    """What a rule that the settlement cites decides; nothing for any other rule."""
    wagers = " and ".join(f"the {rules.wagers[name].title}" for name in rules.required)
    if rule in _OUTCOMES:
        yield _OUTCOMES[rule].format(wagers=wagers)
    elif match := re.fullmatch(r"(.+)_(wins|loses)", rule):
        if match[1] in rules.wagers:
            yield f"when the {rules.wagers[match[1]].title} {match[2]}"
    elif re.fullmatch(r"decide_\d+", rule):
        in_play = [wager.title for wager in rules.wagers.values() if wager.made_in_play]
        yield f"how much the {in_play[int(rule.removeprefix('decide_')) - 1]} may be, and what a fold forfeits"
    elif rule in rules.envies:
        yield f"who receives the {rules.envies[rule].title}"


def _list_letters(letters: Sequence[str]) -> str:
    if len(letters) == 1:
        return f"table {letters[0]}"
    return f"tables {letters[0]} to {letters[-1]}" if len(letters) > 2 else f"tables {' and '.join(letters)}"
