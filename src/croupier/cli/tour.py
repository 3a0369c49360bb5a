"""`croupier tour`: what the program does, shown in under a minute.

Every figure is computed while it is shown: a disputed hand, a published house edge, simulated rounds, a Rules
Submission and a forged record.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.padding import Padding

from croupier.cli.output import output_width
from croupier.core.money import format_signed_money

EDITION = "pa-682a"
DISPUTE = {
    "edition": EDITION,
    "dealing": "manual_shoe",
    "deck": "Ks Ac Kd Ad Kh Ah 4d 6c 2s 9h Jc",
    "elections": {"bad_beat_bonus": "B"},
    "seats": [{"seat": 2, "wagers": {"ante": "25.00"}, "decisions": ["3x"]}],
}
"""A hand that players argue about: three kings lose to three aces, but a bonus pays for the bad beat."""
SIMULATED_EDITION = "pa-679a"
SIMULATED_ROUNDS = 8 * 2**20
PLOT_DEVIATIONS = 4
"""The plot reaches this many standard errors of the first part to each side of the exact value."""


def add_tour_arguments(parser: argparse.ArgumentParser) -> None:
    del parser


def run_tour(arguments: argparse.Namespace) -> int:
    del arguments
    tour = Tour(Console(width=min(output_width(), 100), highlight=False, no_color=bool(os.environ.get("NO_COLOR"))))
    steps: tuple[tuple[str, Callable[[], None]], ...] = (
        ("A disputed hand, settled with its clauses", tour.settle_dispute),
        ("A published figure, checked exactly", tour.check_published_figure),
        ("Millions of rounds against the exact value", tour.simulate),
        ("A Rules Submission with mistakes, corrected", tour.correct_submission),
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

    def _say(self, text: str, indent: int = 0) -> None:
        self.console.print(Padding(text, (0, 0, 0, indent), expand=False))

    def settle_dispute(self) -> None:
        """Settles the dispute and shows the reason for every cent."""
        import croupier

        settlement = croupier.settle(DISPUTE)
        seat, dealer = settlement.seats[0], settlement.dealer
        self._say("The player raised $75 on three kings. The dealer turns over three aces. What is owed?")
        if dealer is not None:
            self._say(f"[cyan]dealer[/] {_cards(dealer.cards)}   [cyan]player[/] {_cards(seat.cards)}", 2)
        for line in settlement.text.splitlines():
            if "(" in line and "682a" in line:
                self._say(escape(line.strip()), 2)
        style = "green" if seat.net_cents > 0 else "red"
        self._say(f"Net result: [bold {style}]{format_signed_money(seat.net_cents)}[/]", 2)
        self._say("[dim]Yours: croupier settle FILE, or croupier ruling, which asks.[/]")

    def check_published_figure(self) -> None:
        """Compares a published house edge with the exact one under both readings of the text."""
        import croupier

        rules = croupier.edition("pa-682a-proposed")
        published = next(hold for hold in rules.published if hold.wager == "aces_bonus")
        self._say(f"The regulator published a hold of {published.low} for the Aces Bonus of Four Card Prime, table A.")
        for choice, meaning in (
            ("five_card", "five-card hands, as printed"),
            ("four_card", "four-card hands, as the published figure assumes"),
        ):
            edge = croupier.analyze(rules, {"aces_bonus_hands": choice}).wagers["aces_bonus"].house_edge
            style = "red" if edge > Fraction(1, 10) else "green"
            self._say(f"[bold {style}]{float(100 * edge):8.4f} %[/]  {meaning}: exactly {edge}", 2)
        self._say("[dim]Yours: croupier analyze pa-682a-proposed --published, and croupier readings AMB-01.[/]")

    def simulate(self) -> None:
        """Simulates rounds part by part and draws how the result approaches the exact value."""
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        from croupier.analysis.wagers import REQUIRED
        from croupier.regulations import edition
        from croupier.simulation.bets import place_bets
        from croupier.simulation.job import chunk_numbers, prepare_job
        from croupier.simulation.results import Estimate, Results
        from croupier.simulation.runner import thread_executor
        from croupier.simulation.tally import Tally

        job = prepare_job(place_bets(edition(SIMULATED_EDITION).elect(), 1, [REQUIRED]))
        tally, estimates = Tally(job), list[tuple[int, Estimate]]()
        columns = (TextColumn("rounds"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        with Progress(*columns, console=self.console, transient=True) as bar:
            task = bar.add_task("", total=SIMULATED_ROUNDS)
            run = thread_executor(len(os.sched_getaffinity(0)))
            for chunk in run(job, 7, SIMULATED_ROUNDS, range(len(chunk_numbers(SIMULATED_ROUNDS)))):
                tally.add(chunk)
                estimates.append((tally.rounds, Results(tally).estimate(REQUIRED)))
                bar.update(task, completed=tally.rounds)
        exact = float(Results(tally).exact[REQUIRED].house_edge)
        title = edition(SIMULATED_EDITION).title
        self._say(f"{title}, Ante and Play, {tally.rounds:,} rounds. The line is the 95 % interval:")
        span = PLOT_DEVIATIONS * estimates[0][1].standard_error
        for rounds, estimate in estimates[:: max(1, len(estimates) // 8)]:
            line = _interval(estimate.house_edge, estimate.standard_error, exact, span, self.console.width - 36)
            self._say(f"{rounds / 1e6:5.1f} million {line} {100 * estimate.house_edge:.4f} %", 2)
        self._say(f"exact value    [bold]{100 * exact:.4f} %[/]", 2)
        self._say(f"[dim]Yours: croupier simulate {SIMULATED_EDITION} --rounds 1e8.[/]")

    def correct_submission(self) -> None:
        """Checks a Rules Submission with three mistakes, corrects them, and checks it again."""
        import croupier
        from croupier.submissions.template import submission_template

        text = submission_template(croupier.edition(EDITION))
        broken = text.replace('method = "manual_shoe"', 'method = "hand"').replace('"raise", ', "")
        broken = broken.replace('aces_bonus_hands = "five_card"', "")
        checked = croupier.check(broken, warnings=False)
        for problem in checked.problems:
            self._say(f"[red]✗[/] [cyan]{problem.key}[/]: {escape(problem.message)} [dim]({problem.clause})[/]", 2)
        corrected = croupier.check(text, warnings=False)
        verdict = "[green]✓ valid[/]" if corrected.valid else "[red]still not valid[/]"
        self._say(f"With these {len(checked.problems)} places corrected: {verdict}", 2)
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
            amount = forge_payout(path)
            forged = croupier.audit(path)
        verdict = "[green]✓ no findings[/]" if honest.is_clean else "[red]findings[/]"
        self._say(f"A round in {honest.events} events: {verdict}", 2)
        self._say(f"Somebody raises a payout by {amount} and makes every hash anew. The audit finds:", 2)
        for problem in forged.problems[:4]:
            clause = f" [dim]({problem.clause})[/]" if problem.clause else ""
            self._say(f"[red]✗[/] event {problem.seq}: {escape(problem.message)}{clause}", 4)
        self._say("[dim]Yours: croupier play pa-682a --record day.jsonl, then croupier audit day.jsonl.[/]")


def forge_payout(path: Path) -> str:
    """Adds $500 to the last payout in a record and repairs every hash, as a forger with the program would."""
    from croupier.core.hash_chain import START, line_text, next_hash

    lines: list[dict[str, Any]] = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    paid = [line for line in lines if line.get("event") == "WagerSettled" or line.get("kind") == "WagerSettled"]
    paid[-1]["paid"] += 500_00
    previous = START
    for line in lines:
        line["hash"] = previous = next_hash(previous, line)
    path.write_text("\n".join(line_text(line) for line in lines) + "\n", encoding="utf-8")
    return "$500"


def _cards(text: str) -> str:
    """Cards with symbols, hearts and diamonds in red."""
    from croupier.core.cards import parse_cards

    return " ".join(
        f"[red]{card.rank.letter}{card.suit.symbol}[/]" if card.suit.is_red else f"{card.rank.letter}{card.suit.symbol}"
        for card in parse_cards(text)
    )


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
