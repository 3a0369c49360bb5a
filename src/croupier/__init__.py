"""Croupier runs, explains and proves regulated casino poker table games.

What is public, in `__all__`, is imported on first use, so that a command that computes nothing starts quickly.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from croupier.core.errors import CroupierError, InputError, NotFound, RuleViolation
from croupier.core.extensions import EXTENSIONS
from croupier.core.version import VERSION

if TYPE_CHECKING:
    from croupier.analysis.results import RequiredResult, WagerResult
    from croupier.client import Client
    from croupier.facade.mathematics import (
        Analysis,
        SessionResults,
        SimulatedWager,
        Simulation,
        StrategyAdvice,
        analyze,
        simulate,
        strategy,
    )
    from croupier.facade.protection import Protection, protect
    from croupier.facade.records import AuditProblem, AuditResult, audit
    from croupier.facade.rounds import OpenTable, Settlement, open_table, settle
    from croupier.facade.rules import Check, Editions, EditionSummary, check, edition, editions
    from croupier.regulations import Edition, ElectedEdition
    from croupier.scenarios.settlement import DealerHand, RoundSettlement, SettledSeat, WagerOutcome
    from croupier.submissions import Problem
    from croupier.table.record.file import Record

__version__ = VERSION

__all__ = [
    "Analysis",
    "AuditProblem",
    "AuditResult",
    "Check",
    "Client",
    "CroupierError",
    "DealerHand",
    "Edition",
    "EditionSummary",
    "Editions",
    "ElectedEdition",
    "InputError",
    "NotFound",
    "OpenTable",
    "Problem",
    "Protection",
    "Record",
    "RequiredResult",
    "RoundSettlement",
    "RuleViolation",
    "SessionResults",
    "SettledSeat",
    "Settlement",
    "SimulatedWager",
    "Simulation",
    "StrategyAdvice",
    "WagerOutcome",
    "WagerResult",
    "analyze",
    "audit",
    "check",
    "edition",
    "editions",
    "open_table",
    "protect",
    "settle",
    "simulate",
    "strategy",
]

_MODULES = {
    "croupier.analysis.results": (
        "RequiredResult",
        "WagerResult",
    ),
    "croupier.client": ("Client",),
    "croupier.facade.mathematics": (
        "Analysis",
        "SessionResults",
        "SimulatedWager",
        "Simulation",
        "StrategyAdvice",
        "analyze",
        "simulate",
        "strategy",
    ),
    "croupier.facade.protection": (
        "Protection",
        "protect",
    ),
    "croupier.facade.records": (
        "AuditProblem",
        "AuditResult",
        "audit",
    ),
    "croupier.facade.rounds": (
        "OpenTable",
        "Settlement",
        "open_table",
        "settle",
    ),
    "croupier.facade.rules": (
        "Check",
        "EditionSummary",
        "Editions",
        "check",
        "edition",
        "editions",
    ),
    "croupier.regulations": (
        "Edition",
        "ElectedEdition",
    ),
    "croupier.scenarios.settlement": (
        "DealerHand",
        "RoundSettlement",
        "SettledSeat",
        "WagerOutcome",
    ),
    "croupier.submissions": ("Problem",),
    "croupier.table.record.file": ("Record",),
}
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> Any:
    module = _MODULE_OF.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(module), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def _install_plugins() -> None:
    from croupier.plugins import install

    install()


EXTENSIONS.add(_install_plugins)
