"""Every subcommand: its module, its group in the help, one line about it, and an example."""

from __future__ import annotations

from typing import NamedTuple


class Subcommand(NamedTuple):
    """A subcommand: its module in `croupier.cli`, which is imported lazily, one line of help, and an example."""

    module: str
    summary: str
    example: str


COMMAND_GROUPS: dict[str, dict[str, Subcommand]] = {
    "Play": {
        "play": Subcommand("play", "play at a table in the terminal", "croupier play pa-683a"),
        "settle": Subcommand(
            "rulings",
            "play one round from a file as the table would, and print who is owed what",
            "croupier settle examples/bad_beat.toml",
        ),
        "ruling": Subcommand(
            "rulings",
            "settle a dispute from a file or an interview: who is owed what, and under which clauses",
            "croupier ruling",
        ),
        "hand": Subcommand("rules", "rank a hand", 'croupier hand "As Ad Kc Kd"'),
        "tour": Subcommand("tour", "take a tour of about a minute", "croupier tour"),
    },
    "Rules": {
        "editions": Subcommand(
            "rules", "list the editions with their wagers and elections", "croupier editions pa-682a"
        ),
        "clauses": Subcommand(
            "clause_lookup",
            "look up a clause: what it says, and the code, tests and readings behind it",
            'croupier clauses "682a.11(d)"',
        ),
        "readings": Subcommand(
            "rules",
            "list how contradictions in the texts are read, and which other readings can be elected",
            "croupier readings AMB-01",
        ),
        "glossary": Subcommand("glossary", "explain a term", "croupier glossary stub"),
        "init": Subcommand("rules", "write a valid Rules Submission with comments", "croupier init pa-682a"),
        "check": Subcommand(
            "rules",
            "check a Rules Submission, and list every problem with its clause",
            "croupier check submission.toml",
        ),
        "diff": Subcommand(
            "papers",
            "compare two editions or submissions: every rule and paytable that differs, and the effect on the house "
            "edge",
            "croupier diff pa-682a-proposed pa-682a",
        ),
        "digest": Subcommand(
            "rules", "identify this program by the SHA-256 of every program and rule file", "croupier digest"
        ),
    },
    "Mathematics": {
        "analyze": Subcommand(
            "analysis", "compute the exact house edge of every wager under optimal play", "croupier analyze pa-682a"
        ),
        "strategy": Subcommand(
            "strategy",
            "compute the exact value of every choice that a hand has",
            'croupier strategy pa-682a --hand "Ks Kd Kh 4d 2s"',
        ),
        "protect": Subcommand(
            "protection",
            "compute what a seat gains that sees, marks or shares cards, under perfect play",
            "croupier protect pa-679a --seen dealer.1",
        ),
        "simulate": Subcommand(
            "simulation",
            "simulate millions of rounds per second, and compare the results with exact values",
            "croupier simulate pa-679a --rounds 1e6",
        ),
        "shuffle-test": Subcommand(
            "shuffle_tests",
            "test whether the production shuffle or recorded decks are fair, and collect samples for laboratories",
            "croupier shuffle-test --decks 10000",
        ),
        "stake-engine": Subcommand(
            "stake_engine",
            "write the math files of Stake Engine for every paytable wager, and verify them",
            "croupier stake-engine pa-682a --output math",
        ),
    },
    "Tables and records": {
        "audit": Subcommand(
            "records", "check every event, card and cent of a record against the rules", "croupier audit day.jsonl"
        ),
        "recall": Subcommand(
            "records",
            "replay past rounds of a record step by step: balances, wagers, cards, payouts, meters",
            "croupier recall day.jsonl",
        ),
        "export": Subcommand(
            "records", "export a record or its rounds as JSON lines, JSON, TOML or PHH", "croupier export day.jsonl"
        ),
        "verify": Subcommand(
            "records", "verify an exported round of a verifiable deal, offline", "croupier verify round.json"
        ),
        "meters": Subcommand(
            "records",
            "list the progressive meters of a record, and reconcile them with its events",
            "croupier meters day.jsonl",
        ),
        "hold": Subcommand(
            "papers",
            "compare the actual hold with the theoretical hold, from a record or from totals",
            "croupier hold day.jsonl",
        ),
        "schema": Subcommand(
            "records",
            "print the JSON Schema of events, records, scenarios or submissions",
            "croupier schema events",
        ),
    },
    "Papers": {
        "report": Subcommand(
            "papers",
            "write the mathematics report of a Rules Submission as HTML, PDF or JSON",
            "croupier report submission.toml --pdf report.pdf",
        ),
        "verify-report": Subcommand(
            "papers",
            "recompute every figure of a mathematics report, and list those that differ",
            "croupier verify-report report.json",
        ),
        "layout": Subcommand(
            "papers", "draw the table layout of a Rules Submission at full scale", "croupier layout submission.toml"
        ),
        "dealer-card": Subcommand(
            "papers",
            "write the dealer's card: the procedure with its clauses, the payouts, and how to handle irregularities",
            "croupier dealer-card submission.toml",
        ),
        "rack-card": Subcommand(
            "papers",
            "write the card for patrons: how to play, and the best strategy",
            "croupier rack-card submission.toml",
        ),
        "signs": Subcommand(
            "papers", "write the signs at a table: limits, odds, payout limit", "croupier signs submission.toml"
        ),
        "form": Subcommand(
            "papers", "write a Rules Submission as a form to print and sign", "croupier form submission.toml"
        ),
        "errata": Subcommand(
            "papers",
            "list where the text of an edition contradicts itself, how it is read, and what published figures say",
            "croupier errata pa-641a",
        ),
    },
    "Server": {
        "serve": Subcommand("server", "run tables over the network for many patrons", "croupier serve --open"),
        "appoint": Subcommand(
            "server",
            "issue a one-time link for a regulator, surveillance or an administrator, on the server's machine",
            "croupier appoint regulator Kim",
        ),
        "backup": Subcommand(
            "server",
            "copy an SQLite database consistently, even while a server uses it",
            "croupier backup copy.db",
        ),
        "archive": Subcommand(
            "server",
            "move the records of tables closed long ago from a database to files",
            "croupier archive records/",
        ),
    },
    "Your own game": {
        "new-game": Subcommand(
            "games",
            "write a new game that can be played at once: one file for the game, one for its rules",
            "croupier new-game high_five",
        ),
        "check-game": Subcommand(
            "games",
            "check a game that you added, and list every problem with its file and line",
            "croupier check-game high_five.toml",
        ),
    },
    "Shell": {
        "completion": Subcommand(
            "shell_help",
            "print a script that completes commands, options and editions in bash, zsh or fish",
            "croupier completion bash",
        ),
        "man": Subcommand(
            "shell_help", "show the manual of a command, or write every man page", "croupier man analyze"
        ),
    },
}
"""The commands by the groups of the help.

The module of a command NAME defines `add_NAME_arguments(parser)` and `run_NAME(arguments) -> int`.
"""

COMMANDS = {name: command for group in COMMAND_GROUPS.values() for name, command in group.items()}
ALIASES = {"demo": "tour"}
"""Older names of commands."""
FIRST_COMMANDS = ("tour", "play", "analyze", "check", "serve")
"""The most useful commands, which `croupier` alone presents."""
