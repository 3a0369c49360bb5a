"""An analysis as a person reads it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import ceil

from croupier.cli.show import Column, block, print_table, say, width
from croupier.maths.analysis import Found, table_of
from croupier.maths.results import RequiredResult, SampledResult, WagerResult, ratio
from croupier.money import Cents, show
from croupier.rules import Elected

WIDE = 110
MOST_PLACES = 16

Entries = Sequence[tuple[str, str, Found]]
"""Wager, letter of its table, and what was found."""


def entries(elected: Elected, found: Mapping[str, Found | Mapping[str, Found]]) -> Entries:
    """Every result with its wager and the letter of its table."""
    listed: list[tuple[str, str, Found]] = []
    for wager, entry in found.items():
        if isinstance(entry, Mapping):
            listed += [(wager, letter, result) for letter, result in entry.items()]
        else:
            listed.append((wager, elected.choices.get(table_of(elected, wager), "A"), entry))
    return listed


def print_analysis(elected: Elected, listed: Entries, asked: Fraction | None, changed: frozenset[str]) -> None:
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
    for paragraph in _stakes(elected, listed, asked):
        say(paragraph)
    _print_meters(listed)
    for paragraph in _on_meters(listed, several=several):
        say(paragraph)
    for wager, _, result in listed:
        if isinstance(result, SampledResult):
            error = f"{float(result.house_edge * 100):.2f} % ± {100 * result.standard_error:.2f} %"
            say(f"{wager} has no exact analysis: {'; '.join(result.parts)}.")
            say(f"Simulated instead, {result.rounds:,} rounds, {result.strategy}: {error} (one standard error).")
            say("It is that of this way of playing; the best play can only be better for the player.")
    for wager, letter, result in listed:
        if result.house_edge < 0 and not isinstance(result, SampledResult):
            say(f"{wager}, table {letter}: the house edge is negative: it pays out more than it takes in.")


def percent(value: Fraction, places: int = 4) -> str:
    """A share as a person reads it."""
    return f"{float(value * 100):,.{places}f} %"


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
        what = ": the required wagers together, per Ante, under optimal play." if first else ":"
        lost = 1 - result.hit_frequency - result.push_frequency
        ends = [percent(share, 2) for share in (result.hit_frequency, result.push_frequency, lost)]
        yield (
            f"{wager}{of_table}{what} Per total wagered the house edge is {percent(result.element_of_risk)}; the "
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
        return "Of equal choices the larger wager is taken; taking the smaller changes no figure."
    larger, smaller = float(result.average_wager), float(result.smaller_average_wager)
    places = 4
    while f"{larger:.{places}f}" == f"{smaller:.{places}f}" and places < MOST_PLACES:
        places += 1
    risk = result.house_edge / result.smaller_average_wager
    return (
        f"Of equal choices the larger wager is taken; with the smaller the average wager is {smaller:.{places}f} "
        f"instead of {larger:.{places}f} Antes, and the house edge per total wagered {percent(risk, places)}."
    )


def _stakes(elected: Elected, listed: Entries, asked: Fraction | None) -> Iterator[str]:
    """Which wager was analysed, where that makes a difference."""
    told: dict[str, list[str]] = {}
    for wager, _, result in listed:
        if not isinstance(result, WagerResult) or result.stake is None:
            continue
        rule = elected.edition.progressives.get(table_of(elected, wager))
        why = "some rows pay flat dollars" if rule is None else "some rows pay from a meter"
        text = f"analysed for a wager of {_dollars(result.stake)}, because {why}"
        if asked is not None and asked != result.stake and rule is not None:
            allowed = " or ".join(show(amount) for amount in rule.amounts)
            text += f"; it can be {allowed} ({rule.amounts_clause}), not {_dollars(asked)}"
        wagers = told.setdefault(f"{text}{'' if asked is not None else '; --wager analyses another'}.", [])
        wagers += [wager] * (wager not in wagers)
    return (f"{', '.join(wagers)}: {text}" for text, wagers in told.items())


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
        said = []
        if result.long_run_return is not None:
            said.append(f"in the long run {percent(result.long_run_return, 2)} comes back, contributions included")
        else:
            said.append("the long run hangs on the rate of progression, which is the operator's")
        if result.envy is not None:
            shares = [percent(result.envy.per_other_hand * n, 2) for n in range(1, result.envy.other_seats + 1)]
            said.append(f"Envy Bonuses add {', '.join(shares)} with 1 to {len(shares)} other seats")
        yield f"{wager}{f', table {letter}' if several else ''}: {'; '.join(said)}."


def _dollars(value: Fraction) -> str:
    return show(Cents(round(value * 100)))
