"""The included games: play, exact analysis and simulation agree, and no other code mentions them."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations
from math import comb
from pathlib import Path

import numpy as np
import pytest
from tools.site.included_games import END, START, edges_table

import croupier
from croupier.analysis.contests import decision_spots
from croupier.analysis.covariance.covariances import compute_covariances, project_required
from croupier.analysis.covariance.wager_gains import CardWager, card_places, integer_nets
from croupier.analysis.house_edges import analyze
from croupier.analysis.payoffs import Payoffs
from croupier.analysis.results import RequiredResult
from croupier.analysis.strategy import dealer_strengths
from croupier.analysis.wagers import REQUIRED
from croupier.core.cards import DECK
from croupier.games import game
from croupier.games.definition import ByTable
from croupier.hands import ranking_named
from croupier.plugins.discovery import shipped_editions
from croupier.regulations import EDITIONS, edition
from croupier.rl import GameTree, optimal_values
from croupier.simulation.cross_check import cross_check
from croupier.simulation.kernel.plan import ContestGroup
from croupier.simulation.results import Results, z_score
from croupier.simulation.runner import simulate
from croupier.simulation.strategies.decisions import optimal_choices
from croupier.simulation.strategies.strategy import optimal_strategy
from croupier.simulation.tally import Tally
from tests.simulation.jobs import job_of, traced_job

GAMES = ("caribbean-stud", "crazy-4-poker", "let-it-ride", "mississippi-stud", "three-card-poker")
SOURCE = Path(croupier.__file__).parent
STANDARD_ERRORS = 4.0
SIMULATED = pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name == "three-card-poker" else pytest.mark.slow) for name in GAMES]
)
"""Each game compiles its own program, which takes seconds."""


def test_the_five_included_games_are_listed_after_the_regulations() -> None:
    assert shipped_editions() == GAMES
    assert not set(GAMES) & set(EDITIONS)


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_two_short_files_and_nothing_else_mentions_it(name: str) -> None:
    files = {SOURCE / "games" / "contrib" / f"{name.replace('-', '_')}{suffix}" for suffix in (".py", ".toml")}
    for path in files:
        assert len(path.read_text(encoding="utf-8").splitlines()) < 200
    titles = (name, name.replace("-", "_"), edition(name).title)
    sources = [path for path in SOURCE.rglob("*") if path.suffix in (".py", ".toml", ".js", ".html", ".css", ".csv")]
    for path in sources:
        if path not in files and "clause_index" not in path.name:
            text = path.read_text(encoding="utf-8")
            assert not [title for title in titles if title in text], path


@SIMULATED
def test_table_and_simulator_agree_round_by_round(name: str) -> None:
    comparison = cross_check(traced_job(name, 3), 25, seed=11)
    assert comparison.rounds == 25
    assert not comparison.differences


@SIMULATED
def test_simulation_and_analysis_agree(name: str) -> None:
    job = job_of(name)
    results = Results(simulate(job, 1_000_000, 20_240_607))
    assert set(results.exact) == set(job.labels)
    for label, result in results.exact.items():
        assert abs(z_score(results.estimate(label), result)) < STANDARD_ERRORS, label


@pytest.mark.parametrize("name", GAMES)
def test_the_exact_values_of_simulator_and_analysis_agree(name: str) -> None:
    job = job_of(name)
    values, exact = Results(Tally(job)).exact, analyze(edition(name).elect())
    assert set(values) == set(exact) == set(job.labels)
    for label, result in values.items():
        assert result.house_edge == exact[label].house_edge
    combined = exact[REQUIRED]
    assert isinstance(combined, RequiredResult)
    value = optimal_strategy(job.plan).exact(job.plan)
    assert value.house_edge == combined.house_edge
    assert value.variance == pytest.approx(float(combined.variance))


@pytest.mark.parametrize(("name", "hands"), [("caribbean-stud", 12), ("crazy-4-poker", 6)])
def test_the_sweep_agrees_with_dealing_every_dealer_hand(name: str, hands: int) -> None:
    """Compares sampled spots of the general sweep with a deal of every dealer hand."""
    rules = edition(name)
    contest = game(rules.game).contest
    assert contest is not None
    spots, dealer = decision_spots(rules.game), ranking_named(contest.dealer_ranking)
    qualifies = dealer.span(contest.qualifies).start
    assert spots.unqualified is not None
    assert spots.tie is not None
    classes = len(spots.classes)
    upcards = len(spots.strengths) // classes
    chance = random.Random(20_240_607)
    for _ in range(hands):
        row = chance.randrange(classes)
        bits = [(spots.classes.masks[row, suit] >> np.arange(13)) & 1 for suit in range(4)]
        hand = np.flatnonzero(np.concatenate(bits)).tolist()
        place = chance.randrange(upcards)
        unseen = [card for card in range(52) if card not in hand]
        up = DECK[unseen[place]] if upcards > 1 else None
        counts = dealer_strengths(contest, [DECK[card] for card in hand], [up] if up else [])
        spot, strength = row * upcards + place, int(spots.strengths[row * upcards])
        assert strength == ranking_named(contest.player_ranking).strength([DECK[card] for card in hand])
        assert spots.dealer_hands == counts.sum()
        assert spots.unqualified[spot] == counts[:qualifies].sum()
        assert spots.lose[spot] == counts[max(strength + 1, qualifies) :].sum()
        assert spots.tie[spot] == (counts[strength] if strength >= qualifies else 0)
    assert spots.combinations == comb(52, 5) * (47 if upcards > 1 else 1) * spots.dealer_hands


NETS = {
    # (game, hand, outcome, multiple): the net result of an Ante, the wagers with it and the raise, computed by hand.
    ("three-card-poker", "queen_high", "unqualified", 1): 1,  # Ante 1, Play pushes
    ("three-card-poker", "straight", "unqualified", 1): 2,  # and the Ante Bonus of 1
    ("three-card-poker", "straight", "lose", 1): -1,  # both lost, the Ante Bonus paid
    ("three-card-poker", "three_of_a_kind", "win", 1): 6,  # 1 + 1 + 4
    ("three-card-poker", "mini_royal", "tie", 1): 5,  # both push, the Ante Bonus paid
    ("three-card-poker", "pair", "tie", 1): 0,
    ("caribbean-stud", "high_card", "unqualified", 2): 1,
    ("caribbean-stud", "royal_flush", "unqualified", 2): 1,  # the Raise always pushes
    ("caribbean-stud", "pair", "win", 2): 3,  # 1 + 2 * 1
    ("caribbean-stud", "full_house", "win", 2): 15,  # 1 + 2 * 7
    ("caribbean-stud", "pair", "lose", 2): -3,
    ("caribbean-stud", "two_pair", "tie", 2): 0,
    ("crazy-4-poker", "pair", "unqualified", 1): 1,  # Ante and Super Bonus push, Play 1
    ("crazy-4-poker", "pair_of_aces", "win", 3): 4,  # 1 + 3, the Super Bonus pushes
    ("crazy-4-poker", "pair_of_aces", "lose", 3): -5,  # 1 + 1 + 3
    ("crazy-4-poker", "two_pair", "tie", 1): 0,
    ("crazy-4-poker", "flush", "lose", 1): Fraction(-1, 2),  # two lost, the Super Bonus wins 3 to 2
    ("crazy-4-poker", "four_aces", "win", 3): 204,  # 1 + 3 + 200
    ("crazy-4-poker", "straight", "unqualified", 3): 4,  # Ante pushes, Play 3, Super Bonus 1
}


@pytest.mark.parametrize("case", NETS, ids=lambda case: " ".join(map(str, case)))
def test_the_net_result_of_a_round(case: tuple[str, str, str, int]) -> None:
    name, hand, outcome, multiple = case
    elected = edition(name).elect()
    contest = game(elected.edition.game).contest
    assert contest is not None
    payoffs = Payoffs(elected, contest)
    strength = ranking_named(contest.player_ranking).span(hand).start
    assert payoffs.net(int(payoffs.segments[0][strength]), outcome, multiple) == NETS[case]


def test_sampled_three_card_poker_has_the_exact_value() -> None:
    """Settles a sample of dealer hands at the table, as a slow estimate of the exact value."""
    tree = GameTree(edition("three-card-poker").elect())
    hand = [card.index for card in DECK if str(card) in ("Qs", "6d", "4c")]
    places = [slot.place for slot in tree.slots]
    total = Fraction(0)
    dealers = list(combinations([card for card in range(52) if card not in hand], 3))
    for dealer in dealers[:: len(dealers) // 900]:
        player_cards, dealer_cards = iter(hand), iter(dealer)
        state = tree.state([next(player_cards if place == "player" else dealer_cards) for place in places])
        total += state.child(tree.actions.index("play")).net()
    sampled = total / len(dealers[:: len(dealers) // 900])
    values = optimal_values(tree.state([next(c) for c in (iter([*hand, 0, 1, 2]),) for _ in range(6)]))
    assert values[tree.actions.index("fold")] == -1
    assert abs(sampled - values[tree.actions.index("play")]) < Fraction(15, 100)


def test_let_it_ride_values_equal_the_average_over_every_board() -> None:
    """Deals every second card and averages both choices: the exact values, the slow way."""
    tree = GameTree(edition("let-it-ride").elect())
    pull, ride = (tree.actions.index(name) for name in ("pull", "ride"))
    hand = [card.index for card in DECK if str(card) in ("Ts", "Js", "Qs")]
    unseen = [card for card in range(52) if card not in hand]
    first = unseen[0]
    state = tree.state([*hand, first, unseen[1]])
    seconds = [card for card in unseen if card != first]
    for first_action in (pull, ride):
        after = state.child(first_action)
        averages = {
            action: sum(tree.state([*hand, first, card], [first_action, action]).net() for card in seconds)
            / len(seconds)
            for action in (pull, ride)
        }
        assert optimal_values(after) == averages


def test_optimal_crazy_4_poker_never_plays_a_hand_that_an_unqualified_dealer_beats() -> None:
    """So the Super Bonus rule for that case affects no figure, as docs/reference/included-games.md says."""
    job = job_of("crazy-4-poker")
    group = job.plan.required
    assert isinstance(group, ContestGroup)
    choices = optimal_choices(job.bets.elected, group)
    played_strengths = decision_spots("crazy_4_poker").strengths[choices > 0]
    assert played_strengths.min() >= ranking_named("crazy_4_of_five").span("king_high").start


def test_optimal_three_card_poker_never_folds_a_hand_that_pair_plus_pays() -> None:
    job = job_of("three-card-poker")
    group = job.plan.required
    assert isinstance(group, ContestGroup)
    folded_strengths = decision_spots("three_card_poker").strengths[optimal_choices(job.bets.elected, group) == 0]
    assert folded_strengths.max() < ranking_named("three_card").span("pair").start


def test_the_covariance_of_ante_and_pair_plus_depends_on_the_player_hand_only() -> None:
    """Compares every deal of both hands with the average gain of each class of player hands."""
    elected = edition("three-card-poker").elect()
    settlement = next(s for s in game("three_card_poker").settlements if isinstance(s, ByTable))
    scale, nets = integer_nets(elected, "pair_plus", Fraction(1), {})
    pair_plus = CardWager("pair_plus", card_places(elected, settlement), ranking_named("three_card"), scale, nets)
    projection = project_required(elected, REQUIRED)
    assert (
        compute_covariances(elected).values[REQUIRED, "pair_plus"]
        == projection.mean_product(pair_plus) - projection.mean * pair_plus.mean
    )


def test_a_hand_below_a_pair_of_aces_can_only_play_1x() -> None:
    tree = GameTree(edition("crazy-4-poker").elect())
    for cards, choices in (("Ac Ad 9h 4d 2s", 4), ("Kc Kd 9h 4d 2s", 2)):
        hand = [next(card.index for card in DECK if str(card) == text) for text in cards.split()]
        hands = {"player": iter(hand), "dealer": iter(card for card in range(52) if card not in hand)}
        state = tree.state([next(hands[slot.place]) for slot in tree.slots])
        assert len(state.legal_actions()) == choices
        assert set(optimal_values(state)) == set(state.legal_actions())


def test_the_document_has_the_figures_of_the_analysis() -> None:
    text = (Path(__file__).parents[2] / "docs" / "reference" / "included-games.md").read_text(encoding="utf-8")
    assert text.partition(START)[2].partition(END)[0].strip() == edges_table().strip()


@pytest.mark.parametrize("name", GAMES)
def test_rare_strengths_do_not_overflow(name: str) -> None:
    """The counts of all spots add up to the number of deals."""
    contest = game(edition(name).game).contest
    if contest is None:
        return
    spots = decision_spots(edition(name).game)
    weights = spots.weights.astype(np.int64)
    total = sum(int((counts * weights).sum()) for counts in spots.outcomes.values())
    assert total == spots.combinations
    assert np.all(spots.lose >= 0)
