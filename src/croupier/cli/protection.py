"""`croupier protect`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from croupier.cli.arguments import EDITION_HELP, add_election_argument, parse_edition, parse_elections
from croupier.cli.output import Column, format_percent, print_json, print_paragraph, print_table, show_share
from croupier.core.errors import InputError
from croupier.core.money import format_money, parse_money
from croupier.regulations import ElectedEdition

if TYPE_CHECKING:
    from croupier.analysis.contest_strategy_card import ContestCard
    from croupier.analysis.protection.before_ante import PeekedCard
    from croupier.analysis.protection.dealer_errors import ErrorCost
    from croupier.analysis.protection.economics import Earnings
    from croupier.analysis.protection.procedures import ProcedureValue
    from croupier.analysis.protection.value import KnowledgeValue
    from croupier.analysis.protection.wagers import OptionalWagerValue


def add_protect_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("edition", metavar="EDITION", help=EDITION_HELP)
    add_election_argument(parser)
    parser.add_argument(
        "--seen",
        action="append",
        default=[],
        metavar="PLACE.INDEX",
        help="a card that lies face down and that the seat sees, as in dealer.1, community.3 or bonus; may be repeated",
    )
    parser.add_argument("--dead", default="", metavar="CARDS", help="cards that are known to be out of play")
    parser.add_argument(
        "--dead-unknown",
        type=int,
        default=0,
        metavar="N",
        help="the number of random cards that the seat knows are out",
    )
    parser.add_argument(
        "--share", type=int, default=1, metavar="SEATS", help="the number of seats that know each other's hands"
    )
    parser.add_argument(
        "--sorted",
        default="",
        metavar="GROUPS",
        help='groups of cards whose backs can be told apart, as in "QKA|rest" or "As Ah|rest"',
    )
    parser.add_argument(
        "--backs",
        action="append",
        default=[],
        metavar="PLACE.INDEX",
        help="a card whose back the seat sees (default: every card that lies face down); may be repeated",
    )
    parser.add_argument("--card", action="store_true", help="a strategy card, if one dealer card is seen")
    parser.add_argument(
        "--wagers", action="store_true", help="which optional wagers change with the knowledge, and which to make"
    )
    parser.add_argument("--before-ante", action="store_true", help="one of the player's cards is known before the Ante")
    parser.add_argument(
        "--spread", type=int, default=10, metavar="N", help="the largest wager, in smallest wagers (default: 10)"
    )
    parser.add_argument(
        "--errors",
        default="",
        metavar="RATES",
        help='dealer errors, as in "overpaid=1/500 missed=1/200 mis_set=1/1000"',
    )
    parser.add_argument("--procedures", action="store_true", help="what each procedure is worth, with its clause")
    parser.add_argument("--ante", default="10", metavar="DOLLARS", help="the Ante for dollars an hour (default: 10)")
    parser.add_argument("--rounds-per-hour", type=int, default=40, metavar="N", help="the speed (default: 40)")
    parser.add_argument(
        "--flash-rate", default="1", metavar="SHARE", help="how often the knowledge is there, as in 1/4 (default: 1)"
    )
    parser.add_argument("--exact", action="store_true", help="count, however long it takes, instead of sampling")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="the seed of sampled figures (default: 1)")
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")


def run_protect(arguments: argparse.Namespace) -> int:
    from croupier.analysis.protection.knowledge import read_knowledge

    elected = parse_edition(arguments.edition).elect(parse_elections(arguments))
    if arguments.seed < 0:
        raise InputError("--seed", "must not be negative")
    knowledge = read_knowledge(
        elected,
        seen=arguments.seen,
        dead=arguments.dead,
        dead_unknown=arguments.dead_unknown,
        share=arguments.share,
        groups=arguments.sorted,
        backs=arguments.backs,
    )
    rates = _parse_rates(arguments.errors)
    ante, flash_rate = parse_money(arguments.ante, "--ante"), _parse_share("--flash-rate", arguments.flash_rate)
    from croupier.analysis.protection.before_ante import peek_player_card
    from croupier.analysis.protection.cards import card_of
    from croupier.analysis.protection.dealer_errors import error_costs
    from croupier.analysis.protection.economics import Earnings
    from croupier.analysis.protection.procedures import procedure_values
    from croupier.analysis.protection.value import value_of
    from croupier.analysis.protection.wagers import optional_wagers
    from croupier.analysis.results import exact

    with show_share("counting deals") as advance:
        value = value_of(elected, knowledge, advance=advance, seed=arguments.seed, exact_only=arguments.exact)
    earnings = Earnings(value, ante, arguments.rounds_per_hour, flash_rate)
    card = card_of(value) if arguments.card else None
    if arguments.card and card is None:
        raise InputError("--card", "there is a card only for a single dealer card that is seen")
    wagers = optional_wagers(elected, value) if arguments.wagers else ()
    peeked = peek_player_card(elected, arguments.spread) if arguments.before_ante else None
    errors = error_costs(elected, rates)
    procedures = procedure_values(elected) if arguments.procedures else ()
    if arguments.json:
        document: dict[str, Any] = {**value.as_json(), "earnings": earnings.as_json()}
        if card is not None:
            lines = [{"seen": line.upcard, "choice": line.choice, "from": line.hand} for line in card.lines]
            document["card"] = {"lines": lines, **exact("cost", card.cost, percent=True)}
        if wagers:
            document["wagers"] = {row.wager: row.as_json() for row in wagers}
        if peeked is not None:
            document["before_ante"] = peeked.as_json()
        if errors:
            document["errors"] = {cost.kind: cost.as_json() for cost in errors}
        if procedures:
            document["procedures"] = [procedure.as_json() for procedure in procedures]
        print_json(document)
        return 0
    _print_value(value)
    _print_earnings(earnings)
    if card is not None:
        _print_card(card)
    _print_wagers(elected, wagers)
    if peeked is not None:
        _print_peeked(elected, peeked)
    _print_errors(errors)
    _print_procedures(procedures)
    return 0


def _parse_share(option: str, text: str) -> Fraction:
    try:
        return Fraction(text.strip())
    except (ValueError, ZeroDivisionError) as error:
        raise InputError(option, f"{text!r} is not a share such as 1/4 or 0.25") from error


def _parse_rates(text: str) -> dict[str, Fraction]:
    rates: dict[str, Fraction] = {}
    for word in text.replace(",", " ").split():
        kind, equals, rate = word.partition("=")
        if not equals:
            raise InputError("--errors", f"{word!r} is not of the form overpaid=1/500")
        if kind in rates:
            raise InputError("--errors", f"{kind} is named twice")
        rates[kind] = _parse_share("--errors", rate)
    return rates


def _print_value(value: KnowledgeValue) -> None:
    edition = value.elected.edition
    print_paragraph(", ".join(filter(None, (edition.title, edition.jurisdiction))))
    without = -value.house_edge_without
    if not value.knowledge:
        print_paragraph(
            f"Without extra knowledge a seat that plays perfectly has {format_percent(without)} of the Ante."
        )
        return
    if value.player_edge is None:
        print_paragraph(
            f"With this knowledge a seat has {100 * value.estimate:+.3f} % of the Ante, within a standard error of "
            f"{100 * value.standard_error:.3f} %; without it {format_percent(without)}."
        )
        return
    print_paragraph(
        f"With this knowledge a seat that plays perfectly has {format_percent(value.player_edge)} of the Ante, without "
        f"it {format_percent(without)}: the knowledge is worth {format_percent(value.player_edge - without)}."
    )
    print_paragraph(f"Exactly {value.player_edge} of an Ante.")
    average = value.exact_average_wager
    if average is not None:
        print_paragraph(
            f"Per unit wagered {format_percent(value.player_edge / average)}, with {float(average):.4f} Antes a round."
        )
    if value.decisions:
        rows = [(choice, format_percent(share, 2)) for choice, share in value.decisions.items()]
        print_table("First decision", (Column("choice"), Column("how often", right=True)), rows)


def _print_earnings(earnings: Earnings) -> None:
    if not earnings.value.knowledge:
        return
    rate = earnings.break_even_rate
    if rate is None:
        print_paragraph("The game is not beaten, however often the knowledge is there.")
    else:
        print_paragraph(
            f"The game is beaten if the knowledge is there in more than {format_percent(rate, 2)} of rounds."
        )
    dollars = format_money(round(earnings.cents_per_hour))
    sentence = (
        f"At {format_money(earnings.ante_cents)} and {earnings.rounds_per_hour} rounds an hour: {dollars} an hour; "
        f"standard deviation of a round {earnings.variance**0.5:.2f} Antes"
    )
    rounds = earnings.rounds_to_one_deviation
    hours = "" if rounds is None else f"; N0 {rounds:,.0f} rounds, {rounds / earnings.rounds_per_hour:,.0f} hours"
    print_paragraph(f"{sentence}{hours}.")


def _print_card(card: ContestCard) -> None:
    choices = dict.fromkeys(line.choice for line in card.lines)
    hands = {(line.upcard, line.choice): line.hand for line in card.lines}
    rows = [
        (rank.replace("T", "10"), *(hands[rank, choice] for choice in choices))
        for rank in dict.fromkeys(line.upcard for line in card.lines)
    ]
    columns = (Column("seen"), *(Column(f"{choice} with", flexible=True) for choice in choices))
    print_table("Strategy card", columns, rows)
    print_paragraph(
        f"Fold everything else. The card costs {format_percent(card.cost)} of the Ante against perfect play."
    )


def _print_wagers(elected: ElectedEdition, wagers: Sequence[OptionalWagerValue]) -> None:
    if not wagers:
        return
    rows = [
        (
            elected.edition.wagers[row.wager].title,
            format_percent(row.alone, 2),
            "yes" if row.is_forfeited else "no",
            format_percent(row.added, 2),
        )
        for row in wagers
    ]
    columns = (
        Column("optional wager", flexible=True),
        Column("alone", right=True),
        Column("fold forfeits it"),
        Column("adds", right=True),
    )
    print_table("Optional wagers under this knowledge, as large as the Ante", columns, rows)
    titles = [elected.edition.wagers[row.wager].title for row in wagers if row.added > 0]
    print_paragraph(f"Best combination: the required wagers{''.join(f' and {title}' for title in titles)}.")


def _print_peeked(elected: ElectedEdition, peeked: PeekedCard) -> None:
    titles = elected.edition.wagers
    rows = [
        (
            row.rank.letter.replace("T", "10"),
            format_percent(row.edges["ante"], 2),
            ", ".join(titles[name].title for name in peeked.best(row)[0]) or "none",
        )
        for row in peeked.ranks
    ]
    columns = (Column("card"), Column("Ante", right=True), Column("optional wagers to make", flexible=True))
    print_table("One of the player's cards, known before the Ante", columns, rows)
    print_paragraph(
        f"With a spread of 1 to {peeked.spread}: {float(peeked.gain_on_the_ante):+.4f} smallest wagers a round on the "
        f"Ante alone, {float(peeked.gain):+.4f} with the best optional wagers."
    )


def _print_errors(errors: Sequence[ErrorCost]) -> None:
    if not errors:
        return
    rows = [
        (
            cost.kind.replace("_", "-"),
            str(cost.rate),
            format_percent(cost.share_of_rounds, 2),
            format_percent(cost.cost),
        )
        for cost in errors
    ]
    columns = (
        Column("error"),
        Column("rate", right=True),
        Column("of rounds", right=True),
        Column("costs", right=True),
    )
    print_table("Dealer errors, per Ante", columns, rows)


def _print_procedures(procedures: Sequence[ProcedureValue]) -> None:
    if not procedures:
        return
    rows = [(row.says, ", ".join(row.clauses), format_percent(row.worth)) for row in procedures]
    columns = (Column("procedure", flexible=True), Column("clauses", flexible=True), Column("worth", right=True))
    print_table("What procedures are worth, per Ante", columns, rows)
