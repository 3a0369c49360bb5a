"""Decisions street by street, forfeits, and the cards that are turned up."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.errors import NotPermitted
from croupier.hands import ranking_named
from croupier.money import show
from croupier.rules.clauses import carries_out
from croupier.rules.edition import WagerRule
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.decide import current_round, decides, require_phase, rule_clause, said
from croupier.table.people import Role
from croupier.table.settlement import cards_of, read_hand
from croupier.table.state import Phase, Round, Table
from croupier.table.why import words


@decides(c.Decide)
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
        raise NotPermitted(clause, f"seat {seat} has nothing to decide now; it is the turn of seat {round_.waiting[0]}")
    if seat != round_.waiting[0]:
        raise NotPermitted(clause, f"seat {seat} is not yet asked: it is the turn of seat {round_.waiting[0]}")
    if command.by.role is Role.PATRON and command.by.name != patron:
        raise NotPermitted(clause, f"{command.by.name} cannot act for seat {seat}")
    if patron in table.absent:
        raise NotPermitted(
            rule_clause(table, "leaving_the_table"), f"{patron} has left: a floorperson must decide on his wagers first"
        )
    street = table.setup.game.streets[round_.street]
    wager = table.setup.elected.edition.wagers[street.wager]
    if street.pulls_back:
        yield _ridden_or_pulled(table, round_, command, wager)
        return
    if command.amount is None:
        forfeits = tuple(name for name in forfeited_by_fold(table) if round_.staked(seat, name))
        yield e.Folded(seat=seat, forfeits=forfeits, **said(table, command, rule))
        return
    _require_size(table, round_, seat, wager, command.amount)
    short = command.amount - table.balances[patron]
    if short > 0:
        raise NotPermitted(
            rule_clause(table, "chips_only"), f"not enough chips for this {wager.title}: {show(short)} short"
        )
    yield e.WagerMade(seat=seat, wager=wager.name, amount=command.amount, **said(table, command, rule))


def _ridden_or_pulled(table: Table, round_: Round, command: c.Decide, wager: WagerRule) -> e.Event:
    """A wager that lies on the layout already stays there, or is taken back."""
    staked, turn = round_.staked(command.seat, wager.name), said(table, command, f"decide_{round_.street + 1}")
    if command.amount is None:
        return e.WagerPulledBack(seat=command.seat, wager=wager.name, amount=staked, **turn)
    if command.amount != staked:
        reason = f"the {wager.title} of seat {command.seat} rides as it is, {show(staked)}, or is pulled back"
        raise NotPermitted(wager.clause, reason)
    return e.WagerLetRide(seat=command.seat, wager=wager.name, **turn)


def forfeited_by_fold(table: Table) -> tuple[str, ...]:
    """The wagers that a fold forfeits, readings applied."""
    game, setup = table.setup.game, table.setup
    forfeits = (*setup.elected.edition.required, *game.fold_forfeits)
    for reading, by_choice in game.fold_forfeits_by.items():
        if setup.choice(reading):
            forfeits += by_choice[setup.choice(reading)]
    return forfeits


def sizes(table: Table, ante: int, wager: WagerRule) -> tuple[tuple[int, ...], tuple[int, int] | None]:
    """The amounts a wager in play may be: a list of them, or a range from least to most.

    What only some hands may wager is among them: who asks must not learn from it what a seat holds.
    """
    if wager.equals:
        return (ante,), None
    if wager.between is not None and table.setup.choice("play_amounts") != "whole_multiples":
        return (), (wager.between[0] * ante, wager.between[1] * ante)
    if wager.between is not None:
        return tuple(n * ante for n in range(wager.between[0], wager.between[1] + 1)), None
    return tuple(multiple * ante for multiple in wager.multiples), None


def _require_size(table: Table, round_: Round, seat: int, wager: WagerRule, amount: int) -> None:
    allowed, between = sizes(table, round_.staked(seat, "ante"), wager)
    if between is not None and not between[0] <= amount <= between[1]:
        reason = (
            f"the {wager.title} of seat {seat} is from {show(between[0])} to {show(between[1])}, not {show(amount)}"
        )
        raise NotPermitted(wager.clause, reason)
    if between is None and amount not in allowed:
        names = " or ".join(show(cents) for cents in allowed)
        raise NotPermitted(wager.clause, f"the {wager.title} of seat {seat} is {names}, not {show(amount)}")
    needed = wager.needs_hand.get(amount // round_.staked(seat, "ante"), "")
    if needed and not holds_at_least(table, round_, seat, needed):
        hand = words(needed)
        raise NotPermitted(wager.clause, f"a {wager.title} of {show(amount)} needs {hand} or better")


def holds_at_least(table: Table, round_: Round, seat: int, hand: str) -> bool:
    """Whether a seat's hand, by its ranking in the game, is at least the one of that name."""
    game = table.setup.game
    ranking = ranking_named(game.hand_ranking)
    return read_hand(ranking, cards_of(round_, game.hand, seat)).strength >= ranking.span(hand).start


def live_wagers(round_: Round, seat: int) -> list[str]:
    """The wagers of a seat that are still to be settled on their merits."""
    gone = round_.forfeited.get(seat, frozenset())
    return [wager for wager in round_.wagers[seat] if wager not in gone]


@decides(c.CollectForfeits)
@carries_out("collect_forfeits", "one_deck_in_the_rack")
def collect_forfeits(table: Table, command: c.CollectForfeits) -> Iterator[e.Event]:
    require_phase(table, "collect_forfeits", Phase.COLLECTING)
    round_ = current_round(table, "collect_forfeits")
    clauses = table.setup.elected.edition.rules["collect_forfeits"]
    clause = clauses[min(round_.street, len(clauses) - 1)]
    done = tuple(
        seat
        for seat in sorted(round_.folded - round_.collected)
        if not live_wagers(round_, seat) or round_.patrons[seat] in round_.abandoned
    )
    kept = tuple(seat for seat in sorted(round_.folded) if seat not in done and _folded_on_this_street(table, seat))
    yield e.ForfeitsCollected(seats=done, kept=kept, clause=clause, by=command.by, at=command.at)


def _folded_on_this_street(table: Table, seat: int) -> bool:
    """Whether a seat that folded did so now: it has made the wagers of the streets before this one."""
    round_ = current_round(table, "collect_forfeits")
    return sum(1 for street in table.setup.game.streets if round_.staked(seat, street.wager)) == round_.street


@decides(c.RevealCards)
@carries_out("reveal_1", "reveal_2", "reveal_3")
def reveal_cards(table: Table, command: c.RevealCards) -> Iterator[e.Event]:
    require_phase(table, "reveal_1", Phase.REVEALING)
    round_ = current_round(table, "reveal_1")
    then = table.setup.game.streets[round_.street].then
    yield e.CardsRevealed(place=then.place, count=then.count, **said(table, command, f"reveal_{round_.street + 1}"))
