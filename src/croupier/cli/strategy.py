"""`croupier strategy`."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from croupier.cli.arguments import (
    EDITION_HELP,
    add_cache_argument,
    add_election_argument,
    parse_edition,
    parse_elections,
)
from croupier.cli.output import (
    Column,
    format_percent,
    print_csv,
    print_json,
    print_paragraph,
    print_table,
    require_one_format,
    show_steps,
)
from croupier.core.cards import Card, Rank, parse_cards
from croupier.core.disk_cache import compute_anew
from croupier.core.errors import InputError
from croupier.regulations import ElectedEdition

if TYPE_CHECKING:
    from croupier.analysis.boards.strategy_card import BoardCard, StartingHand
    from croupier.analysis.contest_strategy_card import ContestCard, SimpleStrategy


def add_strategy_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("edition", metavar="EDITION", help=EDITION_HELP)
    parser.add_argument("--hand", metavar="CARDS", help='your cards, as in "As Kd Tc 2h 2d"')
    parser.add_argument("--card", action="store_true", help="print a strategy card for every hand, and what it costs")
    parser.add_argument("--up", metavar="CARD", help="the dealer's card that is face up, or that was exposed")
    parser.add_argument(
        "--seen",
        action="append",
        default=[],
        metavar="PLACE=CARD",
        help="a card that lies face down and that you know, as in dealer.1=Kd or community.3=9s; may be repeated",
    )
    parser.add_argument("--dead", default="", metavar="CARDS", help="cards that are known to be out of play")
    parser.add_argument("--board", default="", metavar="CARDS", help="the community cards revealed so far")
    parser.add_argument("--raised", default="", metavar="RAISES", help='the raises so far, as in "3x 1x"')
    add_election_argument(parser)
    add_cache_argument(parser)
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")
    parser.add_argument("--csv", action="store_true", help="one line per choice of --hand, comma-separated")


def run_strategy(arguments: argparse.Namespace) -> int:
    from croupier.analysis.results import ratio

    require_one_format(arguments)
    elected = parse_edition(arguments.edition).elect(parse_elections(arguments))
    if arguments.card and arguments.csv:
        raise InputError("--csv", "cannot be combined with --card: use --json")
    if arguments.card:
        conflicting = [name for name in _OF_ONE_HAND if getattr(arguments, name) not in (None, "", [])]
        if conflicting:
            raise InputError(f"--{conflicting[0]}", "cannot be combined with --card, which covers every hand")
        return _print_strategy_card(elected, json=arguments.json)
    if arguments.hand is None:
        raise InputError("--hand", "is missing: name your cards, or use --card for the whole strategy")
    hand = _parse_cards("--hand", arguments.hand)
    up = _parse_cards("--up", arguments.up) if arguments.up is not None else ()
    if arguments.up is not None and len(up) != 1:
        raise InputError("--up", "exactly one dealer card is face up")
    board = _parse_cards("--board", arguments.board)
    raised = [_parse_raise(word) for word in arguments.raised.split()]
    from croupier.analysis.exact_results import find_advice

    seen = _parse_seen(arguments.seen)
    with compute_anew(when=arguments.no_cache):
        ordinary = find_advice(elected, hand, up[0] if up else None, board, raised)
    advice = ordinary
    if seen or arguments.dead:
        from croupier.analysis.strategy import advise, read_seen_cards

        seen_cards = read_seen_cards(elected, seen, arguments.dead)
        advice = advise(elected, hand, up[0] if up else None, board, raised, seen_cards)
    if arguments.json:
        values = {choice: {"exact": ratio(v), "float": float(v)} for choice, v in advice.values.items()}
        print_json({"best": advice.best, "ev": values})
        return 0
    if arguments.csv:
        rows = [(choice, ratio(v), float(v), choice == advice.best) for choice, v in advice.values.items()]
        print_csv(("choice", "ev", "ev_float", "best"), rows)
        return 0
    for choice, value in sorted(advice.values.items(), key=lambda pair: pair[1], reverse=True):
        mark = "best" if choice == advice.best else f"costs {float(max(advice.values.values()) - value):.4f}"
        print_paragraph(f"{mark}, exactly {ratio(value)}", " " * 6, f"{choice:5} {float(value):+9.5f} Antes, ")
    if advice is not ordinary:
        gain = max(advice.values.values()) - advice.values[ordinary.best]
        best_without = float(max(ordinary.values.values()))
        print_paragraph(
            f"Without what you have seen, {ordinary.best} is best, for {best_without:+.5f} Antes. "
            f"What you have seen is worth {float(gain):.5f} Antes with this hand."
        )
    return 0


def _parse_seen(texts: Sequence[str]) -> dict[str, str]:
    seen: dict[str, str] = {}
    for text in texts:
        place, equals, card = text.partition("=")
        if not equals:
            raise InputError("--seen", f"{text!r} is not of the form PLACE=CARD, such as dealer.1=Kd")
        if place in seen:
            raise InputError("--seen", f"{place} is named twice")
        seen[place] = card
    return seen


def _parse_cards(option: str, text: str) -> tuple[Card, ...]:
    try:
        return parse_cards(text)
    except InputError as error:
        raise InputError(option, error.reason) from error


def _parse_raise(word: str) -> int:
    match = re.fullmatch(r"([1-9])x", word)
    if match is None:
        raise InputError("--raised", f"{word!r} is not a raise such as 3x")
    return int(match[1])


_OF_ONE_HAND = ("hand", "up", "board", "raised", "seen", "dead")
"""The options that describe one hand."""
COUNT_WORDS = ("no", "one", "two", "three", "four", "five", "six")


def _print_strategy_card(elected: ElectedEdition, *, json: bool) -> int:
    """Prints the strategy card of an edition."""
    from croupier.analysis.boards.solution import is_board_game
    from croupier.analysis.boards.strategy_card import BoardCard
    from croupier.analysis.strategy_card import build_strategy_card

    with show_steps(7 if is_board_game(elected) else 2) as advance:
        strategy = build_strategy_card(elected, advance)
    if json:
        print_json(strategy.as_json())
    elif isinstance(strategy.card, BoardCard):
        _print_board_card(elected, strategy.card, strategy.simple_strategies, strategy.first_street)
    else:
        _print_contest_card(elected, strategy.card, strategy.simple_strategies)
    return 0


def _print_contest_card(elected: ElectedEdition, card: ContestCard, others: Sequence[SimpleStrategy]) -> None:
    up_cards = dict.fromkeys(line.upcard for line in card.lines)
    if len(up_cards) > 1:
        choices = dict.fromkeys(line.choice for line in card.lines)
        hands = {(line.upcard, line.choice): line.hand for line in card.lines}
        rows = [(up.replace("T", "10"), *(hands[up, choice] for choice in choices)) for up in up_cards]
        title = f"{elected.edition.title}, {elected.edition.jurisdiction}"
        print_table(title, ("dealer shows", *(f"{choice} with" for choice in choices)), rows)
    else:
        for line in card.lines:
            print_paragraph(f"{line.choice} with {line.hand}")
    print_paragraph("fold everything else")
    _print_cost(card.house_edge, card.cost, others)


def _print_board_card(
    elected: ElectedEdition, card: BoardCard, others: Sequence[SimpleStrategy], starting_hands: Sequence[StartingHand]
) -> None:
    print_paragraph(f"{elected.edition.title}, {elected.edition.jurisdiction}")
    print_paragraph(f"Points: {', '.join(f'{points} for each card from {ranks}' for points, ranks in card.points)}.")
    for number, (card_count, lines) in enumerate(zip(card.cards_known, card.streets, strict=True), 1):
        print_paragraph(f"Street {number}, {COUNT_WORDS[card_count]} cards known:")
        for line in lines:
            for position, condition in enumerate(line.conditions):
                prefix = f"  {line.choice} with " if not position else f"{'or ':>10}"
                print_paragraph(condition, indent=" " * 10, first_indent=prefix)
        print_paragraph(f"  otherwise {card.otherwise[number - 1]}")
    _print_cost(card.house_edge, card.cost, others)
    if starting_hands:
        print()
        _print_grid(starting_hands)


def _print_cost(edge: Fraction, cost: Fraction, others: Sequence[SimpleStrategy]) -> None:
    from croupier.analysis.results import ratio

    print_paragraph(
        f"House edge of this card {format_percent(edge)} of the Ante, of perfect play {format_percent(edge - cost)}: "
        f"the card costs {format_percent(cost)}, exactly {ratio(cost)} of an Ante."
    )
    print()
    rows = [(s.name, format_percent(s.house_edge), format_percent(s.cost)) for s in others]
    columns = (
        Column("other strategies", flexible=True),
        Column("house edge", right=True),
        Column("cost", right=True),
    )
    print_table("", columns, rows)


def _print_grid(starting_hands: Sequence[StartingHand]) -> None:
    """Prints a grid of starting hands: suited above the diagonal, unsuited below it."""
    choices = {(h.high, h.low, h.suited): h.choice for h in starting_hands}
    marks = {choice: "." if choice == "fold" else choice.removesuffix("x") for choice in choices.values()}
    legend = ", ".join(f"{marks[c]} {'fold' if c == 'fold' else f'raise {c}'}" for c in sorted(marks))
    print_paragraph(
        f"The first choice of perfect play, pairs on the diagonal, suited above it, unsuited below it: {legend}."
    )
    ranks = list(reversed(Rank))
    print("    " + "".join(f"{rank.letter.replace('T', '10'):>3}" for rank in ranks))
    for row in ranks:
        cells = [marks[choices[max(row, c), min(row, c), row > c]] for c in ranks]
        print(f"{row.letter.replace('T', '10'):>4}" + "".join(f"{cell:>3}" for cell in cells))
