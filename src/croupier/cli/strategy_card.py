"""`croupier strategy --card`: the whole strategy of a game for a person's pocket."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from croupier.cards import Rank
from croupier.cli.analysis_text import percent
from croupier.cli.show import Column, print_json, print_table, progress, say
from croupier.maths.board_card import BoardCard, Holding
from croupier.maths.boards import is_board_game
from croupier.maths.cards import whole_card
from croupier.maths.condensed import SimpleStrategy, StrategyCard
from croupier.maths.results import ratio
from croupier.rules import Elected

COUNTS = ("no", "one", "two", "three", "four", "five", "six")


def print_card(elected: Elected, *, json: bool) -> int:
    """The card of an edition."""
    with progress(7 if is_board_game(elected) else 2) as advance:
        found = whole_card(elected, advance)
    if json:
        print_json(found.as_json())
    elif isinstance(found.card, BoardCard):
        _print_board(elected, found.card, found.others, found.first_street)
    else:
        _print_against(elected, found.card, found.others)
    return 0


def _print_against(elected: Elected, card: StrategyCard, others: Sequence[SimpleStrategy]) -> None:
    seen = dict.fromkeys(line.seen for line in card.lines)
    if len(seen) > 1:
        choices = dict.fromkeys(line.choice for line in card.lines)
        hands = {(line.seen, line.choice): line.hand for line in card.lines}
        rows = [(up.replace("T", "10"), *(hands[up, choice] for choice in choices)) for up in seen]
        title = f"{elected.edition.title}, {elected.edition.jurisdiction}"
        print_table(title, ("dealer shows", *(f"{choice} with" for choice in choices)), rows)
    else:
        for line in card.lines:
            say(f"{line.choice} with {line.hand}")
    say("otherwise fold")
    _print_price(card.house_edge, card.cost, others)


def _print_board(elected: Elected, card: BoardCard, others: Sequence[SimpleStrategy], table: Sequence[Holding]) -> None:
    say(f"{elected.edition.title}, {elected.edition.jurisdiction}")
    say(f"Points: {', '.join(f'{points} for each card from {ranks}' for points, ranks in card.points)}.")
    for number, (known, lines) in enumerate(zip(card.known, card.streets, strict=True), 1):
        say(f"Street {number}, {COUNTS[known]} cards known:")
        for line in lines:
            for place, condition in enumerate(line.conditions):
                before = f"  {line.choice} with " if not place else f"{'or ':>10}"
                say(condition, indent=" " * 10, first=before)
        say(f"  otherwise {card.otherwise[number - 1]}")
    _print_price(card.house_edge, card.cost, others)
    if table:
        print()
        _print_grid(table)


def _print_price(edge: Fraction, cost: Fraction, others: Sequence[SimpleStrategy]) -> None:
    say(
        f"House edge of this card {percent(edge)} of the Ante, of perfect play {percent(edge - cost)}: "
        f"the card costs {percent(cost)}, exactly {ratio(cost)} of an Ante."
    )
    print()
    rows = [(s.name, percent(s.house_edge), percent(s.cost)) for s in others]
    columns = (
        Column("other ways to play", flexible=True),
        Column("house edge", right=True),
        Column("cost", right=True),
    )
    print_table("", columns, rows)


def _print_grid(table: Sequence[Holding]) -> None:
    """Rank by rank: suited above the diagonal, unsuited below it."""
    choices = {(h.high, h.low, h.suited): h.choice for h in table}
    mark = {choice: "." if choice == "fold" else choice.removesuffix("x") for choice in choices.values()}
    key = ", ".join(f"{mark[c]} {'fold' if c == 'fold' else f'raise {c}'}" for c in sorted(mark))
    say(f"The first choice of perfect play, pairs on the diagonal, suited above it, unsuited below it: {key}.")
    ranks = list(reversed(Rank))
    print("    " + "".join(f"{rank.letter.replace('T', '10'):>3}" for rank in ranks))
    for row in ranks:
        cells = [mark[choices[max(row, c), min(row, c), row > c]] for c in ranks]
        print(f"{row.letter.replace('T', '10'):>4}" + "".join(f"{cell:>3}" for cell in cells))
