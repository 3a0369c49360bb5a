"""Runs the commands behind the walks in this process, under a recorder."""

from __future__ import annotations

import io
import json
import os
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, redirect_stdout
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tools.walks.recorder import Recorder

EDITION = "pa-682a"
SCENARIO = Path(__file__).parents[2] / "examples" / "bad_beat.toml"
SIMULATED_ROUNDS = 70_000
"""More than one block of rounds, so that results are merged."""
START_SECONDS = 120.0
"""Time for the server to start listening, including a first compilation."""
QUIET_SECONDS = 0.5
"""Pause before each command, so that work on the previous one has finished."""


def run(name: str) -> Recorder:
    """Runs one of the commands; returns its recording."""
    recorder = Recorder()
    with tempfile.TemporaryDirectory() as folder, redirect_stdout(io.StringIO()):
        RUNS[name](recorder, Path(folder))
    return recorder


def _settle(recorder: Recorder, _folder: Path) -> None:
    _run_command(recorder, "settle", str(SCENARIO))


def _analyze(recorder: Recorder, _folder: Path) -> None:
    _run_command(recorder, "analyze", EDITION, "--json")


def _simulate(recorder: Recorder, _folder: Path) -> None:
    _run_command(recorder, "simulate", EDITION, "--rounds", str(SIMULATED_ROUNDS), "--seed", "1", "--json")


def _run_command(recorder: Recorder, *arguments: str) -> None:
    from croupier.cli.main import main

    with _recording(recorder):
        code = main(list(arguments))
    if code:
        raise RuntimeError(f"croupier {' '.join(arguments)} exited with {code}")


@contextmanager
def _recording(recorder: Recorder) -> Iterator[None]:
    recorder.install()
    recorder.active = True
    try:
        yield
    finally:
        recorder.active = False
        recorder.uninstall()


def _http(recorder: Recorder, folder: Path) -> None:
    _serve(recorder, folder, watched=True)


def _http_unwatched(recorder: Recorder, folder: Path) -> None:
    _serve(recorder, folder, watched=False)


def _serve(recorder: Recorder, folder: Path, *, watched: bool) -> None:
    """Runs the real server in this thread; a second thread acts as the browser and then stops the server."""
    from croupier.cli.main import main

    announcement = _Announcement()
    failures: list[BaseException] = []
    browser = threading.Thread(target=_browse, args=(recorder, announcement, failures, watched), name="browser")
    browser.start()
    recorder.install()
    previous_handler = signal.getsignal(signal.SIGTERM)
    try:
        with redirect_stdout(announcement):
            main(["serve", "--port", "0", "--database", str(folder / "walk.db")])
    finally:
        recorder.uninstall()
        signal.signal(signal.SIGTERM, previous_handler)
        announcement.ready.set()
        browser.join()
    if failures:
        raise RuntimeError("the browser's side of the walk failed") from failures[0]


class _Announcement(io.StringIO):
    """Standard output of the server: its first line has the address."""

    def __init__(self) -> None:
        super().__init__()
        self.ready = threading.Event()

    def write(self, text: str) -> int:
        count = super().write(text)
        if "\n" in self.getvalue():
            self.ready.set()
        return count

    def port(self) -> int:
        if not self.ready.wait(START_SECONDS):
            raise TimeoutError("the server did not announce its address")
        return int(self.getvalue().split()[2].rpartition(":")[2])


def _browse(recorder: Recorder, announcement: _Announcement, failures: list[BaseException], watched: bool) -> None:
    sys.setprofile(None)
    try:
        _send_commands(recorder, announcement.port(), watched=watched)
    except BaseException as error:  # the main thread reports it
        failures.append(error)
    finally:
        recorder.active = False
        os.kill(os.getpid(), signal.SIGTERM)


def _send_commands(recorder: Recorder, port: int, *, watched: bool) -> None:
    """A guest sits down and wagers twice; records the second wager up to the response and the watcher's message."""
    from websockets.sync.client import connect

    guest = _Guest(port)
    table = next(entry["table"] for entry in guest.get("/api/tables") if entry["edition"] == EDITION)
    path = f"/api/tables/{quote(table)}"
    seq = guest.post(f"{path}/sit", {"seats": [1], "chips_cents": 20_000, "key": "sit"})["seq"]
    headers = {"Authorization": f"Bearer {guest.token}"}
    with ExitStack() as stack:
        watcher = None
        if watched:
            watcher = stack.enter_context(connect(f"ws://127.0.0.1:{port}{path}/watch", additional_headers=headers))
            watcher.recv(timeout=START_SECONDS)
        for amount, is_recorded in ((500, False), (1_000, True)):
            wager = {"command": "PlaceWager", "seat": 1, "wager": "ante", "amount": amount}
            time.sleep(QUIET_SECONDS)
            recorder.active = is_recorded
            seq = guest.post(f"{path}/commands", wager | {"key": f"wager {amount}", "seq": seq})["seq"]
            if watcher is not None and json.loads(watcher.recv(timeout=START_SECONDS))["seq"] != seq:
                raise RuntimeError(f"the watcher did not receive event {seq}")
            recorder.active = False


class _Guest:
    """A signed-in guest who sends JSON."""

    def __init__(self, port: int) -> None:
        self.connection = HTTPConnection("127.0.0.1", port, timeout=START_SECONDS)
        self.token = ""
        self.token = self.post("/api/guests", {"bearer": True})["token"]

    def get(self, path: str) -> Any:
        return self._request("GET", path, None)

    def post(self, path: str, payload: dict[str, Any]) -> Any:
        return self._request("POST", path, json.dumps(payload))

    def _request(self, method: str, path: str, body: str | None) -> Any:
        headers = {"Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        self.connection.request(method, path, body, headers)
        response = self.connection.getresponse()
        text = response.read()
        if response.status >= 300:
            raise RuntimeError(f"{method} {path}: {response.status} {text.decode()}")
        return json.loads(text)


RUNS: dict[str, Callable[[Recorder, Path], None]] = {
    "settle": _settle,
    "analyze": _analyze,
    "simulate": _simulate,
    "http": _http,
    "http_unwatched": _http_unwatched,
}
