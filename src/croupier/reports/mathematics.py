"""The data of a mathematics report: every figure of a Rules Submission, from the exact analysis.

Nothing is computed here that `croupier analyze`, `strategy --card` and `simulate` do not compute.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any

from croupier.analysis.covariance.covariances import compute_covariances
from croupier.analysis.house_edges import REQUIRED, Result, analyze_wager, letters_of, wagers_of
from croupier.analysis.published import compare_published
from croupier.analysis.results import WagerResult, exact
from croupier.analysis.strategy_card import build_strategy_card
from croupier.core.statistics import CONFIDENCE, CONFIDENCE_DEVIATIONS
from croupier.games import game
from croupier.progressive.meter_plans import MeterPlan, submitted_meters
from croupier.reports.identity import DocumentSubject, identity
from croupier.reports.largest_pay import largest_pays, payout_limit
from croupier.reports.plain_rules import rules_in_words, titles
from croupier.simulation.bets import BetPlan, place_bets
from croupier.simulation.job import prepare_job, require_rounds
from croupier.simulation.results import Results
from croupier.simulation.runner import simulate
from croupier.submissions.model import Submission

KIND = "croupier mathematics report"
FORMAT = 1
BANDS = (1_000, 10_000, 100_000, 1_000_000)
"""Numbers of rounds for which the range of the hold is given."""
STEPS = 7
"""The number of progress messages of a report."""


@dataclass(frozen=True, slots=True)
class Check:
    """How the independent check is made."""

    rounds: int = 1_000_000
    seed: int = 1


def mathematics(
    paper: DocumentSubject, check: Check | None = None, advance: Callable[[str], None] = lambda text: None
) -> dict[str, Any]:
    """The whole report as data; refuses rounds that cannot be simulated."""
    check, submission = check or Check(), paper.submission
    require_rounds(check.rounds)
    advance("wagers")
    results = offered_results(submission)
    advance("strategy")
    card = build_strategy_card(submission.elected).as_json()
    advance("covariances")
    covariances = _covariances(submission)
    advance("published figures")
    published = [line.as_json() for line in compare_published(submission.edition)]
    advance("simulation")
    simulation = _simulated(submission, check)
    advance("paper")
    return {
        "kind": KIND,
        "format": FORMAT,
        "submission": paper.text,
        "identity": identity(paper),
        "titles": titles(submission),
        "rules": rules_in_words(submission),
        "wagers": {name: result.as_json() for name, result in results.items()},
        "tables": {name: _letter(submission, name) for name in results},
        "strategy": card,
        "bands": {name: _bands(result) for name, result in results.items()},
        "band_confidence": CONFIDENCE,
        **covariances,
        "progressives": [entry for name, result in results.items() for entry in _meters(submission, name, result)],
        "largest": largest_pays(submission, results),
        "payout_limit": payout_limit(submission),
        "simulation": simulation,
        "published": published,
    }


def offered_results(submission: Submission) -> Mapping[str, Result]:
    """The exact analysis of every wager offered, as `croupier analyze` makes it."""
    names = [name for name in wagers_of(submission.elected) if name in submission.wagers]
    return {name: analyze_wager(submission.elected, name, wager_dollars=_dollars(submission, name)) for name in names}


def _dollars(submission: Submission, wager: str) -> Fraction | None:
    """The dollars of a wager on a meter that has one size at this table; of others the analysis decides."""
    rule = submission.edition.progressives.get(game(submission.edition.game).table_of(wager))
    if rule is None or not rule.amounts or submission.progressive is None or submission.progressive.amount is None:
        return None
    return Fraction(submission.progressive.amount, 100)


def _letter(submission: Submission, wager: str) -> str:
    """The letter of the table in force; empty where there is only one."""
    return submission.elected.choices.get(letters_of(submission.elected, wager), "")


def _bands(result: Result) -> list[dict[str, Any]]:
    """The 95 % range of the hold after a number of rounds, per unit wagered each round."""
    edge, deviation = float(result.house_edge), sqrt(float(result.variance))
    return [
        {
            "rounds": rounds,
            "from_percent": 100 * (edge - CONFIDENCE_DEVIATIONS * deviation / sqrt(rounds)),
            "to_percent": 100 * (edge + CONFIDENCE_DEVIATIONS * deviation / sqrt(rounds)),
        }
        for rounds in BANDS
    ]


def _covariances(submission: Submission) -> dict[str, Any]:
    document = compute_covariances(submission.elected).as_json()
    offered = {*submission.wagers, REQUIRED}
    return {key: [pair for pair in pairs if offered.issuperset(pair["wagers"])] for key, pairs in document.items()}


def _meters(submission: Submission, wager: str, result: Result) -> list[dict[str, Any]]:
    """What feeds every meter of a wager, what wins it, and what it costs the house."""
    if not isinstance(result, WagerResult) or not result.meters or result.stake is None:
        return []
    table = game(submission.edition.game).table_of(wager)
    plans = {plan.tier: plan for plan in submitted_meters(submission) if plan.table == table}
    at_start = result.house_edge - sum(
        (m.worth_of_a_dollar * (plans[tier].seed / 100 - m.seed) for tier, m in result.meters.items()), Fraction(0)
    )
    entries = []
    for tier, meter in result.meters.items():
        reseeding = meter.hit_frequency * plans[tier].reseed / 100 / result.stake
        entries.append(
            {
                "wager": wager,
                "meter": tier,
                **_plan(plans[tier], plans.get("reserve")),
                **exact("worth_of_a_dollar", meter.worth_of_a_dollar),
                **exact("hit_frequency", meter.hit_frequency),
                **({} if not meter.hit_frequency else exact("rounds_between_hits", 1 / meter.hit_frequency)),
                **({} if meter.break_even is None else exact("break_even_dollars", meter.break_even)),
                **exact("house_edge_at_start", at_start, percent=True),
                **exact("reseeding_cost", reseeding, percent=True),
            }
        )
    return entries


def _plan(plan: MeterPlan, reserve: MeterPlan | None) -> dict[str, Any]:
    entry: dict[str, Any] = {
        **exact("start_dollars", plan.seed / 100),
        **exact("reseed_dollars", plan.reseed / 100),
        **exact("rate", plan.rate, percent=True),
    }
    if reserve is not None and plan.reserve == reserve.name:
        entry |= exact("reserve_rate", reserve.rate, percent=True)
    if plan.limit is not None:
        entry |= exact("limit_dollars", plan.limit / 100)
    if plan.largest is not None:
        entry |= exact("largest_contribution_dollars", plan.largest / 100)
    return entry


def _simulated(submission: Submission, check: Check) -> dict[str, Any]:
    """Simulated results to compare with the analysis."""
    bets = _bets(submission)
    tally = simulate(prepare_job(bets), check.rounds, check.seed)
    document = Results(tally).as_json(0.0, Fraction(1, 1000), None, False)
    return {
        "rounds": check.rounds,
        "seed": str(check.seed),
        "wagers": {
            name: {
                key: entry[key]
                for key in ("house_edge_percent", "standard_error_percent", "stake_cents", "hands", "exact")
            }
            for name, entry in document["wagers"].items()
        },
    }


def _bets(submission: Submission) -> BetPlan:
    """One seat with every wager offered; meters as the operator sets them, where that is left to the operator."""
    optional = [name for name in submission.edition.optional if name in submission.wagers]
    plans = {plan.name: plan for plan in submitted_meters(submission)}
    left_open = {
        plan.name: plan
        for plan in plans.values()
        if (rule := submission.edition.progressives[plan.table].meters[_choice(submission, plan.table)].get(plan.tier))
        and rule.minimum is not None
    }
    return place_bets(
        submission.elected,
        wagers=optional,
        rates={name: plan.rate for name, plan in left_open.items()},
        resets={name: int(plan.reseed) for name, plan in left_open.items()},
    )


def _choice(submission: Submission, table: str) -> str:
    return submission.elected.choices.get(table, "A")
