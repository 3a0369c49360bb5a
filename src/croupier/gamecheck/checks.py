"""Checks of a user-defined game: each problem is one sentence with its file and line.

The checks are independent of any game: what is dealt, what settles each wager, and whether every rung
and row is reachable. They continue after the first problem if they can.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from croupier.core.errors import InputError
from croupier.gamecheck.reachability import ranking_problems, unreached_rows
from croupier.gamecheck.source_lines import GameLines, line_of_key
from croupier.games import Game, game
from croupier.games.definition import BOARD, DEALER, ByLosingHand, ByTable, Cards, Contest, DealStep
from croupier.hands import ranking_named
from croupier.plugins.discovery import source_at
from croupier.plugins.loader import load_added_edition, run_game_file
from croupier.regulations import ElectedEdition
from croupier.regulations.edition import Edition

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
        played = None
        if source.game is not None:
            declared = run_game_file(source.game)
            if not isinstance(declared, Game):
                raise InputError(str(source.game), f"GAME is {type(declared).__name__}, not a Game")
            played, broken = declared, list(_ranking_problems(declared, source.game))
            if broken:
                return None, broken
        rules = load_added_edition(source)
        played = played or game(rules.game)
    except InputError as fault:
        return None, [_problem_of_error(fault, source.rules, source.game)]
    return rules, _Checks(rules, played, source.rules, source.game).all()


def _problem_of_error(fault: InputError, rules: Path, declared: Path | None) -> GameProblem:
    """The problem behind a reader's error, with its line."""
    place, _, key = fault.place.partition(", ")
    if declared is not None and Path(place).name == declared.name:
        return GameProblem(declared.name, int(key.removeprefix("line ") or 1) if key else 1, fault.reason)
    if fault.reason.startswith("line "):
        number, _, reason = fault.reason.removeprefix("line ").partition(", ")
        return GameProblem(rules.name, int(number), reason)
    parts = tuple(key.replace("[", ".").replace("]", "").split(".")) if key else ()
    where = f"{key}: " if key else ""
    try:
        return GameProblem(rules.name, line_of_key(rules, parts), f"{where}{fault.reason}")
    except UnicodeDecodeError:
        return GameProblem(rules.name, 1, fault.reason)


def _ranking_problems(played: Game, path: Path) -> Iterator[GameProblem]:
    lines = GameLines(path)
    for ranking in played.rankings:
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

    def __init__(self, rules: Edition, played: Game, rules_file: Path, game_file: Path | None) -> None:
        self.rules, self.played = rules, played
        self.rules_file, self.game_file = rules_file, game_file
        self.elected = rules.elect()
        self.lines = GameLines(game_file) if game_file is not None else None

    def all(self) -> list[GameProblem]:
        """Every problem, those of the definition first."""
        checks = (self.deals, self.hands, self.streets, self.settled, self.paid, self.rows)
        return list(dict.fromkeys(problem for check in checks for problem in self._run_check(check)))

    def _run_check(self, check: Callable[[], Iterator[GameProblem]]) -> Iterator[GameProblem]:
        """The problems of a check; an error of the definition itself is a problem too."""
        try:
            yield from check()
        except InputError as fault:
            yield self.in_game(fault.reason, ("Game",), "", "")

    def in_game(self, message: str, calls: tuple[str, ...], name: str = "", keyword: str = "") -> GameProblem:
        if self.lines is None or self.game_file is None:
            return self.in_rules(message, "game")
        return GameProblem(self.game_file.name, self.lines.of(calls, name, keyword), message)

    def twice(self, message: str) -> GameProblem:
        if self.lines is None or self.game_file is None:
            return self.in_rules(message, "game")
        return GameProblem(self.game_file.name, self.lines.repeated("Cards"), message)

    def in_rules(self, message: str, *key: str) -> GameProblem:
        return GameProblem(self.rules_file.name, line_of_key(self.rules_file, key), message)

    def counts(self, deal: tuple[DealStep, ...], seats: int) -> dict[tuple[str, int], int]:
        """The number of cards of each place if all seats have made every wager."""
        counts: dict[tuple[str, int], int] = {}
        dealt = _FullTable(self.elected, tuple(range(1, seats + 1)))
        for step in deal:
            for slot in step.slots(dealt):
                counts[slot.place, slot.seat] = counts.get((slot.place, slot.seat), 0) + 1
        return counts

    def deals(self) -> Iterator[GameProblem]:
        """Deals with more cards than the deck, and deals that the rules name but the game lacks."""
        seats, deck = self.rules.figure("seats"), self.rules.figure("deck_cards")
        for method, name in self.rules.deals.items():
            if name not in self.played.deals:
                names = ", ".join(self.played.deals)
                yield self.in_rules(f"the game has no deal {name!r}; it has {names}", "deals", method)
        for name, steps in self.played.deals.items():
            cards = sum(self.counts(tuple(steps), seats).values())
            if cards > deck:
                message = f"deal {name!r} takes {cards} cards at {seats} seats, and the deck has {deck}"
                yield self.in_game(message, (), name, "deals")

    def hands(self) -> Iterator[GameProblem]:
        """Hands with a repeated card, or with the wrong number of cards for their ranking."""
        for cards, ranking, name in self._hands():
            repeated = sorted({place for place in cards.places if cards.places.count(place) > 1})
            for place in repeated:
                message = f"the cards of {place!r} are in one hand twice: a deck has each card once"
                yield self.twice(message)
            takes = ranking_named(ranking).cards
            for deal, steps in self.played.deals.items() if not repeated else ():
                counts = self.counts(tuple(steps), 1)
                dealt = {place: counts.get((place, 1), counts.get((place, 0), 0)) for place in cards.places}
                has = sum(min(cards.first or count, count) for count in dealt.values())
                if has != takes:
                    parts = ", ".join(f"{count} to {place}" for place, count in dealt.items())
                    message = f"{name} is of {takes} cards ({ranking}), and deal {deal!r} gives it {has}: {parts}"
                    yield self.in_game(message, (), deal, "deals")

    def _hands(self) -> Iterator[tuple[Cards, str, str]]:
        yield self.played.hand, self.played.hand_ranking, "the hand"
        for settlement in self.played.settlements:
            match settlement:
                case Contest():
                    yield settlement.player, settlement.player_ranking, "the player's hand of the contest"
                    yield settlement.dealer, settlement.dealer_ranking, "the dealer's hand of the contest"
                case ByTable() if settlement.table_name in self.rules.paytables:
                    ranking = self.elected.paytable(settlement.table_name).ranking.name
                    yield settlement.cards, ranking, f"the hand of {settlement.wager}"

    def streets(self) -> Iterator[GameProblem]:
        """Streets without a choice, or that reveal cards that are not dealt."""
        if not self.played.streets:
            yield self.in_game("there is no street: players of a game decide at least once", ("Game",), "", "streets")
        revealed: dict[str, int] = {}
        for street in self.played.streets:
            rule = self.rules.wagers.get(street.wager)
            if rule is None:
                message = f"the street of {street.wager!r} is about a wager that the rules do not have"
                yield self.in_game(message, ("Street",), street.wager, "streets")
                continue
            if street.pulls_back and not rule.equals:
                message = f"{street.wager} cannot be pulled back: only a wager placed with another (equals) can"
                yield self.in_rules(message, "wagers", street.wager)
            elif not street.pulls_back and not rule.made_in_play:
                message = f"the street of {street.wager} has no choice: the wager has neither multiples nor between"
                yield self.in_rules(message, "wagers", street.wager)
            place, count = street.then.place, street.then.count
            has = min(self._dealt(place), default=0)
            if place not in (DEALER, BOARD) or count > has or count <= revealed.get(place, 0):
                message = f"the street of {street.wager} turns {place} up to {count} cards, of {has}"
                yield self.in_game(message, ("Street",), street.wager, "streets")
            revealed[place] = count
        decided = {street.wager for street in self.played.streets}
        for name, rule in self.rules.wagers.items():
            if rule.made_in_play and name not in decided:
                yield self.in_rules(f"{name} is made during the round, and no street asks for it", "wagers", name)

    def _dealt(self, place: str) -> list[int]:
        return [self.counts(tuple(steps), 1).get((place, 0), 0) for steps in self.played.deals.values()]

    def settled(self) -> Iterator[GameProblem]:
        """Wagers without a settlement, settled twice, or missing from the rules."""
        settlement_counts: dict[str, int] = {}
        for settlement in self.played.settlements:
            wagers = settlement.wagers if isinstance(settlement, Contest) else (settlement.wager,)
            for wager in wagers:
                settlement_counts[wager] = settlement_counts.get(wager, 0) + 1
                if wager not in self.rules.wagers:
                    message = f"{wager!r} is settled, and the rules have no such wager"
                    yield self.in_game(message, ("Contest", "ByTable", "ByLosingHand"), wager, "settlements")
        for wager in self.rules.wagers:
            if wager not in settlement_counts:
                yield self.in_rules(f"nobody settles {wager}: no settlement of the game names it", "wagers", wager)
            elif settlement_counts[wager] > 1:
                message = f"{wager} is settled {settlement_counts[wager]} times"
                yield self.in_game(message, ("ByTable", "ByLosingHand", "Contest"), wager, "settlements")
        if "ante" not in self.rules.wagers:
            yield self.in_rules("there is no wager called ante: the others are multiples of it", "wagers")
        for wager in self.played.dealt_in:
            if wager not in self.rules.wagers:
                yield self.in_game(f"dealt_in names {wager!r}, which is no wager", ("Game",), wager, "dealt_in")

    def paid(self) -> Iterator[GameProblem]:
        """Winning wagers and bonuses with neither odds nor a paytable."""
        for settlement in self.played.settlements:
            match settlement:
                case Contest():
                    yield from self._contest(settlement)
                case ByTable() | ByLosingHand():
                    if settlement.table_name not in self.rules.paytables:
                        message = f"{settlement.wager} is paid by a table {settlement.table_name!r}, which is not there"
                        yield self.in_rules(message, "paytables")

    def _contest(self, contest: Contest) -> Iterator[GameProblem]:
        for wager in contest.wagers:
            table = contest.by_table.get(wager, "")
            pushes = wager in contest.pushes.get("win", ())
            if not table and not pushes and wager not in self.rules.odds:
                yield self.in_rules(f"{wager} wins the contest, and has neither odds nor a table", "odds")
            unpaid = self._unpaid(table) if table in self.rules.paytables else ""
            if unpaid:
                message = f"a {unpaid} can win {wager}, and table {table} has no row for it"
                yield self.in_rules(message, "paytables", table)
        tables = [*contest.by_table.values(), *contest.always_by_table.values(), *(b.name for b in contest.bonuses)]
        for table in tables:
            if table not in self.rules.paytables:
                yield self.in_rules(f"the contest pays by the table {table!r}, which is not there", "paytables")
        for odds in contest.pays_unqualified.values():
            if odds not in self.rules.odds:
                yield self.in_rules(f"an unqualified dealer pays by the odds {odds!r}, which are not there", "odds")
        for outcome in (*contest.pushes, *(when for bonus in contest.bonuses for when in bonus.when)):
            if outcome not in OUTCOMES:
                message = f"{outcome!r} is no outcome of a contest: {', '.join(OUTCOMES)}"
                yield self.in_game(message, ("Contest", "Bonus"), outcome, "settlements")
        try:
            if contest.qualifies:
                ranking_named(contest.dealer_ranking).span(contest.qualifies)
        except InputError as fault:
            yield self.in_game(fault.reason, ("Contest",), contest.qualifies, "settlements")

    def _unpaid(self, table: str) -> str:
        """The highest hand without a row; empty if every hand has one."""
        paytable = self.elected.paytable(table)
        missing = [s for s in range(len(paytable.ranking)) if paytable.row_of(s) is None]
        return paytable.ranking.name_of(missing[-1]).replace("_", " ") if missing else ""

    def rows(self) -> Iterator[GameProblem]:
        """Paytable rows that no hand reaches."""
        for name, group in self.rules.paytables.items():
            for letter, table in group.tables.items():
                try:
                    unreached = list(unreached_rows(table))
                except InputError as fault:
                    yield self.in_rules(f"{fault.place} {fault.reason}", "paytables", name, letter)
                    continue
                for hand in unreached:
                    message = f"row {hand} of {name} {letter} is never reached: no hand has it"
                    yield self.in_rules(message, "paytables", name, letter, hand)
