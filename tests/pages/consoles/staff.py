"""A house with its people: one of every role, Rules Submissions on file, and tables made ready over the network."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from playwright.sync_api import Page, expect

from croupier.client import Client
from croupier.rules import edition
from croupier.submissions.writing import draft
from tests.pages.conftest import Visit
from tests.pages.serving import Server

PASSWORD = "correct horse battery"  # noqa: S105
PEOPLE = {
    "Dan": "dealer",
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
    """Everybody, each with a connection of his own."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.people = {"Ada": Client(server.address)}
        self["Ada"].join(server.link, PASSWORD, name="Ada")
        for name, role in PEOPLE.items():
            link = self["Ada"].post("/api/people/invitations", {"name": name, "role": role})
            self.people[name] = Client(server.address)
            self.people[name].join(link["path"], PASSWORD)
        self.tables = 0

    def __getitem__(self, name: str) -> Client:
        self.people[name].close()  # a connection that nobody used for a while may be gone
        return self.people[name]

    def close(self) -> None:
        for client in self.people.values():
            client.close()

    def enter(self, visit: Visit, name: str, path: str, **options: Any) -> Page:
        """A page of a console as somebody who is signed in."""
        page = visit(self.server.address, **options)
        answer = page.request.post(
            "/api/sign-in", data={"name": name, "password": PASSWORD}, headers={"Origin": self.server.address}
        )
        assert answer.ok, answer.text()
        page.goto(path)
        return page

    def file(self, name: str, text: str) -> None:
        """A submission that is filed and approved."""
        filed = self["Sam"].post("/api/submissions", {"name": name, "text": text})
        self["Reg"].post(f"/api/submissions/{quote(name)}/{filed['version']}/approve", {})

    def table(self, rules: str = "pa-682a", text: str = "", **options: Any) -> str:
        """A new table with a dealer, its cards washed and two patrons seated with $500 each."""
        self.tables += 1
        name = f"Pit {self.tables}"
        self.file(f"Rules of {name}", text or draft(edition(rules)))
        self["Sam"].post("/api/tables", {"table": name, "submission": f"Rules of {name}", "version": 1, **options})
        dealer, floor = self["Dan"], self["Flo"]
        dealer.command(name, "ReceiveCards", decks=[1])
        dealer.command(name, "InspectCards", deck=1)
        floor.command(name, "VerifyInspection", deck=1)
        dealer.command(name, "SpreadCards", deck=1)
        for patron, seat in (("Pat", 2), ("Pia", 5)):
            dealer.command(name, "Sit", patron=patron, seats=[seat])
            self.money(name, patron, 500_00)
        dealer.command(name, "WashCards", deck=1)
        return name

    def money(self, table: str, patron: str, cents: int, kind: str = "buy_in") -> None:
        """Chips that a dealer asked for, or gave back, and a floorperson approved."""
        self.tables += 1
        wanted = f"chips{self.tables}"
        said = {"id": wanted, "kind": kind, "table": table, "patron": patron, "amount_cents": cents}
        self["Dan"].post("/api/requests", said)
        self["Flo"].post(f"/api/requests/{wanted}/approve", {})

    def retire(self, table: str) -> None:
        """Everybody leaves with his chips, and the table is closed for good."""
        self.empty(table)
        self["Flo"].command(table, "CloseTable")
        self["Sam"].post(f"/api/tables/{quote(table)}/retire", {})

    def empty(self, table: str) -> None:
        """Everybody leaves with his chips."""
        for one in self["Dan"].table(table)["procedure"]["chips"]:
            self.money(table, one["patron"], one["amount_cents"], "cash_out")
        for patron in ("Pat", "Pia"):
            self["Dan"].command(table, "Leave", patron=patron)

    def shuffled(self, table: str) -> None:
        """Cards shuffled, cut and in the shoe."""
        dealer = self["Dan"]
        dealer.command(table, "Shuffle", deck=1)
        dealer.command(table, "Cut", depth=20)
        dealer.command(table, "LoadCards")

    def wagered(self, table: str, **wagers: int) -> None:
        """The same wagers at both seats."""
        for seat in (2, 5):
            for wager, cents in wagers.items():
                self["Dan"].command(table, "PlaceWager", seat=seat, wager=wager, amount=cents)

    def play(self, table: str, **wagers: int) -> None:
        """A whole round over the network; seat 2 raises, seat 5 folds."""
        dealer = self["Dan"]
        if dealer.table(table)["phase"] == "shuffling":
            self.shuffled(table)
        self.wagered(table, **wagers)
        ante = wagers["ante"]
        while True:
            seen = dealer.table(table)
            prompt = next(one for one in seen["prompts"] if one["role"] == "dealer" or one["command"] == "Decide")
            command = prompt["command"]
            if command == "Shuffle":
                return
            values: dict[str, Any] = {}
            if command == "Decide":
                values = {"seat": prompt["seat"], "amount": ante if prompt["seat"] == 2 else None}
            elif command == "SettleSeat":
                values = {"seat": prompt["seat"]}
            elif command == "CountStub":
                values = {"stub": seen["procedure"]["deck_cards"] - seen["procedure"]["drawn"]}
            dealer.command(table, command, **values)


def step(page: Page, text: str) -> None:
    """Does the next step, which must be the one that is expected, with the keyboard."""
    heading = page.locator(".step .next")
    expect(heading).to_contain_text(text)
    page.wait_for_timeout(300)  # the console takes no second press so soon after the last step
    page.locator(".step .main.big").press("Enter")
    expect(heading).not_to_contain_text(text)
