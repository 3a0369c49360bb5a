"""Games without a regulation in a browser: the felt comes from their two files alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import expect

from croupier.authoring import write_template
from tests.pages.conftest import Visit
from tests.pages.playing import area, chips, deal, decide, leave, sit_down, view
from tests.pages.serving import Server


def test_bets_that_go_together_are_placed_together_and_one_is_pulled_back(server: Server, visit: Visit) -> None:
    page = visit(server.address)
    name = sit_down(page, server, "let-it-ride")
    before = chips(page)
    area(page, "bet_1").click()  # the same as a click on the bet that it goes with
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


def test_a_game_of_ones_own_has_a_table_in_the_lobby(
    own_server: Callable[..., Server], visit: Visit, tmp_path: Path
) -> None:
    write_template("lobby_game", tmp_path / "games")
    server = own_server(CROUPIER_GAMES=str(tmp_path / "games"))
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
