"""Code generation for hands: word sums, table lookups and suit-class slots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from croupier.analysis.counting.sweep import SLOT_SHIFT, subset_hash
from croupier.games.definition import Cards
from croupier.hands import ranking_named
from croupier.hands.kernels import tables_of
from croupier.hands.lookup_tables import COUNTER_BITS, KEY_BITS, LONG_SUIT, Array
from croupier.simulation.kernel.plan import HandLookup, Plan
from croupier.simulation.strategies.decisions import hash_constants


@dataclass
class SourceWriter:
    """Collects indented lines."""

    lines: list[str] = field(default_factory=list)
    depth: int = 0

    def __call__(self, *lines: str) -> None:
        self.lines += ["    " * self.depth + line for line in lines]


class HandEmitter:
    """Generates the lines that evaluate the hands of a plan, and collects their arrays."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.arrays: dict[str, Array] = {}
        self.write = SourceWriter()
        self.words: list[Array] = []
        self.strength_names: dict[HandLookup, str] = {}
        """The variables of the strengths generated so far."""

    def card_names(self, cards: Cards) -> list[str]:
        names = []
        for place in cards.places:
            positions = self.plan.layout.at(place, 0)
            names += [f"c{position}" for position in (positions[: cards.first] if cards.first else positions)]
        return names

    def emit_strength(self, hand: HandLookup) -> None:
        """Generates the strength of some cards."""
        ranking = ranking_named(hand.ranking)
        tables = tables_of(ranking)
        name = f"s{len(self.strength_names)}"
        self.strength_names[hand] = name
        ranks = self.array(f"ranks_{hand.ranking}", tables.by_ranks)
        total = self.emit_total(hand, name)
        self.write(f"{name} = uint64({ranks}[{total} & KEYS])")
        if (tables.by_suit >= 0).any():
            suits = self.array(f"suits_{hand.ranking}", tables.by_suit.reshape(-1))
            self.write(f"if {total} & LONG:")
            self.write.depth += 1
            self.emit_long_suit(total, self.card_names(hand.cards))
            self.write(f"{name} = max({name}, uint64({suits}[suit * uint64(8192) + held])) & STRENGTH")
            self.write.depth -= 1

    def emit_total(self, hand: HandLookup, name: str) -> str:
        """Generates the sum of the words of some cards."""
        words = tables_of(ranking_named(hand.ranking)).words
        start, terms = 0, []
        for row, card in zip(words, self.card_names(hand.cards), strict=True):
            array, offset = self._shared_words(row)
            start += offset
            terms.append(f"{array}[{card}]")
        self.write(f"t_{name} = {' + '.join(terms)} + uint64({start % (1 << 64)})")
        return f"t_{name}"

    def _shared_words(self, row: Array) -> tuple[str, int]:
        """The name of an array of words that positions share, and the offset of this position's words."""
        for number, shared in enumerate(self.words):
            difference = (row - shared).astype(np.uint64)
            if (difference == difference[0]).all():
                return f"words_{number}", int(difference[0])
        self.words.append(row.copy())
        self.array(f"words_{len(self.words) - 1}", row.copy())
        return f"words_{len(self.words) - 1}", 0

    def emit_long_suit(self, total: str, cards: Sequence[str]) -> None:
        """Generates the long suit and the ranks in it."""
        below = [LONG_SUIT & ((1 << (KEY_BITS + COUNTER_BITS * (suit + 1))) - 1) for suit in range(3)]
        w = self.write
        w("suit = uint64(0)")
        for number, bits in enumerate(below):
            w(f"if not {total} & uint64({bits}):", f"    suit = uint64({number + 1})")
        w(f"bits = {_bits(cards)}", "held = bits >> suit * uint64(13) & uint64(8191)")

    def emit_slot(self, cards: Sequence[str], count: int) -> str:
        """Generates the hash slot of the suit class of some cards."""
        w = self.write
        slots, bucket_shift, slot_mask = hash_constants(count)
        keys = self.array("class_keys", subset_hash().keys)
        displacements = self.array(f"displaced_{'few' if count < 5 else 'five'}", slots.displacements)
        w(f"bits = {_bits(cards)}")
        w(*(f"m{suit} = bits >> uint64({13 * suit}) & uint64(8191)" for suit in range(4)))
        w(f"key = {' + '.join(f'{keys}[m{suit}]' for suit in range(4))}")
        displacement = f"uint64({displacements}[key >> uint64({int(bucket_shift)})])"
        w(f"slot = ((key >> uint64({int(SLOT_SHIFT)})) + {displacement}) & uint64({int(slot_mask)})")
        return "slot"

    def array(self, name: str, array: Array) -> str:
        self.arrays.setdefault(name, np.ascontiguousarray(array))
        return name


def _bits(cards: Sequence[str]) -> str:
    return " | ".join(f"uint64(1) << uint64({card})" for card in cards)
