"""Results from the cache are those that the analysis computes; what is not the same question is computed."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

import pytest

from croupier.analysis import exact_results, house_edges, strategy
from croupier.analysis.custom_paytables import with_pay
from croupier.analysis.exact_results import PACKAGES, find_advice, find_result, find_results
from croupier.analysis.wagers import as_json, elections_by_letter, wagers_of
from croupier.core import disk_cache
from croupier.core.cards import parse_cards
from croupier.core.disk_cache import RESULTS, SWITCH, usage
from croupier.regulations import EDITIONS, edition


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv(SWITCH, "on")
    return tmp_path / "croupier"


def entries(cache: Path) -> list[Path]:
    return [path for path in cache.iterdir() if path.name.startswith(RESULTS)]


def text(name: str, results: Mapping[str, object]) -> str:
    return json.dumps(as_json(edition(name).elect({}), results))


def test_a_second_answer_is_the_same_and_computes_nothing(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    elected = edition("pa-679a").elect({})
    computed = house_edges.analyze(elected)
    assert find_results(elected) == computed
    monkeypatch.setattr(house_edges, "analyze_wager", None)
    before = usage(RESULTS)
    cached = find_results(edition("pa-679a").elect({}))
    assert cached == computed
    assert text("pa-679a", cached) == text("pa-679a", computed)
    assert usage(RESULTS) == (before.hits + len(computed), before.misses)


@pytest.mark.proof
@pytest.mark.parametrize("name", EDITIONS)
def test_every_letter_of_every_edition_is_the_same_from_the_cache(cache: Path, name: str) -> None:
    elected = edition(name).elect({})
    for wager in wagers_of(elected):
        for letter, chosen in elections_by_letter(elected, wager):
            for stake in (None, Fraction(7)):
                computed = house_edges.analyze_wager(chosen, wager, letter, stake)
                assert find_result(chosen, wager, letter, stake) == computed
                hits = usage(RESULTS).hits
                cached = find_result(chosen, wager, letter, stake)
                assert usage(RESULTS).hits == hits + 1
                assert cached == computed
                assert json.dumps(cached.as_json()) == json.dumps(computed.as_json())


def test_advice_is_the_same_from_the_cache(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    elected, hand = edition("pa-679a").elect({}), parse_cards("Ks Kd 4d")
    computed = strategy.advise(elected, hand)
    assert find_advice(elected, hand) == computed
    monkeypatch.setattr(strategy, "advise", None)
    assert find_advice(elected, hand) == computed
    assert list(find_advice(elected, hand).values) == list(computed.values)


def test_a_planted_figure_is_computed_again(cache: Path) -> None:
    elected = edition("pa-679a").elect({})
    edge = find_result(elected, "prime").house_edge
    (file,) = entries(cache)
    planted = file.read_bytes().replace(f'"{edge.numerator}/{edge.denominator}"'.encode(), b'"1/1000"')
    assert planted != file.read_bytes()
    file.write_bytes(planted)
    assert find_result(elected, "prime").house_edge == edge
    assert file.read_bytes() != planted


@pytest.mark.parametrize("content", [b"", b"[]", b"{}", b'{"house_edge": 1}', b"\xff"])
def test_an_entry_that_is_no_result_is_computed_again(
    cache: Path, monkeypatch: pytest.MonkeyPatch, content: bytes
) -> None:
    """Somebody wrote it with a checksum that is right."""
    elected = edition("pa-679a").elect({})
    computed = house_edges.analyze_wager(elected, "prime")
    monkeypatch.setattr(exact_results, "read_entry", lambda kind, key, **options: content)
    assert find_result(elected, "prime") == computed


def test_elections_stakes_and_programs_have_entries_of_their_own(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = edition("pa-679a")
    find_result(rules.elect({}), "pair_bonus")
    find_result(rules.elect({"pair_bonus": "B"}), "pair_bonus")
    find_result(rules.elect({}), "pair_bonus", wager_dollars=Fraction(7))
    find_result(rules.elect({}), "pair_bonus", "B")
    assert len(entries(cache)) == 4
    monkeypatch.setattr(exact_results, "program_key", lambda: "another program")
    find_result(rules.elect({}), "pair_bonus")
    assert len(entries(cache)) == 1, "results of the program before are removed"


def test_a_table_of_ones_own_is_never_cached(cache: Path) -> None:
    elected = edition("pa-679a").elect({})
    printed = find_result(elected, "prime").house_edge
    row = elected.paytable("prime").rows[0].hand
    changed = with_pay(elected, f"prime.{row}=9 to 1")
    assert find_result(changed, "prime").house_edge != printed
    assert len(entries(cache)) == 1
    assert find_result(elected, "prime").house_edge == printed


def test_without_results_nothing_is_written(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SWITCH, "off")
    find_result(edition("pa-679a").elect({}), "prime")
    assert not cache.exists()
    assert not disk_cache.is_enabled(RESULTS)


def test_the_key_covers_every_module_that_an_analysis_imports() -> None:
    program = """
import sys
from croupier.regulations import EDITIONS
import croupier.analysis.house_edges, croupier.analysis.strategy, croupier.analysis.exact_results
print(*sorted({name.split(".")[1] for name in sys.modules if name.startswith("croupier.")}))
"""
    output = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert set(output.split()) <= set(PACKAGES)
