"""The same look-up in C, compiled when the benchmark runs."""

from __future__ import annotations

import ctypes
import subprocess
from collections.abc import Callable
from pathlib import Path

from croupier.hands.lookup_tables import COUNTER_BITS, DECISIVE, KEY_BITS, LONG_SUIT, Array, Tables

SOURCE = Path(__file__).with_name("lookup.c")
FLAGS = ("-O3", "-march=native", "-shared", "-fPIC")


def compile_lookup(folder: Path) -> ctypes.CDLL:
    """The compiled library; the folder must outlive it."""
    library = folder / "lookup.so"
    constants = {
        "KEY_BITS": KEY_BITS,
        "COUNTER_BITS": COUNTER_BITS,
        "LONG_SUIT": f"UINT64_C({LONG_SUIT})",
        "DECISIVE": DECISIVE,
    }
    defined = [f"-D{name}={value}" for name, value in constants.items()]
    subprocess.run(["gcc", *FLAGS, *defined, str(SOURCE), "-o", str(library)], check=True)
    return ctypes.CDLL(str(library))


def c_evaluator(library: ctypes.CDLL, tables: Tables, hands: Array, strengths: Array) -> Callable[[], object]:
    """A call that fills `strengths` with the strength of every hand; it works on the arrays as they lie."""
    function = getattr(library, f"evaluate_{hands.shape[1]}")
    function.restype = None
    arrays = [hands, *tables.flat(), strengths]
    if not all(array.flags.c_contiguous for array in arrays):
        raise ValueError("C takes arrays that lie in one piece")
    arguments = [ctypes.c_int64(len(hands)), *(ctypes.c_void_p(array.ctypes.data) for array in arrays)]

    def call(kept: object = arrays) -> None:  # the arrays must live as long as the pointers to them
        function(*arguments)

    return call
