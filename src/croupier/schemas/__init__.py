"""JSON Schemas (2020-12) of what Croupier reads and writes, made from the types and readers themselves."""
