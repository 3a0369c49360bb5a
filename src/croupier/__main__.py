"""`python -m croupier` is the `croupier` command."""

from croupier.entry import run

run()
