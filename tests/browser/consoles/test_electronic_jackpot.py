"""A win on a meter at an electronic table: the round waits until the floor console validates it."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from croupier.table.model.roles import Role
from tests.browser.conftest import Visit
from tests.server.servers import run_server
from tests.server.test_validation import deal_four_aces, progressive_setup, validations


def test_641a_11_c_5_iii_the_floor_console_validates_a_win_at_an_electronic_table(tmp_path: Path, visit: Visit) -> None:
    with run_server(str(tmp_path / "house.db")) as server:
        deal_four_aces(server, progressive_setup(""))
        server.add_person("Flo", Role.FLOORPERSON)
        page = visit(server.address)
        credentials = {"name": "Flo", "password": "a password 1"}
        response = page.request.post("/api/sign-in", data=credentials, headers={"Origin": server.address})
        assert response.ok, response.text()
        page.goto("/floor")
        line = page.locator(".waits li", has_text="Pit 1")
        expect(line).to_contain_text("Validate the Four-Card Progressive of seat 1")
        line.get_by_role("button", name="Validate").click()
        expect(line).to_have_count(0)
        (validated,) = validations(server)
        assert validated.by.name == "Flo"
        page.goto("about:blank")
