"""Rulings on cards from a plain shoe: a card that lies on the layout twice, and a wager that the hand does not allow.

Nobody could check either before the cards were turned up, so a floorperson decides.
"""

from __future__ import annotations

from collections.abc import Iterator

from croupier.core.cards import DECK
from croupier.core.errors import RuleViolation
from croupier.core.money import format_money
from croupier.games.definition import PLAYER
from croupier.regulations.clauses import carries_out
from croupier.regulations.edition import WagerRule
from croupier.table.decide import current_round, decider_for, event_metadata, rule_clause
from croupier.table.evolve import copy_with, next_state, round_of, with_balance, with_round
from croupier.table.model import commands as c
from croupier.table.model import events as e
from croupier.table.model.state import Phase, Round, Table
from croupier.table.narration import hand_label
from croupier.table.procedure.card_entries import (
    cards_due,
    known_positions,
    owner_title,
    require_due,
    require_plain_shoe,
    turns_up_hand,
)
from croupier.table.procedure.irregularities import void_round
from croupier.table.settlement import holds_at_least, player_hand


@decider_for(c.ReportDuplicateCard)
@carries_out("stub_wrong_manual_shoe", "stub_wrong_hand", "stub_wrong_automated_shoe")
def report_duplicate_card(table: Table, command: c.ReportDuplicateCard) -> Iterator[e.Event]:
    round_ = require_plain_shoe(table, "stub_wrong")
    next_cards = require_due(table, round_, command.place, command.seat)
    clause = rule_clause(table, "stub_wrong")
    if command.number not in next_cards.numbers:
        title = owner_title(next_cards.place, next_cards.seat)
        raise RuleViolation(clause, f"card {command.number} of {title} is not turned up now")
    first = known_positions(round_).get(command.card, ("", 0, 0))
    if not first[0] and command.card not in round_.face_up_found:
        name = DECK[command.card] if 0 <= command.card < len(DECK) else command.card
        raise RuleViolation(clause, f"{name} lies nowhere else: enter it")
    if next_cards.place == PLAYER and next_cards.seat not in round_.turned_up:
        yield e.HandTurnedUp(seat=next_cards.seat, **event_metadata(table, command, "turn_up_hand"))
    yield e.DuplicateCardReported(
        place=next_cards.place,
        seat=next_cards.seat,
        number=command.number,
        card=command.card,
        first_place=first[0],
        first_seat=first[1],
        first_number=first[2],
        **event_metadata(table, command, "stub_wrong"),
    )


@next_state.register
def _(event: e.DuplicateCardReported, table: Table) -> Table:
    return with_round(table, duplicate=event.card, duplicate_reported_by=event.by.name)


@decider_for(c.RuleOnDuplicateCard)
@carries_out("stub_wrong_manual_shoe", "stub_wrong_hand", "stub_wrong_automated_shoe")
def rule_on_duplicate_card(table: Table, command: c.RuleOnDuplicateCard) -> Iterator[e.Event]:
    """Two equal cards are a deck with a wrong card: void and removed, as after a wrong count without a misdeal."""
    round_ = current_round(table, "stub_wrong")
    clause = rule_clause(table, "stub_wrong")
    if round_.duplicate is None:
        raise RuleViolation(clause, "no card was reported to lie on the layout twice")
    if not command.reason.strip():
        raise RuleViolation(clause, "a reason must be given, for the record")
    if command.by.name == round_.duplicate_reported_by:
        raise RuleViolation(clause, f"{command.by.name} reported the card: somebody else must rule on it")
    metadata = event_metadata(table, command, "stub_wrong")
    card, reason = round_.duplicate, command.reason.strip()
    yield e.DuplicateCardRuled(card=card, is_duplicate=command.is_duplicate, reason=reason, **metadata)
    if command.is_duplicate:
        yield from void_round(table, cause="duplicate_card", settles_optional=False, metadata=metadata)
        yield e.DeckRemoved(deck=round_.deck, reason=f"it has more than one {DECK[card]}", **metadata)


@next_state.register
def _(event: e.DuplicateCardRuled, table: Table) -> Table:
    return with_round(table, duplicate=None, duplicate_reported_by="")


def is_waiting_for_cards(table: Table) -> bool:
    """Whether people must enter cards or rule on them before the procedure can go on."""
    round_ = table.round
    if round_ is None or not round_.enters_cards:
        return False
    if round_.duplicate is not None or cards_due(table) is not None:
        return True
    return table.phase is Phase.SETTLING and excess_wager(table, round_, round_.unsettled[0]) is not None


def excess_wager(table: Table, round_: Round, seat: int) -> tuple[WagerRule, int, str] | None:
    """A wager that needs a better hand than the seat has turned up, the amount it may be, and the hand it needs."""
    if seat in round_.folded or round_.void or not turns_up_hand(table, round_, seat):
        return None
    ante = round_.staked(seat, "ante")
    for street in table.setup.game.streets:
        wager = table.setup.elected.edition.wagers[street.wager]
        staked = round_.staked(seat, wager.name)
        needed_hand = wager.needs_hand.get(staked // ante, "") if ante and staked else ""
        if needed_hand and not holds_at_least(table.setup, round_, seat, needed_hand):
            allowed = [multiple for multiple in wager.multiples if multiple not in wager.needs_hand]
            return wager, max(multiple for multiple in allowed if multiple * ante <= staked) * ante, needed_hand
    return None


def require_allowed_by_hand(table: Table, round_: Round, seat: int) -> None:
    """Refuses to settle a wager that the hand, now turned up, does not allow; no decision could check it before."""
    excess = excess_wager(table, round_, seat) if round_.enters_cards else None
    if excess is not None:
        wager, _, needed_hand = excess
        staked = format_money(round_.staked(seat, wager.name))
        reason = f"a {wager.title} of {staked} needs {hand_label(needed_hand)} or better"
        name = hand_label(player_hand(table.setup, round_, seat).name)
        raise RuleViolation(wager.clause, f"{reason}, and seat {seat} has {name}: a floorperson must return the excess")


@decider_for(c.ReturnExcessWager)
def return_excess_wager(table: Table, command: c.ReturnExcessWager) -> Iterator[e.Event]:
    round_ = require_plain_shoe(table, "settle_in_turn")
    clause, seat = rule_clause(table, "settle_in_turn"), command.seat
    is_in_turn = table.phase is Phase.SETTLING and seat == round_.unsettled[0]
    excess = excess_wager(table, round_, seat) if is_in_turn and cards_due(table) is None else None
    if excess is None:
        raise RuleViolation(clause, f"seat {seat} has no wager that its hand does not allow")
    wager, amount, _ = excess
    if not command.reason.strip():
        raise RuleViolation(wager.clause, "a reason must be given, for the record")
    yield e.WagerReduced(
        seat=seat,
        wager=wager.name,
        before=round_.staked(seat, wager.name),
        amount=amount,
        reason=command.reason.strip(),
        **{**event_metadata(table, command, "settle_in_turn"), "clause": wager.clause},
    )


@next_state.register
def _(event: e.WagerReduced, table: Table) -> Table:
    round_ = round_of(table)
    wagers = {**round_.wagers, event.seat: {**round_.wagers[event.seat], event.wager: event.amount}}
    table = with_balance(table, round_.patrons[event.seat], event.before - event.amount)
    return copy_with(table, round=copy_with(round_, wagers=wagers))
