"""Meter wins: verified, validated, and the cards kept until the documents are complete; and the mystery meter."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from croupier.core.dataclass import dataclass
from croupier.core.errors import RuleViolation
from croupier.core.money import format_money
from croupier.progressive.meters import MeterClaim, SettlementMeters
from croupier.progressive.mystery import MYSTERY, Trigger, seat_reaching_trigger
from croupier.regulations.clauses import carries_out
from croupier.regulations.payouts import ForOne
from croupier.table.decide import current_round, decider_for, event_metadata, require_phase, rule_clause
from croupier.table.model import commands as c
from croupier.table.model import events as e
from croupier.table.model.roles import Role
from croupier.table.model.setup import DRAWN_BONUSES, Setup
from croupier.table.model.state import Phase, Round, Table, UnknownCards
from croupier.table.narration import wager_title
from croupier.table.procedure.card_entries import require_entered
from croupier.table.settlement import SeatSettlement, SettlementEntry


@dataclass(frozen=True, slots=True)
class Win:
    """A win on a meter's paytable, and whether a floorperson must validate it."""

    entry: SettlementEntry
    needs_floor: bool

    @property
    def wager(self) -> str:
        return self.entry.wager


def wins_on_meters(table: Table, seat: int) -> list[Win]:
    """A seat's wins on paytables of meters, before it is settled."""
    round_ = table.round
    if round_ is None or not table.setup.on_meters & round_.wagers.get(seat, {}).keys():
        return []
    meters = SettlementMeters(table.meters, table.setup.choice("reserve"))
    try:
        entries = list(SeatSettlement(table.setup, round_, seat, meters).entries())
    except UnknownCards:  # nobody wins by cards that were not entered yet
        return []
    return [
        Win(entry, _needs_floor(table, entry))
        for entry in entries
        if entry.outcome == "win" and (entry.wager in table.setup.on_meters or entry.wager in DRAWN_BONUSES)
    ]


@carries_out("floor_verifies_five_card_hand", "validate_progressive")
def _needs_floor(table: Table, entry: SettlementEntry) -> bool:
    """Every progressive win, and an electronic win from a meter or at the edition's odds or higher."""
    if not _is_electronic(table, entry.wager) or entry.meter:
        return True
    payout = entry.payout
    return isinstance(payout, ForOne) and payout.multiple >= table.setup.elected.edition.figure("floor_verifies_from")


def _is_electronic(table: Table, wager: str) -> bool:
    """Whether a win is that of an electronic wager or of a bonus drawn for one."""
    return wager in table.setup.electronic or wager in DRAWN_BONUSES


def unverified_wins(table: Table, seat: int) -> list[Win]:
    """The wins that the dealer must still verify."""
    round_ = table.round
    return [win for win in wins_on_meters(table, seat) if round_ and (seat, win.wager) not in round_.verified]


def unvalidated_wins(table: Table, seat: int) -> list[Win]:
    """The wins that a floorperson must still validate."""
    round_ = table.round
    wins = wins_on_meters(table, seat)
    return [win for win in wins if win.needs_floor and round_ and (seat, win.wager) not in round_.validated]


def verification_rule(table: Table, win: Win) -> str:
    """The rule under which the dealer verifies a win."""
    return "verify_five_card_hand" if _is_electronic(table, win.wager) else "verify_progressive_hand"


def validation_rule(table: Table, win: Win) -> str:
    """The rule under which a floorperson validates a win."""
    return "floor_verifies_five_card_hand" if _is_electronic(table, win.wager) else "validate_progressive"


@decider_for(c.VerifyWin)
@carries_out("verify_progressive_hand", "verify_progressive_light", "verify_five_card_hand")
def verify_win(table: Table, command: c.VerifyWin) -> Iterator[e.Event]:
    require_phase(table, "verify_progressive_hand", Phase.SETTLING)
    round_ = current_round(table, "verify_progressive_hand")
    clause = rule_clause(table, "settle_in_turn")
    if command.seat != round_.unsettled[0]:
        raise RuleViolation(clause, f"it is seat {round_.unsettled[0]}'s turn, not seat {command.seat}'s")
    require_entered(table, round_)
    wins = unverified_wins(table, command.seat)
    if not wins:
        raise RuleViolation(clause, f"seat {command.seat} has no progressive or electronic win to verify")
    if command.seat not in round_.turned_up:
        yield e.HandTurnedUp(seat=command.seat, **event_metadata(table, command, "turn_up_hand"))
    for win in wins:
        fields: dict[str, Any] = {"seat": command.seat, "wager": win.wager}
        yield e.WinVerified(
            row=win.entry.row, **fields, **event_metadata(table, command, verification_rule(table, win))
        )
        if not _is_electronic(table, win.wager):
            yield e.LightVerified(
                lit=command.lit, **fields, **event_metadata(table, command, "verify_progressive_light")
            )
    for meter in dict.fromkeys(win.entry.meter for win in wins if win.entry.meter):
        if not _is_paid_from_share(table, round_, command.seat):
            lock: dict[str, Any] = {"meter": meter, "round": round_.number, "seat": command.seat}
            paytable = table.meters[meter].plan.table
            yield e.MeterLocked(**lock, **event_metadata(table, command, "pay_progressive", paytable))


def _is_paid_from_share(table: Table, round_: Round, seat: int) -> bool:
    """Whether the seat wins only shares of meters that were divided at another seat's turn."""
    return seat in round_.shares and all(
        win.entry.wager in table.setup.game.on_dealer for win in wins_on_meters(table, seat) if win.entry.meter
    )


def system_validates(setup: Setup) -> bool:
    """Whether the operator elected that the system validates wins on meters; the text asks for a person."""
    return setup.choice("win_validation") != "floorperson"


@decider_for(c.ValidateWin)
@carries_out("validate_progressive", "floor_verifies_five_card_hand", "elections.win_validation")
def validate_win(table: Table, command: c.ValidateWin) -> Iterator[e.Event]:
    require_phase(table, "validate_progressive", Phase.SETTLING)
    round_ = current_round(table, "validate_progressive")
    clause = rule_clause(table, "validate_progressive")
    wins = [win for win in unvalidated_wins(table, command.seat) if (command.seat, win.wager) in round_.verified]
    if not wins:
        raise RuleViolation(clause, f"seat {command.seat} has no verified win that waits for validation")
    for win in wins:
        verified = round_.verified[command.seat, win.wager]
        clause = rule_clause(table, validation_rule(table, win))
        if command.by.role is Role.SYSTEM and not system_validates(table.setup):
            title = wager_title(table.setup, win.wager)
            reason = f"a floorperson or above must validate the {title} of seat {command.seat}"
            raise RuleViolation(clause, f"{reason}: the Rules Submission does not leave it to the system")
        if verified.by == command.by.name and command.by.role is not Role.SYSTEM:
            raise RuleViolation(clause, f"{command.by.name} verified the hand: another person must validate it")
        if not verified.lit and not command.reason.strip():
            reason = f"the light of seat {command.seat} was not lit: say why the win is valid"
            raise RuleViolation(rule_clause(table, "verify_progressive_light"), reason)
    for win in wins:
        fields: dict[str, Any] = {"seat": command.seat, "wager": win.wager, "reason": command.reason}
        yield e.WinValidated(**fields, **event_metadata(table, command, validation_rule(table, win)))


@carries_out("verify_progressive_hand", "validate_progressive", "verify_five_card_hand", "pay_progressive")
def require_validated(table: Table, round_: Round, seat: int) -> None:
    """Refuses to settle a seat with unverified or unvalidated wins, or before an earlier win on the same meter."""
    for win in wins_on_meters(table, seat):
        title = wager_title(table.setup, win.wager)
        if (seat, win.wager) not in round_.verified:
            clause = rule_clause(table, verification_rule(table, win))
            raise RuleViolation(clause, f"verify the winning {title} of seat {seat} first")
        if win.needs_floor and (seat, win.wager) not in round_.validated:
            clause = rule_clause(table, validation_rule(table, win))
            raise RuleViolation(clause, f"a floorperson must validate the {title} of seat {seat} first")
        claims = table.meters[win.entry.meter].claims if win.entry.meter else ()
        if (
            claims
            and claims[0] != MeterClaim(table.setup.name, round_.number, seat)
            and not _is_paid_from_share(table, round_, seat)
        ):
            lock_text = (
                f"meter {win.entry.meter} is locked for the win at table {claims[0].table}, seat {claims[0].seat}"
            )
            turn_clause = rule_clause(table, "meter_at_the_players_turn", table.meters[win.entry.meter].plan.table)
            raise RuleViolation(turn_clause, f"{lock_text}, which is paid first")


@decider_for(c.CompleteDocuments)
@carries_out("pay_progressive", "credit_game_account")
def complete_documents(table: Table, command: c.CompleteDocuments) -> Iterator[e.Event]:
    require_phase(table, "pay_progressive", Phase.SETTLING, Phase.RACKING)
    round_ = current_round(table, "pay_progressive")
    clause = documents_clause(table, round_, command.seat)
    if command.seat not in round_.awaiting_documents:
        raise RuleViolation(clause, f"no cards of seat {command.seat} are held for documents")
    if not command.reference.strip():
        raise RuleViolation(clause, "give the document reference, for the record")
    yield e.DocumentsCompleted(
        seat=command.seat,
        patron=round_.patrons[command.seat],
        reference=command.reference,
        amounts=round_.awaiting_documents[command.seat],
        clause=clause,
        by=command.by,
        at=command.at,
    )


def documents_clause(table: Table, round_: Round, seat: int) -> str:
    """The clause under which a seat's cards stay until the documents of its win are complete."""
    amounts = round_.awaiting_documents.get(seat, ())
    if amounts and all(name == MYSTERY for name, _ in amounts):
        return ""
    return rule_clause(table, "pay_progressive", table.meters[amounts[0][0]].plan.table if amounts else "")


def pays_by_attendant(table: Table) -> bool:
    """Whether an attendant pays meter wins once the documents are complete, with the cards kept until then."""
    return table.setup.choice("maryland_hold") != "not_kept"


@decider_for(c.ArmMystery)
def arm_mystery(table: Table, command: c.ArmMystery) -> Iterator[e.Event]:
    plan = table.setup.mystery
    if plan is None:
        raise RuleViolation("", "this table has no mystery meter")
    if table.trigger is not None:
        raise RuleViolation("", "the trigger is committed to: it is not drawn again until it is hit")
    if not plan.seed < command.trigger <= plan.ceiling:
        raise RuleViolation(
            "", f"a trigger is above {format_money(plan.seed)} and at most {format_money(plan.ceiling)}"
        )
    if len(command.nonce) < 32:
        raise RuleViolation("", "a nonce of at least 32 characters must hide the trigger")
    commitment = Trigger(command.trigger, command.nonce).commitment
    fields: dict[str, Any] = {"trigger": command.trigger, "nonce": command.nonce, "commitment": commitment}
    yield e.MysteryArmed(**fields, clause="", by=command.by, at=command.at)


def require_armed(table: Table) -> None:
    """Refuses to close wagers while the mystery meter has no trigger."""
    if table.setup.mystery is not None and table.trigger is None:
        raise RuleViolation("", "the mystery meter has no trigger yet: the system draws it first")


def hit_mystery(table: Table, dealt: tuple[int, ...], metadata: dict[str, Any]) -> Iterator[e.Event]:
    """The events if the contributions at lock-out take the mystery meter to its trigger."""
    plan, trigger = table.setup.mystery, table.trigger
    if plan is None or trigger is None:
        return
    contributions = tuple((seat, plan.rate * _stake(table, seat, plan.wagers)) for seat in dealt)
    seat = seat_reaching_trigger(table.meters[MYSTERY].amount, contributions, trigger.cents)
    if seat is None:
        return
    fed_meter = table.meters[MYSTERY].with_contribution(sum((amount for _, amount in contributions), Fraction(0)))
    meters = SettlementMeters({**table.meters, MYSTERY: fed_meter}, table.setup.choice("reserve"))
    amount = meters.take(MYSTERY, "main", Fraction(1))
    secret: dict[str, Any] = {"trigger": trigger.cents, "nonce": trigger.nonce, "commitment": trigger.commitment}
    yield e.MysteryHit(seat=seat, patron=table.seats[seat], amount=amount, **secret, **metadata)
    meter = fed_meter
    for change in meters.changes:
        before, meter = meter, meter.with_change(change.amount, change.cause)
        yield e.MeterChanged(
            meter=MYSTERY,
            amount=change.amount,
            cause=change.cause,
            before=before.amount,
            after=meter.amount,
            **metadata,
        )


def _stake(table: Table, seat: int, wagers: tuple[str, ...]) -> int:
    return sum(amount for wager, amount in table.wagers[seat].items() if wager in wagers)
