"""Prometheus metrics: counters, gauges and a histogram of command latency, in the text exposition format."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping

BUCKET_SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
"""Upper bounds of the latency histogram."""


class Metrics:
    """The counters of one process."""

    def __init__(self) -> None:
        self.commands: Counter[str] = Counter()
        """Commands by outcome."""
        self.requests: Counter[int] = Counter()
        """All other requests by status."""
        self.watchers = 0
        self._buckets = [0] * (len(BUCKET_SECONDS) + 1)
        self._seconds = 0.0

    def command(self, outcome: str, seconds: float) -> None:
        """Counts an answered command."""
        self.commands[outcome] += 1
        self._buckets[bisect_left(BUCKET_SECONDS, seconds)] += 1
        self._seconds += seconds

    def text(self, gauges: Mapping[str, tuple[str, float]]) -> str:
        """All metrics; each gauge has a name, a help text and a value."""
        return "\n".join(self._lines(gauges)) + "\n"

    def _lines(self, gauges: Mapping[str, tuple[str, float]]) -> Iterator[str]:
        yield from _head("croupier_commands_total", "counter", "Commands by outcome.")
        for outcome, count in sorted(self.commands.items()):
            yield f'croupier_commands_total{{outcome="{outcome}"}} {count}'
        yield from _head("croupier_requests_total", "counter", "Requests other than commands, by status.")
        for status, count in sorted(self.requests.items()):
            yield f'croupier_requests_total{{status="{status}"}} {count}'
        yield from _head(
            "croupier_command_seconds",
            "histogram",
            "Command latency, until its events are on disk.",
        )
        total = 0
        for bound, count in zip((*BUCKET_SECONDS, "+Inf"), self._buckets, strict=True):
            total += count
            yield f'croupier_command_seconds_bucket{{le="{bound}"}} {total}'
        yield f"croupier_command_seconds_sum {self._seconds:.6f}"
        yield f"croupier_command_seconds_count {total}"
        for name, (sentence, value) in gauges.items():
            yield from _head(name, "gauge", sentence)
            yield f"{name} {value:g}"


def _head(name: str, kind: str, sentence: str) -> tuple[str, str]:
    return f"# HELP {name} {sentence}", f"# TYPE {name} {kind}"
