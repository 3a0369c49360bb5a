"""The tables that a server runs: commands in, events out to everybody who watches."""
