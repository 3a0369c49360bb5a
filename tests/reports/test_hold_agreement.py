"""`croupier hold`, the office and a plain sum agree on every wager of every golden round."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from croupier.analysis.house_edges import Result, analyze_wager
from croupier.analysis.results import WagerResult
from croupier.analysis.wagers import wagers_of
from croupier.regulations import EDITIONS, ElectedEdition, edition
from croupier.reports import hold_page
from croupier.reports.hold import Bets, Expected, bet_of, collect_bets, observe
from croupier.scenarios import play_scenario, read_scenario
from croupier.server.office.hold import collect_holds, compare_hold, hold_query
from croupier.server.workers.house_edges import compute_edges
from croupier.storage import Store
from croupier.table.model import commands as c
from croupier.table.model.events import Event, WagerSettled
from croupier.table.model.roles import Actor, Role
from croupier.table.model.setup import Setup
from croupier.table.record.file import Record, RecordWriter
from croupier.table.session import TableSession
from croupier.table.settlement.corrections import largest_payment
from tests.cli.command_runner import CliResult, run_in_process
from tests.golden.replay import FOLDER, scenarios
from tests.storage.rounds import StoredTableSession

FLOORPERSON = Actor("Flo", Role.FLOORPERSON)
ROUND = 1
Figures = dict[str, tuple[int, int, int]]
"""For each bet: hands, cents wagered, and cents won by the house."""


class FixedTimeSession(StoredTableSession):
    """A table in a database whose commands all happen at the same time."""

    def __init__(self, store: Store, name: str, at: int) -> None:
        super().__init__(store, name)
        self.at = at

    def send(self, command: c.Command) -> tuple[Event, ...]:
        return super().send(replace(command, at=self.at))


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    store = Store(tmp_path_factory.mktemp("office") / "office.db")
    yield store
    store.close()


_results: dict[tuple[Any, ...], Result] = {}


def cached_analysis(elected: ElectedEdition, wager: str) -> Result:
    """The real analysis, computed once for all golden rounds."""
    key = (elected.edition.name, tuple(sorted(elected.choices.items())), wager)
    if key not in _results:
        _results[key] = analyze_wager(elected, wager)
    return _results[key]


@pytest.fixture
def croupier(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., CliResult]:
    monkeypatch.setattr(hold_page, "analyze_wager", cached_analysis)
    return partial(run_in_process, capsys)


def command_rows(croupier: Callable[..., CliResult], session: TableSession, folder: Path) -> list[dict[str, Any]]:
    """The rows of `croupier hold` for the record; empty if no bet is settled."""
    path = folder / "record.jsonl"
    with path.open("w", encoding="utf-8") as file:
        RecordWriter(file, session.table.setup).append(session.events)
    result = croupier("hold", path, "--json")
    if result.code == 2:
        assert "has no settled wagers" in result.err
        return []
    wagers: list[dict[str, Any]] = json.loads(result.out)["wagers"]
    return wagers


def office_rows(store: Store, at: int) -> list[dict[str, Any]]:
    """The rows of the office for the rounds at one time."""
    return [
        dict(compare_hold(hold, result))
        for hold in collect_holds(store, at, at + 1)
        for result in compute_edges(json.loads(json.dumps(hold_query(hold))))
    ]


def sum_entries(session: TableSession) -> Figures:
    """Adds up the current entries of the round one by one."""
    round_, rules = session.table.round, session.table.setup.elected.edition
    assert round_ is not None
    totals: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for seat in round_.dealt:
        owner, bonus_entries = "", defaultdict[str, list[WagerSettled]](list)
        for entry in (entry for entry in round_.entries if entry.seat == seat):
            if entry.wager in rules.required:
                owner = "ante"
            elif entry.wager in rules.optional:
                owner = entry.wager
            elif entry.wager in rules.envies:
                owner = rules.envies[entry.wager].on
            elif entry.wager in rules.paytables:
                on = rules.paytables[entry.wager].on
                owner = "ante" if on in rules.required else on
            bonus_entries[owner].append(entry)
        for bet, entries in bonus_entries.items():
            staked = sum(entry.staked for entry in entries if entry.wager == bet)
            if not staked or any(entry.outcome == "returned" for entry in entries):
                continue
            totals[bet][0] += 1
            totals[bet][1] += staked
            totals[bet][2] += sum(entry.staked - entry.returned - entry.paid for entry in entries)
    return {bet: (hands, wagered, won) for bet, (hands, wagered, won) in totals.items()}


def require_agreement(
    croupier: Callable[..., CliResult], session: TableSession, office: list[dict[str, Any]], folder: Path
) -> Figures:
    """All three agree to the cent on the hold; command and office agree on the expected hold."""
    command = {row["wager"]: row for row in command_rows(croupier, session, folder)}
    office_by_wager = {row["wager"]: row for row in office}
    figures = sum_entries(session)
    keys = ("hands", "wagered_cents", "won_cents")
    assert {bet: tuple(row[key] for key in keys) for bet, row in command.items()} == figures
    keys = ("entries", "handle_cents", "win_cents")
    assert {bet: tuple(row[key] for key in keys) for bet, row in office_by_wager.items()} == figures
    for bet, row in command.items():
        other = office_by_wager[bet]
        assert row["hold_percent"] == other["actual_percent"] == float(Fraction(100 * figures[bet][2], figures[bet][1]))
        assert Fraction(row["theoretical"]) == Fraction(other["house_edge"])
        assert (row["from_percent"], row["to_percent"]) == (other["low_percent"], other["high_percent"])
        assert (row["verdict"] in ("above", "below")) == other["outside"]
        assert (row["verdict"] == "not judged") == other["on_a_meter"]
    return figures


def _id(path: Path) -> str:
    return path.relative_to(FOLDER).with_suffix("").as_posix()


SAMPLE_INTERVAL = 15
"""Every so many golden rounds one goes through the database, the command and the office in the ordinary run."""


@pytest.mark.parametrize("name", EDITIONS)
def test_the_hold_is_the_plain_sum_of_every_golden_round(name: str) -> None:
    for path in scenarios():
        if path.parent.name == name:
            session = play_scenario(read_scenario(path))
            totals = observe(collect_bets(Record(session.table.setup, tuple(session.events))))
            assert {bet: (one.hands, one.wagered, one.won) for bet, one in totals.items()} == sum_entries(session), path


@pytest.mark.parametrize(
    ("number", "path"),
    [
        pytest.param(number, path, marks=() if number % SAMPLE_INTERVAL == 1 else pytest.mark.slow, id=_id(path))
        for number, path in enumerate(scenarios(), 1)
    ],
)
def test_command_office_and_plain_sum_agree(
    number: int, path: Path, store: Store, croupier: Callable[..., CliResult], tmp_path: Path
) -> None:
    """Both as settled and after a floorperson has corrected every payment not made by a meter."""

    def open_table(setup: Setup) -> TableSession:
        named_setup = replace(setup, name=_id(path))
        store.create(named_setup, at=number)
        return FixedTimeSession(store, named_setup.name, number)

    session = play_scenario(read_scenario(path), open_table)
    before = require_agreement(croupier, session, office_rows(store, number), tmp_path)
    assert session.table.round is not None
    entries, numbers = session.table.round.entries, defaultdict[tuple[int, str], int](int)
    for position, entry in enumerate(entries, 1):
        numbers[entry.seat, entry.wager] += 1
        most = largest_payment(session.table.setup, session.table.round, entry)
        if entry.meter or not most.total:
            continue
        returned, paid = entry.returned, entry.paid
        if paid or not returned:
            paid = abs(paid - position**2)  # squares: the changes do not cancel out
        else:
            returned = max(returned - position**2, 0)
        session.send(
            c.CorrectPayment(
                by=FLOORPERSON,
                at=0,
                round=ROUND,
                seat=entry.seat,
                wager=entry.wager,
                number=numbers[entry.seat, entry.wager],
                old_returned=entry.returned,
                old_paid=entry.paid,
                returned=returned,
                paid=min(paid, most.paid),
                reason="miscounted",
                approved_by=Actor("manager", Role.SHIFT_MANAGER),
            )
        )
    after = sum_entries(session)
    totals = observe(collect_bets(Record(session.table.setup, tuple(session.events))))
    assert {bet: (one.hands, one.wagered, one.won) for bet, one in totals.items()} == after
    holds = {hold.bet: hold.observed for hold in collect_holds(store, number, number + 1)}
    assert holds == totals
    assert after.keys() == before.keys()
    assert (after != before) == bool(before)


def envy_rounds() -> list[Path]:
    """The golden rounds in which an Envy Bonus is paid."""
    return [path for path in scenarios() if "Envy Bonus wins" in path.with_suffix(".txt").read_text(encoding="utf-8")]


def test_golden_rounds_pay_every_envy_bonus() -> None:
    paid = {
        event.wager
        for path in envy_rounds()
        for event in play_scenario(read_scenario(path)).events
        if isinstance(event, WagerSettled) and event.wager in edition(path.parent.name).envies
    }
    assert paid == {name for rules in map(edition, EDITIONS) for name in rules.envies}


@pytest.mark.parametrize("path", envy_rounds(), ids=_id)
def test_an_envy_bonus_lowers_the_hold_of_its_progressive_wager(path: Path) -> None:
    """The hold falls by exactly the bonus; other wagers are not affected."""
    session = play_scenario(read_scenario(path))
    rules = session.table.setup.elected.edition
    with_envy, without_envy = Bets(rules), Bets(rules)
    paid: dict[str, int] = defaultdict(int)
    for event in session.events:
        if isinstance(event, WagerSettled):
            with_envy.add(ROUND, event)
            if event.wager in rules.envies:
                paid[rules.envies[event.wager].on] += event.paid
            else:
                without_envy.add(ROUND, event)
    won = {bets: {bet.name: 0 for bet in bets} for bets in (with_envy, without_envy)}
    for bets, totals in won.items():
        for bet in bets:
            totals[bet.name] += bet.won
    assert sum(paid.values()) > 0
    assert won[with_envy] == {name: cents - paid[name] for name, cents in won[without_envy].items()}


@pytest.mark.parametrize("name", EDITIONS)
def test_a_wager_with_envy_bonuses_is_never_judged(name: str) -> None:
    """Its edge depends on the number of other players, so no interval would be right; other wagers are judged."""
    elected = edition(name).elect()
    with_envy = {group.on for group in elected.edition.envies.values()}
    for wager in wagers_of(elected):
        result = analyze_wager(elected, wager)
        has_meter = isinstance(result, WagerResult) and bool(result.meters)
        assert Expected.of(result).is_fixed == (not has_meter and wager not in with_envy)
        if wager in with_envy:
            assert isinstance(result, WagerResult)
            assert not Expected.of(replace(result, meters={})).is_fixed


def test_a_drawn_bonus_belongs_to_its_electronic_wager() -> None:
    """Two electronic wagers win a Magic Card and a Lucky Bonus at one seat; the hold of the Ante ignores them."""
    path = FOLDER / "pa-641a" / "magic-card-and-lucky-dealer.toml"
    session = play_scenario(read_scenario(path))
    rules, bets, ante = session.table.setup.elected.edition, Bets(session.table.setup.elected.edition), 0
    for event in session.events:
        if isinstance(event, WagerSettled):
            bets.add(ROUND, event)
            if bet_of(rules, event.wager) == "ante" and event.wager not in ("magic_card_bonus", "lucky_bonus"):
                ante += event.staked - event.returned - event.paid
    assert sum(bet.won for bet in bets if bet.name == "ante") == ante
