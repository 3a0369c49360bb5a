"""A game as a tree of states, in the manner of OpenSpiel: chance, one player, information and returns.

Everything is read off the game's definition and asked from the settlement that the table uses. One
seat plays against the house; the cards are dealt one by one in the order of the game's deal, those
that stay hidden too, and what the player knows of them is the information state.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from croupier.cards import DECK, show_cards
from croupier.errors import Malformed, NotPermitted
from croupier.games.definition import BOARD, DEALER, DISCARD, PLAYER, Game, Slot
from croupier.hands import ranking_named
from croupier.rules import Elected
from croupier.table.evolve import new_table
from croupier.table.playing import forfeited_by_fold
from croupier.table.settlement import PER_SEAT, Entry, SeatSettlement, cards_of, read_hand
from croupier.table.setup import Setup
from croupier.table.state import DealtIn, Round

CHANCE = -1
TERMINAL = -4
PLAYER_ONE = 0
"""Who moves, as OpenSpiel numbers them."""
UNIT = 1000
"""Cents of the Ante: large enough that no odds leave a fraction of a cent."""
SEAT = 1


@dataclass(frozen=True, eq=False)
class GameTree:
    """A game with an edition's choices and some optional wagers, ready to be played by one seat."""

    elected: Elected
    wagers: tuple[str, ...] = ()
    """The optional wagers that are made in every round, each as large as the Ante; none on a meter."""

    def __post_init__(self) -> None:
        for wager in self.wagers:
            if wager not in self.elected.edition.optional or wager in self.setup.on_meters:
                free = [name for name in self.elected.edition.optional if name not in self.setup.on_meters]
                raise Malformed("wagers", f"there is no optional wager {wager!r} here; there are {', '.join(free)}")

    @cached_property
    def setup(self) -> Setup:
        return Setup.open(self.elected)

    @property
    def game(self) -> Game:
        return self.setup.game

    @cached_property
    def placed(self) -> dict[str, int]:
        """What is wagered before the deal, in cents."""
        edition = self.elected.edition
        leads = [name for name in (*edition.required, *self.wagers) if not edition.wagers[name].follows]
        together = [other for name in leads for other in edition.placed_with(name)]
        return dict.fromkeys((*leads, *together), UNIT)

    @cached_property
    def slots(self) -> tuple[Slot, ...]:
        """Where each card of the deal goes, in order."""
        dealt = DealtIn(self.setup, (SEAT,), {SEAT: self.placed})
        return tuple(slot for step in self.game.deals[self.setup.deal_name] for slot in step.slots(dealt))

    @cached_property
    def actions(self) -> tuple[str, ...]:
        """The names of all actions: an action's number is its place here."""
        names: dict[str, None] = {}
        for street in range(len(self.game.streets)):
            names |= dict.fromkeys(name for name, _ in self.choices(street))
        return tuple(names)

    def choices(self, street: int) -> tuple[tuple[str, int], ...]:
        """What can be decided on a street: the name of each choice, and the multiple of the Ante that it wagers."""
        decided = self.game.streets[street]
        if decided.pulls_back:
            return ("pull", 0), ("ride", 1)
        rule = self.elected.edition.wagers[decided.wager]
        multiples = rule.multiples or tuple(range(rule.between[0], rule.between[1] + 1) if rule.between else ())
        return ("fold", 0), *(("play" if multiples == (1,) else f"{multiple}x", multiple) for multiple in multiples)

    @cached_property
    def forfeits(self) -> frozenset[str]:
        """The wagers that a fold forfeits."""
        return frozenset(forfeited_by_fold(new_table(self.setup)))

    def num_distinct_actions(self) -> int:
        return len(self.actions)

    def num_players(self) -> int:
        return 1

    def new_initial_state(self) -> State:
        """The state before the first card."""
        return State(self)

    def state(self, cards: Iterable[int], decisions: Sequence[int] = ()) -> State:
        """The state after some cards and some decisions, each of which must be legal."""
        found = replace(self.new_initial_state(), cards=tuple(cards))
        for action in decisions:
            found = found.child(action)
        return found


@dataclass(frozen=True, eq=False)
class State:
    """A point of a round. `child` gives the next one; nothing is changed in place."""

    tree: GameTree
    cards: tuple[int, ...] = ()
    """The cards dealt so far, in the order of the deal."""
    decisions: tuple[int, ...] = ()
    """The actions taken so far, street by street."""

    def current_player(self) -> int:
        """`CHANCE` while cards are dealt, `PLAYER_ONE` where something is decided, `TERMINAL` at the end."""
        if self.is_terminal():
            return TERMINAL
        return CHANCE if self.is_chance_node() else PLAYER_ONE

    def is_chance_node(self) -> bool:
        return len(self.cards) < len(self.tree.slots)

    def is_terminal(self) -> bool:
        return not self.is_chance_node() and (self.has_folded or len(self.decisions) == len(self.tree.game.streets))

    @property
    def street(self) -> int:
        """Which decision is next, from 0."""
        return len(self.decisions)

    @property
    def has_folded(self) -> bool:
        return bool(self.decisions) and self.tree.actions[self.decisions[-1]] == "fold"

    def chance_outcomes(self) -> list[tuple[int, Fraction]]:
        """Every card that may be dealt next, with its probability; refused where nothing is dealt."""
        if not self.is_chance_node():
            raise NotPermitted("", "no card is dealt now")
        left = [card for card in range(len(DECK)) if card not in self.cards]
        return [(card, Fraction(1, len(left))) for card in left]

    def legal_actions(self) -> list[int]:
        """The actions open now, in order: cards where one is dealt, else decisions; none at the end."""
        if self.is_terminal():
            return []
        if self.is_chance_node():
            return [card for card, _ in self.chance_outcomes()]
        return [self.tree.actions.index(name) for name, multiple in self._choices() if self._allowed(multiple)]

    def _choices(self) -> tuple[tuple[str, int], ...]:
        return self.tree.choices(self.street)

    def _allowed(self, multiple: int) -> bool:
        game = self.tree.game
        rule = self.tree.elected.edition.wagers[game.streets[self.street].wager]
        needed = rule.needs_hand.get(multiple, "")
        if not needed:
            return True
        ranking = ranking_named(game.hand_ranking)
        return read_hand(ranking, cards_of(self.round(), game.hand, SEAT)).strength >= ranking.span(needed).start

    def action_to_string(self, action: int) -> str:
        """What an action is called: a card, or a choice."""
        return str(DECK[action]) if self.is_chance_node() else self.tree.actions[action]

    def child(self, action: int) -> State:
        """The state after an action; refuses one that is not open."""
        if action not in self.legal_actions():
            raise NotPermitted("", f"{action} is not open here: {', '.join(map(str, self.legal_actions()))}")
        if self.is_chance_node():
            return replace(self, cards=(*self.cards, action))
        return replace(self, decisions=(*self.decisions, action))

    def multiples(self) -> list[int]:
        """What was wagered on each street decided, in Antes; 0 for a fold and for a wager pulled back."""
        return [dict(self.tree.choices(street))[self.tree.actions[a]] for street, a in enumerate(self.decisions)]

    def round(self) -> Round:
        """The round as the table would have it."""
        tree = self.tree
        wagers = dict(tree.placed)
        for street, multiple in zip(tree.game.streets, self.multiples(), strict=False):
            wagers[street.wager] = multiple * UNIT
        cards: dict[tuple[str, int], tuple[int, ...]] = {}
        for slot, card in zip(tree.slots, self.cards, strict=False):
            cards[slot.place, slot.seat] = (*cards.get((slot.place, slot.seat), ()), card)
        folded = frozenset({SEAT}) if self.has_folded else frozenset()
        return Round(
            number=1,
            deck=1,
            dealt=(SEAT,),
            wagers={SEAT: {name: cents for name, cents in wagers.items() if cents}},
            patrons={SEAT: "player"},
            slots=tree.slots,
            cards=cards,
            folded=folded,
            forfeited={SEAT: tree.forfeits} if folded else {},
        )

    def entries(self) -> list[Entry]:
        """What becomes of every wager, as the table settles it; refused before the end."""
        if not self.is_terminal():
            raise NotPermitted("", "the round is not over")
        return list(SeatSettlement(self.tree.setup, self.round(), SEAT).entries())

    def net(self) -> Fraction:
        """What the round came to, in Antes, exactly."""
        return Fraction(sum(entry.returned + entry.paid - entry.staked for entry in self.entries()), UNIT)

    def returns(self) -> list[float]:
        """The player's net result in Antes; 0 before the end."""
        return [float(self.net()) if self.is_terminal() else 0.0]

    def visible(self) -> dict[str, tuple[int, ...]]:
        """The cards that the player sees now, by place: his own, those dealt face up, and what streets turned up."""
        revealed: dict[str, int] = {}
        for street in self.tree.game.streets[: len(self.decisions)]:
            revealed[street.then.place] = max(revealed.get(street.then.place, 0), street.then.count)
        found: dict[str, tuple[int, ...]] = {}
        counted: dict[str, int] = {}
        for slot, card in zip(self.tree.slots, self.cards, strict=False):
            counted[slot.place] = counted.get(slot.place, 0) + 1
            own = slot.place == PLAYER
            up = slot.face_up or (slot.place in (DEALER, BOARD) and counted[slot.place] <= revealed.get(slot.place, 0))
            if (own or up or (self.is_terminal() and slot.place not in PER_SEAT)) and slot.place != DISCARD:
                found[slot.place] = (*found.get(slot.place, ()), card)
        return found

    def information_state_string(self) -> str:
        """All that the player knows, the same for states that he cannot tell apart: order of own cards is nothing."""
        shown = [
            f"{place}: {show_cards(DECK[card] for card in (sorted(cards) if place == PLAYER else cards))}"
            for place, cards in self.visible().items()
        ]
        decided = " ".join(self.tree.actions[action] for action in self.decisions)
        return "; ".join([*shown, f"decided: {decided}" if decided else "nothing decided"])

    def information_state_tensor(self) -> list[float]:
        """The same as numbers: own cards, dealer's and board's in sight (52 each), then each street's action."""
        visible, actions = self.visible(), len(self.tree.actions)
        found = [float(card in visible.get(place, ())) for place in (PLAYER, DEALER, BOARD) for card in range(52)]
        for street in range(len(self.tree.game.streets)):
            taken = self.decisions[street] if street < len(self.decisions) else -1
            found += [float(action == taken) for action in range(actions)]
        return found

    def __str__(self) -> str:
        return self.information_state_string()
