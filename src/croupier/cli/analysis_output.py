"""The answers of `croupier analyze`: each as text, JSON or CSV."""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import ceil
from typing import Any

from croupier.analysis.covariance.covariances import Covariances, compute_covariances
from croupier.analysis.house_edges import (
    REQUIRED,
    AnyResult,
    analyze_wager,
    analyze_with_fallback,
    as_json,
    letters_of,
    table_of,
    wagers_of,
)
from croupier.analysis.published import compare_published
from croupier.analysis.results import RequiredResult, SampledResult, WagerResult, ratio
from croupier.analysis.supported_shapes import NotExact
from croupier.cli.output import GAP, Column, block, percent, print_json, print_table, progress, say, width
from croupier.core.errors import InputError
from croupier.core.money import Cents, format_money
from croupier.regulations import ElectedEdition

WIDE = 110
MOST_PLACES = 16

Entries = Sequence[tuple[str, str, AnyResult]]
"""Wager, letter of its table, and what was found."""


def entries(elected: ElectedEdition, results: Mapping[str, AnyResult | Mapping[str, AnyResult]]) -> Entries:
    """Every result with its wager and the letter of its table."""
    listed: list[tuple[str, str, AnyResult]] = []
    for wager, entry in results.items():
        if isinstance(entry, Mapping):
            listed += [(wager, letter, result) for letter, result in entry.items()]
        else:
            listed.append((wager, elected.choices.get(table_of(elected, wager), "A"), entry))
    return listed


def print_analysis(elected: ElectedEdition, listed: Entries, stake: Fraction | None, changed: frozenset[str]) -> None:
    """The table of house edges, and below it what a line of it cannot say."""
    bars = _bars([result.house_edge for _, _, result in listed])
    rows = [
        (
            f"{wager}, simulated" if isinstance(result, SampledResult) else wager,
            f"{letter}, changed" if wager in changed else letter,
            percent(result.house_edge),
            bar,
            percent(result.hit_frequency),
            f"{float(result.variance):,.4f}",
            "not exact" if isinstance(result, SampledResult) else ratio(result.house_edge),
        )
        for (wager, letter, result), bar in zip(listed, bars, strict=True)
    ]
    columns = (
        "wager",
        "table",
        Column("house edge", right=True, style="bold"),
        Column("", drop=1, style="cyan"),
        Column("wins", right=True),
        Column("variance", right=True),
        Column("house edge, exact", drop=2),
    )
    print_table(f"{elected.edition.title}, {elected.edition.jurisdiction}", columns, rows)
    print()
    several = len({wager for wager, _, _ in listed}) < len(listed)
    for paragraph in _required(listed, several=several):
        say(paragraph)
    for paragraph in _stakes(elected, listed, stake):
        say(paragraph)
    _print_meters(listed)
    for paragraph in _on_meters(listed, several=several):
        say(paragraph)
    for wager, _, result in listed:
        if isinstance(result, SampledResult):
            error = f"{float(result.house_edge * 100):.2f} % ± {100 * result.standard_error:.2f} %"
            say(f"{wager} has no exact analysis: {'; '.join(result.parts)}.")
            say(f"Simulated instead, {result.rounds:,} rounds, {result.strategy}: {error} (one standard error).")
            say("This is the house edge of that strategy; optimal play can only be better for the player.")
    for wager, letter, result in listed:
        if result.house_edge < 0 and not isinstance(result, SampledResult):
            say(f"{wager}, table {letter}: the house edge is negative: the wager pays out more than it takes in.")


def _bars(edges: Sequence[Fraction]) -> list[str]:
    """Bars from a common zero: what the house keeps to the right, what it gives away to the left."""
    room = 16 if width() >= WIDE else 8
    lowest, highest = min(*edges, Fraction(0)), max(*edges, Fraction(0))
    span = highest - lowest or Fraction(1)
    left = ceil(-lowest * room / span)
    drawn = []
    for edge in edges:
        bar = block() * (max(1, round(abs(edge) / span * room)) if edge else 0)
        drawn.append(bar.rjust(left) if edge < 0 else " " * left + bar)
    return drawn


def _required(listed: Entries, *, several: bool) -> Iterator[str]:
    first = True
    for wager, letter, result in listed:
        if not isinstance(result, RequiredResult):
            continue
        of_table = f", table {letter}" if several else ""
        intro = ": the required wagers together, per Ante, under optimal play." if first else ":"
        lost = 1 - result.hit_frequency - result.push_frequency
        ends = [percent(share, 2) for share in (result.hit_frequency, result.push_frequency, lost)]
        yield (
            f"{wager}{of_table}{intro} Per total wagered the house edge is {percent(result.element_of_risk)}; the "
            f"average wager is {float(result.average_wager):.4f} Antes. A round wins in {ends[0]}, pushes in {ends[1]} "
            f"and loses in {ends[2]}. {_decisions(result)} {_ties(result)}"
        )
        first = False


def _decisions(result: RequiredResult) -> str:
    streets = []
    for number, street in enumerate(result.decisions, 1):
        shares = ", ".join(f"{choice} {percent(share, 2)}" for choice, share in street.items())
        streets.append(f"on street {number} {shares}" if len(result.decisions) > 1 else shares)
    return f"Decisions: {'; '.join(streets)}{' of all rounds' if len(streets) > 1 else ''}."


def _ties(result: RequiredResult) -> str:
    if result.smaller_average_wager == result.average_wager:
        return "Between equal choices the larger wager is made; making the smaller one changes no figure."
    larger, smaller = float(result.average_wager), float(result.smaller_average_wager)
    places = 4
    while f"{larger:.{places}f}" == f"{smaller:.{places}f}" and places < MOST_PLACES:
        places += 1
    risk = result.house_edge / result.smaller_average_wager
    return (
        "Between equal choices the larger wager is made; with the smaller one the average wager is "
        f"{smaller:.{places}f} instead of {larger:.{places}f} Antes, and the house edge per total wagered is "
        f"{percent(risk, places)}."
    )


def _stakes(elected: ElectedEdition, listed: Entries, requested: Fraction | None) -> Iterator[str]:
    """Which wager was analysed, where that makes a difference."""
    wagers_by_note: dict[str, list[str]] = {}
    for wager, _, result in listed:
        if not isinstance(result, WagerResult) or result.stake is None:
            continue
        rule = elected.edition.progressives.get(table_of(elected, wager))
        why = "some rows pay flat dollars" if rule is None else "some rows pay from a meter"
        text = f"analyzed for a wager of {_dollars(result.stake)}, because {why}"
        if requested is not None and requested != result.stake and rule is not None:
            allowed = " or ".join(format_money(amount) for amount in rule.amounts)
            text += f"; it can be {allowed} ({rule.amounts_clause}), not {_dollars(requested)}"
        wagers = wagers_by_note.setdefault(
            f"{text}{'' if requested is not None else '; --wager analyzes another amount'}.", []
        )
        wagers += [wager] * (wager not in wagers)
    return (f"{', '.join(wagers)}: {text}" for text, wagers in wagers_by_note.items())


def _print_meters(listed: Entries) -> None:
    rows = []
    for wager, letter, result in listed:
        for name, meter in result.meters.items() if isinstance(result, WagerResult) else ():
            rows.append(
                (
                    f"{wager} {letter}{'' if name == 'main' else f' {name}'}",
                    _dollars(meter.seed),
                    f"{float(meter.worth_of_a_dollar * 100):.6f} %",
                    f"${float(meter.break_even):,.0f}" if meter.break_even is not None else "never",
                    f"{float(1 / meter.hit_frequency):,.0f}" if meter.hit_frequency else "never",
                )
            )
    if rows:
        columns = [Column(name, right=True) for name in ("seed", "$1 is worth", "even at", "rounds a hit")]
        print()
        print_table("Meters", ("wager, table and meter", *columns), rows)


def _on_meters(listed: Entries, *, several: bool) -> Iterator[str]:
    for wager, letter, result in listed:
        if not isinstance(result, WagerResult) or not result.meters:
            continue
        notes = []
        if result.long_run_return is not None:
            notes.append(f"the long-run return is {percent(result.long_run_return, 2)}, contributions included")
        else:
            notes.append("the long-run return depends on the rate of progression, which the operator sets")
        if result.envy is not None:
            shares = [percent(result.envy.per_other_hand * n, 2) for n in range(1, result.envy.other_seats + 1)]
            notes.append(f"Envy Bonuses add {', '.join(shares)} with 1 to {len(shares)} other seats")
        yield f"{wager}{f', table {letter}' if several else ''}: {'; '.join(notes)}."


def _dollars(value: Fraction) -> str:
    return format_money(Cents(round(value * 100)))


Printed = list[ElectedEdition]


def whole(elected: Printed, arguments: argparse.Namespace, stake: Fraction | None, *, single: bool) -> int:
    """Every wager, under the tables elected or under all of them."""
    results = []
    with progress(len(elected)) as advance:
        for one in elected:
            advance(f"{one.edition.title}, {one.edition.jurisdiction}")
            results.append((one, analyze_with_fallback(one, stake, _sampled, every_letter=arguments.all)))
    if arguments.json:
        _print_documents([as_json(one, analysis) for one, analysis in results], single=single)
    elif arguments.csv:
        header = ("edition", "wager", "table", "house_edge", "house_edge_percent", "hit_frequency", "variance")
        lines = [(one.edition.name, *line) for one, analysis in results for line in _csv_lines(entries(one, analysis))]
        _print_csv((*header, "wager_cents"), lines)
    else:
        for number, (one, analysis) in enumerate(results):
            print(end="\n" if number else "")
            print_analysis(one, entries(one, analysis), stake, _changed_values(one))
    return 0


def _sampled(elected: ElectedEdition, why: NotExact) -> SampledResult:
    """What is printed of a wager that has no exact analysis, and a word about it on standard error."""
    from croupier.rl.sampling import sample_wager

    print(f"croupier analyze: {elected.edition.name}, {why}; simulated instead", file=sys.stderr)
    return sample_wager(elected, why)


def _csv_lines(listed: Entries) -> Iterable[Sequence[object]]:
    for wager, letter, result in listed:
        stake = result.stake if isinstance(result, WagerResult) else None
        yield (
            wager,
            letter,
            "" if isinstance(result, SampledResult) else ratio(result.house_edge),
            f"{float(result.house_edge * 100):.4f}",
            ratio(result.hit_frequency),
            f"{float(result.variance):.4f}",
            "" if stake is None else int(stake * 100),
        )


def _changed_values(elected: ElectedEdition) -> frozenset[str]:
    """The wagers that are paid by a table which is not the edition's own."""
    rules = elected.edition
    printed = rules.elect(elected.choices)
    tables = [name for name in rules.paytables if elected.paytable(name).rows != printed.paytable(name).rows]
    on = {rules.paytables[name].on for name in tables} | set(tables)
    return frozenset(REQUIRED if wager in rules.required else wager for wager in on)


def compare(elected: Printed, arguments: argparse.Namespace, stake: Fraction | None, *, single: bool) -> int:
    """Every table of one wager side by side."""
    wager: str = arguments.compare
    comparisons: list[tuple[ElectedEdition, dict[str, WagerResult]]] = []
    for one in elected:
        if wager not in wagers_of(one) or wager == REQUIRED:
            names = ", ".join(wagers_of(one)[1:])
            raise InputError("--compare", f"{one.edition.name} has no optional wager {wager!r}; it has {names}")
    with progress(len(elected)) as advance:
        for one in elected:
            advance(f"{one.edition.title}, {one.edition.jurisdiction}")
            name = letters_of(one, wager)
            letters = one.edition.paytables[name].tables if name else ("A",)
            results = {letter: analyze_wager(one, wager, letter, stake) for letter in letters}
            comparisons.append((one, {x: result for x, result in results.items() if isinstance(result, WagerResult)}))
    if arguments.json:
        documents = [{letter: result.as_json() for letter, result in results.items()} for _, results in comparisons]
        _print_documents(documents, single=single)
    elif arguments.csv:
        lines = [
            (one.edition.name, wager, letter, row.hand, row.pays, row.combinations, ratio(row.returned))
            for one, results in comparisons
            for letter, result in results.items()
            for row in result.rows
        ]
        _print_csv(("edition", "wager", "table", "hand", "pays", "combinations", "return"), lines)
    else:
        for one, by_letter in comparisons:
            _print_compared(one, wager, by_letter)
    return 0


def _print_compared(elected: ElectedEdition, wager: str, results: dict[str, WagerResult]) -> None:
    """One table, or several below each other where the letters do not fit beside each other."""
    rows = {letter: {row.hand: row for row in result.rows} for letter, result in results.items()}
    hands = list(dict.fromkeys(hand for by_hand in rows.values() for hand in by_hand))
    combinations = {hand: next(r[hand].combinations for r in rows.values() if hand in r) for hand in hands}
    first = max(len(hand) for hand in hands) + GAP + len("combinations")
    sizes = {x: GAP + max(len("10.0000 %"), *(len(row.pays) for row in rows[x].values())) for x in results}
    left = list(results)
    while left:
        letters = [left.pop(0)]
        while left and first + sum(sizes[x] for x in (*letters, left[0])) <= width():
            letters.append(left.pop(0))
        lines = [
            (hand, f"{combinations[hand]:,}", *(rows[x][hand].pays if hand in rows[x] else "" for x in letters))
            for hand in hands
        ]
        lines.append(("house edge", "", *(percent(results[x].house_edge) for x in letters)))
        columns = [Column("hand"), *(Column(name, right=True) for name in ("combinations", *letters))]
        print_table(f"{elected.edition.title}, {elected.edition.jurisdiction}: {wager}", columns, lines)
        print(end="\n" if left else "")
    stake = next(iter(results.values())).stake
    if stake is not None:
        say(f"House edges for a wager of ${float(stake):,.2f}, meters at their seeds.")


def covariances_of(elected: Printed, arguments: argparse.Namespace, stake: Fraction | None, *, single: bool) -> int:
    """How wagers go together."""
    matrices: list[tuple[ElectedEdition, Covariances]] = []
    with progress(2 * len(elected)) as advance:
        for one in elected:
            title = one.edition.title

            def told(text: str, title: str = title) -> None:
                advance(f"{title}: {text}")

            matrices.append((one, compute_covariances(one, stake, told)))
    if arguments.json:
        documents = [{"edition": one.edition.name, **result.as_json()} for one, result in matrices]
        _print_documents(documents, single=single)
    elif arguments.csv:
        lines: list[Sequence[object]] = []
        for one, result in matrices:
            lines += [(one.edition.name, *p, ratio(v), f"{float(v):.6f}", "") for p, v in result.given.items()]
            lines += [(one.edition.name, *p, "", "", reason) for p, reason in result.not_given.items()]
        _print_csv(("edition", "wager", "with", "covariance", "covariance_float", "not_given_because"), lines)
    else:
        for number, (one, result) in enumerate(matrices):
            print(end="\n" if number else "")
            _print_covariances(one, result)
    return 0


def _print_covariances(elected: ElectedEdition, matrix: Covariances) -> None:
    rows = [(*pair, f"{float(value):+.4f}") for pair, value in matrix.given.items()]
    title = f"{elected.edition.title}, {elected.edition.jurisdiction}: covariance per unit wagered on each"
    print_table(title, ("wager", "with", Column("covariance", right=True)), rows)
    say(f"{REQUIRED}: the required wagers together, per Ante, under optimal play.")
    for reason in dict.fromkeys(matrix.not_given.values()):
        pairs = [f"{a} with {b}" for (a, b), why in matrix.not_given.items() if why == reason]
        say(f"Not given: {', '.join(pairs)}: {reason}.")


def published(elected: Printed, arguments: argparse.Namespace, stake: Fraction | None, *, single: bool) -> int:
    """What the regulator published, beside what the text gives."""
    del stake, single
    with progress(len(elected)) as advance:
        comparisons = []
        for one in elected:
            advance(f"{one.edition.title}, {one.edition.jurisdiction}")
            comparisons.append((one, list(compare_published(one.edition))))
    lines = [line for _, compared in comparisons for line in compared]
    if not lines:
        raise InputError("--published", "no published hold is known for these editions")
    if arguments.json:
        print_json([line.as_json() for line in lines])
    elif arguments.csv:
        documents = [line.as_json() for line in lines]
        _print_csv(tuple(documents[0]), [tuple(document.values()) for document in documents])
    else:
        for number, (one, compared) in enumerate(comparisons):
            print(end="\n" if number and compared else "")
            rows = [(c.wager, c.end, c.published, percent(c.computed), c.table, c.verdict) for c in compared]
            names = ("wager", "end", Column("published", right=True), Column("the text gives", right=True), "table")
            if rows:
                title = f"{one.edition.title}, {one.edition.jurisdiction}: published hold"
                print_table(title, (*names, Column("verdict", flexible=True)), rows)
    return 0


def _print_documents(documents: list[dict[str, Any]], *, single: bool) -> None:
    print_json(documents[0] if single else documents)


def _print_csv(header: Sequence[str], lines: Iterable[Sequence[object]]) -> None:
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(lines)
