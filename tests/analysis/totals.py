"""The files in `totals/`: the exact figures of every wager under every letter and every reading that matters.

    python -m tests.analysis.totals

writes them all again. A line is `wager letter house_edge element_of_risk average_wager`, exact; the last
two only for the required wagers. Under a heading such as `[bad_beat_play=lost]` stand the lines that this
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
    """The totals of an edition; of a reading only what it changes."""
    in_force = _figures(name, {})
    found = {"": in_force}
    for reading in READINGS:
        election = edition(name).elections.get(reading)
        for choice in election.choices if election is not None else ():
            if election is not None and choice != election.default:
                changed = _figures(name, {reading: choice}).items() - in_force.items()
                found[f"{reading}={choice}"] = dict(sorted(changed))
    return found


def _figures(name: str, elections: dict[str, str]) -> dict[str, str]:
    found = {}
    for wager, by_letter in analyze_all(edition(name).elect(elections)).items():
        for letter, result in by_letter.items():
            figures = [ratio(result.house_edge), "-", "-"]
            if isinstance(result, RequiredResult):
                figures[1:] = [ratio(result.element_of_risk), ratio(result.average_wager)]
            found[f"{wager} {letter}"] = " ".join(figures)
    return found


def on_file(name: str) -> Totals:
    """What the file of an edition says."""
    found: Totals = {"": {}}
    reading = ""
    for line in path_of(name).read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            reading = line.strip("[]")
            found[reading] = {}
        elif line and not line.startswith("#"):
            wager, letter, figures = line.split(" ", 2)
            found[reading][f"{wager} {letter}"] = figures
    return found


def write() -> None:
    """Write every file again."""
    FOLDER.mkdir(exist_ok=True)
    for name in EDITIONS:
        lines = [f"# {name}: wager letter house_edge element_of_risk average_wager; python -m tests.analysis.totals"]
        for reading, figures in compute(name).items():
            lines += [f"[{reading}]"] if reading else []
            lines += [f"{key} {value}" for key, value in figures.items()]
        path_of(name).write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
