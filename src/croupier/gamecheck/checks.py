"""Checks of a user-defined game: each problem is one sentence with its file and line.

The checks do not depend on any game: is enough dealt, is every wager settled and paid, can every rung and row be
reached? They continue after the first problem if they can.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations_with_replacement, product
from pathlib import Path

from croupier.core.cards import DECK, Card
from croupier.core.errors import InputError
from croupier.games import Game, game
from croupier.games.definition import BOARD, DEALER, ByLosingHand, ByTable, Cards, Contest, DealStep
from croupier.hands import ranking_named
from croupier.hands.plain_tables import RANK_KEYS, is_by_color
from croupier.hands.ranking import Ranking, sample_hands, suited_hands
from croupier.hands.shapes import HandCards, ranks_named
from croupier.plugins.discovery import source_at
from croupier.plugins.loader import load_added_edition, run_game_file
from croupier.regulations import ElectedEdition
from croupier.regulations.edition import Edition
from croupier.regulations.paytables import Paytable

_HEADER = re.compile(r"\[\[?\s*([^\[\]]+?)\s*\]\]?\s*(#.*)?$")
_KEY = re.compile(r"""((?:"[^"]*"|'[^']*'|[A-Za-z0-9_-]+)(?:\s*\.\s*(?:"[^"]*"|'[^']*'|[A-Za-z0-9_-]+))*)\s*=""")
_PART = re.compile(r""""([^"]*)"|'([^']*)'|([A-Za-z0-9_-]+)""")


def toml_lines(path: Path) -> Mapping[tuple[str, ...], int]:
    """The line of every table and key of a TOML file; entries of an inline table have the line of its key."""
    lines: dict[tuple[str, ...], int] = {}
    prefix: tuple[str, ...] = ()
    for number, line in enumerate(path.read_text(encoding="utf-8-sig").splitlines(), start=1):
        text = line.strip()
        if header := _HEADER.fullmatch(text):
            prefix = _parts(header[1])
            lines.setdefault(prefix, number)
        elif key := _KEY.match(text):
            lines.setdefault((*prefix, *_parts(key[1])), number)
    return lines


def _parts(key: str) -> tuple[str, ...]:
    return tuple(next(filter(None, match.groups()), "") for match in _PART.finditer(key))


def line_of_key(path: Path, key: tuple[str, ...]) -> int:
    """The line of a key or of its innermost enclosing table; 1 if there is none."""
    lines = toml_lines(path)
    for length in range(len(key), 0, -1):
        if key[:length] in lines:
            return lines[key[:length]]
    return 1


class GameLines:
    """The lines of a file that declares a game."""

    def __init__(self, path: Path) -> None:
        self._module = ast.parse(path.read_text(encoding="utf-8"))

    def of(self, calls: tuple[str, ...], name: str = "", keyword: str = "") -> int:
        """The line of a declaration: the first call of one of these names that contains the text.

        Falls back to the first occurrence of the text, then to the keyword of the game, then to the game.
        """
        for kind in calls:
            for call in self._calls(kind):
                numbers = [node.lineno for node in self._constants(call, name)] if name else [call.lineno]
                if numbers:
                    return min(numbers)
        for node in ast.walk(self._module):
            if name and isinstance(node, ast.Constant) and node.value == name:
                return node.lineno
        return self._keyword(keyword)

    def repeated(self, kind: str) -> int:
        """The line of the first call of that name with a repeated element in a tuple; else that of the `hand`."""
        for call in self._calls(kind):
            for node in ast.walk(call):
                if isinstance(node, ast.Tuple):
                    elements = [ast.dump(element) for element in node.elts]
                    if len(set(elements)) < len(elements):
                        return node.lineno
        return self._keyword("hand")

    def _calls(self, name: str) -> Iterator[ast.Call]:
        for node in ast.walk(self._module):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name:
                yield node

    @staticmethod
    def _constants(call: ast.Call, name: str) -> Iterator[ast.Constant]:
        for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
            for node in ast.walk(argument):
                if isinstance(node, ast.Constant) and node.value == name:
                    yield node

    def _keyword(self, keyword: str) -> int:
        for call in self._calls("Game"):
            for argument in call.keywords:
                if argument.arg == keyword:
                    return argument.value.lineno
            return call.lineno
        return 1


def ranking_problems(ranking: Ranking) -> Iterator[tuple[str, str]]:
    """The problems of a ranking: the rung, empty for the whole ranking, and a sentence."""
    if ranking.cards not in RANK_KEYS or ranking.size > ranking.cards:
        smallest, largest = min(RANK_KEYS), max(RANK_KEYS)
        yield "", f"ranking {ranking.name} takes {ranking.cards} cards: rankings take from {smallest} to {largest}"
        return
    names = [name for rung in ranking.rungs for name in (rung.name, *rung.parts)]
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield name, f"ranking {ranking.name} has {name} twice"
    try:
        leading_ranks = _reachable_rungs(ranking)
    except InputError as error:
        yield "", f"{error.place} {error.reason}"
        return
    for number, rung in enumerate(ranking.rungs):
        ranks = leading_ranks.get(number)
        if ranks is None:
            reason = "no hand has it, or a higher rung covers it"
            yield rung.name, f"{rung.name} cannot occur in ranking {ranking.name}: {reason}"
            continue
        for part, letters in rung.parts.items():
            if not ranks & ranks_named(letters):
                yield part, f"{part} cannot occur in ranking {ranking.name}: no {rung.name} begins with {letters}"


def _reachable_rungs(ranking: Ranking) -> dict[int, set[int]]:
    """For each reachable rung the leading ranks of its hands' keys."""
    leading_ranks: dict[int, set[int]] = {}
    for hand in _hands(ranking):
        number, key = ranking.standing(hand)
        leading_ranks.setdefault(number, set()).update(key[:1])
    ladder = len(ranking.ladder)
    for hand in suited_hands(ranking.cards) if ranking.full_hand else ():
        for number in range(len(ranking.full_hand) - 1, -1, -1):
            full_hand_key = ranking.full_hand[number].shape.key(HandCards(hand))
            if full_hand_key is not None:
                leading_ranks.setdefault(ladder + number, set()).update(full_hand_key[:1])
                break
    return leading_ranks


def _hands(ranking: Ranking) -> Iterator[tuple[Card, ...]]:
    """One hand of each kind that a ladder distinguishes: by ranks and suits, or by colors."""
    if not is_by_color(ranking):
        yield from sample_hands(ranking.size)
        return
    reds = [card for card in DECK if card.suit.is_red]
    blacks = [card for card in DECK if not card.suit.is_red]
    groups = ranking.groups or (ranking.size,)
    for chosen in product(*(combinations_with_replacement((False, True), size) for size in groups)):
        red, black = iter(reds), iter(blacks)
        yield tuple(next(red) if is_red else next(black) for group in chosen for is_red in group)


def unreachable_rows(table: Paytable) -> Iterator[str]:
    """The rows of a paytable that no hand of its ranking reaches, by enumeration of every hand."""
    from croupier.analysis.counting.histogram import histogram

    counts = histogram(table.ranking)
    reachable = {table.row_numbers[strength] for strength, count in enumerate(counts) if count}
    for number, row in enumerate(table.rows):
        if number not in reachable:
            yield row.hand


OUTCOMES = ("unqualified", "win", "tie", "lose")


@dataclass(frozen=True, slots=True)
class GameProblem:
    """Something wrong with a game."""

    file: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.message}"


def check_game(path: Path) -> tuple[Edition | None, list[GameProblem]]:
    """The edition of a game, if it can be read, and every problem; `path` is either of its files.

    Raises `InputError` for a path without a rules file.
    """
    source = source_at(path)
    if not source.rules.is_file():
        raise InputError(str(path), f"there is no rules file {source.rules.name} next to it")
    try:
        definition = None
        if source.game is not None:
            loaded = run_game_file(source.game)
            if not isinstance(loaded, Game):
                raise InputError(str(source.game), f"GAME is {type(loaded).__name__}, not a Game")
            definition, problems = loaded, list(_ranking_problems(loaded, source.game))
            if problems:
                return None, problems
        rules = load_added_edition(source)
        definition = definition or game(rules.game)
    except InputError as error:
        return None, [_problem_of_error(error, source.rules, source.game)]
    return rules, _Checks(rules, definition, source.rules, source.game).all()


def _problem_of_error(error: InputError, rules: Path, game_file: Path | None) -> GameProblem:
    """The problem behind a reader's error, with its line."""
    place, _, key = error.place.partition(", ")
    if game_file is not None and Path(place).name == game_file.name:
        return GameProblem(game_file.name, int(key.removeprefix("line ") or 1) if key else 1, error.reason)
    if error.reason.startswith("line "):
        number, _, reason = error.reason.removeprefix("line ").partition(", ")
        return GameProblem(rules.name, int(number), reason)
    parts = tuple(key.replace("[", ".").replace("]", "").split(".")) if key else ()
    where = f"{key}: " if key else ""
    try:
        return GameProblem(rules.name, line_of_key(rules, parts), f"{where}{error.reason}")
    except UnicodeDecodeError:
        return GameProblem(rules.name, 1, error.reason)


def _ranking_problems(definition: Game, path: Path) -> Iterator[GameProblem]:
    lines = GameLines(path)
    for ranking in definition.rankings:
        for rung, message in ranking_problems(ranking):
            calls = ("Rung",) if rung else ("Ranking",)
            yield GameProblem(path.name, lines.of(calls, rung or ranking.name, "rankings"), message)


@dataclass(frozen=True)
class _FullTable:
    """A table at which every seat has made every wager."""

    elected_choices: ElectedEdition
    seats_dealt: tuple[int, ...]

    def bettors(self, wager: str) -> tuple[int, ...]:
        del wager
        return self.seats_dealt

    def elected(self, election: str) -> str:
        return self.elected_choices.choices.get(election, "")


class _Checks:
    """The checks of one game."""

    def __init__(self, rules: Edition, definition: Game, rules_file: Path, game_file: Path | None) -> None:
        self.rules, self.definition = rules, definition
        self.rules_file, self.game_file = rules_file, game_file
        self.elected = rules.elect()
        self.lines = GameLines(game_file) if game_file is not None else None

    def all(self) -> list[GameProblem]:
        """Every problem, those of the definition first."""
        checks = (
            self.check_deals,
            self.check_hands,
            self.check_streets,
            self.check_settlements,
            self.check_payouts,
            self.check_rows,
        )
        return list(dict.fromkeys(problem for check in checks for problem in self._run_check(check)))

    def _run_check(self, check: Callable[[], Iterator[GameProblem]]) -> Iterator[GameProblem]:
        """The problems of a check; an error of the definition itself is a problem too."""
        try:
            yield from check()
        except InputError as error:
            yield self.in_game(error.reason, ("Game",), "", "")

    def in_game(self, message: str, calls: tuple[str, ...], name: str = "", keyword: str = "") -> GameProblem:
        if self.lines is None or self.game_file is None:
            return self.in_rules(message, "game")
        return GameProblem(self.game_file.name, self.lines.of(calls, name, keyword), message)

    def in_repeated_cards(self, message: str) -> GameProblem:
        if self.lines is None or self.game_file is None:
            return self.in_rules(message, "game")
        return GameProblem(self.game_file.name, self.lines.repeated("Cards"), message)

    def in_rules(self, message: str, *key: str) -> GameProblem:
        return GameProblem(self.rules_file.name, line_of_key(self.rules_file, key), message)

    def card_counts(self, deal: tuple[DealStep, ...], seats: int) -> dict[tuple[str, int], int]:
        """The number of cards of each place if all seats have made every wager."""
        counts: dict[tuple[str, int], int] = {}
        dealt = _FullTable(self.elected, tuple(range(1, seats + 1)))
        for step in deal:
            for slot in step.slots(dealt):
                counts[slot.place, slot.seat] = counts.get((slot.place, slot.seat), 0) + 1
        return counts

    def check_deals(self) -> Iterator[GameProblem]:
        """Deals with more cards than the deck, and deals that the rules name but the game lacks."""
        seats, deck = self.rules.figure("seats"), self.rules.figure("deck_cards")
        for method, name in self.rules.deals.items():
            if name not in self.definition.deals:
                names = ", ".join(self.definition.deals)
                yield self.in_rules(f"the game has no deal {name!r}; it has {names}", "deals", method)
        for name, steps in self.definition.deals.items():
            cards = sum(self.card_counts(tuple(steps), seats).values())
            if cards > deck:
                message = f"deal {name!r} takes {cards} cards at {seats} seats, but the deck has {deck}"
                yield self.in_game(message, (), name, "deals")

    def check_hands(self) -> Iterator[GameProblem]:
        """Hands with a repeated card, or with the wrong number of cards for their ranking."""
        for cards, ranking, name in self._ranked_hands():
            repeated = sorted({place for place in cards.places if cards.places.count(place) > 1})
            for place in repeated:
                message = f"a hand contains the cards of {place!r} twice"
                yield self.in_repeated_cards(message)
            needed = ranking_named(ranking).cards
            for deal, steps in self.definition.deals.items() if not repeated else ():
                counts = self.card_counts(tuple(steps), 1)
                dealt = {place: counts.get((place, 1), counts.get((place, 0), 0)) for place in cards.places}
                dealt_count = sum(min(cards.first or count, count) for count in dealt.values())
                if dealt_count != needed:
                    parts = ", ".join(f"{count} to {place}" for place, count in dealt.items())
                    message = (
                        f"{name} needs {needed} cards ({ranking}), but deal {deal!r} gives it {dealt_count}: {parts}"
                    )
                    yield self.in_game(message, (), deal, "deals")

    def _ranked_hands(self) -> Iterator[tuple[Cards, str, str]]:
        yield self.definition.hand, self.definition.hand_ranking, "the hand"
        for settlement in self.definition.settlements:
            match settlement:
                case Contest():
                    yield settlement.player, settlement.player_ranking, "the player's hand of the contest"
                    yield settlement.dealer, settlement.dealer_ranking, "the dealer's hand of the contest"
                case ByTable() if settlement.table_name in self.rules.paytables:
                    ranking = self.elected.paytable(settlement.table_name).ranking.name
                    yield settlement.cards, ranking, f"the hand of {settlement.wager}"

    def check_streets(self) -> Iterator[GameProblem]:
        """Streets without a choice, or that reveal cards that are not dealt."""
        if not self.definition.streets:
            yield self.in_game("there is no street: players must decide at least once", ("Game",), "", "streets")
        revealed: dict[str, int] = {}
        for street in self.definition.streets:
            rule = self.rules.wagers.get(street.wager)
            if rule is None:
                message = f"the street of {street.wager!r} names a wager that the rules do not define"
                yield self.in_game(message, ("Street",), street.wager, "streets")
                continue
            if street.pulls_back and not rule.equals:
                message = f"{street.wager} cannot be pulled back: only a wager placed with another (equals) can"
                yield self.in_rules(message, "wagers", street.wager)
            elif not street.pulls_back and not rule.made_in_play:
                message = f"the street of {street.wager} has no choice: the wager has neither multiples nor between"
                yield self.in_rules(message, "wagers", street.wager)
            place, count = street.then.place, street.then.count
            dealt_count = min(self._dealt_counts(place), default=0)
            if place not in (DEALER, BOARD) or count > dealt_count or count <= revealed.get(place, 0):
                message = f"the street of {street.wager} reveals {count} cards of {place}, which has {dealt_count}"
                yield self.in_game(message, ("Street",), street.wager, "streets")
            revealed[place] = count
        street_wagers = {street.wager for street in self.definition.streets}
        for name, rule in self.rules.wagers.items():
            if rule.made_in_play and name not in street_wagers:
                yield self.in_rules(f"{name} is made during the round, but no street asks for it", "wagers", name)

    def _dealt_counts(self, place: str) -> list[int]:
        return [self.card_counts(tuple(steps), 1).get((place, 0), 0) for steps in self.definition.deals.values()]

    def check_settlements(self) -> Iterator[GameProblem]:
        """Wagers without a settlement, settled twice, or missing from the rules."""
        settlement_counts: dict[str, int] = {}
        for settlement in self.definition.settlements:
            wagers = settlement.wagers if isinstance(settlement, Contest) else (settlement.wager,)
            for wager in wagers:
                settlement_counts[wager] = settlement_counts.get(wager, 0) + 1
                if wager not in self.rules.wagers:
                    message = f"{wager!r} is settled, but the rules do not define it"
                    yield self.in_game(message, ("Contest", "ByTable", "ByLosingHand"), wager, "settlements")
        for wager in self.rules.wagers:
            if wager not in settlement_counts:
                yield self.in_rules(f"{wager} is never settled: no settlement of the game names it", "wagers", wager)
            elif settlement_counts[wager] > 1:
                message = f"{wager} is settled {settlement_counts[wager]} times"
                yield self.in_game(message, ("ByTable", "ByLosingHand", "Contest"), wager, "settlements")
        if "ante" not in self.rules.wagers:
            yield self.in_rules("there is no wager called ante: the others are multiples of it", "wagers")
        for wager in self.definition.dealt_in:
            if wager not in self.rules.wagers:
                yield self.in_game(f"dealt_in names {wager!r}, which is not a wager", ("Game",), wager, "dealt_in")

    def check_payouts(self) -> Iterator[GameProblem]:
        """Winning wagers and bonuses with neither odds nor a paytable."""
        for settlement in self.definition.settlements:
            match settlement:
                case Contest():
                    yield from self._check_contest(settlement)
                case ByTable() | ByLosingHand():
                    if settlement.table_name not in self.rules.paytables:
                        message = f"{settlement.wager} is paid by table {settlement.table_name!r}, which does not exist"
                        yield self.in_rules(message, "paytables")

    def _check_contest(self, contest: Contest) -> Iterator[GameProblem]:
        for wager in contest.wagers:
            table = contest.by_table.get(wager, "")
            pushes = wager in contest.pushes.get("win", ())
            if not table and not pushes and wager not in self.rules.odds:
                yield self.in_rules(f"{wager} can win the contest, but has neither odds nor a table", "odds")
            unpaid_hand = self._highest_unpaid_hand(table) if table in self.rules.paytables else ""
            if unpaid_hand:
                message = f"a {unpaid_hand} can win {wager}, but table {table} has no row for it"
                yield self.in_rules(message, "paytables", table)
        tables = [*contest.by_table.values(), *contest.always_by_table.values(), *(b.name for b in contest.bonuses)]
        for table in tables:
            if table not in self.rules.paytables:
                yield self.in_rules(f"the contest pays by table {table!r}, which does not exist", "paytables")
        for odds in contest.pays_unqualified.values():
            if odds not in self.rules.odds:
                yield self.in_rules(f"an unqualified dealer pays the odds {odds!r}, which do not exist", "odds")
        for outcome in (*contest.pushes, *(when for bonus in contest.bonuses for when in bonus.when)):
            if outcome not in OUTCOMES:
                message = f"{outcome!r} is not an outcome of a contest: {', '.join(OUTCOMES)}"
                yield self.in_game(message, ("Contest", "Bonus"), outcome, "settlements")
        try:
            if contest.qualifies:
                ranking_named(contest.dealer_ranking).span(contest.qualifies)
        except InputError as error:
            yield self.in_game(error.reason, ("Contest",), contest.qualifies, "settlements")

    def _highest_unpaid_hand(self, table: str) -> str:
        """The highest hand without a row; empty if every hand has one."""
        paytable = self.elected.paytable(table)
        missing = [s for s in range(len(paytable.ranking)) if paytable.row_of(s) is None]
        return paytable.ranking.name_of(missing[-1]).replace("_", " ") if missing else ""

    def check_rows(self) -> Iterator[GameProblem]:
        """Paytable rows that no hand reaches."""
        for name, group in self.rules.paytables.items():
            for letter, table in group.tables.items():
                try:
                    unreachable = list(unreachable_rows(table))
                except InputError as error:
                    yield self.in_rules(f"{error.place} {error.reason}", "paytables", name, letter)
                    continue
                for hand in unreachable:
                    message = f"row {hand} of {name} {letter} is unreachable: no hand has it"
                    yield self.in_rules(message, "paytables", name, letter, hand)
