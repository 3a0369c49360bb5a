"""The sorts of evidence that a clause is carried out; `croupier.regulations.code_evidence` finds them."""

from __future__ import annotations

from enum import StrEnum


class Backing(StrEnum):
    """A sort of evidence that a clause is carried out."""

    GUARD = "guard"
    """The table refuses what the rule does not allow."""
    COMPUTATION = "computation"
    """Code that a computation of the campaign breaks (`tools/law/computations.toml`), or the rungs of a ranking."""
    DATA = "data"
    """The table or its meters compute with the figure, payout, wager or limit of the clause."""
    CHECK = "check"
    """`croupier check` reports a problem under the clause."""
    RECORD = "record"
    """A person is asked for the command whose event records the step under the clause."""
    ELECTION = "election"
    """There are choices, and the table follows the one that is elected."""
    TERM = "term"
    """The program uses the term that the clause defines."""
    MENTION = "mention"
    """The clause is cited without any consequence."""
