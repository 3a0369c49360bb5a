"""`croupier tour`: what the program does, shown in under a minute.

Every figure is computed while it is shown: a disputed hand, a published house edge, simulated rounds, a Rules
Submission and a forged record.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from difflib import ndiff
from fractions import Fraction
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.text import Text

from croupier.cli.output import output_width
from croupier.core.cards import Card
from croupier.core.money import format_money, format_signed_money

EDITION = "pa-682a"
DISPUTE = {
    "edition": EDITION,
    "dealing": "manual_shoe",
    "deck": "Ks Ac Kd Ad Kh Ah 4d 6c 2s 9h Jc",
    "elections": {"bad_beat_bonus": "B"},
    "seats": [{"seat": 2, "wagers": {"ante": "25.00"}, "decisions": ["3x"]}],
}
"""A hand that players argue about: three kings lose to three aces, but a bonus pays for the bad beat."""
MISTAKES = (
    ('method = "manual_shoe"', 'method = "hand"       '),
    ('aces_bonus_hands = "five_card"', '# aces_bonus_hands = "?"      '),
    ("seats = 6", "seats = 9"),
)
"""Lines of a Rules Submission, and what they become by mistake."""
SIMULATED_EDITION = "pa-679a"
SIMULATED_ROUNDS = 8 * 2**20
FORGED_CENTS = 500_00
PLOT_DEVIATIONS = 4
"""The plot reaches this many standard errors of the first part to each side of the exact value."""
CARD_WIDTH = 4
MAX_WIDTH = 100


def add_tour_arguments(parser: argparse.ArgumentParser) -> None:
    del parser


def run_tour(arguments: argparse.Namespace) -> int:
    del arguments
    width = min(output_width(), MAX_WIDTH)
    tour = Tour(Console(width=width, highlight=False, no_color=bool(os.environ.get("NO_COLOR"))))
    steps: tuple[tuple[str, Callable[[], None]], ...] = (
        ("A disputed hand, settled", tour.settle_dispute),
        ("A published figure, checked", tour.check_published_figure),
        ("Millions of rounds, simulated", tour.simulate),
        ("A Rules Submission, corrected", tour.correct_submission),
        ("A forged record, caught", tour.catch_forgery),
    )
    for number, (title, show) in enumerate(steps, 1):
        tour.console.print()
        tour.console.rule(f"[bold]{number} of {len(steps)}: {title}[/]", align="left", style="dim")
        show()
    tour.console.print()
    return 0


class Tour:
    """The steps of the tour, each printed to the console."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.has_symbols = (console.encoding or "").lower().startswith("utf")

    def _say(self, markup: str, indent: int = 0, hang: int = 0) -> None:
        """Prints a paragraph wrapped between words; the lines after the first are indented by `hang` more."""
        text = Text.from_markup(markup)
        for number, line in enumerate(text.wrap(self.console, self.console.width - indent - hang)):
            line.rstrip()
            self.console.print(Text(" " * (indent + (hang if number else 0))).append_text(line), soft_wrap=True)

    def _mark(self, *, good: bool) -> str:
        """A check mark or a cross, in color."""
        symbol = ("✓" if good else "✗") if self.has_symbols else ("ok" if good else "x")
        return f"[{'green' if good else 'red'}]{symbol}[/]"

    def settle_dispute(self) -> None:
        """Settles the dispute and shows the reason for every cent."""
        from croupier.scenarios import play_scenario
        from croupier.scenarios.model import parse_scenario
        from croupier.scenarios.text_report import reasons

        session = play_scenario(parse_scenario(DISPUTE, "tour"))
        round_ = session.table.round
        if round_ is None:
            return
        self._say("The player raised $75 on three kings. The dealer turns over three aces. What is owed?")
        hands = {"Dealer": round_.hand("dealer"), "Player": round_.hand("player", 2)}
        for title, cards in hands.items():
            self._draw_hand(title, [Card.of(card) for card in cards])
        for reason in reasons(session, 2):
            self._say(_with_dim_clause(reason), 2, hang=4)
        net = sum(entry.returned + entry.paid - entry.staked for entry in round_.entries if entry.seat == 2)
        self._say(f"In all: [bold {'green' if net > 0 else 'red'}]{format_signed_money(net)}[/]", 2)
        self._say("[dim]Yours: croupier settle FILE, or croupier ruling, which asks.[/]")

    def _draw_hand(self, title: str, cards: Sequence[Card]) -> None:
        """Draws the cards of a hand side by side, in boxes if they fit."""
        faces = [_face(card, has_symbol=self.has_symbols) for card in cards]
        colors = ["red" if card.suit.is_red else "bold" for card in cards]
        label = f"  [cyan]{title}[/]  "
        pad = " " * (len(title) + 4)
        if not self.has_symbols or len(pad) + len(cards) * (CARD_WIDTH + 1) > self.console.width:
            self._say(
                label + " ".join(f"[{color}]{face}[/]" for face, color in zip(faces, colors, strict=True)), hang=10
            )
            return
        edge = "─" * (CARD_WIDTH - 1)
        middle = " ".join(f"│[{color}]{face:^3}[/]" for face, color in zip(faces, colors, strict=True))
        for start, line in ((pad, " ".join(f"╭{edge}" for _ in cards) + "╮"), (label, f"{middle}│")):
            self.console.print(f"{start}{line}", soft_wrap=True)

    def check_published_figure(self) -> None:
        """Compares a published house edge with the exact one under both readings of the text."""
        import croupier

        rules = croupier.edition("pa-682a-proposed")
        published = next(hold for hold in rules.published if hold.wager == "aces_bonus")
        title = rules.title_of("aces_bonus")
        self._say(f"The regulator published a hold of [bold]{published.low}[/] for the {title} of {rules.title}.")
        edges = {
            meaning: croupier.analyze(rules, {"aces_bonus_hands": choice}).wagers["aces_bonus"].house_edge
            for choice, meaning in (("five_card", "as printed"), ("four_card", "with four-card hands"))
        }
        highest = max(edges.values())
        for meaning, edge in edges.items():
            style = "red" if edge > Fraction(1, 10) else "green"
            length = max(1, round(edge / highest * (self.console.width - 40)))
            bar = ("█" if self.has_symbols else "#") * max(1, length)
            self._say(f"{meaning:<21}[bold {style}]{float(100 * edge):8.4f} %[/] [{style}]{bar}[/]", 2)
            self._say(f"[dim]exactly {edge}[/]", 23)
        self._say(
            "The text asks for five-card hands; the published figure assumes four-card hands. As printed, the house "
            f"keeps {round(100 * highest)} cents of every dollar."
        )
        self._say("[dim]Yours: croupier analyze pa-682a-proposed --published, and croupier readings AMB-01.[/]")

    def simulate(self) -> None:
        """Simulates rounds part by part and draws how the result approaches the exact value."""
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        from croupier.analysis.wagers import REQUIRED
        from croupier.regulations import edition
        from croupier.simulation.bets import place_bets
        from croupier.simulation.job import chunk_numbers, prepare_job
        from croupier.simulation.results import Estimate, Results
        from croupier.simulation.runner import thread_executor
        from croupier.simulation.tally import Tally

        rules = edition(SIMULATED_EDITION)
        wagers = " and ".join(rules.wagers[name].title for name in rules.required)
        columns = (TextColumn("{task.description}"), BarColumn(bar_width=None), TimeElapsedColumn())
        with Progress(*columns, console=self.console, transient=True, disable=not sys.stdout.isatty()) as bar:
            task = bar.add_task("compiling", total=SIMULATED_ROUNDS)
            job = prepare_job(place_bets(rules.elect(), 1, [REQUIRED]))
            tally, estimates = Tally(job), list[tuple[int, Estimate]]()
            run = thread_executor(len(os.sched_getaffinity(0)))
            for chunk in run(job, 7, SIMULATED_ROUNDS, range(len(chunk_numbers(SIMULATED_ROUNDS)))):
                tally.add(chunk)
                estimates.append((tally.rounds, Results(tally).estimate(REQUIRED)))
                bar.update(task, completed=tally.rounds, description=f"{tally.rounds / 1e6:.1f} million rounds")
        exact = float(Results(tally).exact[REQUIRED].house_edge)
        self._say(
            f"{rules.title}, {wagers}: {tally.rounds:,} rounds. Each line is a 95 % interval of the house edge, "
            "the bar in the middle the exact value."
        )
        span = PLOT_DEVIATIONS * estimates[0][1].standard_error
        for rounds, estimate in estimates[:: max(1, len(estimates) // 8)]:
            width = self.console.width - 30
            line = _interval(estimate.house_edge, estimate.standard_error, exact, span, width)
            if not self.has_symbols:
                line = line.replace("─", "-").replace("│", "|").replace("●", "o")
            self.console.print(
                f"  {rounds / 1e6:4.1f} million {line} {100 * estimate.house_edge:.4f} %", soft_wrap=True
            )
        self._say(f"exact value: [bold]{100 * exact:.4f} %[/]", 2)
        self._say(f"[dim]Yours: croupier simulate {SIMULATED_EDITION} --rounds 1e8.[/]")

    def correct_submission(self) -> None:
        """Checks a Rules Submission with mistakes, shows how they are corrected, and checks it again."""
        import croupier
        from croupier.core.toml_lines import find_line, key_lines
        from croupier.submissions.template import submission_template

        text = submission_template(croupier.edition(EDITION))
        broken = text
        for right, wrong in MISTAKES:
            broken = broken.replace(right, wrong)
        checked, lines = croupier.check(broken, warnings=False), key_lines(broken)
        self._say("An operator files a Rules Submission. Croupier checks it against every clause:")
        for problem in checked.problems:
            line = find_line(lines, problem.key)
            place = f"line {line}, " if line is not None else ""
            self._say(
                f"{self._mark(good=False)} {place}[cyan]{problem.key}[/]: {escape(problem.message)} "
                f"[dim]({problem.clause})[/]",
                2,
                hang=2,
            )
        for change in ndiff(broken.splitlines(), text.splitlines()):
            if change[:1] in "-+":
                content = escape(change[2:].partition("  #")[0].rstrip())
                self._say(f"[{'red' if change[0] == '-' else 'green'}]{change[0]} {content}[/]", 4, hang=2)
        corrected = croupier.check(text, warnings=False)
        self._say(f"{self._mark(good=corrected.valid)} {'valid' if corrected.valid else 'still not valid'}", 2)
        self._say(f"[dim]Yours: croupier init {EDITION} -o table.toml, then croupier check table.toml.[/]")

    def catch_forgery(self) -> None:
        """Plays a round, raises a payout in its record with all hashes made anew, and audits both records."""
        import croupier
        from croupier.table.record.file import RecordWriter

        table = croupier.open_table(EDITION, seed="tour")
        table.sit("Pat", 1)
        table.wager(1, ante=10)
        table.deal()
        table.decide(1, "1x")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "record.jsonl"
            with path.open("w", encoding="utf-8") as file:
                RecordWriter(file, table.session.table.setup).append(table.session.events, table.session.causes)
            honest = croupier.audit(path)
            before, after = forge_payout(path)
            forged = croupier.audit(path)
        verdict = "no findings" if honest.is_clean else "findings"
        self._say(f"A round was played: {honest.events} events, each with the hash of the one before.")
        self._say(f"{self._mark(good=honest.is_clean)} {verdict}", 2)
        self._say("Somebody raises a payout and makes every hash anew:")
        self._say(f'"paid": {before} [dim]becomes[/] [red]"paid": {after}[/]', 2)
        for problem in forged.problems[:3]:
            clause = f" [dim]({problem.clause})[/]" if problem.clause else ""
            self._say(f"{self._mark(good=False)} event {problem.seq}: {escape(problem.message)}{clause}", 2, hang=2)
        self._say(
            f"The audit replays every card: no hash hides {format_money(after - before)} that the cards do not pay."
        )
        self._say("[dim]Yours: croupier play pa-682a --record day.jsonl, then croupier audit day.jsonl.[/]")


def forge_payout(path: Path) -> tuple[int, int]:
    """Adds to the last payout in a record and repairs every hash, as a forger with the program would.

    Returns the amount before and after, in cents.
    """
    from croupier.core.hash_chain import START, line_text, next_hash

    lines: list[dict[str, Any]] = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    entry = [line for line in lines if line.get("event") == "WagerSettled"][-1]
    before = int(entry["paid"])
    entry["paid"] = before + FORGED_CENTS
    previous = START
    for line in lines:
        line["hash"] = previous = next_hash(previous, line)
    path.write_text("\n".join(line_text(line) for line in lines) + "\n", encoding="utf-8")
    return before, before + FORGED_CENTS


def _face(card: Card, *, has_symbol: bool) -> str:
    rank = "10" if card.rank.letter == "T" else card.rank.letter
    return rank + (card.suit.symbol if has_symbol else card.suit.value)


def _with_dim_clause(reason: str) -> str:
    """A reason with its clause, which ends it in parentheses, in a quieter color."""
    text, _, clause = reason.partition(" (")
    return f"{escape(text)} [dim]({escape(clause)}[/]" if clause else escape(text)


def _interval(mean: float, error: float, exact: float, span: float, width: int) -> str:
    """A result with its 95 % interval as a line of text; the bar in the middle is the exact value."""
    from croupier.core.statistics import CONFIDENCE_DEVIATIONS

    def place(value: float) -> int:
        return min(width - 1, max(0, round((value - exact + span) / (2 * span) * (width - 1))))

    low, high = place(mean - CONFIDENCE_DEVIATIONS * error), place(mean + CONFIDENCE_DEVIATIONS * error)
    symbols = ["─" if low <= column <= high else " " for column in range(width)]
    symbols[place(exact)] = "[bold]│[/]"
    symbols[place(mean)] = "[green]●[/]" if low <= place(exact) <= high else "[red]●[/]"
    return "".join(symbols)
