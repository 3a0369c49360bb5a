"""What the consoles offer staff is what the table accepts, and nothing else."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from croupier.core.cards import DECK
from croupier.core.errors import InputError
from croupier.server.tables.command_endpoint import parse_command
from croupier.server.tables.staff_options import (
    can_order_shuffle,
    can_replace_card,
    floor_rules,
    idle_spreads,
    shuffle_choices,
    substitutes,
)
from croupier.table import Refusal, decide
from croupier.table.model import commands as c
from croupier.table.model.state import Phase
from croupier.table.prompts import prompts
from tests.table.tables import ORDER, ScriptedTable, open_table

EDITION = "pa-682a"


def _is_accepted(table: ScriptedTable, kind: type[c.Command], **fields: Any) -> bool:
    return not isinstance(decide(table.table, table.command(kind, **fields)), Refusal)


@pytest.mark.parametrize(
    ("choices", "deck", "expected"),
    [
        ({"shuffler": "none"}, 1, (False, True, False)),
        ({"shuffler": "automated"}, 1, (True, True, False)),
        ({"shuffler": "counting"}, 1, (True, True, True)),
        ({"shuffler": "automated", "method": "hand"}, 1, (True, False, False)),
        ({"shuffler": "automated", "decks": 2}, 2, (True, False, False)),
    ],
)
def test_a_deck_is_shuffled_in_the_ways_that_are_offered(
    choices: dict[str, Any], deck: int, expected: tuple[bool, ...]
) -> None:
    table = open_table(EDITION, **choices)
    offered = shuffle_choices(table.table, deck)
    assert (offered["by_device"], offered["by_hand"], offered["counted"]) == expected
    for by_device, is_offered in ((True, offered["by_device"]), (False, offered["by_hand"])):
        count = 52 if by_device and offered["counted"] else None
        fields = {"deck": deck, "order": ORDER, "source": "test", "by_device": by_device, "count": count}
        assert _is_accepted(table, c.Shuffle, **fields) == is_offered


@pytest.mark.parametrize("device", ["shoe", "shuffler"])
def test_the_floor_is_offered_exactly_the_substitutes_that_the_table_accepts(device: str) -> None:
    table = open_table(
        EDITION,
        method="automated_shoe",
        shuffler="counting",
        substitute_methods=("hand",),
        substitute_shufflers=("automated",),
    ).load()
    assert substitutes(table.table) == []
    table.send(c.ReportDeviceFailure, device=device)
    offered = {(one["device"], one["method"], one["shuffler"]) for one in substitutes(table.table)}
    ways = product(("manual_shoe", "hand", "automated_shoe"), ("none", "automated", "counting", "reshuffling"))
    accepted = {
        (device, method, shuffler)
        for method, shuffler in ways
        if _is_accepted(table, c.TakeDeviceOutOfOrder, device=device, marked="sign", method=method, shuffler=shuffler)
    }
    assert offered == accepted
    assert len(offered) == 3
    table.bet()
    assert {(one["device"], one["method"], one["shuffler"]) for one in substitutes(table.table)} == accepted, (
        "during a round as well, for when it is over"
    )


def test_idle_cards_are_spread_face_up_only_for_a_player() -> None:
    table = open_table(EDITION, 1).load()
    assert idle_spreads(table.table) == ["face_down", "face_up"]
    table.wager(1)
    assert idle_spreads(table.table) == []
    table.send(c.PlaceWager, seat=1, wager="ante", amount=0)
    table.send(c.CashOut, patron="seat 1", amount=500_00)
    table.send(c.Leave, patron="seat 1")
    assert idle_spreads(table.table) == ["face_down"]


def test_the_floor_orders_a_shuffle_until_the_first_card_and_replaces_cards_after_it() -> None:
    table = open_table(EDITION, 1, shuffler="none").load()
    assert (can_order_shuffle(table.table), can_replace_card(table.table), floor_rules(table.table)) == (
        True,
        False,
        [],
    )
    table.bet()
    assert (can_order_shuffle(table.table), can_replace_card(table.table)) == (True, False)
    table.deal()
    assert (can_order_shuffle(table.table), can_replace_card(table.table)) == (False, True)
    rules = {one["rule"]: one["clause"] for one in floor_rules(table.table)}
    for rule, clause in rules.items():
        decision = table.command(c.DecideOnTheFloor, outcome="continue", reason="a test", concerns=rule)
        events = decide(table.table, decision)
        assert not isinstance(events, Refusal)
        assert events[0].clause == clause != ""
    table.to(Phase.SETTLING)
    assert not can_replace_card(table.table)


def test_nobody_is_told_to_wager_while_the_cards_are_cut_again_after_no_more_bets() -> None:
    table = open_table(EDITION, 1, shuffler="none").load().bet()
    table.send(c.OrderRecut, reason="the cover card slipped")
    assert table.phase is Phase.CUTTING
    commands = {prompt.command for prompt in prompts(table.table)}
    assert "Cut" in commands
    assert "PlaceWager" not in commands
    table.expect_refusal(c.PlaceWager, seat=1, wager="ante", amount=20_00)


def test_the_card_that_replaces_another_is_written_as_in_as() -> None:
    body = '{"command":"DecideOnTheFloor","key":"k","seq":1,"outcome":"replace","reason":"x","card":%s}'
    assert str(DECK[parse_command((body % '"Ah"').encode()).values["card"]]) == "Ah"
    assert parse_command((body % "null").encode()).values["card"] is None
    for wrong in ('"1h"', "50", '["Ah"]', "true"):
        with pytest.raises(InputError) as raised:
            parse_command((body % wrong).encode())
        assert raised.value.place == "card"
