"""The notebooks of `examples` run from top to bottom; they assert what they claim, and store no output."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

FOLDER = Path(__file__).parents[1] / "examples"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
QUICK = "audit_a_day"
"""The notebook that runs in the ordinary tests."""
CELL_TIMEOUT_SECONDS = 600


def read(path: Path) -> Any:
    return nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]


def run(path: Path) -> str:
    """Runs every cell in a kernel of its own, as Jupyter does; returns what the cells printed."""
    notebook = read(path)
    client = NotebookClient(notebook, timeout=CELL_TIMEOUT_SECONDS, kernel_name="python3", resources={})
    client.execute(cwd=str(FOLDER.parent))
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    return "".join(output.get("text", "") or str(output.get("data", "")) for output in outputs)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_valid_and_stores_no_output(path: Path) -> None:
    notebook = read(path)
    nbformat.validate(notebook)
    assert notebook.cells[0].cell_type == "markdown"
    for cell in notebook.cells:
        if cell.cell_type == "code":
            assert cell.outputs == []
            assert cell.execution_count is None
            compile(cell.source, path.name, "exec")
    assert any("assert" in cell.source for cell in notebook.cells), "a notebook checks what it claims"


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_notebook_runs() -> None:
    text = run(FOLDER / f"{QUICK}.ipynb")
    assert "20 rounds" in text
    assert "no problems" in text


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("path", [path for path in NOTEBOOKS if path.stem != QUICK], ids=lambda path: path.stem)
def test_every_other_notebook_runs(path: Path) -> None:
    assert run(path)
