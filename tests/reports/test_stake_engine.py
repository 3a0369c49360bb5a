"""The math files of Stake Engine: exact weights, real deals, and the documented checks of an upload."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
import zstandard

from croupier.analysis.custom_paytables import with_pay
from croupier.analysis.house_edges import analyze_wager
from croupier.core.cards import parse_cards
from croupier.core.errors import InputError
from croupier.plugins.discovery import shipped_editions
from croupier.regulations import EDITIONS, edition
from croupier.reports.stake_engine import make_books, paytable_wagers, verify_math_files, write_math_files
from croupier.rl import GameTree

WAGERS = [
    (name, wager) for name in (*EDITIONS, *shipped_editions()) for wager in paytable_wagers(edition(name).elect())
]


def check_wager(name: str, wager: str, folder: Path) -> None:
    elected = edition(name).elect()
    write_math_files(elected, folder, [wager])
    (mode,), notes = verify_math_files(folder)
    assert notes == []
    exact = analyze_wager(elected, wager, wager_dollars=Fraction(10))
    assert mode.return_to_player == 1 - exact.house_edge
    tree = GameTree(elected, (wager,))
    for book in make_books(elected, wager):
        deal, final = book.events
        assert (deal["type"], final["amount"]) == ("deal", book.payout)
        by_place = {place: iter(parse_cards(" ".join(cards))) for place, cards in deal["cards"].items()}
        state = tree.state([next(by_place[slot.place]).index for slot in tree.slots])
        while not state.is_terminal():
            state = state.child(state.legal_actions()[-1])
        entry = next(entry for entry in state.entries() if entry.wager == wager)
        assert entry.returned + entry.exact_paid == Fraction(book.payout * entry.staked, 100), "the table pays it so"


@pytest.mark.parametrize(("name", "wager"), [("pa-679a", "pair_bonus"), ("let-it-ride", "three_card_bonus")])
def test_a_wager_is_exported_and_verified(name: str, wager: str, tmp_path: Path) -> None:
    check_wager(name, wager, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "wager"), WAGERS)
def test_every_paytable_wager_is_exported_and_verified(name: str, wager: str, tmp_path: Path) -> None:
    check_wager(name, wager, tmp_path)


def test_the_files_have_the_documented_form(tmp_path: Path) -> None:
    paths = write_math_files(edition("three-card-poker").elect(), tmp_path)
    assert [path.name for path in paths] == ["index.json", "books_pair_plus.jsonl.zst", "lookUpTable_pair_plus_0.csv"]
    index = json.loads(paths[0].read_text(encoding="utf-8"))
    assert index == {
        "modes": [
            {
                "name": "pair_plus",
                "cost": 1.0,
                "events": "books_pair_plus.jsonl.zst",
                "weights": "lookUpTable_pair_plus_0.csv",
            }
        ]
    }
    books = zstandard.ZstdDecompressor().stream_reader(paths[1].read_bytes()).read().decode().splitlines()
    table = paths[2].read_text(encoding="utf-8").splitlines()
    assert len(books) == len(table)
    for line, row in zip(books, table, strict=True):
        book = json.loads(line)
        assert row.split(",")[::2] == [str(book["id"]), str(book["payoutMultiplier"])]


def replace_text(name: str, old: str, new: str) -> Callable[[Path], None]:
    def forge(folder: Path) -> None:
        path = folder / name
        path.write_text(path.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")

    return forge


def forge_book(folder: Path) -> None:
    path = folder / "books_pair_plus.jsonl.zst"
    lines = zstandard.ZstdDecompressor().stream_reader(path.read_bytes()).read().decode()
    book = json.loads(lines.splitlines()[0])
    forged = lines.replace(str(book["payoutMultiplier"]), str(book["payoutMultiplier"] + 1000))
    path.write_bytes(zstandard.ZstdCompressor().compress(forged.encode()))


@pytest.mark.parametrize(
    ("forge", "message"),
    [
        (replace_text("index.json", '"cost": 1.0', '"cost": 1'), "positive decimal number"),
        (replace_text("index.json", '"modes"', '"mode"'), "has not the form"),
        (replace_text("index.json", "lookUpTable_pair_plus_0.csv", "../secret.csv"), "weights must be a name"),
        (replace_text("index.json", "{", ""), "is not JSON"),
        (replace_text("lookUpTable_pair_plus_0.csv", ",", ",-"), "line 1: must have three unsigned"),
        (replace_text("lookUpTable_pair_plus_0.csv", "0\n", "5\n"), "no multiple of 10"),
        (replace_text("lookUpTable_pair_plus_0.csv", "1,", f"{2**64},"), "does not fit into 64 bits"),
        (replace_text("lookUpTable_pair_plus_0.csv", "1,", "9,"), "numbers or payouts differ"),
        (forge_book, "numbers or payouts differ"),
        (lambda folder: (folder / "books_pair_plus.jsonl.zst").write_bytes(b"{}"), "compressed with Zstandard"),
        (lambda folder: (folder / "books_pair_plus.jsonl.zst").unlink(), "cannot be read"),
    ],
)
def test_files_that_were_changed_are_refused(forge: Callable[[Path], None], message: str, tmp_path: Path) -> None:
    write_math_files(edition("three-card-poker").elect(), tmp_path)
    verify_math_files(tmp_path)
    forge(tmp_path)
    with pytest.raises(InputError, match=message):
        verify_math_files(tmp_path)


def test_what_the_format_cannot_state_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is not a paytable wager; there are: aces_up, bad_beat, six_card_bonus"):
        write_math_files(edition("pa-641a").elect(), tmp_path, ["four_card_progressive"])
    with pytest.raises(InputError, match="Caribbean Stud has no paytable wager"):
        write_math_files(edition("caribbean-stud").elect(), tmp_path)
    unusual = with_pay(edition("three-card-poker").elect(), "pair_plus.flush=10 to 3")
    with pytest.raises(InputError, match="flush: pays 10 to 3, which is no whole multiple of a tenth of the stake"):
        write_math_files(unusual, tmp_path)
    assert list(tmp_path.iterdir()) == []
