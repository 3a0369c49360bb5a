"""`python -m croupier` is the `croupier` command."""

from croupier.cli.main import run

run()
