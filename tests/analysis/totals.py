"""The files in `totals/`: the exact figures of every wager under every letter and every reading that matters.

    python -m tests.analysis.totals

rewrites them. A line is `wager letter house_edge element_of_risk average_wager`, exact; the last
two only for the required wagers. A heading such as `[bad_beat_play=lost]` precedes the lines that this
reading changes. A figure that changes without a change of a rule is a bug.
"""

from __future__ import annotations

from pathlib import Path

from croupier.analysis.house_edges import analyze_all
from croupier.analysis.results import RequiredResult, ratio
from croupier.regulations import EDITIONS, edition

FOLDER = Path(__file__).parent / "totals"
READINGS = (
    "aces_bonus_hands",
    "board_bonus_mini_royal",
    "board_bonus_lowest",
    "ace_low_straights",
    "super_royal",
    "win_bonus_on_a_tie",
    "win_bonus_for_one",
    "ante_bonus_on_a_loss",
    "bad_beat_play",
)
"""The readings that change figures."""

Totals = dict[str, dict[str, str]]
"""For each reading (empty for the one in force): `wager letter` and the figures."""


def path_of(name: str) -> Path:
    return FOLDER / f"{name}.txt"


def compute(name: str) -> Totals:
    """The totals of an edition; for each reading only the changed ones."""
    in_force = _figures(name, {})
    totals = {"": in_force}
    for reading in READINGS:
        election = edition(name).elections.get(reading)
        for choice in election.choices if election is not None else ():
            if election is not None and choice != election.default:
                changed = _figures(name, {reading: choice}).items() - in_force.items()
                totals[f"{reading}={choice}"] = dict(sorted(changed))
    return totals


def _figures(name: str, elections: dict[str, str]) -> dict[str, str]:
    totals = {}
    for wager, by_letter in analyze_all(edition(name).elect(elections)).items():
        for letter, result in by_letter.items():
            figures = [ratio(result.house_edge), "-", "-"]
            if isinstance(result, RequiredResult):
                figures[1:] = [ratio(result.element_of_risk), ratio(result.average_wager)]
            totals[f"{wager} {letter}"] = " ".join(figures)
    return totals


def read_totals(name: str) -> Totals:
    """The totals on file for an edition."""
    totals: Totals = {"": {}}
    reading = ""
    for line in path_of(name).read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            reading = line.strip("[]")
            totals[reading] = {}
        elif line and not line.startswith("#"):
            wager, letter, figures = line.split(" ", 2)
            totals[reading][f"{wager} {letter}"] = figures
    return totals


def write() -> None:
    """Rewrites every file."""
    FOLDER.mkdir(exist_ok=True)
    for name in EDITIONS:
        lines = [f"# {name}: wager letter house_edge element_of_risk average_wager; python -m tests.analysis.totals"]
        for reading, figures in compute(name).items():
            lines += [f"[{reading}]"] if reading else []
            lines += [f"{key} {value}" for key, value in figures.items()]
        path_of(name).write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
