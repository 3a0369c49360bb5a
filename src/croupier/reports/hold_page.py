"""The report of `croupier hold`: totals from a file, a comparison for each wager with explanations, and the page."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from croupier.analysis.house_edges import Result, analyze_wager
from croupier.analysis.results import WagerResult, exact
from croupier.analysis.strategy_card import build_strategy_card
from croupier.analysis.wagers import REQUIRED, wagers_of
from croupier.core.errors import InputError
from croupier.core.money import format_money, parse_money
from croupier.core.statistics import CONFIDENCE
from croupier.regulations import ElectedEdition
from croupier.reports.documents import render_html
from croupier.reports.hold import Expected, Judgment, Observed, Verdict, judge
from croupier.reports.identity import edition_identity, elections_in_force, program_identity

COLUMNS = ("wager", "hands", "wagered", "won")
"""The columns of a file of totals: `won` is the house's win in dollars, net of bonuses."""
MIN_HANDS_PER_SQUARED_SKEW = 25
"""The normal approximation needs this many hands, times the square of the skewness."""


def observed_totals(path: Path, elected: ElectedEdition) -> Mapping[str, Observed]:
    """Reads totals from a CSV file, assuming the same stake for every hand."""
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(str(path), "is not a file of comma-separated values") from error
    totals: dict[str, Observed] = {}
    for number, row in enumerate(rows, 2):
        place = f"{path}, line {number}"
        if set(row) != set(COLUMNS) or None in row.values():
            raise InputError(place, f"does not have the columns {', '.join(COLUMNS)}")
        if row["wager"] not in wagers_of(elected) or row["wager"] in totals:
            names = ", ".join(wagers_of(elected))
            raise InputError(place, f"{row['wager']!r} is repeated, or is not one of {names}")
        if not row["hands"].isdecimal() or not int(row["hands"]):
            raise InputError(place, f"{row['hands']!r} is not a number of hands")
        hands, wagered = int(row["hands"]), parse_money(row["wagered"], place)
        if not wagered:
            raise InputError(place, "nothing was wagered")
        is_loss = row["won"].startswith("-")
        won = parse_money(row["won"].removeprefix("-"), place)
        totals[row["wager"]] = Observed(hands, wagered, Fraction(wagered**2, hands), -won if is_loss else won)
    if not totals:
        raise InputError(str(path), "contains no totals")
    return totals


def compare_holds(elected: ElectedEdition, totals: Mapping[str, Observed]) -> Iterator[dict[str, Any]]:
    """Compares each wager's hold with its 95 % interval: the figures, the verdict, and possible explanations."""
    for name in wagers_of(elected):
        if name not in totals:
            continue
        result, observed = analyze_wager(elected, name), totals[name]
        judgment = judge(observed, Expected.of(result))
        is_judged = judgment.verdict is not Verdict.NOT_JUDGED
        yield {
            "wager": name,
            "per": "Ante" if name == REQUIRED else "wager",
            "hands": observed.hands,
            "wagered_cents": observed.wagered,
            "won_cents": observed.won,
            **exact("hold", judgment.hold, percent=True),
            **exact("theoretical", judgment.house_edge, percent=True),
            "confidence": CONFIDENCE,
            "from_percent": 100 * judgment.low if is_judged else None,
            "to_percent": 100 * judgment.high if is_judged else None,
            "z": judgment.z if is_judged else None,
            "p": judgment.p if is_judged else None,
            "verdict": judgment.verdict.value,
            "explanations": list(_explanations(elected, name, result, observed, judgment)),
        }


def hold_html(elected: ElectedEdition, source: str, entries: Sequence[Mapping[str, Any]]) -> str:
    """The page of a comparison of holds."""
    rules = elected.edition
    titles = {name: rule.title for name, rule in rules.wagers.items()}
    titles[REQUIRED] = " and ".join(rules.wagers[name].title for name in rules.required)
    titles_outside = [titles[entry["wager"]] for entry in entries if Verdict(entry["verdict"]).is_outside]
    data = {
        "identity": {**edition_identity(rules), "program": program_identity()},
        "source": source,
        "titles": titles,
        "wagers": entries,
        "within": not titles_outside,
        "outside": titles_outside,
        "confidence": CONFIDENCE,
        "explained": any(entry["explanations"] for entry in entries),
        "elections": elections_in_force(elected),
    }
    return render_html("hold", data)


def _explanations(
    elected: ElectedEdition, name: str, result: Result, observed: Observed, judgment: Judgment
) -> Iterator[str]:
    if judgment.verdict is Verdict.NOT_JUDGED:
        yield from _why_not_judged(result)
        return
    edge, needed = float(judgment.house_edge), MIN_HANDS_PER_SQUARED_SKEW * result.skewness**2
    if observed.hands < needed:
        hands = f"{observed.hands:,} hand{' is' if observed.hands == 1 else 's are'}"
        yield (
            f"{hands} too few for a wager with payouts this rare: below about {needed:,.0f} hands the "
            "interval is wider on the players' side than shown"
        )
    if judgment.verdict is Verdict.ABOVE and name == REQUIRED:
        hold = float(judgment.hold)
        strategies = [
            strategy
            for strategy in build_strategy_card(elected).simple_strategies
            if abs(float(strategy.house_edge) - hold) <= judgment.margin
        ]
        named = "; ".join(
            f"“{strategy.name}” has an edge of {float(strategy.house_edge):.2%}" for strategy in strategies
        )
        yield f"players who do not play the optimal strategy{f': {named}' if named else ''}"
    elif judgment.verdict is Verdict.ABOVE:
        yield "winning wagers that were underpaid or not paid at all: `croupier audit` finds them in a record"
    if judgment.verdict is Verdict.BELOW:
        hold_without = (observed.won + observed.largest) / observed.wagered
        if observed.largest and abs(hold_without - edge) <= judgment.margin:
            yield f"one payment of {format_money(observed.largest)}: without it the hold is {hold_without:.2%}"
        yield "wagers that were overpaid, or made or raised late: `croupier audit` finds the first kind in a record"


def _why_not_judged(result: Result) -> Iterator[str]:
    if not isinstance(result, WagerResult):
        return
    if result.meters:
        yield "it is paid from a meter: the theoretical hold assumes meters at their seeds, and higher meters lower it"
    if result.envy is not None:
        share = float(result.envy.per_other_hand)
        yield (
            "its hold includes the Envy Bonuses paid, but its theoretical hold does not: each other player's hand in a "
            f"round lowers it by {share:.2%}"
        )
