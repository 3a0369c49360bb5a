"""A table in one line for the floor: its phase, and what needs a floorperson."""

from __future__ import annotations

from croupier.server.payloads.tables import FloorPrompt, FloorTable
from croupier.server.tables.service import TableSettings
from croupier.server.tables.staff_options import can_order_shuffle, can_replace_card
from croupier.server.tables.view import Deadline, decks_due_for_change
from croupier.table.model.roles import FLOOR
from croupier.table.model.state import Table
from croupier.table.prompts import prompts


def table_summary(table: Table, seq: int, settings: TableSettings, deadline: Deadline | None, now: int) -> FloorTable:
    """The line of one table."""
    setup = table.setup
    open_prompts = prompts(table, now)
    overdue = deadline is not None and deadline.at <= now
    floor_prompts: list[FloorPrompt] = [
        {
            "command": prompt.command,
            "text": prompt.text,
            "clause": prompt.clause,
            "seat": prompt.seat,
            "deck": prompt.deck,
        }
        for prompt in open_prompts
        if prompt.role in FLOOR and prompt.command != "OrderRecut"
    ]
    decks_due = decks_due_for_change(table, now)
    return {
        "table": setup.name,
        "seq": seq,
        "edition": setup.elected.edition.name,
        "game": setup.elected.edition.title,
        "mode": settings.mode,
        "currency": settings.currency.value,
        "phase": table.phase.value,
        "round": table.rounds,
        "in_round": table.round is not None,
        "enters_cards": setup.enters_cards,
        "void": table.round.void if table.round is not None else "",
        "seats": setup.seats,
        "taken": len(table.seats),
        "absent": sorted(table.absent),
        "closing": table.closing,
        "waits": floor_prompts,
        "next": open_prompts[0].text if open_prompts else "",
        "next_role": open_prompts[0].role.value if open_prompts else "",
        "can_recut": any(prompt.command == "OrderRecut" for prompt in open_prompts),
        "can_shuffle": can_order_shuffle(table),
        "can_replace": can_replace_card(table),
        "clock": None
        if deadline is None
        else {"what": deadline.kind, "seat": deadline.seat, "at": deadline.at, "over": overdue},
        "decks": [
            {
                "deck": number,
                "step": deck.step.value,
                "arrived_at": deck.arrived_at,
                "in_use": number == table.deck_in_use,
                "change_due": number in decks_due,
            }
            for number, deck in table.decks.items()
        ],
        "rounds_since_stub_count": table.rounds_since_count,
        "stub_count_every": setup.elected.edition.figure("stub_count_rounds"),
        "counts_stub": not table.deck.is_counted,
        "pending": [
            {"meter": name, "seat": claim.seat, "round": claim.round, "table": claim.table}
            for name, meter in table.meters.items()
            for claim in meter.claims
        ],
        "out_of_order": table.usual_setup is not None or bool(table.reported_devices),
        "at": table.at,
    }
