"""The optional parts of the installation, and how to get one that is missing."""

from __future__ import annotations

from pathlib import Path

_PROJECT_FOLDER = Path(__file__).parents[3]


def install_hint(extra: str, project: Path = _PROJECT_FOLDER) -> str:
    """The command that installs an extra: from the project's folder if the program runs from it, else by name.

    >>> install_hint("reports", Path("/nowhere"))
    "pip install 'croupier[reports]'"
    """
    if (project / "pyproject.toml").is_file() and (project / "src" / "croupier").is_dir():
        return f"pip install -c constraints.txt -e '.[{extra}]' in the project's folder"
    return f"pip install 'croupier[{extra}]'"
