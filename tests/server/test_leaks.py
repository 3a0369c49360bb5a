"""No hidden data leaves the process too early: full rounds of every edition, watched by every role."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from prometheus_client import generate_latest

from croupier.core.cards import DECK
from croupier.core.money import format_money
from croupier.progressive.mystery import MysteryPlan
from croupier.regulations import EDITIONS
from croupier.server.services import play_table
from croupier.server.tables.service import STAFFED, TableSettings, default_settings
from croupier.table import Phase
from croupier.table.model import events as e
from croupier.table.model.roles import Role
from croupier.table.model.setup import CardSource, Setup
from tests.server.leaks import Recipient, Search
from tests.server.servers import TEST_CONFIG, Server, run_server
from tests.server.watched_table import WatchedTable

PATRONS = ("Ann", "Bob", "Cid")
LAST_ROUND = 3
ELECTRONIC_SETTINGS = default_settings(TEST_CONFIG)
STAFFED_SETTINGS = replace(default_settings(TEST_CONFIG, STAFFED), self_service=True)


def _electronic_table(name: str) -> tuple[Setup, TableSettings]:
    setup = play_table(name)
    return (
        replace(setup, draws={"magic_card_bonus": 2, "lucky_bonus": 2}) if setup.electronic else setup
    ), ELECTRONIC_SETTINGS


def _staffed_table(name: str, method: str, **changes: Any) -> tuple[Setup, TableSettings]:
    return replace(play_table(name), method=method, name=f"{name} {method}", **changes), STAFFED_SETTINGS


MYSTERY = MysteryPlan(seed=1_000_03, ceiling=1_000_000_07, rate=Fraction(1, 10), wagers=("ante",))
TABLES: dict[str, Callable[[], tuple[Setup, TableSettings]]] = {
    **{name: lambda name=name: _electronic_table(name) for name in EDITIONS},  # type: ignore[misc]
    "verifiable": lambda: (replace(play_table("pa-682a"), verifiable=True), ELECTRONIC_SETTINGS),
    "mystery": lambda: (replace(play_table("pa-679a"), mystery=MYSTERY), ELECTRONIC_SETTINGS),
    "two verifiable decks": lambda: (replace(play_table("pa-682a"), decks=2, verifiable=True), ELECTRONIC_SETTINGS),
    "two decks": lambda: (replace(play_table("pa-641a"), decks=2), ELECTRONIC_SETTINGS),
    "staffed, hand": lambda: _staffed_table("pa-679a", "hand"),
    "staffed, shoe": lambda: _staffed_table("pa-683a", "automated_shoe"),
    "staffed, cards read": lambda: _staffed_table("pa-682a", "manual_shoe", card_source=CardSource.READING_SHOE),
    "staffed, plain shoe": lambda: _staffed_table("md-4cp", "manual_shoe", card_source=CardSource.PLAIN_SHOE),
    "staffed, two decks, plain shoe": lambda: _staffed_table(
        "pa-641a", "manual_shoe", decks=2, card_source=CardSource.PLAIN_SHOE
    ),
    "staffed, two decks": lambda: _staffed_table("pa-679a", "automated_shoe", decks=2),
    "staffed, two verifiable decks": lambda: _staffed_table("pa-682a", "manual_shoe", decks=2, verifiable=True),
}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with run_server(str(tmp_path / "house.db")) as instance:
        yield instance


def sit_down(table: WatchedTable) -> None:
    """Seats all patrons, each with a unique amount of chips."""
    if table.state.phase is Phase.CLOSED:
        table.advance()
    for seat, name in enumerate(PATRONS, 1):
        payload = {"seats": [seat], "chips_cents": 70_000_07 + seat * 1_313_11, "key": f"sits {name}"}
        status, response = table.post(name, "sit", payload)
        assert status == 200, response
        if table.oracle.setup.electronic:
            table.send_accepted(name, "FundAccount", patron=name, amount=1_000_03 + seat)


def place_wagers(table: WatchedTable, seat: int, *, all_wagers: bool) -> None:
    """Places the Ante and, if asked to, every other wager that the table accepts."""
    name, setup = PATRONS[seat - 1], table.oracle.setup
    table.send_accepted(name, "PlaceWager", seat=seat, wager="ante", amount=5_00)
    placed = {"ante"}
    for wager, limits in setup.limits.items():
        if all_wagers and wager != "ante":
            status, _ = table.send(name, "PlaceWager", seat=seat, wager=wager, amount=max(limits.minimum, 1_00))
            placed |= {wager} if status == 200 else set()
    assert not all_wagers or len(placed) > 1


def close_betting(table: WatchedTable) -> None:
    """Closes the betting: all patrons are ready, or the dealer announces it."""
    if table.server.tables.get(table.name).settings.electronic:
        for name in PATRONS:
            if table.state.phase is Phase.BETTING:
                status, response = table.post(name, "ready", {})
                assert status == 200, response
    else:
        table.send_accepted("the dealer", "AnnounceNoMoreBets")
        table.shuffle_spare_deck()
    table.advance(Phase.DECIDING)
    assert table.state.phase is Phase.DECIDING
    table.search_for_leaks(reads_everything=True)
    if table.state.rounds == LAST_ROUND:
        table.search_exports()  # of the rounds before, while this one is dealt and other decks are live


def decide(table: WatchedTable, stays: Callable[[int, int], bool]) -> None:
    """Decides every street until the round is settled; `stays` says whether a seat stays in on a street."""
    while table.state.phase is Phase.DECIDING and table.state.round is not None:
        round_ = table.state.round
        seat = round_.waiting[0]
        amount = round_.staked(seat, "ante") if stays(seat, round_.street) else None
        table.send_accepted(PATRONS[seat - 1], "Decide", seat=seat, amount=amount)
        table.advance(Phase.DECIDING)


def play_round(table: WatchedTable, stays: Callable[[int, int], bool], places_all: Callable[[int], bool]) -> None:
    table.advance(Phase.BETTING)
    for seat in (1, 2, 3):
        place_wagers(table, seat, all_wagers=places_all(seat))
    close_betting(table)
    decide(table, stays)
    assert table.state.round is None
    table.search_for_leaks(reads_everything=True)


SLOW_TABLES = (
    *EDITIONS,
    "two verifiable decks",
    "staffed, hand",
    "staffed, shoe",
    "staffed, cards read",
    "staffed, two decks",
    "staffed, two decks, plain shoe",
)
"""The other tables have all devices between them, and the games of four editions."""


@pytest.mark.parametrize(
    "table_kind",
    [pytest.param(kind, marks=pytest.mark.slow if kind in SLOW_TABLES else ()) for kind in TABLES],
)
def test_no_hidden_data_is_sent_to_anybody(server: Server, table_kind: str) -> None:
    search_table_for_leaks(server, table_kind)


def search_table_for_leaks(server: Server, table_kind: str) -> WatchedTable:
    """Plays at a table of a kind and searches everything that anybody receives; fails at the first leak."""
    setup, settings = TABLES[table_kind]()
    table = WatchedTable(server, server.open_table(setup, settings), PATRONS)
    try:
        sit_down(table)
        play_round(table, lambda seat, street: seat == 1 and street < 1, lambda seat: seat != 2)
        _play_void_round(table)
        play_round(table, lambda seat, street: seat != 3, lambda seat: seat == 1)
        table.search_exports()
    finally:
        table.close()
    _check_coverage(table, table_kind)
    _check_logs_and_metrics(table)
    return table


def _play_void_round(table: WatchedTable) -> None:
    """One seat folds, then a card is exposed; optional wagers may still be settled."""
    table.advance(Phase.BETTING)
    place_wagers(table, 1, all_wagers=True)
    place_wagers(table, 2, all_wagers=False)
    close_betting(table)
    table.send_accepted(PATRONS[0], "Decide", seat=1, amount=None)
    table.send_accepted("the floorperson", "ReportExposedCard")
    table.advance(Phase.BETTING)
    table.search_for_leaks(reads_everything=True)


def _check_coverage(table: WatchedTable, table_kind: str) -> None:
    """The rounds included everything that the search should see."""
    events = [event for _, event in table.server.store.events(table.name)]
    assert sum(isinstance(event, e.RoundCompleted) for event in events) == LAST_ROUND
    assert any(isinstance(event, e.RoundVoided) for event in events)
    forfeit_seats = [seat for event in events if isinstance(event, e.ForfeitsCollected) for seat in event.seats]
    assert forfeit_seats
    assert any(isinstance(event, e.DealRevealed) for event in events) == table.oracle.setup.verifiable
    assert bool(table.oracle.triggers) == (table_kind == "mystery")
    if table_kind.startswith("staffed, two") and table.oracle.setup.card_source is CardSource.SYSTEM:
        assert _shuffles_during_a_round(events)  # the next deck was live while documents of this round were read
    assert table.searched_count > 500


def _shuffles_during_a_round(events: list[e.Event]) -> int:
    count, in_round = 0, False
    for event in events:
        in_round = isinstance(event, e.BetsClosed) or (in_round and not isinstance(event, e.RoundCompleted))
        count += in_round and isinstance(event, e.CardsShuffled)
    return count


def _check_logs_and_metrics(table: WatchedTable) -> None:
    search = Search(table.oracle, Recipient("", Role.PATRON))
    assert not search.leaks(table.server.logs.text.encode())
    assert not search.leaks(generate_latest(table.server.tables.metrics.registry))


# The search itself.


@pytest.fixture(scope="module")
def watched_table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WatchedTable]:
    """A table in mid-round with verifiable deals and a mystery meter."""
    with run_server(str(tmp_path_factory.mktemp("leaky") / "house.db")) as server:
        setup = replace(play_table("pa-682a"), verifiable=True, mystery=MYSTERY)
        table = WatchedTable(server, server.open_table(setup, ELECTRONIC_SETTINGS), PATRONS)
        sit_down(table)
        play_round(table, lambda seat, street: seat == 1, lambda seat: False)
        for seat in (1, 2, 3):
            place_wagers(table, seat, all_wagers=False)
        close_betting(table)
        yield table
        table.close()


def hidden_player_card(table: WatchedTable, seat: int = 2) -> int:
    round_ = table.state.round
    assert round_ is not None
    return round_.hand("player", seat)[0]


LEAKS: dict[str, Callable[[WatchedTable], Any]] = {
    "notation": lambda table: {"round": 2, "text": f"seat 2 has {DECK[hidden_player_card(table)]}."},
    "number": lambda table: {"round": 2, "events": [{"card": hidden_player_card(table)}]},
    "numbers": lambda table: {"round": 2, "cards": [hidden_player_card(table)]},
    "the dealer's": lambda table: {"view": {"round": 2, "cards": [str(DECK[hidden_dealer_card(table)])]}},
    "without a round": lambda table: {"card": str(DECK[hidden_player_card(table)])},
    "part of the deck": lambda table: {"anything": list(table.state.deck.order[10:16])},
    "around the cut": lambda table: [*table.state.deck.order[-2:], *table.state.deck.order[:4]],
    "the stub": lambda table: {"round": 2, "card": table.state.deck.order[-1]},
    "seed": lambda table: {"x": f"abc{next(iter(table.state.deck_commitments.values())).server_seed}"},
    "next seed": lambda table: {"x": table.state.committed_deal.server_seed if table.state.committed_deal else ""},
    "nonce": lambda table: table.state.trigger.nonce if table.state.trigger else "",
    "trigger": lambda table: {"x": [table.state.trigger.cents if table.state.trigger else 0]},
    "balance": lambda table: {"chips_cents": table.state.balances["Bob"]},
    "balance in words": lambda table: {"text": f"Bob has {format_money(table.state.balances['Bob'])}"},
    "a purchase": lambda table: {"event": "ChipsBought", "patron": "Bob", "amount": 5},
    "a hand": lambda table: {"round": 2, "seat": 2, "hand": "flush", "row": ""},
    "a row": lambda table: {"round": 2, "seat": 2, "hand": "", "row": "flush"},
    "a category in words": lambda table: {
        "round": 2,
        "seat": 2,
        "why": f"loses: {table.oracle.rounds[2].categories[2]}",
    },
}


def hidden_dealer_card(table: WatchedTable) -> int:
    round_ = table.state.round
    assert round_ is not None
    return round_.hand("dealer")[-1]


@pytest.mark.parametrize("leak", LEAKS)
def test_the_search_finds_a_leak(watched_table: WatchedTable, leak: str) -> None:
    payload = json.dumps(LEAKS[leak](watched_table)).encode()
    for recipient in (Recipient("", Role.PATRON), Recipient("Ann", Role.PATRON), Recipient("Olga", Role.PATRON)):
        assert Search(watched_table.oracle, recipient).leaks(payload), f"{payload!r} to {recipient}"
    is_about_money = leak in ("balance", "balance in words", "a purchase")
    for role in (Role.DEALER, Role.SURVEILLANCE, Role.REGULATOR, Role.ADMINISTRATOR):
        assert bool(Search(watched_table.oracle, Recipient("x", role)).leaks(payload)) != is_about_money, (
            f"{payload!r} to {role}"
        )


def test_known_data_is_not_a_leak(watched_table: WatchedTable) -> None:
    own_hand = json.dumps(LEAKS["notation"](watched_table)).encode()
    assert not Search(watched_table.oracle, Recipient("Bob", Role.PATRON)).leaks(own_hand)
    first = watched_table.oracle.rounds[1]
    assert first.is_open  # its seed was revealed, so anybody can compute the order of the deck
    full_deck = json.dumps({"round": 1, "cards": [str(card) for card in DECK]}).encode()
    assert not Search(watched_table.oracle, Recipient("", Role.PATRON)).leaks(full_deck)
