"""The public Python API: its results are those of the commands, and it takes what people have."""

from __future__ import annotations

import dataclasses
import inspect
import json
import re
import tomllib
from collections.abc import Callable
from dataclasses import FrozenInstanceError, is_dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import croupier
from croupier.analysis.custom_paytables import with_pay
from croupier.cli.main import main
from croupier.core.cards import Card
from croupier.regulations import EDITIONS
from croupier.submissions.template import submission_template
from croupier.table.model.events import WagerPlaced
from tests.storage.databases import new_sqlite_file

SCENARIOS = sorted(Path("tests/golden").glob("*/*.toml"))
RECORD = Path("tests/fixtures/v0_1/records/pa-682a-electronic.jsonl")


@pytest.fixture
def printed(capsys: pytest.CaptureFixture[str]) -> Callable[..., Any]:
    """The JSON that a command prints."""

    def run(*arguments: str) -> Any:
        main([*arguments, "--json"])
        return json.loads(capsys.readouterr().out)

    return run


def test_everything_public_can_be_imported_and_has_a_docstring() -> None:
    for name in croupier.__all__:
        assert getattr(croupier, name).__doc__, name
        assert name in dir(croupier)
    with pytest.raises(AttributeError, match="has no attribute 'bribe'"):
        croupier.bribe  # noqa: B018


def test_editions_are_those_of_the_command(printed: Callable[..., Any]) -> None:
    assert croupier.editions().to_dict() == printed("editions")
    assert croupier.editions()[0].edition in croupier.editions()._repr_html_()


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("pa-682a", "pa-682a"),
        (" 682A ", "pa-682a"),
        ("four card prime", "pa-682a"),
        ("Mississippi Stud", "mississippi-stud"),
    ],
)
def test_an_edition_is_found_by_what_people_call_it(name: str, expected: str) -> None:
    assert croupier.edition(name).name == expected
    assert croupier.edition(croupier.edition(name)).name == expected


@pytest.mark.parametrize(
    ("name", "message"),
    [("Four Card Poker", "several editions: choose pa-641a or md-4cp"), ("Faro", "there is no edition 'Faro'")],
)
def test_an_unclear_name_is_refused(name: str, message: str) -> None:
    with pytest.raises(croupier.InputError, match=message):
        croupier.edition(name)


@pytest.mark.parametrize("path", SCENARIOS[::12], ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_settlement_is_that_of_the_command(path: Path, printed: Callable[..., Any]) -> None:
    text = path.read_text(encoding="utf-8")
    settled = croupier.settle(path)
    assert settled.to_dict() == printed("settle", str(path))
    assert croupier.settle(str(path)) == croupier.settle(text) == croupier.settle(tomllib.loads(text)) == settled
    assert sum(row["net_cents"] for row in settled.rows()) == sum(seat.net_cents for seat in settled.seats)


def test_a_settlement_reads_as_the_command_prints_it(capsys: pytest.CaptureFixture[str]) -> None:
    main(["settle", str(SCENARIOS[0])])
    assert str(croupier.settle(SCENARIOS[0])) == capsys.readouterr().out.rstrip("\n")


@pytest.mark.parametrize("edition", ["pa-679a", "pa-683a"])
def test_an_analysis_is_that_of_the_command(edition: str, printed: Callable[..., Any]) -> None:
    analysis = croupier.analyze(edition)
    assert analysis.to_dict() == printed("analyze", edition)
    assert all(isinstance(result.house_edge, Fraction) for result in analysis.wagers.values())


def test_elections_and_the_stake_reach_the_analysis(printed: Callable[..., Any]) -> None:
    analysis = croupier.analyze("pa-679a", elect={"pair_bonus": "C"}, wager="10.00")
    assert analysis.to_dict() == printed("analyze", "pa-679a", "--elect", "pair_bonus=C", "--wager", "10.00")
    assert analysis.elections["pair_bonus"] == "C"
    for bad in ("0", 0, 0.5, True, "ten"):
        with pytest.raises(croupier.InputError, match="wager"):
            croupier.analyze("pa-679a", wager=bad)  # type: ignore[arg-type]


def test_a_changed_paytable_reaches_the_analysis_and_the_simulator() -> None:
    printed_edge = croupier.analyze("three-card-poker")["pair_plus"].house_edge
    changed = with_pay(croupier.edition("three-card-poker").elect(), "pair_plus.flush=1 to 1")
    edge = croupier.analyze(changed)["pair_plus"].house_edge
    assert edge > printed_edge
    simulated = croupier.simulate(changed, rounds=100_000, wagers=["pair_plus"])["pair_plus"]
    assert simulated.exact_house_edge == edge
    assert simulated.z is not None
    assert abs(simulated.z) < 4


def test_advice_is_that_of_the_command(printed: Callable[..., Any]) -> None:
    expected = printed("strategy", "pa-683a", "--hand", "Ks Kd", "--board", "4d", "--raised", "3x")
    hands: list[Any] = ["Ks Kd", "K♠K♦", ["Ks", "Kd"], [Card.parse("Ks"), Card.parse("Kd")]]
    for hand in hands:
        assert croupier.strategy("pa-683a", hand, board="4d", raised="3x").to_dict() == expected
    advice = croupier.strategy("683a", "Ks Kd", board=["4d"], raised=["3x"])
    assert advice.to_dict() == expected
    assert advice.rows()[0]["choice"] == advice.best
    for arguments, place in (
        ({"hand": "Ks"}, "hand"),
        ({"hand": "Ks Ks"}, "hand"),
        ({"hand": "Ks Kd", "up": "2c"}, "up"),
        ({"hand": "Ks Kd", "board": "4d", "raised": "four"}, "raised"),
    ):
        with pytest.raises(croupier.InputError) as raised:
            croupier.strategy("pa-683a", **arguments)  # type: ignore[arg-type]
        assert raised.value.place == place


def test_a_simulation_is_that_of_the_command(printed: Callable[..., Any]) -> None:
    expected = printed("simulate", "pa-679a", "--rounds", "100000", "--seed", "3", "--workers", "1")
    simulated = croupier.simulate("pa-679a", rounds=100_000, seed=3, workers=1)
    timed = ("seconds", "rounds_per_second")
    assert {key: value for key, value in simulated.to_dict().items() if key not in timed} == {
        key: value for key, value in expected.items() if key not in timed
    }
    exact = croupier.analyze("pa-679a")
    assert simulated.wagers["ante"].exact_house_edge == exact["ante"].house_edge


def test_sessions_are_those_of_the_command(printed: Callable[..., Any]) -> None:
    options = ("--rounds", "20000", "--workers", "1", "--session", "100", "--bankroll", "200", "--bets", "ante")
    expected = printed("simulate", "pa-679a", *options)["sessions"]
    sessions = croupier.simulate("pa-679a", 20_000, wagers=["ante"], session=100, bankroll="200", workers=1).sessions
    assert sessions is not None
    assert (sessions.rounds, sessions.sessions) == (100, 200)
    assert sessions.risk_of_ruin == expected["ruin"]["risk"]
    assert sessions.quantiles_cents == expected["player"]["quantiles_cents"]
    assert "$" in sessions._repr_html_()
    with pytest.raises(croupier.InputError, match="bankroll: needs session"):
        croupier.simulate("pa-679a", 1000, bankroll=200)


def test_a_check_is_that_of_the_command(tmp_path: Path, printed: Callable[..., Any]) -> None:
    text = submission_template(croupier.edition("pa-679a")).replace("seats = 6", "seats = 7")
    path = tmp_path / "submission.toml"
    path.write_text(text, encoding="utf-8")
    checked = croupier.check(path)
    assert checked.to_dict() == printed("check", str(path))
    assert not checked.valid
    assert croupier.check(text) == checked
    assert croupier.check(text, warnings=False).warnings == ()
    with pytest.raises(croupier.InputError, match="is not valid TOML"):
        croupier.check("seats = \nedition")


def test_an_audit_is_that_of_the_command(tmp_path: Path, printed: Callable[..., Any]) -> None:
    report = croupier.audit(RECORD)
    assert report.to_dict() == printed("audit", str(RECORD))
    assert report.is_clean
    assert report.rounds
    database = tmp_path / "house.db"
    new_sqlite_file(database)
    assert croupier.audit(database).to_dict() == printed("audit", str(database))
    with pytest.raises(croupier.InputError, match="cannot be read"):
        croupier.audit("no such record")


def test_results_are_frozen_and_shown_as_tables() -> None:
    settled = croupier.settle(SCENARIOS[0])
    with pytest.raises(FrozenInstanceError):
        settled.text = ""  # type: ignore[misc]
    page = settled._repr_html_()
    assert page.count("<tr>") == 1 + len(settled.rows())
    assert "Six Card Bonus" in page
    assert "six_card_bonus" not in page, "people read titles"
    assert "+$50" in page, "and dollars"
    for library in ("", "pandas", "polars"):
        frame = settled.to_frame(library)
        assert list(frame["net_cents"]) == [row["net_cents"] for row in settled.rows()]
        assert type(frame).__module__.startswith(library or "pandas")
    with pytest.raises(croupier.InputError, match="neither pandas nor polars"):
        settled.to_frame("dask")
    assert len(croupier.editions().to_frame()) == len(croupier.editions())
    assert croupier.check({"edition": "<b>"}, warnings=False)._repr_html_().count("<b>") == 0, "text is escaped"


def test_a_frame_without_a_library_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    for library in ("pandas", "polars"):
        monkeypatch.setitem(__import__("sys").modules, library, None)
    with pytest.raises(croupier.InputError, match="needs pandas or polars"):
        croupier.settle(SCENARIOS[0]).to_frame()


def test_a_round_with_unknown_cards_is_not_settled() -> None:
    seats = [{"seat": 1, "wagers": {"ante": "10.00"}, "decisions": ["play"]}]
    with pytest.raises(croupier.InputError, match="cards that are not known"):
        croupier.settle({"edition": "pa-679a", "deck": "As Ks ?", "seats": seats})


def test_every_type_that_a_public_function_returns_is_public() -> None:
    """Follows the fields and properties of every public result to the types behind them."""
    for name in croupier.__all__:
        value = getattr(croupier, name)
        members: list[Any] = [value] if inspect.isfunction(value) else []
        if is_dataclass(value) and value.__module__.startswith(("croupier.facade", "croupier.scenarios")):
            members = [m.fget for m in vars(value).values() if isinstance(m, property) and m.fget is not None]
            fields = " ".join(str(field.type) for field in dataclasses.fields(value))
            assert _own_types(fields) <= {*croupier.__all__}, name
        for member in members:
            assert _own_types(str(inspect.signature(member).return_annotation)) <= {*croupier.__all__}, (name, member)


def _own_types(annotation: str) -> set[str]:
    return set(re.findall(r"[A-Za-z_]+", annotation)) - {
        *("Any", "Fraction", "Mapping", "None", "Sequence", "bool", "dict", "float", "int", "list", "str", "tuple")
    }


def test_the_guide_lists_what_is_public() -> None:
    text = Path("docs/guides/python.md").read_text(encoding="utf-8")
    listed = text.partition("## What is public")[2]
    assert {name for name in croupier.__all__ if f"`{name}`" not in listed} == set()


def test_plots_show_every_wager() -> None:
    advice = croupier.strategy("683a", "Ks Kd")
    assert next(label.get_text() for label in advice.plot().axes[0].get_yticklabels()) == advice.best
    settled = croupier.settle(SCENARIOS[0])
    assert len(settled.plot().axes[0].patches) == len(settled.rows())
    analysis = croupier.analyze("pa-679a")
    labels = [label.get_text() for label in analysis.plot().axes[0].get_yticklabels()]
    assert labels == [row["wager"] for row in analysis.rows()]
    simulated = croupier.simulate("pa-679a", rounds=10_000)
    assert len(simulated.plot().axes[0].get_yticklabels()) == len(simulated.wagers)


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_table_plays_rounds(edition: str) -> None:
    table = croupier.open_table(edition, seed="facade")
    table.sit("Pat", 1, chips=500)
    for _ in range(2):
        before = table.balance("Pat")
        table.wager(1, ante=Decimal("10.00"))
        table.deal()
        while table.waiting:
            table.decide(1, "play" if edition == "pa-679a" else "1x")
        net = sum(entry.returned + entry.paid - entry.staked for entry in table.last_settlement)
        assert table.balance("Pat") == before + net
        assert len(table.explain().splitlines()) == len(table.last_settlement)
    assert table.phase == "betting"
    assert croupier.audit(table).is_clean
    assert croupier.audit(table).rounds == 2


def test_a_table_is_saved_once_and_audited_from_its_file(tmp_path: Path) -> None:
    table = croupier.open_table("pa-679a", seed="facade")
    table.sit("Pat", 1)
    table.wager(1, ante=10)
    table.deal()
    table.decide(1, "fold")
    path = table.save(tmp_path / "day.jsonl")
    assert croupier.audit(path).is_clean
    assert croupier.audit(path).events == croupier.audit(table.record()).events
    with pytest.raises(croupier.InputError, match="cannot be written: file exists"):
        table.save(str(path))
    stolen = [replace_amount(event) for event in table.record().events]
    assert croupier.audit(dataclasses.replace(table.record(), events=tuple(stolen))).problems


def replace_amount(event: Any) -> Any:
    """The event with another amount on the Ante."""
    return dataclasses.replace(event, amount=event.amount + 100) if isinstance(event, WagerPlaced) else event


def test_a_refusal_changes_nothing() -> None:
    table = croupier.open_table("pa-682a", seed="facade")
    table.sit("Pat", 1, chips="100.00")
    table.wager(1, ante=10)
    table.deal()
    before = table.session.table
    with pytest.raises(croupier.RuleViolation) as raised:
        table.wager(1, prime=5)
    assert raised.value.clause
    with pytest.raises(croupier.InputError, match="'4x' is not one of 1x, 2x, 3x, fold"):
        table.decide(1, "4x")
    with pytest.raises(croupier.InputError, match="nobody sits at seat 3"):
        table.wager(3, ante=5)
    assert table.session.table == before
    dealer = next(placed for placed in table.view("Pat").placed if placed.place == "dealer")
    assert all(card.card is None for card in dealer.cards), "the dealer's cards are face down"


def test_a_table_opens_from_a_submission(tmp_path: Path) -> None:
    text = submission_template(croupier.edition("pa-679a"))
    path = tmp_path / "submission.toml"
    path.write_text(text, encoding="utf-8")
    sources: list[Any] = [path, str(path), text, tomllib.loads(text)]
    for source in sources:
        table = croupier.open_table(source, seed="facade")
        table.sit("Pat", 1)
        with pytest.raises(croupier.RuleViolation, match="Ante"):
            table.wager(1, ante="1.00")
    with pytest.raises(croupier.InputError, match="seats"):
        croupier.open_table(text.replace("seats = 6", "seats = 7"))
