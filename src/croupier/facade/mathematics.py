"""Exact mathematics and simulation: `analyze`, `strategy` and `simulate`."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from time import perf_counter
from typing import TYPE_CHECKING, Any

from croupier.core.cards import Card, show_cards
from croupier.core.dataclass import dataclass
from croupier.core.errors import InputError
from croupier.core.money import format_signed_money
from croupier.facade.frames import Tabular, bar_chart, new_figure
from croupier.facade.sources import Cards, Dollars, EditionSource, read_cards, read_dollars, read_edition
from croupier.regulations import ElectedEdition

if TYPE_CHECKING:
    from croupier.analysis.results import RequiredResult, WagerResult

PERCENT = 100


@dataclass(frozen=True, slots=True)
class Analysis(Tabular):
    """The exact house edge of every wager under optimal play, the required wagers as one: `ante`."""

    elected: ElectedEdition
    wagers: Mapping[str, RequiredResult | WagerResult]

    @property
    def edition(self) -> str:
        return self.elected.edition.name

    @property
    def elections(self) -> Mapping[str, str]:
        return self.elected.choices

    def __getitem__(self, wager: str) -> RequiredResult | WagerResult:
        return self.wagers[wager]

    def rows(self) -> Sequence[Mapping[str, Any]]:
        titles = self.elected.edition.wagers
        return [
            {
                "wager": titles[name].title,
                "house_edge": str(result.house_edge),
                "house_edge_percent": float(PERCENT * result.house_edge),
                "hit_frequency_percent": float(PERCENT * result.hit_frequency),
                "variance": float(result.variance),
            }
            for name, result in self.wagers.items()
        ]

    def to_dict(self) -> dict[str, Any]:
        """The document that `croupier analyze --json` prints."""
        from croupier.analysis.wagers import as_json

        return as_json(self.elected, self.wagers)

    def plot(self) -> Any:
        """The house edges as bars, in a Matplotlib figure."""
        rows, edition = self.rows(), self.elected.edition
        return bar_chart(
            [row["wager"] for row in rows],
            [row["house_edge_percent"] for row in rows],
            f"{edition.title}, {edition.jurisdiction}",
            "house edge, %",
        )


def analyze(
    edition: EditionSource, elect: Mapping[str, str] | None = None, *, wager: Dollars | None = None
) -> Analysis:
    """The exact analysis of an edition under elections.

    >>> import croupier
    >>> croupier.analyze("pa-679a")["ante"].house_edge
    Fraction(919299, 20358520)

    `wager` is the stake in dollars where a row pays fixed dollars or from a meter. Raises `InputError` if a wager has
    no exact analysis.
    """
    from croupier.analysis.exact_results import find_results

    elected = read_edition(edition, elect)
    stake = None if wager is None else Fraction(read_dollars("wager", wager), PERCENT)
    if stake is not None and not stake:
        raise InputError("wager", "must be more than zero")
    return Analysis(elected, find_results(elected, stake))


@dataclass(frozen=True, slots=True)
class StrategyAdvice(Tabular):
    """The exact value of every choice per Ante, and the best one; ties go to the larger wager."""

    best: str
    values: Mapping[str, Fraction]

    def rows(self) -> Sequence[Mapping[str, Any]]:
        highest = max(self.values.values())
        return [
            {"choice": choice, "value": float(value), "exact": str(value), "costs": float(highest - value)}
            for choice, value in sorted(self.values.items(), key=lambda pair: pair[1], reverse=True)
        ]

    def to_dict(self) -> dict[str, Any]:
        """The document that `croupier strategy --json` prints."""
        from croupier.analysis.results import ratio

        values = {choice: {"exact": ratio(value), "float": float(value)} for choice, value in self.values.items()}
        return {"best": self.best, "ev": values}

    def plot(self) -> Any:
        """The value of every choice as bars, the best on top, in a Matplotlib figure."""
        rows = self.rows()
        title = f"Best: {self.best}"
        return bar_chart([row["choice"] for row in rows], [row["value"] for row in rows], title, "value in Antes")


def strategy(
    edition: EditionSource,
    hand: Cards,
    *,
    up: Cards | None = None,
    board: Cards = "",
    raised: str | Sequence[str] = (),
    seen: Mapping[str, Card | str] | None = None,
    dead: Cards = "",
    elect: Mapping[str, str] | None = None,
) -> StrategyAdvice:
    """The exact value of every choice that a hand has.

    >>> import croupier
    >>> croupier.strategy("pa-682a", "Ks Kd Kh 4d 2s").best
    '3x'

    `up` is the dealer's face-up card and `board` the community cards so far, if the game has them; `raised` are the
    raises so far, such as `"3x 1x"`. `seen` has cards that lie face down and that the player knows, by place, as in
    `{"dealer.1": "Kd"}`; `dead` are cards known to be out of play. Raises `InputError` for cards that do not fit.
    """
    from croupier.analysis.exact_results import find_advice

    up_cards = read_cards("up", up) if up is not None else ()
    if up is not None and len(up_cards) != 1:
        raise InputError("up", "exactly one dealer card is face up")
    words = raised.split() if isinstance(raised, str) else list(raised)
    multiples = [_multiple(word) for word in words]
    elected = read_edition(edition, elect)
    try:
        spot = (
            elected,
            read_cards("hand", hand),
            up_cards[0] if up_cards else None,
            read_cards("board", board),
            multiples,
        )
        if seen or dead:
            from croupier.analysis.strategy import advise, read_seen_cards

            places = {place: str(card) for place, card in (seen or {}).items()}
            advice = advise(*spot, read_seen_cards(elected, places, show_cards(read_cards("dead", dead))))
        else:
            advice = find_advice(*spot)
    except InputError as error:
        raise InputError(error.place.removeprefix("--"), error.reason, error.clause) from error
    return StrategyAdvice(advice.best, advice.values)


def _multiple(word: str) -> int:
    match = re.fullmatch(r"([1-9])x", word)
    if match is None:
        raise InputError("raised", f"{word!r} is not a raise such as 3x")
    return int(match[1])


@dataclass(frozen=True, slots=True)
class SimulatedWager:
    """The result of one wager, with its standard error, beside the exact value where there is one."""

    house_edge_percent: float
    standard_error_percent: float
    exact_house_edge: Fraction | None
    z: float | None
    """The distance from the exact value in standard errors."""


@dataclass(frozen=True, slots=True)
class SessionResults(Tabular):
    """How sessions of a number of rounds ended for one seat."""

    rounds: int
    """Rounds of a session."""
    sessions: int
    mean_cents: float
    standard_deviation_cents: float
    ahead: float
    """The share of sessions that ended ahead."""
    quantiles_cents: Mapping[str, int]
    """The result that a share of the sessions, in percent, does not exceed."""
    bankroll_cents: int | None
    risk_of_ruin: float | None
    """The share of sessions in which the bankroll was lost at some point."""

    def rows(self) -> Sequence[Mapping[str, Any]]:
        return [{"percent": percent, "net_cents": cents} for percent, cents in self.quantiles_cents.items()]

    def shown_rows(self) -> Sequence[Mapping[str, Any]]:
        return [
            {"share of sessions with at most": f"{row['percent']} %", "net": format_signed_money(row["net_cents"])}
            for row in self.rows()
        ]


@dataclass(frozen=True, slots=True)
class Simulation(Tabular):
    """The results of simulated rounds."""

    elected: ElectedEdition = field(repr=False)
    rounds: int
    seconds: float
    wagers: Mapping[str, SimulatedWager]
    sessions: SessionResults | None
    """`None` unless `session` said how many rounds a session has."""
    _document: Mapping[str, Any] = field(repr=False)

    @property
    def edition(self) -> str:
        return self.elected.edition.name

    @property
    def elections(self) -> Mapping[str, str]:
        return self.elected.choices

    def __getitem__(self, wager: str) -> SimulatedWager:
        return self.wagers[wager]

    def rows(self) -> Sequence[Mapping[str, Any]]:
        return [
            {
                "wager": wager,
                "house_edge_percent": result.house_edge_percent,
                "standard_error_percent": result.standard_error_percent,
                "exact_percent": None if result.exact_house_edge is None else float(PERCENT * result.exact_house_edge),
                "z": result.z,
            }
            for wager, result in self.wagers.items()
        ]

    def shown_rows(self) -> Sequence[Mapping[str, Any]]:
        titles = self.elected.edition.wagers
        return [
            {**{key.replace("_", " "): value for key, value in row.items()}, "wager": titles[row["wager"]].title}
            for row in self.rows()
        ]

    def to_dict(self) -> dict[str, Any]:
        """The document that `croupier simulate --json` prints."""
        return dict(self._document)

    def plot(self) -> Any:
        """Each result with its 95 % interval, beside the exact value, in a Matplotlib figure."""
        from croupier.core.statistics import CONFIDENCE_DEVIATIONS

        rows = self.rows()
        figure, axes = new_figure(figsize=(7, 0.8 + 0.4 * len(rows)))
        places = list(range(len(rows)))
        errors = [CONFIDENCE_DEVIATIONS * row["standard_error_percent"] for row in rows]
        axes.errorbar([row["house_edge_percent"] for row in rows], places, xerr=errors, fmt="o", label="simulated")
        exact = [(row["exact_percent"], place) for row, place in zip(rows, places, strict=True) if row["z"] is not None]
        axes.plot([percent for percent, _ in exact], [place for _, place in exact], "x", label="exact")
        axes.set_yticks(places, [row["wager"] for row in self.shown_rows()])
        axes.invert_yaxis()
        axes.set_xlabel("house edge, %")
        axes.legend()
        return figure


def simulate(
    edition: EditionSource,
    rounds: int = 1_000_000,
    *,
    seed: int = 1,
    elect: Mapping[str, str] | None = None,
    seats: int = 1,
    wagers: Sequence[str] | None = None,
    dollars: int = 5,
    strategy: str = "optimal",
    session: int = 0,
    bankroll: Dollars | None = None,
    workers: int | None = None,
) -> Simulation:
    """Simulates rounds; the figures depend only on the edition, the elections, the wagers, the seed and the rounds.

    >>> import croupier
    >>> result = croupier.simulate("pa-679a", rounds=100_000, seed=7, wagers=["ante"])
    >>> abs(result.wagers["ante"].z) < 4
    True

    `wagers` are the optional wagers to place besides the Ante, all by default, each of `dollars`. With `session`, the
    result has `sessions` of that many rounds, and with `bankroll` the risk of losing it within one. Raises `InputError`
    for a game without an exact analysis: `croupier.rl` can play those.
    """
    from croupier.simulation import runner
    from croupier.simulation.bets import place_bets
    from croupier.simulation.job import prepare_job
    from croupier.simulation.results import DEFAULT_DIFFERENCE, Results

    elected = read_edition(edition, elect)
    bankroll_cents = None if bankroll is None else read_dollars("bankroll", bankroll)
    if bankroll_cents is not None and not session:
        raise InputError("bankroll", "needs session, the number of rounds to play with it")
    job = prepare_job(place_bets(elected, seats, wagers, dollars, {}, {}), strategy, session)
    executor = runner.thread_executor(workers or len(os.sched_getaffinity(0)))
    job.program.compiled()
    start = perf_counter()
    tally = runner.simulate(job, rounds, seed, executor)
    seconds = perf_counter() - start
    results = Results(tally)
    document = results.as_json(seconds, DEFAULT_DIFFERENCE, bankroll=bankroll_cents, interrupted=False)
    return Simulation(
        elected=elected,
        rounds=tally.rounds,
        seconds=seconds,
        wagers={
            wager: SimulatedWager(
                figures["house_edge_percent"],
                figures["standard_error_percent"],
                results.exact[wager].house_edge if wager in results.exact else None,
                None if figures["exact"] is None else figures["exact"]["z"],
            )
            for wager, figures in document["wagers"].items()
        },
        sessions=None if document["sessions"] is None else _session_results(document["sessions"]),
        _document=document,
    )


def _session_results(document: Mapping[str, Any]) -> SessionResults:
    player, ruin = document["player"], document.get("ruin")
    return SessionResults(
        rounds=document["rounds"],
        sessions=document["sessions"],
        **player,
        bankroll_cents=None if ruin is None else ruin["bankroll_cents"],
        risk_of_ruin=None if ruin is None else ruin["risk"],
    )
