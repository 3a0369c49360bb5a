"""The data of a mathematics report: every figure of a Rules Submission, from the exact analysis.

Nothing is computed here that `croupier analyze`, `strategy --card` and `simulate` do not compute.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import sqrt
from typing import Any

from croupier.analysis.covariance.covariances import compute_covariances
from croupier.analysis.house_edges import Result, analyze_wager
from croupier.analysis.published import compare_published
from croupier.analysis.results import RequiredResult, WagerResult, exact
from croupier.analysis.strategy_card import build_strategy_card
from croupier.analysis.wagers import REQUIRED, letter_election, wagers_of
from croupier.core.money import Cents
from croupier.core.statistics import CONFIDENCE, CONFIDENCE_DEVIATIONS
from croupier.games import game
from croupier.progressive.meter_plans import MeterPlan, submitted_meters
from croupier.regulations.payouts import OfMeter
from croupier.reports.identity import DocumentSubject, document_identity
from croupier.reports.plain_rules import describe_rules, wager_titles
from croupier.simulation.bets import BetPlan, place_bets
from croupier.simulation.job import prepare_job, require_rounds
from croupier.simulation.results import Results
from croupier.simulation.runner import simulate
from croupier.submissions.largest_win import largest_patron_win, winnings
from croupier.submissions.model import Submission, WagerLimits
from croupier.submissions.table_terms import terms_of_submission


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
        "largest_at_minimum_cents": largest_patron_win(terms_of_submission(submission)),
        "largest_at_maximum_cents": largest_patron_win(terms_of_submission(replace(submission, wagers=maximum_wagers))),
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


KIND = "croupier mathematics report"
FORMAT = 1
BANDS = (1_000, 10_000, 100_000, 1_000_000)
"""Numbers of rounds for which the range of the hold is given."""
STEPS = 7
"""The number of progress messages of a report."""


@dataclass(frozen=True, slots=True)
class SimulationCheck:
    """The size and seed of the independent check by simulation."""

    rounds: int = 1_000_000
    seed: int = 1


def report_data(
    subject: DocumentSubject, check: SimulationCheck | None = None, advance: Callable[[str], None] = lambda text: None
) -> dict[str, Any]:
    """The data of a report; refuses a number of rounds that cannot be simulated."""
    check, submission = check or SimulationCheck(), subject.submission
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
    simulation = _simulate_offered(submission, check)
    advance("paper")
    return {
        "kind": KIND,
        "format": FORMAT,
        "submission": subject.text,
        "identity": document_identity(subject),
        "titles": wager_titles(submission),
        "rules": describe_rules(submission),
        "wagers": {name: result.as_json() for name, result in results.items()},
        "tables": {name: _elected_letter(submission, name) for name in results},
        "strategy": card,
        "bands": {name: _bands(result) for name, result in results.items()},
        "band_confidence": CONFIDENCE,
        **covariances,
        "progressives": [
            entry for name, result in results.items() for entry in _meter_entries(submission, name, result)
        ],
        "largest": largest_pays(submission, results),
        "payout_limit": payout_limit(submission),
        "simulation": simulation,
        "published": published,
    }


def offered_results(submission: Submission) -> Mapping[str, Result]:
    """The exact analysis of every offered wager, as in `croupier analyze`."""
    names = [name for name in wagers_of(submission.elected) if name in submission.wagers]
    return {
        name: analyze_wager(submission.elected, name, wager_dollars=_wager_dollars(submission, name)) for name in names
    }


def _wager_dollars(submission: Submission, wager: str) -> Fraction | None:
    """The stake of a progressive wager of fixed size; `None` leaves the stake to the analysis."""
    rule = submission.edition.progressives.get(game(submission.edition.game).table_of(wager))
    if rule is None or not rule.amounts or submission.progressive is None or submission.progressive.amount is None:
        return None
    return Fraction(submission.progressive.amount, 100)


def _elected_letter(submission: Submission, wager: str) -> str:
    """The letter of the table in force; empty if there is only one table."""
    return submission.elected.choices.get(letter_election(submission.elected, wager), "")


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


def _meter_entries(submission: Submission, wager: str, result: Result) -> list[dict[str, Any]]:
    """For each meter of a wager: what feeds it, how often it is won, and what it costs the house."""
    if not isinstance(result, WagerResult) or not result.meters or result.stake is None:
        return []
    table = game(submission.edition.game).table_of(wager)
    plans = {plan.tier: plan for plan in submitted_meters(submission) if plan.table == table}
    at_start = result.house_edge - sum(
        (meter.worth_of_a_dollar * (plans[tier].seed / 100 - meter.seed) for tier, meter in result.meters.items()),
        Fraction(0),
    )
    entries = []
    for tier, meter in result.meters.items():
        reseeding = meter.hit_frequency * plans[tier].reseed / 100 / result.stake
        entries.append(
            {
                "wager": wager,
                "meter": tier,
                **_plan_figures(plans[tier], plans.get("reserve")),
                **exact("worth_of_a_dollar", meter.worth_of_a_dollar),
                **exact("hit_frequency", meter.hit_frequency),
                **({} if not meter.hit_frequency else exact("rounds_between_hits", 1 / meter.hit_frequency)),
                **({} if meter.break_even is None else exact("break_even_dollars", meter.break_even)),
                **exact("house_edge_at_start", at_start, percent=True),
                **exact("reseeding_cost", reseeding, percent=True),
            }
        )
    return entries


def _plan_figures(plan: MeterPlan, reserve: MeterPlan | None) -> dict[str, Any]:
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


def _simulate_offered(submission: Submission, check: SimulationCheck) -> dict[str, Any]:
    """Simulates every offered wager, to compare with the analysis."""
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
    """One seat with every offered wager; meters that the edition leaves to the operator as submitted."""
    optional = [name for name in submission.edition.optional if name in submission.wagers]
    plans = {plan.name: plan for plan in submitted_meters(submission)}
    operator_meters = {
        plan.name: plan
        for plan in plans.values()
        if (
            rule := submission.edition.progressives[plan.table]
            .meters[_table_letter(submission, plan.table)]
            .get(plan.tier)
        )
        and rule.minimum is not None
    }
    return place_bets(
        submission.elected,
        wagers=optional,
        rates={name: plan.rate for name, plan in operator_meters.items()},
        resets={name: int(plan.reseed) for name, plan in operator_meters.items()},
    )


def _table_letter(submission: Submission, table: str) -> str:
    return submission.elected.choices.get(table, "A")
