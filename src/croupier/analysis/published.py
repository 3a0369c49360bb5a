"""Compares the hold figures that a regulator published with the exact values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from croupier.analysis.house_edges import analyze_wager
from croupier.analysis.results import RequiredResult, ratio
from croupier.analysis.wagers import REQUIRED, letter_election
from croupier.games import game
from croupier.regulations.edition import Edition, PublishedHold


@dataclass(frozen=True, slots=True)
class PublishedComparison:
    """One end of a published range."""

    edition: str
    wager: str
    end: str
    published: str
    computed: Fraction
    table: str
    verdict: str

    def as_json(self) -> dict[str, Any]:
        return {
            "edition": self.edition,
            "wager": self.wager,
            "end": self.end,
            "published": self.published,
            "table": self.table,
            "computed": ratio(self.computed),
            "computed_percent": float(self.computed * 100),
            "verdict": self.verdict,
        }


def compare_published(edition: Edition) -> Iterator[PublishedComparison]:
    """Every published figure of an edition with its verdict: reproduced as printed, by a reading, or not."""
    for hold in edition.published:
        for end, text in (("low", hold.low), ("high", hold.high)):
            choose = min if end == "low" else max
            letter, value = choose(_holds_by_letter(edition, hold, {}), key=lambda pair: pair[1])
            verdict = (
                "reproduced as printed" if _rounds_to(value, text) else _reading_verdict(edition, hold, text, choose)
            )
            yield PublishedComparison(edition.name, hold.wager, end, text, value, letter, verdict)


def _holds_by_letter(edition: Edition, hold: PublishedHold, elections: dict[str, str]) -> list[tuple[str, Fraction]]:
    """The hold of every letter of a wager, on the basis of the published figure."""
    holds = []
    name = letter_election(edition.elect(elections), hold.wager)
    letters = edition.paytables[name].tables if name else {"A": None}
    for letter in letters:
        elected = edition.elect({**elections, name: letter} if name else elections)
        result = analyze_wager(elected, hold.wager, letter if hold.wager != REQUIRED else "")
        per_total = isinstance(result, RequiredResult) and hold.per == "total wagered"
        holds.append((letter, result.element_of_risk if per_total else result.house_edge))  # type: ignore[union-attr]
    return holds


def _reading_verdict(edition: Edition, hold: PublishedHold, text: str, choose: Any) -> str:
    """The readings of this wager that reproduce the published figure, if any."""
    names = {effect.election for effect in edition.effects if hold.wager in effect.tables}
    contest = game(edition.game).contest
    if hold.wager == REQUIRED and contest is not None:
        for bonus in contest.bonuses:
            names |= {*bonus.saves_by, *bonus.only_by, bonus.net_by[0]} & edition.elections.keys()
    options = [[(name, choice) for choice in edition.elections[name].choices] for name in sorted(names)]
    for chosen in product(*options):
        elections = dict(chosen)
        if any(elections[name] != edition.elections[name].default for name in elections):
            _, value = choose(_holds_by_letter(edition, hold, elections), key=lambda pair: pair[1])
            if _rounds_to(value, text):
                changed = [f"{name} = {choice}" for name, choice in chosen if choice != edition.elections[name].default]
                return f"reproduced with {', '.join(changed)}"
    return "not reproduced by any reading"


def _rounds_to(value: Fraction, text: str) -> bool:
    """Whether a hold rounds to the published figure."""
    digits = text.removesuffix("%")
    places = len(digits.partition(".")[2])
    unit = Fraction(1, 10**places)
    return abs(value * 100 - Fraction(digits)) <= unit / 2
