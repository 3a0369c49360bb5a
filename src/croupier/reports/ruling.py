"""A ruling on one page: the round step by step with its clauses, and who is owed what."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from croupier.core.cards import DECK, show_cards
from croupier.reports.documents import render_html
from croupier.reports.identity import edition_identity, program_identity, readings_in_force
from croupier.scenarios.model import Scenario
from croupier.scenarios.runner import settlement_document, sort_entries
from croupier.table.model import events as e
from croupier.table.narration import describe, explain, hand_label
from croupier.table.session import TableSession

HIDDEN_EVENTS = (e.ChipsBought, e.CardDealt)
"""Not shown: buy-ins, which only serve the scenario, and single cards, since hands are shown complete."""


def ruling_data(scenario: Scenario, session: TableSession) -> dict[str, Any]:
    """The data of the page for a round that was played."""
    setup, document = session.table.setup, settlement_document(session)
    rules, round_ = setup.elected.edition, session.table.round
    first_wager = next((n for n, event in enumerate(session.events) if isinstance(event, e.WagerPlaced)), 0)
    # Settlements are listed with their seats.
    events = [
        event for event in session.events[first_wager:] if not isinstance(event, (*HIDDEN_EVENTS, e.WagerSettled))
    ]
    entries = list(round_.entries) if round_ is not None else []
    return {
        "identity": {
            **edition_identity(rules),
            "program": program_identity(),
        },
        "file": Path(scenario.file).name,
        "wrong": [hand_label(irregularity.kind) for irregularity in scenario.irregularities],
        "steps": [describe(setup, event) for event in events],
        "dealer": document["dealer"],
        "board": "" if round_ is None else show_cards(DECK[card] for card in round_.hand("board")),
        "seats": [
            {
                **seat,
                "reasons": [
                    explain(setup, x) for x in sort_entries(session, [y for y in entries if y.seat == seat["seat"]])
                ],
            }
            for seat in document["seats"]
        ],
        "readings": [
            reading
            for reading in readings_in_force(setup.elected)
            if reading["elective"] and reading["changes"] != "words"
        ],
    }


def ruling_html(data: dict[str, Any]) -> str:
    """The page of a ruling."""
    return render_html("ruling", data)
