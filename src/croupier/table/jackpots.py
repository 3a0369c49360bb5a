"""Wins on meters: the dealer verifies, a floorperson validates, and cards stay until the documents are done."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from croupier.errors import NotPermitted
from croupier.progressive.meters import Claim, Meters
from croupier.progressive.mystery import MYSTERY
from croupier.rules.clauses import carries_out
from croupier.rules.payouts import ForOne
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.decide import current_round, decides, require_phase, rule_clause, said
from croupier.table.people import Role
from croupier.table.settlement import Entry, SeatSettlement
from croupier.table.setup import DRAWN
from croupier.table.state import Phase, Round, Table
from croupier.table.why import title_of


@dataclass(frozen=True, slots=True)
class Win:
    """A win on a meter's paytable, and whether a floorperson has to see it."""

    entry: Entry
    needs_floor: bool

    @property
    def wager(self) -> str:
        return self.entry.wager


def wins_on_meters(table: Table, seat: int) -> list[Win]:
    """What a seat wins on paytables of meters as things stand, before it is settled."""
    round_ = table.round
    if round_ is None or not table.setup.on_meters & round_.wagers.get(seat, {}).keys():
        return []
    meters = Meters(table.meters, table.setup.choice("reserve"))
    entries = SeatSettlement(table.setup, round_, seat, meters).entries()
    return [
        Win(entry, _needs_floor(table, entry))
        for entry in entries
        if entry.outcome == "win" and (entry.wager in table.setup.on_meters or entry.wager in DRAWN)
    ]


@carries_out("floor_verifies_five_card_hand", "validate_progressive")
def _needs_floor(table: Table, entry: Entry) -> bool:
    """Every progressive win; an electronic one from a meter or from so many for 1 on."""
    if not _electronic(table, entry.wager) or entry.meter:
        return True
    odds = entry.payout
    return isinstance(odds, ForOne) and odds.multiple >= table.setup.elected.edition.figure("floor_verifies_from")


def _electronic(table: Table, wager: str) -> bool:
    """Whether a win belongs to the electronic wagers: theirs, or what the system drew for them."""
    return wager in table.setup.electronic or wager in DRAWN


def unverified(table: Table, seat: int) -> list[Win]:
    """The wins that the dealer has still to verify."""
    round_ = table.round
    return [win for win in wins_on_meters(table, seat) if round_ and (seat, win.wager) not in round_.verified]


def unvalidated(table: Table, seat: int) -> list[Win]:
    """The wins that a floorperson has still to validate."""
    round_ = table.round
    wins = wins_on_meters(table, seat)
    return [win for win in wins if win.needs_floor and round_ and (seat, win.wager) not in round_.validated]


def verified_under(table: Table, win: Win) -> str:
    """The rule by which the dealer verifies a win."""
    return "verify_five_card_hand" if _electronic(table, win.wager) else "verify_progressive_hand"


def validated_under(table: Table, win: Win) -> str:
    """The rule by which a floorperson validates a win."""
    return "floor_verifies_five_card_hand" if _electronic(table, win.wager) else "validate_progressive"


@decides(c.VerifyWin)
@carries_out("verify_progressive_hand", "verify_progressive_light", "verify_five_card_hand")
def verify_win(table: Table, command: c.VerifyWin) -> Iterator[e.Event]:
    require_phase(table, "verify_progressive_hand", Phase.SETTLING)
    round_ = current_round(table, "verify_progressive_hand")
    clause = rule_clause(table, "settle_in_turn")
    if command.seat != round_.unsettled[0]:
        raise NotPermitted(clause, f"it is the turn of seat {round_.unsettled[0]}, not {command.seat}")
    wins = unverified(table, command.seat)
    if not wins:
        raise NotPermitted(clause, f"seat {command.seat} has no progressive or electronic win to verify")
    if command.seat not in round_.turned_up:
        yield e.HandTurnedUp(seat=command.seat, **said(table, command, "turn_up_hand"))
    for win in wins:
        where: dict[str, Any] = {"seat": command.seat, "wager": win.wager}
        yield e.WinVerified(row=win.entry.row, **where, **said(table, command, verified_under(table, win)))
        if not _electronic(table, win.wager):
            yield e.LightVerified(lit=command.lit, **where, **said(table, command, "verify_progressive_light"))
    for meter in dict.fromkeys(win.entry.meter for win in wins if win.entry.meter):
        if not _shared_out(table, round_, command.seat):
            locked: dict[str, Any] = {"meter": meter, "round": round_.number, "seat": command.seat}
            paytable = table.meters[meter].plan.table
            yield e.MeterLocked(**locked, **said(table, command, "pay_progressive", paytable))


def _shared_out(table: Table, round_: Round, seat: int) -> bool:
    """Whether all that the seat wins from a meter is a share that was taken out at another's turn."""
    return seat in round_.shares and all(
        win.entry.wager in table.setup.game.on_dealer for win in wins_on_meters(table, seat) if win.entry.meter
    )


@decides(c.ValidateWin)
@carries_out("validate_progressive", "floor_verifies_five_card_hand")
def validate_win(table: Table, command: c.ValidateWin) -> Iterator[e.Event]:
    require_phase(table, "validate_progressive", Phase.SETTLING)
    round_ = current_round(table, "validate_progressive")
    clause = rule_clause(table, "validate_progressive")
    wins = [win for win in unvalidated(table, command.seat) if (command.seat, win.wager) in round_.verified]
    if not wins:
        raise NotPermitted(clause, f"seat {command.seat} has no verified win that waits for validation")
    for win in wins:
        verified = round_.verified[command.seat, win.wager]
        clause = rule_clause(table, validated_under(table, win))
        if verified.by == command.by.name and command.by.role is not Role.SYSTEM:
            raise NotPermitted(clause, f"{command.by.name} verified the hand: another person must validate it")
        if not verified.lit and not command.reason.strip():
            reason = f"the light of seat {command.seat} was not lit: say why the win is valid"
            raise NotPermitted(rule_clause(table, "verify_progressive_light"), reason)
    for win in wins:
        where: dict[str, Any] = {"seat": command.seat, "wager": win.wager, "reason": command.reason}
        yield e.WinValidated(**where, **said(table, command, validated_under(table, win)))


@carries_out("verify_progressive_hand", "validate_progressive", "verify_five_card_hand", "pay_progressive")
def require_validated(table: Table, round_: Round, seat: int) -> None:
    """Refuses to settle a seat whose wins on meters are not verified and validated, or not yet in their turn."""
    for win in wins_on_meters(table, seat):
        title = title_of(table.setup, win.wager)
        if (seat, win.wager) not in round_.verified:
            clause = rule_clause(table, verified_under(table, win))
            raise NotPermitted(clause, f"verify the winning {title} of seat {seat} first")
        if win.needs_floor and (seat, win.wager) not in round_.validated:
            clause = rule_clause(table, validated_under(table, win))
            raise NotPermitted(clause, f"a floorperson must validate the {title} of seat {seat} first")
        first = table.meters[win.entry.meter].claims[:1] if win.entry.meter else ()
        if first and first[0] != Claim(table.setup.name, round_.number, seat) and not _shared_out(table, round_, seat):
            waits = f"meter {win.entry.meter} is locked for the win at table {first[0].table}, seat {first[0].seat}"
            turn = rule_clause(table, "meter_at_the_players_turn", table.meters[win.entry.meter].plan.table)
            raise NotPermitted(turn, f"{waits}, which is paid first")


@decides(c.CompleteDocuments)
@carries_out("pay_progressive", "credit_game_account")
def complete_documents(table: Table, command: c.CompleteDocuments) -> Iterator[e.Event]:
    require_phase(table, "pay_progressive", Phase.SETTLING, Phase.RACKING)
    round_ = current_round(table, "pay_progressive")
    clause = documents_clause(table, round_, command.seat)
    if command.seat not in round_.held:
        raise NotPermitted(clause, f"no cards of seat {command.seat} are held for documents")
    if not command.reference.strip():
        raise NotPermitted(clause, "give the reference of the documents, for the record")
    yield e.DocumentsCompleted(
        seat=command.seat,
        patron=round_.patrons[command.seat],
        reference=command.reference,
        amounts=round_.held[command.seat],
        clause=clause,
        by=command.by,
        at=command.at,
    )


def documents_clause(table: Table, round_: Round, seat: int) -> str:
    """The clause by which a seat's cards stay until the documents of its win are done."""
    held = round_.held.get(seat, ())
    if held and all(name == MYSTERY for name, _ in held):
        return ""
    return rule_clause(table, "pay_progressive", table.meters[held[0][0]].plan.table if held else "")


def attended(table: Table) -> bool:
    """Whether a meter win is paid by an attendant after its documents, with the cards kept until then."""
    return table.setup.choice("maryland_hold") != "not_kept"
