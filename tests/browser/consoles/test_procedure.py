"""Cards and devices on the consoles: who reports, who confirms, what is counted, and what follows."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from croupier.client import RequestFailed
from tests.browser.conftest import Visit
from tests.browser.consoles.staff import Staff, dealing_submission, order, report, step
from tests.browser.rounds import EDITIONS

KEY_PAUSE_MS = 300
"""The console ignores a key press right after a step."""


def _press(page: Page, text: str, button: str) -> None:
    """Checks the next step and takes it with one of its buttons."""
    expect(page.locator(".step .next")).to_contain_text(text)
    page.wait_for_timeout(KEY_PAUSE_MS)
    page.locator(".step").get_by_role("button", name=button).click()


def _fill_dialog(page: Page, button: str, **values: str) -> None:
    """Fills in the fields of a dialog by their labels and submits it."""
    dialog = page.get_by_role("dialog")
    for label, value in values.items():
        field = dialog.get_by_label(label.replace("_", " "))
        if field.evaluate("field => field.tagName") == "SELECT":
            field.select_option(label=value)
        else:
            field.fill(value)
    dialog.get_by_role("button", name=button, exact=True).click()


def test_decks_are_received_inspected_by_two_people_counted_and_a_failed_shuffler_is_replaced(
    staff: Staff, visit: Visit
) -> None:
    text = dealing_submission(
        "pa-682a",
        method="automated_shoe",
        shuffler="counting",
        substitute_shufflers=["automated"],
        preshuffled=True,
    )
    table = staff.open_table(text=text)
    page, floor = staff.enter(visit, "Dan", f"/dealer?table={table}"), staff.enter(visit, "Flo", "/floor")
    heading, outcome = page.locator(".step .next"), page.locator(".follows")
    line = floor.locator(".waits li", has_text=table)

    # An ordinary deck at a table with preshuffled cards; it has a defect and is removed.
    _press(page, "Receive deck 1", "Received, not shuffled")
    _press(page, "Inspect deck 1", "Found a defect")
    _fill_dialog(page, "Remove the deck")
    expect(page.get_by_role("dialog").locator(".fault")).to_contain_text("What is wrong")
    _fill_dialog(page, "Remove the deck", What_is_wrong="the king of hearts is bent")
    expect(outcome).to_contain_text("the king of hearts is bent")
    _press(page, "Receive deck 1", "Received, not shuffled")
    expect(heading).to_contain_text("Inspect deck 1")

    # Dee inspects it, becomes a floorperson, and cannot verify their own inspection.
    staff["Dee"].command(table, "InspectCards", deck=1)
    change = staff["Ada"].post("/api/people/Dee/role", {"role": "floorperson"})
    staff["Bob"].post(f"/api/people/requests/{change['id']}/approve", {})
    second = staff.enter(visit, "Dee", "/floor")
    second.locator(".waits li", has_text=table).get_by_role("button", name="Verify").click()
    expect(second.locator(".notice.bad")).to_contain_text(
        re.compile(r"Dee inspected deck 1: somebody else must verify it\.? \(682a\.\d")
    )
    expect(heading).to_contain_text("Waiting for the floor: verify the inspection of deck 1")
    line.get_by_role("button", name="Verify").click()
    step(page, "Spread deck 1 face up")
    staff.seat_patrons(table)
    step(page, "wash and stack it")

    # The device shows 51 cards: the deck is removed. The next one arrives preshuffled.
    _press(page, "Shuffle the cards", "Shuffled by the device")
    expect(page.locator(".step .fault")).to_contain_text("Cards counted by the device")
    page.get_by_label("Cards counted by the device").fill("51")
    _press(page, "Shuffle the cards", "Shuffled by the device")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("The device counted 51 cards")
    dialog.get_by_role("button", name="Remove the deck").click()
    expect(outcome).to_contain_text("the device counted 51 cards")
    _press(page, "Receive deck 1", "Received, preshuffled")
    step(page, "Cut the cards")
    step(page, "Place the cards in the automated shoe")

    _replace_the_shuffler(page, floor, table)
    manual: dict[str, Any] = {"device": "shoe", "marked": "sign", "method": "manual_shoe", "shuffler": "none"}
    staff["Dan"].command(table, "ReportDeviceFailure", device="shoe")
    with pytest.raises(RequestFailed, match="only a floorperson"):
        staff["Dan"].command(table, "TakeDeviceOutOfOrder", **manual)


def _replace_the_shuffler(page: Page, floor: Page, table: str) -> None:
    """The dealer reports the shuffler and cannot replace it; a floorperson confirms it, and returns it to service."""
    heading, outcome = page.locator(".step .next"), page.locator(".follows")
    line = floor.locator(".waits li", has_text=table)
    page.get_by_role("button", name="Report an irregularity").click()
    reports = page.get_by_role("dialog").locator(".taps button")
    expect(reports.filter(has_text="out of order")).to_have_text(["Shuffler out of order", "Shoe out of order"])
    page.get_by_role("dialog").get_by_role("button", name="Shuffler out of order").click()
    expect(outcome).to_contain_text("Dan reports that the shuffler malfunctions")
    expect(page.locator(".step")).to_contain_text("Waiting for the floor: have the shuffler covered")
    page.get_by_role("button", name="Report an irregularity").click()
    expect(reports.filter(has_text="out of order")).to_have_text(["Shoe out of order"])
    page.keyboard.press("Escape")
    line.get_by_role("button", name="Take out of order").click()
    expect(floor.get_by_label("Used in its place").locator("option")).to_have_text(
        [
            "automated shoe, automated shuffler",
            "automated shoe, shuffled by hand",
            "manual shoe, shuffled by hand",
        ]
    )
    _fill_dialog(
        floor,
        "Take out of order",
        Marked_with="an out-of-order sign",
        Used_in_its_place="automated shoe, automated shuffler",
    )
    expect(line).to_have_count(0)
    expect(outcome).to_contain_text("marked out of order")
    # The substitute does not count; a shuffle by hand is possible as well, and is cut.
    expect(page.get_by_label("Cards counted by the device")).to_have_count(0)
    _press(page, "Shuffle the cards", "Shuffled by hand")
    expect(heading).to_contain_text("Cut the cards")
    order(floor, table, "Return device to service")
    page.get_by_label("Cards counted by the device").fill("52")
    step(page, "Shuffle the cards")
    expect(heading).to_contain_text("Place the cards in the automated shoe")


def test_a_recut_and_a_shuffle_after_no_more_bets_and_the_count_of_every_hand(staff: Staff, visit: Visit) -> None:
    table = staff.table("md-4cp")
    staff.shuffle(table)
    staff.place_wagers(table, ante=10_00)
    page, floor = staff.enter(visit, "Dan", f"/dealer?table={table}"), staff.enter(visit, "Flo", "/floor")
    heading, outcome = page.locator(".step .next"), page.locator(".follows")
    step(page, "no more bets")
    for command in ("Order a recut", "Order a shuffle"):
        expect(heading).to_contain_text("Deal the cards")
        order(floor, table, command)
        _fill_dialog(floor, command, Reason="the cover card slipped")
        expect(outcome).to_contain_text("the cover card slipped")
        if command == "Order a shuffle":
            _press(page, "Shuffle the cards", "Shuffled by hand")
        step(page, "Cut the cards")
        step(page, "Place the cards in the shoe")
    step(page, "Deal the cards")
    # Once cards are dealt, neither is offered.
    floor.locator(".glance", has=floor.get_by_role("heading", name=table, exact=True)).get_by_text("Orders").click()
    expect(floor.get_by_role("dialog").get_by_role("button", name="Floor decision")).to_be_visible()
    expect(floor.get_by_role("dialog").get_by_role("button", name=re.compile("Order a"))).to_have_count(0)

    # The stub is one card short, and seat 2 has the card: 8.H(2)(a) and 8.H(3).
    procedure = staff["Dan"].table(table)["procedure"]
    _press(page, "Place the stub", "Count the stub anyway")
    stub = procedure["deck_cards"] - procedure["drawn"] - 1
    _fill_dialog(page, "Counted", Cards_in_the_stub=str(stub))
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text(re.compile(r"count every hand.*\(8\.H\(4\)\)"))
    for hand in procedure["hands_to_count"]:
        is_seat_2 = hand["title"] == "seat 2"
        label = f"{hand['title'].capitalize()} (should have {hand['expected']})"
        dialog.get_by_label(label, exact=True).fill(str(hand["expected"] + is_seat_2))
    dialog.get_by_role("button", name="Counted").click()
    expect(outcome.locator("h2")).to_have_text("The hands are void")
    expect(outcome).to_contain_text("hand by hand: seat 2: 6")
    expect(outcome).to_contain_text("52 in all")
    assert {"8.H(2)(a)", "8.H(3)"} <= set(outcome.locator("clause-ref button").all_inner_texts())
    view = staff["Dan"].table(table)
    assert (view["void"], view["decks"][0]["step"]) == ("stub_misdealt", "loaded")


def test_a_card_is_replaced_and_a_wrong_number_of_cards_is_reported_at_the_reveal_then_decided_on_the_floor(
    staff: Staff, visit: Visit
) -> None:
    table = staff.table()
    page, floor = staff.enter(visit, "Dan", f"/dealer?table={table}"), staff.enter(visit, "Flo", "/floor")
    outcome = page.locator(".follows")

    def play_until_revealed() -> None:
        staff.shuffle(table)
        staff.place_wagers(table, ante=10_00)
        for command in ("AnnounceNoMoreBets", "Deal"):
            staff["Dan"].command(table, command)
        if staff["Dan"].table(table)["round"] == 1:  # before the players look at their cards
            _replace_a_card(staff, floor, table)
            expect(outcome).to_contain_text("takes its place")
        staff["Dan"].command(table, "RackStub")
        for seat in (2, 5):
            staff["Dan"].command(table, "Decide", seat=seat, amount=10_00)
        step(page, "Nobody folded")
        step(page, "Reveal the dealer")

    play_until_revealed()
    page.get_by_role("button", name="Report an irregularity").click()
    page.get_by_role("dialog").get_by_role("button", name="Wrong number of cards").click()
    expect(page.get_by_role("dialog").locator(".taps button")).to_have_text(["Seat 2", "Seat 5", "Dealer"])
    page.get_by_role("dialog").get_by_role("button", name="Dealer").click()
    expect(outcome.locator("h2")).to_have_text("The hands are void")
    expect(outcome).to_contain_text("a wrong number of cards was dealt (dealer)")
    order(floor, table, "Floor decision")
    expect(floor.get_by_label("Reason")).to_be_visible()
    for seat in (5, 2):
        step(page, f"Settle seat {seat}")
    step(page, "Rack the cards")

    # A decision about the last round is not sent in this one.
    play_until_revealed()
    _fill_dialog(floor, "Floor decision", Decision="the round is void", Reason="too late")
    expect(floor.get_by_role("dialog").locator(".fault")).to_contain_text("The table has moved on")
    floor.keyboard.press("Escape")
    assert not staff["Dan"].table(table)["void"]

    # Once a wager is settled, the dealer cannot void the hands: a floorperson decides, and says what it concerns.
    step(page, "Settle seat 5")
    report(page, "Wrong number of cards", "Seat 2")
    expect(outcome.locator("h2")).to_have_text("Nothing has changed: call the floor")
    expect(outcome).to_contain_text("a floorperson must decide")
    order(floor, table, "Floor decision")
    concerns = floor.get_by_label("It concerns").locator("option", has_text="a wrong number of cards")
    expect(concerns).to_have_text(re.compile(r"\(682a\.13"))
    _fill_dialog(
        floor,
        "Floor decision",
        Decision="the round is void",
        It_concerns=concerns.inner_text(),
        Reason="seat 2 had six cards",
    )
    expect(outcome.locator("h2")).to_have_text("The hands are void")
    assert staff["Dan"].table(table)["void"] == "wrong_number_of_cards"


def _replace_a_card(staff: Staff, floor: Page, table: str) -> None:
    """A floorperson has the second card of seat 5 replaced by the next one of the deck."""
    drawn = staff["Flo"].table(table)["procedure"]["drawn"]
    order(floor, table, "Replace a card")
    expect(floor.get_by_label("Card to replace").locator("option").first).to_have_text("Seat 2, card 1")
    _fill_dialog(
        floor,
        "Replace a card",
        Card_to_replace="Seat 5, card 2",
        Reason="it was boxed in the hand",
    )
    expect(floor.get_by_role("dialog")).to_have_count(0)
    assert staff["Flo"].table(table)["procedure"]["drawn"] == drawn + 1


def test_the_other_deck_is_shuffled_while_one_is_in_play_and_idle_cards_are_spread(staff: Staff, visit: Visit) -> None:
    text = dealing_submission("pa-682a", shuffler="counting", decks=2, backs=["red", "blue"])
    table = staff.table(text=text, decks=(1, 2))
    page = staff.enter(visit, "Dan", f"/dealer?table={table}")
    heading = page.locator(".step .next")
    page.get_by_label("Cards counted by the device").fill("52")
    step(page, "Shuffle the cards")
    step(page, "Place the cards in the shoe")
    expect(heading).to_contain_text("Waiting for wagers")
    staff.place_wagers(table, ante=10_00)
    step(page, "no more bets")
    step(page, "Deal the cards")
    step(page, "Place the stub")
    # The players decide while the dealer starts the device: both are on the screen.
    expect(heading).to_contain_text("Seat 2")
    meanwhile = page.locator(".meanwhile")
    expect(meanwhile).to_contain_text("Shuffle deck 2 in the device")
    expect(page.get_by_role("button", name="Shuffled by hand")).to_have_count(0)
    meanwhile.get_by_label("Cards counted by the device").fill("52")
    staff["Dan"].command(table, "Decide", seat=2, amount=None)
    expect(heading).to_contain_text("Seat 5")
    # What was typed stays while the players go on.
    expect(meanwhile.get_by_label("Cards counted by the device")).to_have_value("52")
    expect(meanwhile.get_by_label("Cards counted by the device")).to_be_focused()
    meanwhile.get_by_role("button", name="Shuffled by the device").click()
    expect(meanwhile).to_have_count(0)
    page.get_by_role("button", name="Fold").click()
    step(page, "Collect forfeited")
    step(page, "Reveal the dealer")
    for seat in (5, 2):
        step(page, f"Settle seat {seat}")
    step(page, "Rack the cards")

    # Deck 2 is ready. Seated players do not wager: a player may ask for the cards face up.
    step(page, "Place the cards in the shoe")
    expect(page.locator(".step .row button")).to_have_text(
        ["Nobody plays: spread face down", "A player asks: spread face up"]
    )
    page.get_by_role("button", name="A player asks").click()
    expect(heading).to_contain_text("wash and stack it")
    for deck in (1, 2):
        step(page, f"deck {deck} face down")
    # Everybody leaves: face down only.
    staff.empty(table)
    step(page, "Nobody plays: take the cards out and spread them face down")
    assert staff["Dan"].table(table)["phase"] == "idle"


@pytest.mark.slow
@pytest.mark.parametrize("rules", [name for name in EDITIONS if name != "md-4cp"])
def test_every_edition_has_its_hands_counted_and_a_short_deck_is_removed(
    staff: Staff, visit: Visit, rules: str
) -> None:
    table = staff.table(rules)
    staff.shuffle(table)
    staff.place_wagers(table, ante=10_00)
    staff["Dan"].command(table, "AnnounceNoMoreBets")
    staff["Dan"].command(table, "Deal")
    procedure = staff["Dan"].table(table)["procedure"]
    page = staff.enter(visit, "Dan", f"/dealer?table={table}")
    _press(page, "Place the stub", "Count the stub anyway")
    _fill_dialog(page, "Counted", Cards_in_the_stub=str(procedure["deck_cards"] - procedure["drawn"] - 1))
    dialog = page.get_by_role("dialog")
    expect(dialog.locator("input")).to_have_count(1 + len(procedure["hands_to_count"]))
    dialog.get_by_role("button", name="Counted").click()
    expect(dialog.locator(".fault")).to_contain_text("Fill in")
    for hand in procedure["hands_to_count"]:
        title = hand["title"][0].upper() + hand["title"][1:]
        dialog.get_by_label(f"{title} (should have {hand['expected']})", exact=True).fill(str(hand["expected"]))
    dialog.get_by_role("button", name="Counted").click()
    outcome = page.locator(".follows")
    expect(outcome.locator("h2")).to_have_text("The hands are void")
    expect(outcome).to_contain_text("51 cards were counted")
    for seat in (5, 2):
        step(page, f"Settle seat {seat}")
    step(page, "Rack the cards")
    expect(page.locator(".step .next")).to_contain_text("Receive deck 1")
