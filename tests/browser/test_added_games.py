"""Games without a regulation in a browser: the felt is drawn from their two files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from croupier.gamecheck import write_template
from tests.browser.conftest import Visit
from tests.browser.rounds import area, chips, deal, decide, leave, sit_down, view
from tests.browser.servers import Server


def test_linked_bets_are_placed_together_and_one_is_pulled_back(server: Server, visit: Visit) -> None:
    page = visit(server.address)
    name = sit_down(page, server, "let-it-ride")
    before = chips(page)
    area(page, "bet_1").click()  # same as clicking the bet that it is linked to
    deal(page)
    staked = {wager["wager"]: wager["amount_cents"] for wager in view(page, name)["wagers"]}
    assert staked == {"ante": 500, "bet_1": 500, "bet_2": 500}
    assert chips(page) == before - 1500
    expect(page.locator(".decision .fold")).to_contain_text("Pull back")
    page.locator(".decision .fold").click()
    expect(page.locator('.decision[data-wager="bet_2"]')).to_be_visible()
    assert chips(page) == before - 1000
    assert {wager["wager"] for wager in view(page, name)["wagers"]} == {"ante", "bet_2"}
    page.locator(".decision .main").click()
    expect(page.locator("#panel-results .entry")).to_have_count(2)
    assert [entry["wager"] for entry in view(page, name)["last"]["settled"]] == ["ante", "bet_2"]
    leave(page)


@pytest.mark.slow
def test_a_users_game_has_a_table_in_the_lobby(
    start_server: Callable[..., Server], visit: Visit, tmp_path: Path
) -> None:
    write_template("lobby_game", tmp_path / "games")
    server = start_server(CROUPIER_GAMES=str(tmp_path / "games"))
    page = visit(server.address)
    name = sit_down(page, server, "lobby-game")
    expect(page.get_by_role("heading", name="Lobby Game", exact=False).first).to_be_visible()
    area(page, "ante").click()
    area(page, "pair_or_better").click()
    deal(page)
    decide(page)
    settled = view(page, name)["last"]["settled"]
    assert [entry["wager"] for entry in settled] == ["ante", "play", "pair_or_better"]
    assert {entry["clause"] for entry in settled} <= {"4", "5", "6", "H.9(c)"}
    leave(page)
