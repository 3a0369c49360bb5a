"""The stub: racked after the deal, or counted when a count is due; a wrong count voids the round."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.core.errors import ErrorCode, RuleViolation
from croupier.regulations.clauses import carries_out
from croupier.table.decide import current_round, decider_for, event_metadata, require_phase, rule_clause
from croupier.table.model import commands as c
from croupier.table.model import events as e
from croupier.table.model.state import Phase, Table
from croupier.table.procedure.irregularities import void_round


def is_stub_count_due(table: Table) -> bool:
    """Whether the stub must be counted in this round."""
    if table.setup.counts_cards:
        return False
    return table.rounds_since_count >= table.setup.elected.edition.figure("stub_count_rounds")


def stub_count_clause(table: Table) -> str:
    """The clause that requires the count; if there is none for the method, that of another method."""
    return rule_clause(table, "stub_count") or table.setup.clause("stub_count_manual_shoe")


@decider_for(c.RackStub)
@carries_out("rack_stub_manual_shoe", "rack_stub_hand", "rack_stub_automated_shoe")
def rack_stub(table: Table, command: c.RackStub) -> Iterator[e.Event]:
    require_phase(table, "rack_stub", Phase.STUB)
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
)
def count_stub(table: Table, command: c.CountStub) -> Iterator[e.Event]:
    require_phase(table, "stub_right", Phase.STUB)
    round_ = current_round(table, "stub_right")
    deck_size = table.setup.elected.edition.figure("deck_cards")
    expected = deck_size - round_.drawn
    if command.stub == expected:
        yield e.StubCounted(stub=command.stub, right=True, **event_metadata(table, command, "stub_right"))
        return
    if not 0 <= command.stub <= deck_size:
        raise RuleViolation(rule_clause(table, "stub_right"), f"{command.stub} is not a valid number of cards")
    if command.total is None:
        reason = f"the stub should have {expected} cards, not {command.stub}: count every hand and give the total"
        raise RuleViolation(rule_clause(table, "stub_wrong"), reason, ErrorCode.RECOUNT)
    if command.total < command.stub:
        reason = f"the total cannot be {command.total} when the stub alone has {command.stub}"
        raise RuleViolation(rule_clause(table, "stub_wrong"), reason)
    metadata = event_metadata(table, command, "stub_wrong")
    yield e.StubCounted(stub=command.stub, right=False, **metadata)
    yield from void_round(table, cause="stub_wrong", settles_optional=False, metadata=metadata)
    if command.total != deck_size:
        yield e.DeckRemoved(deck=round_.deck, reason=f"{command.total} cards were counted", **metadata)
