"""A table in one line for the floor: where it stands, and what waits for somebody above the dealer."""

from __future__ import annotations

from typing import Any

from croupier.server.looks import Deadline
from croupier.server.procedure import due_for_change
from croupier.server.running import Running
from croupier.table.people import FLOOR
from croupier.table.prompts import prompts
from croupier.table.state import Table

Said = dict[str, Any]


def glance(table: Table, seq: int, running: Running, deadline: Deadline | None, now: int) -> Said:
    """The line of one table."""
    setup = table.setup
    open_steps = prompts(table, now)
    over = deadline is not None and deadline.at <= now
    waits = [
        {
            "command": prompt.command,
            "text": prompt.text,
            "clause": prompt.clause,
            "seat": prompt.seat,
            "deck": prompt.deck,
        }
        for prompt in open_steps
        if prompt.role in FLOOR and prompt.command != "OrderRecut"
    ]
    due = due_for_change(table, now)
    return {
        "table": setup.name,
        "seq": seq,
        "edition": setup.elected.edition.name,
        "game": setup.elected.edition.title,
        "mode": running.mode,
        "phase": table.phase.value,
        "round": table.rounds,
        "in_round": table.round is not None,
        "void": table.round.void if table.round is not None else "",
        "seats": setup.seats,
        "taken": len(table.seats),
        "absent": sorted(table.absent),
        "closing": table.closing,
        "waits": waits,
        "next": open_steps[0].text if open_steps else "",
        "next_role": open_steps[0].role.value if open_steps else "",
        "can_recut": any(prompt.command == "OrderRecut" for prompt in open_steps),
        "clock": None
        if deadline is None
        else {"what": deadline.what, "seat": deadline.seat, "at": deadline.at, "over": over},
        "decks": [
            {
                "deck": number,
                "step": deck.step.value,
                "arrived_at": deck.arrived_at,
                "in_use": number == table.deck_in_use,
                "change_due": number in due,
            }
            for number, deck in table.decks.items()
        ],
        "rounds_since_stub_count": table.rounds_since_count,
        "stub_count_every": setup.elected.edition.figure("stub_count_rounds"),
        "counts_stub": not setup.counts_cards,
        "pending": [
            {"meter": name, "seat": claim.seat, "round": claim.round, "table": claim.table}
            for name, meter in table.meters.items()
            for claim in meter.claims
        ],
        "out_of_order": table.usual is not None,
        "at": table.at,
    }
