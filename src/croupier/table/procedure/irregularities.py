"""Irregularities: void rounds, wagers that are settled all the same, and floorpersons' decisions."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from croupier.core.cards import DECK
from croupier.core.errors import RuleViolation
from croupier.games.definition import BOARD, DEALER, DISCARD, PLAYER
from croupier.progressive.meters import Meter, MeterCause, MeterClaim
from croupier.regulations.clauses import carries_out
from croupier.table.decide import current_round, decider_for, event_metadata, require_phase, rule_clause
from croupier.table.model import commands as c
from croupier.table.model import events as e
from croupier.table.model.state import Phase, Round, Table
from croupier.table.narration import format_meter_amount, meter_title


def void_round(
    table: Table, *, cause: str, settles_optional: bool, metadata: dict[str, Any], where: str = ""
) -> Iterator[e.Event]:
    """The events of a void round: the hands are void, and its contributions to meters are reversed.

    A meter that was won meanwhile at a linked table keeps its contribution, which is noted. So does every meter if
    wagers of the round have been settled: the floorperson corrects what is wrong with those.
    """
    yield e.RoundVoided(cause=cause, settles_optional=settles_optional, where=where, **metadata)
    round_ = table.round
    if round_ is None or settles_optional or round_.entries:
        return
    meters = dict(table.meters)
    for name, meter in table.meters.items():
        for claim in meter.claims:
            if (claim.table, claim.round) == (table.setup.name, round_.number):
                yield from release_meter(meters[name], claim, metadata)
                meters[name] = meter_after_release(meters[name], claim)
    if table.setup.choice("void_contributions") != "reversed":
        return
    metadata = {**metadata, "clause": rule_clause(table, "lock_out") or metadata["clause"]}
    for name, contribution in round_.contributions.items():
        meter, amount = meters[name], contribution - _forfeited_contribution(table, round_, name)
        is_locked = meter.claims and meter.waiting < amount
        if meter.hits != round_.hits_at_contribution[name] or is_locked:
            state = "is locked for a pending win" if is_locked else "was won meanwhile"
            kept_text = f"keeps {format_meter_amount(amount)} of the void round"
            yield e.Noted(what=f"the {meter_title(table.setup, name)} {state} and {kept_text}", **metadata)
        elif amount:
            after = meter.with_change(-amount, MeterCause.REVERSED).amount
            yield e.MeterChanged(
                meter=name, amount=-amount, cause=MeterCause.REVERSED, before=meter.amount, after=after, **metadata
            )


def _forfeited_contribution(table: Table, round_: Round, name: str) -> Fraction:
    """The contribution to a meter of forfeited wagers that a void does not return."""
    if table.setup.choice("void_forfeited") != "kept":
        return Fraction(0)
    plan = table.setup.meters[name]
    forfeits = [(seat, wager) for seat, wagers in round_.forfeited.items() for wager in wagers]
    return plan.rate * sum(round_.staked(seat, wager) for seat, wager in forfeits if table.setup.feeds(wager, plan))


def release_meter(meter: Meter, claim: MeterClaim, metadata: dict[str, Any]) -> Iterator[e.Event]:
    """Releases a meter after a pending win; contributions that waited for the first claim join it."""
    yield e.MeterReleased(meter=meter.plan.name, round=claim.round, seat=claim.seat, **metadata)
    if meter.waiting and claim == meter.claims[0]:
        after = meter.with_change(meter.waiting, MeterCause.WAITED).amount
        change: dict[str, Any] = {"amount": meter.waiting, "cause": MeterCause.WAITED}
        yield e.MeterChanged(meter=meter.plan.name, before=meter.amount, after=after, **change, **metadata)


def meter_after_release(meter: Meter, claim: MeterClaim) -> Meter:
    """The meter after the events of `release_meter`."""
    is_first = claim == meter.claims[0]
    released = meter.without_claim(claim)
    return released.with_change(released.waiting, MeterCause.WAITED) if is_first else released


IN_PLAY = (Phase.DEALING, Phase.STUB, Phase.DECIDING, Phase.COLLECTING, Phase.REVEALING)
"""From "no more bets" until the dealer reveals."""


def _require_in_play(table: Table, rule: str) -> None:
    round_ = current_round(table, rule)
    if table.phase not in IN_PLAY:
        reason = "the round is already void" if round_.void else "wagers are being settled: a floorperson must decide"
        raise RuleViolation(rule_clause(table, rule), reason)


@decider_for(c.ReportCardDrawnInError)
@carries_out("card_drawn_in_error")
def report_card_drawn_in_error(table: Table, command: c.ReportCardDrawnInError) -> Iterator[e.Event]:
    rule = "card_drawn_in_error"
    if table.setup.is_older:
        current_round(table, rule)
    else:
        require_phase(table, rule, Phase.BETTING, Phase.DEALING)
    if command.exposed:
        reason = "the clause covers only cards that nobody saw: a floorperson must rule on an exposed card"
        raise RuleViolation(rule_clause(table, rule), reason)
    note = "a card was drawn in error, unseen, and is used as the next card"
    yield e.Noted(what=note, **event_metadata(table, command, rule))


@decider_for(c.ReportWrongNumberOfCards)
@carries_out("wrong_number_of_cards")
def report_wrong_number_of_cards(table: Table, command: c.ReportWrongNumberOfCards) -> Iterator[e.Event]:
    rule = "wrong_number_of_cards"
    round_ = current_round(table, rule)
    is_at_reveal = table.phase is Phase.SETTLING and not round_.entries and not round_.void
    if not is_at_reveal:
        _require_in_play(table, rule)
    if table.phase is Phase.DEALING:
        raise RuleViolation(rule_clause(table, rule), "the cards have not been dealt yet")
    places = {place_title(place, seat) for place, seat in round_.cards if place != DISCARD}
    where = "" if table.setup.is_older else command.where.strip()
    if where not in places and not table.setup.is_older:
        allowed = ", ".join(sorted(places))
        raise RuleViolation(rule_clause(table, rule), f"say where the wrong number of cards was found: {allowed}")
    metadata = event_metadata(table, command, rule)
    yield from void_round(table, cause=rule, settles_optional=False, metadata=metadata, where=where)


def place_title(place: str, seat: int) -> str:
    """A place of the layout in words: `dealer`, `seat 3`, `fourth card of seat 3`."""
    if place == PLAYER:
        return f"seat {seat}"
    return f"{place} card of seat {seat}" if seat else place


@decider_for(c.ReportExposedCard)
@carries_out("exposed_card", "exposure")
def report_exposed_card(table: Table, command: c.ReportExposedCard) -> Iterator[e.Event]:
    rule = "exposed_card"
    round_ = current_round(table, rule)
    _require_in_play(table, rule)
    if table.phase is Phase.DEALING:
        raise RuleViolation(rule_clause(table, rule), "the cards have not been dealt yet")
    exposure = table.setup.elected.edition.exposure
    if exposure.until == "decisions" and table.phase in (Phase.COLLECTING, Phase.REVEALING) and round_.is_decided:
        note = "a card was exposed after the last decision: that changes nothing"
        yield e.Noted(what=note, **event_metadata(table, command, rule))
        return
    settles = exposure.settles_optional_wagers
    yield from void_round(table, cause=rule, settles_optional=settles, metadata=event_metadata(table, command, rule))
    if settles:
        for place, count in _remaining_reveals(table):
            yield e.CardsRevealed(place=place, count=count, **event_metadata(table, command, rule))


def _remaining_reveals(table: Table) -> Iterator[tuple[str, int]]:
    """The reveals, one for each street, that the settlement of optional wagers still needs."""
    round_ = current_round(table, "exposed_card")
    optional = set(table.setup.elected.edition.optional)
    placed_wagers = {wager for seat in round_.dealt for wager in round_.wagers[seat]} & optional
    for street in table.setup.game.streets:
        is_needed = table.setup.is_older or bool(placed_wagers & set(table.setup.game.wagers_on(street.then.place)))
        if is_needed and street.then.count > round_.revealed.get(street.then.place, 0):
            yield street.then.place, street.then.count


@decider_for(c.ReportShoeJam)
@carries_out("shoe_jam")
def report_shoe_jam(table: Table, command: c.ReportShoeJam) -> Iterator[e.Event]:
    rule = "shoe_jam"
    if table.setup.method != "automated_shoe":
        raise RuleViolation(rule_clause(table, rule), "the cards are not dealt from an automated shoe")
    _require_in_play(table, rule)
    yield from void_round(table, cause=rule, settles_optional=False, metadata=event_metadata(table, command, rule))


@decider_for(c.DecideOnTheFloor)
def decide_on_the_floor(table: Table, command: c.DecideOnTheFloor) -> Iterator[e.Event]:
    """A recorded decision in a case that no clause covers (readings AMB-48 and AMB-51)."""
    round_ = current_round(table, "settle_in_turn")
    rule = _floor_rule(table, command)
    clause = rule_clause(table, rule)
    if command.outcome not in FLOOR_OUTCOMES:
        raise RuleViolation(clause, f"{command.outcome!r} is not one of {', '.join(FLOOR_OUTCOMES)}")
    if not command.reason.strip():
        raise RuleViolation(clause, "a reason must be given, for the record")
    if command.outcome != "continue" and round_.void:
        raise RuleViolation(clause, "the round is already void")
    if table.phase is Phase.RACKING:
        raise RuleViolation(clause, "every wager in this round is settled: correct them one by one")
    metadata = event_metadata(table, command, rule)
    if table.setup.is_older:
        metadata["clause"] = ""
        if command.outcome == "void" and round_.entries:
            raise RuleViolation("", "wagers in this round are already settled: correct them one by one")
    replacement = _replacement(table, round_, command) if command.outcome == "replace" else None
    yield e.FloorDecided(outcome=command.outcome, reason=command.reason, **metadata)
    if command.outcome == "void":
        cause = rule if rule in VOID_CAUSES else "floor_decision"
        yield from void_round(table, cause=cause, settles_optional=False, metadata=metadata)
    elif replacement is not None:
        discarded, card = replacement
        yield e.CardReplaced(
            place=command.place,
            seat=command.seat,
            number=command.number,
            discarded=discarded,
            card=card,
            **{**metadata, "clause": rule_clause(table, "face_up_card")},
        )


FLOOR_OUTCOMES = ("continue", "void", "replace")
FLOOR_RULES = ("settle_in_turn", "wrong_number_of_cards", "exposed_card", "card_drawn_in_error", "face_up_card")
"""The rules that a floorperson's decision may concern; the first unless they name another."""
VOID_CAUSES = ("wrong_number_of_cards",)
"""Rules under which a floorperson's decision voids the round as the rule itself would."""


def _floor_rule(table: Table, command: c.DecideOnTheFloor) -> str:
    """The rule whose clause a decision cites: the one it concerns, or that of the settlement."""
    rule = command.concerns or FLOOR_RULES[0]
    if rule not in FLOOR_RULES:
        clause = rule_clause(table, FLOOR_RULES[0])
        raise RuleViolation(clause, f"{rule!r} is not one of {', '.join(FLOOR_RULES)}")
    return rule if rule_clause(table, rule) else FLOOR_RULES[0]


def _replacement(table: Table, round_: Round, command: c.DecideOnTheFloor) -> tuple[int, int | None]:
    """The card that is discarded and the one that replaces it: the next card of the deck, unknown at a plain shoe.

    Nobody may have looked at a hand that is changed, and a clause says what follows an exposed card of the dealer.
    """
    clause, deck = rule_clause(table, "face_up_card"), table.decks[round_.deck]
    if table.phase not in IN_PLAY or table.phase is Phase.DEALING:
        raise RuleViolation(clause, "a card is replaced after the deal and before the dealer reveals")
    if command.place == PLAYER and round_.is_examined:
        raise RuleViolation(clause, "the players have looked at their cards: continue the round or void it")
    if command.place in (DEALER, BOARD):
        reason = f"an exposed card of the {command.place} is not replaced: report it, and the clause says what follows"
        raise RuleViolation(rule_clause(table, "exposed_card") or clause, reason)
    hand = round_.cards_at(command.place, command.seat)
    if not 1 <= command.number <= len(hand):
        title = place_title(command.place, command.seat)
        raise RuleViolation(clause, f"{title} has {len(hand)} cards: say which one is replaced")
    drawn = {card for cards in round_.cards.values() for card in cards} | set(round_.face_up_found)
    discarded = hand[command.number - 1]
    if discarded is None:
        discarded = command.discarded
        if discarded is None or not 0 <= discarded < len(DECK) or discarded in drawn:
            raise RuleViolation(clause, "name the card that is discarded, which lies nowhere else on the layout")
    if table.setup.enters_cards:
        return discarded, None
    if not table.setup.reads_cards:
        if round_.drawn >= len(deck.order):
            raise RuleViolation(clause, "the deck has no card left")
        return discarded, deck.order[round_.drawn]
    if command.card is None or not 0 <= command.card < len(DECK) or command.card in drawn:
        raise RuleViolation(clause, "give the next card of the shoe, which is not on the layout yet")
    return discarded, command.card
