"""The files in `counts/`: the number of hands in each class of each ranking, and digests of all strengths.

    python -m tests.hands.count

rewrites them with the kernels. `test_counts.py` derives the same numbers in other ways; a
number that changes here without a change of a rule is a bug.
"""

from __future__ import annotations

import hashlib
from math import comb
from pathlib import Path

import numpy as np

from croupier.hands import RANKINGS, Ranking
from croupier.hands.kernels import evaluate
from tests.hands.every_hand import every_deal_of_three_and_three, every_hand

FOLDER = Path(__file__).parent / "counts"
DIGESTS = FOLDER / "strengths.sha256"
DIGESTED = ("five_card", "four_card_of_six")


def hand_count(ranking: Ranking) -> int:
    """The number of hands, or of deals if the cards are in several groups."""
    total, remaining = 1, 52
    for size in ranking.groups or (ranking.cards,):
        total *= comb(remaining, size)
        remaining -= size
    return total


def count(ranking: Ranking) -> dict[str, int]:
    """The number of hands the kernel puts into each class, highest class first."""
    hands = every_deal_of_three_and_three() if ranking.groups else [every_hand(ranking.cards)]
    times = np.zeros(len(ranking), dtype=np.int64)
    for part in hands:
        times += np.bincount(evaluate(ranking, part), minlength=len(ranking))
    return {rung.name: int(times[ranking.span(rung.name)].sum()) for rung in reversed(ranking.rungs)}


def read_counts(name: str) -> dict[str, int]:
    """The counts in a file, with their stated sum under `total`."""
    lines = (FOLDER / f"{name}.txt").read_text().splitlines()
    words = (line.split() for line in lines if not line.startswith("#"))
    return {category: int(times) for category, times in words}


def digest(name: str) -> str:
    """SHA-256 of the strengths of every hand in order, two bytes each, the lower byte first."""
    ranking = RANKINGS[name]
    return hashlib.sha256(evaluate(ranking, every_hand(ranking.cards)).astype("<i2").tobytes()).hexdigest()


def read_digests() -> dict[str, str]:
    lines = DIGESTS.read_text().splitlines()
    return dict(line.split(maxsplit=1) for line in lines if not line.startswith("#"))


def write() -> None:
    """Rewrites every file."""
    FOLDER.mkdir(exist_ok=True)
    for name, ranking in RANKINGS.items():
        population = (
            "deals of three cards to each of two hands" if ranking.groups else f"hands of {ranking.cards} cards"
        )
        of = f", each judged by its best {ranking.size}" if ranking.size != ranking.cards else ""
        lines = [f"# {name}: classes of all {population}{of}; written by tests/hands/count.py"]
        lines += [f"{category} {times}" for category, times in count(ranking).items()]
        lines += [f"total {hand_count(ranking)}"]
        (FOLDER / f"{name}.txt").write_text("\n".join(lines) + "\n")
    lines = ["# SHA-256 of the strengths of every hand in order, int16; written by tests/hands/count.py"]
    lines += [f"{name} {digest(name)}" for name in DIGESTED]
    DIGESTS.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    write()
