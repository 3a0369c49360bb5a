"""Code generation: writes the simulator of one plan as Python source for Numba, one flat loop.

A branch on the shape of a game inside the loop would cost more than drawing a card. The generated text, with its
names, is part of a job's digest: any change invalidates existing checkpoints. `croupier simulate EDITION --source`
prints it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from croupier.analysis.counting.sweep import SLOT_SHIFT, subset_hash
from croupier.games.definition import BOARD, PLAYER, Cards
from croupier.hands import ranking_named
from croupier.hands.kernels import tables_of
from croupier.hands.lookup_tables import Array
from croupier.hands.plain_tables import COUNTER_BITS, DECISIVE, KEY_BITS, LONG_SUIT
from croupier.simulation.kernel.cells import Cells
from croupier.simulation.kernel.plan import (
    BoardGroup,
    ContestGroup,
    EnvyGroup,
    Group,
    HandLookup,
    LosingGroup,
    Plan,
    TableGroup,
)
from croupier.simulation.kernel.rng import BLOCK_ROUNDS, PRELUDE, draw_lines
from croupier.simulation.strategies.decisions import (
    BY_CLASS,
    CHOICE_BITS,
    BoardDecisions,
    ContestDecisions,
    Decisions,
    hash_constants,
    suit_order,
)


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


SIGNATURE = "seed, first_round, rounds, session_rounds, counts, sums, sessions, hits, trace"


@dataclass(frozen=True, eq=False)
class KernelSource:
    """The source of a simulator and its array arguments by name, in order."""

    text: str
    arrays: dict[str, Array]


class KernelEmitter(HandEmitter):
    """Writes the source of one plan."""

    def __init__(
        self, plan: Plan, cells: Sequence[Cells], decisions: Decisions, *, sessions: bool, trace: bool
    ) -> None:
        super().__init__(plan)
        self.cells, self.decisions = cells, decisions
        self.sessions, self.trace = sessions, trace
        self.seats = plan.bets.seats

    def source(self) -> KernelSource:
        """The complete source."""
        body = self._body()
        prelude = PRELUDE.format(keys=(1 << KEY_BITS) - 1, long=LONG_SUIT, strength=DECISIVE - 1)
        head = [
            "",
            "",
            "@numba.njit(nogil=True, cache=True)",
            f"def simulate({', '.join([SIGNATURE, *self.arrays])}):",
        ]
        return KernelSource(prelude + "\n".join([*head, *body]) + "\n", self.arrays)

    # The frame: blocks, rounds, seats.

    def _body(self) -> list[str]:
        w = self.write
        w.depth = 1
        totals = self._totals()
        w("deck = np.empty(52, dtype=uint8)", "found = 0", *(f"{name} = int64(0)" for name in totals))
        if self.sessions:
            w("session = 0", "left = session_rounds")
            w("table_net = staked_all = player_net = player_low = int64(0)")
        w(f"for block in range((rounds + {BLOCK_ROUNDS - 1}) // {BLOCK_ROUNDS}):")
        w.depth += 1
        w(f"a, b, c, d = stream(seed, first_round // {BLOCK_ROUNDS} + block)")
        w("for n in range(52):", "    deck[n] = n")
        w("of_block = counts[block]")
        w(f"for number in range(block * {BLOCK_ROUNDS}, min(rounds, (block + 1) * {BLOCK_ROUNDS})):")
        w.depth += 1
        self._emit_round()
        w.depth = 1
        w(*(f"sums[{place}] += {name}" for place, name in enumerate(totals)), "return found")
        return w.lines

    def _totals(self) -> list[str]:
        """Accumulators of squared results, two words each: of all wagers, then per label if there are several seats."""
        names = ["every", *self._labels()] if self.seats > 1 else ["every"]
        return [f"{half}_{name}" for name in names for half in ("high", "low")]

    def _labels(self) -> list[str]:
        return [wager for cells in self.cells for wager in cells.nets]

    def _emit_round(self) -> None:
        w, has_several_seats = self.write, self.seats > 1
        layout = self.plan.layout
        w(*draw_lines(layout.cards, layout.first_seat_card if has_several_seats else layout.cards))
        if self.trace:
            groups = len(self.cells)
            w(f"for n in range({layout.cards}):", f"    trace[number, 0, {groups} + n] = deck[n]")
        for hand in self._hand_lookups():
            if not hand.is_per_seat:
                self.emit_strength(hand)
        if has_several_seats:
            w("all_net = int64(0)", *(f"sum_{name} = int64(0)" for name in self._labels()))
            w(*(["envied = int64(0)", "own_envy = int64(0)"] if self._envy_cells() else []))
        if self.sessions:
            w("all_staked = int64(0)")
        if has_several_seats:
            w(f"for seat in range({self.seats}):")
            w.depth += 1
            w(f"own = {layout.first_seat_card} + {layout.seat_cards} * seat")
            for offset in range(layout.seat_cards):
                w(f"c{layout.first_seat_card + offset} = deck[own + {offset}]")
        shared_names = dict(self.strength_names)
        for hand in self._hand_lookups():
            if hand.is_per_seat:
                self.emit_strength(hand)
        self._emit_decision()
        for number, cells in enumerate(self.cells):
            self._emit_cell(number, cells)
        self._emit_net()
        self.strength_names = shared_names
        if has_several_seats:
            w.depth -= 1
        self._emit_round_totals()
        self.strength_names = {}

    def _envy_cells(self) -> list[Cells]:
        return [cells for cells in self.cells if isinstance(cells.group, EnvyGroup)]

    def _emit_net(self) -> None:
        """Generates the net result of a seat and, in sessions, its stakes."""
        w = self.write
        seat_groups = [n for n, cells in enumerate(self.cells) if not isinstance(cells.group, EnvyGroup)]
        for n in seat_groups:
            self.array(f"net_{n}", self.cells[n].net)
        w(f"net = {' + '.join(f'net_{n}[k{n}]' for n in seat_groups)}")
        if self.sessions:
            base = sum(cents for name, cents in self.plan.bets.stakes.items() if name != "ante")
            self.array("staked_0", self.cells[0].staked)
            w(f"all_staked += staked_0[k0] + {base}")
        if self.seats == 1:
            return
        w("all_net += net")
        for n, cells in enumerate(self.cells):
            for wager, nets in cells.nets.items():
                factor = f" * {self.seats - 1}" if isinstance(cells.group, EnvyGroup) else ""
                name = f"net_{n}" if len(cells.nets) == 1 and n in seat_groups else f"net_{n}_{wager}"
                self.array(name, nets)
                w(f"gain = {name}[k{n}]{factor}", f"sum_{wager} += gain")
                if isinstance(cells.group, EnvyGroup):
                    w("envied += gain", "if seat == 0:", f"    own_envy += gain // {self.seats - 1}")
        w("if seat == 0:", "    first_net = net")

    def _emit_round_totals(self) -> None:
        w = self.write
        if self.seats > 1:
            if self._envy_cells():
                w("all_net += envied", f"first_net += envied // {self.seats - 1} - own_envy")
            for name in self._labels():
                w(f"square = sum_{name} * sum_{name}", f"high_{name} += square >> 32", f"low_{name} += square & HALF")
        else:
            w("all_net = first_net = net")
        w("square = all_net * all_net", "high_every += square >> 32", "low_every += square & HALF")
        if self.sessions:
            w("table_net += all_net", "staked_all += all_staked", "player_net += first_net")
            w("player_low = min(player_low, player_net)", "left -= 1", "if left == 0:")
            w.depth += 1
            for place, name in enumerate(("table_net", "staked_all", "player_net", "player_low")):
                w(f"sessions[session, {place}] = {name}")
            w("table_net = staked_all = player_net = player_low = int64(0)", "session += 1", "left = session_rounds")
            w.depth -= 1

    # Hands.

    def _hand_lookups(self) -> list[HandLookup]:
        """Every hand lookup, those of the contest first."""
        lookups: list[HandLookup] = []
        for group in self.plan.groups:
            lookups += [group.dealer] if isinstance(group, ContestGroup) else []
            lookups += [group.hand] if self._needs_strength(group) else []
        return list(dict.fromkeys(lookups))

    def _needs_strength(self, group: Group) -> bool:
        """Whether the strength of a group's hand is needed: strengths are compared, or another group uses the hand.

        Otherwise a lookup table gives the segment directly.
        """
        other_groups = [g for g in self.plan.groups if g is not group]
        is_shared = any(g.hand == group.hand for g in other_groups)
        is_shared |= any(isinstance(g, ContestGroup) and g.dealer == group.hand for g in other_groups)
        return is_shared or isinstance(group, ContestGroup | LosingGroup)

    # Decisions.

    def _emit_decision(self) -> None:
        group = self.plan.required
        if isinstance(group, ContestGroup) and isinstance(self.decisions, ContestDecisions):
            self._emit_contest_decision(group, self.decisions)
        elif isinstance(group, BoardGroup) and isinstance(self.decisions, BoardDecisions):
            self._emit_board_decision(group, self.decisions)

    def _emit_contest_decision(self, group: ContestGroup, decisions: ContestDecisions) -> None:
        w, upcard = self.write, self.plan.layout.upcard
        first = self.array("first_choice", decisions.first_choices)
        strength = self.strength_names[group.hand]
        rank = f" * uint64(13) + uint64(c{upcard} % uint8(13))" if self._uses_upcard(group) else ""
        w(f"choice = uint64({first}[{strength}{rank}])")
        if decisions.by_class:
            w(f"if choice == uint64({BY_CLASS}):")
            w.depth += 1
            cards = self.card_names(group.hand.cards)
            slot = self.emit_slot(cards, len(cards))
            pattern_of = self.array("pattern_of", decisions.pattern_of)
            patterns = self.array("patterns", decisions.patterns)
            if rank:
                order = self.array("suit_order", suit_order())
                w(f"up_order = {order}[bits >> uint64(13) * uint64(c{upcard} // uint8(13)) & uint64(8191)]")
                suits_before = " + ".join(f"uint64({order}[m{suit}] > up_order)" for suit in range(4))
                w(f"place = ({suits_before}) * uint64(13) + uint64(c{upcard} % uint8(13))")
                w(f"choice = uint64({patterns}[uint64({pattern_of}[{slot}]) * uint64(52) + place])")
            else:
                w(f"choice = uint64({patterns}[uint64({pattern_of}[{slot}])])")
            w.depth -= 1
        w("folded = uint64(choice == uint64(0))")

    def _uses_upcard(self, group: ContestGroup) -> bool:
        decisions = self.decisions
        strengths = len(ranking_named(group.contest.player_ranking))
        return isinstance(decisions, ContestDecisions) and len(decisions.first_choices) == strengths * 13

    def _emit_board_decision(self, group: BoardGroup, decisions: BoardDecisions) -> None:
        """Decides street by street while the seat stays in; `path` becomes the index of its raises."""
        w = self.write
        packed = self.array("packed_choices", decisions.packed)
        player, board = self.card_names(Cards((PLAYER,))), self.card_names(Cards((BOARD,)))
        w("path = uint64(0)", "state = uint64(0)", "folded = uint64(1)")
        depth, folded, states = w.depth, 0, 1
        for street, cards in enumerate(group.cards_known):
            slot = self.emit_slot([*player, *board][:cards], cards)
            w(f"choice = uint64({packed}[{slot}]) >> uint64({CHOICE_BITS}) * state & uint64(3)")
            if not group.pulls_back[street]:
                w("if choice == uint64(0):", f"    path = uint64({folded}) + state", "else:")
                w.depth += 1
                folded += states
            count = len(group.multiples[street])
            states *= count
            w(f"state = state * uint64({count}) + choice - uint64(1)")
        w(f"path = uint64({folded}) + state", "folded = uint64(0)")
        w.depth = depth

    # Counting.

    def _emit_cell(self, number: int, cells: Cells) -> None:
        w, group = self.write, cells.group
        segment = self._emit_segment(number, group)
        match group:
            case ContestGroup():
                player, dealer = self.strength_names[group.hand], self.strength_names[group.dealer]
                w(f"outcome = uint64(3) if {player} < {dealer} else uint64(2) if {player} == {dealer} else uint64(1)")
                if group.contest.qualifies:
                    w(f"if {dealer} < uint64({group.qualifies}):", "    outcome = uint64(0)")
                w(f"k{number} = ({segment} * uint64(4) + outcome) * uint64({len(group.choices)}) + choice")
            case BoardGroup():
                w(f"k{number} = {segment} * uint64({len(group.paths)}) + path")
            case TableGroup():
                w(f"k{number} = {segment}")
                if group.by_rank is not None:
                    position = self.plan.layout.at(group.by_place, 0)[0]
                    w(f"k{number} = k{number} * uint64(2) + uint64(c{position} % uint8(13) == uint8({group.by_rank}))")
                if group.by_fold:
                    w(f"k{number} = k{number} * uint64(2) + folded")
            case LosingGroup():
                w(f"k{number} = {segment}" + (" * uint64(2) + folded" if group.by_fold else ""))
            case EnvyGroup():
                w(f"k{number} = {segment} * uint64(2) + folded")
        w(f"of_block[uint64({self.plan.offsets[number]}) + k{number}] += 1")
        if self.trace:
            w(f"trace[number, {'seat' if self.seats > 1 else '0'}, {number}] = k{number}")
        if cells.hits:
            flags = np.zeros(group.cells, dtype=np.uint8)
            flags[list(cells.hits)] = 1
            hit_flags = self.array(f"hits_{number}", flags)
            w(f"if {hit_flags}[k{number}]:")
            w.depth += 1
            w("if found < len(hits):")
            row = ("number", "seat" if self.seats > 1 else "0", str(number), f"k{number}")
            w(*(f"    hits[found, {place}] = {value}" for place, value in enumerate(row)))
            w("found += 1")
            w.depth -= 1

    def _emit_segment(self, number: int, group: Group) -> str:
        """An expression for the segment of a group's hand."""
        w = self.write
        of_strength = self.array(f"segment_{number}", group.segments.of_strength)
        if isinstance(group, LosingGroup):
            contest = self.plan.required
            if not isinstance(contest, ContestGroup):
                raise TypeError("only a contest has a losing hand")
            player, dealer = self.strength_names[contest.hand], self.strength_names[contest.dealer]
            w(f"part_{number} = uint64({of_strength}[min({player}, {dealer})]) + uint64(1)")
            w(f"if {player} == {dealer}:", f"    part_{number} = uint64(0)")
            return f"part_{number}"
        if group.hand in self.strength_names:
            return f"uint64({of_strength}[{self.strength_names[group.hand]}])"
        return self._emit_segment_lookup(number, group, of_strength)

    def _emit_segment_lookup(self, number: int, group: Group, of_strength: str) -> str:
        """The segment of a hand that only one group uses: straight from a table, unless a suit is long."""
        w, ranking = self.write, ranking_named(group.hand.ranking)
        tables = tables_of(ranking)
        by_ranks = np.zeros(len(tables.by_ranks), dtype=np.uint8)
        is_possible = tables.by_ranks >= 0
        by_ranks[is_possible] = group.segments.of_strength[tables.by_ranks[is_possible]]
        segments_by_ranks = self.array(f"parts_{number}", by_ranks)
        total = self.emit_total(group.hand, f"p{number}")
        w(f"part_{number} = uint64({segments_by_ranks}[{total} & KEYS])")
        if (tables.by_suit >= 0).any():
            ranks = self.array(f"ranks_{ranking.name}", tables.by_ranks)
            suits = self.array(f"suits_{ranking.name}", tables.by_suit.reshape(-1))
            w(f"if {total} & LONG:")
            w.depth += 1
            self.emit_long_suit(total, self.card_names(group.hand.cards))
            suited_strength = f"uint64({suits}[suit * uint64(8192) + held])"
            w(f"strength = max(uint64({ranks}[{total} & KEYS]), {suited_strength}) & STRENGTH")
            w(f"part_{number} = uint64({of_strength}[strength])")
            w.depth -= 1
        return f"part_{number}"


def write_source(
    plan: Plan, cells: Sequence[Cells], decisions: Decisions, *, sessions: bool = False, trace: bool = False
) -> KernelSource:
    """Generates the simulator of a plan under a strategy."""
    return KernelEmitter(plan, cells, decisions, sessions=sessions, trace=trace).source()
