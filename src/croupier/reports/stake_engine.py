"""The math files of Stake Engine for the paytable wagers of an edition, and the checks that their server makes.

Stake Engine documents three kinds of files ("Math verification" in the documentation of its Math SDK): `index.json`
names the modes; a lookup table (CSV) has the number, weight and payout of every outcome as unsigned 64-bit integers;
and a book (JSON lines, compressed with Zstandard) has the events of every outcome. Here a mode is a wager, an outcome
is a row of its paytable, and its weight is the exact number of combinations, so the return to player is exactly one
minus the house edge. The events show a deal that the table settles by that row. Needs the extra `stake`.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

from croupier.analysis.house_edges import analyze_wager
from croupier.analysis.results import RowResult, WagerResult, ratio
from croupier.analysis.side_wagers import net_of
from croupier.core.cards import DECK
from croupier.core.errors import InputError
from croupier.core.extras import install_hint
from croupier.games.definition import ByTable
from croupier.regulations import ElectedEdition
from croupier.rl.game_tree import ANTE_CENTS, GameTree, State

INDEX_FILE = "index.json"
PAYOUT_UNIT = 100
"""A payout of 100 gives back the stake."""
PAYOUT_STEP = 10
MAX_UINT64 = 2**64 - 1
MAX_ATTEMPTS = 100_000
"""Deals tried to find an example of every row."""
STAKE_DOLLARS = Fraction(ANTE_CENTS, 100)
MAX_RTP_DIFFERENCE = Fraction(1, 20)
"""Modes of one game whose returns differ by more are noted, because Stake's approval asks about them."""
MODE_KEYS = ("name", "cost", "events", "weights")
BOOK_KEYS = ("id", "events", "payoutMultiplier")


def paytable_wagers(elected: ElectedEdition) -> list[str]:
    """The optional wagers that a paytable pays fixed amounts on; those on a meter have no fixed payouts."""
    on_meters = GameTree(elected).setup.on_meters
    return [wager for wager in elected.edition.optional if wager not in on_meters]


def write_math_files(elected: ElectedEdition, folder: Path, wagers: Sequence[str] = ()) -> list[Path]:
    """Writes the files of some paytable wagers, or of all, into a folder; returns their paths, the index first."""
    available = paytable_wagers(elected)
    for wager in wagers:
        if wager not in available:
            raise InputError(
                "wagers", f"{wager!r} is not a paytable wager; there are: {', '.join(available) or 'none'}"
            )
    chosen = list(wagers) or available
    if not chosen:
        raise InputError("wagers", f"{elected.edition.title} has no paytable wager")
    compress = _zstandard().ZstdCompressor().compress
    folder.mkdir(parents=True, exist_ok=True)
    modes, paths = [], [folder / INDEX_FILE]
    for wager in chosen:
        books = list(make_books(elected, wager))
        events, weights = f"books_{wager}.jsonl.zst", f"lookUpTable_{wager}_0.csv"
        modes.append({"name": wager, "cost": 1.0, "events": events, "weights": weights})
        lines = "".join(json.dumps(book.as_json(), ensure_ascii=False) + "\n" for book in books)
        rows = "".join(f"{book.number},{book.weight},{book.payout}\n" for book in books)
        (folder / events).write_bytes(compress(lines.encode()))
        (folder / weights).write_text(rows, encoding="utf-8")
        paths += [folder / events, folder / weights]
    paths[0].write_text(json.dumps({"modes": modes}, indent=2) + "\n", encoding="utf-8")
    return paths


@dataclass(frozen=True, slots=True)
class Book:
    """One outcome of a wager."""

    number: int
    weight: int
    payout: int
    """The stake and the winnings, in hundredths of the stake."""
    events: tuple[Mapping[str, Any], ...]

    def as_json(self) -> dict[str, Any]:
        return {"id": self.number, "events": list(self.events), "payoutMultiplier": self.payout}


def make_books(elected: ElectedEdition, wager: str) -> Iterator[Book]:
    """The outcomes of a wager: one for every row of its paytable that can happen, the losing hands last."""
    result = analyze_wager(elected, wager, wager_dollars=STAKE_DOLLARS)
    if not isinstance(result, WagerResult):
        raise InputError("wagers", f"{wager} is not paid by a paytable")
    rows = [row for row in result.rows if row.combinations]
    examples = _example_deals(elected, wager, {_row_key(row) for row in rows})
    for number, row in enumerate(rows, 1):
        payout = _payout_of(row)
        state = examples.get(_row_key(row))
        deal = [] if state is None else [{"index": 0, "type": "deal", "cards": _cards_by_place(state)}]
        final = {"index": len(deal), "type": "finalWin", "hand": row.hand, "pays": row.pays, "amount": payout}
        yield Book(number, row.combinations, payout, (*deal, final))


def _payout_of(row: RowResult) -> int:
    """The stake and the winnings in hundredths of the stake; refuses what the format cannot state exactly."""
    payout = (1 + net_of(row.payout, STAKE_DOLLARS, {})) * PAYOUT_UNIT
    if payout.denominator != 1 or payout % PAYOUT_STEP:
        raise InputError(row.hand, f"pays {row.pays}, which is no whole multiple of a tenth of the stake")
    return int(payout)


def _row_key(row: RowResult) -> tuple[str, int]:
    """A row by its hand, without the card that decides between two tables, and its payout."""
    return row.hand.partition("_with_a_")[0], _payout_of(row)


def _cards_by_place(state: State) -> dict[str, list[str]]:
    cards: dict[str, list[str]] = {}
    for slot, card in zip(state.tree.slots, state.cards, strict=True):
        cards.setdefault(slot.place, []).append(str(DECK[card]))
    return cards


def _example_deals(elected: ElectedEdition, wager: str, keys: set[tuple[str, int]]) -> dict[tuple[str, int], State]:
    """A deal for each row, settled by the table; the search tries deals with many cards of a kind, suit or run."""
    tree, chance = GameTree(elected, (wager,)), random.Random(f"{elected.edition.name} {wager}")
    settlement = next(s for s in tree.game.settlements if getattr(s, "wager", "") == wager)
    places = settlement.cards.places if isinstance(settlement, ByTable) else ("player",)
    examples: dict[tuple[str, int], State] = {}
    for _ in range(MAX_ATTEMPTS):
        if examples.keys() == keys:
            break
        state = tree.state(_biased_deal(tree, places, chance))
        while not state.is_terminal():
            state = state.child(state.legal_actions()[-1])  # never the fold, which comes first
        entry = next(entry for entry in state.entries() if entry.wager == wager)
        payout = Fraction(entry.returned + entry.exact_paid) * PAYOUT_UNIT / entry.staked
        named, other = (entry.row or entry.hand, int(payout)), ("all_others", int(payout))
        key = named if named in keys else other  # a row may be printed as a loss
        if key in keys:
            examples.setdefault(key, state)
    return examples


def _biased_deal(tree: GameTree, places: Sequence[str], chance: random.Random) -> list[int]:
    """A random deal whose cards at the places come from one small pool, and the others from another."""
    deck = chance.sample(range(len(DECK)), len(DECK))
    cards: dict[int, int] = {}
    first = [number for number, slot in enumerate(tree.slots) if slot.place in places]
    others = [number for number in range(len(tree.slots)) if number not in first]
    for numbers in (first, others):
        pool = _random_pool(chance)
        free = sorted((card for card in deck if card not in cards.values()), key=lambda card: card not in pool)
        cards |= dict(zip(numbers, free, strict=False))
    return [cards[number] for number in range(len(tree.slots))]


def _random_pool(chance: random.Random) -> set[int]:
    """A set of cards in which good hands are frequent."""
    suit, width = chance.randrange(4), chance.choice((3, 4, 5, 6))
    start = chance.randrange(14 - width)
    run = set(range(start, start + width))
    ranks = set(chance.sample(range(13), chance.choice((1, 2, 3))))
    deck = [(card, card // 13, card % 13) for card in range(len(DECK))]
    pools = (
        {card for card, _, _ in deck},
        {card for card, card_suit, _ in deck if card_suit == suit},
        {card for card, card_suit, rank in deck if card_suit == suit and rank in run},
        {card for card, _, rank in deck if rank in run},
        {card for card, _, rank in deck if rank in ranks},
        {card for card, card_suit, _ in deck if card_suit in (suit, 3 - suit)},
    )
    return chance.choice(pools)


@dataclass(frozen=True, slots=True)
class VerifiedMode:
    """A mode that passed every check, with its exact figures."""

    name: str
    outcomes: int
    return_to_player: Fraction
    hit_frequency: Fraction
    """How often anything is paid, a push included."""
    highest_payout: Fraction
    """In stakes."""

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "outcomes": self.outcomes,
            "return_to_player": ratio(self.return_to_player),
            "return_to_player_percent": float(100 * self.return_to_player),
            "hit_frequency": ratio(self.hit_frequency),
            "hit_frequency_percent": float(100 * self.hit_frequency),
            "highest_payout": ratio(self.highest_payout),
        }


def verify_math_files(folder: Path) -> tuple[list[VerifiedMode], list[str]]:
    """Makes the checks that Stake Engine documents for an upload; returns the modes, and notes for its approval.

    Raises `InputError` with the file and the line for the first check that fails.
    """
    modes = [_verify_mode(folder, mode) for mode in _read_index(folder / INDEX_FILE)]
    notes = [
        f"the returns of {one.name} and {other.name} differ by more than {float(MAX_RTP_DIFFERENCE):.0%}"
        for one, other in combinations(modes, 2)
        if abs(one.return_to_player - other.return_to_player) > MAX_RTP_DIFFERENCE
    ]
    return modes, notes


def _read_index(path: Path) -> list[dict[str, Any]]:
    index = _read_json(path, _read_bytes(path))
    if not isinstance(index, dict) or set(index) != {"modes"} or not isinstance(index["modes"], list):
        raise InputError(str(path), "has not the form {'modes': [...]}")
    for number, mode in enumerate(index["modes"], 1):
        place = f"{path}, mode {number}"
        if not isinstance(mode, dict) or set(mode) != set(MODE_KEYS):
            raise InputError(place, f"must have exactly the keys {', '.join(MODE_KEYS)}")
        if not isinstance(mode["cost"], float) or mode["cost"] <= 0:
            raise InputError(place, "the cost must be a positive decimal number")
        for key, ending in (("name", ""), ("events", ".jsonl.zst"), ("weights", ".csv")):
            if not isinstance(mode[key], str) or not mode[key].endswith(ending) or Path(mode[key]).name != mode[key]:
                raise InputError(place, f"{key} must be a name{f' ending in {ending}' if ending else ''}")
    names = [mode["name"] for mode in index["modes"]]
    if not names or len(set(names)) != len(names):
        raise InputError(str(path), "must have at least one mode, each with a name of its own")
    return list(index["modes"])


def _verify_mode(folder: Path, mode: Mapping[str, Any]) -> VerifiedMode:
    rows = list(_read_lookup_table(folder / mode["weights"]))
    books = list(_read_books(folder / mode["events"]))
    table_digest, book_digest = (
        hashlib.sha256("\n".join(f"{number},{payout}" for number, payout in pairs).encode()).hexdigest()
        for pairs in ([(number, payout) for number, _, payout in rows], books)
    )
    if table_digest != book_digest:
        raise InputError(str(folder / mode["weights"]), f"numbers or payouts differ from those of {mode['events']}")
    total = sum(weight for _, weight, _ in rows)
    if not 0 < total <= MAX_UINT64:
        raise InputError(str(folder / mode["weights"]), "the sum of the weights must be positive and fit into 64 bits")
    cost = Fraction(mode["cost"])
    return VerifiedMode(
        name=mode["name"],
        outcomes=len(rows),
        return_to_player=Fraction(sum(weight * payout for _, weight, payout in rows), total * PAYOUT_UNIT) / cost,
        hit_frequency=Fraction(sum(weight for _, weight, payout in rows if payout), total),
        highest_payout=Fraction(max(payout for _, _, payout in rows), PAYOUT_UNIT),
    )


def _read_lookup_table(path: Path) -> Iterator[tuple[int, int, int]]:
    for line_number, line in enumerate(_read_bytes(path).decode(errors="replace").splitlines(), 1):
        cells = line.split(",")
        if len(cells) != 3 or not all(cell.isascii() and cell.isdigit() for cell in cells):
            raise InputError(f"{path}, line {line_number}", "must have three unsigned whole numbers")
        number, weight, payout = map(int, cells)
        if max(number, weight, payout) > MAX_UINT64:
            raise InputError(f"{path}, line {line_number}", "a number does not fit into 64 bits")
        if payout % PAYOUT_STEP:
            raise InputError(f"{path}, line {line_number}", f"the payout {payout} is no multiple of {PAYOUT_STEP}")
        yield number, weight, payout


def _read_books(path: Path) -> Iterator[tuple[int, int]]:
    zstandard = _zstandard()
    try:
        text = zstandard.ZstdDecompressor().stream_reader(_read_bytes(path)).read().decode()
    except (zstandard.ZstdError, UnicodeDecodeError) as error:
        raise InputError(str(path), "is not text compressed with Zstandard") from error
    for line_number, line in enumerate(text.splitlines(), 1):
        place = f"{path}, line {line_number}"
        book = _read_json(place, line.encode())
        if not isinstance(book, dict) or any(key not in book for key in BOOK_KEYS):
            raise InputError(place, f"must have the keys {', '.join(BOOK_KEYS)}")
        number, payout = book["id"], book["payoutMultiplier"]
        if type(number) is not int or type(payout) is not int or not isinstance(book["events"], list):
            raise InputError(place, "id and payoutMultiplier must be whole numbers, and events a list")
        yield number, payout


def _read_bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(str(path), f"cannot be read: {(error.strerror or str(error)).lower()}") from error


def _read_json(place: Path | str, data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise InputError(str(place), "is not JSON") from error


def _zstandard() -> Any:
    try:
        import zstandard
    except ImportError as error:
        raise InputError("zstandard", f"is not installed: {install_hint('stake')}") from error
    return zstandard
