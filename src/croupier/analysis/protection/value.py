"""The value of knowledge: perfect play of the required wagers with it, against perfect play without it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import comb, sqrt
from typing import Any

from croupier.analysis.boards.solution import is_board_game
from croupier.analysis.house_edges import analyze_wager
from croupier.analysis.protection.board_samples import sample_board
from croupier.analysis.protection.boards import BoardEngine, BoardQuestion
from croupier.analysis.protection.contests import Advance, ContestEngine, ContestQuestion
from croupier.analysis.protection.knowledge import Knowledge, dealer_upcards, out_of_play, places_of
from croupier.analysis.protection.samples import sample_contest
from croupier.analysis.protection.symmetry import mask_of
from croupier.analysis.results import RequiredResult, exact, ratio
from croupier.analysis.supported_shapes import require_exact
from croupier.core.errors import InputError
from croupier.games.definition import COMMUNITY, DEALER
from croupier.regulations import ElectedEdition

MAX_EXACT_OPERATIONS = 200_000_000_000
"""Beyond this the question is sampled: about ten minutes of one core."""
MAX_EXACT_SETS = 3_000_000
"""Sets of known cards that are listed for an exact answer; up to symmetry they are about 24 times fewer."""
MAX_EXACT_BOARDS = 2_000
"""Sets of cards out of play for which a board game is solved exactly."""
DEFAULT_SEED = 1


@dataclass(frozen=True, slots=True)
class KnowledgeValue:
    """The value of perfect play with some knowledge, per Ante."""

    elected: ElectedEdition
    knowledge: Knowledge
    player_edge: Fraction | None
    """The player's expected gain; `None` if it is an estimate."""
    estimate: float
    standard_error: float
    variance: float
    average_wager: float
    without: RequiredResult
    """The required wagers without the knowledge."""
    exact_variance: Fraction | None = None
    exact_average_wager: Fraction | None = None
    decisions: Mapping[str, Fraction] = field(default_factory=dict)
    """How often each choice is made at the first decision; empty if it is an estimate."""

    @property
    def house_edge_without(self) -> Fraction:
        return self.without.house_edge

    @property
    def gain(self) -> Fraction | None:
        """What the knowledge adds."""
        return None if self.player_edge is None else self.player_edge + self.house_edge_without

    @property
    def standard_deviation(self) -> float:
        return sqrt(self.variance)

    def as_json(self) -> dict[str, Any]:
        """The document that `croupier protect --json` prints."""
        is_exact = self.player_edge is not None
        average = self.exact_average_wager
        document: dict[str, Any] = {
            "edition": self.elected.edition.name,
            "elections": dict(self.elected.choices),
            "knowledge": self.knowledge.as_json(),
            "player_edge": ratio(self.player_edge) if self.player_edge is not None else None,
            "player_edge_percent": float(100 * self.player_edge)
            if self.player_edge is not None
            else 100 * self.estimate,
            "standard_error_percent": 100 * self.standard_error,
            **exact("house_edge_without", self.house_edge_without, percent=True),
            "gain": ratio(self.gain) if self.gain is not None else None,
            "gain_percent": 100 * (self.estimate + float(self.house_edge_without)),
            "player_edge_per_unit_wagered_percent": 100 * self.estimate / self.average_wager,
            "average_wager": ratio(average) if average is not None else None,
            "average_wager_float": self.average_wager,
            "variance_float": self.variance,
            "standard_deviation_float": self.standard_deviation,
        }
        if is_exact and average is not None and self.player_edge is not None:
            document |= {"player_edge_per_unit_wagered": ratio(self.player_edge / average)}
            document["decisions"] = {choice: ratio(share) for choice, share in self.decisions.items()}
        return document


def value_of(
    elected: ElectedEdition,
    knowledge: Knowledge,
    *,
    advance: Advance | None = None,
    threads: int = 2,
    seed: int = DEFAULT_SEED,
    exact_only: bool = False,
) -> KnowledgeValue:
    """The value of perfect play with some knowledge: exact where it can be counted, otherwise sampled.

    Refuses a game without an exact analysis. `exact_only` counts however long it takes.
    """
    require_exact(elected)
    solve = _board_value if is_board_game(elected) else _contest_value
    return solve(elected, knowledge, advance, threads, seed, exact_only=exact_only)


def without_knowledge(elected: ElectedEdition) -> RequiredResult:
    """The required wagers under perfect play without extra knowledge."""
    result = analyze_wager(elected, "ante")
    if not isinstance(result, RequiredResult):
        raise InputError("", f"{elected.edition.title} has no required wagers to analyze")
    return result


def contest_question(elected: ElectedEdition, knowledge: Knowledge) -> ContestQuestion:
    """Knowledge as a question about a contest; a hand that another seat shares is out of play."""
    engine = ContestEngine.of(elected)
    seen = sum(place.name == DEALER for place in knowledge.seen)
    shared = (knowledge.share - 1) * engine.player.cards
    return ContestQuestion(
        known_cards=dealer_upcards(elected) + seen,
        out_of_play=knowledge.dead_unknown + len(out_of_play(elected, knowledge)) + shared,
        dead=mask_of(card.index for card in knowledge.dead),
        groups=_groups(knowledge),
        sorted_cards=sum(place.name == DEALER for place in knowledge.backs),
    )


def board_question(elected: ElectedEdition, knowledge: Knowledge) -> BoardQuestion:
    """Knowledge as a question about a board game."""
    shared = (knowledge.share - 1) * BoardEngine(elected).hole_cards
    return BoardQuestion(
        seen=frozenset(place.number for place in knowledge.seen if place.name == COMMUNITY),
        out_of_play=knowledge.dead_unknown + len(out_of_play(elected, knowledge)) + shared,
        dead=mask_of(card.index for card in knowledge.dead),
        groups=_groups(knowledge),
        sorted_places=frozenset(place.number for place in knowledge.backs if place.name == COMMUNITY),
    )


def _groups(knowledge: Knowledge) -> tuple[int, ...]:
    return tuple(mask_of(card.index for card in group) for group in knowledge.groups)


def known_sets(engine: ContestEngine, question: ContestQuestion) -> int:
    """How many sets of known cards are listed; if all dealer cards are known, only the outcome matters."""
    deck = 52 - question.dead.bit_count()
    known_cards = question.known_cards if question.known_cards < engine.dealer.cards else 0
    return comb(deck, known_cards) * comb(deck - known_cards, question.out_of_play)


def contest_operations(engine: ContestEngine, question: ContestQuestion) -> int:
    """About how many counters an exact answer reads or writes."""
    player, unseen = engine.player.cards, engine.dealer.cards - question.known_cards
    known_cards = question.known_cards if unseen else 0
    unseen = unseen or engine.dealer.cards
    deck = 52 - question.dead.bit_count()
    orbits = 1 + known_sets(engine, question) // 24
    subsets = sum(comb(player, size) for size in range(min(player, unseen) + 1))
    observations = (
        comb(question.sorted_cards + len(question.groups) - 1, len(question.groups) - 1) if question.groups else 1
    )
    hands = comb(deck, player) // (24 if known_cards + question.out_of_play == 0 and not question.dead else 1)
    return orbits * (observations * hands * subsets + (comb(deck - known_cards, unseen) << unseen))


def _contest_value(
    elected: ElectedEdition, knowledge: Knowledge, advance: Advance | None, threads: int, seed: int, *, exact_only: bool
) -> KnowledgeValue:
    engine, without = ContestEngine.of(elected), without_knowledge(elected)
    question = contest_question(elected, knowledge)
    is_countable = known_sets(engine, question) <= MAX_EXACT_SETS
    if exact_only and not is_countable:
        raise InputError("--exact", "so many known cards cannot be counted: leave it out for an estimate")
    if not is_countable or (not exact_only and contest_operations(engine, question) > MAX_EXACT_OPERATIONS):
        _require_sampling(knowledge)
        sample = sample_contest(engine, question, knowledge.share, dealer_upcards(elected), without, seed, advance)
        return KnowledgeValue(
            elected, knowledge, None, sample.mean, sample.standard_error, sample.variance, sample.average_wager, without
        )
    result = engine.play(question, threads, advance)
    return KnowledgeValue(
        elected,
        knowledge,
        result.mean,
        float(result.mean),
        0.0,
        float(result.variance),
        float(result.average_wager),
        without,
        result.variance,
        result.average_wager,
        result.decisions,
    )


def _board_value(
    elected: ElectedEdition, knowledge: Knowledge, advance: Advance | None, threads: int, seed: int, *, exact_only: bool
) -> KnowledgeValue:
    without = without_knowledge(elected)
    question = board_question(elected, knowledge)
    sets = comb(52, question.out_of_play)
    if exact_only and sets > MAX_EXACT_SETS:
        raise InputError("--exact", "so many known cards cannot be counted: leave it out for an estimate")
    if not exact_only and sets // 24 > MAX_EXACT_BOARDS:
        _require_sampling(knowledge)
        if question.seen:
            raise InputError("--seen", "cannot be combined with more than three cards out of play in a board game")
        sample = sample_board(elected, question, knowledge.share, without, seed, advance, threads)
        return KnowledgeValue(
            elected, knowledge, None, sample.mean, sample.standard_error, sample.variance, sample.average_wager, without
        )
    result = BoardEngine(elected, question.dead).play(question, threads, advance)
    return KnowledgeValue(
        elected,
        knowledge,
        result.mean,
        float(result.mean),
        0.0,
        float(result.variance),
        float(result.average_wager),
        without,
        result.variance,
        result.average_wager,
        result.decisions,
    )


def _require_sampling(knowledge: Knowledge) -> None:
    """Refuses what can be neither counted in reasonable time nor sampled against an exact control."""
    if knowledge.dead:
        raise InputError("--dead", "with so many other known cards there is no estimate: leave out one of them")
    if knowledge.groups:
        raise InputError("--sorted", "with so many other known cards there is no estimate: leave out one of them")


def hidden_places(elected: ElectedEdition) -> Mapping[str, int]:
    """The places of the deal with the cards that lie face down there."""
    return places_of(elected)
