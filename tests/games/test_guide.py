"""Runs the commands of the guide in order, and the example script that designs a paytable."""

from __future__ import annotations

import importlib.util
import re
import shlex
import textwrap
from fractions import Fraction
from pathlib import Path
from types import ModuleType

import pytest

from croupier.cli.main import main
from croupier.regulations import edition

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "guides" / "add-a-game.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^( *)```(console|toml)\n(.*?)^\1```", flags=re.DOTALL | re.MULTILINE)


def test_the_commands_of_the_guide_print_the_documented_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("CROUPIER_GAMES", "")
    command_count = 0
    for _, kind, text in BLOCK.findall(GUIDE):
        block = textwrap.dedent(text)
        if kind == "toml" and "[[seats]]" in block:
            (tmp_path / "round.toml").write_text(block, encoding="utf-8")
        if kind == "toml":
            continue
        output = ""
        for line in block.splitlines():
            if line == "$ export CROUPIER_GAMES=$PWD":
                monkeypatch.setenv("CROUPIER_GAMES", str(tmp_path))
                output += f"{line}\n"
            if line.startswith("$ croupier "):
                assert main(shlex.split(line)[2:]) == 0, capsys.readouterr().err
                output += f"{line}\n{capsys.readouterr().out}"
                command_count += 1
        assert output == block
    assert command_count >= 9


@pytest.fixture(scope="module")
def design_paytable() -> ModuleType:
    spec = importlib.util.spec_from_file_location("design_paytable", ROOT / "examples" / "design_paytable.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    import sys

    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_a_paytable_is_designed_for_an_edge_with_the_most_winning_hands(design_paytable: ModuleType) -> None:
    design = design_paytable.design(edition("three-card-poker").elect(), Fraction(35, 1000))
    assert abs(design.result.house_edge - Fraction(35, 1000)) <= design_paytable.EDGE_TOLERANCE
    lowest = design.table.rows[-1].hand
    # Weaker lowest hands were tried first; none of their tables comes near the edge.
    weaker = design_paytable.LOWEST_HANDS[: design_paytable.LOWEST_HANDS.index(lowest)]
    assert weaker
    sizes = {rung.name: len(design_paytable.HANDS.span(rung.name)) for rung in design_paytable.HANDS.rungs}
    assert lowest in sizes
    # Computed by hand: all of the 22,100 hands from the lowest up win; the edge is the part not returned.
    returned = sum((row.payout.odds + 1) * row.combinations for row in design.result.rows if row.hand != "all_others")
    assert design.result.house_edge == 1 - Fraction(returned, 22_100)
