"""Describes the machine on which the figures were measured."""

from __future__ import annotations

import os
import platform
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PACKAGES = ("numba", "numpy", "sqlalchemy", "psycopg", "eval7", "phevaluator", "pokerkit", "treys")


def describe_machine() -> dict[str, str]:
    """The processor and the relevant versions."""
    return {
        "processor": _processor(),
        "cores": str(len(os.sched_getaffinity(0))),
        "load": f"{os.getloadavg()[0]:.1f} before the run",
        "Python": platform.python_version(),
        "C compiler": _compiler(),
        **{package: _version(package) for package in PACKAGES},
    }


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def _compiler() -> str:
    process = subprocess.run(["gcc", "--version"], capture_output=True, text=True, check=True)
    return process.stdout.splitlines()[0]


def _version(package: str) -> str:
    """The installed version of a package; some parts need only few of them."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"
