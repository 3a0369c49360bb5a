"""Decisions on each street, forfeits, and reveals."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.core.errors import InputError, RuleViolation
from croupier.core.money import format_amounts, format_money, is_amount, parse_money
from croupier.regulations.clauses import carries_out
from croupier.regulations.edition import WagerRule
from croupier.table.decide import current_round, decider_for, event_metadata, require_phase, rule_clause
from croupier.table.model import commands as c
from croupier.table.model import events as e
from croupier.table.model.roles import Role
from croupier.table.model.state import Phase, Round, Table
from croupier.table.narration import hand_label
from croupier.table.procedure.card_entries import require_entered
from croupier.table.procedure.wagers import require_whole_chips
from croupier.table.settlement import holds_at_least


@decider_for(c.Decide)
@carries_out(
    "decide_1", "decide_2", "decide_3", "examine_cards", "fold_keeps_bonus_wagers", "fold_forfeits_progressive"
)
def decide_street(table: Table, command: c.Decide) -> Iterator[e.Event]:
    require_phase(table, "decide_1", Phase.DECIDING)
    round_ = current_round(table, "decide_1")
    rule = f"decide_{round_.street + 1}"
    clause = rule_clause(table, rule)
    seat, patron = command.seat, round_.patrons.get(command.seat)
    if patron is None or command.seat not in round_.waiting:
        raise RuleViolation(clause, f"seat {seat} has nothing to decide now: it is seat {round_.waiting[0]}'s turn")
    if seat != round_.waiting[0]:
        raise RuleViolation(clause, f"seat {seat} cannot decide yet: it is seat {round_.waiting[0]}'s turn")
    if command.by.role is Role.PATRON and command.by.name != patron:
        raise RuleViolation(clause, f"{command.by.name} cannot act for seat {seat}")
    if patron in table.absent:
        raise RuleViolation(
            rule_clause(table, "leaving_the_table"),
            f"{patron} has left: a floorperson must decide on their wagers first",
        )
    street = table.setup.game.streets[round_.street]
    wager = table.setup.elected.edition.wagers[street.wager]
    if street.pulls_back:
        yield _let_ride_or_pull_back(table, round_, command, wager)
        return
    if command.amount is None:
        forfeits = tuple(name for name in forfeited_by_fold(table) if round_.staked(seat, name))
        yield e.Folded(seat=seat, forfeits=forfeits, **event_metadata(table, command, rule))
        return
    _require_size(table, round_, seat, wager, command.amount)
    shortfall = command.amount - table.balances[patron]
    if shortfall > 0:
        raise RuleViolation(
            rule_clause(table, "chips_only"),
            f"not enough chips for this {wager.title}: {format_money(shortfall)} short",
        )
    yield e.WagerMade(seat=seat, wager=wager.name, amount=command.amount, **event_metadata(table, command, rule))


def _let_ride_or_pull_back(table: Table, round_: Round, command: c.Decide, wager: WagerRule) -> e.Event:
    """A wager already on the layout stays there or is pulled back."""
    staked = round_.staked(command.seat, wager.name)
    metadata = event_metadata(table, command, f"decide_{round_.street + 1}")
    if command.amount is None:
        return e.WagerPulledBack(seat=command.seat, wager=wager.name, amount=staked, **metadata)
    if command.amount != staked:
        reason = (
            f"the {wager.title} of seat {command.seat} must ride as it is, {format_money(staked)}, or be pulled back"
        )
        raise RuleViolation(wager.clause, reason)
    return e.WagerLetRide(seat=command.seat, wager=wager.name, **metadata)


def forfeited_by_fold(table: Table) -> tuple[str, ...]:
    """The wagers that a fold forfeits under the elected readings."""
    game, setup = table.setup.game, table.setup
    forfeits = (*setup.elected.edition.required, *game.fold_forfeits)
    for reading, by_choice in game.fold_forfeits_by.items():
        if setup.choice(reading):
            forfeits += by_choice[setup.choice(reading)]
    return forfeits


def allowed_amounts(table: Table, ante: int, wager: WagerRule) -> tuple[tuple[int, ...], tuple[int, int] | None]:
    """The allowed amounts of a wager made in play: a list, or a range from minimum to maximum.

    They include amounts that only some hands may wager, so that the list reveals nothing about a hand.
    """
    if wager.equals:
        return (ante,), None
    if wager.between is not None and table.setup.choice("play_amounts") != "whole_multiples":
        return (), (wager.between[0] * ante, wager.between[1] * ante)
    if wager.between is not None:
        return tuple(multiple * ante for multiple in range(wager.between[0], wager.between[1] + 1)), None
    return tuple(multiple * ante for multiple in wager.multiples), None


def _require_size(table: Table, round_: Round, seat: int, wager: WagerRule, amount: int) -> None:
    allowed, between = allowed_amounts(table, round_.staked(seat, "ante"), wager)
    if between is not None and not between[0] <= amount <= between[1]:
        bounds = f"from {format_money(between[0])} to {format_money(between[1])}"
        reason = f"the {wager.title} of seat {seat} must be {bounds}, not {format_money(amount)}"
        raise RuleViolation(wager.clause, reason)
    if between is None and amount not in allowed:
        reason = f"the {wager.title} of seat {seat} must be {format_amounts(allowed)}, not {format_money(amount)}"
        raise RuleViolation(wager.clause, reason)
    require_whole_chips(table, wager, amount)
    if round_.enters_cards:  # nobody knows the hand yet: it is checked when it is turned up
        return
    needed_hand = wager.needs_hand.get(amount // round_.staked(seat, "ante"), "")
    if needed_hand and not holds_at_least(table.setup, round_, seat, needed_hand):
        hand = hand_label(needed_hand)
        raise RuleViolation(wager.clause, f"a {wager.title} of {format_money(amount)} needs {hand} or better")


def live_wagers(round_: Round, seat: int) -> list[str]:
    """The wagers of a seat that were not forfeited."""
    forfeited = round_.forfeited.get(seat, frozenset())
    return [wager for wager in round_.wagers[seat] if wager not in forfeited]


@decider_for(c.CollectForfeits)
@carries_out("collect_forfeits", "one_deck_in_the_rack")
def collect_forfeits(table: Table, command: c.CollectForfeits) -> Iterator[e.Event]:
    require_phase(table, "collect_forfeits", Phase.COLLECTING)
    round_ = current_round(table, "collect_forfeits")
    clauses = table.setup.elected.edition.rules["collect_forfeits"]
    clause = clauses[min(round_.street, len(clauses) - 1)]
    collected_seats = tuple(
        seat
        for seat in sorted(round_.folded - round_.collected)
        if not live_wagers(round_, seat) or round_.patrons[seat] in round_.abandoned
    )
    remaining_seats = tuple(
        seat for seat in sorted(round_.folded) if seat not in collected_seats and _folded_on_this_street(table, seat)
    )
    yield e.ForfeitsCollected(seats=collected_seats, kept=remaining_seats, clause=clause, by=command.by, at=command.at)


def _folded_on_this_street(table: Table, seat: int) -> bool:
    """Whether a seat folded on this street: it made the wagers of all streets before."""
    round_ = current_round(table, "collect_forfeits")
    return sum(1 for street in table.setup.game.streets if round_.staked(seat, street.wager)) == round_.street


@decider_for(c.RevealCards)
@carries_out("reveal_1", "reveal_2", "reveal_3")
def reveal_cards(table: Table, command: c.RevealCards) -> Iterator[e.Event]:
    require_phase(table, "reveal_1", Phase.REVEALING)
    round_ = current_round(table, "reveal_1")
    require_entered(table, round_)
    reveal = table.setup.game.streets[round_.street].then
    yield e.CardsRevealed(
        place=reveal.place, count=reveal.count, **event_metadata(table, command, f"reveal_{round_.street + 1}")
    )


def parse_choice(table: Table, round_: Round, seat: int, choice: str) -> int | None:
    """What a choice such as `3x`, `play`, `fold`, `ride` or `17.50` means in cents; `None` for a fold or a pull.

    Raises `InputError` for anything else, with the choices and the clause.
    """
    setup = table.setup
    street = setup.game.streets[round_.street]
    wager = setup.elected.edition.wagers[street.wager]
    ante = round_.staked(seat, "ante")
    if street.pulls_back:
        if choice in ("ride", "pull"):
            return round_.staked(seat, wager.name) if choice == "ride" else None
        raise InputError("", f"{choice!r} is neither ride nor pull ({wager.clause})")
    if choice == "fold":
        return None
    if wager.multiples == (1,):
        if choice == "play":
            return ante
        raise InputError("", f"{choice!r} is neither play nor fold ({wager.clause})")
    multiples = wager.multiples or (range(wager.between[0], wager.between[1] + 1) if wager.between else ())
    if choice in [f"{multiple}x" for multiple in multiples]:
        return int(choice.removesuffix("x")) * ante
    choices = ", ".join([*(f"{multiple}x" for multiple in multiples), "fold"])
    if wager.between is not None:
        if is_amount(choice):
            return parse_money(choice)
        minimum, maximum = (format_money(multiple * ante) for multiple in wager.between)
        choices += f' or an amount from {minimum} to {maximum} such as "17.50"'
    raise InputError("", f"{choice!r} is not one of {choices} ({wager.clause})")
