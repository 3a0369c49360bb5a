"""A ruling on one page: the round step by step with its clauses, and who is owed what."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from croupier.core.cards import DECK, show_cards
from croupier.games.definition import BOARD
from croupier.reports.documents import render_html
from croupier.reports.identity import edition_identity, program_identity, readings_in_force
from croupier.scenarios.model import Scenario
from croupier.scenarios.settlement import settlement_document
from croupier.scenarios.text_report import doubtful_document, reasons
from croupier.scenarios.unknown_cards import find_doubts, hand_owner
from croupier.table.model import events as e
from croupier.table.narration import describe, hand_label
from croupier.table.session import TableSession

HIDDEN_EVENTS = (e.ChipsBought, e.CardDealt)
"""Not shown: buy-ins, which only serve the scenario, and single cards, since hands are shown complete."""


UNKNOWN_EVENTS = (
    e.WinVerified,
    e.LightVerified,
    e.WinValidated,
    e.MeterChanged,
    e.MeterLocked,
    e.MeterReleased,
    e.JackpotDivided,
    e.DocumentsCompleted,
)
"""Steps that follow from cards: not shown if some are unknown."""


def ruling_data(scenario: Scenario, session: TableSession) -> dict[str, Any]:
    """The data of the page for a round that was played."""
    setup, doubts = session.table.setup, find_doubts(scenario, session)
    rules, round_ = setup.elected.edition, session.table.round
    document = settlement_document(session) if doubts is None else doubtful_document(session, doubts)
    first_wager = next((n for n, event in enumerate(session.events) if isinstance(event, e.WagerPlaced)), 0)
    # Settlements are listed with their seats.
    hidden_events = (*HIDDEN_EVENTS, e.WagerSettled, *(UNKNOWN_EVENTS if doubts is not None else ()))
    events = [event for event in session.events[first_wager:] if not isinstance(event, hidden_events)]
    board = () if round_ is None else round_.hand(BOARD)
    return {
        "identity": {
            **edition_identity(rules),
            "program": program_identity(),
        },
        "file": Path(scenario.file).name,
        "wrong": [hand_label(irregularity.kind) for irregularity in scenario.irregularities],
        "unknown": [] if doubts is None else [hand_owner(*hand) for hand in doubts.hands],
        "steps": [describe(setup, event) for event in events],
        "dealer": document["dealer"],
        "board": show_cards(DECK[card] for card in board) if doubts is None else doubts.show(board),
        "seats": [
            {
                **seat,
                "reasons": list(reasons(session, seat["seat"], doubts)),
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
