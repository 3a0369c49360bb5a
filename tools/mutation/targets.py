"""The modules to mutate, and the tests that must notice."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
NO_POSTGRESQL = ("-k", "not postgresql")
ONLY_POSTGRESQL = ("-k", "postgresql")


@dataclass(frozen=True, slots=True)
class Target:
    """Modules with their tests. Each stage is the arguments of one pytest run; a failure ends the stages."""

    name: str
    modules: tuple[str, ...]
    stages: tuple[tuple[str, ...], ...]


TARGETS = (
    Target(
        "settlement",
        (
            "src/croupier/table/settlement/amounts.py",
            "src/croupier/table/settlement/contest.py",
            "src/croupier/table/settlement/hands.py",
            "src/croupier/table/settlement/payout_limits.py",
            "src/croupier/table/settlement/seat.py",
            "src/croupier/table/settlement/steps.py",
        ),
        (
            (
                "tests/table/test_settlement_rules.py",
                "tests/table/test_settle_contest.py",
                "tests/golden",
                "tests/progressive",
                "tests/table/test_floor.py",
                "tests/table/test_irregularities.py",
            ),
        ),
    ),
    Target(
        "meters",
        (
            "src/croupier/progressive/links.py",
            "src/croupier/progressive/meter_plans.py",
            "src/croupier/progressive/meters.py",
            "src/croupier/progressive/mystery.py",
            "src/croupier/table/evolve_meters.py",
        ),
        (
            (
                "tests/progressive",
                "tests/audits/test_meters.py",
                "tests/submissions/test_meters.py",
                "tests/golden",
                "tests/table/test_impossible_events.py",
            ),
        ),
    ),
    Target(
        "visibility",
        ("src/croupier/table/visibility.py", "src/croupier/table/live_secrets.py"),
        (("tests/table/test_visibility.py", "tests/table/test_view.py", "tests/server/test_history_visibility.py"),),
    ),
    Target(
        "approvals",
        ("src/croupier/storage/approvals.py",),
        (("tests/storage/test_approvals.py", *NO_POSTGRESQL), ("tests/storage/test_approvals.py", *ONLY_POSTGRESQL)),
    ),
    Target(
        "ledger",
        ("src/croupier/storage/ledger.py",),
        (
            ("tests/storage/test_wallets.py", "tests/storage/test_ledger.py", *NO_POSTGRESQL),
            ("tests/storage/test_wallets.py", *ONLY_POSTGRESQL),
        ),
    ),
)


def target_of(module: str) -> Target:
    """The target that a module belongs to."""
    return next(target for target in TARGETS if module in target.modules)
