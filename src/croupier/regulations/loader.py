"""Loads editions strictly: an unknown key, a missing clause or a row that no hand can match is an error."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from croupier.core.errors import InputError
from croupier.core.money import Cents, parse_money
from croupier.core.toml_reader import Section, format_value, read_rule_file
from croupier.hands import Ranking, ranking_named
from croupier.regulations.clauses import clause_ids, register_house_rules
from croupier.regulations.consistency import find_inconsistencies
from croupier.regulations.edition import (
    AreaRule,
    CardAreaRule,
    Definition,
    Edition,
    Effect,
    Election,
    EnvySet,
    ExposureRule,
    Figure,
    Inscription,
    LayoutRule,
    MeterRule,
    Odds,
    PayoutLimitRule,
    PaytableSet,
    ProgressiveRule,
    PublishedHold,
    WagerRule,
)
from croupier.regulations.house_rules import read_house_rules, with_procedure
from croupier.regulations.payouts import METERS, Payout, parse_payout
from croupier.regulations.paytables import Paytable, Row
from croupier.regulations.readings import readings

_UNITS = ("to 1", "for 1", "dollars")


def load_edition(path: Path) -> Edition:
    """Loads the edition in a file; raises `InputError` for the first problem, with file and key."""
    return parse_rules(read_rules(path), path.name)


def read_rules(path: Path) -> dict[str, Any]:
    """The data of an edition's file, merged with the file it is `like`; not checked yet."""
    data = read_rule_file(path)
    if "like" not in data:
        return data
    base = read_rule_file(path.parent / f"{Section(data, path.name).text('like')}.toml")
    return {**base, **{key: value for key, value in data.items() if key != "like"}}


def parse_rules(data: dict[str, Any], file: str) -> Edition:
    """Parses the data of a file of that name; raises `InputError` for the first problem."""
    return _Loader(Section(with_procedure(data, file), file)).load()


class _Loader:
    """Reads one file. One class, because every part checks names against the others."""

    def __init__(self, root: Section) -> None:
        self.root = root
        self.name = root.text("edition")
        self.sheet = read_house_rules(root.section("sheet"), self.name) if "sheet" in root else {}
        self.clauses = self.sheet or clause_ids(self.name)
        if not self.clauses:
            root.fault("edition", f"{self.name!r} has no list of clauses")

    def load(self) -> Edition:
        root = self.root
        paytables = {name: self.paytable_set(name, s) for name, s in root.sections("paytables").items()}
        envies = {name: self.envy_set(name, s) for name, s in root.sections("envies").items()}
        edition = Edition(
            name=self.name,
            game=root.text("game"),
            title=root.text("title"),
            jurisdiction=root.text("jurisdiction"),
            regulation=root.text("regulation"),
            status=root.text("status"),
            regulator=root.text("regulator"),
            operator=root.text("operator"),
            definitions={name: self.definition(s) for name, s in root.sections("definitions").items()},
            figures={name: self.figure(s) for name, s in root.sections("figures").items()},
            rules=self.rules(root.section("rules", required=True)),
            deals=self.deals(root.section("deals", required=True)),
            exposure=self.exposure(root.section("exposure", required=True)),
            wagers={name: self.wager(name, s) for name, s in root.sections("wagers").items()},
            odds={name: self.odds(s) for name, s in root.sections("odds").items()},
            paytables=paytables,
            envies=envies,
            progressives={name: self.progressive(name, s) for name, s in root.sections("progressives").items()},
            payout_limit=self.payout_limit(root.section("payout_limit")) if "payout_limit" in root else None,
            layout=self.layout(root.section("layout", required=True)),
            elections=self.elections(paytables, envies),
            published=tuple(self.published(section) for section in root.list_of_sections("published")),
            effects=tuple(self.effect(section) for section in root.list_of_sections("effects")),
            sheet=self.sheet,
            sources=tuple(root.texts("sources", [])),
        )
        for key, message in find_inconsistencies(edition):
            root.fault(key, message)
        root.close()
        if self.sheet:
            register_house_rules(self.name, self.sheet)
        return edition

    def check_clauses(self, section: Section, clauses: Iterable[str], key: str = "clause") -> None:
        for clause in clauses:
            if clause not in self.clauses:
                section.fault(key, f"{clause!r} is not a clause of {self.name}")

    def clauses_of(self, section: Section) -> tuple[str, ...]:
        clauses = section.clauses()
        if not clauses:
            section.fault("clauses", "is empty: every value needs the clause that it comes from")
        self.check_clauses(section, clauses)
        return clauses

    def definition(self, section: Section) -> Definition:
        definition = Definition(section.text("means"), self.clauses_of(section)[0])
        section.close()
        return definition

    def figure(self, section: Section) -> Figure:
        figure = Figure(section.integer("value"), self.clauses_of(section))
        if figure.value < 1:
            section.fault("value", f"{figure.value} is too small: it must be at least 1")
        section.close()
        return figure

    def rules(self, section: Section) -> Mapping[str, tuple[str, ...]]:
        rules: dict[str, tuple[str, ...]] = {}
        for name in section.data:
            is_list = isinstance(section.data[name], list)
            rules[name] = tuple(section.texts(name)) if is_list else (section.text(name),)
            if not rules[name]:
                section.fault(name, "is empty: every rule needs the clauses that it comes from")
            self.check_clauses(section, rules[name], name)
        return rules

    def deals(self, section: Section) -> Mapping[str, str]:
        for method in ("manual_shoe", "hand", "automated_shoe"):
            section.text(method)
        return {method: section.text(method) for method in section.data}

    def exposure(self, section: Section) -> ExposureRule:
        exposure = ExposureRule(
            cards=self.one_of(section, "cards", ("dealer", "board")),
            until=self.one_of(section, "until", ("decisions", "reveal")),
            settles_optional_wagers=section.boolean("settles_optional_wagers"),
            clause=self.clauses_of(section)[0],
        )
        section.close()
        return exposure

    def one_of(self, section: Section, key: str, choices: tuple[str, ...]) -> str:
        value = section.text(key)
        if value not in choices:
            section.fault(key, f"{value!r} is not one of {', '.join(choices)}")
        return value

    def wager(self, name: str, section: Section) -> WagerRule:
        between, multiples = section.integers("between", []), section.integers("multiples", [])
        if "between" in section and (len(between) != 2 or not 0 < between[0] < between[1]):
            section.fault("between", f"{between} is not a range of multiples of the Ante such as [1, 3]")
        if "multiples" in section and (
            not multiples or multiples != sorted({max(1, multiple) for multiple in multiples})
        ):
            section.fault("multiples", f"{multiples} is not a list of multiples of the Ante such as [1, 2, 3]")
        if "between" in section and "multiples" in section:
            section.fault("multiples", "cannot be combined with between: a wager has one or the other")
        hands = section.section("needs_hand")
        for multiple in hands.data:
            if not multiple.isdecimal() or int(multiple) not in multiples:
                hands.fault(multiple, f"is not one of the multiples {multiples}")
        if multiples and set(map(str, multiples)) == set(hands.data):
            section.fault(
                "needs_hand", "leaves some hands without any multiple: at least one must be open to every hand"
            )
        wager = WagerRule(
            name=name,
            title=section.text("title"),
            clause=self.clauses_of(section)[0],
            required=section.boolean("required", False),
            needs_all=tuple(section.texts("needs_all", [])),
            needs_any=tuple(section.texts("needs_any", [])),
            multiples=tuple(multiples),
            between=(between[0], between[1]) if between else None,
            needs_hand={int(multiple): hands.text(multiple) for multiple in hands.data},
            equals=section.text("equals", ""),
        )
        section.close()
        return wager

    def odds(self, section: Section) -> Odds:
        odds = Odds(self.payout(section, "pays", section.value("pays"), "to 1"), self.clauses_of(section)[0])
        section.close()
        return odds

    def payout(self, section: Section, key: str, value: Any, unit: str) -> Payout:
        if value is None:
            section.fault(key, "is missing: a payout is needed here")
        if isinstance(value, int) and not isinstance(value, bool):
            value = f"${value}" if unit == "dollars" else f"{value} {unit}"
        if not isinstance(value, str):
            section.fault(key, f"{format_value(value)} is not a payout")
        try:
            return parse_payout(value)
        except InputError as error:
            section.fault(key, error.reason)
            raise

    def ranking(self, section: Section, name: str) -> Ranking:
        try:
            return ranking_named(name)
        except InputError as error:
            section.fault("ranking", error.reason)
            raise

    def paytable_set(self, name: str, section: Section) -> PaytableSet:
        title, on, elected_by = section.text("title"), section.text("on"), self.elected_by(section)
        ranking = section.text("ranking")
        tables = {x: self.paytable(name, x, t, ranking) for x, t in self.letters(section).items()}
        self.check_elected(section, len(tables), elected_by)
        return PaytableSet(name, title, on, elected_by, tables)

    def elected_by(self, section: Section) -> str:
        clause = section.text("elected_by", "")
        self.check_clauses(section, [clause] if clause else [], "elected_by")
        return clause

    def check_elected(self, section: Section, tables: int, elected_by: str) -> None:
        if tables > 1 and not elected_by:
            section.fault("elected_by", "is missing: name the clause under which one of several tables is elected")

    def letters(self, section: Section) -> Mapping[str, Section]:
        tables = section.children()
        if not tables:
            section.fault("A", "is missing: at least one table is needed")
        for letter in tables:
            if not re.fullmatch("[A-Z]", letter):
                section.fault(letter, "is neither a known key nor the letter of a table")
        if sorted(tables) != [chr(ord("A") + number) for number in range(len(tables))]:
            section.fault(max(tables), "tables must be lettered from A without gaps")
        return {letter: tables[letter] for letter in sorted(tables)}

    def paytable(self, name: str, letter: str, section: Section, ranking: str) -> Paytable:
        clause, unit = self.clauses_of(section)[0], section.text("unit")
        if unit not in _UNITS:
            section.fault("unit", f"{unit!r} is not one of {', '.join(_UNITS)}")
        table_ranking = self.ranking(section, section.text("ranking", ranking))
        rows = []
        for hand in [key for key in section.data if key not in ("clause", "unit", "ranking")]:
            value = section.value(hand)
            if isinstance(value, dict):
                row = Section(value, section.file, section.key(hand))
                rows.append(Row(hand, self.payout(row, "pays", row.value("pays"), unit), self.clauses_of(row)[0]))
                row.close()
            else:
                rows.append(Row(hand, self.payout(section, hand, value, unit), clause))
        if not rows:
            section.fault("", "has no rows")
        table = Paytable(name, letter, clause, table_ranking, tuple(rows))
        for hand, problem in table.problems():
            section.fault(hand, problem)
        return table

    def envy_set(self, name: str, section: Section) -> EnvySet:
        title, on, elected_by = section.text("title"), section.text("on"), self.elected_by(section)
        ranking = section.text("ranking")
        tables: dict[str, dict[int, Paytable]] = {}
        for letter, by_wager in self.letters(section).items():
            tables[letter] = {}
            for amount in (1, 5):
                table = by_wager.section(f"wager_{amount}", required=True)
                tables[letter][amount] = self.paytable(name, letter, table, ranking)
            by_wager.close()
        self.check_elected(section, len(tables), elected_by)
        return EnvySet(name, title, on, elected_by, tables)

    def progressive(self, name: str, section: Section) -> ProgressiveRule:
        amounts = section.section("amounts")
        sizes = amounts.texts("value") if amounts.data else []
        scales = section.section("scales", required=True)
        meters = {}
        for letter, tiers in self.letters(section).items():
            meters[letter] = {tier: self.meter(tier, s) for tier, s in tiers.children().items()}
        progressive = ProgressiveRule(
            wager=name,
            amounts=tuple(self.money(amounts, "value", text) for text in sizes),
            amounts_clause=self.clauses_of(amounts)[0] if amounts.data else "",
            scales=scales.boolean("value"),
            scales_clause=self.clauses_of(scales)[0],
            meters=meters,
        )
        amounts.close()
        scales.close()
        return progressive

    def meter(self, tier: str, section: Section) -> MeterRule:
        if tier not in METERS:
            section.fault("", f"a meter must be one of {', '.join(METERS)}")
        meter = MeterRule(
            clause=self.clauses_of(section)[0],
            **{key: self.money_of(section, key) for key in ("seed", "reseed", "minimum")},
            **{key: self.percent_of(section, key) for key in ("rate", "reserve_rate")},
        )
        section.close()
        return meter

    def money(self, section: Section, key: str, text: str) -> Cents:
        try:
            return parse_money(text)
        except InputError as error:
            section.fault(key, error.reason)
            raise

    def money_of(self, section: Section, key: str) -> Any:
        text = section.text(key, "")
        return self.money(section, key, text) if key in section else None

    def percent_of(self, section: Section, key: str) -> Any:
        text = section.text(key, "")
        if key not in section:
            return None
        match = re.fullmatch(r"(\d+)%", text)
        if match is None or int(match[1]) > 100:
            section.fault(key, f"{text!r} is not a percentage such as 29%")
        return Fraction(int(match[1]), 100) if match else None

    def payout_limit(self, section: Section) -> PayoutLimitRule:
        limit = PayoutLimitRule(
            clause=self.clauses_of(section)[0],
            floor=self.money(section, "floor", section.text("floor")),
            covers=tuple(section.texts("covers")),
            except_hands=tuple(section.texts("except_hands", [])),
            reading=section.text("reading", ""),
        )
        section.close()
        return limit

    def layout(self, section: Section) -> LayoutRule:
        areas = section.list_of_sections("areas")
        layout = LayoutRule(
            areas=tuple(self.area(area) for area in areas) if areas or not self.sheet else self.default_areas(section),
            card_areas=tuple(self.card_area(area) for area in section.list_of_sections("card_areas")),
            inscriptions=tuple(self.inscription(entry) for entry in section.list_of_sections("inscriptions")),
            **{key: self.layout_clause(section, key, required=True) for key in _LAYOUT_REQUIRED},
            **{key: self.layout_clause(section, key, required=False) for key in _LAYOUT_OPTIONAL},
        )
        section.close()
        return layout

    def default_areas(self, section: Section) -> tuple[AreaRule, ...]:
        """For house rules that name no areas: one area for the required wagers and one for the others."""
        wagers = self.root.sections("wagers")
        required = tuple(name for name, wager in wagers.items() if wager.data.get("required"))
        optional = tuple(name for name in wagers if name not in required)
        clause = self.layout_clause(section, "odds", required=True)
        return tuple(AreaRule(group, clause, electronic=False) for group in (required, optional) if group)

    def layout_clause(self, section: Section, key: str, *, required: bool) -> Any:
        clause = section.text(key) if required else section.text(key, "")
        self.check_clauses(section, [clause] if clause else [], key)
        return clause

    def area(self, section: Section) -> AreaRule:
        electronic = section.boolean("electronic", False)
        area = AreaRule(tuple(section.texts("wagers")), self.clauses_of(section)[0], electronic)
        section.close()
        return area

    def card_area(self, section: Section) -> CardAreaRule:
        area = CardAreaRule(
            area=section.text("area"),
            clause=self.clauses_of(section)[0],
            wager=section.text("wager", ""),
            election=section.text("election", ""),
            choice=section.text("choice", ""),
            each_position=section.boolean("each_position", False),
        )
        section.close()
        return area

    def inscription(self, section: Section) -> Inscription:
        inscription = Inscription(section.text("text"), self.clauses_of(section)[0])
        section.close()
        return inscription

    def elections(self, paytables: Mapping[str, PaytableSet], envies: Mapping[str, EnvySet]) -> Mapping[str, Election]:
        elections: dict[str, Election] = {}
        groups: list[PaytableSet | EnvySet] = [*paytables.values(), *envies.values()]
        for group in groups:
            if group.elected_by:
                letters = tuple(group.tables)
                elections[group.name] = Election(group.name, group.title, letters, "A", (group.elected_by,), "paytable")
        for name, section in self.root.sections("elections").items():
            choices = tuple(section.texts("choices"))
            clauses = self.clauses_of(section)
            if len(choices) < 2 or len(set(choices)) < len(choices):
                section.fault("choices", "must list at least two different choices")
            if name in elections:
                section.fault("", "is already the election of a paytable")
            elections[name] = Election(name, section.text("title"), choices, choices[0], clauses, "procedure")
            section.close()
        for reading in readings().values():
            if reading.elective and self.name in reading.editions:
                if reading.name in elections:
                    self.root.fault(f"elections.{reading.name}", "is the name of a reading")
                choices = (reading.default, *(choice for choice in reading.choices if choice != reading.default))
                reading_clauses = tuple(clause for clause in reading.clauses if clause in self.clauses)
                elections[reading.name] = Election(
                    reading.name, reading.title, choices, reading.default, reading_clauses, "reading"
                )
        return elections

    def published(self, section: Section) -> PublishedHold:
        for key in ("low", "high"):
            if not re.fullmatch(r"[0-9]+\.[0-9]+%", section.text(key)):
                section.fault(key, f"{section.text(key)!r} is not a percentage such as 2.13%")
        published = PublishedHold(
            wager=section.text("wager"),
            low=section.text("low"),
            high=section.text("high"),
            per=self.one_of(section, "per", ("Ante", "total wagered", "wager")),
            source=section.text("source"),
        )
        section.close()
        return published

    def effect(self, section: Section) -> Effect:
        pays = section.section("pays")
        rename = section.section("rename")
        ranking = section.text("ranking", "")
        if ranking:
            self.ranking(section, ranking)
        effect = Effect(
            election=section.text("reading"),
            choice=section.text("choice"),
            tables=tuple(section.texts("tables")),
            letters=tuple(section.texts("letters", [])),
            ranking=ranking,
            rename={hand: rename.text(hand) for hand in rename.data},
            pays={hand: self.payout(pays, hand, pays.value(hand), "to 1") for hand in pays.data},
        )
        section.close()
        return effect


_LAYOUT_REQUIRED = ("filing", "positions", "operator_name", "odds", "boxes", "tip_box_elsewhere", "discard_rack")
_LAYOUT_OPTIONAL = ("dealer_place", "payout_limit")
