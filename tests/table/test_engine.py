"""The whole engine: pure, complete and independent of games; following its prompts completes rounds."""

from __future__ import annotations

import ast
import re
from collections import Counter
from dataclasses import FrozenInstanceError, fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

import croupier.table
from croupier.core.money import format_money
from croupier.games import GAMES
from croupier.regulations import EDITIONS, edition
from croupier.table import Phase, Refusal, decide, evolve_all, new_table
from croupier.table.automation import AUTOMATABLE_STEPS, Automation
from croupier.table.decide import _DECIDERS
from croupier.table.evolve import next_state
from croupier.table.model import commands
from croupier.table.model import commands as c
from croupier.table.model import events as e
from croupier.table.model.roles import SYSTEM, Actor, Role
from croupier.table.narration import _describe, describe, explain
from croupier.table.procedure.shuffle import SeededShuffle
from croupier.table.prompts import prompts
from croupier.table.session import TableSession
from tests.table.state_model import follow
from tests.table.tables import (
    COMMANDS,
    EVENTS,
    FLOYD,
    HOUR,
    METHODS,
    ORDER,
    SIDE_WAGER,
    ScriptedTable,
    open_table,
    setup_of,
)

FOLDER = Path(croupier.table.__file__).parent
MODULES = sorted(FOLDER.rglob("*.py"))
MODULE_IDS = [module.relative_to(FOLDER).with_suffix("").as_posix() for module in MODULES]
NONDETERMINISTIC_MODULES = {
    "time",
    "random",
    "secrets",
    "os",
    "datetime",
    "uuid",
    "numpy",
    "socket",
    "asyncio",
    "threading",
}
DEALING_SETUPS = [
    {"method": "manual_shoe", "shuffler": "none"},
    {"method": "manual_shoe", "shuffler": "automated", "decks": 2},
    {"method": "hand", "shuffler": "counting"},
    {"method": "hand", "shuffler": "automated", "decks": 2},
    {"method": "automated_shoe", "shuffler": "automated"},
    {"method": "automated_shoe", "shuffler": "reshuffling", "dealer_cards_first": True, "four_card_stacks": True},
]
dealing_setups = pytest.mark.parametrize(
    "dealing", DEALING_SETUPS, ids=lambda dealing: "-".join(str(value) for value in dealing.values())
)


# The source code.


def _forbidden_names() -> set[str]:
    """Names that no module of the table may contain: games, editions, and wagers of a single game."""
    names = {*EDITIONS, *GAMES, *(game.title for game in GAMES.values())}
    names |= {part for name in EDITIONS for part in re.findall(r"6\d\da", name)}
    common = set.intersection(*(set(edition(name).wagers) for name in EDITIONS))
    wagers = {wager for name in EDITIONS for wager in edition(name).wagers} - common
    return names | {f'"{wager}"' for wager in wagers if "_" in wager}


def _code(module: Path) -> str:
    """A module's text without its docstrings: an example there may name an edition."""
    tree = ast.parse(module.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            node.body = [x for x in node.body if not (isinstance(x, ast.Expr) and isinstance(x.value, ast.Constant))]
            node.body = node.body or [ast.Pass()]
    return ast.unparse(tree).replace("'", '"')


@pytest.mark.parametrize("module", MODULES, ids=MODULE_IDS)
def test_no_module_of_the_table_names_a_game_or_an_edition(module: Path) -> None:
    code = _code(module)
    names = {name for name in _forbidden_names() if name.lower() in code.lower()}
    assert not names
    text = module.read_text(encoding="utf-8").lower()
    assert not {name for game in GAMES.values() for name in (game.name, game.title.lower()) if name in text}


@pytest.mark.parametrize("module", MODULES, ids=MODULE_IDS)
def test_the_engine_uses_no_clock_or_randomness(module: Path) -> None:
    tree = ast.parse(module.read_text(encoding="utf-8"))
    imported = {alias.name.split(".")[0] for x in ast.walk(tree) if isinstance(x, ast.Import) for alias in x.names}
    imported |= {(x.module or "").split(".")[0] for x in ast.walk(tree) if isinstance(x, ast.ImportFrom)}
    allowed = {"secrets"} if module.stem == "shuffle" else set()
    assert not imported & NONDETERMINISTIC_MODULES - allowed
    calls = {x.func.id for x in ast.walk(tree) if isinstance(x, ast.Call) and isinstance(x.func, ast.Name)}
    assert not calls & {"open", "print", "input", "eval", "exec"}


# Commands and events.


@pytest.mark.parametrize("kind", COMMANDS, ids=lambda kind: kind.__name__)
def test_every_command_has_a_decider_roles_and_a_rule(kind: type[c.Command]) -> None:
    assert kind in _DECIDERS
    assert kind.roles
    assert kind.roles <= set(Role)
    for name in _editions_with(kind):
        for method in METHODS:
            setup = setup_of(name, method=method)
            assert (
                setup.clause(kind.rule) or setup.clause(f"{kind.rule}_{method}") or _has_no_clause(name, kind, method)
            )


SYSTEM_COMMANDS = (
    c.DrawBonus,
    c.FundAccount,
    c.CountProgressiveChips,
    c.ResolveChipCount,
    c.VerifyWin,
    c.ValidateWin,
    c.CompleteDocuments,
    c.SetUpMeter,
    c.CorrectMeter,
)


def _editions_with(kind: type[c.Command]) -> list[str]:
    """The editions that have a command; some commands need a progressive or electronic system."""
    if kind not in SYSTEM_COMMANDS:
        return list(EDITIONS)
    rules = (kind.rule, f"{kind.rule}_manual_shoe")
    editions = [name for name in EDITIONS if any(edition(name).clause(rule) for rule in rules)]
    assert editions
    return editions


def _has_no_clause(name: str, kind: type[c.Command], method: str) -> bool:
    """Maryland's chapter 10 omits the duty to count the stub (AMB-55)."""
    return (name, kind, method) == ("md-4cp", c.CountStub, "automated_shoe")


def test_only_commands_have_deciders() -> None:
    assert set(_DECIDERS) == set(COMMANDS)


@pytest.mark.parametrize("kind", COMMANDS, ids=lambda kind: kind.__name__)
def test_a_command_by_the_wrong_role_is_refused_under_its_rule(kind: type[c.Command]) -> None:
    values: dict[str, Any] = {field.name: None for field in fields(kind) if field.name not in ("by", "at")}
    table = open_table(_editions_with(kind)[0]).table
    clauses = {table.setup.clause(kind.rule), table.setup.clause(f"{kind.rule}_manual_shoe")} - {""}
    for role in set(Role) - kind.roles:
        outcome = decide(table, kind(by=Actor("Somebody", role), at=0, **values))
        assert isinstance(outcome, Refusal)
        assert outcome.clause in clauses
        assert outcome.reason.startswith("only ")
        assert outcome.reason.endswith(f" may do this, not {role.label}")
        assert "_" not in outcome.reason


@pytest.mark.parametrize("kind", EVENTS, ids=lambda kind: kind.__name__)
def test_every_event_has_a_state_change_and_a_description(kind: type[e.Event]) -> None:
    assert next_state.dispatch(kind) is not next_state.dispatch(object)
    assert _describe.dispatch(kind) is not _describe.dispatch(object)
    assert is_dataclass(kind)
    values: dict[str, Any] = {field.name: None for field in fields(kind)}
    event = kind(**values)
    with pytest.raises(FrozenInstanceError):
        event.clause = "another"  # type: ignore[misc]


def test_states_and_commands_are_frozen_too() -> None:
    table = open_table("pa-682a").table
    with pytest.raises(FrozenInstanceError):
        table.tray = 1  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        table.deck.order = ()  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        commands.Deal(by=SYSTEM, at=0).at = 1  # type: ignore[misc]


@pytest.mark.parametrize("edition_name", EDITIONS)
def test_deciding_twice_gives_the_same_events(edition_name: str) -> None:
    table = open_table(edition_name, 1, 2).load().bet()
    deal = c.Deal(by=SYSTEM, at=5)
    assert decide(table.table, deal) == decide(table.table, deal)


# Reasons.


@pytest.mark.parametrize("edition_name", EDITIONS)
@pytest.mark.parametrize("outcome", ["win", "push", "lose", "forfeit", "returned"])
@pytest.mark.parametrize("limited", [False, True])
def test_every_outcome_has_a_sentence(edition_name: str, outcome: str, limited: bool) -> None:
    setup = setup_of(edition_name)
    for wager in (*edition(edition_name).wagers, *edition(edition_name).paytables):
        entry = e.WagerSettled(
            seat=3,
            wager=wager,
            staked=10_00,
            outcome=outcome,
            returned=10_00,
            paid=25_50,
            procedure="x.1",
            hand="three_of_a_kind",
            row="three_of_a_kind",
            pays="2 to 1",
            table="prime A",
            limited=limited,
            clause="x.2",
            by=SYSTEM,
            at=0,
        )
        sentence = explain(setup, entry)
        assert sentence.endswith("(x.2)")
        assert "_" not in sentence
        assert {"win": "wins $25.50", "lose": "loses", "forfeit": "forfeited"}.get(outcome, "$10") in sentence
        assert describe(setup, entry).startswith("Seat 3: ")


@pytest.mark.parametrize("edition_name", EDITIONS)
def test_every_cent_of_a_round_is_explained(edition_name: str) -> None:
    for seed in range(12):
        table = open_table(edition_name, 1, 2, 3)
        table.to_decisions(also=(SIDE_WAGER[edition_name],), order=SeededShuffle(str(seed)).order())
        table.send(c.Decide, seat=1, amount=None)
        table.to_settlement().finish()
        for entry in table.events_of(e.WagerSettled):
            sentence = explain(table.table.setup, entry)
            assert entry.clause in sentence
            if entry.paid:
                assert format_money(entry.paid) in sentence
        for event in table.events:
            sentence = describe(table.table.setup, event)
            assert sentence != type(event).__name__
            assert event.clause in sentence, event


# Prompts.


@pytest.mark.parametrize("edition_name", EDITIONS)
@dealing_setups
def test_following_the_first_prompt_completes_rounds(edition_name: str, dealing: dict[str, Any]) -> None:
    session = TableSession(setup_of(edition_name, **dealing))
    shuffles = SeededShuffle(edition_name)
    phases: Counter[Phase] = Counter()
    for _ in range(400):
        first = prompts(session.table)[0]
        assert first.text
        assert first.clause
        command = follow(session.table, first, order=shuffles.order() if first.command == "Shuffle" else ORDER)
        assert command.by.role in type(command).roles
        if type(command).__name__ == first.command:
            assert command.by.role is first.role
        phases[session.table.phase] += 1
        session.send(command)
        if session.table.rounds == 7 and session.table.round is None:
            break
    assert len([x for x in session.events if isinstance(x, e.RoundCompleted)]) == 7
    assert set(phases) >= {Phase.OPENING, Phase.BETTING, Phase.DEALING, Phase.STUB, Phase.DECIDING, Phase.SETTLING}


@pytest.mark.parametrize("edition_name", EDITIONS)
@dealing_setups
def test_prompts_cover_preshuffled_cards(edition_name: str, dealing: dict[str, Any]) -> None:
    session = TableSession(setup_of(edition_name, **dealing, preshuffled=True))
    decks = tuple(session.table.decks)
    dealer = Actor("Dana", Role.DEALER)
    session.send(c.ReceiveCards(by=dealer, at=0, decks=decks, orders=tuple(ORDER for _ in decks)))
    session.send(c.Sit(by=dealer, at=0, patron="Pat", seats=(1,)))
    while session.table.rounds < 3 or session.table.round is not None:
        session.send(follow(session.table, prompts(session.table)[0]))
    assert not [x for x in session.events if isinstance(x, e.CardsInspected)]


@pytest.mark.parametrize("edition_name", EDITIONS)
def test_prompts_lead_on_after_idleness_a_removed_deck_or_an_empty_table(edition_name: str) -> None:
    table = open_table(edition_name).load()
    table.send(c.Leave, patron="seat 1")
    assert [prompt.command for prompt in prompts(table.table)] == ["SpreadIdleCards"]
    refusal = table.expect_refusal(c.Sit, patron="next", seats=(2,))
    assert (refusal.clause, "was idle" in refusal.reason) == (table.clause("idle_table"), True)
    table.send(c.SpreadIdleCards)
    table.now = 9 * HOUR
    while table.table.rounds < 1 or table.table.round is not None:
        table.session.send(follow(table.table, prompts(table.table, table.now)[0], table.now))
    counting_table = open_table(edition_name, shuffler="counting")
    counting_table.shuffle(count=51)
    assert prompts(counting_table.table)[0].command == "ReceiveCards"
    while counting_table.table.rounds < 1 or counting_table.table.round is not None:
        counting_table.session.send(follow(counting_table.table, prompts(counting_table.table)[0]))


@pytest.mark.parametrize("edition_name", EDITIONS)
def test_the_floor_is_prompted_when_a_patron_has_left(edition_name: str) -> None:
    table = open_table(edition_name, 1, 2).to_decisions()
    table.send(c.Leave, patron="seat 1")
    first = prompts(table.table)[0]
    assert (first.role, first.command, first.clause) == (
        Role.FLOORPERSON,
        "DecideOnAbsence",
        table.clause("leaving_the_table"),
    )
    expired = open_table(edition_name).load()
    prompt = prompts(expired.table, 8 * HOUR)[0]
    assert (prompt.command, prompt.clause) == ("ReceiveCards", expired.clause("deck_change_shoe"))


# Automation.


@pytest.mark.parametrize("edition_name", EDITIONS)
@dealing_setups
def test_full_automation_plays_thirty_rounds(edition_name: str, dealing: dict[str, Any]) -> None:
    table = ScriptedTable(setup_of(edition_name, **dealing))
    automation = Automation(SeededShuffle(f"{edition_name} {dealing}"))
    decks = tuple(table.table.decks)
    table.send(c.ReceiveCards, decks=decks)
    automation.advance(table.session, table.now)
    for seat in (1, 2, 4):
        table.seat(f"seat {seat}", seat, chips=100_000_00)
    total = table.table.total()
    for number in range(1, 31):
        table.now += HOUR // 2
        automation.advance(table.session, table.now)
        table.expect(Phase.BETTING)
        table.bet(also=(SIDE_WAGER[edition_name],))
        while table.table.round is not None:
            automation.advance(table.session, table.now)
            if table.phase is Phase.DECIDING:
                seat = table.round.waiting[0]
                amount = None if (number + seat) % 5 == 0 else table.round.staked(seat, "ante")
                table.send(c.Decide, Actor(f"seat {seat}", Role.PATRON), seat=seat, amount=amount)
        assert table.table.total() == total
        assert table.table.on_table() == 0
    completed = [x for x in table.events if isinstance(x, e.RoundCompleted)]
    assert [x.round for x in completed] == list(range(1, 31))
    assert {x.by for x in completed} == {SYSTEM}
    assert {x.source for x in table.events_of(e.CardsShuffled)} == {f"seed {edition_name} {dealing}"}
    assert len(table.events_of(e.CardsReceived)) > len(decks), "decks are changed on time"
    assert evolve_all(new_table(table.session.table.setup), table.events).balances == table.table.balances


@pytest.mark.parametrize("edition_name", EDITIONS)
@pytest.mark.parametrize("manual_step", ["Shuffle", "VerifyInspection", "Deal", "SettleSeat"])
def test_a_manual_step_waits_for_its_person(edition_name: str, manual_step: str) -> None:
    table = ScriptedTable(setup_of(edition_name))
    automation = Automation(SeededShuffle("waits"), [step for step in AUTOMATABLE_STEPS if step != manual_step])
    table.send(c.ReceiveCards, decks=(1,))
    automation.advance(table.session, 0)
    if manual_step == "VerifyInspection":
        assert prompts(table.table)[0].command == manual_step
        table.send(c.VerifyInspection, FLOYD, deck=1)
        automation.advance(table.session, 0)
    table.seat("Pat", 1)
    automation.advance(table.session, 0)
    if manual_step == "Shuffle":
        table.expect(Phase.SHUFFLING)
        table.shuffle()
        automation.advance(table.session, 0)
    table.bet()
    automation.advance(table.session, 0)
    if manual_step == "Deal":
        table.expect(Phase.DEALING)
        table.deal()
        automation.advance(table.session, 0)
    while table.phase is Phase.DECIDING:
        table.all_stay()
        automation.advance(table.session, 0)
    if manual_step == "SettleSeat":
        table.expect(Phase.SETTLING)
        table.settle()
        automation.advance(table.session, 0)
    assert table.table.rounds == 1
    assert table.table.round is None
