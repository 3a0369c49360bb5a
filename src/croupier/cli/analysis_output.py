"""The output of `croupier analyze` as text, JSON or CSV."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING, Any

from croupier.analysis.exact_results import AnyResult, find_result, find_results_with_fallback
from croupier.analysis.reading_effects import reading_effects, unmeasured_readings
from croupier.analysis.results import NotExact, RequiredResult, SampledResult, WagerResult, ratio
from croupier.analysis.wagers import REQUIRED, as_json, letter_election, table_of, wagers_of
from croupier.cli.output import (
    COLUMN_GAP,
    Column,
    bar_character,
    format_percent,
    output_width,
    print_csv,
    print_json,
    print_paragraph,
    print_table,
    show_steps,
)
from croupier.core.errors import InputError
from croupier.core.money import Cents, format_money
from croupier.hands.names import hand_label
from croupier.regulations import ElectedEdition

if TYPE_CHECKING:
    from croupier.analysis.covariance.covariances import Covariances

WIDE_OUTPUT = 110
"""Outputs of at least this many columns get longer bars."""
MAX_PLACES = 16
"""Decimal places at which two averages are taken as equal."""

Entries = Sequence[tuple[str, str, AnyResult]]
"""The wager, the letter of its table, and the result."""


def list_entries(elected: ElectedEdition, results: Mapping[str, AnyResult | Mapping[str, AnyResult]]) -> Entries:
    """Lists every result with its wager and the letter of its table."""
    entries: list[tuple[str, str, AnyResult]] = []
    for wager, entry in results.items():
        if isinstance(entry, Mapping):
            entries += [(wager, letter, result) for letter, result in entry.items()]
        else:
            entries.append((wager, elected.choices.get(table_of(elected, wager), "A"), entry))
    return entries


def print_analysis(elected: ElectedEdition, entries: Entries, stake: Fraction | None, changed: frozenset[str]) -> None:
    """Prints the table of house edges, and notes below it."""
    bars, title_of = _draw_bars([result.house_edge for _, _, result in entries]), elected.edition.title_of
    rows = [
        (
            f"{title_of(wager)}, simulated" if isinstance(result, SampledResult) else title_of(wager),
            f"{letter}, changed" if wager in changed else letter,
            format_percent(result.house_edge),
            bar,
            format_percent(result.hit_frequency),
            f"{float(result.variance):,.4f}",
            "not exact" if isinstance(result, SampledResult) else ratio(result.house_edge),
        )
        for (wager, letter, result), bar in zip(entries, bars, strict=True)
    ]
    columns = (
        "wager",
        "table",
        Column("house edge", right=True, style="bold"),
        Column("", drop_order=3, style="cyan"),
        Column("wins", right=True, drop_order=1),
        Column("variance", right=True, drop_order=2),
        Column("house edge, exact", drop_order=4),
    )
    print_table(f"{elected.edition.title}, {elected.edition.jurisdiction}", columns, rows)
    print()
    has_several_tables = len({wager for wager, _, _ in entries}) < len(entries)
    for paragraph in _required_wager_notes(elected, entries, has_several_tables=has_several_tables):
        print_paragraph(paragraph)
    for paragraph in _stake_notes(elected, entries, stake):
        print_paragraph(paragraph)
    _print_meters(elected, entries)
    for paragraph in _meter_notes(elected, entries, has_several_tables=has_several_tables):
        print_paragraph(paragraph)
    for wager, _, result in entries:
        if isinstance(result, SampledResult):
            error = f"{float(result.house_edge * 100):.2f} % ± {100 * result.standard_error:.2f} %"
            print_paragraph(f"{title_of(wager)} has no exact analysis: {'; '.join(result.parts)}.")
            print_paragraph(
                f"Simulated instead, {result.rounds:,} rounds, {result.strategy}: {error} (one standard error)."
            )
            print_paragraph("This is the house edge of that strategy; optimal play can only be better for the player.")
    if not has_several_tables:
        for paragraph in _reading_notes(elected, entries, changed):
            print_paragraph(paragraph)
    for wager, letter, result in entries:
        if result.house_edge < 0 and not isinstance(result, SampledResult):
            print_paragraph(
                f"{title_of(wager)}, table {letter}: the house edge is negative: "
                "the wager pays out more than it takes in."
            )


def _reading_notes(elected: ElectedEdition, entries: Entries, changed: frozenset[str]) -> Iterator[str]:
    """What each figure would be under another reading of the text."""
    for wager, _, result in entries:
        if isinstance(result, SampledResult) or wager in changed:
            continue
        title = elected.edition.title_of(wager)
        for effect in reading_effects(elected, wager, result):
            current = elected.choices[effect.reading.name]
            yield (
                f"{title}: {format_percent(result.house_edge)} as read here ({effect.reading.name}={current}), "
                f"{format_percent(effect.house_edge)} under {effect.reading.name}={effect.choice} "
                f"({effect.reading.number})."
            )
        if isinstance(result, RequiredResult) and (others := unmeasured_readings(elected)):
            listed = ", ".join(f"{reading.name} ({reading.number})" for reading in others)
            yield f"{title}: the figure also depends on {listed}; --elect analyzes another reading."


def _draw_bars(edges: Sequence[Fraction]) -> list[str]:
    """Bars from a common zero, positive house edges to the right and negative ones to the left."""
    bar_width = 16 if output_width() >= WIDE_OUTPUT else 8
    lowest, highest = min(*edges, Fraction(0)), max(*edges, Fraction(0))
    span = highest - lowest or Fraction(1)
    left = ceil(-lowest * bar_width / span)
    bars = []
    for edge in edges:
        bar = bar_character() * (max(1, round(abs(edge) / span * bar_width)) if edge else 0)
        bars.append(bar.rjust(left) if edge < 0 else " " * left + bar)
    return bars


def _required_wager_notes(elected: ElectedEdition, entries: Entries, *, has_several_tables: bool) -> Iterator[str]:
    first = True
    for wager, letter, result in entries:
        if not isinstance(result, RequiredResult):
            continue
        table_note = f", table {letter}" if has_several_tables else ""
        intro = ": the required wagers together, per Ante, under optimal play." if first else ":"
        lost = 1 - result.hit_frequency - result.push_frequency
        outcomes = [format_percent(share, 2) for share in (result.hit_frequency, result.push_frequency, lost)]
        yield (
            f"{elected.edition.title_of(wager)}{table_note}{intro} Per total wagered the house edge is "
            f"{format_percent(result.element_of_risk)}; the average wager is {float(result.average_wager):.4f} Antes. "
            f"A round wins in {outcomes[0]}, pushes in {outcomes[1]} and loses in {outcomes[2]}. "
            f"{_format_decisions(result)} {_format_ties(result)}"
        )
        first = False


def _format_decisions(result: RequiredResult) -> str:
    streets = []
    for number, street in enumerate(result.decisions, 1):
        shares = ", ".join(f"{choice} {format_percent(share, 2)}" for choice, share in street.items())
        streets.append(f"on street {number} {shares}" if len(result.decisions) > 1 else shares)
    return f"Decisions: {'; '.join(streets)}{' of all rounds' if len(streets) > 1 else ''}."


def _format_ties(result: RequiredResult) -> str:
    if result.smaller_average_wager == result.average_wager:
        return "Between equal choices the larger wager is made; making the smaller one changes no figure."
    larger, smaller = float(result.average_wager), float(result.smaller_average_wager)
    places = 4
    while f"{larger:.{places}f}" == f"{smaller:.{places}f}" and places < MAX_PLACES:
        places += 1
    risk = result.house_edge / result.smaller_average_wager
    return (
        "Between equal choices the larger wager is made; with the smaller one the average wager is "
        f"{smaller:.{places}f} instead of {larger:.{places}f} Antes, and the house edge per total wagered is "
        f"{format_percent(risk, places)}."
    )


def _stake_notes(elected: ElectedEdition, entries: Entries, requested: Fraction | None) -> Iterator[str]:
    """Notes on the stakes that were analyzed, for wagers whose house edge depends on them."""
    wagers_by_note: dict[str, list[str]] = {}
    for wager, _, result in entries:
        if not isinstance(result, WagerResult) or result.stake is None:
            continue
        rule = elected.edition.progressives.get(table_of(elected, wager))
        reason = "some rows pay flat dollars" if rule is None else "some rows pay from a meter"
        note = f"analyzed for a wager of {_format_dollars(result.stake)}, because {reason}"
        if requested is not None and requested != result.stake and rule is not None:
            allowed = " or ".join(format_money(amount) for amount in rule.amounts)
            note += f"; it can be {allowed} ({rule.amounts_clause}), not {_format_dollars(requested)}"
        wagers = wagers_by_note.setdefault(
            f"{note}{'' if requested is not None else '; --wager analyzes another amount'}.", []
        )
        wagers += [wager] * (wager not in wagers)
    title_of = elected.edition.title_of
    return (f"{', '.join(map(title_of, wagers))}: {note}" for note, wagers in wagers_by_note.items())


def _print_meters(elected: ElectedEdition, entries: Entries) -> None:
    rows = []
    for wager, letter, result in entries:
        for name, meter in result.meters.items() if isinstance(result, WagerResult) else ():
            rows.append(
                (
                    f"{elected.edition.title_of(wager)} {letter}{'' if name == 'main' else f' {name}'}",
                    _format_dollars(meter.seed),
                    f"{float(meter.worth_of_a_dollar * 100):.6f} %",
                    f"${float(meter.break_even):,.0f}" if meter.break_even is not None else "never",
                    f"{float(1 / meter.hit_frequency):,.0f}" if meter.hit_frequency else "never",
                )
            )
    if rows:
        columns = [Column(name, right=True) for name in ("seed", "$1 is worth", "even at", "rounds a hit")]
        print()
        print_table("Meters", ("wager, table and meter", *columns), rows)


def _meter_notes(elected: ElectedEdition, entries: Entries, *, has_several_tables: bool) -> Iterator[str]:
    for wager, letter, result in entries:
        if not isinstance(result, WagerResult) or not result.meters:
            continue
        notes = []
        if result.long_run_return is not None:
            notes.append(f"the long-run return is {format_percent(result.long_run_return, 2)}, contributions included")
        else:
            notes.append("the long-run return depends on the rate of progression, which the operator sets")
        if result.envy is not None:
            shares = [format_percent(result.envy.per_other_hand * n, 2) for n in range(1, result.envy.other_seats + 1)]
            notes.append(f"Envy Bonuses add {', '.join(shares)} with 1 to {len(shares)} other seats")
        table_note = f", table {letter}" if has_several_tables else ""
        yield f"{elected.edition.title_of(wager)}{table_note}: {'; '.join(notes)}."


def _format_dollars(value: Fraction) -> str:
    return format_money(Cents(round(value * 100)))


def print_house_edges(
    editions: Sequence[ElectedEdition], arguments: argparse.Namespace, stake: Fraction | None, *, is_single: bool
) -> int:
    """Prints the house edge of every wager, with the elected tables or with all of them."""
    results = []
    with show_steps(len(editions)) as advance:
        for elected in editions:
            advance(f"{elected.edition.title}, {elected.edition.jurisdiction}")
            results.append(
                (elected, find_results_with_fallback(elected, stake, _sample_wager, every_letter=arguments.all))
            )
    if arguments.json:
        _print_documents([as_json(elected, analysis) for elected, analysis in results], is_single=is_single)
    elif arguments.csv:
        header = ("edition", "wager", "table", "house_edge", "house_edge_percent", "hit_frequency", "variance")
        rows = [
            (elected.edition.name, *line)
            for elected, analysis in results
            for line in _csv_rows(list_entries(elected, analysis))
        ]
        print_csv((*header, "wager_cents"), rows)
    else:
        for number, (elected, analysis) in enumerate(results):
            print(end="\n" if number else "")
            print_analysis(elected, list_entries(elected, analysis), stake, _changed_wagers(elected))
    return 0


def _sample_wager(elected: ElectedEdition, error: NotExact) -> SampledResult:
    """Simulates a wager that has no exact analysis, and says so on standard error."""
    from croupier.rl.sampling import sample_wager

    print(f"croupier analyze: {elected.edition.name}, {error}; simulated instead", file=sys.stderr)
    return sample_wager(elected, error)


def _csv_rows(entries: Entries) -> Iterable[Sequence[object]]:
    for wager, letter, result in entries:
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


def _changed_wagers(elected: ElectedEdition) -> frozenset[str]:
    """The wagers that are paid by a custom table."""
    rules = elected.edition
    printed = rules.elect(elected.choices)
    tables = [name for name in rules.paytables if elected.paytable(name).rows != printed.paytable(name).rows]
    names = {rules.paytables[name].on for name in tables} | set(tables)
    return frozenset(REQUIRED if wager in rules.required else wager for wager in names)


def print_comparison(
    editions: Sequence[ElectedEdition], arguments: argparse.Namespace, stake: Fraction | None, *, is_single: bool
) -> int:
    """Prints every table of one wager side by side."""
    wager: str = arguments.compare
    comparisons: list[tuple[ElectedEdition, dict[str, WagerResult]]] = []
    for elected in editions:
        if wager not in wagers_of(elected) or wager == REQUIRED:
            names = ", ".join(wagers_of(elected)[1:])
            raise InputError("--compare", f"{elected.edition.name} has no optional wager {wager!r}; it has {names}")
    with show_steps(len(editions)) as advance:
        for elected in editions:
            advance(f"{elected.edition.title}, {elected.edition.jurisdiction}")
            name = letter_election(elected, wager)
            letters = elected.edition.paytables[name].tables if name else ("A",)
            results = {letter: find_result(elected, wager, letter, stake) for letter in letters}
            comparisons.append(
                (elected, {letter: result for letter, result in results.items() if isinstance(result, WagerResult)})
            )
    if arguments.json:
        documents = [{letter: result.as_json() for letter, result in results.items()} for _, results in comparisons]
        _print_documents(documents, is_single=is_single)
    elif arguments.csv:
        rows = [
            (elected.edition.name, wager, letter, row.hand, row.pays, row.combinations, ratio(row.returned))
            for elected, results in comparisons
            for letter, result in results.items()
            for row in result.rows
        ]
        print_csv(("edition", "wager", "table", "hand", "pays", "combinations", "return"), rows)
    else:
        for elected, by_letter in comparisons:
            _print_paytables(elected, wager, by_letter)
    return 0


def _print_paytables(elected: ElectedEdition, wager: str, results: dict[str, WagerResult]) -> None:
    """Prints one table, or several if the letters do not fit side by side."""
    rows = {letter: {row.hand: row for row in result.rows} for letter, result in results.items()}
    hands = list(dict.fromkeys(hand for by_hand in rows.values() for hand in by_hand))
    combinations = {hand: next(r[hand].combinations for r in rows.values() if hand in r) for hand in hands}
    fixed_width = max(len(hand_label(hand)) for hand in hands) + COLUMN_GAP + len("combinations")
    widths = {
        letter: COLUMN_GAP + max(len("10.0000 %"), *(len(row.pays) for row in rows[letter].values()))
        for letter in results
    }
    remaining = list(results)
    while remaining:
        letters = [remaining.pop(0)]
        while remaining and fixed_width + sum(widths[letter] for letter in (*letters, remaining[0])) <= output_width():
            letters.append(remaining.pop(0))
        lines = [
            (
                hand_label(hand),
                f"{combinations[hand]:,}",
                *(rows[letter][hand].pays if hand in rows[letter] else "" for letter in letters),
            )
            for hand in hands
        ]
        lines.append(("house edge", "", *(format_percent(results[letter].house_edge) for letter in letters)))
        columns = [Column("hand"), *(Column(name, right=True) for name in ("combinations", *letters))]
        print_table(
            f"{elected.edition.title}, {elected.edition.jurisdiction}: {elected.edition.title_of(wager)}",
            columns,
            lines,
        )
        print(end="\n" if remaining else "")
    stake = next(iter(results.values())).stake
    if stake is not None:
        print_paragraph(f"House edges for a wager of ${float(stake):,.2f}, meters at their seeds.")


def print_covariances(
    editions: Sequence[ElectedEdition], arguments: argparse.Namespace, stake: Fraction | None, *, is_single: bool
) -> int:
    """Prints the covariances of wagers."""
    from croupier.analysis.covariance.covariances import compute_covariances

    matrices: list[tuple[ElectedEdition, Covariances]] = []
    with show_steps(2 * len(editions)) as advance:
        for elected in editions:
            title = elected.edition.title

            def advance_edition(text: str, title: str = title) -> None:
                advance(f"{title}: {text}")

            matrices.append((elected, compute_covariances(elected, stake, advance_edition)))
    if arguments.json:
        documents = [{"edition": elected.edition.name, **result.as_json()} for elected, result in matrices]
        _print_documents(documents, is_single=is_single)
    elif arguments.csv:
        rows: list[Sequence[object]] = []
        for elected, result in matrices:
            rows += [(elected.edition.name, *p, ratio(v), f"{float(v):.6f}", "") for p, v in result.values.items()]
            rows += [(elected.edition.name, *p, "", "", reason) for p, reason in result.reasons.items()]
        print_csv(("edition", "wager", "with", "covariance", "covariance_float", "not_given_because"), rows)
    else:
        for number, (elected, result) in enumerate(matrices):
            print(end="\n" if number else "")
            _print_matrix(elected, result)
    return 0


def _print_matrix(elected: ElectedEdition, matrix: Covariances) -> None:
    title_of = elected.edition.title_of
    rows = [(*map(title_of, pair), f"{float(value):+.4f}") for pair, value in matrix.values.items()]
    title = f"{elected.edition.title}, {elected.edition.jurisdiction}: covariance per unit wagered on each"
    print_table(title, ("wager", "with", Column("covariance", right=True)), rows)
    print_paragraph(f"{title_of(REQUIRED)}: the required wagers together, per Ante, under optimal play.")
    for reason in dict.fromkeys(matrix.reasons.values()):
        pairs = [
            f"{title_of(a)} with {title_of(b)}"
            for (a, b), pair_reason in matrix.reasons.items()
            if pair_reason == reason
        ]
        print_paragraph(f"Not given: {', '.join(pairs)}: {reason}.")


def print_published(
    editions: Sequence[ElectedEdition], arguments: argparse.Namespace, stake: Fraction | None, *, is_single: bool
) -> int:
    """Prints the holds that the regulator published beside those computed from the text."""
    from croupier.analysis.published import compare_published

    del stake, is_single
    with show_steps(len(editions)) as advance:
        comparisons = []
        for elected in editions:
            advance(f"{elected.edition.title}, {elected.edition.jurisdiction}")
            comparisons.append((elected, list(compare_published(elected.edition))))
    lines = [line for _, edition_lines in comparisons for line in edition_lines]
    if not lines:
        raise InputError("--published", "no published hold is known for these editions")
    if arguments.json:
        print_json([line.as_json() for line in lines])
    elif arguments.csv:
        documents = [line.as_json() for line in lines]
        print_csv(tuple(documents[0]), [tuple(document.values()) for document in documents])
    else:
        for number, (elected, edition_lines) in enumerate(comparisons):
            print(end="\n" if number and edition_lines else "")
            rows = [
                (
                    elected.edition.title_of(c.wager),
                    c.end,
                    c.published,
                    format_percent(c.computed),
                    c.table,
                    c.verdict,
                )
                for c in edition_lines
            ]
            names = ("wager", "end", Column("published", right=True), Column("the text gives", right=True), "table")
            if rows:
                title = f"{elected.edition.title}, {elected.edition.jurisdiction}: published hold"
                print_table(title, (*names, Column("verdict", flexible=True)), rows)
    return 0


def _print_documents(documents: list[dict[str, Any]], *, is_single: bool) -> None:
    print_json(documents[0] if is_single else documents)
