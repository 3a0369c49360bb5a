"""The answers of `croupier analyze`: each as text, JSON or CSV."""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from croupier.cli.analysis_text import Entries, entries, percent, print_analysis
from croupier.cli.show import GAP, Column, print_json, print_table, progress, say, width
from croupier.errors import Malformed
from croupier.maths.analysis import REQUIRED, analyse_or_else, analyse_wager, as_json, letters_of, wagers_of
from croupier.maths.covariances import Covariances, covariances
from croupier.maths.fitting import NotExact
from croupier.maths.published import compare_published
from croupier.maths.results import SampledResult, WagerResult, ratio
from croupier.rules import Elected

Printed = list[Elected]


def whole(elected: Printed, arguments: argparse.Namespace, asked: Fraction | None, *, single: bool) -> int:
    """Every wager, under the tables elected or under all of them."""
    results = []
    with progress(len(elected)) as advance:
        for one in elected:
            advance(f"{one.edition.title}, {one.edition.jurisdiction}")
            results.append((one, analyse_or_else(one, asked, _sampled, every_letter=arguments.all)))
    if arguments.json:
        _print_documents([as_json(one, found) for one, found in results], single=single)
    elif arguments.csv:
        header = ("edition", "wager", "table", "house_edge", "house_edge_percent", "hit_frequency", "variance")
        lines = [(one.edition.name, *line) for one, found in results for line in _csv_lines(entries(one, found))]
        _print_csv((*header, "wager_cents"), lines)
    else:
        for number, (one, found) in enumerate(results):
            print(end="\n" if number else "")
            print_analysis(one, entries(one, found), asked, _changed(one))
    return 0


def _sampled(elected: Elected, why: NotExact) -> SampledResult:
    """What is printed of a wager that has no exact analysis, and a word about it on standard error."""
    from croupier.learning.sampling import sampled

    print(f"croupier analyze: {elected.edition.name}, {why}; simulated instead", file=sys.stderr)
    return sampled(elected, why)


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


def _changed(elected: Elected) -> frozenset[str]:
    """The wagers that are paid by a table which is not the edition's own."""
    rules = elected.edition
    printed = rules.elect(elected.choices)
    tables = [name for name in rules.paytables if elected.paytable(name).rows != printed.paytable(name).rows]
    on = {rules.paytables[name].on for name in tables} | set(tables)
    return frozenset(REQUIRED if wager in rules.required else wager for wager in on)


def compare(elected: Printed, arguments: argparse.Namespace, asked: Fraction | None, *, single: bool) -> int:
    """Every table of one wager side by side."""
    wager: str = arguments.compare
    found: list[tuple[Elected, dict[str, WagerResult]]] = []
    for one in elected:
        if wager not in wagers_of(one) or wager == REQUIRED:
            known = ", ".join(wagers_of(one)[1:])
            raise Malformed("--compare", f"{one.edition.name} has no optional wager {wager!r}; it has {known}")
    with progress(len(elected)) as advance:
        for one in elected:
            advance(f"{one.edition.title}, {one.edition.jurisdiction}")
            name = letters_of(one, wager)
            letters = one.edition.paytables[name].tables if name else ("A",)
            results = {letter: analyse_wager(one, wager, letter, asked) for letter in letters}
            found.append((one, {x: result for x, result in results.items() if isinstance(result, WagerResult)}))
    if arguments.json:
        documents = [{letter: result.as_json() for letter, result in results.items()} for _, results in found]
        _print_documents(documents, single=single)
    elif arguments.csv:
        lines = [
            (one.edition.name, wager, letter, row.hand, row.pays, row.combinations, ratio(row.returned))
            for one, results in found
            for letter, result in results.items()
            for row in result.rows
        ]
        _print_csv(("edition", "wager", "table", "hand", "pays", "combinations", "return"), lines)
    else:
        for one, by_letter in found:
            _print_compared(one, wager, by_letter)
    return 0


def _print_compared(elected: Elected, wager: str, results: dict[str, WagerResult]) -> None:
    """One table, or several below each other where the letters do not fit beside each other."""
    rows = {letter: {row.hand: row for row in result.rows} for letter, result in results.items()}
    hands = list(dict.fromkeys(hand for by_hand in rows.values() for hand in by_hand))
    combinations = {hand: next(r[hand].combinations for r in rows.values() if hand in r) for hand in hands}
    first = max(len(hand) for hand in hands) + GAP + len("combinations")
    sizes = {x: GAP + max(len("10.0000 %"), *(len(row.pays) for row in rows[x].values())) for x in results}
    left = list(results)
    while left:
        taken = [left.pop(0)]
        while left and first + sum(sizes[x] for x in (*taken, left[0])) <= width():
            taken.append(left.pop(0))
        lines = [
            (hand, f"{combinations[hand]:,}", *(rows[x][hand].pays if hand in rows[x] else "" for x in taken))
            for hand in hands
        ]
        lines.append(("house edge", "", *(percent(results[x].house_edge) for x in taken)))
        columns = [Column("hand"), *(Column(name, right=True) for name in ("combinations", *taken))]
        print_table(f"{elected.edition.title}, {elected.edition.jurisdiction}: {wager}", columns, lines)
        print(end="\n" if left else "")
    stake = next(iter(results.values())).stake
    if stake is not None:
        say(f"House edges for a wager of ${float(stake):,.2f}, meters at their seeds.")


def covariances_of(elected: Printed, arguments: argparse.Namespace, asked: Fraction | None, *, single: bool) -> int:
    """How wagers go together."""
    found: list[tuple[Elected, Covariances]] = []
    with progress(2 * len(elected)) as advance:
        for one in elected:
            title = one.edition.title

            def told(text: str, title: str = title) -> None:
                advance(f"{title}: {text}")

            found.append((one, covariances(one, asked, told)))
    if arguments.json:
        documents = [{"edition": one.edition.name, **result.as_json()} for one, result in found]
        _print_documents(documents, single=single)
    elif arguments.csv:
        lines: list[Sequence[object]] = []
        for one, result in found:
            lines += [(one.edition.name, *p, ratio(v), f"{float(v):.6f}", "") for p, v in result.given.items()]
            lines += [(one.edition.name, *p, "", "", reason) for p, reason in result.not_given.items()]
        _print_csv(("edition", "wager", "with", "covariance", "covariance_float", "not_given_because"), lines)
    else:
        for number, (one, result) in enumerate(found):
            print(end="\n" if number else "")
            _print_covariances(one, result)
    return 0


def _print_covariances(elected: Elected, found: Covariances) -> None:
    rows = [(*pair, f"{float(value):+.4f}") for pair, value in found.given.items()]
    title = f"{elected.edition.title}, {elected.edition.jurisdiction}: covariance per unit wagered on each"
    print_table(title, ("wager", "with", Column("covariance", right=True)), rows)
    say(f"{REQUIRED}: the required wagers together, per Ante, under optimal play.")
    for reason in dict.fromkeys(found.not_given.values()):
        pairs = [f"{a} with {b}" for (a, b), why in found.not_given.items() if why == reason]
        say(f"Not given: {', '.join(pairs)}: {reason}.")


def published(elected: Printed, arguments: argparse.Namespace, asked: Fraction | None, *, single: bool) -> int:
    """What the regulator published, beside what the text gives."""
    del asked, single
    with progress(len(elected)) as advance:
        found = []
        for one in elected:
            advance(f"{one.edition.title}, {one.edition.jurisdiction}")
            found.append((one, list(compare_published(one.edition))))
    lines = [line for _, compared in found for line in compared]
    if not lines:
        raise Malformed("--published", "no hold was published for these editions that is known here")
    if arguments.json:
        print_json([line.as_json() for line in lines])
    elif arguments.csv:
        documents = [line.as_json() for line in lines]
        _print_csv(tuple(documents[0]), [tuple(document.values()) for document in documents])
    else:
        for number, (one, compared) in enumerate(found):
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
