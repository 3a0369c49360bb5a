"""`croupier hold` and the office give one figure for every wager of every golden round, and so does a plain sum."""

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

from croupier.analysis.house_edges import Result, analyze_wager, wagers_of
from croupier.analysis.results import WagerResult
from croupier.regulations import EDITIONS, ElectedEdition, edition
from croupier.reports import hold_report
from croupier.reports.hold import Bets, Expected, bet_of, bets_in, observe
from croupier.scenarios import play_scenario, read_scenario
from croupier.server.office.holds import collect_holds, compare_hold, hold_query
from croupier.server.workers.house_edges import compute_edges
from croupier.storage import Store
from croupier.table.model import commands as c
from croupier.table.model.events import Event, WagerSettled
from croupier.table.model.roles import Actor, Role
from croupier.table.model.setup import Setup
from croupier.table.record.file import Record, RecordWriter
from croupier.table.session import TableSession
from tests.cli.command_runner import Ran, in_process
from tests.golden.replay import FOLDER, scenarios
from tests.storage.rounds import StoredDriver

FLOORPERSON = Actor("Flo", Role.FLOORPERSON)
ROUND = 1
Figures = dict[str, tuple[int, int, int]]
"""For each bet its hands, what was wagered and what the house won, in cents."""


class DatedDriver(StoredDriver):
    """A table in a database whose commands all happen at one moment of its own."""

    def __init__(self, store: Store, name: str, at: int) -> None:
        super().__init__(store, name)
        self.at = at

    def send(self, command: c.Command) -> tuple[Event, ...]:
        return super().send(replace(command, at=self.at))


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    opened = Store(tmp_path_factory.mktemp("office") / "office.db")
    yield opened
    opened.close()


_results: dict[tuple[Any, ...], Result] = {}


def analyse_once(elected: ElectedEdition, wager: str) -> Result:
    """The real analysis, which many golden rounds share."""
    key = (elected.edition.name, tuple(sorted(elected.choices.items())), wager)
    if key not in _results:
        _results[key] = analyze_wager(elected, wager)
    return _results[key]


@pytest.fixture
def croupier(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    monkeypatch.setattr(hold_report, "analyze_wager", analyse_once)
    return partial(in_process, capsys)


def by_command(croupier: Callable[..., Ran], driver: TableSession, folder: Path) -> list[dict[str, Any]]:
    """What `croupier hold` says of the record; nothing where it finds no settled bet."""
    path = folder / "record.jsonl"
    with path.open("w", encoding="utf-8") as file:
        RecordWriter(file, driver.table.setup).append(driver.events)
    ran = croupier("hold", path, "--json")
    if ran.code == 2:
        assert "has no settled wagers" in ran.err
        return []
    wagers: list[dict[str, Any]] = json.loads(ran.out)["wagers"]
    return wagers


def by_office(store: Store, at: int) -> list[dict[str, Any]]:
    """What the office shows of the rounds at one moment."""
    return [
        compare_hold(hold, result)
        for hold in collect_holds(store, at, at + 1)
        for result in compute_edges(json.loads(json.dumps(hold_query(hold))))
    ]


def by_sum(driver: TableSession) -> Figures:
    """The entries of the round as they stand, added up one by one."""
    round_, rules = driver.table.round, driver.table.setup.elected.edition
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
    croupier: Callable[..., Ran], driver: TableSession, office: list[dict[str, Any]], folder: Path
) -> Figures:
    """The three agree to the cent on what was held, and the two on what it is compared with."""
    command = {row["wager"]: row for row in by_command(croupier, driver, folder)}
    offices = {row["wager"]: row for row in office}
    figures = by_sum(driver)
    keys = ("hands", "wagered_cents", "won_cents")
    assert {bet: tuple(row[key] for key in keys) for bet, row in command.items()} == figures
    keys = ("entries", "handle_cents", "win_cents")
    assert {bet: tuple(row[key] for key in keys) for bet, row in offices.items()} == figures
    for bet, row in command.items():
        other = offices[bet]
        assert row["hold_percent"] == other["actual_percent"] == float(Fraction(100 * figures[bet][2], figures[bet][1]))
        assert Fraction(row["theoretical"]) == Fraction(other["house_edge"])
        assert (row["from_percent"], row["to_percent"]) == (other["low_percent"], other["high_percent"])
        assert (row["verdict"] in ("above", "below")) == other["outside"]
        assert (row["verdict"] == "not judged") == other["on_a_meter"]
    return figures


def _id(path: Path) -> str:
    return path.relative_to(FOLDER).with_suffix("").as_posix()


@pytest.mark.parametrize(("number", "path"), list(enumerate(scenarios(), 1)), ids=[_id(path) for path in scenarios()])
def test_command_and_office_give_one_figure(
    number: int, path: Path, store: Store, croupier: Callable[..., Ran], tmp_path: Path
) -> None:
    """As settled, and after a floorperson has corrected every payment that no meter made."""

    def open_table(setup: Setup) -> TableSession:
        named = replace(setup, name=_id(path))
        store.create(named, at=number)
        return DatedDriver(store, named.name, number)

    driver = play_scenario(read_scenario(path), open_table)
    before = require_agreement(croupier, driver, by_office(store, number), tmp_path)
    assert driver.table.round is not None
    entries, numbers = driver.table.round.entries, defaultdict[tuple[int, str], int](int)
    for position, entry in enumerate(entries, 1):
        numbers[entry.seat, entry.wager] += 1
        if entry.meter:
            continue
        driver.send(
            c.CorrectPayment(
                by=FLOORPERSON,
                at=0,
                round=ROUND,
                seat=entry.seat,
                wager=entry.wager,
                number=numbers[entry.seat, entry.wager],
                returned=entry.returned,
                paid=entry.paid + position,
                reason="miscounted",
            )
        )
    after = by_sum(driver)
    totals = observe(bets_in(Record(driver.table.setup, tuple(driver.events))))
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
    """By exactly what it pays, and of no other wager."""
    driver = play_scenario(read_scenario(path))
    rules = driver.table.setup.elected.edition
    whole, without = Bets(rules), Bets(rules)
    paid: dict[str, int] = defaultdict(int)
    for event in driver.events:
        if isinstance(event, WagerSettled):
            whole.add(ROUND, event)
            if event.wager in rules.envies:
                paid[rules.envies[event.wager].on] += event.paid
            else:
                without.add(ROUND, event)
    won = {bets: {bet.name: 0 for bet in bets} for bets in (whole, without)}
    for bets, totals in won.items():
        for bet in bets:
            totals[bet.name] += bet.won
    assert sum(paid.values()) > 0
    assert won[whole] == {name: cents - paid[name] for name, cents in won[without].items()}


@pytest.mark.parametrize("name", EDITIONS)
def test_a_wager_with_envy_bonuses_is_never_judged(name: str) -> None:
    """Its edge depends on how many others play, so that no interval is right; a wager without them is judged."""
    elected = edition(name).elect()
    envied = {group.on for group in elected.edition.envies.values()}
    for wager in wagers_of(elected):
        result = analyze_wager(elected, wager)
        metered = isinstance(result, WagerResult) and bool(result.meters)
        assert Expected.of(result).is_fixed == (not metered and wager not in envied)
        if wager in envied:
            assert isinstance(result, WagerResult)
            assert not Expected.of(replace(result, meters={})).is_fixed


def test_a_bonus_that_the_system_draws_belongs_to_its_electronic_wager() -> None:
    """Two electronic wagers win a Magic Card and a Lucky Bonus at one seat; the Ante's hold is not touched by them."""
    path = FOLDER / "pa-641a" / "magic-card-and-lucky-dealer.toml"
    driver = play_scenario(read_scenario(path))
    rules, bets, ante = driver.table.setup.elected.edition, Bets(driver.table.setup.elected.edition), 0
    for event in driver.events:
        if isinstance(event, WagerSettled):
            bets.add(ROUND, event)
            if bet_of(rules, event.wager) == "ante" and event.wager not in ("magic_card_bonus", "lucky_bonus"):
                ante += event.staked - event.returned - event.paid
    assert sum(bet.won for bet in bets if bet.name == "ante") == ante
