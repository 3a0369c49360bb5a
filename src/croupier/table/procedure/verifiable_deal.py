"""Verifiable deals at a table: commit, contribute, shuffle, reveal. No clause requires them; off by default."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from croupier.core.errors import RuleViolation
from croupier.table.decide import decider_for
from croupier.table.evolve import copy_with, next_state
from croupier.table.model import commands as c
from croupier.table.model import events as e
from croupier.table.model.roles import Role
from croupier.table.model.state import Phase, Table
from croupier.table.procedure.commitments import MAX_CONTRIBUTION_LENGTH, SEED_BYTES, DealCommitment, commitment


def _require_verifiable(table: Table) -> None:
    if not table.setup.verifiable:
        raise RuleViolation("", "this table does not deal verifiably")


@decider_for(c.CommitDeal)
def commit_deal(table: Table, command: c.CommitDeal) -> Iterator[e.Event]:
    _require_verifiable(table)
    if table.phase is Phase.CLOSED:
        raise RuleViolation("", "the table is closed")
    if table.committed_deal is not None:
        raise RuleViolation(
            "", f"deal {table.committed_deal.deal} is committed to but not shuffled yet: its seed cannot change"
        )
    if not re.fullmatch(rf"[0-9a-f]{{{2 * SEED_BYTES}}}", command.server_seed):
        raise RuleViolation("", f"a server seed is {SEED_BYTES} bytes in hexadecimal")
    fields: dict[str, Any] = {"server_seed": command.server_seed, "commitment": commitment(command.server_seed)}
    yield e.DealCommitted(deal=table.deals + 1, **fields, clause="", by=command.by, at=command.at)


@decider_for(c.ContributeToDeal)
def contribute_to_deal(table: Table, command: c.ContributeToDeal) -> Iterator[e.Event]:
    _require_verifiable(table)
    deal, patron = table.committed_deal, command.patron
    if command.by.role is Role.PATRON and command.by.name != patron:
        raise RuleViolation("", f"{command.by.name} cannot act for {patron}")
    if patron not in table.seats.values():
        raise RuleViolation("", f"{patron} is not seated here")
    if deal is None:
        raise RuleViolation("", "no deal is open for contributions: wait for the next commitment")
    if patron in [name for name, _ in deal.contributions]:
        raise RuleViolation("", f"{patron} has already contributed to deal {deal.deal}")
    if not 1 <= len(command.text) <= MAX_CONTRIBUTION_LENGTH or not command.text.isprintable():
        raise RuleViolation("", f"a contribution is from 1 to {MAX_CONTRIBUTION_LENGTH} printable characters")
    yield e.DealContributed(deal=deal.deal, patron=patron, text=command.text, clause="", by=command.by, at=command.at)


@decider_for(c.RevealDeal)
def reveal_deal(table: Table, command: c.RevealDeal) -> Iterator[e.Event]:
    _require_verifiable(table)
    if not table.unrevealed:
        raise RuleViolation("", "there is no deal to reveal: a seed is revealed when its cards are out of play")
    for deal in table.unrevealed:
        yield e.DealRevealed(
            deal=deal.deal,
            commitment=deal.commitment,
            server_seed=deal.server_seed,
            contributions=deal.contributions,
            clause="",
            by=command.by,
            at=command.at,
        )


def require_committed_order(table: Table, command: c.Shuffle) -> None:
    """Refuses a shuffle whose order is not the committed one."""
    if not table.setup.verifiable:
        return
    if table.committed_deal is None:
        raise RuleViolation("", "this table deals verifiably: commit to the deal before the shuffle")
    if not command.by_device or command.order != table.committed_deal.order():
        raise RuleViolation("", f"the order is not the committed order of deal {table.committed_deal.deal}")


def require_revealed(table: Table) -> None:
    """Refuses to close wagers on cards without a commitment, or before the last deal is revealed."""
    if not table.setup.verifiable:
        return
    if table.deck_in_use not in table.deck_commitments:
        raise RuleViolation("", "this table deals verifiably, and these cards have no commitment")
    if table.unrevealed:
        raise RuleViolation("", f"reveal deal {table.unrevealed[0].deal} first")


@next_state.register
def _(event: e.DealCommitted, table: Table) -> Table:
    return copy_with(table, committed_deal=DealCommitment(event.deal, event.server_seed), deals=event.deal)


@next_state.register
def _(event: e.DealContributed, table: Table) -> Table:
    committed_deal = table.committed_deal.with_contribution(event.patron, event.text) if table.committed_deal else None
    return copy_with(table, committed_deal=committed_deal)


@next_state.register
def _(event: e.DealRevealed, table: Table) -> Table:
    return copy_with(table, unrevealed=tuple(deal for deal in table.unrevealed if deal.deal != event.deal))
