"""The settlement of a contest, in exact fractions.

The table, the analysis, the simulator and the game tree all call `settle_contest`. It is a pure function of
the elected rules, the outcome, the strength of the player's hand and the stakes. It knows no table, seat or round,
and never rounds: a table pays `round_to_cents` of these amounts.
"""

from __future__ import annotations

from collections.abc import Mapping

from croupier.core.dataclass import dataclass
from croupier.core.errors import InvariantError
from croupier.games.definition import Bonus, Contest
from croupier.hands import ranking_named
from croupier.regulations import ElectedEdition
from croupier.regulations.clauses import carries_out
from croupier.regulations.payouts import OfMeter, Payout
from croupier.regulations.paytables import Paytable
from croupier.table.settlement.amounts import CENTS_IN_A_DOLLAR, Exact, amounts_due


@dataclass(frozen=True, slots=True)
class ContestEntry:
    """The result of one wager or bonus of a contest; amounts are exact, in the unit of the stakes."""

    wager: str
    staked: Exact
    outcome: str
    returned: Exact
    paid: Exact
    rule: str
    """The rule of the edition under which it is settled."""
    clause: str = ""
    """The clause of the row or the odds that pay it; empty if neither does."""
    payout: Payout | None = None
    """The payout. Only the table knows the amount of a share of a meter: the entry has 0 for it."""
    row: str = ""
    table: Paytable | None = None
    """The paytable of the row."""

    @property
    def net(self) -> Exact:
        """The player's gain."""
        return self.returned + self.paid - self.staked


def contest_outcome(contest: Contest, player: int, dealer: int) -> str:
    """`unqualified`, `win`, `tie` or `lose`, from the two strengths."""
    if contest.qualifies:
        ranking = ranking_named(contest.dealer_ranking)
        if dealer < ranking.span(contest.qualifies).start:
            return "unqualified"
    if player == dealer:
        return "tie"
    return "win" if player > dealer else "lose"


def can_occur(elected: ElectedEdition, contest: Contest, outcome: str, player: int) -> bool:
    """Whether a hand can have an outcome: a hand below every row of the paytable for winning hands never wins."""
    if outcome in ("lose", "unqualified"):
        return True
    pushing_wagers, always = contest.pushes.get(outcome, ()), contest.always_by_table
    return all(
        _has_row(elected, name, player) or (wager in always and _has_row(elected, always[wager], player))
        for wager, name in contest.by_table.items()
        if wager not in pushing_wagers
    )


def _has_row(elected: ElectedEdition, table: str, player: int) -> bool:
    return elected.paytable(table).row_of(player) is not None


@carries_out("contest_win", "contest_lose", "contest_bad_beat", "contest_unqualified")
def settle_contest(
    elected: ElectedEdition,
    contest: Contest,
    outcome: str,
    player: int,
    stakes: Mapping[str, Exact],
    dollar: Exact = CENTS_IN_A_DOLLAR,
) -> tuple[ContestEntry, ...]:
    """The entries of every wager of a contest, then of every bonus paid, for an outcome and the player's strength.

    `stakes` has every wager of the contest, in any unit; `dollar` is a dollar in that unit, for rows that
    pay a fixed sum. Raises `InvariantError` for a win without a row in its paytable.
    """
    paid_bonuses = [
        (bonus, entry)
        for bonus in contest.bonuses
        if (entry := _bonus_entry(elected, bonus, outcome, player, stakes[bonus.on], dollar)) is not None
    ]
    saved = {wager for bonus, _ in paid_bonuses for wager in saved_wagers(elected, bonus)}
    rule = {"unqualified": "contest_unqualified", "lose": "contest_lose"}.get(outcome, "contest_win")
    if outcome == "lose" and paid_bonuses and elected.edition.clause("contest_bad_beat"):
        rule = "contest_bad_beat"
    finished_contest = _FinishedContest(elected, contest, outcome, player, rule, dollar)
    wager_entries = [finished_contest.entry(wager, stakes[wager], is_saved=wager in saved) for wager in contest.wagers]
    return (*wager_entries, *(entry for _, entry in paid_bonuses))


@dataclass(frozen=True, slots=True)
class _FinishedContest:
    """A contest with its outcome; gives the entry of each wager."""

    elected: ElectedEdition
    contest: Contest
    outcome: str
    player: int
    rule: str
    dollar: Exact

    def entry(self, wager: str, stake: Exact, *, is_saved: bool) -> ContestEntry:
        contest, edition = self.contest, self.elected.edition
        if wager in contest.always_by_table:
            row_entry = self._row_entry(wager, stake, contest.always_by_table[wager])
            if row_entry is not None:
                return row_entry
        if self.outcome == "lose":
            return self._push_entry(wager, stake) if is_saved else ContestEntry(wager, stake, "lose", 0, 0, self.rule)
        if wager in contest.pushes.get(self.outcome, ()):
            return self._push_entry(wager, stake)
        if self.outcome == "unqualified":
            if wager not in contest.pays_unqualified:
                return self._push_entry(wager, stake)
            odds = edition.odds[contest.pays_unqualified[wager]]
            return self._winning_entry(wager, stake, odds.pays, odds.clause)
        if wager in contest.by_table:
            row_entry = self._row_entry(wager, stake, contest.by_table[wager])
            if row_entry is None:
                raise InvariantError(f"table {contest.by_table[wager]} has no row for a hand that wins")
            return row_entry
        return self._winning_entry(wager, stake, edition.odds[wager].pays, edition.odds[wager].clause)

    def _push_entry(self, wager: str, stake: Exact) -> ContestEntry:
        return ContestEntry(wager, stake, "push", stake, 0, self.rule)

    def _row_entry(self, wager: str, stake: Exact, name: str) -> ContestEntry | None:
        """A win paid by the row of the player's hand; `None` if the paytable has none."""
        table = self.elected.paytable(name)
        row = table.row_of(self.player)
        return None if row is None else self._winning_entry(wager, stake, row.pays, row.clause, row.hand, table)

    def _winning_entry(
        self, wager: str, stake: Exact, payout: Payout, clause: str, row: str = "", table: Paytable | None = None
    ) -> ContestEntry:
        returned, paid = (0, 0) if isinstance(payout, OfMeter) else amounts_due(payout, stake, self.dollar)
        return ContestEntry(wager, stake, "win", returned, paid, self.rule, clause, payout, row, table)


def saved_wagers(elected: ElectedEdition, bonus: Bonus) -> tuple[str, ...]:
    """The wagers that a bonus saves from being lost, under the elected readings."""
    for reading, by_choice in bonus.saves_by.items():
        return by_choice[elected.choices.get(reading, "")]
    return bonus.saves


def _bonus_entry(
    elected: ElectedEdition, bonus: Bonus, outcome: str, player: int, stake: Exact, dollar: Exact
) -> ContestEntry | None:
    """The entry of a bonus; `None` if the outcome or the hand does not earn it."""
    outcomes = bonus.when
    for reading, by_choice in bonus.only_by.items():
        outcomes = by_choice[elected.choices.get(reading, "")]
    table = elected.paytable(bonus.name)
    row = table.row_of(player)
    if outcome not in outcomes or row is None:
        return None
    _, paid = amounts_due(row.pays, stake, dollar)
    reading, choice = bonus.net_by
    if reading and elected.choices.get(reading, "") == choice:
        paid -= stake
    rule = "contest_bad_beat" if outcome == "lose" else "contest_win"
    return ContestEntry(bonus.name, 0, "win", 0, paid, rule, row.clause, row.pays, row.hand, table)
