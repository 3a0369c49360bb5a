"""Verifiable deals at a table: commit, contribute, shuffle as committed, reveal. No clause asks for it: it is off."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from croupier.errors import NotPermitted
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.decide import decides
from croupier.table.evolve import next_state
from croupier.table.people import Role
from croupier.table.pledges import LONGEST, SEED_BYTES, Pledge, commitment
from croupier.table.state import Phase, Table, evolved


def _require_verifiable(table: Table) -> None:
    if not table.setup.verifiable:
        raise NotPermitted("", "this table does not deal verifiably")


@decides(c.CommitDeal)
def commit_deal(table: Table, command: c.CommitDeal) -> Iterator[e.Event]:
    _require_verifiable(table)
    if table.phase is Phase.CLOSED:
        raise NotPermitted("", "the table is closed")
    if table.pledge is not None:
        raise NotPermitted(
            "", f"deal {table.pledge.deal} is committed to and not shuffled yet: its seed stays as it is"
        )
    if not re.fullmatch(rf"[0-9a-f]{{{2 * SEED_BYTES}}}", command.server_seed):
        raise NotPermitted("", f"a server seed is {SEED_BYTES} bytes in hexadecimal")
    known: dict[str, Any] = {"server_seed": command.server_seed, "commitment": commitment(command.server_seed)}
    yield e.DealCommitted(deal=table.deals + 1, **known, clause="", by=command.by, at=command.at)


@decides(c.ContributeToDeal)
def contribute_to_deal(table: Table, command: c.ContributeToDeal) -> Iterator[e.Event]:
    _require_verifiable(table)
    pledge, patron = table.pledge, command.patron
    if command.by.role is Role.PATRON and command.by.name != patron:
        raise NotPermitted("", f"{command.by.name} cannot act for {patron}")
    if patron not in table.seats.values():
        raise NotPermitted("", f"{patron} is not seated here")
    if pledge is None:
        raise NotPermitted("", "no deal is committed to that is not shuffled yet: wait for the next commitment")
    if patron in [name for name, _ in pledge.contributions]:
        raise NotPermitted("", f"{patron} has contributed to deal {pledge.deal} already")
    if not 1 <= len(command.text) <= LONGEST or not command.text.isprintable():
        raise NotPermitted("", f"a contribution is from 1 to {LONGEST} characters that can be printed")
    yield e.DealContributed(deal=pledge.deal, patron=patron, text=command.text, clause="", by=command.by, at=command.at)


@decides(c.RevealDeal)
def reveal_deal(table: Table, command: c.RevealDeal) -> Iterator[e.Event]:
    _require_verifiable(table)
    if not table.unrevealed:
        raise NotPermitted("", "there is no deal to reveal: a seed is shown when its cards are out of play")
    for pledge in table.unrevealed:
        yield e.DealRevealed(
            deal=pledge.deal,
            commitment=pledge.commitment,
            server_seed=pledge.server_seed,
            contributions=pledge.contributions,
            clause="",
            by=command.by,
            at=command.at,
        )


def require_pledged(table: Table, command: c.Shuffle) -> None:
    """Refuses a shuffle that is not the one committed to."""
    if not table.setup.verifiable:
        return
    if table.pledge is None:
        raise NotPermitted("", "this table deals verifiably: commit to the deal before the shuffle")
    if not command.by_device or command.order != table.pledge.order():
        raise NotPermitted("", f"the order is not that of deal {table.pledge.deal}, which was committed to")


def require_revealed(table: Table) -> None:
    """Refuses to close wagers on a deal that was not committed to, or while the last one is hidden."""
    if not table.setup.verifiable:
        return
    if table.deck_in_use not in table.pledged:
        raise NotPermitted("", "this table deals verifiably, and nobody committed to these cards")
    if table.unrevealed:
        raise NotPermitted("", f"reveal deal {table.unrevealed[0].deal} first")


@next_state.register
def _(event: e.DealCommitted, table: Table) -> Table:
    return evolved(table, pledge=Pledge(event.deal, event.server_seed), deals=event.deal)


@next_state.register
def _(event: e.DealContributed, table: Table) -> Table:
    pledge = table.pledge.with_contribution(event.patron, event.text) if table.pledge else None
    return evolved(table, pledge=pledge)


@next_state.register
def _(event: e.DealRevealed, table: Table) -> Table:
    return evolved(table, unrevealed=tuple(pledge for pledge in table.unrevealed if pledge.deal != event.deal))
