"""The installed package: the contents of the wheel, and that it works without its sources."""

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
SOURCES = ("src", "tests", "tools", "hatch_build.py", "pyproject.toml", "README.md", "LICENSE", "docs/glossary.md")


def files_under(folder: Path) -> set[str]:
    """Every file except compiled Python."""
    files = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return {path.as_posix() for path in files if "__pycache__" not in path.parts}


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the checkout to build in, so that builds do not disturb other work."""
    folder = tmp_path_factory.mktemp("checkout")
    ignored = shutil.ignore_patterns("__pycache__", "*.nbc", "*.nbi", Path(INDEX).name)
    for name in SOURCES:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=ignored)
        else:
            (folder / name).parent.mkdir(exist_ok=True)
            shutil.copy2(source, folder / name)
    return folder


@pytest.fixture(scope="module")
def wheel(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    before, folder = files_under(checkout), tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(checkout)]
    subprocess.run(build, check=True, capture_output=True, cwd=folder, timeout=300)
    assert files_under(checkout) - before == {INDEX}, "a build adds only the clause index"
    assert before <= files_under(checkout)
    (wheel,) = folder.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def site(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with only the package; its dependencies are those of this environment."""
    folder = tmp_path_factory.mktemp("site")
    install = [sys.executable, "-m", "pip", "install", "--no-deps", "--no-index", "--no-compile"]
    install += ["--disable-pip-version-check", "--target", str(folder), str(wheel)]
    subprocess.run(install, check=True, capture_output=True, cwd=folder, timeout=300)
    return folder


def run_installed(site: Path, folder: Path, *arguments: str) -> str:
    """The output of the installed command, called from an unrelated folder."""
    code = """
import sys
sys.path.insert(0, sys.argv.pop(1))
import croupier.cli.main
assert croupier.cli.main.__file__.startswith(sys.path[0]), croupier.cli.main.__file__
sys.exit(croupier.cli.main.main(sys.argv[1:]))
"""
    command = [sys.executable, "-I", "-c", code, str(site), *arguments]
    process = subprocess.run(command, check=False, capture_output=True, cwd=folder, text=True, timeout=300)
    assert (process.returncode, process.stderr) == (0, "")
    return process.stdout


def test_the_wheel_has_the_data_but_no_tests_or_caches(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    data = "croupier/regulations/data"
    expected = {f"{data}/clause_index.json", f"{data}/clauses.csv", f"{data}/readings.toml", "croupier/py.typed"}
    expected |= {f"{data}/editions/{name}.toml" for name in EDITIONS}
    assert expected <= names
    assert not [name for name in names if not name.startswith(("croupier/", "croupier-"))]
    assert not [name for name in names if "__pycache__" in name or name.endswith((".pyc", ".nbc", ".nbi"))]
    (metadata,) = [name for name in names if name.endswith("/entry_points.txt")]
    assert "croupier = croupier.entry:run" in zipfile.ZipFile(wheel).read(metadata).decode()


@pytest.mark.slow
def test_the_installed_package_lists_the_same_clauses_as_the_checkout(
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
        document = json.loads(run_installed(site, tmp_path, "check", str(path), "--no-warnings", "--json"))
        assert (document["valid"], document["problems"]) == (True, [])
    document = json.loads(run_installed(site, tmp_path, "check", str(tmp_path / "pa-679a.toml"), "--json"))
    assert document["warnings"][0]["key"] == "operator", "the placeholder of the template"


def test_the_installed_package_lists_editions_and_clauses(site: Path, tmp_path: Path) -> None:
    editions = json.loads(run_installed(site, tmp_path, "editions", "--json"))
    assert [entry["edition"] for entry in editions] == [*EDITIONS, *shipped_editions()]
    assert "pa-641a" in run_installed(site, tmp_path, "clauses")
    assert run_installed(site, tmp_path, "glossary", "stub").startswith("Stub: ")
    assert not files_under(tmp_path), "the command writes nothing to the current folder"
