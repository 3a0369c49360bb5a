"""Actual against theoretical hold, wager by wager, from a record or from totals (RPT-1)."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import erfc, sqrt
from pathlib import Path
from typing import Any

from croupier.confidence import CONFIDENCE, CONFIDENCE_DEVIATIONS, deviation_of_hold
from croupier.errors import Malformed
from croupier.maths.analysis import REQUIRED, Result, analyse_wager, wagers_of
from croupier.maths.cards import whole_card
from croupier.maths.results import WagerResult, exact
from croupier.money import dollars, show
from croupier.reports.identity import of_edition, program
from croupier.reports.paper import as_html
from croupier.reports.settled import bets_in
from croupier.rules import Elected
from croupier.table.record import Record

COLUMNS = ("wager", "hands", "wagered", "won")
"""Of a file of totals: `won` is what the house won, in dollars."""
OUTSIDE = ("above", "below")
"""The verdicts on a hold that lies outside its interval."""
NOT_JUDGED = "not judged"
"""The verdict on a wager that a meter pays: it has no fixed edge."""
ENOUGH = 25
"""Hands, times the square of the skew, below which a normal interval is not to be trusted."""


@dataclass
class Observed:
    """What a wager took in and won for the house, in cents; of the required wagers the Antes are counted."""

    hands: int = 0
    wagered: int = 0
    squares: Fraction = Fraction(0)
    """The sum of the squares of the single wagers."""
    won: int = 0
    largest: int = 0
    """The largest single pay, where it is known."""


def observed_in(record: Record) -> Mapping[str, Observed]:
    """What a record shows, corrections taken in; bets of void rounds and Envy Bonuses are left out."""
    found: dict[str, Observed] = {}
    for bet in bets_in(record):
        entry = found.setdefault(bet.bet, Observed())
        entry.hands += 1
        entry.wagered += bet.staked
        entry.squares += bet.staked**2
        entry.won += bet.won + bet.envies
        entry.largest = max(entry.largest, bet.largest)
    return found


def observed_totals(path: Path, elected: Elected) -> Mapping[str, Observed]:
    """Totals from a file of comma-separated values; every hand is taken to have been the same wager."""
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
    except (UnicodeDecodeError, csv.Error) as error:
        raise Malformed(str(path), "is not a file of comma-separated values") from error
    found: dict[str, Observed] = {}
    for number, row in enumerate(rows, 2):
        place = f"{path}, line {number}"
        if set(row) != set(COLUMNS) or None in row.values():
            raise Malformed(place, f"has not the columns {', '.join(COLUMNS)}")
        if row["wager"] not in wagers_of(elected) or row["wager"] in found:
            known = ", ".join(wagers_of(elected))
            raise Malformed(place, f"{row['wager']!r} is there twice or is none of {known}")
        if not row["hands"].isdecimal() or not int(row["hands"]):
            raise Malformed(place, f"{row['hands']!r} is not a number of hands")
        hands, wagered = int(row["hands"]), dollars(row["wagered"], place)
        if not wagered:
            raise Malformed(place, "nothing was wagered")
        lost = row["won"].startswith("-")
        won = dollars(row["won"].removeprefix("-"), place)
        found[row["wager"]] = Observed(hands, wagered, Fraction(wagered**2, hands), -won if lost else won)
    if not found:
        raise Malformed(str(path), "has no totals in it")
    return found


def compared(elected: Elected, observed: Mapping[str, Observed]) -> Iterator[dict[str, Any]]:
    """Each wager with its hold, the interval of 19 of 20 such runs, the verdict, and what may explain it."""
    for label in [name for name in wagers_of(elected) if name in observed]:
        result, seen = analyse_wager(elected, label), observed[label]
        deviation = deviation_of_hold(float(result.variance), float(seen.squares), seen.wagered)
        edge, hold = float(result.house_edge), Fraction(seen.won, seen.wagered)
        reach = CONFIDENCE_DEVIATIONS * deviation
        z = (float(hold) - edge) / deviation if deviation else 0.0
        on_a_meter = isinstance(result, WagerResult) and bool(result.meters)
        verdict = "within" if abs(z) <= CONFIDENCE_DEVIATIONS else "above" if z > 0 else "below"
        if on_a_meter:
            verdict = NOT_JUDGED
        yield {
            "wager": label,
            "per": "Ante" if label == REQUIRED else "wager",
            "hands": seen.hands,
            "wagered_cents": seen.wagered,
            "won_cents": seen.won,
            **exact("hold", hold, percent=True),
            **exact("theoretical", result.house_edge, percent=True),
            "confidence": CONFIDENCE,
            "from_percent": None if on_a_meter else 100 * (edge - reach),
            "to_percent": None if on_a_meter else 100 * (edge + reach),
            "z": None if on_a_meter else z,
            "p": None if on_a_meter else erfc(abs(z) / sqrt(2)),
            "verdict": verdict,
            "explanations": list(_explained(elected, label, result, seen, verdict, reach)),
        }


def hold_html(elected: Elected, source: str, found: Sequence[Mapping[str, Any]]) -> str:
    """The page of a comparison of holds."""
    rules = elected.edition
    titles = {name: rule.title for name, rule in rules.wagers.items()}
    titles[REQUIRED] = " and ".join(rules.wagers[name].title for name in rules.required)
    outside = [titles[entry["wager"]] for entry in found if entry["verdict"] in OUTSIDE]
    data = {
        "identity": {**of_edition(rules), "program": program()},
        "source": source,
        "titles": titles,
        "wagers": found,
        "within": not outside,
        "outside": outside,
        "confidence": CONFIDENCE,
        "explained": any(entry["explanations"] for entry in found),
        "elections": elected.choices,
    }
    return as_html("hold", data)


def _explained(
    elected: Elected, label: str, result: Result, seen: Observed, verdict: str, reach: float
) -> Iterator[str]:
    edge = float(result.house_edge)
    needed = ENOUGH * result.skewness**2
    if verdict == NOT_JUDGED:
        yield "a meter pays it: the theoretical hold is that of meters at their seeds, and what they show lowers it"
        return
    if seen.hands < needed:
        yield (
            f"{seen.hands:,} hand{' is' if seen.hands == 1 else 's are'} few for a wager with pays this rare: "
            f"below about {needed:,.0f} hands the "
            "interval is wider on the players' side than it says"
        )
    if verdict == "above" and label == REQUIRED:
        ways = [way for way in whole_card(elected).others if abs(float(way.house_edge) - _hold(seen)) <= reach]
        named = "; ".join(f"“{way.name}” has an edge of {float(way.house_edge):.2%}" for way in ways)
        yield f"players who do not play best{f': {named}' if named else ''}"
    elif verdict == "above":
        yield "winning wagers that were paid too little or not at all: `croupier audit` finds them in a record"
    if verdict == "below":
        without = (seen.won + seen.largest) / seen.wagered
        if seen.largest and abs(without - edge) <= reach:
            yield f"one pay of {show(seen.largest)}: without it the hold is {without:.2%}"
        yield "wagers that were paid too much, or made or raised late: `croupier audit` finds the first in a record"


def _hold(seen: Observed) -> float:
    return seen.won / seen.wagered
