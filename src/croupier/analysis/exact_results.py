"""Exact results that were computed before, from the user's own disk.

Only what is unchanged has a key: an edition that comes with the program, as printed, under elections. The key has a
digest of every file that the analysis can depend on, so that no result outlives the program or the rules that gave it.
A result is computed if there is none, and the compiler is imported only then. `croupier.core.disk_cache` says which
entries are trusted. Papers that prove something (reports, their verification, comparisons with published figures,
certificates) compute, and never read a result from here.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any, get_args

from croupier.analysis.results import Advice, NotExact, RequiredResult, SampledResult, WagerResult
from croupier.analysis.wagers import REQUIRED, elections_by_letter, wagers_of
from croupier.core.cards import Card, show_cards
from croupier.core.codec import Codec, Converter, Layout
from croupier.core.disk_cache import RESULTS, read_entry, write_entry
from croupier.core.errors import InputError
from croupier.core.program_digest import PACKAGE_FOLDER, digest_of_folders
from croupier.plugins import discovery
from croupier.regulations import EDITIONS, ElectedEdition, edition
from croupier.regulations.payouts import Payout

PACKAGES = ("analysis", "core", "games", "hands", "plugins", "progressive", "regulations", "submissions", "table")
"""The packages that an exact result can depend on; a test compares them with the modules that an analysis imports."""
Result = RequiredResult | WagerResult
AnyResult = Result | SampledResult
Fallback = Callable[[ElectedEdition, NotExact], SampledResult]
"""Estimates a wager that has no exact analysis."""

_payouts: Mapping[str, type[Any]] = {kind.__name__: kind for kind in get_args(Payout)}
_payout_codec = Codec(Layout.POSITIONAL)


def _encode_payout(payout: Payout) -> list[Any]:
    return [type(payout).__name__, _payout_codec.encoder(type(payout))(payout)]


def _decode_payout(value: Any, place: str) -> Any:
    return _payout_codec.decoder(_payouts[value[0]])(value[1], place)


_codec = Codec(Layout.NAMED, {Payout: Converter(_encode_payout, _decode_payout)})


def find_result(elected: ElectedEdition, wager: str, letter: str = "", wager_dollars: Fraction | None = None) -> Result:
    """As `croupier.analysis.house_edges.analyze_wager`, from the cache if it was computed before."""
    kind: type[Result] = RequiredResult if wager == REQUIRED else WagerResult

    def compute() -> Result:
        from croupier.analysis.house_edges import analyze_wager

        return analyze_wager(elected, wager, letter, wager_dollars)

    question = ["analyze", wager, letter, None if wager_dollars is None else str(wager_dollars)]
    result: Result = _find(elected, question, kind, compute)
    return result


def find_advice(
    elected: ElectedEdition,
    hand: Sequence[Card],
    up: Card | None = None,
    board: Sequence[Card] = (),
    raised: Sequence[int] = (),
) -> Advice:
    """As `croupier.analysis.strategy.advise`, from the cache if it was computed before."""

    def compute() -> Advice:
        from croupier.analysis.strategy import advise

        return advise(elected, hand, up, board, raised)

    question = ["strategy", show_cards(hand), show_cards([up] if up else []), show_cards(board), list(raised)]
    advice: Advice = _find(elected, question, Advice, compute)
    return advice


def find_results(elected: ElectedEdition, wager_dollars: Fraction | None = None) -> Mapping[str, Result]:
    """Every wager under the elections made; the required wagers count as one, `ante`.

    Raises `NotExact` for a wager of an unsupported shape.
    """
    return {name: find_result(elected, name, wager_dollars=wager_dollars) for name in wagers_of(elected)}


def find_results_with_fallback(
    elected: ElectedEdition, wager_dollars: Fraction | None, fallback: Fallback, *, every_letter: bool
) -> Mapping[str, AnyResult | Mapping[str, AnyResult]]:
    """Every wager, under the elected paytables or all of them; `fallback` estimates those without an exact analysis."""

    def analyze_one(chosen: ElectedEdition, name: str, letter: str) -> AnyResult:
        try:
            return find_result(chosen, name, letter, wager_dollars)
        except NotExact as problem:
            return fallback(chosen, problem)

    if not every_letter:
        return {name: analyze_one(elected, name, "") for name in wagers_of(elected)}
    return {
        name: {letter: analyze_one(chosen, name, letter) for letter, chosen in elections_by_letter(elected, name)}
        for name in wagers_of(elected)
    }


def _find(elected: ElectedEdition, question: Sequence[Any], kind: type[Any], compute: Callable[[], Any]) -> Any:
    if not _is_unchanged(elected):
        return compute()
    key = json.dumps([program_key(), elected.edition.name, sorted(elected.choices.items()), question])
    content = read_entry(RESULTS, key, generation=program_key())
    if content is not None:
        try:
            return _codec.decoder(kind)(json.loads(content), "")
        except (ValueError, LookupError, TypeError, InputError):
            pass  # not a result, although its checksum is right
    result = compute()
    write_entry(RESULTS, key, json.dumps(_codec.encoder(kind)(result)).encode(), generation=program_key())
    return result


@cache
def program_key() -> str:
    """Identifies the program and the rules that a result depends on."""
    version = ".".join(map(str, sys.version_info[:3]))
    return f"{version} {digest_of_folders(PACKAGE_FOLDER, PACKAGES)}"


def _is_unchanged(elected: ElectedEdition) -> bool:
    """Whether the rules are in the program's own files, which the key covers, and nothing was replaced in them."""
    rules = elected.edition
    if elected.has_custom_table:
        return False
    if rules.name not in EDITIONS:
        source = discovery.source_of(rules.name)
        if source is None or PACKAGE_FOLDER not in source.rules.parents:
            return False
    return edition(rules.name) is rules
