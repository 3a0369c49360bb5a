"""The deck: receipt, inspection, wash, shuffle, cut, loading, deck changes, and the idle table."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.core.errors import RuleViolation
from croupier.regulations.clauses import carries_out
from croupier.table.decide import decider_for, event_metadata, require_phase, rule_clause
from croupier.table.evolve import needs_cut
from croupier.table.model import commands as c
from croupier.table.model import events as e
from croupier.table.model.roles import Role
from croupier.table.model.setup import PROCEDURE_VERSION
from croupier.table.model.state import Deck, DeckStep, Phase, Round, Table
from croupier.table.procedure.devices import SHOE, SHUFFLER, is_unusable, require_usable
from croupier.table.procedure.verifiable_deal import require_committed_order

HOUR_MS = 3_600_000
BETWEEN_ROUNDS = (Phase.SHUFFLING, Phase.CUTTING, Phase.LOADING, Phase.BETTING)


def _require_deck(table: Table, number: int, rule: str) -> Deck:
    deck = table.decks.get(number)
    if deck is None:
        decks = len(table.decks)
        raise RuleViolation(
            rule_clause(table, rule), f"there is no deck {number}: this table has {decks} deck{'s' * (decks > 1)}"
        )
    return deck


def _require_step(table: Table, number: int, step: DeckStep, rule: str) -> None:
    deck = _require_deck(table, number, rule)
    if deck.step is not step:
        raise RuleViolation(rule_clause(table, rule), f"deck {number} is {deck.step}, but this needs it to be {step}")


@decider_for(c.ReceiveCards)
@carries_out("one_deck", "preshuffled_cards", "open_each_deck")
def receive_cards(table: Table, command: c.ReceiveCards) -> Iterator[e.Event]:
    rule = "inspect_cards"
    if table.round is not None:
        raise RuleViolation(rule_clause(table, rule), "cards are changed between rounds, not during one")
    if not command.decks or len(set(command.decks)) != len(command.decks):
        raise RuleViolation(rule_clause(table, "one_deck"), "name each deck exactly once")
    for number in command.decks:
        _require_deck(table, number, "one_deck")
    is_preshuffled = command.preshuffled or bool(command.orders)
    if is_preshuffled:
        _require_preshuffled(table, command)
        rule = "preshuffled_cards"
    for place, number in enumerate(command.decks):
        order = command.orders[place] if command.orders else ()
        metadata = event_metadata(table, command, rule)
        yield e.CardsReceived(deck=number, order=order, preshuffled=is_preshuffled, **metadata)


def _require_preshuffled(table: Table, command: c.ReceiveCards) -> None:
    """Refuses preshuffled decks that the Rules Submission does not provide for, or whose orders are missing."""
    rule = "preshuffled_cards"
    if table.setup.verifiable:
        raise RuleViolation("", "this table deals verifiably: cards cannot arrive preshuffled")
    if not table.setup.preshuffled:
        reason = "preshuffled cards are not part of the Rules Submission of this table"
        raise RuleViolation(rule_clause(table, rule), reason)
    if table.setup.has_physical_cards:
        for order in command.orders:
            _require_no_order(table, order, rule)
        return
    if len(command.orders) != len(command.decks):
        raise RuleViolation(rule_clause(table, rule), "each preshuffled deck needs its order")
    for order in command.orders:
        _require_full_deck(table, order, rule)


def _require_full_deck(table: Table, order: tuple[int, ...], rule: str) -> None:
    if sorted(order) != list(range(52)):
        raise RuleViolation(rule_clause(table, rule), "a deck has 52 cards, each of them once")


def _require_no_order(table: Table, order: tuple[int, ...], rule: str) -> None:
    if order:
        reads = table.setup.reads_cards
        moment = "they are read as they leave the shoe" if reads else "they are entered when they are turned up"
        reason = f"the order of these cards is unknown: {moment}"
        raise RuleViolation(rule_clause(table, rule), reason)


@decider_for(c.InspectCards)
@carries_out("inspect_cards")
def inspect_cards(table: Table, command: c.InspectCards) -> Iterator[e.Event]:
    _require_step(table, command.deck, DeckStep.RECEIVED, "inspect_cards")
    metadata = event_metadata(table, command, "inspect_cards")
    yield e.CardsInspected(deck=command.deck, defect=command.defect.strip(), **metadata)
    if command.defect.strip():
        yield e.DeckRemoved(deck=command.deck, reason=f"defect: {command.defect.strip()}", **metadata)


@decider_for(c.VerifyInspection)
@carries_out("verify_inspection")
def verify_inspection(table: Table, command: c.VerifyInspection) -> Iterator[e.Event]:
    _require_step(table, command.deck, DeckStep.INSPECTED, "verify_inspection")
    is_person = command.by.role is not Role.SYSTEM and not table.setup.is_older
    if is_person and command.by.name == table.decks[command.deck].inspected_by:
        reason = f"{command.by.name} inspected deck {command.deck}: somebody else must verify it"
        raise RuleViolation(rule_clause(table, "verify_inspection"), reason)
    yield e.InspectionVerified(deck=command.deck, **event_metadata(table, command, "verify_inspection"))


@decider_for(c.SpreadCards)
@carries_out("spread_cards")
def spread_cards(table: Table, command: c.SpreadCards) -> Iterator[e.Event]:
    _require_step(table, command.deck, DeckStep.VERIFIED, "spread_cards")
    yield e.CardsSpread(deck=command.deck, **event_metadata(table, command, "spread_cards"))


@decider_for(c.WashCards)
@carries_out("wash_cards")
def wash_cards(table: Table, command: c.WashCards) -> Iterator[e.Event]:
    if not table.seats:
        clause = rule_clause(table, "wash_cards")
        raise RuleViolation(clause, "the cards are washed after the first player has had the chance to see them")
    _require_step(table, command.deck, DeckStep.SPREAD, "wash_cards")
    yield e.CardsWashed(deck=command.deck, **event_metadata(table, command, "wash_cards"))


@decider_for(c.Shuffle)
@carries_out("shuffle_cards", "counting_shuffler", "wrong_device_count", "deck_waits_in_the_shuffler")
def shuffle(table: Table, command: c.Shuffle) -> Iterator[e.Event]:
    rule = "shuffle_cards"
    deck = _require_deck(table, command.deck, rule)
    is_dealt = table.round is not None and table.round.deck == command.deck and not _is_undealt(table.round)
    if is_dealt or deck.step not in (DeckStep.STACKED, DeckStep.SHUFFLED) or table.phase is Phase.OPENING:
        raise RuleViolation(rule_clause(table, rule), f"deck {command.deck} cannot be shuffled now: it is {deck.step}")
    require_shuffle_way(table, command.deck, by_device=command.by_device)
    if table.setup.has_physical_cards:
        _require_no_order(table, command.order, rule)
    else:
        _require_full_deck(table, command.order, rule)
    _require_no_deck_change(table, deck, command)
    is_counted = command.by_device and table.setup.counts_cards
    _require_count(table, command, is_counted=is_counted)
    if is_counted and command.count != table.setup.elected.edition.figure("deck_cards"):
        count_rule = "wrong_device_count" if table.setup.clause("wrong_device_count") else "counting_shuffler"
        reason = f"the device counted {command.count} cards"
        yield e.DeckRemoved(deck=command.deck, reason=reason, **event_metadata(table, command, count_rule))
        return
    require_committed_order(table, command)
    yield e.CardsShuffled(
        deck=command.deck,
        order=command.order,
        source=command.source,
        by_device=command.by_device,
        device=table.setup.shuffler if command.by_device and not table.setup.is_older else "",
        count=command.count if is_counted and not table.setup.is_older else None,
        **event_metadata(table, command, rule),
    )


def _require_count(table: Table, command: c.Shuffle, *, is_counted: bool) -> None:
    """Refuses a shuffle without the count of a counting device, an impossible count, and one that nothing made."""
    clause = rule_clause(table, "counting_shuffler")
    if is_counted and command.count is None:
        raise RuleViolation(clause, "the device counts the cards: give its count")
    if command.count is None or table.setup.is_older:
        return
    if not is_counted:
        raise RuleViolation(clause, "no device has counted these cards: leave the count out")
    if not 0 <= command.count <= MAX_DEVICE_COUNT:
        raise RuleViolation(clause, f"{command.count} is not a number of cards that the device can show")


MAX_DEVICE_COUNT = 416
"""The most cards that a device can show: eight decks."""


def require_shuffle_way(table: Table, number: int, *, by_device: bool) -> None:
    """Refuses a shuffle by a device that the table does not have, or by hand where the device must shuffle.

    A shuffler that was reported is not used, and no other way before it is covered or bears a sign.
    """
    require_usable(table, SHUFFLER)
    if number != table.deck_in_use and not by_device:
        clause = rule_clause(table, "deck_waits_in_the_shuffler")
        raise RuleViolation(clause, "the deck that is not in use is shuffled and kept in the shuffling device")
    if by_device and table.setup.shuffler == "none":
        raise RuleViolation(rule_clause(table, "shuffle_cards"), "this table has no shuffling device")
    if not by_device and table.setup.method == "hand":
        clause = rule_clause(table, "hand_needs_a_shuffler")
        raise RuleViolation(clause, "cards dealt from the hand must be shuffled by the device")


def _is_undealt(round_: Round) -> bool:
    """Whether no card has left the deck since "no more bets"."""
    return not round_.drawn and not round_.void


def _require_before_deal(table: Table, rule: str) -> None:
    """Refuses what must happen before the first card is dealt."""
    if table.round is not None and not _is_undealt(table.round):
        raise RuleViolation(rule_clause(table, rule), "cards have been dealt: this is done before the first card")


@carries_out("deck_change_hand", "deck_change_shoe")
def deck_change_rule(table: Table, deck: Deck, now: int) -> str:
    """The rule under which a deck must be changed by now; empty if none requires it.

    The shorter time applies to a deck that was ever dealt from the hand.
    """
    by_hand = deck.dealt_by_hand or table.setup.method == "hand"
    rule = "deck_change_hand" if by_hand else "deck_change_shoe"
    hours = table.setup.elected.edition.figures["deck_change_hours_hand" if by_hand else "deck_change_hours_shoe"]
    is_overdue = table.setup.counts_deck_age and now - deck.arrived_at >= hours.value * HOUR_MS
    return rule if is_overdue else ""


def _require_no_deck_change(table: Table, deck: Deck, command: c.Command) -> None:
    rule = deck_change_rule(table, deck, command.at)
    is_in_round = table.round is not None and table.round.deck == deck.number  # it is changed after the round
    if rule and not is_in_round:
        raise RuleViolation(rule_clause(table, rule), f"deck {deck.number} has been at the table too long: change it")


@decider_for(c.OrderShuffle)
@carries_out("shuffle_cards")
def order_shuffle(table: Table, command: c.OrderShuffle) -> Iterator[e.Event]:
    _require_before_deal(table, "shuffle_cards")
    require_phase(table, "shuffle_cards", *BETWEEN_ROUNDS, Phase.DEALING)
    _require_reason(table, command.reason, "shuffle_cards")
    yield e.ShuffleOrdered(reason=command.reason, **event_metadata(table, command, "shuffle_cards"))


def _require_reason(table: Table, reason: str, rule: str) -> None:
    if not reason.strip():
        raise RuleViolation(rule_clause(table, rule), "a reason must be given, for the record")


def _reshuffling_clause(table: Table) -> str:
    """The clause under which a reshuffling device needs no cut, recut or idle spread."""
    return rule_clause(table, "reshuffling_device_is_not_cut") or rule_clause(table, "reshuffling_device")


@decider_for(c.Cut)
@carries_out("cut_cards", "manual_shuffle_is_cut", "machine_shuffle_is_not_cut", "reshuffling_device_is_not_cut")
def cut(table: Table, command: c.Cut) -> Iterator[e.Event]:
    if not needs_cut(table):
        clause = (
            _reshuffling_clause(table)
            if table.deck.shuffled_by == "reshuffling"
            else rule_clause(table, "machine_shuffle_is_not_cut")
        )
        raise RuleViolation(clause, "cards shuffled by the device are dealt without a cut")
    require_phase(table, "cut_cards", Phase.CUTTING)
    minimum = table.setup.elected.edition.figure("cut_depth")
    if not minimum <= command.depth < 52:
        raise RuleViolation(
            rule_clause(table, "cut_cards"),
            f"the cover card goes in at least {minimum} cards from the top, not {command.depth}",
        )
    yield e.CardsCut(deck=table.deck_in_use, depth=command.depth, **event_metadata(table, command, "cut_cards"))


@decider_for(c.OrderRecut)
@carries_out("recut_cards", "reshuffling_device")
def order_recut(table: Table, command: c.OrderRecut) -> Iterator[e.Event]:
    if table.deck.shuffled_by == "reshuffling":
        raise RuleViolation(_reshuffling_clause(table), "with this device, the cards are not cut")
    is_undealt = table.round is None or _is_undealt(table.round)
    can_recut = table.deck.step in (DeckStep.CUT, DeckStep.LOADED) and is_undealt and needs_cut(table)
    if not can_recut:
        clause = rule_clause(table, "recut_cards")
        raise RuleViolation(clause, "a recut comes after the cut and before any card is dealt")
    _require_reason(table, command.reason, "recut_cards")
    yield e.RecutOrdered(reason=command.reason, **event_metadata(table, command, "recut_cards"))


@decider_for(c.LoadCards)
@carries_out("load_manual_shoe", "load_hand", "load_automated_shoe", "hand_needs_a_shuffler")
def load_cards(table: Table, command: c.LoadCards) -> Iterator[e.Event]:
    if table.phase is Phase.CUTTING:
        raise RuleViolation(rule_clause(table, "manual_shuffle_is_cut"), "the cards must be cut first")
    require_phase(table, "load", Phase.LOADING)
    if table.setup.method == "hand" and needs_cut(table):
        raise RuleViolation(rule_clause(table, "hand_needs_a_shuffler"), "cards that were cut cannot be dealt by hand")
    _require_no_deck_change(table, table.deck, command)
    require_usable(table, SHOE)
    yield e.CardsLoaded(deck=table.deck_in_use, method=table.setup.method, **event_metadata(table, command, "load"))


def decks_to_shuffle(table: Table, now: int) -> list[int]:
    """The decks that must be shuffled and stored in the device while another one is in play."""
    if table.round is None or table.setup.is_older or is_unusable(table, SHUFFLER):
        return []
    return [
        number
        for number, deck in table.decks.items()
        if number != table.round.deck and deck.step is DeckStep.STACKED and not deck_change_rule(table, deck, now)
    ]


def is_idle(table: Table) -> bool:
    """Whether nobody plays at an open table whose cards must then be spread."""
    if table.phase not in BETWEEN_ROUNDS or table.round is not None or table.setup.is_older:
        return False
    deck = table.deck
    return not table.seats and not table.wagers and not deck.preshuffled and deck.shuffled_by != "reshuffling"


@decider_for(c.SpreadIdleCards)
@carries_out("idle_table", "whole_opening_after_idle")
def spread_idle_cards(table: Table, command: c.SpreadIdleCards) -> Iterator[e.Event]:
    if table.deck.shuffled_by == "reshuffling":
        raise RuleViolation(_reshuffling_clause(table), "with a reshuffling device, the cards stay in the device")
    require_phase(table, "idle_table", *BETWEEN_ROUNDS)
    clause = rule_clause(table, "idle_table")
    if table.wagers or table.round is not None:
        raise RuleViolation(clause, "there are wagers on the layout: the table is not idle")
    if command.face_up and not table.seats and not table.setup.is_older:
        raise RuleViolation(clause, "the cards are spread face down unless a player asks, and nobody is here to ask")
    yield e.CardsSpreadIdle(face_up=command.face_up, **event_metadata(table, command, "idle_table"))


@decider_for(c.AdoptProcedure)
def adopt_procedure(table: Table, command: c.AdoptProcedure) -> Iterator[e.Event]:
    if not table.setup.is_older or table.round is not None:
        clause = rule_clause(table, "shuffle_cards")
        raise RuleViolation(clause, "a table adopts the current procedure once, between rounds")
    yield e.ProcedureAdopted(procedure_version=PROCEDURE_VERSION, **event_metadata(table, command, "shuffle_cards"))


@decider_for(c.CloseTable)
def close_table(table: Table, command: c.CloseTable) -> Iterator[e.Event]:
    if table.phase is Phase.CLOSED:
        raise RuleViolation("", "the table is already closed")
    if table.round is None and table.wagers:
        raise RuleViolation("", "there are wagers on the layout: play the round or take them back first")
    yield e.TableClosed(**event_metadata(table, command, "seated_players_only"))
