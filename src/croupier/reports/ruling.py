"""A ruling on one page: what happened in a round, step by step with clauses, and who is owed what."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from croupier.core.cards import DECK, show_cards
from croupier.reports.documents import as_html
from croupier.reports.identity import of_edition, program, readings_in_force
from croupier.scenarios.model import Scenario
from croupier.scenarios.runner import in_printed_order, settled
from croupier.table.model import events as e
from croupier.table.narration import describe, explain, hand_label
from croupier.table.session import TableSession

LEFT_OUT = (e.ChipsBought, e.CardDealt)
"""Chips that the scenario needs, and single cards: hands are shown whole."""


def ruling_data(scenario: Scenario, driver: TableSession) -> dict[str, Any]:
    """What the page shows; refuses nothing that the table has played."""
    setup, result = driver.table.setup, settled(driver)
    rules, round_ = setup.elected.edition, driver.table.round
    began = next((n for n, event in enumerate(driver.events) if isinstance(event, e.WagerPlaced)), 0)
    # Settlements stand with their seats.
    events = [event for event in driver.events[began:] if not isinstance(event, (*LEFT_OUT, e.WagerSettled))]
    entries = list(round_.entries) if round_ is not None else []
    return {
        "identity": {
            **of_edition(rules),
            "program": program(),
        },
        "file": Path(scenario.file).name,
        "wrong": [hand_label(irregularity.kind) for irregularity in scenario.irregularities],
        "steps": [describe(setup, event) for event in events],
        "dealer": result["dealer"],
        "board": "" if round_ is None else show_cards(DECK[card] for card in round_.hand("board")),
        "seats": [
            {
                **seat,
                "reasons": [
                    explain(setup, x) for x in in_printed_order(driver, [y for y in entries if y.seat == seat["seat"]])
                ],
            }
            for seat in result["seats"]
        ],
        "readings": [
            reading
            for reading in readings_in_force(setup.elected)
            if reading["elective"] and reading["changes"] != "words"
        ],
    }


def ruling_html(data: dict[str, Any]) -> str:
    """The page of a ruling."""
    return as_html("ruling", data)
