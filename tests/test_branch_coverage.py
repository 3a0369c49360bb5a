"""The branch coverage that `make test` prints."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from tools.branch_coverage import compiled_modules, percent_covered

TEST = "tests/core/test_codec.py"


def test_lines_and_branches_count_alike() -> None:
    files = {
        "a.py": {"executed_lines": [1, 2], "missing_lines": [3], "executed_branches": [[1, 2]], "missing_branches": []},
        "b.py": {
            "executed_lines": [],
            "missing_lines": [1, 2, 3],
            "executed_branches": [],
            "missing_branches": [[1, 3]],
        },
    }
    assert percent_covered(files) == 100 * 3 / 8
    assert percent_covered({}) == 0


def test_modules_with_kernels_are_left_out() -> None:
    left_out = compiled_modules()
    assert "src/croupier/hands/kernels.py" in left_out
    assert "src/croupier/core/money.py" not in left_out


@pytest.mark.slow
@pytest.mark.parametrize("processes", ["0", "2"])
def test_a_run_prints_its_coverage(processes: str) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tools.branch_coverage", "-n", processes, TEST]
    process = subprocess.run(command, capture_output=True, check=True, text=True, timeout=300)
    printed = re.search(r"Branch coverage: (\d+\.\d) percent of src/croupier", process.stdout)
    assert printed is not None, process.stdout
    assert 0 < float(printed[1]) < 50, "one module's tests cover a small part of the package"
