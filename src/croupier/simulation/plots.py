"""Plots of a run as PNG and SVG: convergence to the exact values, session results, meters over time."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING

from croupier.core.errors import InputError
from croupier.core.extras import install_hint
from croupier.core.statistics import CONFIDENCE_DEVIATIONS
from croupier.simulation.results import Results
from croupier.simulation.sessions import bin_counts
from croupier.simulation.tally import Tally

if TYPE_CHECKING:
    from matplotlib.figure import Figure

HISTOGRAM_BINS = 60
FIGURE_INCHES = (8.0, 4.5)
PLOT_FORMATS = ("png", "svg")


def draw_all(tally: Tally, folder: Path) -> list[Path]:
    """Draws every plot that the run has data for; returns the files."""
    try:
        import matplotlib as mpl
    except ImportError as error:
        raise InputError("plots", f"needs Matplotlib: {install_hint('plots')}") from error
    mpl.use("Agg")
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    with mpl.rc_context({"svg.hashsalt": "croupier", "font.family": "DejaVu Sans"}):
        for name, figure in figures(tally):
            for suffix in PLOT_FORMATS:
                path = folder / f"{name}.{suffix}"
                # No date, so that the same run gives the same file.
                figure.savefig(path, metadata={"Date": None} if suffix == "svg" else {"Software": None})
                paths.append(path)
    return paths


def figures(tally: Tally) -> Iterator[tuple[str, Figure]]:
    """The figures by name."""
    results = Results(tally)
    for label in tally.job.labels:
        yield f"convergence_{label}", plot_convergence(results, label)
    if tally.sessions["player"]:
        yield "sessions_player", plot_sessions(tally, "player", "net result of one seat")
        yield "sessions_table", plot_sessions(tally, "table", "net result of all seats")
    for name in tally.meters.totals:
        yield f"meter_{name}", plot_meter(tally, name)


def _figure(title: str, x: str, y: str) -> tuple[Figure, object]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=FIGURE_INCHES, layout="constrained")
    axes = figure.subplots()
    axes.set_title(title)
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.grid(visible=True, alpha=0.3)
    return figure, axes


def plot_convergence(results: Results, label: str) -> Figure:
    """The house edge by number of rounds, with a 95% band around the exact value."""
    tally, seats = results.tally, results.job.bets.seats
    figure, axes = _figure(f"{label}: house edge", "rounds", "percent of the wager")
    place, stake = results.job.labels.index(label), results.stake(label)
    estimate = results.estimate(label)
    factor = seats - 1 if results.is_envy(label) else 1
    rounds = [point[0] for point in tally.curve]
    edges = [-100 * factor * point[1][place] / (point[0] * seats * stake) for point in tally.curve]
    exact = results.exact.get(label)
    middle = 100 * (float(exact.house_edge) if exact else estimate.house_edge)
    spread = [100 * CONFIDENCE_DEVIATIONS * estimate.standard_error * sqrt(tally.rounds / number) for number in rounds]
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


def plot_sessions(tally: Tally, side: str, title: str) -> Figure:
    """A histogram of session results."""
    length, count = tally.job.program.session_rounds, sum(tally.sessions[side].values())
    figure, axes = _figure(f"{count:,} sessions of {length:,} rounds: {title}", "dollars", "sessions")
    edges, heights = bin_counts(tally.sessions[side], HISTOGRAM_BINS)
    dollars = [edge / 100 for edge in edges]
    axes.stairs(heights, dollars, fill=True, alpha=0.6)  # type: ignore[attr-defined]
    axes.axvline(0, linewidth=1, color="black")  # type: ignore[attr-defined]
    return figure


def plot_meter(tally: Tally, name: str) -> Figure:
    """The amount of a meter over time."""
    totals = tally.meters.totals[name]
    figure, axes = _figure(f"{name}: meter over time", "rounds", "dollars")
    points = [(0, int(totals.seed))]
    for rounds, before, after in totals.curve:
        points += [(rounds, before), (rounds, after)]
    axes.plot([p[0] for p in points], [p[1] / 100 for p in points], linewidth=1)  # type: ignore[attr-defined]
    axes.axhline(float(totals.seed) / 100, linewidth=1, linestyle="--", label="seed")  # type: ignore[attr-defined]
    axes.legend()  # type: ignore[attr-defined]
    return figure
