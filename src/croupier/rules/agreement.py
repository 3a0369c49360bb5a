"""Whether the parts of an edition agree: every name that one part uses of another must exist there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from croupier.errors import Malformed
from croupier.hands import ranking_named
from croupier.rules.edition import Edition, Effect, EnvySet, PaytableSet
from croupier.rules.payouts import OfMeter
from croupier.rules.paytables import Paytable

Fault = tuple[str, str]
"""A key, and what is wrong with it."""


def disagreements(edition: Edition) -> Iterator[Fault]:
    """Everything that one part of the edition says and another does not bear out."""
    yield from _wagers(edition)
    yield from _tables(edition)
    yield from _meters(edition)
    yield from _layout(edition)
    yield from _payout_limit(edition)
    for number, effect in enumerate(edition.effects):
        yield from ((f"effects[{number}]{key}", message) for key, message in _effect(edition, effect))


def _wagers(edition: Edition) -> Iterator[Fault]:
    for wager in edition.wagers.values():
        for other in (*wager.needs_all, *wager.needs_any):
            if other not in edition.wagers or other == wager.name:
                yield f"wagers.{wager.name}", f"needs {other!r}, which is no other wager of this edition"
        lead = edition.wagers.get(wager.equals)
        if wager.equals and (lead is None or lead.follows):
            yield f"wagers.{wager.name}.equals", f"{wager.equals!r} is no wager that is placed on its own"
        if wager.equals and wager.made_in_play:
            yield f"wagers.{wager.name}.equals", "stands beside multiples: such a wager is made during the round"
        if lead is not None and lead.required != wager.required:
            yield f"wagers.{wager.name}.equals", f"{wager.equals!r} is required and this one is not, or the reverse"


def _tables(edition: Edition) -> Iterator[Fault]:
    for part, groups in (("paytables", edition.paytables), ("envies", edition.envies)):
        for group in groups.values():
            if group.on not in edition.wagers:
                yield f"{part}.{group.name}.on", f"{group.on!r} is no wager of this edition"
    for name in edition.envies:
        if name in edition.paytables:
            yield f"envies.{name}", "is the name of a paytable too"


def _meters(edition: Edition) -> Iterator[Fault]:
    """A progressive has the meters that the rows of its paytable pay from, letter by letter."""
    for name in edition.progressives:
        if name not in edition.paytables:
            yield f"progressives.{name}", "is no paytable of this edition"
    for name, group in edition.paytables.items():
        meters = edition.progressives[name].meters if name in edition.progressives else {}
        for letter in sorted({*group.tables, *meters}):
            rows = group.tables[letter].rows if letter in group.tables else ()
            paid = {row.pays.meter for row in rows if isinstance(row.pays, OfMeter)}
            has = set(meters.get(letter, ()))
            if paid != has:
                rule, table = ", ".join(sorted(has)) or "none", ", ".join(sorted(paid)) or "none"
                yield f"progressives.{name}.{letter}", f"the meters are {rule}; the paytable pays from {table}"


def _layout(edition: Edition) -> Iterator[Fault]:
    placed = Counter(name for area in edition.layout.areas for name in area.wagers)
    for name in placed:
        if name not in edition.wagers:
            yield "layout.areas", f"{name!r} is no wager of this edition"
    for name in edition.wagers:
        if placed[name] != 1:
            yield "layout.areas", f"{name!r} stands in {placed[name]} areas: every wager has one"
    for area in edition.layout.card_areas:
        if area.wager and area.wager not in edition.wagers:
            yield "layout.card_areas", f"{area.wager!r} is no wager of this edition"
        if (area.election or area.choice) and not _is_choice(edition, area.election, area.choice):
            yield "layout.card_areas", f"{area.election} = {area.choice!r} is no choice of this edition"
    yield from _twice("layout.card_areas", [area.area for area in edition.layout.card_areas])
    yield from _twice("layout.inscriptions", [words.text for words in edition.layout.inscriptions])


def _payout_limit(edition: Edition) -> Iterator[Fault]:
    limit = edition.payout_limit
    if limit is None:
        return
    for name in limit.covers:
        if name not in edition.wagers:
            yield "payout_limit.covers", f"{name!r} is no wager of this edition"
    groups = [group for group in edition.paytables.values() if group.on in limit.covers]
    hands = {row.hand for group in groups for table in group.tables.values() for row in table.rows}
    for hand in limit.except_hands:
        if hand not in hands:
            yield "payout_limit.except_hands", f"no table of a wager that the limit covers has a row {hand!r}"
    if limit.reading and limit.reading not in edition.elections:
        yield "payout_limit.reading", f"{limit.reading!r} is no reading of this edition"


def _effect(edition: Edition, effect: Effect) -> Iterator[Fault]:
    if not _is_choice(edition, effect.election, effect.choice):
        yield "", f"{effect.election} = {effect.choice!r} is no choice of this edition"
    if not (effect.ranking or effect.rename or effect.pays):
        yield "", "changes nothing: it needs ranking, rename or pays"
    for name in effect.tables:
        group = edition.paytables.get(name) or edition.envies.get(name)
        if group is None:
            yield ".tables", f"{name!r} is no table of this edition"
            continue
        for letter in effect.letters:
            if letter not in group.tables:
                yield ".letters", f"{name} has no table {letter}"
        for letter in effect.letters or group.tables:
            for table in _of_letter(group, letter):
                yield from _changed(table, effect)


def _of_letter(group: PaytableSet | EnvySet, letter: str) -> tuple[Paytable, ...]:
    if isinstance(group, EnvySet):
        return tuple(group.tables.get(letter, {}).values())
    return (group.tables[letter],) if letter in group.tables else ()


def _changed(table: Paytable, effect: Effect) -> Iterator[Fault]:
    """What is wrong with a table once the effect is applied."""
    hands = {row.hand for row in table.rows}
    for key, names in (("pays", effect.pays), ("rename", effect.rename)):
        for hand in names:
            if hand not in hands:
                yield f".{key}", f"{table.name} {table.letter} has no row {hand!r}"
    try:
        ranking = ranking_named(effect.ranking) if effect.ranking else table.ranking
    except Malformed as error:
        yield ".ranking", error.reason
        return
    for hand, problem in table.with_ranking(ranking).with_rows_renamed(effect.rename).problems():
        yield "", f"with it, row {hand!r} of {table.name} {table.letter} is wrong: {problem}"


def _is_choice(edition: Edition, election: str, choice: str) -> bool:
    return election in edition.elections and choice in edition.elections[election].choices


def _twice(key: str, names: list[str]) -> Iterator[Fault]:
    for name, times in Counter(names).items():
        if times > 1:
            yield key, f"{name!r} stands there {times} times"
