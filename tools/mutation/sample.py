"""A seeded sample of mutants: modules in proportion to their lines, and kinds of mutation in turn.

Most mutants only drop an argument of a call, and almost any test notices that. Taking the kinds in turn gives
comparisons, conditions and numbers the same weight.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import zip_longest

from tools.mutation.mutants import Mutant


def allocate(count: int, sizes: Mapping[str, int]) -> dict[str, int]:
    """Divides a count in proportion to sizes, by largest remainder; the parts add up to the count."""
    total = sum(sizes.values())
    parts = {name: count * size // total for name, size in sizes.items()}
    by_remainder = sorted(sizes, key=lambda name: (-(count * sizes[name] % total), name))
    for name in by_remainder[: count - sum(parts.values())]:
        parts[name] += 1
    return parts


def draw(mutants: Iterable[Mutant], count: int, seed: int) -> list[Mutant]:
    """Draws mutants of a module, each kind of mutation in turn, in an order that depends on the seed.

    A mutant that is added or left out does not reorder the others of its kind.
    """
    by_operator: dict[str, list[Mutant]] = defaultdict(list)
    for mutant in sorted(mutants, key=lambda mutant: _digest(seed, mutant.key)):
        by_operator[mutant.operator].append(mutant)
    kinds = [by_operator[name] for name in sorted(by_operator, key=lambda name: _digest(seed, name))]
    in_turn = [mutant for turn in zip_longest(*kinds) for mutant in turn if mutant is not None]
    return in_turn[:count]


def _digest(seed: int, text: str) -> bytes:
    return hashlib.sha256(f"{seed}\n{text}".encode()).digest()


def draw_sample(
    mutants: Mapping[str, Iterable[Mutant]], sizes: Mapping[str, int], count: int, seed: int
) -> list[Mutant]:
    """The sample over all modules, in a mixed order, so that a run cut short is a sample as well."""
    parts = allocate(count, sizes)
    sample = [mutant for module, part in parts.items() for mutant in draw(mutants[module], part, seed)]
    return sorted(sample, key=lambda mutant: _digest(seed, mutant.key))
