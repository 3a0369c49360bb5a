"""The report of a run: counts, and every mutant that was not killed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from tools.mutation.mutants import Mutant
from tools.mutation.workspace import Outcome

KILLED = (Outcome.KILLED, Outcome.KILLED_ON_IMPORT)


@dataclass(frozen=True, slots=True)
class Result:
    """A mutant and what the tests made of it."""

    mutant: Mutant
    outcome: Outcome


def count_killed(results: Sequence[Result]) -> int:
    """The mutants that the tests noticed; one that timed out or broke the run does not count."""
    return sum(result.outcome in KILLED for result in results)


def is_passed(results: Sequence[Result], required_percent: int) -> bool:
    """Whether enough of the mutants that ran were killed; a run without a mutant proves nothing."""
    return bool(results) and 100 * count_killed(results) >= required_percent * len(results)


def describe_result(result: Result) -> str:
    """A mutant that was not killed, with its change; empty for one that was."""
    return "" if result.outcome in KILLED else f"\n{result.outcome}: {result.mutant.diff()}"


def summarize(results: Sequence[Result], seed: int, sampled: int, required_percent: int) -> str:
    """The counts, and whether they are enough."""
    counts = Counter(result.outcome for result in results)
    lines = [
        f"\nseed      {seed:4}",
        f"sampled   {sampled:4}",
        f"killed    {count_killed(results):4}   {counts[Outcome.KILLED_ON_IMPORT]} of them on import",
        f"survived  {counts[Outcome.SURVIVED]:4}",
        f"timed out {counts[Outcome.TIMED_OUT]:4}",
        f"unclear   {counts[Outcome.UNCLEAR]:4}",
        f"{'passed' if is_passed(results, required_percent) else 'failed'}: {required_percent} percent must be killed",
    ]
    if len(results) < sampled:
        lines.insert(1, f"cut short by the time budget: only the {len(results)} mutants that ran count")
    return "\n".join(lines)
