"""Consistency of an edition: every name that one part uses must exist in the part that defines it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from croupier.core.errors import InputError
from croupier.hands import ranking_named
from croupier.regulations.edition import Edition, Effect, EnvySet, PaytableSet
from croupier.regulations.payouts import OfMeter
from croupier.regulations.paytables import Paytable

Fault = tuple[str, str]
"""A key and its problem."""


def find_inconsistencies(edition: Edition) -> Iterator[Fault]:
    """Every contradiction between parts of the edition."""
    yield from _check_wagers(edition)
    yield from _check_tables(edition)
    yield from _check_meters(edition)
    yield from _check_layout(edition)
    yield from _check_payout_limit(edition)
    for number, effect in enumerate(edition.effects):
        yield from ((f"effects[{number}]{key}", message) for key, message in _check_effect(edition, effect))


def _check_wagers(edition: Edition) -> Iterator[Fault]:
    for wager in edition.wagers.values():
        for other in (*wager.needs_all, *wager.needs_any):
            if other not in edition.wagers or other == wager.name:
                yield f"wagers.{wager.name}", f"needs {other!r}, which is not another wager of this edition"
        lead = edition.wagers.get(wager.equals)
        if wager.equals and (lead is None or lead.is_derived):
            yield f"wagers.{wager.name}.equals", f"{wager.equals!r} is not a wager that is placed on its own"
        if wager.equals and wager.made_in_play:
            yield (
                f"wagers.{wager.name}.equals",
                "cannot be combined with multiples or between: those wagers are made during the round",
            )
        if lead is not None and lead.required != wager.required:
            yield (
                f"wagers.{wager.name}.equals",
                f"both must be required or both optional: this wager and {wager.equals!r} differ",
            )


def _check_tables(edition: Edition) -> Iterator[Fault]:
    for part, groups in (("paytables", edition.paytables), ("envies", edition.envies)):
        for group in groups.values():
            if group.on not in edition.wagers:
                yield f"{part}.{group.name}.on", f"{group.on!r} is not a wager of this edition"
    for name in edition.envies:
        if name in edition.paytables:
            yield f"envies.{name}", "is also the name of a paytable"


def _check_meters(edition: Edition) -> Iterator[Fault]:
    """A progressive has the meters that the rows of its paytable pay from, letter by letter."""
    for name in edition.progressives:
        if name not in edition.paytables:
            yield f"progressives.{name}", "is not a paytable of this edition"
    for name, group in edition.paytables.items():
        meters = edition.progressives[name].meters if name in edition.progressives else {}
        for letter in sorted({*group.tables, *meters}):
            rows = group.tables[letter].rows if letter in group.tables else ()
            used_meters = {row.pays.meter for row in rows if isinstance(row.pays, OfMeter)}
            stated_meters = set(meters.get(letter, ()))
            if used_meters != stated_meters:
                stated_text, used_text = (
                    ", ".join(sorted(stated_meters)) or "none",
                    ", ".join(sorted(used_meters)) or "none",
                )
                yield (
                    f"progressives.{name}.{letter}",
                    f"the meters are {stated_text}; the paytable pays from {used_text}",
                )


def _check_layout(edition: Edition) -> Iterator[Fault]:
    area_counts = Counter(name for area in edition.layout.areas for name in area.wagers)
    for name in area_counts:
        if name not in edition.wagers:
            yield "layout.areas", f"{name!r} is not a wager of this edition"
    for name in edition.wagers:
        if area_counts[name] != 1:
            yield "layout.areas", f"{name!r} is listed in {area_counts[name]} areas: every wager has exactly one"
    for area in edition.layout.card_areas:
        if area.wager and area.wager not in edition.wagers:
            yield "layout.card_areas", f"{area.wager!r} is not a wager of this edition"
        if (area.election or area.choice) and not _is_choice(edition, area.election, area.choice):
            yield "layout.card_areas", f"{area.election} = {area.choice!r} is not a choice of this edition"
    yield from _find_duplicates("layout.card_areas", [area.area for area in edition.layout.card_areas])
    yield from _find_duplicates(
        "layout.inscriptions", [inscription.text for inscription in edition.layout.inscriptions]
    )


def _check_payout_limit(edition: Edition) -> Iterator[Fault]:
    limit = edition.payout_limit
    if limit is None:
        return
    for name in limit.covers:
        if name not in edition.wagers:
            yield "payout_limit.covers", f"{name!r} is not a wager of this edition"
    groups = [group for group in edition.paytables.values() if group.on in limit.covers]
    hands = {row.hand for group in groups for table in group.tables.values() for row in table.rows}
    for hand in limit.except_hands:
        if hand not in hands:
            yield "payout_limit.except_hands", f"no paytable of a covered wager has a row {hand!r}"
    if limit.reading and limit.reading not in edition.elections:
        yield "payout_limit.reading", f"{limit.reading!r} is not a reading of this edition"


def _check_effect(edition: Edition, effect: Effect) -> Iterator[Fault]:
    if not _is_choice(edition, effect.election, effect.choice):
        yield "", f"{effect.election} = {effect.choice!r} is not a choice of this edition"
    if not (effect.ranking or effect.rename or effect.pays):
        yield "", "changes nothing: state ranking, rename or pays"
    for name in effect.tables:
        group = edition.paytables.get(name) or edition.envies.get(name)
        if group is None:
            yield ".tables", f"{name!r} is not a table of this edition"
            continue
        for letter in effect.letters:
            if letter not in group.tables:
                yield ".letters", f"{name} has no table {letter}"
        for letter in effect.letters or group.tables:
            for table in _tables_of_letter(group, letter):
                yield from _check_changed_table(table, effect)


def _tables_of_letter(group: PaytableSet | EnvySet, letter: str) -> tuple[Paytable, ...]:
    if isinstance(group, EnvySet):
        return tuple(group.tables.get(letter, {}).values())
    return (group.tables[letter],) if letter in group.tables else ()


def _check_changed_table(table: Paytable, effect: Effect) -> Iterator[Fault]:
    """Problems of a table after the effect is applied."""
    hands = {row.hand for row in table.rows}
    for key, names in (("pays", effect.pays), ("rename", effect.rename)):
        for hand in names:
            if hand not in hands:
                yield f".{key}", f"{table.name} {table.letter} has no row {hand!r}"
    try:
        ranking = ranking_named(effect.ranking) if effect.ranking else table.ranking
    except InputError as error:
        yield ".ranking", error.reason
        return
    for hand, problem in table.with_ranking(ranking).with_rows_renamed(effect.rename).problems():
        yield "", f"with this effect, row {hand!r} of {table.name} {table.letter} is wrong: {problem}"


def _is_choice(edition: Edition, election: str, choice: str) -> bool:
    return election in edition.elections and choice in edition.elections[election].choices


def _find_duplicates(key: str, names: list[str]) -> Iterator[Fault]:
    for name, count in Counter(names).items():
        if count > 1:
            yield key, f"{name!r} is listed {count} times"
