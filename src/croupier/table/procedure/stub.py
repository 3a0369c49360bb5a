"""The stub: racked after the deal, or counted when a count is due; a wrong count voids the round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from croupier.core.errors import ErrorCode, RuleViolation
from croupier.games.definition import DEALER, PLAYER
from croupier.regulations.clauses import carries_out
from croupier.table.decide import current_round, decider_for, event_metadata, require_phase, rule_clause
from croupier.table.model import commands as c
from croupier.table.model import events as e
from croupier.table.model.state import DeckStep, Phase, Round, Table
from croupier.table.procedure.card_entries import require_entered
from croupier.table.procedure.irregularities import place_title, void_round

MAX_DECKS_AT_TABLE = 2
"""No count of the cards on a layout can show more than these decks have."""


def is_stub_count_due(table: Table) -> bool:
    """Whether the stub must be counted in this round: no device counted this deck, and it is the fifth round."""
    deck = table.decks[table.round.deck] if table.round is not None else table.deck
    is_counted = table.setup.counts_cards if table.setup.is_older else deck.is_counted
    if is_counted or deck.step is DeckStep.MISSING:
        return False
    return table.rounds_since_count >= table.setup.elected.edition.figure("stub_count_rounds")


def is_count_overdue(table: Table) -> bool:
    """Whether a void round left the dealer no time for a count that is due: it is made before the cards are racked."""
    round_ = table.round
    return round_ is not None and bool(round_.void) and not table.setup.is_older and is_stub_count_due(table)


def stub_count_clause(table: Table) -> str:
    """The clause that requires the count; if there is none for the method, that of another method."""
    return rule_clause(table, "stub_count") or table.setup.clause("stub_count_manual_shoe")


@decider_for(c.RackStub)
@carries_out("rack_stub_manual_shoe", "rack_stub_hand", "rack_stub_automated_shoe")
def rack_stub(table: Table, command: c.RackStub) -> Iterator[e.Event]:
    require_phase(table, "rack_stub", Phase.STUB)
    require_entered(table, current_round(table, "rack_stub"))
    if is_stub_count_due(table):
        rounds = table.setup.elected.edition.figure("stub_count_rounds")
        raise RuleViolation(stub_count_clause(table), f"a stub count is due: at least one every {rounds} rounds")
    yield e.StubRacked(**event_metadata(table, command, "rack_stub"))


@decider_for(c.CountStub)
@carries_out(
    "stub_count_manual_shoe",
    "stub_count_hand",
    "stub_count_automated_shoe",
    "stub_right_manual_shoe",
    "stub_right_hand",
    "stub_right_automated_shoe",
    "stub_wrong_manual_shoe",
    "stub_wrong_hand",
    "stub_wrong_automated_shoe",
    "stub_misdealt_manual_shoe",
    "stub_misdealt_hand",
    "stub_misdealt_automated_shoe",
)
def count_stub(table: Table, command: c.CountStub) -> Iterator[e.Event]:
    if not (table.phase is Phase.RACKING and is_count_overdue(table)):
        require_phase(table, "stub_right", Phase.STUB)
    round_ = current_round(table, "stub_right")
    require_entered(table, round_)
    deck_size = table.setup.elected.edition.figure("deck_cards")
    expected = deck_size - round_.drawn
    if not 0 <= command.stub <= deck_size:
        raise RuleViolation(rule_clause(table, "stub_right"), f"{command.stub} is not a valid number of cards")
    if command.total is not None and not table.setup.is_older:
        raise RuleViolation(rule_clause(table, "stub_right"), "the total follows from the counts of the stub and hands")
    if command.stub == expected:
        total = None if table.setup.is_older else deck_size
        metadata = event_metadata(table, command, "stub_right")
        yield e.StubCounted(stub=command.stub, right=True, total=total, hands=(), **metadata)
        return
    if table.setup.is_older:
        yield from _judge_total(table, round_, command)
        return
    if not command.hands:
        reason = f"the stub should have {expected} cards, not {command.stub}: count every hand and give the numbers"
        raise RuleViolation(rule_clause(table, "stub_wrong"), reason, ErrorCode.RECOUNT)
    _require_every_hand(table, round_, command)
    wrong_hands = misdealt_hands(round_, command.hands)
    total = command.stub + sum(hand.cards for hand in command.hands) + len(round_.face_up_found)
    if total > MAX_DECKS_AT_TABLE * deck_size:
        reason = f"{total} cards are more than {MAX_DECKS_AT_TABLE} decks have: count again"
        raise RuleViolation(rule_clause(table, "stub_wrong"), reason)
    is_misdeal = bool(wrong_hands) and total == deck_size
    determination = event_metadata(table, command, _determination_rule(table, wrong_hands))
    yield e.StubCounted(stub=command.stub, right=False, total=total, hands=command.hands, **determination)
    rule = "stub_misdealt" if is_misdeal and rule_clause(table, "stub_misdealt") else "stub_wrong"
    metadata = event_metadata(table, command, rule)
    if not round_.void:
        yield from void_round(table, cause=rule, settles_optional=False, metadata=metadata)
    if not is_misdeal:
        yield e.DeckRemoved(deck=round_.deck, reason=f"{total} cards were counted", **metadata)


def hands_to_count(round_: Round) -> dict[tuple[str, int], int]:
    """The places that cards were dealt to, each with the number that it should have."""
    expected = Counter((slot.place, slot.seat) for slot in round_.slots)
    return {
        place: min(expected[place], len(cards)) if round_.void else expected[place]
        for place, cards in round_.cards.items()
    }


def misdealt_hands(round_: Round, counts: tuple[e.HandCount, ...]) -> list[e.HandCount]:
    """The hands with more or fewer cards than they should have."""
    expected = hands_to_count(round_)
    return [hand for hand in counts if hand.cards != expected[hand.place, hand.seat]]


def _require_every_hand(table: Table, round_: Round, command: c.CountStub) -> None:
    """Refuses a count that leaves out a hand, counts one twice, or gives an impossible number."""
    clause, places = rule_clause(table, "stub_wrong"), [(hand.place, hand.seat) for hand in command.hands]
    missing = [place_title(*place) for place in hands_to_count(round_) if place not in places]
    if missing:
        raise RuleViolation(clause, f"count every hand: {', '.join(missing)} is missing")
    deck_size = table.setup.elected.edition.figure("deck_cards")
    for place, hand in zip(places, command.hands, strict=True):
        if places.count(place) > 1 or place not in hands_to_count(round_):
            raise RuleViolation(clause, f"count each hand on the layout once: {place_title(*place)}")
        if not 0 <= hand.cards <= deck_size:
            raise RuleViolation(clause, f"{hand.cards} is not a valid number of cards for {place_title(*place)}")


@carries_out(
    "stub_player_hand_manual_shoe",
    "stub_player_hand_hand",
    "stub_player_hand_automated_shoe",
    "stub_dealer_hand_manual_shoe",
    "stub_dealer_hand_hand",
    "stub_dealer_hand_automated_shoe",
)
def _determination_rule(table: Table, wrong_hands: list[e.HandCount]) -> str:
    """The rule about the finding: a player's or the dealer's number of cards, if the edition tells them apart."""
    places = {hand.place for hand in wrong_hands}
    for place, rule in ((PLAYER, "stub_player_hand"), (DEALER, "stub_dealer_hand")):
        if place in places and rule_clause(table, rule):
            return rule
    return "stub_wrong"


def _judge_total(table: Table, round_: Round, command: c.CountStub) -> Iterator[e.Event]:
    """The first version of the procedure asked for the total alone."""
    deck_size = table.setup.elected.edition.figure("deck_cards")
    if command.total is None:
        reason = f"the stub should have {deck_size - round_.drawn} cards, not {command.stub}: give the total"
        raise RuleViolation(rule_clause(table, "stub_wrong"), reason, ErrorCode.RECOUNT)
    if command.total < command.stub:
        reason = f"the total cannot be {command.total} when the stub alone has {command.stub}"
        raise RuleViolation(rule_clause(table, "stub_wrong"), reason)
    metadata = event_metadata(table, command, "stub_wrong")
    yield e.StubCounted(stub=command.stub, right=False, total=None, hands=(), **metadata)
    yield from void_round(table, cause="stub_wrong", settles_optional=False, metadata=metadata)
    if command.total != deck_size:
        yield e.DeckRemoved(deck=round_.deck, reason=f"{command.total} cards were counted", **metadata)
