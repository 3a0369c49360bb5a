"""A game as a tree of states in the style of OpenSpiel: chance nodes, one player, information states, returns.

The tree follows from the game's definition, and the table's settlement gives the returns, exact before
rounding to cents. One seat plays against the house; cards are dealt one by one in deal order, hidden
cards included, and the information state holds what the player knows of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from croupier.analysis.house_edges import analyze_wager
from croupier.analysis.strategy import advise
from croupier.analysis.supported_shapes import require_exact
from croupier.analysis.wagers import REQUIRED
from croupier.core.cards import DECK, show_cards
from croupier.core.errors import InputError, RuleViolation
from croupier.games.definition import BOARD, DEALER, DISCARD, PLAYER, Game, Slot
from croupier.hands import ranking_named
from croupier.regulations import ElectedEdition
from croupier.table.evolve import new_table
from croupier.table.model.setup import Setup
from croupier.table.model.state import Round, SeatsDealtIn
from croupier.table.procedure.decisions import forfeited_by_fold
from croupier.table.settlement import PER_SEAT, SeatSettlement, SettlementEntry, cards_of, read_hand

CHANCE = -1
TERMINAL = -4
PLAYER_ONE = 0
"""Player numbers, as in OpenSpiel."""
ANTE_CENTS = 1000
"""The Ante of every round. Its size matters only for rows that pay fixed dollars."""
SEAT = 1


@dataclass(frozen=True, eq=False)
class GameTree:
    """A game with an edition's elections and some optional wagers, for one seat."""

    elected: ElectedEdition
    wagers: tuple[str, ...] = ()
    """Optional wagers made in every round, each equal to the Ante; progressive wagers are not supported."""
    deck: tuple[int, ...] = tuple(range(len(DECK)))
    """The cards in play, by number: all 52, or fewer to study a small game."""

    def __post_init__(self) -> None:
        for wager in self.wagers:
            if wager not in self.elected.edition.optional or wager in self.setup.on_meters:
                available = [name for name in self.elected.edition.optional if name not in self.setup.on_meters]
                raise InputError("wagers", f"there is no optional wager {wager!r}; available: {', '.join(available)}")
        if len(set(self.deck)) != len(self.deck) or not set(self.deck) <= set(range(len(DECK))):
            raise InputError("deck", "the cards must be different cards of a deck of 52")
        if len(self.deck) < len(self.slots):
            raise InputError("deck", f"{len(self.deck)} cards are too few: a round takes {len(self.slots)}")

    @cached_property
    def setup(self) -> Setup:
        return Setup.open(self.elected)

    @property
    def game(self) -> Game:
        return self.setup.game

    @cached_property
    def initial_stakes(self) -> dict[str, int]:
        """The wagers made before the deal, in cents."""
        edition = self.elected.edition
        leads = [name for name in (*edition.required, *self.wagers) if not edition.wagers[name].is_derived]
        linked = [other for name in leads for other in edition.placed_with(name)]
        return dict.fromkeys((*leads, *linked), ANTE_CENTS)

    @cached_property
    def slots(self) -> tuple[Slot, ...]:
        """The slots of the deal, in order; in a reduced deck no card is set aside, because nobody sees discards."""
        dealt = SeatsDealtIn(self.setup, (SEAT,), {SEAT: self.initial_stakes})
        slots = (slot for step in self.game.deals[self.setup.deal_name] for slot in step.slots(dealt))
        is_reduced = len(self.deck) < len(DECK)
        return tuple(slot for slot in slots if slot.place != DISCARD or not is_reduced)

    @cached_property
    def actions(self) -> tuple[str, ...]:
        """The names of all actions; an action's number is its index."""
        names: dict[str, None] = {}
        for street in range(len(self.game.streets)):
            names |= dict.fromkeys(name for name, _ in self.choices(street))
        return tuple(names)

    def choices(self, street: int) -> tuple[tuple[str, int], ...]:
        """The choices on a street: the name of each, and its wager as a multiple of the Ante."""
        decision = self.game.streets[street]
        if decision.pulls_back:
            return ("pull", 0), ("ride", 1)
        rule = self.elected.edition.wagers[decision.wager]
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
        state = replace(self.new_initial_state(), cards=tuple(cards))
        for action in decisions:
            state = state.child(action)
        return state


@dataclass(frozen=True, eq=False)
class State:
    """An immutable state of a round; `child` gives the next one."""

    tree: GameTree
    cards: tuple[int, ...] = ()
    """The cards dealt so far, in the order of the deal."""
    decisions: tuple[int, ...] = ()
    """The actions taken so far, street by street."""

    def current_player(self) -> int:
        """`CHANCE` while cards are dealt, `PLAYER_ONE` at a decision, `TERMINAL` at the end."""
        if self.is_terminal():
            return TERMINAL
        return CHANCE if self.is_chance_node() else PLAYER_ONE

    def is_chance_node(self) -> bool:
        return len(self.cards) < len(self.tree.slots)

    def is_terminal(self) -> bool:
        return not self.is_chance_node() and (self.has_folded or len(self.decisions) == len(self.tree.game.streets))

    @property
    def street(self) -> int:
        """The index of the next decision."""
        return len(self.decisions)

    @property
    def has_folded(self) -> bool:
        return bool(self.decisions) and self.tree.actions[self.decisions[-1]] == "fold"

    def chance_outcomes(self) -> list[tuple[int, Fraction]]:
        """Every card that may be dealt next, with its probability; refused outside a chance node."""
        if not self.is_chance_node():
            raise RuleViolation("", "this is not a chance node")
        remaining = [card for card in self.tree.deck if card not in self.cards]
        return [(card, Fraction(1, len(remaining))) for card in remaining]

    def legal_actions(self) -> list[int]:
        """The legal actions in order: cards at a chance node, else decisions; none at the end."""
        if self.is_terminal():
            return []
        if self.is_chance_node():
            return [card for card, _ in self.chance_outcomes()]
        return [self.tree.actions.index(name) for name, multiple in self._choices() if self._is_allowed(multiple)]

    def _choices(self) -> tuple[tuple[str, int], ...]:
        return self.tree.choices(self.street)

    def _is_allowed(self, multiple: int) -> bool:
        game = self.tree.game
        rule = self.tree.elected.edition.wagers[game.streets[self.street].wager]
        needed = rule.needs_hand.get(multiple, "")
        if not needed:
            return True
        ranking = ranking_named(game.hand_ranking)
        return read_hand(ranking, cards_of(self.round(), game.hand, SEAT)).strength >= ranking.span(needed).start

    def action_to_string(self, action: int) -> str:
        """The name of an action: a card or a choice."""
        return str(DECK[action]) if self.is_chance_node() else self.tree.actions[action]

    def child(self, action: int) -> State:
        """The state after an action; refuses an illegal one."""
        if action not in self.legal_actions():
            raise RuleViolation("", f"action {action} is not legal; legal: {', '.join(map(str, self.legal_actions()))}")
        if self.is_chance_node():
            return replace(self, cards=(*self.cards, action))
        return replace(self, decisions=(*self.decisions, action))

    def multiples(self) -> list[int]:
        """The wager on each decided street, in Antes; 0 for a fold or a wager pulled back."""
        return [dict(self.tree.choices(street))[self.tree.actions[a]] for street, a in enumerate(self.decisions)]

    def round(self) -> Round:
        """The round as the table's model."""
        tree = self.tree
        wagers = dict(tree.initial_stakes)
        for street, multiple in zip(tree.game.streets, self.multiples(), strict=False):
            wagers[street.wager] = multiple * ANTE_CENTS
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

    def entries(self) -> list[SettlementEntry]:
        """The settlement of every wager: `due` is exact, `paid` is rounded to cents.

        Refused before the end of the round.
        """
        if not self.is_terminal():
            raise RuleViolation("", "the round is not over")
        return list(SeatSettlement(self.tree.setup, self.round(), SEAT).entries())

    def net(self) -> Fraction:
        """The exact net result of the round, in Antes."""
        return sum((net_antes(entry) for entry in self.entries()), Fraction(0))

    def returns(self) -> list[float]:
        """The player's net result in Antes; 0 before the end."""
        return [float(self.net()) if self.is_terminal() else 0.0]

    def visible(self) -> dict[str, tuple[int, ...]]:
        """The cards that the player sees, by place: their own, those dealt face up, and those revealed by streets."""
        revealed: dict[str, int] = {}
        for street in self.tree.game.streets[: len(self.decisions)]:
            revealed[street.then.place] = max(revealed.get(street.then.place, 0), street.then.count)
        visible: dict[str, tuple[int, ...]] = {}
        counts: dict[str, int] = {}
        for slot, card in zip(self.tree.slots, self.cards, strict=False):
            counts[slot.place] = counts.get(slot.place, 0) + 1
            is_player = slot.place == PLAYER
            is_revealed = slot.face_up or (
                slot.place in (DEALER, BOARD) and counts[slot.place] <= revealed.get(slot.place, 0)
            )
            if (
                is_player or is_revealed or (self.is_terminal() and slot.place not in PER_SEAT)
            ) and slot.place != DISCARD:
                visible[slot.place] = (*visible.get(slot.place, ()), card)
        return visible

    def information_state_string(self) -> str:
        """What the player knows, equal for indistinguishable states; the order of their own cards does not count."""
        card_texts = [
            f"{place}: {show_cards(DECK[card] for card in (sorted(cards) if place == PLAYER else cards))}"
            for place, cards in self.visible().items()
        ]
        actions = " ".join(self.tree.actions[action] for action in self.decisions)
        return "; ".join([*card_texts, f"decided: {actions}" if actions else "nothing decided"])

    def information_state_tensor(self) -> list[float]:
        """The same as a tensor: own, visible dealer and board cards (52 each), then each street's action."""
        visible, actions = self.visible(), len(self.tree.actions)
        tensor = [float(card in visible.get(place, ())) for place in (PLAYER, DEALER, BOARD) for card in range(52)]
        for street in range(len(self.tree.game.streets)):
            street_action = self.decisions[street] if street < len(self.decisions) else -1
            tensor += [float(action == street_action) for action in range(actions)]
        return tensor

    def __str__(self) -> str:
        return self.information_state_string()

    def __deepcopy__(self, memo: Mapping[int, object]) -> State:
        """The state itself: it never changes, and neither does its tree."""
        return self


def net_antes(entry: SettlementEntry) -> Fraction:
    """The exact net result of a wager or bonus, in Antes."""
    return Fraction(entry.returned + entry.exact_paid - entry.staked, ANTE_CENTS)


def optimal_values(state: State) -> dict[int, Fraction]:
    """The value of each legal action in Antes, with optimal play afterward.

    For the required wagers: an optional wager adds the same to every choice unless a fold forfeits it.
    Refuses a state without a decision, and a game without an exact analysis (`NotExact`).
    """
    if state.current_player() != PLAYER_ONE:
        raise RuleViolation("", "this is not a decision")
    require_exact(state.tree.elected)
    visible = {place: [DECK[card] for card in cards] for place, cards in state.visible().items()}
    up = visible.get(DEALER, [])
    advice = advise(
        state.tree.elected, visible[PLAYER], up[0] if up else None, visible.get(BOARD, []), state.multiples()
    )
    names = state.tree.actions
    return {names.index(choice): value for choice, value in advice.values.items()}


def best_action(state: State) -> int:
    """The optimal action; ties go to the larger wager."""
    values = optimal_values(state)
    highest = max(values.values())
    return [action for action, value in values.items() if value == highest][-1]


def exact_value(tree: GameTree) -> Fraction:
    """The value of a round in Antes under optimal play, including the tree's optional wagers.

    Refuses a game without an exact analysis, and an optional wager that a fold forfeits: it changes the
    optimal play.
    """
    total = -analyze_wager(tree.elected, REQUIRED).house_edge
    for wager in tree.wagers:
        if wager in tree.forfeits:
            raise RuleViolation("", f"a fold forfeits {wager}, which changes the optimal play")
        total -= analyze_wager(tree.elected, wager).house_edge
    return total
