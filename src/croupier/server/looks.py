"""A table as JSON for one viewer: what lies face up, his own cards and money, what comes next, the clock."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from croupier.cards import DECK
from croupier.games.definition import DISCARD
from croupier.money import show
from croupier.server.procedure import STAFF, procedure
from croupier.server.running import Running
from croupier.server.seen import NOBODY, Viewer
from croupier.table.people import Role
from croupier.table.playing import sizes
from croupier.table.prompts import Prompt, prompts
from croupier.table.setup import Setup
from croupier.table.state import Phase, Round, Table
from croupier.table.views import view, visible
from croupier.table.why import meter_title, title_of, why, words

Said = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Deadline:
    """What a clock waits for: `betting` or `decision` (of a seat), until when in milliseconds since 1970."""

    what: str
    at: int
    seat: int = 0


def look(table: Table, seq: int, viewer: Viewer, now: int, deadline: Deadline | None = None) -> Said:
    """The table as somebody sees it now."""
    setup, round_ = table.setup, table.round
    mine = view(table, viewer.role, viewer.name)
    patron = viewer.role is Role.PATRON and bool(viewer.name)
    own = sorted(seat for seat, name in table.seats.items() if patron and name == viewer.name)
    return {
        "table": setup.name,
        "seq": seq,
        "edition": setup.elected.edition.name,
        "phase": mine.phase.value,
        "round": mine.round,
        "closing": table.closing,
        "seats": [
            {"seat": seat, "patron": table.seats.get(seat, ""), "absent": table.seats.get(seat) in table.absent}
            for seat in range(1, setup.seats + 1)
        ],
        "you": {
            "name": viewer.name,
            "role": viewer.role.value,
            "seats": own,
            "chips_cents": table.balances.get(viewer.name, 0) if patron else None,
            "game_account_cents": table.accounts.get(viewer.name, 0) if patron else None,
            "owed_cents": table.owed.get(viewer.name, 0) if patron else None,
        },
        "wagers": [
            {"seat": seat, "wager": wager, "title": title_of(setup, wager), "amount_cents": amount}
            for seat, placed in sorted(mine.wagers.items())
            for wager, amount in placed.items()
        ],
        "cards": [
            {
                "place": placed.place,
                "seat": placed.seat,
                "cards": [None if card.card is None else str(card.card) for card in placed.cards],
            }
            for placed in mine.placed
        ],
        "waiting": list(round_.waiting) if round_ is not None and table.phase is Phase.DECIDING else [],
        "folded": sorted(round_.folded) if round_ is not None else [],
        "void": round_.void if round_ is not None else "",
        "settled": results(table, round_, viewer),
        "last": past_round(table, table.history[-1], viewer) if round_ is None and table.history else None,
        "prompts": [_prompt(table, prompt) for prompt in prompts(table, now)],
        "meters": [
            {"meter": name, "title": meter_title(setup, name), "display_cents": meter.display}
            for name, meter in table.meters.items()
        ],
        "clock": None
        if deadline is None
        else {"what": deadline.what, "at": deadline.at, "seat": deadline.seat, "now": now},
        "rounds_since_stub_count": table.rounds_since_count,
        "decks": [
            {
                "deck": deck.number,
                "step": deck.step.value,
                "arrived_at": deck.arrived_at,
                "in_use": number == table.deck_in_use,
            }
            for number, deck in table.decks.items()
        ],
        "commitment": mine.commitment,
        "next_commitment": mine.next_commitment,
        "procedure": procedure(table, now) if viewer.role in STAFF else None,
    }


def _prompt(table: Table, prompt: Prompt) -> Said:
    said: Said = {
        "role": prompt.role.value,
        "command": prompt.command,
        "text": prompt.text,
        "clause": prompt.clause,
        "seat": prompt.seat,
        "deck": prompt.deck,
    }
    if prompt.command == "Decide" and table.round is not None:
        said["choices"] = choices(table, table.round, prompt.seat)
    return said


def choices(table: Table, round_: Round, seat: int) -> Said:
    """What a seat may decide now: amounts, or a range of them; folding is always open."""
    wager = table.setup.elected.edition.wagers[table.setup.game.streets[round_.street].wager]
    amounts, between = sizes(table, round_.staked(seat, "ante"), wager)
    return {
        "wager": wager.name,
        "title": wager.title,
        "amounts_cents": list(amounts),
        "least_cents": between[0] if between else None,
        "most_cents": between[1] if between else None,
        "declined": table.setup.game.streets[round_.street].declined,
    }


def results(table: Table, round_: Round | None, viewer: Viewer) -> list[Said]:
    """Every settled wager of a round, with its reason; a hand that was never turned up is not told."""
    if round_ is None:
        return []
    setup, found = table.setup, []
    for entry in round_.entries:
        holder = entry.holder or entry.seat
        own = viewer.role is Role.PATRON and round_.patrons.get(holder) == viewer.name
        known = own or holder in round_.turned_up
        found.append(
            {
                "seat": entry.seat,
                "patron": round_.patrons.get(entry.seat, ""),
                "wager": entry.wager,
                "title": title_of(setup, entry.wager),
                "staked_cents": entry.staked,
                "outcome": entry.outcome,
                "returned_cents": entry.returned,
                "paid_cents": entry.paid,
                "hand": words(entry.hand) if known else "",
                "row": words(entry.row) if known else "",
                "pays": entry.pays,
                "clause": entry.clause,
                "why": why(setup, entry) if known or not entry.hand else "",
            }
        )
    return found


def past_round(table: Table, round_: Round, viewer: Viewer) -> Said:
    """One of the last rounds as somebody may look back at it."""
    shown = [
        {
            "place": place,
            "seat": seat,
            "cards": [
                str(DECK[card]) if visible(table, round_, viewer.role, viewer.name, place, seat, number) else None
                for number, card in enumerate(cards)
            ],
        }
        for (place, seat), cards in round_.cards.items()
        if place != DISCARD
    ]
    own = [seat for seat, patron in round_.patrons.items() if patron == viewer.name and viewer.role is Role.PATRON]
    net = sum(entry.returned + entry.paid - entry.staked for entry in round_.entries if entry.seat in own)
    return {
        "round": round_.number,
        "void": round_.void,
        "cards": shown,
        "your_seats": own,
        "your_net_cents": net if own else None,
        "settled": results(table, round_, viewer),
    }


def entry_in_lobby(setup: Setup, table: Table | None, running: Running, viewer: Viewer = NOBODY) -> Said:
    """One line of the lobby, with the seats of the one who looks."""
    rules = setup.elected.edition
    seats = table.seats if table is not None else {}
    patron = viewer.role is Role.PATRON and bool(viewer.name)
    ante = setup.limits.get("ante")
    return {
        "table": setup.name,
        "edition": rules.name,
        "game": rules.title,
        "jurisdiction": rules.jurisdiction,
        "mode": running.mode,
        "self_service": running.self_service,
        "seats": setup.seats,
        "taken": sorted(seats),
        "yours": sorted(seat for seat, name in seats.items() if patron and name == viewer.name),
        "phase": table.phase.value if table is not None else Phase.CLOSED.value,
        "round": table.rounds if table is not None else 0,
        "minimum_cents": ante.minimum if ante else 0,
        "maximum_cents": ante.maximum if ante else 0,
        "limits": f"{show(ante.minimum)} to {show(ante.maximum)}" if ante else "",
        "meters": [
            {"meter": name, "title": meter_title(setup, name), "display_cents": meter.display}
            for name, meter in (table.meters if table is not None else {}).items()
        ],
    }
