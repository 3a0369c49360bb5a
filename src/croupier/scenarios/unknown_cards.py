"""What follows from a round of which some cards are not known: each wager is certain, or depends on named cards.

The settlement of a wager depends on few values: the strengths of the hands in it, the rank of a deciding card, the card
that the system drew. Every strength that an incomplete hand can have is found by ranking every completion from the
cards that nobody has seen. A wager is certain if all of them settle it alike; nothing is sampled. If two incomplete
hands meet in a contest, every pair of their strengths counts, also a pair that would need the same card: then a
certain wager is certain, and a doubtful one may, in rare cases, be called doubtful without need.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace
from functools import cached_property
from itertools import combinations

from croupier.core.cards import DECK
from croupier.core.dataclass import dataclass
from croupier.games.definition import (
    BOARD,
    BONUS,
    COMMUNITY,
    DEALER,
    FOURTH,
    PLAYER,
    ByLosingHand,
    ByTable,
    Cards,
    Contest,
)
from croupier.hands import Ranking, ranking_named
from croupier.regulations.payouts import Loss, OfMeter, Push
from croupier.regulations.paytables import Paytable, Row
from croupier.scenarios.model import UNKNOWN_CARD, Scenario
from croupier.table.model.events import WagerSettled
from croupier.table.model.setup import DRAWN_BONUSES, Setup
from croupier.table.model.state import Round
from croupier.table.session import TableSession
from croupier.table.settlement import (
    PER_SEAT,
    SeatSettlement,
    SettlementEntry,
    amounts_due,
    can_occur,
    cards_of,
    counts_for_limit,
    round_to_cents,
    settle_contest,
)

OWNERS = {DEALER: "the dealer", BOARD: "the board", BONUS: "the bonus", COMMUNITY: "the community"}
Hand = tuple[str, int]
"""A place and a seat; 0 for a hand that belongs to no seat."""
EntryKey = tuple[int, str, int]
"""A seat, the name of a wager or bonus, and the holder of an Envy Bonus."""


def hand_owner(place: str, seat: int) -> str:
    """Whose cards lie at a place."""
    return f"seat {seat}, fourth card" if place == FOURTH else f"seat {seat}" if place == PLAYER else OWNERS[place]


@dataclass(frozen=True, slots=True)
class _Result:
    """One way in which an entry can be settled; `meter` is the share of a meter, whose amount only the table knows."""

    outcome: str
    returned: int
    paid: int
    meter: str = ""
    row: str = field(default="", compare=False)


@dataclass()
class Doubts:
    """What is not known about a round: the cards, and the entries that depend on them."""

    setup: Setup
    round: Round
    unknown: frozenset[int]
    """Every card that lies in no known place; some of them stand for unknown cards in the round as it was played."""
    _results: dict[EntryKey, set[_Result | None]] = field(default_factory=dict, repr=False)
    """Every way in which each entry can be settled; `None` if there may be no such entry."""
    _hands: dict[EntryKey, set[Hand]] = field(default_factory=dict, repr=False)
    """The hands with unknown cards that each entry involves."""
    _nameless: set[EntryKey] = field(default_factory=set, repr=False)
    """Entries whose hand has no name, because some of its cards are unknown."""

    def __post_init__(self) -> None:
        if self.unknown and not self.round.void:
            for seat in self.round.dealt:
                self._collect_seat(seat)

    @property
    def hands(self) -> list[Hand]:
        """The hands with unknown cards, discards aside, in the order of their seats."""
        incomplete = [
            hand for hand, cards in self.round.cards.items() if self.unknown & set(cards) and hand[0] in _SHOWN_PLACES
        ]
        return sorted(incomplete, key=lambda hand: (_SHOWN_PLACES.index(hand[0]), hand[1]))

    def show(self, cards: Iterable[int]) -> str:
        """Cards as text, with a question mark for every unknown one."""
        return " ".join(UNKNOWN_CARD if card in self.unknown else str(DECK[card]) for card in cards)

    def hides(self, place: str, seat: int = 0) -> bool:
        """Whether a hand has unknown cards."""
        return bool(self.unknown & set(self.round.hand(place, seat)))

    def is_nameless(self, entry: WagerSettled) -> bool:
        """Whether the hand of an entry, even of a certain one, has no name because of unknown cards."""
        return (entry.seat, entry.wager, entry.holder) in self._nameless

    def depends_on(self, seat: int, wager: str, holder: int = 0) -> list[str]:
        """Whose cards an entry depends on; empty if it is certain."""
        key = (seat, wager, holder)
        hands = self._hands_of_meter(key)
        if len(self._limited_results(key)) > 1:
            hands |= self._hands[key] | self._hands_of_limit(key)
        order = [hand for hand in self.hands if hand in hands]
        return [hand_owner(*hand) for hand in order]

    def possible_entries(self, seat: int) -> list[tuple[str, int]]:
        """The doubtful entries of a seat, by name and holder; some may not exist in the end."""
        return [
            (wager, holder)
            for entry_seat, wager, holder in self._results
            if entry_seat == seat and self.depends_on(seat, wager, holder)
        ]

    @property
    def has_doubtful_meters(self) -> bool:
        """Whether a meter depends on unknown cards."""
        return any(
            len(results) > 1 and any(result is not None and result.meter for result in results)
            for results in self._results.values()
        )

    def _hands_of_meter(self, key: EntryKey) -> set[Hand]:
        """Hands that may take from the same meter before a seat does; seats are settled from the highest down."""
        meters = {result.meter.partition(" ")[0] for result in self._results.get(key, ()) if result and result.meter}
        return {
            hand
            for other, results in self._results.items()
            if meters and other[0] > key[0] and len(results) > 1
            for result in results
            if result and result.meter.partition(" ")[0] in meters
            for hand in self._hands[other]
        }

    def _limited_results(self, key: EntryKey) -> set[_Result | None]:
        """The results of an entry, cut to what a payout limit leaves after the least and the most of earlier wins."""
        results, limit = self._results.get(key, set()), self.setup.payout_limit
        if limit is None or key[2]:
            return results
        limited: set[_Result | None] = set()
        for choose in (min, max):
            remaining = max(limit - sum(choose(self._counted(other)) for other in self._earlier(key)), 0)
            for result in results:
                is_cut = result is not None and self._counts(key[1], result) and result.paid > remaining
                limited.add(replace(result, paid=remaining) if result is not None and is_cut else result)
        return limited

    def _hands_of_limit(self, key: EntryKey) -> set[Hand]:
        """Hands with unknown cards that decide about the earlier wins of a seat, if the table has a payout limit."""
        if self.setup.payout_limit is None or key[2]:
            return set()
        return {hand for other in self._earlier(key) if len(self._results[other]) > 1 for hand in self._hands[other]}

    def _earlier(self, key: EntryKey) -> list[EntryKey]:
        """The entries of a seat that are settled before one of them."""
        keys = [other for other in self._results if other[0] == key[0] and not other[2]]
        return keys[: keys.index(key)] if key in keys else []

    def _counted(self, key: EntryKey) -> list[int]:
        """What an entry can pay that counts toward a payout limit."""
        return [x.paid if x is not None and self._counts(key[1], x) else 0 for x in self._results[key]] or [0]

    def _counts(self, wager: str, result: _Result) -> bool:
        entry = SettlementEntry(wager, 0, result.outcome, 0, result.paid, "", "", row=result.row)
        return counts_for_limit(self.setup, entry)

    # Every way in which an entry can be settled.

    def _collect_seat(self, seat: int) -> None:
        settlement = SeatSettlement(self.setup, self.round, seat)
        for shape in self.setup.game.settlements:
            match shape:
                case Contest():
                    if all(map(settlement.stake, shape.wagers)) and not any(
                        map(settlement.unplayed_entry, shape.wagers)
                    ):
                        self._collect_contest(seat, shape)
                case ByTable() | ByLosingHand():
                    if settlement.stake(shape.wager) and settlement.unplayed_entry(shape.wager) is None:
                        self._collect_wager(seat, shape, settlement.stake(shape.wager))
        if settlement.has_envy_hand():
            self._collect_envies(seat)

    def _collect_contest(self, seat: int, contest: Contest) -> None:
        names = (*contest.wagers, *(bonus.name for bonus in contest.bonuses))
        for name in names:
            self._results[seat, name, 0] = set()
            self._hands[seat, name, 0] = self._incomplete(seat, contest.player) | self._incomplete(seat, contest.dealer)
            if self._incomplete(seat, contest.player):
                self._nameless.add((seat, name, 0))
        stakes = {wager: self.round.staked(seat, wager) for wager in contest.wagers}
        classes_seen: set[tuple[str, tuple[int, ...]]] = set()
        tables = [
            self.setup.elected.paytable(name)
            for name in (*contest.by_table.values(), *contest.always_by_table.values(), *names[len(contest.wagers) :])
        ]
        for strength, outcome in self._contest_outcomes(seat, contest):
            rows = tuple(table.row_numbers[strength] for table in tables)
            if (outcome, rows) in classes_seen or not can_occur(self.setup.elected, contest, outcome, strength):
                continue
            classes_seen.add((outcome, rows))
            entries = {x.wager: x for x in settle_contest(self.setup.elected, contest, outcome, strength, stakes)}
            for name in names:
                entry = entries.get(name)
                self._results[seat, name, 0].add(
                    None
                    if entry is None
                    else _Result(
                        entry.outcome,
                        int(entry.returned),
                        round_to_cents(entry.paid, self.setup.odd_cents),
                        row=entry.row,
                    )
                )

    def _contest_outcomes(self, seat: int, contest: Contest) -> Iterator[tuple[int, str]]:
        """Every strength of the player with every outcome against some strength of the dealer."""
        ranking = ranking_named(contest.dealer_ranking)
        dealers = self._strengths(ranking, contest.dealer, seat)
        lowest = ranking.span(contest.qualifies).start if contest.qualifies else 0
        qualified = [strength for strength in dealers if strength >= lowest]
        for strength in self._strengths(ranking_named(contest.player_ranking), contest.player, seat):
            if len(qualified) < len(dealers):
                yield strength, "unqualified"
            if qualified:
                if qualified[0] < strength:
                    yield strength, "win"
                if strength in qualified:
                    yield strength, "tie"
                if qualified[-1] > strength:
                    yield strength, "lose"

    def _collect_wager(self, seat: int, shape: ByTable | ByLosingHand, stake: int) -> None:
        key = (seat, shape.wager, 0)
        self._nameless.add(key)
        if isinstance(shape, ByLosingHand):
            contest = self.setup.game.contest
            if contest is None:
                return
            table = self.setup.elected.paytable(shape.table_name)
            self._hands[key] = self._incomplete(seat, contest.player) | self._incomplete(seat, contest.dealer)
            rows = self._losing_rows(seat, contest, table)
            self._results[key] = {self._row_result(shape.wager, row, stake) for row in rows}
            return
        self._hands[key] = self._incomplete(seat, shape.cards) | self._deciding_card(seat, shape)
        if not self._hands[key]:
            self._nameless.discard(key)
        self._results[key] = {
            self._row_result(shape.wager, table.row_of(strength), stake)
            for table in self._tables(seat, shape)
            for strength in self._strengths(table.ranking, shape.cards, seat)
        }
        self._collect_drawn(seat, shape)

    def _losing_rows(self, seat: int, contest: Contest, table: Paytable) -> set[Row | None]:
        """The rows of the hand that loses the contest, over every pair of strengths; `None` for a tie."""
        players = self._strengths(ranking_named(contest.player_ranking), contest.player, seat)
        dealers = self._strengths(ranking_named(contest.dealer_ranking), contest.dealer, seat)
        rows: set[Row | None] = {table.row_of(strength) for strength in players if strength < dealers[-1]}
        rows |= {table.row_of(strength) for strength in dealers if strength < players[-1]}
        return rows | ({None} if set(players) & set(dealers) else set())

    def _deciding_card(self, seat: int, shape: ByTable) -> set[Hand]:
        """The unknown card that decides which paytable pays."""
        if shape.decided_by is None:
            return set()
        for hand in ((shape.decided_by[0], seat), (COMMUNITY, 0)):
            if self.round.hand(*hand):
                return {hand} if self.hides(*hand) else set()
        return set()

    def _tables(self, seat: int, shape: ByTable) -> list[Paytable]:
        """The paytables that can pay a wager: both if an unknown card decides."""
        names = [shape.table_name]
        if self._deciding_card(seat, shape) and shape.decided_by is not None:
            ranks = {DECK[card].rank.letter for card in self._pool}
            has_rank, has_other = shape.decided_by[1] in ranks, bool(ranks - {shape.decided_by[1]})
            names = [*[shape.table_name] * has_rank, *[shape.otherwise] * has_other]
        elif shape.decided_by is not None:
            names = [SeatSettlement(self.setup, self.round, seat).paytable_name(shape)]
        return [self.setup.elected.paytable(name) for name in names]

    def _row_result(self, wager: str, row: Row | None, stake: int) -> _Result:
        if row is None or isinstance(row.pays, Loss):
            return _Result("lose", 0, 0)
        if isinstance(row.pays, Push):
            return _Result("push", stake, 0)
        if isinstance(row.pays, OfMeter):
            return _Result("win", 0, 0, f"{self.setup.game.table_of(wager)} {row.pays.meter} {row.pays.share}")
        returned, paid = amounts_due(row.pays, stake)
        return _Result("win", int(returned), round_to_cents(paid, self.setup.odd_cents), row=row.hand)

    def _collect_drawn(self, seat: int, shape: ByTable) -> None:
        """The bonus on a card that the system drew: doubtful if that card may be among the unknown ones."""
        magic, name = self.round.magic_card, DRAWN_BONUSES[0]
        if shape.wager in self.setup.electronic and magic in self._pool and self._incomplete(seat, shape.cards):
            self._results[seat, name, 0] = {None, _Result("win", 0, 0)}
            self._hands.setdefault((seat, name, 0), set()).update(self._incomplete(seat, shape.cards))

    def _collect_envies(self, holder: int) -> None:
        """The Envy Bonuses that a hand with unknown cards may earn for other seats."""
        incomplete = self._incomplete(holder, Cards((PLAYER,)))
        for name, group in self.setup.elected.edition.envies.items():
            for seat in self.round.dealt:
                stake = self.round.staked(seat, group.on)
                if not stake or seat == holder or not incomplete:
                    continue
                table = self.setup.elected.envy_table(name, stake // 100)
                rows = {table.row_of(x) for x in self._strengths(table.ranking, Cards((PLAYER,)), holder)}
                self._hands[seat, name, holder] = incomplete
                self._results[seat, name, holder] = {
                    None if row is None else self._row_result(group.on, row, stake) for row in rows
                }

    # Every strength that an incomplete hand can have.

    @cached_property
    def _pool(self) -> list[int]:
        """The cards that an unknown card can be: those that lie in no known place."""
        return sorted(self.unknown)

    def _incomplete(self, seat: int, cards: Cards) -> set[Hand]:
        hands = {(place, seat if place in PER_SEAT else 0) for place in cards.places}
        numbers = {card.index for card in cards_of(self.round, cards, seat)}
        return {hand for hand in hands if self.unknown & numbers & set(self.round.hand(*hand))}

    def _strengths(self, ranking: Ranking, cards: Cards, seat: int) -> list[int]:
        """The strengths of some cards of a seat over every completion, lowest first."""
        numbers = [card.index for card in cards_of(self.round, cards, seat)]
        known_cards = tuple(card for card in numbers if card not in self.unknown)
        key = (ranking.name, known_cards, len(numbers) - len(known_cards))
        if key not in self._strengths_by_hand:
            self._strengths_by_hand[key] = possible_strengths(
                ranking, known_cards, len(numbers) - len(known_cards), self._pool
            )
        return self._strengths_by_hand[key]

    @cached_property
    def _strengths_by_hand(self) -> dict[tuple[str, tuple[int, ...], int], list[int]]:
        return {}


_SHOWN_PLACES = (PLAYER, FOURTH, DEALER, BOARD, BONUS, COMMUNITY)


def find_doubts(scenario: Scenario, session: TableSession) -> Doubts | None:
    """The doubts about a round that was played from a scenario; `None` if every card of its hands is known."""
    round_ = session.table.round
    if round_ is None or not scenario.unknown:
        return None
    doubts = Doubts(session.table.setup, round_, frozenset(scenario.order[position] for position in scenario.unknown))
    return doubts if doubts.hands else None


TAIL_CARDS = 4
"""How many unknown cards are ranked in bulk, under every choice of the others."""


def possible_strengths(ranking: Ranking, known_cards: Sequence[int], count: int, pool: Sequence[int]) -> list[int]:
    """The strengths of every hand of known cards and `count` others from a pool, lowest first."""
    import numpy as np

    from croupier.hands.kernels import evaluate

    cards, tail_count = np.array(pool, dtype=np.uint8), min(count, TAIL_CARDS)
    choices = list(combinations(range(len(pool)), tail_count))
    tails = np.array(choices, dtype=np.uint8).reshape(len(choices), tail_count)
    is_possible = np.zeros(len(ranking), dtype=bool)
    for head in combinations(range(len(pool)), count - tail_count):
        following = tails[np.searchsorted(tails[:, 0], head[-1], side="right") :] if head else tails
        hands = np.empty((len(following), len(known_cards) + count), dtype=np.uint8)
        hands[:, : len(known_cards)] = np.array(known_cards, dtype=np.uint8)
        hands[:, len(known_cards) : len(known_cards) + len(head)] = cards[list(head)]
        hands[:, len(known_cards) + len(head) :] = cards[following]
        is_possible[evaluate(ranking, hands)] = True
    return [int(strength) for strength in np.flatnonzero(is_possible)]
