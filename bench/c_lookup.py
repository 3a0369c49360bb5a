"""The same lookup in C, compiled when the benchmark runs."""

from __future__ import annotations

import ctypes
import subprocess
from collections.abc import Callable
from pathlib import Path

from croupier.hands.lookup_tables import Array, Tables
from croupier.hands.plain_tables import COUNTER_BITS, DECISIVE, KEY_BITS, LONG_SUIT

SOURCE = Path(__file__).with_name("lookup.c")
FLAGS = ("-O3", "-march=native", "-shared", "-fPIC")


def compile_lookup(folder: Path) -> ctypes.CDLL:
    """Compiles the library; the folder must outlive it."""
    library = folder / "lookup.so"
    constants = {
        "KEY_BITS": KEY_BITS,
        "COUNTER_BITS": COUNTER_BITS,
        "LONG_SUIT": f"UINT64_C({LONG_SUIT})",
        "DECISIVE": DECISIVE,
    }
    definitions = [f"-D{name}={value}" for name, value in constants.items()]
    subprocess.run(["gcc", *FLAGS, *definitions, str(SOURCE), "-o", str(library)], check=True)
    return ctypes.CDLL(str(library))


def c_evaluator(library: ctypes.CDLL, tables: Tables, hands: Array, strengths: Array) -> Callable[[], object]:
    """A call that fills `strengths` with the strength of every hand, without copying the arrays."""
    function = getattr(library, f"evaluate_{hands.shape[1]}")
    function.restype = None
    arrays = [hands, *tables.flat(), strengths]
    if not all(array.flags.c_contiguous for array in arrays):
        raise ValueError("the arrays must be C-contiguous")
    arguments = [ctypes.c_int64(len(hands)), *(ctypes.c_void_p(array.ctypes.data) for array in arrays)]

    def call(references: object = arrays) -> None:  # keeps the arrays alive as long as the pointers
        function(*arguments)

    return call
