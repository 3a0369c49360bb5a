"""The value of knowledge: the fast counts against an enumeration of every deal from small decks."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from croupier.analysis.protection import samples
from croupier.analysis.protection.board_samples import sample_board
from croupier.analysis.protection.boards import BoardEngine, BoardQuestion
from croupier.analysis.protection.contests import FULL_DECK, ContestEngine, ContestQuestion
from croupier.analysis.protection.symmetry import mask_of
from croupier.analysis.protection.value import without_knowledge
from croupier.core.cards import DECK, Card, parse_cards
from croupier.regulations import ElectedEdition, find_edition
from tests.analysis.slow_knowledge import board_value, contest_value

RICH = parse_cards("As Ks Qs Js Ts Ad Kd Qd 9c 9s 8s Ac")
"""A small deck with straights, flushes, pairs and hands that do not qualify."""


def small_deck(seed: int, size: int) -> list[Card]:
    """Cards of a small deck: the first seed gives the rich one, the others random ones."""
    return list(RICH[:size]) if seed == 0 else sorted(Random(seed).sample(DECK, size), key=lambda card: card.index)


def others(deck: list[Card]) -> int:
    """The cards that are not in a deck, as a set."""
    return FULL_DECK & ~mask_of(card.index for card in deck)


def elect(name: str) -> ElectedEdition:
    return find_edition(name).elect({})


QUESTIONS = [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (0, 2)]


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize(("known_cards", "out"), [*QUESTIONS, (3, 0)])
@pytest.mark.parametrize("name", ["pa-679a", "three-card-poker"])
def test_three_card_contests_are_those_of_the_enumeration(name: str, known_cards: int, out: int, seed: int) -> None:
    deck, elected = small_deck(seed, 8), elect(name)
    question = ContestQuestion(known_cards=known_cards, out_of_play=out, dead=others(deck))
    assert ContestEngine.of(elected).play(question, threads=1).mean == contest_value(
        elected, deck, known_cards=known_cards, out=out
    )


@pytest.mark.parametrize("seed", [0, pytest.param(2, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("name", "known_cards", "out", "size"),
    [
        ("pa-682a", 0, 0, 12),
        ("pa-682a", 1, 0, 12),
        ("pa-682a", 4, 0, 11),
        ("pa-682a", 5, 0, 11),
        ("pa-641a", 2, 0, 12),
        pytest.param("pa-641a", 1, 1, 12, marks=pytest.mark.slow),
        ("pa-641a", 6, 0, 11),
        ("caribbean-stud", 1, 0, 10),
        pytest.param("caribbean-stud", 2, 1, 11, marks=pytest.mark.slow),
        ("caribbean-stud", 4, 0, 10),
        ("crazy-4-poker", 1, 0, 11),
        ("crazy-4-poker", 3, 0, 11),
    ],
)
def test_larger_contests_are_those_of_the_enumeration(
    name: str, known_cards: int, out: int, size: int, seed: int
) -> None:
    deck, elected = small_deck(seed, size), elect(name)
    question = ContestQuestion(known_cards=known_cards, out_of_play=out, dead=others(deck))
    assert ContestEngine.of(elected).play(question, threads=1).mean == contest_value(
        elected, deck, known_cards=known_cards, out=out
    )


@pytest.mark.parametrize(
    ("name", "known_cards", "sorted_cards", "size"),
    [
        ("three-card-poker", 0, 1, 8),
        ("three-card-poker", 0, 3, 8),
        ("three-card-poker", 1, 1, 8),
        ("pa-679a", 0, 2, 8),
        ("caribbean-stud", 1, 4, 10),
        ("pa-682a", 0, 6, 11),
    ],
)
def test_sorted_backs_are_those_of_the_enumeration(name: str, known_cards: int, sorted_cards: int, size: int) -> None:
    deck, elected = small_deck(0, size), elect(name)
    groups = [frozenset(c for c in DECK if c.rank.letter in letters) for letters in ("AK", "QJ", "23456789T")]
    masks = tuple(mask_of(card.index for card in group) for group in groups)
    question = ContestQuestion(known_cards=known_cards, dead=others(deck), groups=masks, sorted_cards=sorted_cards)
    expected = contest_value(elected, deck, known_cards=known_cards, groups=groups, sorted_cards=sorted_cards)
    assert ContestEngine.of(elected).play(question, threads=1).mean == expected


@pytest.mark.parametrize(
    ("name", "seen", "out"),
    [
        ("pa-683a", (), 0),
        ("pa-683a", (1,), 0),
        ("pa-683a", (2,), 0),
        ("pa-683a", (3,), 0),
        ("pa-683a", (1, 3), 0),
        ("pa-683a", (1, 2, 3), 0),
        ("pa-683a", (), 1),
        ("pa-683a", (3,), 1),
        ("let-it-ride", (), 0),
        ("let-it-ride", (1,), 0),
        ("let-it-ride", (2,), 0),
        ("let-it-ride", (1, 2), 1),
    ],
)
def test_board_games_are_those_of_the_enumeration(name: str, seen: tuple[int, ...], out: int) -> None:
    deck, elected = small_deck(0, 7), elect(name)
    dead = others(deck)
    question = BoardQuestion(frozenset(seen), out, dead)
    assert BoardEngine(elected, dead).play(question, threads=1).mean == board_value(elected, deck, seen=seen, out=out)


@pytest.mark.parametrize(
    ("name", "marked"), [("mississippi-stud", (1, 2, 3)), ("pa-683a", (3,)), ("let-it-ride", (1, 2))]
)
def test_sorted_boards_are_those_of_the_enumeration(name: str, marked: tuple[int, ...]) -> None:
    deck, elected = small_deck(0, 7), elect(name)
    groups = [frozenset(c for c in DECK if c.rank.letter in letters) for letters in ("AK", "23456789TJQ")]
    masks = tuple(mask_of(card.index for card in group) for group in groups)
    question = BoardQuestion(frozenset(), 0, others(deck), masks, frozenset(marked))
    expected = board_value(elected, deck, groups=groups, marked=marked)
    assert BoardEngine(elected, others(deck)).play(question, threads=1).mean == expected


@pytest.mark.parametrize("name", ["pa-679a", "three-card-poker", "pa-683a", "mississippi-stud", "let-it-ride"])
def test_without_knowledge_the_value_is_that_of_the_analysis(name: str) -> None:
    """The full deck, by another way of counting: house edge, variance, average wager and decisions."""
    elected = elect(name)
    expected = without_knowledge(elected)
    is_board = name in ("pa-683a", "mississippi-stud", "let-it-ride")
    result = (
        BoardEngine(elected).play(BoardQuestion()) if is_board else ContestEngine.of(elected).play(ContestQuestion(0))
    )
    assert result.mean == -expected.house_edge
    assert result.variance == expected.variance
    assert result.average_wager == expected.average_wager
    assert result.decisions == expected.decisions[0]


@pytest.mark.proof
@pytest.mark.parametrize("name", ["caribbean-stud", "crazy-4-poker", "pa-641a", "md-4cp", "pa-682a"])
def test_without_knowledge_large_contests_are_those_of_the_analysis(name: str) -> None:
    elected = elect(name)
    expected = without_knowledge(elected)
    known_cards = int(name in ("caribbean-stud", "pa-641a", "md-4cp"))
    result = ContestEngine.of(elected).play(ContestQuestion(known_cards))
    assert (result.mean, result.variance) == (-expected.house_edge, expected.variance)
    assert result.decisions == expected.decisions[0]


def test_more_knowledge_is_never_worse() -> None:
    engine = ContestEngine.of(elect("pa-679a"))
    edges = [engine.play(ContestQuestion(known_cards)).mean for known_cards in range(4)]
    assert edges == sorted(edges)
    assert edges[-1] > Fraction(1, 3)


@pytest.mark.parametrize(("name", "is_board"), [("three-card-poker", False), ("let-it-ride", True)])
@pytest.mark.parametrize("share", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_sampled_figures_agree_with_exact_ones(
    name: str, is_board: bool, share: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One random card out of play, or another seat's hand of three cards: both can be counted and sampled."""
    monkeypatch.setattr(samples, "TARGET_STANDARD_ERROR", 0.01)
    elected = elect(name)
    without, out = without_knowledge(elected), 1 if share == 1 else 3
    if is_board:
        sampled = sample_board(elected, BoardQuestion(out_of_play=out), share, without, 1)
        exact = BoardEngine(elected).play(BoardQuestion(out_of_play=out)).mean
    else:
        engine, question = ContestEngine.of(elected), ContestQuestion(0, out_of_play=out)
        sampled = samples.sample_contest(engine, question, share, 0, without, 1)
        exact = engine.play(question).mean
    assert 0 < sampled.standard_error <= 0.01
    assert abs(sampled.mean - float(exact)) <= 4 * sampled.standard_error


def test_a_sample_is_repeated_from_its_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(samples, "TARGET_STANDARD_ERROR", 0.01)
    engine = ContestEngine.of(elect("three-card-poker"))
    without = without_knowledge(engine.elected)
    first, again, other = (
        samples.sample_contest(engine, ContestQuestion(0, out_of_play=6), 3, 0, without, seed) for seed in (1, 1, 2)
    )
    assert first == again != other
