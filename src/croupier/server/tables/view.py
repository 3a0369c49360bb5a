"""A table as JSON for one viewer: face-up cards, their own cards and money, the next steps and the deadline."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from croupier.core.money import format_money
from croupier.progressive.meter_plans import MeterPlan
from croupier.server.payloads.tables import (
    CardsView,
    ClockView,
    DecisionChoices,
    HandView,
    LobbyEntry,
    NextStep,
    OwnView,
    PastRound,
    SeatResult,
    SettledWager,
    StaffProcedure,
    TableView,
)
from croupier.server.tables.card_entry import card_entry_view
from croupier.server.tables.staff_options import floor_rules, idle_spreads, shuffle_choices, substitutes
from croupier.submissions.table_terms import RESERVE
from croupier.table.hand_narration import describe_result, named_hands
from croupier.table.model.roles import Role
from croupier.table.model.setup import Setup
from croupier.table.model.state import DeckStep, Phase, Round, Table
from croupier.table.narration import explain, hand_label, meter_label, meter_title, wager_title
from croupier.table.procedure.decisions import allowed_amounts
from croupier.table.procedure.deck import deck_change_rule
from croupier.table.procedure.devices import devices_in_use, substitute_methods, substitute_shufflers
from croupier.table.procedure.irregularities import place_title
from croupier.table.procedure.stub import hands_to_count, is_stub_count_due
from croupier.table.prompts import Prompt, prompts
from croupier.table.view import CardView, placed_cards, view
from croupier.table.visibility import (
    ANONYMOUS,
    STAFF_ROLES,
    Viewer,
    can_see_hand,
    can_see_wagers,
    holds_hand,
    visible_patron,
    visible_round,
)

if TYPE_CHECKING:
    from croupier.server.tables.service import TableSettings

_METHODS = frozenset({"manual_shoe", "hand", "automated_shoe"})


def decks_due_for_change(table: Table, now: int) -> list[int]:
    """The decks that must be changed by now."""
    present = {number: deck for number, deck in table.decks.items() if deck.step is not DeckStep.MISSING}
    return [number for number, deck in present.items() if deck_change_rule(table, deck, now)]


def staff_procedure(table: Table, now: int) -> StaffProcedure:
    """What staff see beyond the felt: the dealing method, the order of cards to read, due work, chips and tray."""
    setup, round_ = table.setup, table.round
    usual_setup = table.usual_setup or setup
    figure = setup.elected.edition.figure
    reading = setup.reads_cards and round_ is not None and table.phase is Phase.DEALING
    return {
        "method": setup.method,
        "methods": [setup.method, *(name for name in substitute_methods(usual_setup) if name != setup.method)],
        "shuffler": setup.shuffler,
        "shufflers": [setup.shuffler, *(name for name in substitute_shufflers(usual_setup) if name != setup.shuffler)],
        "devices": list(devices_in_use(table)),
        "reported_devices": list(table.reported_devices),
        "substitutes": substitutes(table),
        "out_of_order": None
        if table.usual_setup is None
        else {"method": table.usual_setup.method, "shuffler": table.usual_setup.shuffler},
        "preshuffled": setup.preshuffled,
        "idle_spreads": idle_spreads(table),
        "floor_rules": floor_rules(table),
        "card_source": setup.card_source.value,
        "card_entry": card_entry_view(table),
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
        "stub_count_due": is_stub_count_due(table),
        "hands_to_count": [
            {"place": place, "seat": seat, "title": place_title(place, seat), "expected": count}
            for (place, seat), count in (hands_to_count(round_) if round_ is not None else {}).items()
        ],
        "deck_change_due": decks_due_for_change(table, now),
        "chips": [{"patron": patron, "amount_cents": cents} for patron, cents in sorted(table.balances.items())],
        "owed": [{"patron": patron, "amount_cents": cents} for patron, cents in sorted(table.owed.items())],
        "tray_cents": table.tray,
        "exposure": setup.elected.edition.exposure.cards,
        "settles_optional": round_.settles_optional if round_ is not None else True,
    }


@dataclass(frozen=True, slots=True)
class Deadline:
    """A deadline for `betting` or for the `decision` of a seat, in milliseconds since 1970."""

    kind: str
    at: int
    seat: int = 0


def table_view(table: Table, seq: int, viewer: Viewer, now: int, deadline: Deadline | None = None) -> TableView:
    """The table as a viewer sees it now."""
    setup, round_ = table.setup, table.round
    mine = view(table, viewer.role, viewer.name)
    return {
        "table": setup.name,
        "seq": seq,
        "edition": setup.elected.edition.name,
        "phase": mine.phase.value,
        "round": mine.round,
        "closing": table.closing,
        "seats": [
            {
                "seat": seat,
                "patron": visible_patron(viewer, table.seats.get(seat, "")),
                "absent": table.seats.get(seat) in table.absent,
            }
            for seat in range(1, setup.seats + 1)
        ],
        "you": own_view(table, viewer),
        "wagers": [
            {"seat": seat, "wager": wager, "title": wager_title(setup, wager), "amount_cents": amount}
            for seat, placed in sorted(mine.wagers.items())
            for wager, amount in placed.items()
            if can_see_wagers(viewer)
        ],
        "cards": [
            {
                "place": placed.place,
                "seat": placed.seat,
                "cards": _notation(placed.cards),
            }
            for placed in mine.placed
        ],
        "waiting": list(round_.waiting) if round_ is not None and table.phase is Phase.DECIDING else [],
        "folded": sorted(round_.folded) if round_ is not None else [],
        "void": round_.void if round_ is not None else "",
        "settled": settled_wagers(table, round_, viewer),
        "hands": hand_views(setup, round_, viewer),
        "results": seat_results(setup, round_, viewer),
        "last": past_round_view(table, table.history[-1], viewer) if round_ is None and table.history else None,
        "prompts": [_prompt(table, prompt) for prompt in prompts(table, now)] if can_see_wagers(viewer) else [],
        "meters": [
            {
                "meter": name,
                "title": meter_title(setup, name),
                "label": meter_label(setup, name),
                "display_cents": meter.display,
            }
            for name, meter in table.meters.items()
        ],
        "clock": clock_view(deadline, now),
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
        "procedure": staff_procedure(table, now) if viewer.role in STAFF_ROLES else None,
    }


def own_view(table: Table, viewer: Viewer) -> OwnView:
    """The viewer's own seats and money at a table."""
    patron = viewer.role is Role.PATRON and bool(viewer.name)
    return {
        "name": viewer.name,
        "role": viewer.role.value,
        "seats": sorted(seat for seat, name in table.seats.items() if patron and name == viewer.name),
        "chips_cents": table.balances.get(viewer.name, 0) if patron else None,
        "game_account_cents": table.accounts.get(viewer.name, 0) if patron else None,
        "owed_cents": table.owed.get(viewer.name, 0) if patron else None,
    }


def clock_view(deadline: Deadline | None, now: int) -> ClockView | None:
    """A running deadline, and the server's time next to it."""
    if deadline is None:
        return None
    return {"what": deadline.kind, "at": deadline.at, "seat": deadline.seat, "now": now}


def _notation(cards: Iterable[CardView]) -> list[str | None]:
    return [None if card.card is None else str(card.card) for card in cards]


def _prompt(table: Table, prompt: Prompt) -> NextStep:
    payload: NextStep = {
        "role": prompt.role.value,
        "command": prompt.command,
        "text": prompt.text,
        "clause": prompt.clause,
        "seat": prompt.seat,
        "deck": prompt.deck,
    }
    if prompt.command == "Decide" and table.round is not None:
        payload["choices"] = decision_choices(table, table.round, prompt.seat)
    if prompt.command == "Shuffle":
        payload["shuffle"] = shuffle_choices(table, prompt.deck)
    return payload


def decision_choices(table: Table, round_: Round, seat: int) -> DecisionChoices:
    """What a seat may decide now: amounts, or a range of them. Folding is always possible."""
    wager = table.setup.elected.edition.wagers[table.setup.game.streets[round_.street].wager]
    amounts, between = allowed_amounts(table, round_.staked(seat, "ante"), wager)
    return {
        "wager": wager.name,
        "title": wager.title,
        "amounts_cents": list(amounts),
        "least_cents": between[0] if between else None,
        "most_cents": between[1] if between else None,
        "declined": table.setup.game.streets[round_.street].declined,
    }


def settled_wagers(table: Table, round_: Round | None, viewer: Viewer) -> list[SettledWager]:
    """Every settled wager of a round, with its reason; a hand that was never turned up stays hidden."""
    if round_ is None or not can_see_wagers(viewer):
        return []
    setup = table.setup
    visible = visible_round(round_, viewer)
    wagers: list[SettledWager] = []
    for entry in round_.entries:
        holder = entry.holder or entry.seat
        hand_visible = can_see_hand(round_, holder, viewer)
        wagers.append(
            {
                "seat": entry.seat,
                "patron": round_.patrons.get(entry.seat, ""),
                "wager": entry.wager,
                "title": wager_title(setup, entry.wager),
                "staked_cents": entry.staked,
                "outcome": entry.outcome,
                "returned_cents": entry.returned,
                "paid_cents": entry.paid,
                "hand": hand_label(entry.hand) if hand_visible else "",
                "row": hand_label(entry.row) if hand_visible else "",
                "pays": entry.pays,
                "clause": entry.clause,
                "why": explain(setup, entry, visible) if hand_visible or not entry.hand else "",
            }
        )
    return wagers


def past_round_view(table: Table, round_: Round, viewer: Viewer) -> PastRound:
    """A past round as a viewer may look back at it."""
    cards: list[CardsView] = [
        {"place": placed.place, "seat": placed.seat, "cards": _notation(placed.cards)}
        for placed in placed_cards(round_, viewer)
    ]
    seats = [seat for seat in round_.patrons if holds_hand(round_, seat, viewer)]
    net = sum(entry.returned + entry.paid - entry.staked for entry in round_.entries if entry.seat in seats)
    return {
        "round": round_.number,
        "void": round_.void,
        "cards": cards,
        "your_seats": seats,
        "your_net_cents": net if seats else None,
        "settled": settled_wagers(table, round_, viewer),
        "hands": hand_views(table.setup, round_, viewer),
        "results": seat_results(table.setup, round_, viewer),
    }


def hand_views(setup: Setup, round_: Round | None, viewer: Viewer) -> list[HandView]:
    """The hands of a round whose cards the viewer sees, in words."""
    if round_ is None:
        return []
    return [
        {
            "place": hand.place,
            "seat": hand.seat,
            "name": hand.name,
            "playing": [str(card) for card in hand.playing],
        }
        for hand in named_hands(setup, visible_round(round_, viewer))
    ]


def seat_results(setup: Setup, round_: Round | None, viewer: Viewer) -> list[SeatResult]:
    """Why each seat won or lost, once the viewer sees the cards that decide it."""
    if round_ is None or not can_see_wagers(viewer):
        return []
    visible = visible_round(round_, viewer)
    viewer_seats = [seat for seat in round_.patrons if holds_hand(round_, seat, viewer)]
    results: list[SeatResult] = []
    for seat in round_.dealt:
        name = "" if seat not in viewer_seats else "You" if len(viewer_seats) == 1 else f"Your seat {seat}"
        if text := describe_result(setup, visible, seat, name=name):
            results.append({"seat": seat, "text": text})
    return results


def lobby_entry(setup: Setup, table: Table | None, settings: TableSettings, viewer: Viewer = ANONYMOUS) -> LobbyEntry:
    """One line of the lobby, with the viewer's seats."""
    rules = setup.elected.edition
    seats = table.seats if table is not None else {}
    patron = viewer.role is Role.PATRON and bool(viewer.name)
    ante = setup.limits.get("ante")
    return {
        "table": setup.name,
        "edition": rules.name,
        "game": rules.title,
        "jurisdiction": rules.jurisdiction,
        "mode": settings.mode,
        "currency": settings.currency.value,
        "self_service": settings.self_service,
        "seats": setup.seats,
        "taken": sorted(seats),
        "yours": sorted(seat for seat, name in seats.items() if patron and name == viewer.name),
        "phase": table.phase.value if table is not None else Phase.CLOSED.value,
        "round": table.rounds if table is not None else 0,
        "minimum_cents": ante.minimum if ante else 0,
        "maximum_cents": ante.maximum if ante else 0,
        "limits": f"{format_money(ante.minimum)} to {format_money(ante.maximum)}" if ante else "",
        "meters": [
            {
                "meter": name,
                "title": meter_title(setup, name),
                "label": meter_label(setup, name),
                "display_cents": meter.display,
            }
            for name, meter in (table.meters if table is not None else {}).items()
            if _is_on_display(setup, meter.plan)
        ],
    }


def _is_on_display(setup: Setup, plan: MeterPlan) -> bool:
    """Whether a meter belongs to a wager that the table offers; a reserve is shown to nobody."""
    return plan.tier != RESERVE and any(setup.feeds(wager, plan) for wager in setup.limits)
