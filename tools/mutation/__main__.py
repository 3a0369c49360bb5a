"""`python -m tools.mutation` tests a seeded sample of mutants, and fails if too many survive."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue

from tools.mutation.equivalents import LIST, load_equivalents, stale_entries, unknown_entries
from tools.mutation.generator import find_mutants
from tools.mutation.mutants import Mutant
from tools.mutation.report import Result, describe_result, is_passed, summarize
from tools.mutation.sample import draw_sample
from tools.mutation.targets import ROOT, TARGETS, Target, target_of
from tools.mutation.workspace import FOLDER, BaselineError, Workspace, exclusive_folder


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0 if enough mutants are killed, 1 if not, 2 if the tests or the list of equivalents are broken."""
    options = _parse(arguments)
    sources = {module: (ROOT / module).read_text(encoding="utf-8") for target in TARGETS for module in target.modules}
    mutants = [mutant for module, source in sources.items() for mutant in find_mutants(module, source)]
    equivalents = load_equivalents()
    stale = [*stale_entries(equivalents), *unknown_entries(equivalents, {mutant.key for mutant in mutants})]
    for entry in dict.fromkeys(stale):
        _write(f"{LIST.name}: no longer a mutant of {entry.module}:\n-{entry.before}\n+{entry.after}")
    if stale:
        return 2
    left_out = {entry.key for entry in equivalents}
    candidates = {
        module: [mutant for mutant in mutants if mutant.module == module and mutant.key not in left_out]
        for module in sources
    }
    sizes = {module: source.count("\n") for module, source in sources.items()}
    samples = {seed: draw_sample(candidates, sizes, options.sample, seed) for seed in options.seed}
    _write(f"{len(mutants)} mutants; {len(left_out)} are equivalent and left out")
    results: dict[str, Result] = {}
    try:
        with exclusive_folder():
            for result in _test_all(_merge(samples), options.workers, options.budget):
                results[result.mutant.key] = result
                _write(describe_result(result))
    except BaselineError as error:
        _write(str(error))
        return 2
    passed = True
    for seed, sample in samples.items():
        tested = [results[mutant.key] for mutant in sample if mutant.key in results]
        _write(summarize(tested, seed, len(sample), options.required))
        passed = passed and is_passed(tested, options.required)
    return 0 if passed else 1


def _merge(samples: Mapping[int, Sequence[Mutant]]) -> list[Mutant]:
    """The mutants of all samples; one that several seeds draw is tested once."""
    return list({mutant.key: mutant for sample in samples.values() for mutant in sample}.values())


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tools.mutation", description=__doc__)
    parser.add_argument("--sample", type=int, default=100, help="number of mutants (default: %(default)s)")
    parser.add_argument("--seed", type=int, nargs="+", default=[1], help="selects the sample; several draw several")
    parser.add_argument("--required", type=int, default=95, help="percent that must be killed (default: %(default)s)")
    parser.add_argument(
        "--budget", type=float, default=1800, help="seconds after which no mutant is started (default: %(default)s)"
    )
    parser.add_argument("--workers", type=int, default=2, help="mutants tested at a time (default: %(default)s)")
    return parser.parse_args(arguments)


def _write(text: str) -> None:
    if text:
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()


def _test_all(sample: Sequence[Mutant], workers: int, budget: float) -> Iterator[Result]:
    """The results of the mutants that the budget allows, in the order of the sample."""
    deadline = time.monotonic() + budget
    free: SimpleQueue[Workspace] = SimpleQueue()

    def measure(target: Target) -> float:
        workspace = free.get()
        try:
            return workspace.measure(target)
        finally:
            free.put(workspace)

    def test(mutant: Mutant) -> Result | None:
        if time.monotonic() > deadline:
            return None
        workspace, target = free.get(), target_of(mutant.module)
        try:
            return Result(mutant, workspace.test(mutant, target, seconds[target]))
        finally:
            free.put(workspace)

    with ThreadPoolExecutor(workers) as pool:
        for workspace in pool.map(_prepare, range(workers)):
            free.put(workspace)
        targets = [target for target in TARGETS if any(mutant.module in target.modules for mutant in sample)]
        seconds = dict(zip(targets, pool.map(measure, targets), strict=True))
        yield from (result for result in pool.map(test, sample) if result is not None)


def _prepare(number: int) -> Workspace:
    workspace = Workspace(FOLDER / f"copy-{number + 1}")
    workspace.copy_tree()
    workspace.require_own_code()
    return workspace


if __name__ == "__main__":
    sys.exit(main())
