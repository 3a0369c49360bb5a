"""The figures of every edition against transcription.csv, which was made independently from the regulations.

Both must have the same figures, with the rows of each table in the same order. Tables are compared as
printed, before any reading is applied.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from croupier.regulations import EDITIONS, edition
from croupier.regulations.edition import MeterRule
from croupier.regulations.payouts import Dollars, ForOne, Loss, OfMeter, Payout, Push, ToOne

METER_FIGURES = ("seed", "reseed", "minimum", "rate", "reserve_rate")


class Key(NamedTuple):
    """One table of one document; odds in a sentence are a table of one row."""

    document: str
    table: str
    letter: str


class PrintedFigure(NamedTuple):
    """One figure with its clause."""

    clause: str
    meter: str
    wager: str
    hand: str
    pays: str


@cache
def transcription_rows() -> list[dict[str, str]]:
    with (Path(__file__).parent / "transcription.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


@cache
def transcription_tables() -> dict[Key, list[PrintedFigure]]:
    tables: dict[Key, list[PrintedFigure]] = {}
    for row in transcription_rows():
        if row["table"] != "figure":
            rows = tables.setdefault(Key(row["document"], row["table"], row["letter"]), [])
            rows.append(PrintedFigure(row["clause"], row["meter"], row["wager"], row["hand"], row["pays"]))
    return {key: _group_by_meter(rows) for key, rows in tables.items()}


def _group_by_meter(rows: list[PrintedFigure]) -> list[PrintedFigure]:
    """Groups the figures by meter: the regulation gives the seeds of all meters, then their rates."""
    meters = list(dict.fromkeys(row.meter for row in rows))
    return sorted(rows, key=lambda row: meters.index(row.meter))


@cache
def edition_tables() -> dict[Key, list[PrintedFigure]]:
    """The tables of the editions, in the form of the transcription."""
    tables: dict[Key, list[PrintedFigure]] = {}
    for document in EDITIONS:
        for table, letter, row in _edition_rows(document):
            tables.setdefault(Key(document, table, letter), []).append(row)
    return tables


def _edition_rows(document: str) -> Iterator[tuple[str, str, PrintedFigure]]:
    loaded = edition(document)
    for name, odds in loaded.odds.items():
        yield name, "A", PrintedFigure(odds.clause, "", "", "win", format_payout(odds.pays))
    for name, group in loaded.paytables.items():
        for letter, table in group.tables.items():
            for row in table.rows:
                yield name, letter, PrintedFigure(row.clause, "", "", row.hand, format_payout(row.pays))
    for name, envies in loaded.envies.items():
        for letter, by_wager in envies.tables.items():
            for wager, table in by_wager.items():
                for row in table.rows:
                    yield name, letter, PrintedFigure(row.clause, "", str(wager), row.hand, format_payout(row.pays))
    for name, progressive in loaded.progressives.items():
        for letter, meters in progressive.meters.items():
            for meter, rule in meters.items():
                for figure, text in _meter_figures(rule):
                    yield name, letter, PrintedFigure(rule.clause, meter, "", figure, text)


def _meter_figures(rule: MeterRule) -> Iterator[tuple[str, str]]:
    for figure in METER_FIGURES:
        value = getattr(rule, figure)
        if value is not None:
            yield figure, f"{value * 100}%" if figure.endswith("rate") else f"${value // 100}"


def format_payout(pays: Payout) -> str:
    """A payout in the notation of the transcription, formatted independently of the program."""
    match pays:
        case ToOne(odds):
            return f"{odds.numerator} to {odds.denominator}"
        case ForOne(multiple):
            return f"{multiple.numerator} for {multiple.denominator}"
        case OfMeter(share, meter):
            return f"{share * 100}% of {'meter' if meter == 'main' else meter}"
        case Dollars(cents):
            return f"${cents // 100}"
        case Push():
            return "push"
        case Loss():
            return "loss"


@pytest.mark.parametrize(
    "key",
    list(dict.fromkeys([*transcription_tables(), *edition_tables()])),
    ids=lambda key: "-".join([key.document, key.table, key.letter]),
)
def test_a_table_matches_the_transcription(key: Key) -> None:
    assert edition_tables().get(key) == transcription_tables().get(key)


@cache
def transcription_figures() -> dict[tuple[str, str], list[tuple[str, str]]]:
    """Clause and value of each figure; a figure may have several clauses."""
    figures: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for row in transcription_rows():
        if row["table"] == "figure":
            figures.setdefault((row["document"], row["hand"]), []).append((row["clause"], row["pays"]))
    return figures


@cache
def edition_figures() -> dict[tuple[str, str], list[tuple[str, str]]]:
    figures: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for document in EDITIONS:
        for name, figure in edition(document).figures.items():
            figures[document, name] = [(clause, str(figure.value)) for clause in figure.clauses]
        limit = edition(document).payout_limit
        if limit is not None:
            figures[document, "payout_limit_floor"] = [(limit.clause, f"${limit.floor // 100}")]
    return figures


@pytest.mark.parametrize("key", list(dict.fromkeys([*transcription_figures(), *edition_figures()])), ids="-".join)
def test_a_figure_matches_the_transcription(key: tuple[str, str]) -> None:
    assert edition_figures().get(key) == transcription_figures().get(key)


@pytest.mark.parametrize("document", EDITIONS)
def test_the_amounts_of_a_progressive_wager_match_its_envy_tables(document: str) -> None:
    loaded = edition(document)
    for envies in loaded.envies.values():
        printed = {
            row["wager"] for row in transcription_rows() if (row["document"], row["table"]) == (document, envies.name)
        }
        assert {str(cents // 100) for cents in loaded.progressives[envies.on].amounts} == printed


def test_every_row_is_complete_and_unique() -> None:
    rows = [tuple(row.values()) for row in transcription_rows()]
    assert len(rows) == len(set(rows))
    assert {row["document"] for row in transcription_rows()} == set(EDITIONS)
    assert all(
        row[column] for row in transcription_rows() for column in ("document", "clause", "table", "hand", "pays")
    )
