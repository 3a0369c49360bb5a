"""Cards from a plain shoe: unknown while they lie face down, and entered when they are turned up.

The dealer enters each hand when the procedure turns it up, never before. Nothing is settled by a card that was not
entered, and what is never turned up stays unknown. The system enters no card.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from croupier.core.cards import DECK
from croupier.core.dataclass import dataclass
from croupier.core.errors import RuleViolation
from croupier.games.definition import (
    BOARD,
    BONUS,
    COMMUNITY,
    DEALER,
    FOURTH,
    PLAYER,
    ByTable,
    Contest,
    Settlement,
)
from croupier.progressive.meters import MeterClaim, SettlementMeters
from croupier.regulations.clauses import carries_out
from croupier.table.decide import current_round, decider_for, event_metadata, rule_clause
from croupier.table.evolve import next_state, round_of, with_round
from croupier.table.model import commands as c
from croupier.table.model import events as e
from croupier.table.model.roles import FLOOR
from croupier.table.model.state import Phase, Round, Table, UnknownCards
from croupier.table.procedure.irregularities import place_title, release_meter
from croupier.table.settlement import PER_SEAT, SeatSettlement

ENTRY_SOURCE = "a plain shoe: cards are entered when they are turned up"
"""The source in the record of a shuffle at a plain shoe."""
Position = tuple[str, int, int]
"""A place of the layout, its seat, and which card of it, from 1."""


@dataclass(frozen=True, slots=True)
class CardsDue:
    """The cards that are turned up next: the place, and which of its cards were not entered yet."""

    place: str
    seat: int
    numbers: tuple[int, ...]
    rule: str
    """The rule that turns them up."""


def cards_due(table: Table) -> CardsDue | None:
    """The cards that the dealer turns up and enters now; `None` if there are none."""
    round_ = table.round
    if round_ is None or not round_.enters_cards or round_.duplicate is not None:
        return None
    return next(_cards_due(table, round_), None)


def _cards_due(table: Table, round_: Round) -> Iterator[CardsDue]:
    if round_.void and not round_.settles_optional:
        return
    for place, seat in round_.cards:
        slots = [slot for slot in round_.slots if (slot.place, slot.seat) == (place, seat)]
        face_up = [number for number, slot in enumerate(slots, 1) if slot.face_up]
        yield from _unknown_cards(round_, place, seat, face_up, f"deal_{place}_up")
        revealed = round_.revealed.get(f"{place} {seat}" if seat else place, 0)
        yield from _unknown_cards(round_, place, seat, range(1, revealed + 1), turn_up_rule(table, place))
    if table.phase is Phase.REVEALING:
        reveal = table.setup.game.streets[round_.street].then
        yield from _unknown_cards(round_, reveal.place, 0, range(1, reveal.count + 1), f"reveal_{round_.street + 1}")
    if table.phase is Phase.SETTLING:
        yield from _cards_due_at_settlement(table, round_, round_.unsettled[0])


def _cards_due_at_settlement(table: Table, round_: Round, seat: int) -> Iterator[CardsDue]:
    """The hand of the seat in turn, and every other card that one of its wagers depends on."""
    if turns_up_hand(table, round_, seat):
        hand = range(1, len(round_.cards_at(PLAYER, seat)) + 1)
        yield from _unknown_cards(round_, PLAYER, seat, hand, "turn_up_hand")
    settlement = SeatSettlement(
        table.setup, round_, seat, SettlementMeters(table.meters, table.setup.choice("reserve"))
    )
    try:
        _ = [*settlement.entries(), *settlement.envy_entries()]
    except UnknownCards as unknown:
        place, place_seat = unknown.place, unknown.seat
        cards = range(1, len(round_.cards_at(place, place_seat)) + 1)
        yield from _unknown_cards(round_, place, place_seat, cards, turn_up_rule(table, place))


def _unknown_cards(round_: Round, place: str, seat: int, numbers: Sequence[int], rule: str) -> Iterator[CardsDue]:
    hand = round_.cards_at(place, seat)
    unknown = tuple(number for number in numbers if number <= len(hand) and hand[number - 1] is None)
    if unknown:
        yield CardsDue(place, seat, unknown, rule)


def turns_up_hand(table: Table, round_: Round, seat: int) -> bool:
    """Whether the settlement of a seat turns its hand up; a hand that was collected stays unseen."""
    has_optional_wagers = any(round_.staked(seat, wager) for wager in table.setup.elected.edition.optional)
    hands_stand = not round_.void or (round_.settles_optional and has_optional_wagers)
    return hands_stand and seat not in round_.collected


def turn_up_rule(table: Table, place: str) -> str:
    """The rule under which the cards of a place are turned up."""
    for number, street in enumerate(table.setup.game.streets, 1):
        if street.then.place == place:
            return f"reveal_{number}"
    return {PLAYER: "turn_up_hand", BONUS: "expose_bonus_cards"}.get(place, "reveal_deciding_card")


def due_clause(table: Table, next_cards: CardsDue) -> str:
    """The clause under which cards are turned up."""
    return rule_clause(table, next_cards.rule) or rule_clause(table, "deal")


def due_title(table: Table, next_cards: CardsDue) -> str:
    """The cards that are due in words: `the dealer's 6 cards`, `community card 2`, `the hand of seat 3`."""
    count = len(table.round.cards_at(next_cards.place, next_cards.seat)) if table.round is not None else 0
    is_whole = len(next_cards.numbers) == count
    numbers = f"card{'s' * (len(next_cards.numbers) > 1)} {', '.join(map(str, next_cards.numbers))}"
    if next_cards.place == PLAYER:
        return f"the hand of seat {next_cards.seat}" if is_whole else f"{numbers} of seat {next_cards.seat}"
    if next_cards.place == DEALER:
        if next_cards.rule == "deal_dealer_up":
            return "the dealer's upcard"
        return f"the dealer's {count} cards" if is_whole else f"{numbers} of the dealer"
    if next_cards.place == BONUS and is_whole:
        return f"the {count} bonus cards" if count > 1 else "the bonus card"
    if count == 1:
        return owner_title(next_cards.place, next_cards.seat) if next_cards.seat else f"the {next_cards.place} card"
    return f"{'community' if next_cards.place == BOARD else next_cards.place} {numbers}"


def owner_title(place: str, seat: int) -> str:
    """Whose cards lie at a place, in words: `seat 3`, `the dealer`, `the fourth card of seat 3`."""
    return place_title(place, seat) if place == PLAYER else f"the {place_title(place, seat)}"


def known_positions(round_: Round) -> dict[int, Position]:
    """Where each known card of a round lies."""
    return {
        card: (place, seat, number)
        for (place, seat), cards in round_.cards.items()
        for number, card in enumerate(cards, 1)
        if card is not None
    }


def require_entered(table: Table, round_: Round) -> None:
    """Refuses a step while a card on the layout waits to be entered, or for a ruling."""
    if round_.duplicate is not None:
        reason = f"a floorperson must rule on the second {DECK[round_.duplicate]} first"
        raise RuleViolation(rule_clause(table, "stub_wrong"), reason)
    next_cards = cards_due(table)
    if next_cards is not None:
        raise RuleViolation(due_clause(table, next_cards), f"turn up and enter {due_title(table, next_cards)} first")


def require_plain_shoe(table: Table, rule: str) -> Round:
    """The round in play at a plain shoe; refuses at any other table."""
    if not table.setup.enters_cards:
        raise RuleViolation("", "cards are entered at a plain shoe only, and this table has none")
    return current_round(table, rule)


@decider_for(c.EnterCards)
@carries_out("turn_up_hand", "expose_bonus_cards", "reveal_deciding_card", "reveal_1", "reveal_2", "reveal_3")
def enter_cards(table: Table, command: c.EnterCards) -> Iterator[e.Event]:
    round_ = require_plain_shoe(table, "turn_up_hand")
    next_cards = require_due(table, round_, command.place, command.seat)
    clause, title = due_clause(table, next_cards), owner_title(next_cards.place, next_cards.seat)
    if not command.cards:
        raise RuleViolation(clause, "name at least one card")
    numbers = range(command.number, command.number + len(command.cards))
    for number in numbers:
        if number not in next_cards.numbers:
            entered = round_.cards_at(next_cards.place, next_cards.seat)[number - 1 : number] if number > 0 else ()
            if entered and entered[0] is not None:
                raise RuleViolation(clause, f"card {number} of {title} is {DECK[entered[0]]}: correct it instead")
            raise RuleViolation(
                clause, f"card {number} of {title} is not turned up now: enter {due_title(table, next_cards)}"
            )
    positions = known_positions(round_)
    for number, card in zip(numbers, command.cards, strict=True):
        _require_not_out(round_, clause, card, positions)
        positions[card] = (next_cards.place, next_cards.seat, number)
    metadata = {**event_metadata(table, command, next_cards.rule), "clause": clause}
    yield from _turn_up(table, round_, command, next_cards)
    for number, card in zip(numbers, command.cards, strict=True):
        yield e.CardEntered(place=next_cards.place, seat=next_cards.seat, number=number, card=card, **metadata)


def require_due(table: Table, round_: Round, place: str, seat: int) -> CardsDue:
    """Refuses cards that are not turned up now: entering them would mean that somebody looked at them."""
    if round_.duplicate is not None:
        require_entered(table, round_)
    next_cards = cards_due(table)
    if next_cards is not None and (next_cards.place, next_cards.seat) == (place, seat):
        return next_cards
    clause = rule_clause(table, turn_up_rule(table, place)) or rule_clause(table, "settle_in_turn")
    if not round_.cards_at(place, seat):
        raise RuleViolation(clause, f"no cards lie at {owner_title(place, seat)}")
    title = owner_title(place, seat)
    if next_cards is None:
        raise RuleViolation(clause, f"the cards of {title} are not turned up now")
    raise RuleViolation(clause, f"the cards of {title} are not turned up now: enter {due_title(table, next_cards)}")


def _require_not_out(round_: Round, clause: str, card: int, positions: dict[int, Position]) -> None:
    """Refuses what is not a card, and a card that lies at another place already."""
    if not 0 <= card < len(DECK):
        raise RuleViolation(clause, f"{card} is not a card of the deck")
    if card in positions:
        place, seat, number = positions[card]
        reason = f"{DECK[card]} was entered as card {number} of {owner_title(place, seat)}"
        raise RuleViolation(clause, f"{reason}: correct that entry, or report that the card lies there twice")
    if card in round_.face_up_found:
        reason = f"{DECK[card]} was found face up and discarded"
        raise RuleViolation(clause, f"{reason}: report it if the card lies there all the same")


def _turn_up(table: Table, round_: Round, command: c.EnterCards, next_cards: CardsDue) -> Iterator[e.Event]:
    """The first card entered of a hand turns it up; likewise bonus cards and cards that decide a table."""
    if next_cards.place == PLAYER and next_cards.seat not in round_.turned_up:
        yield e.HandTurnedUp(seat=next_cards.seat, **event_metadata(table, command, "turn_up_hand"))
    key = f"{next_cards.place} {next_cards.seat}" if next_cards.seat else next_cards.place
    if next_cards.place in (BONUS, COMMUNITY, FOURTH) and not round_.revealed.get(key):
        count = len(round_.cards_at(next_cards.place, next_cards.seat))
        metadata = event_metadata(table, command, next_cards.rule)
        yield e.CardsRevealed(place=next_cards.place, count=count, seat=next_cards.seat, **metadata)


@next_state.register
def _(event: e.CardEntered, table: Table) -> Table:
    return _with_card(table, event.place, event.seat, event.number, event.card)


def _with_card(table: Table, place: str, seat: int, number: int, card: int | None) -> Table:
    round_ = round_of(table)
    hand = list(round_.cards[place, seat])
    hand[number - 1] = card
    return with_round(table, cards={**round_.cards, (place, seat): tuple(hand)})


@decider_for(c.CorrectCard)
@carries_out("turn_up_hand")
def correct_card(table: Table, command: c.CorrectCard) -> Iterator[e.Event]:
    round_ = require_plain_shoe(table, "turn_up_hand")
    place, seat, number = command.place, command.seat, command.number
    rule = turn_up_rule(table, place)
    clause = rule_clause(table, rule) or rule_clause(table, "settle_in_turn")
    hand = round_.cards_at(place, seat)
    before = hand[number - 1] if 1 <= number <= len(hand) else None
    if before is None:
        raise RuleViolation(clause, f"card {number} of {owner_title(place, seat)} was not entered")
    if round_.duplicate is not None:
        require_entered(table, round_)
    if command.card is not None:
        _require_not_out(round_, clause, command.card, known_positions(round_))
    _require_correctable(table, round_, command, clause)
    metadata = {**event_metadata(table, command, rule), "clause": clause}
    fields: dict[str, Any] = {"place": place, "seat": seat, "number": number, "before": before, "card": command.card}
    yield e.CardCorrected(reason=command.reason.strip(), **fields, **metadata)
    for affected in sorted(seat for seat, _ in verified_wins(round_, place, seat)):
        claim = MeterClaim(table.setup.name, round_.number, affected)
        for meter in table.meters.values():
            if claim in meter.claims:
                yield from release_meter(meter, claim, metadata)


def _require_correctable(table: Table, round_: Round, command: c.CorrectCard, clause: str) -> None:
    """Refuses a correction that only a floorperson may make, one without a reason, and one that empties a paid hand."""
    settled_seats = seats_settled_by(table, round_, command.place, command.seat)
    is_floor = command.by.role in FLOOR
    if is_floor and not command.reason.strip():
        raise RuleViolation(clause, "a reason must be given, for the record")
    if settled_seats and not is_floor:
        reason = f"seat {settled_seats[0]} was settled by this card: a floorperson must correct it"
        raise RuleViolation(clause, reason)
    if settled_seats and command.card is None:
        raise RuleViolation(clause, f"seat {settled_seats[0]} was settled by this card: name the right one")
    if verified_wins(round_, command.place, command.seat) and not is_floor:
        reason = "a win by this card was verified: a floorperson must correct it"
        raise RuleViolation(rule_clause(table, "validate_progressive") or clause, reason)


def verified_wins(round_: Round, place: str, seat: int) -> list[tuple[int, str]]:
    """Verified wins of unsettled seats that the cards of a place may have decided, by seat and wager."""
    return [
        (winner, wager)
        for winner, wager in round_.verified
        if winner in round_.unsettled and (place not in PER_SEAT or winner == seat)
    ]


def seats_settled_by(table: Table, round_: Round, place: str, seat: int) -> list[int]:
    """The settled seats with a wager that the cards of a place decided."""
    wagers = wagers_decided_by(table, place)
    seats = dict.fromkeys(entry.holder or entry.seat for entry in round_.entries if entry.wager in wagers)
    return [
        settled for settled in seats if settled not in round_.unsettled and (place not in PER_SEAT or settled == seat)
    ]


def wagers_decided_by(table: Table, place: str) -> frozenset[str]:
    """The wagers and bonuses that cards of a place decide."""
    game, edition = table.setup.game, table.setup.elected.edition
    wagers = {
        name
        for settlement in game.settlements
        if place in _deciding_places(settlement, game.contest)
        for name in _names(settlement)
    }
    return frozenset(wagers | (edition.envies.keys() if place == PLAYER else set()))


def _names(settlement: Settlement) -> tuple[str, ...]:
    if isinstance(settlement, Contest):
        return (*settlement.wagers, *(bonus.name for bonus in settlement.bonuses))
    return (settlement.wager,)


def _deciding_places(settlement: Settlement, contest: Contest | None) -> tuple[str, ...]:
    if isinstance(settlement, ByTable):
        return (*settlement.cards.places, *((FOURTH, COMMUNITY) if settlement.decided_by is not None else ()))
    return (*contest.player.places, *contest.dealer.places) if contest is not None else ()


@next_state.register
def _(event: e.CardCorrected, table: Table) -> Table:
    table = _with_card(table, event.place, event.seat, event.number, event.card)
    round_ = round_of(table)
    withdrawn = set(verified_wins(round_, event.place, event.seat))
    if not withdrawn:
        return table
    verified = {win: verification for win, verification in round_.verified.items() if win not in withdrawn}
    return with_round(table, verified=verified, validated=round_.validated - withdrawn)
