"""The metrics of one process for Prometheus: commands, requests, latency, watchers, tables and transactions."""

from __future__ import annotations

from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

BUCKET_SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
"""Upper bounds of the latency histogram."""


class Metrics:
    """A registry of its own, so that two servers in one program count apart. Labels hold no names and no amounts."""

    def __init__(self, count_tables: Callable[[], int], count_commits: Callable[[], int]) -> None:
        self.registry = registry = CollectorRegistry()
        self.commands = Counter("croupier_commands", "Commands by outcome.", ["outcome"], registry=registry)
        self.requests = Counter(
            "croupier_requests", "Requests other than commands, by status.", ["status"], registry=registry
        )
        self.command_seconds = Histogram(
            "croupier_command_seconds",
            "Command latency, until its events are on disk.",
            buckets=BUCKET_SECONDS,
            registry=registry,
        )
        self.watchers = Gauge("croupier_watchers", "Connections that are watching a table.", registry=registry)
        tables = Gauge("croupier_tables", "Open tables.", registry=registry)
        tables.set_function(count_tables)
        commits = Gauge("croupier_commits", "Transactions that wrote commands.", registry=registry)
        commits.set_function(count_commits)
