"""Why a seat won or lost: both hands by name, the cards that play, and nothing before the cards may be seen."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest

from croupier.core.cards import DECK, Card, parse_cards
from croupier.games.definition import Contest
from croupier.hands import ranking_named
from croupier.regulations import EDITIONS
from croupier.table import Phase
from croupier.table.hand_narration import describe_result, named_hands
from croupier.table.model import commands as c
from croupier.table.model.roles import Role
from croupier.table.model.state import Round
from croupier.table.procedure.shuffle import SeededShuffle
from croupier.table.view import placed_cards
from croupier.table.visibility import Viewer, visible_round
from tests.table.tables import ScriptedTable, open_table

VIEWERS = [
    *(Viewer(name, Role.PATRON) for name in ("seat 1", "seat 2", "Nobody")),
    *(Viewer("", role) for role in Role if role is not Role.PATRON),
]
ROUNDS = 12


def _moments(table: ScriptedTable, fold: int = 0) -> list[Round]:
    """The states of a round, command by command; the seat `fold` folds."""
    moments = [table.bet().round, table.deal().round, table.stub().round]
    while table.phase is not Phase.SETTLING:
        if table.phase is Phase.DECIDING:
            seat = table.round.waiting[0]
            table.send(c.Decide, seat=seat, amount=None if seat == fold else table.round.staked(seat, "ante"))
        else:
            table.send(c.CollectForfeits if table.phase is Phase.COLLECTING else c.RevealCards)
        moments.append(table.round)
    while table.phase is Phase.SETTLING:
        table.send(c.SettleSeat, seat=table.round.unsettled[0])
        moments.append(table.round)
    return moments


def _swap_hidden_cards(round_: Round, viewer: Viewer) -> Round:
    """The same round with other cards wherever the viewer sees none."""
    visible = {card.card for placed in placed_cards(round_, viewer) for card in placed.cards if card.card is not None}
    others = iter([card.index for card in reversed(DECK) if card not in visible])
    cards = {
        place: tuple(
            card if seen is not None else next(others) for card, seen in zip(dealt, visible_cards, strict=True)
        )
        for place, dealt in round_.cards.items()
        for visible_cards in [visible_round(round_, viewer).cards[place]]
    }
    return replace(round_, cards=cards)


@pytest.mark.parametrize("edition_name", EDITIONS)
def test_what_a_viewer_is_told_never_depends_on_a_card_they_cannot_see(edition_name: str) -> None:
    table = open_table(edition_name, 1, 2).load(SeededShuffle("hidden").order())
    setup, hand_count = table.table.setup, 0
    for moment in _moments(table, fold=2):
        for viewer in VIEWERS:
            visible, other = visible_round(moment, viewer), visible_round(_swap_hidden_cards(moment, viewer), viewer)
            seen = {card.card for placed in placed_cards(moment, viewer) for card in placed.cards}
            hands = list(named_hands(setup, visible))
            assert all(card in seen for hand in hands for card in hand.playing)
            assert hands == list(named_hands(setup, other))
            for seat in (1, 2):
                assert describe_result(setup, visible, seat) == describe_result(setup, other, seat)
            hand_count += len(hands)
    assert hand_count, "somebody is told a hand"


def _best_by_hand(cards: tuple[Card, ...], ranking_name: str) -> int:
    """The strength of the best hand in the cards, by trying each selection."""
    ranking = ranking_named(ranking_name)
    base = ranking.base or ranking
    return max(base.strength(chosen) for chosen in combinations(cards, ranking.size))


@pytest.mark.parametrize("edition_name", EDITIONS)
def test_the_sentence_agrees_with_the_settlement(edition_name: str) -> None:
    table = open_table(edition_name, 1)
    contest = table.table.setup.game.contest
    for number in range(ROUNDS):
        table.load(SeededShuffle(f"results {number}").order())
        _moments(table)
        setup, round_ = table.table.setup, table.round
        text = describe_result(setup, round_, 1, name="You")
        entries = {entry.wager: entry for entry in round_.entries}
        assert text.startswith("Dealer: " if contest is not None else "You: ")
        if contest is None:
            outcome = {"win": "pays", "push": "a push", "lose": "pays nothing"}[entries["ante"].outcome]
            assert outcome in text
        elif "does not qualify" in text:
            assert entries["ante"].outcome == "push"
        else:
            assert ("You win" in text) == (entries["ante"].outcome in ("win", "push"))
            assert ("The dealer wins" in text) == _dealer_is_better(round_, contest)
        for hand in named_hands(setup, round_):
            assert hand.name in text
        table.finish()


def _dealer_is_better(round_: Round, contest: Contest) -> bool:
    rankings = contest.player_ranking, contest.dealer_ranking
    hands = [tuple(DECK[card] for card in round_.hand(*place)) for place in (("player", 1), ("dealer", 0))]
    player, dealer = (_best_by_hand(hand, name) for hand, name in zip(hands, rankings, strict=True))
    return dealer > player


def _result(edition_name: str, player: str, dealer: str) -> str:
    """The result of these cards, on the felt of a real round."""
    table = open_table(edition_name, 1).load()
    _moments(table)
    cards = {**table.round.cards}
    cards["player", 1] = tuple(card.index for card in parse_cards(player))
    cards["dealer", 0] = tuple(card.index for card in parse_cards(dealer))
    return describe_result(table.table.setup, replace(table.round, cards=cards), 1, name="You")


def test_both_hands_are_named_and_the_better_one_wins() -> None:
    lost = _result("pa-641a", "2s 2d 4h 7c 9c", "As 2h 3d 4c Kd Jc")
    assert lost == "Dealer: four-high straight. You: pair of 2s. The dealer wins."
    won = _result("pa-641a", "Ks Kd Qh 7c 9c", "Kc Kh Jd 4c 2d 3c")
    assert won == "Dealer: pair of kings with a jack. You: pair of kings with a queen. You win."


def test_679a_a_push_says_that_the_dealer_does_not_qualify() -> None:
    text = _result("pa-679a", "2s 5d 4h", "Js 8h 3d")
    assert text == "Dealer: jack high. You: five high. The dealer does not qualify: the Ante pushes and the Play wins."
    tied = _result("pa-679a", "Qs 8d 4h", "Qh 8c 4d")
    assert tied == "Dealer: queen high. You: queen high. You win the tie."


def test_somebody_who_folded_and_a_void_round_have_no_contest() -> None:
    table = open_table("pa-682a", 1, 2).load()
    _moments(table, fold=2)
    assert describe_result(table.table.setup, table.round, 2) == "Seat 2 folded."
    assert describe_result(table.table.setup, replace(table.round, void="exposed_card"), 1) == ""
