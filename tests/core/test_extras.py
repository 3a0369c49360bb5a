"""How to install an optional part that is missing."""

from __future__ import annotations

from pathlib import Path

from croupier.core.extras import install_hint


def test_a_checkout_installs_from_its_folder() -> None:
    assert install_hint("plots") == "pip install -c constraints.txt -e '.[plots]' in the project's folder"


def test_an_installed_package_installs_by_name(tmp_path: Path) -> None:
    assert install_hint("plots", tmp_path) == "pip install 'croupier[plots]'"
