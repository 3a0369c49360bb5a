"""The package as it is installed: what the wheel holds, and that it works far from its sources."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from croupier.plugins.discovery import shipped_editions
from croupier.regulations import EDITIONS
from croupier.regulations.coverage import compute

ROOT = Path(__file__).parents[2]
INDEX = "src/croupier/regulations/data/clause_index.json"
SOURCES = ("src", "tests", "hatch_build.py", "pyproject.toml", "README.md", "LICENSE")


def files_under(folder: Path) -> set[str]:
    """Every file, without what Python compiles."""
    files = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return {path.as_posix() for path in files if "__pycache__" not in path.parts}


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the checkout as it is now, in which to build: others may be working in the real one."""
    folder = tmp_path_factory.mktemp("checkout")
    ignored = shutil.ignore_patterns("__pycache__", "*.nbc", "*.nbi", Path(INDEX).name)
    for name in SOURCES:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=ignored)
        else:
            shutil.copy2(source, folder / name)
    return folder


@pytest.fixture(scope="module")
def wheel(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    before, folder = files_under(checkout), tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(checkout)]
    subprocess.run(build, check=True, capture_output=True, cwd=folder, timeout=300)
    assert files_under(checkout) - before == {INDEX}, "building leaves the index of clauses behind, and nothing else"
    assert before <= files_under(checkout)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def site(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package alone; its dependencies are those of this environment."""
    folder = tmp_path_factory.mktemp("site")
    install = [sys.executable, "-m", "pip", "install", "--no-deps", "--no-index", "--no-compile"]
    install += ["--disable-pip-version-check", "--target", str(folder), str(wheel)]
    subprocess.run(install, check=True, capture_output=True, cwd=folder, timeout=300)
    return folder


def run_installed(site: Path, elsewhere: Path, *arguments: str) -> str:
    """What the installed command prints, called from a folder that has nothing to do with it."""
    code = """
import sys
sys.path.insert(0, sys.argv.pop(1))
import croupier.cli.main
assert croupier.cli.main.__file__.startswith(sys.path[0]), croupier.cli.main.__file__
sys.exit(croupier.cli.main.main(sys.argv[1:]))
"""
    call = [sys.executable, "-I", "-c", code, str(site), *arguments]
    done = subprocess.run(call, check=False, capture_output=True, cwd=elsewhere, text=True, timeout=300)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_the_wheel_holds_the_data_and_neither_tests_nor_caches(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    data = "croupier/regulations/data"
    wanted = {f"{data}/clause_index.json", f"{data}/clauses.csv", f"{data}/readings.toml", "croupier/py.typed"}
    wanted |= {f"{data}/editions/{name}.toml" for name in EDITIONS}
    assert wanted <= names
    assert not [name for name in names if not name.startswith(("croupier/", "croupier-"))]
    assert not [name for name in names if "__pycache__" in name or name.endswith((".pyc", ".nbc", ".nbi"))]
    (metadata,) = [name for name in names if name.endswith("/entry_points.txt")]
    assert "croupier = croupier.cli.main:run" in zipfile.ZipFile(wheel).read(metadata).decode()


def test_the_installed_package_says_of_every_clause_what_the_checkout_says(
    site: Path, checkout: Path, tmp_path: Path
) -> None:
    installed = json.loads(run_installed(site, tmp_path, "clauses", "--json"))
    assert installed == [covered.as_json() for covered in compute(checkout)]
    assert len(installed) == 937
    assert any(entry["tests"] for entry in installed)


def test_the_installed_package_writes_and_checks_submissions(site: Path, tmp_path: Path) -> None:
    for name in EDITIONS:
        path = tmp_path / f"{name}.toml"
        path.write_text(run_installed(site, tmp_path, "init", name), encoding="utf-8")
        assert json.loads(run_installed(site, tmp_path, "check", str(path), "--json")) == {
            "valid": True,
            "problems": [],
        }


def test_the_installed_package_lists_editions_and_clauses_for_people_and_programs(site: Path, tmp_path: Path) -> None:
    listed = json.loads(run_installed(site, tmp_path, "editions", "--json"))
    assert [entry["edition"] for entry in listed] == [*EDITIONS, *shipped_editions()]
    assert "pa-641a" in run_installed(site, tmp_path, "clauses")
    assert not files_under(tmp_path), "nothing is written where the command is called"
