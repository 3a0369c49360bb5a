"""`croupier protect`, `croupier strategy` with seen cards, and their counterparts in Python."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

import croupier
from croupier.analysis.protection.cards import card_of
from croupier.analysis.protection.knowledge import Knowledge, Place
from croupier.analysis.protection.value import value_of
from croupier.cli.main import main
from croupier.core.cards import DECK, Card
from croupier.regulations import find_edition

KEYS = {
    "edition",
    "elections",
    "knowledge",
    "player_edge",
    "player_edge_percent",
    "standard_error_percent",
    "house_edge_without",
}
"""The keys that other programs rely on."""


def run_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    assert main([*arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_the_json_has_the_promised_keys(capsys: pytest.CaptureFixture[str]) -> None:
    document = run_json(capsys, "protect", "pa-679a", "--seen", "dealer.1", "--elect", "bad_beat_bonus=B")
    assert document.keys() >= KEYS
    assert document["elections"]["bad_beat_bonus"] == "B"
    assert document["knowledge"]["seen"] == ["dealer.1"]
    edge = Fraction(document["player_edge"])
    assert document["player_edge_percent"] == pytest.approx(float(100 * edge))
    assert document["standard_error_percent"] == 0
    analysis = croupier.analyze("pa-679a", {"bad_beat_bonus": "B"})
    assert Fraction(document["house_edge_without"]) == analysis["ante"].house_edge
    assert edge > -analysis["ante"].house_edge


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        (["--seen", "dealer.2"], {"seen": ["dealer.2"]}),
        (["--dead", "As Kd"], {"dead": "As Kd"}),
        (["--dead-unknown", "1"], {"dead_unknown": 1}),
        (["--sorted", "QKA|rest", "--backs", "dealer.1"], {"sorted_backs": "QKA|rest", "backs": ["dealer.1"]}),
    ],
)
def test_the_facade_gives_the_json_of_the_command(
    options: list[str], arguments: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    result = croupier.protect("three-card-poker", **arguments)
    assert result.to_dict() == run_json(capsys, "protect", "three-card-poker", *options)
    assert result.rows()[1]["player_edge_percent"] == result.player_edge_percent


def test_which_dealer_card_is_seen_makes_no_difference(capsys: pytest.CaptureFixture[str]) -> None:
    edges = {run_json(capsys, "protect", "pa-679a", "--seen", f"dealer.{n}")["player_edge"] for n in (1, 2, 3)}
    assert len(edges) == 1


def test_a_deciding_card_seen_is_a_random_card_out_of_play(capsys: pytest.CaptureFixture[str]) -> None:
    """The fourth card of Three Card Prime belongs to no hand of the contest: it is like any other card."""
    fourth = run_json(capsys, "protect", "pa-679a", "--seen", "fourth")
    assert fourth["player_edge"] == run_json(capsys, "protect", "pa-679a", "--dead-unknown", "1")["player_edge"]


def test_the_values_of_all_dead_cards_average_to_that_of_an_unknown_one(capsys: pytest.CaptureFixture[str]) -> None:
    edges = [croupier.protect("pa-679a", dead=f"{rank}s").player_edge for rank in "23456789TJQKA"]
    mean = sum((edge for edge in edges if edge is not None), Fraction(0)) / 13
    assert croupier.protect("pa-679a", dead_unknown=1).player_edge == mean


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["pa-679a", "--seen", "dealer.4"], "--seen: there is no dealer.4 in Three Card Prime"),
        (["pa-641a", "--seen", "dealer.6"], "--seen: there is no dealer.6 in Four Card Poker: 5 cards lie face down"),
        (["pa-679a", "--seen", "community.1"], "--seen: Three Card Prime deals no card to 'community'"),
        (["pa-683a", "--seen", "dealer.1"], "--seen: Cajun Stud deals no card to 'dealer'"),
        (["pa-679a", "--seen", "player.1"], "--seen: players always see their own cards"),
        (["pa-679a", "--seen", "dealer"], "--seen: Three Card Prime deals 3 cards to dealer: say which one"),
        (["pa-679a", "--seen", "Dealer.1"], "--seen: 'Dealer.1' is not a place"),
        (["pa-679a", "--seen", "dealer.1", "--seen", "dealer.1"], "--seen: dealer.1 is named twice"),
        (["pa-679a", "--dead", "As As"], "--dead: the card As is listed twice"),
        (["pa-679a", "--dead", "1s"], "--dead: '1s' is not a card"),
        (["pa-679a", "--dead-unknown", "-1"], "--dead-unknown: must be at least 0"),
        (["pa-679a", "--dead-unknown", "47"], "--dead-unknown: the hands need 6 cards, and only 5 are left"),
        (["pa-679a", "--share", "7"], "--share: Three Card Prime has at most 6 seats, not 7 (679a.2(a))"),
        (["pa-679a", "--share", "0"], "--share: must be at least 1"),
        (["pa-679a", "--sorted", "QK|KA|rest"], "--sorted: the groups 1 and 2 overlap: both have Kc"),
        (["pa-679a", "--sorted", "QK|A"], "--sorted: the groups do not cover the deck: 40 cards are missing"),
        (["pa-679a", "--sorted", "QX|rest"], "--sorted: 'QX' is not a card"),
        (["pa-679a", "--backs", "dealer.1"], "--backs: says whose backs are seen"),
        (
            ["pa-679a", "--sorted", "A|rest", "--seen", "dealer.1", "--backs", "dealer.1"],
            "--backs: the face of dealer.1 is seen already",
        ),
        (["pa-679a", "--flash-rate", "often"], "--flash-rate: 'often' is not a share"),
        (["pa-679a", "--flash-rate", "2"], "--flash-rate: must be more than 0 and at most 1"),
        (["pa-679a", "--ante", "0"], "--ante: must be more than zero"),
        (["pa-679a", "--rounds-per-hour", "0"], "--rounds-per-hour: must be more than zero"),
        (["pa-679a", "--errors", "stolen=1/2"], "--errors: 'stolen' is not an error"),
        (
            ["pa-679a", "--errors", "mis_set=1/2"],
            "--errors: in Three Card Prime the dealer's hand is all of their cards",
        ),
        (["pa-679a", "--before-ante", "--spread", "0"], "--spread: must be from 1 to 10,000"),
        (["pa-679a", "--elect", "bad_beat_bonus=Z"], "bad_beat_bonus"),
    ],
)
def test_bad_input_gets_one_sentence_with_its_place(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["protect", *arguments]) == 2
    streams = capsys.readouterr()
    assert streams.out == ""
    assert message in streams.err
    assert streams.err.count("\n") == 1


def test_the_facade_names_its_own_arguments() -> None:
    with pytest.raises(croupier.InputError, match=r"^dead_unknown: must be at least 0"):
        croupier.protect("pa-679a", dead_unknown=-1)
    with pytest.raises(croupier.InputError, match=r"^sorted_backs: the groups do not cover"):
        croupier.protect("pa-679a", sorted_backs="A|K")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--seen", "dealer.1=Ks"], "--seen: the card Ks cannot be seen as dealer.1: it is in the hand"),
        (["--seen", "dealer.1=Kd", "--dead", "Kd"], "--dead: the card Kd cannot be dead: it is seen as dealer.1"),
        (["--seen", "dealer.1"], "--seen: 'dealer.1' is not of the form PLACE=CARD"),
        (["--seen", "dealer.1=Kd", "--seen", "dealer.1=Ad"], "--seen: dealer.1 is named twice"),
        (["--seen", "dealer.9=Kd"], "--seen: there is no dealer.9"),
        (["--dead", "2x"], "--dead: '2x' is not a card"),
    ],
)
def test_a_strategy_refuses_cards_that_cannot_be(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["strategy", "pa-679a", "--hand", "Ks Qd 3c", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_an_exposed_card_changes_the_best_choice(capsys: pytest.CaptureFixture[str]) -> None:
    """Queen, 6 and 4 plays against unseen cards and against an exposed 2; against an exposed ace it folds."""
    for card, best in (("2h", "play"), ("Ah", "fold")):
        assert (
            run_json(capsys, "strategy", "pa-679a", "--hand", "Qs 6d 4c", "--seen", f"dealer.1={card}")["best"] == best
        )
        assert croupier.strategy("pa-679a", "Qs 6d 4c", seen={"dealer.1": card}).best == best
        assert croupier.strategy("pa-679a", "Qs 6d 4c", up=card).best == best


def test_a_strategy_averages_to_the_value_without_the_card() -> None:
    """The value of playing, averaged over every card that the dealer may have, is that without the knowledge."""
    hand = "Qs 6d 4c"
    left = [card for card in croupier_deck() if card not in hand.split()]
    plays = [croupier.strategy("pa-679a", hand, seen={"dealer.2": card}).values["play"] for card in left]
    assert sum(plays, Fraction(0)) / len(left) == croupier.strategy("pa-679a", hand).values["play"]
    dead = [croupier.strategy("pa-679a", hand, dead=card).values["play"] for card in left]
    assert sum(dead, Fraction(0)) / len(left) == croupier.strategy("pa-679a", hand).values["play"]


def test_a_board_strategy_averages_to_the_value_without_the_card() -> None:
    """On the last street nothing is decided any more, so the value of a raise averages over the last card."""
    used = ("Qs", "6d", "Qd", "9c")
    left = [card for card in croupier_deck() if card not in used]

    def value(seen: dict[str, Card | str]) -> Fraction:
        return croupier.strategy("pa-683a", "Qs 6d", board="Qd 9c", raised="1x 1x", seen=seen).values["3x"]

    assert sum((value({"community.3": card}) for card in left), Fraction(0)) / len(left) == value({})


def croupier_deck() -> list[str]:
    return [str(card) for card in DECK]


def test_earnings_follow_from_the_edge(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--seen", "dealer.1", "--ante", "25", "--rounds-per-hour", "30", "--flash-rate", "1/2"]
    document = run_json(capsys, "protect", "three-card-poker", *options)
    earnings, edge = document["earnings"], Fraction(document["player_edge"])
    without = Fraction(document["house_edge_without"])
    assert earnings["dollars_per_hour_float"] == pytest.approx(float((edge - without) / 2 * 25 * 30))
    rate = Fraction(earnings["break_even_flash_rate"])
    assert rate * edge == (1 - rate) * without
    variance = earnings["standard_deviation_float"] ** 2
    assert earnings["n0_rounds_float"] == pytest.approx(variance / float((edge - without) / 2) ** 2)


def test_a_peeked_card_averages_to_the_game(capsys: pytest.CaptureFixture[str]) -> None:
    """With a spread of 1 the Ante is always the same, so knowing one's own card early gains nothing on it."""
    for name in ("pa-679a", "pa-683a"):
        document = run_json(capsys, "protect", name, "--before-ante", "--spread", "1")
        peeked = document["before_ante"]
        assert Fraction(peeked["gain_on_the_ante"]) == -Fraction(document["house_edge_without"])
        analysis = croupier.analyze(name)
        for wager in peeked["ranks"][0]["edges"]:
            edges = [Fraction(row["edges"][wager]["player_edge"]) for row in peeked["ranks"]]
            assert sum(edges, Fraction(0)) / 13 == -analysis[wager].house_edge, wager


def test_dealer_errors_cost_what_they_give_away(capsys: pytest.CaptureFixture[str]) -> None:
    document = run_json(capsys, "protect", "pa-679a", "--errors", "overpaid=1/100 missed=1/50")
    nets = croupier.analyze("pa-679a")["ante"].net_results
    total = sum(nets.values())
    wins = sum((net * count for net, count in nets.items() if net > 0), Fraction(0)) / total
    losses = sum((-net * count for net, count in nets.items() if net < 0), Fraction(0)) / total
    assert Fraction(document["errors"]["overpaid"]["cost"]) == wins / 100
    assert Fraction(document["errors"]["missed"]["cost"]) == losses / 50


def test_procedures_have_their_clauses_and_worth(capsys: pytest.CaptureFixture[str]) -> None:
    document = run_json(capsys, "protect", "pa-683a", "--procedures")
    procedures = {row["procedure"]: row for row in document["procedures"]}
    assert procedures["face_down"]["clauses"] == ["683a.8(c)", "683a.9(b)", "683a.10(b)"]
    assert procedures["stub_in_the_rack"]["clauses"] == ["683a.8(d)", "683a.9(c)", "683a.10(c)(2)"]
    assert all(Fraction(row["worth"]) > 0 for row in procedures.values())
    last, first = (croupier.protect("pa-683a", seen=[f"community.{n}"]).player_edge for n in (3, 1))
    assert last is not None
    assert first is not None
    assert Fraction(procedures["order_of_dealing"]["worth"]) == last - first


@pytest.mark.parametrize("name", ["pa-679a", "pa-683a"])
def test_the_text_says_what_the_figures_mean(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    place = "dealer.1" if name == "pa-679a" else "community.1"
    assert main(["protect", name, "--seen", place, "--before-ante"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "With this knowledge a seat that plays perfectly has" in text
    assert "The game is beaten if the knowledge is there in more than" in text
    assert "N0" in text


@pytest.mark.parametrize("name", ["pa-679a", "three-card-poker"])
def test_a_card_costs_the_difference_to_perfect_play(name: str) -> None:
    """The card is priced by other counts than the value, so that the two check each other."""
    value = value_of(find_edition(name).elect({}), Knowledge(seen=(Place("dealer", 1),)))
    card = card_of(value)
    assert card is not None
    assert value.player_edge == -(card.house_edge - card.cost)
    assert 0 <= card.cost < Fraction(1, 100)
    assert [line.upcard for line in card.lines] == list("AKQJT98765432")


def test_a_card_is_refused_for_other_knowledge(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["protect", "pa-679a", "--seen", "fourth", "--card"]) == 2
    assert "--card: there is a card only for a single dealer card" in capsys.readouterr().err


def test_a_wager_that_a_fold_forfeits_changes_the_best_play(capsys: pytest.CaptureFixture[str]) -> None:
    """Pair Plus is lost with a fold; nobody folds a hand that pays on it, so it adds what it has alone or less."""
    document = run_json(capsys, "protect", "three-card-poker", "--seen", "dealer.1", "--wagers")
    pair_plus = document["wagers"]["pair_plus"]
    assert pair_plus["forfeited_by_a_fold"]
    assert Fraction(pair_plus["player_edge"]) == -croupier.analyze("three-card-poker")["pair_plus"].house_edge
    assert Fraction(pair_plus["adds"]) <= Fraction(pair_plus["player_edge"])
    assert not pair_plus["make_it"]
