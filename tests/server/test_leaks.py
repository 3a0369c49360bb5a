"""Nothing hidden leaves the process too early: full rounds of every edition, seen by everybody there is."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from croupier.core.cards import DECK
from croupier.core.money import format_money
from croupier.progressive.mystery import MysteryPlan
from croupier.regulations import EDITIONS
from croupier.server.services import play_table
from croupier.server.tables.settings import STAFFED, TableSettings, default_settings
from croupier.table import Phase
from croupier.table.model import events as e
from croupier.table.model.roles import Role
from croupier.table.model.setup import Setup
from tests.server.leaks import Looker, Search
from tests.server.pits import Pit
from tests.server.table_services import QUIET, Server, serving

PATRONS = ("Ann", "Bob", "Cid")
BY_SYSTEM = default_settings(QUIET)
BY_PEOPLE = replace(default_settings(QUIET, STAFFED), self_service=True)


def _electronic(name: str) -> tuple[Setup, TableSettings]:
    setup = play_table(name)
    return (replace(setup, draws={"magic_card_bonus": 2, "lucky_bonus": 2}) if setup.electronic else setup), BY_SYSTEM


def _staffed(name: str, method: str, **changes: Any) -> tuple[Setup, TableSettings]:
    return replace(play_table(name), method=method, name=f"{name} {method}", **changes), BY_PEOPLE


MYSTERY = MysteryPlan(seed=1_000_03, ceiling=1_000_000_07, rate=Fraction(1, 10), wagers=("ante",))
TABLES: dict[str, Callable[[], tuple[Setup, TableSettings]]] = {
    **{name: lambda name=name: _electronic(name) for name in EDITIONS},  # type: ignore[misc]
    "verifiable": lambda: (replace(play_table("pa-682a"), verifiable=True), BY_SYSTEM),
    "mystery": lambda: (replace(play_table("pa-679a"), mystery=MYSTERY), BY_SYSTEM),
    "two decks": lambda: (replace(play_table("pa-641a"), decks=2), BY_SYSTEM),
    "staffed, hand": lambda: _staffed("pa-679a", "hand"),
    "staffed, shoe": lambda: _staffed("pa-683a", "automated_shoe"),
    "staffed, cards read": lambda: _staffed("pa-682a", "manual_shoe", reads_cards=True),
    "staffed, two verifiable decks": lambda: _staffed("pa-682a", "manual_shoe", decks=2, verifiable=True),
}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with serving(str(tmp_path / "house.db")) as up:
        yield up


def sit_down(pit: Pit) -> None:
    """Everybody takes a seat, with amounts that are nobody else's."""
    if pit.state.phase is Phase.CLOSED:
        pit.procedure()
    for seat, name in enumerate(PATRONS, 1):
        said = {"seats": [seat], "chips_cents": 70_000_07 + seat * 1_313_11, "key": f"sits {name}"}
        status, answer = pit.post(name, "sit", said)
        assert status == 200, answer
        if pit.oracle.setup.electronic:
            pit.must(name, "FundAccount", patron=name, amount=1_000_03 + seat)


def wager(pit: Pit, seat: int, *, everything: bool) -> None:
    """The Ante, and every other wager that the table takes."""
    name, setup = PATRONS[seat - 1], pit.oracle.setup
    pit.must(name, "PlaceWager", seat=seat, wager="ante", amount=5_00)
    placed = {"ante"}
    for wager, limits in setup.limits.items():
        if everything and wager != "ante":
            status, _ = pit.send(name, "PlaceWager", seat=seat, wager=wager, amount=max(limits.minimum, 1_00))
            placed |= {wager} if status == 200 else set()
    assert not everything or len(placed) > 1


def close(pit: Pit) -> None:
    """No more bets, by everybody's word or by the dealer's."""
    if pit.server.tables.get(pit.table).settings.electronic:
        for name in PATRONS:
            if pit.state.phase is Phase.BETTING:
                status, answer = pit.post(name, "ready", {})
                assert status == 200, answer
    else:
        pit.must("the dealer", "AnnounceNoMoreBets")
    pit.procedure(Phase.DECIDING)
    assert pit.state.phase is Phase.DECIDING
    pit.look_through(everything=True)


def decide(pit: Pit, stays: Callable[[int, int], bool]) -> None:
    """Streets until the round is settled; `stays` is asked for each seat and street."""
    while pit.state.phase is Phase.DECIDING and pit.state.round is not None:
        round_ = pit.state.round
        seat = round_.waiting[0]
        amount = round_.staked(seat, "ante") if stays(seat, round_.street) else None
        pit.must(PATRONS[seat - 1], "Decide", seat=seat, amount=amount)
        pit.procedure(Phase.DECIDING)


def play(pit: Pit, stays: Callable[[int, int], bool], wagers: Callable[[int], bool]) -> None:
    pit.procedure(Phase.BETTING)
    for seat in (1, 2, 3):
        wager(pit, seat, everything=wagers(seat))
    close(pit)
    decide(pit, stays)
    assert pit.state.round is None
    pit.look_through(everything=True)


@pytest.mark.parametrize("which", TABLES)
def test_nothing_hidden_is_sent_to_anybody(server: Server, which: str) -> None:
    setup, running = TABLES[which]()
    pit = Pit(server, server.open(setup, running), PATRONS)
    try:
        sit_down(pit)
        play(pit, lambda seat, street: seat == 1 and street < 1, lambda seat: seat != 2)
        _void(pit)
        play(pit, lambda seat, street: seat != 3, lambda seat: seat == 1)
    finally:
        pit.close()
    _all_of_it_happened(pit, which)
    _logs_and_metrics_know_nothing(pit)


def _void(pit: Pit) -> None:
    """Somebody folds, then a card is exposed: optional wagers may be settled all the same."""
    pit.procedure(Phase.BETTING)
    wager(pit, 1, everything=True)
    wager(pit, 2, everything=False)
    close(pit)
    pit.must(PATRONS[0], "Decide", seat=1, amount=None)
    pit.must("the floorperson", "ReportExposedCard")
    pit.procedure(Phase.BETTING)
    pit.look_through(everything=True)


def _all_of_it_happened(pit: Pit, which: str) -> None:
    """The rounds went as they should, so that the search had something to find."""
    events = [event for _, event in pit.server.store.events(pit.table)]
    assert sum(isinstance(event, e.RoundCompleted) for event in events) == 3
    assert any(isinstance(event, e.RoundVoided) for event in events)
    collected = [seat for event in events if isinstance(event, e.ForfeitsCollected) for seat in event.seats]
    assert collected
    assert any(isinstance(event, e.DealRevealed) for event in events) == pit.oracle.setup.verifiable
    assert bool(pit.oracle.triggers) == (which == "mystery")
    assert pit.looked > 500


def _logs_and_metrics_know_nothing(pit: Pit) -> None:
    search = Search(pit.oracle, Looker("", Role.PATRON))
    assert not search.leaks(pit.server.lines.text.encode())
    assert not search.leaks(pit.server.tables.metrics.text({}).encode())


# The search finds what there is to be found.


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pit]:
    """A table in mid-round that deals verifiably and has a mystery meter; one hand is folded."""
    with serving(str(tmp_path_factory.mktemp("leaky") / "house.db")) as up:
        setup = replace(play_table("pa-682a"), verifiable=True, mystery=MYSTERY)
        pit = Pit(up, up.open(setup, BY_SYSTEM), PATRONS)
        sit_down(pit)
        play(pit, lambda seat, street: seat == 1, lambda seat: False)
        for seat in (1, 2, 3):
            wager(pit, seat, everything=False)
        close(pit)
        yield pit
        pit.close()


def hidden(pit: Pit, seat: int = 2) -> int:
    round_ = pit.state.round
    assert round_ is not None
    return round_.hand("player", seat)[0]


LEAKY: dict[str, Callable[[Pit], Any]] = {
    "notation": lambda pit: {"round": 2, "text": f"seat 2 has {DECK[hidden(pit)]}."},
    "number": lambda pit: {"round": 2, "events": [{"card": hidden(pit)}]},
    "numbers": lambda pit: {"round": 2, "cards": [hidden(pit)]},
    "the dealer's": lambda pit: {"view": {"round": 2, "cards": [str(DECK[hidden_dealer(pit)])]}},
    "without a round": lambda pit: {"card": str(DECK[hidden(pit)])},
    "part of the deck": lambda pit: {"anything": list(pit.state.deck.order[10:16])},
    "around the cut": lambda pit: [*pit.state.deck.order[-2:], *pit.state.deck.order[:4]],
    "the stub": lambda pit: {"round": 2, "card": pit.state.deck.order[-1]},
    "seed": lambda pit: {"x": f"abc{next(iter(pit.state.deck_commitments.values())).server_seed}"},
    "next seed": lambda pit: {"x": pit.state.committed_deal.server_seed if pit.state.committed_deal else ""},
    "nonce": lambda pit: pit.state.trigger.nonce if pit.state.trigger else "",
    "trigger": lambda pit: {"x": [pit.state.trigger.cents if pit.state.trigger else 0]},
    "balance": lambda pit: {"chips_cents": pit.state.balances["Bob"]},
    "balance in words": lambda pit: {"text": f"Bob has {format_money(pit.state.balances['Bob'])}"},
    "a purchase": lambda pit: {"event": "ChipsBought", "patron": "Bob", "amount": 5},
    "a hand": lambda pit: {"round": 2, "seat": 2, "hand": "flush", "row": ""},
    "a row": lambda pit: {"round": 2, "seat": 2, "hand": "", "row": "flush"},
    "a class in words": lambda pit: {"round": 2, "seat": 2, "why": f"loses: {pit.oracle.rounds[2].classes[2]}"},
}


def hidden_dealer(pit: Pit) -> int:
    round_ = pit.state.round
    assert round_ is not None
    return round_.hand("dealer")[-1]


@pytest.mark.parametrize("what", LEAKY)
def test_a_leaky_message_is_caught(watched: Pit, what: str) -> None:
    said = json.dumps(LEAKY[what](watched)).encode()
    for looker in (Looker("", Role.PATRON), Looker("Ann", Role.PATRON), Looker("Olga", Role.PATRON)):
        assert Search(watched.oracle, looker).leaks(said), f"{said!r} to {looker}"
    about_money = what in ("balance", "balance in words", "a purchase")
    for role in (Role.DEALER, Role.SURVEILLANCE, Role.REGULATOR, Role.ADMINISTRATOR):
        assert bool(Search(watched.oracle, Looker("x", role)).leaks(said)) != about_money, f"{said!r} to {role}"


def test_what_may_be_known_is_no_leak(watched: Pit) -> None:
    own = json.dumps(LEAKY["notation"](watched)).encode()
    assert not Search(watched.oracle, Looker("Bob", Role.PATRON)).leaks(own)
    first = watched.oracle.rounds[1]
    assert first.open  # its seed was shown: anybody can compute the whole order
    everything = json.dumps({"round": 1, "cards": [str(card) for card in DECK]}).encode()
    assert not Search(watched.oracle, Looker("", Role.PATRON)).leaks(everything)
