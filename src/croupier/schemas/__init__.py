"""JSON Schemas (2020-12) of the files and records that Croupier reads and writes, derived from their types."""
