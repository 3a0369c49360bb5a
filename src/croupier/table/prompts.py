"""Prompts: the steps of the procedure that are open now, for each role, with their clauses."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.core.cards import DECK
from croupier.core.dataclass import dataclass
from croupier.core.money import format_amounts, format_money
from croupier.table.decide import rule_clause
from croupier.table.evolve import needs_cut
from croupier.table.model.roles import Role
from croupier.table.model.state import Chips, DeckStep, Phase, Round, Table, accepted_chips
from croupier.table.narration import wager_title
from croupier.table.procedure.card_entries import cards_due, due_clause, due_title
from croupier.table.procedure.card_rulings import excess_wager, is_waiting_for_cards
from croupier.table.procedure.decisions import allowed_amounts
from croupier.table.procedure.deck import deck_change_rule, decks_to_shuffle, is_idle
from croupier.table.procedure.devices import is_waiting_for_device
from croupier.table.procedure.jackpots import (
    documents_clause,
    unvalidated_wins,
    unverified_wins,
    validation_rule,
    verification_rule,
)
from croupier.table.procedure.stub import is_count_overdue, is_stub_count_due, stub_count_clause
from croupier.table.procedure.wagers import is_draw_due


@dataclass(frozen=True, slots=True)
class Prompt:
    """An open step: its role, command, text and clause."""

    role: Role
    command: str
    text: str
    clause: str
    seat: int = 0
    deck: int = 0


_OPENING_STEPS = {
    DeckStep.MISSING: (Role.DEALER, "ReceiveCards", "Receive deck {}", "inspect_cards"),
    DeckStep.RECEIVED: (Role.DEALER, "InspectCards", "Inspect deck {} for defects", "inspect_cards"),
    DeckStep.INSPECTED: (Role.FLOORPERSON, "VerifyInspection", "Verify the inspection of deck {}", "verify_inspection"),
    DeckStep.VERIFIED: (Role.DEALER, "SpreadCards", "Spread deck {} face up for the first player", "spread_cards"),
    DeckStep.SPREAD: (Role.DEALER, "WashCards", "Turn deck {} face down, wash and stack it", "wash_cards"),
}


def prompts(table: Table, now: int = 0) -> tuple[Prompt, ...]:
    """The steps that are open now, the next one first."""
    return tuple(_prompts(table, now))


def _prompts(table: Table, now: int) -> Iterator[Prompt]:
    phase = table.phase
    for patron in sorted(table.absent):
        text = f"Decide on the wagers of {patron}, who has left"
        yield Prompt(Role.FLOORPERSON, "DecideOnAbsence", text, rule_clause(table, "leaving_the_table"))
    for device in table.reported_devices if table.round is None else ():
        text = f"Have the {device} covered or marked with a sign, and say what is used in its place"
        clause = rule_clause(table, "device_out_of_order")
        yield Prompt(Role.FLOORPERSON, "TakeDeviceOutOfOrder", text, clause)
    if phase in (Phase.CLOSED, Phase.OPENING, Phase.IDLE):
        yield from _opening_prompts(table)
    elif phase in (Phase.SHUFFLING, Phase.CUTTING, Phase.LOADING, Phase.BETTING):
        yield from _prompts_between_rounds(table, now)
    elif table.round is not None:
        yield from _prompts_in_round(table, now)


def _opening_prompts(table: Table) -> Iterator[Prompt]:
    for number, deck in table.decks.items():
        if deck.step in _OPENING_STEPS:
            role, command, text, rule = _OPENING_STEPS[deck.step]
            if deck.step is DeckStep.SPREAD and not table.seats:
                text = "Wait for the first player, then turn deck {} face down, wash and stack it"
            yield Prompt(role, command, text.format(number), rule_clause(table, rule), deck=number)


def _prompts_between_rounds(table: Table, now: int) -> Iterator[Prompt]:
    if is_idle(table):
        text = "Nobody plays: take the cards out and spread them face down"
        yield Prompt(Role.DEALER, "SpreadIdleCards", text, rule_clause(table, "idle_table"))
    for number, deck in table.decks.items():
        rule = deck_change_rule(table, deck, now)
        if rule and table.round is None:
            yield Prompt(Role.DEALER, "ReceiveCards", f"Change deck {number}", rule_clause(table, rule), deck=number)
    number = table.deck_in_use
    if table.round is not None and is_waiting_for_device(table):
        text = "A device was reported and cannot be used: void the round, or find that the device works"
        yield Prompt(Role.FLOORPERSON, "DecideOnTheFloor", text, rule_clause(table, "device_out_of_order"))
    elif is_waiting_for_device(table):
        pass  # a floorperson has the device covered or marked first
    elif table.phase is Phase.SHUFFLING:
        yield Prompt(Role.DEALER, "Shuffle", "Shuffle the cards", rule_clause(table, "shuffle_cards"), deck=number)
    elif table.phase is Phase.CUTTING:
        minimum = table.setup.elected.edition.figure("cut_depth")
        text = f"Cut the cards, the cover card at least {minimum} from the top"
        yield Prompt(Role.DEALER, "Cut", text, rule_clause(table, "cut_cards"))
    elif table.phase is Phase.LOADING:
        texts = {"hand": "Take the cards in one hand", "manual_shoe": "Place the cards in the shoe"}
        text = texts.get(table.setup.method, "Place the cards in the automated shoe")
        yield Prompt(Role.DEALER, "LoadCards", text, rule_clause(table, "load"))
    elif table.setup.mystery is not None and table.trigger is None:
        yield Prompt(Role.SYSTEM, "ArmMystery", "The system draws the hidden trigger of the mystery meter", "")
    elif table.wagers:
        yield Prompt(Role.DEALER, "AnnounceNoMoreBets", "Announce “no more bets”", rule_clause(table, "no_more_bets"))
    if not table.seats and not is_idle(table):
        yield Prompt(Role.PATRON, "Sit", "Take a seat", rule_clause(table, "seated_players_only"))
    for seat in sorted(table.seats) if table.round is None else ():  # a recut may follow "no more bets"
        yield Prompt(Role.PATRON, "PlaceWager", f"Seat {seat} may wager", rule_clause(table, "wagers_offered"), seat)
    yield from _recut_prompts(table)


def _recut_prompts(table: Table) -> Iterator[Prompt]:
    """A recut may be ordered until the first card is dealt."""
    if table.deck.step in (DeckStep.CUT, DeckStep.LOADED) and needs_cut(table):
        text = "Order a recut if the cut was bad"
        yield Prompt(Role.FLOORPERSON, "OrderRecut", text, rule_clause(table, "recut_cards"))


def _prompts_in_round(table: Table, now: int) -> Iterator[Prompt]:
    round_ = table.round
    if round_ is None:
        return
    if table.phase is not Phase.DECIDING and is_waiting_for_cards(table):
        yield from card_prompts(table, round_)
    elif table.phase is Phase.DEALING:
        yield from _prompts_before_deal(table, round_)
        yield from _recut_prompts(table)
    elif table.phase is Phase.STUB:
        if is_stub_count_due(table):
            text = "Count the stub face down: a count is due"
            yield Prompt(Role.DEALER, "CountStub", text, stub_count_clause(table))
        else:
            text = "Place the stub in the discard rack, unexposed"
            yield Prompt(Role.DEALER, "RackStub", text, rule_clause(table, "rack_stub"))
    elif table.phase is Phase.DECIDING:
        seat = round_.waiting[0]
        wager = table.setup.elected.edition.wagers[table.setup.game.streets[round_.street].wager]
        amounts, between = allowed_amounts(table, round_.staked(seat, "ante"), wager)
        amount_text = (
            f"{format_money(between[0])} to {format_money(between[1])}" if between else format_amounts(amounts)
        )
        text = f"Seat {seat}: {wager.title} of {amount_text}, or fold"
        if table.setup.game.streets[round_.street].pulls_back:
            text = f"Seat {seat}: let the {wager.title} of {amount_text} ride, or pull it back"
        yield Prompt(Role.PATRON, "Decide", text, rule_clause(table, f"decide_{round_.street + 1}"), seat)
    elif table.phase is Phase.COLLECTING:
        text = "Collect forfeited wagers and cards" if round_.folded else "Nobody folded: continue"
        yield Prompt(Role.DEALER, "CollectForfeits", text, rule_clause(table, "collect_forfeits"))
    elif table.phase is Phase.REVEALING:
        place = table.setup.game.streets[round_.street].then.place
        text = "Reveal the dealer's cards" if place == "dealer" else "Reveal the next community card"
        yield Prompt(Role.DEALER, "RevealCards", text, rule_clause(table, f"reveal_{round_.street + 1}"))
    elif table.phase is Phase.SETTLING:
        yield from _settlement_prompts(table, round_)
    elif table.phase is Phase.RACKING and is_count_overdue(table):
        text = "Count the stub face down before the cards are racked: a count is due"
        yield Prompt(Role.DEALER, "CountStub", text, stub_count_clause(table))
    elif table.phase is Phase.RACKING and not round_.awaiting_documents and not decks_to_shuffle(table, now):
        text = "Rack the cards so that each hand can be rebuilt"
        yield Prompt(Role.DEALER, "RackCards", text, rule_clause(table, "rack_cards"))
    for number in decks_to_shuffle(table, now) if table.phase is not Phase.DEALING else ():
        text = f"Shuffle deck {number} in the device while this one is in play"
        clause = rule_clause(table, "deck_waits_in_the_shuffler")
        yield Prompt(Role.DEALER, "Shuffle", text, clause, deck=number)
    for seat in round_.awaiting_documents if table.phase in (Phase.SETTLING, Phase.RACKING) else ():
        text = f"Complete the documents for the win at seat {seat}; the cards stay until then"
        clause = documents_clause(table, round_, seat)
        yield Prompt(Role.FLOORPERSON, "CompleteDocuments", text, clause, seat)


def _prompts_before_deal(table: Table, round_: Round) -> Iterator[Prompt]:
    clause = rule_clause(table, "count_progressive_chips")
    if round_.chips is Chips.TO_COUNT:
        accepted = format_money(accepted_chips(table.setup, round_.wagers))
        text = f"Count the progressive chips: the system accepted {accepted}"
        yield Prompt(Role.DEALER, "CountProgressiveChips", text, clause)
    elif round_.chips is Chips.MISMATCH:
        text = "The progressive chips do not match: resolve it before the deal"
        yield Prompt(Role.FLOORPERSON, "ResolveChipCount", text, clause)
    elif is_draw_due(table, round_):
        text = "The system draws for the electronic wagers"
        yield Prompt(Role.SYSTEM, "DrawBonus", text, rule_clause(table, "drawn_by_the_system"))
    elif table.setup.reads_cards and not table.decks[round_.deck].order:
        text = f"Deal {len(round_.slots)} cards, and read each as it leaves the shoe"
        yield Prompt(Role.DEALER, "ReadCards", text, rule_clause(table, "deal"))
    elif is_waiting_for_device(table):
        text = "The shoe was reported and cannot be used: report that it jammed, which voids the round"
        yield Prompt(Role.DEALER, "ReportShoeJam", text, rule_clause(table, "shoe_jam"))
    else:
        yield Prompt(Role.DEALER, "Deal", "Deal the cards", rule_clause(table, "deal"))


def card_prompts(table: Table, round_: Round) -> Iterator[Prompt]:
    """The cards that are turned up and entered next, or the ruling that comes first."""
    next_cards = cards_due(table)
    if round_.duplicate is not None:
        text = f"Rule on {DECK[round_.duplicate]}, which was reported to lie on the layout twice"
        yield Prompt(Role.FLOORPERSON, "RuleOnDuplicateCard", text, rule_clause(table, "stub_wrong"))
    elif next_cards is not None:
        text = f"Turn up and enter {due_title(table, next_cards)}"
        yield Prompt(Role.DEALER, "EnterCards", text, due_clause(table, next_cards), next_cards.seat)
    elif (excess := excess_wager(table, round_, round_.unsettled[0])) is not None:
        seat, (wager, amount, _) = round_.unsettled[0], excess
        returned = format_money(round_.staked(seat, wager.name) - amount)
        text = f"Return {returned} of the {wager.title} of seat {seat}: its hand does not allow it"
        yield Prompt(Role.FLOORPERSON, "ReturnExcessWager", text, wager.clause, seat)


def _settlement_prompts(table: Table, round_: Round) -> Iterator[Prompt]:
    seat = round_.unsettled[0]
    unverified = [] if round_.void else unverified_wins(table, seat)
    if unverified:
        names = " and ".join(wager_title(table.setup, win.wager) for win in unverified)
        has_light = any(win.wager not in table.setup.electronic for win in unverified)
        text = f"Verify the winning {names} of seat {seat}" + (", and that its light is lit" if has_light else "")
        clause = rule_clause(table, verification_rule(table, unverified[0]))
        yield Prompt(Role.DEALER, "VerifyWin", text, clause, seat)
        return
    unvalidated = [] if round_.void else unvalidated_wins(table, seat)
    if unvalidated:
        names = " and ".join(wager_title(table.setup, win.wager) for win in unvalidated)
        text = f"Validate the {names} of seat {seat}"
        clause = rule_clause(table, validation_rule(table, unvalidated[0]))
        yield Prompt(Role.FLOORPERSON, "ValidateWin", text, clause, seat)
        return
    wagers = ", ".join(wager_title(table.setup, wager) for wager in round_.wagers[seat])
    text = f"Settle seat {seat}: {wagers}"
    yield Prompt(Role.DEALER, "SettleSeat", text, rule_clause(table, "settle_in_turn"), seat)
