"""Runs give the same result with any number of threads and after a resume from a checkpoint."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from croupier.core.errors import InputError
from croupier.simulation.checkpoint import Checkpoint
from croupier.simulation.kernel.program import CHUNK_ROUNDS, Chunk
from croupier.simulation.meters import MeterRun
from croupier.simulation.runner import Interrupted, simulate, thread_executor
from croupier.simulation.tally import MAX_CURVE_POINTS, Tally
from tests.cli.command_runner import QUIET, SCRIPT, interrupting
from tests.simulation.jobs import THREE_CARD, job_of, table_job

ROUNDS = 5 * CHUNK_ROUNDS + 12_345


def test_any_number_of_workers_gives_the_same_result() -> None:
    job = table_job()
    one, two, three = (simulate(job, ROUNDS // 2, 7, thread_executor(workers)).state() for workers in (1, 2, 3))
    assert one == two == three
    assert simulate(job, ROUNDS // 2, 8, thread_executor(2)).state() != one


def test_rounds_are_counted_exactly() -> None:
    job = job_of("pa-679a")
    for rounds in (1, 65_536, 65_537, CHUNK_ROUNDS + 1):
        tally = simulate(job, rounds, 7)
        assert tally.rounds == rounds
        for start, stop in zip(job.plan.offsets, job.plan.offsets[1:], strict=False):
            assert sum(tally.counts[start:stop]) == rounds


def test_memory_does_not_grow_with_the_number_of_rounds() -> None:
    """Curves are thinned, so ten times the rounds take no more memory."""
    tally = Tally(job_of("pa-679a"))
    chunk = tally.job.program.chunk(1, 0, CHUNK_ROUNDS)
    for _ in range(600):
        tally.add(chunk)
    assert len(tally.curve) <= MAX_CURVE_POINTS
    assert tally.curve[-1][0] == 600 * CHUNK_ROUNDS
    assert [rounds for rounds, _ in tally.curve] == sorted({rounds for rounds, _ in tally.curve})


def test_an_interrupted_run_resumes_from_its_checkpoint(tmp_path: Path) -> None:
    job = table_job()
    uninterrupted = simulate(job, ROUNDS // 2, 7).state()
    file = tmp_path / "run.json"

    def stop(rounds: int) -> None:
        if rounds >= CHUNK_ROUNDS:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as interrupted:
        simulate(job, ROUNDS // 2, 7, thread_executor(2), Checkpoint(file), stop)
    assert interrupted.value.tally.rounds == CHUNK_ROUNDS
    progress: list[int] = []
    assert simulate(job, ROUNDS // 2, 7, thread_executor(2), Checkpoint(file), progress.append).state() == uninterrupted
    assert progress[0] == CHUNK_ROUNDS
    assert simulate(job, ROUNDS // 2, 7, thread_executor(2), Checkpoint(file), progress.append).state() == uninterrupted


def test_ctrl_c_in_the_middle_of_a_chunk_waits_until_it_is_added(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job, file, add_payments = job_of(*THREE_CARD), tmp_path / "run.json", MeterRun.add

    def interrupt(meters: MeterRun, chunk: Chunk) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        add_payments(meters, chunk)

    monkeypatch.setattr(MeterRun, "add", interrupt)
    with pytest.raises(Interrupted) as interrupted:
        simulate(job, 2 * CHUNK_ROUNDS, 7, checkpoint=Checkpoint(file))
    monkeypatch.undo()
    assert interrupted.value.tally.state() == simulate(job, CHUNK_ROUNDS, 7).state()
    resumed = simulate(job, 2 * CHUNK_ROUNDS, 7, checkpoint=Checkpoint(file))
    assert resumed.state() == simulate(job, 2 * CHUNK_ROUNDS, 7).state()


def test_a_checkpoint_of_another_simulation_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    simulate(job_of("pa-679a"), 2 * CHUNK_ROUNDS, 7, checkpoint=Checkpoint(file))
    for job, seed in ((job_of("pa-682a"), 7), (job_of("pa-679a"), 8)):
        with pytest.raises(InputError, match="another simulation"):
            simulate(job, 2 * CHUNK_ROUNDS, seed, checkpoint=Checkpoint(file))
    with pytest.raises(InputError, match="more than the 1,000 requested"):
        simulate(job_of("pa-679a"), 1000, 7, checkpoint=Checkpoint(file))
    file.write_text("[1, 2")
    with pytest.raises(InputError, match="is not a checkpoint"):
        simulate(job_of("pa-679a"), 1000, 7, checkpoint=Checkpoint(file))


def test_a_finished_run_of_full_chunks_can_be_extended(tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    simulate(job_of("pa-679a"), CHUNK_ROUNDS, 7, checkpoint=Checkpoint(file))
    extended = simulate(job_of("pa-679a"), 3 * CHUNK_ROUNDS, 7, checkpoint=Checkpoint(file))
    assert extended.state() == simulate(job_of("pa-679a"), 3 * CHUNK_ROUNDS, 7).state()
    partial = tmp_path / "partial.json"
    simulate(job_of("pa-679a"), 1000, 7, checkpoint=Checkpoint(partial))
    with pytest.raises(InputError, match="cannot be extended"):
        simulate(job_of("pa-679a"), 2000, 7, checkpoint=Checkpoint(partial))


def start_simulation(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [SCRIPT, "simulate", *arguments, "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | QUIET,
    )


def wait_for_rounds(file: Path) -> None:
    deadline = time.monotonic() + 100
    while not file.exists() or json.loads(file.read_text())["tally"]["rounds"] == 0:
        assert time.monotonic() < deadline
        time.sleep(0.02)


def without_times(document: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in document.items() if "second" not in key}


@pytest.mark.slow
def test_a_killed_run_resumes_from_its_checkpoint(tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    arguments = ("pa-682a", "--rounds", "60000000", "--checkpoint", str(file), "--checkpoint-seconds", "0.05")
    first = start_simulation(*arguments)
    try:
        wait_for_rounds(file)
    finally:
        first.kill()
        first.communicate()
    assert 0 < json.loads(file.read_text())["tally"]["rounds"] < 60_000_000
    resumed, _ = start_simulation(*arguments).communicate(timeout=200)
    uninterrupted, _ = start_simulation("pa-682a", "--rounds", "60000000").communicate(timeout=200)
    assert without_times(json.loads(resumed)) == without_times(json.loads(uninterrupted))


def test_control_c_prints_the_results_so_far(tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    process = start_simulation("pa-679a", "--rounds", "1e13", "--checkpoint", str(file), "--checkpoint-seconds", "0.05")
    try:
        wait_for_rounds(file)
        with interrupting(process):
            out, err = process.communicate(timeout=200)
    finally:
        process.kill()
    assert process.returncode == 130
    document = json.loads(out)
    assert document["interrupted"] is True
    assert document["rounds"] == json.loads(file.read_text())["tally"]["rounds"] > 0
    assert document["wagers"]["ante"]["exact"] is not None
    assert "interrupted; these are the results so far" in err
