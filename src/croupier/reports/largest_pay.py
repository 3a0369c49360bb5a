"""The largest payout in one round, and the effect of a payout limit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from croupier.analysis.house_edges import Result
from croupier.analysis.results import RequiredResult, WagerResult
from croupier.core.money import Cents
from croupier.games import game
from croupier.regulations.payouts import OfMeter
from croupier.submissions.largest_win import largest_win, winnings
from croupier.submissions.model import Submission, WagerLimits


def largest_pays(submission: Submission, results: Mapping[str, Result]) -> dict[str, Any]:
    """The most that every wager can win at its maximum, with meters at their seeds, and the sum as an upper bound."""
    wagers = []
    for wager, result in results.items():
        maximum = submission.wagers[wager].maximum
        if isinstance(result, RequiredResult):
            hand, paid = "", max(result.net_results) * maximum
        else:
            hand, paid = max(_row_payouts(result, maximum), key=lambda pair: pair[1])
        wagers.append({"wager": wager, "hand": hand, "wager_cents": maximum, "most_cents": int(paid)})
    return {"wagers": wagers, "no_round_wins_more_than_cents": sum(entry["most_cents"] for entry in wagers)}


def _row_payouts(result: WagerResult, stake: int) -> Iterator[tuple[str, Fraction]]:
    """The payout of each possible row for a stake in cents."""
    for row in result.rows:
        if row.combinations and isinstance(row.payout, OfMeter):
            yield row.hand, row.payout.share * result.meters[row.payout.meter].seed * 100
        elif row.combinations:
            yield row.hand, winnings(row.payout, Cents(stake))


def payout_limit(submission: Submission) -> dict[str, Any] | None:
    """The effect of a submission's payout limit; `None` if it has none."""
    rule, limit = submission.edition.payout_limit, submission.payout_limit
    if rule is None or limit is None:
        return None
    maximum_wagers = {name: WagerLimits(limits.maximum, limits.maximum) for name, limits in submission.wagers.items()}
    return {
        "limit_cents": limit,
        "clause": rule.clause,
        "floor_cents": rule.floor,
        "covers": [wager for wager in rule.covers if submission.offers(wager)],
        "except_hands": list(rule.except_hands),
        "largest_at_minimum_cents": largest_win(submission),
        "largest_at_maximum_cents": largest_win(replace(submission, wagers=maximum_wagers)),
        "cut": list(_cut_rows(submission, limit)),
    }


def _cut_rows(submission: Submission, limit: int) -> Iterator[dict[str, Any]]:
    """The rows that the limit cuts even for a single wager, and the wager from which it does."""
    rule, tables = submission.edition.payout_limit, submission.edition.paytables
    for wager in rule.covers if rule is not None else ():
        name = game(submission.edition.game).table_of(wager)
        if rule is None or wager not in submission.wagers or name not in tables:
            continue
        for row in submission.elected.paytable(name).rows:
            unit = winnings(row.pays, Cents(1))
            if row.hand not in rule.except_hands and unit * submission.wagers[wager].maximum > limit:
                yield {"wager": wager, "hand": row.hand, "pays": str(row.pays), "from_cents": int(limit / unit)}
