"""Staff of every role, approved Rules Submissions, and tables prepared over HTTP."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import quote

from playwright.sync_api import Page, expect

from croupier.client import Client
from croupier.regulations import edition
from croupier.server.accounts.duties import GROUPS, RoleGroup
from croupier.server.accounts.invitations import appoint
from croupier.server.clock import epoch_milliseconds
from croupier.storage.sql.database import Database
from croupier.submissions.template import submission_template
from croupier.table.model.roles import Role
from tests.browser.conftest import Visit
from tests.browser.servers import Server

PASSWORD = "correct horse battery"  # noqa: S105
PEOPLE = {
    "Dan": "dealer",
    "Dee": "dealer",
    "Flo": "floorperson",
    "Sam": "shift_manager",
    "Acc": "accounting",
    "Abe": "accounting",
    "Reg": "regulator",
    "Sue": "surveillance",
    "Pat": "patron",
    "Pia": "patron",
}


class Staff:
    """Staff and patrons, each with their own client."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.people: dict[str, Client] = {}
        for name, link in zip(("Ada", "Bob"), server.links, strict=False):  # one founds a server with play money only
            self.people[name] = Client(server.address)
            self[name].join(link, PASSWORD, name=name)
        self.tables = 0

    def __getitem__(self, name: str) -> Client:
        """The client of a person, who joins when they are first needed."""
        if name not in self.people:
            role = Role(PEOPLE[name])
            path, code = self._appoint(name, role) if GROUPS[role] is RoleGroup.OVERSIGHT else self._invite(name, role)
            self.people[name] = Client(self.server.address)
            self.people[name].join(path, PASSWORD, link_code=code)
        self.people[name].close()  # the server may have dropped an idle connection
        return self.people[name]

    def _invite(self, name: str, role: Role) -> tuple[str, str]:
        """Ada asks for a person, and Bob approves staff: a link and its code."""
        request = self["Ada"].post("/api/people/invitations", {"name": name, "role": role.value})
        if request["status"] == "approved":
            return request["path"], ""
        return request["path"], self["Bob"].post(f"/api/people/requests/{request['id']}/approve", {})["link_code"]

    def _appoint(self, name: str, role: Role) -> tuple[str, str]:
        """A link from the machine, as `croupier appoint` prints it."""
        database = Database(str(self.server.database))
        path = appoint(database, name, role, now=epoch_milliseconds)
        database.close()
        return path, ""

    def close(self) -> None:
        for client in self.people.values():
            client.close()

    def enter(self, visit: Visit, name: str, path: str, **options: Any) -> Page:
        """Opens a page with a person signed in."""
        self[name]
        page = visit(self.server.address, **options)
        response = page.request.post(
            "/api/sign-in", data={"name": name, "password": PASSWORD}, headers={"Origin": self.server.address}
        )
        assert response.ok, response.text()
        page.goto(path)
        return page

    def file(self, name: str, text: str) -> None:
        """Files a submission and has it approved."""
        submission = self["Sam"].post("/api/submissions", {"name": name, "text": text})
        self["Reg"].post(f"/api/submissions/{quote(name)}/{submission['version']}/approve", {})

    def open_table(self, rules: str = "pa-682a", text: str = "", **options: Any) -> str:
        """Opens a live table without cards."""
        self.tables += 1
        name = f"Pit {self.tables}"
        self.file(f"Rules of {name}", text or submission_template(edition(rules)))
        self["Sam"].post("/api/tables", {"table": name, "submission": f"Rules of {name}", "version": 1, **options})
        return name

    def table(self, rules: str = "pa-682a", text: str = "", decks: tuple[int, ...] = (1,), **options: Any) -> str:
        """Opens a live table with washed cards and two patrons seated with $500 each."""
        name = self.open_table(rules, text, **options)
        dealer, floor = self["Dan"], self["Flo"]
        for deck in decks:
            dealer.command(name, "ReceiveCards", decks=[deck])
            dealer.command(name, "InspectCards", deck=deck)
            floor.command(name, "VerifyInspection", deck=deck)
            dealer.command(name, "SpreadCards", deck=deck)
        self.seat_patrons(name)
        for deck in decks:
            dealer.command(name, "WashCards", deck=deck)
        return name

    def seat_patrons(self, table: str) -> None:
        """Seats two patrons with $500 each."""
        for patron, seat in (("Pat", 2), ("Pia", 5)):
            self[patron]
            self["Dan"].command(table, "Sit", patron=patron, seats=[seat])
            self.money(table, patron, 500_00)

    def money(self, table: str, patron: str, cents: int, kind: str = "buy_in") -> None:
        """Moves chips at a dealer's request and with a floorperson's approval."""
        self.tables += 1
        request = f"chips{self.tables}"
        fields = {"id": request, "kind": kind, "table": table, "patron": patron, "amount_cents": cents}
        self["Dan"].post("/api/requests", fields)
        self["Flo"].post(f"/api/requests/{request}/approve", {})

    def retire(self, table: str) -> None:
        """All patrons cash out and leave; the table is closed and retired."""
        self.empty(table)
        self["Flo"].command(table, "CloseTable")
        self["Sam"].post(f"/api/tables/{quote(table)}/retire", {})

    def empty(self, table: str) -> None:
        """All patrons cash out and leave."""
        for stack in self["Dan"].table(table)["procedure"]["chips"]:
            self.money(table, stack["patron"], stack["amount_cents"], "cash_out")
        for patron in ("Pat", "Pia"):
            self["Dan"].command(table, "Leave", patron=patron)

    def shuffle(self, table: str) -> None:
        """Shuffles the cards by hand, cuts and loads them."""
        dealer = self["Dan"]
        dealer.command(table, "Shuffle", deck=1, by_device=False)
        dealer.command(table, "Cut", depth=20)
        dealer.command(table, "LoadCards")

    def place_wagers(self, table: str, **wagers: int) -> None:
        """Places the same wagers at both seats."""
        for seat in (2, 5):
            for wager, cents in wagers.items():
                self["Dan"].command(table, "PlaceWager", seat=seat, wager=wager, amount=cents)

    def play(self, table: str, **wagers: int) -> None:
        """Plays a whole round over HTTP: seat 2 raises, seat 5 folds."""
        dealer = self["Dan"]
        if dealer.table(table)["phase"] == "shuffling":
            self.shuffle(table)
        self.place_wagers(table, **wagers)
        ante = wagers["ante"]
        while True:
            view = dealer.table(table)
            prompt = next(p for p in view["prompts"] if p["role"] == "dealer" or p["command"] == "Decide")
            command = prompt["command"]
            if command == "Shuffle":
                return
            values: dict[str, Any] = {}
            if command == "Decide":
                values = {"seat": prompt["seat"], "amount": ante if prompt["seat"] == 2 else None}
            elif command == "SettleSeat":
                values = {"seat": prompt["seat"]}
            elif command == "CountStub":
                values = {"stub": view["procedure"]["deck_cards"] - view["procedure"]["drawn"]}
            dealer.command(table, command, **values)


def dealing_submission(rules: str, **values: Any) -> str:
    """The draft of an edition with other values about cards and dealing."""
    text = submission_template(edition(rules))
    for key, value in values.items():
        text, count = re.subn(rf"^(# )?{key} = .*$", f"{key} = {json.dumps(value)}", text, flags=re.MULTILINE)
        assert count == 1, key
    return text


def order(page: Page, table: str, text: str) -> None:
    """Opens one of the orders that the floor can give a table."""
    page.locator(".glance", has=page.get_by_role("heading", name=table, exact=True)).get_by_role(
        "button", name="Orders"
    ).click()
    page.get_by_role("dialog").get_by_role("button", name=text).click()


def report(page: Page, *choices: str) -> None:
    """The dealer reports an irregularity."""
    page.get_by_role("button", name="Report an irregularity").click()
    for choice in choices:
        page.get_by_role("dialog").get_by_role("button", name=choice, exact=True).click()


def step(page: Page, text: str) -> None:
    """Checks that the next step is the expected one and carries it out by keyboard."""
    heading = page.locator(".step .next")
    expect(heading).to_contain_text(text)
    page.wait_for_timeout(300)  # the console ignores a key press right after a step
    page.locator(".step .main.big").press("Enter")
    expect(heading).not_to_contain_text(text)
