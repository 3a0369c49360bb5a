"""What backs each clause: the code that really cites or computes its rule, by the sort of evidence that it is.

A claim in a decorator (`carries_out`) backs nothing. See `croupier.regulations.citations` for how code is read.
"""

from __future__ import annotations

import ast
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from croupier.regulations.citations import DATA_SECTIONS, SECTIONS, Citation, CitationReader, Use, path_matches
from croupier.regulations.claims import decorator_arguments, parsed_modules
from croupier.regulations.evidence import SourceTree, data_at, ranking_rules
from croupier.regulations.evidence_kinds import Backing
from croupier.regulations.rule_paths import Key, documents_of, edition_files, named_clauses

COMPUTATIONS = "tools/law/computations.toml"
_TERMS = {
    "hand": "croupier.table.settlement.hands:read_hand",
    "fold": "croupier.table.procedure.decisions:forfeited_by_fold",
    "qualify": "croupier.table.settlement.contest:contest_outcome",
    "community_card": "croupier.table.procedure.decisions:reveal_cards",
    "raise_wager": "croupier.table.procedure.decisions:allowed_amounts",
    "magic_card_bonus_on_the_player": "croupier.table.settlement.seat:SeatSettlement.drawn_bonus_entries",
    "magic_card_bonus_on_the_dealer": "croupier.table.settlement.seat:SeatSettlement.drawn_bonus_entries",
    "lucky_bonus_on_the_player": "croupier.table.settlement.seat:SeatSettlement.drawn_bonus_entries",
    "lucky_bonus_on_the_dealer": "croupier.table.settlement.seat:SeatSettlement.drawn_bonus_entries",
}
"""Defined terms that are no wager, paytable or envy table of the edition, with the code that uses them."""
_PRINTING = tuple(
    f"croupier.table.{name}" for name in ("hand_narration", "narration", "prompts", "record", "view", "visibility")
)
_TERM_SUFFIXES = ("_wager", "_bonus_wager", "_bonus", "_payout_hand", "_bonus_qualifying_hand")
Places = dict[Backing, set[str]]


def _computes(place: str) -> bool:
    """Whether a function is one that decides, settles or keeps meters; not one that prints or stores."""
    return place.startswith(("croupier.table.", "croupier.progressive.")) and not place.startswith(_PRINTING)


def has_choices(tables: object) -> bool:
    """Whether tables of an edition are an operator's choice among several letters."""
    return isinstance(tables, dict) and "elected_by" in tables and sum(len(key) == 1 for key in tables) > 1


def backings(root: Path) -> Mapping[Key, Places]:
    """What backs each clause in a source tree; clauses that nothing even mentions are missing."""
    return _BackingReader(root).read()


class _BackingReader:
    def __init__(self, root: Path) -> None:
        self.root, self.tree, self.reader = root, SourceTree(root), CitationReader(root / "src")
        self.places: dict[Key, Places] = defaultdict(lambda: defaultdict(set))
        prompts = (citation for citation in self.reader.citations if citation.use is Use.PROMPT)
        self.prompted = frozenset(command for citation in prompts for command in citation.commands)

    def read(self) -> Mapping[Key, Places]:
        by_path: dict[str, list[Citation]] = defaultdict(list)
        for citation in self.reader.citations:
            by_path[citation.path].append(citation)
        patterns = [path for path in by_path if "*" in path]
        for edition, paths in named_clauses().items():
            for path, clauses in paths.items():
                parts = path.split(".")
                cited = [".".join(parts[:length]) for length in range(1, len(parts) + 1)]
                cited += [pattern for pattern in patterns if path_matches(pattern, path)]
                citations = [citation for name in cited for citation in by_path.get(name, ())]
                places = self._places_at(edition, path, citations)
                for clause in dict.fromkeys(clauses):
                    self._add(edition, clause, places)
        self._read_computations()
        self._read_rankings()
        return self.places

    def _add(self, edition: str, clause: str, places: Mapping[Backing, set[str]]) -> None:
        for document in documents_of(edition, clause):
            for backing, names in places.items():
                self.places[document, clause][backing] |= names

    def _places_at(self, edition: str, path: str, citations: list[Citation]) -> Mapping[Backing, set[str]]:
        """What backs the clauses at a path of an edition."""
        places: Places = defaultdict(set)
        section, _, name = path.partition(".")
        for citation in citations:
            package = citation.place.split(".")[1].partition(":")[0]
            backing = Backing.MENTION
            if citation.use in (Use.REFUSAL, Use.STATEMENT) and package in ("table", "regulations"):
                backing = Backing.GUARD
            elif citation.use is Use.PROBLEM and package == "submissions":
                backing = Backing.CHECK
            elif citation.use is Use.READING and section == "elections" and package in ("table", "games"):
                backing = Backing.ELECTION
            elif citation.use is Use.READING and section in DATA_SECTIONS and _computes(citation.place):
                backing = Backing.DATA
            elif citation.use is Use.EVENT and self._is_asked_for(citation, citations):
                backing = Backing.RECORD
            places[backing].add(citation.place)
        if section in ("paytables", "envies"):
            if has_choices(data_at(edition_files()[edition], path)):
                places[Backing.ELECTION] |= places[Backing.DATA]
        elif section != "elections" and places[Backing.CHECK]:
            places[Backing.ELECTION] |= places[Backing.CHECK]  # a setting of the Rules Submission
        if section == "definitions":
            places[Backing.TERM] |= set(self._users_of_term(edition, name))
        return places

    def _is_asked_for(self, event: Citation, citations: list[Citation]) -> bool:
        """Whether a person is asked for a command with this event, or must state something with it."""
        commands = {name for each in citations if each.use is Use.STATEMENT for name in each.commands}
        return not (commands | self.prompted).isdisjoint(event.commands)

    def _users_of_term(self, edition: str, term: str) -> Iterator[str]:
        """The code that uses a defined term: that of the wager, paytable or envy table that it names."""
        data = edition_files()[edition]
        names = {term, *(term.removesuffix(suffix) for suffix in _TERM_SUFFIXES)}
        for section in ("wagers", "paytables", "envies", "odds"):
            if names & set(data.get(section, ())):
                readings = (c for c in self.reader.citations if c.use is Use.READING and c.matches(f"{section}.*"))
                yield from (c.place for c in readings if _computes(c.place))
        if term in _TERMS and self.tree.code_digest(_TERMS[term]):
            yield _TERMS[term]

    def _read_computations(self) -> None:
        for entry in _computations(self.root):
            if not self.tree.code_digest(entry["code"]):
                continue  # a test refuses such an entry
            place: Places = {Backing.COMPUTATION: {entry["code"]}}
            for edition, paths in named_clauses().items():
                if edition in entry.get("editions", (edition,)):
                    for rule in entry.get("rules", ()):
                        for clause in paths.get(f"rules.{rule}", ()):
                            self._add(edition, clause, place)
                    for clause in entry.get("clauses", ()):
                        self._add(edition, clause, place)

    def _read_rankings(self) -> None:
        path = self.root / "src" / "croupier" / "hands" / "rankings.py"
        module = ast.parse(path.read_text(encoding="utf-8"))
        for clause, rung, _ in ranking_rules(module):
            place = f"croupier.hands.rankings:{rung.partition('.')[0]}"
            for edition in named_clauses():
                self._add(edition, clause, {Backing.COMPUTATION: {place}})


def unbacked_marks(root: Path) -> Mapping[str, list[str]]:
    """The marks (`carries_out`) that nothing backs: by function or class, the rules that it neither cites nor computes.

    What a function's helpers in the same module cite counts as cited by it.
    """
    reader = CitationReader(root / "src")
    cited: dict[str, set[str]] = defaultdict(set)
    for citation in reader.citations:
        cited[citation.place].add(citation.path)
    for entry in _computations(root):
        cited[entry["code"]] |= {f"rules.{rule}" for rule in entry.get("rules", ())}
    helpers: dict[str, set[str]] = defaultdict(set)
    for helper, calls in reader.syntax.calls.items():
        for caller, _ in calls:
            if caller.module.name == helper.partition(":")[0]:
                helpers[caller.place].add(helper)
    unbacked = {}
    for place, names in _marks(root / "src"):
        places = {each for each in (*cited, *helpers) if each == place or each.startswith(f"{place}.")}
        reached: set[str] = set()
        while places - reached:
            reached |= places
            places = {helper for each in reached for helper in helpers.get(each, ())}
        paths = {path for each in reached for path in cited.get(each, ())}
        missing = [name for name in names if not any(_is_under(path, name) for path in paths)]
        if missing:
            unbacked[place] = missing
    return unbacked


def _is_under(cited: str, name: str) -> bool:
    """Whether a cited path is that of a marked rule or lies below a marked path."""
    section, _, rest = name.partition(".")
    path = name if section in SECTIONS else f"rules.{name}"
    return path_matches(cited, path) or ((bool(rest) or section in SECTIONS) and path_matches(path, cited))


def _marks(source: Path) -> Iterator[tuple[str, list[str]]]:
    """The functions and classes that a mark is on, with the rules that they are said to carry out."""
    for path, module in parsed_modules(source, "carries_out("):
        name = ".".join(path.relative_to(source).with_suffix("").parts)
        for owner, body in (("", module.body), *((n.name, n.body) for n in module.body if isinstance(n, ast.ClassDef))):
            for node in body:
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                    rules = list(decorator_arguments(node, "carries_out"))
                    if rules:
                        yield f"{name}:{owner}.{node.name}" if owner else f"{name}:{node.name}", rules


def _computations(root: Path) -> list[dict[str, Any]]:
    """The computations that the campaign breaks; none without the table of the campaign."""
    path = root / COMPUTATIONS
    entries: list[dict[str, Any]] = []
    if path.is_file():
        entries = tomllib.loads(path.read_text(encoding="utf-8"))["computation"]
    return entries
