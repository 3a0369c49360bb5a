"""Rounds with unknown cards: what is called certain is certain under every completion, and nothing is invented."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Any

import pytest

from croupier.core.cards import DECK, parse_cards
from croupier.core.errors import InputError
from croupier.games import game
from croupier.games.definition import BONUS, COMMUNITY, DEALER, FOURTH, PLAYER
from croupier.hands import ranking_named
from croupier.regulations import EDITIONS, edition
from croupier.scenarios.deck_builder import deck_positions
from croupier.scenarios.model import Scenario, parse_scenario
from croupier.scenarios.runner import deal_scenario, play_scenario
from croupier.scenarios.text_report import describe_settlement, doubtful_document
from croupier.scenarios.unknown_cards import Doubts, find_doubts, possible_strengths

WAGERS = {
    "pa-682a": {"prime": "5.00", "aces_bonus": "5.00", "all_six": "5.00"},
    "pa-682a-proposed": {"prime": "5.00", "aces_bonus": "5.00", "all_six": "5.00"},
    "pa-683a": {"pocket_bonus": "5.00", "board_bonus": "5.00", "lo_ball": "5.00", "all_six": "5.00"},
    "pa-679a": {"prime": "5.00", "pair_bonus": "5.00", "all_six": "5.00"},
    "pa-641a": {
        "aces_up": "5.00",
        "four_card_progressive": "1.00",
        "bad_beat": "5.00",
        "five_card_hand_bonus_player": "1.00",
        "five_card_hand_bonus_dealer": "1.00",
        "six_card_bonus": "5.00",
    },
    "md-4cp": {"aces_up": "5.00", "progressive": "1.00", "six_card_bonus": "5.00"},
}


def scenario_of(name: str, seed: str, **changes: Any) -> Scenario:
    """A round of two seats with every wager and shuffled cards, in which everybody stays in."""
    cards = [str(card) for card in DECK]
    random.Random(seed).shuffle(cards)
    decision = "play" if edition(name).game == "three_card_prime" else "1x"
    decisions = [decision] * len(game(edition(name).game).streets)
    seats = [{"seat": seat, "wagers": {"ante": "10.00", **WAGERS[name]}, "decisions": decisions} for seat in (1, 2)]
    data: dict[str, Any] = {"edition": name, "deck": " ".join(cards), "seats": seats, **changes}
    if name == "pa-641a":
        data.setdefault("drawn", {"magic_card": "8h", "lucky_position": 1})
    return parse_scenario(data, "a round")


def with_unknown(scenario: Scenario, positions: set[int]) -> Scenario:
    """The same round, of which the cards at some positions are unknown, and those after the deal."""
    dealt = max(position for hand in deck_positions(scenario).values() for position in hand)
    return replace(scenario, unknown=frozenset(positions | set(range(dealt + 1, len(DECK)))))


def completions(scenario: Scenario, positions: set[int]) -> Iterator[Scenario]:
    """Every round in which the unknown cards of these positions are others, of the cards that nobody has seen."""
    pool = [scenario.order[position] for position in sorted(scenario.unknown)]
    for cards in combinations(pool, len(positions)):
        rest = iter([card for card in pool if card not in cards])
        drawn = iter(cards)
        order = [
            (next(drawn) if position in positions else next(rest)) if position in scenario.unknown else card
            for position, card in enumerate(scenario.order)
        ]
        yield replace(scenario, order=tuple(order), unknown=frozenset())


Entries = dict[tuple[int, str, int], tuple[str, int, int]]


def entries_of(scenario: Scenario) -> Entries:
    round_ = play_scenario(scenario).table.round
    assert round_ is not None
    entries: Entries = {}
    for x in round_.entries:
        key = (x.seat, x.wager, x.holder)
        before = entries.get(key, ("", 0, 0))  # a bonus that a seat has twice counts as one
        entries[key] = (x.outcome, before[1] + x.returned, before[2] + x.paid)
    return entries


def doubts_of(scenario: Scenario) -> Doubts:
    doubts = find_doubts(scenario, play_scenario(scenario))
    assert doubts is not None
    return doubts


def assert_exact(scenario: Scenario, positions: set[int]) -> int:
    """Settles the round under every completion: an entry is certain if it is always the same. Counts the doubtful."""
    doubts = doubts_of(scenario)
    results: dict[tuple[int, str, int], set[Any]] = defaultdict(set)
    played = [entries_of(completion) for completion in completions(scenario, positions)]
    assert len(played) == comb(len(scenario.unknown), len(positions))
    for key in {key for entries in played for key in entries}:
        results[key] = {entries.get(key) for entries in played}
    for key, settled in results.items():
        assert bool(doubts.depends_on(*key)) == (len(settled) > 1), (key, settled)
    assert all((seat, *entry) in results for seat in (1, 2) for entry in doubts.possible_entries(seat))
    return sum(len(settled) > 1 for settled in results.values())


def hand_positions(scenario: Scenario, place: str, seat: int = 0) -> list[int]:
    return list(deck_positions(scenario).get((place, seat), ()))


@pytest.mark.parametrize("name", EDITIONS)
def test_one_unknown_card_anywhere_is_judged_as_brute_force_does(name: str) -> None:
    """The last card of each kind of hand, one at a time."""
    scenario, doubtful = scenario_of(name, f"one {name}"), 0
    for hand in ((DEALER, 0), (PLAYER, 1), (BONUS, 0), (FOURTH, 2), (COMMUNITY, 0), ("board", 0)):
        positions = set(hand_positions(scenario, *hand)[-1:])
        if positions:
            doubtful += assert_exact(with_unknown(scenario, positions), positions)
    assert doubtful


@pytest.mark.slow
@pytest.mark.parametrize("seed", ["a", "b"])
@pytest.mark.parametrize("name", EDITIONS)
def test_two_unknown_cards_of_a_hand_are_judged_as_brute_force_does(name: str, seed: str) -> None:
    scenario = scenario_of(name, f"two {name} {seed}")
    hand = hand_positions(scenario, DEALER) or hand_positions(scenario, "board")
    assert_exact(with_unknown(scenario, set(hand[-2:])), set(hand[-2:]))


@pytest.mark.slow
@pytest.mark.parametrize(("limit", "is_doubtful"), [("50000.00", False), ("9000000.00", True)])
def test_a_payout_limit_can_take_a_doubt_away(limit: str, is_doubtful: bool) -> None:
    """The All-Six Bonus of a straight flush depends on the bonus card, unless the limit cuts every win alike."""
    wagers = {"ante": "1000.00", "aces_bonus": "1000.00", "all_six": "1000.00"}
    seats = [{"seat": 1, "wagers": wagers, "decisions": ["3x"]}]
    data = {"edition": "pa-682a", "seats": seats, "limits": {"payout": limit}}
    places = deck_positions(parse_scenario(data, "a round"))
    cards = dict(zip(places[PLAYER, 1], ["Ks", "Qs", "Js", "Ts", "9s"], strict=True))
    cards |= dict(zip(places[DEALER, 0], ["2c", "4d", "6h", "8c", "Td", "Qh"], strict=True))
    rest = iter([str(card) for card in DECK if str(card) not in cards.values()])
    deck = " ".join(cards.get(position) or next(rest) for position in range(len(DECK)))
    scenario = parse_scenario({**data, "deck": deck}, "a round")
    positions = set(places[BONUS, 0])
    assert bool(assert_exact(with_unknown(scenario, positions), positions)) == is_doubtful


def test_possible_strengths_are_those_of_every_completion() -> None:
    ranking = ranking_named("four_card_of_six")
    known_cards, pool = [card.index for card in parse_cards("As Ah Kd 7c")], list(range(12))
    expected = {ranking.hand([DECK[card] for card in (*known_cards, *more)]).strength for more in combinations(pool, 2)}
    assert possible_strengths(ranking, known_cards, 2, pool) == sorted(expected)
    all_six = {ranking.hand([DECK[card] for card in cards]).strength for cards in combinations(range(13), 6)}
    assert possible_strengths(ranking, [], 6, range(13)) == sorted(all_six)
    assert possible_strengths(ranking, [*known_cards, 0, 1], 0, pool[2:]) == [
        ranking.hand([DECK[card] for card in (*known_cards, 0, 1)]).strength
    ]


def incomplete_round(player: str, **seat: Any) -> Scenario:
    """A round of 682a in which only the cards of seat 1 are known."""
    plan = {"seat": 1, "wagers": {"ante": "10.00", **WAGERS["pa-682a"]}, "decisions": ["3x"], **seat}
    base = parse_scenario({"edition": "pa-682a", "seats": [plan]}, "a round")
    places = deck_positions(base)
    deck = ["?"] * (1 + max(n for positions in places.values() for n in positions))
    for position, card in zip(places[PLAYER, 1], player.split(), strict=True):
        deck[position] = card
    return parse_scenario({"edition": "pa-682a", "deck": " ".join(deck), "seats": [plan]}, "a round")


def test_a_contest_against_an_unknown_dealer_depends_on_them() -> None:
    scenario = incomplete_round("9s 7h 5d 3c 2d")
    session, doubts = play_scenario(scenario), doubts_of(scenario)
    for wager in ("ante", "raise"):
        assert doubts.depends_on(1, wager) == ["the dealer"]
    assert doubts.depends_on(1, "aces_bonus") == []
    document = doubtful_document(session, doubts)
    assert document["dealer"] == {"cards": "? ? ? ? ? ?", "hand": ""}
    (seat,) = document["seats"]
    assert seat["net_cents"] is None
    ante = next(entry for entry in seat["wagers"] if entry["wager"] == "ante")
    assert ante == {
        "wager": "ante",
        "staked_cents": 1000,
        "outcome": None,
        "returned_cents": None,
        "paid_cents": None,
        "clause": None,
        "depends_on": ["the dealer"],
    }
    text = "\n".join(describe_settlement(session, doubts))
    assert "Not known: cards of the dealer and the bonus." in text
    assert "Ante of $10 depends on the unknown cards of the dealer" in text
    invented = {str(DECK[card]) for card in doubts.unknown}
    assert not invented & set(text.replace(",", " ").replace(":", " ").split())


@pytest.mark.slow
def test_four_aces_win_whatever_the_dealer_has() -> None:
    """No other hand of four cards beats them, so the contest is certain; the win is not invented."""
    scenario = incomplete_round("As Ah Ad Ac 2d")
    doubts = doubts_of(scenario)
    assert all(doubts.depends_on(1, wager) == [] for wager in ("ante", "raise", "win_bonus", "aces_bonus", "all_six"))
    assert doubtful_document(play_scenario(scenario), doubts)["seats"][0]["net_cents"] > 0


def test_a_fold_is_certain_without_any_card() -> None:
    scenario = incomplete_round("9s 7h 5d 3c 2d", wagers={"ante": "10.00"}, decisions=["fold"])
    assert doubts_of(scenario).possible_entries(1) == []


def test_a_void_round_returns_wagers_without_any_card() -> None:
    scenario = incomplete_round("9s 7h 5d 3c 2d")
    void = {"kind": "dealer_card_exposed", "before": "decisions"}
    data = {"edition": "pa-682a", "deck": "?", "irregularities": [void]}
    seats = [{"seat": 1, "wagers": {"ante": "10.00"}, "decisions": ["3x"]}]
    scenario = parse_scenario({**data, "seats": seats}, "a round")
    doubts = doubts_of(scenario)
    assert doubts.possible_entries(1) == []
    assert doubtful_document(play_scenario(scenario), doubts)["seats"][0]["net_cents"] == 0


def test_a_deck_with_question_marks_says_what_is_known(tmp_path: Path) -> None:
    scenario = parse_scenario({"edition": "pa-682a", "deck": "As ? Kd", "seats": _seats()}, "a round")
    assert [str(DECK[card]) for card in scenario.order[:3]] == ["As", "2c", "Kd"]
    assert scenario.unknown == {1, *range(3, 52)}
    assert sorted(scenario.order) == list(range(52))
    assert deal_scenario(scenario).number == 1
    for deck, reason in (("As ? As", "As is listed twice"), ("? " * 53, "has 53 cards"), ("? Zz", "Zz")):
        with pytest.raises(InputError, match=reason):
            parse_scenario({"edition": "pa-682a", "deck": deck, "seats": _seats()}, "a round")
    face_up = [{"kind": "face_up_card", "cards": "7d"}]
    with pytest.raises(InputError, match="7d was found face up: the deck must say where it was"):
        parse_scenario({"edition": "pa-682a", "deck": "As ?", "seats": _seats(), "irregularities": face_up}, "a round")


def _seats() -> list[dict[str, Any]]:
    return [{"seat": 1, "wagers": {"ante": "10.00"}, "decisions": ["fold"]}]
