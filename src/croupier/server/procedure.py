"""What those who run a table see beyond the felt: how it deals, in which order, what is due, who has which chips."""

from __future__ import annotations

from typing import Any

from croupier.table.dealing import stub_count_due
from croupier.table.people import Role
from croupier.table.preparing import deck_change_due
from croupier.table.state import DeckStep, Phase, Table

Said = dict[str, Any]
STAFF = frozenset(Role) - {Role.PATRON, Role.SYSTEM}
_METHODS = frozenset({"manual_shoe", "hand", "automated_shoe"})


def due_for_change(table: Table, now: int) -> list[int]:
    """The decks that must be changed by now."""
    there = {number: deck for number, deck in table.decks.items() if deck.step is not DeckStep.MISSING}
    return [number for number, deck in there.items() if deck_change_due(table, deck, now)]


def procedure(table: Table, now: int) -> Said:
    """How a table deals now, and in which order cards leave the shoe while they are to be read."""
    setup, round_ = table.setup, table.round
    figure = setup.elected.edition.figure
    reading = setup.reads_cards and round_ is not None and table.phase is Phase.DEALING
    return {
        "method": setup.method,
        "methods": sorted(name for name in setup.elected.edition.deals if name in _METHODS),
        "shuffler": setup.shuffler,
        "out_of_order": None if table.usual is None else {"method": table.usual[0], "shuffler": table.usual[1]},
        "reads_cards": setup.reads_cards,
        "read": len(table.decks[round_.deck].order) if reading and round_ is not None else 0,
        "slots": [
            {"place": slot.place, "seat": slot.seat, "face_up": slot.face_up}
            for slot in (round_.slots if reading and round_ is not None else ())
        ],
        "cut_depth": figure("cut_depth"),
        "deck_cards": figure("deck_cards"),
        "drawn": round_.drawn if round_ is not None else 0,
        "stub_count_every": figure("stub_count_rounds"),
        "stub_count_due": stub_count_due(table),
        "deck_change_due": due_for_change(table, now),
        "chips": [{"patron": patron, "amount_cents": cents} for patron, cents in sorted(table.balances.items())],
        "owed": [{"patron": patron, "amount_cents": cents} for patron, cents in sorted(table.owed.items())],
        "tray_cents": table.tray,
        "exposure": setup.elected.edition.exposure.cards,
        "settles_optional": round_.settles_optional if round_ is not None else True,
    }
