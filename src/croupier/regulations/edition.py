"""An edition: one regulation's version of one game, as data. Every value keeps its clause."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction

from croupier.core.dataclass import dataclass
from croupier.core.errors import InputError
from croupier.core.money import Cents
from croupier.core.suggestions import did_you_mean
from croupier.hands import ranking_named
from croupier.regulations.clauses import Clause, carries_out
from croupier.regulations.payouts import Payout
from croupier.regulations.paytables import Paytable


@dataclass(frozen=True, slots=True)
class Figure:
    """A number that a clause fixes."""

    value: int
    clauses: tuple[str, ...]

    @property
    def clause(self) -> str:
        return self.clauses[0]


@dataclass(frozen=True, slots=True)
class Definition:
    """A term that the regulation defines, in our own words."""

    means: str
    clause: str


@dataclass(frozen=True, slots=True)
class WagerRule:
    """A wager of the edition."""

    name: str
    title: str
    clause: str
    required: bool
    needs_all: tuple[str, ...] = ()
    """Wagers that must be placed before this one is accepted."""
    needs_any: tuple[str, ...] = ()
    """Wagers of which one must be placed before this one is accepted."""
    multiples: tuple[int, ...] = ()
    """For a wager made during the round: the multiples of the Ante that it may be."""
    between: tuple[int, int] | None = None
    """For a wager made during the round: the range of multiples of the Ante that it may be."""
    needs_hand: Mapping[int, str] = field(default_factory=dict)
    """Multiples that only some hands may make, with the lowest such hand by the player's ranking in the contest."""
    equals: str = ""
    """The wager that it is placed with, in the same amount; empty if it is placed on its own."""

    @property
    def made_in_play(self) -> bool:
        """Whether it is made during the round rather than before the deal."""
        return bool(self.multiples) or self.between is not None

    @property
    def is_derived(self) -> bool:
        """Whether another wager determines its size, so that it has no limits of its own."""
        return self.made_in_play or bool(self.equals)


@dataclass(frozen=True, slots=True)
class Odds:
    """A wager or bonus that always pays the same when it wins."""

    pays: Payout
    clause: str


@dataclass(frozen=True, slots=True)
class PaytableSet:
    """The paytables of a wager or bonus, by letter; one of them is elected if there are several."""

    name: str
    title: str
    on: str
    """The wager that it is paid on."""
    elected_by: str
    """The clause that leaves the choice to the operator; empty if there is no choice."""
    tables: Mapping[str, Paytable]


@dataclass(frozen=True, slots=True)
class EnvySet:
    """The envy tables of a progressive wager, by letter and by the size of that wager in dollars."""

    name: str
    title: str
    on: str
    elected_by: str
    tables: Mapping[str, Mapping[int, Paytable]]


@dataclass(frozen=True, slots=True)
class MeterRule:
    """What a clause fixes about one meter. Pennsylvania fixes everything, Maryland a minimum."""

    clause: str
    seed: Cents | None = None
    reseed: Cents | None = None
    minimum: Cents | None = None
    rate: Fraction | None = None
    reserve_rate: Fraction | None = None


@dataclass(frozen=True, slots=True)
class ProgressiveRule:
    """The meters of a progressive wager, by the letter of its paytable and the name of the meter."""

    wager: str
    amounts: tuple[Cents, ...]
    """The only sizes the wager may have; empty if any size is allowed."""
    amounts_clause: str
    scales: bool
    """Whether amounts are per dollar of the wager."""
    scales_clause: str
    meters: Mapping[str, Mapping[str, MeterRule]]


@dataclass(frozen=True, slots=True)
class PayoutLimitRule:
    """The aggregate payout limit that an operator may set."""

    clause: str
    floor: Cents
    covers: tuple[str, ...]
    except_hands: tuple[str, ...]
    reading: str


@dataclass(frozen=True, slots=True)
class ExposureRule:
    """The consequence of an exposed card of the dealer or the board."""

    cards: str
    """Which cards: `dealer` or `board`."""
    until: str
    """When it stops mattering: after the last of the `decisions`, or at the `reveal`."""
    settles_optional_wagers: bool
    """Whether optional wagers are settled all the same; otherwise every wager is returned."""
    clause: str


@dataclass(frozen=True, slots=True)
class AreaRule:
    """Betting areas that the layout needs at each position for the wagers offered."""

    wagers: tuple[str, ...]
    clause: str
    electronic: bool


@dataclass(frozen=True, slots=True)
class CardAreaRule:
    """A place for cards that the layout needs: always, with a wager, or with a choice."""

    area: str
    clause: str
    wager: str
    election: str
    choice: str
    each_position: bool
    """Whether every betting position has one; otherwise there is one for the table."""


@dataclass(frozen=True, slots=True)
class Inscription:
    """Text required on the layout."""

    text: str
    clause: str


@dataclass(frozen=True, slots=True)
class LayoutRule:
    """What the table and its layout must have; each field but the lists is a clause."""

    filing: str
    positions: str
    dealer_place: str
    operator_name: str
    areas: tuple[AreaRule, ...]
    card_areas: tuple[CardAreaRule, ...]
    inscriptions: tuple[Inscription, ...]
    odds: str
    payout_limit: str
    boxes: str
    tip_box_elsewhere: str
    discard_rack: str


@dataclass(frozen=True, slots=True)
class Election:
    """A choice that an operator makes; the first choice applies if none is stated."""

    name: str
    title: str
    choices: tuple[str, ...]
    default: str
    clauses: tuple[str, ...]
    kind: str
    """`paytable`, `procedure` or `reading`."""


@dataclass(frozen=True, slots=True)
class Effect:
    """How a choice changes paytables: their ranking, the names of rows, or what rows pay."""

    election: str
    choice: str
    tables: tuple[str, ...]
    letters: tuple[str, ...]
    ranking: str
    rename: Mapping[str, str]
    pays: Mapping[str, Payout]


@dataclass(frozen=True, slots=True)
class PublishedHold:
    """A range of hold percentages that a regulator published for a wager."""

    wager: str
    low: str
    high: str
    per: str
    """`Ante`, `total wagered` or `wager`: what the percentage is of."""
    source: str


@dataclass(frozen=True, slots=True)
class Edition:
    """One regulation's version of one game."""

    name: str
    game: str
    title: str
    jurisdiction: str
    regulation: str
    status: str
    regulator: str
    operator: str
    definitions: Mapping[str, Definition]
    figures: Mapping[str, Figure]
    rules: Mapping[str, tuple[str, ...]]
    deals: Mapping[str, str]
    """For each dealing method, the deal of the game that it uses."""
    exposure: ExposureRule
    wagers: Mapping[str, WagerRule]
    odds: Mapping[str, Odds]
    paytables: Mapping[str, PaytableSet]
    envies: Mapping[str, EnvySet]
    progressives: Mapping[str, ProgressiveRule]
    payout_limit: PayoutLimitRule | None
    layout: LayoutRule
    elections: Mapping[str, Election]
    effects: tuple[Effect, ...]
    published: tuple[PublishedHold, ...]
    sheet: Mapping[str, Clause] = field(default_factory=dict)
    """The clauses of the house rules of a game without a regulation; empty if it has one."""
    sources: tuple[str, ...] = ()
    """The sources of the rules of such a game."""

    @property
    def electronic(self) -> frozenset[str]:
        """The wagers that are placed on a device, from the patron's game account."""
        return frozenset(wager for area in self.layout.areas if area.electronic for wager in area.wagers)

    def figure(self, name: str) -> int:
        """A number that a clause fixes."""
        return self.figures[name].value

    def clause(self, rule: str) -> str:
        """The first clause behind a rule; empty if it has none."""
        clauses = self.rules.get(rule, ())
        return clauses[0] if clauses else ""

    @property
    def required(self) -> tuple[str, ...]:
        return tuple(name for name, wager in self.wagers.items() if wager.required)

    @property
    def optional(self) -> tuple[str, ...]:
        return tuple(name for name, wager in self.wagers.items() if not wager.required)

    def title_of(self, name: str) -> str:
        """The title of a wager, a paytable or an Envy Bonus; the name in words if it has none."""
        for group in (self.wagers, self.paytables, self.envies):
            if name in group:
                return str(group[name].title)
        return name.replace("_", " ").title()

    def placed_with(self, wager: str) -> tuple[str, ...]:
        """The wagers that are placed together with another, in the same amount."""
        return tuple(name for name, rule in self.wagers.items() if rule.equals == wager)

    def require_choice(self, name: str, choice: str) -> None:
        """Raises `InputError` for an unknown election and a choice that is not allowed."""
        if name not in self.elections:
            names = did_you_mean(name, self.elections) or f"; it has {', '.join(self.elections)}"
            raise InputError(name, f"{self.name} has no election of this name{names}")
        allowed = self.elections[name].choices
        if choice not in allowed:
            raise InputError(name, f"{choice!r} is not a choice; choose one of {', '.join(allowed)}")

    @carries_out("envy_follows_progressive")
    def elect(self, elections: Mapping[str, str] | None = None) -> ElectedEdition:
        """The edition with choices made; a choice left out has its default.

        An envy table left out has the letter of its progressive table. Raises `InputError` for an
        unknown election, a choice that is not allowed, and, if a clause ties the two, an envy table
        with a different letter from the progressive table.
        """
        choices = {name: election.default for name, election in self.elections.items()}
        for name, choice in (elections or {}).items():
            self.require_choice(name, choice)
            choices[name] = choice
        tying_clause = self.clause("envy_follows_progressive")
        for name, envies in self.envies.items():
            if name not in self.elections:
                continue
            progressive = choices.get(envies.on, "")
            if name not in (elections or {}) and progressive in envies.tables:
                choices[name] = progressive
            if tying_clause and choices[name] != progressive:
                reason = f"table {choices[name]} cannot be combined with progressive table {progressive}"
                raise InputError(name, f"{reason}: the letters must agree", tying_clause)
        return ElectedEdition(self, choices)


@dataclass(frozen=True, eq=False)
class ElectedEdition:
    """An edition with every choice made."""

    edition: Edition
    choices: Mapping[str, str]
    _table_cache: dict[tuple[str, str, int], Paytable] = field(default_factory=dict, repr=False)
    """Tables with readings applied; cached so that each is compiled once."""
    has_custom_table: bool = False
    """Whether a table is not the edition's own."""

    def needs_all(self, wager: str) -> tuple[str, ...]:
        """The wagers that must be placed before this one is accepted, with readings applied."""
        needed = self.edition.wagers[wager].needs_all
        return ("ante",) if self.choices.get(f"{wager}_needs") == "ante" else needed

    def paytable(self, name: str) -> Paytable:
        """The paytable in force for a wager or bonus, with readings applied."""
        return self.paytable_with_letter(name, self.choices.get(name, "A"))

    def paytable_with_letter(self, name: str, letter: str) -> Paytable:
        """The paytable of any letter, with readings applied."""
        key = (name, letter, 0)
        if key not in self._table_cache:
            self._table_cache[key] = self._apply_readings(self.edition.paytables[name].tables[letter])
        return self._table_cache[key]

    def envy_table(self, name: str, wager: int) -> Paytable:
        """The envy table in force for a progressive wager of `wager` dollars."""
        key = (name, self.choices.get(name, "A"), wager)
        if key not in self._table_cache:
            self._table_cache[key] = self._apply_readings(self.edition.envies[name].tables[key[1]][wager])
        return self._table_cache[key]

    def with_paytable(self, table: Paytable) -> ElectedEdition:
        """The same, but with a custom table in place of one of the edition's."""
        copy = ElectedEdition(self.edition, self.choices, has_custom_table=True)
        copy._table_cache.update(self._table_cache)
        copy._table_cache[table.name, table.letter, 0] = table
        return copy

    def _apply_readings(self, table: Paytable) -> Paytable:
        for effect in self.edition.effects:
            if self.choices[effect.election] != effect.choice or table.name not in effect.tables:
                continue
            if effect.letters and table.letter not in effect.letters:
                continue
            if effect.ranking:
                table = table.with_ranking(ranking_named(effect.ranking))
            table = table.with_pays(effect.pays).with_rows_renamed(effect.rename)
        return table
