"""Plots of a run as PNG and SVG: convergence to the exact values, results of sessions, meters over time."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING

from croupier.confidence import CONFIDENCE_DEVIATIONS
from croupier.errors import Malformed
from croupier.simulation.results import Results
from croupier.simulation.sessions import binned
from croupier.simulation.tally import Tally

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BINS = 60
SIZE = (8.0, 4.5)
FORMATS = ("png", "svg")


def draw_all(tally: Tally, folder: Path) -> list[Path]:
    """Draws every plot that the run has something for; gives the files."""
    try:
        import matplotlib as mpl
    except ImportError as error:
        raise Malformed("plots", "needs Matplotlib: pip install croupier[plots]") from error
    mpl.use("Agg")
    folder.mkdir(parents=True, exist_ok=True)
    found = []
    with mpl.rc_context({"svg.hashsalt": "croupier", "font.family": "DejaVu Sans"}):
        for name, figure in figures(tally):
            for suffix in FORMATS:
                path = folder / f"{name}.{suffix}"
                # Without a date the same run draws the same file.
                figure.savefig(path, metadata={"Date": None} if suffix == "svg" else {"Software": None})
                found.append(path)
    return found


def figures(tally: Tally) -> Iterator[tuple[str, Figure]]:
    """The figures by name."""
    results = Results(tally)
    for label in tally.job.labels:
        yield f"convergence_{label}", convergence(results, label)
    if tally.sessions["player"]:
        yield "sessions_player", sessions(tally, "player", "what a seat wins in a session")
        yield "sessions_table", sessions(tally, "table", "what all seats win in a session")
    for name in tally.meters.totals:
        yield f"meter_{name}", meter(tally, name)


def _figure(title: str, x: str, y: str) -> tuple[Figure, object]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=SIZE, layout="constrained")
    axes = figure.subplots()
    axes.set_title(title)
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.grid(visible=True, alpha=0.3)
    return figure, axes


def convergence(results: Results, label: str) -> Figure:
    """The house edge after so many rounds, with a 95% band around the exact value."""
    tally, seats = results.tally, results.job.bets.seats
    figure, axes = _figure(f"{label}: house edge", "rounds", "percent of the wager")
    place, stake = results.job.labels.index(label), results.stake(label)
    found = results.estimate(label)
    factor = seats - 1 if results.is_envy(label) else 1
    rounds = [point[0] for point in tally.curve]
    edges = [-100 * factor * point[1][place] / (point[0] * seats * stake) for point in tally.curve]
    exact = results.exact.get(label)
    middle = 100 * (float(exact.house_edge) if exact else found.house_edge)
    spread = [100 * CONFIDENCE_DEVIATIONS * found.standard_error * sqrt(tally.rounds / number) for number in rounds]
    axes.fill_between(  # type: ignore[attr-defined]
        rounds,
        [middle - width for width in spread],
        [middle + width for width in spread],
        alpha=0.2,
        label=f"95% around the {'exact value' if exact else 'final value'}",
    )
    axes.axhline(middle, linewidth=1, linestyle="--", label=f"{'exact' if exact else 'final'} {middle:.4f} %")  # type: ignore[attr-defined]
    axes.plot(rounds, edges, marker="." if len(rounds) < 40 else "", label="simulated")  # type: ignore[attr-defined]
    axes.legend()  # type: ignore[attr-defined]
    return figure


def sessions(tally: Tally, who: str, title: str) -> Figure:
    """How often sessions end with which result."""
    length, count = tally.job.program.session_rounds, sum(tally.sessions[who].values())
    figure, axes = _figure(f"{count:,} sessions of {length:,} rounds: {title}", "dollars", "sessions")
    edges, heights = binned(tally.sessions[who], BINS)
    dollars = [edge / 100 for edge in edges]
    axes.stairs(heights, dollars, fill=True, alpha=0.6)  # type: ignore[attr-defined]
    axes.axvline(0, linewidth=1, color="black")  # type: ignore[attr-defined]
    return figure


def meter(tally: Tally, name: str) -> Figure:
    """What a meter stood at over the rounds."""
    totals = tally.meters.totals[name]
    figure, axes = _figure(f"{name}: the meter over time", "rounds", "dollars")
    points = [(0, int(totals.seed))]
    for rounds, before, after in totals.curve:
        points += [(rounds, before), (rounds, after)]
    axes.plot([p[0] for p in points], [p[1] / 100 for p in points], linewidth=1)  # type: ignore[attr-defined]
    axes.axhline(float(totals.seed) / 100, linewidth=1, linestyle="--", label="seed")  # type: ignore[attr-defined]
    axes.legend()  # type: ignore[attr-defined]
    return figure
