"""Plays rounds at the real table with a player that really uses the knowledge, and compares them with the values.

Shuffles are seeded, so the tests are deterministic.
"""

from __future__ import annotations

import pytest

from croupier.analysis.protection.knowledge import Place, dealer_upcards, read_knowledge
from croupier.analysis.protection.value import value_of
from croupier.analysis.strategy import SeenCards, advise
from croupier.core.cards import DECK
from croupier.games.definition import BOARD, DEALER, PLAYER
from croupier.regulations import ElectedEdition, find_edition
from croupier.table import Setup
from croupier.table.automation import Automation
from croupier.table.model import commands as c
from croupier.table.model.roles import SYSTEM
from croupier.table.model.state import Round
from croupier.table.procedure.shuffle import SeededShuffle
from croupier.table.session import TableSession
from tests.analysis.test_monte_carlo import ANTE, SEATS, Choose, check_mean, play_round


def informed_choices(elected: ElectedEdition, place: Place) -> Choose:
    """The best decision of a player who sees one card that lies face down, by the table's own cards."""
    has_upcard = dealer_upcards(elected) > 0

    def choose(round_: Round, seat: int) -> int:
        hand = [DECK[n] for n in round_.hand(PLAYER, seat)]
        if place.name == DEALER:
            dealer = round_.hand(DEALER)
            up = DECK[dealer[-1]] if has_upcard else None
            advice = advise(elected, hand, up, seen=SeenCards({place: DECK[dealer[place.number - 1]]}))
        else:
            board = [DECK[n] for n in round_.hand(BOARD)]
            raises = tuple(round_.staked(seat, f"raise_{n}") // ANTE for n in range(1, round_.street + 1))
            is_revealed = place.number <= round_.street
            seen = SeenCards({} if is_revealed else {place: board[place.number - 1]})
            advice = advise(elected, hand, None, board[: round_.street], raises, seen)
        names = {"fold": 0, "play": 1}
        return names[advice.best] if advice.best in names else int(advice.best.removesuffix("x"))

    return choose


def play_informed(elected: ElectedEdition, place: Place, count: int) -> list[float]:
    """The gains of rounds, averaged over the seats, in Antes."""
    session = TableSession(Setup.open(elected))
    automation = Automation(SeededShuffle(f"protection {elected.edition.name}"))
    session.send(c.ReceiveCards(by=SYSTEM, at=0, decks=(1,)))
    for seat in range(1, SEATS + 1):
        session.send(c.Sit(by=SYSTEM, at=0, patron=f"patron {seat}", seats=(seat,)))
        session.send(c.BuyIn(by=SYSTEM, at=0, patron=f"patron {seat}", amount=100_000_000_00))
    automation.advance(session, at=0)
    choose = informed_choices(elected, place)
    return [play_round(session, automation, choose, ["ante"]).gains["ante"] for _ in range(count)]


@pytest.mark.parametrize(
    ("name", "text", "count"),
    [
        ("pa-679a", "dealer.1", 60),
        pytest.param("pa-679a", "dealer.3", 200, marks=pytest.mark.slow),
        pytest.param("pa-682a", "dealer.2", 20, marks=pytest.mark.slow),
        pytest.param("pa-679a", "dealer.3", 1000, marks=pytest.mark.campaign),
        pytest.param("pa-683a", "community.3", 300, marks=pytest.mark.campaign),
        pytest.param("pa-682a", "dealer.2", 300, marks=pytest.mark.campaign),
        pytest.param("pa-641a", "dealer.1", 300, marks=pytest.mark.campaign),
    ],
)
def test_a_player_who_sees_a_card_gains_its_value_at_the_table(name: str, text: str, count: int) -> None:
    elected = find_edition(name).elect({})
    knowledge = read_knowledge(elected, seen=[text])
    value = value_of(elected, knowledge)
    assert value.player_edge is not None
    assert value.exact_variance is not None
    gains = play_informed(elected, knowledge.seen[0], count)
    check_mean(f"{name} with {text}", gains, value.player_edge, value.exact_variance)
