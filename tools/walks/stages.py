"""The stages of each walk: what happens, in which modules, and with which result.

This is the only place that names modules of the package. `tests/test_walks.py` fails when a module does not exist or is
not entered by the real command, and when the stages are not in the order in which the command enters them.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Stage:
    """One box of a picture."""

    title: str
    text: str
    modules: tuple[str, ...]
    """Modules that the stage enters, by their full names."""


@dataclass(frozen=True, slots=True)
class Row:
    """Stages that follow from the same input, side by side."""

    stages: tuple[Stage, ...]
    result: str = ""
    """The result that is passed to the next row."""


@dataclass(frozen=True, slots=True)
class Walk:
    """One picture: a command from its input to its output."""

    name: str
    run: str
    """The traced command, a key of `tools.walks.runs.RUNS`."""
    title: str
    rows: tuple[Row, ...]

    @property
    def stages(self) -> tuple[Stage, ...]:
        """All stages, from the top."""
        return tuple(stage for row in self.rows for stage in row.stages)


SETTLE = Walk(
    "scenario-to-settlement",
    "settle",
    "From a scenario file to its settlement",
    (
        Row(
            (
                Stage(
                    "Read the scenario",
                    "The TOML file is read strictly: unknown keys, impossible cards and bad amounts are errors.",
                    ("croupier.cli.rulings", "croupier.scenarios.model", "croupier.core.toml_reader"),
                ),
            ),
            "Scenario",
        ),
        Row(
            (
                Stage(
                    "Load the edition",
                    "The rule file becomes wagers, paytables and clauses; elections choose among them.",
                    (
                        "croupier.regulations.loader",
                        "croupier.regulations.paytables",
                        "croupier.regulations.readings",
                        "croupier.regulations.edition",
                    ),
                ),
            ),
            "Edition with elections",
        ),
        Row(
            (
                Stage(
                    "Send commands to a table",
                    "The round becomes commands: open, shuffle, wager, deal, decide, settle.",
                    ("croupier.scenarios.runner", "croupier.table.model.setup", "croupier.table.session"),
                ),
            ),
            "command",
        ),
        Row(
            (
                Stage(
                    "Decide",
                    "Pure functions answer with events, or refuse and cite the clause.",
                    (
                        "croupier.table.decide",
                        "croupier.table.procedure.deck",
                        "croupier.table.procedure.wagers",
                        "croupier.table.procedure.deal",
                        "croupier.table.procedure.decisions",
                    ),
                ),
                Stage(
                    "Evolve",
                    "Events are folded into the next state, and the next command follows.",
                    ("croupier.table.evolve", "croupier.table.model.state"),
                ),
            ),
            "events",
        ),
        Row(
            (
                Stage(
                    "Settle every wager",
                    "Hands become strengths, which are compared or looked up in a paytable.",
                    ("croupier.table.settlement.steps", "croupier.table.settlement.contest", "croupier.hands.lookup"),
                ),
            ),
            "settlement entries",
        ),
        Row(
            (
                Stage(
                    "Explain",
                    "One line per wager: what it won, why, and under which clause.",
                    ("croupier.scenarios.text_report", "croupier.table.narration"),
                ),
            ),
        ),
    ),
)

HTTP = Walk(
    "command-to-screens",
    "http",
    "From an HTTP command to the disk and to every screen",
    (
        Row(
            (
                Stage(
                    "Admit the request",
                    "Origin, size and rate limits come first; the session says who is asking.",
                    (
                        "croupier.server.http_server",
                        "croupier.server.policies",
                        "croupier.server.accounts.sessions",
                    ),
                ),
            ),
            "person and JSON",
        ),
        Row(
            (
                Stage(
                    "Find the table",
                    "The JSON becomes a typed command, and the service looks up the table it is for.",
                    (
                        "croupier.server.tables.command_endpoint",
                        "croupier.server.tables.service",
                    ),
                ),
            ),
            "command with key",
        ),
        Row(
            (
                Stage(
                    "Join a group commit",
                    "The writer thread collects the commands that are waiting and handles them in one transaction.",
                    ("croupier.storage.writer",),
                ),
            ),
            "batch of commands",
        ),
        Row(
            (
                Stage(
                    "Decide before the transaction",
                    "The rules decide on the state in memory; the result stands if nobody else wrote first.",
                    (
                        "croupier.storage.unit_of_work",
                        "croupier.table.decide",
                        "croupier.table.procedure.wagers",
                        "croupier.table.evolve",
                    ),
                ),
            ),
            "events and postings",
        ),
        Row(
            (
                Stage(
                    "Write and commit",
                    "Events are serialized and hash-chained, and on the disk before anyone is told.",
                    (
                        "croupier.table.record.event_serializer",
                        "croupier.storage.ledger",
                        "croupier.storage.sql.database",
                    ),
                ),
            ),
            "acknowledged events",
        ),
        Row(
            (
                Stage(
                    "Answer the sender",
                    "The events that this person may see, as JSON.",
                    ("croupier.table.visibility",),
                ),
                Stage(
                    "Update every screen",
                    "Each watcher gets the events and a view of their own over a WebSocket.",
                    (
                        "croupier.server.tables.subscriptions",
                        "croupier.server.tables.view",
                        "croupier.table.view",
                        "croupier.table.narration",
                    ),
                ),
            ),
        ),
    ),
)

ANALYZE = Walk(
    "edition-to-fraction",
    "analyze",
    "From an edition file to an exact fraction",
    (
        Row(
            (
                Stage(
                    "Load the edition",
                    "The rule file is read strictly; every value keeps its clause.",
                    (
                        "croupier.cli.analysis",
                        "croupier.regulations.loader",
                        "croupier.core.toml_reader",
                        "croupier.regulations.house_rules",
                        "croupier.regulations.readings",
                    ),
                ),
            ),
            "rows, clauses, readings",
        ),
        Row(
            (
                Stage(
                    "Compile paytables against rankings",
                    "A ranking gives every hand an integer strength; a paytable becomes an array over strengths.",
                    (
                        "croupier.hands.rankings",
                        "croupier.regulations.payouts",
                        "croupier.regulations.paytables",
                        "croupier.hands.ranking",
                    ),
                ),
            ),
            "Edition",
        ),
        Row(
            (
                Stage(
                    "Choose the method for each wager",
                    "The game's definition says which cards a wager is on and whether a dealer's hand decides it.",
                    (
                        "croupier.analysis.house_edges",
                        "croupier.analysis.supported_shapes",
                        "croupier.games.definition",
                    ),
                ),
            ),
            "shape of the wager",
        ),
        Row(
            (
                Stage(
                    "Count the contest",
                    "All deals against all dealer hands, by suit class, with optimal decisions.",
                    (
                        "croupier.analysis.contests",
                        "croupier.analysis.counting.sweep",
                        "croupier.analysis.counting.suit_classes",
                        "croupier.analysis.payoffs",
                        "croupier.table.settlement.contest",
                    ),
                ),
                Stage(
                    "Count the side wagers",
                    "How many hands have each strength, from the lookup tables.",
                    (
                        "croupier.analysis.side_wagers",
                        "croupier.analysis.counting.histogram",
                        "croupier.hands.lookup_tables",
                    ),
                ),
            ),
            "whole numbers of deals",
        ),
        Row(
            (
                Stage(
                    "Divide once",
                    "Counts times payouts over the number of deals: a fraction, never a float.",
                    ("croupier.analysis.results",),
                ),
            ),
        ),
    ),
)

SIMULATE = Walk(
    "definition-to-kernel",
    "simulate",
    "From a definition to the simulator's kernel",
    (
        Row(
            (
                Stage(
                    "Take the definition",
                    "Edition, elections, seats and wagers: the same values that a table is opened with.",
                    ("croupier.cli.simulation", "croupier.regulations.edition", "croupier.games.definition"),
                ),
            ),
            "Game and Edition",
        ),
        Row(
            (
                Stage(
                    "Make a plan",
                    "Which cards are drawn, which hands are ranked, and which cells are counted.",
                    (
                        "croupier.simulation.bets",
                        "croupier.simulation.job",
                        "croupier.simulation.kernel.plan",
                        "croupier.simulation.kernel.cells",
                    ),
                ),
            ),
            "plan",
        ),
        Row(
            (
                Stage(
                    "Tabulate the strategy",
                    "Every decision is evaluated beforehand and becomes an array lookup.",
                    (
                        "croupier.simulation.strategies.strategy",
                        "croupier.simulation.strategies.decisions",
                        "croupier.analysis.contests",
                    ),
                ),
            ),
            "arrays",
        ),
        Row(
            (
                Stage(
                    "Generate the source",
                    "One flat loop for exactly this game, these seats and these wagers.",
                    (
                        "croupier.simulation.kernel.codegen",
                        "croupier.simulation.kernel.rng",
                    ),
                ),
            ),
            "Python source",
        ),
        Row(
            (
                Stage(
                    "Compile and run",
                    "Numba compiles the loop and caches it by digest; blocks of rounds run on every core.",
                    ("croupier.simulation.runner", "croupier.simulation.kernel.program"),
                ),
            ),
            "integer counts",
        ),
        Row(
            (
                Stage(
                    "Value the cells",
                    "The table's settlement says what each cell pays; meters are replayed in order.",
                    ("croupier.simulation.tally", "croupier.simulation.meters", "croupier.simulation.results"),
                ),
                Stage(
                    "Compare with the exact analysis",
                    "Each estimate is printed next to its exact value.",
                    ("croupier.simulation.strategies.exact_value", "croupier.analysis.house_edges"),
                ),
            ),
        ),
    ),
)

WALKS = (SETTLE, HTTP, ANALYZE, SIMULATE)
