"""Preshuffled cards at an idle table: section .5(f), Maryland's 5.F."""

from __future__ import annotations

from croupier.audits.checks.procedure import check_procedure
from croupier.table.model import commands as c
from croupier.table.model import events as e
from croupier.table.prompts import prompts
from tests.support import shows
from tests.table.tables import ORDER, ScriptedTable, setup_of


@shows("idle_table")
def test_preshuffled_cards_are_spread_too_once_the_players_have_left(edition_name: str) -> None:
    table = ScriptedTable(setup_of(edition_name, preshuffled=True))
    setup = table.table.setup
    table.send(c.ReceiveCards, decks=(1,), orders=(ORDER,))
    table.send(c.Cut, depth=20)
    table.send(c.LoadCards)
    assert "SpreadIdleCards" not in [prompt.command for prompt in prompts(table.table)], "it waits for its first player"
    table.seat("Pat", 1, chips=100).send(c.Leave, patron="Pat")
    clause = table.clause("idle_table")
    assert (prompts(table.table)[0].command, prompts(table.table)[0].clause) == ("SpreadIdleCards", clause)
    assert table.expect_refusal(c.Sit, patron="Pia", seats=(1,)).clause == clause
    table.send(c.SpreadIdleCards)
    table.seat("Pia", 1)
    forged = [event for event in table.events if not isinstance(event, e.CardsSpreadIdle)]
    for events, is_clean in ((table.events, True), (forged, False)):
        findings = list(check_procedure(setup, list(enumerate(events, 1))))
        assert [finding.clause for finding in findings] == ([] if is_clean else [clause])
